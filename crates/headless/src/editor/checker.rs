//! Checks and solves the level on a thread of its own while the user edits it.

use outwit_core::levels::Fault;
use outwit_core::platform::news::News;
use outwit_core::platform::task::spawn;
use outwit_core::play::StopFlag;
use outwit_kit::{DynGame, LevelDraft, Solution, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the level must stay unchanged before the solver starts.
const CALM: Duration = Duration::from_millis(300);

/// The state of the solver.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum SolverStatus {
    /// It has not started.
    #[default]
    Waiting,
    /// A level with faults is not solved.
    Faulty,
    /// It is running.
    Solving,
    /// It found the value of the level, or that there is none.
    Solved(Arc<Solution>),
    /// It cannot solve the level, and why.
    Unsolved(String),
    /// It was stopped.
    Cancelled,
}

/// The results for a state of the level.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CheckReport {
    /// The revision of the level.
    pub revision: u64,
    /// Faults and warnings.
    pub verdict: Arc<Verdict>,
    /// The state of the solver.
    pub answer: SolverStatus,
}

struct Job {
    kind: &'static dyn DynGame,
    draft: LevelDraft,
    revision: u64,
}

#[derive(Default)]
struct State {
    wanted: Option<Job>,
    stop: StopFlag,
    report: CheckReport,
    quit: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    news: News,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks and solves the newest level that it was given, and drops older ones.
pub struct Checker {
    shared: Arc<Shared>,
}

impl Default for Checker {
    fn default() -> Self {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        // Without a thread there are no checks, but editing still works.
        let _ = spawn("checker", move || work(&own));
        Self { shared }
    }
}

impl Checker {
    /// Starts checking a level, and cancels the check before it.
    pub fn ask(&self, kind: &'static dyn DynGame, draft: &LevelDraft, revision: u64) {
        let mut state = self.shared.lock();
        state.stop.raise();
        state.wanted = Some(Job { kind, draft: draft.clone(), revision });
        self.shared.news.tell();
    }

    /// Whether the newest level is being checked, so that another one would not have to wait.
    pub fn is_free(&self) -> bool {
        self.shared.lock().wanted.is_none()
    }

    /// Stops the solver; the results so far stay.
    pub fn cancel(&self) {
        self.shared.lock().stop.raise();
    }

    /// The results so far.
    pub fn report(&self) -> CheckReport {
        self.shared.lock().report.clone()
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.quit = true;
        state.stop.raise();
        self.shared.news.tell();
    }
}

fn work(shared: &Shared) {
    // The level of the last final answer, which holds for it under any name.
    let mut solved_level: Option<(LevelDraft, SolverStatus)> = None;
    loop {
        let (job, stop) = {
            let mut state = shared.lock();
            loop {
                if state.quit {
                    return;
                }
                if let Some(job) = state.wanted.take() {
                    state.stop = StopFlag::default();
                    break (job, state.stop.clone());
                }
                state = shared.news.wait(&shared.state, state, None);
            }
        };
        let verdict = catch_panic(|| job.kind.check_draft(&job.draft)).unwrap_or_else(|why| {
            Verdict { faults: vec![Fault::whole(why)], ..Verdict::default() }
        });
        let faulty = !verdict.faults.is_empty();
        let known = solved_level.as_ref().filter(|(level, _)| level.plays_like(&job.draft));
        let answer = match known {
            _ if faulty => SolverStatus::Faulty,
            Some((_, answer)) => answer.clone(),
            None => SolverStatus::Waiting,
        };
        let is_final = answer != SolverStatus::Waiting;
        {
            let mut state = shared.lock();
            state.report =
                CheckReport { revision: job.revision, verdict: Arc::new(verdict), answer };
            if is_final || state.wanted.is_some() {
                continue;
            }
            let mut state = shared.news.wait(&shared.state, state, Some(CALM));
            if state.quit || state.wanted.is_some() {
                continue;
            }
            if stop.is_raised() {
                state.report.answer = SolverStatus::Cancelled;
                continue;
            }
            state.report.answer = SolverStatus::Solving;
        }
        let solved =
            catch_panic(|| job.kind.solve_draft(&job.draft, &stop)).and_then(|solved| solved);
        let mut state = shared.lock();
        state.report.answer = match solved {
            _ if stop.is_raised() => SolverStatus::Cancelled,
            Ok(solution) => SolverStatus::Solved(Arc::new(solution)),
            Err(why) => SolverStatus::Unsolved(why),
        };
        let answer = state.report.answer.clone();
        drop(state);
        solved_level = (answer != SolverStatus::Cancelled).then_some((job.draft, answer));
    }
}

/// Runs a game's code; a panic there must not end the editor.
fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| "The check of this level crashed. Editing and saving still work".into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::editor::{EditorModel, Field};
    use outwit_core::grid::Cell;

    /// Waits for the results of a revision; fails only if the checker hangs.
    fn wait(checker: &Checker, revision: u64, done: impl Fn(&SolverStatus) -> bool) -> CheckReport {
        for _ in 0..3000 {
            let report = checker.report();
            if report.revision == revision && done(&report.answer) {
                return report;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("no answer: {:?}", checker.report());
    }

    #[test]
    fn a_track_is_checked_and_solved_while_it_is_drawn() {
        let kind = crate::find("racetrack").unwrap();
        let mut model = EditorModel::blank(kind, 12, 5);
        let checker = Checker::default();
        checker.ask(kind, model.draft(), model.revision());
        let report = wait(&checker, model.revision(), |answer| *answer == SolverStatus::Faulty);
        assert!(!report.verdict.faults.is_empty());
        for (symbol, x) in [('.', 1), ('S', 1), ('F', 10)] {
            model.active_tile = symbol;
            model.press(Cell::new(x, 2), Default::default()).unwrap();
            if symbol == '.' {
                model.drag(Cell::new(10, 2), Default::default());
            }
            model.release();
            checker.ask(kind, model.draft(), model.revision());
        }
        let report = wait(&checker, model.revision(), |a| {
            !matches!(a, SolverStatus::Waiting | SolverStatus::Solving)
        });
        let SolverStatus::Solved(solution) = report.answer else { panic!("{report:?}") };
        // One, two, three, four cells, or less: nine cells take four turns.
        assert_eq!(solution.value.map(f64::ceil), Some(4.0));
        assert!(solution.proved);
        assert_eq!(report.verdict.faults, []);

        // Another name is checked, but what was solved stays solved: the report never goes back.
        model.set_text(Field::Name, "Straight on");
        checker.ask(kind, model.draft(), model.revision());
        let report = wait(&checker, model.revision(), |_| true);
        assert_eq!(report.answer, SolverStatus::Solved(solution));
    }
}
