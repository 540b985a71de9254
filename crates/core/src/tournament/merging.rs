//! Saved parts of one contest, put together.

use super::{Contest, FinishedGame, Journal, JournalError};
use std::path::PathBuf;

/// The games of several files of the same contest, each once, in the contest's order.
///
/// A game that several files hold must have come out the same in all, except for its times; where a
/// budget of time let it come out otherwise, the first file's counts.
///
/// # Errors
/// If a file cannot be read or is of another contest, or if the same game came out otherwise although
/// all budgets are work.
pub fn merge(files: &[PathBuf]) -> Result<(Contest, Vec<FinishedGame>), JournalError> {
    let mut merged: Option<(Contest, Vec<Option<FinishedGame>>)> = None;
    for file in files {
        let fail = |why: String| JournalError { file: file.clone(), why };
        let (contest, games) = Journal::read(file)?;
        let (first, slots) = merged.get_or_insert_with(|| {
            let slots = vec![None; contest.games()];
            (contest.clone(), slots)
        });
        if let Some(difference) = first.difference(&contest) {
            return Err(fail(format!("this file is of another tournament: {difference}")));
        }
        for game in games {
            let Some((round, cell)) = first.place_of(&game) else { continue };
            let slot = &mut slots[round * first.cells() + cell];
            match slot {
                Some(known) if first.is_repeatable() && !known.is_same(&game) => {
                    return Err(fail(format!(
                        "the game of {} on seed {} came out otherwise than in another file",
                        game.players.join(" and "),
                        game.seed
                    )));
                }
                Some(_) => {}
                None => *slot = Some(game),
            }
        }
    }
    match merged {
        Some((contest, slots)) => Ok((contest, slots.into_iter().flatten().collect())),
        None => {
            Err(JournalError { file: PathBuf::new(), why: "there are no files to merge".into() })
        }
    }
}
