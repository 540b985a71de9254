//! Trees and hedges: blocks of parks and gardens, exactly as large as their cells.

use super::colours::Town;
use super::terrain::Lot;
use crate::app::drawing::{Detail, Region, Sketch, faded, flat_region, grain, mixed, opaque};
use crate::app::shell::theme::INK;
use bevy::math::Vec2;
use outwit_core::grid::{Cell, Grid};

/// Draws a tree on each cell for which `is_tree` holds.
pub fn trees(
    sketch: &mut Sketch,
    lots: &Grid<Lot>,
    is_tree: impl Fn(Cell) -> bool,
    town: &Town,
    detail: Detail,
) {
    let trees = || lots.cells().filter(|&cell| is_tree(cell));
    let middle = |cell: Cell| Vec2::new(cell.x as f32, cell.y as f32) + Vec2::new(0.5, 0.46);
    if detail != Detail::Far {
        for cell in trees() {
            let at = middle(cell);
            for step in 1..=4_u8 {
                let by = Vec2::new(0.6, 1.0) * f32::from(step) * 0.06;
                sketch.disc(at + by, 0.44, faded(town.walls.shadow, 0.16));
            }
        }
    }
    for cell in trees() {
        crown(sketch, cell, middle(cell), town, detail);
    }
}

fn crown(sketch: &mut Sketch, cell: Cell, at: Vec2, town: &Town, detail: Detail) {
    let turn = grain(cell.x, cell.y, 1) * std::f32::consts::TAU;
    let puffs: Vec<Vec2> = (0..5_u8)
        .map(|n| {
            let way = turn + f32::from(n) * std::f32::consts::TAU / 5.0;
            at + Vec2::from_angle(way) * 0.22
        })
        .collect();
    for (radius, colour) in [(0.245, town.leaf_line), (0.205, town.leaves[0])] {
        for &puff in &puffs {
            sketch.disc(puff, radius, opaque(colour));
        }
        sketch.disc(at, radius, opaque(colour));
    }
    if detail == Detail::Near {
        // Light comes from the upper left.
        for &puff in &puffs {
            sketch.disc(puff - 0.045, 0.11, opaque(town.leaves[1]));
        }
        sketch.disc(at - 0.06, 0.1, opaque(town.leaves[1]));
    }
}

/// Draws clipped hedges on all cells for which `is_hedge` holds.
pub fn hedges(
    sketch: &mut Sketch,
    lots: &Grid<Lot>,
    is_hedge: impl Fn(Cell) -> bool,
    town: &Town,
    detail: Detail,
) {
    /// Height of the south face, in cells.
    const FACE: f32 = 0.24;
    let region = Region::of(lots, &is_hedge);
    if detail == Detail::Far {
        flat_region(sketch, &region, town.leaves[0], (0.2, town.leaf_line));
        return;
    }
    let whole = region.outlines(-0.04, 0.14);
    sketch.shadow(&whole, 0.26, |alpha| faded(town.walls.shadow, alpha), 0.42);
    sketch.area(&whole, opaque(mixed(town.leaves[0], INK, 0.5)));
    sketch.area(&region.raised(FACE, -0.04, 0.14), opaque(town.leaf_line));
    sketch.area(&region.raised(FACE, -0.1, 0.12), opaque(town.leaves[0]));
    if detail != Detail::Near {
        return;
    }
    for cell in lots.cells().filter(|&cell| is_hedge(cell)) {
        for n in 0..7 {
            let across = 0.2 + 0.6 * grain(cell.x, cell.y, 10 + n);
            let down = 0.2 + 0.38 * grain(cell.x, cell.y, 20 + n);
            let at = Vec2::new(cell.x as f32 + across, cell.y as f32 + down);
            sketch.disc(at, 0.055, opaque(town.leaves[1]));
        }
    }
}
