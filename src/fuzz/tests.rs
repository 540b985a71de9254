//! Files altered blindly.

use super::*;
use crate::platform::time::{Duration, Instant};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// An input that takes longer is reported.
const SLOW: Duration = Duration::from_secs(2);

/// Texts that are put between others.
const WORDS: &[&str] = &[
    "4294967295",
    "18446744073709551615",
    "-1",
    "-9223372036854775808",
    "1e308",
    "NaN",
    "inf",
    "0",
    "0.0",
    "30000",
    "None",
    "Some(",
    "\"",
    "\\u{0}",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "\n",
    "\r\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    ";",
    "#",
    "dim: 512 512\n",
    "dim: 999999999 5\n",
    "size: 62",
    "size: 4294967295",
    "wall_length: 1000000000",
    "walls: 4000000000",
    "seed:",
    "-#@$*+.",
    "/*",
    "*/",
    "//",
    "r#\"",
    "\"#",
    "=G=",
    "x99999",
    "99999a",
];

/// Alters bytes in one to four places.
fn altered(bytes: &[u8], other: &[u8], dice: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..dice.random_range(1..5) {
        let at = dice.random_range(0..=bytes.len());
        let end = (at + dice.random_range(0..40)).min(bytes.len());
        match dice.random_range(0..9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.random_range(0..8),
            1 if at < bytes.len() => bytes[at] = dice.random(),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.truncate(at),
            4 => {
                let copied = bytes[at..end].repeat(dice.random_range(1..8));
                bytes.splice(at..at, copied);
            }
            5 | 6 => {
                let word = WORDS[dice.random_range(0..WORDS.len())];
                bytes.splice(at..at, word.bytes());
            }
            7 => {
                // A number in the place of another.
                if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                    let from = at + digit;
                    let digits = bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
                    let word = WORDS[dice.random_range(0..10)];
                    bytes.splice(from..from + digits, word.bytes());
                }
            }
            _ if !other.is_empty() => {
                let from = dice.random_range(0..other.len());
                let to = (from + dice.random_range(0..200)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            _ => {}
        }
    }
    bytes
}

/// Arbitrary bytes, most of them characters that files of ours have.
fn arbitrary(dice: &mut ChaCha8Rng) -> Vec<u8> {
    const COMMON: &[u8] = b"(){}[]:,\"#.=-SFTCGo$@*+_0123456789 abcdefmnop\n";
    let length = dice.random_range(0..300);
    let is_common = dice.random_bool(0.8);
    let one = |dice: &mut ChaCha8Rng| match is_common {
        true => COMMON[dice.random_range(0..COMMON.len())],
        false => dice.random(),
    };
    (0..length).map(|_| one(dice)).collect()
}

/// Gives inputs to the readers until the time or the number is up; returns how many of each sort there
/// were and were accepted.
fn run(
    seed: u64,
    most: u64,
    time: Option<Duration>,
) -> std::collections::BTreeMap<Target, (u64, u64)> {
    let folder = tempfile::tempdir().unwrap();
    let samples = samples(folder.path());
    let file: PathBuf = folder.path().join("input");
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut counts = std::collections::BTreeMap::new();
    let began = Instant::now();
    for number in 0..most {
        if time.is_some_and(|time| began.elapsed() >= time) {
            break;
        }
        let sample = &samples[dice.random_range(0..samples.len())];
        let other = &samples[dice.random_range(0..samples.len())];
        let bytes = match dice.random_range(0..10) {
            0 => arbitrary(&mut dice),
            _ => altered(&sample.bytes, &other.bytes, &mut dice),
        };
        let (kind, target) = (sample.kind, sample.target);
        let start = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| read(kind, target, &bytes, &file)));
        let what = || {
            let kept = std::env::temp_dir().join(format!("outwit-fuzz-{seed}-{number}"));
            let _ = std::fs::write(&kept, &bytes);
            format!("{} {target:?} {}", kind.id(), kept.display())
        };
        let Ok(accepted) = result else { panic!("input {number} panics: {}", what()) };
        if accepted && target == Target::Replay {
            let told = |bytes| kind.replay(bytes).ok();
            assert_eq!(
                told(&bytes),
                told(&sample.bytes),
                "an altered replay is believed: {}",
                what()
            );
        }
        if time.is_some() && start.elapsed() > SLOW {
            println!("input {number} takes {:?}: {}", start.elapsed(), what());
        }
        let count: &mut (u64, u64) = counts.entry(target).or_default();
        *count = (count.0 + 1, count.1 + u64::from(accepted));
    }
    counts
}

/// Gives a reader of another sort of file 500 alterations of a sample, or as many as
/// `OUTWIT_FUZZ_INPUTS` says: it must accept some of them and refuse some.
#[cfg(feature = "app")]
pub(crate) fn read_altered(sample: &[u8], read: impl Fn(&[u8]) -> bool) {
    let inputs = number("OUTWIT_FUZZ_INPUTS").unwrap_or(500);
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let accepted = (0..inputs).filter(|_| read(&altered(sample, sample, &mut dice))).count();
    println!("{accepted} of {inputs} accepted");
    assert!(accepted > 0 && (accepted as u64) < inputs, "{accepted} of {inputs} accepted");
}

/// A number that the environment names.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
fn altered_files_do_no_harm() {
    let counts = run(1, 3_000, None);
    assert_eq!(counts.len(), Target::ALL.len(), "every sort of file was read: {counts:?}");
    assert!(counts[&Target::Level].1 > 0, "some are still levels: {counts:?}");
}

#[test]
#[ignore = "runs for as long as OUTWIT_FUZZ_SECONDS says"]
fn fuzz_for_long() {
    let seconds = number("OUTWIT_FUZZ_SECONDS").unwrap_or(60);
    let seed = number("OUTWIT_FUZZ_SEED").unwrap_or(14);
    let counts = run(seed, u64::MAX, Some(Duration::from_secs(seconds)));
    let all: u64 = counts.values().map(|(inputs, _)| inputs).sum();
    println!("{all} inputs; of each sort how many, and how many were accepted: {counts:?}");
}
