//! The cars: one entity a seat, moved by the events of a turn.

use crate::app::match_screen::{BoardView, GameView, MatchSet, Session};
use crate::app::shell::Screen;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::theme::Palette;
use crate::games::racetrack::rules::{CarStatus, RaceEvent, Racetrack};
use crate::grid::{Cell, crossings};
use crate::play::Seat;
use bevy::prelude::*;

/// A car on the track.
#[derive(Component)]
pub struct CarPiece {
    /// Whose.
    pub seat: Seat,
}

/// The cell that a piece stands on.
#[derive(Component, PartialEq, Eq)]
pub struct At(pub Cell);

/// The parts of a car, to be coloured.
#[derive(Component)]
enum Part {
    Rim,
    Body,
    Mark,
}

/// Width of a car in cells.
const SIZE: f32 = 1.35;

/// The middle of a cell in the world, where y points upwards.
pub fn world(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32 + 0.5, -(cell.y as f32 + 0.5))
}

fn spawn(
    mut commands: Commands,
    session: Res<Session<Racetrack>>,
    pieces: Res<Pieces>,
    palette: Res<Palette>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (index, car) in session.played().states()[0].cars.iter().enumerate() {
        let seat = Seat(index as u8);
        let Some(piece) = pieces.get(Racetrack::piece(seat)) else { continue };
        let colour = palette.sides[index % palette.sides.len()].bevy();
        let mut material = |colour: Color| MeshMaterial2d(materials.add(colour));
        let body = Mesh2d(piece.body.clone());
        let rim = material(palette.board.bevy());
        let body_material = material(colour);
        let mark = piece.mark.clone().map(|mesh| (Mesh2d(mesh), material(palette.board.bevy())));
        commands
            .spawn((
                Name::new(format!("car {}", index + 1)),
                CarPiece { seat },
                At(car.cell),
                DespawnOnExit(Screen::Match),
                Transform::from_translation(world(car.cell).extend(10.0 + index as f32 * 0.1)),
                Visibility::default(),
            ))
            .with_children(|parent| {
                // A dark rim keeps cars apart from the road and from each other.
                parent.spawn((
                    Part::Rim,
                    body.clone(),
                    rim,
                    Transform::from_scale(Vec3::new(1.16, 1.22, 1.0)),
                ));
                parent.spawn((
                    Part::Body,
                    body,
                    body_material,
                    Transform::from_xyz(0.0, 0.0, 0.01),
                ));
                if let Some((mesh, material)) = mark {
                    parent.spawn((Part::Mark, mesh, material, Transform::from_xyz(0.0, 0.0, 0.02)));
                }
            });
    }
}

/// Where a car is and where it heads, while the shown turn moves.
fn pose(session: &Session<Racetrack>, seat: Seat) -> (Vec2, Cell, f32) {
    let car = session.state().cars[seat.index()];
    let still = (world(car.cell), car.velocity, 1.0);
    let Some(animation) = session.animation() else { return still };
    let events = &session.played().turns()[animation.turn].events;
    let Some((from, to)) = events.iter().find_map(|event| match event {
        RaceEvent::Moved { seat: mover, from, to } if *mover == seat => Some((*from, *to)),
        _ => None,
    }) else {
        return still;
    };
    let crash = events.iter().find_map(|event| match event {
        RaceEvent::Crashed { seat: mover, at } if *mover == seat => Some(*at),
        _ => None,
    });
    match crash {
        // It runs a little off the track, to the border of the cell beyond, and shakes.
        Some(at) => {
            let beyond = crossings(from, to).skip_while(|c| c.cell != at).nth(1);
            let share = beyond.map_or(1.0, |c| c.num as f32 / c.den as f32 + 0.02);
            let way = (animation.done * 1.6).min(1.0) * share;
            let shake = (1.0 - animation.done) * (animation.done * 40.0).sin() * 0.06;
            let place = world(from).lerp(world(to), way) + Vec2::new(shake, shake);
            (place, to - from, 1.0 - 0.35 * animation.done)
        }
        None => (world(from).lerp(world(to), animation.done), to - from, 1.0),
    }
}

fn follow_events(
    session: Res<Session<Racetrack>>,
    view: Res<BoardView>,
    mut cars: Query<(&CarPiece, &mut At, &mut Transform)>,
) {
    for (piece, mut at, mut transform) in &mut cars {
        let car = session.state().cars[piece.seat.index()];
        at.set_if_neq(At(car.cell));
        let (place, heading, size) = pose(&session, piece.seat);
        let z = transform.translation.z;
        transform.translation = place.extend(z);
        if heading != Cell::default() {
            let aim = Quat::from_rotation_z((-heading.y as f32).atan2(heading.x as f32));
            transform.rotation = transform.rotation.slerp(aim, 0.5);
        }
        // A car never shrinks below what can be seen when the whole of a large track is in view.
        let least = 15.0 / view.scale;
        let scale = SIZE.max(least) * size;
        transform.scale = Vec3::new(scale, scale, 1.0);
        if matches!(car.standing, CarStatus::Out(_)) {
            transform.scale *= 0.8;
        }
    }
}

fn recolour(
    palette: Res<Palette>,
    cars: Query<(&CarPiece, &Children)>,
    parts: Query<(&Part, &MeshMaterial2d<ColorMaterial>)>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    for (piece, children) in &cars {
        for (part, handle) in parts.iter_many(children) {
            if let Some(mut material) = materials.get_mut(&handle.0) {
                material.color = match part {
                    Part::Body => palette.sides[piece.seat.index() % palette.sides.len()].bevy(),
                    Part::Rim | Part::Mark => palette.board.bevy(),
                };
            }
        }
    }
}

/// Spawns the cars and moves them.
pub fn plugin(app: &mut App) {
    let racing = resource_exists::<Session<Racetrack>>;
    app.add_systems(
        Update,
        (
            spawn.run_if(resource_added::<Session<Racetrack>>),
            follow_events,
            recolour.run_if(resource_changed::<Palette>),
        )
            .chain()
            .in_set(MatchSet::Draw)
            .run_if(racing),
    );
}
