//! Files altered blindly.

use super::*;
use outwit_core::platform::time::{Duration, Instant};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// An input that takes longer is reported.
const SLOW: Duration = Duration::from_secs(2);

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

#[test]
fn altered_files_do_no_harm() {
    let counts = run(1, 3_000, None);
    assert_eq!(counts.len(), Target::ALL.len(), "every sort of file was read: {counts:?}");
    for target in [Target::Level, Target::Exercise] {
        assert!(counts[&target].1 > 0, "some are still of their sort: {counts:?}");
    }
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
