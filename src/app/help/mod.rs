//! The help: how to play, where the manual is, and all keys.

mod manual;

use crate::app::requests::{ChosenGame, MatchConfig, Modal, Screen};
use crate::app::shell::commands::{KeyGroup, KeyList};
use crate::app::shell::game_guide::{GameGuides, HowToPlay};
use crate::app::shell::keyboard::Printed;
use crate::app::shell::modal;
use crate::app::shell::navigation::GoBack;
use crate::app::shell::theme::{palette, space};
use crate::app::shell::{Pass, widgets};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use egui::vec2;
use manual::Manual;

/// What the help says.
#[derive(SystemParam)]
struct HelpText<'w> {
    keys: Res<'w, KeyList>,
    guides: Res<'w, GameGuides>,
    manual: Res<'w, Manual>,
}

/// How to play a game, and all keys, on a page or in a window. `game` is the id of the game to
/// begin with, if there is one at hand; another can be chosen.
fn contents(ui: &mut egui::Ui, text: &HelpText, game: Option<&str>) {
    let HelpText { keys, guides, manual } = text;
    let guides = &guides.0;
    let id = ui.id().with("game of the help");
    let known = |game: Option<&str>| guides.iter().position(|guide| Some(guide.id) == game);
    let mut chosen = ui.data(|data| data.get_temp(id)).or(known(game)).unwrap_or(0);
    let names: Vec<_> = guides.iter().map(|guide| guide.name).enumerate().collect();
    if widgets::choice(ui, &mut chosen, &names) {
        ui.data_mut(|data| data.insert_temp(id, chosen));
    }
    ui.add_space(space::SMALL);
    let Some(guide) = guides.get(chosen) else { return };
    how_to_play(ui, guide.how_to_play);
    ui.add_space(space::LARGE);
    manual::place(ui, manual);
    ui.add_space(space::LARGE);
    let of_another = |group: &KeyGroup| {
        group.title != guide.name && guides.iter().any(|other| other.name == group.title)
    };
    let mut groups: Vec<_> = keys.0.iter().filter(|group| !of_another(group)).collect();
    // The game's own keys first.
    groups.sort_by_key(|group| group.title != guide.name);
    if ui.available_width() < 640.0 {
        groups.iter().for_each(|keys| group(ui, keys));
        return;
    }
    ui.columns(2, |columns| {
        // Each group goes to the shorter column.
        let mut rows = [0, 0];
        for keys in &groups {
            let column = usize::from(rows[1] < rows[0]);
            rows[column] += keys.rows.len() + 2;
            group(&mut columns[column], keys);
        }
    });
}

/// Shows a group of keys.
fn group(ui: &mut egui::Ui, keys: &KeyGroup) {
    const CAPS: f32 = 132.0;
    widgets::section(ui, keys.title);
    let printed = Printed::of(ui.ctx());
    ui.spacing_mut().item_spacing.y = space::SMALL;
    ui.spacing_mut().interact_size.y = 24.0;
    for row in &keys.rows {
        ui.horizontal(|ui| {
            ui.allocate_ui_with_layout(
                vec2(CAPS, 22.0),
                egui::Layout::left_to_right(egui::Align::Center),
                |ui| {
                    ui.set_min_width(CAPS);
                    ui.spacing_mut().item_spacing.x = space::SMALL;
                    for cap in row.names(&printed) {
                        widgets::key_cap(ui, &cap);
                    }
                },
            );
            ui.add(egui::Label::new(row.what).wrap());
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
    text: HelpText,
    game: Option<Res<ChosenGame>>,
    mut back: MessageWriter<GoBack>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let pressed = widgets::page(ctx, |ui| {
        let pressed = widgets::title_bar(ui, "Help", |_| {});
        widgets::column(ui, 860.0, |ui| {
            widgets::card(ui, |ui| {
                ui.set_width(ui.available_width());
                contents(ui, &text, game.as_ref().map(|game| game.0));
            });
        });
        pressed
    });
    if pressed {
        back.write(GoBack);
    }
}

/// The help in a window over another screen.
fn over(
    mut contexts: EguiContexts,
    mut modal: ResMut<Modal>,
    text: HelpText,
    screen: Res<State<Screen>>,
    config: Option<Res<MatchConfig>>,
    chosen: Option<Res<ChosenGame>>,
) {
    let playing = config.filter(|_| *screen.get() == Screen::Match).map(|config| config.game);
    let game = playing.or(chosen.map(|chosen| chosen.0));
    let Ok(ctx) = contexts.ctx_mut() else { return };
    if modal::window(ctx, "Help", |ui| contents(ui, &text, game)) {
        *modal = Modal::None;
    }
}

/// Adds the help screen, and the help over other screens.
pub fn plugin(app: &mut App) {
    app.init_resource::<GameGuides>().insert_resource(Manual::find()).add_systems(
        EguiPrimaryContextPass,
        (
            screen.run_if(in_state(Screen::Help)).in_set(Pass::Screen),
            over.run_if(resource_equals(Modal::Help)).in_set(Pass::Modal),
        ),
    );
}
