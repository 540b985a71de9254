//! A value for each cell of a rectangle.

use super::Cell;
use std::ops::{Index, IndexMut};

/// A rectangle of values, row by row.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Grid<T> {
    width: usize,
    height: usize,
    cells: Vec<T>,
}

impl<T: Clone> Grid<T> {
    /// A `width` by `height` rectangle holding `value` everywhere.
    pub fn filled(width: usize, height: usize, value: T) -> Self {
        Self { width, height, cells: vec![value; width * height] }
    }
}

impl<T> Grid<T> {
    /// A rectangle with `value(cell)` at each cell.
    pub fn from_fn(width: usize, height: usize, mut value: impl FnMut(Cell) -> T) -> Self {
        let mut cells = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                cells.push(value(Cell::new(x as i32, y as i32)));
            }
        }
        Self { width, height, cells }
    }

    /// Number of columns of the table.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows of the table.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of cells: columns times rows.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no cell at all.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Whether the cell lies inside the rectangle.
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x >= 0
            && cell.y >= 0
            && (cell.x as usize) < self.width
            && (cell.y as usize) < self.height
    }

    /// Row-major index of a cell, if it lies inside.
    pub fn index_of(&self, cell: Cell) -> Option<usize> {
        self.contains(cell).then(|| cell.y as usize * self.width + cell.x as usize)
    }

    /// The cell with this row-major index.
    pub fn cell_at(&self, index: usize) -> Cell {
        Cell::new((index % self.width) as i32, (index / self.width) as i32)
    }

    /// The value at a cell, if it lies inside.
    pub fn get(&self, cell: Cell) -> Option<&T> {
        self.index_of(cell).map(|i| &self.cells[i])
    }

    /// The value at a cell for writing, if it lies inside.
    pub fn get_mut(&mut self, cell: Cell) -> Option<&mut T> {
        self.index_of(cell).map(|i| &mut self.cells[i])
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<T> {
        let width = self.width;
        (0..self.cells.len()).map(move |i| Cell::new((i % width) as i32, (i / width) as i32))
    }

    /// All cells with their values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &T)> {
        self.cells().zip(self.cells.iter())
    }

    /// The values, row by row.
    pub fn as_slice(&self) -> &[T] {
        &self.cells
    }

    /// The values for writing, row by row.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// A rectangle of the same size with each value changed by `change`.
    pub fn map<U>(&self, change: impl FnMut(&T) -> U) -> Grid<U> {
        Grid {
            width: self.width,
            height: self.height,
            cells: self.cells.iter().map(change).collect(),
        }
    }
}

impl<T> Index<Cell> for Grid<T> {
    type Output = T;
    /// # Panics
    /// If the cell lies outside.
    fn index(&self, cell: Cell) -> &T {
        assert!(self.contains(cell), "cell {cell} outside {}x{}", self.width, self.height);
        &self.cells[cell.y as usize * self.width + cell.x as usize]
    }
}

impl<T> IndexMut<Cell> for Grid<T> {
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        assert!(self.contains(cell), "cell {cell} outside {}x{}", self.width, self.height);
        &mut self.cells[cell.y as usize * self.width + cell.x as usize]
    }
}
