//! A match against perfect play: what every move cost.

use super::{Better, Seat, Series, Unit};
use crate::grid::Cell;

/// A move as a review shows it, beside another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReviewedChoice {
    /// What it is called, such as `h3`.
    pub words: String,
    /// What it leads to, such as `win in 3`.
    pub leads_to: String,
    /// Where pieces go by it, each from where it stands; a single cell for a piece that is placed.
    pub ways: Vec<Vec<Cell>>,
}

/// What one move cost.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// Index of the turn of the match in which it was made.
    pub turn: usize,
    /// Where it happened, to be shown on the board.
    pub cell: Cell,
    /// Value of the position before the move with perfect play to come; `None` if hopeless.
    pub before: Option<f64>,
    /// Value after the move; `None` if hopeless.
    pub after: Option<f64>,
    /// What it cost in the unit of the review; `None` if it threw everything away. An estimate
    /// that is within its margin counts as 0.
    pub cost: Option<f64>,
    /// By how much the cost may be off to either side, where it is an estimate.
    pub margin: Option<f64>,
    /// What the move lost, in the player's terms, such as `2 turns lost`.
    pub note: String,
    /// The move, where it can be shown beside a better one.
    pub made: Option<ReviewedChoice>,
    /// A best one in its place; `None` where it was one, or none is known.
    pub better: Option<ReviewedChoice>,
}

impl MoveReview {
    /// Whether it cost something.
    pub fn is_mistake(&self) -> bool {
        self.cost.is_none_or(|cost| cost > 0.0)
    }

    /// The move and what it lost, beside the better one where one is known.
    pub fn words(&self) -> String {
        match (&self.made, &self.better) {
            (Some(made), Some(better)) => {
                format!("{} instead of {}: {}", made.words, better.words, self.note)
            }
            (Some(made), None) => format!("{}: {}", made.words, self.note),
            _ => self.note.clone(),
        }
    }
}

/// All moves of one seat.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatReview {
    /// Whose moves.
    pub seat: Seat,
    /// In the order in which they were made.
    pub moves: Vec<MoveReview>,
    /// The result of perfect play from the start; `None` if it is not known for certain.
    pub perfect: Option<f64>,
    /// What was reached; `None` if the aim was not.
    pub reached: Option<f64>,
    /// Both in the player's terms, where the figures alone say little.
    pub summary: Option<String>,
    /// Profiles to plot, such as speed by turn, own and perfect.
    pub series: Vec<Series>,
}

impl SeatReview {
    /// The moves that cost most, worst first, at most `count`, none that cost nothing.
    pub fn worst(&self, count: usize) -> Vec<&MoveReview> {
        let cost = |m: &MoveReview| m.cost.unwrap_or(f64::INFINITY);
        let mut worst: Vec<_> = self.moves.iter().filter(|m| cost(m) > 0.0).collect();
        worst.sort_by(|a, b| cost(b).total_cmp(&cost(a)).then(a.turn.cmp(&b.turn)));
        worst.truncate(count);
        worst
    }
}

/// All seats that were reviewed.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// What values and costs are counted in.
    pub unit: Unit,
    /// Which direction of a value is better. Costs are positive in either case.
    pub better: Better,
    /// One entry per reviewed seat.
    pub seats: Vec<SeatReview>,
}
