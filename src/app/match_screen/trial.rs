//! What is said of a move that was tried in a problem: right, or not this one and once again.

mod show;

pub use show::said;

use super::layout::{AddSection, Place, Region};
use bevy::prelude::App;

/// Says it in the panel of the match.
pub(super) fn plugin(app: &mut App) {
    app.add_section(Region::Match(Place::Result), show::section);
}

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
