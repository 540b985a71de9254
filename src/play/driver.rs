//! What answers for a seat.

use super::{
    Budget, Clock, Closing, Game, Insight, Planner, PlannerThread, Preparation, Progress, StopFlag,
};
use crate::platform::time::{Duration, Instant};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// Who answers for a seat.
pub(super) enum Driver<G: Game> {
    /// A person, through [`Referee::choose`](super::Referee::choose).
    Person,
    /// A planner on a thread of its own.
    Thread(PlannerThread<G>),
    /// A planner on the caller's thread, a slice at a time.
    Sliced(Mutex<Sliced<G>>),
    /// A planner on the caller's thread, a turn at a time. Here and above the lock only lets a referee
    /// be shared between threads.
    Inline(Mutex<Box<dyn Planner<G>>>),
    /// What was recorded: nobody is asked.
    Recording,
    /// A planner that failed: the null action from then on.
    Gone,
}

/// The turn that a seat is asked about.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    pub question: u64,
    pub turn: usize,
    pub at: Instant,
    /// Whether a person's time was over before the choice.
    pub late: bool,
}

/// How long a sliced planner thinks at a time.
const SLICE: Duration = Duration::from_millis(4);

/// A planner that shares the caller's thread.
pub(super) struct Sliced<G: Game> {
    planner: Box<dyn Planner<G>>,
    preparing: Option<Clock>,
    preparation: Preparation,
    question: Option<(G::Observation, Clock)>,
    observed: bool,
    spent: (Duration, u64),
}

impl<G: Game> Sliced<G> {
    pub fn new(planner: Box<dyn Planner<G>>, limit: Duration) -> Self {
        Self {
            planner,
            preparing: Some(Clock::new(Budget::Time(limit), StopFlag::default())),
            preparation: Preparation::Running,
            question: None,
            observed: false,
            spent: (Duration::ZERO, 0),
        }
    }

    pub fn begin(&mut self, seen: G::Observation, clock: Clock) {
        self.question = Some((seen, clock));
        self.observed = false;
    }

    /// Thinks for a few milliseconds; returns the answer once there is one.
    pub fn slice(&mut self) -> Option<(G::Action, Option<Closing>)> {
        let planner = &mut self.planner;
        if let Some(clock) = &self.preparing {
            clock.slice_of_time(SLICE);
            let done = planner.prepare(clock) == Progress::Done;
            if !done && !clock.is_over() {
                return None;
            }
            let time = clock.elapsed();
            self.preparation = if done { Preparation::Ready(time) } else { Preparation::Cut(time) };
            self.preparing = None;
        }
        let (seen, clock) = self.question.as_ref()?;
        if !self.observed {
            planner.observe(seen);
            self.observed = true;
        }
        clock.slice_of_time(SLICE);
        let progress = planner.think(clock);
        self.spent = (clock.elapsed(), clock.used());
        if progress == Progress::More && !clock.is_over() {
            return None;
        }
        self.question = None;
        Some((planner.best(), planner.closing().filter(|_| progress == Progress::Done)))
    }

    pub fn spent(&self) -> (Duration, u64) {
        self.spent
    }

    pub fn preparation(&self) -> Preparation {
        self.preparation
    }

    pub fn insight(&self) -> Insight {
        catch_unwind(AssertUnwindSafe(|| self.planner.insight())).unwrap_or_default()
    }
}
