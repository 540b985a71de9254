//! The bar at the top with menus and buttons, and the line at the bottom.

use super::actions::{Action, CANCEL, info};
use super::screen::EditorScreen;
use super::tools::icon_button;

use crate::app::shell::commands::why_not;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::theme::{palette, space, text};
use crate::app::shell::widgets;
use bevy::prelude::Commands;
use bevy_egui::egui;
use egui::{Button, RichText, Ui};
use egui_phosphor::regular as icon;

const FILE: &[&[Action]] = &[
    &[Action::New, Action::Open, Action::Generate],
    &[Action::Save, Action::SaveAs, Action::Rename, Action::Duplicate, Action::Bin],
    &[Action::Import, Action::Export, Action::CopyLevel, Action::CopyLink],
];
const EDIT: &[&[Action]] = &[
    &[Action::Undo, Action::Redo],
    &[Action::Cut, Action::Copy, Action::Paste, Action::Delete, Action::SelectAll],
    &[Action::Rotate, Action::MirrorX, Action::MirrorY],
    &[Action::Resize, Action::Crop],
];
const VIEW: &[&[Action]] = &[
    &[Action::Fit, Action::ZoomIn, Action::ZoomOut],
    &[Action::Symmetry, Action::Wider, Action::Narrower, Action::Round, Action::Filled],
    &[Action::NextFault, Action::Solver],
];

/// Whether a menu contains it.
#[cfg(test)]
pub fn is_in_menu(action: Action) -> bool {
    [FILE, EDIT, VIEW].iter().any(|menu| menu.iter().any(|group| group.contains(&action)))
}

fn menu(ui: &mut Ui, name: &str, groups: &[&[Action]], screen: &EditorScreen) -> Option<Action> {
    let mut chosen = None;
    ui.menu_button(name, |ui| {
        ui.set_min_width(250.0);
        // The whole menu must fit in a low window.
        if ui.ctx().content_rect().height() < 560.0 {
            ui.spacing_mut().button_padding.y = 2.0;
            ui.spacing_mut().interact_size.y = 22.0;
            ui.spacing_mut().item_spacing.y = 0.0;
        }
        for (index, group) in groups.iter().enumerate() {
            if index > 0 {
                ui.separator();
            }
            for &action in *group {
                let info = info(action);
                let words = format!("{}   {}", info.icon, info.label);
                let key = info.first_key();
                let button = Button::new(words).shortcut_text(key);
                let allowed = (info.allowed)(screen);
                if why_not(ui.add_enabled(allowed.is_ok(), button), allowed).clicked() {
                    chosen = Some(action);
                    ui.close();
                }
            }
        }
    });
    chosen
}

/// Shows the bar; returns the chosen action.
pub fn top(
    ui: &mut Ui,
    screen: &EditorScreen,
    commands: &mut Commands,
    corner: impl FnOnce(&mut Ui),
) -> Option<Action> {
    let mut chosen = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::SMALL;
        let back = icon_button(ui, icon::ARROW_LEFT, "Back", false, 32.0);
        if CANCEL.explain(back, "Back to menu (keeps your work)").clicked() {
            commands.write_message(GoBack);
        }
        for (name, groups) in [("File", FILE), ("Edit", EDIT), ("View", VIEW)] {
            chosen = chosen.or(menu(ui, name, groups, screen));
        }
        ui.add_space(space::SMALL);
        for action in [Action::Save, Action::Undo, Action::Redo] {
            let info = info(action);
            ui.add_enabled_ui((info.allowed)(screen).is_ok(), |ui| {
                let button = icon_button(ui, info.icon, info.label, false, 32.0);
                if info.explain(button, info.tip).clicked() {
                    chosen = Some(action);
                }
            });
        }
        widgets::ends(
            ui,
            |ui: &mut Ui| {
                ui.add_space(space::MEDIUM);
                title(ui, screen);
            },
            |ui| {
                if screen.work.is_some() {
                    let info = info(Action::Play);
                    let words = format!("{}  {}", info.icon, info.label);
                    let own = palette(ui);
                    let words =
                        RichText::new(words).text_style(text::strong()).color(own.on_accent.egui());
                    if info.button(ui, Ok(()), Button::new(words).fill(own.accent.egui())) {
                        chosen = Some(Action::Play);
                    }
                }
                corner(ui);
            },
        );
    });
    chosen
}

fn title(ui: &mut Ui, screen: &EditorScreen) {
    let Some(work) = &screen.work else {
        ui.heading("Level editor");
        return;
    };
    let name = match work.model.draft().name.trim() {
        "" => "(no name)",
        name => name,
    };
    let dot = if work.model.is_saved() { "" } else { "● " };
    let words = RichText::new(format!("{dot}{name}")).text_style(text::section());
    let hover = if work.model.is_saved() { "Saved" } else { "Unsaved changes" };
    ui.add(egui::Label::new(words).truncate())
        .on_hover_text(format!("{hover}: {}", work.file_name()));
}

/// Shows the line at the bottom.
pub fn bottom(ui: &mut Ui, screen: &EditorScreen) {
    let Some(work) = &screen.work else { return };
    let model = &work.model;
    ui.horizontal(|ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = space::LARGE;
            let cells = &model.draft().cells;
            let zoom = work.view.zoom.unwrap_or(1.0);
            widgets::hint(ui, format!("{zoom:.0} pt"));
            widgets::hint(ui, format!("{} × {}", cells.width(), cells.height()));
            if let Some(cell) = work.hover
                && let Some(&symbol) = cells.get(cell)
            {
                let name = model.tile(symbol).map_or("unknown", |tile| tile.name);
                widgets::hint(ui, format!("{cell} {name}"));
            }
            if let Some(region) = model.selection() {
                widgets::hint(ui, format!("{} × {} selected", region.width, region.height));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let own = palette(ui);
                let (words, colour) = match (&work.refused, model.carried()) {
                    (Some(why), _) => (format!("{}  {why}", icon::WARNING), own.warn),
                    (_, Some(_)) => (
                        {
                            use Action::{MirrorX, MirrorY, Rotate};
                            let turns = [Rotate, MirrorX, MirrorY].map(|it| info(it).first_key());
                            format!(
                                "Click to place it · Shift: place it and keep it · {}: turn it · Esc: cancel",
                                turns.join(", ")
                            )
                        },
                        own.text,
                    ),
                    _ => {
                        let tool = model.tool.info();
                        (format!("{}: {}", tool.name, tool.help), own.faint)
                    }
                };
                ui.add(egui::Label::new(RichText::new(words).color(colour.egui())).truncate());
            });
        });
    });
}
