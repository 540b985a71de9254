//! Renaming level files.

use crate::platform::store::{StoreError, remove, remove_if, replace_if, write_new};
use std::path::{Path, PathBuf};

/// Gives a level file another name and content, and returns where it is now. If another level has
/// that name already, this one gets a number. `known` is what the file held when it was read.
///
/// # Errors
/// If the new file cannot be written or the old one not removed, or another program wrote to the old
/// one meanwhile. The level then stays as it was.
pub fn rename(file: &Path, known: &[u8], stem: &str, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    let changed = || StoreError::new(file, "another program changed this file");
    let wanted = file.with_file_name(format!("{stem}.ron"));
    if wanted == file {
        let written = replace_if(file, bytes, |there| there == Some(known))?;
        return if written { Ok(wanted) } else { Err(changed()) };
    }
    let fresh = write_new(&wanted, bytes)?;
    let why = match remove_if(file, |there| there == known) {
        Ok(true) => return Ok(fresh),
        Ok(false) => changed(),
        Err(error) => error,
    };
    let _ = remove(&fresh);
    Err(why)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::platform::store;

    #[test]
    fn renaming_overwrites_no_other_level() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert_eq!(write_new(&at("deep/a.ron"), b"1").unwrap(), at("deep/a.ron"));
        assert_eq!(write_new(&at("deep/a.ron"), b"2").unwrap(), at("deep/a-2.ron"));
        let rename = |file: &str, known: &[u8], stem: &str, bytes: &[u8]| {
            rename(&at(file), known, stem, bytes).map_err(|error| error.to_string())
        };
        assert_eq!(rename("deep/a.ron", b"1", "a-2", b"3"), Ok(at("deep/a-2-2.ron")));
        assert_eq!(rename("deep/a-2.ron", b"2", "b", b"4"), Ok(at("deep/b.ron")));
        assert_eq!(rename("deep/b.ron", b"4", "b", b"5"), Ok(at("deep/b.ron")));
        // Another program has written to it since it was read.
        for stem in ["b", "c"] {
            let why = rename("deep/b.ron", b"4", stem, b"6").unwrap_err();
            assert!(why.contains("another program changed this file"), "{why}");
        }
        let shown = |file: &PathBuf| {
            let bytes = store::read(file).unwrap();
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            format!("{name} {}", String::from_utf8(bytes).unwrap())
        };
        let listed: Vec<String> = store::list(&at("deep")).unwrap().iter().map(shown).collect();
        assert_eq!(listed, ["a-2-2.ron 3", "b.ron 5", "b.ron~ 4"]);
        assert!(rename("gone.ron", b"1", "gone", b"6").is_err());
        assert!(!at("gone.ron").exists());
    }
}
