//! The player and the boxes.

use crate::app::match_screen::{BoardPiece, Ink, PieceKey, PieceLook, Pose, middle};
use outwit_core::play::Seat;
use outwit_pukoban::{Pukoban, PukobanState};

/// Names of the silhouettes of the player and of a box.
pub const SHAPES: [&str; 2] = ["pusher", "box"];

/// One entity for each box, and the player above them.
pub fn pieces(game: &Pukoban, position: &PukobanState) -> Vec<BoardPiece> {
    let player = BoardPiece {
        key: PieceKey("player", 0),
        look: look("pusher", Ink::Side(Seat(0)), None),
        seat: Some(Seat(0)),
        pose: Pose::at(middle(position.player)),
        size: 0.78,
        least: 8.0,
        layer: 20.0,
    };
    let boxes = position.boxes.iter().zip(0u32..).map(|(&cell, index)| {
        let home = game.goals().contains(&cell);
        let (body, tile) = if home { (Ink::Goal, Some(Ink::Goal)) } else { (Ink::Mark, None) };
        BoardPiece {
            key: PieceKey("box", index),
            look: look("box", body, tile),
            seat: None,
            pose: Pose::at(middle(cell)),
            size: 0.84,
            least: 6.0,
            layer: 10.0 + index as f32 * 0.01,
        }
    });
    std::iter::once(player).chain(boxes).collect()
}

fn look(shape: &'static str, body: Ink, tile: Option<Ink>) -> PieceLook {
    PieceLook { shape, body, mark: Ink::Board, rim: 1.12, tile }
}
