//! The thief, the guards and the flag, and the thief's way through the turn.

use super::STEP_SECONDS;
use crate::app::match_screen::{
    BoardPiece, Ink, Keyframe, PieceKey, PieceLook, Pose, Tweens, middle,
};
use crate::games::stealth::{Heist, Stealth, StealthEvent};
use crate::grid::Cell;
use crate::play::Seat;

/// The silhouettes.
pub const SHAPES: [&str; 3] = ["thief", "guard", "flag"];

const THIEF: PieceKey = PieceKey("thief", 0);

/// Longest time that a whole path is shown at normal speed, in seconds.
const LONGEST: f32 = 8.0;

/// One entity each.
pub fn pieces(game: &Stealth, heist: &Heist) -> Vec<BoardPiece> {
    let ground = game.ground();
    let at = heist.route.as_ref().and_then(|route| route.cells(ground.start()).last().copied());
    let piece = |key, body, cell, layer| BoardPiece {
        key,
        look: PieceLook { shape: key.0, body, mark: Ink::Board, rim: 1.12, tile: None },
        seat: (key == THIEF).then_some(Seat(0)),
        pose: Pose::at(middle(cell)),
        size: 0.8,
        least: 8.0,
        layer,
    };
    let thief = piece(THIEF, Ink::Side(Seat(0)), at.unwrap_or(ground.start()), 20.0);
    let flag = piece(PieceKey("flag", 0), Ink::Goal, ground.goal(), 5.0);
    let time = heist.route.as_ref().map_or(0, |route| route.0.len());
    let guards = ground.guards_at(time).into_iter().zip(0_u32..).map(|(cell, index)| {
        let layer = 10.0 + index as f32 * 0.01;
        piece(PieceKey("guard", index), Ink::Side(Seat(1)), cell, layer)
    });
    [thief, flag].into_iter().chain(guards).collect()
}

/// How long a path of so many moves is shown, in seconds.
pub fn seconds(moves: usize) -> f32 {
    (moves as f32 * STEP_SECONDS).min(LONGEST)
}

/// The thief walks along its path, and guards on patrol along their loops.
pub fn tweens(game: &Stealth, events: &[StealthEvent], tweens: &mut Tweens) {
    let mut cells: Vec<Cell> = Vec::new();
    for event in events {
        if let StealthEvent::Moved { from, to, .. } = event {
            if cells.is_empty() {
                cells.push(*from);
            }
            cells.push(*to);
        }
    }
    let last = cells.len().saturating_sub(1).max(1) as f32;
    let frames = |cells: &mut dyn Iterator<Item = Cell>| -> Vec<Keyframe> {
        cells.zip(0_u32..).map(|(cell, n)| (n as f32 / last, Pose::at(middle(cell)))).collect()
    };
    if cells.is_empty() {
        return;
    }
    let ground = game.ground();
    let still = ground.guards().len() - ground.patrols().len();
    for (patrol, index) in ground.patrols().iter().zip(still as u32..) {
        let walked = frames(&mut patrol.iter().copied().cycle().take(cells.len()));
        tweens.set(PieceKey("guard", index), walked);
    }
    tweens.set(THIEF, frames(&mut cells.into_iter()));
}
