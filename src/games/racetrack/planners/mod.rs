//! Drivers.
mod space;
pub use space::{State, StateSpace};
use crate::play::PlannerSpec;
use super::Racetrack;
/// All, the plainest first.
pub static ALL: &[PlannerSpec<Racetrack>] = &[];
