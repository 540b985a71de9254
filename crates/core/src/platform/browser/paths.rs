//! What is known of a path before its file is read or written, in the storage of a browser.

use super::store::{StoreError, exists};
use std::path::{Path, PathBuf};

/// Whether something of this name is there.
pub fn is_listed(path: &Path) -> bool {
    exists(path)
}

/// There are no links here.
pub fn is_link(_path: &Path) -> bool {
    false
}

/// The path without links; `None` if nothing has this name.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    exists(path).then(|| path.to_owned())
}

/// Nothing is installed here.
pub fn installed_file(_name: &str) -> Option<PathBuf> {
    None
}

/// Every file can be written.
///
/// # Errors
/// None here.
pub fn try_file(_file: &Path) -> Result<(), StoreError> {
    Ok(())
}

/// Files can be written in every folder.
///
/// # Errors
/// None here.
pub fn try_folder(_folder: &Path) -> Result<(), StoreError> {
    Ok(())
}
