//! The commands of the set-up.

use super::levels::ListMove;
use crate::app::shell::commands::{Chord, Command, KeyGroup, command, key, rows};
use crate::app::shell::file_drop;
use bevy::prelude::KeyCode;
use egui_phosphor::regular as icon;

/// What the user can ask for at the set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupCommand {
    /// A match with the players on their seats.
    Play,
    /// A match between the strongest planners.
    Watch,
    /// A match between planners, beside another one between other planners.
    Beside,
    /// A championship, on the selected level and those that follow it.
    Championship,
    /// An end of the championship that was begun; it has no key, lest it be lost by one.
    DiscardChampionship,
    /// The lesson of the game.
    Learn,
    /// A tournament, or a comparison of solvers.
    Compare,
    /// The level in the editor.
    Edit,
    /// The level browser.
    Browse,
    /// Another level of the list.
    Select(ListMove),
}

/// Not allowed unless a match can start.
const fn match_command(
    id: SetupCommand,
    keys: &'static [Chord],
    help: &'static str,
) -> Command<SetupCommand, bool> {
    command(id, keys, help).when(|&ready| if ready { Ok(()) } else { Err(NOT_PLAYABLE) })
}

const NOT_PLAYABLE: &str = "This level is not playable";

const SELECT: &str = "Select a level";

/// The commands of the set-up; they depend on whether a match can start.
pub const COMMANDS: &[Command<SetupCommand, bool>] = &[
    match_command(SetupCommand::Play, &[key(KeyCode::Enter)], "Start")
        .icon(icon::PLAY)
        .label("Play")
        .tip("Start the match"),
    match_command(SetupCommand::Watch, &[key(KeyCode::KeyW)], "Watch planners play")
        .icon(icon::EYE)
        .label("Watch"),
    match_command(
        SetupCommand::Beside,
        &[key(KeyCode::KeyB)],
        "Watch planners play, with other planners beside them",
    )
    .icon(icon::SQUARE_SPLIT_HORIZONTAL)
    .label("Side by side…")
    .tip("Watch these planners and, beside them, others on the same level with the same seed"),
    match_command(
        SetupCommand::Championship,
        &[key(KeyCode::KeyC)],
        "Championship, in games for several: begin four matches from the selected level on, or continue",
    )
    .icon(icon::TROPHY)
    .label("Championship")
    .tip("Four matches against rivals of your strength, from the selected level on, with points for each place"),
    command(SetupCommand::Learn, &[key(KeyCode::KeyH)], "Lesson: learn the game on the board")
        .icon(icon::GRADUATION_CAP)
        .label("Learn")
        .tip("How the game is played, in short steps on the board"),
    match_command(
        SetupCommand::Compare,
        &[key(KeyCode::KeyT)],
        "Tournament, or comparison of solvers, on the selected level",
    )
    .icon(icon::RANKING),
    command(SetupCommand::Edit, &[key(KeyCode::KeyE)], "Level editor, with the selected level")
        .icon(icon::PENCIL_RULER)
        .label("Edit level")
        .tip("Open the level in the editor"),
    command(SetupCommand::Browse, &[key(KeyCode::KeyL)], "Level browser")
        .icon(icon::SQUARES_FOUR)
        .label("All levels…")
        .tip("Find, copy and rename levels"),
    command(SetupCommand::Select(ListMove::Back), &[key(KeyCode::ArrowUp)], SELECT),
    command(SetupCommand::Select(ListMove::On), &[key(KeyCode::ArrowDown)], SELECT),
    command(SetupCommand::Select(ListMove::First), &[key(KeyCode::Home)], SELECT),
    command(SetupCommand::Select(ListMove::Last), &[key(KeyCode::End)], SELECT),
];

/// The keys of the set-up, for help and manual.
pub fn key_group() -> KeyGroup {
    let mut rows = rows(COMMANDS);
    rows.extend(file_drop::keys());
    KeyGroup { title: "Set-up", rows }
}
