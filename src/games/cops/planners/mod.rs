//! The planners, the plainest of each side first.

mod chasers;
mod closing;
mod context;
mod cover;
mod evader;
mod guards;
mod matrix_game;
mod pack;
mod random;
mod reactive;
mod runner;
#[cfg(test)]
mod tests;
mod ways;

use super::rules::{COPS, Cops, CopsView, Orders, THIEF};
use crate::play::{PlannerContext, PlannerSpec};
use std::sync::Arc;

/// All planners of both seats.
pub const ALL: &[PlannerSpec<Cops>] = &[
    PlannerSpec {
        name: "random",
        algorithm: "Uniform random walk",
        about: "Chooses every step at random: the floor for all others.",
        method: "Every step is chosen at random from the five: stay, right, down, left, up. \
                 Plans do not depend on the position. It is the floor against which the \
                 others are measured.",
        seats: |_| true,
        make: random::make,
    },
    PlannerSpec {
        name: "runner",
        algorithm: "A* with a cost field",
        about: "A* to the nearest gate, round a soft halo of cost about each cop.",
        method: "Each cell costs more the nearer cops are: the square of 6 minus the \
                 distance, summed over the cops. Walls cost extra where they stand now. A* \
                 finds the cheapest path to the nearest cell in front of a gate and follows \
                 it for one plan. At the gate it pushes outwards until the gate is there.",
        seats: |seat| seat == THIEF,
        make: runner::make,
    },
    PlannerSpec {
        name: "evader",
        algorithm: "TrailMax (Moldenhauer and Sturtevant 2009)",
        about: "TrailMax: runs where cops get last, and through a gate that it reaches before them.",
        method: "It floods the cells that it reaches before any cop, step by step, on \
                 predicted walls. Among them it heads for the one that cops reach last. A \
                 gate that it reaches first is better than any cell, weighted by the chance \
                 that the gate is there in time.",
        seats: |seat| seat == THIEF,
        make: evader::make,
    },
    PlannerSpec {
        name: "schemer",
        algorithm: "Double oracle on a simultaneous matrix game",
        about: "Solves the game of plans against plans on predicted walls and gates; the strongest thief.",
        method: "Both sides choose their steps blindly, so a plan is a move in a matrix \
                 game. Entries are expected payoffs over 12 predicted futures of walls and \
                 gates. The matrix starts with the plans of the plain planners and grows by \
                 the best of all replies of the thief and of each cop. Regret matching \
                 solves it. Plain planners that fit the opponent's past moves get a share \
                 of its mixture, which is small until they show.",
        seats: |seat| seat == THIEF,
        make: matrix_game::make_schemer,
    },
    PlannerSpec {
        name: "chasers",
        algorithm: "A* per cop",
        about: "A* of each cop to the thief.",
        method: "Each cop follows a shortest path to the thief's present cell by A*, with \
                 extra cost where walls stand now. Cops do not coordinate and do not \
                 predict.",
        seats: |seat| seat == COPS,
        make: chasers::make,
    },
    PlannerSpec {
        name: "guards",
        algorithm: "Assignment of cops to gates",
        about: "Some hold the gates, the rest chase; all close in on a thief that dawdles.",
        method: "As many cops as there are gates take the gates, each the nearest; the rest \
                 chase by A*. When the thief stays in one area, all close in on it.",
        seats: |seat| seat == COPS,
        make: guards::make,
    },
    PlannerSpec {
        name: "pack",
        algorithm: "A* interception",
        about: "Guesses the thief's way, cuts it off and closes in from all sides.",
        method: "It guesses the thief's path as the planner runner would choose it. Cops \
                 are sent to its end, its middle and its start, whoever is nearest first. \
                 Paths that another cop uses cost more, so the cops come from different \
                 sides. When the thief stays in one area, all close in on it.",
        seats: |seat| seat == COPS,
        make: pack::make,
    },
    PlannerSpec {
        name: "cover",
        algorithm: "Greedy coverage",
        about: "Each cop in turn takes from the thief as many cells as it can reach first, for the thief that fits the last moves.",
        method: "A cell is the thief's if he reaches it before any cop. Each cop in turn \
                 chooses the plan that takes most such cells from the thief, given the \
                 plans chosen so far. Which thief it plans against is the plain thief that \
                 fits his last moves best.",
        seats: |seat| seat == COPS,
        make: cover::make,
    },
    PlannerSpec {
        name: "marshal",
        algorithm: "Double oracle on a simultaneous matrix game",
        about: "Solves the game of joint plans against several guessed thieves; the strongest cops.",
        method: "Like schemer, for the cops: plans of the thief against joint plans of all \
                 cops, in predicted futures. Best replies change the plans of the cops one \
                 after the other. Several guessed thieves share the thief's mixture by how \
                 well they fit his moves. Against a thief that wanders at random it sweeps \
                 the cells where he may be.",
        seats: |seat| seat == COPS,
        make: matrix_game::make_marshal,
    },
];

/// The names of the planners of a seat, the plainest first.
pub fn names(seat: crate::play::Seat) -> impl Iterator<Item = &'static str> {
    ALL.iter().filter(move |spec| (spec.seats)(seat)).map(|spec| spec.name)
}

/// What a good but quick planner would do, and its name: a hint for people.
pub fn advice(game: &Arc<Cops>, seen: &CopsView) -> (Orders, &'static str) {
    let own = PlannerContext { game: Arc::clone(game), seat: seen.seat, seed: 0 };
    let ground = context::BoardContext::new(&own);
    if seen.seat == THIEF {
        (evader::plan(&ground, seen).orders, "evader")
    } else {
        (pack::plan(&ground, seen).orders, "pack")
    }
}
