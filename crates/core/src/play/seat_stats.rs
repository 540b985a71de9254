//! How a seat behaved.

use crate::platform::time::Duration;

/// One turn of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TurnStats {
    /// Index of the turn of the match.
    pub turn: usize,
    /// How long it thought.
    pub thought: Duration,
    /// Work units it spent.
    pub work: u64,
    /// Whether it was not done when its time was up.
    pub overrun: bool,
    /// Whether its action was refused.
    pub illegal: bool,
}

/// How a seat behaved in a match so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatStats {
    /// Turns in which it was asked.
    pub asked: u32,
    /// Turns in which it was not done when its time was up.
    pub overruns: u32,
    /// Actions that were refused.
    pub illegal: u32,
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
        Self {
            asked: turns.len() as u32,
            overruns: turns.iter().filter(|turn| turn.overrun).count() as u32,
            illegal: turns.iter().filter(|turn| turn.illegal).count() as u32,
            panic: None,
            fault: None,
            preparation,
            thought: turns.iter().map(|turn| turn.thought).collect(),
            work: turns.iter().map(|turn| turn.work).sum(),
        }
    }
}
