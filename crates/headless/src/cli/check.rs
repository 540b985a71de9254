//! `outwit check`.

use super::failure::fault_document;
use super::input::{is_standard_input, read};
use super::names::game;
use super::source::{find_numbered, recognise};
use super::{Answer, ExitStatus, Failure, eprint_line, print_json, print_line};
use clap::Args;
use outwit_core::levels::Fault;
use outwit_core::platform::{paths, store};
use outwit_kit::{DynGame, RecordedMatch};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// List every problem in level files, as FILE:LINE:COLUMN: WHAT or FILE: cell (X,Y): WHAT.
///
/// Folders are searched for level files in any format, by their extensions: .ron, .png, .txt, .track,
/// .xsb and others that the games know. - is the standard input. The exit code is 1 if there is any problem, and 2
/// if there was nothing to check.
///
/// Example: outwit check levels my-track.png, or outwit check --game stealth house.map
#[derive(Args)]
pub struct Arguments {
    /// Level files in any format, or folders.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game, for pictures, texts and maps that do not name it themselves.
    #[arg(long)]
    game: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let game = arguments.game.as_deref().map(game).transpose()?;
    let mut files = Vec::new();
    for path in &arguments.files {
        collect(path, &mut files)?;
    }
    if files.is_empty() {
        return Err(Failure::usage("there is no level file in there: nothing was checked".into()));
    }
    let mut listed = Vec::new();
    let mut answer = Answer::Yes;
    let mut levels = 0;
    for path in &files {
        for (name, faults) in check(path, game)? {
            levels += 1;
            for fault in &faults {
                answer = Answer::No;
                if arguments.json {
                    listed.push(fault_document(&name, fault));
                } else {
                    print_line(fault.in_file(&name));
                }
            }
        }
    }
    if arguments.json {
        print_json(&listed)?;
    } else if answer == Answer::Yes {
        print_line(format!(
            "{levels} level{} without problems",
            if levels == 1 { "" } else { "s" }
        ));
    }
    Ok(answer)
}

/// The faults of each level of a file, with its name: `FILE#3` in a file that holds several.
fn check(
    path: &Path,
    game: Option<&'static dyn DynGame>,
) -> Result<Vec<(String, Vec<Fault>)>, Failure> {
    let name = path.display().to_string();
    let whole = |what: String| Ok(vec![(name.clone(), vec![Fault::whole(what)])]);
    if let Some(found) = find_numbered(path, game)? {
        return Ok(vec![(name, found.kind.check(&found.bytes, ""))]);
    }
    if store::exists(path) && !store::is_file(path) && !is_standard_input(path) {
        return whole("this is not a regular file; not read".into());
    }
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        // What is there but cannot be a level has a problem; a missing file is a usage error.
        Err(error) if !paths::is_listed(path) => return Err(error.into()),
        Err(error) => return whole(error.what),
    };
    let kind = match game.map_or_else(|| recognise(&bytes, &name), Ok) {
        Ok(kind) => kind,
        Err(failure) => {
            let why = failure.lines.join(" ");
            return whole(why.strip_prefix(&format!("{name}: ")).unwrap_or(&why).to_owned());
        }
    };
    for skipped in kind.skipped(&bytes) {
        eprint_line(format_args!("{name}: skipped {skipped}"));
    }
    check_moves(kind.recorded(&bytes, &name), &name);
    Ok(match kind.read_collection(&bytes, &name) {
        Ok(levels) if levels.len() > 1 => levels
            .iter()
            .zip(1..)
            .map(|(level, number)| {
                (format!("{name}#{number}"), kind.check(level.text.as_bytes(), ""))
            })
            .collect(),
        _ => {
            let faults = kind.check(&bytes, &name);
            vec![(name, faults)]
        }
    })
}

/// Says which of the moves that a file records break the rules, and how many end a match.
fn check_moves(recorded: Vec<RecordedMatch>, name: &str) {
    let mut solved = 0;
    let count = recorded.len();
    for RecordedMatch { number, title, line, replay, is_solved, .. } in recorded {
        solved += usize::from(is_solved);
        if let Err(why) = replay {
            eprint_line(format_args!("{name}#{number}: {title} (line {line}): {why}"));
        }
    }
    if count > 0 {
        let are = if count == 1 { "" } else { "s" };
        eprint_line(format_args!("{name}: {count} recording{are} of moves, {solved} complete"));
    }
}

/// Adds the level files in a folder and those below, or the file itself. A folder that links lead to
/// twice is searched once, so loops of links end.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !store::is_folder(path) {
        files.push(path.into());
        return Ok(());
    }
    let endings = crate::level_endings();
    let mut seen = BTreeSet::new();
    let mut open = vec![path.to_owned()];
    while let Some(folder) = open.pop() {
        if let Some(real) = paths::real_path(&folder)
            && !seen.insert(real)
        {
            continue;
        }
        let content = match store::list(&folder) {
            Ok(content) => content,
            Err(error) if folder == path => return Err(error.into()),
            // Listed as a file, it is reported as one that cannot be read.
            Err(_) => {
                files.push(folder);
                continue;
            }
        };
        let mut folders = Vec::new();
        for path in content {
            let ending = path.extension().and_then(|ending| ending.to_str());
            let is_level = ending.is_some_and(|own| endings.contains(&own.to_lowercase().as_str()));
            if store::is_folder(&path) {
                folders.push(path);
            } else if is_level {
                files.push(path);
            }
        }
        open.extend(folders.into_iter().rev());
    }
    Ok(())
}
