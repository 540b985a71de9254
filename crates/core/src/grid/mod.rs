//! Plain geometry of boards: cells, directions, tables of cells, lines, distances.
//!
//! `x` grows to the right and `y` grows downwards; the cell (0, 0) is the top left one.

mod distance;
mod line;
mod table;

pub use distance::{DIAGONAL, STRAIGHT, UNREACHED, distances, path_lengths};
pub use line::{Crossing, crossings};
pub use table::Grid;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A cell of a board, or the difference of two cells.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
pub struct Cell {
    /// Column, growing to the right.
    pub x: i32,
    /// Row, growing downwards.
    pub y: i32,
}

// Other crates compute with cells in their innermost loops; without this hint they call these functions.
impl Cell {
    /// The cell in column `x` and row `y`.
    #[inline(always)]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Squared Euclidean length of this difference.
    #[inline(always)]
    pub const fn norm_squared(self) -> i32 {
        self.x * self.x + self.y * self.y
    }

    /// Number of steps between two cells when only the four neighbours count.
    #[inline]
    pub const fn manhattan(self, other: Cell) -> i32 {
        (self.x - other.x).abs() + (self.y - other.y).abs()
    }

    /// Number of steps between two cells when all eight neighbours count.
    #[inline]
    pub fn chebyshev(self, other: Cell) -> i32 {
        (self.x - other.x).abs().max((self.y - other.y).abs())
    }

    /// Straight distance between the centres of two cells, in cells.
    #[inline]
    pub fn distance(self, other: Cell) -> f32 {
        ((self - other).norm_squared() as f32).sqrt()
    }
}

impl Add for Cell {
    type Output = Cell;
    #[inline(always)]
    fn add(self, other: Cell) -> Cell {
        Cell::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Cell {
    type Output = Cell;
    #[inline(always)]
    fn sub(self, other: Cell) -> Cell {
        Cell::new(self.x - other.x, self.y - other.y)
    }
}

impl Neg for Cell {
    type Output = Cell;
    #[inline(always)]
    fn neg(self) -> Cell {
        Cell::new(-self.x, -self.y)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

/// The four neighbours: right, down, left, up.
pub const FOUR: [Cell; 4] = [Cell::new(1, 0), Cell::new(0, 1), Cell::new(-1, 0), Cell::new(0, -1)];

/// The eight neighbours, clockwise from the right.
pub const EIGHT: [Cell; 8] = [
    Cell::new(1, 0),
    Cell::new(1, 1),
    Cell::new(0, 1),
    Cell::new(-1, 1),
    Cell::new(-1, 0),
    Cell::new(-1, -1),
    Cell::new(0, -1),
    Cell::new(1, -1),
];
