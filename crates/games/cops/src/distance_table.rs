//! Distances between all cells of a board without its moving walls, as flat tables.

use super::board::Board;
use super::rules::{STEPS, Step};
use outwit_core::grid::Cell;
use std::ops::Range;

/// The number of a cell: row by row, the border included.
pub type CellIndex = u16;

/// The distance of cells that no way joins, and of all farther ones.
pub const FAR: u8 = u8::MAX;

/// Cells as numbers, their neighbours and their distances.
///
/// Takes memory quadratic in the number of cells: 230 kB for a board of 20 by 20, 17 MB for the
/// largest. Border cells count as unreachable.
#[derive(Clone, Debug)]
pub struct DistanceTable {
    stride: usize,
    cells: usize,
    floor: Vec<CellIndex>,
    /// Where each step leads; a step that block or border stops leads nowhere.
    next: Vec<[CellIndex; 5]>,
    steps: Vec<u8>,
}

impl DistanceTable {
    /// Measures a board in time quadratic in the number of its cells.
    pub fn new(board: &Board) -> Self {
        let stride = board.width();
        let cells = stride * board.height();
        let floor: Vec<CellIndex> = board.floor().map(|cell| index_of(cell, stride)).collect();
        let next: Vec<[CellIndex; 5]> = (0..cells)
            .map(|here| {
                let cell = Cell::new((here % stride) as i32, (here / stride) as i32);
                STEPS.map(|step| {
                    let to = cell + step.delta();
                    if board.is_floor(to) { index_of(to, stride) } else { here as CellIndex }
                })
            })
            .collect();
        let mut steps = vec![FAR; cells * cells];
        let mut queue = Vec::with_capacity(floor.len());
        for &from in &floor {
            let row = &mut steps[usize::from(from) * cells..][..cells];
            row[usize::from(from)] = 0;
            queue.clear();
            queue.push(from);
            let mut head = 0;
            while head < queue.len() {
                let here = usize::from(queue[head]);
                head += 1;
                let farther = row[here].saturating_add(1);
                for &there in &next[here][1..] {
                    // Steps are counted in bytes: what is farther than that stays out of reach.
                    if row[usize::from(there)] == FAR && farther < FAR {
                        row[usize::from(there)] = farther;
                        queue.push(there);
                    }
                }
            }
        }
        Self { stride, cells, floor, next, steps }
    }

    /// Number of cells, the border included.
    pub fn len(&self) -> usize {
        self.cells
    }

    /// Whether there are no cells, which never happens.
    pub fn is_empty(&self) -> bool {
        self.cells == 0
    }

    /// The number of a cell of the board or its border.
    pub fn cell_index(&self, cell: Cell) -> CellIndex {
        index_of(cell, self.stride)
    }

    /// The cell of a number.
    pub fn cell(&self, index: CellIndex) -> Cell {
        let index = usize::from(index);
        Cell::new((index % self.stride) as i32, (index / self.stride) as i32)
    }

    /// The cells where players can stand, row by row.
    pub fn floor(&self) -> &[CellIndex] {
        &self.floor
    }

    /// Where a step leads if no wall is there; a step that block or border stops leads nowhere.
    pub fn step(&self, from: CellIndex, step: Step) -> CellIndex {
        self.next[usize::from(from)][step as usize]
    }

    /// Where all steps lead, in the order of [`STEPS`].
    pub fn steps(&self, from: CellIndex) -> &[CellIndex; 5] {
        &self.next[usize::from(from)]
    }

    /// The cell that a step points at, floor or not.
    pub fn ahead(&self, from: CellIndex, step: Step) -> CellIndex {
        let Cell { x, y } = step.delta();
        (i32::from(from) + y * self.stride as i32 + x) as CellIndex
    }

    /// Least number of steps between two cells; [`FAR`] if there is no way.
    pub fn between(&self, from: CellIndex, to: CellIndex) -> u8 {
        self.steps[usize::from(from) * self.cells + usize::from(to)]
    }

    /// Least numbers of steps from a cell to all cells.
    pub fn from(&self, cell: CellIndex) -> &[u8] {
        &self.steps[usize::from(cell) * self.cells..][..self.cells]
    }

    /// The cells that can be reached from one in so many steps, the nearest first, and row by row where
    /// they are equally near.
    pub fn within(&self, from: CellIndex, most: usize) -> Vec<CellIndex> {
        let most = most.min(usize::from(FAR) - 1);
        let steps = self.from(from);
        // The place of the next cell of each distance.
        let mut places = [0_u16; FAR as usize + 2];
        for row in self.diamond(from, most) {
            steps[row].iter().for_each(|&steps| places[usize::from(steps) + 1] += 1);
        }
        (0..=most).for_each(|steps| places[steps + 1] += places[steps]);
        let mut cells = vec![0; usize::from(places[most + 1])];
        for row in self.diamond(from, most) {
            for (cell, &steps) in row.clone().zip(&steps[row]) {
                if usize::from(steps) <= most {
                    let place = &mut places[usize::from(steps)];
                    cells[usize::from(*place)] = cell as CellIndex;
                    *place += 1;
                }
            }
        }
        cells
    }

    /// The cells that are no more than `most` steps away on an empty board, as a range for each row: no
    /// others can be reached.
    fn diamond(&self, from: CellIndex, most: usize) -> impl Iterator<Item = Range<usize>> {
        let stride = self.stride;
        let x = usize::from(from) % stride;
        let y = usize::from(from) / stride;
        let rows = y.saturating_sub(most)..(y + most + 1).min(self.cells / stride);
        rows.map(move |row| {
            let aside = most - row.abs_diff(y);
            let first = row * stride;
            first + x.saturating_sub(aside)..first + (x + aside + 1).min(stride)
        })
    }

    /// The same cells row by row.
    pub fn rows_within(&self, from: CellIndex, most: usize) -> Vec<CellIndex> {
        let most = most.min(usize::from(FAR) - 1);
        let steps = self.from(from);
        let floor = self.floor.iter().copied();
        floor.filter(|&cell| usize::from(steps[usize::from(cell)]) <= most).collect()
    }
}

/// The number of a cell of a board with rows of `stride` cells.
fn index_of(cell: Cell, stride: usize) -> CellIndex {
    (cell.y as usize * stride + cell.x as usize) as CellIndex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{game, still};

    #[test]
    fn what_is_within_reach_comes_nearest_first() {
        let game = game(still(7, 1));
        let distances = game.distances();
        for &from in distances.floor() {
            for most in [0, 1, 3, 20, 999] {
                let mut cells: Vec<CellIndex> = distances.floor().to_vec();
                cells.retain(|&to| usize::from(distances.between(from, to)) <= most);
                assert_eq!(distances.rows_within(from, most), cells, "{from} {most}");
                cells.sort_by_key(|&to| distances.between(from, to));
                assert_eq!(distances.within(from, most), cells, "{from} {most}");
            }
        }
    }
}
