//! How long it takes to say how a match stands, as the match screen asks after every turn that has an
//! outlook; in processor time, so that a busy machine does not count.

use super::{BenchRow, level};
use outwit_core::platform::time::thread_cpu;
use outwit_core::play::{Match, StopFlag};
use outwit_kit::GameSpec;
use std::sync::Arc;

/// Matches that are looked at.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=3;
/// Turns of each, in which nobody does more than must be.
const TURNS: usize = 15;

/// Mean and most processor time of an outlook on built-in levels.
pub fn bench<G: GameSpec>(ids: &[&str], row: &mut dyn FnMut(BenchRow)) {
    for id in ids {
        let times = times::<G>(id).unwrap_or_default();
        let Some(most) = times.iter().copied().reduce(f64::max) else { continue };
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        for (what, value) in [("mean", mean), ("longest", most)] {
            row(BenchRow { measure: format!("{id}: outlook, {what}"), value, unit: "ms" });
        }
    }
}

/// Processor time of every outlook in milliseconds; what is made once for a level is not counted.
fn times<G: GameSpec>(id: &str) -> Option<Vec<f64>> {
    let spec = G::COMMENTARY?;
    let stop = StopFlag::default();
    let level = level::<G>(id)?;
    let game = Arc::new(G::new(&level, 2).ok()?);
    let mut times = Vec::new();
    for seed in SEEDS {
        let mut played: Match<G> = Match::new(Arc::clone(&game), seed).ok()?;
        (spec.outlook)(&played, 0, &stop);
        for turn in 0..TURNS {
            let before = thread_cpu();
            if (spec.outlook)(&played, turn, &stop).is_some() {
                times.push((thread_cpu()? - before?).as_secs_f64() * 1000.0);
            }
            let actions = played
                .to_move()
                .iter()
                .map(|&seat| (seat, game.null_action(played.state(), seat)))
                .collect();
            if played.advance(actions).is_err() {
                break;
            }
        }
    }
    Some(times)
}
