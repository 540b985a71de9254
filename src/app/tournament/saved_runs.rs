//! Saved tournaments in the data folder.

use super::config::describe;
use outwit_core::platform::store::{self, StoreError};
use outwit_core::platform::time::SystemTime;
use outwit_core::play::digest;
use outwit_core::tournament::{Contest, Journal};
use outwit_kit::DynGame;
use outwit_levels::data_folder;
use std::path::{Path, PathBuf};

/// A saved tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct SavedRun {
    /// Its file.
    pub path: PathBuf,
    /// Its configuration.
    pub contest: Contest,
    /// What people call its level.
    pub level_name: String,
    /// Number of finished games.
    pub done: usize,
    when: SystemTime,
}

/// The file of a contest: the same contest always has the same file. `None` where the system has no
/// data folder.
pub fn file_of(contest: &Contest) -> Option<PathBuf> {
    let name = format!("{}-{:016x}.jsonl", contest.game, digest(contest));
    Some(folder()?.join(name))
}

fn folder() -> Option<PathBuf> {
    data_folder().map(|folder| folder.join("tournaments"))
}

/// The saved tournaments of a game, newest first. Other files are left out.
pub fn list(kind: &dyn DynGame) -> Vec<SavedRun> {
    let Some(files) = folder().and_then(|folder| store::list(&folder).ok()) else {
        return Vec::new();
    };
    let mut saved: Vec<SavedRun> = files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .filter(|path| store::is_file(path))
        .filter_map(|path| read_head(kind, &path))
        .collect();
    saved.sort_by(|a, b| b.when.cmp(&a.when).then(a.path.cmp(&b.path)));
    saved
}

fn read_head(kind: &dyn DynGame, path: &Path) -> Option<SavedRun> {
    use std::io::Read;
    let contest = Journal::contest(path).ok().filter(|contest| contest.game == kind.id())?;
    let when = store::modified(path)?;
    // Lines may be longer than what should be in memory.
    let mut file = store::open(path).ok()?;
    let mut chunk = vec![0; 1 << 16];
    let mut lines = 0_usize;
    loop {
        match file.read(&mut chunk).ok()? {
            0 => break,
            length => lines += chunk[..length].iter().filter(|byte| **byte == b'\n').count(),
        }
    }
    let (level_name, _) = describe(kind, &contest.level);
    Some(SavedRun { path: path.into(), contest, level_name, done: lines.saturating_sub(1), when })
}

/// Removes a file from the list by adding a `~` to its name, and a number if that name is taken.
///
/// # Errors
/// If it cannot be renamed.
pub fn move_aside(path: &Path) -> Result<PathBuf, StoreError> {
    Journal::set_aside(path)
}
