//! Embeds the files below `assets` that the window loads, each with its path.

#![allow(clippy::expect_used)] // A build script reports only to cargo.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

/// Folders below `assets`, each with the ending of its files.
const FOLDERS: [(&str, &str); 3] = [("fonts", "otf"), ("pieces", "svg"), ("sounds", "wav")];

fn main() {
    if env::var_os("CARGO_FEATURE_APP").is_none() {
        println!("cargo::rerun-if-changed=build.rs");
        return;
    }
    let assets =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("assets");
    let mut found = Vec::new();
    for (folder, ending) in FOLDERS {
        let folder = assets.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let files = fs::read_dir(&folder).expect("the assets belong to the sources");
        let files = files.flatten().map(|file| file.path());
        found.extend(files.filter(|file| file.extension().is_some_and(|own| own == ending)));
    }
    found.sort();
    let mut code = String::from("static EMBEDDED: &[(&str, &[u8])] = &[\n");
    for file in found {
        let path = file.strip_prefix(&assets).expect("it lies there");
        let path = path.to_string_lossy().replace('\\', "/");
        let _ = writeln!(code, "    ({path:?}, include_bytes!({file:?})),");
    }
    code += "];\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("embedded_assets.rs"), code).expect("the output folder can be written");
}
