//! Pukoban in the conformance suite.

use outwit_conformance::{Subject, shipped, suite};
use outwit_core::play::Seat;
use outwit_pukoban::{Direction, Pukoban, PukobanFile, PukobanState, PukobanStep};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

struct Samples;

impl Subject for Samples {
    type Game = Pukoban;

    /// With few steps, so that a random walk ends soon.
    fn samples() -> Vec<PukobanFile> {
        let mut levels = shipped::<Pukoban>(&["pukoban/01-first-push", "pukoban/02-first-pull"]);
        levels.iter_mut().for_each(|level| level.rules.max_steps = 300);
        levels
    }

    fn any_action(
        game: &Pukoban,
        position: &PukobanState,
        _: Seat,
        dice: &mut ChaCha8Rng,
    ) -> PukobanStep {
        let steps = game.steps(position);
        steps[dice.random_range(0..steps.len())]
    }

    /// Of a box at one side, at most one of the two pulls along the row is legal.
    fn illegal_action(seen: &PukobanState) -> Option<PukobanStep> {
        let right = seen.player + Direction::Right.offset();
        let ahead = seen.box_at(right).is_some();
        Some(PukobanStep::pull(if ahead { Direction::Right } else { Direction::Left }))
    }
}

suite!(Samples);
