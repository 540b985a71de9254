//! The speed of the rules.

use super::{BenchRow, level};
use outwit_core::platform::time::Instant;
use outwit_core::play::{Chance, Game};
use outwit_kit::GameSpec;
use outwit_pukoban::Pukoban;
use rand::RngExt;

/// Random steps that are timed.
const STEPS: u32 = 1_000_000;

/// Prints the measures row by row.
pub fn bench(row: &mut dyn FnMut(BenchRow)) {
    let id = format!("{}/{}", Pukoban::ID, Pukoban::INFO.first_level);
    let Some(level) = level::<Pukoban>(&id) else { return };
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
