//! What a level is worth: exactly for small still boards, else by matches of the best planners.

use super::exact::{Certified, Exact};
use super::level::{CopsFile, Symbol, played_cells};
use super::rules::{COPS, Cops, THIEF};
use super::{CopsRules, TICKS, planners};
use outwit_core::grid::Cell;
use outwit_core::play::{Chance, CheckedLevel, Game, SetupError, StopFlag, find_planner};
use outwit_core::tournament::{Entrant, Estimate, Lineup, play_games};
use outwit_kit::{Solution, SolveOptions};

/// Games that an estimate takes.
const GAMES: u64 = 20;

/// The thief's payoff in ticks.
///
/// On a small board whose walls and gates, if any, stand still, and with k = 1, it is the value of the start
/// that seed 0 draws, with a bound of the error; proved if that bound is small. Otherwise it is the mean
/// payoff of matches between the strongest planners, one of them replaced by the planner that the options
/// name; nothing is proved then. A start that the options name is that of the thief. The budget of the
/// options is that of the exact method in all, or of a turn.
///
/// # Errors
/// If the start is no free cell, the level cannot be played from there, the planner is unknown, memory is
/// limited, or `stop` is raised.
pub fn solve(
    level: &CheckedLevel<Cops>,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    let elsewhere = options.start.map(|start| with_start(level, start)).transpose()?;
    let elsewhere = elsewhere.map(CheckedLevel::new).transpose().map_err(SetupError::from)?;
    let level = elsewhere.as_ref().unwrap_or(level);
    let game = Cops::new(level, 2).map_err(|error| error.to_string())?;
    let start = game.start(&Chance::new(0)).map_err(|error| error.to_string())?.position;
    options.without_memory("a solver of Cops and robber")?;
    let clock = options.clock(stop);
    let exact = options
        .planner
        .is_none()
        .then(|| Exact::new(&game, &start, &|matrices| clock.take(matrices)));
    if let Some(Err(_)) = exact
        && clock.is_over()
    {
        let counters = vec![("matrix games", clock.used() as f64)];
        return options.not_solved("exact", TICKS, counters, stop);
    }
    if let Some(Ok(exact)) = exact
        && let Some(certified) = exact.value(level.rules.ticks, start.thief, &start.cops)
    {
        return Ok(of_table(certified));
    }
    if stop.is_raised() {
        return Err("cancelled".into());
    }
    let mut thief = "schemer";
    let mut cops = "marshal";
    if let Some(name) = &options.planner {
        match (find_planner(planners::ALL, name, THIEF), find_planner(planners::ALL, name, COPS)) {
            (Ok(spec), _) => thief = spec.name,
            (_, Ok(spec)) => cops = spec.name,
            (_, Err(why)) => return Err(why),
        }
    }
    let players = vec![Entrant::from(thief), Entrant::from(cops)];
    let lineups: Vec<Lineup> =
        (1..=GAMES).map(|seed| Lineup { players: players.clone(), seed }).collect();
    let records =
        play_games::<Cops>(level, planners::ALL, &lineups, options.turn_budget(), stop, |_| {})
            .map_err(|error| error.to_string())?;
    let payoffs: Vec<f64> =
        records.iter().filter_map(|game| game.outcome.places.first()?.score).collect();
    let estimate = Estimate::of(&payoffs);
    let mean = estimate.mean.unwrap_or(0.0);
    let ci95 = estimate.ci95.unwrap_or(0.0);
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
        front: None,
        counters: vec![("games", GAMES as f64), ("ci95", ci95)],
    })
}

/// What the table says of the start.
fn of_table(certified: Certified) -> Solution {
    let Certified { value, error, .. } = certified;
    let proved = certified.is_proved();
    let least = value - error;
    let most = value + error;
    let how = if proved {
        format!("{value:.4} ticks, proved to within {error:.0e}")
    } else {
        format!("about {value:.4} ticks, estimated, between {least:.4} and {most:.4}")
    };
    Solution {
        value: Some(value),
        unit: TICKS,
        proved,
        line: Vec::new(),
        moves: None,
        message: format!("with perfect play on both sides the thief earns {how}"),
        front: None,
        counters: vec![("error at most", error), ("at least", least), ("at most", most)],
    }
}

/// The level with the thief at `start`; an open board that its `size` asks for is drawn as a map for that.
fn with_start(level: &CopsFile, start: Cell) -> Result<CopsFile, String> {
    let mut cells = played_cells(level);
    match cells.get(start).map(|&symbol| Symbol::from_char(symbol)) {
        None => return Err(format!("start {start} lies outside the map")),
        Some(Some(Symbol::Free | Symbol::Thief)) => {}
        Some(_) => return Err(format!("start {start} is not a free cell")),
    }
    cells.as_mut_slice().iter_mut().filter(|symbol| **symbol == 'T').for_each(|t| *t = '.');
    cells[start] = 'T';
    let rules = CopsRules { size: None, ..level.rules.clone() };
    let mut changed = CopsFile { rules, ..level.clone() };
    changed.set_cells(&cells);
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::CopsRules;
    use crate::tests::{checked, file, still};

    #[test]
    fn a_value_is_proved_only_within_a_small_error() {
        let solved = |error| of_table(Certified { value: 8.5, error, range: 10.0 });
        let proved = solved(0.9e-5);
        assert!(proved.proved && proved.message.ends_with("8.5000 ticks, proved to within 9e-6"));
        let estimated = solved(0.25);
        assert!(!estimated.proved);
        let how = "about 8.5000 ticks, estimated, between 8.2500 and 8.7500";
        assert!(estimated.message.ends_with(how), "{}", estimated.message);
        assert_eq!(estimated.counters[1..], [("at least", 8.25), ("at most", 8.75)]);
    }

    #[test]
    fn boards_state_the_value_of_perfect_play() {
        for id in ["cops/courtyard", "cops/cloister", "cops/gatehouse"] {
            let bytes = outwit_levels::built_in(id).unwrap().bytes().unwrap();
            let level = outwit_kit::read_level::<Cops>(&bytes, id).unwrap();
            let solved = solve(&level, &SolveOptions::default(), &StopFlag::default()).unwrap();
            let value = format!("{:.2} ticks", solved.value.unwrap());
            assert!(solved.proved && level.about.contains(&value), "{id}: {value}");
        }
    }

    /// One step from a gate and far from the cop the thief leaves at once; beside the cop it does not.
    #[test]
    fn the_thief_can_start_elsewhere() {
        let rules = CopsRules { size: None, gates: 1, gate_width: 1, ..still(3, 1) };
        let map = ["==G====", "=....T=", "=.....=", "=.....=", "=.....=", "=C....=", "======="];
        let level = checked(file(rules, &map));
        let value = |level: &CheckedLevel<Cops>, x: i32, y: i32| {
            let options = SolveOptions { start: Some(Cell::new(x, y)), ..SolveOptions::default() };
            solve(level, &options, &StopFlag::default())
        };
        let near = value(&level, 2, 1).unwrap();
        assert_eq!((near.value, near.proved), (Some(99.0), true));
        let own = solve(&level, &SolveOptions::default(), &StopFlag::default()).unwrap();
        assert_eq!(own.value, value(&level, 5, 1).unwrap().value);
        for (x, y) in [(7, 1), (-1, 2), (0, 1), (2, 0), (1, 5)] {
            let error = value(&level, x, y).unwrap_err();
            assert!(error.starts_with("start ("), "{error}");
        }
        let open = checked(file(still(5, 1), &["....."]));
        let changed = checked(with_start(&open, Cell::new(5, 5)).unwrap());
        let begun = Cops::new(&changed, 2).unwrap().start(&Chance::new(3)).unwrap();
        assert_eq!(begun.position.thief, Cell::new(5, 5));
        assert!(value(&open, 6, 6).is_err());
    }
}
