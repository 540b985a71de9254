//! A file that grows by whole lines.

use super::refuse_irregular;
use super::replace::{folder_of, sync_folder_of};
use crate::platform::time::{Duration, Instant};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Error, Result, Seek, SeekFrom, Write};
use std::path::Path;

/// How long a line may wait until it is forced to the disk. Doing so takes milliseconds, and games may
/// take less.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// A file to which lines are added. Until it is dropped, no other run can open it for that, where the
/// system has locks.
///
/// A line that cannot be written whole is not lost: it is written again with the next one, or by
/// [`finish`](Self::finish). If the machine crashes, lines of the last second may be missing.
pub struct GrowingFile {
    file: File,
    /// Bytes of the file that are whole lines.
    whole: u64,
    /// Bytes of these that a crash of the machine leaves.
    synced: u64,
    last_sync: Option<Instant>,
    waiting: Vec<u8>,
}

impl GrowingFile {
    /// Opens a file; with `create` it may be a new one, in a new folder. Lines are added at its beginning until
    /// [`keep`](Self::keep) says what stays.
    ///
    /// # Errors
    /// If it is no regular file, cannot be opened, or another run has it open.
    pub fn open(path: &Path, create: bool) -> Result<Self> {
        refuse_irregular(path)?;
        if create {
            fs::create_dir_all(folder_of(path))?;
        }
        let file = OpenOptions::new().create(create).truncate(false).write(true).open(path)?;
        // Not every file system has locks; without them two runs at once are not noticed.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(Error::other("another run is writing to this file"));
        }
        if create {
            sync_folder_of(path);
        }
        Ok(Self { file, whole: 0, synced: 0, last_sync: None, waiting: Vec::new() })
    }

    /// Cuts the file behind its first `whole` bytes, which are whole lines.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn keep(&mut self, whole: u64) -> Result<()> {
        self.file.set_len(whole)?;
        self.whole = whole;
        Ok(())
    }

    /// Adds a line with its end.
    ///
    /// # Errors
    /// If it cannot be written yet.
    pub fn add(&mut self, line: &[u8]) -> Result<()> {
        self.waiting.extend_from_slice(line);
        self.write()?;
        match self.last_sync {
            Some(last) if last.elapsed() < SYNC_EVERY => Ok(()),
            _ => self.sync(),
        }
    }

    /// Writes what could not be written before, and forces all of it to the disk.
    ///
    /// # Errors
    /// If it still cannot be written.
    pub fn finish(&mut self) -> Result<()> {
        self.write()?;
        self.sync()
    }

    fn write(&mut self) -> Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        // An earlier attempt may have written a part of a line.
        self.file.set_len(self.whole)?;
        self.file.seek(SeekFrom::Start(self.whole))?;
        self.file.write_all(&self.waiting)?;
        self.whole += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }

    fn sync(&mut self) -> Result<()> {
        if self.synced != self.whole {
            self.file.sync_data()?;
            self.synced = self.whole;
            self.last_sync = Some(Instant::now());
        }
        Ok(())
    }
}

impl Drop for GrowingFile {
    fn drop(&mut self) {
        // A child of this program that has not yet become another one holds the lock as well until then.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_written_is_written_later() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let mut file = GrowingFile::open(&path, true).unwrap();
        file.add(b"1\n").unwrap();
        // A file that only allows reading stands for a full disk; half a line was written before.
        file.file.write_all(b"2, ").unwrap();
        let good = std::mem::replace(&mut file.file, File::open(&path).unwrap());
        assert!(file.add(b"2, two\n").is_err());
        assert!(file.finish().is_err());
        file.file = good;
        file.add(b"3\n").unwrap();
        file.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"1\n2, two\n3\n");
    }

    #[test]
    fn lines_are_on_the_disk_at_first_and_in_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let mut file = GrowingFile::open(&path, true).unwrap();
        file.add(b"1\n").unwrap();
        assert_eq!(file.synced, 2, "nothing was synced before");
        for _ in 0..10 {
            file.add(b"2\n").unwrap();
        }
        file.finish().unwrap();
        assert_eq!(file.synced, 22);
        // Long before the next line is due.
        file.last_sync = Instant::now().checked_add(SYNC_EVERY * 3600);
        file.add(b"3\n").unwrap();
        assert_eq!(file.synced, 22);
        // A second ago: the next line is due.
        file.last_sync = Instant::now().checked_sub(SYNC_EVERY);
        file.add(b"4\n").unwrap();
        assert_eq!(file.synced, 26);
        // What the disk does not take is tried again.
        drop(file);
        let mut file = GrowingFile::open(&path, false).unwrap();
        file.keep(22).unwrap();
        assert_eq!((file.whole, file.synced), (22, 0));
        file.finish().unwrap();
        assert_eq!(file.synced, 22);
    }

    #[test]
    fn two_runs_do_not_add_to_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/a.jsonl");
        assert!(GrowingFile::open(&path, false).is_err());
        assert!(!folder.path().join("deep").exists());
        let file = GrowingFile::open(&path, true).unwrap();
        let why = GrowingFile::open(&path, false).err().unwrap().to_string();
        assert!(why.contains("another run"), "{why}");
        drop(file);
        GrowingFile::open(&path, false).unwrap();
    }

    #[test]
    fn a_child_that_has_the_file_too_keeps_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let file = GrowingFile::open(&path, true).unwrap();
        // As a fork does until the child becomes another program.
        let inherited = file.file.try_clone().unwrap();
        drop(file);
        let again = GrowingFile::open(&path, false).unwrap();
        drop(inherited);
        assert!(GrowingFile::open(&path, false).is_err(), "the new lock is its own");
        drop(again);
    }

    #[test]
    #[cfg(unix)]
    fn only_regular_files_grow() {
        use std::os::fd::AsRawFd;
        let folder = tempfile::tempdir().unwrap();
        let (_reader, writer) = std::io::pipe().unwrap();
        let pipe = format!("/dev/fd/{}", writer.as_raw_fd());
        for path in [Path::new("/dev/null"), Path::new(&pipe), folder.path()] {
            for create in [false, true] {
                let why = GrowingFile::open(path, create).err().unwrap().to_string();
                assert_eq!(why, "this is not a regular file", "{}", path.display());
            }
        }
    }
}
