//! The warehouse: slabs, goals painted on the floor, and walls with height.

use super::colours::Warehouse;
use crate::app::drawing::{Detail, Region, Sketch, Terrain, faded, grain, mixed, opaque, walls};
use bevy::math::Vec2;
use outwit_core::grid::{Cell, EIGHT, FOUR, Grid, UNREACHED, distances};
use outwit_pukoban::level::PukobanFile;

/// How far walls throw their shadow, in cells.
const SHADOW: f32 = 0.3;

/// The cells of a level where the player or a box might get to; all that are open where nobody stands yet.
pub fn inside(cells: &Grid<char>) -> Grid<bool> {
    let pieces: Vec<Cell> = cells
        .iter()
        .filter(|(_, symbol)| "@+$*".contains(**symbol))
        .map(|(cell, _)| cell)
        .collect();
    if pieces.is_empty() {
        return cells.map(|&symbol| symbol != '#');
    }
    distances(cells, pieces, &FOUR, |_, &symbol| symbol != '#').map(|&far| far != UNREACHED)
}

fn corner(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32, cell.y as f32)
}

/// The warehouse of a level.
pub fn terrain(level: &PukobanFile, dark: bool, detail: Detail) -> Terrain {
    let colours = Warehouse::of(dark);
    let cells = level.cells('#');
    let inside = inside(&cells);
    let is_inside = |cell: Cell| inside.get(cell).is_some_and(|&inside| inside);
    // Walls that nobody can touch would only frame the picture.
    let is_wall = |cell: Cell| {
        cells.get(cell) == Some(&'#') && EIGHT.iter().any(|&step| is_inside(cell + step))
    };
    let mut ground = Sketch::default();
    let floor = Region::of(&inside, is_inside);
    if detail != Detail::Far {
        let all = Region::of(&inside, |cell| is_inside(cell) || is_wall(cell)).outlines(0.0, 0.1);
        ground.shadow(&all, 0.25, |alpha| faded(colours.outside, alpha), 0.5);
    }
    ground.area(&floor.outlines(0.03, 0.0), opaque(colours.ground[0]));
    for cell in inside.cells().filter(|&cell| is_inside(cell)) {
        if detail == Detail::Near {
            slab(&mut ground, cell, &colours);
        }
        if detail != Detail::Far {
            let low = corner(cell);
            let line = opaque(colours.grid);
            if is_inside(cell + Cell::new(1, 0)) {
                ground.rect(low + Vec2::new(0.985, 0.0), low + Vec2::new(1.015, 1.0), line);
            }
            if is_inside(cell + Cell::new(0, 1)) {
                ground.rect(low + Vec2::new(0.0, 0.985), low + Vec2::new(1.0, 1.015), line);
            }
        }
    }
    let mut standing = Sketch::default();
    for (cell, _) in cells.iter().filter(|(_, symbol)| ".*+".contains(**symbol)) {
        goal(&mut ground, &mut standing, corner(cell), &colours, detail);
    }
    walls(&mut standing, &inside, is_wall, &colours.walls, SHADOW, detail);
    if detail == Detail::Near {
        panels(&mut standing, &inside, is_wall, &colours);
    }
    Terrain { ground, standing }
}

/// A concrete slab, perhaps with a mark of the trowel or a stain.
fn slab(sketch: &mut Sketch, cell: Cell, colours: &Warehouse) {
    let low = corner(cell);
    let share = if (cell.x + cell.y) % 2 == 0 { 0.1 } else { 1.0 };
    let colour = mixed(colours.ground[0], colours.ground[1], share);
    sketch.rect(low, low + 1.0, opaque(colour));
    let of = |purpose| grain(cell.x, cell.y, purpose);
    if of(9) < 0.3 {
        let a = of(10);
        let from = low + Vec2::new(0.15 + 0.3 * a, 0.25 + 0.5 * a);
        let to = low + Vec2::new(0.5 + 0.3 * a, 0.2 + 0.5 * a);
        sketch.line(&[from, to], 0.025, faded(colours.grid, 0.5));
    }
    if of(11) < 0.16 {
        let a = of(12);
        let at = low + Vec2::new(0.3 + 0.4 * a, 0.7 - 0.4 * a);
        sketch.ellipse(at, Vec2::new(0.17, 0.11), faded(colours.grid, 0.35));
    }
}

/// A goal: hatching on the floor, and four brackets that stay visible on heat.
fn goal(
    ground: &mut Sketch,
    standing: &mut Sketch,
    low: Vec2,
    colours: &Warehouse,
    detail: Detail,
) {
    let paint = opaque(colours.paint);
    if detail == Detail::Far {
        standing.rect(low + 0.15, low + 0.85, paint);
        return;
    }
    ground.rect(low + 0.1, low + 0.9, faded(colours.paint, 0.13));
    if detail == Detail::Near {
        hatching(ground, low + 0.24, 0.52, faded(colours.paint, 0.55));
    }
    const INSET: f32 = 0.12;
    const LENGTH: f32 = 0.25;
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)] {
        let at = low + INSET + Vec2::new(x, y) * (1.0 - 2.0 * INSET);
        let way = Vec2::new(1.0 - 2.0 * x, 1.0 - 2.0 * y) * LENGTH;
        let bracket = [at + Vec2::new(0.0, way.y), at, at + Vec2::new(way.x, 0.0)];
        standing.line(&bracket, 0.085, paint);
    }
}

/// Slanted stripes in a square.
fn hatching(sketch: &mut Sketch, low: Vec2, side: f32, colour: [f32; 4]) {
    const GAP: f32 = 0.2;
    const WIDTH: f32 = 0.07;
    // Each stripe is where a <= x + y <= a + WIDTH.
    let mut a = GAP / 2.0;
    while a < 2.0 * side {
        let b = (a + WIDTH).min(2.0 * side);
        let on_border = |sum: f32| {
            [
                Vec2::new((sum - side).max(0.0), sum.min(side)),
                Vec2::new(sum.min(side), (sum - side).max(0.0)),
            ]
        };
        let ([a_low, a_high], [b_low, b_high]) = (on_border(a), on_border(b));
        let mut corners = vec![a_high, b_high];
        if a < side && b > side {
            corners.insert(1, Vec2::new(side, 0.0));
        }
        corners.push(b_low);
        if a < side && b > side {
            corners.push(Vec2::new(0.0, side));
        }
        corners.push(a_low);
        let corners: Vec<Vec2> = corners.into_iter().map(|at| low + at).collect();
        sketch.fan(&corners, colour);
        a += GAP;
    }
}

/// Joints with two bolts between cast panels, on every other border along a wall.
fn panels(
    sketch: &mut Sketch,
    grid: &Grid<bool>,
    is_wall: impl Fn(Cell) -> bool,
    colours: &Warehouse,
) {
    let line = faded(colours.walls.side[0], 0.55);
    let bolt = faded(colours.walls.side[0], 0.7);
    for cell in grid.cells().filter(|&cell| is_wall(cell) && (cell.x + cell.y) % 2 == 0) {
        let low = corner(cell);
        if is_wall(cell + Cell::new(1, 0)) {
            let cut = if is_wall(cell + Cell::new(0, 1)) { 0.0 } else { 0.375 };
            let joint = [low + Vec2::new(1.0, 0.16), low + Vec2::new(1.0, 0.85 - cut)];
            sketch.cut_line(&joint, 0.022, line);
            for x in [0.92, 1.08] {
                sketch.disc(low + Vec2::new(x, 0.24), 0.027, bolt);
            }
        } else if is_wall(cell + Cell::new(0, 1)) {
            sketch.cut_line(&[low + Vec2::new(0.14, 1.0), low + Vec2::new(0.86, 1.0)], 0.022, line);
            for y in [0.92, 1.08] {
                sketch.disc(low + Vec2::new(0.24, y), 0.027, bolt);
            }
        }
    }
}
