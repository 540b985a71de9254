//! The table of a tournament: how far each driver is from the optimum.

use super::RaceTime;
use super::rules::Racetrack;
use outwit_core::grid::Cell;
use outwit_core::play::{CheckedLevel, Game, Seat};
use outwit_core::tournament::{Scoreboard, quantile};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Default)]
struct Tally {
    races: u32,
    finished: u32,
    wins: u32,
    turns: f64,
    time: f64,
    optimum: f64,
    overruns: u32,
    starved: u32,
    illegal: u32,
    panics: u32,
    thought: Vec<f64>,
}

/// One row for each driver and seat. Means are over the races that were finished; `over` is how much
/// longer they took than the least time from the same start, fractions of turns included.
pub fn summary(level: &CheckedLevel<Racetrack>, board: &Scoreboard) -> Vec<Value> {
    let mut races = BTreeMap::new();
    let mut tallies: BTreeMap<(usize, usize, String), Tally> = BTreeMap::new();
    let order = |name: &str| {
        super::planners::ALL.iter().position(|spec| spec.name == name).unwrap_or(usize::MAX)
    };
    for record in board.all() {
        let cars = record.players.len();
        let race = races.entry(cars).or_insert_with(|| {
            let game = Racetrack::new(level, cars).ok()?;
            let table = game.exact_table(&|| false).ok();
            Some((game, table))
        });
        let Some((game, table)) = race else { continue };
        let grid = game.grid(&board.contest().chance(record.seed));
        for (seat, player) in record.players.iter().enumerate() {
            let key = (seat, order(player), player.clone());
            let tally = tallies.entry(key).or_default();
            let place = &record.outcome.places[seat];
            let stats = &record.stats[seat];
            tally.races += 1;
            tally.overruns += stats.overruns;
            tally.starved += stats.starved;
            tally.illegal += stats.illegal;
            tally.panics += u32::from(stats.panic.is_some());
            tally.thought.extend(stats.thought.iter().map(|t| t.as_secs_f64() * 1000.0));
            tally.wins += u32::from(place.rank == 1 && place.score.is_some());
            if let Some(time) = place.score {
                tally.finished += 1;
                // A time of 23.4 turns was driven in 24.
                tally.turns += time.floor() + 1.0;
                tally.time += time;
                let least = table
                    .as_ref()
                    .and_then(|table| table.time(game.track(), grid[seat], Cell::default(), 0));
                tally.optimum += least.map_or(f64::NAN, RaceTime::in_turns);
            }
        }
    }
    tallies
        .into_iter()
        .map(|((seat, _, name), mut tally)| {
            let mean = |sum: f64| (tally.finished > 0).then(|| sum / f64::from(tally.finished));
            let time = mean(tally.time);
            let optimum = mean(tally.optimum);
            let over = time.zip(optimum).map(|(time, optimum)| time - optimum);
            let percent = over.zip(optimum).map(|(over, optimum)| 100.0 * over / optimum);
            let mut row = json!({
                "seat": Racetrack::SEATS.id(Seat(seat as u8)),
                "planner": name,
                "races": tally.races,
                "finished": f64::from(tally.finished) / f64::from(tally.races),
                "won": f64::from(tally.wins) / f64::from(tally.races),
                "mean_turns": mean(tally.turns),
                "mean_time": time,
                "mean_optimum": optimum,
                "over": over,
                "over_percent": percent,
                "overruns": tally.overruns,
                "illegal": tally.illegal,
                "panics": tally.panics,
                "plan_ms_p50": quantile(&mut tally.thought, 0.5),
                "plan_ms_p99": quantile(&mut tally.thought, 0.99),
            });
            if !board.contest().is_repeatable() {
                row["starved"] = json!(tally.starved);
            }
            row
        })
        .collect()
}
