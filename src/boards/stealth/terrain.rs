//! The manor at night: parquet, rugs, creaking boards, walls with height, and the furniture.

use super::colours::Manor;
use super::furniture;
use crate::app::drawing::{Detail, Sketch, Terrain, faded, grain, mixed, opaque, walls};
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use outwit_core::grid::{Cell, Grid};
use outwit_stealth::level::tiles;
use outwit_stealth::{GroundTile, StealthFile};

/// How far walls throw their shadow, in cells.
const SHADOW: f32 = 0.26;
/// How thick the wall around the map is, in cells. It lies outside of the map.
const OUTER_WALL: f32 = 0.16;

/// Where a cell begins.
pub fn corner(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32, cell.y as f32)
}

/// The manor of a level. On levels with fog a cell shows nothing of its neighbours: neither their shadows
/// nor whether a table goes on there.
pub fn terrain(level: &StealthFile, dark: bool, detail: Detail) -> Terrain {
    let colours = Manor::of(dark);
    let tiles = tiles(level);
    let is_secret = level.rules.sight.is_some();
    let is = |cell: Cell, wanted: GroundTile| tiles.get(cell) == Some(&wanted);
    let is_wall = |cell: Cell| is(cell, GroundTile::Wall);
    let size = Vec2::new(tiles.width() as f32, tiles.height() as f32);
    let mut terrain = Terrain::default();
    if tiles.is_empty() {
        return terrain;
    }
    let Terrain { ground, standing } = &mut terrain;
    let has_outer_wall = tiles.iter().any(|(cell, _)| is_at_border(&tiles, cell) && !is_wall(cell));
    if detail != Detail::Far {
        let margin = if has_outer_wall { OUTER_WALL } else { 0.0 };
        let all = rectangle(Vec2::splat(-margin), size + margin);
        ground.shadow(&[all], 0.25, |alpha| faded(colours.outside, alpha), 0.5);
    }
    ground.rect(Vec2::ZERO, size, opaque(colours.ground[0]));
    if detail == Detail::Near {
        for cell in tiles.cells().filter(|&cell| !is_wall(cell)) {
            parquet(ground, cell, &colours);
        }
    }
    joints(ground, size, &colours, detail);
    let blocks = furniture::blocks(&tiles, !is_secret);
    if detail != Detail::Far && !is_secret {
        furniture::rugs(ground, &tiles, &blocks, &colours, detail);
    }
    for (cell, tile) in tiles.iter() {
        match tile {
            GroundTile::Difficult => creaking(ground, standing, cell, &colours, detail),
            GroundTile::Start => doormat(standing, cell, &colours, detail),
            _ => {}
        }
    }
    if has_outer_wall {
        outer_wall(standing, size, &colours, is_secret, detail);
    }
    let mut of_walls = colours.walls;
    if is_secret && detail == Detail::Far {
        // A line would tell which of the cells beside are walls: the whole wall has its colour.
        of_walls.top[0] = of_walls.line;
    }
    walls(standing, &tiles, is_wall, &of_walls, if is_secret { 0.0 } else { SHADOW }, detail);
    for block in &blocks {
        furniture::table(standing, block, &colours, !is_secret, detail);
    }
    terrain
}

fn is_at_border<T>(grid: &Grid<T>, cell: Cell) -> bool {
    let last = (grid.width() as i32 - 1, grid.height() as i32 - 1);
    cell.x == 0 || cell.y == 0 || cell.x == last.0 || cell.y == last.1
}

fn rectangle(low: Vec2, high: Vec2) -> Vec<Vec2> {
    vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)]
}

/// Three boards in each cell, laid across those of its neighbours.
fn parquet(sketch: &mut Sketch, cell: Cell, colours: &Manor) {
    let low = corner(cell);
    let across = lies_across(cell);
    for n in 0..3_u8 {
        let (from, to) = (f32::from(n) / 3.0, f32::from(n + 1) / 3.0);
        let share = 0.1 + 0.8 * grain(cell.x * 3 + i32::from(n), cell.y, 4);
        let colour = opaque(mixed(colours.ground[0], colours.ground[1], share));
        let (a, b) = if across { ((0.0, from), (1.0, to)) } else { ((from, 0.0), (to, 1.0)) };
        sketch.rect(low + Vec2::from(a), low + Vec2::from(b), colour);
    }
    joints_of(sketch, cell, faded(colours.grid, 0.45));
}

fn lies_across(cell: Cell) -> bool {
    (cell.x + cell.y) % 2 != 0
}

/// The two joints between the boards of a cell.
pub fn joints_of(sketch: &mut Sketch, cell: Cell, colour: [f32; 4]) {
    const HALF: f32 = 0.01;
    let low = corner(cell);
    for at in [1.0 / 3.0, 2.0 / 3.0] {
        let (a, b) = match lies_across(cell) {
            true => ((0.0, at - HALF), (1.0, at + HALF)),
            false => ((at - HALF, 0.0), (at + HALF, 1.0)),
        };
        sketch.rect(low + Vec2::from(a), low + Vec2::from(b), colour);
    }
}

/// The grid: every line, or from afar every fifth one.
fn joints(sketch: &mut Sketch, size: Vec2, colours: &Manor, detail: Detail) {
    let (every, half) = if detail == Detail::Far { (5, 0.05) } else { (1, 0.015) };
    let line = opaque(colours.grid);
    for x in (every..size.x as i32).step_by(every as usize) {
        let x = x as f32;
        sketch.rect(Vec2::new(x - half, 0.0), Vec2::new(x + half, size.y), line);
    }
    for y in (every..size.y as i32).step_by(every as usize) {
        let y = y as f32;
        sketch.rect(Vec2::new(0.0, y - half), Vec2::new(size.x, y + half), line);
    }
}

/// Loose boards: their gaps and nails stay visible on light and on heat.
fn creaking(
    ground: &mut Sketch,
    standing: &mut Sketch,
    cell: Cell,
    colours: &Manor,
    detail: Detail,
) {
    let low = corner(cell);
    let [dull, lit, dark] = colours.creaking;
    ground.rect(low, low + 1.0, opaque(dull));
    let mark = faded(dark, 0.75);
    if detail == Detail::Far {
        standing.rect(low + Vec2::new(0.1, 0.42), low + Vec2::new(0.9, 0.58), mark);
        return;
    }
    for n in 0..4_u8 {
        let row = i32::from(n);
        let top = f32::from(n) / 4.0;
        let of = |purpose| grain(cell.x, cell.y * 4 + row, purpose);
        let tilt = (of(21) - 0.5) * 0.05;
        let at = |x: f32, y: f32| low + Vec2::new(x, top + y);
        if detail != Detail::Near {
            standing.rect(at(0.05, 0.1), at(0.95, 0.15), mark);
            continue;
        }
        let wood = mixed(dull, lit, 0.35 + 0.65 * of(22));
        let board = [
            at(0.03, 0.04 + tilt),
            at(0.97, 0.04 - tilt),
            at(0.97, 0.23 - tilt),
            at(0.03, 0.23 + tilt),
        ];
        ground.fan(&board, opaque(wood));
        standing.cut_line(&[at(0.03, 0.235 + tilt), at(0.97, 0.235 - tilt)], 0.03, mark);
        for x in [0.1, 0.9] {
            standing.disc(at(x, 0.13), 0.032, mark);
        }
        if of(22) > 0.45 {
            let x = 0.3 + 0.3 * of(23);
            let crack = [at(x, 0.06), at(x + 0.06, 0.13), at(x + 0.01, 0.21)];
            standing.cut_line(&crack, 0.03, mark);
        }
    }
}

/// A doormat with a border.
fn doormat(sketch: &mut Sketch, cell: Cell, colours: &Manor, detail: Detail) {
    let low = corner(cell);
    if detail == Detail::Far {
        sketch.rect(low + 0.1, low + 0.9, opaque(colours.mat));
        return;
    }
    let a = low + Vec2::new(0.1, 0.2);
    let b = low + Vec2::new(0.9, 0.8);
    sketch.rounded(a, b, 0.06, opaque(colours.mat));
    if detail == Detail::Near {
        sketch.frame(a + 0.07, b - 0.07, 0.03, 0.03, opaque(colours.walls.edge));
    }
}

/// The wall around the map, where nobody gets out.
fn outer_wall(sketch: &mut Sketch, size: Vec2, colours: &Manor, is_secret: bool, detail: Detail) {
    const FRONT: f32 = 0.09;
    let low = Vec2::splat(-OUTER_WALL);
    let high = size + OUTER_WALL;
    let ring = [rectangle(low, high), rectangle(Vec2::ZERO, size)];
    let walls = &colours.walls;
    if detail == Detail::Far {
        sketch.area(&ring, opaque(walls.top[0]));
        return;
    }
    if !is_secret {
        sketch.shadow(&ring, SHADOW, |alpha| faded(walls.shadow, alpha), 0.42);
    }
    let front = Vec2::new(high.x, high.y + FRONT);
    sketch.rect(Vec2::new(low.x, high.y), front, opaque(walls.side[0]));
    sketch.area(&ring, opaque(walls.top[1]));
    let rim = opaque(mixed(walls.top[0], Rgb(255, 255, 255), 0.36));
    sketch.outline(&rectangle(Vec2::splat(-0.04), size + 0.04), 0.035, rim);
    for outline in [rectangle(low, front), rectangle(Vec2::ZERO, size)] {
        sketch.outline(&outline, 0.03, opaque(walls.edge));
    }
}
