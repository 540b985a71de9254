//! Thief, cops, and every cell of every wall and gate: one entity each, moved by the events of a
//! turn. A turn begins with the players' steps and ends with walls and gates moving for the next
//! tick, and is shown in that order.

use crate::app::match_screen::{BoardView, MatchSet, Session};
use crate::app::shell::Screen;
use crate::app::shell::pieces::{Pieces, Silhouette};
use crate::app::shell::theme::Palette;
use crate::games::cops::board::{EnvMove, Gate, Position, Wall, WallMove};
use crate::games::cops::rules::{COPS, Cops, CopsEvent, Piece, PursuitStatus, THIEF};
use crate::grid::Cell;
use bevy::prelude::*;

/// What an entity on the board stands for.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceId {
    /// The thief or a cop.
    Player(Piece),
    /// One cell of a wall.
    Wall {
        /// Which wall.
        index: usize,
        /// Which of its cells.
        part: usize,
    },
    /// One cell of a gate.
    Gate {
        /// Which gate.
        index: usize,
        /// Which of its cells.
        part: usize,
    },
}

/// The cell that an entity stands on.
#[derive(Component, PartialEq, Eq)]
pub struct At(pub Cell);

/// The parts of an entity, to be coloured.
#[derive(Component, Clone, Copy)]
enum Part {
    Rim,
    Body,
    Mark,
    Floor,
}

/// Width of a player in cells.
const SIZE: f32 = 0.84;
/// Least width of a player in points.
const LEAST: f32 = 11.0;
/// The same on boards of more than [`LARGE`] cells a side, where it is larger than a cell.
const LEAST_ON_LARGE: f32 = 17.0;
const LARGE: usize = 40;
/// How far a player leans towards what stops it, in cells.
const LEAN: f32 = 0.22;
/// Shares of a turn in which players move, and in which walls and gates do.
const STEPS: (f32, f32) = (0.0, 0.6);
const DRIFT: (f32, f32) = (0.45, 1.0);

/// The middle of a cell in the world, where y points upwards.
fn world(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32 + 0.5, -(cell.y as f32 + 0.5))
}

fn direction(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32, -cell.y as f32)
}

fn share(done: f32, (from, to): (f32, f32)) -> f32 {
    let t = ((done - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Width of a player in cells, where a cell is so many points wide: never below what can be seen
/// when the whole of a large board is in view.
pub fn width(game: &Cops, scale: f32) -> f32 {
    // The border does not count.
    let side = game.board().width().max(game.board().height()) - 2;
    SIZE.max(if side > LARGE { LEAST_ON_LARGE } else { LEAST } / scale)
}

/// The share of their step that players have made when this much of a turn is shown.
pub fn walked(done: f32) -> f32 {
    share(done, STEPS)
}

fn colour(token: PieceId, part: Part, palette: &Palette) -> Color {
    match (token, part) {
        (_, Part::Rim) => palette.board.bevy(),
        (PieceId::Player(_), Part::Mark) => palette.board.bevy(),
        (PieceId::Player(Piece::Thief), _) => palette.sides[THIEF.index()].bevy(),
        (PieceId::Player(Piece::Cop(_)), _) => palette.sides[COPS.index()].bevy(),
        (PieceId::Wall { .. }, Part::Mark) => palette.ground.bevy(),
        (PieceId::Wall { .. }, _) => palette.mark.bevy(),
        (PieceId::Gate { .. }, Part::Floor) => palette.goal.bevy_alpha(0.4),
        (PieceId::Gate { .. }, _) => palette.goal.bevy(),
    }
}

/// All entities of a position.
fn pieces_of(game: &Cops, position: &Position) -> Vec<PieceId> {
    let rules = game.board().rules();
    let cells = |count: usize, length: u32| {
        (0..count).flat_map(move |index| (0..length as usize).map(move |part| (index, part)))
    };
    cells(position.gates.len(), rules.gate_width)
        .map(|(index, part)| PieceId::Gate { index, part })
        .chain(
            cells(position.walls.len(), rules.wall_length)
                .map(|(index, part)| PieceId::Wall { index, part }),
        )
        .chain((0..position.cops.len()).map(|cop| PieceId::Player(Piece::Cop(cop as u16))))
        .chain([PieceId::Player(Piece::Thief)])
        .collect()
}

fn spawn(
    mut commands: Commands,
    session: Res<Session<Cops>>,
    pieces: Res<Pieces>,
    palette: Res<Palette>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    let position = &session.state().position;
    for (number, token) in pieces_of(session.game(), position).into_iter().enumerate() {
        let (name, z) = match token {
            PieceId::Gate { .. } => ("gate", 4.0),
            PieceId::Wall { .. } => ("wall", 5.0),
            PieceId::Player(Piece::Cop(_)) => ("cop", 10.0),
            PieceId::Player(Piece::Thief) => ("thief", 20.0),
        };
        let (Some(piece), Some(tile)) = (pieces.get(name), pieces.get("wall")) else { continue };
        let z = z + number as f32 * 0.005;
        commands
            .spawn((
                Name::new(name),
                token,
                At(cell(session.game(), position, token)),
                DespawnOnExit(Screen::Match),
                Transform::from_xyz(0.0, 0.0, z),
                Visibility::default(),
            ))
            .with_children(|parent| {
                for (part, mesh, scale, height) in parts(token, piece, tile) {
                    parent.spawn((
                        part,
                        Mesh2d(mesh),
                        MeshMaterial2d(materials.add(colour(token, part, &palette))),
                        Transform::from_xyz(0.0, 0.0, height).with_scale(scale.extend(1.0)),
                    ));
                }
            });
    }
}

/// The meshes of an entity with their scale and height.
fn parts(
    token: PieceId,
    piece: &Silhouette,
    tile: &Silhouette,
) -> Vec<(Part, Handle<Mesh>, Vec2, f32)> {
    let body = piece.body.clone();
    let mut parts = match token {
        PieceId::Gate { .. } => vec![
            (Part::Floor, tile.body.clone(), Vec2::ONE, 0.0),
            (Part::Body, body, Vec2::splat(0.86), 0.001),
        ],
        PieceId::Wall { .. } => vec![
            (Part::Rim, body.clone(), Vec2::splat(1.02), 0.0),
            (Part::Body, body, Vec2::splat(0.94), 0.001),
        ],
        // A dark rim keeps players apart from the ground and from each other.
        PieceId::Player(_) => vec![
            (Part::Rim, body.clone(), Vec2::new(1.18, 1.15), 0.0),
            (Part::Body, body, Vec2::ONE, 0.001),
        ],
    };
    if let Some(mark) = piece.mark.clone() {
        parts.push((Part::Mark, mark, Vec2::splat(0.94), 0.002));
    }
    parts
}

fn gate_cell(game: &Cops, gate: Gate, part: usize) -> Cell {
    game.board().gate_cells(gate).nth(part).unwrap_or_default()
}

/// The cell that an entity stands on.
fn cell(game: &Cops, position: &Position, token: PieceId) -> Cell {
    match token {
        PieceId::Player(Piece::Thief) => position.thief,
        PieceId::Player(Piece::Cop(cop)) => position.cops[usize::from(cop)],
        PieceId::Wall { index, part } => {
            let length = game.board().rules().wall_length;
            position.walls[index].cells(length).nth(part).unwrap_or_default()
        }
        PieceId::Gate { index, part } => gate_cell(game, position.gates[index], part),
    }
}

/// How far a player stands beside the middle of its cell, so that all on it are seen.
fn aside(position: &Position, player: Piece, width: f32) -> Vec2 {
    let own = match player {
        Piece::Thief => position.thief,
        Piece::Cop(cop) => position.cops[usize::from(cop)],
    };
    let on_cell = std::iter::once((Piece::Thief, position.thief))
        .chain(position.cops.iter().enumerate().map(|(i, &cop)| (Piece::Cop(i as u16), cop)))
        .filter(|&(_, at)| at == own)
        .map(|(piece, _)| piece);
    let together: Vec<Piece> = on_cell.collect();
    if together.len() < 2 {
        return Vec2::ZERO;
    }
    let rank = together.iter().position(|&piece| piece == player).unwrap_or(0);
    // The first stands at the left.
    let angle = std::f32::consts::PI - rank as f32 * std::f32::consts::TAU / together.len() as f32;
    Vec2::from_angle(angle) * Vec2::new(0.31, 0.214) * width
}

/// Where an entity is shown in the world, while the shown turn moves.
fn place(session: &Session<Cops>, token: PieceId, width: f32) -> Vec2 {
    let (game, position) = (session.game(), &session.state().position);
    let at = world(cell(game, position, token));
    let still = match token {
        PieceId::Player(player) => at + aside(position, player, width),
        _ => at,
    };
    let Some(animation) = session.animation() else { return still };
    let events = &session.played().turns()[animation.turn].events;
    match token {
        PieceId::Player(player) => {
            let done = walked(animation.done);
            let lean = events.iter().find_map(|event| match event {
                CopsEvent::Bumped { piece, at, into } if *piece == player => Some(*into - *at),
                _ => None,
            });
            let bump = lean.map_or(Vec2::ZERO, |way| {
                direction(way) * LEAN * (done * std::f32::consts::PI).sin()
            });
            let next = session.played().state_at(animation.turn + 1);
            let to = events.iter().find_map(|event| match event {
                CopsEvent::Moved { piece, to, .. } if *piece == player => Some(world(*to)),
                _ => None,
            });
            let beside = next.map_or(Vec2::ZERO, |next| aside(&next.position, player, width));
            still.lerp(to.unwrap_or(at) + beside, done) + bump
        }
        PieceId::Wall { index, .. } => {
            let now = position.walls[index];
            let moved = events.iter().rev().find_map(|event| match event {
                CopsEvent::EnvMoved(EnvMove::Wall { index: i, what, wall })
                    if usize::from(*i) == index =>
                {
                    Some((*what, *wall))
                }
                _ => None,
            });
            let done = share(animation.done, DRIFT);
            moved.map_or(still, |(what, wall)| still + wall_shift(now, what, wall, done))
        }
        PieceId::Gate { index, part } => {
            let moved = events.iter().rev().find_map(|event| match event {
                CopsEvent::EnvMoved(EnvMove::Gate { index: i, gate, .. })
                    if usize::from(*i) == index =>
                {
                    Some(*gate)
                }
                _ => None,
            });
            let done = share(animation.done, DRIFT);
            moved.map_or(still, |gate| still.lerp(world(gate_cell(game, gate, part)), done))
        }
    }
}

/// How far a wall is on its way; one that is stopped leans towards what stops it.
fn wall_shift(now: Wall, what: WallMove, wall: Wall, done: f32) -> Vec2 {
    let swing = 0.5 * LEAN * (done * std::f32::consts::PI).sin();
    match what {
        WallMove::Moved => direction(wall.cell - now.cell) * done,
        WallMove::Blocked => direction(wall.heading.step()) * swing,
        WallMove::Reversed => direction(wall.heading.step()) * -swing,
        WallMove::Turned => Vec2::ZERO,
    }
}

fn follow_events(
    session: Res<Session<Cops>>,
    view: Res<BoardView>,
    mut pieces_of: Query<(&PieceId, &mut At, &mut Transform)>,
) {
    let position = &session.state().position;
    let width = width(session.game(), view.scale);
    for (token, mut at, mut transform) in &mut pieces_of {
        let here = cell(session.game(), position, *token);
        at.set_if_neq(At(here));
        let z = transform.translation.z;
        transform.translation = place(&session, *token, width).extend(z);
        let scale = match token {
            PieceId::Player(Piece::Thief)
                if matches!(session.state().standing, PursuitStatus::Escaped(_)) =>
            {
                1.1 * width
            }
            PieceId::Player(_) => width,
            PieceId::Wall { .. } | PieceId::Gate { .. } => 1.0,
        };
        transform.scale = Vec3::new(scale, scale, 1.0);
    }
}

fn recolour(
    palette: Res<Palette>,
    pieces_of: Query<(&PieceId, &Children)>,
    parts: Query<(&Part, &MeshMaterial2d<ColorMaterial>)>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (token, children) in &pieces_of {
        for (part, handle) in parts.iter_many(children) {
            if let Some(mut material) = materials.get_mut(&handle.0) {
                material.color = colour(*token, *part, &palette);
            }
        }
    }
}

/// The silhouettes also go to what egui paints over the board.
fn lend(mut session: ResMut<Session<Cops>>, pieces: Res<Pieces>) {
    session.cache.pieces = pieces.clone();
}

/// Spawns the entities and moves them.
pub fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            (lend, spawn).chain().run_if(resource_added::<Session<Cops>>),
            follow_events,
            recolour.run_if(resource_changed::<Palette>),
        )
            .chain()
            .in_set(MatchSet::Draw)
            .run_if(resource_exists::<Session<Cops>>),
    );
}
