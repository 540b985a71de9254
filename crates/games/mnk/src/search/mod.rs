//! Search in positions of the (m,n,k)-game: incremental rows, alpha-beta, threats, proofs.
//!
//! Everything is generic in the size of the board and in k. A *window* is k cells in a row. It is alive
//! for a kind of stone as long as that kind can still fill it and win.

pub mod attack;
pub mod board;
pub mod breaker;
pub mod cells;
pub mod forcing;
pub mod geometry;
pub mod helper;
pub mod pairing;
pub mod pattern_board;
pub mod patterns;
pub mod proof;
pub mod proof_numbers;
pub mod pvs;
pub mod resistance;
mod rows;
pub mod table;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod threat_tests;
pub mod threats;
pub mod window_sets;
pub mod winning_line;
pub mod worth;

pub use board::SearchBoard;
pub use geometry::Geometry;
pub use pattern_board::PatternBoard;

/// Row-major index of no cell.
pub const NO_CELL: u16 = u16::MAX;

/// Value of a win at once; a win after n plies is worth n less.
pub const WIN: i32 = 1_000_000;

/// Values from here on are forced wins; below minus this, forced losses.
pub const FORCED: i32 = 900_000;
