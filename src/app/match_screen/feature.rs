//! What a feature brings with it, so that the match screen need not know it.

use super::command_table::MatchEntry;
use bevy::prelude::App;

/// A feature of the match screen.
pub struct Feature {
    /// Adds its systems, its component on matches and its sections of the screen.
    pub plugin: fn(&mut App),
    /// The entries of commands that are its own: they have keys, help and, where they are allowed, a button in the
    /// panel of the match.
    pub commands: &'static [&'static MatchEntry],
}
