//! What one press of the pointer changes, while it is being changed.

use super::change::{CellChange, Change};
use super::region::Region;
use crate::grid::{Cell, Grid};

/// The cells that were changed and what they held before.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// One bit a cell of the map.
    seen: Vec<u64>,
    before: Vec<(u32, char)>,
    area: Option<Region>,
}

impl Marks {
    /// Nothing marked on a map of so many cells.
    pub fn new(cells: usize) -> Self {
        Self { seen: vec![0; cells.div_ceil(64)], ..Self::default() }
    }

    /// The least region that holds all marked cells.
    pub fn area(&self) -> Option<Region> {
        self.area
    }

    /// Sets a cell and remembers what it held. Cells off the map are left out.
    pub fn set(&mut self, cells: &mut Grid<char>, cell: Cell, symbol: char) {
        let Some(index) = cells.index_of(cell) else { return };
        let old = std::mem::replace(&mut cells.as_mut_slice()[index], symbol);
        let (word, bit) = (index / 64, 1 << (index % 64));
        if self.seen[word] & bit == 0 {
            self.seen[word] |= bit;
            self.before.push((index as u32, old));
            let own = Region { min: cell, width: 1, height: 1 };
            self.area = Some(self.area.map_or(own, |area| area.with(own)));
        }
    }

    /// Puts back all that was changed and forgets it.
    pub fn restore(&mut self, cells: &mut Grid<char>) {
        for (index, old) in self.before.drain(..) {
            cells.as_mut_slice()[index as usize] = old;
            self.seen[index as usize / 64] = 0;
        }
        self.area = None;
    }

    /// What was changed, in the order of the cells.
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
