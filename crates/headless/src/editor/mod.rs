//! The model of the level editor. It names no game: a game's [`Editing`](outwit_kit::Editing)
//! supplies its tiles, its checks and its solver.
//!
//! An [`EditorModel`] holds a level, its [`History`] and the selected tool and tile. The screen
//! passes pointer events to it and draws its state.

mod change;
mod checker;
mod drafts;
mod edit_error;
mod files;
mod history;
mod kept_steps;
mod model;
mod picture;
mod pieces;
mod region;
mod shapes;
mod stroke;
mod symmetry;
mod tool;

pub use change::{Change, Field};
pub use checker::{CheckReport, Checker, SolverStatus};
pub use drafts::{AbandonedDraft, Autosave, RecoveredDraft, abandoned};
pub use edit_error::EditError;
pub use files::{LevelPath, RemoveError, SaveError, remove_old, save, stem};
pub use history::{History, HistoryStep};
pub use kept_steps::KeptStep;
pub use model::EditorModel;
pub use picture::{Lattice, MOST_CELL, PictureColour, PictureMap};
pub use region::{Block, BlockTransform, Region};
pub use shapes::Brush;
pub use symmetry::Symmetry;
pub use tool::{ModifierKeys, TOOLS, Tool, ToolInfo};
