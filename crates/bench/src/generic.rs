//! Measures that fit every game: how many games its plainest planners play, and how much work each
//! planner does.

use super::BenchRow;
use outwit_core::platform::time::Instant;
use outwit_core::play::{Budget, StopFlag};
use outwit_core::tournament::{Contest, ContestLevel, Entrants};
use outwit_kit::tournament::{contest, planners};
use outwit_kit::{AnalyseOptions, DynGame};

/// Games that are timed.
const GAMES: u32 = 200;

/// Work that a planner may do on a turn.
const BUDGET: Budget = Budget::Work(20_000);

/// Measures a game on a level of this name.
pub fn bench(game: &dyn DynGame, name: &str, level: &[u8], row: &mut dyn FnMut(BenchRow)) {
    row_of_playouts(game, name, level).into_iter().for_each(&mut *row);
    for planner in game.planners() {
        row_of_work(game, name, level, planner.name).into_iter().for_each(&mut *row);
    }
}

/// Games per second on all cores. Where there is a planner that plays at random, it is the plainest.
fn row_of_playouts(game: &dyn DynGame, name: &str, level: &[u8]) -> Option<BenchRow> {
    let seats: Option<Vec<_>> = (0..*game.facts().seats.allowed.start())
        .map(|seat| {
            let seat = game.seat(seat).id;
            let planner = *planners(game, &seat).first()?;
            Some(Entrants::new(&seat, [planner]))
        })
        .collect();
    let text = String::from_utf8(game.convert(level, name, &[], "ron").ok()?.bytes).ok()?;
    let level = ContestLevel::new(name.into(), text);
    let contest = contest(game, level, &seats?, (1, GAMES), BUDGET).ok()?;
    // Games are measured, not the search for openings.
    let contest = Contest { openings: None, ..contest };
    let started = Instant::now();
    let games = game.run_contest(&contest, Vec::new(), &StopFlag::default(), &|_| Ok(())).ok()?;
    Some(BenchRow {
        measure: format!("{name}: playouts of {}", contest.players(0).join(" and ")),
        value: games.len() as f64 / started.elapsed().as_secs_f64(),
        unit: "games/s",
    })
}

/// Work per second of a planner on its first turn; `None` if it cannot take a seat that moves then.
fn row_of_work(game: &dyn DynGame, name: &str, level: &[u8], planner: &str) -> Option<BenchRow> {
    let options = AnalyseOptions {
        turn: Some(0),
        planner: Some(planner.into()),
        seat: None,
        budget: BUDGET,
        seed: 1,
    };
    let mut work = 0;
    let started = Instant::now();
    game.analyse(level, name, &options, &StopFlag::default(), &mut |step, _| work = step.work)
        .ok()?;
    Some(BenchRow {
        measure: format!("{name}: work of {planner}"),
        value: work as f64 / started.elapsed().as_secs_f64(),
        unit: "units/s",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_kit::Erased;
    use outwit_template::{FIRST_LEVEL, Walker};

    #[test]
    fn a_game_without_measures_of_its_own_is_measured() {
        let mut rows = Vec::new();
        let game = Erased::<Walker>::GAME;
        bench(game, "first-steps", FIRST_LEVEL.as_bytes(), &mut |row| rows.push(row));
        let measures: Vec<&str> = rows.iter().map(|row| row.measure.as_str()).collect();
        let wanted = ["playouts of random", "work of random", "work of one-ply"];
        assert_eq!(measures, wanted.map(|what| format!("first-steps: {what}")));
        assert!(rows.iter().all(|row| row.value > 0.0), "{rows:?}");
    }
}
