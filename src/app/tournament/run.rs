//! A running tournament, on threads of its own.

use outwit_core::platform::store;
use outwit_core::platform::task::spawn;
use outwit_core::platform::time::{Duration, Instant};
use outwit_core::play::StopFlag;
use outwit_core::tournament::{Contest, FinishedGame, Journal, TournamentError};
use outwit_kit::DynGame;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// All games are played.
    Finished,
    /// It was cancelled.
    Cancelled,
    /// It failed, and why.
    Failed(String),
}

#[derive(Default)]
struct RunProgress {
    games: Vec<FinishedGame>,
    /// Games that were finished before this run, once they are read.
    before: Option<usize>,
    begun: Option<Instant>,
    end: Option<RunEnd>,
}

/// A running tournament. Dropping it cancels it; finished games are in its file.
pub struct Run {
    progress: Arc<Mutex<RunProgress>>,
    stop: StopFlag,
    games: usize,
    finished: usize,
}

impl Run {
    /// Starts to play the games that are not in `file` yet; without a file, all games.
    pub fn begin(kind: &'static dyn DynGame, contest: Contest, file: Option<PathBuf>) -> Self {
        let run = Self {
            progress: Arc::default(),
            stop: StopFlag::default(),
            games: contest.games(),
            finished: 0,
        };
        let progress = Arc::clone(&run.progress);
        let stop = run.stop.clone();
        let begun = spawn("tournament", move || {
            let end = match play(kind, &contest, file.as_deref(), &stop, &progress) {
                Ok(()) => RunEnd::Finished,
                Err(TournamentError::Cancelled) => RunEnd::Cancelled,
                Err(error) => RunEnd::Failed(error.to_string()),
            };
            lock(&progress).end = Some(end);
        });
        if let Err(error) = begun {
            lock(&run.progress).end =
                Some(RunEnd::Failed(format!("Could not start a worker thread: {error}")));
        }
        run
    }

    /// Returns the games finished since the last call, and how the run ended, if it did.
    pub fn poll(&mut self) -> (Vec<FinishedGame>, Option<RunEnd>) {
        let mut progress = lock(&self.progress);
        let games = std::mem::take(&mut progress.games);
        let end = progress.end.clone();
        drop(progress);
        self.finished += games.len();
        (games, end)
    }

    /// Asks the run to stop. It ends soon afterwards; finished games are kept.
    pub fn cancel(&self) {
        self.stop.raise();
    }

    /// Whether it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.stop.is_raised()
    }

    /// The number of finished games and of all games.
    pub fn progress(&self) -> (usize, usize) {
        (self.finished, self.games)
    }

    /// The estimated time left.
    pub fn remaining(&self) -> Option<Duration> {
        let progress = lock(&self.progress);
        let before = progress.before?;
        let begun = progress.begun?;
        let here = self.finished.checked_sub(before).filter(|&here| here > 0)?;
        let left = self.games.saturating_sub(self.finished);
        Some(begun.elapsed().mul_f64(left as f64 / here as f64))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

fn lock(progress: &Mutex<RunProgress>) -> std::sync::MutexGuard<'_, RunProgress> {
    // Held for plain assignments only, so the data is whole even if poisoned.
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

fn play(
    kind: &dyn DynGame,
    contest: &Contest,
    file: Option<&Path>,
    stop: &StopFlag,
    progress: &Mutex<RunProgress>,
) -> Result<(), TournamentError> {
    if let Some(program) =
        contest.programs().find(|program| contest.programs.find(program.command).is_err())
    {
        return Err(TournamentError::Setup(format!(
            "The program {} plays in this tournament. To allow that, choose it again with Program… in a seat.",
            program.command
        )));
    }
    let (journal, done) = match file {
        Some(file) => open(file, contest).map_err(TournamentError::Journal)?,
        None => (None, Vec::new()),
    };
    {
        let mut progress = lock(progress);
        progress.games.clone_from(&done);
        progress.before = Some(done.len());
        progress.begun = Some(Instant::now());
    }
    let played = kind.run_contest(contest, done, stop, &|game| {
        if let Some(journal) = &journal {
            // What cannot be written now is written with a later game or in the end.
            let _ = journal.add(game);
        }
        lock(progress).games.push(game.clone());
        Ok(())
    });
    if let Some(Err(error)) = journal.as_ref().map(Journal::finish) {
        return Err(TournamentError::Journal(error.to_string()));
    }
    played.map(|_| ())
}

fn open(file: &Path, contest: &Contest) -> Result<(Option<Journal>, Vec<FinishedGame>), String> {
    let text = |error: &dyn ToString| error.to_string();
    if store::size(file).is_some_and(|bytes| bytes > 0) {
        let (journal, saved) = Journal::resume(file, contest).map_err(|error| text(&error))?;
        return Ok((Some(journal), saved.games));
    }
    Ok((Some(Journal::begin(file, contest).map_err(|error| text(&error))?), Vec::new()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::play::Budget;
    use outwit_core::tournament::{ContestLevel, Entrants};
    use outwit_headless::find;
    use outwit_kit::tournament;
    use outwit_levels::built_in;

    fn contest(kind: &dyn DynGame, seeds: u32) -> Contest {
        let text = String::from_utf8(built_in("cops/tiny").unwrap().bytes().unwrap()).unwrap();
        let level = ContestLevel::new("cops/tiny".into(), text);
        let named =
            [Entrants::new("thief", ["runner", "evader"]), Entrants::new("cops", ["chasers"])];
        tournament::contest(kind, level, &named, (1, seeds), Budget::Work(2000)).unwrap()
    }

    fn until_end(run: &mut Run) -> (Vec<FinishedGame>, RunEnd) {
        let mut all = Vec::new();
        loop {
            let (games, end) = run.poll();
            all.extend(games);
            if let Some(end) = end {
                all.extend(run.poll().0);
                return (all, end);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn a_cancelled_run_can_be_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/saved.jsonl");
        let kind = find("cops").unwrap();
        let contest = contest(kind, 30);
        let mut run = Run::begin(kind, contest.clone(), Some(file.clone()));
        while run.progress().0 == 0 && run.poll().1.is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        run.cancel();
        // A fast machine may have finished by then.
        let (_, end) = until_end(&mut run);
        assert!(matches!(end, RunEnd::Cancelled | RunEnd::Finished), "{end:?}");
        let saved = Journal::read(&file).unwrap().games.len();
        assert!(saved >= run.progress().0);
        let mut run = Run::begin(kind, contest.clone(), Some(file.clone()));
        let (games, end) = until_end(&mut run);
        assert_eq!((games.len(), end), (60, RunEnd::Finished));
        assert_eq!(run.progress(), (60, 60));
        assert_eq!(Journal::read(&file).unwrap().games.len(), 60);
    }

    #[test]
    fn another_file_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("letter.txt");
        std::fs::write(&file, "Dear Ada,\n").unwrap();
        let kind = find("cops").unwrap();
        let mut run = Run::begin(kind, contest(kind, 1), Some(file.clone()));
        let (games, end) = until_end(&mut run);
        assert!(games.is_empty());
        assert!(matches!(end, RunEnd::Failed(why) if why.contains("not a tournament")));
        assert_eq!(std::fs::read(&file).unwrap(), b"Dear Ada,\n");
    }
}
