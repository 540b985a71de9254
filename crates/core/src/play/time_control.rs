//! How much time a seat has.

use super::Budget;
use crate::platform::time::Duration;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How much a seat may spend, person or planner.
///
/// Written as `500ms` or `500ms-cpu` (per turn), `20000w` (work per turn), `300s+2s` (per match, with the increment
/// that each turn adds) or `none`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TimeControl {
    /// Wall-clock time, processor time or work for each turn.
    Turn(Budget),
    /// Wall-clock time for the whole match.
    Match {
        /// What the seat starts with.
        total: Duration,
        /// What each of its turns adds.
        increment: Duration,
    },
    /// As long as it likes.
    Unlimited,
}

/// A planner that has a whole match's time plans for this many more turns.
const TURNS_TO_COME: u32 = 25;
/// Even without time left a planner may make a first plan.
const LEAST: Duration = Duration::from_millis(10);
/// No match has more time than this, and no turn adds more.
const MOST: Duration = Duration::from_secs(86_400);

impl TimeControl {
    /// What a planner may spend on its next turn when this much time of the match is left.
    pub fn budget(self, left: Duration) -> Budget {
        match self {
            TimeControl::Turn(budget) => budget,
            TimeControl::Match { increment, .. } => {
                let share = left / TURNS_TO_COME + increment;
                Budget::Time(share.min(left).max(LEAST))
            }
            TimeControl::Unlimited => Budget::Work(u64::MAX),
        }
    }

    /// Reads what a planner or a program may spend: a budget per turn, or time for the match.
    ///
    /// # Errors
    /// If it is neither, or no time at all.
    pub fn limited(text: &str) -> Result<Self, String> {
        let control: Self = text.parse().map_err(|why: String| match text.contains('+') {
            true => why,
            false => format!("{why}; time for the match and per turn is written as 5s+100ms"),
        })?;
        if control.is_limited() {
            return Ok(control);
        }
        Err(match control {
            TimeControl::Match { .. } => format!("'{text}': the time of a match must not be 0"),
            _ => format!("'{text}' sets no limit: write 500ms, 20000w or 5s+100ms"),
        })
    }

    /// Whether a planner or a program can be held to it.
    pub fn is_limited(self) -> bool {
        match self {
            TimeControl::Turn(_) => true,
            TimeControl::Match { total, .. } => !total.is_zero(),
            TimeControl::Unlimited => false,
        }
    }

    /// What it gives and how often, in words such as `500ms per turn`.
    pub fn words(self) -> String {
        match self {
            TimeControl::Turn(budget) => format!("{budget} per turn"),
            TimeControl::Match { total, increment } => {
                let total = Budget::Time(total);
                let increment = Budget::Time(increment);
                format!("{total} per match + {increment} per turn")
            }
            TimeControl::Unlimited => "no limit".into(),
        }
    }

    /// The time that a seat starts the match with, if that is limited.
    pub fn total(self) -> Option<Duration> {
        match self {
            TimeControl::Match { total, .. } => Some(total),
            _ => None,
        }
    }

    /// Whether only the amount of work counts, so that a match can be played again exactly.
    pub fn is_work(self) -> bool {
        matches!(self, TimeControl::Turn(Budget::Work(_)))
    }

    /// Whether this system can measure it.
    ///
    /// # Errors
    /// As [`Budget::check`].
    pub fn check(self) -> Result<(), String> {
        match self {
            TimeControl::Turn(budget) => budget.check(),
            TimeControl::Match { .. } | TimeControl::Unlimited => Ok(()),
        }
    }
}

impl From<Budget> for TimeControl {
    fn from(budget: Budget) -> Self {
        TimeControl::Turn(budget)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Turn(budget) => budget.fmt(f),
            TimeControl::Match { total, increment } => {
                write!(f, "{}+{}", Budget::Time(*total), Budget::Time(*increment))
            }
            TimeControl::Unlimited => f.write_str("none"),
        }
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

impl TryFrom<String> for TimeControl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(TimeControl::Unlimited);
        }
        let Some((total, increment)) = text.split_once('+') else {
            return text.parse().map(TimeControl::Turn);
        };
        let time = |part: &str| match part.parse() {
            Ok(Budget::Time(time)) if time <= MOST => Ok(time),
            Ok(_) => Err(format!("'{text}': '{part}' must be a time of at most a day")),
            Err(_) => Err(format!(
                "'{text}' is not a time for the match: write time and increment, such as 5s+100ms"
            )),
        };
        Ok(TimeControl::Match { total: time(total)?, increment: time(increment)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_written_as_they_are_read() {
        for text in ["500ms", "500ms-cpu", "20000w", "300000ms+2000ms", "none"] {
            assert_eq!(text.parse::<TimeControl>().map(|c| c.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "5", "5m", "1s+", "1s+5w", "9s-cpu+1s", "+", "99999999999999999999s"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn times_for_a_match_are_limited() {
        let (total, increment) = (Duration::from_secs(5), Duration::from_millis(100));
        let clock = TimeControl::Match { total, increment };
        assert_eq!(TimeControl::limited("5s+100ms"), Ok(clock));
        assert_eq!(clock.words(), "5000ms per match + 100ms per turn");
        assert_eq!(TimeControl::limited("300w"), Ok(Budget::Work(300).into()));
        assert_eq!(TimeControl::limited("86400s+0ms").map(TimeControl::total), Ok(Some(MOST)));
        for (text, why) in [
            ("none", "no limit"),
            ("0s+100ms", "must not be 0"),
            ("1s+86400001ms", "'86400001ms' must be a time of at most a day"),
            ("18446744073709551615ms+1s", "at most a day"),
            ("1s+5w", "'5w' must be a time"),
            ("1s+1s+1s", "write time and increment, such as 5s+100ms"),
            ("1s+-1s", "write time and increment"),
            ("fast", "is written as 5s+100ms"),
        ] {
            let error = TimeControl::limited(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn a_planner_never_plans_more_than_is_left() {
        let control = TimeControl::Match {
            total: Duration::from_secs(60),
            increment: Duration::from_secs(2),
        };
        let Budget::Time(first) = control.budget(Duration::from_secs(60)) else { return };
        assert!(first > Duration::from_secs(2) && first < Duration::from_secs(10));
        assert_eq!(control.budget(Duration::from_secs(1)), Budget::Time(Duration::from_secs(1)));
        assert_eq!(control.budget(Duration::ZERO), Budget::Time(LEAST));
    }
}
