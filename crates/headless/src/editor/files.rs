//! Saving a level without overwriting what another program wrote.

use outwit_core::levels;
use outwit_core::platform::file_name::file_stem;
use outwit_core::platform::store;
use outwit_core::play::digest_of;
use std::path::{Path, PathBuf};

/// The file of a level that is being edited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevelPath {
    /// Where it is.
    pub path: PathBuf,
    /// The digest of the file when the editor last read or wrote it.
    pub known: u64,
}

/// Why a level was not saved. It stays open in every case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SaveError {
    /// Another program changed the file.
    Changed,
    /// Another file has this name.
    Exists,
    /// It cannot be written; the message names the file, the reason and a remedy.
    Failed(String),
}

/// Why the old file of a level that got another name is still there, as a sentence for the user.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RemoveError {
    /// Another program changed it.
    #[error(
        "The old file stays: another program changed {} after it was opened here.",
        .0.display()
    )]
    Changed(PathBuf),
    /// It cannot be removed; the message names the file and the reason.
    #[error("The old file stays: {0}.")]
    Failed(String),
}

impl From<RemoveError> for String {
    fn from(error: RemoveError) -> Self {
        error.to_string()
    }
}

/// Writes a level atomically, and keeps the previous version beside it. `known` is the digest of the
/// file as the editor knows it; `anyway` overwrites whatever is there.
///
/// # Errors
/// If the file holds something else, or cannot be written.
pub fn save(
    path: &Path,
    text: &str,
    known: Option<u64>,
    anyway: bool,
) -> Result<LevelPath, SaveError> {
    let failed = |error: levels::StoreError| {
        SaveError::Failed(format!(
            "The level was not saved and stays open. {error}. Save it under another name, or free \
             some space and try again."
        ))
    };
    let digest = digest_of(text.as_bytes());
    // A deleted file is written again.
    let agreed = |there: Option<&[u8]>| {
        anyway || there.is_none_or(|there| digest_of(there) == known.unwrap_or(digest))
    };
    if !store::replace_if(path, text.as_bytes(), agreed).map_err(failed)? {
        return Err(if known.is_some() { SaveError::Changed } else { SaveError::Exists });
    }
    Ok(LevelPath { path: path.into(), known: digest })
}

/// Removes the file that a level had before it got another one, unless something else was written
/// there since the editor last knew it.
///
/// # Errors
/// If the file holds something else, or cannot be removed.
pub fn remove_old(old: &LevelPath) -> Result<(), RemoveError> {
    match store::remove_if(&old.path, |there| digest_of(there) == old.known) {
        Ok(true) => Ok(()),
        Ok(false) => Err(RemoveError::Changed(old.path.clone())),
        Err(error) => Err(RemoveError::Failed(error.to_string())),
    }
}

/// A plain file name for a level, without extension.
pub fn stem(name: &str) -> String {
    let short: String = name.to_lowercase().chars().take(60).collect();
    file_stem(&short, "level")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_overwritten_unasked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let saved = save(&path, "one", None, false).unwrap();
        assert_eq!(save(&path, "two", None, false), Err(SaveError::Exists));
        let saved = save(&path, "two", Some(saved.known), false).unwrap();
        store::write(&path, b"theirs").unwrap();
        assert_eq!(save(&path, "three", Some(saved.known), false), Err(SaveError::Changed));
        assert_eq!(store::read(&path).unwrap(), b"theirs");
        save(&path, "three", Some(saved.known), true).unwrap();
        assert_eq!(store::read(&path).unwrap(), b"three");
        assert_eq!(store::read(&folder.path().join("a.ron~")).unwrap(), b"theirs");
        // A deleted file is written again.
        store::remove(&path).unwrap();
        assert!(save(&path, "four", Some(saved.known), false).is_ok());
        // A file where a folder should be.
        let SaveError::Failed(why) = save(&path.join("b.ron"), "x", None, false).unwrap_err()
        else {
            panic!("saved into a file");
        };
        assert!(why.contains("b.ron") && why.contains("another name"), "{why}");
    }

    #[test]
    fn an_old_file_is_removed_only_as_it_was_known() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let saved = save(&path, "one", None, false).unwrap();
        store::write(&path, b"theirs").unwrap();
        let why = remove_old(&saved).unwrap_err().to_string();
        assert!(why.contains("a.ron"), "{why}");
        assert_eq!(store::read(&path).unwrap(), b"theirs");
        store::write(&path, b"one").unwrap();
        assert_eq!(remove_old(&saved), Ok(()));
        assert!(!path.exists());
        assert_eq!(remove_old(&saved), Ok(()), "somebody else may have removed it");
    }

    #[test]
    fn a_level_that_could_not_be_opened_again_is_not_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let saved = save(&path, "one", None, false).unwrap();
        let large = "x".repeat(levels::MAX_BYTES as usize + 1);
        for anyway in [false, true] {
            let result = save(&path, &large, Some(saved.known), anyway);
            assert!(matches!(result, Err(SaveError::Failed(_))), "{result:?}");
        }
        assert_eq!(store::read(&path).unwrap(), b"one");
    }

    #[test]
    fn of_two_editors_one_is_asked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let known = save(&path, "one", None, false).unwrap().known;
        let results: Vec<_> = std::thread::scope(|scope| {
            let save_one = |text: &'static str| {
                let path = &path;
                scope.spawn(move || save(path, text, Some(known), false).is_ok())
            };
            let writers = ["two", "three", "four"].map(save_one);
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        assert_eq!(results.iter().filter(|saved| **saved).count(), 1, "{results:?}");
        assert_eq!(store::read(&folder.path().join("a.ron~")).unwrap(), b"one");
    }

    #[test]
    fn names_become_files() {
        assert_eq!(stem("My Level! (2)"), "my-level-2");
        assert_eq!(stem("../.."), "level");
        for name in ["CON", "nul.", "Com1", "lpt\u{b2}"] {
            assert!(stem(name).ends_with("-level"), "{name}");
        }
        assert_eq!((stem("Console"), stem("com10")), ("console".into(), "com10".into()));
        assert_eq!(stem("Äpfel"), "äpfel");
    }
}
