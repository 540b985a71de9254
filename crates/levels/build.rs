//! Embeds every level below the project's folder `levels` with its id, `GAME/NAME`.

#![allow(clippy::expect_used)] // A build script reports only to cargo.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let levels = root.join("../../levels");
    println!("cargo::rerun-if-changed={}", levels.display());
    let mut found = Vec::new();
    collect(&levels, &mut found);
    found.sort();
    let mut code = String::from(
        "/// Every built-in level: id and text of its file.\npub static BUILT_IN: &[(&str, &str)] = &[\n",
    );
    for (id, path) in found {
        println!("cargo::rerun-if-changed={}", path.display());
        let _ = writeln!(code, "    ({id:?}, include_str!({path:?})),");
    }
    code += "];\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("built_in_levels.rs"), code).expect("the output folder can be written");
}

fn collect(levels: &Path, found: &mut Vec<(String, PathBuf)>) {
    let Ok(games) = fs::read_dir(levels) else { return };
    for game in games.flatten() {
        println!("cargo::rerun-if-changed={}", game.path().display());
        let Ok(files) = fs::read_dir(game.path()) else { continue };
        for path in files.flatten().map(|file| file.path()) {
            if path.extension().is_some_and(|ending| ending == "ron")
                && let Some(stem) = path.file_stem().and_then(|stem| stem.to_str())
            {
                found
                    .push((format!("{}/{stem}", game.file_name().to_string_lossy()), path.clone()));
            }
        }
    }
}
