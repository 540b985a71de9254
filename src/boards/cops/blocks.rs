//! What stands on a rectangle of blocks where there are no old houses: flat roofs, stalls and goods wagons.

use super::colours::Town;
use super::houses::{House, INSET, shade};
use crate::app::drawing::{Detail, Sketch, faded, mixed, opaque};
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;

const WHITE: Rgb = Rgb(255, 255, 255);

/// A tall building with a parapet and what stands on roofs.
pub fn flat_roof(sketch: &mut Sketch, house: &House, town: &Town, detail: Detail) {
    const FACE: f32 = 0.34;
    let (low, high) = house.corners(INSET);
    shade(sketch, low, high, town);
    sketch.rect(low, high, opaque(town.walls.side[0]));
    let top = high.y - FACE;
    if detail == Detail::Near {
        let floors = ((high.x - low.x) / 0.4) as i32;
        for n in 0..floors {
            let x = low.x + (high.x - low.x) * (n as f32 + 0.5) / floors as f32;
            let lit = house.chance(30 + n as u32) < 0.35;
            let pane = if lit { town.window } else { town.walls.side[1] };
            sketch.rect(
                Vec2::new(x - 0.13, top + 0.09),
                Vec2::new(x + 0.13, top + 0.24),
                opaque(pane),
            );
        }
    }
    let high = Vec2::new(high.x, top);
    let tint = house.tint(town);
    let roof = mixed(town.walls.top[0], tint, 0.22);
    sketch.rect(low, high, opaque(town.walls.line));
    sketch.rect(low + 0.08, high - 0.08, opaque(town.walls.edge));
    sketch.rect(low + 0.11, high - 0.08, opaque(roof));
    if detail == Detail::Near {
        let extent = high - low;
        for n in 0..2 {
            let place = Vec2::new(house.chance(10 + n), house.chance(20 + n));
            let at = low + 0.3 + place * (extent - 1.0).max(Vec2::ZERO);
            sketch.rect(at + 0.06, at + Vec2::new(0.46, 0.38), faded(town.walls.shadow, 0.4));
            sketch.rect(at, at + Vec2::new(0.4, 0.3), opaque(mixed(roof, WHITE, 0.18)));
            sketch.frame(at, at + Vec2::new(0.4, 0.3), 0.0, 0.025, opaque(town.walls.edge));
        }
    }
}

/// A market stall under a striped awning.
pub fn stall(sketch: &mut Sketch, house: &House, town: &Town, detail: Detail) {
    const FACE: f32 = 0.26;
    const STRIPE: f32 = 0.22;
    let (low, high) = house.corners(INSET);
    shade(sketch, low, high, town);
    sketch.rect(low, high, opaque(town.walls.edge));
    let inside = Vec2::new(low.x + 0.05, high.y - FACE);
    sketch.rect(inside, high - 0.05, opaque(town.deck));
    let high = Vec2::new(high.x, high.y - FACE);
    let dyed = house.tint(town);
    let pale = mixed(town.ground[1], WHITE, 0.65);
    sketch.rect(low, high, opaque(town.walls.edge));
    let count = ((high.x - low.x) / STRIPE).round().max(2.0);
    let wide = (high.x - low.x - 0.06) / count;
    for n in 0..count as u32 {
        let left = low + Vec2::new(0.03 + n as f32 * wide, 0.03);
        let colour = if n % 2 == 0 { pale } else { dyed };
        sketch.rect(left, Vec2::new(left.x + wide, high.y - 0.03), opaque(colour));
        if detail == Detail::Near {
            // The awning hangs over in front.
            let hem = Vec2::new(left.x + wide / 2.0, high.y - 0.02);
            sketch.disc(hem, wide / 2.0, opaque(colour));
        }
    }
    let ridge = Vec2::new(high.x, low.y + (high.y - low.y) * 0.45);
    sketch.rect(low + 0.03, ridge - Vec2::new(0.03, 0.0), faded(WHITE, 0.12));
}

/// A goods wagon under a tarpaulin.
pub fn wagon(sketch: &mut Sketch, house: &House, town: &Town, detail: Detail) {
    let (low, high) = house.corners(INSET);
    shade(sketch, low, high, town);
    sketch.rect(low, high, opaque(town.walls.edge));
    sketch.rect(low + 0.05, high - 0.05, opaque(town.walls.side[0]));
    let dyed = house.tint(town);
    let (low, high) = (low + 0.05, high - Vec2::new(0.05, 0.28));
    sketch.rect(low, high, opaque(mixed(town.walls.top[0], dyed, 0.5)));
    sketch.frame(low, high, 0.0, 0.06, opaque(town.walls.line));
    if detail == Detail::Near {
        let extent = high - low;
        let is_long = extent.x >= extent.y;
        let length = if is_long { extent.x } else { extent.y };
        let ribs = (length / 0.5) as u32;
        for n in 1..=ribs {
            let along = length * n as f32 / (ribs + 1) as f32;
            let line = if is_long {
                [low + Vec2::new(along, 0.06), Vec2::new(low.x + along, high.y - 0.06)]
            } else {
                [low + Vec2::new(0.06, along), Vec2::new(high.x - 0.06, low.y + along)]
            };
            sketch.cut_line(&line, 0.035, faded(town.walls.edge, 0.5));
        }
    }
}
