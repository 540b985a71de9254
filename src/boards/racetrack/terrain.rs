//! The track as one mesh: road with rounded corners, a soft edge, start boxes, a chequered finish.

use crate::app::match_screen::{HAIR, MeshBuilder, Terrain, linear};
use crate::app::shell::theme::Palette;
use bevy::prelude::*;
use outwit_core::grid::{Cell, Grid};
use outwit_racetrack::level::Surface;

/// Radius of rounded corners, in cells.
const ROUND: f32 = 0.42;
/// Triangles that make up a rounded corner.
const SLICES: usize = 4;
/// Width of the soft edge, in cells.
const EDGE: f32 = 0.13;

fn is_road(surfaces: &Grid<Surface>, cell: Cell) -> bool {
    surfaces.get(cell).is_some_and(|&surface| surface != Surface::Off)
}

/// One quarter of a cell. `corner` points from the middle to the quarter's outer corner; `grown` is
/// how far the shape reaches beyond the road.
fn quarter(
    builder: &mut MeshBuilder,
    surfaces: &Grid<Surface>,
    cell: Cell,
    corner: Cell,
    grown: f32,
    z: f32,
    colour: [f32; 4],
) {
    let middle = Vec2::new(cell.x as f32 + 0.5, cell.y as f32 + 0.5);
    let out = Vec2::new(corner.x as f32, corner.y as f32);
    let beside = is_road(surfaces, cell + Cell::new(corner.x, 0));
    let above = is_road(surfaces, cell + Cell::new(0, corner.y));
    let across = is_road(surfaces, cell + corner);
    let place = |x: f32, y: f32| middle + Vec2::new(x * out.x, y * out.y);
    if is_road(surfaces, cell) {
        let (reach_x, reach_y) =
            (if beside { 0.5 } else { 0.5 + grown }, if above { 0.5 } else { 0.5 + grown });
        if beside || above || across {
            builder.fan(
                &[
                    place(0.0, 0.0),
                    place(reach_x, 0.0),
                    place(reach_x, reach_y),
                    place(0.0, reach_y),
                ],
                z,
                colour,
            );
        } else {
            let (radius, hub) = (ROUND + grown, 0.5 - ROUND);
            let mut points = vec![place(0.0, 0.0), place(reach_x, 0.0)];
            for slice in 0..=SLICES {
                let angle = slice as f32 / SLICES as f32 * std::f32::consts::FRAC_PI_2;
                points.push(place(hub + radius * angle.cos(), hub + radius * angle.sin()));
            }
            points.push(place(0.0, reach_y));
            builder.fan(&points, z, colour);
        }
    } else if beside && above {
        // The inside of a bend: fill the corner up to a round.
        let radius = (ROUND - grown).max(0.02);
        let hub = 0.5 - ROUND;
        let mut points = vec![place(0.5, 0.5)];
        for slice in 0..=SLICES {
            let angle = slice as f32 / SLICES as f32 * std::f32::consts::FRAC_PI_2;
            points.push(place(hub + radius * angle.cos(), hub + radius * angle.sin()));
        }
        points.insert(1, place(0.5, hub));
        points.push(place(hub, 0.5));
        builder.fan(&points, z, colour);
    }
}

const CORNERS: [Cell; 4] = [Cell::new(1, 1), Cell::new(-1, 1), Cell::new(-1, -1), Cell::new(1, -1)];

/// The road, larger by `grown` all round.
fn road(builder: &mut MeshBuilder, surfaces: &Grid<Surface>, grown: f32, z: f32, colour: [f32; 4]) {
    for cell in surfaces.cells() {
        let inner = outwit_core::grid::EIGHT.iter().all(|&step| is_road(surfaces, cell + step));
        if is_road(surfaces, cell) && inner {
            let low = Vec2::new(cell.x as f32, cell.y as f32);
            builder.rect(low, low + Vec2::ONE, z, colour);
        } else {
            for corner in CORNERS {
                quarter(builder, surfaces, cell, corner, grown, z, colour);
            }
        }
    }
}

fn marks(builder: &mut MeshBuilder, surfaces: &Grid<Surface>, palette: &Palette) {
    for (cell, surface) in surfaces.iter() {
        let low = Vec2::new(cell.x as f32, cell.y as f32);
        match surface {
            Surface::Start => {
                let colour = linear(palette.start, 0.9);
                let (inset, width) = (0.14, 0.09);
                let (a, b) = (low + inset, low + 1.0 - inset);
                builder.rect(a, Vec2::new(b.x, a.y + width), 2.0, colour);
                builder.rect(Vec2::new(a.x, b.y - width), b, 2.0, colour);
                builder.rect(a, Vec2::new(a.x + width, b.y), 2.0, colour);
                builder.rect(Vec2::new(b.x - width, a.y), b, 2.0, colour);
            }
            Surface::Checkpoint(_) => {
                builder.rect(low, low + Vec2::ONE, 2.0, linear(palette.mark, 0.34));
            }
            Surface::Finish => {
                let (dark, light) = if palette.dark {
                    (linear(palette.board, 1.0), linear(palette.text, 1.0))
                } else {
                    (linear(palette.text, 1.0), linear(palette.raised, 1.0))
                };
                for y in 0..2 {
                    for x in 0..2 {
                        let at = low + Vec2::new(x as f32, y as f32) * 0.5;
                        let colour = if (x + y) % 2 == 0 { dark } else { light };
                        builder.rect(at, at + 0.5, 2.0, colour);
                    }
                }
            }
            Surface::Off | Surface::Road => {}
        }
    }
}

/// Fine lines, stronger on the road: people count cells there.
fn lines(builder: &mut MeshBuilder, surfaces: &Grid<Surface>, palette: &Palette) {
    builder.grid((surfaces.width(), surfaces.height()), linear(palette.edge, 0.25));
    let strong = linear(palette.edge, 0.45);
    for cell in surfaces.cells().filter(|&cell| is_road(surfaces, cell)) {
        let low = Vec2::new(cell.x as f32, cell.y as f32);
        let half = HAIR / 2.0;
        if is_road(surfaces, cell + Cell::new(1, 0)) {
            let x = low.x + 1.0;
            builder.rect(Vec2::new(x - half, low.y), Vec2::new(x + half, low.y + 1.0), 0.0, strong);
        }
        if is_road(surfaces, cell + Cell::new(0, 1)) {
            let y = low.y + 1.0;
            builder.rect(Vec2::new(low.x, y - half), Vec2::new(low.x + 1.0, y + half), 0.0, strong);
        }
    }
}

/// The track in a theme.
pub fn terrain(surfaces: &Grid<Surface>, palette: &Palette) -> Terrain {
    let mut terrain = Terrain::default();
    let sheet = Vec2::new(surfaces.width() as f32, surfaces.height() as f32);
    let ground = &mut terrain.ground;
    ground.rect(Vec2::ZERO, sheet, 0.0, linear(palette.board, 1.0));
    road(ground, surfaces, EDGE, 0.5, linear(palette.edge, 1.0));
    road(ground, surfaces, 0.0, 1.0, linear(palette.ground, 1.0));
    marks(ground, surfaces, palette);
    lines(&mut terrain.lines, surfaces, palette);
    terrain
}
