//! The level editor beneath its panels. It names no game: a game's [`Editing`](crate::games::Editing)
//! says what can be derived_rules, what is wrong with it and how it is solved.
//!
//! A [`EditorModel`] holds a level, its [`History`] and what is in the hand; the screen tells it what the
//! pointer does and draws what it holds.

mod change;
mod checker;
mod drafts;
mod files;
mod history;
mod model;
mod pieces;
mod region;
mod shapes;
mod stroke;
mod symmetry;
mod tool;

pub use change::{Change, Field};
pub use checker::{CheckReport, Checker, SolverStatus};
pub use drafts::{Abandoned, Autosave, RecoveredDraft, abandoned};
pub use files::{LevelPath, NotSaved, remove_old, save, stem};
pub use history::{History, HistoryStep};
pub use model::EditorModel;
pub use region::{Block, QuarterTurn, Region};
pub use shapes::Brush;
pub use symmetry::Symmetry;
pub use tool::{Held, TOOLS, Tool, ToolInfo};
