//! One drawn future of walls and gates, as long as a plan.

use super::super::context::BoardContext;
use super::super::matrix_game::value::Worth;
use crate::board::Position;
use crate::distance_table::{CellIndex, DistanceTable};
use crate::forecast::Forecast;
use crate::rules::Step;
use outwit_core::grid::Cell;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;

/// Where walls and gates stand in each tick of a plan.
pub struct Scenario {
    /// By tick, then by cell.
    walled: Vec<Vec<bool>>,
    gated: Vec<Vec<bool>>,
    /// What a position is worth after the last tick, with gates where they then are.
    pub worth: Worth,
}

impl Scenario {
    /// Draws one from the present position, whose own walls and gates stand in the first tick.
    pub fn draw(
        ground: &BoardContext,
        now: &Position,
        ticks: usize,
        dice: &mut ChaCha8Rng,
    ) -> Self {
        let board = ground.board();
        let distances = &ground.distances;
        let mut walled = Vec::with_capacity(ticks);
        let mut gated = Vec::with_capacity(ticks);
        // Gates and walls draw from the same dice, one after the other.
        let dice = RefCell::new(dice);
        // Nobody is in the way of walls here: players move on before it matters.
        let mut at = Position { thief: Cell::new(-9, -9), cops: Vec::new(), ..now.clone() };
        for _ in 0..ticks {
            let length = board.rules().wall_length;
            let walls = at.walls.iter().flat_map(|wall| wall.cells(length));
            walled.push(marked(distances, walls));
            let gates = at.gates.iter().flat_map(|&gate| board.gate_cells(gate));
            gated.push(marked(distances, gates));
            at.tick += 1;
            board.drift(
                &mut at,
                || dice.borrow_mut().next_u32(),
                || dice.borrow_mut().next_u32(),
                |_| {},
            );
        }
        let side = board.width().max(board.height());
        let forecast = Forecast::new(board, distances, &at, 0, side);
        Self { walled, gated, worth: Worth::new(ground, &at, &forecast, 0) }
    }

    /// Where a step in a tick leads a player, a thief out through a gate too.
    pub fn step(
        &self,
        ground: &BoardContext,
        tick: usize,
        from: CellIndex,
        step: Step,
        is_thief: bool,
    ) -> CellIndex {
        let to = ground.distances.step(from, step);
        if to != from {
            return if self.walled[tick][usize::from(to)] { from } else { to };
        }
        let ahead = ground.distances.ahead(from, step);
        if is_thief && self.gated[tick][usize::from(ahead)] { ahead } else { from }
    }
}

/// Which cells of the board are among these.
fn marked(distances: &DistanceTable, cells: impl Iterator<Item = Cell>) -> Vec<bool> {
    let mut marks = vec![false; distances.len()];
    cells.for_each(|cell| marks[usize::from(distances.cell_index(cell))] = true);
    marks
}
