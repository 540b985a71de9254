//! The thief, the guards and the flag, and the thief's way through the turn.

use super::{STEP_SECONDS, fog};
use crate::app::match_screen::{
    BoardPiece, Ink, Keyframe, PieceKey, PieceLook, Pose, Tweens, middle,
};
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use outwit_stealth::fog::Seen;
use outwit_stealth::{Heist, Stealth, StealthEvent};

/// Names of the silhouettes of the thief, of a guard and of the goal.
pub const SHAPES: [&str; 3] = ["thief", "guard", "flag"];

const THIEF: PieceKey = PieceKey("thief", 0);

/// Longest time that a whole path is shown at normal speed, in seconds.
const LONGEST: f32 = 8.0;

/// One entity for the thief, one for the goal and one for each guard that the thief can know of.
pub fn pieces(game: &Stealth, heist: &Heist) -> Vec<BoardPiece> {
    let ground = game.ground();
    let piece = |key, body, cell, layer| BoardPiece {
        key,
        look: PieceLook { shape: key.0, body, mark: Ink::Board, rim: 1.12, tile: None },
        seat: (key == THIEF).then_some(Seat(0)),
        pose: Pose::at(middle(cell)),
        size: 0.8,
        least: 8.0,
        layer,
    };
    let thief = piece(THIEF, Ink::Side(Seat(0)), fog::position(game, heist), 20.0);
    let flag = piece(PieceKey("flag", 0), Ink::Goal, ground.goal(), 5.0);
    // Guards that never move are covered by the fog like their cells, but a guard on patrol may pass
    // where the thief has looked before.
    let still = ground.guards().len() - ground.patrols().len();
    let seen = heist.seen.as_ref().filter(|_| !heist.is_over).map(Seen::patrols);
    let is_hidden = |guard: usize| {
        let patrol = guard.checked_sub(still).and_then(|patrol| seen?.get(patrol));
        patrol == Some(&false)
    };
    let guards = ground.guards_at(heist.walked.0.len()).into_iter().enumerate();
    let guards = guards.filter(|&(guard, _)| !is_hidden(guard)).map(|(guard, cell)| {
        let layer = 10.0 + guard as f32 * 0.01;
        piece(PieceKey("guard", guard as u32), Ink::Side(Seat(1)), cell, layer)
    });
    [thief, flag].into_iter().chain(guards).collect()
}

/// How long a path of so many moves is shown, in seconds.
pub fn seconds(moves: usize) -> f32 {
    (moves as f32 * STEP_SECONDS).clamp(STEP_SECONDS, LONGEST)
}

/// The thief walks along its path, and guards on patrol along their loops.
pub fn tweens(game: &Stealth, before: &Heist, events: &[StealthEvent], tweens: &mut Tweens) {
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
    let ahead = |patrol: &[Cell]| {
        let cells = patrol.to_vec();
        let first = before.walked.0.len() % cells.len().max(1);
        cells.into_iter().cycle().skip(first)
    };
    for (patrol, index) in ground.patrols().iter().zip(still as u32..) {
        let walked = frames(&mut ahead(patrol).take(cells.len()));
        tweens.set(PieceKey("guard", index), walked);
    }
    tweens.set(THIEF, frames(&mut cells.into_iter()));
}
