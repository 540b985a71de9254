//! A set of cells as one bit per cell, each row padded to whole words.

use super::Cell;

/// A set of cells of a rectangle; rows are padded to whole 64-bit words.
///
/// It is fast because operations work on whole words: one instruction handles 64 cells.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BitGrid {
    width: usize,
    height: usize,
    words_per_row: usize,
    words: Vec<u64>,
}

impl BitGrid {
    /// The empty set over a `width` by `height` rectangle.
    pub fn new(width: usize, height: usize) -> Self {
        let words_per_row = width.div_ceil(64);
        Self { width, height, words_per_row, words: vec![0; words_per_row * height] }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of words that one row takes.
    pub fn words_per_row(&self) -> usize {
        self.words_per_row
    }

    /// The words, row by row; bit `x % 64` of word `x / 64` of a row is column `x`.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words for writing; bits past the width must stay 0.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    fn place(&self, cell: Cell) -> Option<(usize, u64)> {
        let inside = cell.x >= 0
            && cell.y >= 0
            && (cell.x as usize) < self.width
            && (cell.y as usize) < self.height;
        inside.then(|| {
            let x = cell.x as usize;
            (cell.y as usize * self.words_per_row + x / 64, 1 << (x % 64))
        })
    }

    /// Whether the cell is in the set; cells outside the rectangle never are.
    pub fn contains(&self, cell: Cell) -> bool {
        self.place(cell).is_some_and(|(word, bit)| self.words[word] & bit != 0)
    }

    /// Adds a cell to the set; a cell outside the rectangle is ignored.
    pub fn insert(&mut self, cell: Cell) {
        if let Some((word, bit)) = self.place(cell) {
            self.words[word] |= bit;
        }
    }

    /// Removes a cell from the set.
    pub fn remove(&mut self, cell: Cell) {
        if let Some((word, bit)) = self.place(cell) {
            self.words[word] &= !bit;
        }
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Number of cells in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether no cell is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The cells of the set, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.words.iter().enumerate().flat_map(move |(i, &word)| {
            let (x, y) = ((i % self.words_per_row) * 64, i / self.words_per_row);
            std::iter::successors((word != 0).then_some(word), |&w| {
                let rest = w & (w - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |w| Cell::new((x + w.trailing_zeros() as usize) as i32, y as i32))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_inserted() {
        let mut set = BitGrid::new(130, 3);
        let cells = [Cell::new(0, 0), Cell::new(63, 1), Cell::new(64, 1), Cell::new(129, 2)];
        for cell in cells {
            set.insert(cell);
        }
        set.insert(Cell::new(130, 0));
        assert_eq!(set.iter().collect::<Vec<_>>(), cells);
        set.remove(cells[1]);
        assert_eq!(set.count(), 3);
        assert!(!set.contains(cells[1]) && set.contains(cells[2]));
    }
}
