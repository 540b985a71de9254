//! The keys of the board.

use crate::app::shell::commands::{self, Chord, Command, KeyRow, block, command, key, note};
use bevy::prelude::KeyCode::*;
use outwit_core::grid::Cell;
use outwit_mnk::MnkAction;

/// What a key does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MnkCommand {
    /// Move the cursor by so many cells.
    Cursor(Cell),
    /// Place a stone at the cursor.
    Place,
    /// Choose something else in an opening.
    Choose(MnkAction),
}

const CURSOR: &str = "Move the cursor";

/// The commands of this board, in the order of the help.
pub const COMMANDS: &[Command<MnkCommand>] = &[
    command(MnkCommand::Cursor(Cell::new(0, -1)), &[key(ArrowUp), block(KeyW)], CURSOR),
    command(MnkCommand::Cursor(Cell::new(-1, 0)), &[key(ArrowLeft), block(KeyA)], CURSOR),
    command(MnkCommand::Cursor(Cell::new(0, 1)), &[key(ArrowDown), block(KeyS)], CURSOR),
    command(MnkCommand::Cursor(Cell::new(1, 0)), &[key(ArrowRight), block(KeyD)], CURSOR),
    command(MnkCommand::Place, &[key(Enter), key(NumpadEnter)], "Place a stone at the cursor"),
    choose(MnkAction::Swap, &[key(KeyX)], "Swap", "In a swap opening: swap"),
    choose(MnkAction::Keep, &[key(KeyP)], "Keep", "In a swap opening: keep your stones"),
    choose(
        MnkAction::TwoMore,
        &[key(KeyC)],
        "Two more",
        "In a swap2 opening: place two more stones",
    ),
];

const fn choose(
    action: MnkAction,
    keys: &'static [Chord],
    label: &'static str,
    help: &'static str,
) -> Command<MnkCommand> {
    command(MnkCommand::Choose(action), keys, help).label(label).tip(label)
}

/// The rows of the help.
pub fn rows() -> Vec<KeyRow> {
    let mut rows = vec![note("Click", "Place a stone")];
    rows.extend(commands::rows(COMMANDS));
    rows
}
