//! A laurel wreath, for a medal or a flag in its middle.

use super::theme::Rgb;
use bevy_egui::egui::{Painter, Pos2, Shape, Stroke, vec2};
use std::f32::consts::PI;

/// Leaves of each branch.
const LEAVES: usize = 7;
/// Where the branches begin, below, and how far up they reach, in half turns.
const ARC: (f32, f32) = (0.06, 0.86);

/// Paints two branches round a point, as large as `radius`.
pub fn paint(painter: &Painter, centre: Pos2, radius: f32, ink: Rgb, strength: f32) {
    let colour = ink.egui_alpha(strength);
    for side in [-1.0, 1.0] {
        // An angle of 0 is straight down.
        let on_branch = |share: f32, radius: f32| {
            let angle = PI * (ARC.0 + (ARC.1 - ARC.0) * share);
            centre + radius * vec2(side * angle.sin(), angle.cos())
        };
        let stem: Vec<Pos2> = (0..=12).map(|at| on_branch(at as f32 / 12.0, radius)).collect();
        painter.add(Shape::line(stem, Stroke::new(radius * 0.06, colour)));
        for leaf in 0..LEAVES {
            let share = leaf as f32 / LEAVES as f32;
            let root = on_branch(share, radius);
            let along = (on_branch(share + 0.01, radius) - root).normalized();
            let out = (root - centre).normalized();
            // In pairs: one leaf outwards and one inwards.
            for (lean, long) in [(out, 0.42), (-out, 0.34)] {
                let way = (0.8 * along + 0.6 * lean).normalized() * radius * long;
                let wide = way.rot90() * 0.24;
                let middle = root + way * 0.5;
                let points = vec![root, middle + wide, root + way, middle - wide];
                painter.add(Shape::convex_polygon(points, colour, Stroke::NONE));
            }
        }
    }
}
