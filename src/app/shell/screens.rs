//! The screens of the window, and the order in which a frame is laid out.

use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

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
    /// The comparison of searches.
    Comparison,
    /// The level editor.
    Editor,
    /// The level browser.
    Levels,
    /// Settings.
    Settings,
    /// Keys and how to play.
    Help,
}

/// The order of systems in `Update`, so that no two of them may run in either order.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Frame {
    /// The window's own keys and size.
    Window,
    /// Loading assets.
    Loading,
    /// Going from screen to screen.
    Navigation,
    /// Files dropped on the window.
    Files,
    /// The level editor.
    Editor,
    /// The match; see `MatchSet`.
    Match,
    /// Notices and sounds that the others asked for.
    Report,
}

/// The order of systems that draw panels, all in `EguiPrimaryContextPass`.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pass {
    /// Fonts, colours and sizes.
    Dress,
    /// The screen. Only one is shown at a time.
    Screen,
    /// What a screen shows over itself.
    Over,
    /// Help and settings over any screen.
    Modal,
    /// Notices over everything.
    Notices,
}

/// Puts the sets of `Update` and of `EguiPrimaryContextPass` in the order in which they are declared.
pub fn plugin(app: &mut App) {
    app.configure_sets(
        Update,
        (
            Frame::Window,
            Frame::Loading,
            Frame::Navigation,
            Frame::Files,
            Frame::Editor,
            Frame::Match,
            Frame::Report,
        )
            .chain(),
    )
    .configure_sets(
        EguiPrimaryContextPass,
        (Pass::Dress, Pass::Screen, Pass::Over, Pass::Modal, Pass::Notices).chain(),
    )
    .configure_sets(EguiPrimaryContextPass, Pass::Screen.ambiguous_with(Pass::Screen));
}
