//! A replay in the list: its last position, who played, how it ended, and what can be done with it.

use super::actions::{ReplayAction, entry_of};
use super::list::ReplayItem;
use crate::app::shell::preview;
use crate::app::shell::theme::{palette, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Align2, FontId, Rect, Response, RichText, pos2, vec2};
use egui_phosphor::regular as icon;
use outwit_core::platform::time::UNIX_EPOCH;

/// The widest that a row gets, in points.
pub const WIDEST: f32 = 980.0;
/// Height of a row, and width of its picture, in points.
const HEIGHT: f32 = 104.0;
const PICTURE: f32 = 150.0;
/// Width of the buttons, in points.
const BUTTONS: f32 = 232.0;

/// Shows it; returns the action of a button that was pressed.
pub fn show(
    ui: &mut egui::Ui,
    item: &ReplayItem,
    chosen: bool,
    pictures: &mut preview::Pictures,
) -> (Response, Option<ReplayAction>) {
    let mut action = None;
    let size = vec2(ui.available_width(), HEIGHT);
    let response = widgets::pressable(ui, size, chosen, &item.title(), |ui, rect| {
        let left = Rect::from_min_size(rect.min, vec2(PICTURE, HEIGHT)).shrink(4.0);
        picture(ui, left, item, pictures);
        let words = Rect::from_min_max(
            pos2(left.right() + 14.0, rect.top() + 10.0),
            pos2(rect.right() - BUTTONS - 8.0, rect.bottom() - 8.0),
        );
        widgets::inside(ui, words, |ui| describe(ui, item));
        let right = Rect::from_min_max(
            pos2(rect.right() - BUTTONS, rect.center().y - 18.0),
            pos2(rect.right() - 10.0, rect.center().y + 18.0),
        );
        widgets::inside(ui, right, |ui| {
            action = ui.horizontal(|ui| buttons(ui, item)).inner;
        });
    });
    (response, action)
}

fn picture(ui: &egui::Ui, rect: Rect, item: &ReplayItem, pictures: &mut preview::Pictures) {
    let palette = palette(ui);
    ui.painter().rect_filled(rect, widgets::CORNER, palette.board.egui());
    match &item.content {
        Ok(content) => {
            let written = item.when.and_then(|when| when.duration_since(UNIX_EPOCH).ok());
            let written = written.map_or(0, |since| since.as_nanos());
            // A file of the same name that was written at another time is another match.
            let name = format!("{}@{written}", item.file.display());
            let last = preview::Thumbnail::of(&name, &content.entry, &content.head.looks);
            pictures.paint(ui.painter(), rect.shrink(4.0), &last, palette);
        }
        Err(_) => {
            let (font, ink) = (FontId::proportional(36.0), palette.bad.egui());
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, icon::WARNING, font, ink);
        }
    }
}

fn describe(ui: &mut egui::Ui, item: &ReplayItem) {
    let faint = palette(ui).faint.egui();
    ui.spacing_mut().item_spacing.y = 2.0;
    let line = |ui: &mut egui::Ui, words: RichText| ui.add(egui::Label::new(words).truncate());
    line(ui, RichText::new(item.title()).text_style(text::strong()));
    let kept = if item.is_recent { "" } else { ", saved" };
    let age = item.when.map_or_else(String::new, widgets::ago);
    match &item.content {
        Ok(content) => {
            line(ui, RichText::new(content.players()));
            line(ui, RichText::new(content.result()));
            let (game, level) = (content.kind.name(), &content.head.level);
            let what = if item.is_recent { game.to_owned() } else { format!("{game}, {level}") };
            line(ui, RichText::new(format!("{what}, {age}{kept}")).small().color(faint));
        }
        Err(why) => {
            line(ui, RichText::new(format!("Cannot be read: {why}")));
            line(ui, RichText::new(age).small().color(faint));
        }
    }
}

fn buttons(ui: &mut egui::Ui, item: &ReplayItem) -> Option<ReplayAction> {
    let mut action = None;
    ui.spacing_mut().item_spacing.x = 4.0;
    let watch = entry_of(ReplayAction::Watch);
    let face = egui::Button::new(format!("{}  {}", watch.icon, watch.label));
    if watch.button(ui, (watch.allowed)(item), face) {
        action = Some(ReplayAction::Watch);
    }
    let others = [ReplayAction::Keep, ReplayAction::Rename, ReplayAction::CopyPath];
    for id in others.into_iter().chain([ReplayAction::Delete]) {
        let entry = entry_of(id);
        let allowed = (entry.allowed)(item);
        let face = egui::Button::new(RichText::new(entry.icon).size(16.0)).frame(false);
        if entry.button(ui, allowed, face.min_size(vec2(24.0, 28.0))) {
            action = Some(id);
        }
    }
    action
}
