//! The ring of border cells around the board, on which gates live.

use outwit_core::grid::{Cell, FOUR};

/// The border of a board, counted clockwise from the top left corner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ring {
    width: i32,
    height: i32,
    cells: Vec<Cell>,
}

impl Ring {
    /// The ring of a rectangle that is `width` by `height` cells with the ring itself, both at
    /// least 3.
    pub fn new(width: usize, height: usize) -> Self {
        let right = width as i32 - 1;
        let bottom = height as i32 - 1;
        let cells = (0..right)
            .map(|x| Cell::new(x, 0))
            .chain((0..bottom).map(|y| Cell::new(right, y)))
            .chain((1..=right).rev().map(|x| Cell::new(x, bottom)))
            .chain((1..=bottom).rev().map(|y| Cell::new(0, y)))
            .collect();
        Self { width: width as i32, height: height as i32, cells }
    }

    /// Number of its cells.
    #[allow(clippy::len_without_is_empty, reason = "a ring always has cells")]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The cell at a place.
    ///
    /// # Panics
    /// If `place` is not below [`len`](Ring::len).
    pub fn cell(&self, place: usize) -> Cell {
        self.cells[place]
    }

    /// All cells in order.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The place of a cell, if it belongs to the ring.
    pub fn place(&self, cell: Cell) -> Option<usize> {
        let right = self.width - 1;
        let bottom = self.height - 1;
        let Cell { x, y } = cell;
        if x < 0 || y < 0 || x > right || y > bottom {
            return None;
        }
        let place = if y == 0 && x < right {
            x
        } else if x == right && y < bottom {
            right + y
        } else if y == bottom && x > 0 {
            right + bottom + (right - x)
        } else if x == 0 {
            2 * right + bottom + (bottom - y)
        } else {
            return None;
        };
        Some(place as usize)
    }

    /// The board cell from which a place can be stepped on; corners have none.
    pub fn front(&self, place: usize) -> Option<Cell> {
        FOUR.iter().map(|&step| self.cells[place] + step).find(|cell| {
            cell.x > 0 && cell.y > 0 && cell.x < self.width - 1 && cell.y < self.height - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_by_twenty_has_84_border_cells() {
        let ring = Ring::new(22, 22);
        assert_eq!(ring.len(), 84);
        for place in 0..84 {
            let (here, next) = (ring.cell(place), ring.cell((place + 1) % 84));
            assert_eq!(here.manhattan(next), 1);
            assert_eq!(ring.place(here), Some(place));
        }
        assert_eq!(ring.place(Cell::new(1, 1)), None);
        assert_eq!(ring.place(Cell::new(22, 0)), None);
        let corners: Vec<_> = (0..84).filter(|&p| ring.front(p).is_none()).collect();
        assert_eq!(corners, [0, 21, 42, 63]);
        assert_eq!(ring.front(5), Some(Cell::new(5, 1)));
    }
}
