//! Saved parts of one contest, put together.

use super::{Contest, FinishedGame, Journal, JournalError, Saved};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The saved parts of one contest, put together.
#[derive(Clone, PartialEq, Debug)]
pub struct Merged {
    /// The contest.
    pub contest: Contest,
    /// The finished games, each once, in the contest's order.
    pub games: Vec<FinishedGame>,
    /// What should be known of each file, if anything: see [`Saved::doubts`].
    pub doubts: Vec<String>,
}

/// Puts files of the same contest together. Before a file's games are read, `check` is asked about its
/// contest.
///
/// A game that several files hold must have come out the same in all, except for its times; where a
/// budget of time let it come out otherwise, the first file's counts.
///
/// # Errors
/// If a file cannot be read or is of another contest, if `check` refuses it, or if the same game came
/// out otherwise although all budgets are work.
pub fn merge(
    files: &[PathBuf],
    check: impl Fn(&Contest) -> Result<(), String>,
) -> Result<Merged, JournalError> {
    let mut merged: Option<(Contest, BTreeMap<usize, FinishedGame>)> = None;
    let mut doubts = Vec::new();
    for file in files {
        let fail = |why: String| JournalError { file: file.clone(), why };
        let contest = Journal::contest(file)?;
        check(&contest).map_err(fail)?;
        if let Some((first, _)) = &merged
            && let Some(difference) = first.difference(&contest)
        {
            return Err(fail(format!("this file holds another tournament: {difference}")));
        }
        let saved = Journal::read(file)?;
        doubts.extend(
            saved.doubts("its game counts as not played").map(|doubt| fail(doubt).to_string()),
        );
        let Saved { contest, games, .. } = saved;
        let (first, slots) = merged.get_or_insert_with(|| (contest, BTreeMap::new()));
        for game in games {
            let Some(slot) = first.slot_of(&game) else { continue };
            match slots.get(&slot) {
                Some(known) if first.is_repeatable() && !known.is_same(&game) => {
                    return Err(fail(format!(
                        "the game of {} on seed {} ended differently in another file",
                        game.players.join(" and "),
                        game.seed
                    )));
                }
                Some(_) => {}
                None => {
                    slots.insert(slot, game);
                }
            }
        }
    }
    match merged {
        Some((contest, slots)) => {
            Ok(Merged { contest, games: slots.into_values().collect(), doubts })
        }
        None => {
            Err(JournalError { file: PathBuf::new(), why: "there are no files to merge".into() })
        }
    }
}
