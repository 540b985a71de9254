//! What all lines of a board contain, packed.

use super::Geometry;
use crate::lines::DIRECTIONS;

/// The contents of all lines of a board one after the other, two bits a cell. There are as many [walls](Self::WALL)
/// between two lines as cells count on each side of one.
#[derive(Clone, Debug)]
pub struct Rows {
    words: Vec<u64>,
    /// By cell and direction: where its bits are.
    places: Vec<[u32; 4]>,
    reach: usize,
}

impl Rows {
    /// The content of an empty cell.
    pub const EMPTY: u8 = 0;
    /// The content of a cell with a stone of X.
    pub const X: u8 = 1;
    /// The content of a cell with a stone of O.
    pub const O: u8 = 2;
    /// What lies between two lines.
    pub const WALL: u8 = 3;

    /// An empty board, of whose lines `reach` cells before and after each cell count.
    pub fn new(geometry: &Geometry, reach: usize) -> Self {
        let width = geometry.width as i32;
        let height = geometry.height as i32;
        let mut places = vec![[0; 4]; geometry.cells()];
        let mut cells = vec![Self::WALL; reach];
        for (direction, step) in DIRECTIONS.into_iter().enumerate() {
            let is_on = |x: i32, y: i32| (0..width).contains(&x) && (0..height).contains(&y);
            let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            for (mut x, mut y) in all.filter(|&(x, y)| !is_on(x - step.x, y - step.y)) {
                while is_on(x, y) {
                    places[(y * width + x) as usize][direction] = 2 * cells.len() as u32;
                    cells.push(Self::EMPTY);
                    (x, y) = (x + step.x, y + step.y);
                }
                cells.extend(std::iter::repeat_n(Self::WALL, reach));
            }
        }
        let packed = cells
            .chunks(32)
            .map(|cells| cells.iter().rev().fold(0, |word, &cell| word << 2 | u64::from(cell)));
        // Two words are read at a time.
        let words = packed.chain([0]).collect();
        Self { words, places, reach }
    }

    /// Puts a stone of a kind, 0 for X or 1 for O, on an empty cell or takes it off.
    pub fn toggle(&mut self, cell: usize, kind: usize) {
        for place in self.places[cell] {
            self.words[place as usize / 64] ^= (kind as u64 + 1) << (place % 64);
        }
    }

    /// Where the bits of a cell are in the line of a direction. Those of its neighbours lie two further on and back.
    pub fn place(&self, direction: usize, cell: usize) -> usize {
        self.places[cell][direction] as usize
    }

    /// What the cell contains whose bits are there.
    pub fn content(&self, place: usize) -> u8 {
        (self.words[place / 64] >> (place % 64) & 3) as u8
    }

    /// The cells before and after the one whose bits are there, as [`Patterns`](super::patterns::Patterns) packs them.
    #[inline(always)]
    pub fn around(&self, place: usize) -> u64 {
        let first = place - 2 * self.reach;
        let words = &self.words[first / 64..];
        let wide = u128::from(words[0]) | u128::from(words[1]) << 64;
        let line = (wide >> (first % 64)) as u64;
        let before = (1 << (2 * self.reach)) - 1;
        line & before | line >> 2 & before << (2 * self.reach)
    }
}
