//! A tournament as a file that grows by a line per game, so it can be resumed.
//!
//! JSON lines: the first holds the [`Contest`], each further one a finished game. A line is written
//! whole or, if the program is killed, not to its end; such a torn last line is dropped. The line of a
//! game ends with a digest of itself and of the contest, so an altered one is not believed.

mod line;

use self::line::Line;
use super::{Contest, ContestLevel, Entrant, FinishedGame};
use crate::platform::store::{StoreError, rename_to_free};
use crate::play::{Budget, digest, newer_version};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// First field of the first line, in the newest version.
const FORMAT: &str = "outwit-tournament 3";
/// The version that earlier programs read too, of tournaments without a salt and
/// without budgets of processor time.
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
    file: Mutex<Pen>,
}

/// The file, and what could not be written to it yet.
struct Pen {
    file: File,
    /// Bytes of the file that are whole lines.
    whole: u64,
    waiting: Vec<u8>,
}

impl Pen {
    /// Writes everything that waits, behind the last whole line.
    fn write(&mut self) -> std::io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        // An earlier attempt may have written a part of a line.
        self.file.set_len(self.whole)?;
        self.file.seek(SeekFrom::Start(self.whole))?;
        self.file.write_all(&self.waiting)?;
        self.whole += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
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
        match path.metadata() {
            Ok(data) if !data.is_file() => return Err(fail("this is not a regular file".into())),
            Ok(data) if data.len() > 0 => {
                return Err(fail("there is a file of this name already".into()));
            }
            _ => {}
        }
        let header = Header { format: format_of(contest).into(), contest: contest.clone() };
        let journal = Self::open(path, true, contest)?;
        if let Err(why) = journal.write(json(&header).map_err(fail)?) {
            // A part of a line would be taken for another's file.
            let pen = journal.file.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = pen.file.set_len(0);
            return Err(fail(why));
        }
        Ok(journal)
    }

    /// Opens a file to continue its contest, which must be `contest`; also returns the games that
    /// are finished.
    ///
    /// # Errors
    /// If it is no such file, another contest's, in use, or damaged before its last line.
    pub fn resume(
        path: &Path,
        contest: &Contest,
    ) -> Result<(Self, Vec<FinishedGame>), JournalError> {
        let fail = |why: String| JournalError { file: path.into(), why };
        let journal = Self::open(path, false, contest)?;
        let kept = read(path)?;
        if let Some(difference) = contest.difference(&kept.contest) {
            return Err(fail(format!(
                "this file is of another tournament: {difference}; \
                 ask for the same one, or begin another file"
            )));
        }
        {
            let mut pen = journal.file.lock().unwrap_or_else(PoisonError::into_inner);
            pen.file.set_len(kept.whole).map_err(|error| fail(error.to_string()))?;
            pen.whole = kept.whole;
        }
        Ok((journal, kept.games))
    }

    /// The contest of a file and the games that are finished.
    ///
    /// # Errors
    /// If it is no such file or damaged before its last line.
    pub fn read(path: &Path) -> Result<(Contest, Vec<FinishedGame>), JournalError> {
        read(path).map(|kept| (kept.contest, kept.games))
    }

    /// The contest of a file; its games are not looked at.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn contest(path: &Path) -> Result<Contest, JournalError> {
        first_line(path).map(|(contest, _)| contest)
    }

    /// Whether the games of a file have digests, so that altered ones are noticed. Those that version
    /// 0.1 wrote have none.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn is_sealed(path: &Path) -> Result<bool, JournalError> {
        first_line(path).map(|(_, is_sealed)| is_sealed)
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
        let fail = |why: String| JournalError { file: path.into(), why };
        let file = OpenOptions::new()
            .create(create)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(|error| fail(error.to_string()))?;
        // Not every file system has locks; without them two runs at once are not noticed.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(fail("another run is writing to this file".into()));
        }
        let pen = Pen { file, whole: 0, waiting: Vec::new() };
        Ok(Self { path: path.into(), contest: digest(contest), file: Mutex::new(pen) })
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
        self.write(json(&line).map_err(fail)?).map_err(fail)
    }

    /// Writes what could not be written before, if anything.
    ///
    /// # Errors
    /// If it still cannot be written.
    pub fn finish(&self) -> Result<(), JournalError> {
        let fail = |why| JournalError { file: self.path.clone(), why };
        self.write(Vec::new()).map_err(fail)
    }

    fn write(&self, mut line: Vec<u8>) -> Result<(), String> {
        let mut pen = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        pen.waiting.append(&mut line);
        pen.write().map_err(|error| error.to_string())
    }
}

/// The version in which a contest is written.
fn format_of(contest: &Contest) -> &'static str {
    let has_cpu = contest.budgets().any(|budget| matches!(budget, Budget::Cpu(_)));
    if contest.salt.is_some() || has_cpu { FORMAT } else { PLAIN }
}

/// A value as a line of JSON.
fn json(value: &impl Serialize) -> Result<Vec<u8>, String> {
    let mut text = serde_json::to_vec(value).map_err(|error| error.to_string())?;
    text.push(b'\n');
    Ok(text)
}

struct Kept {
    contest: Contest,
    games: Vec<FinishedGame>,
    /// Length of the part of the file that is whole.
    whole: u64,
}

/// The [`header`] of a file.
fn first_line(path: &Path) -> Result<(Contest, bool), JournalError> {
    let fail = |why: String| JournalError { file: path.into(), why };
    let file = File::open(path).map_err(|error| fail(error.to_string()))?;
    let mut line = Vec::new();
    next_line(&mut BufReader::new(file), &mut line).map_err(fail)?;
    header(&line).map_err(fail)
}

/// The contest of a first line, and whether the lines of games have digests.
fn header(line: &[u8]) -> Result<(Contest, bool), String> {
    const NONE: &str = "this is no tournament of Outwit: its first line holds no configuration";
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
        return Err("its level is not the one that its hash was made of".into());
    }
    let empty = contest.seats.is_empty() || contest.seats.iter().any(|s| s.planners.is_empty());
    if empty || contest.too_many() {
        return Err("its first line holds no tournament that could be played".into());
    }
    check_names(&contest).map_err(|why| format!("line 1: {why}"))?;
    Ok((contest, header.format != UNSEALED))
}

/// Longer reasons are cut off, in letters: they may repeat what is wrong.
const LONGEST_REASON: usize = 200;
/// Longer names of seats and planners are not believed, in letters.
const LONGEST_NAME: usize = 64;
/// Longer paths of programs and levels are not believed, in bytes.
const LONGEST_PATH: usize = 4096;

/// Checks the names of a contest that was read. Planners that are not known any more are results all
/// the same.
fn check_names(contest: &Contest) -> Result<(), String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_+".contains(letter);
    let is_name =
        |name: &str| (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_plain);
    let fail = |name: &str, what: &str| {
        let shown: String = name.chars().take(LONGEST_NAME).collect();
        Err(format!(
            "'{shown}' cannot be the name of a {what}: it must be 1 to {LONGEST_NAME} letters, \
             digits, -, _ or +"
        ))
    };
    if contest.level.id.len() > LONGEST_PATH {
        return Err(format!("the id of the level is longer than {LONGEST_PATH} bytes"));
    }
    for entrants in &contest.seats {
        if !is_name(&entrants.seat) {
            return fail(&entrants.seat, "seat");
        }
        for player in entrants.planners.iter().map(Entrant::player) {
            let fits = match player.engine() {
                Some(path) => path.as_os_str().len() <= LONGEST_PATH,
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

fn read(path: &Path) -> Result<Kept, JournalError> {
    let fail = |why: String| JournalError { file: path.into(), why };
    let file = File::open(path).map_err(|error| fail(error.to_string()))?;
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let mut next = |line: &mut Vec<u8>| next_line(&mut reader, line).map_err(fail);
    let mut whole = next(&mut line)? as u64;
    let (contest, is_sealed) = header(&line).map_err(fail)?;
    let own = digest(&contest);
    let mut games = Vec::new();
    for number in 2.. {
        let length = next(&mut line)?;
        if line.last() != Some(&b'\n') {
            break;
        }
        let parsed = serde_json::from_slice::<Line>(&line).map_err(|error| error.to_string());
        if let Ok(line) = &parsed
            && !line.is_genuine(own, is_sealed).map_err(fail)?
        {
            return Err(fail(format!(
                "line {number} was altered; take it out to have its game played again"
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
                    "line {number} is damaged ({why}); take it out to have its game played again"
                )));
            }
            Err(_) => break,
        }
        whole += length as u64;
    }
    Ok(Kept { contest, games, whole })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
