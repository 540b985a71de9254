//! The clock of a planner's turn, which gives its budget out in slices.

use super::{Budget, Spent};
use crate::platform::task::{AtWork, StopFlag};
use crate::platform::time::{Duration, Instant, thread_cpu};
use std::cell::Cell;

/// Where a clock reads the time, which tests set.
#[derive(Clone, Copy, Debug)]
struct Times {
    now: fn() -> Instant,
    cpu: fn() -> Option<Duration>,
}

const SYSTEM: Times = Times { now: Instant::now, cpu: thread_cpu };

impl Times {
    /// The thread's processor time, if a budget is one of time: then it is the limit, or tells whether a
    /// planner that is late had the processor. With work it decides nothing, and asking the system takes
    /// longer than many a turn.
    fn cpu_for(&self, budget: Budget) -> Option<Duration> {
        match budget {
            Budget::Time(_) | Budget::Cpu(_) => (self.cpu)(),
            Budget::Work(_) => None,
        }
    }
}

/// The budget of one turn, given out in slices.
///
/// A planner calls [`take`](Clock::take) before each piece of work and stops when it answers
/// `false`; nothing was taken then, so no work is lost between slices. Processor time is that of the
/// thread that makes the clock.
#[derive(Debug)]
pub struct Clock {
    budget: Budget,
    stop: StopFlag,
    times: Times,
    started: Cell<Instant>,
    /// The thread's processor time then; `None` where only work counts.
    cpu_started: Cell<Option<Duration>>,
    /// When the processor time can be spent at the earliest.
    cpu_look: Cell<Instant>,
    used: Cell<u64>,
    slice: Cell<SliceEnd>,
    since_look: Cell<u32>,
    refused: Cell<bool>,
}

#[derive(Clone, Copy, Debug)]
enum SliceEnd {
    Never,
    At(Instant),
    AtWork(u64),
}

/// Looking at the time costs about as much as a small piece of work, so it is not done each time.
const LOOK_EVERY: u32 = 8;

impl Clock {
    /// A clock that starts now.
    pub fn new(budget: Budget, stop: StopFlag) -> Self {
        Self::reading(SYSTEM, budget, stop)
    }

    fn reading(times: Times, budget: Budget, stop: StopFlag) -> Self {
        let now = (times.now)();
        Self {
            budget,
            stop,
            times,
            started: Cell::new(now),
            cpu_started: Cell::new(times.cpu_for(budget)),
            cpu_look: Cell::new(now),
            used: Cell::new(0),
            slice: Cell::new(SliceEnd::Never),
            since_look: Cell::new(0),
            refused: Cell::new(false),
        }
    }

    /// A clock of `units` of work that nobody stops.
    pub fn work(units: u64) -> Self {
        Self::new(Budget::Work(units), StopFlag::default())
    }

    /// A clock that never ends.
    pub fn unlimited() -> Self {
        Self::work(u64::MAX)
    }

    /// Asks for `units` of work. On `false` the slice or the whole budget is over and nothing was
    /// taken.
    #[inline]
    #[must_use]
    pub fn take(&self, units: u64) -> bool {
        let used = self.used.get();
        if let Budget::Work(limit) = self.budget
            && units > limit.saturating_sub(used)
        {
            // A piece of work larger than what is left ends the turn, or it would be asked for
            // again in every slice to come.
            self.refused.set(true);
            return false;
        }
        if let SliceEnd::AtWork(end) = self.slice.get()
            && used >= end
        {
            return false;
        }
        let looks = self.since_look.get();
        self.since_look.set((looks + 1) % LOOK_EVERY);
        if looks == 0 && self.time_is_up() {
            self.since_look.set(0);
            return false;
        }
        self.used.set(used.saturating_add(units));
        true
    }

    /// Counts work that was done in one piece and could not be asked for beforehand. The budget may
    /// be overdrawn by it.
    pub fn charge(&self, units: u64) {
        self.used.set(self.used.get().saturating_add(units));
    }

    fn time_is_up(&self) -> bool {
        if self.stop.is_raised() {
            return true;
        }
        let now = match (self.budget, self.slice.get()) {
            (Budget::Work(_), SliceEnd::Never | SliceEnd::AtWork(_)) => return false,
            _ => (self.times.now)(),
        };
        matches!(self.slice.get(), SliceEnd::At(end) if now >= end) || self.time_is_spent(now)
    }

    /// Whether all the time of the turn is spent.
    fn time_is_spent(&self, now: Instant) -> bool {
        let passed = now.duration_since(self.started.get());
        match self.budget {
            Budget::Time(limit) => passed >= limit,
            // No thread uses more processor time than passes, so the system, which takes a while to
            // answer, is asked only when the time may be over.
            Budget::Cpu(_) if now < self.cpu_look.get() => false,
            Budget::Cpu(limit) => {
                let left = limit.saturating_sub(self.cpu().unwrap_or(passed));
                self.cpu_look.set(now.checked_add(left).unwrap_or(now));
                left.is_zero()
            }
            Budget::Work(_) => false,
        }
    }

    /// Starts the turn again: what has passed so far is not charged. For a planner that first had to
    /// wait until the program it speaks for could be asked.
    pub fn restart(&self) {
        self.started.set((self.times.now)());
        self.cpu_started.set(self.times.cpu_for(self.budget));
        self.cpu_look.set(self.started.get());
    }

    /// Begins a slice of at most `time`; the budget of the turn still holds.
    pub fn slice_of_time(&self, time: Duration) {
        self.slice.set(SliceEnd::At((self.times.now)() + time));
        self.since_look.set(0);
    }

    /// Begins a slice of about `units` of work; the budget of the turn still holds.
    pub fn slice_of_work(&self, units: u64) {
        self.slice.set(SliceEnd::AtWork(self.used.get().saturating_add(units)));
    }

    /// Whether the budget of the whole turn is spent or stopping was asked for.
    pub fn is_over(&self) -> bool {
        self.stop.is_raised()
            || match self.budget {
                Budget::Time(_) | Budget::Cpu(_) => self.time_is_spent((self.times.now)()),
                Budget::Work(limit) => self.refused.get() || self.used.get() >= limit,
            }
    }

    /// Whether stopping was asked for.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }

    /// Work units taken so far.
    #[inline]
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    /// Time since the turn began.
    pub fn elapsed(&self) -> Duration {
        (self.times.now)().duration_since(self.started.get())
    }

    /// A core on which a second thread may help in this turn, if one is free, and the time that is left. Only with a
    /// budget of time: with others the same work must give the same answer.
    pub fn free_core(&self) -> Option<(AtWork, Duration)> {
        let Budget::Time(limit) = self.budget else { return None };
        Some((AtWork::on_free_core()?, limit.saturating_sub(self.elapsed())))
    }

    /// Processor time that the calling thread has used since the turn began, where the system tells it
    /// and the budget is one of time. The clock must have been made on that thread.
    pub fn cpu(&self) -> Option<Duration> {
        let started = self.cpu_started.get()?;
        Some((self.times.cpu)()?.saturating_sub(started))
    }

    /// Processor time of the thread when the turn began, where [`cpu`](Self::cpu) is known.
    pub(super) fn cpu_started(&self) -> Option<Duration> {
        self.cpu_started.get()
    }

    /// All that the turn has taken so far. As with [`cpu`](Self::cpu), ask on the thread that made the
    /// clock.
    pub(super) fn spent(&self) -> Spent {
        Spent { thought: self.elapsed(), cpu: self.cpu(), work: self.used() }
    }

    /// The budget of the turn.
    pub fn budget(&self) -> Budget {
        self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_given_out_exactly() {
        let clock = Clock::work(10);
        clock.slice_of_work(4);
        let mut first = 0;
        while clock.take(1) {
            first += 1;
        }
        assert_eq!(first, 4);
        assert!(!clock.is_over());
        clock.slice_of_work(100);
        while clock.take(1) {}
        assert_eq!(clock.used(), 10);
        assert!(clock.is_over());
    }

    #[test]
    fn a_raised_flag_stops() {
        let stop = StopFlag::default();
        let clock = Clock::new(Budget::Time(Duration::from_secs(3600)), stop.clone());
        assert!(clock.take(1));
        stop.raise();
        assert!((0..LOOK_EVERY).any(|_| !clock.take(1)));
    }

    thread_local! {
        /// What the clocks below read: wall time and processor time in milliseconds, and how often the
        /// latter was read.
        static TIME: Cell<(u64, Option<u64>, u32)> = const { Cell::new((0, Some(0), 0)) };
        static ZERO: Instant = Instant::now();
    }

    const TEST: Times = Times {
        now: || ZERO.with(|zero| *zero + Duration::from_millis(TIME.get().0)),
        cpu: || {
            let (wall, cpu, read) = TIME.get();
            TIME.set((wall, cpu, read + 1));
            cpu.map(Duration::from_millis)
        },
    };

    fn pass(wall: u64, cpu: u64) {
        let (before, used, read) = TIME.get();
        TIME.set((before + wall, used.map(|used| used + cpu), read));
    }

    /// Whether a clock still gives work at its next look at the time.
    fn gives(clock: &Clock) -> bool {
        (0..LOOK_EVERY).all(|_| clock.take(1))
    }

    #[test]
    fn processor_time_is_spent_by_using_the_processor() {
        TIME.set((0, Some(70), 0));
        let clock =
            Clock::reading(TEST, Budget::Cpu(Duration::from_millis(100)), StopFlag::default());
        assert!(gives(&clock));
        // Others have the processor for most of an hour.
        for _ in 0..9 {
            pass(400_000, 10);
            assert!(gives(&clock) && !clock.is_over());
        }
        assert_eq!(clock.cpu(), Some(Duration::from_millis(90)));
        pass(9, 9);
        assert!(gives(&clock) && !clock.is_over());
        pass(1, 1);
        assert!(!gives(&clock) && clock.is_over());
        clock.restart();
        assert!(gives(&clock) && !clock.is_over());
        assert_eq!(clock.cpu(), Some(Duration::ZERO));
    }

    #[test]
    fn the_system_is_asked_for_processor_time_only_when_it_may_be_up() {
        TIME.set((0, Some(0), 0));
        let clock =
            Clock::reading(TEST, Budget::Cpu(Duration::from_millis(1000)), StopFlag::default());
        let read = || TIME.get().2;
        assert!(gives(&clock));
        let before = read();
        for _ in 0..99 {
            pass(10, 5);
            assert!(gives(&clock));
        }
        assert_eq!(read(), before);
        // Half of the time was used, so it cannot be up before as much has passed again.
        pass(10, 5);
        assert!(gives(&clock));
        assert_eq!(read(), before + 1);
        pass(499, 499);
        assert!(gives(&clock));
        assert_eq!(read(), before + 1);
        pass(1, 1);
        assert!(!gives(&clock));
    }

    #[test]
    fn work_is_counted_without_a_look_at_the_processor() {
        TIME.set((0, Some(5), 0));
        let clock = Clock::reading(TEST, Budget::Work(3), StopFlag::default());
        clock.slice_of_time(Duration::from_secs(1));
        while clock.take(1) {}
        assert_eq!((clock.spent().work, clock.spent().cpu), (3, None));
        clock.restart();
        assert_eq!(TIME.get().2, 0);
    }

    #[test]
    fn a_clock_without_processor_time_ends_all_the_same() {
        TIME.set((0, None, 0));
        let clock =
            Clock::reading(TEST, Budget::Cpu(Duration::from_millis(9)), StopFlag::default());
        assert!(gives(&clock));
        assert_eq!(clock.cpu(), None);
        pass(9, 0);
        assert!(!gives(&clock) && clock.is_over());
    }

    #[test]
    fn wall_time_passes_whoever_has_the_processor() {
        TIME.set((0, Some(0), 0));
        let clock =
            Clock::reading(TEST, Budget::Time(Duration::from_millis(100)), StopFlag::default());
        clock.slice_of_time(Duration::from_millis(10));
        assert!(gives(&clock));
        pass(10, 0);
        assert!(!gives(&clock) && !clock.is_over(), "only the slice is over");
        pass(90, 1);
        assert!(clock.is_over());
        assert_eq!(
            (clock.elapsed(), clock.cpu()),
            (Duration::from_millis(100), Some(Duration::from_millis(1)))
        );
    }
}
