//! A part of a contest, for one of several machines.

use std::fmt;
use std::str::FromStr;

/// Every N-th seed of a contest, written `I/N` with I from 1 to N; [`Share::ALL`] is all of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    number: usize,
    of: usize,
}

impl Share {
    /// The whole contest as one share.
    pub const ALL: Self = Self { number: 1, of: 1 };

    /// Whether the games of a round, counted from 0, belong to it.
    pub fn holds(self, round: usize) -> bool {
        round % self.of == self.number - 1
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(number, of)| {
            Some((number.trim().parse::<usize>().ok()?, of.trim().parse::<usize>().ok()?))
        });
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => {
                Err(format!("'{text}' is not a share: write I/N, such as 2/8, with I from 1 to N"))
            }
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn shares_hold_each_round_once() {
        for of in 1..6 {
            let shares: Vec<Share> =
                (1..=of).map(|number| format!("{number}/{of}").parse().unwrap()).collect();
            for round in 0..20 {
                assert_eq!(shares.iter().filter(|share| share.holds(round)).count(), 1);
            }
        }
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/2", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }
}
