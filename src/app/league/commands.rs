//! The commands of the league's screen.

use crate::app::shell::commands::{Command, KeyGroup, command, entry, key, rows};
use bevy::prelude::KeyCode;
use egui_phosphor::regular as icon;

/// What the user can ask for with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeagueCommand {
    /// Watch the next match.
    Start,
    /// Begin a new league with the same choices.
    Afresh,
    /// The game before or after.
    Game(isize),
}

/// The commands of the screen, in the order of the help; they depend on whether there is a next match, and
/// whether there are results.
pub const COMMANDS: &[Command<LeagueCommand, (bool, bool)>] = &[
    command(LeagueCommand::Start, &[key(KeyCode::Enter)], "Start, or play the next match")
        .icon(icon::PLAY)
        .when(|&(ready, _)| if ready { Ok(()) } else { Err("") }),
    command(LeagueCommand::Afresh, &[key(KeyCode::KeyN)], "New league")
        .label("New league")
        .tip("Start again with an empty table and other seeds; the old league is kept as a file")
        .when(|&(_, results)| if results { Ok(()) } else { Err("This league is new") }),
    command(LeagueCommand::Game(1), &[key(KeyCode::PageDown)], "Next or previous game"),
    command(LeagueCommand::Game(-1), &[key(KeyCode::PageUp)], "Next or previous game"),
];

/// The entry of a command.
pub fn entry_of(command: LeagueCommand) -> &'static Command<LeagueCommand, (bool, bool)> {
    entry(COMMANDS, command)
}

/// The keys of the league, for help and manual.
pub fn key_group() -> KeyGroup {
    KeyGroup { title: "League", rows: rows(COMMANDS) }
}
