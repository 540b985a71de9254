//! How the table came about, for people to follow: the sweep back from the finish, layer by layer.

use super::ExactTable;
use super::tiles::bits;
use outwit_core::grid::Cell;

/// What the sweep had found after some layers. A state counts once, in the layer of its turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SweepStage {
    /// The turns to the finish of the newest layer; 0 before the first.
    pub turns: u32,
    /// Number of states found so far.
    pub states: u64,
    /// By cell, where there are any: the states found so far.
    pub found: Vec<(Cell, u64)>,
    /// By cell, where there are any: those that this stage added.
    pub added: Vec<(Cell, u64)>,
}

impl ExactTable {
    /// The sweep in at most `most` stages of equally many layers, after the one before any layer.
    /// It looks at every state once.
    pub fn sweep(&self, most: u32) -> Vec<SweepStage> {
        let layers = self.layers();
        let step = layers.div_ceil(most.max(1)).max(1);
        let stages = layers.div_ceil(step) as usize;
        let cells = self.tiles.len() * 64;
        let mut added = vec![0_u64; stages * cells];
        for (at, &latest) in self.latest.iter().enumerate() {
            let tile = at / self.velocities.places() % self.tiles.len();
            let mut addition = latest;
            while addition != 0 {
                // The first layer is that of one turn.
                let stage = ((self.layer_of(addition) - 1) / step) as usize;
                for bit in bits(self.additions[addition as usize]) {
                    added[stage * cells + tile * 64 + bit as usize] += 1;
                }
                addition = self.earlier[addition as usize];
            }
        }
        let named = |counts: &[u64]| -> Vec<(Cell, u64)> {
            let some = counts.iter().enumerate().filter(|(_, count)| **count > 0);
            some.map(|(at, &count)| (self.tiles.cell(at / 64, (at % 64) as u32), count)).collect()
        };
        let mut found = vec![0; cells];
        let mut sweep =
            vec![SweepStage { turns: 0, states: 0, found: Vec::new(), added: Vec::new() }];
        for (added, turns) in added.chunks_exact(cells.max(1)).zip((1..).map(|n| n * step)) {
            found.iter_mut().zip(added).for_each(|(found, added)| *found += added);
            sweep.push(SweepStage {
                turns: turns.min(layers),
                states: found.iter().sum(),
                found: named(&found),
                added: named(added),
            });
        }
        sweep
    }
}
