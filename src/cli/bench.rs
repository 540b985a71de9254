//! `outwit bench`.

use super::names::games;
use super::solve::shorten;
use super::{Answer, ExitStatus, UsageError, print_json, print_line};
use crate::games::BenchRow;
use clap::Args;
use serde_json::json;

/// Measure the speed of rules and planners; use a release build.
///
/// Example: outwit bench racetrack
#[derive(Args)]
pub struct Arguments {
    /// Measure only this game, or `editor`: frame times while painting on a map of 512x512 cells, or
    /// `match`: frame times of the match screen at rest, in motion, and while planners think.
    game: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
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

pub fn run(arguments: &Arguments) -> ExitStatus {
    let mut rows = Vec::new();
    if arguments.is_match() {
        measure_match(&mut |row| {
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
    for kind in games(arguments.game.as_deref())? {
        if !arguments.json {
            print_line(kind.name());
        }
        kind.bench(&mut |row| {
            if arguments.json {
                rows.push(json!({
                    "game": kind.id(), "measure": row.measure, "value": row.value, "unit": row.unit,
                }));
            } else {
                print_line(line(&row));
            }
        });
    }
    if arguments.json {
        print_json(&rows)?;
    }
    Ok(Answer::Yes)
}

fn line(row: &BenchRow) -> String {
    format!("  {:<66} {:>14} {}", row.measure, shorten(row.value), row.unit)
}

#[cfg(feature = "app")]
fn measure_match(row: &mut dyn FnMut(BenchRow)) -> Result<(), UsageError> {
    crate::app::match_screen::measure::run(row).map_err(UsageError)
}

/// Reports that this build has no window.
#[cfg(not(feature = "app"))]
fn measure_match(_row: &mut dyn FnMut(BenchRow)) -> Result<(), UsageError> {
    Err(UsageError("this build has no match screen; build it with the feature 'app'".into()))
}
