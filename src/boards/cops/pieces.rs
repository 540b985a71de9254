//! Thief, cops, walls and gates. A turn begins with the players' steps and ends with walls and gates moving
//! for the next tick, and is shown in that order.

use super::{gates, walls};
use crate::app::match_screen::{
    BoardPiece, Ink, PieceKey, PieceKind, PieceLook, Pose, Tweens, ease, middle,
};
use bevy::math::Vec2;
use bevy::prelude::{Component, Reflect, ReflectComponent};
use outwit_cops::board::{EnvMove, Heading, Position, Wall, WallMove};
use outwit_cops::rules::{COPS, Cops, CopsEvent, Piece as Player, Pursuit, PursuitStatus, THIEF};
use outwit_core::grid::Cell;

/// Who runs for a gate.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(Component)]
pub struct Thief;

/// Who pursues.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(Component)]
pub struct Cop {
    /// Its number, counted from 0.
    pub number: u16,
}

/// A gate in the town wall.
#[derive(Component, Clone, Copy, PartialEq, Debug, Reflect)]
#[reflect(Component)]
pub struct Gate {
    /// The place of its first cell along the border.
    pub place: u16,
    /// Its width in cells.
    pub width: u16,
    /// Whether it moves clockwise.
    pub clockwise: bool,
}

/// A wall that moves.
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Debug, Reflect)]
#[reflect(opaque, Component, Debug)]
pub struct MovingWall {
    /// Its length in cells.
    pub length: u16,
    /// Whether it lies in a column, and not in a row.
    pub standing: bool,
    /// Where it moves.
    pub heading: Heading,
}

/// Heights of gates, walls and cops; the thief is above them.
pub const GATE_LAYER: f32 = 4.0;
const WALL_LAYER: f32 = 5.0;
/// The first cop's; each of the others is a little higher.
pub const COP_LAYER: f32 = 10.0;
const THIEF_LAYER: f32 = 20.0;

/// Width of a player in cells.
const SIZE: f32 = 0.94;
/// Least width of a player in points.
const LEAST: f32 = 11.0;
/// The same on boards of more than [`LARGE`] cells a side, where it is larger than a cell.
const LEAST_ON_LARGE: f32 = 17.0;
const LARGE: usize = 40;
/// How far a player leans towards what stops it, in cells.
const LEAN: f32 = 0.22;
/// Seconds of a turn.
pub const TURN: f32 = 0.26;
/// When players stop moving, as a share of the turn: a step takes 120 ms.
pub const STEPS_END: f32 = 0.46;
/// When walls and gates begin to move: they take 160 ms.
const DRIFT_BEGIN: f32 = 0.38;

fn vector(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32, cell.y as f32)
}

/// Least width of a player in points, so that all are seen when the whole board is in view.
fn least(game: &Cops) -> f32 {
    // The border does not count.
    let side = game.board().width().max(game.board().height()) - 2;
    if side > LARGE { LEAST_ON_LARGE } else { LEAST }
}

/// Width of a player in cells, where a cell is so many points wide.
pub fn width(game: &Cops, scale: f32) -> f32 {
    SIZE.max(least(game) / scale)
}

/// The share of their step that players have made at a time of the turn.
pub fn walked(time: f32) -> f32 {
    ease(time / STEPS_END)
}

fn key(player: Player) -> PieceKey {
    match player {
        Player::Thief => PieceKey("thief", 0),
        Player::Cop(cop) => PieceKey("cop", u32::from(cop)),
    }
}

/// All pieces of a position; the cop that matters most comes first of its kind.
pub fn pieces(game: &Cops, pursuit: &Pursuit) -> Vec<BoardPiece> {
    let position = &pursuit.position;
    let rules = game.board().rules();
    let mut pieces = Vec::new();
    for (&gate, index) in position.gates.iter().zip(0..) {
        let first = middle(game.board().ring().cell(gate.place.into()));
        let board = game.board();
        let width = rules.gate_width as u16;
        let gate = Gate { place: gate.place, width, clockwise: gate.clockwise };
        let look = gates::look((board.width(), board.height()), gate);
        let kind = PieceKind::of(gate);
        pieces.push(thing(PieceKey("gate", index), kind, look, first, GATE_LAYER));
    }
    for (wall, index) in position.walls.iter().zip(0..) {
        let last = wall.cells(rules.wall_length).last().unwrap_or(wall.cell);
        let place = middle(wall.cell).midpoint(middle(last));
        let (length, Wall { standing, heading, .. }) = (rules.wall_length as u16, *wall);
        let wall = MovingWall { length, standing, heading };
        let look = walls::look(wall);
        let kind = PieceKind::of(wall);
        pieces.push(thing(PieceKey("wall", index), kind, look, place, WALL_LAYER));
    }
    let mut cops: Vec<u16> = (0..position.cops.len() as u16).collect();
    cops.sort_by_key(|&cop| place(position, Player::Cop(cop)).manhattan(position.thief));
    let players = cops.into_iter().map(Player::Cop).chain([Player::Thief]);
    pieces.extend(players.map(|player| {
        let (shape, kind, seat, layer) = match player {
            Player::Thief => ("thief", PieceKind::of(Thief), THIEF, THIEF_LAYER),
            Player::Cop(cop) => {
                let kind = PieceKind::of(Cop { number: cop });
                ("cop", kind, COPS, COP_LAYER + f32::from(cop) * 0.01)
            }
        };
        let is_thief = player == Player::Thief;
        let escaped = is_thief && matches!(pursuit.standing, PursuitStatus::Escaped(_));
        let mut look = PieceLook::person(shape, seat);
        if is_thief && matches!(pursuit.standing, PursuitStatus::Caught(_)) {
            look.body = Ink::Out;
        }
        let pose = Pose {
            offset: aside(position, player),
            ..Pose::at(middle(place(position, player))).scaled(if escaped { 1.1 } else { 1.0 })
        };
        BoardPiece {
            key: key(player),
            kind,
            look,
            seat: Some(seat),
            pose,
            size: SIZE,
            least: least(game),
            layer,
        }
    }));
    pieces
}

/// A wall or a gate.
fn thing(key: PieceKey, kind: PieceKind, look: PieceLook, place: Vec2, layer: f32) -> BoardPiece {
    let layer = layer + key.1 as f32 * 0.004;
    BoardPiece { key, kind, look, seat: None, pose: Pose::at(place), size: 1.0, least: 0.0, layer }
}

/// The cell of a player.
fn place(position: &Position, player: Player) -> Cell {
    match player {
        Player::Thief => position.thief,
        Player::Cop(cop) => position.cops.get(usize::from(cop)).copied().unwrap_or_default(),
    }
}

/// How far a player stands beside the middle of its cell, in its widths, so that all on it are
/// seen.
fn aside(position: &Position, player: Player) -> Vec2 {
    let own = place(position, player);
    let cops = (0..position.cops.len() as u16).map(Player::Cop);
    let on_cell = std::iter::once(Player::Thief).chain(cops);
    let together: Vec<Player> = on_cell.filter(|&other| place(position, other) == own).collect();
    if together.len() < 2 {
        return Vec2::ZERO;
    }
    let rank = together.iter().position(|&other| other == player).unwrap_or(0);
    // The first stands at the left.
    let angle = std::f32::consts::PI + rank as f32 * std::f32::consts::TAU / together.len() as f32;
    Vec2::from_angle(angle) * Vec2::new(0.31, 0.214)
}

/// Players move first, then walls and gates; whoever is stopped leans towards what stops it.
pub fn tweens(before: &Pursuit, events: &[CopsEvent], tweens: &mut Tweens) {
    let cops = (0..before.position.cops.len() as u16).map(Player::Cop);
    for player in cops.chain([Player::Thief]) {
        let Some((from, to)) = tweens.ends(key(player)) else { continue };
        let bump = events.iter().find_map(|event| match event {
            CopsEvent::Bumped { piece, at, into } if *piece == player => Some(*into - *at),
            _ => None,
        });
        let mut frames = vec![(0.0, from), (STEPS_END, to)];
        if let Some(way) = bump {
            frames.insert(1, (STEPS_END / 2.0, from.moved(vector(way) * LEAN)));
        }
        tweens.set(key(player), frames);
    }
    for event in events {
        let CopsEvent::EnvMoved(moved) = event else { continue };
        match *moved {
            EnvMove::Wall { index, what, wall } => {
                drift(tweens, PieceKey("wall", index.into()), lean(what, wall));
            }
            EnvMove::Gate { index, .. } => {
                drift(tweens, PieceKey("gate", index.into()), Vec2::ZERO);
            }
        }
    }
}

/// How far a wall that is stopped swings.
fn lean(what: WallMove, wall: Wall) -> Vec2 {
    let way = vector(wall.heading.step()) * 0.5 * LEAN;
    match what {
        WallMove::Blocked => way,
        WallMove::Reversed => -way,
        WallMove::Moved | WallMove::Turned => Vec2::ZERO,
    }
}

/// Moves a wall or a gate in the second part of the turn.
fn drift(tweens: &mut Tweens, key: PieceKey, lean: Vec2) {
    let Some((from, to)) = tweens.ends(key) else { return };
    let mut frames = vec![(DRIFT_BEGIN, from), (1.0, to)];
    if lean != Vec2::ZERO {
        frames.insert(1, ((1.0 + DRIFT_BEGIN) / 2.0, from.moved(lean)));
    }
    tweens.set(key, frames);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::tests::kinds_follow_the_match;

    #[test]
    fn every_wall_and_every_gate_is_one_piece_of_its_kind() {
        let keys = ["thief", "cop", "gate", "wall"];
        kinds_follow_the_match::<(Thief, Cop, Gate, MovingWall)>("cops", &keys);
    }
}
