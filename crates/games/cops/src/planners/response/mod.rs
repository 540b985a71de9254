//! The game of plans in drawn futures, and best responses to given plans of the other side.
//!
//! Made to judge planners: nothing is shared with `matrix_game` but its guess at what a position is
//! worth once the plans are over.

mod equilibrium;
mod plan_game;
mod responder;
mod scenario;
mod search;
#[cfg(test)]
mod tests;

pub use equilibrium::solve;
pub use plan_game::{Ending, JointMix, PlanGame, ThiefMix};
pub use responder::SPEC;
