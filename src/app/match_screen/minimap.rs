//! The whole board, small, where only a part of it is seen.

use super::canvas::Canvas;
use super::session::Session;
use super::state::MiniMap;
use crate::app::drawing::{Detail, picture};
use crate::app::shell::theme::{DARK, LIGHT};
use crate::app::shell::widgets;
use bevy::math::Vec2;
use bevy_egui::egui::{self, Color32, Rect, Stroke, StrokeKind, TextureHandle};
use outwit_core::platform::task::Task;

/// Longer side of the map, in points, and at most as a share of the board's area.
const SIDE: f32 = 150.0;
const SHARE: f32 = 0.3;
/// Distance from the corner of the board's area, in points.
const MARGIN: f32 = 10.0;

/// Draws the map with the pieces of seats and what is seen of the board; returns where it is. Nothing is drawn
/// while the whole board is seen.
pub fn paint(canvas: &Canvas, session: &mut Session) -> Option<Rect> {
    let (columns, rows) = session.info.extent;
    let board = Vec2::new(columns as f32, rows as f32);
    if canvas.view.shows(Vec2::ZERO, board) || board.min_element() < 1.0 {
        return None;
    }
    let area = canvas.view.area;
    let cell = SIDE.min(SHARE * area.size().min_elem()) / board.max_element();
    let size = egui::vec2(board.x, board.y) * cell;
    let corner = egui::pos2(area.right() - size.x - MARGIN, area.top() + MARGIN);
    let rect = Rect::from_min_size(corner, size);
    let painter = &canvas.painter;
    let palette = &canvas.palette;
    let line = Stroke::new(1.0, palette.line.egui());
    painter.rect_filled(rect.expand(3.0), widgets::CORNER, palette.panel.egui_alpha(0.92));
    if let Some(texture) = texture(canvas, session, cell) {
        let all = Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(1.0, 1.0));
        painter.image(texture.id(), rect, all, Color32::WHITE);
    }
    painter.rect_stroke(rect.expand(3.0), widgets::CORNER, line, StrokeKind::Inside);
    let at = |place: Vec2| rect.min + egui::vec2(place.x, place.y) * cell;
    for piece in session.live.pieces(session.playback.view) {
        let Some(seat) = piece.seat else { continue };
        let rim = Stroke::new(1.0, palette.casing.egui());
        painter.circle(at(piece.pose.place), 3.0, palette.side(seat).egui(), rim);
    }
    let seen = Rect::from_two_pos(
        at(canvas.view.to_board(area.min).max(Vec2::ZERO)),
        at(canvas.view.to_board(area.max).min(board)),
    );
    painter.rect_stroke(seen, 0.0, Stroke::new(3.0, palette.casing.egui()), StrokeKind::Middle);
    painter.rect_stroke(seen, 0.0, Stroke::new(1.5, palette.text.egui()), StrokeKind::Middle);
    Some(rect)
}

/// The picture of the board, drawn in the background.
fn texture(canvas: &Canvas, session: &mut Session, cell: f32) -> Option<TextureHandle> {
    let ctx = canvas.painter.ctx();
    let dark = canvas.palette.dark;
    if session.minimap.as_ref().is_none_or(|map| map.dark != dark) {
        let terrain = session.live.terrain(dark, Detail::Far);
        let (columns, rows) = session.info.extent;
        let size = Vec2::new(columns as f32, rows as f32);
        let pixels = cell * ctx.pixels_per_point();
        let ground = if dark { DARK.board } else { LIGHT.board };
        let draw = Task::begin(move |_| {
            let sketches = [&terrain.ground, &terrain.standing];
            picture(&sketches, ground, Vec2::ZERO, size, pixels)
        });
        session.minimap = Some(MiniMap::new(dark, draw));
    }
    session.minimap.as_mut()?.texture(ctx)
}

/// The place of the board that a point of the map stands for.
pub fn place(map: Rect, point: egui::Pos2, extent: (usize, usize)) -> Vec2 {
    let share = (point - map.min) / map.size();
    Vec2::new(share.x * extent.0 as f32, share.y * extent.1 as f32)
}
