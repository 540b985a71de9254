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
use crate::play::PlannerSpec;
use std::sync::Arc;

/// All planners of both seats.
pub const ALL: &[PlannerSpec<Cops>] = &[
    PlannerSpec {
        name: "random",
        about: "Draws every step by lot: the measure of all others.",
        seats: |_| true,
        make: random::make,
    },
    PlannerSpec {
        name: "runner",
        about: "A* to the nearest gate, round a soft halo of cost about each cop.",
        seats: |seat| seat == THIEF,
        make: runner::make,
    },
    PlannerSpec {
        name: "evader",
        about: "TrailMax: runs where cops get last, and through a gate that it reaches before them.",
        seats: |seat| seat == THIEF,
        make: evader::make,
    },
    PlannerSpec {
        name: "schemer",
        about: "Solves the game of plans against plans on predicted walls and gates; the strongest thief.",
        seats: |seat| seat == THIEF,
        make: matrix_game::make_schemer,
    },
    PlannerSpec {
        name: "chasers",
        about: "A* of each cop to the thief.",
        seats: |seat| seat == COPS,
        make: chasers::make,
    },
    PlannerSpec {
        name: "guards",
        about: "Some run_contest the gates, the rest chase; all close in on a thief that dawdles.",
        seats: |seat| seat == COPS,
        make: guards::make,
    },
    PlannerSpec {
        name: "pack",
        about: "Guesses the thief's way, cuts it off and closes in from all sides.",
        seats: |seat| seat == COPS,
        make: pack::make,
    },
    PlannerSpec {
        name: "cover",
        about: "Each cop in turn takes from the thief as many cells as it can reach first, for the thief that fits the last moves.",
        seats: |seat| seat == COPS,
        make: cover::make,
    },
    PlannerSpec {
        name: "marshal",
        about: "Solves the game of joint plans against several guessed thieves; the strongest cops.",
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
    let ground = context::BoardContext::new(game, 0);
    if seen.seat == THIEF {
        (evader::plan(&ground, seen).orders, "evader")
    } else {
        (pack::plan(&ground, seen).orders, "pack")
    }
}
