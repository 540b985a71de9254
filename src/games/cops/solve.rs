//! What a level is worth: exactly for small still boards, else by matches of the best planners.

use super::exact::{Certified, Exact};
use super::level::CopsFile;
use super::rules::{COPS, Cops, THIEF};
use super::{TICKS, planners};
use crate::games::{Solution, SolveOptions};
use crate::play::{Chance, Game, Player, StopFlag, find_planner};
use crate::tournament::{Estimate, Lineup, play_games};

/// Games that an estimate takes.
const GAMES: u64 = 20;

/// The thief's payoff in ticks.
///
/// On a small board whose walls and gates, if any, stand still, and with k = 1, it is the exact value of the
/// start that seed 0 draws, with a bound of the error. Otherwise it is the mean payoff of matches between the strongest planners, one of them
/// replaced by the planner that the options name; nothing is proved then.
///
/// # Errors
/// If the level cannot be played, the planner is unknown, or `stop` is raised.
pub fn solve(
    level: &CopsFile,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    if options.start.is_some() {
        return Err("a level of Cops starts where its map and rules say".into());
    }
    let game = Cops::new(level, 2).map_err(|error| error.to_string())?;
    let start = game.start(&Chance::new(0)).map_err(|error| error.to_string())?.position;
    if options.planner.is_none()
        && let Ok(exact) = Exact::new(&game, &start, stop)
        && let Some(Certified { value, error }) =
            exact.value(level.rules.ticks, start.thief, &start.cops)
    {
        return Ok(Solution {
            value: Some(value),
            unit: TICKS,
            proved: true,
            line: Vec::new(),
            moves: None,
            message: format!(
                "with perfect play on both sides the thief earns {value:.4} ticks, proved to within \
                 {error:.0e}"
            ),
            counters: vec![("error at most", error)],
        });
    }
    if stop.is_raised() {
        return Err("cancelled".into());
    }
    let (mut thief, mut cops) = ("schemer", "marshal");
    if let Some(name) = &options.planner {
        match (find_planner(planners::ALL, name, THIEF), find_planner(planners::ALL, name, COPS)) {
            (Ok(spec), _) => thief = spec.name,
            (_, Ok(spec)) => cops = spec.name,
            (_, Err(why)) => return Err(why),
        }
    }
    let players = vec![Player::from(thief), Player::from(cops)];
    let lineups: Vec<Lineup> =
        (1..=GAMES).map(|seed| Lineup { players: players.clone(), seed }).collect();
    let records = play_games::<Cops>(level, planners::ALL, &lineups, options.budget, stop, |_| {})
        .map_err(|error| error.to_string())?;
    let payoffs: Vec<f64> =
        records.iter().filter_map(|game| game.outcome.places.first()?.score).collect();
    let estimate = Estimate::of(&payoffs);
    let (mean, ci95) = (estimate.mean.unwrap_or(0.0), estimate.ci95.unwrap_or(0.0));
    Ok(Solution {
        value: Some(mean),
        unit: TICKS,
        proved: false,
        line: Vec::new(),
        moves: None,
        message: format!(
            "{thief} earns {mean:.1} ± {ci95:.1} ticks against {cops} in {GAMES} games; no exact \
             value is known for such a board"
        ),
        counters: vec![("games", GAMES as f64), ("ci95", ci95)],
    })
}
