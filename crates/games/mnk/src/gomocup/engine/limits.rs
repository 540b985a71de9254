//! What a manager sets with `INFO`: limits of time and memory, and rules.

use crate::level::MAX_SIDE;
use crate::planners::BEST;
use outwit_core::platform::time::Duration;
use std::num::IntErrorKind;

/// What is kept back of each move's time for the way to the manager.
const MARGIN: u64 = 30;
/// Without any time it plays as soon as it can, which takes about this long.
const LEAST: u64 = 5;
/// The share of the time left in the match that one move may take.
const MATCH_SHARE: u64 = 8;
/// No move takes longer, whatever the manager allows: a day.
const LONGEST: u64 = 86_400_000;
/// From this time left on, a match has no limit.
const NO_LIMIT: u64 = 2_147_483_647;

/// The limits of time, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub turn: u64,
    /// Of the match; 0 is no limit.
    pub whole: u64,
    pub left: Option<u64>,
}

impl Limits {
    /// What the next move may take.
    pub fn budget(self) -> Duration {
        let left = self.left.or((self.whole > 0).then_some(self.whole));
        let share =
            left.filter(|&left| left < NO_LIMIT).map_or(u64::MAX, |left| left / MATCH_SHARE);
        let most = self.turn.min(share).min(LONGEST);
        Duration::from_millis(most.saturating_sub(MARGIN).max(LEAST))
    }
}

/// The number of milliseconds; what is negative has none.
pub(super) fn milliseconds(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// The table of `best` within this much memory, in bytes: half of it, and neither less than helps nor
/// more than is worth clearing. 0 is no limit.
pub(super) fn table_bits(memory: u64) -> u32 {
    const ENTRY: u64 = 16;
    match (memory / 2 / ENTRY).checked_ilog2() {
        None => BEST.options.table_bits,
        Some(bits) => bits.clamp(10, 24),
    }
}

/// A whole number; one that is too large or too small for us is the nearest that is not.
pub(super) fn whole_number(text: &str) -> Option<i64> {
    match text.parse::<i64>() {
        Ok(number) => Some(number),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}

/// The rules of a game, as far as they are not those of its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Terms {
    /// Of `INFO win_length`.
    pub k: i64,
    /// The bits of `INFO rule`.
    pub rule: i64,
    /// See [`best_with_table`](crate::planners::best_with_table).
    pub table_bits: u32,
}

impl Terms {
    const EXACT: i64 = 1;
    const CONTINUOUS: i64 = 2;
    const RENJU: i64 = 4;
    const CARO: i64 = 8;

    /// Whether longer rows do not win.
    pub fn exact(self) -> bool {
        self.rule & Self::EXACT != 0
    }

    /// Stones in a row that win; five if that is none that can be played.
    pub fn k(self) -> u32 {
        u32::try_from(self.k).ok().filter(|&k| (1..=MAX_SIDE as u32).contains(&k)).unwrap_or(5)
    }

    /// Whether the game goes on after a row.
    pub fn is_continuous(self) -> bool {
        self.objection().is_none() && self.rule & Self::CONTINUOUS != 0
    }

    /// Why no game can be played like this.
    pub fn objection(self) -> Option<String> {
        let known = Self::EXACT | Self::CONTINUOUS;
        if !(1..=MAX_SIDE as i64).contains(&self.k) {
            return Some(format!("win_length {} is not from 1 to {MAX_SIDE}", self.k));
        }
        let what = match self.rule {
            rule if rule & !known == 0 => return None,
            Self::RENJU => "renju",
            Self::CARO => "caro",
            _ => "it",
        };
        Some(format!("rule {}: {what} is not supported; rules 0 and 1 are", self.rule))
    }
}
