//! `outwit replay`.

use super::film::FilmArguments;
use super::input::{FoundReplay, find_replay};
use super::window::Window;
use super::{
    Answer, ExitStatus, Failure, commentary, eprint_line, print_json, print_line, print_lines,
};
use clap::Args;
use outwit_core::escape::escaped_json;
use outwit_core::levels::{Fault, write};
use outwit_core::platform::paths::try_file;
use outwit_kit::tournament::csv;
use outwit_kit::{DynGame, highlights};
use std::path::{Path, PathBuf};

/// Replay a match without a window, and print how it ended and whether it matches the recording.
///
/// The exit code is 1 if the final state differs from the recording or an action breaks the rules.
///
/// With --trace, also write every turn with the places of all pieces; with --values, also what each
/// move cost.
///
/// With --commentary, also print what can be said of the match while it is watched: sentences with the
/// figures that they follow from, and the turning points.
///
/// With --gif, --apng, --mp4, --webm, --png or --svg, also write the match, or a turn of it, as pictures; without a window too.
/// An existing file is kept under the same name with a ~.
///
/// Example: outwit replay best-lap.ron --trace best-lap.csv
///
/// Example: outwit replay best-lap.ron --gif best-lap.gif --from 10 --to 30 --size 480
///
/// Example: outwit replay pursuit.ron --gif pursuit.gif --highlights
#[derive(Args)]
pub struct Arguments {
    /// The replay file, or - for the standard input. A file of another program is played if it records moves: a
    /// solution of a level, of the third as FILE#3, or a game.
    file: PathBuf,
    /// Save the match as a replay of Outwit, which moves of another program are not. An existing file is kept under
    /// the same name with a ~.
    #[arg(long, value_name = "FILE.ron")]
    save: Option<PathBuf>,
    /// Write every turn to FILE, as JSON lines if it ends in .jsonl and as CSV if in .csv; the page
    /// "Fields of JSON and CSV" of the manual tells what the columns mean.
    #[arg(long, value_name = "FILE.jsonl|FILE.csv")]
    trace: Option<PathBuf>,
    /// Add to the trace what each position was worth and each move cost, from the review against
    /// perfect play. That may take minutes, and gives the same values on every machine.
    #[arg(long, requires = "trace")]
    values: bool,
    /// Also print remarks on the turns, with their figures, and the turning points. The same match has the
    /// same remarks on every machine.
    #[arg(long)]
    commentary: bool,
    #[command(flatten)]
    film: FilmArguments,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Writes every turn of a replay to a file, with values of its moves or without.
fn write_trace(
    kind: &dyn DynGame,
    bytes: &[u8],
    name: &str,
    file: &Path,
    values: bool,
) -> Result<(), Failure> {
    let is_csv = match file.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => true,
        Some("jsonl") => false,
        _ => {
            let why = format!("{}: a trace ends in .jsonl or .csv", file.display());
            return Err(Failure::usage(why));
        }
    };
    try_file(file)?;
    let rows =
        kind.trace(bytes, values).map_err(|fault| Failure::faults(name, &[fault]).into_usage())?;
    let text = if is_csv {
        csv(&rows)
    } else {
        rows.iter().map(|row| format!("{}\n", escaped_json(&row.to_string()))).collect()
    };
    Ok(write(file, text.as_bytes())?)
}

pub fn run(arguments: &Arguments, window: &dyn Window) -> ExitStatus {
    let FoundReplay { kind, bytes, name, others } = find_replay(&arguments.file)?;
    let no = |fault: Fault| Failure::faults(&name, &[fault]);
    if !others.is_empty() {
        eprint_line(format_args!("{name}; the file also records {}", others.join(", ")));
    }
    if let Some(file) = &arguments.save {
        write(file, &bytes)?;
    }
    let summary = kind.replay(&bytes).map_err(no)?;
    if let (Some(file), true) = (&arguments.trace, summary.faithful) {
        write_trace(kind, &bytes, &name, file, arguments.values)?;
    }
    if let (Ok(text), true) = (std::str::from_utf8(&bytes), summary.faithful) {
        arguments.film.run(text, &name, window, || {
            let said = kind.commentary(&bytes).map_err(|fault| no(fault).into_usage())?;
            Ok(highlights(&said.swings, summary.turns))
        })?;
    }
    let said = match arguments.commentary && summary.faithful {
        true => Some(kind.commentary(&bytes).map_err(|fault| no(fault).into_usage())?),
        false => None,
    };
    if arguments.json {
        let mut document = serde_json::to_value(&summary)?;
        if let (Some(fields), Some(said)) = (document.as_object_mut(), &said) {
            fields.insert("commentary".into(), commentary::document(kind, said));
        }
        print_json(&document)?;
    } else {
        let faithful =
            if summary.faithful { "matches the recording" } else { "DIFFERS from the recording" };
        let players: Vec<String> = summary
            .seats
            .iter()
            .zip(&summary.names)
            .map(|(player, own)| match own {
                Some(own) => format!("{own} ({player})"),
                None => player.clone(),
            })
            .collect();
        let count = summary.turns;
        let turn = kind.facts().turn;
        print_line(format!("{name}: {faithful}, {count} {turn}s, {}", players.join(", ")));
        if let Some(outcome) = &summary.outcome {
            print_line(&outcome.headline);
            for (place, seat) in outcome.places.iter().zip(&players) {
                let score = place.score.map_or_else(|| "-".into(), |score| format!("{score:.2}"));
                print_line(format!("  {}. {seat}: {} ({score})", place.rank, place.ending));
            }
        } else {
            print_line("the match was not finished");
        }
        if !summary.sealed {
            print_line(
                "an earlier version wrote this file without a digest: an altered seed or name \
                 cannot be detected",
            );
        }
        if let Some(moves) = summary.moves.as_ref().filter(|moves| !moves.is_empty()) {
            print_line(format!("moves: {moves}"));
        }
        if let Some(said) = &said {
            print_lines(commentary::lines(kind, said));
        }
    }
    Ok(if summary.faithful { Answer::Yes } else { Answer::No })
}
