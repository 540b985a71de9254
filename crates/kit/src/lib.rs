//! What Outwit says of a game without its types, and what every game can have from it.
//!
//! - [`GameSpec`]: what a game brings beside its rules
//! - [`DynGame`]: a game without its types, for whatever treats all games alike
//! - reading, formats, [`trace`]: level files, foreign formats, replays, traces
//! - [`tournament`], [`league`], [`comparison`]: planners and searches side by side
//! - [`exercise`]: questions about searches, for lessons

mod batch;
mod commentary;
pub mod comparison;
mod csv;
mod dyn_game;
mod dyn_position;
mod dyn_referee;
mod editing;
mod erased;
pub mod exercise;
mod exploit;
mod facts;
mod foreign_maps;
mod formats;
mod game_tree;
pub mod league;
mod maps;
mod palette;
mod perfect_play;
mod planes;
mod programs;
mod random;
mod reading;
mod search_name;
mod solving;
mod spec;
mod tiles;
pub mod tournament;
pub mod trace;
mod worth;

pub use batch::{
    BatchArrays, BatchLayout, CostToGo, DynBatch, FindCostToGo, MakeBatch, Number, NumberedPlay,
    NumberedStep, RewardKind, new_batch,
};
pub use commentary::{
    Commentary, CommentarySpec, Expectation, Outlook, OutlookAfter, Remark, RemarksOn, Swing,
    commentary, heaviest, highlights, turning_points,
};
pub use comparison::{ComparisonError, ComparisonRow, compare, csv as comparison_csv};
pub use csv::{columns, plain_cell};
pub use dyn_game::DynGame;
pub use dyn_position::DynPosition;
pub use dyn_referee::DynReferee;
pub use editing::{Editing, LevelDraft, Verdict, level_of};
pub use erased::Erased;
pub use exploit::{Exploit, ExploitError, ExploitRow, RESPONDER, responder_seat, with_responder};
pub use facts::GameFacts;
pub use foreign_maps::{
    ForeignMap, ForeignTile, MAP_CONTENT, MAP_ENDINGS, far_apart, farthest, largest_area,
    map_score, read_map,
};
pub use formats::{
    ExportError, foreign_pixels, guessed_encoding, plain as plain_level, read as read_foreign,
    tile_of_colour, title_of,
};
pub use game_tree::{GameTree, GameTreeSpec, RecordTree};
pub use maps::{
    ForeignFormats, Generator, GeneratorOptions, MapSpec, MatchRecord, ReadFormat, Recorded,
    level_faults, map_faults, map_faults_with,
};
pub use palette::{offered_tiles, tile_key};
pub use perfect_play::{is_solvable, review};
pub use planes::{BoardPlanes, Canvas, Plane, PlaneSpec};
pub use programs::{AskedPosition, Trial, TrialCheck, TrialMatch, TrialOptions};
pub use random::random_planner;
pub use reading::{
    AnyLevel, FaultyLevel, is_replay, read_any, read_level, read_replay, replay_game, with_rules,
};
pub use search_name::{SearchName, SearchNameError, WEIGHTS};
pub use solving::{
    ParetoFront, ParetoPoint, Solution, SolveOptions, SolveProgress, UnlimitedMemory,
};
pub use spec::{
    AnalyseOptions, AnalysedPosition, CollectionEntry, Converted, EngineProtocol, GameInfo,
    GameSpec, LevelInfo, MakeResponder, Notation, Opponent, PlannerInfo, PlayedMoves,
    RecordedMatch, ReplayInfo, ReplaySummary, ResponderSpec, SearchEnd, SearchFigures,
    SearchLimits, Searches, SolverSpec, StreamSearch, Tables, WorthSpec,
};
pub use tiles::{
    Footprint, Placement, TileKind, TileStyle, background, blank, changed, clear_misplaced,
    look_of, piece_and_ground, unknown_tiles,
};
pub use worth::one_ply_planner;
