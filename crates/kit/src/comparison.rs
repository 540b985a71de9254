//! All searches on all levels side by side: what they found and what it took.

use super::csv::{as_read, cell, first_line};
use super::dyn_game::DynGame;
use super::reading::{AnyLevel, FaultyLevel};
use super::search_name::{SearchName, SearchNameError};
use super::spec::{SearchEnd, SearchFigures, SearchLimits};
use outwit_core::platform::time::Duration;
use outwit_core::play::StopFlag;
use serde::Serialize;
use std::collections::HashMap;

/// One search on one level.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparisonRow {
    /// The level, as it was named.
    pub level: String,
    /// The planner, with its settings if it has other ones than usual.
    pub planner: String,
    /// How it ended.
    pub end: SearchEnd,
    /// The score of the solution.
    pub length: Option<f64>,
    /// Whether no better solution exists.
    pub proved: bool,
    /// Processor time in seconds, the least of several runs where one is short.
    pub seconds: f64,
    /// States expanded.
    pub expanded: u64,
    /// How many of these had been expanded before.
    pub expanded_again: u64,
    /// Successors generated.
    pub generated: u64,
    /// Memory of the search at its end, where it is largest, in bytes.
    pub bytes: usize,
    /// Processor time by that of the yardstick on the same level; `None` if one of the two did not end
    /// by itself, or without a yardstick.
    pub ratio: Option<f64>,
    /// The search that `ratio` compares with; `None` if it was not asked for.
    pub yardstick: Option<&'static str>,
    /// The digest of the level with its rules, as a text, since readers of JSON round numbers.
    pub digest: String,
    /// The limit of processor time in seconds.
    pub limit_seconds: f64,
    /// The limit of memory in bytes.
    pub limit_bytes: usize,
}

/// A search that is shorter than this is measured in batches of runs, each about as long.
const BATCH: Duration = Duration::from_millis(10);
/// The most runs in a batch.
const MOST_RUNS: u128 = 5_000;
/// How often a planner and the yardstick are measured in turns where both are short, so that both
/// meet the same load of the machine. Of each the fastest counts.
const ROUNDS: u32 = 4;
/// Longer searches are measured once.
const LONG: Duration = Duration::from_millis(800);

/// Why searches cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ComparisonError {
    /// The game has none.
    #[error("{0} has no searches to compare")]
    NoSearches(&'static str),
    /// The game has no such search.
    #[error("unknown search '{search}'; choose from {}", known.join(", "))]
    UnknownSearch {
        /// What was asked for.
        search: String,
        /// All searches of the game.
        known: Vec<&'static str>,
    },
    /// The search has no such settings.
    #[error(transparent)]
    Settings(#[from] SearchNameError),
    /// The level is of another game.
    #[error(transparent)]
    Level(#[from] FaultyLevel),
}

/// Lets each planner, which may have [settings](SearchName), solve each level, calls `row` with each result as it comes, and returns all of
/// them, with their ratios.
///
/// # Errors
/// As [`compare_on`].
pub fn compare(
    kind: &dyn DynGame,
    levels: &[(String, AnyLevel)],
    planners: &[&str],
    limits: SearchLimits,
    stop: &StopFlag,
    row: &mut dyn FnMut(&ComparisonRow),
) -> Result<Vec<ComparisonRow>, ComparisonError> {
    check_planners(kind, planners)?;
    let mut rows = Vec::new();
    for (name, level) in levels {
        compare_on(kind, (name, level), planners, limits, true, stop, &mut |compared| {
            row(&compared);
            rows.push(compared);
        })?;
    }
    Ok(rows)
}

/// The yardstick of a game's searches, the first of them, if they can be compared.
fn check_planners(kind: &dyn DynGame, planners: &[&str]) -> Result<&'static str, ComparisonError> {
    let searches = kind.searches();
    let Some(&yardstick) = searches.first() else {
        return Err(ComparisonError::NoSearches(kind.name()));
    };
    for name in planners {
        kind.search_bound(name)?;
    }
    Ok(yardstick)
}

/// Lets each planner solve a level and calls `row` with each result as it comes. With ratios the yardstick
/// is measured too, whether it is among the planners or not. Once `stop` is raised the rest is left out.
///
/// # Errors
/// If the game has no searches, a planner is none of them, or the level is of another game.
pub fn compare_on(
    kind: &dyn DynGame,
    (name, level): (&str, &AnyLevel),
    planners: &[&str],
    limits: SearchLimits,
    has_ratios: bool,
    stop: &StopFlag,
    row: &mut dyn FnMut(ComparisonRow),
) -> Result<(), ComparisonError> {
    let yardstick = check_planners(kind, planners)?;
    let info = kind.info(level).map_err(FaultyLevel)?;
    let mut base = match has_ratios && !planners.is_empty() {
        true => Some(measure(kind, level, yardstick, limits, stop)?),
        false => None,
    };
    let searches = kind.searches();
    let mut planners = planners.to_vec();
    planners.sort_by_key(|name| {
        let planner = SearchName::planner_of(name);
        searches.iter().position(|&search| search == planner)
    });
    planners.dedup();
    for planner in planners {
        let figures = match &mut base {
            Some(base) if planner == yardstick => *base,
            Some(base) => beside(kind, level, (base, yardstick), planner, limits, stop)?,
            None => measure(kind, level, planner, limits, stop)?,
        };
        // What was measured last may have been cut short.
        if stop.is_raised() {
            return Ok(());
        }
        let seconds = figures.cpu.as_secs_f64();
        let comparable =
            base.filter(|base| has_ended(base) && has_ended(&figures) && !base.cpu.is_zero());
        row(ComparisonRow {
            level: name.to_owned(),
            planner: planner.to_owned(),
            end: figures.end,
            length: figures.length,
            proved: figures.proved,
            seconds,
            expanded: figures.expanded,
            expanded_again: figures.expanded_again,
            generated: figures.generated,
            bytes: figures.bytes,
            ratio: comparable.map(|base| seconds / base.cpu.as_secs_f64()),
            yardstick: has_ratios.then_some(yardstick),
            digest: format!("{:016x}", info.digest),
            limit_seconds: limits.time.as_secs_f64(),
            limit_bytes: limits.memory,
        });
    }
    Ok(())
}

/// Measures a planner, in turns with the yardstick where both are short.
fn beside(
    kind: &dyn DynGame,
    level: &AnyLevel,
    (base, yardstick): (&mut SearchFigures, &str),
    planner: &str,
    limits: SearchLimits,
    stop: &StopFlag,
) -> Result<SearchFigures, ComparisonError> {
    let mut figures = measure(kind, level, planner, limits, stop)?;
    for _ in 0..ROUNDS {
        if base.cpu.max(figures.cpu) > LONG || stop.is_raised() {
            break;
        }
        base.cpu = base.cpu.min(measure(kind, level, yardstick, limits, stop)?.cpu);
        figures.cpu = figures.cpu.min(measure(kind, level, planner, limits, stop)?.cpu);
    }
    Ok(figures)
}

/// Measures a search, again and again where it is short.
///
/// # Errors
/// As [`DynGame::measure_search`].
pub fn measure(
    kind: &dyn DynGame,
    level: &AnyLevel,
    planner: &str,
    limits: SearchLimits,
    stop: &StopFlag,
) -> Result<SearchFigures, ComparisonError> {
    let once = kind.measure_search(level, planner, SearchLimits { runs: 1, ..limits }, stop)?;
    if once.cpu >= BATCH {
        return Ok(once);
    }
    let runs = BATCH.as_nanos() / once.cpu.as_nanos().max(1);
    let runs = runs.clamp(1, MOST_RUNS) as u32;
    kind.measure_search(level, planner, SearchLimits { runs, ..limits }, stop)
}

/// The names of the columns of CSV.
const COLUMNS: [&str; 15] = [
    "level",
    "planner",
    "end",
    "length",
    "proved",
    "seconds",
    "expanded",
    "expanded_again",
    "generated",
    "bytes",
    "ratio",
    "yardstick",
    "digest",
    "limit_seconds",
    "limit_bytes",
];

/// The line of CSV with the names of the columns.
pub fn csv_head() -> String {
    COLUMNS.join(",") + "\n"
}

/// Whether a search came to its end, so that its time can be compared.
fn has_ended(figures: &SearchFigures) -> bool {
    matches!(figures.end, SearchEnd::Solved | SearchEnd::Unsolvable)
}

/// A row as a line of CSV.
pub fn csv_line(row: &ComparisonRow) -> String {
    // The words of an end are plain.
    let end = serde_json::to_string(&row.end).unwrap_or_default();
    let cells: [String; COLUMNS.len()] = [
        cell(&row.level, true),
        cell(&row.planner, true),
        end.trim_matches('"').into(),
        row.length.map(|length| length.to_string()).unwrap_or_default(),
        row.proved.to_string(),
        format!("{:.6}", row.seconds),
        row.expanded.to_string(),
        row.expanded_again.to_string(),
        row.generated.to_string(),
        row.bytes.to_string(),
        row.ratio.map(|ratio| format!("{ratio:.4}")).unwrap_or_default(),
        row.yardstick.unwrap_or_default().into(),
        row.digest.clone(),
        row.limit_seconds.to_string(),
        row.limit_bytes.to_string(),
    ];
    cells.join(",") + "\n"
}

/// The rows as CSV with a line of column names.
pub fn csv(rows: &[ComparisonRow]) -> String {
    csv_head() + &rows.iter().map(csv_line).collect::<String>()
}

/// Why a file of saved rows cannot be continued.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SavedRowsError {
    /// It is another kind of file.
    #[error("this is not a comparison of searches")]
    OtherFile,
    /// Its first line is not that of a comparison.
    #[error("this is not a comparison of searches: its first line should name the columns of one")]
    OtherColumns,
    /// A row has not as many columns as the first line.
    #[error("row {row} has {columns} columns instead of {}", COLUMNS.len())]
    TornRow {
        /// Number of the row, from 1 for the first line.
        row: usize,
        /// Number of its columns.
        columns: usize,
    },
    /// A row was measured otherwise than the new ones are to be.
    #[error(
        "its row of {planner} on {level} has {column} '{found}', not '{wanted}': use the same \
         settings, or another file"
    )]
    OtherSettings {
        /// The planner.
        planner: String,
        /// The level.
        level: String,
        /// What differs.
        column: &'static str,
        /// Its value in the file.
        found: String,
        /// Its value for the new rows.
        wanted: String,
    },
}

/// The rows of a comparison that were saved as CSV.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SavedRows {
    /// By level and planner.
    rows: HashMap<[String; 2], Vec<String>>,
    /// The bytes of the text up to the end of the last whole row; 0 if it has not even the names of the
    /// columns.
    pub whole: usize,
}

impl SavedRows {
    /// Reads what [`csv`] wrote. A last line without its end was torn and does not count.
    ///
    /// # Errors
    /// If the text is nothing of the kind.
    pub fn read(text: &str) -> Result<Self, SavedRowsError> {
        let mut saved = Self::default();
        let mut rest = text;
        for number in 1.. {
            let Some((cells, after)) = first_line(rest) else { break };
            match number {
                1 if cells != COLUMNS => return Err(SavedRowsError::OtherColumns),
                1 => {}
                _ if cells.len() != COLUMNS.len() => {
                    return Err(SavedRowsError::TornRow { row: number, columns: cells.len() });
                }
                _ => {
                    saved.rows.insert([cells[0].clone(), cells[1].clone()], cells);
                }
            }
            rest = after;
            saved.whole = text.len() - rest.len();
        }
        match saved.whole {
            0 if !csv_head().starts_with(text) => Err(SavedRowsError::OtherFile),
            _ => Ok(saved),
        }
    }

    /// Number of rows that were read.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether there is a row of this planner on this level.
    ///
    /// # Errors
    /// If there is one that was measured otherwise than the new rows are to be.
    pub fn has(
        &self,
        (name, digest): (&str, u64),
        planner: &str,
        limits: SearchLimits,
        yardstick: Option<&str>,
    ) -> Result<bool, SavedRowsError> {
        let wanted = [
            yardstick.unwrap_or_default().to_owned(),
            format!("{digest:016x}"),
            limits.time.as_secs_f64().to_string(),
            limits.memory.to_string(),
        ];
        let first = COLUMNS.len() - wanted.len();
        let Some(row) = self.rows.get(&[as_read(name), planner.to_owned()]) else {
            return Ok(false);
        };
        for ((&column, wanted), found) in COLUMNS[first..].iter().zip(wanted).zip(&row[first..]) {
            if wanted != *found {
                return Err(SavedRowsError::OtherSettings {
                    planner: planner.into(),
                    level: name.into(),
                    column,
                    found: found.clone(),
                    wanted,
                });
            }
        }
        Ok(true)
    }
}
