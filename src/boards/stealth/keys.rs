//! The keys of the house.

use crate::app::shell::commands::{self, Command, KeyRow, block, command, key, note};
use bevy::prelude::KeyCode::*;
use outwit_stealth::RouteMove;

/// What a key does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RouteCommand {
    /// Draw the path on by a cell, or back; in the fog, go there.
    Step(RouteMove),
    /// Set out along the path.
    Go,
    /// Erase the last cell of the path.
    StepBack,
    /// Erase the path.
    Clear,
}

const STEP: &str = "One cell on, or back";

/// The commands of this board, in the order of the help.
pub const COMMANDS: &[Command<RouteCommand>] = &[
    command(RouteCommand::Step(RouteMove::Up), &[key(ArrowUp), block(KeyW)], STEP),
    command(RouteCommand::Step(RouteMove::Left), &[key(ArrowLeft), block(KeyA)], STEP),
    command(RouteCommand::Step(RouteMove::Down), &[key(ArrowDown), block(KeyS)], STEP),
    command(RouteCommand::Step(RouteMove::Right), &[key(ArrowRight), block(KeyD)], STEP),
    command(RouteCommand::Go, &[key(Enter), key(NumpadEnter)], "Set out along the path")
        .label("Go"),
    command(RouteCommand::StepBack, &[key(Backspace)], "Erase the last cell of the path"),
    command(RouteCommand::Clear, &[key(Delete)], "Erase the path").label("Clear"),
];

/// The rows of the help.
pub fn rows() -> Vec<KeyRow> {
    let mut rows = vec![
        note("Drag", "Draw the path; drag back to erase it"),
        note("Click", "On floor: draw the path there. On the path: end it there"),
    ];
    rows.extend(commands::rows(COMMANDS));
    rows
}
