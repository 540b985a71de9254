//! `outwit bench`.

use super::names::{game, games, suggest};
use super::output::{is_broken, print_raw};
use super::solve::shorten;
use super::source::find_level;
use super::{Answer, ExitStatus, Failure, Window, eprint_line, print_json, print_line};
use clap::Args;
use outwit_bench::{BenchRow, bench};
use outwit_core::levels::read;
use outwit_core::platform::interrupt;
use outwit_core::platform::interrupt::hold;
use outwit_core::platform::store;
use outwit_core::platform::time::Duration;
use outwit_kit::comparison::{ComparisonRow, compare, csv};
use outwit_kit::{AnyLevel, CollectionEntry, DynGame, SearchEnd, SearchLimits};
use outwit_levels::list_with;
use serde_json::{Value, json};
use std::path::Path;

/// Measure the speed of rules and planners; use a release build.
///
/// With the name of a game whose planners search for solutions, or with --level, also compare these
/// planners: length found, processor time, states expanded, memory, and time by the yardstick's.
///
/// Example: outwit bench pukoban --level pukoban/01-first-push --planner best
#[derive(Args)]
pub struct Arguments {
    /// Measure only this game, or `editor`: frame times while painting on a map of 512x512 cells, or
    /// `match`: frame times of the match screen at rest, in motion, and while planners think.
    game: Option<String>,
    /// Compare on this level, an id or a file with one level or several, instead of on all built-in
    /// levels; may be repeated.
    #[arg(long, value_name = "LEVEL", requires = "game")]
    level: Vec<String>,
    /// Compare only this planner; may be repeated.
    #[arg(long, requires = "game")]
    planner: Vec<String>,
    /// Compare only, and set this rule of every level.
    #[arg(long, value_name = "KEY=VALUE", requires = "game", value_parser = rule)]
    set: Vec<(String, String)>,
    /// The seconds after which a search of the comparison is stopped.
    #[arg(long, default_value_t = 60, requires = "game", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: u64,
    /// The memory in MiB at which a search of the comparison gives up.
    #[arg(long, default_value_t = 4096, requires = "game", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory: u64,
    /// Print the comparison as CSV.
    #[arg(long, requires = "game", conflicts_with = "json")]
    csv: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn rule(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    Ok((key.trim().into(), value.trim().into()))
}

impl Arguments {
    /// Whether to measure the match screen.
    fn is_match(&self) -> bool {
        self.game.as_deref() == Some("match")
    }

    /// Whether to measure the editor.
    pub fn is_editor(&self) -> bool {
        self.game.as_deref() == Some("editor")
    }
}

pub fn run(arguments: &Arguments, window: &dyn Window) -> ExitStatus {
    let mut rows: Vec<Value> = Vec::new();
    if arguments.is_match() {
        window.measure_match(&mut |row| {
            if arguments.json {
                rows.push(json!({
                    "game": null, "measure": row.measure, "value": row.value, "unit": row.unit,
                }));
            } else {
                print_line(line(&row));
            }
        })?;
        if arguments.json {
            print_json(&rows)?;
        }
        return Ok(Answer::Yes);
    }
    if let Some(id) = &arguments.game {
        let kind = game(id)?;
        let narrowed = arguments.csv
            || !arguments.level.is_empty()
            || !arguments.planner.is_empty()
            || !arguments.set.is_empty();
        if narrowed && kind.searches().is_empty() {
            return Err(Failure::usage(format!("{} has no searches to compare", kind.name())));
        }
        if !kind.searches().is_empty() {
            if !narrowed && !arguments.json {
                measure_game(kind, arguments.json, &mut rows);
            }
            return compare_searches(kind, arguments);
        }
    }
    for kind in games(arguments.game.as_deref())? {
        measure_game(kind, arguments.json, &mut rows);
    }
    if arguments.json {
        print_json(&rows)?;
    }
    Ok(Answer::Yes)
}

fn measure_game(kind: &dyn DynGame, as_json: bool, rows: &mut Vec<Value>) {
    if !as_json {
        print_line(kind.name());
    }
    bench(kind, &mut |row| {
        if as_json {
            rows.push(json!({
                "game": kind.id(), "measure": row.measure, "value": row.value, "unit": row.unit,
            }));
        } else {
            print_line(line(&row));
        }
    });
}

/// Compares the searches of a game on the chosen levels, row by row as they come.
fn compare_searches(kind: &'static dyn DynGame, arguments: &Arguments) -> ExitStatus {
    let searches = kind.searches();
    for name in &arguments.planner {
        if !searches.contains(&name.as_str()) {
            let why = suggest(name, &searches);
            return Err(Failure::usage(format!(
                "unknown planner '{name}' for a comparison; {why}"
            )));
        }
    }
    let planners: Vec<&str> = match arguments.planner.as_slice() {
        [] => searches,
        named => named.iter().map(String::as_str).collect(),
    };
    let levels = levels(kind, arguments)?;
    let limits = SearchLimits {
        memory: usize::try_from(arguments.memory << 20).unwrap_or(usize::MAX),
        time: Duration::from_secs(arguments.seconds),
        runs: 1,
    };
    let hold = hold();
    let stop = hold.stop();
    let as_text = !arguments.csv && !arguments.json;
    if as_text {
        print_line(row_text(&COLUMNS.map(str::to_owned)));
    }
    let rows = compare(kind, &levels, &planners, limits, stop, &mut |row| {
        if as_text {
            print_line(row_text(&cells(row)));
        }
        if is_broken() {
            stop.raise();
        }
    })?;
    if interrupt::exit_code().is_some() {
        eprint_line(format_args!(
            "outwit: interrupted; {} of {} searches are measured",
            rows.len(),
            levels.len() * planners.len()
        ));
    }
    if arguments.csv {
        print_raw(&csv(&rows));
    }
    if arguments.json {
        print_json(&rows)?;
    }
    Ok(Answer::Yes)
}

/// The levels to compare on, with their names.
fn levels(
    kind: &'static dyn DynGame,
    arguments: &Arguments,
) -> Result<Vec<(String, AnyLevel)>, Failure> {
    let mut named: Vec<(String, Vec<u8>)> = Vec::new();
    if arguments.level.is_empty() {
        for entry in list_with(None, kind.id()) {
            named.push((entry.id.clone(), entry.bytes()?));
        }
    }
    for text in &arguments.level {
        let path = Path::new(text);
        let several = match store::is_file(path) {
            true => kind.read_collection(&read(path)?, text).unwrap_or_default(),
            false => Vec::new(),
        };
        if several.len() > 1 {
            let number = |(level, number): (CollectionEntry, u32)| {
                (format!("{text}#{number}"), level.text.into_bytes())
            };
            named.extend(several.into_iter().zip(1..).map(number));
        } else {
            named.push((text.clone(), find_level(text, Some(kind))?.bytes));
        }
    }
    let mut levels = Vec::new();
    for (name, bytes) in named {
        let level = kind
            .read(&bytes, &name)
            .and_then(|level| kind.with_rules(&level, &arguments.set))
            .map_err(|faults| Failure::faults(&name, &faults).into_usage())?;
        levels.push((name, level));
    }
    Ok(levels)
}

const COLUMNS: [&str; 8] = ["level", "planner", "length", "ms", "expanded", "MiB", "ratio", "end"];

fn cells(row: &ComparisonRow) -> [String; 8] {
    let end = match (row.end, row.proved) {
        (SearchEnd::Solved, true) => "solved, proved",
        (SearchEnd::Solved, false) => "solved",
        (SearchEnd::Unsolvable, _) => "no solution, proved",
        (SearchEnd::GaveUp, _) => "gave up at its limit",
        (SearchEnd::TimedOut, _) => "out of time",
    };
    [
        row.level.clone(),
        row.planner.into(),
        row.length.map_or("-".into(), shorten),
        format!("{:.3}", row.seconds * 1000.0),
        row.expanded.to_string(),
        format!("{:.2}", row.bytes as f64 / f64::from(1 << 20)),
        row.ratio.map_or("-".into(), |ratio| format!("{ratio:.3}")),
        end.into(),
    ]
}

fn row_text(cells: &[String; 8]) -> String {
    let [level, planner, length, ms, expanded, mib, ratio, end] = cells;
    format!(
        "{level:<36} {planner:<15} {length:>7} {ms:>12} {expanded:>12} {mib:>9} {ratio:>8}  {end}"
    )
}

fn line(row: &BenchRow) -> String {
    format!("  {:<66} {:>14} {}", row.measure, shorten(row.value), row.unit)
}
