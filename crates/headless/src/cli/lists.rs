//! `outwit levels` and `outwit planners`.

use super::names::games;
use super::table::table;
use super::{Answer, ExitStatus, eprint_line, print_json, print_lines};
use clap::Args;
use outwit_levels::{Source, list, unreadable, user_levels};
use serde_json::{Value, json};

/// List all levels, built-in and your own.
///
/// Example: outwit levels racetrack
#[derive(Args)]
pub struct LevelArguments {
    /// Only the levels of this game.
    game: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// List all planners, simplest first.
///
/// Example: outwit planners racetrack
#[derive(Args)]
pub struct PlannerArguments {
    /// Only the planners of this game.
    game: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn levels(arguments: &LevelArguments) -> ExitStatus {
    let mut rows: Vec<Value> = Vec::new();
    let kinds = games(arguments.game.as_deref())?;
    let unreadable = unreadable(user_levels().as_deref(), kinds.iter().map(|kind| kind.id()));
    for kind in kinds {
        for entry in list(kind.id()) {
            let described = entry.bytes().map_err(|error| error.to_string()).and_then(|bytes| {
                kind.describe(&bytes, &entry.id).map_err(|faults| match faults.first() {
                    Some(fault) => fault.to_string(),
                    None => "it has problems".into(),
                })
            });
            let own = matches!(entry.source, Source::File(_));
            rows.push(match described {
                Ok(info) => json!({
                    "id": entry.id,
                    "name": info.name,
                    "size": format!("{}x{}", info.looks.width(), info.looks.height()),
                    "own": own,
                    "about": info.about,
                }),
                Err(fault) => json!({
                    "id": entry.id, "name": "(not playable)", "size": "-", "own": own, "about": fault,
                }),
            });
        }
    }
    let answer = print(&rows, arguments.json)?;
    for error in &unreadable {
        eprint_line(format_args!("outwit: your levels cannot be read: {error}"));
    }
    Ok(if unreadable.is_empty() { answer } else { Answer::Failed })
}

pub fn planners(arguments: &PlannerArguments) -> ExitStatus {
    let mut rows: Vec<Value> = Vec::new();
    for kind in games(arguments.game.as_deref())? {
        for planner in kind.planners() {
            rows.push(json!({
                "game": kind.id(),
                "planner": planner.name,
                "seats": planner.seats.join(" "),
                "about": planner.about,
            }));
        }
        if let Some(graded) = kind.facts().graded {
            let seats = (0..*kind.facts().seats.allowed.end()).map(|seat| kind.seat(seat).id);
            rows.push(json!({
                "game": kind.id(),
                "planner": graded.name,
                "seats": seats.collect::<Vec<_>>().join(" "),
                "about": graded.about,
            }));
        }
    }
    print(&rows, arguments.json)
}

fn print(rows: &[Value], json: bool) -> ExitStatus {
    if json {
        print_json(&rows)?;
    } else {
        print_lines(table(rows));
    }
    Ok(Answer::Yes)
}
