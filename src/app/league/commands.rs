//! The commands of the league.

use crate::app::shell::commands::{Command, KeyGroup, command, entry, key, rows};
use bevy::prelude::KeyCode;
use egui_phosphor::regular as icon;

/// What the user can ask for with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeagueCommand {
    /// Start, or play the next match at once.
    Start,
    /// Watch the last match again.
    Again,
    /// Begin a league without results.
    New,
    /// Stop, or go back.
    Close,
}

/// The commands of the league, in the order of the help.
pub const COMMANDS: &[Command<LeagueCommand>] = &[
    command(LeagueCommand::Start, &[key(KeyCode::Enter)], "Start, or play the next match now")
        .label("Start")
        .tip("Play match after match until you stop"),
    command(LeagueCommand::Again, &[key(KeyCode::KeyA)], "Watch the last match again")
        .label("Watch it again")
        .icon(icon::ARROW_COUNTER_CLOCKWISE),
    command(LeagueCommand::New, &[key(KeyCode::KeyN)], "New league")
        .label("New league")
        .tip("Clear the table and begin with other matches"),
    command(LeagueCommand::Close, &[key(KeyCode::Escape)], "Stop, or go back").label("Stop"),
];

/// The entry of a command.
pub fn entry_of(command: LeagueCommand) -> &'static Command<LeagueCommand> {
    entry(COMMANDS, command)
}

/// The keys of the league, for help and manual.
pub fn key_group() -> KeyGroup {
    KeyGroup { title: "League", rows: rows(COMMANDS) }
}
