//! A tournament as a file that grows by a line per game, so it can be resumed.
//!
//! JSON lines: the first holds the [`Contest`], each further one a finished game. A line is written
//! whole or, if the program is killed, not to its end; such a torn last line is dropped. The line of a
//! game ends with a digest of itself and of the contest, so an altered one is not believed.

mod line;

use super::{
    Contest, ContestLevel, Entrant, Entrants, FinishedGame, MOST_ENTRANTS, MOST_GAMES,
    OpeningSource,
};
use crate::escape::is_visible;
use crate::platform::store::{self, GrowingFile, MAX_BYTES, StoreError, rename_to_free};
use crate::play::{Budget, TimeControl, digest, newer_version};
use line::Line;
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// First field of the first line, in the newest version.
const FORMAT: &str = "outwit-tournament 3";
/// The version that earlier programs read too, of tournaments without openings, a salt, strictness, and
/// budgets of processor time or of a whole match.
const PLAIN: &str = "outwit-tournament 2";
/// A longer line is not read, in bytes: the file is no tournament then.
const MAX_LINE: u64 = 256 << 20;
/// The format whose lines need no digest.
const UNSEALED: &str = "outwit-tournament 1";

/// Why a tournament's file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", file.display())]
pub struct JournalError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong, and what to do about it.
    pub why: String,
}

/// An open file to which finished games are added.
pub struct Journal {
    path: PathBuf,
    /// [`digest`] of the contest.
    contest: u64,
    file: Mutex<GrowingFile>,
}

/// What a file of a tournament holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Saved {
    /// The contest.
    pub contest: Contest,
    /// The games that are finished.
    pub games: Vec<FinishedGame>,
    /// Whether the games have digests, so that altered ones are noticed. Those that version 0.1 wrote
    /// have none.
    pub is_sealed: bool,
    /// The number of the last line, counted from 1, and what is wrong with it, if it is no game: the
    /// program or the machine may have stopped while it was written.
    pub damaged: Option<(usize, String)>,
    /// Length of the part of the file that is whole.
    whole: u64,
}

impl Saved {
    /// What whoever uses the games should know, each a sentence; `then` says what becomes of a game
    /// whose line is damaged.
    pub fn doubts(&self, then: &str) -> impl Iterator<Item = String> {
        let unsealed = "an earlier version wrote this file without digests: altered results \
                        cannot be detected";
        let damaged =
            self.damaged.as_ref().map(|(number, what)| format!("line {number} is {what}: {then}"));
        (!self.is_sealed).then(|| unsealed.to_owned()).into_iter().chain(damaged)
    }
}

/// What every version of the first line has.
#[derive(Deserialize)]
struct Named {
    format: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    contest: Contest,
}

impl Journal {
    /// Begins a file.
    ///
    /// # Errors
    /// If there is one already or it cannot be written.
    pub fn begin(path: &Path, contest: &Contest) -> Result<Self, JournalError> {
        let fail = |why: String| JournalError { file: path.into(), why };
        if store::is_file(path) && store::size(path).is_some_and(|bytes| bytes > 0) {
            return Err(fail("a file with this name already exists".into()));
        }
        let header = Header { format: format_of(contest).into(), contest: contest.clone() };
        let journal = Self::open(path, true, contest)?;
        if let Err(why) = journal.write(&json(&header).map_err(fail)?) {
            // A part of a line would be taken for another's file.
            let _ = journal.file().keep(0);
            return Err(fail(why));
        }
        Ok(journal)
    }

    /// Opens a file to continue its contest, which must be `contest`; also returns what it holds.
    ///
    /// # Errors
    /// If it is no such file, another contest's, in use, or damaged before its last line.
    pub fn resume(path: &Path, contest: &Contest) -> Result<(Self, Saved), JournalError> {
        let fail = |why: String| JournalError { file: path.into(), why };
        let journal = Self::open(path, false, contest)?;
        let saved = read(path)?;
        if let Some(difference) = contest.difference(&saved.contest) {
            return Err(fail(format!(
                "this file holds another tournament: {difference}; ask for the same one, or \
                 choose another file"
            )));
        }
        journal.file().keep(saved.whole).map_err(|error| fail(error.to_string()))?;
        Ok((journal, saved))
    }

    /// What a file holds.
    ///
    /// # Errors
    /// If it is no such file or damaged before its last line.
    pub fn read(path: &Path) -> Result<Saved, JournalError> {
        read(path)
    }

    /// The contest of a file; its games are not looked at.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn contest(path: &Path) -> Result<Contest, JournalError> {
        let fail = |why: String| JournalError { file: path.into(), why };
        let mut line = Vec::new();
        next_line(&mut open(path)?, &mut line).map_err(fail)?;
        header(&line).map(|(contest, _)| contest).map_err(fail)
    }

    /// Takes a file out of the list of tournaments by adding a `~` to its name, with a number if that
    /// name is taken. Returns where it is now.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
        let mut aside = path.as_os_str().to_owned();
        aside.push("~");
        rename_to_free(path, Path::new(&aside))
    }

    fn open(path: &Path, create: bool, contest: &Contest) -> Result<Self, JournalError> {
        let fail =
            |error: std::io::Error| JournalError { file: path.into(), why: error.to_string() };
        let file = Mutex::new(GrowingFile::open(path, create).map_err(fail)?);
        Ok(Self { path: path.into(), contest: digest(contest), file })
    }

    fn file(&self) -> MutexGuard<'_, GrowingFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a finished game.
    ///
    /// # Errors
    /// If it cannot be written. It is not lost: it is written with the next game that is added, or by
    /// [`finish`](Self::finish).
    pub fn add(&self, game: &FinishedGame) -> Result<(), JournalError> {
        let mut line = Line::from(game);
        let fail = |why| JournalError { file: self.path.clone(), why };
        line.seal = Some(line.seal_of_fields(self.contest).map_err(fail)?);
        self.write(&json(&line).map_err(fail)?).map_err(fail)
    }

    /// Writes what could not be written before, if anything, and forces all games to the disk.
    ///
    /// # Errors
    /// If it still cannot be written.
    pub fn finish(&self) -> Result<(), JournalError> {
        self.file()
            .finish()
            .map_err(|error| JournalError { file: self.path.clone(), why: error.to_string() })
    }

    fn write(&self, line: &[u8]) -> Result<(), String> {
        self.file().add(line).map_err(|error| error.to_string())
    }
}

/// The version in which a contest is written.
fn format_of(contest: &Contest) -> &'static str {
    let is_plain = contest.openings.is_none()
        && contest.salt.is_none()
        && !contest.strict
        && contest
            .budgets()
            .all(|budget| matches!(budget, TimeControl::Turn(Budget::Time(_) | Budget::Work(_))));
    if is_plain { PLAIN } else { FORMAT }
}

/// A value as a line of JSON.
fn json(value: &impl Serialize) -> Result<Vec<u8>, String> {
    let mut text = serde_json::to_vec(value).map_err(|error| error.to_string())?;
    text.push(b'\n');
    Ok(text)
}

/// A finished game as a line of JSON without its end, with a digest of it and of `context`, which stands for all that
/// the game depends on.
///
/// # Errors
/// If it cannot be written.
pub fn game_to_line(game: &FinishedGame, context: u64) -> Result<String, String> {
    let mut line = Line::from(game);
    line.seal = Some(line.seal_of_fields(context)?);
    serde_json::to_string(&line).map_err(|error| error.to_string())
}

/// The game of a line that [`game_to_line`] wrote with the same `context`.
///
/// # Errors
/// If it is no such line, was altered, or has values that no game has.
pub fn game_from_line(line: &str, context: u64) -> Result<FinishedGame, String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    match line.is_genuine(context, true)? {
        true => line.try_into(),
        false => Err("it was altered".into()),
    }
}

/// Opens a file to be read.
fn open(path: &Path) -> Result<impl BufRead, JournalError> {
    store::open(path)
        .map(BufReader::new)
        .map_err(|error| JournalError { file: path.into(), why: error.what })
}

/// The contest of a first line, and whether the lines of games have digests.
fn header(line: &[u8]) -> Result<(Contest, bool), String> {
    const NONE: &str = "this is not a tournament of Outwit: its first line holds no configuration";
    let line = line.strip_suffix(b"\n").ok_or_else(|| match line.is_empty() {
        true => NONE.to_owned(),
        false => "line 1 is cut off, so this is not a tournament; choose another file".to_owned(),
    })?;
    // First, since a newer version may have other fields.
    let named: Named = serde_json::from_slice(line).map_err(|_| NONE.to_owned())?;
    if let Some(newer) = newer_version(&named.format, FORMAT) {
        return Err(format!(
            "the format is '{newer}', of a newer version of Outwit; this program reads '{FORMAT}'"
        ));
    }
    if ![FORMAT, PLAIN, UNSEALED].contains(&named.format.as_str()) {
        return Err(format!("this is a '{}' file; expected '{FORMAT}'", named.format));
    }
    let header: Header = serde_json::from_slice(line).map_err(|error| {
        let why: String = error.to_string().chars().take(LONGEST_REASON).collect();
        format!("{NONE}: {why}")
    })?;
    let contest = header.contest;
    if contest.level != ContestLevel::new(contest.level.id.clone(), contest.level.text.clone()) {
        return Err("its level does not match its hash".into());
    }
    let check = check_names(&contest).and_then(|()| check_size(&contest));
    check.map_err(|why| format!("line 1: {why}"))?;
    Ok((contest, header.format != UNSEALED))
}

/// Checks how much a contest that was read asks for.
fn check_size(contest: &Contest) -> Result<(), String> {
    let Contest { seats, seeds, .. } = contest;
    let no_openings = OpeningSource::Given(Vec::new());
    let is_empty = seats.is_empty()
        || seats.iter().any(|seat| seat.planners.is_empty())
        || contest.openings == Some(no_openings)
        || !contest.budget.is_limited();
    if is_empty || *seeds == 0 {
        return Err("no such tournament can be played".into());
    }
    for Entrants { seat, planners } in seats {
        if planners.len() > MOST_ENTRANTS {
            let count = planners.len();
            return Err(format!(
                "seat {seat} has {count} planners; the maximum is {MOST_ENTRANTS}"
            ));
        }
        let twice = (1..planners.len()).find(|&at| planners[..at].contains(&planners[at]));
        if let Some(at) = twice {
            return Err(format!("seat {seat} has {} twice", planners[at].name()));
        }
    }
    if contest.too_many() {
        let counts: Vec<String> =
            seats.iter().map(|seat| seat.planners.len().to_string()).collect();
        return Err(format!(
            "{} planners on {seeds} seeds are more than {MOST_GAMES} games",
            counts.join(" x ")
        ));
    }
    Ok(())
}

/// Longer reasons are cut off, in letters: they may repeat what is wrong.
const LONGEST_REASON: usize = 200;
/// Longer names of seats and planners are not believed, in letters.
const LONGEST_NAME: usize = 64;
/// The most seats of a game, whose numbers are bytes.
const MOST_SEATS: usize = 256;
/// Longer paths of programs and levels are not believed, in bytes.
const LONGEST_PATH: usize = 4096;

/// Checks the names of a contest that was read. Planners that are not known any more are results all
/// the same.
fn check_names(contest: &Contest) -> Result<(), String> {
    let is_name = |name: &str| {
        (1..=LONGEST_NAME).contains(&name.len())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_+".contains(letter))
    };
    let fail = |name: &str, what: &str| {
        let shown: String = name.chars().take(LONGEST_NAME).collect();
        Err(format!(
            "'{shown}' cannot be the name of a {what}: it must be 1 to {LONGEST_NAME} letters, \
             digits, -, _ or +"
        ))
    };
    if contest.seats.len() > MOST_SEATS {
        return Err(format!("{} seats; the maximum is {MOST_SEATS}", contest.seats.len()));
    }
    if contest.level.text.len() as u64 > MAX_BYTES {
        return Err(format!("the level is larger than {} MiB", MAX_BYTES >> 20));
    }
    if contest.level.id.len() > LONGEST_PATH {
        return Err(format!("the id of the level is longer than {LONGEST_PATH} bytes"));
    }
    if !is_visible(&contest.level.id) {
        return Err("the id of the level has no letter that can be seen".into());
    }
    for entrants in &contest.seats {
        if !is_name(&entrants.seat) {
            return fail(&entrants.seat, "seat");
        }
        for player in entrants.planners.iter().map(Entrant::player) {
            let fits = match player.program() {
                Some(program) => {
                    program.command.len() <= LONGEST_PATH && is_visible(program.command)
                }
                None => is_name(player.name()),
            };
            if !fits {
                return fail(player.name(), "planner");
            }
        }
    }
    Ok(())
}

/// Reads a line, or what is left after the last one; returns its length in bytes.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> Result<usize, String> {
    line.clear();
    let read = reader.by_ref().take(MAX_LINE + 1).read_until(b'\n', line);
    match read.map_err(|error| error.to_string())? {
        length if length as u64 > MAX_LINE => {
            Err(format!("a line is longer than {} MiB", MAX_LINE >> 20))
        }
        length => Ok(length),
    }
}

fn read(path: &Path) -> Result<Saved, JournalError> {
    let fail = |why: String| JournalError { file: path.into(), why };
    let mut reader = open(path)?;
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| next_line(&mut reader, line).map_err(fail);
    let mut whole = next(&mut line)? as u64;
    let (contest, is_sealed) = header(&line).map_err(fail)?;
    let own = digest(&contest);
    let mut games = Vec::new();
    let mut damaged = None;
    for number in 2.. {
        let length = next(&mut line)?;
        if line.last() != Some(&b'\n') {
            damaged = (length > 0).then(|| (number, "cut off".to_owned()));
            break;
        }
        let parsed = serde_json::from_slice::<Line>(&line).map_err(|error| error.to_string());
        if let Ok(line) = &parsed
            && !line.is_genuine(own, is_sealed).map_err(fail)?
        {
            return Err(fail(format!(
                "line {number} was altered; delete it to have its game played again"
            )));
        }
        let game = parsed.and_then(FinishedGame::try_from);
        match game {
            Ok(game) if contest.place_of(&game).is_some() => games.push(game),
            Ok(_) => {
                return Err(fail(format!("line {number}: this game is not of this tournament")));
            }
            // A crash of the whole machine may leave a last line of rubbish.
            Err(why) if next(&mut line)? > 0 => {
                return Err(fail(format!(
                    "line {number} is damaged ({why}); delete it to have its game played again"
                )));
            }
            Err(why) => {
                damaged = Some((number, format!("damaged ({why})")));
                break;
            }
        }
        whole += length as u64;
    }
    Ok(Saved { contest, games, is_sealed, damaged, whole })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
