//! The speed of the rules, and of `best` under both of them.

use super::{BenchRow, level};
use outwit_core::platform::time::{Duration, Instant};
use outwit_core::play::{Chance, CheckedLevel, Game, StopFlag};
use outwit_kit::{GameSpec, SearchLimits};
use outwit_pukoban::{Moves, Objective, Pukoban};
use rand::RngExt;

/// Random steps that are timed.
const STEPS: u32 = 1_000_000;

/// The level that is searched, by box moves.
const SEARCHED: &str = "pukoban/42-great-hall";
/// What each search of it may take.
const LIMITS: SearchLimits =
    SearchLimits { memory: 1 << 30, time: Duration::from_secs(2), runs: 1 };

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
        // The player can always go back, so there is always one.
        let _ = game.take(&mut position, steps[dice.random_range(0..steps.len())]);
    }
    let seconds = started.elapsed().as_secs_f64();
    row(BenchRow {
        measure: format!("{id}: random legal steps"),
        value: f64::from(STEPS) / seconds,
        unit: "steps/s",
    });
    for (moves, words) in [(Moves::PushAndPull, "pushing and pulling"), (Moves::Push, "pushing")] {
        search(moves, words, row);
    }
}

/// Prints what `best` makes of a second, and what a state takes.
fn search(moves: Moves, words: &str, row: &mut dyn FnMut(BenchRow)) {
    let Some(level) = level::<Pukoban>(SEARCHED) else { return };
    let mut level = level.into_inner();
    (level.rules.objective, level.rules.moves) = (Objective::BoxMoves, moves);
    let Ok(level) = CheckedLevel::<Pukoban>::new(level) else { return };
    let Some(searches) = Pukoban::SEARCHES else { return };
    let figures = (searches.measure)(&level, "best", LIMITS, &StopFlag::default());
    let Some(figures) = figures.filter(|figures| figures.expanded > 0) else { return };
    let states = figures.expanded as f64;
    let measure = format!("{SEARCHED}: best, {words}");
    for (value, unit) in [
        (states / figures.cpu.as_secs_f64().max(f64::MIN_POSITIVE), "states/s"),
        (figures.bytes as f64 / states, "bytes/state"),
    ] {
        row(BenchRow { measure: measure.clone(), value, unit });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_counted_under_both_rules() {
        for (moves, words) in [(Moves::PushAndPull, "both"), (Moves::Push, "pushing")] {
            let mut rows = Vec::new();
            search(moves, words, &mut |row| rows.push(row));
            let units: Vec<_> = rows.iter().map(|row| row.unit).collect();
            assert_eq!(units, ["states/s", "bytes/state"]);
            assert!(rows.iter().all(|row| row.value > 0.0 && row.measure.ends_with(words)));
            println!("{rows:?}");
        }
    }
}
