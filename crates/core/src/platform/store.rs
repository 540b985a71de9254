//! Files that are never half written and never lost.

mod growing;
mod replace;

pub use growing::GrowingFile;
pub use replace::{
    Replacement, remove_if, remove_leftovers, replace_if, update, write, write_readable,
};
pub(super) use replace::{folder_of, followed, is_stream};

use super::time::SystemTime;
use replace::{hold, temporary};
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Larger files than this are refused: no file of Outwit comes near.
pub const MAX_BYTES: u64 = 16 << 20;

/// What went wrong with a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}", file.display())]
pub struct StoreError {
    /// The file.
    pub file: PathBuf,
    /// What, and what to do about it.
    pub what: String,
}

impl From<StoreError> for String {
    fn from(error: StoreError) -> Self {
        error.to_string()
    }
}

impl StoreError {
    /// What went wrong with which file.
    pub fn new(file: &Path, what: impl std::fmt::Display) -> Self {
        Self { file: file.into(), what: what.to_string() }
    }
}

/// Reads a whole file.
///
/// # Errors
/// If it cannot be read or is larger than [`MAX_BYTES`].
pub fn read(file: &Path) -> Result<Vec<u8>, StoreError> {
    let fail = |error: std::io::Error| StoreError::new(file, error);
    let opened = fs::File::open(file).map_err(fail)?;
    let mut bytes = Vec::new();
    opened.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > MAX_BYTES {
        let limit = MAX_BYTES >> 20;
        return Err(StoreError::new(file, format!("larger than {limit} MiB; not read")));
    }
    Ok(bytes)
}

/// Reads the standard input to its end, which messages call by the name of `file`. It is read once and kept, as
/// nothing comes from there a second time.
///
/// # Errors
/// As [`read`].
pub fn read_standard_input(file: &Path) -> Result<Vec<u8>, StoreError> {
    static INPUT: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    INPUT
        .get_or_init(|| {
            let mut bytes = Vec::new();
            let input = std::io::stdin().lock().take(MAX_BYTES + 1);
            let read = { input }.read_to_end(&mut bytes).map_err(|error| error.to_string());
            read.and_then(|_| match bytes.len() as u64 > MAX_BYTES {
                true => Err(format!("larger than {} MiB; not read", MAX_BYTES >> 20)),
                false => Ok(bytes),
            })
        })
        .clone()
        .map_err(|what| StoreError::new(file, what))
}

/// Like [`read`], but refuses pipes, devices and folders: reading those might never end.
///
/// # Errors
/// As [`read`], or if it is no file.
pub fn read_file(file: &Path) -> Result<Vec<u8>, StoreError> {
    let data = fs::metadata(file).map_err(|error| StoreError::new(file, error))?;
    if data.is_file() { read(file) } else { Err(StoreError::new(file, "this is not a file")) }
}

/// Opens a file that may be larger than [`MAX_BYTES`], to be read piece by piece.
///
/// # Errors
/// If it is no regular file or cannot be read.
pub fn open(file: &Path) -> Result<impl Read, StoreError> {
    let opened = refuse_irregular(file).and_then(|()| fs::File::open(file));
    opened.map_err(|error| StoreError::new(file, error))
}

/// Refuses pipes, devices and folders: opening or reading those might never end.
fn refuse_irregular(path: &Path) -> std::io::Result<()> {
    match fs::metadata(path) {
        Ok(data) if !data.is_file() => Err(std::io::Error::other("this is not a regular file")),
        _ => Ok(()),
    }
}

/// Whether there is a file or a folder of this name.
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Whether there is a folder of this name.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir()
}

/// Whether there is a file of this name.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// The files and folders in a folder, by name.
///
/// # Errors
/// If it is no folder or cannot be read.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let fail = |error: std::io::Error| StoreError::new(folder, error);
    let entries = fs::read_dir(folder).map_err(fail)?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(fail)?.path());
    }
    paths.sort();
    Ok(paths)
}

/// Like [`list`], but nothing for a folder that is not there.
///
/// # Errors
/// If it is no folder or cannot be read.
pub fn list_if_there(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        _ => list(folder),
    }
}

/// When a file was last written, where that is known.
pub fn modified(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|data| data.modified()).ok()
}

/// Bytes of a file, if there is one.
pub fn size(file: &Path) -> Option<u64> {
    fs::metadata(file).ok().map(|data| data.len())
}

/// Creates a folder, with those that it lies in, unless it is there.
///
/// # Errors
/// If it cannot be created.
pub fn create_folder(folder: &Path) -> Result<(), StoreError> {
    fs::create_dir_all(folder).map_err(|error| {
        match folder.ancestors().find(|path| path.is_file()) {
            Some(file) => StoreError::new(file, "this is a file, but must be a folder"),
            None => StoreError::new(folder, error),
        }
    })
}

/// Removes a folder with all that it holds, if it is there.
///
/// # Errors
/// If something of it cannot be removed.
pub fn remove_folder(folder: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(StoreError::new(folder, error)),
        _ => Ok(()),
    }
}

/// Removes a file.
///
/// # Errors
/// If it is not there or cannot be removed.
pub fn remove(file: &Path) -> Result<(), StoreError> {
    fs::remove_file(file).map_err(|error| StoreError::new(file, error))
}

/// Gives a file another name; a file that has that name already is replaced.
///
/// # Errors
/// If it cannot be renamed; nothing has changed then.
pub fn rename(file: &Path, to: &Path) -> Result<(), StoreError> {
    fs::rename(file, to).map_err(|error| StoreError::new(file, error))
}

/// The sign that this program works on something, in the form of a locked file; until it is dropped.
pub struct Lock(fs::File);

impl Drop for Lock {
    fn drop(&mut self) {
        // As of a [`GrowingFile`].
        let _ = self.0.unlock();
    }
}

impl Lock {
    /// Locks a file, which is created or emptied; `None` if somebody else holds it. Where the system
    /// has no locks, everybody gets one.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn take(file: &Path) -> Result<Option<Self>, StoreError> {
        let locked = fs::File::create(file).map_err(|error| StoreError::new(file, error))?;
        match locked.try_lock() {
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(Some(Self(locked))),
        }
    }
}

/// Moves a file into a folder and returns where it is now: under its own name, or with the first
/// number that is free.
///
/// # Errors
/// If it is no file or cannot be moved; it is where it was then.
pub fn move_to_free(file: &Path, folder: &Path) -> Result<PathBuf, StoreError> {
    rename_to_free(file, &folder.join(file.file_name().unwrap_or_default()))
}

/// Renames a file to another name in any folder, or to the first number behind it that is free, and
/// returns where it is now.
///
/// # Errors
/// If it is no file or cannot be renamed; it is where it was then.
pub fn rename_to_free(file: &Path, wanted: &Path) -> Result<PathBuf, StoreError> {
    let fail = |error: std::io::Error| StoreError::new(file, error);
    // Otherwise what another copy of the program writes in between would be removed.
    let Some(_held) = hold(file).map_err(fail)? else {
        return Err(fail(ErrorKind::NotFound.into()));
    };
    let free = first_free(wanted, |free| claim(file, free)).map_err(fail)?;
    if let Err(error) = fs::remove_file(file) {
        let _ = fs::remove_file(&free);
        return Err(fail(error));
    }
    Ok(free)
}

/// Writes a new file under this name, or with the first number that is free. Returns which.
///
/// # Errors
/// If it cannot be written or is larger than [`MAX_BYTES`]; there is no new file then.
pub fn write_new(file: &Path, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    let fail = |error: std::io::Error| StoreError::new(file, error);
    replace::refuse_unreadable(file, bytes)?;
    let folder = replace::folder_of(file);
    fs::create_dir_all(folder).map_err(fail)?;
    let (_listed, mut fresh) = temporary(folder).map_err(fail)?;
    fresh.write_all(bytes).map_err(|error| fail(error.kind().into()))?;
    fresh.as_file().sync_all().map_err(fail)?;
    let free = first_free(file, |free| claim(fresh.path(), free)).map_err(fail)?;
    replace::sync_folder_of(&free);
    Ok(free)
}

/// Tries a name, then the same with `-2`, `-3` and so on behind it, until one is not taken.
fn first_free(
    file: &Path,
    mut take: impl FnMut(&Path) -> std::io::Result<()>,
) -> std::io::Result<PathBuf> {
    let mut free = file.to_owned();
    for number in 2_u32.. {
        match take(&free) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            other => return other.map(|()| free),
        }
        let mut name = file.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{number}"));
        if let Some(ending) = file.extension() {
            name.push(".");
            name.push(ending);
        }
        free.set_file_name(name);
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Gives a file a second name that nothing has yet: a link, or a copy where links are not to be had.
fn claim(file: &Path, free: &Path) -> std::io::Result<()> {
    match fs::hard_link(file, free) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            let mut copy = fs::File::create_new(free)?;
            let copied = fs::File::open(file)
                .and_then(|mut from| std::io::copy(&mut from, &mut copy))
                .and_then(|_| copy.sync_all());
            if copied.is_err() {
                let _ = fs::remove_file(free);
            }
            copied
        }
        other => other,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
