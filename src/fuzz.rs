//! Files with arbitrary and altered bytes, given to everything that reads files: nothing panics, hangs
//! or is believed that was altered.
//!
//! `OUTWIT_FUZZ_SECONDS=300 cargo test --lib fuzz -- --ignored --nocapture` runs it for that long.

#![allow(clippy::unwrap_used)]

use crate::editor::RecoveredDraft;
use crate::games::tournament::contest;
use crate::games::{DynGame, GAMES, recognise};
use crate::levels::{BUILT_IN, read_ron, to_ron};
use crate::platform::time::{Duration, Instant};
use crate::play::{Budget, StopFlag};
use crate::tournament::Journal;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Longer levels than this are not altered: most time would go into reading them.
const MOST_TEXT: usize = 3_000;
/// An input that takes longer is reported.
const SLOW: Duration = Duration::from_secs(2);

/// What reads a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
enum Target {
    Level,
    Picture,
    Text,
    Replay,
    Draft,
    Journal,
}

/// A file to alter.
struct Sample {
    kind: &'static dyn DynGame,
    target: Target,
    bytes: Vec<u8>,
}

/// A short work tournament of a game as a journal, and its first game as a replay.
fn played(kind: &'static dyn DynGame, text: &str, folder: &Path) -> Vec<Sample> {
    let seats: Vec<(String, Vec<String>)> = (0..*kind.seats_allowed().start())
        .filter_map(|seat| {
            let id = kind.seat(seat).id;
            let planner = kind.planners().into_iter().find(|p| p.seats.contains(&id))?;
            Some((id, vec![planner.name.to_owned()]))
        })
        .collect();
    let contest = contest(kind, "x", text.into(), &seats, (1, 1), Budget::Work(50)).unwrap();
    let stop = StopFlag::default();
    let games = kind.run_contest(&contest, Vec::new(), &stop, &|_| Ok(())).unwrap();
    let file = folder.join(format!("{}.jsonl", kind.id()));
    let journal = Journal::begin(&file, &contest).unwrap();
    journal.add(&games[0]).unwrap();
    let replay = kind.replay_text(&contest, &games[0], &stop).unwrap();
    let bytes = std::fs::read(file).unwrap();
    vec![
        Sample { kind, target: Target::Journal, bytes },
        Sample { kind, target: Target::Replay, bytes: replay.into_bytes() },
    ]
}

fn samples(folder: &Path) -> Vec<Sample> {
    let mut samples = Vec::new();
    for kind in GAMES.iter().map(|game| game.kind) {
        let own = |(id, _): &&(&str, &str)| id.split('/').next() == Some(kind.id());
        let mut levels: Vec<&str> = BUILT_IN.iter().filter(own).map(|(_, text)| *text).collect();
        levels.sort_by_key(|text| text.len());
        samples.extend(played(kind, levels[0], folder));
        for text in levels.iter().filter(|text| text.len() <= MOST_TEXT).take(4) {
            let mut add = |target, bytes: Vec<u8>| samples.push(Sample { kind, target, bytes });
            add(Target::Level, text.as_bytes().to_vec());
            for ending in kind.exports() {
                let target = if *ending == "png" { Target::Picture } else { Target::Text };
                if let Ok(converted) = kind.convert(text.as_bytes(), "a.ron", &[], ending) {
                    add(target, converted.bytes);
                }
            }
            let draft = RecoveredDraft {
                game: kind.id().into(),
                file: Some("a.ron".into()),
                file_bytes: Some(vec![0xff]),
                known: Some(1),
                level: (*text).to_owned(),
            };
            add(Target::Draft, to_ron(&draft).unwrap().into_bytes());
        }
    }
    samples
}

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

/// Reads bytes in every way that a file of this sort is read. Returns whether they were accepted.
fn read(kind: &'static dyn DynGame, target: Target, bytes: &[u8], file: &Path) -> bool {
    let open = |kind: &'static dyn DynGame, bytes: &[u8], name: &str| {
        if let Ok(draft) = kind.open(bytes, name) {
            let _ = kind.check_draft(&draft);
            let again = kind.open(kind.text(&draft).as_bytes(), "a.ron");
            assert_eq!(again, Ok(draft), "a draft is not what its own file says");
        }
        kind.describe(bytes, name).is_ok()
    };
    match target {
        Target::Level | Target::Picture | Target::Text => {
            let name = match target {
                Target::Level => "a.ron",
                Target::Picture => "a.png",
                _ => "a.txt",
            };
            let _ = kind.read_collection(bytes, name);
            let guessed = recognise(bytes, name).is_some_and(|found| open(found, bytes, name));
            open(kind, bytes, name) || guessed
        }
        Target::Replay => kind.replay(bytes).is_ok_and(|summary| summary.faithful),
        Target::Draft => read_ron::<RecoveredDraft>(bytes).is_ok_and(|draft| {
            let _ = draft.origin();
            let bytes = draft.level.as_bytes();
            recognise(bytes, "draft.ron").is_some_and(|kind| open(kind, bytes, "draft.ron"))
        }),
        Target::Journal => {
            std::fs::write(file, bytes).unwrap();
            Journal::read(file).is_ok_and(|(_, games)| !games.is_empty())
        }
    }
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
        if time.is_some() && start.elapsed() > SLOW {
            println!("input {number} takes {:?}: {}", start.elapsed(), what());
        }
        let count: &mut (u64, u64) = counts.entry(target).or_default();
        *count = (count.0 + 1, count.1 + u64::from(accepted));
    }
    counts
}

#[test]
fn altered_files_do_no_harm() {
    let counts = run(1, 3_000, None);
    assert_eq!(counts.len(), 6, "every sort of file was read: {counts:?}");
    assert!(counts[&Target::Level].1 > 0, "some are still levels: {counts:?}");
}

#[test]
#[ignore = "runs for as long as OUTWIT_FUZZ_SECONDS says"]
fn fuzz_for_long() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let seconds = number("OUTWIT_FUZZ_SECONDS").unwrap_or(60);
    let seed = number("OUTWIT_FUZZ_SEED").unwrap_or(14);
    let counts = run(seed, u64::MAX, Some(Duration::from_secs(seconds)));
    let all: u64 = counts.values().map(|(inputs, _)| inputs).sum();
    println!("{all} inputs; of each sort how many, and how many were accepted: {counts:?}");
}
