//! The screens of the window, and the order in which a frame is laid out.

use bevy::prelude::*;

/// What fills the window. What a screen made goes with it (`DespawnOnExit`).
#[derive(States, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Screen {
    /// Assets are loaded.
    #[default]
    Loading,
    /// Assets are missing; says which.
    Failed,
    /// The games as cards.
    Menu,
    /// Level, seats, rules, budget of the chosen game.
    Setup,
    /// A match, and after it its review.
    Match,
    /// Many matches between planners, and their table.
    Tournament,
    /// The level editor.
    Editor,
    /// All levels, with their pictures.
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
    /// What fills the window.
    Screen,
    /// What lies over it.
    Over,
}
