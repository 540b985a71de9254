//! The speed of the planners.

use super::BenchRow;
use outwit_core::platform::time::Instant;
use outwit_core::play::{CheckedLevel, Clock, Game, PlannerContext, Progress, Seat};
use outwit_kit::GameSpec;
use outwit_stealth::exact::best_complete;
use outwit_stealth::noticing::{Skills, best_expected_path, safest_path};
use outwit_stealth::{Glimpse, Stealth};
use std::sync::Arc;

/// Runs that are timed.
const RUNS: u32 = 50;

/// Prints the measures row by row.
pub fn bench(row: &mut dyn FnMut(BenchRow)) {
    let id = "stealth/report-1";
    if let Some(level) = super::level::<Stealth>(id) {
        measure(id, &level, RUNS, row);
    }
    let options = [("width", "60"), ("height", "60"), ("guards", "30")];
    let options = options.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let house = Stealth::MAPS.generator.and_then(|maker| (maker.generate)(&options, 1).ok());
    if let Some(Ok(level)) = house.map(CheckedLevel::new) {
        measure("60 by 60 with 30 guards", &level, 5, row);
    }
}

fn measure(name: &str, level: &CheckedLevel<Stealth>, runs: u32, row: &mut dyn FnMut(BenchRow)) {
    let Ok(game) = Stealth::new(level, 1).map(Arc::new) else { return };
    let mut put = |what: &str, value: f64, unit: &'static str| {
        row(BenchRow { measure: format!("{name}: {what}"), value, unit });
    };
    for spec in Stealth::planners().iter().filter(|spec| spec.name != "exact") {
        let mut evaluations = 0;
        let started = Instant::now();
        for seed in 0..u64::from(runs) {
            let context = PlannerContext { game: Arc::clone(&game), seat: Seat(0), seed };
            let mut planner = (spec.make)(context);
            planner.observe(&Glimpse::default());
            let clock = Clock::unlimited();
            while planner.think(&clock) == Progress::More {}
            evaluations += clock.used();
        }
        let seconds = started.elapsed().as_secs_f64();
        put(
            &format!("{}, evaluations of a run", spec.name),
            evaluations as f64 / f64::from(runs),
            "paths",
        );
        put(&format!("{}, a run", spec.name), seconds * 1000.0 / f64::from(runs), "ms");
    }
    let ground = game.ground();
    let skills = Skills { stealth: 4, perception: 6 };
    let mut time = |what: &str, find: &dyn Fn() -> bool| {
        let started = Instant::now();
        if find() {
            put(what, started.elapsed().as_secs_f64() * 1000.0, "ms");
        }
    };
    time("exact", &|| best_complete(ground).is_some());
    time("safest path", &|| safest_path(ground, skills).is_some());
    time("best expected path", &|| best_expected_path(ground, skills).is_some());
}
