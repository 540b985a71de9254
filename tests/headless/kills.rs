//! Two copies of the program save, rename, back up and record in one data folder, and are killed at
//! random moments: nothing is lost, nothing is half written, and nothing is left over.

use outwit::app::shell::records;
use outwit::app::shell::records::BestResult;
use outwit::app::shell::settings;
use outwit_core::levels::{read_ron, rename};
use outwit_core::platform::store;
use outwit_core::platform::store::{list, read, remove_leftovers};
use outwit_core::platform::time::{Duration, sleep};
use outwit_core::play::Better;
use outwit_headless::GAMES;
use outwit_headless::editor::{Autosave, EditorModel, Field, abandoned, save};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const FOLDER: &str = "OUTWIT_KILLS_FOLDER";
const COPY: &str = "OUTWIT_KILLS_COPY";
const COPIES: usize = 2;
const KILLS: usize = 200;

/// A text that shows whether it is whole: its first and its last line are the same.
fn whole(copy: &str, number: u64) -> String {
    let line = format!("{copy} {number}\n");
    let filler = "#=.....=#\n".repeat(100 + (number as usize * 37) % 4_000);
    format!("{line}{filler}{line}")
}

/// The number in a text of [`whole`] by this copy, if it is of it.
#[track_caller]
fn number_in(text: &[u8], copy: Option<&str>) -> Option<u64> {
    let text = std::str::from_utf8(text).unwrap();
    let (by, number) = text.lines().next().unwrap().split_once(' ').unwrap();
    let number = number.parse().unwrap();
    assert_eq!(text, whole(by, number), "half written");
    copy.is_none_or(|copy| copy == by).then_some(number)
}

/// The files of a folder whose names begin so.
fn named(folder: &Path, start: &str) -> Vec<PathBuf> {
    let begins = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(start);
    list(folder).unwrap_or_default().into_iter().filter(begins).collect()
}

/// The highest number that a copy has written to a level of its own.
fn highest_own(folder: &Path, copy: &str) -> Option<u64> {
    named(folder, &format!("own-{copy}-"))
        .iter()
        .filter_map(|file| number_in(&read(file).unwrap(), Some(copy)))
        .max()
}

/// Notes outside the data folder what has been promised to stay.
fn promise(folder: &Path, what: &str, copy: &str, number: u64) {
    use std::io::Write;
    let path = folder.join(format!("{what}-{copy}"));
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(format!("{number}\n").as_bytes()).unwrap();
}

/// What was promised; a line without its end was not.
fn promised(folder: &Path, what: &str, copy: &str) -> Vec<u64> {
    let text = std::fs::read_to_string(folder.join(format!("{what}-{copy}"))).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
#[ignore = "one of the copies that the other test kills"]
fn a_copy_that_writes() {
    let (Some(folder), Ok(copy)) = (std::env::var_os(FOLDER), std::env::var(COPY)) else { return };
    let folder = PathBuf::from(folder);
    let data = folder.join("data");
    let levels = data.join("levels");
    let kind = GAMES[0];
    let autosave = Autosave::begin(&data.join("drafts")).unwrap();
    let mut model = EditorModel::blank(kind, 12, 10);
    let (mut results, told) = records::load();
    assert_eq!(told, None);
    let (mut settings, told) = settings::load();
    assert_eq!(told, None);
    let mut number = highest_own(&levels, &copy).unwrap_or(0);
    number = number.max(promised(&folder, "result", &copy).into_iter().max().unwrap_or(0));
    loop {
        number += 1;
        // Both copies better the same record, and each has records of its own.
        let score =
            BestResult::now(number as f64, String::new(), copy.clone(), whole(&copy, number));
        for key in ["a shared/level", &format!("a {copy}/{}", number % 50)] {
            results.submit(key, score.clone(), Better::Higher);
        }
        results.save().unwrap();
        promise(&folder, "result", &copy, number);

        let before = settings.clone();
        settings.player = format!("copy {copy} {number}");
        settings.save(&before).unwrap();

        save(&levels.join("shared.ron"), &whole(&copy, number), None, true).unwrap();

        let text = whole(&copy, number);
        match named(&levels, &format!("own-{copy}-")).last() {
            None => {
                drop(store::write_new(&levels.join(format!("own-{copy}-0.ron")), text.as_bytes()))
            }
            Some(file) => {
                let (known, stem) = (read(file).unwrap(), format!("own-{copy}-{}", number % 3));
                drop(rename(file, &known, &stem, text.as_bytes()))
            }
        }
        if highest_own(&levels, &copy) == Some(number) {
            promise(&folder, "level", &copy, number);
        }

        model.set_text(Field::Name, &format!("{copy} {number}"));
        autosave.note(&model, None);
        autosave.flush();
        assert_eq!(autosave.failure(), None);
    }
}

fn begin(folder: &Path, copy: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kills::a_copy_that_writes", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(COPY, copy.to_string())
        .env("OUTWIT_DATA", folder.join("data"))
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(folder.join(format!("errors-{copy}"))).unwrap())
        .spawn()
        .unwrap()
}

#[test]
#[ignore = "kills 200 processes, which takes a minute"]
fn killed_copies_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let levels = data.join("levels");
    let mut dice = ChaCha8Rng::seed_from_u64(14);
    let mut copies: Vec<Child> = (0..COPIES).map(|copy| begin(folder.path(), copy)).collect();
    for kill in 0..KILLS {
        sleep(Duration::from_micros(dice.random_range(20_000..250_000)));
        let victim = dice.random_range(0..COPIES);
        if let Some(status) = copies[victim].try_wait().unwrap() {
            let errors = std::fs::read_to_string(folder.path().join(format!("errors-{victim}")));
            panic!("copy {victim} ended by itself before kill {kill}: {status} {errors:?}");
        }
        copies[victim].kill().unwrap();
        copies[victim].wait().unwrap();
        copies[victim] = begin(folder.path(), victim);
    }
    for copy in &mut copies {
        copy.kill().unwrap();
        copy.wait().unwrap();
    }
    // The next start.
    remove_leftovers(&data);
    let results: BTreeMap<String, BestResult> =
        read_ron(&read(&data.join("results.ron")).unwrap()).unwrap();
    let _: settings::Settings = read_ron(&read(&data.join("settings.ron")).unwrap()).unwrap();
    for copy in (0..COPIES).map(|copy| copy.to_string()) {
        let expected = promised(folder.path(), "result", &copy);
        assert!(!expected.is_empty(), "copy {copy} did nothing");
        for number in expected {
            for key in ["a shared/level", &format!("a {copy}/{}", number % 50)] {
                let best = &results[key];
                assert!(best.score >= number as f64, "a result was lost");
                let digest = best.replay_digest.unwrap();
                let file = data.join("ghosts").join(format!("{digest:016x}.ron"));
                let played = number_in(&read(&file).unwrap(), None).unwrap();
                assert_eq!(played as f64, best.score, "the match of another result");
            }
        }
        let written = promised(folder.path(), "level", &copy).into_iter().max();
        assert!(highest_own(&levels, &copy) >= written, "a level was lost");
    }
    for file in list(&levels).unwrap().into_iter().chain(list(&data.join("ghosts")).unwrap()) {
        number_in(&read(&file).unwrap(), None);
    }
    assert!(!named(&levels, "shared.ron").is_empty());
    let drafts = abandoned(&data.join("drafts"));
    assert!(!drafts.is_empty());
    for draft in &drafts {
        assert!(draft.draft.is_ok(), "{:?}", draft.draft.as_ref().err());
    }
    let folders = ["", "levels", "drafts", "ghosts"].map(|name| data.join(name));
    let all = folders.map(|folder| list(&folder).unwrap()).concat();
    let is_leftover = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "tmp");
    assert_eq!(all.iter().find(is_leftover), None);
    println!("{KILLS} kills, {} results, {} drafts", results.len(), drafts.len());
}
