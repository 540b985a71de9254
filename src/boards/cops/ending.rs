//! How a pursuit ends: a spotlight on where it happened.

use super::pieces::STEPS_END;
use crate::app::match_screen::{Canvas, Shown, ease};
use bevy_egui::egui::{self, Stroke};
use outwit_cops::rules::{COPS, Cops, CopsEvent, PursuitStatus};
use outwit_core::grid::Cell;

/// Seconds that the scene takes to appear.
const SECONDS: f32 = 0.45;
/// Slices of the spotlight's round.
const SLICES: u32 = 72;

/// Two rings in the colour of the cops that grow round a caught thief.
fn rings(canvas: &Canvas, at: Cell, share: f32) {
    let centre = canvas.at(at);
    let scale = canvas.scale().max(12.0);
    let colour = canvas.palette.line(COPS);
    for (begin, reach) in [(0.0, 1.2), (0.25, 0.85)] {
        let part = ((share - begin) / (1.0 - begin)).clamp(0.0, 1.0);
        if part == 0.0 {
            continue;
        }
        // Fast at first, as after a blow.
        let radius = scale * reach * (1.0 - (1.0 - part).powi(2));
        for (width, colour) in [(6.0, canvas.palette.casing), (3.0, colour)] {
            canvas.painter.circle_stroke(centre, radius, Stroke::new(width, colour.egui()));
        }
    }
}

/// Paints a capture while its turn moves: when the cop has arrived.
pub fn paint_capture(canvas: &Canvas, shown: &Shown<Cops>) {
    let (Some(animation), Some(turn)) = (shown.animation(), shown.turn()) else { return };
    // Without motion the rings are there at the end.
    for event in turn.events.iter().filter(|_| canvas.moves()) {
        if let CopsEvent::Captured { at, .. } = event {
            rings(canvas, *at, (animation.time - STEPS_END) / (1.0 - STEPS_END));
        }
    }
}

/// Paints the ending once the last turn is shown.
pub fn paint(canvas: &Canvas, shown: &Shown<Cops>) {
    let ctx = canvas.painter.ctx().clone();
    let over = shown.is_at_end();
    let id = egui::Id::new("ending of the pursuit");
    let seconds = if over && canvas.moves() { SECONDS } else { 0.0 };
    let grown = ctx.animate_bool_with_time(id, over, seconds);
    if !over {
        return;
    }
    let eased = ease(grown);
    let position = &shown.state().position;
    spotlight(canvas, position.thief, eased, shown.state().standing);
    if matches!(shown.state().standing, PursuitStatus::Caught(_)) {
        rings(canvas, position.thief, 1.0);
    }
}

/// Dims all but the place where it happened.
fn spotlight(canvas: &Canvas, at: Cell, eased: f32, standing: PursuitStatus) {
    let centre = canvas.at(at);
    let scale = canvas.scale().max(12.0);
    // At the border of the board, the ring stays in view as a whole.
    let area = canvas.view.area;
    let (low, high) = (centre - area.min, area.max - centre);
    let room = low.min(high).min_elem() - 2.0;
    let last = (1.3 * scale).min(room.max(0.7 * scale));
    let radius = last + 3.0 * scale * (1.0 - eased);
    let dim = canvas.palette.board.egui_alpha(if canvas.palette.dark { 0.45 } else { 0.3 } * eased);
    let far = area.size().length() * 1.2;
    let mut shade = egui::Mesh::default();
    for slice in 0..=SLICES {
        let angle = slice as f32 / SLICES as f32 * std::f32::consts::TAU;
        let out = egui::Vec2::angled(angle);
        shade.colored_vertex(centre + out * radius, dim);
        shade.colored_vertex(centre + out * far, dim);
    }
    for slice in 0..SLICES {
        let i = 2 * slice;
        shade.add_triangle(i, i + 1, i + 2);
        shade.add_triangle(i + 1, i + 2, i + 3);
    }
    canvas.painter.add(shade);
    // A capture has rings of its own.
    if !matches!(standing, PursuitStatus::Caught(_)) {
        let good = canvas.palette.good.egui_alpha(eased);
        canvas.painter.circle_stroke(centre, radius, Stroke::new(3.0, good));
    }
}
