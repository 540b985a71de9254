//! Racetrack in the conformance suite.

use outwit_conformance::{Subject, shipped, suite};
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use outwit_racetrack::{Accelerate, Race, RaceView, Racetrack, TrackFile};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

struct Samples;

impl Subject for Samples {
    type Game = Racetrack;

    fn samples() -> Vec<TrackFile> {
        shipped::<Racetrack>(&["racetrack/tiny", "racetrack/first-lap"])
    }

    fn any_action(game: &Racetrack, race: &Race, seat: Seat, dice: &mut ChaCha8Rng) -> Accelerate {
        let choices = game.choices(race, seat);
        choices[dice.random_range(0..choices.len())]
    }

    fn illegal_action(_: &RaceView) -> Option<Accelerate> {
        Some(Accelerate(Cell::new(9, 9)))
    }
}

suite!(Samples);
