//! Files that are never half written and never lost, in the storage of a browser.

use super::files::{Files, files};
use super::time::SystemTime;
use std::io::{Cursor, Error, ErrorKind, Read};
use std::path::{Path, PathBuf};

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

fn missing(file: &Path) -> StoreError {
    StoreError::new(file, "no such file")
}

/// Reads a whole file.
///
/// # Errors
/// If there is none, or it is larger than [`MAX_BYTES`].
pub fn read(file: &Path) -> Result<Vec<u8>, StoreError> {
    let bytes = files().get(file).map(|file| file.bytes.clone()).ok_or_else(|| missing(file))?;
    if bytes.len() as u64 > MAX_BYTES {
        let limit = MAX_BYTES >> 20;
        return Err(StoreError::new(file, format!("larger than {limit} MiB; not read")));
    }
    Ok(bytes)
}

/// There is no standard input here.
///
/// # Errors
/// Always.
pub fn read_standard_input(file: &Path) -> Result<Vec<u8>, StoreError> {
    Err(missing(file))
}

/// The same as [`read`]: nothing else than files has a name here.
///
/// # Errors
/// As [`read`].
pub fn read_file(file: &Path) -> Result<Vec<u8>, StoreError> {
    read(file)
}

/// Opens a file, to be read piece by piece.
///
/// # Errors
/// As [`read`].
pub fn open(file: &Path) -> Result<impl Read, StoreError> {
    read(file).map(Cursor::new)
}

/// Whether there is a file or a folder of this name.
pub fn exists(path: &Path) -> bool {
    let files = files();
    files.get(path).is_some() || files.is_folder(path)
}

/// Whether there is a folder of this name.
pub fn is_folder(path: &Path) -> bool {
    files().is_folder(path)
}

/// Whether there is a file of this name.
pub fn is_file(path: &Path) -> bool {
    files().get(path).is_some()
}

/// The files and folders in a folder, by name.
///
/// # Errors
/// If there is no such folder.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    match list_if_there(folder) {
        Ok(paths) if paths.is_empty() => Err(StoreError::new(folder, "no such folder")),
        listed => listed,
    }
}

/// Like [`list`], but nothing for a folder that is not there.
///
/// # Errors
/// None here.
pub fn list_if_there(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    Ok(files().list(folder))
}

/// When a file was last written.
pub fn modified(file: &Path) -> Option<SystemTime> {
    files().get(file).map(|file| file.modified)
}

/// Bytes of a file, if there is one.
pub fn size(file: &Path) -> Option<u64> {
    files().get(file).map(|file| file.bytes.len() as u64)
}

/// Folders are where files lie, so there is nothing to do.
///
/// # Errors
/// If a file has this name.
pub fn create_folder(folder: &Path) -> Result<(), StoreError> {
    if is_file(folder) { Err(StoreError::new(folder, "this is a file")) } else { Ok(()) }
}

/// Removes all files below a folder.
///
/// # Errors
/// If one cannot be removed.
pub fn remove_folder(folder: &Path) -> Result<(), StoreError> {
    list_if_there(folder)?.iter().try_for_each(|path| match is_file(path) {
        true => remove(path),
        false => remove_folder(path),
    })
}

/// Removes a file.
///
/// # Errors
/// If it is not there.
pub fn remove(file: &Path) -> Result<(), StoreError> {
    files().take(file).map(drop).ok_or_else(|| missing(file))
}

/// Gives a file another name; a file that has that name already is replaced.
///
/// # Errors
/// If it is not there.
pub fn rename(file: &Path, to: &Path) -> Result<(), StoreError> {
    let mut files = files();
    let held = files.take(file).ok_or_else(|| missing(file))?;
    files.put(to, held.bytes);
    Ok(())
}

/// The sign that this program works on something; here nobody else does.
pub struct Lock;

impl Lock {
    /// Locks a file, which is created or emptied.
    ///
    /// # Errors
    /// None here.
    pub fn take(_file: &Path) -> Result<Option<Self>, StoreError> {
        Ok(Some(Self))
    }
}

/// Moves a file into a folder and returns where it is now: under its own name, or with the first
/// number that is free.
///
/// # Errors
/// If it is not there.
pub fn move_to_free(file: &Path, folder: &Path) -> Result<PathBuf, StoreError> {
    rename_to_free(file, &folder.join(file.file_name().unwrap_or_default()))
}

/// Renames a file to another name in any folder, or to the first number behind it that is free, and
/// returns where it is now.
///
/// # Errors
/// If it is not there.
pub fn rename_to_free(file: &Path, wanted: &Path) -> Result<PathBuf, StoreError> {
    let free = first_free(&files(), wanted);
    rename(file, &free)?;
    Ok(free)
}

/// Writes a new file under this name, or with the first number that is free. Returns which.
///
/// # Errors
/// If it is larger than [`MAX_BYTES`].
pub fn write_new(file: &Path, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    refuse_unreadable(file, bytes)?;
    let mut files = files();
    let free = first_free(&files, file);
    files.put(&free, bytes.to_vec());
    Ok(free)
}

/// A name, or the same with `-2`, `-3` and so on behind it, that is not taken.
fn first_free(files: &Files, file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut free = file.to_owned();
    for number in 2_u32.. {
        if files.get(&free).is_none() {
            break;
        }
        let ending = file.extension().map(|ending| format!(".{}", ending.to_string_lossy()));
        free.set_file_name(format!("{stem}-{number}{}", ending.unwrap_or_default()));
    }
    free
}

fn refuse_unreadable(file: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    if bytes.len() as u64 <= MAX_BYTES {
        return Ok(());
    }
    let size = bytes.len().div_ceil(1 << 20);
    let limit = MAX_BYTES >> 20;
    Err(StoreError::new(
        file,
        format!("not written: it would be {size} MiB, and {limit} MiB is the maximum"),
    ))
}

/// Writes a whole file at once. What stood there before is kept under the same name with a `~`.
///
/// # Errors
/// If a folder has this name.
pub fn write(file: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut files = files();
    if files.is_folder(file) {
        return Err(StoreError::new(file, "this is a folder"));
    }
    if let Some(previous) = files.get(file).map(|file| file.bytes.clone()) {
        let mut kept = file.as_os_str().to_owned();
        kept.push("~");
        files.put(Path::new(&kept), previous);
    }
    files.put(file, bytes.to_vec());
    Ok(())
}

/// A file that is written piece by piece and stands in its place once it is [finished](Self::finish).
pub struct Replacement {
    file: PathBuf,
    bytes: Vec<u8>,
}

impl std::io::Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Replacement {
    /// Begins a file of this name.
    ///
    /// # Errors
    /// Never here.
    pub fn begin(file: &Path) -> Result<Self, StoreError> {
        Ok(Self { file: file.to_owned(), bytes: Vec::new() })
    }

    /// Puts it in its place, as [`write()`] does.
    ///
    /// # Errors
    /// As [`write()`].
    pub fn finish(self) -> Result<(), StoreError> {
        write(&self.file, &self.bytes)
    }
}

/// Like [`write()`], for files that are to be read again.
///
/// # Errors
/// As [`write()`], or if it is larger than [`MAX_BYTES`].
pub fn write_readable(file: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    refuse_unreadable(file, bytes)?;
    write(file, bytes)
}

/// Like [`write_readable`], if `agreed` says so of what is there: its content, or `None` for no file. Returns
/// whether the file was written.
///
/// # Errors
/// As [`write_readable`].
pub fn replace_if(
    file: &Path,
    bytes: &[u8],
    agreed: impl Fn(Option<&[u8]>) -> bool,
) -> Result<bool, StoreError> {
    let there = read(file).ok();
    if !agreed(there.as_deref()) {
        return Ok(false);
    }
    write_readable(file, bytes).map(|()| true)
}

/// Removes a file if `agreed` says so of its content; returns whether it is gone.
///
/// # Errors
/// None here.
pub fn remove_if(file: &Path, agreed: impl Fn(&[u8]) -> bool) -> Result<bool, StoreError> {
    match read(file) {
        Ok(bytes) if !agreed(&bytes) => Ok(false),
        Ok(_) => remove(file).map(|()| true),
        Err(_) => Ok(true),
    }
}

/// Writes what `change` makes of a file's content, or of `None` if there is no file.
///
/// # Errors
/// If `change` refuses, or as [`write_readable`]; the file is as it was then.
pub fn update(
    file: &Path,
    mut change: impl FnMut(Option<&[u8]>) -> Result<Vec<u8>, String>,
) -> Result<(), StoreError> {
    let new = change(read(file).ok().as_deref()).map_err(|why| StoreError::new(file, why))?;
    write_readable(file, &new)
}

/// No writer leaves temporary files here.
pub fn remove_leftovers(_folder: &Path) {}

/// A file to which lines are added.
pub struct GrowingFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl GrowingFile {
    /// Opens a file; with `create` it may be a new one. Lines are added at its beginning until
    /// [`keep`](Self::keep) says what stays.
    ///
    /// # Errors
    /// If it is not there and may not be created.
    pub fn open(path: &Path, create: bool) -> std::io::Result<Self> {
        let bytes = files().get(path).map(|file| file.bytes.clone());
        match bytes {
            None if !create => Err(Error::from(ErrorKind::NotFound)),
            bytes => Ok(Self { path: path.to_owned(), bytes: bytes.unwrap_or_default() }),
        }
    }

    /// Cuts the file behind its first `whole` bytes, which are whole lines.
    ///
    /// # Errors
    /// None here.
    pub fn keep(&mut self, whole: u64) -> std::io::Result<()> {
        self.bytes.truncate(usize::try_from(whole).unwrap_or(usize::MAX));
        Ok(())
    }

    /// Adds a line with its end.
    ///
    /// # Errors
    /// None here.
    pub fn add(&mut self, line: &[u8]) -> std::io::Result<()> {
        self.bytes.extend_from_slice(line);
        self.finish()
    }

    /// Stores all of it.
    ///
    /// # Errors
    /// None here.
    pub fn finish(&mut self) -> std::io::Result<()> {
        files().put(&self.path, self.bytes.clone());
        Ok(())
    }
}
