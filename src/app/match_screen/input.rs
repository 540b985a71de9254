//! Keys: first the board's own, then those of every match, then panning.

use super::board::Input;
use super::command_table::of_press;
use super::commands::CommandContext;
use super::session::Session;
use crate::app::shell::input::BoardInput;
use crate::app::shell::typing::Held;
use bevy::input::ButtonState;
use bevy::input::keyboard::{KeyboardFocusLost, KeyboardInput};
use bevy::prelude::*;
use bevy_egui::egui;

/// Points a second that the arrow keys move the view.
const GLIDE: f32 = 600.0;
/// The keys that pan, and where the board goes in the view.
const PANNING: [(KeyCode, egui::Vec2); 4] = [
    (KeyCode::ArrowLeft, egui::vec2(1.0, 0.0)),
    (KeyCode::ArrowRight, egui::vec2(-1.0, 0.0)),
    (KeyCode::ArrowUp, egui::vec2(0.0, 1.0)),
    (KeyCode::ArrowDown, egui::vec2(0.0, -1.0)),
];

/// Passes every key that was pressed on, in the order in which they were typed.
#[allow(clippy::too_many_arguments)]
pub(super) fn keys(
    mut typed: MessageReader<KeyboardInput>,
    down: Res<ButtonInput<KeyCode>>,
    mut lost: MessageReader<KeyboardFocusLost>,
    mut held: Local<Held>,
    heard: Res<BoardInput>,
    mut session: ResMut<Session>,
    time: Res<Time>,
    mut panning: Local<Vec<KeyCode>>,
    mut context: CommandContext,
) {
    let session = &mut *session;
    if lost.read().count() > 0 {
        *held = Held::default();
    }
    for press in typed.read() {
        held.hear(press);
        let key = press.key_code;
        if press.state != ButtonState::Pressed || !heard.keys {
            continue;
        }
        let (shift, repeat) = (held.shift, press.repeat);
        let command = of_press(key, held.ctrl, held.shift);
        if !held.ctrl && context.input(session, Input::Key { code: key, shift, repeat }) {
            continue;
        }
        if let Some(command) = command {
            if !repeat || command.repeats {
                context.apply(session, command.id);
            }
        } else if held.ctrl || repeat {
            continue;
        } else if session.lecture && matches!(key, KeyCode::ArrowLeft | KeyCode::ArrowRight) {
            session.go_to_note(key == KeyCode::ArrowRight);
        } else if PANNING.iter().any(|(pans, _)| *pans == key) {
            panning.push(key);
        }
    }
    // Only arrow keys that the board did not want pan.
    panning.retain(|key| heard.keys && down.pressed(*key));
    let by = PANNING
        .iter()
        .filter(|(key, _)| panning.contains(key))
        .fold(egui::Vec2::ZERO, |sum, (_, way)| sum + *way);
    if by != egui::Vec2::ZERO {
        context.view.pan(by * GLIDE * time.delta_secs());
        session.overlays.follow = false;
    }
}
