//! The keys of the warehouse.

use crate::app::shell::commands::{self, Command, KeyRow, block, command, key, note};
use bevy::prelude::KeyCode::*;
use outwit_pukoban::Direction;

/// What a key does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PukobanCommand {
    /// Walk; with Shift pull, or the other way round in pull mode.
    Walk(Direction),
    /// Switch the pull mode.
    PullMode,
    /// Select no box any more.
    Deselect,
}

const WALK: &str = "Walk, and push the box ahead";

/// The commands of this board, in the order of the help.
pub const COMMANDS: &[Command<PukobanCommand>] = &[
    command(PukobanCommand::Walk(Direction::Up), &[key(ArrowUp), block(KeyW)], WALK),
    command(PukobanCommand::Walk(Direction::Left), &[key(ArrowLeft), block(KeyA)], WALK),
    command(PukobanCommand::Walk(Direction::Down), &[key(ArrowDown), block(KeyS)], WALK),
    command(PukobanCommand::Walk(Direction::Right), &[key(ArrowRight), block(KeyD)], WALK),
    command(PukobanCommand::PullMode, &[key(KeyP)], "Pull mode on or off")
        .label("Pull mode")
        .tip("Stepping away from a box pulls it along"),
    command(PukobanCommand::Deselect, &[key(Escape)], "Deselect the box"),
];

/// The rows of the help.
pub fn rows() -> Vec<KeyRow> {
    let mut rows = commands::rows(COMMANDS);
    rows.insert(1, note("Shift+Arrows", "Pull the box behind along; in pull mode, do not"));
    rows.push(note(
        "Click",
        "On floor: walk there. On a box: select it, then click where it should go",
    ));
    rows
}
