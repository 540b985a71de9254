//! The app's files in the data folder: settings, records and the like. A broken file is renamed, never
//! overwritten.

use bevy::log::warn;
use outwit_core::escape::escaped;
use outwit_core::levels;
use outwit_core::levels::read_ron;
use outwit_core::platform::store;
use outwit_core::platform::store::StoreError;
use outwit_levels::data_folder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// There is no data folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("No data folder available. Set OUTWIT_DATA to choose one.")]
pub struct NoDataFolder;

impl From<NoDataFolder> for String {
    fn from(error: NoDataFolder) -> Self {
        error.to_string()
    }
}

/// Why a file of the data folder was not changed.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// There is no such folder.
    #[error(transparent)]
    NoFolder(#[from] NoDataFolder),
    /// The file cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The content of a file.
pub struct Loaded<T> {
    /// The content, or the default.
    pub value: T,
    /// A message for the user, if something went wrong.
    pub message: Option<String>,
}

/// Loads a file of the data folder; `what` names its content in messages, as in "Your settings".
pub fn load_file<T: DeserializeOwned + Default>(file: &str, what: &str) -> Loaded<T> {
    match data_folder() {
        Some(folder) => load_from(&folder.join(file), what),
        None => Loaded {
            value: T::default(),
            message: Some(format!(
                "{what} cannot be stored: no data folder available. Set OUTWIT_DATA to choose one."
            )),
        },
    }
}

/// Loads a file, as [`load_file`] does.
pub fn load_from<T: DeserializeOwned + Default>(path: &Path, what: &str) -> Loaded<T> {
    if !store::exists(path) {
        return Loaded { value: T::default(), message: None };
    }
    let bytes = match levels::read_file(path) {
        Ok(bytes) => bytes,
        // That is no damage: another time it may be readable.
        Err(error) => {
            let message = Some(format!("{what} could not be read. {error}"));
            return Loaded { value: T::default(), message };
        }
    };
    loaded(path, &bytes, what)
}

/// What a file holds that was read already; `what` names it in messages, as in "The unfinished match".
pub fn loaded<T: DeserializeOwned + Default>(path: &Path, bytes: &[u8], what: &str) -> Loaded<T> {
    match read_ron(bytes) {
        Ok(value) => Loaded { value, message: None },
        Err(why) => Loaded {
            value: T::default(),
            message: Some(format!("{what} could not be read ({why}). {}", put_aside(path))),
        },
    }
}

/// Renames a file that is of no use, and says so. Its new name is for the log only.
pub fn put_aside(path: &Path) -> String {
    match set_aside(path) {
        Ok(aside) => {
            let renamed = format!("{} was renamed to {}", path.display(), aside.display());
            warn!("{}", escaped(&renamed));
            "It is kept in the data folder but not used.".into()
        }
        Err(error) => format!("It could not be put aside: {error}."),
    }
}

/// Renames a file to the first free of `NAME.bad`, `NAME.bad2`, ... and returns that name.
fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = std::iter::once(String::from(".bad"))
        .chain((2..1000).map(|n| format!(".bad{n}")))
        .map(|ending| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        })
        .find(|aside| !store::exists(aside))
        .ok_or_else(|| StoreError::new(path, "there are already a thousand broken files"))?;
    store::rename(path, &aside)?;
    Ok(aside)
}

/// Changes what a file of the data folder holds now, which another copy of the program may have
/// written; no copy can write in between.
///
/// # Errors
/// If there is no data folder, or as [`update_in`].
pub fn update_file<T: Serialize + DeserializeOwned + Default>(
    file: &str,
    change: impl FnMut(&mut T),
) -> Result<(), UpdateError> {
    let folder = data_folder().ok_or(NoDataFolder)?;
    Ok(update_in(&folder, file, change)?)
}

/// The same for a file of this folder.
///
/// # Errors
/// If it cannot be read or written; the file then stays as it was.
pub fn update_in<T: Serialize + DeserializeOwned + Default>(
    folder: &Path,
    file: &str,
    mut change: impl FnMut(&mut T),
) -> Result<(), StoreError> {
    store::update(&folder.join(file), |old| {
        let mut value: T = match old {
            Some(bytes) => read_ron(bytes).map_err(|fault| fault.to_string())?,
            None => T::default(),
        };
        change(&mut value);
        to_text(&value).map(String::into_bytes).map_err(|error| error.to_string())
    })
}

/// Writes a value as readable RON.
///
/// # Errors
/// If the value cannot be written as RON.
pub fn to_text<T: Serialize>(value: &T) -> Result<String, ron::Error> {
    ron::ser::to_string_pretty(value, ron::ser::PrettyConfig::default()).map(|text| text + "\n")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_file_is_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("numbers.ron");
        for _ in 0..2 {
            std::fs::write(&file, "(broken").unwrap();
            let loaded: Loaded<Vec<u32>> = load_from(&file, "The numbers");
            assert!(loaded.value.is_empty());
            let message = loaded.message.unwrap();
            assert!(message.contains("The numbers could not be read"), "{message}");
            assert!(message.contains("kept in the data folder") && !message.contains(".bad"));
            assert!(!file.exists());
        }
        assert!(folder.path().join("numbers.ron.bad2").exists());
    }

    /// Another time it may be readable.
    #[test]
    fn what_cannot_be_read_stays_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, large) = (folder.path().join("folder.ron"), folder.path().join("large.ron"));
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(&large, vec![b' '; store::MAX_BYTES as usize + 1]).unwrap();
        for file in [inside, large] {
            let loaded: Loaded<Vec<u32>> = load_from(&file, "The numbers");
            let message = loaded.message.unwrap();
            assert!(loaded.value.is_empty() && !message.contains(".bad"), "{message}");
            assert!(file.exists());
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_missing_file_gives_the_default_without_a_message() {
        let loaded: Loaded<Vec<u32>> = load_from(Path::new("no/such.ron"), "The numbers");
        assert!(loaded.value.is_empty() && loaded.message.is_none());
    }
}
