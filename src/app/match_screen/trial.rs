//! What is said of a move that was tried in a problem: right, or not this one and once again.

mod show;

pub use show::{FEATURE, said};

/// How a move that was tried in a problem turned out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrialKind {
    /// None was tried, or it was taken back.
    Task,
    /// It is right.
    Right,
    /// It is wrong.
    Wrong,
}

/// What to say of a problem and of the move that was tried last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    /// How it turned out.
    pub kind: TrialKind,
    /// The same in a sentence.
    pub words: String,
    /// Whether the answer can be shown.
    pub offers_answer: bool,
}
