//! How long a planner may think: wall time for people, work units for reproducible results, processor
//! time for machines that are busy with other things too.

use crate::platform::time::{Duration, thread_cpu};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How much a planner may spend on one turn.
///
/// Written as `500ms`, `500ms-cpu` or `20000w`, in files too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Budget {
    /// Wall-clock time.
    Time(Duration),
    /// Processor time of the thread that thinks, which other programs cannot take away from it. Not
    /// every system tells it: see [`check`](Budget::check).
    Cpu(Duration),
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
            Budget::Cpu(time) => write!(f, "{}ms-cpu", time.as_millis()),
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

    /// Reads `500ms`, `2s`, `2s-cpu` or `20000w`.
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
                "'{text}' is not a budget: write a time such as 500ms or 2s, processor time such as \
                 2s-cpu, or work such as 20000w"
            )
        })?;
        let (time, is_cpu) = match unit.strip_suffix("-cpu") {
            Some(unit) => (unit, true),
            None => (unit, false),
        };
        let time = match time {
            "ms" => Duration::from_millis(number),
            "s" if number <= 86_400 => Duration::from_secs(number),
            "w" if !is_cpu => return Ok(Budget::Work(number)),
            _ => {
                return Err(format!(
                    "'{text}' is not a budget: its unit must be ms, s (at most a day), ms-cpu, s-cpu \
                     or w"
                ));
            }
        };
        Ok(if is_cpu { Budget::Cpu(time) } else { Budget::Time(time) })
    }
}

impl Budget {
    /// Whether this system can measure it.
    ///
    /// # Errors
    /// If it is processor time and the system does not tell a thread's.
    pub fn check(self) -> Result<(), String> {
        match self {
            Budget::Cpu(_) if thread_cpu().is_none() => Err(format!(
                "'{self}': a thread's processor time is known on Linux only; give a time such as 2s, or \
                 work such as 20000w"
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read_and_written() {
        for text in ["500ms", "500ms-cpu", "20000w"] {
            assert_eq!(text.parse::<Budget>().map(|b| b.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("2s".parse(), Ok(Budget::Time(Duration::from_secs(2))));
        assert_eq!("2s-cpu".parse(), Ok(Budget::Cpu(Duration::from_secs(2))));
        for text in [
            "",
            "fast",
            "12",
            "-3ms",
            "99999999999999999999w",
            "1.5s",
            "5w-cpu",
            "5-cpu",
            "5s-",
            "-cpu",
            "5s-cpu-cpu",
            "99999s-cpu",
            "5s cpu",
        ] {
            assert!(text.parse::<Budget>().is_err(), "{text}");
        }
    }
}
