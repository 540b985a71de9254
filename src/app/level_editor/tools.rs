//! The panel on the left: tools, brush, symmetry and tiles.

use super::actions::{Action, info};
use super::canvas::{draw_number, draw_tile};
use super::screen::EditorScreen;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview::MapPainters;
use crate::app::shell::theme::{for_fingers, palette, space};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Button, FontId, Rect, RichText, Ui, vec2};
use egui_phosphor::regular as icon;
use outwit_headless::editor::{Brush, Symmetry, TOOLS};

/// Draws the panel and makes the changes that are chosen in it; with `drawn_with`, tiles
/// look as they do on the board.
pub fn show(ui: &mut Ui, screen: &mut EditorScreen, drawn_with: Option<(&Pieces, &MapPainters)>) {
    let Some(work) = &mut screen.work else { return };
    if let Some((pieces, painters)) = drawn_with {
        let board = painters.0.get(work.model.kind().id());
        work.swatches.refresh(&work.model, board, pieces, palette(ui).dark);
    }
    let model = &mut work.model;
    let swatches = &work.swatches;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(space::SMALL, space::SMALL);
        let width = ui.available_width();
        ui.set_max_width(width);
        let (columns, side, low) = if for_fingers(ui) > 0.0 {
            let side = ui.spacing().interact_size.y;
            (((width + space::SMALL) / (side + space::SMALL)).clamp(1.0, 5.0) as usize, side, side)
        } else {
            let side = ((width - 4.0 * space::SMALL) / 5.0).floor().clamp(24.0, 36.0);
            // The second row has four buttons and a number.
            let low = ((width - 34.0 - 4.0 * space::SMALL) / 4.0).floor().clamp(20.0, 28.0);
            (5, side, low)
        };
        for row in TOOLS.chunks(columns) {
            ui.horizontal(|ui| {
                for tool in row {
                    let chosen = model.tool == tool.tool;
                    let entry = info(Action::Tool(tool.tool));
                    if icon_button(ui, entry.icon, tool.name, chosen, side)
                        .on_hover_ui(|ui| {
                            entry.hint(ui, tool.name);
                            widgets::hint(ui, tool.help);
                        })
                        .clicked()
                    {
                        model.release();
                        model.tool = tool.tool;
                    }
                }
            });
        }
        ui.add_space(space::MEDIUM);
        ui.horizontal_wrapped(|ui| {
            let wide = model.brush.size;
            let step = |ui: &mut Ui, action: Action, enabled: bool| {
                ui.add_enabled_ui(enabled, |ui| {
                    let info = info(action);
                    let button = icon_button(ui, info.icon, info.label, false, low);
                    info.explain(button, info.tip).clicked()
                })
                .inner
            };
            if step(ui, Action::Narrower, wide > 1) {
                model.brush.size -= 1;
            }
            let drag =
                egui::DragValue::new(&mut model.brush.size).range(1..=Brush::MOST).speed(0.1);
            ui.add_sized(vec2(34.0, low), drag).on_hover_text("Width of the brush, in cells");
            if step(ui, Action::Wider, wide < Brush::MOST) {
                model.brush.size += 1;
            }
            let shape = if model.brush.round { icon::CIRCLE } else { icon::SQUARE };
            let round = info(Action::Round);
            let button = icon_button(ui, shape, "Brush shape", false, low);
            if round.explain(button, round.tip).clicked() {
                model.brush.round = !model.brush.round;
            }
            let (shape, word) = if model.filled {
                (icon::SQUARE_HALF, "Rectangles are filled")
            } else {
                (icon::RECTANGLE_DASHED, "Rectangles are outlines")
            };
            let button = icon_button(ui, shape, "Rectangle filled", false, low);
            if info(Action::Filled).explain(button, word).clicked() {
                model.filled = !model.filled;
            }
        });
        let name = Symmetry::ALL.iter().find(|(one, _)| *one == model.symmetry).map_or("", |s| s.1);
        let mirror = egui::ComboBox::from_id_salt("mirror")
            .selected_text(format!("{}  {name}", icon::FLIP_HORIZONTAL))
            .width(width)
            .truncate()
            .show_ui(ui, |ui| {
                for (symmetry, name) in Symmetry::ALL {
                    ui.selectable_value(&mut model.symmetry, symmetry, name);
                }
            })
            .response;
        info(Action::Symmetry).explain(mirror, "Mirror what you draw");
        ui.add_space(space::MEDIUM);
        for &(tile, key) in &work.tiles {
            let size = vec2(width, 30.0);
            let chosen = model.active_tile == tile.symbol;
            let response = widgets::pressable(ui, size, chosen, tile.name, |ui, rect| {
                let own = palette(ui);
                let square =
                    Rect::from_center_size(rect.left_center() + vec2(18.0, 0.0), vec2(20.0, 20.0));
                let line = egui::Stroke::new(1.0, own.edge.egui());
                let font = FontId::proportional(12.0);
                if !swatches.paint(ui.painter(), square, tile.symbol) {
                    let pieces = drawn_with.map(|(pieces, _)| pieces);
                    draw_tile(ui.painter(), square, tile, pieces, own, &font);
                } else if let Some(number) = tile.label.filter(|_| tile.in_series) {
                    draw_number(ui.painter(), square, number, own, &font);
                }
                ui.painter().rect_stroke(square, 0.0, line, egui::StrokeKind::Outside);
                let font = egui::TextStyle::Body.resolve(ui.style());
                let ink = ui.visuals().text_color();
                let mut words = LayoutJob::simple_singleline(tile.name.into(), font, ink);
                // Cut off before the key.
                let room = rect.width() - 38.0 - if key.is_some() { 22.0 } else { 4.0 };
                words.wrap = TextWrapping::truncate_at_width(room.max(0.0));
                let words = ui.painter().layout_job(words);
                let at = rect.left_center() + vec2(38.0, -words.size().y / 2.0);
                ui.painter().galley(at, words, ink);
                if let Some(key) = key {
                    let at = rect.right_center() - vec2(8.0, 0.0);
                    let font = egui::TextStyle::Small.resolve(ui.style());
                    let faint = own.faint.egui();
                    ui.painter().text(at, egui::Align2::RIGHT_CENTER, key, font, faint);
                }
            });
            let kind = egui::WidgetType::SelectableLabel;
            response.widget_info(|| egui::WidgetInfo::selected(kind, true, chosen, tile.name));
            if response.on_hover_text(tile.help).clicked() {
                model.select_tile(tile.symbol);
            }
        }
    });
}

/// A square button with an icon.
pub fn icon_button(ui: &mut Ui, icon: &str, name: &str, chosen: bool, side: f32) -> egui::Response {
    let least = if for_fingers(ui) > 0.0 { ui.spacing().interact_size.y } else { 0.0 };
    let side = side.max(least);
    let ink = if chosen { palette(ui).on_accent } else { palette(ui).text };
    let mut button = Button::new(RichText::new(icon).size(18.0).color(ink.egui()));
    if chosen {
        button = button.fill(palette(ui).accent.egui());
    }
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().button_padding = vec2(0.0, 0.0);
            ui.spacing_mut().interact_size = vec2(side, side);
            ui.add_sized(vec2(side, side), button)
        })
        .inner;
    response.widget_info(|| {
        egui::WidgetInfo::selected(egui::WidgetType::Button, ui.is_enabled(), chosen, name)
    });
    response
}
