//! Moving walls: brick, higher than houses, with an arrow that shows where each is going.

use super::colours::Town;
use super::extras::{self, Dressing, Extra};
use super::pieces::MovingWall;
use crate::app::drawing::{Detail, Sketch, faded, grain, mixed, opaque};
use crate::app::match_screen::{Brush, PieceLook};
use crate::app::shell::theme::{INK, PALE, Rgb};
use bevy::math::Vec2;
use bevy::prelude::*;
use outwit_cops::board::Heading;
use std::f32::consts::FRAC_PI_2;

/// Height of the south face, in cells.
const FACE: f32 = 0.42;
/// Distance from the border of its cells.
const INSET: f32 = 0.05;
/// How far it throws its shadow: farther than anything else.
const SHADOW: f32 = 0.46;
/// What a wall looks like. Where it is going, its arrow shows.
pub fn look(wall: MovingWall) -> PieceLook {
    PieceLook::drawn("moving wall", (wall.length, wall.standing), draw)
}

/// A cell of a wall on a map.
pub fn tile_look(standing: bool) -> PieceLook {
    look(MovingWall { length: 1, standing, heading: Heading::Right })
}

/// Columns and rows of a wall.
fn extent(length: u16, standing: bool) -> Vec2 {
    let length = f32::from(length.clamp(1, 64));
    if standing { Vec2::new(1.0, length) } else { Vec2::new(length, 1.0) }
}

fn draw((length, standing): (u16, bool), brush: Brush) -> Sketch {
    let town = Town::of(brush.dark);
    let half = extent(length, standing) / 2.0;
    let mut sketch = Sketch::default();
    if brush.detail == Detail::Far {
        sketch.rect(-half, half, opaque(INK));
        sketch.rect(0.16 - half, half - 0.16, opaque(town.brick[0]));
        return sketch;
    }
    let low = INSET - half;
    let high = half - INSET;
    for step in (1..=6_u8).rev() {
        let by = Vec2::new(0.6, 1.0) * f32::from(step) / 6.0 * SHADOW;
        sketch.rect(low + by, high + by, faded(town.walls.shadow, 0.155));
    }
    sketch.rounded(low - 0.025, high + 0.025, 0.04, opaque(INK));
    let top = Vec2::new(high.x, high.y - FACE);
    face(&mut sketch, Vec2::new(low.x, top.y), high, &town, brush.detail);
    sketch.rect(low, top, opaque(town.mortar));
    coping(&mut sketch, low, top, (length, standing), &town);
    let lit = opaque(mixed(town.brick[0], Rgb(255, 255, 255), 0.42));
    sketch.rect(low, Vec2::new(high.x, low.y + 0.075), lit);
    sketch.rect(low, Vec2::new(low.x + 0.04, top.y), lit);
    sketch.rect(Vec2::new(low.x, top.y - 0.02), top + Vec2::new(0.0, 0.025), opaque(INK));
    sketch
}

/// The south face: three courses of bricks.
fn face(sketch: &mut Sketch, low: Vec2, high: Vec2, town: &Town, detail: Detail) {
    sketch.rect(low, high, opaque(town.brick_face[0]));
    if detail != Detail::Near {
        let half = Vec2::new(low.x, low.y + FACE * 0.55);
        sketch.rect(half, high, opaque(town.brick_face[1]));
        return;
    }
    const GAP: f32 = 0.02;
    let course = FACE / 3.0;
    for row in 0..3_u8 {
        let y = low.y + f32::from(row) * course;
        let mut x = low.x - if row % 2 == 0 { 0.0 } else { 0.25 };
        let mut n = 0;
        while x < high.x {
            let left = (x + GAP).max(low.x);
            let right = (x + 0.5 - GAP).min(high.x);
            if right > left {
                let share = 0.35 + 0.3 * grain(n, i32::from(row), 13);
                let colour = mixed(town.brick[1], town.brick_face[0], share);
                let low = Vec2::new(left, y + GAP);
                let high = Vec2::new(right, y + course - GAP);
                sketch.rect(low, high, opaque(colour));
            }
            x += 0.5;
            n += 1;
        }
    }
}

/// The coping stones on top, two a cell.
fn coping(
    sketch: &mut Sketch,
    low: Vec2,
    high: Vec2,
    (length, standing): (u16, bool),
    town: &Town,
) {
    const GAP: f32 = 0.015;
    let stones = 2 * length.clamp(1, 64);
    let along =
        if standing { Vec2::new(0.0, high.y - low.y) } else { Vec2::new(high.x - low.x, 0.0) };
    let across = high - low - along;
    for n in 0..stones {
        let share = |n: u16| f32::from(n) / f32::from(stones);
        let from = low + along * share(n);
        let to = low + along * share(n + 1) + across;
        let colour = mixed(town.brick[0], town.brick[1], 0.9 * grain(i32::from(n), 0, 14));
        sketch.rect(from + GAP, to - GAP, opaque(colour));
    }
}

/// Shows where a wall is going.
#[derive(Component, Clone, Copy, Debug)]
struct WallArrow;

fn arrow(_dark: bool) -> Sketch {
    let mut sketch = Sketch::default();
    extras::arrow(&mut sketch, opaque(INK), 0.15);
    extras::arrow(&mut sketch, opaque(PALE), 0.075);
    sketch
}

fn give(wall: On<Add, MovingWall>, mut commands: Commands) {
    commands.entity(wall.entity).with_child((WallArrow, Extra::new("arrow of a wall", arrow)));
}

/// Where the arrow lies on its wall, y upwards: at the end that leads, or in the middle.
fn arrow_place(wall: MovingWall) -> Transform {
    let step = wall.heading.step();
    let way = Vec2::new(step.x as f32, step.y as f32);
    let at = way * (extent(wall.length, wall.standing) / 2.0 - 0.5) - Vec2::new(0.0, FACE / 2.0);
    let rotation = turned(wall.heading);
    Transform { translation: Vec3::new(at.x, -at.y, 0.002), rotation, ..default() }
}

/// How an arrow that points to the right is turned to point this way.
pub fn turned(heading: Heading) -> Quat {
    Quat::from_rotation_z(-FRAC_PI_2 * f32::from(heading as u8))
}

/// Turns the arrows of walls that have taken another heading.
#[allow(clippy::type_complexity)]
fn turn_arrows(
    walls: Query<(&MovingWall, &Children), Or<(Changed<MovingWall>, Changed<Children>)>>,
    mut arrows: Query<&mut Transform, With<WallArrow>>,
) {
    for (&wall, children) in &walls {
        for &child in children {
            if let Ok(mut arrow) = arrows.get_mut(child) {
                *arrow = arrow_place(wall);
            }
        }
    }
}

/// Gives every moving wall its arrow.
pub fn plugin(app: &mut App) {
    app.add_observer(give).add_systems(Update, turn_arrows.in_set(Dressing).ambiguous_with_all());
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_cops::board::HEADINGS;

    #[test]
    fn a_wall_stays_on_its_cells_and_its_arrow_on_the_wall() {
        for heading in HEADINGS {
            for standing in [false, true] {
                let wall = MovingWall { length: 4, standing, heading };
                let half = extent(4, standing) / 2.0;
                assert_eq!(half, if standing { Vec2::new(0.5, 2.0) } else { Vec2::new(2.0, 0.5) });
                for detail in [Detail::Far, Detail::Middle, Detail::Near] {
                    let sketch = look(wall).sketch(Brush { dark: true, detail }, None).unwrap();
                    let solid = sketch.triangles().filter(|three| three[0].1[3] == 1.0).flatten();
                    assert!(solid.into_iter().all(|(at, _)| at.abs().cmple(half).all()));
                }
                let place = arrow_place(wall);
                let (at, way) = (place.translation.truncate(), place.rotation * Vec3::X);
                assert!(at.abs().cmple(half - 0.2).all(), "{at}");
                let step = heading.step();
                assert!(way.truncate().distance(Vec2::new(step.x as f32, -step.y as f32)) < 1e-5);
            }
        }
    }
}
