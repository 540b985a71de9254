//! The row of a replay: last position, players, result and actions.

use super::actions::{ReplayAction, entry_of};
use super::list::ReplayItem;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::preview::{Pictures, Thumbnail};
use crate::app::shell::theme::{for_fingers, palette, palette_of, space, text};
use crate::app::shell::when::{ago, date};
use crate::app::shell::widgets::{self, counted};
use bevy_egui::egui;
use egui::{Align, Align2, FontId, Layout, Rect, Response, RichText, TextStyle, pos2, vec2};
use egui_phosphor::regular as icon;

/// Height of a row and width of the picture in it, in points.
const HEIGHT: f32 = 112.0;
const PICTURE: f32 = 148.0;
/// Width of the actions, in points.
const ACTIONS: f32 = 316.0;
/// Size of the piece beside a player's name, in points.
const PIECE: f32 = 18.0;

/// Shows the row of a replay. Returns the action of a button that was pressed.
pub fn show(
    ui: &mut egui::Ui,
    item: &ReplayItem,
    (chosen, is_stop): (bool, bool),
    pictures: &mut Pictures,
    pieces: Option<&Pieces>,
) -> (Response, Option<ReplayAction>) {
    let mut action = None;
    let height = HEIGHT + for_fingers(ui);
    let size = vec2(ui.available_width(), height);
    let response =
        widgets::list_entry(ui, "replays", size, (chosen, is_stop), &item.name(), |ui, rect| {
            let left = Rect::from_min_size(rect.min, vec2(PICTURE, height)).shrink(2.0);
            picture(ui, left, item, pictures);
            let right = rect.shrink2(vec2(12.0, 8.0));
            let middle = Rect::from_min_max(
                pos2(left.right() + 12.0, right.top()),
                pos2(right.right() - ACTIONS, right.bottom()),
            );
            widgets::inside(ui, middle, |ui| words(ui, item, pieces));
            let right =
                Rect::from_min_max(pos2(middle.right() + space::SMALL, right.top()), right.max);
            widgets::inside(ui, right, |ui| {
                ui.with_layout(Layout::right_to_left(Align::Min), |ui| when(ui, item));
                ui.with_layout(Layout::bottom_up(Align::Max), |ui| {
                    let row = Layout::right_to_left(Align::Center);
                    action = ui.with_layout(row, |ui| buttons(ui, item, is_stop)).inner;
                });
            });
        });
    let response = match &item.told {
        Some(Err(why)) => response.on_hover_ui(|ui| {
            ui.set_max_width(360.0);
            ui.label(RichText::new("This replay cannot be watched").text_style(text::strong()));
            ui.label(why);
            widgets::hint(ui, item.file().display().to_string());
        }),
        _ => response,
    };
    (response, action)
}

fn picture(ui: &egui::Ui, rect: Rect, item: &ReplayItem, pictures: &mut Pictures) {
    let palette = palette_of(ui.ctx(), item.entry.game());
    ui.painter().rect_filled(rect, widgets::CORNER, palette.board.egui());
    match &item.told {
        Some(Ok((_, info))) => {
            let level = Thumbnail::of(&item.picture, &item.entry, &info.looks);
            pictures.paint(ui.painter(), rect.shrink(4.0), &level, palette);
        }
        Some(Err(_)) => {
            let font = FontId::proportional(36.0);
            let ink = palette.bad.egui();
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, icon::WARNING, font, ink);
        }
        None => {}
    }
}

fn words(ui: &mut egui::Ui, item: &ReplayItem, pieces: Option<&Pieces>) {
    let palette = palette(ui);
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.spacing_mut().interact_size.y = 0.0;
    let line = |ui: &mut egui::Ui, words: RichText| ui.add(egui::Label::new(words).truncate());
    let small = |words: String| RichText::new(words).text_style(TextStyle::Small);
    line(ui, RichText::new(item.name()).text_style(text::strong()));
    match (&item.told, item.info()) {
        (_, Some((kind, info))) => {
            let mut about = vec![kind.name().to_owned()];
            if !item.is_recent() {
                about.push(info.level.clone());
            }
            about.push(counted(info.turns as u64, "move"));
            line(ui, small(about.join(", ")).color(palette.faint.egui()));
            line(ui, small(item.result()));
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(space::SMALL, 0.0);
                for (seat, _) in info.seats.iter().enumerate() {
                    let (rect, _) =
                        ui.allocate_exact_size(vec2(PIECE, PIECE), egui::Sense::hover());
                    let colour = palette.sides[seat % palette.sides.len()];
                    match pieces.and_then(|pieces| pieces.get(kind.seat(seat).piece)) {
                        Some(piece) => {
                            piece.paint(ui.painter(), rect.center(), PIECE, colour, 1.0);
                        }
                        None => {
                            ui.painter().circle_filled(rect.center(), 6.0, colour.egui());
                        }
                    }
                    ui.label(small(item.player(seat)));
                }
            });
        }
        (Some(Err(why)), _) => {
            line(ui, small(why.clone()).color(palette.bad.egui()));
        }
        _ => {
            line(ui, small("…".into()).color(palette.faint.egui()));
        }
    }
}

/// Says how long ago the match was, and whether it is one of those that newer ones replace.
fn when(ui: &mut egui::Ui, item: &ReplayItem) {
    let Some(changed) = item.changed else { return };
    let kept = item.kept_as().map_or_else(String::new, |kept| format!("{kept}, "));
    widgets::hint(ui, format!("{kept}{}", ago(changed))).on_hover_text(date(changed));
}

/// Those of an entry that has the focus can have it too.
fn buttons(ui: &mut egui::Ui, item: &ReplayItem, is_stop: bool) -> Option<ReplayAction> {
    use ReplayAction::{Analyse, CopyLink, CopyPath, Delete, Keep, Rename, Watch};
    ui.spacing_mut().item_spacing.x = space::SMALL;
    let mut chosen = None;
    // From the right to the left.
    for action in [Delete, CopyPath, CopyLink, Rename, Keep, Analyse, Watch] {
        if action == Keep && !item.is_recent() {
            continue;
        }
        let entry = entry_of(action);
        let face =
            egui::Button::new(entry.icon).min_size(vec2(30.0, 28.0)).sense(widgets::stop(is_stop));
        if entry.icon_button(ui, (entry.allowed)(item), face) {
            chosen = Some(action);
        }
    }
    chosen
}
