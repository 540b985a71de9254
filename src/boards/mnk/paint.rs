//! What is drawn over the board: coordinates, the last stone, the winning row, threats, and the stone
//! under the pointer.

use super::{MnkUi, overlay, pieces, threats};
use crate::app::match_screen::{Canvas, Shown, middle};
use bevy::math::Vec2;
use bevy_egui::egui::{Align2, FontId, Stroke};
use outwit_core::grid::Cell;
use outwit_core::play::Seat;
use outwit_mnk::notation::cell_name;
use outwit_mnk::{Mnk, MnkAction, MnkEvent, MnkPhase, Stone};

/// Points per cell from which on coordinates and numbers are drawn.
const READABLE: f32 = 13.0;

/// Draws everything, the farthest first.
pub fn paint(canvas: &mut Canvas, shown: &Shown<Mnk>, ui: &mut MnkUi) {
    let (session, game, state) = (shown.session, shown.game(), shown.state());
    coordinates(canvas, game);
    if session.shows(overlay::MINDS)
        && let Some((insight, seat)) = minds(shown)
    {
        if let Some(heat) = insight.heats.first() {
            canvas.heat(heat);
        }
        canvas.insight(insight, canvas.palette.side(pieces::colour(state.held(seat))));
    }
    if session.shows(overlay::THREATS) {
        let key = (shown.revision, session.playback.view);
        for threat in ui.threats.get(key, || threats::threats(game, state)) {
            let colour = canvas.palette.side(pieces::colour(threat.stone));
            let radius = canvas.scale() * if threat.stone == Stone::X { 0.42 } else { 0.36 };
            let (width, alpha) = if threat.wins { (2.5, 1.0) } else { (1.0, 0.7) };
            let stroke = Stroke::new(width, colour.egui_alpha(alpha));
            canvas.painter.circle_stroke(canvas.at(threat.cell), radius, stroke);
        }
    }
    if let Some(last) = state.last {
        let stroke = Stroke::new(2.0, canvas.palette.text.egui());
        canvas.painter.circle_stroke(canvas.at(last), canvas.scale() * 0.44, stroke);
    }
    if session.shows(overlay::NUMBERS) {
        numbers(canvas, shown);
    }
    if let (Some(first), Some(last)) = (state.line.first(), state.line.last()) {
        let colour = canvas.palette.goal.egui();
        for &cell in &state.line {
            let radius = canvas.scale() * 0.45;
            canvas.painter.circle_stroke(canvas.at(cell), radius, Stroke::new(2.5, colour));
        }
        // Two rows at once have no common line.
        if state.line.len() as u32 == game.k() {
            canvas.line([middle(*first), middle(*last)], 3.0, colour);
        }
    }
    if let Some((MnkAction::Place(cell), _)) = shown.hint() {
        let stroke = Stroke::new(3.0, canvas.palette.warn.egui());
        canvas.painter.circle_stroke(canvas.at(*cell), canvas.scale() * 0.44, stroke);
    }
    if shown.person.is_some() && shown.animation().is_none() {
        person(canvas, shown, ui);
    }
}

/// The picture of the planner that thought last.
fn minds<'a>(shown: &Shown<'a, Mnk>) -> Option<(&'a outwit_core::play::Insight, Seat)> {
    let last = shown.state().to_move.other();
    let seats = [shown.state().holder(last), shown.state().holder(last.other())];
    seats.into_iter().find_map(|seat| Some((shown.insight(seat)?, seat)))
}

/// Letters below and numbers beside the board, as in the text of moves.
fn coordinates(canvas: &Canvas, game: &Mnk) {
    let scale = canvas.scale();
    if scale < READABLE {
        return;
    }
    let colour = canvas.palette.faint.egui();
    let font = FontId::proportional((scale * 0.36).clamp(8.0, 14.0));
    let (width, height) = (game.width() as i32, game.height() as i32);
    // They stay in view when the board does not.
    let area = canvas.view.area;
    for x in 0..width {
        let name = cell_name(Cell::new(x, height - 1), height as usize);
        let column = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        let mut place = canvas.point(Vec2::new(x as f32 + 0.5, height as f32 + 0.1));
        place.y = place.y.min(area.bottom() - font.size - 2.0);
        canvas.painter.text(place, Align2::CENTER_TOP, column, font.clone(), colour);
    }
    for y in 0..height {
        let mut place = canvas.point(Vec2::new(-0.15, y as f32 + 0.5));
        place.x = place.x.max(area.left() + 2.0 * font.size);
        let row = (height - y).to_string();
        canvas.painter.text(place, Align2::RIGHT_CENTER, row, font.clone(), colour);
    }
}

/// The number of each stone in the order in which they were placed.
fn numbers(canvas: &Canvas, shown: &Shown<Mnk>) {
    if canvas.scale() < READABLE {
        return;
    }
    let turns = shown.played.turns().iter().take(shown.session.playback.view);
    let placed = turns.flat_map(|turn| &turn.events).filter_map(|event| match event {
        MnkEvent::Placed { cell, .. } => Some(*cell),
        _ => None,
    });
    let font = FontId::proportional((canvas.scale() * 0.32).clamp(8.0, 15.0));
    let (text, ground) = (canvas.palette.text.egui(), canvas.palette.board.egui_alpha(0.7));
    for (number, cell) in (1..).zip(placed).filter(|(_, cell)| canvas.is_visible(*cell)) {
        canvas.label(middle(cell), &format!("{number}"), font.size, text, ground);
    }
}

/// The stone that a click would place, and the cursor of the keys.
fn person(canvas: &mut Canvas, shown: &Shown<Mnk>, ui: &MnkUi) {
    let (game, state) = (shown.game(), shown.state());
    let can_place = |cell: Cell| game.check(state, MnkAction::Place(cell)).is_ok();
    if let Some(cell) = canvas.hovered().filter(|&cell| game.index_of(cell).is_some()) {
        let name = cell_name(cell, game.height());
        if can_place(cell) {
            canvas.clickable = true;
            ghost(canvas, cell, state.to_move);
            canvas.tooltip = Some(format!("Click to place {} at {name}.", state.to_move.to_char()));
        } else if state.phase != MnkPhase::FirstChooses {
            canvas.tooltip = Some(format!("{name} is taken."));
        }
    }
    if let Some(cell) = ui.cursor {
        if can_place(cell) {
            ghost(canvas, cell, state.to_move);
        }
        let (x, y) = (cell.x as f32, cell.y as f32);
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)];
        let frame = corners.map(|(right, down)| Vec2::new(x + right, y + down));
        canvas.line(frame, 2.0, canvas.palette.accent.egui());
    }
}

/// A stone that is not placed yet.
fn ghost(canvas: &Canvas, cell: Cell, stone: Stone) {
    let colour = canvas.palette.side(pieces::colour(stone)).egui_alpha(0.45);
    if let Some(piece) = canvas.pieces.get(pieces::shape(stone)) {
        let size = canvas.scale() * 0.74;
        piece.body_shape.paint(&canvas.painter, canvas.at(cell), size, 0.0, colour);
    }
}
