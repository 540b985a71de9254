//! How a seat behaved.

use super::protocol::TurnConduct;
use super::{Budget, GRACE, Spent};
use crate::platform::time::Duration;

/// One turn of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TurnStats {
    /// Index of the turn of the match.
    pub turn: usize,
    /// What it took.
    pub spent: Spent,
    /// Whether it was not done when its time was up.
    pub overrun: bool,
    /// Whether it was not and its thread had had a processor for less than half of that time.
    pub starved: bool,
    /// Whether its action was refused.
    pub illegal: bool,
    /// Whether a program said nothing.
    pub silent: bool,
    /// Whether a program said something that cannot be read.
    pub broken: bool,
}

impl TurnStats {
    /// A turn of a planner with this budget that took so much.
    pub(super) fn of(turn: usize, spent: Spent, budget: Budget) -> Self {
        Self { turn, spent, ..Self::default() }.judged(spent.exceeds(budget, GRACE), budget)
    }

    /// The same of a program that behaved like this.
    pub(super) fn of_program(self, conduct: &TurnConduct) -> Self {
        Self {
            overrun: conduct.late,
            starved: conduct.starved,
            illegal: conduct.illegal.is_some(),
            silent: conduct.silent,
            broken: conduct.broken.is_some(),
            ..self
        }
    }

    /// A turn of a planner that is late or not. How much of the time it had a processor matters only if
    /// others could take that away.
    pub(super) fn judged(self, overrun: bool, budget: Budget) -> Self {
        let starved = overrun
            && matches!(budget, Budget::Time(_))
            && self.spent.cpu.is_some_and(|cpu| cpu < self.spent.thought / 2);
        Self { overrun, starved, ..self }
    }
}

/// How a seat behaved in a match so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatStats {
    /// Turns in which it was asked.
    pub asked: u32,
    /// Turns in which it was not done when its time was up.
    pub overruns: u32,
    /// Those of them in which the planner's thread had a processor for less than half of the time.
    pub starved: u32,
    /// Actions that were refused.
    pub illegal: u32,
    /// Turns in which a program said nothing.
    pub silent: u32,
    /// Turns in which a program said something that cannot be read.
    pub broken: u32,
    /// Why it cannot be asked any more: the message of its panic, or that its preparation never
    /// ended.
    pub panic: Option<String>,
    /// Why it lost the match: what was wrong with the program that played for it.
    pub fault: Option<String>,
    /// Time spent before the first turn.
    pub preparation: Duration,
    /// Thinking time of each turn, oldest first.
    pub thought: Vec<Duration>,
    /// Work units spent in all turns.
    pub work: u64,
}

impl SeatStats {
    /// The sum of some turns.
    pub fn of(turns: &[TurnStats], preparation: Duration) -> Self {
        let count = |counts: fn(&TurnStats) -> bool| {
            turns.iter().filter(|turn| counts(turn)).count() as u32
        };
        Self {
            asked: turns.len() as u32,
            overruns: count(|turn| turn.overrun),
            starved: count(|turn| turn.starved),
            illegal: count(|turn| turn.illegal),
            silent: count(|turn| turn.silent),
            broken: count(|turn| turn.broken),
            panic: None,
            fault: None,
            preparation,
            thought: turns.iter().map(|turn| turn.spent.thought).collect(),
            work: turns.iter().map(|turn| turn.spent.work).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    fn turn(thought: u64, cpu: Option<u64>, budget: Budget) -> (bool, bool) {
        let spent = Spent { thought: ms(thought), cpu: cpu.map(ms), work: 9 };
        let turn = TurnStats::of(3, spent, budget);
        assert_eq!((turn.turn, turn.spent, turn.illegal), (3, spent, false));
        (turn.overrun, turn.starved)
    }

    #[test]
    fn an_overrun_without_a_processor_is_told_from_one_with() {
        let time = Budget::Time(ms(1000));
        assert_eq!(turn(1060, Some(0), time), (false, false), "within the grace");
        assert_eq!(turn(1100, Some(549), time), (true, true));
        assert_eq!(turn(1100, Some(550), time), (true, false));
        assert_eq!(turn(1100, Some(1100), time), (true, false));
        assert_eq!(turn(1100, None, time), (true, false), "nobody knows");
    }

    #[test]
    fn processor_time_is_judged_by_itself() {
        let cpu = Budget::Cpu(ms(1000));
        assert_eq!(turn(90_000, Some(1060), cpu), (false, false));
        assert_eq!(turn(90_000, Some(1061), cpu), (true, false));
        assert_eq!(turn(90_000, Some(1), Budget::Work(1)), (false, false));
    }

    #[test]
    fn starved_turns_are_counted() {
        let time = Budget::Time(ms(10));
        let spent = |cpu| Spent { thought: ms(100), cpu: Some(ms(cpu)), work: 1 };
        let turns = [5, 90, 20].map(|cpu| TurnStats::of(0, spent(cpu), time));
        let stats = SeatStats::of(&turns, Duration::ZERO);
        assert_eq!((stats.overruns, stats.starved, stats.work), (3, 2, 3));
    }
}
