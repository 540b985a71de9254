//! The level editor beneath its panels. It names no game: a game's [`Editing`](crate::games::Editing)
//! says what can be drawn, what is wrong with it and how it is solved.
//!
//! A [`Desk`] holds a level, its [`History`] and what is in the hand; the screen tells it what the
//! pointer does and draws what it holds.

mod change;
mod checker;
mod desk;
mod drafts;
mod files;
mod history;
mod pieces;
mod region;
mod shapes;
mod stroke;
mod symmetry;
mod tool;

pub use change::{Change, Field};
pub use checker::{Answer, Checker, Report};
pub use desk::Desk;
pub use drafts::{Abandoned, Autosave, Draft, abandoned};
pub use files::{LevelPath, NotSaved, save, stem};
pub use history::{History, Step};
pub use region::{Block, Region, Turn};
pub use shapes::Brush;
pub use symmetry::Symmetry;
pub use tool::{Held, TOOLS, Tool, ToolInfo};
