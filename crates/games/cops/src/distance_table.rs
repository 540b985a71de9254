//! Distances between all cells of a board without its moving walls, as flat tables.

use super::board::Board;
use super::rules::{STEPS, Step};
use outwit_core::grid::Cell;

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
    spots: usize,
    floor: Vec<CellIndex>,
    /// Where each step leads; a step that block or border stops leads nowhere.
    next: Vec<[CellIndex; 5]>,
    steps: Vec<u8>,
}

impl DistanceTable {
    /// Measures a board in time quadratic in the number of its cells.
    pub fn new(board: &Board) -> Self {
        let (stride, spots) = (board.width(), board.width() * board.height());
        let spot = |cell: Cell| (cell.y as usize * stride + cell.x as usize) as CellIndex;
        let floor: Vec<CellIndex> = board.floor().map(spot).collect();
        let next: Vec<[CellIndex; 5]> = (0..spots)
            .map(|here| {
                let cell = Cell::new((here % stride) as i32, (here / stride) as i32);
                STEPS.map(|step| {
                    let to = cell + step.delta();
                    if board.is_floor(to) { spot(to) } else { here as CellIndex }
                })
            })
            .collect();
        let mut steps = vec![FAR; spots * spots];
        let mut queue = Vec::with_capacity(floor.len());
        for &from in &floor {
            let row = &mut steps[usize::from(from) * spots..][..spots];
            row[usize::from(from)] = 0;
            queue.clear();
            queue.push(from);
            let mut head = 0;
            while head < queue.len() {
                let here = usize::from(queue[head]);
                head += 1;
                let farther = row[here].saturating_add(1);
                for &there in &next[here][1..] {
                    if row[usize::from(there)] == FAR && farther < FAR {
                        row[usize::from(there)] = farther;
                        queue.push(there);
                    }
                }
            }
        }
        Self { stride, spots, floor, next, steps }
    }

    /// Number of spots, the border included.
    pub fn len(&self) -> usize {
        self.spots
    }

    /// Whether there are no spots, which never happens.
    pub fn is_empty(&self) -> bool {
        self.spots == 0
    }

    /// The number of a cell of the board or its border.
    pub fn spot(&self, cell: Cell) -> CellIndex {
        (cell.y as usize * self.stride + cell.x as usize) as CellIndex
    }

    /// The cell of a number.
    pub fn cell(&self, spot: CellIndex) -> Cell {
        let spot = usize::from(spot);
        Cell::new((spot % self.stride) as i32, (spot / self.stride) as i32)
    }

    /// The spots where players can stand, row by row.
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

    /// The spot that a step points at, floor or not.
    pub fn ahead(&self, from: CellIndex, step: Step) -> CellIndex {
        let Cell { x, y } = step.delta();
        (i32::from(from) + y * self.stride as i32 + x) as CellIndex
    }

    /// Least number of steps between two spots; [`FAR`] if there is no way.
    pub fn distance(&self, from: CellIndex, to: CellIndex) -> u8 {
        self.steps[usize::from(from) * self.spots + usize::from(to)]
    }

    /// Least numbers of steps from a spot to all spots.
    pub fn from(&self, spot: CellIndex) -> &[u8] {
        &self.steps[usize::from(spot) * self.spots..][..self.spots]
    }

    /// The spots that can be reached from one in so many steps, the nearest first, and row by row where
    /// they are equally near.
    pub fn within(&self, from: CellIndex, most: usize) -> Vec<CellIndex> {
        let (x, y) = (usize::from(from) % self.stride, usize::from(from) / self.stride);
        let most = most.min(usize::from(FAR) - 1);
        let steps = self.from(from);
        // In each row only the cells that are no farther on an empty board can be reached.
        let rows = y.saturating_sub(most)..(y + most + 1).min(self.spots / self.stride);
        let each_row = |row: usize| {
            let aside = most - row.abs_diff(y);
            let first = row * self.stride + x.saturating_sub(aside);
            let end = row * self.stride + (x + aside + 1).min(self.stride);
            (first, &steps[first..end])
        };
        // The place of the next spot of each distance.
        let mut places = [0_u16; FAR as usize + 2];
        for (_, row) in rows.clone().map(each_row) {
            row.iter().for_each(|&steps| places[usize::from(steps) + 1] += 1);
        }
        (0..=most).for_each(|steps| places[steps + 1] += places[steps]);
        let mut spots = vec![0; usize::from(places[most + 1])];
        for (first, row) in rows.map(each_row) {
            for (spot, &steps) in (first..).zip(row) {
                if usize::from(steps) <= most {
                    let place = &mut places[usize::from(steps)];
                    spots[usize::from(*place)] = spot as CellIndex;
                    *place += 1;
                }
            }
        }
        spots
    }

    /// The same spots row by row.
    pub fn rows_within(&self, from: CellIndex, most: usize) -> Vec<CellIndex> {
        let most = most.min(usize::from(FAR) - 1);
        let steps = self.from(from);
        let near = |spot: &CellIndex| usize::from(steps[usize::from(*spot)]) <= most;
        self.floor.iter().copied().filter(near).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{game, still};
    use super::*;

    #[test]
    fn what_is_within_reach_comes_nearest_first() {
        let game = game(still(7, 1));
        let atlas = game.atlas();
        for &from in atlas.floor() {
            for most in [0, 1, 3, 20, 999] {
                let mut spots: Vec<CellIndex> = atlas.floor().to_vec();
                spots.retain(|&to| usize::from(atlas.distance(from, to)) <= most);
                assert_eq!(atlas.rows_within(from, most), spots, "{from} {most}");
                spots.sort_by_key(|&to| atlas.distance(from, to));
                assert_eq!(atlas.within(from, most), spots, "{from} {most}");
            }
        }
    }
}
