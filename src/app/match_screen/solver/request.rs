//! What is asked of a solver, and what it answers.

use outwit_core::play::StopFlag;

/// What the solver was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The next move.
    Hint,
    /// All moves to the end, to be played on the board.
    Rest,
}

/// A request to the solver.
#[derive(Clone)]
pub struct SolverRequest {
    /// What it was asked for.
    pub wanted: Wanted,
    /// The turn that was shown then.
    pub turn: usize,
    /// Raised once the best line that is known is good enough.
    pub enough: StopFlag,
}

/// What the solver knows of a position.
#[derive(Clone, PartialEq, Debug)]
pub enum SolverReply {
    /// It still thinks.
    Thinking,
    /// How to go on to the end, as actions in replay files.
    Line(Vec<String>),
    /// Why there is no line.
    Failed(String),
}
