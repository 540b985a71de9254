//! What a turn took, and when that is too much.

use super::Budget;
use crate::platform::time::Duration;

/// A planner that finishes its last slice late is not to blame for the scheduler's delay.
pub const GRACE: Duration = Duration::from_millis(60);

/// What a turn took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Wall-clock time.
    pub thought: Duration,
    /// Processor time of the thread that thought; `None` if that is not known or another program
    /// thought.
    pub cpu: Option<Duration>,
    /// Work units.
    pub work: u64,
}

impl Spent {
    /// Whether it is more time than the budget and the grace allow.
    pub(super) fn exceeds(&self, budget: Budget, grace: Duration) -> bool {
        match budget {
            Budget::Time(limit) => self.thought > limit + grace,
            Budget::Cpu(limit) => self.cpu.is_some_and(|cpu| cpu > limit + grace),
            Budget::Work(_) => false,
        }
    }
}
