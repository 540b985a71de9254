//! `outwit merge`.

use super::exploit::deliver;
use super::names::game;
use super::output::eprint_line;
use super::results::Outputs;
use super::saving::finish;
use super::window::Window;
use super::{Answer, ExitStatus, Failure};
use clap::Args;
use outwit_core::tournament::{Contest, Journal, Merged, Scoreboard, merge};
use outwit_kit::tournament::check_contest;
use outwit_kit::{DynGame, Exploit, responder_seat};
use std::path::PathBuf;

/// Combine the saved parts of one run, such as those of 'outwit match --shard' or 'outwit exploit
/// --shard', and print the results as if one run had played all games.
///
/// Files of other runs are refused. A game that several files hold counts once. The exit code is 1 if
/// games are missing.
///
/// Every line of a file ends with a digest, its seal. It shows that a line was damaged or altered by
/// mistake, or belongs to another run. It is no signature: whoever can write the file can compute new
/// digests, so it does not prove who played the games or whether they were played. Games whose budgets
/// are work can be checked by playing them again.
///
/// Example: outwit merge part-1.jsonl part-2.jsonl --save all.jsonl
#[derive(Args)]
pub struct Arguments {
    /// The files that 'outwit match --save' or 'outwit exploit --save' wrote.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Save all games to a new FILE, which --resume can continue.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
}

pub fn run(arguments: &Arguments, window: &dyn Window) -> ExitStatus {
    let check = |contest: &Contest| {
        check_contest(kind_of(contest)?, contest).map_err(|error| error.to_string())
    };
    let Merged { contest, games, doubts } = merge(&arguments.files, check)?;
    let kind = game(&contest.game)?;
    doubts.iter().for_each(eprint_line);
    let outputs = &arguments.outputs;
    if responder_seat(&contest).is_some() {
        outputs.check_exploit()?;
    }
    outputs.try_all()?;
    let mut lost = Vec::new();
    if let Some(file) = &arguments.save {
        let journal = Journal::begin(file, &contest)
            .map_err(|error| Failure::usage(format!("{error}; choose another file")))?;
        for game in &games {
            // What cannot be written now is written with a later game or in the end.
            let _ = journal.add(game);
        }
        lost.extend(finish(&journal));
    }
    let missing = contest.games() - games.len();
    let all = contest.games();
    let board = Scoreboard::new(contest, games);
    let answer = if responder_seat(board.contest()).is_some() {
        let exploit = Exploit::new(kind, board)?;
        deliver(kind, &exploit, None, outputs.table(), outputs.is_json(), lost)?
    } else {
        outputs.deliver(kind, &board, lost, window)?
    };
    if missing > 0 {
        eprint_line(format_args!("outwit: {missing} of {all} games are missing in these files"));
    }
    Ok(match answer {
        Answer::Yes if missing > 0 => Answer::No,
        other => other,
    })
}

/// The game of a contest that was read.
fn kind_of(contest: &Contest) -> Result<&'static dyn DynGame, String> {
    game(&contest.game).map_err(|failure| format!("line 1: {}", failure.lines.join(" ")))
}
