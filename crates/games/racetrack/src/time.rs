//! The time of a race, which decides who is ahead.

use std::cmp::Ordering;

/// A time in turns, exact: whole turns and, of the last one, the fraction at which the finish is
/// entered. Less is better; the turns come first, then the fraction.
///
/// ```
/// use outwit_racetrack::RaceTime;
/// let time = RaceTime { turns: 24, num: 3, den: 8 };
/// assert_eq!(time.in_turns(), 23.375);
/// assert!(time < RaceTime { num: 1, den: 2, ..time });
/// assert_eq!(time, RaceTime { num: 6, den: 16, ..time });
/// ```
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct RaceTime {
    /// Turns, the one that crosses the finish included; at least 1.
    pub turns: u32,
    /// Numerator of the fraction of the last move, from 0 to `den`.
    pub num: i32,
    /// Denominator, greater than 0.
    pub den: i32,
}

impl RaceTime {
    /// The time as a number: whole turns before the last and the fraction of the last.
    pub fn in_turns(self) -> f64 {
        f64::from(self.turns) - 1.0 + f64::from(self.num) / f64::from(self.den)
    }

    /// The time of somebody who gets here after so many turns.
    pub fn after(self, turns: u32) -> Self {
        Self { turns: self.turns + turns, ..self }
    }
}

impl Ord for RaceTime {
    fn cmp(&self, other: &Self) -> Ordering {
        self.turns.cmp(&other.turns).then_with(|| {
            let product = |num: i32, den: i32| i64::from(num) * i64::from(den);
            product(self.num, other.den).cmp(&product(other.num, self.den))
        })
    }
}

impl PartialOrd for RaceTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RaceTime {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RaceTime {}
