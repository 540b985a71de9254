//! Drivers.
use super::Racetrack;
use crate::play::PlannerSpec;
/// All, the plainest first.
pub static ALL: &[PlannerSpec<Racetrack>] = &[];
