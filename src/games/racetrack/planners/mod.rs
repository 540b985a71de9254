//! Drivers, the plainest first.

mod ahead;
mod greedy;
mod optimal;
mod space;

pub use space::{State, StateSpace};

use super::Racetrack;
use crate::play::PlannerSpec;

/// All drivers.
pub static ALL: &[PlannerSpec<Racetrack>] = &[
    PlannerSpec {
        name: "greedy",
        about: "The original method: heads for what it sees of a shortest route and gives no thought \
                to speed until a search has to save it.",
        seats: |_| true,
        make: |game, seat, _| Box::new(greedy::Greedy::new(game, seat)),
    },
    PlannerSpec {
        name: "novice",
        about: "Looks two turns ahead, dares half the speed and brakes far too early.",
        seats: |_| true,
        make: |game, seat, _| Box::new(ahead::Ahead::new(game, seat, ahead::NOVICE)),
    },
    PlannerSpec {
        name: "clubman",
        about: "Looks three turns ahead and brakes late, so bends come as a surprise.",
        seats: |_| true,
        make: |game, seat, _| Box::new(ahead::Ahead::new(game, seat, ahead::CLUBMAN)),
    },
    PlannerSpec {
        name: "ace",
        about: "Looks six turns ahead and sets up most bends well.",
        seats: |_| true,
        make: |game, seat, _| Box::new(ahead::Ahead::new(game, seat, ahead::ACE)),
    },
    PlannerSpec {
        name: "optimal",
        about: "Knows the exact number of turns to the finish from everywhere: nobody is faster.",
        seats: |_| true,
        make: |game, seat, _| Box::new(optimal::Optimal::new(game, seat)),
    },
];

#[cfg(test)]
mod tests;
