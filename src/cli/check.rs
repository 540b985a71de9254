//! `outwit check`.

use super::source::{find_numbered, recognise};
use super::{Answer, ExitStatus, UsageError, print_json, print_line};
use crate::levels::{Fault, Spot, read};
use crate::platform::store;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};

/// List every problem in level files, as FILE:LINE:COLUMN: WHAT or FILE: cell (X,Y): WHAT.
///
/// Folders are searched for level files. The exit code is 1 if there is any problem.
///
/// Example: outwit check levels my-track.png
#[derive(Args)]
pub struct Arguments {
    /// Level files in any format, or folders.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let mut files = Vec::new();
    for path in &arguments.files {
        collect(path, &mut files)?;
    }
    let mut listed = Vec::new();
    let mut answer = Answer::Yes;
    let mut levels = 0;
    for path in &files {
        for (name, faults) in check(path)? {
            levels += 1;
            for fault in &faults {
                answer = Answer::No;
                if arguments.json {
                    listed.push(as_json(&name, fault));
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
fn check(path: &Path) -> Result<Vec<(String, Vec<Fault>)>, UsageError> {
    let name = path.display().to_string();
    if let Some(found) = find_numbered(&name, None)? {
        return Ok(vec![(name, found.kind.check(&found.bytes, ""))]);
    }
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        // A file that cannot be a level has a problem; a missing file is a usage error.
        Err(error) if !store::is_file(path) => return Err(error.into()),
        Err(error) => return Ok(vec![(name, vec![Fault::whole(error.what)])]),
    };
    let kind = match recognise(&bytes, &name) {
        Ok(kind) => kind,
        Err(UsageError(why)) => {
            let why = why.strip_prefix(&format!("{name}: ")).unwrap_or(&why).to_owned();
            return Ok(vec![(name, vec![Fault::whole(why)])]);
        }
    };
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

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), UsageError> {
    if !store::is_folder(path) {
        files.push(path.into());
        return Ok(());
    }
    for path in store::list(path)? {
        let is_level = path.extension().is_some_and(|ending| ending == "ron");
        if store::is_folder(&path) || is_level {
            collect(&path, files)?;
        }
    }
    Ok(())
}

fn as_json(file: &str, fault: &Fault) -> serde_json::Value {
    match fault.spot {
        Spot::Whole => json!({ "file": file, "what": fault.what }),
        Spot::Text { line, column } => {
            json!({ "file": file, "line": line, "column": column, "what": fault.what })
        }
        Spot::Cell(cell) => json!({ "file": file, "x": cell.x, "y": cell.y, "what": fault.what }),
    }
}

/// The faults of a file as lines of text.
pub fn lines(name: &str, faults: &[Fault]) -> String {
    faults.iter().map(|fault| fault.in_file(name)).collect::<Vec<_>>().join("\n")
}
