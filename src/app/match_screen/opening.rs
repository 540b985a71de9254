//! Before a match that nobody plays: who meets whom, and on which level.

use super::canvas::Canvas;
use super::session::Session;
use crate::app::shell::fonts;
use bevy_egui::egui::{self, FontFamily, FontId, pos2, vec2};

/// Seconds in which the card fades away.
const FADE: f32 = 0.4;
/// Width of a seat's piece and free room, in points.
const PIECE: f32 = 40.0;
const INSET: f32 = 18.0;
/// Seats that are named; a race has more only rarely.
const MOST_SEATS: usize = 6;

/// Paints the card while the opening is shown.
pub fn paint(canvas: &Canvas, session: &Session) {
    let left = session.playback.opening;
    if left <= 0.0 || session.playback.view > 0 {
        return;
    }
    let shown = (left / FADE).min(1.0);
    let palette = &canvas.palette;
    let strong = FontId::new(22.0, FontFamily::Name(fonts::SEMI_BOLD.into()));
    let rows: Vec<_> = session
        .seats()
        .take(MOST_SEATS)
        .map(|seat| {
            let name = session.name(seat);
            (seat, canvas.painter.layout_no_wrap(name, strong.clone(), palette.text.egui()))
        })
        .collect();
    let level = canvas.painter.layout_no_wrap(
        format!("{}, {}", session.game_name, session.level_name),
        FontId::proportional(14.0),
        palette.faint.egui(),
    );
    let widest = rows.iter().map(|(_, words)| PIECE + 12.0 + words.size().x);
    let width = widest.fold(level.size().x, f32::max) + 2.0 * INSET;
    let height = rows.len() as f32 * (PIECE + 4.0) + level.size().y + 2.5 * INSET;
    let area = canvas.view.area;
    let rect = egui::Rect::from_center_size(area.center(), vec2(width, height).min(area.size()));
    let painter = canvas.card(rect, shown);
    let mut y = rect.top() + INSET;
    for (seat, words) in rows {
        let centre = pos2(rect.left() + INSET + PIECE / 2.0, y + PIECE / 2.0);
        let shape = session.info.shape(seat);
        if let Some(piece) = shape.and_then(|shape| canvas.pieces.get(shape)) {
            piece.paint(&painter, centre, PIECE, palette.side(seat), 1.0);
        }
        let at = pos2(centre.x + PIECE / 2.0 + 12.0, centre.y - words.size().y / 2.0);
        painter.galley(at, words, palette.text.egui());
        y += PIECE + 4.0;
    }
    let at = pos2(rect.left() + INSET, y + INSET * 0.5);
    painter.galley(at, level, palette.faint.egui());
    painter.ctx().request_repaint();
}
