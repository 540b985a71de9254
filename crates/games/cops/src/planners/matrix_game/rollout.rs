//! Drawn futures of walls and gates, the same for all plans that are compared (common random
//! numbers), and how plans fare in them.

use super::super::context::BoardContext;
use crate::board::Position;
use crate::distance_table::{CellIndex, DistanceTable};
use crate::rules::Step;
use outwit_core::grid::Cell;
use rand::Rng;

/// Where the thief is once it has escaped.
pub const GONE: CellIndex = CellIndex::MAX;

/// Drawn futures of walls and gates.
pub const FUTURES: usize = 12;

/// A set of cells, one bit each.
#[derive(Clone)]
struct CellSet(Vec<u64>);

impl CellSet {
    fn has(&self, cell: CellIndex) -> bool {
        self.0[usize::from(cell / 64)] >> (cell % 64) & 1 == 1
    }

    fn add(&mut self, cell: CellIndex) {
        self.0[usize::from(cell / 64)] |= 1 << (cell % 64);
    }
}

/// Some futures of equal weight, each as long as a plan.
pub struct Futures {
    /// Ticks of a future.
    pub ticks: usize,
    /// Number of futures.
    pub count: usize,
    walled: Vec<CellSet>,
    gated: Vec<CellSet>,
}

impl Futures {
    /// No futures yet, of so many ticks; see [`Futures::draw`].
    pub fn new(ticks: usize) -> Self {
        Self { ticks, count: 0, walled: Vec::new(), gated: Vec::new() }
    }

    /// Draws one more future of the present position; its own walls and gates stand in the first
    /// tick.
    pub fn draw(&mut self, ground: &BoardContext, now: &Position) {
        let board = ground.board();
        let distances = &ground.distances;
        let mut dice = ground.dice(now.tick);
        // Each future has a place of its own in the stream.
        dice.set_word_pos((self.count as u128) << 20);
        let none = CellSet(vec![0; distances.len().div_ceil(64)]);
        // Nobody is in the way of walls here: players move on before it matters.
        let nowhere = Cell::new(-9, -9);
        let mut at = Position { thief: nowhere, cops: Vec::new(), ..now.clone() };
        for tick in 0..self.ticks {
            if tick > 0 {
                // Drawn beforehand, since gates and walls take turns at the same dice.
                let draws: Vec<u32> =
                    (0..2 * (at.walls.len() + at.gates.len())).map(|_| dice.next_u32()).collect();
                let (gates, walls) = draws.split_at(2 * at.gates.len());
                let mut gates = gates.iter().copied();
                let mut walls = walls.iter().copied();
                board.drift(
                    &mut at,
                    || gates.next().unwrap_or_default(),
                    || walls.next().unwrap_or_default(),
                    |_| {},
                );
            }
            let mut walls = none.clone();
            let mut gates = none.clone();
            let length = board.rules().wall_length;
            at.walls
                .iter()
                .flat_map(|wall| wall.cells(length))
                .for_each(|cell| walls.add(distances.cell_index(cell)));
            at.gates
                .iter()
                .flat_map(|&gate| board.gate_cells(gate))
                .for_each(|cell| gates.add(distances.cell_index(cell)));
            self.walled.push(walls);
            self.gated.push(gates);
        }
        self.count += 1;
    }

    /// Whether a wall takes the cell in this tick of this future.
    pub fn is_walled(&self, future: usize, tick: usize, cell: CellIndex) -> bool {
        self.walled[future * self.ticks + tick].has(cell)
    }

    /// Whether a gate takes the border cell in this tick of this future.
    pub fn is_gated(&self, future: usize, tick: usize, cell: CellIndex) -> bool {
        self.gated[future * self.ticks + tick].has(cell)
    }

    /// Where a plan leads in every future, tick by tick: entry `future * ticks + tick`.
    pub fn follow(
        &self,
        distances: &DistanceTable,
        from: CellIndex,
        steps: &[Step],
        thief: bool,
    ) -> Vec<CellIndex> {
        let mut track = Vec::with_capacity(self.count * self.ticks);
        for future in 0..self.count {
            let mut at = from;
            for tick in 0..self.ticks {
                let step = steps.get(tick).copied().unwrap_or_default();
                if at != GONE && step != Step::Stay {
                    let to = distances.step(at, step);
                    if to != at {
                        if !self.is_walled(future, tick, to) {
                            at = to;
                        }
                    } else if thief && self.is_gated(future, tick, distances.ahead(at, step)) {
                        at = GONE;
                    }
                }
                track.push(at);
            }
        }
        track
    }
}
