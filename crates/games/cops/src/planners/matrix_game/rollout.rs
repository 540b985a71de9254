//! Drawn futures of walls and gates, the same for all plans that are compared (common random
//! numbers), and how plans fare in them.

use super::super::super::board::Position;
use super::super::super::distance_table::{CellIndex, DistanceTable};
use super::super::super::rules::Step;
use super::super::context::BoardContext;
use outwit_core::grid::Cell;
use rand::Rng;

/// Where the thief is once it has escaped.
pub const GONE: CellIndex = CellIndex::MAX;

/// Drawn futures of walls and gates.
pub const FUTURES: usize = 12;

/// Spots as bits.
#[derive(Clone)]
struct Spots(Vec<u64>);

impl Spots {
    fn has(&self, spot: CellIndex) -> bool {
        self.0[usize::from(spot / 64)] >> (spot % 64) & 1 == 1
    }

    fn add(&mut self, spot: CellIndex) {
        self.0[usize::from(spot / 64)] |= 1 << (spot % 64);
    }
}

/// Some futures of equal weight, each as long as a plan.
pub struct Futures {
    /// Ticks of a future.
    pub ticks: usize,
    /// Number of futures.
    pub count: usize,
    walled: Vec<Spots>,
    gated: Vec<Spots>,
}

impl Futures {
    /// No futures yet, of so many ticks; see [`Futures::draw`].
    pub fn new(ticks: usize) -> Self {
        Self { ticks, count: 0, walled: Vec::new(), gated: Vec::new() }
    }

    /// Draws one more future of the present position; its own walls and gates stand in the first
    /// tick.
    pub fn draw(&mut self, ground: &BoardContext, now: &Position) {
        let (board, atlas) = (ground.board(), &ground.atlas);
        let mut dice = ground.dice(now.tick);
        // Each future has a place of its own in the stream.
        dice.set_word_pos((self.count as u128) << 20);
        let none = Spots(vec![0; atlas.len().div_ceil(64)]);
        // Nobody is in the way of walls here: players move on before it matters.
        let nowhere = Cell::new(-9, -9);
        let mut at = Position { thief: nowhere, cops: Vec::new(), ..now.clone() };
        for tick in 0..self.ticks {
            if tick > 0 {
                let draws: Vec<u32> =
                    (0..2 * (at.walls.len() + at.gates.len())).map(|_| dice.next_u32()).collect();
                let (gates, walls) = draws.split_at(2 * at.gates.len());
                let (mut gates, mut walls) = (gates.iter(), walls.iter());
                let next = |draws: &mut std::slice::Iter<u32>| draws.next().copied().unwrap_or(0);
                board.drift(&mut at, || next(&mut gates), || next(&mut walls), |_| {});
            }
            let (mut walls, mut gates) = (none.clone(), none.clone());
            let length = board.rules().wall_length;
            at.walls
                .iter()
                .flat_map(|wall| wall.cells(length))
                .for_each(|cell| walls.add(atlas.spot(cell)));
            at.gates
                .iter()
                .flat_map(|&gate| board.gate_cells(gate))
                .for_each(|cell| gates.add(atlas.spot(cell)));
            self.walled.push(walls);
            self.gated.push(gates);
        }
        self.count += 1;
    }

    /// Whether a wall takes the spot in this tick of this future.
    pub fn is_walled(&self, future: usize, tick: usize, spot: CellIndex) -> bool {
        self.walled[future * self.ticks + tick].has(spot)
    }

    /// Whether a gate takes the border spot in this tick of this future.
    pub fn is_gated(&self, future: usize, tick: usize, spot: CellIndex) -> bool {
        self.gated[future * self.ticks + tick].has(spot)
    }

    /// Where a plan leads in every future, tick by tick: entry `future * ticks + tick`.
    pub fn follow(
        &self,
        atlas: &DistanceTable,
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
                    let to = atlas.step(at, step);
                    if to != at {
                        if !self.is_walled(future, tick, to) {
                            at = to;
                        }
                    } else if thief && self.is_gated(future, tick, atlas.ahead(at, step)) {
                        at = GONE;
                    }
                }
                track.push(at);
            }
        }
        track
    }
}
