//! Gives every reader of files what libFuzzer makes up, guided by the code that it reaches.
//!
//! The first byte of an input chooses the game and the second what reads the rest. `fuzz/run` builds it
//! and runs it; other arguments go to libFuzzer.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use outwit_fuzzing::{Target, read, samples};
use outwit_headless::GAMES;
use std::path::PathBuf;
use std::sync::LazyLock;

static FOLDER: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));
static FILE: LazyLock<PathBuf> = LazyLock::new(|| FOLDER.path().join("input"));

/// Writes the files that the search begins with to the folder that `OUTWIT_FUZZ_SEEDS` names.
fn write_seeds() {
    let Some(folder) = std::env::var_os("OUTWIT_FUZZ_SEEDS").map(PathBuf::from) else { return };
    for (number, sample) in samples(FOLDER.path()).into_iter().enumerate() {
        let game = GAMES.iter().position(|game| game.id() == sample.kind.id());
        let target = Target::ALL.iter().position(|target| *target == sample.target);
        let head = [game, target].map(|at| at.unwrap_or(0) as u8);
        let bytes = [&head[..], &sample.bytes].concat();
        std::fs::write(folder.join(format!("seed-{number}")), bytes).expect("a seed");
    }
}

fuzz_target!(init: write_seeds(), |input: &[u8]| -> Corpus {
    let [game, target, bytes @ ..] = input else { return Corpus::Reject };
    let (game, target) = (usize::from(*game), usize::from(*target));
    let (Some(game), Some(target)) = (GAMES.get(game), Target::ALL.get(target)) else {
        return Corpus::Reject;
    };
    read(*game, *target, bytes, &FILE);
    Corpus::Keep
});
