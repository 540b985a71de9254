//! The help: how to play, and all keys.

use crate::app::shell::Screen;
use crate::app::shell::keys::{KeyInfo, KeyList};
use crate::app::shell::navigation::GoBack;
use crate::app::shell::theme::{Palette, palette, space};
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::{Align2, FontId, Pos2, Stroke, vec2};

/// The content of the help, on a page or in a window.
pub fn contents(ui: &mut egui::Ui, keys: &KeyList) {
    widgets::section(ui, "Racetrack");
    ui.add_space(space::SMALL);
    how_to_race(ui);
    ui.add_space(space::LARGE);
    let groups = keys.groups();
    if ui.available_width() < 640.0 {
        groups.iter().for_each(|(name, keys)| group(ui, name, keys));
        return;
    }
    ui.columns(2, |columns| {
        // Each group goes to the shorter column.
        let mut rows = [0, 0];
        for (name, keys) in &groups {
            let column = usize::from(rows[1] < rows[0]);
            rows[column] += keys.len() + 2;
            group(&mut columns[column], name, keys);
        }
    });
}

/// Shows a group of keys.
fn group(ui: &mut egui::Ui, name: &str, keys: &[&KeyInfo]) {
    const CAPS: f32 = 132.0;
    widgets::section(ui, name);
    ui.spacing_mut().item_spacing.y = space::SMALL;
    ui.spacing_mut().interact_size.y = 24.0;
    for key in keys {
        ui.horizontal(|ui| {
            ui.allocate_ui_with_layout(
                vec2(CAPS, 22.0),
                egui::Layout::left_to_right(egui::Align::Center),
                |ui| {
                    ui.set_min_width(CAPS);
                    ui.spacing_mut().item_spacing.x = space::SMALL;
                    for cap in key.keys.split(' ') {
                        widgets::key_cap(ui, cap);
                    }
                },
            );
            ui.add(egui::Label::new(key.what).wrap());
        });
    }
    ui.add_space(space::LARGE);
}

fn how_to_race(ui: &mut egui::Ui) {
    const DRAWING: egui::Vec2 = vec2(248.0, 200.0);
    const WORDS: &[&str] = &[
        "A car keeps its speed. Each turn you can speed up or slow down by 1 in each direction: choose \
         one of the cells around the point where the car would coast. The rules of the level say \
         whether coasting itself is allowed.",
        "So braking takes time. Stopping from speed 4 takes four turns and six cells (3+2+1+0). \
         Start to brake long before the bend.",
        "Cross the checkpoints in order, then the finish. The car that needs the fewest turns wins. If \
         cars finish in the same turn, the one that crosses the line first wins.",
        "Leaving the track ends your race or costs you turns, depending on the rules of the level.",
    ];
    let narrow = ui.available_width() < DRAWING.x + 280.0;
    let words = |ui: &mut egui::Ui| {
        for words in WORDS {
            ui.label(*words);
        }
    };
    if narrow {
        words(ui);
    }
    ui.horizontal_top(|ui| {
        let (response, painter) = ui.allocate_painter(DRAWING, egui::Sense::hover());
        draw_move(&painter, response.rect, palette(ui));
        ui.add_space(space::LARGE);
        if !narrow {
            ui.vertical(words);
        }
    });
}

/// Draws a car that moved three cells to the right and one up, and its nine possible next cells.
fn draw_move(painter: &egui::Painter, rect: egui::Rect, palette: &Palette) {
    const COLUMNS: i32 = 9;
    const ROWS: i32 = 6;
    let cell = (rect.width() / COLUMNS as f32).min((rect.height() - 24.0) / ROWS as f32);
    let at = |x: i32, y: i32| -> Pos2 {
        rect.min + vec2((x as f32 + 0.5) * cell, (y as f32 + 0.5) * cell)
    };
    let board =
        egui::Rect::from_min_size(rect.min, vec2(cell * COLUMNS as f32, cell * ROWS as f32));
    painter.rect_filled(board, widgets::CORNER, palette.ground.egui());
    let line = Stroke::new(1.0, palette.ground.mixed(palette.edge, 0.4));
    for x in 1..COLUMNS {
        painter.vline(board.left() + x as f32 * cell, board.y_range(), line);
    }
    for y in 1..ROWS {
        painter.hline(board.x_range(), board.top() + y as f32 * cell, line);
    }
    let (before, now, next) = (at(0, 4), at(3, 3), at(6, 2));
    let side = palette.sides[0].egui();
    painter.extend(egui::Shape::dashed_line(&[before, now], Stroke::new(2.0, side), 6.0, 4.0));
    for x in 5..=7 {
        for y in 1..=3 {
            let own = (x, y) == (6, 2);
            painter.circle(
                at(x, y),
                if own { 7.0 } else { 5.0 },
                palette.ground.mixed(palette.accent, if own { 0.9 } else { 0.3 }),
                Stroke::new(1.0, palette.accent.egui()),
            );
        }
    }
    arrow(painter, now, next - (next - now).normalized() * 9.0, palette.text.egui());
    painter.circle_filled(before, 4.0, side);
    painter.circle_filled(now, 8.0, side);
    painter.text(
        board.left_bottom() + vec2(0.0, 6.0),
        Align2::LEFT_TOP,
        "The last move, and the possible next cells",
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

fn screen(mut contexts: EguiContexts, keys: Res<KeyList>, mut back: MessageWriter<GoBack>) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let pressed = widgets::page(ctx, |ui| {
        let pressed = widgets::title_bar(ui, "Help", |_| {});
        widgets::column(ui, 860.0, |ui| {
            widgets::card(ui, |ui| {
                ui.set_width(ui.available_width());
                contents(ui, &keys);
            });
        });
        pressed
    });
    if pressed {
        back.write(GoBack);
    }
}

/// Adds the help screen.
pub fn plugin(app: &mut App) {
    app.add_systems(
        EguiPrimaryContextPass,
        screen.run_if(in_state(Screen::Help)).in_set(crate::app::shell::Pass::Screen),
    );
}
