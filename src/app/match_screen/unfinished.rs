//! Matches that were left before their end, to go on with them later: one file for each level.

use super::Session;
use crate::app::shell::store::{Loaded, load_file, save_file};
use crate::levels::data_folder;
use crate::platform::store;
use crate::play::digest_of;
use serde::{Deserialize, Serialize};

/// A match that was left.
#[derive(Default, Serialize, Deserialize)]
struct Unfinished {
    /// What it was played on, as [`Session::record_key`] names it.
    level: String,
    /// The turn that was shown.
    turn: usize,
    /// The first turn that a planner played for the person.
    assisted: Option<usize>,
    /// The match as a replay file.
    replay: String,
}

/// The file of a level, in the data folder.
fn file(key: &str) -> String {
    format!("unfinished/{:016x}.ron", digest_of(key.as_bytes()))
}

/// Keeps a match that is being left. A match that is over, or never began, leaves nothing.
///
/// # Errors
/// If the file cannot be written or removed.
pub fn keep(session: &Session) -> Result<(), String> {
    let Some(key) = session.record_key().filter(|_| session.board.resumes) else { return Ok(()) };
    if session.live.turns() == 0 || session.live.is_over() {
        let Some(folder) = data_folder() else { return Ok(()) };
        let path = folder.join(file(&key));
        let removed = if store::exists(&path) { store::remove(&path) } else { Ok(()) };
        return removed.map_err(|error| error.to_string());
    }
    let unfinished = Unfinished {
        turn: session.view,
        assisted: session.assisted,
        replay: session.live.replay_text(),
        level: key.clone(),
    };
    save_file(&file(&key), &unfinished)
}

/// Goes on with a match that was left; returns what to tell the person.
pub fn resume(session: &mut Session) -> Option<String> {
    let key = session.record_key().filter(|_| session.board.resumes)?;
    let Loaded { value, message } = load_file::<Unfinished>(&file(&key), "The unfinished match");
    if message.is_some() || value.level != key {
        return message;
    }
    if let Err(why) = session.live.resume(&value.replay) {
        return Some(format!("The unfinished match cannot go on: {why}."));
    }
    session.jump(value.turn);
    session.assisted = value.assisted;
    Some(format!("Resumed at turn {}. Press R to start over.", session.view))
}
