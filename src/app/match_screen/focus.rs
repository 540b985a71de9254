//! Which match panels, review, analysis and keys are about, and where each match stands on the screen.

use bevy::prelude::*;

/// The match that panels, review, analysis and keys are about; one of those on the screen.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Reflect)]
#[reflect(Component)]
pub struct Focused;

/// Where a match stands on the screen: 0 is the left or only one, 1 the one beside it.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Default, Reflect)]
#[reflect(Component)]
pub struct MatchSlot(pub usize);

impl MatchSlot {
    /// What the match is called where two are shown.
    pub fn name(self) -> &'static str {
        ["A", "B"][self.0.min(1)]
    }

    /// The layer on which its board is drawn.
    pub fn layer(self) -> usize {
        self.0
    }
}
