//! How long a planner may think: wall time for people, work units for reproducible results.

use crate::platform::task::StopFlag;
use crate::platform::time::{Duration, Instant};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::fmt;
use std::str::FromStr;

/// How much a planner may spend on one turn.
///
/// Written as `500ms` or `20000w`, in files too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Budget {
    /// Wall-clock time.
    Time(Duration),
    /// Work units; a planner counts one for each node it expands or state it evaluates. The same
    /// number gives the same action on every machine.
    Work(u64),
}

impl Default for Budget {
    fn default() -> Self {
        Budget::Time(Duration::from_millis(500))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Time(time) => write!(f, "{}ms", time.as_millis()),
            Budget::Work(units) => write!(f, "{units}w"),
        }
    }
}

impl From<Budget> for String {
    fn from(budget: Budget) -> Self {
        budget.to_string()
    }
}

impl TryFrom<String> for Budget {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Budget {
    type Err = String;

    /// Reads `500ms`, `2s` or `20000w`.
    fn from_str(text: &str) -> Result<Self, String> {
        if text.contains('+') {
            return Err(format!(
                "'{text}' is not a budget per turn: write a time such as 500ms or 2s, or work such as \
                 20000w"
            ));
        }
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let number: u64 = number.parse().map_err(|_| {
            format!(
                "'{text}' is not a budget: write a time such as 500ms or 2s, or work such as 20000w"
            )
        })?;
        match unit {
            "ms" => Ok(Budget::Time(Duration::from_millis(number))),
            "s" if number <= 86_400 => Ok(Budget::Time(Duration::from_secs(number))),
            "w" => Ok(Budget::Work(number)),
            _ => Err(format!(
                "'{text}' is not a budget: its unit must be ms, s (at most a day) or w"
            )),
        }
    }
}

/// The budget of one turn, given out in slices.
///
/// A planner calls [`take`](Clock::take) before each piece of work and stops when it answers
/// `false`; nothing was taken then, so no work is lost between slices.
#[derive(Debug)]
pub struct Clock {
    budget: Budget,
    stop: StopFlag,
    started: Cell<Instant>,
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
        Self {
            budget,
            stop,
            started: Cell::new(Instant::now()),
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
        match (self.budget, self.slice.get()) {
            (Budget::Time(limit), SliceEnd::At(end)) => {
                let now = Instant::now();
                now >= end || now.duration_since(self.started.get()) >= limit
            }
            (Budget::Time(limit), _) => self.started.get().elapsed() >= limit,
            (Budget::Work(_), SliceEnd::At(end)) => Instant::now() >= end,
            (Budget::Work(_), _) => false,
        }
    }

    /// Starts the turn again: what has passed so far is not charged. For a planner that first had to
    /// wait until the program it speaks for could be asked.
    pub fn restart(&self) {
        self.started.set(Instant::now());
    }

    /// Begins a slice of at most `time`; the budget of the turn still holds.
    pub fn slice_of_time(&self, time: Duration) {
        self.slice.set(SliceEnd::At(Instant::now() + time));
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
                Budget::Time(limit) => self.started.get().elapsed() >= limit,
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
        self.started.get().elapsed()
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

    #[test]
    fn budgets_are_read_and_written() {
        for text in ["500ms", "20000w"] {
            assert_eq!(text.parse::<Budget>().map(|b| b.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("2s".parse(), Ok(Budget::Time(Duration::from_secs(2))));
        for text in ["", "fast", "12", "-3ms", "99999999999999999999w", "1.5s"] {
            assert!(text.parse::<Budget>().is_err(), "{text}");
        }
    }
}
