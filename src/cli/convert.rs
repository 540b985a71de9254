//! `outwit convert`.

use super::check::lines;
use super::names::{game, instead};
use super::source::find_level;
use super::{Answer, ExitStatus, UsageError, eprint_line, print_json, print_line};
use crate::levels::write;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Convert a level between Outwit's RON and formats formats, by content and ending.
///
/// What stood in OUT before is kept beside it under the same name with a ~.
///
/// A .png or .txt holds the whole level, so it comes back as it was.
///
/// Example: outwit convert draft.png track.ron --set rules.laps=3
#[derive(Args)]
pub struct Arguments {
    /// A level id or a file in any format.
    input: String,
    /// The file to write; its ending says the format.
    output: PathBuf,
    /// The game, for pictures and texts that do not print_line so themselves.
    #[arg(long)]
    game: Option<String>,
    /// Set a rule on the way: rules.KEY=VALUE.
    #[arg(long = "set", value_name = "rules.KEY=VALUE")]
    sets: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let game = arguments.game.as_deref().map(game).transpose()?;
    let found = find_level(&arguments.input, game)?;
    let mut sets = Vec::new();
    for set in &arguments.sets {
        let (key, value) = set
            .split_once('=')
            .and_then(|(key, value)| Some((key.strip_prefix("rules.")?, value)))
            .ok_or_else(|| UsageError(format!("--set {set}: write rules.KEY=VALUE")))?;
        let rules = found.kind.properties();
        let rule = rules.iter().find(|rule| rule.key == key).ok_or_else(|| {
            let keys: Vec<_> = rules.iter().map(|rule| rule.key).collect();
            UsageError(format!("there is no rule '{key}'; {}", instead(key, &keys)))
        })?;
        rule.admits(value)?;
        sets.push((key.to_owned(), value.to_owned()));
    }
    let ending = arguments.output.extension().and_then(|e| e.to_str()).unwrap_or("");
    let ending = ending.to_lowercase();
    let known = found.kind.exports();
    if ending != "ron" && !known.contains(&ending.as_str()) {
        return Err(UsageError(format!(
            "{}: the ending must be one of ron, {}",
            arguments.output.display(),
            known.join(", ")
        )));
    }
    let converted = match found.kind.convert(&found.bytes, &found.name(), &sets, &ending) {
        Ok(converted) => converted,
        Err(faults) => {
            eprint_line(lines(&found.name(), &faults));
            return Ok(Answer::No);
        }
    };
    write(&arguments.output, &converted.bytes)?;
    if arguments.json {
        print_json(&json!({ "written": arguments.output, "lost": converted.lost }))?;
    } else {
        print_line(format!("wrote {}", arguments.output.display()));
        for lost in &converted.lost {
            print_line(format!("not kept: {lost}"));
        }
    }
    Ok(Answer::Yes)
}
