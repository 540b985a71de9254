//! What people walk on, place by place: cobbles, paving, planks, tracks, lawn and gravel.

use super::colours::Town;
use crate::app::drawing::{Sketch, faded, grain, mixed, opaque};
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use outwit_cops::Place;
use outwit_core::grid::Cell;

/// Draws the details of the ground of a cell, which the plain ground is below.
pub fn draw(sketch: &mut Sketch, cell: Cell, place: Place, town: &Town) {
    match place {
        Place::Town | Place::Market | Place::River => cobbles(sketch, cell, town),
        Place::City => paving(sketch, cell, town),
        Place::Harbour => planks(sketch, cell, town),
        Place::Station => {
            specks(sketch, cell, town, 9);
            track(sketch, cell, town);
        }
        Place::Park => lawn(sketch, cell, town),
        Place::Garden => specks(sketch, cell, town, 6),
    }
}

fn corner(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32, cell.y as f32)
}

/// Three courses of stones; those that are hardly brighter than the ground are left out.
fn cobbles(sketch: &mut Sketch, cell: Cell, town: &Town) {
    const COURSES: i32 = 3;
    const LEAST: f32 = 0.12;
    let joint = |column: i32, row: i32| {
        let shift = if row % 2 == 0 { 0.0 } else { 0.25 };
        column as f32 * 0.5 + shift + (grain(column, row, 2) - 0.5) * 0.12
    };
    for row in cell.y * COURSES..(cell.y + 1) * COURSES {
        let top = row as f32 / 3.0 + 0.025;
        let bottom = (row + 1) as f32 / 3.0 - 0.025;
        for column in cell.x * 2..cell.x * 2 + 2 {
            let bright = grain(column, row, 1);
            if bright * bright < LEAST {
                continue;
            }
            let left = joint(column, row) + 0.025;
            let right = joint(column + 1, row) - 0.025;
            let colour = mixed(town.ground[0], town.ground[1], 0.15 + 0.75 * bright * bright);
            stone(sketch, Vec2::new(left, top), Vec2::new(right, bottom), colour);
        }
    }
}

/// A rectangle with its corners cut off.
fn stone(sketch: &mut Sketch, low: Vec2, high: Vec2, colour: Rgb) {
    const CUT: f32 = 0.06;
    let corners = [
        Vec2::new(low.x + CUT, low.y),
        Vec2::new(high.x - CUT, low.y),
        Vec2::new(high.x, low.y + CUT),
        Vec2::new(high.x, high.y - CUT),
        Vec2::new(high.x - CUT, high.y),
        Vec2::new(low.x + CUT, high.y),
        Vec2::new(low.x, high.y - CUT),
        Vec2::new(low.x, low.y + CUT),
    ];
    sketch.fan(&corners, opaque(colour));
}

/// Four slabs, each a little brighter or darker.
fn paving(sketch: &mut Sketch, cell: Cell, town: &Town) {
    for row in cell.y * 2..cell.y * 2 + 2 {
        for column in cell.x * 2..cell.x * 2 + 2 {
            let low = Vec2::new(column as f32, row as f32) * 0.5;
            let bright = 0.2 + 0.55 * grain(column, row, 1);
            let colour = mixed(town.ground[0], town.ground[1], bright);
            sketch.rect(low + 0.02, low + 0.48, opaque(colour));
        }
    }
}

/// Three planks from left to right, with an end of one now and then.
fn planks(sketch: &mut Sketch, cell: Cell, town: &Town) {
    for row in cell.y * 3..(cell.y + 1) * 3 {
        let low = Vec2::new(cell.x as f32, row as f32 / 3.0 + 0.02);
        let high = Vec2::new(low.x + 1.0, (row + 1) as f32 / 3.0 - 0.02);
        // Planks are three cells long, and begin elsewhere in each row.
        let shifted = cell.x + row * 2;
        let bright = grain(shifted.div_euclid(3), row, 1);
        let colour = mixed(town.ground[0], town.ground[1], 0.1 + 0.85 * bright);
        let left = if shifted.rem_euclid(3) == 0 { low.x + 0.04 } else { low.x };
        sketch.rect(Vec2::new(left, low.y), high, opaque(colour));
    }
}

/// Stones no larger than a hand.
fn specks(sketch: &mut Sketch, cell: Cell, town: &Town, count: u32) {
    for n in 0..count {
        let across = grain(cell.x, cell.y, 10 + 2 * n);
        let down = grain(cell.x, cell.y, 11 + 2 * n);
        let at = corner(cell) + Vec2::new(across, down) * 0.9 + 0.02;
        let wide = 0.05 + 0.05 * grain(cell.x, cell.y, 40 + n);
        let bright = 0.35 + 0.65 * grain(cell.x, cell.y, 60 + n);
        let colour = mixed(town.ground[0], town.ground[1], bright);
        sketch.rounded(at, at + Vec2::new(wide, wide * 0.75), 0.03, opaque(colour));
    }
}

/// A track from left to right in each fourth row, from the third on.
fn track(sketch: &mut Sketch, cell: Cell, town: &Town) {
    if cell.y.rem_euclid(4) != 3 {
        return;
    }
    let low = corner(cell);
    let sleeper = mixed(town.ground[1], town.walls.line, 0.28);
    for n in 0..3_u8 {
        let left = low + Vec2::new(0.09 + f32::from(n) / 3.0, 0.1);
        sketch.rect(left, left + Vec2::new(0.15, 0.8), opaque(sleeper));
    }
    for y in [0.24, 0.7] {
        let left = low + Vec2::new(0.0, y);
        let right = left + Vec2::new(1.0, 0.06);
        sketch.rect(
            left + Vec2::new(0.0, 0.04),
            right + Vec2::new(0.0, 0.04),
            faded(town.walls.shadow, 0.4),
        );
        sketch.rect(left, right, opaque(mixed(town.walls.line, town.ground[0], 0.25)));
    }
}

/// Mown in stripes two cells wide, with a tuft here and there.
fn lawn(sketch: &mut Sketch, cell: Cell, town: &Town) {
    let low = corner(cell);
    if cell.x.div_euclid(2) % 2 == 0 {
        let stripe = mixed(town.ground[0], town.ground[1], 0.62);
        sketch.rect(low, low + 1.0, opaque(stripe));
    }
    for n in 0..3 {
        if grain(cell.x, cell.y, 20 + n) < 0.45 {
            continue;
        }
        let across = grain(cell.x, cell.y, 30 + n);
        let foot = low + Vec2::new(0.12 + 0.76 * across, 0.2 + 0.7 * grain(cell.x, cell.y, 40 + n));
        for lean in [-0.06, 0.0, 0.06] {
            let tip = foot + Vec2::new(lean, -0.11);
            sketch.cut_line(&[foot, tip], 0.025, opaque(town.ground[1]));
        }
    }
}
