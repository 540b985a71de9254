//! The least cost of a level, or what a planner makes of it.

use super::planners::{self, MEMORY_LIMIT, SearchPlanner, search_of};
use super::rules::{Pukoban, PukobanState};
use super::search::{End, Incumbent, Puzzle, SearchTask};
use super::{PukobanStep, solution};
use outwit_core::platform::task::AtWork;
use outwit_core::platform::time::{Duration, Instant, thread_cpu};
use outwit_core::play::{Budget, CheckedLevel, Clock, Game, Seat, StopFlag, find_planner};
use outwit_core::search::{Counters, EventSink, MemoryLimit, RecordingSummary};
use outwit_kit::tournament::play_alone;
use outwit_kit::{SearchEnd, SearchFigures, SearchLimits, SearchNameError, Solution, SolveOptions};
use std::sync::Arc;

/// The planner that solves if none is named.
pub(super) const EXACT: &str = "best";

/// Solves a level by the named planner, or exactly without a name. To one that searches the limits
/// apply as a whole; `random` plays a match.
///
/// # Errors
/// If a start is given, the planner is unknown, `random` is to keep a limit of memory, or `stop` is
/// raised before a solution is known.
pub fn solve(
    level: &CheckedLevel<Pukoban>,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    if options.start.is_some() {
        return Err("a level of Pukoban starts where its player stands".into());
    }
    let name = options.planner.as_deref().unwrap_or(EXACT);
    let game = Pukoban::new(level, 1).map_err(|error| error.to_string())?;
    match search_of(name) {
        Ok(search) => by_search(&game, (name, search), options, stop),
        Err(SearchNameError::Unknown(_)) => {
            find_planner(planners::ALL, name, Seat(0))?;
            by_playing(level, name, options, stop)
        }
        Err(why) => Err(why.to_string()),
    }
}

/// What came of a search.
#[derive(Default)]
struct Ran {
    /// How it ended; `None` if it was stopped.
    end: Option<End>,
    /// The solution that it knew without the proof.
    incumbent: Option<Incumbent>,
    counters: Counters,
}

/// Runs a search of a level until it ends, the clock refuses, or `go_on`, which is told from time to
/// time what it did, says no.
fn run(
    game: &Pukoban,
    search: &SearchPlanner,
    limit: MemoryLimit,
    clock: &Clock,
    go_on: &mut dyn FnMut(&Counters) -> bool,
) -> Ran {
    let puzzle = Arc::new(Puzzle::of(game));
    let Some(task) = SearchTask::of(game, &puzzle, game.opening(), limit) else {
        return Ran::default();
    };
    let mut engine = search.method.begin(&task);
    let end = engine.run_while(clock, &mut |engine| go_on(&engine.counters()));
    Ran { end, incumbent: engine.incumbent(), counters: engine.counters() }
}

fn by_search(
    game: &Pukoban,
    (name, search): (&str, SearchPlanner),
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    let limit = options.memory.map_or(MEMORY_LIMIT, MemoryLimit);
    let _at_work = AtWork::begin();
    let clock = match options.budget {
        // The same work need not give the same answer, so a free core may help.
        None => Clock::new(Budget::Time(Duration::MAX), stop.clone()),
        Some(_) => options.clock(stop),
    };
    let ran = run(game, &search, limit, &clock, &mut |counters| {
        options.progress.tell(counters.expanded, counters.bytes);
        true
    });
    let counters = ran.counters;
    let spent_on_it = vec![
        ("states expanded", counters.expanded as f64),
        ("expanded again", counters.expanded_again as f64),
        ("states generated", counters.generated as f64),
        ("MiB", counters.bytes as f64 / f64::from(1 << 20)),
    ];
    let solution = Solution::open(String::new(), game.unit(game.objective()), spent_on_it);
    let many = solution.unit.many;
    let limit = format!("its limit of {} MiB of memory or of depth", limit.0 >> 20);
    match (ran.end, ran.incumbent) {
        (Some(End::Solved { steps, cost }), _) => {
            let proved = search.is_optimal();
            solved(game, solution, (&steps, cost, proved), |spent| match search.bound {
                Some(1) => format!("solved in {spent}: the fewest {many}, proved"),
                Some(factor) => {
                    format!("{name} solved it in {spent}: at most {factor} times the fewest {many}")
                }
                None => format!("{name} solved it in {spent}; nothing is proved"),
            })
        }
        (Some(End::Unsolvable), _) => {
            let message = "there is no solution, proved".into();
            Ok(Solution { proved: true, message, ..solution })
        }
        (end, Some(Incumbent { steps, cost, at_least })) => {
            let when = match (end, options.budget) {
                (Some(_), _) => format!("within {limit}"),
                (None, Some(budget)) if !stop.is_raised() => format!("within {budget}"),
                (None, _) => "before it was stopped".into(),
            };
            solved(game, solution, (&steps, cost, false), |spent| {
                format!(
                    "{name} solved it in {spent} {when}; the fewest {many} are between \
                     {at_least} and {cost}"
                )
            })
        }
        (None, None) => options.not_solved(name, solution.unit, solution.counters, stop),
        (Some(End::GaveUp), None) => {
            let message = format!("{name} gave up at {limit}; whether there is a solution is open");
            Ok(Solution { message, ..solution })
        }
    }
}

/// The answer with a solution: its steps, what they cost, and whether nothing less is possible. The
/// message is made of what is spent on it.
///
/// # Errors
/// If a step is illegal.
fn solved(
    game: &Pukoban,
    solution: Solution,
    (steps, cost, proved): (&[PukobanStep], u32, bool),
    message: impl FnOnce(String) -> String,
) -> Result<Solution, String> {
    let mut position = game.opening().clone();
    let mut line = vec![position.player];
    for &step in steps {
        game.take(&mut position, step).map_err(|why| why.to_string())?;
        line.push(position.player);
    }
    Ok(Solution {
        value: Some(f64::from(cost)),
        proved,
        line,
        moves: Some(solution::write_steps(game, game.opening(), steps)),
        message: message(game.spent(&position)),
        ..solution
    })
}

fn by_playing(
    level: &CheckedLevel<Pukoban>,
    name: &str,
    options: &SolveOptions,
    stop: &StopFlag,
) -> Result<Solution, String> {
    options.without_memory(name)?;
    let (game, played) = play_alone::<Pukoban>(level, name, options, stop)?;
    let value = game.outcome.places.first().and_then(|place| place.score);
    Ok(Solution {
        value,
        unit: played.game().unit(played.game().objective()),
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
    level: &CheckedLevel<Pukoban>,
    planner: &str,
    limits: SearchLimits,
    stop: &StopFlag,
) -> Option<SearchFigures> {
    let search = search_of(planner).ok()?;
    let game = Pukoban::new(level, 1).ok()?;
    let runs = limits.runs.max(1);
    let limit = MemoryLimit(limits.memory);
    let clock = Clock::new(Budget::Work(u64::MAX), stop.clone());
    // Where threads are not timed the wall clock stands in, for the limit too.
    let wall = Instant::now();
    let before = thread_cpu();
    let spent = || {
        let cpu = before.zip(thread_cpu()).map(|(before, now)| now.saturating_sub(before));
        cpu.unwrap_or_else(|| wall.elapsed())
    };
    let mut ran = Ran::default();
    for _ in 0..runs {
        let begun = spent();
        let in_time = &mut |_: &Counters| spent().saturating_sub(begun) < limits.time;
        ran = run(&game, &search, limit, &clock, in_time);
    }
    let cpu = spent();
    let Ran { end, incumbent, counters } = ran;
    let proved = match &end {
        Some(End::Solved { .. }) => search.is_optimal(),
        end => *end == Some(End::Unsolvable),
    };
    let (end, length) = match (end, incumbent) {
        (Some(End::Solved { cost, .. }), _) => (SearchEnd::Solved, Some(cost)),
        (Some(End::Unsolvable), _) => (SearchEnd::Unsolvable, None),
        (_, Some(known)) => (SearchEnd::Solved, Some(known.cost)),
        (Some(End::GaveUp), None) => (SearchEnd::GaveUp, None),
        (None, None) => (SearchEnd::TimedOut, None),
    };
    Some(SearchFigures {
        end,
        length: length.map(f64::from),
        proved,
        cpu: cpu / runs,
        expanded: counters.expanded,
        expanded_again: counters.expanded_again,
        generated: counters.generated,
        largest_frontier: counters.largest_frontier,
        bytes: counters.bytes,
    })
}

/// Hands the first events of a search from a position to a sink.
pub(super) fn stream(
    game: &Pukoban,
    position: &PukobanState,
    planner: &str,
    events: (usize, &mut dyn EventSink),
    stop: &StopFlag,
) -> Option<Result<RecordingSummary, String>> {
    let search = search_of(planner).ok()?;
    let puzzle = Arc::new(Puzzle::of(game));
    let task = SearchTask::of(game, &puzzle, position, MEMORY_LIMIT)?;
    Some(search.method.stream(&task, events, &|| stop.is_raised()))
}
