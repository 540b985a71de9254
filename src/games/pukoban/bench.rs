//! The speed of the rules and of the searches.

use super::level::{FORMAT, PukobanFile};
use super::planners::search_of;
use super::rules::Pukoban;
use super::solve::measure;
use crate::games::{BenchRow, GameSpec, SearchLimits, read_level};
use crate::levels::built_in;
use crate::platform::time::{Duration, Instant};
use crate::play::{Chance, Game, StopFlag};
use rand::RngExt;

/// Random steps that are timed.
const STEPS: u32 = 1_000_000;

/// A room of 40 cells with 5 boxes: 23,030,280 states, all of which can be reached.
#[rustfmt::skip]
pub(super) const TWENTY_MILLION: &[&str] = &[
    ".$$-----",
    "$@------",
    "------.-",
    "------$.",
    "-----.$.",
];

/// The level with this map.
pub(super) fn level_of(map: &[&str]) -> PukobanFile {
    PukobanFile {
        format: FORMAT.into(),
        name: "bench".into(),
        author: String::new(),
        about: String::new(),
        rules: Default::default(),
        map: map.iter().map(|&row| row.to_owned()).collect(),
    }
}

/// Prints the measures row by row.
pub fn bench(row: &mut dyn FnMut(BenchRow)) {
    rules(row);
    let limits = SearchLimits { memory: 4 << 30, time: Duration::from_secs(600), runs: 1 };
    for name in ["uniform-cost", "best"] {
        let level = level_of(TWENTY_MILLION);
        let stop = StopFlag::default();
        debug_assert!(search_of(name).is_some());
        let Some(figures) = measure(&level, name, limits, &stop) else { continue };
        let mut put = |measure: &str, value: f64, unit: &'static str| {
            row(BenchRow { measure: format!("23 million states, {name}: {measure}"), value, unit });
        };
        put("length", figures.length.unwrap_or(f64::NAN), "steps");
        put("processor time", figures.cpu.as_secs_f64() * 1000.0, "ms");
        put("expanded", figures.expanded as f64, "states");
        put("speed", figures.expanded as f64 / figures.cpu.as_secs_f64(), "states/s");
        put("memory", figures.bytes as f64 / f64::from(1 << 20), "MiB");
    }
}

fn rules(row: &mut dyn FnMut(BenchRow)) {
    let id = format!("{}/{}", Pukoban::ID, Pukoban::FIRST_LEVEL);
    let bytes = built_in(&id).and_then(|entry| entry.bytes().ok()).unwrap_or_default();
    let Ok(level) = read_level::<Pukoban>(&bytes, &id) else { return };
    let Ok(game) = Pukoban::new(&level, 1) else { return };
    let mut position = game.opening().clone();
    let mut dice = Chance::new(1).stream(0);
    let started = Instant::now();
    for _ in 0..STEPS {
        let steps = game.steps(&position);
        // Every step can be undone, so there is always one.
        let _ = game.take(&mut position, steps[dice.random_range(0..steps.len())]);
    }
    let seconds = started.elapsed().as_secs_f64();
    row(BenchRow {
        measure: format!("{id}: random legal steps"),
        value: f64::from(STEPS) / seconds,
        unit: "steps/s",
    });
}
