//! `outwit compare`.

use super::limits;
use super::names;
use super::output::print_raw;
use super::rule_args::RuleArgs;
use super::solve::{trace_events, write_search_trace};
use super::source::{FoundLevel, find_level};
use super::table::table;
use super::waiting::Waiting;
use super::{Answer, ExitStatus, Failure, print_json, print_line, print_lines};
use clap::Args;
use outwit_core::grid::Cell;
use outwit_core::platform::interrupt::hold;
use outwit_core::platform::time::Duration;
use outwit_core::play::{Budget, StopFlag};
use outwit_core::search::{
    Recording, RecordingEnd, SearchDifference, SearchEvent, StateView, TRACE_EVENTS, TraceFormat,
};
use outwit_kit::comparison::measure;
use outwit_kit::{AnalyseOptions, SearchEnd, SearchLimits, plain_cell};
use serde::Serialize;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Compare searches of a level: what each took, and where they first differ.
///
/// The first search is compared with each of the others. Two searches differ first where one expands another state
/// than the other does after equally many expansions.
///
/// A search is a planner that searches, such as astar-h1, and may have settings: astar-h1:ties=fifo expands the state
/// first that waits longest where several are equally good, ties=lifo the latest, and ties=least-h the one with the
/// least estimate; astar-h1:weight=2 is weighted A*, with weights from 1 to 10. With both: astar-h1:ties=lifo,weight=2.
/// What 'at most' says is the factor of the least cost that the search promises.
///
/// Example: outwit compare pukoban/11-closet --search astar-h1 --search astar-matching:ties=fifo
#[derive(Args)]
pub struct Arguments {
    /// A level id or a file in any format.
    level: OsString,
    /// A search to compare; give at least two.
    #[arg(long, required = true, value_name = "NAME[:SETTINGS]")]
    search: Vec<String>,
    #[command(flatten)]
    rules: RuleArgs,
    /// The seconds of processor time after which a search is stopped.
    #[arg(long, value_name = "N", default_value = "60", value_parser = limits::seconds)]
    seconds: f64,
    /// The memory at which a search gives up, such as 512MB or 2GB; a number alone counts MiB.
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = limits::memory)]
    memory: usize,
    /// The number of events of each search among which the first difference is looked for.
    #[arg(long, value_name = "N", default_value_t = EVENTS, value_parser = trace_events)]
    events: usize,
    /// Also write each search, event by event, as a search trace for the Posthoc visualiser. Its name comes before the
    /// ending: out.yaml stands for out-astar-h1.yaml.
    #[arg(long, alias = "trace", value_name = "FILE.yaml|FILE.json")]
    search_trace: Option<PathBuf>,
    /// The number of events after which a search trace is cut.
    #[arg(long, value_name = "N", default_value_t = TRACE_EVENTS, requires = "search_trace",
        value_parser = trace_events)]
    trace_events: usize,
    /// Print the counts as CSV.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The events in which the first difference is looked for if nobody says otherwise. They are kept in memory, and most
/// searches differ long before.
const EVENTS: usize = 200_000;

/// What a search took.
#[derive(Serialize)]
struct Counts {
    search: String,
    end: SearchEnd,
    /// The score of the solution.
    length: Option<f64>,
    /// Whether no better solution exists.
    proved: bool,
    /// The factor of the least cost that the search promises.
    at_most: Option<u32>,
    /// Processor time.
    seconds: f64,
    expanded: u64,
    expanded_again: u64,
    generated: u64,
    largest_frontier: usize,
    bytes: usize,
}

/// How a search differs from the first one.
#[derive(Serialize)]
struct Difference {
    searches: [String; 2],
    /// Why this is not known, if it is not.
    unknown: Option<String>,
    /// How many expansions were looked at of each.
    compared: [usize; 2],
    /// Whether a search has more events than were looked at.
    is_cut: bool,
    /// The number of the first expansion that differs, from 1; `None` if none does.
    expansion: Option<usize>,
    /// What each expands there; `None` of one that expands no more.
    expands: [Option<Expansion>; 2],
}

/// What a search does at one expansion.
#[derive(Serialize)]
struct Expansion {
    /// The number of the event, from 1.
    number: usize,
    event: SearchEvent,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let [first, others @ ..] = arguments.search.as_slice() else {
        return Err(Failure::usage("name searches with --search".into()));
    };
    if others.is_empty() {
        let why = "one search has nothing to be compared with: give --search at least twice";
        return Err(Failure::usage(why.into()));
    }
    let found = find_level(&arguments.level, None)?;
    let mut bounds = Vec::new();
    for search in &arguments.search {
        bounds.push(names::search(found.kind, search)?);
    }
    let found = arguments.rules.apply(found)?;
    let traces = traces(arguments)?;
    let hold = hold();
    let stop = hold.stop();
    let waiting = Waiting::for_many(2 * arguments.search.len());
    let mut counts = Vec::new();
    for (search, bound) in arguments.search.iter().zip(bounds) {
        waiting.begin(counts.len(), search.clone());
        counts.push(count(arguments, &found, search, bound, stop)?);
        if stop.is_raised() {
            return Err(Failure::interrupted(vec!["interrupted".into()]));
        }
    }
    waiting.begin(counts.len(), format!("{first}, event by event"));
    let recorded = record(arguments, &found, first, stop);
    let mut differences = Vec::new();
    for (search, done) in others.iter().zip(counts.len() + 1..) {
        waiting.begin(done, format!("{search}, event by event"));
        let other = record(arguments, &found, search, stop);
        differences.push(difference([first, search], [&recorded, &other]));
    }
    drop(recorded);
    let mut written = Vec::new();
    for (search, (file, format)) in arguments.search.iter().zip(traces) {
        let events = (arguments.trace_events, format);
        write_search_trace(&found, &file, search, events, stop)
            .map_err(|faults| Failure::faults(&found.name(), &faults).into_usage())?;
        written.push(file);
    }
    drop(waiting);
    if stop.is_raised() {
        return Err(Failure::interrupted(vec!["interrupted".into()]));
    }
    if arguments.csv {
        print_raw(&csv(&counts));
    } else if arguments.json {
        let level = &found.entry.id;
        print_json(&json!({
            "level": level, "searches": counts, "differences": differences, "written": written,
        }))?;
    } else {
        print_line(&found.entry.id);
        print_lines(table(&counts.iter().map(row).collect::<Vec<_>>()));
        for difference in &differences {
            print_lines(lines(difference));
        }
        for file in written {
            print_line(format!("wrote {}", file.display()));
        }
    }
    Ok(Answer::Yes)
}

/// The file of each search trace with its format; none if none are wanted.
fn traces(arguments: &Arguments) -> Result<Vec<(PathBuf, TraceFormat)>, Failure> {
    let Some(file) = &arguments.search_trace else { return Ok(Vec::new()) };
    let format = trace_format(file)?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    let named = |search: &String| {
        // No system likes colons in names of files.
        let search = search.replace([':', ',', '='], "-");
        (file.with_file_name(format!("{stem}-{search}.{ending}")), format)
    };
    Ok(arguments.search.iter().map(named).collect())
}

/// The format of a search trace of this name.
pub fn trace_format(file: &Path) -> Result<TraceFormat, Failure> {
    TraceFormat::of(file).ok_or_else(|| {
        Failure::usage(format!(
            "{}: the name of a search trace must end in .yaml or .json",
            file.display()
        ))
    })
}

fn count(
    arguments: &Arguments,
    found: &FoundLevel,
    search: &str,
    bound: Option<u32>,
    stop: &StopFlag,
) -> Result<Counts, Failure> {
    let level = found
        .kind
        .read(&found.bytes, &found.name())
        .map_err(|faults| Failure::faults(&found.name(), &faults))?;
    let limits = SearchLimits {
        memory: arguments.memory,
        time: Duration::from_secs_f64(arguments.seconds),
        runs: 1,
    };
    let figures = measure(found.kind, &level, search, limits, stop)?;
    Ok(Counts {
        search: search.to_owned(),
        end: figures.end,
        length: figures.length,
        proved: figures.proved,
        at_most: bound,
        seconds: figures.cpu.as_secs_f64(),
        expanded: figures.expanded,
        expanded_again: figures.expanded_again,
        generated: figures.generated,
        largest_frontier: figures.largest_frontier,
        bytes: figures.bytes,
    })
}

/// The first events of a search, or why there are none.
fn record(
    arguments: &Arguments,
    found: &FoundLevel,
    search: &str,
    stop: &StopFlag,
) -> Result<Recording, String> {
    let options = AnalyseOptions {
        turn: None,
        planner: Some(search.to_owned()),
        seat: None,
        budget: Budget::default(),
        seed: 0,
    };
    found
        .kind
        .record_search(&found.bytes, &found.name(), &options, arguments.events, stop)
        .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

fn difference(searches: [&String; 2], recorded: [&Result<Recording, String>; 2]) -> Difference {
    let searches = searches.map(Clone::clone);
    let unknown = |why: &String| Difference {
        searches: searches.clone(),
        unknown: Some(why.clone()),
        compared: [0, 0],
        is_cut: false,
        expansion: None,
        expands: [None, None],
    };
    let recordings = match recorded {
        [Ok(one), Ok(other)] => [one, other],
        [Err(why), _] | [_, Err(why)] => return unknown(why),
    };
    let difference = SearchDifference::new(recordings);
    let first = difference.first();
    let expands = [0, 1].map(|side| {
        let number = first.filter(|&number| number < difference.expanded(side))?;
        let at = difference.event(side, number)?;
        Some(Expansion { number: at + 1, event: recordings[side].events.get(at)?.clone() })
    });
    Difference {
        unknown: None,
        compared: [0, 1].map(|side| difference.expanded(side)),
        is_cut: recordings.iter().any(|recording| recording.end == RecordingEnd::Cut),
        expansion: first.map(|number| number + 1),
        expands,
        searches,
    }
}

/// A row of the table for people.
fn row(counts: &Counts) -> Value {
    let end = match (counts.end, counts.proved) {
        (SearchEnd::Solved, true) => "solved, proved",
        (SearchEnd::Solved, false) => "solved",
        (SearchEnd::Unsolvable, _) => "no solution, proved",
        (SearchEnd::GaveUp, _) => "gave up at its limit",
        (SearchEnd::TimedOut, _) => "out of time",
    };
    json!({
        "search": counts.search,
        "length": counts.length,
        "at most": counts.at_most,
        "ms": counts.seconds * 1000.0,
        "expanded": counts.expanded,
        "again": counts.expanded_again,
        "generated": counts.generated,
        "largest open": counts.largest_frontier,
        "MiB": counts.bytes as f64 / f64::from(1 << 20),
        "end": end,
    })
}

fn csv(counts: &[Counts]) -> String {
    let head = "search,end,length,proved,at_most,seconds,expanded,expanded_again,generated,\
                largest_frontier,bytes\n";
    let rows = counts.iter().map(|row| {
        // The words of an end are plain.
        let end = serde_json::to_string(&row.end).unwrap_or_default();
        let cells = [
            plain_cell(&row.search),
            end.trim_matches('"').into(),
            row.length.map(|length| length.to_string()).unwrap_or_default(),
            row.proved.to_string(),
            row.at_most.map(|factor| factor.to_string()).unwrap_or_default(),
            format!("{:.6}", row.seconds),
            row.expanded.to_string(),
            row.expanded_again.to_string(),
            row.generated.to_string(),
            row.largest_frontier.to_string(),
            row.bytes.to_string(),
        ];
        cells.join(",") + "\n"
    });
    head.to_owned() + &rows.collect::<String>()
}

/// A difference in words.
fn lines(difference: &Difference) -> Vec<String> {
    let [one, other] = &difference.searches;
    if let Some(why) = &difference.unknown {
        return vec![format!("{one} and {other}: where they differ is not known: {why}")];
    }
    let looked_at = if difference.is_cut { ", as far as their events were looked at" } else { "" };
    let Some(number) = difference.expansion else {
        return vec![format!(
            "{one} and {other}: both expand the same states in the same order{looked_at}"
        )];
    };
    let mut lines = vec![format!("{one} and {other} differ first at expansion {number}:")];
    for (side, search) in difference.searches.iter().enumerate() {
        lines.push(match &difference.expands[side] {
            Some(Expansion { number: at, event }) => {
                let SearchEvent { id, f, g, h, .. } = event;
                let state = state_words(&event.state);
                let side = if event.backward { " from the goals" } else { "" };
                format!(
                    "  {search} (event {at}) expands node {id}{side}: f {f}, g {g}, h {h}; {state}"
                )
            }
            None if difference.is_cut => {
                format!("  {search}: its event there was not looked at; raise --events")
            }
            None => {
                format!("  {search} ends after {} expansions", difference.compared[side])
            }
        });
    }
    lines
}

/// What can be seen of a state, in words.
fn state_words(state: &StateView) -> String {
    let mut words = vec![format!("at {}", state.cell)];
    if !state.others.is_empty() {
        let others: Vec<String> = state.others.iter().map(Cell::to_string).collect();
        words.push(format!("others at {}", others.join(" ")));
    }
    words.extend(state.values.iter().map(|(name, value)| format!("{name} {value}")));
    words.join(", ")
}
