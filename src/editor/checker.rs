//! What is wrong with the level and how it is solved, found out on a thread of its own while one
//! draws on.

use crate::games::{DynGame, LevelDraft, Solution, Verdict};
use crate::levels::Fault;
use crate::platform::task::spawn;
use crate::play::StopFlag;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long nothing must change before the solver begins.
const CALM: Duration = Duration::from_millis(300);

/// What the solver says.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum SolverStatus {
    /// It was not asked yet.
    #[default]
    Waiting,
    /// A level with faults is not solved.
    Faulty,
    /// It is at work.
    Solving,
    /// It found the value of the level, or that there is none.
    Solved(Arc<Solution>),
    /// It cannot solve it; why.
    Unsolved(String),
    /// It was told to stop.
    Cancelled,
}

/// What is known of a level.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CheckReport {
    /// Which state of the level it is about.
    pub revision: u64,
    /// Faults and warnings.
    pub verdict: Arc<Verdict>,
    /// What the solver says.
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
    news: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks and solves the newest level that it was given; older ones are dropped.
pub struct Checker {
    shared: Arc<Shared>,
}

impl Default for Checker {
    fn default() -> Self {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        // Without a thread there is no report, and the level is derived_rules without one.
        let _ = spawn("checker", move || work(&own));
        Self { shared }
    }
}

impl Checker {
    /// Asks about a level; what was asked before is given up.
    pub fn ask(&self, kind: &'static dyn DynGame, draft: &LevelDraft, revision: u64) {
        let mut state = self.shared.lock();
        state.stop.raise();
        state.wanted = Some(Job { kind, draft: draft.clone(), revision });
        self.shared.news.notify_one();
    }

    /// Whether the newest question was taken up, so that another would not wait behind it.
    pub fn is_free(&self) -> bool {
        self.shared.lock().wanted.is_none()
    }

    /// Tells the solver to stop.
    pub fn cancel(&self) {
        self.shared.lock().stop.raise();
    }

    /// What is known by now.
    pub fn report(&self) -> CheckReport {
        self.shared.lock().report.clone()
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.quit = true;
        state.stop.raise();
        self.shared.news.notify_one();
    }
}

fn work(shared: &Shared) {
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
                state = shared.news.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        };
        let verdict = guarded(|| job.kind.check_draft(&job.draft)).unwrap_or_else(|why| Verdict {
            faults: vec![Fault::whole(why)],
            warnings: Vec::new(),
        });
        let faulty = !verdict.faults.is_empty();
        let answer = if faulty { SolverStatus::Faulty } else { SolverStatus::Waiting };
        {
            let mut state = shared.lock();
            state.report =
                CheckReport { revision: job.revision, verdict: Arc::new(verdict), answer };
            if faulty || state.wanted.is_some() {
                continue;
            }
            let waited = shared.news.wait_timeout(state, CALM);
            let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if state.quit || state.wanted.is_some() {
                continue;
            }
            if stop.is_raised() {
                state.report.answer = SolverStatus::Cancelled;
                continue;
            }
            state.report.answer = SolverStatus::Solving;
        }
        let solved = guarded(|| job.kind.solve_draft(&job.draft, &stop)).and_then(|solved| solved);
        let mut state = shared.lock();
        state.report.answer = match solved {
            _ if stop.is_raised() => SolverStatus::Cancelled,
            Ok(solution) => SolverStatus::Solved(Arc::new(solution)),
            Err(why) => SolverStatus::Unsolved(why),
        };
    }
}

/// A mistake of a game must not take the editor with it.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        "Outwit made a mistake while it looked at this level; drawing and saving still work".into()
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::editor::EditorModel;
    use crate::games::GAMES;
    use crate::grid::Cell;

    /// Waits for an answer about this state of the level; only a hang fails.
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
        let kind = GAMES.iter().find(|game| game.kind.id() == "racetrack").unwrap().kind;
        let mut model = EditorModel::blank(kind, 12, 5);
        let checker = Checker::default();
        checker.ask(kind, model.draft(), model.revision());
        let report = wait(&checker, model.revision(), |answer| *answer == SolverStatus::Faulty);
        assert!(!report.verdict.faults.is_empty());
        for (symbol, x) in [('.', 1), ('S', 1), ('F', 10)] {
            model.hand = symbol;
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
        assert_eq!(solution.value, Some(4.0));
        assert!(solution.proved);
        assert_eq!(report.verdict.faults, []);
    }
}
