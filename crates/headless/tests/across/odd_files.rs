//! A folder of levels that holds what is no level.

use outwit_core::platform::store;
use outwit_levels::{Source, list_with};

#[cfg(unix)]
#[test]
fn odd_files_are_listed_and_stop_nothing() {
    use std::os::unix::ffi::OsStringExt;
    let levels = tempfile::tempdir().unwrap();
    let folder = levels.path().join("cops");
    store::create_folder(&folder.join("folder.ron")).unwrap();
    let odd = std::ffi::OsString::from_vec(b"od\xffd.ron".to_vec());
    store::write(&folder.join(odd), b"(").unwrap();
    std::os::unix::fs::symlink("nowhere", folder.join("dangling.ron")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("endless.ron")).unwrap();
    let _ = std::process::Command::new("mkfifo").arg(folder.join("pipe.ron")).status();
    let found = list_with(Some(levels.path()), "cops");
    let own = found.iter().filter(|entry| matches!(entry.source, Source::File(_)));
    assert!(own.clone().count() >= 4);
    for entry in own {
        let kind = outwit_headless::find("cops").unwrap();
        let read = entry.bytes().map(|bytes| kind.describe(&bytes, &entry.id));
        assert!(!matches!(read, Ok(Ok(_))), "{}", entry.id);
    }
}
