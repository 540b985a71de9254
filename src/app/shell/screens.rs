//! The screens of the window, and the order in which a frame is laid out.

use bevy::prelude::*;

/// The screens. Entities of a screen despawn with it (`DespawnOnExit`).
#[derive(States, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Screen {
    /// Assets are loaded.
    #[default]
    Loading,
    /// Some assets are missing; lists them.
    Failed,
    /// The games as cards.
    Menu,
    /// Set-up of a match: level, seats, rules, budget.
    Setup,
    /// A match, and its review.
    Match,
    /// A tournament between planners.
    Tournament,
    /// The level editor.
    Editor,
    /// The level browser.
    Levels,
    /// Settings.
    Settings,
    /// Keys and how to play.
    Help,
}

/// The order of systems that draw panels, all in `EguiPrimaryContextPass`.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pass {
    /// Fonts, colours and sizes.
    Dress,
    /// The screen.
    Screen,
    /// Windows over the screen.
    Over,
}
