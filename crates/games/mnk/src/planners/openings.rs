//! The stones of a swap opening, before there is anything to search.

use crate::{Mnk, MnkAction, MnkState};
use outwit_core::grid::Cell;
use outwit_core::play::Game;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// How far from the stones that are there, and from the border, opening stones are placed.
const DISTANCE: std::ops::RangeInclusive<i32> = 2..=4;

/// A random cell that is neither next to another stone nor far from all: such openings are fairly even.
pub(crate) fn opening_stone(game: &Mnk, state: &MnkState, seed: u64) -> MnkAction {
    let mut dice = ChaCha8Rng::seed_from_u64(seed.wrapping_add(u64::from(state.empty)));
    let cells = (0..state.stones.len()).map(|at| game.cell_at(at));
    let (stones, empty): (Vec<Cell>, Vec<Cell>) =
        cells.partition(|&cell| game.stone(state, cell).is_some());
    let border = |cell: Cell| {
        let (right, below) = (game.width() as i32 - 1 - cell.x, game.height() as i32 - 1 - cell.y);
        cell.x.min(cell.y).min(right).min(below)
    };
    let suits = |cell: &Cell| match stones.iter().map(|stone| stone.chebyshev(*cell)).min() {
        Some(nearest) => DISTANCE.contains(&nearest),
        None => DISTANCE.contains(&border(*cell)),
    };
    let suitable: Vec<Cell> = empty.iter().copied().filter(suits).collect();
    match suitable.choose(&mut dice).or_else(|| empty.choose(&mut dice)) {
        Some(&cell) => MnkAction::Place(cell),
        None => game.null_action(state, outwit_core::play::Seat(0)),
    }
}
