//! The bin: levels that the user deleted and can restore.

use super::catalogue::{Entry, in_folder};
use outwit_core::platform::store::{StoreError, create_folder, move_to_free};
use std::path::{Path, PathBuf};

/// The name of the bin's folder, which stands beside the levels.
const FOLDER: &str = "bin";

/// Moves a level file into the folder `bin` beside it and returns where it is now. If the bin holds
/// a level of that name already, the new one gets a number.
///
/// # Errors
/// If it is not a file or cannot be moved. It then stays where it was.
pub fn to_bin(path: &Path) -> Result<PathBuf, StoreError> {
    let folder = path.parent().unwrap_or(Path::new("")).join(FOLDER);
    create_folder(&folder)?;
    move_to_free(path, &folder)
}

/// Like [`to_bin`], for a level of a game that may have been opened from anywhere: what lies outside
/// the folder of the game's levels goes to the bin that [`list_bin`] lists, so it can be restored.
///
/// # Errors
/// As [`to_bin`].
pub fn to_bin_of(user_levels: &Path, game: &str, path: &Path) -> Result<PathBuf, StoreError> {
    let levels = user_levels.join(game);
    let own = |folder: &Path| folder.canonicalize().unwrap_or(folder.to_owned());
    if path.parent().is_some_and(|folder| own(folder) == own(&levels)) {
        return to_bin(path);
    }
    let bin = levels.join(FOLDER);
    create_folder(&bin)?;
    move_to_free(path, &bin)
}

/// Moves a level file out of the bin, back to where it came from, and returns where it is now. If
/// another level has that name by then, the restored one gets a number.
///
/// # Errors
/// If it is not in a bin or cannot be moved. It then stays where it was.
pub fn restore(binned: &Path) -> Result<PathBuf, StoreError> {
    match binned.parent() {
        Some(bin) if bin.file_name().is_some_and(|name| name == FOLDER) => {
            move_to_free(binned, bin.parent().unwrap_or(Path::new("")))
        }
        _ => Err(StoreError::new(binned, "this file is not in the bin")),
    }
}

/// The levels of a game in the bin of a folder like [`user_levels`](super::user_levels), sorted by
/// name.
pub fn list_bin(user_levels: &Path, game: &str) -> Vec<Entry> {
    in_folder(&user_levels.join(game).join(FOLDER), game).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::platform::store;

    #[test]
    fn levels_from_elsewhere_go_to_the_bin_that_is_shown() {
        let (levels, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let inside = levels.path().join("cops/mine.ron");
        let outside = other.path().join("theirs.ron");
        for file in [&inside, &outside] {
            store::write(file, b"x").unwrap();
            let binned = to_bin_of(levels.path(), "cops", file).unwrap();
            assert_eq!(binned.parent().unwrap(), levels.path().join("cops/bin"));
            assert!(!file.exists());
        }
        assert_eq!(list_bin(levels.path(), "cops").len(), 2);
        assert_eq!(store::list(other.path()).unwrap(), Vec::<PathBuf>::new());
        let restored = restore(&levels.path().join("cops/bin/theirs.ron")).unwrap();
        assert_eq!(restored, levels.path().join("cops/theirs.ron"));
    }

    #[test]
    fn deleted_levels_can_be_restored() {
        let levels = tempfile::tempdir().unwrap();
        let folder = levels.path().join("racetrack");
        let level = folder.join("ring.ron");
        store::write(&level, b"one").unwrap();
        let first = to_bin(&level).unwrap();
        assert_eq!(first, folder.join("bin/ring.ron"));
        assert!(!level.exists());
        store::write(&level, b"two").unwrap();
        let second = to_bin(&level).unwrap();
        assert_eq!(second, folder.join("bin/ring-2.ron"));
        assert_eq!(store::read(&first).unwrap(), b"one", "nothing in the bin is overwritten");
        let binned: Vec<String> =
            list_bin(levels.path(), "racetrack").into_iter().map(|entry| entry.id).collect();
        assert_eq!(binned, ["racetrack/ring", "racetrack/ring-2"]);

        assert_eq!(restore(&first).unwrap(), level);
        assert_eq!(restore(&second).unwrap(), folder.join("ring-2.ron"));
        store::write(&folder.join("bin/ring.ron"), b"three").unwrap();
        assert_eq!(restore(&first).unwrap(), folder.join("ring-3.ron"));
        assert_eq!(store::read(&level).unwrap(), b"one", "nor is anything outside");
        assert!(store::list(&folder.join(FOLDER)).unwrap().is_empty());
    }

    #[test]
    fn a_file_that_cannot_be_moved_stays() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing.ron");
        assert!(to_bin(&missing).unwrap_err().to_string().contains("missing.ron"));
        assert!(to_bin(folder.path()).unwrap_err().to_string().contains("not a file"));
        let level = folder.path().join("a.ron");
        store::write(&level, b"one").unwrap();
        assert!(restore(&level).unwrap_err().to_string().contains("not in the bin"));
        // A file in the place of the bin.
        let level = folder.path().join("full/a.ron");
        store::write(&level, b"one").unwrap();
        store::write(&folder.path().join("full").join(FOLDER), b"").unwrap();
        assert!(to_bin(&level).is_err());
        assert_eq!(store::read(&level).unwrap(), b"one");
    }
}
