//! Cops and robber in the conformance suite.

use outwit_conformance::{Subject, shipped, suite};
use outwit_cops::{Cops, CopsFile, CopsView, Orders, Pursuit, STEPS};
use outwit_core::play::{Game, Seat};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

struct Samples;

impl Subject for Samples {
    type Game = Cops;

    fn samples() -> Vec<CopsFile> {
        shipped::<Cops>(&["cops/tiny", "cops/duel"])
    }

    fn any_action(game: &Cops, pursuit: &Pursuit, seat: Seat, dice: &mut ChaCha8Rng) -> Orders {
        let mut orders = game.null_action(pursuit, seat);
        orders.0.iter_mut().flatten().for_each(|step| *step = STEPS[dice.random_range(0..5)]);
        orders
    }

    fn illegal_action(_: &CopsView) -> Option<Orders> {
        Some(Orders(Vec::new()))
    }

    /// Nobody sees the other's plans.
    fn disguised(pursuit: &Pursuit) -> Pursuit {
        let mut other = pursuit.clone();
        other.plans.iter_mut().for_each(|step| *step = STEPS[4]);
        other
    }

    /// Both have the payoff of the pursuit.
    const BETTER_SCORE_RANKS_FIRST: bool = false;
}

suite!(Samples);
