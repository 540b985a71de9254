//! The editor without an open level, and the offer of unsaved work.

use super::actions::{Action, info};
use super::screen::{EditorScreen, NextStep};
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::Commands;
use bevy_egui::egui;
use egui::{RichText, Ui};
use egui_phosphor::regular as icon;

/// Shows ways to start; returns the chosen action.
pub fn show(ui: &mut Ui, screen: &mut EditorScreen, commands: &mut Commands) -> Option<Action> {
    let mut chosen = None;
    widgets::column(ui, 520.0, |ui| {
        ui.spacing_mut().item_spacing.y = space::MEDIUM;
        ui.label(RichText::new("Draw a level, play it, share it.").heading());
        widgets::hint(
            ui,
            "The level is checked and solved while you draw. Unsaved work is backed up automatically.",
        );
        for (action, words) in [
            (Action::New, "An empty map, or a copy of a level"),
            (Action::Generate, "A random, playable level"),
            (Action::Open, "One of your levels, or a built-in one as a copy"),
            (Action::Import, "A picture, a text map or a level file"),
        ] {
            let info = info(action);
            if (info.allowed)(screen).is_err() {
                continue;
            }
            let size = egui::vec2(ui.available_width(), 64.0);
            let row = widgets::pressable(ui, size, false, info.label, |ui, rect| {
                widgets::inside(ui, rect.shrink2(egui::vec2(14.0, 8.0)), |ui| {
                    ui.spacing_mut().item_spacing.y = 2.0;
                    ui.horizontal(|ui| {
                        ui.label(RichText::new(format!("{}  {}", info.icon, info.label)).strong());
                        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                            info.caps(ui);
                        });
                    });
                    widgets::hint(ui, words);
                });
            });
            if row.clicked() {
                chosen = Some(action);
            }
        }
        if !screen.found.is_empty() {
            ui.add_space(space::MEDIUM);
            widgets::section(ui, "Unsaved work");
            drafts(ui, screen, commands);
        }
        if !screen.recent.is_empty() {
            ui.add_space(space::MEDIUM);
            widgets::section(ui, "Recent");
        }
        if let Some(path) = screen.gallery.files(ui, screen.recent.iter()) {
            screen.ask_then(NextStep::File(path), commands);
        }
    });
    chosen
}

/// One line per draft; returns whether the user recovered one.
fn drafts(ui: &mut Ui, screen: &mut EditorScreen, commands: &mut Commands) -> bool {
    let mut recovered = None;
    let mut discarded = None;
    for (index, found) in screen.found.iter().enumerate() {
        ui.horizontal(|ui| {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let hover = "Delete permanently";
                if ui.button(icon::TRASH).on_hover_text(hover).clicked() {
                    discarded = Some(index);
                }
                if ui.add_enabled(found.is_readable, egui::Button::new("Recover")).clicked() {
                    recovered = Some(index);
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.add(egui::Label::new(&found.label).truncate());
                });
            });
        });
    }
    if let Some(index) = discarded {
        screen.found.remove(index).draft.discard();
    }
    if let Some(index) = recovered {
        screen.ask_then(NextStep::Recover(index), commands);
    }
    recovered.is_some()
}

/// Offers the drafts in a window; returns whether to go to the editor.
pub fn offer(ctx: &egui::Context, screen: &mut EditorScreen, commands: &mut Commands) -> bool {
    let mut go = false;
    let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
    let modal = egui::Modal::new("left behind".into()).frame(frame).show(ctx, |ui| {
        ui.set_width((ctx.content_rect().width() - 80.0).clamp(280.0, 480.0));
        ui.spacing_mut().item_spacing.y = space::MEDIUM;
        ui.heading("Unsaved work found");
        ui.label("The editor was closed before these levels were saved.");
        egui::ScrollArea::vertical()
            .max_height(260.0)
            .show(ui, |ui| go = drafts(ui, screen, commands));
        if ui.button("Later").on_hover_text("You can still recover them in the editor").clicked() {
            screen.offer = false;
        }
    });
    if go || modal.should_close() || screen.found.is_empty() {
        screen.offer = false;
    }
    go
}
