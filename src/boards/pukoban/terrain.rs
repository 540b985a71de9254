//! The room as one mesh: floor, goals and walls; what nobody can get to is left out.

use crate::app::match_screen::{HAIR, MeshBuilder, Terrain, linear};
use crate::app::shell::theme::Palette;
use bevy::prelude::*;
use outwit_core::grid::{Cell, EIGHT, FOUR, Grid, UNREACHED, distances};
use outwit_pukoban::Pukoban;

/// Width of the edge between floor and wall, in cells.
const BEVEL: f32 = 0.08;
/// Corners of the ring that marks a goal.
const CORNERS: usize = 24;

/// The cells inside: those that the player or a box might get to.
pub fn inside(game: &Pukoban) -> Grid<bool> {
    let opening = game.opening();
    let pieces = opening.boxes.iter().copied().chain([opening.player]);
    distances(game.walls(), pieces, &FOUR, |_, &wall| !wall).map(|&far| far != UNREACHED)
}

fn corners(cell: Cell) -> (Vec2, Vec2) {
    let low = Vec2::new(cell.x as f32, cell.y as f32);
    (low, low + Vec2::ONE)
}

fn ring(builder: &mut MeshBuilder, cell: Cell, radius: f32, z: f32, colour: [f32; 4]) {
    let middle = Vec2::new(cell.x as f32 + 0.5, cell.y as f32 + 0.5);
    let turn = |corner: usize| corner as f32 / CORNERS as f32 * std::f32::consts::TAU;
    let points: Vec<Vec2> =
        (0..CORNERS).map(|corner| middle + Vec2::from_angle(turn(corner)) * radius).collect();
    builder.fan(&points, z, colour);
}

/// The room in a theme.
pub fn terrain(game: &Pukoban, palette: &Palette) -> Terrain {
    let inside = inside(game);
    let (mut ground, mut lines) = (MeshBuilder::default(), MeshBuilder::default());
    let is_wall = |cell: Cell| game.walls().get(cell).is_some_and(|&wall| wall);
    let is_inside = |cell: Cell| inside.get(cell).is_some_and(|&inside| inside);
    let hair = linear(palette.edge, 0.3);
    for cell in inside.cells() {
        let (low, high) = corners(cell);
        if inside[cell] {
            ground.rect(low - BEVEL, high + BEVEL, 0.3, linear(palette.edge, 1.0));
            ground.rect(low, high, 0.5, linear(palette.ground, 1.0));
            lines.rect(low, Vec2::new(low.x + HAIR, high.y), 0.0, hair);
            lines.rect(low, Vec2::new(high.x, low.y + HAIR), 0.0, hair);
        } else if is_wall(cell) && EIGHT.iter().any(|&step| is_inside(cell + step)) {
            // Walls that nobody can touch would only frame the picture.
            ground.rect(low, high, 0.1, linear(palette.line, 1.0));
        }
    }
    for &goal in game.goals() {
        ring(&mut ground, goal, 0.30, 1.5, linear(palette.goal, 1.0));
        ring(&mut ground, goal, 0.21, 1.6, linear(palette.ground, 1.0));
        ring(&mut ground, goal, 0.10, 1.7, linear(palette.goal, 1.0));
    }
    Terrain { ground, lines }
}
