//! The window over any screen, including a match, in which help and settings show themselves.

use crate::app::requests::{Modal, Screen};
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};

/// Shows the window over the screen, with this title and these contents. Returns whether it is to be
/// closed.
pub fn window(ctx: &egui::Context, title: &str, contents: impl FnOnce(&mut egui::Ui)) -> bool {
    let room = ctx.content_rect().size();
    let mut close = false;
    let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
    let window = egui::Modal::new("modal".into()).frame(frame).show(ctx, |ui| {
        ui.set_width((room.x - 120.0).clamp(280.0, 760.0));
        ui.horizontal(|ui| {
            ui.heading(title);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                close = ui
                    .button(egui_phosphor::regular::X)
                    .on_hover_ui(|ui| widgets::hint_with_key(ui, "Close", "Esc"))
                    .clicked();
            });
        });
        ui.add_space(space::MEDIUM);
        egui::ScrollArea::vertical()
            .max_height(room.y - 160.0)
            .auto_shrink(false)
            .show(ui, contents);
    });
    close || window.should_close()
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

/// Opens and closes the [`Modal`]; help and settings show themselves in it.
pub fn plugin(app: &mut App) {
    app.init_resource::<Modal>()
        .add_systems(EguiPrimaryContextPass, open_help.in_set(crate::app::shell::Pass::Keys))
        .add_systems(StateTransition, close.run_if(state_changed::<Screen>));
}
