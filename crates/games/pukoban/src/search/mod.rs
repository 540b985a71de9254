//! The puzzle packed for search: few bytes a state, tables made once per level.
//!
//! Cells are numbered among those that the player could ever reach, walls aside. A state is the set
//! of boxes and either the player's cell (fewest steps) or the first cell of the region in which the
//! player can walk about (fewest box moves). Where boxes can be pulled every move can be undone, so the graph is
//! undirected. Where they can only be pushed, searches that begin at the goals go back with pulls.

mod anytime;
mod boards;
mod corral;
mod engine;
mod estimate;
mod freeze;
mod matching;
mod meet;
mod moves;
mod packed;
mod potential;
mod puzzle;
mod queue;
mod running;
mod space;
mod zones;

pub use engine::{End, Engine, Incumbent, Method, SearchTask};
pub use estimate::{Estimates, Heuristic};
pub use matching::Matcher;
pub use meet::Meet;
pub use moves::{Kind, Kinds, Move};
pub use packed::{Bits, List, Packed};
pub use puzzle::{Puzzle, Square};
pub use running::Curve;
pub use space::PackedSpace;

/// Runs `$body` with the type alias `$state` set to the smallest packing that holds the puzzle.
macro_rules! with_packing {
    ($puzzle:expr, $state:ident => $body:expr) => {{
        let cells = $puzzle.cells().len();
        let boxes = $puzzle.boxes();
        use $crate::search::{Bits, List};
        if cells <= Bits::<1>::MAX_CELLS {
            type $state = Bits<1>;
            $body
        } else if cells <= Bits::<2>::MAX_CELLS {
            type $state = Bits<2>;
            $body
        } else if cells <= Bits::<4>::MAX_CELLS {
            type $state = Bits<4>;
            $body
        } else if boxes < 8 {
            type $state = List<8>;
            $body
        } else if boxes < 32 {
            type $state = List<32>;
            $body
        } else {
            type $state = List<129>;
            $body
        }
    }};
}
pub(super) use with_packing;

#[cfg(test)]
mod tests;
