//! What a position or a result is worth.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Which of two scores is the better one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The lower one, as for times.
    Lower,
    /// The higher one, as for winnings.
    Higher,
}

impl Better {
    /// Orders two scores, the better one first. NaN comes last.
    pub fn compare(self, a: f64, b: f64) -> Ordering {
        match (a.is_nan(), b.is_nan()) {
            (false, false) => match self {
                Better::Lower => a.total_cmp(&b),
                Better::Higher => b.total_cmp(&a),
            },
            (a, b) => a.cmp(&b),
        }
    }

    /// Whether the score `a` is better than `b`.
    pub fn is_better(self, a: f64, b: f64) -> bool {
        self.compare(a, b) == Ordering::Less
    }

    /// By how much `a` is worse than `b`; negative if it is better.
    pub fn loss(self, a: f64, b: f64) -> f64 {
        match self {
            Better::Lower => a - b,
            Better::Higher => b - a,
        }
    }
}

/// What is counted, in the singular and the plural.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Unit {
    /// Such as `turn`.
    pub one: &'static str,
    /// Such as `turns`.
    pub many: &'static str,
}

impl Unit {
    /// The word for this many.
    pub fn of(self, count: f64) -> &'static str {
        if count == 1.0 { self.one } else { self.many }
    }
}

/// What the scores of a game mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ScoreSpec {
    /// What a score is, in one word, such as `time`.
    pub name: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// Which direction is better.
    pub better: Better,
}

/// What a position is worth to one seat.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Value {
    /// A score in the unit of the game's [`ScoreSpec`].
    Score(f64),
    /// It wins, in this many plies if known.
    Win(Option<u32>),
    /// Nobody wins.
    Draw,
    /// It loses, in this many plies if known.
    Loss(Option<u32>),
}

impl Value {
    /// Orders two values, the better one first: wins (the quicker the better), draws, scores, losses
    /// (the longer the better).
    pub fn compare(self, other: Self, better: Better) -> Ordering {
        let rank = |value: Self| match value {
            Value::Win(_) => 0,
            Value::Draw => 1,
            Value::Score(_) => 2,
            Value::Loss(_) => 3,
        };
        let plies = |plies: Option<u32>| plies.unwrap_or(u32::MAX);
        match (self, other) {
            (Value::Score(a), Value::Score(b)) => better.compare(a, b),
            (Value::Win(a), Value::Win(b)) => plies(a).cmp(&plies(b)),
            (Value::Loss(a), Value::Loss(b)) => plies(b).cmp(&plies(a)),
            (a, b) => rank(a).cmp(&rank(b)),
        }
    }

    /// In words, such as `12 turns` or `win in 5 plies`.
    pub fn text(self, score: ScoreSpec) -> String {
        let within = |what: &str, plies: Option<u32>| match plies {
            Some(1) => format!("{what} in 1 ply"),
            Some(plies) => format!("{what} in {plies} plies"),
            None => what.to_owned(),
        };
        match self {
            Value::Score(value) if value.fract() == 0.0 => {
                format!("{value} {}", score.unit.of(value))
            }
            Value::Score(value) => format!("{value:.2} {}", score.unit.many),
            Value::Win(plies) => within("win", plies),
            Value::Draw => "draw".into(),
            Value::Loss(plies) => within("loss", plies),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_from_best_to_worst() {
        let best_first = [
            Value::Win(Some(1)),
            Value::Win(Some(3)),
            Value::Win(None),
            Value::Draw,
            Value::Loss(None),
            Value::Loss(Some(9)),
            Value::Loss(Some(2)),
        ];
        for pair in best_first.windows(2) {
            assert_eq!(pair[0].compare(pair[1], Better::Lower), Ordering::Less, "{pair:?}");
        }
        assert!(Better::Lower.is_better(1.0, 2.0) && Better::Higher.is_better(2.0, 1.0));
        assert!(!Better::Lower.is_better(f64::NAN, 2.0) && Better::Higher.is_better(2.0, f64::NAN));
        assert_eq!(Better::Higher.loss(3.0, 5.0), 2.0);
    }

    #[test]
    fn values_read_well() {
        let unit = Unit { one: "turn", many: "turns" };
        let score = ScoreSpec { name: "time", unit, better: Better::Lower };
        assert_eq!(Value::Score(1.0).text(score), "1 turn");
        assert_eq!(Value::Score(2.5).text(score), "2.50 turns");
        assert_eq!(Value::Win(Some(5)).text(score), "win in 5 plies");
    }
}
