//! The keys of the track.

use crate::app::shell::commands::{self, Chord, Command, KeyRow, block, command, key, note};
use crate::app::shell::keyboard::Printed;
use bevy::prelude::KeyCode::*;
use outwit_core::grid::Cell;
use outwit_racetrack::rules::Accelerate;

const UP: &str = "Push up left, up, up right";
const ACROSS: &str = "Push left, right";
const DOWN: &str = "Push down left, down, down right";

/// All pushes; a key of the number pad lies in its direction.
pub const COMMANDS: &[Command<Accelerate>] = &[
    push(-1, -1, &[block(KeyQ), key(Numpad7)], UP),
    push(0, -1, &[block(KeyW), key(Numpad8)], UP),
    push(1, -1, &[block(KeyE), key(Numpad9)], UP),
    push(-1, 0, &[block(KeyA), key(Numpad4)], ACROSS),
    push(1, 0, &[block(KeyD), key(Numpad6)], ACROSS),
    push(-1, 1, &[block(KeyZ), key(Numpad1)], DOWN),
    push(0, 1, &[block(KeyX), key(Numpad2)], DOWN),
    push(1, 1, &[block(KeyC), key(Numpad3)], DOWN),
    push(0, 0, &[block(KeyS), key(Numpad5)], "Coast, where the steering allows it"),
];

const fn push(x: i32, y: i32, keys: &'static [Chord], help: &'static str) -> Command<Accelerate> {
    command(Accelerate(Cell::new(x, y)), keys, help)
}

/// The letter that pushes so on a keyboard.
pub fn letter(action: Accelerate, printed: &Printed) -> Option<String> {
    let entry = COMMANDS.iter().find(|entry| entry.id == action)?;
    entry.keys().first().map(|chord| chord.name_on(printed))
}

/// The rows of the help.
pub fn rows() -> Vec<KeyRow> {
    let mut rows = commands::rows(COMMANDS);
    rows.push(note("Numpad", "The same nine directions"));
    rows.push(note("Enter", "Confirm a move off the track"));
    rows.push(note("Click", "On a marked cell: move there"));
    rows
}
