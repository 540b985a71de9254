//! Outwit without its window.
//!
//! - [`registry`]: the list of games
//! - [`editor`]: the model of the level editor
//! - [`cli`]: the sub-commands
//! - [`contest`]: contests of programs, in a folder
//! - [`report`]: tournaments, comparisons and exercises as pages of HTML

pub mod cli;
pub mod contest;
pub mod editor;
pub mod link;
pub mod registry;
pub mod report;
mod shell_word;

pub use registry::{GAMES, NoLevel, UnknownGame, find, level_endings, recognise, recognise_or_say};
