//! The panel of a race.
use bevy::prelude::*;
pub fn plugin(_app: &mut App) {}
