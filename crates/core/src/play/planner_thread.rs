//! Keeps a planner at arm's length: whatever it does, the match continues.

use super::{Budget, Clock, Closing, Game, Insight, Line, Planner, Progress, Spent, StopFlag};
use crate::platform::news::{News, Receiver, Sender, channel};
use crate::platform::program::ProgramLog;
use crate::platform::task::{AtWork, panic_text, spawn};
use crate::platform::time::{CpuMeter, Duration, Instant};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// How long a planner thinks before its answer is published again.
const SLICE: Duration = Duration::from_millis(10);

/// How far a planner is with its preparation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preparation {
    /// It still prepares.
    Running,
    /// It is ready, after this time.
    Ready(Duration),
    /// It was cut short after this time and runs without.
    Cut(Duration),
}

impl Preparation {
    /// How long it took; nothing while it is running.
    pub fn time(self) -> Duration {
        match self {
            Preparation::Running => Duration::ZERO,
            Preparation::Ready(time) | Preparation::Cut(time) => time,
        }
    }
}

/// What a planner has said about the turn it was last asked about.
#[derive(Clone, Debug)]
pub struct PlannerReport<A> {
    /// Which question this answers, as given by [`PlannerThread::begin`].
    pub question: u64,
    /// The best action so far; `None` until the planner has seen the question.
    pub best: Option<A>,
    /// What it expects, once somebody [looks](PlannerThread::look).
    pub line: Line<A>,
    /// Whether it gives up.
    pub closing: Option<Closing>,
    /// Its own picture of the question, once somebody looks.
    pub insight: Option<Arc<Insight>>,
    /// Whether it has finished with the question, by being done or out of budget.
    pub done: bool,
    /// What was spent on the question.
    pub spent: Spent,
    /// Processor time of the planner's thread when the question came, if its budget is one of time.
    pub(super) cpu_began: Option<Duration>,
    /// How far its preparation is.
    pub preparation: Preparation,
    /// When its preparation was over.
    pub prepared: Option<Instant>,
    /// The message of its panic. It will not answer any more.
    pub panic: Option<String>,
    /// Why it lost, by its preparation or by this question; see [`Planner::fault`].
    pub fault: Option<String>,
    /// What it and the program that it speaks for say to each other.
    pub log: Option<ProgramLog>,
}

impl<A> Default for PlannerReport<A> {
    fn default() -> Self {
        Self {
            question: 0,
            best: None,
            line: Line::default(),
            closing: None,
            insight: None,
            done: false,
            spent: Spent::default(),
            cpu_began: None,
            preparation: Preparation::Running,
            prepared: None,
            panic: None,
            fault: None,
            log: None,
        }
    }
}

struct Shared<A> {
    report: Mutex<PlannerReport<A>>,
    changed: News,
    /// Whether somebody has looked at the planner's picture since the present question began.
    watched: AtomicBool,
    waker: Mutex<Option<Box<dyn Fn() + Send>>>,
    /// Of the planner's thread, once that runs.
    meter: OnceLock<CpuMeter>,
}

impl<A> Shared<A> {
    fn lock(&self) -> MutexGuard<'_, PlannerReport<A>> {
        // The lock is held for plain assignments only, so its data is whole even if poisoned.
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn post(&self, change: impl FnOnce(&mut PlannerReport<A>)) {
        change(&mut self.lock());
        self.changed.tell();
        if let Some(wake) = &*self.waker.lock().unwrap_or_else(PoisonError::into_inner) {
            wake();
        }
    }
}

enum Message<G: Game> {
    Question { number: u64, seen: G::Observation, budget: Budget, stop: StopFlag },
    Look,
}

/// A planner on a thread of its own.
///
/// The planner is made and prepared on that thread, so nobody waits for it. A planner that never
/// returns keeps its thread but nothing else.
pub struct PlannerThread<G: Game> {
    shared: Arc<Shared<G::Action>>,
    messages: Sender<Message<G>>,
    stop: StopFlag,
    stop_preparing: StopFlag,
    asked: u64,
    /// Processor time of the thread when it was asked.
    cpu_asked: Option<Duration>,
}

impl<G: Game> PlannerThread<G> {
    /// Starts the thread on which `make` makes the planner, which may prepare for at most `limit`.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn new(
        make: impl FnOnce() -> Box<dyn Planner<G>> + Send + 'static,
        limit: Duration,
    ) -> Result<Self, std::io::Error> {
        let shared = Arc::new(Shared {
            report: Mutex::new(PlannerReport::default()),
            changed: News::default(),
            watched: AtomicBool::new(false),
            waker: Mutex::new(None),
            meter: OnceLock::new(),
        });
        let (messages, inbox) = channel();
        let stop_preparing = StopFlag::default();
        let worker = Arc::clone(&shared);
        let stop = stop_preparing.clone();
        spawn("planner", move || {
            guarded(&worker, || work(&worker, &inbox, make, Clock::new(Budget::Time(limit), stop)));
        })?;
        let stop = StopFlag::default();
        let cpu_asked = None;
        Ok(Self { shared, messages, stop, stop_preparing, asked: 0, cpu_asked })
    }

    /// Asks about a new turn and stops thinking about an earlier one; returns the number of the
    /// question.
    pub fn begin(&mut self, seen: G::Observation, budget: Budget) -> u64 {
        self.stop.raise();
        self.stop = StopFlag::default();
        self.asked += 1;
        if !matches!(budget, Budget::Work(_)) {
            self.cpu_asked = self.shared.meter.get().and_then(CpuMeter::read);
        }
        let number = self.asked;
        let stop = self.stop.clone();
        // A closed channel means that the planner has panicked, as the report says.
        let _ = self.messages.send(Message::Question { number, seen, budget, stop });
        self.asked
    }

    /// Processor time that the planner's thread has spent since the last question, where it is known and the
    /// budget is one of time. Unlike the report, it is up to date while the planner does not answer.
    pub fn cpu(&self) -> Option<Duration> {
        let began = self.peek(|report| {
            if report.question == self.asked { report.cpu_began } else { self.cpu_asked }
        });
        // A thread that did not run yet when it was asked had used nothing.
        Some(self.shared.meter.get()?.read()?.saturating_sub(began.unwrap_or_default()))
    }

    /// Tells the planner to stop thinking about its present question.
    pub fn stop(&self) {
        self.stop.raise();
    }

    /// Looks at the planner's picture of its present question. Without a look at a question no picture
    /// of it is built.
    pub fn look(&self) {
        if !self.shared.watched.swap(true, Ordering::Relaxed) {
            let _ = self.messages.send(Message::Look);
        }
    }

    /// Calls `wake` after each news, from the planner's thread.
    pub fn on_news(&self, wake: impl Fn() + Send + 'static) {
        *self.shared.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(wake));
    }

    /// What the planner has said so far.
    pub fn report(&self) -> PlannerReport<G::Action> {
        self.shared.lock().clone()
    }

    /// Reads something off the present report without copying it.
    pub fn peek<T>(&self, read: impl FnOnce(&PlannerReport<G::Action>) -> T) -> T {
        read(&self.shared.lock())
    }

    /// Waits until the planner has finished `question`, panicked, or `allowance` has passed.
    pub fn wait(&self, question: u64, allowance: Duration) {
        let started = Instant::now();
        let mut report = self.shared.lock();
        loop {
            if report.panic.is_some() || (report.question == question && report.done) {
                return;
            }
            let Some(left) = allowance.checked_sub(started.elapsed()) else { return };
            report = self.shared.changed.wait(&self.shared.report, report, Some(left));
        }
    }
}

impl<G: Game> Drop for PlannerThread<G> {
    fn drop(&mut self) {
        self.stop.raise();
        self.stop_preparing.raise();
    }
}

fn guarded<A>(shared: &Shared<A>, work: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(work)) {
        let text = panic_text(payload.as_ref());
        shared.post(|report| report.panic = Some(text));
    }
}

/// Prepares a planner in slices until it is done or the clock is over.
pub(super) fn prepare<G: Game>(planner: &mut dyn Planner<G>, clock: &Clock) -> Preparation {
    while planner.prepare(clock) == Progress::More {
        if clock.is_over() {
            return Preparation::Cut(clock.elapsed());
        }
    }
    Preparation::Ready(clock.elapsed())
}

fn work<G: Game>(
    shared: &Shared<G::Action>,
    inbox: &Receiver<Message<G>>,
    make: impl FnOnce() -> Box<dyn Planner<G>>,
    clock: Clock,
) {
    if let Some(meter) = CpuMeter::of_this_thread() {
        let _ = shared.meter.set(meter);
    }
    let mut planner = make();
    shared.lock().log = planner.log();
    let prepared = prepare(planner.as_mut(), &clock);
    let fault = planner.fault();
    shared.post(|report| {
        report.preparation = prepared;
        report.prepared = Some(Instant::now());
        report.fault = fault;
    });
    let mut answered = 0;
    while let Ok(message) = inbox.recv() {
        let mut question = None;
        let mut look = false;
        // Only the newest question counts.
        for message in std::iter::once(message).chain(inbox.try_iter()) {
            match message {
                Message::Question { .. } => question = Some(message),
                Message::Look => look = true,
            }
        }
        if let Some(Message::Question { number, seen, budget, stop }) = question {
            answer(shared, planner.as_mut(), number, &seen, &Clock::new(budget, stop));
            answered = number;
        } else if look && answered > 0 {
            show(shared, planner.as_ref());
        }
    }
}

/// What the planner expects; nothing if it panics.
pub(super) fn line<G: Game>(planner: &dyn Planner<G>) -> Line<G::Action> {
    catch_unwind(AssertUnwindSafe(|| planner.line())).unwrap_or_default()
}

/// The planner's picture. A panic becomes a note in it: looking never changes how the match goes on.
pub(super) fn picture<G: Game>(planner: &dyn Planner<G>) -> Insight {
    catch_unwind(AssertUnwindSafe(|| planner.insight())).unwrap_or_else(|payload| Insight {
        notes: vec![format!("No picture: it panicked ({}).", panic_text(payload.as_ref()))],
        ..Insight::default()
    })
}

/// Publishes the planner's picture, if somebody looks.
fn show<G: Game>(shared: &Shared<G::Action>, planner: &dyn Planner<G>) {
    if shared.watched.load(Ordering::Relaxed) {
        let line = line(planner);
        let insight = Arc::new(picture(planner));
        shared.post(|report| {
            report.line = line;
            report.insight = Some(insight);
        });
    }
}

fn answer<G: Game>(
    shared: &Shared<G::Action>,
    planner: &mut dyn Planner<G>,
    number: u64,
    seen: &G::Observation,
    clock: &Clock,
) {
    let _at_work = AtWork::begin();
    planner.observe(seen);
    let best = planner.best();
    shared.watched.store(false, Ordering::Relaxed);
    shared.post(|report| {
        report.question = number;
        report.best = Some(best);
        report.line = Line::default();
        report.closing = None;
        report.fault = None;
        report.insight = None;
        report.done = false;
        report.spent = Spent::default();
        report.cpu_began = clock.cpu_started();
    });
    loop {
        clock.slice_of_time(SLICE);
        let progress = planner.think(clock);
        let done = progress == Progress::Done || clock.is_over();
        let best = planner.best();
        let closing = planner.closing().filter(|_| progress == Progress::Done);
        let fault = planner.fault().filter(|_| done);
        // The answer comes first: a planner that never finishes its picture has still answered.
        shared.post(|report| {
            report.best = Some(best);
            report.closing = closing;
            report.fault = fault;
            report.done = done;
            report.spent = clock.spent();
        });
        show(shared, planner);
        if done {
            return;
        }
    }
}
