//! Hands keys over in the order in which they were pressed, each with the modifier keys that
//! were held at that moment.
//!
//! bevy_egui reads all modifier keys of a frame before all other keys: in a slow frame Ctrl+S would be
//! an `s`. It also hands over pasted text as if it had been typed.

use super::keyboard::{Held, Press, Presses, follow};
use bevy::input::InputSystems;
use bevy::input::keyboard::{Key, KeyboardFocusLost, KeyboardInput};
use bevy::prelude::*;
use bevy_egui::egui::{self, Event};
use bevy_egui::helpers::{bevy_to_egui_key, bevy_to_egui_physical_key};
use bevy_egui::input::{EguiContextMessageReader, EguiInputEvent, WindowToEguiContextMap};
use bevy_egui::{EguiClipboard, EguiGlobalSettings, EguiInputSet, EguiPreUpdateSet};

/// What egui receives for one key, apart from the clipboard.
fn events_of(input: &KeyboardInput, held: Held) -> impl Iterator<Item = Event> + use<> {
    let pressed = input.state.is_pressed();
    let text = match &input.logical_key {
        Key::Character(text) if !text.chars().any(char::is_control) => Some(text.to_string()),
        Key::Space => Some(" ".to_owned()),
        _ => None,
    };
    let physical_key = bevy_to_egui_physical_key(&input.key_code);
    let mut modifiers = held.modifiers();
    let mut key = bevy_to_egui_key(&input.logical_key).or(physical_key);
    if let Some(press) = Press::of(input, held)
        && let Key::Character(_) = input.logical_key
    {
        key = bevy_to_egui_physical_key(&press.key).or(key);
        modifiers.shift = press.shift;
    }
    let key = key.map(|key| Event::Key { key, physical_key, pressed, repeat: false, modifiers });
    text.filter(|_| pressed && held.writes()).map(Event::Text).into_iter().chain(key)
}

/// Notes the keys that went down in this frame.
fn hear(
    mut typed: MessageReader<KeyboardInput>,
    mut lost: MessageReader<KeyboardFocusLost>,
    mut held: Local<Held>,
    mut presses: ResMut<Presses>,
) {
    if lost.read().count() > 0 {
        *held = Held::default();
    }
    presses.0.clear();
    for input in typed.read() {
        held.hear(input);
        presses.0.extend(Press::of(input, *held).filter(|_| input.state.is_pressed()));
    }
}

fn hand_over(
    mut keys: EguiContextMessageReader<KeyboardInput>,
    mut lost: MessageReader<KeyboardFocusLost>,
    mut held: Local<Held>,
    mut clipboard: Option<ResMut<EguiClipboard>>,
    mut events: MessageWriter<EguiInputEvent>,
) {
    if lost.read().count() > 0 {
        // Nobody tells of keys that are released elsewhere.
        *held = Held::default();
    }
    for (input, context) in keys.read_with_non_window_focused(|input| input.window) {
        held.hear(input);
        let mut shortcut = None;
        for event in events_of(input, *held) {
            if let Event::Key { key, pressed: true, modifiers, .. } = &event
                && modifiers.command
            {
                shortcut = Some(*key);
            }
            events.write(EguiInputEvent { context, event });
        }
        let event = match shortcut {
            Some(egui::Key::C) => Some(Event::Copy),
            Some(egui::Key::X) => Some(Event::Cut),
            Some(egui::Key::V) => {
                clipboard.as_mut().and_then(|clipboard| clipboard.get_text()).map(Event::Paste)
            }
            _ => None,
        };
        if let Some(event) = event {
            events.write(EguiInputEvent { context, event });
        }
    }
}

/// Takes the keys over from bevy_egui.
pub fn plugin(app: &mut App) {
    super::keyboard::plugin(app);
    app.world_mut()
        .get_resource_or_init::<EguiGlobalSettings>()
        .input_system_settings
        .run_write_keyboard_input_messages_system = false;
    app.add_systems(
        PreUpdate,
        (
            (hear, follow).after(InputSystems),
            hand_over
                .run_if(resource_exists::<WindowToEguiContextMap>)
                .in_set(EguiInputSet::ReadBevyMessages)
                .in_set(EguiPreUpdateSet::ProcessInput),
        ),
    );
}
