//! Planners, the plainest first.

mod random;

use super::Pukoban;
use crate::play::PlannerSpec;

/// All planners.
pub static ALL: &[PlannerSpec<Pukoban>] = &[PlannerSpec {
    name: "random",
    algorithm: "Uniform random walk",
    about: "Takes random legal steps: the floor for all others.",
    method: "Every step is chosen at random from the legal ones: walks, pushes and pulls alike. It \
             remembers nothing and searches nothing, so it solves only the smallest levels.",
    seats: |_| true,
    make: |context| Box::new(random::Random::new(context)),
}];
