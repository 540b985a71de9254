//! `outwit convert`.

use super::failure::fault_document;
use super::input::{is_input, read};
use super::names::game;
use super::rule_args::RuleArgs;
use super::source::{FoundLevel, find_level, numbered};
use super::{Answer, ExitStatus, Failure, eprint_line, print_json, print_line};
use crate::editor::stem;
use clap::Args;
use outwit_core::levels::{write, write_new};
use outwit_core::platform::store;
use outwit_kit::{DynGame, RecordedMatch};
use serde_json::json;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Convert a level between Outwit's RON format and pictures or text.
///
/// The input format is recognised by content, the output format by the file extension. An existing
/// output file is kept under the same name with a ~.
///
/// A .png or .txt file holds the whole level, so converting it back restores the same level.
///
/// From a file that holds several levels, choose one as FILE#NUMBER, or give a folder as the output to
/// write them all there as RON files.
///
/// Example: outwit convert draft.png track.ron --set laps=3
#[derive(Args)]
pub struct Arguments {
    /// A level id or a file in any format, or - for the standard input.
    input: OsString,
    /// The file to write; its extension chooses the format. Or a folder, for all levels of the input; one
    /// that is not there yet ends with a slash.
    output: PathBuf,
    /// The game, for pictures and texts that do not name it themselves.
    #[arg(long)]
    game: Option<String>,
    #[command(flatten)]
    rules: RuleArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let game = arguments.game.as_deref().map(game).transpose()?;
    let found = find_level(&arguments.input, game)?;
    let sets = arguments.rules.of(found.kind)?;
    if store::is_folder(&arguments.output) || is_named_folder(&arguments.output) {
        return convert_all(arguments, &found, &sets);
    }
    let ending = arguments.output.extension().and_then(|e| e.to_str()).unwrap_or("");
    let ending = ending.to_lowercase();
    let known = found.kind.exports();
    if ending != "ron" && !known.contains(&ending.as_str()) {
        return Err(Failure::usage(format!(
            "{}: unknown file extension; choose from ron, {}",
            arguments.output.display(),
            known.join(", ")
        )));
    }
    let mut converted = found
        .kind
        .convert(&found.bytes, &found.name(), &sets, &ending)
        .map_err(|faults| Failure::faults(&found.name(), &faults))?;
    converted.lost.extend(recorded_in(&arguments.input, found.kind)?);
    write(&arguments.output, &converted.bytes)?;
    if arguments.json {
        print_json(&json!({ "written": arguments.output, "lost": converted.lost }))?;
    } else {
        print_line(format!("wrote {}", arguments.output.display()));
        for lost in &converted.lost {
            print_line(format!("lost: {lost}"));
        }
    }
    Ok(Answer::Yes)
}

/// The moves that a file records, in words; those for one level where `PATH#3` names it.
fn recorded_in(input: &OsStr, kind: &dyn DynGame) -> Result<Option<String>, Failure> {
    let path = Path::new(input);
    let (file, only) = match numbered(path) {
        Some((file, number)) => (file, Some(number)),
        None if is_input(path) => (path.to_owned(), None),
        None => return Ok(None),
    };
    let recorded = kind.recorded(&read(&file)?, &file.to_string_lossy());
    let is_asked = |it: &&RecordedMatch| only.is_none_or(|number| it.number == number);
    let mut recorded = recorded.iter().filter(is_asked);
    let Some(first) = recorded.next() else { return Ok(None) };
    let (title, line) = (&first.title, first.line);
    Ok(Some(match 1 + recorded.count() {
        1 => format!("{title} (line {line}), which outwit replay plays"),
        count => format!(
            "{count} recordings of moves, the first in line {line}, which outwit replay plays"
        ),
    }))
}

/// Whether a path ends as that of a folder does, be it there or not.
fn is_named_folder(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

/// Writes every level of a file into a folder, each under its title.
fn convert_all(arguments: &Arguments, found: &FoundLevel, sets: &[(String, String)]) -> ExitStatus {
    let levels = found
        .kind
        .read_collection(&found.bytes, &found.name())
        .map_err(|faults| Failure::faults(&found.name(), &faults))?;
    let (mut written, mut problems) = (Vec::new(), Vec::new());
    let mut answer = Answer::Yes;
    for (level, number) in levels.iter().zip(1..) {
        match found.kind.convert(level.text.as_bytes(), "", sets, "ron") {
            Ok(converted) => {
                let file = arguments.output.join(format!("{}.ron", stem(&level.name)));
                written.push(write_new(&file, &converted.bytes)?);
            }
            Err(faults) => {
                let name = format!("{}#{number}", found.name());
                for fault in &faults {
                    eprint_line(fault.in_file(&name));
                    problems.push(fault_document(&name, fault));
                }
                answer = Answer::No;
            }
        }
    }
    let mut lost = found.kind.skipped(&found.bytes);
    lost.extend(recorded_in(&arguments.input, found.kind)?);
    if arguments.json {
        print_json(&json!({ "written": written, "lost": lost, "problems": problems }))?;
    } else {
        let count = written.len();
        let levels = if count == 1 { "level" } else { "levels" };
        print_line(format!("wrote {count} {levels} to {}", arguments.output.display()));
        for lost in &lost {
            print_line(format!("lost: {lost}"));
        }
    }
    Ok(answer)
}
