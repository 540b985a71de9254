//! The help: how to play, and all keys.

use crate::app::match_screen::HowToPlay;
use crate::app::setup::ChosenGame;
use crate::app::shell::Screen;
use crate::app::shell::keys::{KeyInfo, KeyList};
use crate::app::shell::navigation::GoBack;
use crate::app::shell::theme::{palette, space};
use crate::app::shell::widgets;
use crate::boards::BOARDS;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::vec2;

/// How to play a game, and all keys, on a page or in a window. `game` is the id of the game to
/// begin with, if there is one at hand; another can be chosen.
pub fn contents(ui: &mut egui::Ui, keys: &KeyList, game: Option<&str>) {
    let id = ui.id().with("game of the help");
    let known = |game: Option<&str>| BOARDS.iter().position(|board| Some(board.id) == game);
    let mut chosen = ui.data(|data| data.get_temp(id)).or(known(game)).unwrap_or(0);
    let names: Vec<_> = BOARDS.iter().map(|board| board.name).enumerate().collect();
    if widgets::choice(ui, &mut chosen, &names) {
        ui.data_mut(|data| data.insert_temp(id, chosen));
    }
    ui.add_space(space::SMALL);
    let Some(board) = BOARDS.get(chosen) else { return };
    how_to_play(ui, &board.spec.how_to_play);
    ui.add_space(space::LARGE);
    let mut groups = keys.groups();
    groups
        .retain(|(name, _)| *name == board.name || BOARDS.iter().all(|other| other.name != *name));
    // The game's own keys first.
    groups.sort_by_key(|(name, _)| *name != board.name);
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

/// The text of a game, beside its picture where there is room.
fn how_to_play(ui: &mut egui::Ui, how: &HowToPlay) {
    const PICTURE: egui::Vec2 = vec2(248.0, 200.0);
    let narrow = ui.available_width() < PICTURE.x + 280.0;
    let words = |ui: &mut egui::Ui| how.text.iter().for_each(|words| drop(ui.label(*words)));
    let Some(picture) = how.picture else { return words(ui) };
    if narrow {
        words(ui);
    }
    ui.horizontal_top(|ui| {
        let (response, painter) = ui.allocate_painter(PICTURE, egui::Sense::hover());
        picture(&painter, response.rect, palette(ui));
        ui.add_space(space::LARGE);
        if !narrow {
            ui.vertical(words);
        }
    });
}

fn screen(
    mut contexts: EguiContexts,
    keys: Res<KeyList>,
    game: Option<Res<ChosenGame>>,
    mut back: MessageWriter<GoBack>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let pressed = widgets::page(ctx, |ui| {
        let pressed = widgets::title_bar(ui, "Help", |_| {});
        widgets::column(ui, 860.0, |ui| {
            widgets::card(ui, |ui| {
                ui.set_width(ui.available_width());
                contents(ui, &keys, game.as_ref().map(|game| game.0));
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
