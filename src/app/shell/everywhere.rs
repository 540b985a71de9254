//! The commands that every screen has.

use super::commands::{Command, KeyGroup, command, ctrl, key, note, rows, shift};
use bevy::prelude::KeyCode;
use egui_phosphor::regular as icon;

/// Opens and closes the help.
pub const HELP: Command<()> =
    command((), &[shift(KeyCode::Slash), key(KeyCode::F1)], "Help").icon(icon::QUESTION);

/// Goes back; screens that have something to cancel or to confirm first have an entry of their own.
pub const BACK: Command<()> =
    command((), &[key(KeyCode::Escape)], "Go back, or close the topmost window")
        .icon(icon::ARROW_LEFT)
        .tip("Previous screen");

/// Switches the sound on or off.
pub const SOUND: Command<()> = command((), &[key(KeyCode::KeyM)], "Sound on or off");

/// Switches to full screen, or back to a window.
pub const FULL_SCREEN: Command<()> = command((), &[key(KeyCode::F11)], "Full screen");

/// Ends the program from any screen.
pub const QUIT: Command<()> =
    command((), &[ctrl(KeyCode::KeyQ)], "Quit").icon(icon::SIGN_OUT).in_browser(&[]);

/// Saves the replay of a match; other screens tell of it.
pub const SAVE_REPLAY: Command<()> =
    command((), &[key(KeyCode::F5)], "Save the replay").in_browser(&[shift(KeyCode::KeyF)]);

/// The commands of every screen, in the order of the help.
pub const COMMANDS: &[Command<()>] = &[HELP, BACK, SOUND, FULL_SCREEN, QUIT];

/// The keys of every screen, for help and manual.
pub fn key_group() -> KeyGroup {
    let mut rows = rows(COMMANDS);
    rows.insert(2, note("Tab", "Next control"));
    KeyGroup { title: "Everywhere", rows }
}
