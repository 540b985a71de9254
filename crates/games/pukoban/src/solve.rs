//! The least cost of a level, or what a planner makes of it.

use super::level::{Objective, PukobanFile};
use super::planners::{self, MEMORY_LIMIT, SearchPlanner, search_of};
use super::rules::{Pukoban, PukobanState, spent};
use super::search::{End, Puzzle, SearchTask};
use super::{BOX_MOVES, STEPS, solution};
use outwit_core::platform::time::{Instant, thread_cpu};
use outwit_core::play::{Budget, Clock, Game, Seat, StopFlag, Unit, find_planner};
use outwit_core::search::{Counters, MemoryLimit, Recording};
use outwit_kit::tournament::play_alone;
use outwit_kit::{SearchEnd, SearchFigures, SearchLimits, Solution, SolveOptions};
use std::sync::Arc;

/// The planner that solves if none is named.
pub(super) const EXACT: &str = "best";

/// Solves a level by the named planner, or exactly without a name. A planner that searches does so
/// until it ends, whatever the budget of a turn; `random` plays a match.
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
    let name = options.planner.as_deref().unwrap_or(EXACT);
    find_planner(planners::ALL, name, Seat(0))?;
    let game = Pukoban::new(level, 1).map_err(|error| error.to_string())?;
    match search_of(name) {
        Some(search) => by_search(&game, search, stop),
        None => by_playing(level, name, options, stop),
    }
}

/// What the objective counts, in words.
pub(super) fn unit(objective: Objective) -> Unit {
    match objective {
        Objective::Steps => STEPS.unit,
        Objective::BoxMoves => BOX_MOVES.unit,
    }
}

/// Runs a search from a position; `None` as its end if `clock` refused.
pub(super) fn run(
    game: &Pukoban,
    search: &SearchPlanner,
    position: &PukobanState,
    limit: MemoryLimit,
    clock: &Clock,
) -> (Option<End>, Counters) {
    let puzzle = Arc::new(Puzzle::of(game));
    let Some(task) = SearchTask::of(game, &puzzle, position, limit) else {
        return (None, Counters::default());
    };
    let mut engine = search.method.begin(&task);
    (engine.run(clock), engine.counters())
}

fn by_search(game: &Pukoban, search: &SearchPlanner, stop: &StopFlag) -> Result<Solution, String> {
    let clock = Clock::new(Budget::Work(u64::MAX), stop.clone());
    let (end, counters) = run(game, search, game.opening(), MEMORY_LIMIT, &clock);
    let name = search.name;
    let mut solution = Solution {
        value: None,
        unit: unit(game.objective()),
        proved: false,
        line: Vec::new(),
        moves: None,
        message: String::new(),
        front: None,
        counters: vec![
            ("states expanded", counters.expanded as f64),
            ("states generated", counters.generated as f64),
            ("MiB", counters.bytes as f64 / f64::from(1 << 20)),
        ],
    };
    match end {
        None => return Err("the search was stopped".into()),
        Some(End::GaveUp) => {
            solution.message = format!(
                "{name} gave up at its limit of {} GiB or of depth; whether there is a solution is open",
                MEMORY_LIMIT.0 >> 30
            );
        }
        Some(End::Unsolvable) => {
            solution.proved = true;
            solution.message = "there is no solution, proved".into();
        }
        Some(End::Solved { steps, cost }) => {
            let mut position = game.opening().clone();
            solution.line.push(position.player);
            for &step in &steps {
                game.take(&mut position, step)?;
                solution.line.push(position.player);
            }
            solution.value = Some(f64::from(cost));
            solution.proved = search.is_optimal;
            solution.moves = Some(solution::write_steps(game, game.opening(), &steps));
            solution.message = if search.is_optimal {
                format!(
                    "solved in {}: the fewest {}, proved",
                    spent(&position),
                    unit(game.objective()).many
                )
            } else {
                format!("{name} solved it in {}; nothing is proved", spent(&position))
            };
        }
    }
    Ok(solution)
}

fn by_playing(
    level: &PukobanFile,
    name: &str,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    let (game, played) = play_alone::<Pukoban>(level, name, options, stop)?;
    let value = game.outcome.places.first().and_then(|place| place.score);
    Ok(Solution {
        value,
        unit: unit(played.game().objective()),
        proved: false,
        line: played.states().iter().map(|position| position.player).collect(),
        moves: Some(solution::write(&played)),
        message: format!("{name}: {}", game.outcome.headline),
        front: None,
        counters: vec![("work units", game.stats.first().map_or(0.0, |stats| stats.work as f64))],
    })
}

/// What a search of a level takes.
pub(super) fn measure(
    level: &PukobanFile,
    planner: &str,
    limits: SearchLimits,
    stop: &StopFlag,
) -> Option<SearchFigures> {
    let search = search_of(planner)?;
    let game = Pukoban::new(level, 1).ok()?;
    let (runs, limit) = (limits.runs.max(1), MemoryLimit(limits.memory));
    let (wall, before) = (Instant::now(), thread_cpu());
    let mut ran = (None, Counters::default());
    for _ in 0..runs {
        let clock = Clock::new(Budget::Time(limits.time), stop.clone());
        ran = run(&game, search, game.opening(), limit, &clock);
    }
    let cpu = before.zip(thread_cpu()).map(|(before, after)| after.saturating_sub(before));
    let (end, counters) = ran;
    let length = match end {
        Some(End::Solved { cost, .. }) => Some(f64::from(cost)),
        _ => None,
    };
    let end = match end {
        None => SearchEnd::TimedOut,
        Some(End::GaveUp) => SearchEnd::GaveUp,
        Some(End::Unsolvable) => SearchEnd::Unsolvable,
        Some(End::Solved { .. }) => SearchEnd::Solved,
    };
    Some(SearchFigures {
        end,
        length,
        proved: end == SearchEnd::Unsolvable || end == SearchEnd::Solved && search.is_optimal,
        cpu: cpu.unwrap_or_else(|| wall.elapsed()) / runs,
        expanded: counters.expanded,
        generated: counters.generated,
        bytes: counters.bytes,
    })
}

/// The first events of a search from a position.
pub(super) fn record(
    game: &Pukoban,
    position: &PukobanState,
    planner: &str,
    events: usize,
    stop: &StopFlag,
) -> Option<Result<Recording, String>> {
    let search = search_of(planner)?;
    let puzzle = Arc::new(Puzzle::of(game));
    let task = SearchTask::of(game, &puzzle, position, MEMORY_LIMIT)?;
    Some(search.method.record(&task, events, &|| stop.is_raised()))
}
