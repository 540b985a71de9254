//! Help and settings as a window over any screen, including a match.

use crate::app::help;
use crate::app::match_screen::MatchConfig;
use crate::app::settings_screen;
use crate::app::setup::ChosenGame;
use crate::app::shell::Screen;
use crate::app::shell::keys::KeyList;
use crate::app::shell::settings::Settings;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

/// The window over the screen.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Modal {
    /// Nothing.
    #[default]
    None,
    /// Keys and how to play.
    Help,
    /// Settings.
    Settings,
}

fn show(
    mut contexts: EguiContexts,
    mut modal: ResMut<Modal>,
    mut settings: ResMut<Settings>,
    keys: Res<KeyList>,
    screen: Res<State<Screen>>,
    config: Option<Res<MatchConfig>>,
    chosen: Option<Res<ChosenGame>>,
) {
    if *modal == Modal::None {
        return;
    }
    let playing = config.filter(|_| *screen.get() == Screen::Match).map(|config| config.game);
    let game = playing.or(chosen.map(|chosen| chosen.0));
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let room = ctx.content_rect().size();
    let mut close = false;
    let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
    let window = egui::Modal::new("modal".into()).frame(frame).show(ctx, |ui| {
        ui.set_width((room.x - 120.0).clamp(280.0, 760.0));
        ui.horizontal(|ui| {
            ui.heading(if *modal == Modal::Help { "Help" } else { "Settings" });
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                close = ui
                    .button(egui_phosphor::regular::X)
                    .on_hover_ui(|ui| widgets::hint_with_key(ui, "Close", "Esc"))
                    .clicked();
            });
        });
        ui.add_space(space::MEDIUM);
        egui::ScrollArea::vertical().max_height(room.y - 160.0).auto_shrink(false).show(ui, |ui| {
            match *modal {
                Modal::Help => help::contents(ui, &keys, game),
                Modal::Settings => settings_screen::contents(ui, &mut settings),
                Modal::None => {}
            }
        });
    });
    if close || window.should_close() {
        *modal = Modal::None;
    }
}

/// `?` opens the help on every screen, unless the user is typing text.
fn open_help(
    mut contexts: EguiContexts,
    mut modal: ResMut<Modal>,
    screen: Res<State<Screen>>,
    mut next: ResMut<NextState<Screen>>,
) {
    let Ok(ctx) = contexts.ctx_mut() else { return };
    let asked = !ctx.text_edit_focused()
        && ctx.input(|input| {
            input.key_pressed(egui::Key::F1)
                || input.events.iter().any(|e| matches!(e, egui::Event::Text(t) if t == "?"))
        });
    if !asked {
        return;
    }
    match (screen.get(), *modal) {
        (Screen::Loading | Screen::Failed | Screen::Help, _) => {}
        (Screen::Menu, _) => next.set(Screen::Help),
        (_, Modal::Help) => *modal = Modal::None,
        _ => *modal = Modal::Help,
    }
}

fn close(mut modal: ResMut<Modal>) {
    *modal = Modal::None;
}

/// Shows the [`Modal`] over any screen, and closes it when the screen changes.
pub fn plugin(app: &mut App) {
    app.init_resource::<Modal>()
        .add_systems(
            EguiPrimaryContextPass,
            (open_help, show).chain().in_set(crate::app::shell::Pass::Modal),
        )
        .add_systems(StateTransition, close.run_if(state_changed::<Screen>));
}
