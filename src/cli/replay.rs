//! `outwit replay`.

use super::names::game;
use super::{Answer, ExitStatus, Failure, print_json, print_line};
use crate::games::replay_game;
use crate::levels::{Fault, read};
use clap::Args;
use std::path::PathBuf;

/// Replay a match without a window, and print how it ended and whether it matches the recording.
///
/// The exit code is 1 if the final state differs from the recording or an action breaks the rules.
///
/// Example: outwit replay best-lap.ron
#[derive(Args)]
pub struct Arguments {
    /// The replay file.
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let bytes = read(&arguments.file)?;
    let name = arguments.file.display().to_string();
    let no = |fault: Fault| Failure::faults(&name, &[fault]);
    let Some(id) = replay_game(&bytes) else {
        return Err(no(Fault::whole("not an Outwit replay (no game field)")));
    };
    let kind = game(&id).map_err(|failure| no(Fault::whole(failure.lines.join(" "))))?;
    let summary = kind.replay(&bytes).map_err(no)?;
    if arguments.json {
        print_json(&summary)?;
    } else {
        let faithful =
            if summary.faithful { "matches the recording" } else { "DIFFERS from the recording" };
        print_line(format!(
            "{name}: {faithful}, {} turns, {}",
            summary.turns,
            summary.seats.join(", ")
        ));
        if let Some(outcome) = &summary.outcome {
            print_line(&outcome.headline);
            for (place, seat) in outcome.places.iter().zip(&summary.seats) {
                let score = place.score.map_or_else(|| "-".into(), |score| format!("{score:.2}"));
                print_line(format!("  {}. {seat}: {} ({score})", place.rank, place.ending));
            }
        } else {
            print_line("the match was not finished");
        }
        if let Some(moves) = &summary.moves {
            print_line(format!("moves: {moves}"));
        }
    }
    Ok(if summary.faithful { Answer::Yes } else { Answer::No })
}
