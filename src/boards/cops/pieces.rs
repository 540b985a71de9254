//! Thief, cops, and every cell of every wall and gate. A turn begins with the players' steps and
//! ends with walls and gates moving for the next tick, and is shown in that order.

use crate::app::match_screen::{BoardPiece, Ink, PieceKey, PieceLook, Pose, Tweens, ease, middle};
use bevy::math::Vec2;
use outwit_cops::board::{EnvMove, Position, Wall, WallMove};
use outwit_cops::rules::{COPS, Cops, CopsEvent, Piece as Player, Pursuit, PursuitStatus, THIEF};
use outwit_core::grid::Cell;

/// Width of a player in cells.
const SIZE: f32 = 0.84;
/// Least width of a player in points.
const LEAST: f32 = 11.0;
/// The same on boards of more than [`LARGE`] cells a side, where it is larger than a cell.
const LEAST_ON_LARGE: f32 = 17.0;
const LARGE: usize = 40;
/// How far a player leans towards what stops it, in cells.
const LEAN: f32 = 0.22;
/// When players stop moving, as a share of the turn.
const STEPS_END: f32 = 0.57;
/// When walls and gates begin to move.
const DRIFT_BEGIN: f32 = 0.47;

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
    let (position, rules) = (&pursuit.position, game.board().rules());
    let mut pieces = Vec::new();
    for (gate, index) in position.gates.iter().zip(0..) {
        for (cell, part) in game.board().gate_cells(*gate).zip(0..) {
            let key = PieceKey("gate", index * rules.gate_width + part);
            let (ink, tile) = (Ink::Goal, Some(Ink::Goal));
            let look = PieceLook { shape: "gate", body: ink, mark: ink, rim: 0.0, tile };
            pieces.push(still(key, look, cell, 0.86, 4.0));
        }
    }
    for (wall, index) in position.walls.iter().zip(0..) {
        for (cell, part) in wall.cells(rules.wall_length).zip(0..) {
            let key = PieceKey("wall", index * rules.wall_length + part);
            let (body, mark) = (Ink::Mark, Ink::Ground);
            let look = PieceLook { shape: "wall", body, mark, rim: 1.085, tile: None };
            pieces.push(still(key, look, cell, 0.94, 5.0));
        }
    }
    let mut cops: Vec<u16> = (0..position.cops.len() as u16).collect();
    cops.sort_by_key(|&cop| place(position, Player::Cop(cop)).manhattan(position.thief));
    let players = cops.into_iter().map(Player::Cop).chain([Player::Thief]);
    pieces.extend(players.map(|player| {
        let (shape, seat, layer) = match player {
            Player::Thief => ("thief", THIEF, 20.0),
            Player::Cop(cop) => ("cop", COPS, 10.0 + f32::from(cop) * 0.01),
        };
        let escaped =
            player == Player::Thief && matches!(pursuit.standing, PursuitStatus::Escaped(_));
        let pose = Pose {
            offset: aside(position, player),
            ..Pose::at(middle(place(position, player))).scaled(if escaped { 1.1 } else { 1.0 })
        };
        let body = Ink::Side(seat);
        BoardPiece {
            key: key(player),
            look: PieceLook { shape, body, mark: Ink::Board, rim: 1.165, tile: None },
            seat: Some(seat),
            pose,
            size: SIZE,
            least: least(game),
            layer,
        }
    }));
    pieces
}

/// A cell of a wall or a gate.
fn still(key: PieceKey, look: PieceLook, cell: Cell, size: f32, layer: f32) -> BoardPiece {
    let layer = layer + key.1 as f32 * 0.004;
    BoardPiece { key, look, seat: None, pose: Pose::at(middle(cell)), size, least: 0.0, layer }
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
pub fn tweens(game: &Cops, before: &Pursuit, events: &[CopsEvent], tweens: &mut Tweens) {
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
                let lean = lean(what, wall);
                let length = game.board().rules().wall_length;
                drift(tweens, "wall", u32::from(index), length, lean);
            }
            EnvMove::Gate { index, .. } => {
                let width = game.board().rules().gate_width;
                drift(tweens, "gate", u32::from(index), width, Vec2::ZERO);
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

/// Moves all parts of a wall or a gate in the second half of the turn.
fn drift(tweens: &mut Tweens, name: &'static str, index: u32, parts: u32, lean: Vec2) {
    for part in 0..parts {
        let key = PieceKey(name, index * parts + part);
        let Some((from, to)) = tweens.ends(key) else { continue };
        let mut frames = vec![(DRIFT_BEGIN, from), (1.0, to)];
        if lean != Vec2::ZERO {
            frames.insert(1, ((1.0 + DRIFT_BEGIN) / 2.0, from.moved(lean)));
        }
        tweens.set(key, frames);
    }
}
