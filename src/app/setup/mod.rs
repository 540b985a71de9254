//! The set-up of a match: level, seats, rules, budget. It names no game.
use bevy::prelude::*;

/// Id of the game that is set up.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChosenGame(pub &'static str);

/// Shows the set-up.
pub fn plugin(_app: &mut App) {}
