//! What the games of a tournament add up to, by the standings of contests.

use super::document::{from_python, plain};
use super::error;
use super::guard::guarded;
use outwit_core::play::{Budget, Outcome, Player, SeatStats};
use outwit_core::tournament::{Contest, ContestLevel, Entrant, Entrants, FinishedGame, Scoreboard};
use outwit_headless::cli::check_seats;
use outwit_headless::contest::{self, Arena, ContestField, Contestant, Points, seat_means};
use outwit_headless::find;
use outwit_kit::tournament::csv as written;
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Value, from_value, json};
use std::collections::BTreeMap;

/// A game that was played to its end or broken off.
#[derive(Deserialize)]
struct Game {
    /// The index of its level.
    level: usize,
    /// The index of its seed.
    round: u64,
    /// The entrants, seat by seat.
    players: Vec<String>,
    outcome: Outcome,
    turns: usize,
    digest: u64,
    stats: Vec<Stats>,
}

/// How a seat behaved in a game.
#[derive(Deserialize)]
struct Stats {
    asked: u32,
    overruns: u32,
    illegal: u32,
    fault: Option<String>,
    work: u64,
}

impl Game {
    fn finished(self) -> FinishedGame {
        let stats = self.stats.into_iter().map(|stats| SeatStats {
            asked: stats.asked,
            overruns: stats.overruns,
            illegal: stats.illegal,
            fault: stats.fault,
            work: stats.work,
            ..SeatStats::default()
        });
        FinishedGame {
            turns: self.turns,
            digest: self.digest,
            stats: stats.collect(),
            ..FinishedGame::new(self.round, self.players, self.outcome)
        }
    }
}

/// Two tables as flat objects: how each of the `entrants` did, and what each got on each seat of each level. `seats` has
/// for each seat its name and the entrants that take it, `levels` the names of the levels.
#[pyfunction]
pub fn standings<'py>(
    py: Python<'py>,
    game: &str,
    entrants: Vec<String>,
    seats: Vec<(String, Vec<String>)>,
    levels: Vec<String>,
    rounds: u32,
    games: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let kind = find(game).map_err(error)?;
    let games: Vec<Game> = from_value(from_python(games)?).map_err(error)?;
    let mut by_level: BTreeMap<usize, Vec<FinishedGame>> = BTreeMap::new();
    for game in games {
        by_level.entry(game.level).or_default().push(game.finished());
    }
    let seats: Vec<Entrants> =
        seats.into_iter().map(|(seat, players)| Entrants::new(&seat, players)).collect();
    let arena = |id: &String| {
        let level = ContestLevel::new(id.clone(), String::new());
        let rules = (kind.id(), kind.facts().rules_version);
        // The budget decides nothing any more.
        Arena { contest: Contest::new(rules, level, seats.clone(), (0, rounds), Budget::default()) }
    };
    let contestants =
        entrants.into_iter().map(|name| Contestant { player: name.clone(), name, digest: None });
    let field = ContestField {
        kind,
        contestants: contestants.collect(),
        arenas: levels.iter().map(arena).collect(),
    };
    let boards: Vec<Scoreboard> = field
        .arenas
        .iter()
        .enumerate()
        .map(|(level, arena)| {
            let games = by_level.remove(&level).unwrap_or_default();
            Scoreboard::new(arena.contest.clone(), games)
        })
        .collect();
    let (table, means) = guarded(|| {
        let (table, _) = contest::standings(&field, &boards, Points::default());
        let means = (0..field.contestants.len()).flat_map(|entrant| {
            let field = &field;
            let seats = &seats;
            seat_means(field, &boards, entrant).into_iter().map(move |mean| {
                json!({
                    "player": field.contestants[entrant].name,
                    "level": field.arenas[mean.level].contest.level.id,
                    "seat": seats[mean.seat].seat,
                    "games": mean.score.games,
                    "without": mean.without,
                    "mean": mean.score.mean,
                    "ci95": mean.score.ci95,
                })
            })
        });
        (table, means.collect::<Vec<Value>>())
    })?;
    let table = table.iter().map(|standing| standing.row("ci95", Value::from));
    let table: Vec<Value> = table.collect();
    Ok((plain(py, &table)?, plain(py, &means)?))
}

/// Flat dictionaries as CSV, as the program writes its tables.
#[pyfunction]
pub fn csv(rows: &Bound<'_, PyAny>) -> PyResult<String> {
    let rows: Vec<Value> = from_value(from_python(rows)?).map_err(error)?;
    Ok(written(&rows))
}

/// Refuses a player that is not there or cannot take a seat.
#[pyfunction]
pub fn check_player(game: &str, seat: &str, player: String) -> PyResult<()> {
    let kind = find(game).map_err(error)?;
    let player = Player::Planner(Entrant::from(player).player().name().into());
    check_seats(kind, &[(seat.into(), player)]).map_err(error)
}
