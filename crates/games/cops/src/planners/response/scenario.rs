//! One drawn future of walls and gates, as long as a plan.

use super::super::super::board::Position;
use super::super::super::distance_table::CellIndex;
use super::super::super::forecast::Forecast;
use super::super::super::rules::Step;
use super::super::context::BoardContext;
use super::super::matrix_game::value::Worth;
use outwit_core::grid::Cell;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;

/// Where walls and gates stand in each tick of a plan.
pub struct Scenario {
    /// By tick, then by spot.
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
        let (board, atlas) = (ground.board(), &ground.atlas);
        let (mut walled, mut gated) = (Vec::with_capacity(ticks), Vec::with_capacity(ticks));
        let dice = RefCell::new(dice);
        let draw = || dice.borrow_mut().next_u32();
        // Nobody is in the way of walls here: players move on before it matters.
        let mut at = Position { thief: Cell::new(-9, -9), cops: Vec::new(), ..now.clone() };
        let marked = |cells: &mut dyn Iterator<Item = Cell>| {
            let mut spots = vec![false; atlas.len()];
            cells.for_each(|cell| spots[usize::from(atlas.spot(cell))] = true);
            spots
        };
        for _ in 0..ticks {
            let length = board.rules().wall_length;
            walled.push(marked(&mut at.walls.iter().flat_map(|wall| wall.cells(length))));
            gated.push(marked(&mut at.gates.iter().flat_map(|&gate| board.gate_cells(gate))));
            at.tick += 1;
            board.drift(&mut at, draw, draw, |_| {});
        }
        let side = board.width().max(board.height());
        let forecast = Forecast::new(board, atlas, &at, 0, side);
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
        let to = ground.atlas.step(from, step);
        if to != from {
            return if self.walled[tick][usize::from(to)] { from } else { to };
        }
        let ahead = ground.atlas.ahead(from, step);
        if is_thief && self.gated[tick][usize::from(ahead)] { ahead } else { from }
    }
}
