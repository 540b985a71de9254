//! `outwit merge`.

use super::names::game;
use super::results::Outputs;
use super::tournament::{finish, warn_of_unsealed};
use super::{ExitStatus, Failure};
use clap::Args;
use outwit_core::tournament::{Journal, Scoreboard, merge};
use outwit_kit::tournament::check_seats;
use std::path::PathBuf;

/// Put together the saved parts of one tournament, such as those of 'outwit match --shard', and print
/// the results as if one run had played all games.
///
/// Files of other tournaments are refused. A game that several files hold counts once.
///
/// Example: outwit merge part-1.jsonl part-2.jsonl --save all.jsonl
#[derive(Args)]
pub struct Arguments {
    /// The files that 'outwit match --save' wrote.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Save all games to a new FILE, which 'outwit match --resume' can continue.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
}

pub fn run(arguments: &Arguments) -> ExitStatus {
    let (contest, games) = merge(&arguments.files)?;
    let kind = game(&contest.game)?;
    check_seats(kind, &contest)
        .map_err(|why| Failure::usage(format!("{}: {why}", arguments.files[0].display())))?;
    for file in &arguments.files {
        warn_of_unsealed(file)?;
    }
    arguments.outputs.try_all()?;
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
    arguments.outputs.deliver(kind, &Scoreboard::new(contest, games), lost)
}
