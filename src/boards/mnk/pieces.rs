//! The stones.

use crate::app::match_screen::{BoardPiece, Ink, PieceKey, PieceLook, Pose, middle};
use outwit_core::play::Seat;
use outwit_mnk::{Mnk, MnkState, Stone};

/// Names of the silhouettes of the stones, first X, then O.
pub const SHAPES: [&str; 2] = ["stone-x", "stone-o"];

/// The silhouette of a stone.
pub fn shape(stone: Stone) -> &'static str {
    match stone {
        Stone::X => SHAPES[0],
        Stone::O => SHAPES[1],
    }
}

/// The seat whose colour a stone has: that of the side that begins with it, even after a swap.
pub fn colour(stone: Stone) -> Seat {
    match stone {
        Stone::X => Seat(0),
        Stone::O => Seat(1),
    }
}

/// One entity for each stone.
pub fn pieces(game: &Mnk, state: &MnkState) -> Vec<BoardPiece> {
    let stones = state.stones.iter().zip(0_u32..);
    let piece = |(stone, index): (Stone, u32)| BoardPiece {
        key: PieceKey("stone", index),
        look: PieceLook {
            shape: shape(stone),
            body: Ink::Side(colour(stone)),
            mark: Ink::Board,
            rim: 0.0,
            tile: None,
        },
        seat: None,
        pose: Pose::at(middle(game.cell_at(index as usize))),
        size: 0.74,
        least: 4.0,
        layer: 10.0,
    };
    stones.filter_map(|(stone, index)| Some(((*stone)?, index))).map(piece).collect()
}
