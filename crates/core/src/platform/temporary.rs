//! Temporary files and folders that are removed even if a signal ends the program.

use super::task::lock_within;
use super::time::Duration;
use std::fs;
use std::io::Result;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long somebody may take to create a file before this program ends without waiting.
const PATIENCE: Duration = Duration::from_secs(1);

/// What exists now.
static LIST: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn list() -> MutexGuard<'static, Vec<PathBuf>> {
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file or folder is on the list until this is dropped. Drop it after the file.
pub(super) struct Listed(PathBuf);

impl Listed {
    /// Creates a file or folder and puts it on the list at once.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create<T>(
        create: impl FnOnce() -> Result<T>,
        path: impl FnOnce(&T) -> &Path,
    ) -> Result<(Self, T)> {
        let mut list = list();
        let created = create()?;
        let path = path(&created).to_owned();
        list.push(path.clone());
        Ok((Self(path), created))
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        list().retain(|path| *path != self.0);
    }
}

/// Removes everything on the list; no more can be created afterwards. This program must end then.
pub(super) fn remove_all() {
    let Some(list) = lock_within(&LIST, PATIENCE) else { return };
    for path in list.iter() {
        let is_folder = fs::symlink_metadata(path).is_ok_and(|data| data.is_dir());
        let _ = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    std::mem::forget(list);
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn what_is_created_is_listed_until_it_goes() {
        let (listed, folder) = Listed::create(tempfile::tempdir, TempDir::path).unwrap();
        let path = folder.path().to_owned();
        assert!(list().contains(&path));
        drop(folder);
        assert!(list().contains(&path));
        drop(listed);
        assert!(!list().contains(&path));
        let failed = Listed::create(|| fs::File::open(&path), |_| Path::new("never"));
        assert!(failed.is_err() && !list().contains(&PathBuf::from("never")));
    }
}
