//! The selected level: its picture, its description, and the best result.

use super::Setup;
use crate::app::shell::level::Level;
use crate::app::shell::level_rivals;
use crate::app::shell::medals::Medal;
use crate::app::shell::preview::{self, Thumbnail};
use crate::app::shell::records;
use crate::app::shell::records::Results;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::{Margin, RichText, vec2};
use outwit_kit::LevelInfo;

/// Planners, and whether each was beaten.
type Rivals = Vec<(&'static str, bool)>;

/// The level in a column of its own.
pub fn large(ui: &mut egui::Ui, setup: &mut Setup, results: &Results) {
    let reached = (best(setup, results), rivals(setup, results));
    let Setup { levels, pictures, .. } = setup;
    let Some(level) = levels.chosen() else {
        ui.centered_and_justified(|ui| widgets::hint(ui, "No level selected"));
        return;
    };
    match &level.info {
        None => {
            ui.centered_and_justified(|ui| ui.spinner());
        }
        Some(Err(faults)) => widgets::card(ui, |ui| {
            ui.set_width(ui.available_width());
            faulty(ui, level, faults);
        }),
        Some(Ok(info)) => {
            egui::Panel::bottom("about level")
                .frame(egui::Frame::new().inner_margin(Margin { top: 16, ..Margin::ZERO }))
                .show_separator_line(false)
                .show(ui, |ui| {
                    widgets::card(ui, |ui| {
                        ui.set_width(ui.available_width());
                        words(ui, info, reached);
                    });
                });
            let rect = ui.available_rect_before_wrap();
            picture(ui, rect, level, info, pictures);
        }
    }
}

/// The level above the rules, where there is no room for a column of its own.
pub fn small(ui: &mut egui::Ui, setup: &mut Setup, results: &Results) {
    const HEIGHT: f32 = 140.0;
    let reached = (best(setup, results), rivals(setup, results));
    let Setup { levels, pictures, .. } = setup;
    let Some(level) = levels.chosen() else { return };
    match &level.info {
        None => {
            ui.spinner();
        }
        Some(Err(faults)) => faulty(ui, level, faults),
        Some(Ok(info)) => {
            let size = vec2(ui.available_width(), HEIGHT);
            let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
            picture(ui, rect.shrink(1.0), level, info, pictures);
            ui.add_space(space::SMALL);
            words(ui, info, reached);
        }
    }
}

/// The best result on the selected level with the chosen rules, as text.
fn best(setup: &Setup, results: &Results) -> Option<(String, Option<Medal>)> {
    let level = setup.levels.chosen()?;
    let digest = level.info.as_ref()?.as_ref().ok()?.digest;
    let key = records::key(setup.kind, &level.entry, digest, &setup.sets())?;
    let best = results.best(&key)?;
    let words = match best.player.as_str() {
        "" => format!("Your best result: {}", best.label),
        player => format!("Best result: {} by {player}", best.label),
    };
    Some((words, best.medal()))
}

/// Who can be met on the selected level with the chosen rules, and whether each was beaten there.
fn rivals(setup: &Setup, results: &Results) -> Rivals {
    setup.level_key().map(|key| results.rivals.of(setup.kind, &key)).unwrap_or_default()
}

fn picture(
    ui: &egui::Ui,
    rect: egui::Rect,
    level: &Level,
    info: &LevelInfo,
    pictures: &mut preview::Pictures,
) {
    let name = format!("large {}", level.entry.id);
    let thumbnail = Thumbnail::of(&name, &level.entry, &info.looks);
    pictures.paint_next(ui.painter(), rect, &thumbnail, palette(ui));
}

fn words(
    ui: &mut egui::Ui,
    info: &LevelInfo,
    (best, rivals): (Option<(String, Option<Medal>)>, Rivals),
) {
    ui.horizontal_wrapped(|ui| {
        ui.heading(&info.name);
        let size = format!("{} × {}", info.looks.width(), info.looks.height());
        let by = if info.author.is_empty() { size } else { format!("by {}, {size}", info.author) };
        widgets::hint(ui, by);
    });
    if !info.about.is_empty() {
        ui.label(&info.about);
    }
    ui.horizontal_wrapped(|ui| {
        match best.as_ref().and_then(|(_, medal)| *medal) {
            Some(medal) => medal.show(ui),
            None => ui.label(egui_phosphor::regular::TROPHY),
        };
        match best {
            Some((best, _)) => ui.label(RichText::new(best).text_style(text::strong())),
            None => widgets::hint(ui, "No result yet with these rules"),
        }
    });
    let beaten = rivals.iter().filter(|(_, beaten)| *beaten).count();
    if beaten > 0 {
        ui.horizontal(|ui| {
            level_rivals::show(ui, &rivals);
            widgets::hint(ui, format!("{beaten} of {} rivals beaten here", rivals.len()));
        });
    }
}

/// Shows the problems of a level that is not playable.
fn faulty(ui: &mut egui::Ui, level: &Level, faults: &[String]) {
    ui.heading(level.entry.stem());
    ui.label("This level is not playable:");
    let height = (ui.available_height() - 80.0).max(120.0);
    egui::ScrollArea::vertical().id_salt("faults").max_height(height).show(ui, |ui| {
        for what in faults {
            widgets::fault(ui, what);
        }
    });
    if let outwit_levels::Source::File(path) = &level.entry.source {
        widgets::hint(ui, path.display().to_string());
    }
}
