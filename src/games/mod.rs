//! The games, one folder each, and the registry that everything else goes by.

pub mod comparison;
pub mod cops;
mod editing;
mod exploit;
mod formats;
pub mod mnk;
pub mod pukoban;
pub mod racetrack;
mod reading;
mod registry;
mod spec;
pub mod stealth;
pub mod tournament;
pub mod trace;

pub use comparison::{ComparisonRow, compare, csv as comparison_csv};
pub use editing::{
    EditableGame, Editing, Footprint, LevelDraft, Placement, TileKind, Verdict, background, blank,
    changed, clear_misplaced, piece_and_ground,
};
pub use exploit::{Exploit, ExploitRow};
pub use reading::{AnyLevel, read_level, read_level_with, read_replay, replay_game};
pub use registry::{
    DynGame, Erased, GAMES, Registered, find, level_endings, recognise, recognise_or_say,
};
pub use spec::{
    AnalyseOptions, AnalysedPosition, BenchRow, CollectionEntry, Converted, GameSpec, LevelInfo,
    Opponent, PlannerInfo, PlayedMoves, ReplaySummary, ResponderSpec, SearchEnd, SearchFigures,
    SearchLimits, Solution, SolveOptions, TileStyle,
};
