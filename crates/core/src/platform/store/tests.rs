//! Tests of the files: what stays, what is refused, and what two writers do to each other.

use super::*;

#[test]
fn keeps_the_previous_version() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("deep/level.ron");
    write(&file, b"one").unwrap();
    write(&file, b"two").unwrap();
    assert_eq!(read(&file).unwrap(), b"two");
    assert_eq!(read(&folder.path().join("deep/level.ron~")).unwrap(), b"one");
    assert_eq!(fs::read_dir(folder.path().join("deep")).unwrap().count(), 2);
}

#[test]
fn a_lock_is_held_once_until_it_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.lock");
    let held = Lock::take(&file).unwrap();
    assert!(held.is_some());
    assert!(Lock::take(&file).unwrap().is_none());
    drop(held);
    assert!(Lock::take(&file).unwrap().is_some());
    assert!(Lock::take(&folder.path().join("no/such")).is_err());
}

#[test]
fn says_which_file() {
    let error = read(Path::new("no/such/file")).unwrap_err().to_string();
    assert!(error.starts_with("no/such/file: "), "{error}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plain"), "x").unwrap();
    assert!(write(&folder.path().join("plain/child.ron"), b"x").is_err());
    assert!(write(folder.path(), b"x").is_err());
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("level.ron");
    let large = vec![b'x'; MAX_BYTES as usize + 1];
    let why = write_readable(&file, &large).unwrap_err().to_string();
    assert!(why.contains(" 17 MiB") && why.contains(" 16 MiB"), "{why}");
    assert!(write_new(&file, &large).is_err());
    assert!(replace_if(&file, &large, |_| true).is_err());
    assert_eq!(list(folder.path()).unwrap(), Vec::<PathBuf>::new());
    write_readable(&file, &large[1..]).unwrap();
    assert!(read(&file).is_ok());
}

#[test]
fn what_is_there_is_asked_about_before_it_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a");
    assert!(!replace_if(&file, b"1", |there| there.is_some()).unwrap());
    assert!(!file.exists());
    assert!(replace_if(&file, b"1", |there| there.is_none()).unwrap());
    assert!(!replace_if(&file, b"2", |there| there == Some(b"0")).unwrap());
    assert!(replace_if(&file, b"2", |there| there == Some(b"1")).unwrap());
    assert!(!remove_if(&file, |there| there == b"1").unwrap());
    assert_eq!(read(&file).unwrap(), b"2");
    assert!(remove_if(&file, |there| there == b"2").unwrap());
    assert!(remove_if(&file, |_| false).unwrap(), "it is gone already");
    assert_eq!(list(folder.path()).unwrap(), [folder.path().join("a~")]);
}

#[test]
fn updates_of_several_writers_are_all_kept() {
    const WRITERS: u32 = 4;
    const EACH: u32 = 25;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("numbers");
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let file = &file;
            scope.spawn(move || {
                for number in 0..EACH {
                    update(file, |old| {
                        let mut text = old.unwrap_or_default().to_vec();
                        text.extend(format!("{}\n", writer * EACH + number).bytes());
                        Ok(text)
                    })
                    .unwrap();
                }
            });
        }
    });
    let text = String::from_utf8(read(&file).unwrap()).unwrap();
    let mut numbers: Vec<u32> = text.lines().map(|line| line.parse().unwrap()).collect();
    let previous = String::from_utf8(read(&folder.path().join("numbers~")).unwrap()).unwrap();
    assert_eq!(Some(previous.as_str()), text.trim_end().rfind('\n').map(|at| &text[..=at]));
    numbers.sort_unstable();
    assert_eq!(numbers, (0..WRITERS * EACH).collect::<Vec<_>>());
    assert_eq!(list(folder.path()).unwrap().len(), 2, "nothing else stays");
    let why = update(&file, |_| Err("not now".into())).unwrap_err();
    assert!(why.to_string().contains("not now"));
}

#[test]
fn what_cannot_be_read_is_not_updated() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a");
    let large = vec![b'x'; MAX_BYTES as usize + 1];
    fs::write(&file, &large).unwrap();
    for path in [&file, folder.path()] {
        let updated = update(path, |_| panic!("nobody knows what was in there"));
        assert!(updated.is_err(), "{}", path.display());
    }
    assert!(fs::read(&file).unwrap() == large);
    assert_eq!(list(folder.path()).unwrap(), [file]);
}

#[test]
fn readers_never_see_a_part_while_two_write() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a");
    let texts = [vec![b'a'; 40_000], vec![b'b'; 50_000]];
    write(&file, &texts[0]).unwrap();
    let is_whole = |bytes: &[u8]| texts.iter().any(|text| text == bytes);
    std::thread::scope(|scope| {
        for text in &texts {
            let file = &file;
            scope.spawn(move || {
                for _ in 0..60 {
                    write(file, text).unwrap();
                }
            });
        }
        for _ in 0..2_000 {
            assert!(is_whole(&read(&file).unwrap()));
            let previous = folder.path().join("a~");
            assert!(!previous.exists() || is_whole(&read(&previous).unwrap()));
        }
    });
    assert_eq!(list(folder.path()).unwrap().len(), 2, "nothing else stays");
}

#[test]
fn only_leftovers_of_the_dead_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let alive = temporary(folder.path()).unwrap();
    let (_, dead) = temporary(folder.path()).unwrap().1.keep().unwrap();
    let deep = folder.path().join("levels/cops");
    create_folder(&deep).unwrap();
    let (_, deeper) = temporary(&deep).unwrap().1.keep().unwrap();
    let other = folder.path().join(".other.tmp");
    fs::write(&other, "x").unwrap();
    remove_leftovers(folder.path());
    assert!(alive.1.path().exists() && other.exists());
    assert!(!dead.exists() && !deeper.exists());
    remove_leftovers(Path::new("no/such/folder"));
}

#[test]
fn whoever_writes_beside_leftovers_removes_them() {
    for write in [
        |file: &Path| write(file, b"new").unwrap(),
        |file: &Path| drop(write_new(file, b"new").unwrap()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        // As a writer leaves them that was killed before this program began, or that still lives.
        for name in [".outwit-Ab12Cd.tmp", ".outwit-Living.tmp", ".outwit-notes.tmp", "x.tmp"] {
            fs::write(at(name), "half").unwrap();
        }
        let living = fs::File::open(at(".outwit-Living.tmp")).unwrap();
        living.try_lock().unwrap();
        write(&at("table.csv"));
        let names = [".outwit-Living.tmp", ".outwit-notes.tmp", "table.csv", "x.tmp"];
        assert_eq!(list(folder.path()).unwrap(), names.map(at));
    }
}

#[test]
fn questions_about_what_is_there_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let (file, none) = (folder.path().join("a"), folder.path().join("none"));
    fs::write(&file, "three").unwrap();
    assert_eq!([&file, folder.path(), &none].map(exists), [true, true, false]);
    assert_eq!([&file, folder.path(), &none].map(is_file), [true, false, false]);
    assert_eq!([&file, folder.path(), &none].map(is_folder), [false, true, false]);
    assert_eq!((size(&file), size(&none)), (Some(5), None));
    assert!(modified(&file).is_some() && modified(&none).is_none());
    assert_eq!(list_if_there(folder.path()).unwrap(), [&*file]);
    assert_eq!(list_if_there(&none).unwrap(), Vec::<PathBuf>::new());
    assert!(list_if_there(&file).is_err() && list(&none).is_err());
    fs::write(&none, vec![b'x'; MAX_BYTES as usize + 1]).unwrap();
    let why = read(&none).unwrap_err().to_string();
    assert!(why.ends_with(": larger than 16 MiB; not read"), "{why}");
}

#[test]
fn files_get_other_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a"), "one").unwrap();
    rename(&at("a"), &at("b")).unwrap();
    assert!(!at("a").exists() && fs::read(at("b")).unwrap() == b"one");
    create_folder(&at("deep")).unwrap();
    fs::write(at("deep/b"), "other").unwrap();
    assert_eq!(move_to_free(&at("b"), &at("deep")).unwrap(), at("deep/b-2"));
    assert!(!at("b").exists() && fs::read(at("deep/b-2")).unwrap() == b"one");
    // Without a folder no number is free.
    assert!(rename_to_free(&at("deep/b"), &at("no/such")).is_err());
    assert!(at("deep/b").exists());
}

#[test]
fn a_file_is_copied_where_it_cannot_be_linked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a");
    fs::write(&file, "one").unwrap();
    // Memory is another file system, where there is one of that kind.
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else { return };
    let free = other.path().join("a");
    claim(&file, &free).unwrap();
    assert_eq!(fs::read(&free).unwrap(), b"one");
    assert_eq!(claim(&file, &free).unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&free).unwrap(), b"one");
}

#[test]
fn the_whole_of_a_readable_file_is_asked_about_and_little_more_of_a_larger_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a");
    for (bytes, shown) in [(MAX_BYTES, MAX_BYTES), (MAX_BYTES + 2, MAX_BYTES + 1)] {
        fs::write(&file, vec![b'x'; bytes as usize]).unwrap();
        assert!(
            !remove_if(&file, |there| {
                assert_eq!(there.len() as u64, shown);
                false
            })
            .unwrap()
        );
    }
}

#[test]
fn what_is_no_folder_holds_no_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plain"), "x").unwrap();
    let child = folder.path().join("plain/child");
    assert!(update(&child, |_| panic!("there can be no such file")).is_err());
    if cfg!(unix) {
        assert!(remove_if(&child, |_| true).is_err());
    }
    assert_eq!(folder_of(Path::new("plain")), Path::new("."));
    let why = write(folder.path(), b"x").unwrap_err().to_string();
    assert!(why.ends_with("this is a folder"), "{why}");
}

#[test]
fn nothing_is_replaced_if_its_previous_version_cannot_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a"), "one").unwrap();
    create_folder(&at("a~")).unwrap();
    assert!(write(&at("a"), b"two").is_err());
    assert_eq!(read(&at("a")).unwrap(), b"one");
    assert_eq!(list(folder.path()).unwrap(), [at("a"), at("a~")]);
}

#[test]
fn leftovers_are_searched_for_to_a_depth() {
    let folder = tempfile::tempdir().unwrap();
    let leftover = |depth: usize| {
        let deep = (0..depth).fold(folder.path().to_owned(), |path, _| path.join("in"));
        create_folder(&deep).unwrap();
        deep.join(".outwit-Ab12Cd.tmp")
    };
    let [near, far] = [6, 7].map(leftover);
    fs::write(&near, "half").unwrap();
    fs::write(&far, "half").unwrap();
    remove_leftovers(folder.path());
    assert_eq!((near.exists(), far.exists()), (false, true));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn mode(file: &Path) -> u32 {
        fs::metadata(file).unwrap().mode() & 0o777
    }

    fn set_mode(file: &Path, mode: u32) {
        fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn modes_are_kept_and_read_only_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("plain"), "").unwrap();
        write(&at("a"), b"1").unwrap();
        let new = write_new(&at("a"), b"1").unwrap();
        assert_eq!(mode(&at("a")), mode(&at("plain")), "the user's default");
        assert_eq!(mode(&new), mode(&at("plain")));
        for private in [0o600, 0o640, 0o666] {
            set_mode(&at("a"), private);
            write(&at("a"), b"2").unwrap();
            assert_eq!(mode(&at("a")), private);
        }
        set_mode(&at("a"), 0o444);
        let why = write(&at("a"), b"3").unwrap_err().to_string();
        assert!(why.contains("read-only"), "{why}");
        assert_eq!(read(&at("a")).unwrap(), b"2");
        assert_eq!(mode(&at("a")), 0o444);
        assert_eq!(list(folder.path()).unwrap().len(), 4, "a, a~, a-2, plain");
    }

    #[test]
    fn a_file_that_took_the_place_of_another_is_told_from_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "one").unwrap();
        fs::write(at("b"), "two").unwrap();
        let opened = fs::metadata(at("a")).unwrap();
        assert!(replace::is_still(&at("a"), &opened));
        fs::rename(at("b"), at("a")).unwrap();
        assert!(!replace::is_still(&at("a"), &opened) && !replace::is_still(&at("b"), &opened));
    }

    #[test]
    fn links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        create_folder(&at("deep")).unwrap();
        symlink("deep/real", at("link")).unwrap();
        symlink("link", at("second")).unwrap();
        for text in ["one", "two"] {
            write(&at("second"), text.as_bytes()).unwrap();
            assert_eq!(read(&at("deep/real")).unwrap(), text.as_bytes());
            assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        }
        assert_eq!(read(&at("deep/real~")).unwrap(), b"one");
        symlink("loop", at("loop")).unwrap();
        assert!(write(&at("loop"), b"x").is_err());
    }

    #[test]
    fn open_pipes_are_written_to_by_their_number() {
        use std::os::fd::AsRawFd;
        let (mut reader, writer) = std::io::pipe().unwrap();
        for folder in ["/dev/fd", "/proc/self/fd"].map(Path::new).iter().filter(|f| f.is_dir()) {
            write(&folder.join(writer.as_raw_fd().to_string()), b"through").unwrap();
            let mut text = [0; 7];
            std::io::Read::read_exact(&mut reader, &mut text).unwrap();
            assert_eq!(&text, b"through", "{}", folder.display());
        }
    }

    #[test]
    fn devices_and_pipes_are_written_to() {
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if !made.is_ok_and(|status| status.success()) {
            return;
        }
        assert!(read_file(&pipe).is_err() && remove_if(&pipe, |_| true).is_err());
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || fs::read(pipe).unwrap())
        };
        write(&pipe, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), b"through");
        assert_eq!(list(folder.path()).unwrap(), [pipe]);
    }
}
