//! Step distances over a board from many sources at once.

use super::{Cell, Grid};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The distance of a cell that cannot be reached.
pub const UNREACHED: u32 = u32::MAX;

/// The smallest number of steps from any of `sources` to each cell, by breadth-first search.
///
/// `open` says which cells may be entered; sources inside the grid have distance 0 whether open or not.
/// `steps` are the moves, [`FOUR`](super::FOUR) or [`EIGHT`](super::EIGHT). Takes time linear in
/// the number of cells.
pub fn distances<T>(
    grid: &Grid<T>,
    sources: impl IntoIterator<Item = Cell>,
    steps: &[Cell],
    open: impl Fn(Cell, &T) -> bool,
) -> Grid<u32> {
    let mut distance = grid.map(|_| UNREACHED);
    let mut queue = VecDeque::new();
    for source in sources {
        if let Some(d) = distance.get_mut(source)
            && *d == UNREACHED
        {
            *d = 0;
            queue.push_back(source);
        }
    }
    while let Some(cell) = queue.pop_front() {
        let next = distance[cell] + 1;
        for &step in steps {
            let neighbour = cell + step;
            if let Some(value) = grid.get(neighbour)
                && distance[neighbour] == UNREACHED
                && open(neighbour, value)
            {
                distance[neighbour] = next;
                queue.push_back(neighbour);
            }
        }
    }
    distance
}

/// Length of a straight step in [`path_lengths`]; a diagonal one has length [`DIAGONAL`].
pub const STRAIGHT: u32 = 5;
/// Length of a diagonal step: 7/5 is the square root of 2 to within one per cent.
pub const DIAGONAL: u32 = 7;

/// Length of the shortest path by `steps` from each cell to any of `sources`, in fifths of a cell
/// (Dijkstra). Each source comes with the length of the path beyond it; `steps` are
/// [`FOUR`](super::FOUR) or [`EIGHT`](super::EIGHT), and a diagonal one has length `diagonal`, usually
/// [`DIAGONAL`].
pub fn path_lengths<T>(
    grid: &Grid<T>,
    sources: impl IntoIterator<Item = (Cell, u32)>,
    steps: &[Cell],
    diagonal: u32,
    open: impl Fn(Cell, &T) -> bool,
) -> Grid<u32> {
    let mut length = grid.map(|_| UNREACHED);
    let mut frontier = BinaryHeap::new();
    for (source, beyond) in sources {
        if let Some(known) = length.get_mut(source)
            && beyond < *known
        {
            *known = beyond;
            frontier.push(Reverse((beyond, source)));
        }
    }
    while let Some(Reverse((so_far, cell))) = frontier.pop() {
        if so_far > length[cell] {
            continue;
        }
        for &step in steps {
            let neighbour = cell + step;
            let next = so_far + if step.x != 0 && step.y != 0 { diagonal } else { STRAIGHT };
            if let Some(value) = grid.get(neighbour)
                && next < length[neighbour]
                && open(neighbour, value)
            {
                length[neighbour] = next;
                frontier.push(Reverse((next, neighbour)));
            }
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::super::{EIGHT, FOUR};
    use super::*;

    #[test]
    fn goes_round_walls() {
        let rows = ["..#.", "..#.", "...."];
        let grid = Grid::from_fn(4, 3, |c| rows[c.y as usize].as_bytes()[c.x as usize]);
        let open = |_, &b: &u8| b == b'.';
        let four = distances(&grid, [Cell::new(0, 0)], &FOUR, open);
        assert_eq!(four[Cell::new(3, 0)], 7);
        assert_eq!(four[Cell::new(2, 0)], UNREACHED);
        let eight = distances(&grid, [Cell::new(0, 0)], &EIGHT, open);
        assert_eq!(eight[Cell::new(3, 0)], 4);
    }

    #[test]
    fn lengths_count_diagonals() {
        let grid = Grid::filled(4, 3, ());
        let length = path_lengths(&grid, [(Cell::new(0, 0), 100)], &EIGHT, DIAGONAL, |_, ()| true);
        assert_eq!(length[Cell::new(3, 2)], 100 + 2 * DIAGONAL + STRAIGHT);
        let round = path_lengths(&grid, [(Cell::new(0, 0), 0)], &EIGHT, 2 * STRAIGHT, |_, ()| true);
        assert_eq!(round[Cell::new(3, 2)], 5 * STRAIGHT);
    }
}
