//! How to race, for the help.

use super::colours::{CASING, Circuit, SIGNS};
use super::keys;
use crate::app::shell::game_guide::HowToPlay;
use crate::app::shell::theme::Palette;
use crate::app::shell::widgets;
use bevy_egui::egui::{self, Align2, FontId, Pos2, Stroke, vec2};

/// Rules, a picture of a move, and keys.
pub const HOW_TO_PLAY: HowToPlay = HowToPlay {
    text: &[
        "A car keeps its speed. Each turn you can speed up or slow down by 1 in each direction: \
         choose one of the cells around the point where the car would coast. Whether coasting \
         itself is allowed is a rule of the level.",
        "So braking takes time: stopping from speed 4 takes four turns and six cells. Brake long \
         before the bend.",
        "Cross the checkpoints in order, then the finish. Whoever needs the fewest turns wins. If \
         cars cross in the same turn, the one that was first over the line wins.",
        "Leaving the track ends the race or costs turns, as the rules of the level say.",
    ],
    picture: Some(draw_a_move),
    keys: keys::rows,
};

/// A car that came three cells to the right and one up, and the nine cells it may go to.
fn draw_a_move(painter: &egui::Painter, rect: egui::Rect, palette: &Palette) {
    const COLUMNS: i32 = 9;
    const ROWS: i32 = 6;
    let cell = (rect.width() / COLUMNS as f32).min((rect.height() - 24.0) / ROWS as f32);
    let at = |x: i32, y: i32| -> Pos2 {
        rect.min + vec2((x as f32 + 0.5) * cell, (y as f32 + 0.5) * cell)
    };
    let board =
        egui::Rect::from_min_size(rect.min, vec2(cell * COLUMNS as f32, cell * ROWS as f32));
    let colours = Circuit::of(palette.dark);
    painter.rect_filled(board, widgets::CORNER, colours.ground[0].egui());
    let line = Stroke::new(1.0, colours.grid.egui_alpha(0.8));
    for x in 1..COLUMNS {
        painter.vline(board.left() + x as f32 * cell, board.y_range(), line);
    }
    for y in 1..ROWS {
        painter.hline(board.x_range(), board.top() + y as f32 * cell, line);
    }
    let before = at(0, 4);
    let now = at(3, 3);
    let next = at(6, 2);
    let side = palette.sides[0].egui();
    painter.extend(egui::Shape::dashed_line(&[before, now], Stroke::new(2.0, side), 6.0, 4.0));
    for x in 5..=7 {
        for y in 1..=3 {
            let own = (x, y) == (6, 2);
            painter.circle(
                at(x, y),
                if own { 7.0 } else { 5.0 },
                if own { SIGNS.good.egui() } else { colours.ground[0].mixed(SIGNS.good, 0.3) },
                Stroke::new(1.0, if own { CASING.egui() } else { SIGNS.good.egui() }),
            );
        }
    }
    arrow(painter, now, next - (next - now).normalized() * 9.0, SIGNS.text.egui());
    painter.circle_filled(before, 4.0, side);
    painter.circle_filled(now, 8.0, side);
    painter.text(
        board.left_bottom() + vec2(0.0, 6.0),
        Align2::LEFT_TOP,
        "Where the car came from, and where it may go",
        FontId::proportional(11.0),
        palette.faint.egui(),
    );
}

fn arrow(painter: &egui::Painter, from: Pos2, to: Pos2, colour: egui::Color32) {
    let along = (to - from).normalized();
    let back = to - along * 9.0;
    painter.line_segment([from, back], Stroke::new(2.0, colour));
    let head = vec![to, back + along.rot90() * 4.5, back - along.rot90() * 4.5];
    painter.add(egui::Shape::convex_polygon(head, colour, Stroke::NONE));
}
