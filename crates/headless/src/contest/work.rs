//! What Outwit keeps of a contest in its folder `work`: players that were built, finished games, and who plays what.

use outwit_core::platform::claims::{Claimed, Claims};
use outwit_core::platform::paths::is_link;
use outwit_core::platform::store::{
    self, GrowingFile, Lock, StoreError, create_folder, list_if_there, read_file,
};
use outwit_core::platform::task::{beside, lock};
use outwit_core::platform::time::{Duration, sleep};
use outwit_core::play::{Salt, StopFlag};
use outwit_core::tournament::{FinishedGame, game_from_line, game_to_line};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The ending of files with games.
const ENDING: &str = "jsonl";
/// More bytes than the line of a game has.
const LONGEST: u64 = 64 << 20;
/// How often a run looks whether another one still writes the site.
const LOOK: Duration = Duration::from_millis(300);
/// How often a run shows that it lives.
const PULSE: Duration = Duration::from_secs(5);

/// The folder `work` of a contest.
#[derive(Clone, Debug)]
pub struct WorkFolder(PathBuf);

/// The finished games of a contest.
pub struct Finished {
    /// The games, by their keys.
    pub games: BTreeMap<u64, FinishedGame>,
    /// Lines of games that are torn or altered.
    pub damaged: usize,
}

/// A game as a line.
#[derive(Deserialize)]
struct GameLine {
    key: String,
    game: serde_json::Value,
}

impl WorkFolder {
    /// That of a contest's folder; it is created.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn open(contest: &Path) -> Result<Self, StoreError> {
        let own = Self(contest.join("work"));
        create_folder(&own.builds())?;
        create_folder(&own.games())?;
        Ok(own)
    }

    /// Where players are built.
    pub fn builds(&self) -> PathBuf {
        self.0.join("builds")
    }

    fn games(&self) -> PathBuf {
        self.0.join("games")
    }

    /// The salt of all games: the first run draws it.
    ///
    /// # Errors
    /// If there is none to draw, or the file with it is damaged.
    pub fn salt(&self) -> Result<Salt, String> {
        let file = self.0.join("salt.txt");
        if !store::is_file(&file) {
            let text = format!("{}\n", Salt::draw().map_err(|error| error.to_string())?);
            // If another run was faster, this one lies beside it and is not used.
            let fresh =
                store::write_new(&file, text.as_bytes()).map_err(|error| error.to_string())?;
            if fresh != file {
                let _ = store::remove(&fresh);
            }
        }
        let text = read_file(&file).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&text);
        text.trim().parse().map_err(|error| {
            format!(
                "{}: {error}. You may delete this file: then all games are played again with other dice",
                file.display()
            )
        })
    }

    /// Waits until no other run writes the site.
    ///
    /// # Errors
    /// If the system refuses, or `stop` is raised.
    pub fn site_lock(&self, stop: &StopFlag) -> Result<Lock, String> {
        loop {
            match Lock::take(&self.0.join("site.lock"))? {
                Some(lock) => return Ok(lock),
                None if stop.is_raised() => return Err("interrupted".into()),
                None => sleep(LOOK),
            }
        }
    }

    /// Removes what was built of versions that are not in these folders. No other run may work meanwhile.
    ///
    /// # Errors
    /// If something cannot be removed.
    pub fn remove_builds_but(&self, kept: &HashSet<&Path>) -> Result<(), StoreError> {
        for path in list_if_there(&self.builds())? {
            if kept.contains(path.with_extension("").as_path()) {
                continue;
            }
            if store::is_folder(&path) && !is_link(&path) {
                store::remove_folder(&path)?;
            } else {
                store::remove(&path)?;
            }
        }
        Ok(())
    }

    /// The finished games among those that are wanted. Each is known by the key of all that it depends on; lines that
    /// are torn, altered or of other games do not count.
    ///
    /// # Errors
    /// If the folder or a file cannot be read.
    pub fn finished(&self, wanted: &HashSet<u64>) -> Result<Finished, StoreError> {
        let mut games = BTreeMap::new();
        let mut damaged = 0;
        for path in list_if_there(&self.games())? {
            if path.extension().is_some_and(|ending| ending == ENDING) {
                let mut altered = 0;
                damaged += games_of(&path, |key, game| {
                    if wanted.contains(&key) {
                        match game_from_line(&game.to_string(), key) {
                            Ok(game) => drop(games.insert(key, game)),
                            Err(_) => altered += 1,
                        }
                    }
                })?;
                damaged += altered;
            }
        }
        Ok(Finished { games, damaged })
    }

    fn file_of(&self, run: &str) -> PathBuf {
        self.games().join(format!("{run}.{ENDING}"))
    }
}

/// Reads the games of a file with their keys; returns how many lines are none.
fn games_of(
    path: &Path,
    mut take: impl FnMut(u64, serde_json::Value),
) -> Result<usize, StoreError> {
    let mut reader = BufReader::new(store::open(path)?);
    let mut line = Vec::new();
    let mut damaged = 0;
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        if read.map_err(|error| StoreError::new(path, error))? == 0 {
            return Ok(damaged);
        }
        // A line without an end is torn; so is all behind one that is too long.
        if !line.ends_with(b"\n") {
            return Ok(damaged + 1);
        }
        match serde_json::from_slice(&line) {
            Ok(GameLine { key, game }) if let Ok(key) = u64::from_str_radix(&key, 16) => {
                take(key, game)
            }
            _ => damaged += 1,
        }
    }
}

/// A run that plays games of a contest.
pub struct Worker {
    work: WorkFolder,
    claims: Claims,
    file: Mutex<Option<GrowingFile>>,
    /// The games that runs which have ended finished.
    left: Mutex<HashMap<String, HashSet<u64>>>,
}

impl Worker {
    /// Joins those that play.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn join(work: &WorkFolder) -> Result<Self, StoreError> {
        let claims = Claims::join(&work.0)?;
        let file = Mutex::new(None);
        Ok(Self { work: work.clone(), claims, file, left: Mutex::default() })
    }

    /// Shows that it lives; see [`Claims::pulse`].
    ///
    /// # Errors
    /// If the system refuses.
    pub fn pulse(&self) -> Result<(), StoreError> {
        self.claims.pulse()
    }

    /// Does something, and shows meanwhile that this run lives.
    pub fn alive<T>(&self, own: impl FnOnce() -> T) -> T {
        beside(
            |end: StopFlag| {
                while !end.is_raised() {
                    let _ = self.pulse();
                    (0..10).filter(|_| !end.is_raised()).for_each(|_| sleep(PULSE / 10));
                }
            },
            own,
        )
    }

    /// Whether other runs play, too.
    pub fn has_company(&self) -> bool {
        self.claims.has_company()
    }

    /// Takes the game with this key, unless it is played or finished elsewhere.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn take(&self, key: u64) -> Result<bool, StoreError> {
        let task = format!("{key:016x}");
        match self.claims.take(&task)? {
            Claimed::Own => Ok(true),
            Claimed::Taken => Ok(false),
            Claimed::Left(run) => match self.has_finished(&run, key)? {
                true => Ok(false),
                false => self.claims.take_over(&task, &run),
            },
        }
    }

    /// Whether a run that has ended finished a game.
    fn has_finished(&self, run: &str, key: u64) -> Result<bool, StoreError> {
        let mut left = lock(&self.left);
        if !left.contains_key(run) {
            let path = self.work.file_of(run);
            let mut keys = HashSet::new();
            if store::is_file(&path) {
                games_of(&path, |key, game| {
                    if game_from_line(&game.to_string(), key).is_ok() {
                        keys.insert(key);
                    }
                })?;
            }
            left.insert(run.to_owned(), keys);
        }
        Ok(left.get(run).is_some_and(|keys| keys.contains(&key)))
    }

    /// Saves a finished game.
    ///
    /// # Errors
    /// If it cannot be written yet; it is written with the next one.
    pub fn save(&self, key: u64, game: &FinishedGame) -> Result<(), String> {
        let game = game_to_line(game, key)?;
        let line = format!("{{\"key\":\"{key:016x}\",\"game\":{game}}}\n");
        let path = self.work.file_of(self.claims.name());
        let fail = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut file = lock(&self.file);
        let growing = match &mut *file {
            Some(growing) => growing,
            none => none.insert(GrowingFile::open(&path, true).map_err(fail)?),
        };
        growing.add(line.as_bytes()).map_err(fail)
    }

    /// Forces all games to the disk.
    ///
    /// # Errors
    /// If one cannot be written.
    pub fn finish(&self) -> Result<(), String> {
        let path = self.work.file_of(self.claims.name());
        let finished = lock(&self.file).as_mut().map(GrowingFile::finish);
        finished.unwrap_or(Ok(())).map_err(|error| format!("{}: {error}", path.display()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::play::{Outcome, Place};

    fn game(seed: u64) -> FinishedGame {
        let place = Place { rank: 1, score: Some(1.5), ending: "out".into() };
        FinishedGame::new(
            seed,
            ["program:a"],
            Outcome { headline: "h".into(), places: vec![place] },
        )
    }

    #[test]
    fn finished_games_are_found_again_and_played_once() {
        let folder = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(folder.path()).unwrap();
        let one = Worker::join(&work).unwrap();
        assert!(one.take(7).unwrap() && one.take(8).unwrap());
        one.save(7, &game(1)).unwrap();
        one.finish().unwrap();
        let name = one.claims.name().to_owned();
        drop(one);
        let two = Worker::join(&work).unwrap();
        let known = work.finished(&HashSet::from([7, 8])).unwrap();
        assert_eq!(known.damaged, 0);
        assert_eq!(known.games.into_iter().collect::<Vec<_>>(), [(7, game(1))]);
        // The first one ended before it finished the other. Its process lives, but it has left.
        assert!(!two.take(7).unwrap());
        assert!(two.take(8).unwrap());
        // What is altered or torn does not count.
        let file = work.file_of(&name);
        let text = std::fs::read_to_string(&file).unwrap();
        for damaged in [&text.replace("1.5", "2.5"), text.trim_end(), "{}\n", "\u{1}\n"] {
            std::fs::write(&file, damaged).unwrap();
            let found = work.finished(&HashSet::from([7])).unwrap();
            assert_eq!((found.games.len(), found.damaged), (0, 1), "{damaged}");
        }
    }

    #[test]
    fn what_was_built_of_old_versions_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(folder.path()).unwrap();
        for name in ["ada-01", "ada-02", "ben-03"] {
            std::fs::create_dir_all(work.builds().join(name).join("bin")).unwrap();
            std::fs::write(work.builds().join(format!("{name}.json")), "").unwrap();
        }
        std::fs::write(work.builds().join("cem-04.lock"), "").unwrap();
        let kept = work.builds().join("ada-02");
        work.remove_builds_but(&HashSet::from([kept.as_path()])).unwrap();
        let left = store::list(&work.builds()).unwrap();
        assert_eq!(left, [kept.clone(), kept.with_extension("json")]);
    }

    #[test]
    fn a_file_in_the_place_of_a_folder_is_named() {
        for file in ["work", "work/games", "work/claims"] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "").unwrap();
            let opened = WorkFolder::open(folder.path()).and_then(|work| Worker::join(&work));
            let why = opened.err().unwrap().to_string();
            assert!(why.contains(file) && why.contains("must be a folder"), "{file}: {why}");
        }
    }

    #[test]
    fn all_runs_have_one_salt() {
        let folder = tempfile::tempdir().unwrap();
        let work = WorkFolder::open(folder.path()).unwrap();
        let first = work.salt().unwrap();
        assert_eq!(work.salt().unwrap(), first);
        std::fs::write(folder.path().join("work/salt.txt"), "x").unwrap();
        let why = work.salt().unwrap_err();
        assert!(why.contains("salt.txt") && why.contains("delete this file"), "{why}");
    }
}
