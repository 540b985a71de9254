//! `outwit check`.

use super::source::recognise;
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
    for path in &files {
        let name = path.display().to_string();
        let faults = match read(path) {
            // A file that cannot be a level has a problem; a missing file is a usage error.
            Err(error) if !store::is_file(path) => return Err(error.into()),
            Err(error) => vec![Fault::whole(error.what)],
            Ok(bytes) => match recognise(&bytes, &name) {
                Ok(kind) => kind.check(&bytes, &name),
                Err(UsageError(why)) => {
                    let why = why.strip_prefix(&format!("{name}: ")).unwrap_or(&why).to_owned();
                    vec![Fault::whole(why)]
                }
            },
        };
        for fault in &faults {
            answer = Answer::No;
            if arguments.json {
                listed.push(as_json(&name, fault));
            } else {
                print_line(fault.in_file(&name));
            }
        }
    }
    if arguments.json {
        print_json(&listed)?;
    } else if answer == Answer::Yes {
        print_line(format!(
            "{} level{} without problems",
            files.len(),
            if files.len() == 1 { "" } else { "s" }
        ));
    }
    Ok(answer)
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
