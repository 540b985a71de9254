//! `outwit convert`.

use super::failure::fault_document;
use super::input::{FoundReplay, find_replay, is_input, read};
use super::names::game;
use super::rule_args::RuleArgs;
use super::source::{FoundLevel, find_level, numbered, recognise};
use super::{Answer, ExitStatus, Failure, eprint_line, print_json, print_line};
use crate::editor::stem;
use clap::Args;
use outwit_core::levels::{write, write_new};
use outwit_core::platform::store;
use outwit_kit::{Converted, DynGame, is_replay};
use serde_json::json;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Convert a level between Outwit's RON format and pictures or text, or a replay to a format of other programs.
///
/// The input format is recognised by content (only .pos by its name), the output format by the file extension. An existing
/// output file is kept under the same name with a ~.
///
/// A .png or .txt file holds the whole level, so converting it back restores the same level.
///
/// From a file that holds several levels, choose one as FILE#NUMBER, or give a folder as the output to
/// write them all there as RON files.
///
/// A replay of k in a row, or a game that another program recorded, is written whole to .sgf, .psq or .rec: names,
/// moves, and in .sgf also result, variations and notes. With --review the moves in .sgf say what they were worth.
///
/// Example: outwit convert draft.png track.ron --set laps=3
///
/// Example: outwit convert game.ron game.sgf --review
#[derive(Args)]
pub struct Arguments {
    /// A level id, a file in any format, or - for the standard input.
    input: OsString,
    /// The file to write; its extension chooses the format. Or a folder, for all levels of the input; one
    /// that is not there yet ends with a slash.
    output: PathBuf,
    /// The game, for pictures, texts and maps that do not name it themselves.
    #[arg(long)]
    game: Option<String>,
    #[command(flatten)]
    rules: RuleArgs,
    /// Add to a match what each move was worth and cost, and better moves as variations, from the review against
    /// perfect play. That may take minutes.
    #[arg(long)]
    review: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let game = arguments.game.as_deref().map(game).transpose()?;
    let ending = arguments.output.extension().and_then(|e| e.to_str()).unwrap_or("");
    let ending = ending.to_lowercase();
    if let Some(found) = match_in(&arguments.input, &ending)? {
        return convert_match(arguments, &found, &ending);
    }
    if arguments.review {
        let output = arguments.output.display();
        return Err(Failure::usage(format!(
            "--review: only a match has one, and only where the output ends in .sgf, not '{output}'"
        )));
    }
    let found = find_level(&arguments.input, game)?;
    let sets = arguments.rules.of(found.kind)?;
    if store::is_folder(&arguments.output) || is_named_folder(&arguments.output) {
        return convert_all(arguments, &found, &sets);
    }
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
    save(arguments, &converted)
}

/// Writes the output, and says so.
fn save(arguments: &Arguments, converted: &Converted) -> ExitStatus {
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

/// The match that a conversion to a format of this extension is about: a replay, or the only one that a file of another
/// program records where the output can hold it too.
fn match_in(input: &OsStr, ending: &str) -> Result<Option<FoundReplay>, Failure> {
    let path = Path::new(input);
    let (file, only) = match numbered(path) {
        Some((file, number)) => (file, Some(number)),
        None if is_input(path) => (path.to_owned(), None),
        None => return Ok(None),
    };
    let bytes = read(&file)?;
    if is_replay(&bytes) {
        let found = find_replay(path)?;
        return Ok((!found.kind.facts().match_exports.is_empty()).then_some(found));
    }
    let shown = file.to_string_lossy();
    let is_match = recognise(&bytes, &shown).is_ok_and(|kind| {
        kind.facts().match_exports.contains(&ending)
            && kind
                .recorded(&bytes, &shown)
                .iter()
                .filter(|it| only.is_none_or(|number| it.number == number))
                .count()
                == 1
    });
    if is_match { find_replay(path).map(Some) } else { Ok(None) }
}

/// Writes a match in a format of another program.
fn convert_match(arguments: &Arguments, found: &FoundReplay, ending: &str) -> ExitStatus {
    if !arguments.rules.is_empty() {
        return Err(Failure::usage(format!(
            "--set: {} is a match, whose rules cannot be changed any more",
            found.name
        )));
    }
    let converted = found
        .kind
        .write_match(&found.bytes, ending, arguments.review)
        .map_err(|fault| Failure::faults(&found.name, &[fault]))?;
    save(arguments, &converted)
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
    let mut recorded = recorded.iter().filter(|it| only.is_none_or(|number| it.number == number));
    let Some(first) = recorded.next() else { return Ok(None) };
    let title = &first.title;
    let line = first.line;
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
    let mut written = Vec::new();
    let mut problems = Vec::new();
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn games_are_converted_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let psq = "Piskvorky 15x15, 0:0, 0\n8,8,12\n9,7,0\n7,9,0\nAnn\nBo\n-1\n";
        std::fs::write(path("a.psq"), psq).unwrap();
        let convert = |from: &str, to: &str, sets: &[&str], review| {
            run(&Arguments {
                input: path(from).into(),
                output: path(to),
                game: None,
                rules: RuleArgs { set: sets.iter().map(|&set| set.to_owned()).collect() },
                review,
                json: false,
            })
        };
        let text = |name: &str| std::fs::read_to_string(path(name)).unwrap();
        convert("a.psq", "a.sgf", &[], false).unwrap();
        assert!(text("a.sgf").contains("PB[Ann]PW[Bo]"), "{}", text("a.sgf"));
        assert!(text("a.sgf").ends_with("\n;B[hh]\n;W[ig]\n;B[gi])\n"), "{}", text("a.sgf"));
        let replay = find_replay(&path("a.sgf")).unwrap();
        std::fs::write(path("a.ron"), &replay.bytes).unwrap();
        convert("a.ron", "b.psq", &[], false).unwrap();
        assert_eq!(text("b.psq"), psq.replace(",12", ",0"));
        // A level is the position at the end.
        convert("a.psq", "level.ron", &[], false).unwrap();
        assert!(text("level.ron").contains("mnk 1"));
        let why = |done: ExitStatus| done.err().unwrap().lines.join(" ");
        let refused = why(convert("a.ron", "c.ron", &[], false));
        assert!(
            refused.contains("cannot be written as 'ron'; choose from psq, rec, sgf"),
            "{refused}"
        );
        let refused = why(convert("a.ron", "c.sgf", &["rules.k=4"], false));
        assert!(refused.contains("rules cannot be changed"), "{refused}");
        let refused = why(convert("level.ron", "c.sgf", &[], true));
        assert!(refused.contains("only a match has one"), "{refused}");
        assert!(!path("c.sgf").exists());
    }

    #[test]
    fn formats_that_are_only_read_are_converted() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        // h8 with a comment, then i9 or h9.
        let nodes = [&[0x78, 8][..], b"mid\0", &[0x69, 0xc0, 0x68, 0x40]].concat();
        let lib = [b"\xffRenLib\xff\x03\x04", &[0xff; 10][..], &nodes].concat();
        let map =
            "type octile\nheight 4\nwidth 9\nmap\n.........\n..@@@@@..\n.........\n.........\n";
        let tiled = "{\"type\":\"map\",\"width\":3,\"height\":1,\"tilewidth\":8,\"layers\":[{\"type\":\"tilelayer\",\
                     \"data\":[0,0,2]}],\"tilesets\":[{\"firstgid\":1,\"tiles\":[{\"id\":1,\"type\":\"goal\"}]}]}";
        let openings = "0,0, 1,-1\n-2,3, 0,1\n";
        let convert = |name: &str, bytes: &[u8], from: &str, to: &str, game: Option<&str>| {
            std::fs::write(path(name), bytes).unwrap();
            let done = run(&Arguments {
                input: path(from).into(),
                output: path(to),
                game: game.map(str::to_owned),
                rules: RuleArgs { set: Vec::new() },
                review: false,
                json: false,
            });
            done.map(|_| std::fs::read_to_string(path(to)).unwrap())
                .map_err(|why| why.lines.join(" "))
        };
        let sgf = convert("a.lib", &lib, "a.lib", "a.sgf", None).unwrap();
        assert!(sgf.ends_with("\n;B[hh]C[mid](\n;W[ig])(\n;W[hg]))\n"), "{sgf}");
        let psq = convert("a.pos", &[2, 112, 113], "a.pos", "a.psq", None).unwrap();
        assert!(psq.starts_with("Piskvorky 15x15, 0:0, 0\n8,8,0\n9,8,0\n"), "{psq}");
        let second = convert("o.txt", openings.as_bytes(), "o.txt#2", "o.psq", None).unwrap();
        assert!(second.starts_with("Piskvorky 20x20, 0:0, 0\n9,14,0\n11,12,0\n"), "{second}");
        let board = convert("a.map", map.as_bytes(), "a.map", "a.ron", None).unwrap();
        assert!(board.contains("cops 1") && board.contains("\"=..#####..=\""), "{board}");
        let level = convert("b.map", map.as_bytes(), "b.map", "b.ron", Some("stealth")).unwrap();
        assert!(level.contains("stealth 1") && level.contains("\"Y........\""), "{level}");
        let level = convert("a.tmj", tiled.as_bytes(), "a.tmj", "t.ron", None).unwrap();
        assert!(level.contains("stealth 1") && level.contains("\"O.Y\""), "{level}");
        let why = convert("c.map", b"?", "c.map", "c.ron", None).unwrap_err();
        assert!(why.contains("it should hold a map of MovingAI"), "{why}");
    }
}
