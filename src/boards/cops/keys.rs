//! The keys of the plan.

use crate::app::shell::commands::{self, Chord, Command, KeyRow, block, command, key, note};
use bevy::prelude::KeyCode::*;
use outwit_cops::rules::Step;

/// What changes the plan or ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanCommand {
    /// Add a step for the chosen player.
    Add(Step),
    /// Choose the cop before.
    PreviousCop,
    /// Choose the next cop.
    NextCop,
    /// Take back the last step of the chosen player.
    TakeBack,
    /// Throw all steps away.
    Clear,
    /// Carry the plan out.
    Go,
}

const ADD: &str = "Add a step up, left, down, right to the plan";
const COP: &str = "Previous, next cop";

/// All of them; a key of the number pad lies in its direction.
pub const COMMANDS: &[Command<PlanCommand>] = &[
    add(Step::Up, &[block(KeyW), key(Numpad8)], ADD),
    add(Step::Left, &[block(KeyA), key(Numpad4)], ADD),
    add(Step::Down, &[block(KeyS), key(Numpad2)], ADD),
    add(Step::Right, &[block(KeyD), key(Numpad6)], ADD),
    add(Step::Stay, &[block(KeyX), key(Numpad5)], "Add a tick of staying"),
    command(PlanCommand::PreviousCop, &[block(KeyQ)], COP),
    command(PlanCommand::NextCop, &[block(KeyE)], COP),
    command(PlanCommand::TakeBack, &[key(Backspace)], "Take back the last step"),
    command(PlanCommand::Clear, &[key(Delete)], "Clear the plan").label("Clear"),
    command(PlanCommand::Go, &[key(Enter), key(NumpadEnter)], "Carry the plan out").label("Go"),
];

const fn add(step: Step, keys: &'static [Chord], help: &'static str) -> Command<PlanCommand> {
    command(PlanCommand::Add(step), keys, help)
}

/// The rows of the help.
pub fn rows() -> Vec<KeyRow> {
    let mut rows = commands::rows(COMMANDS);
    rows.insert(2, note("Numpad", "The same: 8 4 2 6, and 5 to stay"));
    rows.push(note("Click", "On a cell: plan a path to it. On a cop: choose it"));
    rows
}
