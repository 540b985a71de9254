//! `outwit bench`.

use super::names::games;
use super::solve::shorten;
use super::{Answer, ExitStatus, print_json, print_line};
use clap::Args;
use serde_json::json;

/// Measure the speed of rules and planners; use a release build.
///
/// Example: outwit bench racetrack
#[derive(Args)]
pub struct Arguments {
    /// Measure only this game, or `editor`: frame times while painting on a map of 512x512 cells.
    game: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Whether to measure the editor.
    pub fn is_editor(&self) -> bool {
        self.game.as_deref() == Some("editor")
    }
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let mut rows = Vec::new();
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
                print_line(format!(
                    "  {:<62} {:>14} {}",
                    row.measure,
                    shorten(row.value),
                    row.unit
                ));
            }
        });
    }
    if arguments.json {
        print_json(&rows)?;
    }
    Ok(Answer::Yes)
}
