//! A file that grows at its end.

use super::{StoreError, read_file};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file to whose end pieces are added. A piece that could be written only in part is gone with the next
/// one; if the program is killed, a part of the last one may be left.
pub struct AppendFile {
    path: PathBuf,
    file: File,
    /// Bytes that are whole pieces.
    whole: u64,
}

impl AppendFile {
    /// Opens a file, which is created if need be, and returns what it holds too.
    ///
    /// # Errors
    /// If it cannot be read or written, is no regular file, is larger than
    /// [`MAX_BYTES`](super::MAX_BYTES), or another run writes to it.
    pub fn open(path: &Path) -> Result<(Self, Vec<u8>), StoreError> {
        let fail = |error: std::io::Error| StoreError::new(path, error);
        // Before anything is opened that might be a device.
        let bytes = if path.exists() { read_file(path)? } else { Vec::new() };
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
        let file = file.map_err(fail)?;
        // Not every file system has locks; without them two runs at once are not noticed.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(StoreError::new(path, "another run is writing to this file"));
        }
        Ok((Self { path: path.into(), file, whole: bytes.len() as u64 }, bytes))
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lets only this many of its first bytes stand before the next piece.
    pub fn keep(&mut self, bytes: u64) {
        self.whole = self.whole.min(bytes);
    }

    /// Adds a piece.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, piece: &[u8]) -> Result<(), StoreError> {
        let written = self
            .file
            .set_len(self.whole)
            .and_then(|()| self.file.seek(SeekFrom::Start(self.whole)))
            .and_then(|_| self.file.write_all(piece));
        written.map_err(|error| StoreError::new(&self.path, error))?;
        self.whole += piece.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_added_behind_what_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let (mut file, held) = AppendFile::open(&path).unwrap();
        assert!(held.is_empty());
        file.append(b"one\n").unwrap();
        file.append(b"tw").unwrap();
        assert!(AppendFile::open(&path).is_err(), "two at once");
        drop(file);
        let (mut file, held) = AppendFile::open(&path).unwrap();
        assert_eq!(held, b"one\ntw");
        file.keep(4);
        file.append(b"2\n").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one\n2\n");
        assert!(AppendFile::open(folder.path()).is_err());
    }
}
