//! The window over any screen, including a match, in which help and settings show themselves.

use crate::app::requests::{Modal, Screen};
use crate::app::shell::everywhere::{BACK, HELP};
use crate::app::shell::theme::space;
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
                let cross = egui::Button::new(egui_phosphor::regular::X);
                close = BACK.button_saying(ui, Ok(()), cross, "Close");
            });
        });
        ui.add_space(space::MEDIUM);
        // What is available here is what was needed before, not what the window has.
        let height = room.y - 160.0;
        egui::ScrollArea::vertical()
            .min_scrolled_height(height)
            .max_height(height)
            .auto_shrink([false, true])
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
    // Each keyboard has the question mark elsewhere, so the character counts.
    let is_written = |text: &str| HELP.keys().iter().any(|chord| chord.name() == text);
    let asked = |event: &egui::Event| match event {
        egui::Event::Text(text) => is_written(text),
        egui::Event::Key { key, pressed: true, .. } => is_written(key.name()),
        _ => false,
    };
    if ctx.text_edit_focused() || !ctx.input(|input| input.events.iter().any(asked)) {
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
