//! Racetrack in the conformance suite.

use super::{Accelerate, Race, RaceView, Racetrack};
use outwit_conformance::{Subject, shipped, suite};
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

impl Subject for Racetrack {
    fn samples() -> Vec<Self::Level> {
        shipped::<Self>(&["racetrack/tiny", "racetrack/first-lap"])
    }

    fn any_action(game: &Self, race: &Race, seat: Seat, dice: &mut ChaCha8Rng) -> Accelerate {
        let choices = game.choices(race, seat);
        choices[dice.random_range(0..choices.len())]
    }

    fn illegal_action(_: &RaceView) -> Option<Accelerate> {
        Some(Accelerate(Cell::new(9, 9)))
    }
}

suite!(Racetrack);
