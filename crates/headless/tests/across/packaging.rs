//! What packages tell the desktop agrees with the program, and what builds them is pinned.

use outwit_core::play::REPLAY_FORMAT;
use outwit_headless::GAMES;
use outwit_levels::BuiltIn;
use std::path::{Path, PathBuf};

const TYPES: &str = include_str!("../../../../packaging/outwit.mime.xml");
const ENTRY: &str = include_str!("../../../../packaging/outwit.desktop");
const ABOUT: &str = include_str!("../../../../packaging/outwit.metainfo.xml");
const CHANGES: &str = include_str!("../../../../CHANGELOG.md");

/// The texts by which the file types are known. Each stands behind a quotation mark within these first bytes.
const WITHIN: usize = 256;

fn magic() -> Vec<&'static str> {
    let values = TYPES.split("value=\"&quot;").skip(1);
    values.map(|rest| rest.split_once('"').unwrap().0).collect()
}

#[test]
fn every_format_has_a_file_type() {
    let word = |format: &'static str| format!("{} ", format.split(' ').next().unwrap());
    let mut formats: Vec<String> = GAMES.iter().map(|game| word(game.facts().format)).collect();
    formats.push(word(REPLAY_FORMAT));
    assert_eq!(magic(), formats);
    assert_eq!(TYPES.matches(&format!("offset=\"1:{WITHIN}\"")).count(), formats.len());
}

/// The text by which the desktop knows a file. A replay holds its level, so replays come first.
fn known_by(bytes: &[u8]) -> Option<&'static str> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(WITHIN)]).into_owned();
    let mut found = magic().into_iter().filter(|word| head.contains(&format!("\"{word}")));
    found.next_back().filter(|_| head.starts_with('('))
}

#[test]
fn files_that_the_program_writes_are_known_by_their_content() {
    let (levels, replays) = TYPES.split_once("application/x-outwit-replay").unwrap();
    assert!(levels.contains("priority=\"80\"") && replays.contains("priority=\"90\""));
    for BuiltIn { id, text, .. } in outwit_levels::BUILT_IN {
        let (game, _) = id.split_once('/').unwrap();
        let word = format!("{game} ");
        assert_eq!(known_by(text.as_bytes()), Some(word.as_str()), "{id}");
        let game = outwit_headless::find(game).unwrap();
        let written = game.convert(text.as_bytes(), "a.ron", &[], "ron").unwrap();
        assert_eq!(known_by(&written.bytes), Some(word.as_str()), "{id}");
    }
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/version-0.1/replays");
    for file in std::fs::read_dir(data).unwrap() {
        let file = file.unwrap().path();
        assert_eq!(
            known_by(&std::fs::read(&file).unwrap()),
            Some("outwit-replay "),
            "{}",
            file.display()
        );
    }
}

#[test]
fn the_desktop_entry_opens_the_file_types() {
    let named = TYPES.split("<mime-type type=\"").skip(1);
    let named: Vec<&str> = named.map(|rest| rest.split_once('"').unwrap().0).collect();
    let opened = ENTRY.lines().find_map(|line| line.strip_prefix("MimeType=")).unwrap();
    let opened: Vec<&str> = opened.split_terminator(';').collect();
    assert_eq!(opened, named);
    for name in named {
        assert!(ABOUT.contains(&format!("<mediatype>{name}</mediatype>")), "{name}");
    }
}

#[test]
fn this_version_is_in_the_list_of_changes() {
    let version = env!("CARGO_PKG_VERSION");
    let first = CHANGES.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
    assert!(first.starts_with(&format!("{version},")), "{first}");
    assert!(ABOUT.contains(&format!("<release version=\"{version}\"")));
}

/// `cargo install` leaves dependencies of tests out, and refuses a feature that names one.
#[test]
fn features_name_no_dependency_of_tests() {
    let manifest = include_str!("../../../../Cargo.toml");
    let section = |name: &str| {
        let (_, rest) = manifest.split_once(&format!("\n[{name}]\n")).unwrap();
        rest.split("\n[").next().unwrap()
    };
    let dependencies = section("dependencies");
    let texts = section("features").split('"').skip(1).step_by(2);
    for (name, _) in texts.filter_map(|text| text.split_once('/')) {
        let name = name.trim_end_matches('?');
        assert!(dependencies.contains(&format!("\n{name} = ")), "{name}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What is in a folder of the project, with its text.
fn texts(folder: &str) -> Vec<(PathBuf, String)> {
    let entries =
        std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    files.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap_or_default())).collect()
}

/// Without it, libraries that nobody has tested could be built in.
#[test]
fn every_command_of_cargo_keeps_to_the_lock_file() {
    let folders = [".ci", ".github/workflows", "docs/manual/src", "fuzz", "tools"];
    let mut texts = folders.map(texts).concat();
    for name in ["README.md", "CONTRIBUTING.md"] {
        let path = root().join(name);
        texts.push((path.clone(), std::fs::read_to_string(path).unwrap()));
    }
    let mut count = 0;
    for (path, text) in texts {
        for line in text.lines() {
            for (_, command) in line.match_indices("cargo ").map(|(at, _)| line.split_at(at)) {
                let command = command.split('`').next().unwrap();
                let verb = command.split_whitespace().nth(1).unwrap_or_default();
                if !["build", "clippy", "doc", "install", "run", "test"].contains(&verb) {
                    continue;
                }
                assert!(command.contains(" --locked"), "{}: {line}", path.display());
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count} commands");
}

/// A tag can be moved to another commit, a hash cannot. The version beside it is for people.
#[test]
fn every_action_is_pinned_by_its_hash() {
    let mut count = 0;
    for (path, text) in texts(".github/workflows") {
        for line in text.lines() {
            let Some((_, action)) = line.split_once("uses: ") else { continue };
            if action.starts_with("./") {
                continue;
            }
            let (pin, version) = action.split_once(" # v").unwrap_or((action, ""));
            let hash = pin.split_once('@').map_or("", |(_, hash)| hash);
            let is_hash = hash.len() == 40 && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
            assert!(is_hash && !version.is_empty(), "{}: {line}", path.display());
            count += 1;
        }
    }
    assert!(count > 10, "{count} actions");
}
