//! Pukoban in the conformance suite.

use super::{Direction, Pukoban, PukobanState, PukobanStep};
use outwit_conformance::{Subject, shipped, suite};
use outwit_core::play::Seat;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

impl Subject for Pukoban {
    /// With few steps, so that a random walk ends soon.
    fn samples() -> Vec<Self::Level> {
        let mut levels = shipped::<Self>(&["pukoban/01-first-push", "pukoban/02-first-pull"]);
        levels.iter_mut().for_each(|level| level.rules.max_steps = 300);
        levels
    }

    fn any_action(
        game: &Self,
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

suite!(Pukoban);
