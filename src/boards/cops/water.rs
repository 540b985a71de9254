//! Rivers and basins between their embankments, and the bridges over them.

use super::colours::Town;
use super::terrain::Lot;
use crate::app::drawing::{Detail, Region, Sketch, faded, flat_region, grain, mixed, opaque};
use crate::app::shell::theme::INK;
use bevy::math::Vec2;
use outwit_core::grid::{Cell, Grid};

/// The most cells between two banks that a bridge joins.
const LONGEST_BRIDGE: usize = 8;
const RIGHT: Cell = Cell::new(1, 0);
const DOWN: Cell = Cell::new(0, 1);

/// Draws water on all cells for which `is_water` holds.
pub fn draw(
    sketch: &mut Sketch,
    lots: &Grid<Lot>,
    is_water: impl Fn(Cell) -> bool,
    town: &Town,
    detail: Detail,
) {
    let region = Region::of(lots, &is_water);
    if detail == Detail::Far {
        flat_region(sketch, &region, town.water[0], (0.3, town.bank));
        return;
    }
    sketch.area(&region.outlines(0.0, 0.1), opaque(town.bank));
    sketch.area(&region.outlines(-0.09, 0.1), opaque(town.walls.edge));
    sketch.area(&region.outlines(-0.12, 0.1), opaque(town.water[0]));
    for cell in lots.cells().filter(|&cell| is_water(cell)) {
        let low = Vec2::new(cell.x as f32, cell.y as f32);
        if !is_water(cell - DOWN) {
            // The north bank throws its shadow on the water.
            let left = if is_water(cell - RIGHT) { 0.0 } else { 0.12 };
            let right = if is_water(cell + RIGHT) { 1.0 } else { 0.88 };
            let top = low + Vec2::new(left, 0.12);
            sketch.rect(top, low + Vec2::new(right, 0.34), faded(town.walls.shadow, 0.35));
        }
        if detail == Detail::Near {
            ripples(sketch, cell, town);
        }
    }
}

fn ripples(sketch: &mut Sketch, cell: Cell, town: &Town) {
    for n in 0..2 {
        if grain(cell.x, cell.y, 50 + n) < 0.4 {
            continue;
        }
        let across = 0.2 + 0.25 * grain(cell.x, cell.y, 52 + n);
        let down = 0.32 + 0.22 * n as f32 + 0.14 * grain(cell.x, cell.y, 54 + n);
        let at = Vec2::new(cell.x as f32 + across, cell.y as f32 + down);
        let wave = [0.0, 0.1, 0.2, 0.3].map(|x: f32| {
            at + Vec2::new(x, if x == 0.1 { -0.035 } else { 0.02 * (x * 20.0).sin() })
        });
        sketch.line(&wave, 0.03, opaque(town.water[1]));
    }
}

/// Draws decks on all streets that lead over water, with a parapet on each side that has water below.
pub fn bridges(
    sketch: &mut Sketch,
    lots: &Grid<Lot>,
    is_water: impl Fn(Cell) -> bool,
    town: &Town,
) {
    for cell in lots.cells().filter(|&cell| lots[cell] == Lot::Street) {
        let bank = |step: Cell| {
            let line = std::iter::successors(Some(cell + step), |&at| Some(at + step));
            let mut line = line.take(LONGEST_BRIDGE);
            line.find(|&at| lots.get(at) != Some(&Lot::Street)).is_some_and(&is_water)
        };
        let beside = |step: Cell| is_water(cell + step) && is_water(cell - step);
        let near = |step: Cell| is_water(cell + step) || is_water(cell - step);
        let between = |step: Cell| near(step) && bank(step) && bank(Cell::new(-step.x, -step.y));
        // A narrow one before a wide one: where a jetty leaves a bridge, both look to the water.
        let ways = [(RIGHT, DOWN), (DOWN, RIGHT)];
        let narrow = ways.into_iter().find(|&(across, _)| beside(across));
        if let Some((across, along)) =
            narrow.or_else(|| ways.into_iter().find(|&(across, _)| between(across)))
        {
            deck(sketch, cell, [across, along], &is_water, town);
        }
    }
}

/// The deck of a bridge on a cell, which leads `along` and has water or more of the bridge `across`.
fn deck(
    sketch: &mut Sketch,
    cell: Cell,
    [across, along]: [Cell; 2],
    is_water: impl Fn(Cell) -> bool,
    town: &Town,
) {
    let vector = |way: Cell| Vec2::new(way.x as f32, way.y as f32);
    let point = |a: f32, b: f32| vector(cell) + vector(across) * a + vector(along) * b;
    sketch.rect(point(0.0, 0.0), point(1.0, 1.0), opaque(mixed(town.deck, INK, 0.25)));
    for course in 0..4_u8 {
        let from = f32::from(course) / 4.0 + 0.02;
        sketch.rect(point(0.0, from), point(1.0, from + 0.21), opaque(town.deck));
    }
    for (side, at) in [(cell - across, 0.0), (cell + across, 0.88)] {
        if is_water(side) {
            sketch.rect(point(at, 0.0), point(at + 0.12, 1.0), opaque(town.bank));
        }
    }
    // A jetty ends above the water.
    for (end, at) in [(cell - along, 0.0), (cell + along, 0.88)] {
        if is_water(end) {
            sketch.rect(point(0.0, at), point(1.0, at + 0.12), opaque(town.bank));
        }
    }
}
