//! The least time of a track, or what a planner makes of it.

use super::exact::{ExactError, ExactTable, MOST_BYTES};
use super::level::{Surface, TrackFile, surfaces};
use super::notation::{self, write_line};
use super::planners::{CarSearch, MEMORY, find_race, search_of};
use super::rules::{Racetrack, time_in_words};
use super::{RaceTime, TURNS};
use outwit_core::grid::Cell;
use outwit_core::play::Game;
use outwit_core::play::{CheckedLevel, SetupError, StopFlag};
use outwit_core::search::MemoryLimit;
use outwit_kit::tournament::play_alone;
use outwit_kit::{SearchEnd, SearchNameError, Solution, SolveOptions};
use std::iter;
use std::sync::Arc;

/// Solves a track by the exact table, to which the limits apply as a whole, by the named planner driving alone, or
/// by a search with settings.
///
/// # Errors
/// If the start lies off the track or leads nowhere, the planner is unknown or is to keep a limit of
/// memory, the table would be too large, or `stop` is raised.
pub fn solve(
    level: &CheckedLevel<Racetrack>,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    let elsewhere = options.start.map(|start| with_start(level, start)).transpose()?;
    match (options.planner.as_deref(), elsewhere) {
        // From a start that leads nowhere it proves just that.
        (None | Some("optimal"), elsewhere) => {
            exactly(elsewhere.as_ref().unwrap_or(level), options, stop)
        }
        (Some(name), elsewhere) => {
            let elsewhere =
                elsewhere.map(CheckedLevel::new).transpose().map_err(SetupError::from)?;
            let level = elsewhere.as_ref().unwrap_or(level);
            match search_of(name) {
                // A driver has no settings, but its search may have some.
                Ok(search) if name.contains(':') => by_search(level, (name, search), options, stop),
                Ok(_) | Err(SearchNameError::Unknown(_)) => by_driving(level, name, options, stop),
                Err(why) => Err(why.to_string()),
            }
        }
    }
}

/// The level with `start` as its only start cell.
fn with_start(level: &TrackFile, start: Cell) -> Result<TrackFile, String> {
    let mut cells = level.cells('#');
    let surface = surfaces(level).get(start).copied();
    match surface {
        None => return Err(format!("start {start} lies outside the map")),
        Some(Surface::Off) => return Err(format!("start {start} is off the track")),
        Some(Surface::Finish | Surface::Checkpoint(_)) => {
            return Err(format!(
                "start {start} is on the finish or a checkpoint; choose plain road"
            ));
        }
        Some(Surface::Road | Surface::Start | Surface::Sand) => {}
    }
    for symbol in cells.as_mut_slice().iter_mut().filter(|symbol| **symbol == 'S') {
        *symbol = '.';
    }
    cells[start] = 'S';
    let mut changed = level.clone();
    changed.set_cells(&cells);
    Ok(changed)
}

fn exactly(level: &TrackFile, options: &SolveOptions, stop: &StopFlag) -> Result<Solution, String> {
    let track = super::Track::new(level);
    let clock = options.clock(stop);
    let most = options.memory.unwrap_or(MOST_BYTES);
    let table = match ExactTable::build_within(&track, most, &clock) {
        Ok(table) => table,
        Err(ExactError::Stopped) => {
            let counters = vec![("states", clock.used() as f64)];
            return options.not_solved("optimal", TURNS, counters, stop);
        }
        Err(error) => return Err(error.to_string()),
    };
    let rest = Cell::default();
    let known: Vec<(RaceTime, Cell)> = track
        .starts()
        .iter()
        .filter_map(|&start| Some((table.time(&track, start, rest, 0)?, start)))
        .collect();
    let counters = vec![
        ("states", table.states() as f64),
        ("layers", f64::from(table.layers())),
        ("table MiB", table.bytes() as f64 / f64::from(1 << 20)),
    ];
    let (Some(&(least, start)), Some(&(most, _))) =
        (known.iter().min_by_key(|(time, _)| time), known.iter().max_by_key(|(time, _)| time))
    else {
        return Ok(Solution {
            value: None,
            unit: TURNS,
            proved: true,
            line: Vec::new(),
            moves: None,
            message: "no car can finish under these rules from any start".into(),
            front: None,
            counters,
        });
    };
    let moves = table.line(&track, start, rest, 0);
    let line: Vec<Cell> = iter::once(start).chain(moves.iter().map(|made| made.cell)).collect();
    // A car that crashes does not come to where it was driving.
    let crashes = line.iter().zip(&moves).filter(|(from, made)| **from + made.driven != made.cell);
    let mut message = format!("optimum: {} from {start}", in_words(least));
    if most > least {
        message += &format!("; up to {} from other starts", in_words(most));
    }
    match crashes.count() {
        0 => {}
        1 => message += "; the best line crashes once, since that costs less than to brake",
        times => {
            message += &format!(
                "; the best line crashes {times} times, since that costs less than to brake"
            )
        }
    }
    let cannot = track.starts().len() - known.len();
    if cannot > 0 {
        let starts = if cannot == 1 { "1 start".into() } else { format!("{cannot} starts") };
        message += &format!("; {starts} cannot finish");
    }
    Ok(Solution {
        value: Some(least.in_turns()),
        unit: TURNS,
        proved: true,
        line,
        moves: Some(write_line(moves.iter().map(|made| made.acceleration))),
        message,
        front: None,
        counters,
    })
}

/// A time as people say it: `24 turns (23.38)`, of which the last is not driven to its end.
fn in_words(time: RaceTime) -> String {
    let turns = if time.turns == 1 { "turn" } else { "turns" };
    format!("{} {turns} ({:.2})", time.turns, time.in_turns())
}

fn by_search(
    level: &CheckedLevel<Racetrack>,
    (name, search): (&str, CarSearch),
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    let game = Arc::new(Racetrack::new(level, 1).map_err(|error| error.to_string())?);
    let clock = options.clock(stop);
    let limit = options.memory.map_or(MEMORY, MemoryLimit);
    let (end, found, counters) = find_race(&game, search, limit, &mut || clock.take(1));
    let counters = vec![
        ("states expanded", counters.expanded as f64),
        ("expanded again", counters.expanded_again as f64),
        ("states generated", counters.generated as f64),
        ("MiB", counters.bytes as f64 / f64::from(1 << 20)),
    ];
    let Some(found) = found else {
        let why = match end {
            SearchEnd::TimedOut => return options.not_solved(name, TURNS, counters, stop),
            SearchEnd::GaveUp => format!("gave up at its limit of {} MiB", limit.0 >> 20),
            SearchEnd::Unsolvable | SearchEnd::Solved => "found no way to the finish".into(),
        };
        return Ok(Solution::open(format!("{name} {why}"), TURNS, counters));
    };
    let promise = match search.bound() {
        Some(1) => "the fewest turns".into(),
        Some(factor) => format!("at most {factor} times the fewest turns"),
        None => "nothing is promised".into(),
    };
    let turns = time_in_words(found.time);
    let start = game.track().starts()[0];
    Ok(Solution {
        value: Some(found.time),
        moves: Some(write_line(found.moves)),
        line: found.line,
        ..Solution::open(
            format!("{name} finished in {turns} from {start}: {promise}"),
            TURNS,
            counters,
        )
    })
}

fn by_driving(
    level: &CheckedLevel<Racetrack>,
    name: &str,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    options.without_memory(name)?;
    let (game, played) = play_alone::<Racetrack>(level, name, options, stop)?;
    let car = played.state().cars[0];
    let line = played.states().iter().map(|race| race.cars[0].cell).collect::<Vec<_>>();
    let start = line[0];
    let counters = vec![
        ("work units", game.stats[0].work as f64),
        ("overruns", f64::from(game.stats[0].overruns)),
    ];
    let message = match Racetrack::race_time(&car) {
        Some(time) => format!("{name} finished in {} from {start}", in_words(time)),
        None => format!(
            "{name} {} after {} turns from {start}",
            game.outcome.places[0].ending, car.turns
        ),
    };
    let value = Racetrack::time(&car);
    let moves = Some(notation::write(&played));
    let front = None;
    Ok(Solution { value, unit: TURNS, proved: false, line, moves, message, front, counters })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::level::Crash;
    use crate::planners::StateSpace;
    use outwit_core::levels::RuleSet;

    use outwit_core::search::{GraphSearch, Status};
    use outwit_kit::read_level;
    use outwit_levels::list_with;

    fn built_in(id: &str) -> CheckedLevel<Racetrack> {
        let entry = outwit_levels::built_in(id).unwrap();
        read_level::<Racetrack>(&entry.bytes().unwrap(), id).unwrap()
    }

    /// The least number of turns of every built-in track, from its best start.
    const OPTIMA: &[(&str, u32)] = &[
        ("racetrack/chicane", 52),
        ("racetrack/delta", 18),
        ("racetrack/drag-strip", 34),
        ("racetrack/dunes", 19),
        ("racetrack/first-drive", 16),
        ("racetrack/first-lap", 46),
        ("racetrack/grand-tour", 202),
        ("racetrack/hairpins", 99),
        ("racetrack/harbour", 35),
        ("racetrack/islands", 13),
        ("racetrack/kidney", 77),
        ("racetrack/needle", 83),
        ("racetrack/open-square", 17),
        ("racetrack/pretzel", 95),
        ("racetrack/spiral", 85),
        ("racetrack/switchback", 97),
        ("racetrack/tiny", 10),
        ("racetrack/winding", 242),
    ];

    #[test]
    fn every_built_in_track_has_its_optimum() {
        let known: Vec<&str> = OPTIMA.iter().map(|(id, _)| *id).collect();
        let mut found: Vec<String> =
            list_with(None, Racetrack::ID).into_iter().map(|entry| entry.id).collect();
        found.sort_unstable();
        assert_eq!(found, known);
        for &(id, turns) in OPTIMA {
            let solved =
                solve(&built_in(id), &SolveOptions::default(), &StopFlag::default()).unwrap();
            // Whole turns, the last one counted in full.
            assert_eq!(solved.value.map(|time| time.floor() + 1.0), Some(f64::from(turns)), "{id}");
            assert!(
                solved.proved && !solved.message.contains("crashes"),
                "{id}: {}",
                solved.message
            );
        }
    }

    /// Where a crash costs little, the fastest way may be to ram the edge, and whoever draws the track is told.
    #[test]
    fn a_best_line_that_crashes_is_named() {
        let mut level = built_in("racetrack/first-drive").into_inner();
        let message = |level: &TrackFile| {
            let level = CheckedLevel::new(level.clone()).unwrap();
            solve(&level, &SolveOptions::default(), &StopFlag::default()).unwrap().message
        };
        assert!(!message(&level).contains("crashes"));
        level.rules.crash = Crash::Penalty(1);
        assert!(
            message(&level).contains("; the best line crashes once, since"),
            "{}",
            message(&level)
        );
    }

    #[test]
    fn the_first_race_is_fair() {
        let level = built_in("racetrack/first-drive");
        let track = super::super::Track::new(&level);
        let best = |&start: &Cell| {
            let options = SolveOptions { start: Some(start), ..SolveOptions::default() };
            solve(&level, &options, &StopFlag::default()).unwrap().value
        };
        let times: Vec<_> = track.starts().iter().map(best).collect();
        assert!(times.len() > 1 && times.iter().all(|time| *time == times[0]), "{times:?}");
    }

    #[test]
    fn a_plain_search_finds_the_same() {
        for id in ["racetrack/tiny", "racetrack/first-lap", "racetrack/delta"] {
            let level = built_in(id);
            let track = super::super::Track::new(&level);
            let space = StateSpace::new(&track);
            for &start in track.starts() {
                let (starts, limit) = ([space.at_rest(start)], MemoryLimit::default());
                let found = GraphSearch::breadth_first(&space, starts, limit, &mut ()).run(&space);
                let Status::Found { cost, .. } = found else { unreachable!("{id} is open") };
                let options = SolveOptions { start: Some(start), ..SolveOptions::default() };
                let solved = solve(&level, &options, &StopFlag::default()).unwrap();
                let turns = solved.value.map(|time| time.floor() + 1.0);
                assert_eq!(turns, Some(f64::from(cost)), "{id} from {start}");
            }
        }
    }

    #[test]
    fn a_start_must_be_on_plain_road() {
        let level = built_in("racetrack/tiny");
        for (x, y) in [(0, 0), (-1, 3), (99, 99), (2, 7)] {
            let options = SolveOptions { start: Some(Cell::new(x, y)), ..SolveOptions::default() };
            let error = solve(&level, &options, &StopFlag::default()).unwrap_err();
            assert!(error.starts_with("start ("), "{error}");
        }
    }

    /// The table proves that there is no way, and a driver does not set out.
    #[test]
    fn a_start_may_lead_nowhere() {
        let mut level = built_in("racetrack/tiny").into_inner();
        level.map = ["S.F##", "####.", "####."].map(str::to_owned).to_vec();
        let level = CheckedLevel::new(level).unwrap();
        let solved = |planner: Option<&str>| {
            let (planner, start) = (planner.map(str::to_owned), Some(Cell::new(4, 2)));
            let options = SolveOptions { planner, start, ..SolveOptions::default() };
            solve(&level, &options, &StopFlag::default())
        };
        let proved = solved(None).unwrap();
        assert_eq!((proved.value, proved.proved), (None, true));
        let why = "cell (4,2): the finish cannot be reached from this start";
        assert_eq!(solved(Some("greedy")).unwrap_err(), why);
    }

    #[test]
    fn the_table_keeps_the_limits() {
        let level = built_in("racetrack/first-lap");
        let solved = |budget: Option<&str>, memory| {
            let budget = budget.map(|text| text.parse().unwrap());
            let options = SolveOptions { budget, memory, ..SolveOptions::default() };
            solve(&level, &options, &StopFlag::default())
        };
        let whole = solved(None, None).unwrap();
        let states = whole.counters[0].1 as u64;
        assert_eq!(solved(Some(&format!("{states}w")), None).unwrap().value, whole.value);
        for budget in [&format!("{}w", states - 1), "1w", "0w", "0ms"] {
            let open = solved(Some(budget), None).unwrap();
            assert_eq!((open.value, open.proved), (None, false));
            assert_eq!(open.message, format!("optimal: not solved within {budget}"));
            assert!(open.counters[0].1 < states as f64);
        }
        let why = solved(None, Some(1 << 16)).unwrap_err();
        assert!(why.contains("it may take 0 MiB"), "{why}");
        let options = SolveOptions {
            planner: Some("greedy".into()),
            memory: Some(1 << 30),
            ..SolveOptions::default()
        };
        assert!(solve(&level, &options, &StopFlag::default()).is_err());
        let stop = StopFlag::default();
        stop.raise();
        assert!(solve(&level, &SolveOptions::default(), &stop).is_err());
    }

    /// A diagonal step is faster than 1, so this car never leaves its start.
    #[test]
    fn what_cannot_be_solved_says_so() {
        let mut level = built_in("racetrack/tiny").into_inner();
        level.map = ["######", "#S####", "##F###", "######"].map(str::to_owned).to_vec();
        assert_eq!(Racetrack::faults(&level), []);
        level.rules.set("max_speed", "1").unwrap();
        assert!(!Racetrack::faults(&level).is_empty());
        let solved = exactly(&level, &SolveOptions::default(), &StopFlag::default()).unwrap();
        assert_eq!((solved.value, solved.proved), (None, true));
    }
}
