//! `outwit bench`.

use super::input::{is_input, read};
use super::limits;
use super::names::{self, game, games};
use super::output::{is_broken, print_raw};
use super::rule_args::RuleArgs;
use super::solve::shorten;
use super::source::find_level;
use super::values::budget;
use super::waiting::Waiting;
use super::{Answer, ExitStatus, Failure, Window, eprint_line, print_json, print_line};
use crate::report::comparison_report;
use clap::Args;
use outwit_bench::{BenchRow, PositionRow, bench, search_positions};
use outwit_core::escape::escaped;
use outwit_core::levels::{Fault, write};
use outwit_core::platform::interrupt;
use outwit_core::platform::interrupt::hold;
use outwit_core::platform::paths::try_file;
use outwit_core::platform::store::{GrowingFile, StoreError, read_file};
use outwit_core::platform::time::Duration;
use outwit_core::play::{Budget, Game};
use outwit_kit::comparison::{
    ComparisonRow, SavedRows, SavedRowsError, compare_on, csv_head, csv_line,
};
use outwit_kit::{AnyLevel, DynGame, SearchEnd, SearchLimits};
use outwit_levels::list_with;
use outwit_mnk::Mnk;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Measure the speed of rules and planners; use a release build.
///
/// With the name of a game whose planners search for solutions, or with --level, also compare these
/// planners: length found, processor time, states expanded and expanded again, memory. Levels that cannot be played are
/// skipped.
///
/// Example: outwit bench pukoban --level collection.xsb --planner best --save best.csv
#[derive(Args)]
pub struct Arguments {
    /// Measure only this game, or `editor`: frame times while painting on a map of 512x512 cells, or
    /// `match`: frame times of the match screen at rest, in motion, and while planners think, or `programs`: what a
    /// turn of a program costs beside its own time.
    game: Option<String>,
    /// Compare on this level, an id or a file with one level or several, instead of on all built-in
    /// levels; may be repeated.
    #[arg(long, value_name = "LEVEL", requires = "game")]
    level: Vec<OsString>,
    /// Compare only this planner, with settings if wished, as in astar-h1:ties=lifo,weight=2; may be repeated.
    #[arg(long, requires = "game")]
    planner: Vec<String>,
    #[command(flatten)]
    rules: RuleArgs,
    /// The seconds of processor time after which a search of the comparison is stopped.
    #[arg(long, value_name = "N", default_value = "60", requires = "game", value_parser = limits::seconds)]
    seconds: f64,
    /// The memory at which a search of the comparison gives up, such as 512MB or 2GB; a number alone counts
    /// MiB.
    #[arg(long, value_name = "SIZE", default_value = "4GiB", requires = "game", value_parser = limits::memory)]
    memory: usize,
    /// Also divide each time by that of the game's plainest search, which is measured on every level. Without
    /// this only if it is among the planners.
    #[arg(long, requires = "game")]
    ratio: bool,
    /// Add each row to FILE as CSV as it comes. What FILE holds already is not measured again; it must have
    /// been measured with the same settings.
    #[arg(long, value_name = "FILE", requires = "game", conflicts_with_all = ["csv", "json"])]
    save: Option<PathBuf>,
    /// Also write a page with the comparison and its plots to FILE, as HTML that needs no other file.
    #[arg(long, value_name = "FILE", requires = "game", conflicts_with = "save")]
    report: Option<PathBuf>,
    /// Only show what `best` of k in a row finds on 50 fixed positions: depth, positions, processor time and
    /// wins.
    #[arg(long, requires = "game", conflicts_with_all = [
        "level", "planner", "set", "ratio", "save", "report", "csv",
    ])]
    search: bool,
    /// What `best` may spend on each position of --search.
    #[arg(long, value_name = "B", default_value = "200000w", requires = "search", value_parser = budget)]
    budget: Budget,
    /// Print the comparison as CSV.
    #[arg(long, requires = "game", conflicts_with = "json")]
    csv: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Whether to measure programs of other people.
    fn is_programs(&self) -> bool {
        self.game.as_deref() == Some("programs")
    }

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
    if arguments.is_programs() {
        let mut last = "";
        super::echo::measure(&mut |game, row| {
            if arguments.json {
                rows.push(json!({
                    "game": game, "measure": row.measure, "value": row.value, "unit": row.unit,
                }));
                return;
            }
            if last != game {
                print_line(game);
                last = game;
            }
            print_line(line(&row));
        })?;
        if arguments.json {
            print_json(&rows)?;
        }
        return Ok(Answer::Yes);
    }
    if arguments.game.is_none() && !arguments.rules.is_empty() {
        return Err(Failure::usage("--set is for the levels of a game: name the game".into()));
    }
    if let Some(id) = &arguments.game {
        let kind = game(id)?;
        if arguments.search {
            return show_searches(kind, arguments);
        }
        let narrowed = arguments.csv
            || arguments.ratio
            || arguments.save.is_some()
            || arguments.report.is_some()
            || !arguments.level.is_empty()
            || !arguments.planner.is_empty()
            || !arguments.rules.is_empty();
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

/// Shows what the search of k in a row finds on its fixed positions, row by row, and all together.
fn show_searches(kind: &dyn DynGame, arguments: &Arguments) -> ExitStatus {
    if kind.id() != Mnk::ID {
        return Err(Failure::usage(format!("--search is for {}, not {}", Mnk::ID, kind.id())));
    }
    let hold = hold();
    let stop = hold.stop();
    let mut rows: Vec<PositionRow> = Vec::new();
    let waiting = Waiting::for_one(String::new);
    let print = |cells: &[String; 9]| {
        let [board, depth, deepest, positions, ms, win, swing, best, moves] = cells;
        waiting.print(|| {
            print_line(format!(
                "{board:<8} {depth:>6} {deepest:>8} {positions:>10} {ms:>9} {win:>5} {swing:>6}  {best:<5} {moves}"
            ));
        });
    };
    if !arguments.json {
        print(&SEARCH_COLUMNS.map(str::to_owned));
    }
    search_positions(arguments.budget, stop, &mut |row| {
        if !arguments.json {
            print(&search_cells(&row));
        }
        rows.push(row);
        if is_broken() {
            stop.raise();
        }
    });
    if !arguments.json {
        print(&summary(&rows));
        return Ok(Answer::Yes);
    }
    let documents = rows.iter().map(|row| {
        json!({
            "board": row.board, "moves": row.moves, "best": row.best, "depth": row.depth,
            "deepest": row.deepest, "positions": row.positions, "seconds": row.seconds,
            "win": row.win, "swing": row.swing,
        })
    });
    print_json(&documents.collect::<Vec<_>>())?;
    Ok(Answer::Yes)
}

const SEARCH_COLUMNS: [&str; 9] =
    ["board", "depth", "deepest", "positions", "ms", "win", "swing", "best", "moves"];

fn milliseconds(seconds: Option<f64>) -> String {
    seconds.map_or("-".into(), |seconds| format!("{:.0}", 1000.0 * seconds))
}

fn search_cells(row: &PositionRow) -> [String; 9] {
    [
        row.board.clone(),
        row.depth.to_string(),
        row.deepest.to_string(),
        row.positions.to_string(),
        milliseconds(row.seconds),
        row.win.map_or("-".into(), |plies| plies.to_string()),
        row.swing.map_or("-".into(), |swing| format!("{swing:.3}")),
        row.best.clone(),
        row.moves.clone(),
    ]
}

/// Means of depth and swing where no win is seen, sums of positions and time, and the number of wins.
fn summary(rows: &[PositionRow]) -> [String; 9] {
    let open: Vec<&PositionRow> = rows.iter().filter(|row| row.win.is_none()).collect();
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let depth = mean(open.iter().map(|row| f64::from(row.depth)).collect());
    let deepest = mean(open.iter().map(|row| row.deepest as f64).collect());
    let swing = mean(open.iter().filter_map(|row| row.swing).collect());
    let seconds = rows.iter().map(|row| row.seconds).sum();
    [
        "all".into(),
        format!("{depth:.2}"),
        format!("{deepest:.1}"),
        rows.iter().map(|row| row.positions).sum::<u64>().to_string(),
        milliseconds(seconds),
        (rows.len() - open.len()).to_string(),
        format!("{swing:.3}"),
        String::new(),
        "means where no win is seen, sums of positions and time, number of wins".into(),
    ]
}

fn measure_game(kind: &dyn DynGame, as_json: bool, rows: &mut Vec<Value>) {
    if !as_json {
        print_line(kind.name());
    }
    let waiting = Waiting::for_one(String::new);
    bench(kind, &mut |row| {
        if as_json {
            rows.push(json!({
                "game": kind.id(), "measure": row.measure, "value": row.value, "unit": row.unit,
            }));
        } else {
            waiting.print(|| print_line(line(&row)));
        }
    });
}

/// Compares the searches of a game on the chosen levels, row by row as they come.
fn compare_searches(kind: &'static dyn DynGame, arguments: &Arguments) -> ExitStatus {
    let searches = kind.searches();
    for name in &arguments.planner {
        names::search(kind, name)?;
    }
    let yardstick = searches.first().copied();
    let planners: Vec<&str> = match arguments.planner.as_slice() {
        [] => searches,
        named => named.iter().map(String::as_str).collect(),
    };
    let has_ratios = arguments.ratio || planners.iter().any(|&planner| yardstick == Some(planner));
    let levels = levels(kind, arguments)?;
    let limits = SearchLimits {
        memory: arguments.memory,
        time: Duration::from_secs_f64(arguments.seconds),
        runs: 1,
    };
    let mut to_do: Vec<Vec<&str>> = vec![planners.clone(); levels.len()];
    let mut output = match &arguments.save {
        Some(path) => {
            let (file, saved) = begin_saving(path)?;
            let yardstick = yardstick.filter(|_| has_ratios);
            leave_out(kind, &mut to_do, &levels, &saved, limits, yardstick)
                .map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?;
            if !saved.is_empty() {
                let rows = saved.len();
                eprint_line(format_args!("{} holds {rows} rows already", path.display()));
            }
            Output::Saved(path.clone(), file)
        }
        None if arguments.csv => Output::Csv,
        None if arguments.json => Output::Json(Vec::new()),
        None => Output::Text,
    };
    if let Some(file) = &arguments.report {
        try_file(file)?;
    }
    let hold = hold();
    let stop = hold.stop();
    output.begin();
    let total = to_do.iter().map(Vec::len).sum();
    let waiting = Waiting::for_many(total);
    let mut done = 0;
    let mut unsaved: Option<StoreError> = None;
    let mut rows: Vec<ComparisonRow> = Vec::new();
    for ((name, level), planners) in levels.iter().zip(to_do) {
        waiting.begin(done, escaped(name).into_owned());
        compare_on(kind, (name, level), &planners, limits, has_ratios, stop, &mut |row| {
            done += 1;
            rows.push(row.clone());
            waiting.print(|| unsaved = output.add(row).err());
            if is_broken() || unsaved.is_some() {
                stop.raise();
            }
        })?;
        if let Some(error) = unsaved {
            return Err(error.into());
        }
        if stop.is_raised() {
            break;
        }
    }
    drop(waiting);
    if let Output::Saved(path, file) = &mut output {
        file.finish().map_err(|error| StoreError::new(path, error))?;
    }
    if interrupt::exit_code().is_some() {
        let resume = if arguments.save.is_some() { "; the same command continues" } else { "" };
        eprint_line(format_args!(
            "outwit: interrupted; {done} of {total} searches are measured{resume}"
        ));
    }
    if let Output::Json(rows) = output {
        print_json(&rows)?;
    }
    if let Some(file) = &arguments.report {
        write(file, comparison_report(kind, &rows).as_bytes())?;
    }
    Ok(Answer::Yes)
}

/// Where the rows of a comparison go.
enum Output {
    Text,
    Csv,
    Json(Vec<ComparisonRow>),
    /// Into a file as CSV, and to people.
    Saved(PathBuf, GrowingFile),
}

impl Output {
    fn begin(&self) {
        match self {
            Output::Text | Output::Saved(..) => {
                print_line(row_text(&COLUMNS.map(str::to_owned)));
            }
            Output::Csv => print_raw(&csv_head()),
            Output::Json(_) => {}
        }
    }

    fn add(&mut self, row: ComparisonRow) -> Result<(), StoreError> {
        match self {
            Output::Text => print_line(row_text(&cells(&row))),
            Output::Csv => print_raw(&csv_line(&row)),
            Output::Json(rows) => rows.push(row),
            Output::Saved(path, file) => {
                file.add(csv_line(&row).as_bytes())
                    .map_err(|error| StoreError::new(path, error))?;
                print_line(row_text(&cells(&row)));
            }
        }
        Ok(())
    }
}

/// Opens a file of rows, or begins one.
fn begin_saving(path: &Path) -> Result<(GrowingFile, SavedRows), Failure> {
    let broken = |error: std::io::Error| StoreError::new(path, error);
    let mut file = GrowingFile::open(path, true).map_err(broken)?;
    let bytes = read_file(path)?;
    let fail =
        |why: &str| Failure::usage(format!("{}: {why}; choose another file", path.display()));
    let text = String::from_utf8(bytes).map_err(|_| fail("this is not CSV"))?;
    let saved = SavedRows::read(&text).map_err(|why| fail(&why.to_string()))?;
    file.keep(saved.whole as u64).map_err(broken)?;
    if saved.whole == 0 {
        file.add(csv_head().as_bytes()).map_err(broken)?;
    }
    Ok((file, saved))
}

/// Takes out of the planners to be measured on each level those that were measured before.
fn leave_out(
    kind: &dyn DynGame,
    to_do: &mut [Vec<&str>],
    levels: &[(String, AnyLevel)],
    saved: &SavedRows,
    limits: SearchLimits,
    yardstick: Option<&str>,
) -> Result<(), SavedRowsError> {
    for ((name, level), planners) in levels.iter().zip(to_do) {
        let Ok(info) = kind.info(level) else { continue };
        let mut left = Vec::new();
        for &planner in planners.iter() {
            if !saved.has((name, info.digest), planner, limits, yardstick)? {
                left.push(planner);
            }
        }
        *planners = left;
    }
    Ok(())
}

/// The levels to compare on, with their names. One that cannot be played is skipped, unless it is the
/// only one.
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
        let bytes = if is_input(path) { read(path)? } else { Vec::new() };
        let text = path.to_string_lossy();
        let several = kind.read_collection(&bytes, &text).unwrap_or_default();
        if several.len() > 1 {
            for skipped in kind.skipped(&bytes) {
                eprint_line(format_args!("{text}: skipped {skipped}"));
            }
            named.extend(
                several
                    .into_iter()
                    .zip(1..)
                    .map(|(level, number)| (format!("{text}#{number}"), level.text.into_bytes())),
            );
        } else {
            named.push((text.into_owned(), find_level(path, Some(kind))?.bytes));
        }
    }
    let rules = arguments.rules.of(kind)?;
    let mut levels = Vec::new();
    let mut skipped: Vec<(String, Vec<Fault>)> = Vec::new();
    for (name, bytes) in named {
        let level = kind.read(&bytes, &name).and_then(|level| kind.with_rules(&level, &rules));
        match level {
            Ok(level) => levels.push((name, level)),
            Err(faults) => skipped.push((name, faults)),
        }
    }
    if let (true, Some((name, faults))) = (levels.is_empty(), skipped.first()) {
        return Err(Failure::faults(name, faults).into_usage());
    }
    for (name, faults) in &skipped {
        for fault in faults {
            eprint_line(format_args!("skipped: {}", fault.in_file(name)));
        }
    }
    Ok(levels)
}

const COLUMNS: [&str; 9] =
    ["level", "planner", "length", "ms", "expanded", "again", "MiB", "ratio", "end"];

fn cells(row: &ComparisonRow) -> [String; COLUMNS.len()] {
    let end = match (row.end, row.proved) {
        (SearchEnd::Solved, true) => "solved, proved",
        (SearchEnd::Solved, false) => "solved",
        (SearchEnd::Unsolvable, _) => "no solution, proved",
        (SearchEnd::GaveUp, _) => "gave up at its limit",
        (SearchEnd::TimedOut, _) => "out of time",
    };
    [
        row.level.clone(),
        row.planner.clone(),
        row.length.map_or("-".into(), shorten),
        format!("{:.3}", row.seconds * 1000.0),
        row.expanded.to_string(),
        row.expanded_again.to_string(),
        format!("{:.2}", row.bytes as f64 / f64::from(1 << 20)),
        row.ratio.map_or("-".into(), |ratio| format!("{ratio:.3}")),
        end.into(),
    ]
}

fn row_text(cells: &[String; COLUMNS.len()]) -> String {
    let [level, planner, length, ms, expanded, again, mib, ratio, end] = cells;
    format!(
        "{level:<36} {planner:<15} {length:>7} {ms:>12} {expanded:>12} {again:>10} {mib:>9} \
         {ratio:>8}  {end}"
    )
}

fn line(row: &BenchRow) -> String {
    format!("  {:<66} {:>14} {}", row.measure, shorten(row.value), row.unit)
}
