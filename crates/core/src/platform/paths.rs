//! What is known of a path before its file is read or written.

use super::store::{StoreError, folder_of, followed, is_stream};
use std::fs;
use std::path::{Path, PathBuf};

/// Whether something of this name is there, be it a link that leads nowhere.
pub fn is_listed(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether this is a link, be it one that leads nowhere.
pub fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink())
}

/// The path without links; `None` if it leads nowhere.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// A file that was installed with this program: `name` in the folder that holds the program's own. `None` if it is not
/// there, as in a build from the sources.
pub fn installed_file(name: &str) -> Option<PathBuf> {
    installed_with(&std::env::current_exe().ok()?, name)
}

fn installed_with(program: &Path, name: &str) -> Option<PathBuf> {
    let folder = program.parent()?.parent()?;
    Some(folder.join(name)).filter(|file| file.is_file())
}

/// Tries whether a file could be written, and leaves everything as it is except that the folders it
/// lies in are created. Of a device or pipe only that it is there.
///
/// # Errors
/// Why it cannot be written.
pub fn try_file(file: &Path) -> Result<(), StoreError> {
    let fail = |error: std::io::Error| StoreError::new(file, error);
    match fs::metadata(file) {
        Ok(data) if data.is_dir() => return Err(StoreError::new(file, "this is a folder")),
        Ok(data) if is_stream(file, &data) => return Ok(()),
        Ok(data) if data.permissions().readonly() => {
            return Err(StoreError::new(file, "this file is read-only"));
        }
        _ => {}
    }
    let target = followed(file).map_err(fail)?;
    try_folder(folder_of(&target)).map_err(|error| StoreError::new(file, error.what))?;
    match fs::OpenOptions::new().write(true).open(file) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(fail(error)),
        _ => Ok(()),
    }
}

/// Tries whether files can be written in a folder, which is created if it is not there.
///
/// # Errors
/// Why not.
pub fn try_folder(folder: &Path) -> Result<(), StoreError> {
    let fail = |error: std::io::Error| StoreError::new(folder, error.kind());
    fs::create_dir_all(folder).map_err(fail)?;
    tempfile::tempfile_in(folder).map(drop).map_err(fail)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn trying_leaves_a_file_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/table.csv");
        try_file(&file).unwrap();
        assert!(!is_listed(&file));
        fs::write(&file, "old").unwrap();
        try_file(&file).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 1);
        assert!(try_file(folder.path()).is_err());
        let error = try_file(&file.join("child.csv")).unwrap_err();
        assert!(error.to_string().contains("child.csv"), "{error}");
    }

    #[test]
    fn a_file_is_installed_if_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("bin/program");
        let page = folder.path().join("share/page.html");
        assert_eq!(installed_with(&program, "share/page.html"), None);
        fs::create_dir_all(page.parent().unwrap()).unwrap();
        assert_eq!(installed_with(&program, "share"), None, "this is a folder, not a file");
        fs::write(&page, "").unwrap();
        assert_eq!(installed_with(&program, "share/page.html"), Some(page));
    }
}
