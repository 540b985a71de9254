//! Renaming level files.

use crate::platform::store::{StoreError, read_file, remove, remove_if, write_new, write_readable};
use std::path::{Path, PathBuf};

/// Gives a level file another name and content, and returns where it is now. If another level has
/// that name already, this one gets a number.
///
/// # Errors
/// If the new file cannot be written or the old one not removed, or another program writes to the old
/// one meanwhile. The level then stays as it was.
pub fn rename(file: &Path, stem: &str, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    let wanted = file.with_file_name(format!("{stem}.ron"));
    if wanted == file {
        return write_readable(file, bytes).map(|()| wanted);
    }
    let known = read_file(file)?;
    let fresh = write_new(&wanted, bytes)?;
    let why = match remove_if(file, |there| there == known) {
        Ok(true) => return Ok(fresh),
        Ok(false) => StoreError::new(file, "another program changed this file"),
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
        assert_eq!(rename(&at("deep/a.ron"), "a-2", b"3").unwrap(), at("deep/a-2-2.ron"));
        assert_eq!(rename(&at("deep/a-2.ron"), "b", b"4").unwrap(), at("deep/b.ron"));
        assert_eq!(rename(&at("deep/b.ron"), "b", b"5").unwrap(), at("deep/b.ron"));
        let shown = |file: &PathBuf| {
            let bytes = store::read(file).unwrap();
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            format!("{name} {}", String::from_utf8(bytes).unwrap())
        };
        let listed: Vec<String> = store::list(&at("deep")).unwrap().iter().map(shown).collect();
        assert_eq!(listed, ["a-2-2.ron 3", "b.ron 5", "b.ron~ 4"]);
        assert!(rename(&at("gone.ron"), "c", b"6").is_err());
        assert!(!at("c.ron").exists());
    }
}
