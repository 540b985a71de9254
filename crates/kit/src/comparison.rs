//! All searches on all levels side by side: what they found and what it took.

use super::csv::cell;
use super::dyn_game::DynGame;
use super::reading::AnyLevel;
use super::spec::{SearchEnd, SearchFigures, SearchLimits};
use outwit_core::platform::time::Duration;
use outwit_core::play::StopFlag;
use serde::Serialize;

/// One search on one level.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ComparisonRow {
    /// The level, as it was named.
    pub level: String,
    /// The planner.
    pub planner: &'static str,
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
    /// Successors generated.
    pub generated: u64,
    /// Memory of the search at its end, where it is largest, in bytes.
    pub bytes: usize,
    /// Processor time by that of the yardstick, the first search, on the same level; `None` if one
    /// of the two did not end by itself.
    pub ratio: Option<f64>,
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

/// Lets each planner solve each level, calls `row` with each result as it comes, and returns all of
/// them. The yardstick is measured on every level, whether it is among the planners or not.
///
/// # Errors
/// If the game has no searches, a planner is none of them, or a level is of another game. Once `stop`
/// is raised the rest is left out.
pub fn compare(
    kind: &dyn DynGame,
    levels: &[(String, AnyLevel)],
    planners: &[&str],
    limits: SearchLimits,
    stop: &StopFlag,
    row: &mut dyn FnMut(&ComparisonRow),
) -> Result<Vec<ComparisonRow>, String> {
    let searches = kind.searches();
    let Some(&yardstick) = searches.first() else {
        return Err(format!("{} has no searches to compare", kind.name()));
    };
    if let Some(unknown) = planners.iter().find(|name| !searches.contains(name)) {
        return Err(format!("unknown search '{unknown}'; choose from {}", searches.join(", ")));
    }
    let mut rows = Vec::new();
    for (name, level) in levels {
        let base = measure(kind, level, yardstick, limits, stop)?;
        for &planner in searches.iter().filter(|search| planners.contains(search)) {
            let (mut figures, mut base) = (base, base);
            if planner != yardstick {
                figures = measure(kind, level, planner, limits, stop)?;
                for _ in 0..ROUNDS {
                    if base.cpu.max(figures.cpu) > LONG || stop.is_raised() {
                        break;
                    }
                    base.cpu = base.cpu.min(measure(kind, level, yardstick, limits, stop)?.cpu);
                    figures.cpu = figures.cpu.min(measure(kind, level, planner, limits, stop)?.cpu);
                }
            }
            // What was measured last may have been cut short.
            if stop.is_raised() {
                return Ok(rows);
            }
            let ended = |figures: &SearchFigures| {
                matches!(figures.end, SearchEnd::Solved | SearchEnd::Unsolvable)
            };
            let seconds = figures.cpu.as_secs_f64();
            let comparable = ended(&base) && ended(&figures) && !base.cpu.is_zero();
            let compared = ComparisonRow {
                level: name.clone(),
                planner,
                end: figures.end,
                length: figures.length,
                proved: figures.proved,
                seconds,
                expanded: figures.expanded,
                generated: figures.generated,
                bytes: figures.bytes,
                ratio: comparable.then(|| seconds / base.cpu.as_secs_f64()),
            };
            row(&compared);
            rows.push(compared);
        }
    }
    Ok(rows)
}

fn measure(
    kind: &dyn DynGame,
    level: &AnyLevel,
    planner: &str,
    limits: SearchLimits,
    stop: &StopFlag,
) -> Result<SearchFigures, String> {
    let once = kind.measure_search(level, planner, SearchLimits { runs: 1, ..limits }, stop)?;
    if once.cpu >= BATCH {
        return Ok(once);
    }
    let runs = BATCH.as_nanos() / once.cpu.as_nanos().max(1);
    let runs = runs.clamp(1, MOST_RUNS) as u32;
    kind.measure_search(level, planner, SearchLimits { runs, ..limits }, stop)
}

/// The rows as CSV with a line of column names.
pub fn csv(rows: &[ComparisonRow]) -> String {
    let mut text =
        String::from("level,planner,end,length,proved,seconds,expanded,generated,bytes,ratio\n");
    for row in rows {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        // The words of an end are plain.
        let end = serde_json::to_string(&row.end).unwrap_or_default();
        let cells = [
            cell(&row.level),
            row.planner.into(),
            end.trim_matches('"').into(),
            number(row.length),
            row.proved.to_string(),
            format!("{:.6}", row.seconds),
            row.expanded.to_string(),
            row.generated.to_string(),
            row.bytes.to_string(),
            row.ratio.map(|ratio| format!("{ratio:.4}")).unwrap_or_default(),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}
