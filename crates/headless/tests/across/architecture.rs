//! docs/manual/src/architecture.md says of the crates what their manifests say.

use outwit_headless::GAMES;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn page() -> String {
    std::fs::read_to_string(root().join("docs/manual/src/architecture.md")).unwrap()
}

/// The short names of our crates that a manifest needs to be built, tests left out.
fn dependencies(manifest: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(manifest).unwrap();
    let mut section = "";
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section.ends_with("dependencies]")
            && !section.contains("dev-")
            && section != "[workspace.dependencies]"
            && let Some((name, _)) = line.split_once([' ', '.'])
            && let Some(name) = name.strip_prefix("outwit-")
        {
            found.insert(name.to_owned());
        }
    }
    found
}

/// All folders of the workspace with a manifest.
fn crates() -> BTreeSet<String> {
    let mut found = BTreeSet::from([".".to_owned(), "web".to_owned()]);
    for folder in ["crates", "crates/games"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap().flatten() {
            if entry.path().join("Cargo.toml").is_file() {
                found.insert(format!("{folder}/{}", entry.file_name().to_string_lossy()));
            }
        }
    }
    found
}

#[test]
fn the_table_of_crates_is_true() {
    let text = page();
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix("| `")?.split(" | ").collect();
        let [folder, _, uses] = cells[..] else { return None };
        let uses = uses.trim_end_matches('|').trim();
        let names = uses.split(", ").filter(|name| *name != "none").map(str::to_owned);
        Some((folder.trim_end_matches('`').to_owned(), names.collect::<BTreeSet<_>>()))
    });
    let told: BTreeMap<_, _> = rows.collect();
    assert_eq!(told.keys().cloned().collect::<BTreeSet<_>>(), crates());
    for (folder, uses) in told {
        let manifest = root().join(&folder).join("Cargo.toml");
        assert_eq!(uses, dependencies(&manifest), "{folder}");
    }
}

#[test]
fn the_files_that_it_names_are_there() {
    let text = page();
    let named = text.split('`').skip(1).step_by(2).filter(|name| {
        ["crates/", "src/", "tests/", "levels/", "docs/"].iter().any(|top| name.starts_with(top))
            && !name.contains("NAME")
    });
    let mut count = 0;
    for name in named {
        assert!(root().join(name).exists(), "{name} is not there");
        count += 1;
    }
    assert!(count > 20);
}

/// To register a game is to have it checked.
#[test]
fn every_game_is_in_the_conformance_suite() {
    let suite = std::fs::read_to_string(root().join("crates/conformance/tests/suite.rs")).unwrap();
    for game in GAMES.iter().map(|game| game.id()) {
        let file = root().join("crates/games").join(game).join("conformance.rs");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(text.lines().any(|line| line.starts_with("suite!(")), "{}", file.display());
        let module = format!("#[path = \"../../games/{game}/conformance.rs\"]\nmod {game};\n");
        assert!(suite.contains(&module), "the suite does not compile {}", file.display());
    }
}
