//! Whole folders: which files they hold, and copies of them.

use super::store::{StoreError, remove_folder};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How much of a folder is looked at.
#[derive(Clone, Copy, Debug)]
pub struct FolderLimits {
    /// The most files.
    pub files: usize,
    /// The most bytes of all files together.
    pub bytes: u64,
    /// How deep folders may lie in each other.
    pub depth: usize,
}

/// The files below a folder, as paths relative to it, in order. Those whose names begin with a dot, and what is in
/// such folders or in `__pycache__`, are left out.
///
/// # Errors
/// If something cannot be read, is a link or a special file, or exceeds the limits.
pub fn files_below(folder: &Path, limits: FolderLimits) -> Result<Vec<PathBuf>, StoreError> {
    let mut found = Vec::new();
    let mut open = vec![(PathBuf::new(), 0)];
    let mut bytes = 0;
    while let Some((inner, depth)) = open.pop() {
        let here = folder.join(&inner);
        let fail = |error: std::io::Error| StoreError::new(&here, error);
        for item in fs::read_dir(&here).map_err(fail)? {
            let item = item.map_err(fail)?;
            let name = item.file_name();
            if name.to_string_lossy().starts_with('.') || name == "__pycache__" {
                continue;
            }
            // Of a link, this is about the link.
            let about = item.metadata().map_err(fail)?;
            let path = inner.join(name);
            if about.is_dir() && depth < limits.depth {
                open.push((path, depth + 1));
            } else if about.is_file() {
                bytes += about.len();
                found.push(path);
            } else {
                let why = match about.is_dir() {
                    true => "too many folders lie in each other",
                    false => "this is a link or a special file; put a copy of the file there",
                };
                return Err(StoreError::new(&folder.join(path), why));
            }
            if found.len() > limits.files || bytes > limits.bytes {
                return Err(too_much(folder, limits));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Checks that a folder holds no more than it may, hidden files included. What is removed meanwhile does not count.
///
/// # Errors
/// If it exceeds the limits or cannot be read.
pub fn check_size(folder: &Path, limits: FolderLimits) -> Result<(), StoreError> {
    let mut open = vec![(folder.to_owned(), 0)];
    let mut files = 0;
    let mut bytes = 0;
    let still_there = |error: &std::io::Error| error.kind() != std::io::ErrorKind::NotFound;
    while let Some((here, depth)) = open.pop() {
        let fail = |error: std::io::Error| StoreError::new(&here, error);
        let items = match fs::read_dir(&here) {
            Err(error) if still_there(&error) => return Err(fail(error)),
            items => items.into_iter().flatten(),
        };
        for item in items {
            let item = item.map_err(fail)?;
            let about = match item.metadata() {
                Ok(about) => about,
                Err(error) if still_there(&error) => return Err(fail(error)),
                Err(_) => continue,
            };
            files += 1;
            bytes += about.len().max(allocated(&about));
            if about.is_dir() && depth < limits.depth {
                open.push((item.path(), depth + 1));
            } else if about.is_dir() {
                return Err(StoreError::new(folder, "too many folders lie in each other"));
            }
            if files > limits.files || bytes > limits.bytes {
                return Err(too_much(folder, limits));
            }
        }
    }
    Ok(())
}

fn too_much(folder: &Path, limits: FolderLimits) -> StoreError {
    let why = format!("it holds more than {} files or {} MiB", limits.files, limits.bytes >> 20);
    StoreError::new(folder, why)
}

/// Bytes that a file takes on the disk, where that is known.
#[cfg(unix)]
fn allocated(about: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::blocks(about).saturating_mul(512)
}

#[cfg(not(unix))]
fn allocated(_about: &fs::Metadata) -> u64 {
    0
}

/// A digest of the names and the contents of files in a folder, which are given relative to it (BLAKE3, cut to 64
/// bits).
///
/// # Errors
/// If one cannot be read.
pub fn digest_files(folder: &Path, files: &[PathBuf]) -> Result<u64, StoreError> {
    let mut hasher = blake3::Hasher::new();
    let mut part = vec![0; 1 << 16];
    for file in files {
        let path = folder.join(file);
        let fail = |error: std::io::Error| StoreError::new(&path, error);
        let name = file.to_string_lossy();
        hasher.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
        let mut content = fs::File::open(&path).map_err(fail)?;
        let mut length: u64 = 0;
        loop {
            let read = content.read(&mut part).map_err(fail)?;
            if read == 0 {
                break;
            }
            hasher.update(&part[..read]);
            length += read as u64;
        }
        hasher.update(&length.to_le_bytes());
    }
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    Ok(u64::from_be_bytes(first))
}

/// Copies files, given relative to a folder, into another one, of which nothing else is left.
///
/// # Errors
/// If the system refuses.
pub fn copy_files(source: &Path, files: &[PathBuf], folder: &Path) -> Result<(), StoreError> {
    let fail = |path: &Path, error: std::io::Error| StoreError::new(path, error);
    remove_folder(folder)?;
    fs::create_dir_all(folder).map_err(|error| fail(folder, error))?;
    for file in files {
        let from = source.join(file);
        let to = folder.join(file);
        let inside = to.parent().unwrap_or(folder);
        fs::create_dir_all(inside).map_err(|error| fail(inside, error))?;
        fs::copy(&from, &to).map_err(|error| fail(&from, error))?;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const LIMITS: FolderLimits = FolderLimits { files: 4, bytes: 1000, depth: 2 };

    fn put(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn names_and_contents_decide_the_digest() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        let own = || digest_files(here, &files_below(here, LIMITS).unwrap()).unwrap();
        put(here, "fox.py", "print()");
        put(here, "data/a.txt", "1");
        let first = own();
        put(here, ".git/HEAD", "x");
        put(here, "__pycache__/fox.pyc", "x");
        assert_eq!(own(), first, "hidden files do not count");
        put(here, "data/a.txt", "2");
        assert_ne!(own(), first);
        put(here, "data/a.txt", "1");
        assert_eq!(own(), first);
        fs::rename(here.join("data/a.txt"), here.join("data/b.txt")).unwrap();
        assert_ne!(own(), first);
    }

    #[test]
    fn a_copy_holds_the_files_and_nothing_else() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        put(from.path(), "a/b.txt", "1");
        put(to.path(), "old.txt", "0");
        let files = files_below(from.path(), LIMITS).unwrap();
        copy_files(from.path(), &files, to.path()).unwrap();
        assert_eq!(files_below(to.path(), LIMITS).unwrap(), [Path::new("a/b.txt")]);
        assert_eq!(fs::read(to.path().join("a/b.txt")).unwrap(), b"1");
    }

    #[test]
    fn what_is_too_much_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "a/b/c/d.txt", "1");
        let why = files_below(folder.path(), LIMITS).unwrap_err().to_string();
        assert!(why.contains("too many folders"), "{why}");
        let folder = tempfile::tempdir().unwrap();
        (0..5).for_each(|number| put(folder.path(), &number.to_string(), ""));
        assert!(files_below(folder.path(), LIMITS).is_err());
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "large", &"x".repeat(1001));
        assert!(files_below(folder.path(), LIMITS).is_err());
    }

    #[test]
    fn the_size_of_a_folder_counts_all_that_it_holds() {
        let limits = FolderLimits { files: 4, bytes: 1 << 20, depth: 1 };
        let why = |folder: &Path| check_size(folder, limits).unwrap_err().to_string();
        let folder = tempfile::tempdir().unwrap();
        assert!(check_size(&folder.path().join("gone"), limits).is_ok());
        put(folder.path(), "a/.hidden", "1");
        assert!(check_size(folder.path(), limits).is_ok());
        put(folder.path(), "a/.large", &"x".repeat(1 << 20));
        assert!(why(folder.path()).contains("1 MiB"));
        let folder = tempfile::tempdir().unwrap();
        (0..5).for_each(|number| put(folder.path(), &number.to_string(), ""));
        assert!(why(folder.path()).contains("4 files"));
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "a/b/c", "");
        assert!(why(folder.path()).contains("too many folders"));
    }

    #[test]
    #[cfg(unix)]
    fn links_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("data")).unwrap();
        let why = files_below(folder.path(), LIMITS).unwrap_err().to_string();
        assert!(why.contains("is a link"), "{why}");
    }
}
