//! What answers for a seat.

use super::{
    Budget, Clock, Closing, GRACE, Game, Planner, PlannerThread, Preparation, Progress, Spent,
    StopFlag,
};
use crate::platform::time::{Duration, Instant};
use std::sync::{Mutex, PoisonError};

/// Who answers for a seat.
pub(super) enum Driver<G: Game> {
    /// A person, through [`Referee::choose`](super::Referee::choose).
    Person,
    /// A planner on a thread of its own.
    Thread(PlannerThread<G>),
    /// A planner on the caller's thread, a slice at a time.
    Sliced(Box<Sliced<G>>),
    /// A planner on the caller's thread, a turn at a time. The lock only lets a referee be shared
    /// between threads.
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
}

/// What a planner says when its turn is over.
pub(super) enum Answer<A> {
    /// This is its action.
    Plays(A),
    /// It gives up.
    Closes(Closing),
    /// It cannot play any more, and why.
    Fails(String),
}

impl<A> Answer<A> {
    /// The answer of a planner that may have more to think about, but gets no more time.
    pub fn of<G: Game<Action = A>>(planner: &dyn Planner<G>, progress: Progress) -> Self {
        if let Some(why) = planner.fault() {
            return Answer::Fails(why);
        }
        match planner.closing().filter(|_| progress == Progress::Done) {
            Some(closing) => Answer::Closes(closing),
            None => Answer::Plays(planner.best()),
        }
    }
}

/// How long a sliced planner thinks at a time.
const SLICE: Duration = Duration::from_millis(4);

/// A planner that shares the caller's thread.
pub(super) struct Sliced<G: Game> {
    // These two locks only let a referee be shared between threads.
    planner: Mutex<Box<dyn Planner<G>>>,
    stop: StopFlag,
    limit: Duration,
    preparation: Preparation,
    question: Option<(G::Observation, Budget)>,
    /// Of the preparation or of the question; starts with the first slice.
    clock: Mutex<Option<Clock>>,
    /// Whether the planner has seen the last question.
    observed: bool,
    spent: Spent,
    overrun: bool,
    /// Whether it is to answer after the next slice.
    hurried: bool,
}

impl<G: Game> Sliced<G> {
    pub fn new(planner: Box<dyn Planner<G>>, limit: Duration, stop: StopFlag) -> Self {
        Self {
            planner: Mutex::new(planner),
            stop,
            limit,
            preparation: Preparation::Running,
            question: None,
            clock: Mutex::new(None),
            observed: false,
            spent: Spent::default(),
            overrun: false,
            hurried: false,
        }
    }

    pub fn begin(&mut self, seen: G::Observation, budget: Budget) {
        self.question = Some((seen, budget));
        self.observed = false;
        self.spent = Spent::default();
        self.overrun = false;
        self.hurried = false;
        if self.preparation != Preparation::Running {
            self.clock = Mutex::new(None);
        }
    }

    /// Lets it answer after the next slice.
    pub fn hurry(&mut self) {
        self.hurried = true;
    }

    /// Thinks for a few milliseconds; returns the answer once there is one.
    pub fn slice(&mut self) -> Option<Answer<G::Action>> {
        let planner = self.planner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let running = self.clock.get_mut().unwrap_or_else(PoisonError::into_inner);
        let new_clock = |budget| Clock::new(budget, self.stop.clone());
        if self.preparation == Preparation::Running {
            let clock = running.get_or_insert_with(|| new_clock(Budget::Time(self.limit)));
            clock.slice_of_time(SLICE);
            let done = planner.prepare(clock) == Progress::Done;
            if !done && !clock.is_over() {
                return None;
            }
            let time = clock.elapsed();
            self.preparation = if done { Preparation::Ready(time) } else { Preparation::Cut(time) };
            *running = None;
        }
        let (seen, budget) = self.question.as_ref()?;
        let clock = running.get_or_insert_with(|| new_clock(*budget));
        let began = clock.elapsed();
        if !self.observed {
            planner.observe(seen);
            self.observed = true;
        }
        clock.slice_of_time(SLICE);
        let progress = planner.think(clock);
        // Between slices others have the thread, so its processor time is not the planner's.
        self.spent = Spent { cpu: None, ..clock.spent() };
        // Only a slice that took too long is its fault: between slices others have the thread.
        let late = self.spent.exceeds(*budget, GRACE);
        self.overrun = late && self.spent.thought > began + GRACE;
        if progress == Progress::More && !clock.is_over() && !self.hurried {
            return None;
        }
        self.question = None;
        *running = None;
        Some(Answer::of(planner.as_ref(), progress))
    }

    /// What was spent on the question so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Whether it went on long after its time was up.
    pub fn overrun(&self) -> bool {
        self.overrun
    }

    pub fn preparation(&self) -> Preparation {
        self.preparation
    }

    /// Reads something off the planner, if it has seen the last question.
    pub fn read<T>(&self, read: impl FnOnce(&dyn Planner<G>) -> T) -> Option<T> {
        let planner = self.planner.lock().unwrap_or_else(PoisonError::into_inner);
        self.observed.then(|| read(planner.as_ref()))
    }
}
