//! The race on the board.
use bevy::prelude::*;
pub fn plugin(_app: &mut App) {}
