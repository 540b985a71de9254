//! Drivers, the plainest first. From `novice` on each is faster on average than the one before; `greedy` is
//! somewhere among them, depending on the track.

mod ahead;
mod greedy;
mod optimal;
mod rival;
mod roadcraft;
mod space;
mod traffic;

pub use greedy::record as record_greedy;
pub use rival::RIVAL;
pub use space::{State, StateSpace};

use super::Racetrack;
use outwit_core::play::PlannerSpec;

/// All drivers.
pub static ALL: &[PlannerSpec<Racetrack>] = &[
    PlannerSpec {
        name: "greedy",
        algorithm: "Greedy best-first search",
        about: "Heads for what it sees of a shortest route and never compares times. Good where \
                the shortest way is also the fastest, as on roads one cell wide or under low \
                speed limits; slow where it pays to brake in time.",
        method: "A shortest route over the track is found first, without regard to speed. A cell \
                 is as good as the nearest point of that route in plain sight, plus the rest of \
                 the route. Greedy best-first search always expands the state whose cell is best \
                 and stops at the first way to the finish. It never compares times, so how fast \
                 it is depends on the track: about as fast as the planner novice where the \
                 shortest way can be driven fast, as on Spiral and Switchback, and much slower \
                 where it pays to slow down in time, as on Chicane and Drag strip. On a road one \
                 cell wide, or where no car may go faster than 2 cells per turn, hardly any way \
                 is faster than the shortest one: there it beats novice, and often clubman, \
                 because those two lose time when they react late.",
        seats: |_| true,
        make: |context| Box::new(greedy::Greedy::new(context)),
    },
    PlannerSpec {
        name: "novice",
        algorithm: "Beam search, 5 turns ahead",
        about: "Looks five turns ahead, never drives faster than 8 cells per turn and often reacts late.",
        method: LOOK_AHEAD,
        seats: |_| true,
        make: |context| Box::new(ahead::Ahead::new(context, ahead::NOVICE)),
    },
    PlannerSpec {
        name: "clubman",
        algorithm: "Beam search, 7 turns ahead",
        about: "Looks seven turns ahead and drives flat out, but reacts late now and then.",
        method: LOOK_AHEAD,
        seats: |_| true,
        make: |context| Box::new(ahead::Ahead::new(context, ahead::CLUBMAN)),
    },
    PlannerSpec {
        name: "ace",
        algorithm: "Beam search, 8 turns ahead",
        about: "Looks eight turns ahead, is never late and sets up most bends well.",
        method: LOOK_AHEAD,
        seats: |_| true,
        make: |context| Box::new(ahead::Ahead::new(context, ahead::ACE)),
    },
    PlannerSpec {
        name: "optimal",
        algorithm: "Retrograde analysis (backward breadth-first search)",
        about: "Knows the least time to the finish from every state, to the fraction of a turn, where the \
                table fits in memory.",
        method: "Before the race it goes back from the finish, layer by layer, over all states \
                 of position, velocity and gates passed, with one bit for each state. The table \
                 then holds the exact number of turns from everywhere. Among the races with the \
                 fewest turns it finds the one that crosses the line earliest in its last move, \
                 by a depth-first search over the moves that lose no turn. Among cars that \
                 block each other it only makes moves after which all can still brake. If the \
                 table is too large or not ready in time, it drives like the planner ace.",
        seats: |_| true,
        make: |context| Box::new(optimal::Optimal::new(context)),
    },
];

/// The method that the human-like drivers share.
const LOOK_AHEAD: &str = "It tries all moves for some turns ahead, layer by layer, and keeps the \
                          most promising states of each layer: those with the shortest way left, \
                          speed counted in. It enters no state from which it could not brake to \
                          a stop on the track, unless it can finish in the next turn. Under a \
                          low speed limit it looks more turns ahead, so that it sees as many \
                          cells ahead as elsewhere. Weaker drivers look less far, and in random \
                          turns they react late: they do once more what they did in the turn \
                          before, or what comes nearest to it where that would be a crash or too \
                          fast. The novice also dares less speed. When a driver comes to a state \
                          that it has seen before, it looks a turn further. Among cars that \
                          block each other it only makes moves after which all can still brake.";

#[cfg(test)]
mod tests;
