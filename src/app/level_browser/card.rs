//! The card of a level: picture, description, best result and actions.

use super::actions::{BrowserAction, entry_of};
use super::level_list::Item;
use crate::app::shell::level_rivals;
use crate::app::shell::preview;
use crate::app::shell::theme::{for_fingers, palette, palette_of, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Align2, FontId, Rect, Response, RichText, TextStyle, pos2, vec2};
use egui_phosphor::regular as icon;

/// Height of a card and of the picture in it, in points.
const HEIGHT: f32 = 256.0;
const PICTURE: f32 = 148.0;

/// Shows a card. Returns the action of a button that was pressed.
pub fn show(
    ui: &mut egui::Ui,
    width: f32,
    item: &Item,
    (chosen, is_stop): (bool, bool),
    pictures: &mut preview::Pictures,
) -> (Response, Option<BrowserAction>) {
    let mut action = None;
    let fingers = for_fingers(ui);
    let response = widgets::list_entry(
        ui,
        "levels",
        vec2(width, HEIGHT + fingers),
        (chosen, is_stop),
        item.level.name(),
        |ui, rect| {
            let top = Rect::from_min_size(rect.min, vec2(rect.width(), PICTURE)).shrink(2.0);
            picture(ui, top, item, pictures);
            let inside = Rect::from_min_max(
                pos2(rect.left() + 12.0, top.bottom() + 8.0),
                rect.max - vec2(8.0, 8.0),
            );
            widgets::inside(ui, inside, |ui| words(ui, item));
            let row = Rect::from_min_max(
                pos2(inside.left() - 4.0, rect.bottom() - 38.0 - fingers),
                inside.max,
            );
            widgets::inside(ui, row, |ui| {
                action = ui.horizontal(|ui| buttons(ui, item, is_stop)).inner;
            });
        },
    );
    let response = match &item.level.info {
        Some(Err(faults)) => response.on_hover_ui(|ui| {
            ui.set_max_width(360.0);
            ui.label(RichText::new("This level is not playable").text_style(text::strong()));
            for what in faults.iter().take(8) {
                ui.label(what);
            }
            if faults.len() > 8 {
                widgets::hint(ui, format!("and {} more", faults.len() - 8));
            }
            if let Some(file) = item.file() {
                widgets::hint(ui, file.display().to_string());
            }
        }),
        _ => response,
    };
    (response, action)
}

fn picture(ui: &egui::Ui, rect: Rect, item: &Item, pictures: &mut preview::Pictures) {
    let palette = palette_of(ui.ctx(), item.kind.id());
    ui.painter().rect_filled(rect, widgets::CORNER, palette.board.egui());
    match &item.level.info {
        Some(Ok(info)) => {
            let name = format!("{}/{:016x}", item.kind.id(), info.digest);
            let level = preview::Thumbnail::of(&name, &item.level.entry, &info.looks);
            pictures.paint(ui.painter(), rect.shrink(6.0), &level, palette);
        }
        Some(Err(_)) => {
            let font = FontId::proportional(40.0);
            let ink = palette.bad.egui();
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, icon::WARNING, font, ink);
        }
        None => {}
    }
}

fn words(ui: &mut egui::Ui, item: &Item) {
    let palette = palette(ui);
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.spacing_mut().interact_size.y = 0.0;
    let line = |ui: &mut egui::Ui, words: RichText| ui.add(egui::Label::new(words).truncate());
    line(ui, RichText::new(item.level.name()).text_style(text::strong()));
    let small = |words: String| RichText::new(words).text_style(TextStyle::Small);
    let own = match (&item.level.group, item.file()) {
        (Some(group), _) => group.as_str(),
        (None, Some(_)) => "yours",
        (None, None) => "built in",
    };
    match &item.level.info {
        None => {
            line(ui, small("…".into()).color(palette.faint.egui()));
        }
        Some(Err(faults)) => {
            let game = item.kind.name();
            line(ui, small(format!("{game}, {own}")).color(palette.faint.egui()));
            let what = faults.first().cloned().unwrap_or_default();
            line(ui, small(what).color(palette.bad.egui()));
        }
        Some(Ok(info)) => {
            let size = format!("{} × {}", info.looks.width(), info.looks.height());
            let about = format!("{}, {size}, {own}", item.kind.name());
            line(ui, small(about).color(palette.faint.egui()));
            let has_beaten = item.rivals.iter().any(|(_, beaten)| *beaten);
            ui.horizontal(|ui| {
                match &item.best {
                    Some(best) => {
                        match best.medal() {
                            Some(medal) => drop(medal.show(ui)),
                            None => drop(ui.label(small(icon::TROPHY.into()))),
                        }
                        line(ui, small(best.label.clone()));
                    }
                    None if has_beaten => {}
                    None => {
                        line(ui, small("No result yet".into()).color(palette.faint.egui()));
                    }
                }
                level_rivals::show(ui, &item.rivals);
            });
        }
    }
}

/// Those of an entry that has the focus can have it too.
fn buttons(ui: &mut egui::Ui, item: &Item, is_stop: bool) -> Option<BrowserAction> {
    use BrowserAction::{Bin, CopyLink, Duplicate, Edit, Play, Rename, Restore};
    ui.spacing_mut().item_spacing.x = space::SMALL / 2.0;
    ui.spacing_mut().button_padding.x = 4.0;
    let offered: &[BrowserAction] =
        if item.binned { &[Restore] } else { &[Play, Edit, Duplicate, CopyLink, Rename, Bin] };
    let mut chosen = None;
    for &action in offered {
        let entry = entry_of(action);
        let allowed = (entry.allowed)(item);
        let face =
            egui::Button::new(entry.icon).min_size(vec2(30.0, 28.0)).sense(widgets::stop(is_stop));
        if entry.icon_button(ui, allowed, face) {
            chosen = Some(action);
        }
    }
    chosen
}
