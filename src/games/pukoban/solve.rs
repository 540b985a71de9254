//! What a planner makes of a level.

use super::level::PukobanFile;
use super::rules::Pukoban;
use super::{MOVES, planners, solution};
use crate::games::{Solution, SolveOptions};
use crate::play::{Seat, StopFlag, find_planner};
use crate::tournament::{Lineup, play_games};

/// Solves a level by a match of the named planner, or of the strongest one without a name.
///
/// # Errors
/// If a start is given, the planner is unknown, or `stop` is raised.
pub fn solve(
    level: &PukobanFile,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    if options.start.is_some() {
        return Err("a level of Pukoban starts where its player stands".into());
    }
    let strongest = planners::ALL.last().map_or("", |spec| spec.name);
    let name = options.planner.as_deref().unwrap_or(strongest);
    find_planner(planners::ALL, name, Seat(0))?;
    let lineup = Lineup { players: vec![name.into()], seed: 0 };
    let games =
        play_games::<Pukoban>(level, planners::ALL, &[lineup], options.budget, stop, |_| {})
            .map_err(|error| error.to_string())?;
    let Some(game) = games.into_iter().next() else { return Err("no match was played".into()) };
    let played = game.replay.play().map_err(|error| error.to_string())?;
    let value = game.outcome.places.first().and_then(|place| place.score);
    Ok(Solution {
        value,
        unit: MOVES,
        proved: false,
        line: played.states().iter().map(|position| position.player).collect(),
        moves: value.map(|_| solution::write(&played)),
        message: format!("{name}: {}", game.outcome.headline),
        counters: vec![("work units", game.stats.first().map_or(0.0, |stats| stats.work as f64))],
    })
}
