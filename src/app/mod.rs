//! The window: screens, theme, match screen, sound and settings over the games.

mod command_line;
mod comparison;
pub mod help;
pub mod level_browser;
pub mod level_editor;
pub mod match_screen;
mod menu;
pub mod settings_screen;
pub mod setup;
pub mod shell;
mod start;
pub mod tournament;

pub use command_line::DesktopWindow;
pub use start::{build, run, without_window};

use bevy::prelude::*;
use match_screen::MatchConfig;
use outwit_levels::Entry;
use std::path::PathBuf;

/// What the command line wants of the window.
#[derive(Resource, Clone, Debug, Default)]
pub struct Launch {
    /// Go straight to this match.
    pub play: Option<MatchConfig>,
    /// Go straight to the editor, with this level if one is named.
    pub edit: Option<Option<Entry>>,
    /// Measure the frames of the editor, then leave.
    pub measure: bool,
    /// Take a picture into this file at this turn of the match, then leave.
    pub screenshot: Option<(PathBuf, usize)>,
}
