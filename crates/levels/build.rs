//! Embeds every level below the project's folder `levels`: its id, `GAME/NAME`, its text, and its group.
//!
//! A game's `order` names its levels in the order in which people meet them, with the titles of groups in
//! brackets. Levels that it does not name come last, by name.

#![allow(clippy::expect_used)] // A build script reports only to cargo.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    // A package holds them itself; where links are not checked out, the project's own folder is read.
    let own = root.join("levels");
    let levels = if own.is_dir() { own } else { root.join("../../levels") };
    println!("cargo::rerun-if-changed={}", levels.display());
    let mut code = String::from(
        "/// Every built-in level, game by game, in the order in which people meet them.\n\
         pub static BUILT_IN: &[BuiltIn] = &[\n",
    );
    let games = folders(&levels);
    assert!(!games.is_empty(), "there are no levels in {}", levels.display());
    for game in games {
        write_levels(&game, &mut code);
    }
    code += "];\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("built_in_levels.rs"), code).expect("the output folder can be written");
}

fn folders(levels: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(levels).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn write_levels(folder: &Path, code: &mut String) {
    println!("cargo::rerun-if-changed={}", folder.display());
    let game = folder.file_name().expect("it is a folder's path").to_string_lossy();
    let order = order(&folder.join("order"));
    let place = |name: &str| order.iter().position(|(_, known)| known == name);
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    let mut found: Vec<(usize, String, PathBuf)> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .filter_map(|path| {
            let name = path.file_stem()?.to_str()?.to_owned();
            Some((place(&name).unwrap_or(order.len()), name, path))
        })
        .collect();
    found.sort();
    for (place, name, path) in found {
        println!("cargo::rerun-if-changed={}", path.display());
        let group = order.get(place).and_then(|(group, _)| group.clone());
        let id = format!("{game}/{name}");
        let _ = writeln!(
            code,
            "    BuiltIn {{ id: {id:?}, text: include_str!({path:?}), group: {group:?} }},"
        );
    }
}

/// The names of levels in a file, each with the title of its group.
fn order(file: &Path) -> Vec<(Option<String>, String)> {
    println!("cargo::rerun-if-changed={}", file.display());
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut group = None;
    let mut order = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(title) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            group = Some(title.to_owned());
        } else if !line.is_empty() && !line.starts_with('#') {
            order.push((group.clone(), line.to_owned()));
        }
    }
    order
}
