//! The (m,n,k)-game in the conformance suite.

use outwit_conformance::{Subject, shipped, suite};
use outwit_core::grid::Cell;
use outwit_core::play::{Game, Seat};
use outwit_mnk::{Mnk, MnkAction, MnkFile, MnkState, Opening};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

struct Samples;

impl Subject for Samples {
    type Game = Mnk;

    /// The second with an opening that lets the seats choose.
    fn samples() -> Vec<MnkFile> {
        let mut levels = shipped::<Mnk>(&["mnk/3x3x3", "mnk/6x6x5"]);
        levels[1].rules.opening = Opening::Swap2;
        levels
    }

    /// A choice is made as often as a stone is placed instead.
    fn any_action(game: &Mnk, state: &MnkState, seat: Seat, dice: &mut ChaCha8Rng) -> MnkAction {
        let actions = game.actions(state, seat).unwrap();
        let is_stone = |action: &MnkAction| matches!(action, MnkAction::Place(_));
        let (stones, choices): (Vec<_>, Vec<_>) = actions.into_iter().partition(is_stone);
        let choose = stones.is_empty() || (!choices.is_empty() && dice.random_bool(0.5));
        let all = if choose { choices } else { stones };
        all[dice.random_range(0..all.len())]
    }

    fn illegal_action(_: &MnkState) -> Option<MnkAction> {
        Some(MnkAction::Place(Cell::new(-1, 0)))
    }
}

suite!(Samples);
