//! The event of a recorded search on the board.

use super::quiz;
use super::state::SearchEvents;
use crate::app::match_screen::canvas::{Canvas, middle};
use crate::app::shell::theme::{INK, Rgb};
use bevy_egui::egui::{self, Rect, Stroke, pos2, vec2};
use outwit_core::grid::Cell;
use outwit_core::play::Seat;

/// Draws the state of the shown event and the way to it, the cells where states were expanded so far and those where
/// states wait; beside another search, what each has expanded. Returns whether there is an event.
pub fn paint(canvas: &Canvas, events: &SearchEvents, seat: Seat) -> bool {
    let Some(event) = events.event(0) else { return false };
    let colours = super::colours(&canvas.palette, seat);
    let [side, other] = colours;
    // Lines are dark in the light theme, and would hardly tint a dark road.
    let tints = [seat, Seat(seat.0.wrapping_add(1))].map(|seat| canvas.palette.side(seat));
    if let Some(view) = events.view() {
        let is_alone = events.other.is_none();
        for &(cell, by) in &view.expanded {
            match is_alone {
                true => expanded(canvas, cell, tints[0]),
                false => halves(canvas, cell, by, tints),
            }
        }
        if is_alone && !events.is_asking() {
            for &cell in &view.waiting {
                canvas.ring(cell, canvas.scale() * 0.14, 2.0, side.egui());
            }
        }
        let listed = events.side();
        let recorded = events.recording(listed).map_or(&[][..], |recording| &recording.events);
        let cells = view.way.iter().filter_map(|&at| Some(recorded.get(at)?.state.cell));
        canvas.line(cells.map(middle), 2.0, colours[listed].egui_alpha(0.7));
    }
    let size = canvas.scale();
    let stroke = Stroke::new(2.0, canvas.palette.accent.egui());
    for &cell in &event.state.others {
        let rect = Rect::from_center_size(canvas.at(cell), vec2(size, size) * 0.8);
        let fill = canvas.palette.accent.egui_alpha(0.25);
        canvas.painter.rect(rect, 3.0, fill, stroke, egui::StrokeKind::Inside);
    }
    if let Some((from, to)) = event.state.moved {
        canvas.arrow(middle(from), middle(to), 3.0, canvas.palette.warn.egui());
    }
    let radius = (size * 0.22).max(4.0);
    let rim = Stroke::new(2.0, INK.egui());
    canvas.painter.circle(canvas.at(event.state.cell), radius, tints[0].egui(), rim);
    if let Some(event) = events.event(1) {
        for &cell in &event.state.others {
            let rect = Rect::from_center_size(canvas.at(cell), vec2(size, size) * 0.6);
            let stroke = Stroke::new(2.0, other.egui());
            canvas.painter.rect_stroke(rect, 3.0, stroke, egui::StrokeKind::Inside);
        }
        canvas.ring(event.state.cell, radius + 4.0, 2.0, other.egui());
    }
    quiz::paint(canvas, events);
    if let Some(cell) = events.breakpoints.cell {
        canvas.ring(cell, size * 0.45, 2.0, canvas.palette.bad.egui());
    }
    true
}

/// A cell where a state was expanded.
fn expanded(canvas: &Canvas, cell: Cell, colour: Rgb) {
    let size = egui::Vec2::splat(canvas.scale());
    let rect = Rect::from_center_size(canvas.at(cell), size).shrink(1.0);
    canvas.painter.rect_filled(rect, 0.0, colour.egui_alpha(0.3));
}

/// The left half of a cell in the colour of the first search and the right half in that of the other, where
/// they have expanded a state.
fn halves(canvas: &Canvas, cell: Cell, by: [bool; 2], colours: [Rgb; 2]) {
    let half = canvas.scale() / 2.0;
    let middle = canvas.at(cell);
    for ((by, colour), left) in by.into_iter().zip(colours).zip([middle.x - half, middle.x]) {
        if by {
            let corner = pos2(left, middle.y - half);
            let rect = Rect::from_min_size(corner, vec2(half, half * 2.0)).shrink(1.0);
            canvas.painter.rect_filled(rect, 0.0, colour.egui_alpha(0.5));
        }
    }
}
