//! The cells that a stroke has changed so far.

use super::change::{CellChange, Change};
use super::region::Region;
use outwit_core::grid::{Cell, Grid};

/// Changed cells, with their tiles before the change.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// One bit per cell of the map.
    seen: Vec<u64>,
    before: Vec<(u32, char)>,
    area: Option<Region>,
}

impl Marks {
    /// No changes on a map of this many cells.
    pub fn new(cells: usize) -> Self {
        Self { seen: vec![0; cells.div_ceil(64)], ..Self::default() }
    }

    /// The smallest region that contains all changed cells.
    pub fn area(&self) -> Option<Region> {
        self.area
    }

    /// Sets a cell and remembers the tile before. Cells outside the map are ignored.
    pub fn set(&mut self, cells: &mut Grid<char>, cell: Cell, symbol: char) {
        let Some(index) = cells.index_of(cell) else { return };
        let old = std::mem::replace(&mut cells.as_mut_slice()[index], symbol);
        let word = index / 64;
        let bit = 1 << (index % 64);
        if self.seen[word] & bit == 0 {
            self.seen[word] |= bit;
            self.before.push((index as u32, old));
            let own = Region { min: cell, width: 1, height: 1 };
            self.area = Some(self.area.map_or(own, |area| area.with(own)));
        }
    }

    /// Reverts all changes and forgets them.
    pub fn restore(&mut self, cells: &mut Grid<char>) {
        for (index, old) in self.before.drain(..) {
            cells.as_mut_slice()[index as usize] = old;
            self.seen[index as usize / 64] = 0;
        }
        self.area = None;
    }

    /// The changes, in the order of the cells.
    pub fn change(&self, cells: &Grid<char>) -> Change {
        let mut changes: Vec<_> = self
            .before
            .iter()
            .map(|&(index, old)| CellChange { index, old, new: cells.as_slice()[index as usize] })
            .filter(|change| change.old != change.new)
            .collect();
        changes.sort_unstable_by_key(|change| change.index);
        Change::Cells(changes)
    }
}
