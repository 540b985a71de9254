//! The window: screens, theme, match screen, sound and settings over the games.

mod command_line;
mod comparison;
mod daily;
pub mod drawing;
pub mod help;
mod keys;
pub mod league;
pub mod level_browser;
pub mod level_editor;
pub mod match_screen;
mod menu;
mod replays;
pub mod requests;
pub mod settings_screen;
pub mod setup;
pub mod shell;
pub(crate) mod start;
pub mod tournament;
#[cfg(target_arch = "wasm32")]
mod web;

pub use command_line::DesktopWindow;
pub use start::{build, run, without_window};
#[cfg(target_arch = "wasm32")]
pub use web::run_in_page;
