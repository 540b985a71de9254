//! `outwit solve`.

use super::compare::trace_format;
use super::input::{is_input, read};
use super::rule_args::RuleArgs;
use super::source::{FoundLevel, find_level};
use super::table::decimal;
use super::values::budget;
use super::waiting::Waiting;
use super::{Answer, ExitStatus, Failure, print_json, print_line};
use super::{limits, names};
use clap::Args;
use outwit_core::grid::Cell;
use outwit_core::levels::Fault;
use outwit_core::platform::store::{self, StoreError};
use outwit_core::platform::task::Task;
use outwit_core::platform::time::{Duration, Instant, sleep};
use outwit_core::play::{Budget, StopFlag};
use outwit_core::search::{TRACE_EVENTS, TraceFormat};
use outwit_kit::{ParetoFront, Solution, SolveOptions, SolveProgress};
use serde_json::json;
use std::ffi::{OsStr, OsString};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Solve a level: print its exact value, or the result of a planner.
///
/// The exit code is 1 if there is no solution, or none was found within the limits.
///
/// With --moves, play these moves instead and say how the match ends. The exit code is 1 if they break
/// a rule or do not solve the level.
///
/// With --search-trace, also write how the planner searches; it begins where the level begins.
///
/// Example: outwit solve racetrack/first-lap --start 20,21
#[derive(Args)]
pub struct Arguments {
    /// A level id or a file in any format.
    level: OsString,
    /// Use this planner instead of the exact method. One that searches may have settings, such as
    /// astar-h1:ties=fifo or astar-h1:weight=2: see 'outwit compare'.
    #[arg(long)]
    planner: Option<String>,
    #[command(flatten)]
    rules: RuleArgs,
    /// How much thinking is allowed: time such as 500ms, or work such as 20000w. A planner that plays a
    /// match has it per turn [default: 20000w]; a search or an exact method has it in all [default: no
    /// limit].
    #[arg(long, value_parser = budget)]
    budget: Option<Budget>,
    /// The seconds after which solving stops, with what is known by then.
    #[arg(long, value_name = "N", value_parser = limits::seconds)]
    seconds: Option<f64>,
    /// The memory at which a search or an exact table gives up, such as 512MB or 2GB [default: 4GiB in
    /// Pukoban, 2GiB in Racetrack].
    #[arg(long, value_name = "SIZE", value_parser = limits::memory)]
    memory: Option<usize>,
    /// The seed of the match that the planner plays.
    #[arg(long, default_value_t = 0, requires = "planner")]
    seed: u64,
    /// Start at this cell instead of the start of the level. In a game of several seats it is where the
    /// first one starts.
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true)]
    start: Option<Cell>,
    /// Play these moves, in the game's notation, or those in this file.
    #[arg(
        long,
        value_name = "MOVES|FILE",
        allow_hyphen_values = true,
        conflicts_with_all = ["planner", "budget", "seconds", "memory", "start", "search_trace"]
    )]
    moves: Option<OsString>,
    /// Write the planner's search, event by event, as it goes on, as a search trace for the Posthoc visualiser: as YAML or
    /// JSON, as the ending of the file's name says.
    #[arg(long, value_name = "FILE.yaml|FILE.json", requires = "planner")]
    search_trace: Option<PathBuf>,
    /// The number of events after which the search trace is cut.
    #[arg(long, value_name = "N", default_value_t = TRACE_EVENTS, requires = "search_trace",
        value_parser = trace_events)]
    trace_events: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// More events make files of gigabytes that nothing reads.
const MOST_TRACE_EVENTS: usize = 10_000_000;

pub fn trace_events(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(events) if (1..=MOST_TRACE_EVENTS).contains(&events) => Ok(events),
        _ => Err(format!("a trace has 1 to {MOST_TRACE_EVENTS} events, not '{text}'")),
    }
}

fn cell(text: &str) -> Result<Cell, String> {
    let parts = text
        .split_once(',')
        .and_then(|(x, y)| Some(Cell::new(x.trim().parse().ok()?, y.trim().parse().ok()?)));
    parts.ok_or_else(|| format!("'{text}' is not a cell: write X,Y, such as 12,5"))
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let found = find_level(&arguments.level, None)?;
    if let Some(name) = &arguments.planner {
        names::solver(found.kind, name)?;
    }
    let found = arguments.rules.apply(found)?;
    let faults = found.kind.check(&found.bytes, &found.name());
    if !faults.is_empty() {
        return Err(Failure::faults(&found.name(), &faults));
    }
    if let Some(moves) = &arguments.moves {
        return play_moves(arguments, &found, moves);
    }
    let solution = find_solution(arguments, &found)?;
    if arguments.json {
        print_json(&solution)?;
    } else {
        print_line(format!("{}: {}", found.entry.id, solution.message));
        if let Some(moves) = &solution.moves {
            print_line(format!("  moves: {moves}"));
        }
        for line in solution.front.iter().flat_map(front_lines) {
            print_line(line);
        }
        for (name, value) in &solution.counters {
            print_line(format!("  {name}: {}", shorten(*value)));
        }
    }
    Ok(if solution.value.is_some() { Answer::Yes } else { Answer::No })
}

/// How long a solver may take to notice that its time is over before it is left alone.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often it is looked whether a solver is done, at least.
const POLL: Duration = Duration::from_millis(10);

/// Solves a level, with the search trace if one is wanted, on threads of their own, so that the time limit
/// holds whatever the solver does.
fn find_solution(arguments: &Arguments, found: &FoundLevel) -> Result<Solution, Failure> {
    let options = SolveOptions {
        planner: arguments.planner.clone(),
        budget: arguments.budget,
        memory: arguments.memory,
        start: arguments.start,
        seed: arguments.seed,
        progress: SolveProgress::default(),
    };
    let progress = options.progress.clone();
    let told = progress.clone();
    let _waiting = Waiting::for_one(move || match told.told() {
        (0, _) => String::new(),
        (states, bytes) => format!("{states} states, {} MiB", bytes >> 20),
    });
    let time = arguments.seconds.map(Duration::from_secs_f64);
    let end = time.map(|time| Instant::now() + time);
    let kind = found.kind;
    if let (Some(file), Some(planner)) = (&arguments.search_trace, arguments.planner.clone()) {
        let (file, events) = (file.clone(), (arguments.trace_events, trace_format(file)?));
        let level = found.clone();
        let task = Task::begin(move |context| {
            write_search_trace(&level, &file, &planner, events, context.stop())
        });
        within(&task, end, found)?;
    }
    let bytes = found.bytes.clone();
    let name = found.name();
    let task = Task::begin(move |context| {
        kind.solve_level(&kind.read(&bytes, &name)?, &options, context.stop())
    });
    if let Some(solution) = within(&task, end, found)? {
        return Ok(solution);
    }
    let mut counters = Vec::new();
    if let (states @ 1.., bytes) = progress.told() {
        counters.push(("states expanded", states as f64));
        counters.push(("MiB", bytes as f64 / f64::from(1 << 20)));
    }
    let seconds = arguments.seconds.unwrap_or_default();
    let message = format!("not solved within {seconds} s");
    Ok(Solution::open(message, kind.facts().score.unit, counters))
}

/// Writes the search trace of a planner into a file, while the search goes on.
///
/// # Errors
/// Why there is none; the file is as it was then.
pub fn write_search_trace(
    found: &FoundLevel,
    file: &Path,
    planner: &str,
    events: (usize, TraceFormat),
    stop: &StopFlag,
) -> Result<(), Vec<Fault>> {
    let fail = |error: StoreError| vec![Fault::whole(error.to_string())];
    let mut out = BufWriter::new(store::Replacement::begin(file).map_err(fail)?);
    found.kind.search_trace(&found.bytes, &found.name(), planner, events, &mut out, stop)?;
    let written = out.into_inner().map_err(|error| fail(StoreError::new(file, error.error())))?;
    written.finish().map_err(fail)
}

/// The result of a task; `None` if there is none when its time is over.
fn within<T: Clone + Send + Sync + 'static>(
    task: &Task<Result<T, Vec<Fault>>>,
    end: Option<Instant>,
    found: &FoundLevel,
) -> Result<Option<T>, Failure> {
    let mut pause = Duration::from_micros(100);
    let is_over = |patience| end.is_some_and(|end| Instant::now() >= end + patience);
    while !task.is_done() && !is_over(PATIENCE) {
        if is_over(Duration::ZERO) {
            task.cancel();
        }
        sleep(pause);
        pause = (pause * 2).min(POLL);
    }
    match (task.get(), task.failure()) {
        (Some(Ok(result)), _) => Ok(Some(result.clone())),
        (_, Some(why)) => Err(Failure::usage(format!("the solver crashed: {why}"))),
        // A solver that was stopped says only that.
        _ if is_over(Duration::ZERO) => Ok(None),
        (Some(Err(faults)), _) => Err(Failure::faults(&found.name(), faults).into_usage()),
        (None, None) => Ok(None),
    }
}

/// Plays moves instead of solving, and says how the match ends.
fn play_moves(arguments: &Arguments, found: &FoundLevel, moves: &OsStr) -> ExitStatus {
    let file = Path::new(moves);
    let text = if is_input(file) {
        String::from_utf8_lossy(&read(file)?).into_owned()
    } else {
        moves.to_string_lossy().into_owned()
    };
    let level = found.kind.read(&found.bytes, &found.name());
    let played = level
        .and_then(|level| found.kind.play_moves(&level, &text))
        .map_err(|faults| Failure::faults(&found.name(), &faults))?;
    let solved = played.is_solved;
    if arguments.json {
        print_json(&json!({ "turns": played.turns, "outcome": played.outcome, "solved": solved }))?;
    } else {
        let end = played.outcome.as_ref().map_or("the match is not over", |over| &over.headline);
        print_line(format!("{}: after {} turns: {end}", found.entry.id, played.turns));
    }
    Ok(if solved { Answer::Yes } else { Answer::No })
}

/// The solutions of a front, each in a line of its own below a heading.
fn front_lines(front: &ParetoFront) -> Vec<String> {
    let [first, second] = front.measures;
    let note = if front.complete { "" } else { ", incomplete" };
    let heading = format!("  Pareto front of {first} against {second}{note}:");
    let lines = front.points.iter().map(|point| {
        let [a, b] = point.values.map(shorten);
        format!("    {first} {a}, {second} {b}: {}", point.moves)
    });
    std::iter::once(heading).chain(lines).collect()
}

/// A whole number without decimals, or another one [with some](decimal).
pub fn shorten(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { decimal(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_kit::ParetoPoint;

    #[test]
    fn small_numbers_keep_two_digits() {
        let shown = [0.0, 3.0, -2.0, 1.005, 280.074, 0.25, 0.0999, 0.0059, -0.0059, 4.2e-9];
        let shown = shown.map(shorten);
        let wanted =
            ["0", "3", "-2", "1.00", "280.07", "0.25", "0.100", "0.0059", "-0.0059", "4.2e-9"];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn each_point_of_a_front_has_its_line() {
        let point = |values, moves: &str| ParetoPoint { values, moves: moves.into() };
        let points = vec![point([2.0, 1.5], "rr"), point([4.0, 0.0], "drru")];
        let mut front = ParetoFront { measures: ["moves", "exposure"], points, complete: true };
        let lines = front_lines(&front);
        assert_eq!(lines[1..], ["    moves 2, exposure 1.50: rr", "    moves 4, exposure 0: drru"]);
        assert!(!lines[0].contains("incomplete"));
        front.complete = false;
        assert!(front_lines(&front)[0].contains("incomplete"));
    }
}
