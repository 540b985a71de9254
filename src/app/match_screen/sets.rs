//! The order of the systems of the match screen.

use bevy::prelude::SystemSet;

/// The steps of a frame of the match screen, in this order.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MatchSet {
    /// Keys and requests.
    Input,
    /// The match and its animation move on.
    Advance,
    /// Features follow it.
    Follow,
    /// Results and pictures are kept.
    Record,
    /// Entities follow.
    Draw,
}
