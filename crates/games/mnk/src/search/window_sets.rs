//! What one side still needs to fill its windows, as sets of cells.

use super::breaker::MOST_CELLS;
use super::cells::bits;
use super::pairing::weight;

/// The empty cells of the windows that one side can still fill. A window that holds all empty cells of another one
/// does not matter and is left out.
#[derive(Clone, Debug)]
pub struct WindowSets {
    /// Smaller sets first.
    open: Vec<u64>,
}

impl WindowSets {
    /// From the empty cells of each window.
    pub fn new(open: impl Iterator<Item = u64>) -> Self {
        let mut open: Vec<u64> = open.collect();
        open.sort_unstable_by_key(|&cells| (cells.count_ones(), cells));
        let mut kept: Vec<u64> = Vec::with_capacity(open.len());
        for cells in open {
            if !kept.iter().any(|smaller| smaller & !cells == 0) {
                kept.push(cells);
            }
        }
        Self { open: kept }
    }

    /// After a stone of that side; `stone` is a set of one cell.
    pub fn with(&self, stone: u64) -> Self {
        let (mut open, mut others): (Vec<u64>, Vec<u64>) =
            self.open.iter().partition(|&cells| cells & stone != 0);
        open.iter_mut().for_each(|cells| *cells &= !stone);
        // What was smaller by no more than this stone holds others now.
        others.retain(|cells| !open.iter().any(|smaller| smaller & !cells == 0));
        open.append(&mut others);
        open.sort_by_key(|cells| cells.count_ones());
        Self { open }
    }

    /// After a stone of the other side; `stone` is a set of one cell.
    pub fn without(&self, stone: u64) -> Self {
        Self { open: self.open.iter().copied().filter(|cells| cells & stone == 0).collect() }
    }

    /// Whether nothing can be filled any more.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The empty cells of each window, smaller sets first.
    pub fn list(&self) -> &[u64] {
        &self.open
    }

    /// A window that lacks one stone, if there is any.
    pub fn single(&self) -> Option<u64> {
        self.open.first().copied().filter(|cells| cells.count_ones() <= 1)
    }

    /// The gaps of all windows that lack one stone.
    pub fn gaps(&self) -> u64 {
        let single = self.open.iter().take_while(|cells| cells.count_ones() <= 1);
        single.fold(0, |gaps, cells| gaps | cells)
    }

    /// The cells of windows, but for those whose windows all hold another such cell; and those other cells.
    pub fn undominated(&self) -> (u64, u64) {
        // What all windows through a cell have in common.
        let mut common = [u64::MAX; MOST_CELLS];
        let mut cells = 0;
        for &open in &self.open {
            cells |= open;
            bits(open).for_each(|cell| common[cell as usize] &= open);
        }
        let mut kept = cells;
        for cell in bits(cells) {
            let others = common[cell as usize] & kept & !(1 << cell);
            let is_better = |other: u32| common[other as usize] >> cell & 1 == 0 || other < cell;
            if bits(others).any(is_better) {
                kept &= !(1 << cell);
            }
        }
        let better = bits(cells & !kept).map(|cell| {
            let others = common[cell as usize] & kept;
            others & others.wrapping_neg()
        });
        (kept, better.fold(0, |all, other| all | other))
    }

    /// What is left to be stopped: the sum of the [weights](weight) of all windows.
    pub fn potential(&self) -> u64 {
        self.open.iter().map(|&open| weight(open)).sum()
    }

    /// By cell: the sum of the weights of the windows through it.
    pub fn heat(&self) -> [u64; MOST_CELLS] {
        let mut heat = [0; MOST_CELLS];
        for &open in &self.open {
            bits(open).for_each(|cell| heat[cell as usize] += weight(open));
        }
        heat
    }
}
