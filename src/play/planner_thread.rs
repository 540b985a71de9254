//! Keeps a planner at arm's length: whatever it does, the match goes on.

use super::{Budget, Clock, Game, Insight, Planner, Progress, StopFlag};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a planner thinks before its answer and insight are published anew.
const SLICE: Duration = Duration::from_millis(10);

/// What a planner has said about the turn it was last asked about.
#[derive(Clone, Debug)]
pub struct PlannerReport<A> {
    /// Which question this answers, as given to [`PlannerThread::begin`].
    pub question: u64,
    /// The best action so far; `None` until the planner has seen the question.
    pub best: Option<A>,
    /// Its own picture.
    pub insight: Insight,
    /// Whether it has finished with the question, by being done or out of budget.
    pub done: bool,
    /// Time spent on the question.
    pub thought: Duration,
    /// Work units spent on the question.
    pub work: u64,
    /// Time spent on preparation; `None` while still preparing.
    pub preparation: Option<Duration>,
    /// The message of its panic. It will not answer any more.
    pub panic: Option<String>,
}

impl<A> Default for PlannerReport<A> {
    fn default() -> Self {
        Self {
            question: 0,
            best: None,
            insight: Insight::default(),
            done: false,
            thought: Duration::ZERO,
            work: 0,
            preparation: None,
            panic: None,
        }
    }
}

struct Shared<A> {
    report: Mutex<PlannerReport<A>>,
    changed: Condvar,
}

impl<A> Shared<A> {
    fn lock(&self) -> MutexGuard<'_, PlannerReport<A>> {
        // The lock is held for plain assignments only, so its data is whole even if poisoned.
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn post(&self, change: impl FnOnce(&mut PlannerReport<A>)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }
}

struct Question<G: Game> {
    number: u64,
    seen: G::Observation,
    budget: Budget,
    stop: StopFlag,
}

/// A planner on a thread of its own.
///
/// The planner is made on that thread too, so that its preparation blocks nobody. A planner that
/// never returns keeps its thread but nothing else.
pub struct PlannerThread<G: Game> {
    board: Arc<Shared<G::Action>>,
    questions: Sender<Question<G>>,
    stop: StopFlag,
    asked: u64,
}

impl<G: Game> PlannerThread<G> {
    /// Starts the thread on which `make` makes the planner.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn new(
        make: impl FnOnce() -> Box<dyn Planner<G>> + Send + 'static,
    ) -> Result<Self, std::io::Error> {
        let board = Arc::new(Shared {
            report: Mutex::new(PlannerReport::default()),
            changed: Condvar::new(),
        });
        let (questions, inbox) = channel();
        let worker = Arc::clone(&board);
        thread::Builder::new()
            .name("planner".into())
            .spawn(move || guarded(&worker, || work(&worker, &inbox, make)))?;
        Ok(Self { board, questions, stop: StopFlag::default(), asked: 0 })
    }

    /// Asks about a new turn; returns the number of the question. Thinking about an earlier one is
    /// told to stop.
    pub fn begin(&mut self, seen: G::Observation, budget: Budget) -> u64 {
        self.stop.raise();
        self.stop = StopFlag::default();
        self.asked += 1;
        let question = Question { number: self.asked, seen, budget, stop: self.stop.clone() };
        // A closed channel means that the planner has panicked, which the report tells.
        let _ = self.questions.send(question);
        self.asked
    }

    /// Tells the planner to stop thinking about its present question.
    pub fn stop(&self) {
        self.stop.raise();
    }

    /// What the planner has said so far.
    pub fn report(&self) -> PlannerReport<G::Action> {
        self.board.lock().clone()
    }

    /// Reads something off the present report without copying its insight.
    pub fn peek<T>(&self, read: impl FnOnce(&PlannerReport<G::Action>) -> T) -> T {
        read(&self.board.lock())
    }

    /// Waits until the planner has finished `question`, panicked, or `deadline` has passed.
    /// With `preparing` the deadline counts only once preparation is over.
    pub fn wait(&self, question: u64, allowance: Duration) {
        let mut started = Instant::now();
        let mut report = self.board.lock();
        loop {
            if report.panic.is_some() || (report.question == question && report.done) {
                return;
            }
            if report.preparation.is_none() {
                started = Instant::now();
            }
            let Some(left) = allowance.checked_sub(started.elapsed()) else { return };
            report = self
                .board
                .changed
                .wait_timeout(report, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}

impl<G: Game> Drop for PlannerThread<G> {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

/// The text of a caught panic.
pub(super) fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it gave no reason".into())
}

fn guarded<A>(board: &Shared<A>, work: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(work)) {
        let text = panic_text(payload.as_ref());
        board.post(|report| report.panic = Some(text));
    }
}

fn work<G: Game>(
    board: &Shared<G::Action>,
    inbox: &Receiver<Question<G>>,
    make: impl FnOnce() -> Box<dyn Planner<G>>,
) {
    let started = Instant::now();
    let mut planner = make();
    board.post(|report| report.preparation = Some(started.elapsed()));
    while let Ok(mut question) = inbox.recv() {
        while let Ok(newer) = inbox.try_recv() {
            question = newer;
        }
        answer(board, planner.as_mut(), &question);
    }
}

fn answer<G: Game>(
    board: &Shared<G::Action>,
    planner: &mut dyn Planner<G>,
    question: &Question<G>,
) {
    let clock = Clock::new(question.budget, question.stop.clone());
    planner.observe(&question.seen);
    let best = planner.best();
    board.post(|report| {
        report.question = question.number;
        report.best = Some(best);
        report.insight = Insight::default();
        report.done = false;
        report.thought = Duration::ZERO;
        report.work = 0;
    });
    loop {
        clock.slice_of_time(SLICE);
        let progress = planner.think(&clock);
        let done = progress == Progress::Done || clock.is_over();
        let (best, insight) = (planner.best(), planner.insight());
        board.post(|report| {
            report.best = Some(best);
            report.insight = insight;
            report.done = done;
            report.thought = clock.elapsed();
            report.work = clock.used();
        });
        if done {
            return;
        }
    }
}
