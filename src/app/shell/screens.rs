//! The order in which a frame is computed and laid out.

use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

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
    /// Keys that open help over any screen.
    Keys,
    /// Help and settings over any screen. Only one is open at a time.
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
        (Pass::Dress, Pass::Screen, Pass::Over, Pass::Keys, Pass::Modal, Pass::Notices).chain(),
    )
    .configure_sets(EguiPrimaryContextPass, Pass::Screen.ambiguous_with(Pass::Screen))
    .configure_sets(EguiPrimaryContextPass, Pass::Modal.ambiguous_with(Pass::Modal));
}
