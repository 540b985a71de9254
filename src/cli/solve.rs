//! `outwit solve`.

use super::check::lines;
use super::names;
use super::source::find_level;
use super::{Answer, ExitStatus, UsageError, eprint_line, print_json, print_line};
use crate::games::SolveOptions;
use crate::grid::Cell;
use crate::play::Budget;
use clap::Args;

/// Solve a level: print its exact value, or the result of a planner.
///
/// The exit code is 1 if there is no solution.
///
/// Example: outwit solve racetrack/first-lap --start 20,21
#[derive(Args)]
pub struct Arguments {
    /// A level id or a file in any format.
    level: String,
    /// Use this planner instead of the exact method.
    #[arg(long)]
    planner: Option<String>,
    /// How much the planner may think per turn: time such as 500ms, or work such as 20000w.
    #[arg(long, default_value = "20000w")]
    budget: Budget,
    /// Start at this cell instead of the start of the level.
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true)]
    start: Option<Cell>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
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
        names::planner(found.kind, name, None)?;
    }
    let faults = found.kind.check(&found.bytes, &found.name());
    if !faults.is_empty() {
        eprint_line(lines(&found.name(), &faults));
        return Ok(Answer::No);
    }
    let options = SolveOptions {
        planner: arguments.planner.clone(),
        budget: arguments.budget,
        start: arguments.start,
    };
    let solution = found
        .kind
        .solve(&found.bytes, &found.name(), &options)
        .map_err(|faults| UsageError(lines(&found.name(), &faults)))?;
    if arguments.json {
        print_json(&solution)?;
    } else {
        print_line(format!("{}: {}", found.entry.id, solution.message));
        for (name, value) in &solution.counters {
            print_line(format!("  {name}: {}", shorten(*value)));
        }
    }
    Ok(if solution.value.is_some() { Answer::Yes } else { Answer::No })
}

/// A number with two decimals, or none if it is whole.
pub fn shorten(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}
