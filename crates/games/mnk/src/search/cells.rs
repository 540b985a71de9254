//! Sets of cells as bits of a number.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

/// A set of cells, by row-major index.
pub trait CellSet:
    Copy + Ord + Debug + Default + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// No cell.
    const NONE: Self;
    /// One cell.
    fn cell(at: u32) -> Self;
    /// Number of cells.
    fn count(self) -> u32;
    /// The first cell; meaningless for an empty set.
    fn first(self) -> u32;
}

macro_rules! cell_set {
    ($($number:ty),*) => {
        $(impl CellSet for $number {
            const NONE: Self = 0;
            fn cell(at: u32) -> Self {
                1 << at
            }
            fn count(self) -> u32 {
                self.count_ones()
            }
            fn first(self) -> u32 {
                self.trailing_zeros()
            }
        })*
    };
}

cell_set!(u64, u128);

/// The cells of a set, in order.
pub fn bits<C: CellSet>(mut of: C) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if of == C::NONE {
            return None;
        }
        let first = of.first();
        of = of & !C::cell(first);
        Some(first)
    })
}
