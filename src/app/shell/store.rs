//! Files of the window's own, in the data folder: settings and best results. A broken file is put
//! aside, never overwritten.

use crate::levels::{self, data_folder, read_ron};
use crate::platform::store::{self, StoreError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// What was found in a file.
pub struct Loaded<T> {
    /// The content, or the default.
    pub value: T,
    /// What the user should know.
    pub message: Option<String>,
}

/// Reads a file of the data folder; `what` names its content, as in "The settings".
pub fn load_file<T: DeserializeOwned + Default>(file: &str, what: &str) -> Loaded<T> {
    match data_folder() {
        Some(folder) => recall_from(&folder.join(file), what),
        None => Loaded {
            value: T::default(),
            message: Some(format!(
                "{what} cannot be kept: the system names no folder for them. Set OUTWIT_DATA."
            )),
        },
    }
}

fn recall_from<T: DeserializeOwned + Default>(path: &Path, what: &str) -> Loaded<T> {
    if !store::exists(path) {
        return Loaded { value: T::default(), message: None };
    }
    let why = match levels::read(path) {
        Ok(bytes) => match read_ron(&bytes) {
            Ok(value) => return Loaded { value, message: None },
            Err(fault) => fault.to_string(),
        },
        Err(error) => error.to_string(),
    };
    let aside = match put_aside(path) {
        Ok(aside) => format!("It was put aside as {}.", aside.display()),
        Err(error) => format!("It could not be put aside: {error}."),
    };
    Loaded {
        value: T::default(),
        message: Some(format!("{what} could not be read ({why}). {aside}")),
    }
}

/// Renames a file to the first free of `NAME.bad`, `NAME.bad2`, ...
fn put_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let named = |ending: String| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let aside = std::iter::once(String::from(".bad"))
        .chain((2..1000).map(|n| format!(".bad{n}")))
        .map(named)
        .find(|aside| !store::exists(aside))
        .ok_or_else(|| StoreError::new(path, "there are a thousand of them already"))?;
    store::rename(path, &aside)?;
    Ok(aside)
}

/// Writes a file of the data folder at once.
///
/// # Errors
/// If it cannot be written, with the file's name; the file is as it was then.
pub fn save_file<T: Serialize>(file: &str, value: &T) -> Result<(), String> {
    let Some(folder) = data_folder() else {
        return Err("The system names no folder for them; set OUTWIT_DATA.".into());
    };
    let text = to_text(value)?;
    levels::write(&folder.join(file), text.as_bytes()).map_err(|error| error.to_string())
}

/// The value as RON that people can read.
///
/// # Errors
/// If the value cannot be written as RON.
pub fn to_text<T: Serialize>(value: &T) -> Result<String, String> {
    ron::ser::to_string_pretty(value, ron::ser::PrettyConfig::default())
        .map(|text| text + "\n")
        .map_err(|error| error.to_string())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_file_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("numbers.ron");
        for _ in 0..2 {
            std::fs::write(&file, "(broken").unwrap();
            let kept: Loaded<Vec<u32>> = recall_from(&file, "The numbers");
            assert!(kept.value.is_empty());
            assert!(kept.message.unwrap().contains("numbers.ron.bad"));
            assert!(!file.exists());
        }
        assert!(folder.path().join("numbers.ron.bad2").exists());
    }

    #[test]
    fn a_missing_file_is_the_default_without_a_word() {
        let kept: Loaded<Vec<u32>> = recall_from(Path::new("no/such.ron"), "The numbers");
        assert!(kept.value.is_empty() && kept.message.is_none());
    }
}
