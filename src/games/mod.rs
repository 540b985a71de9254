//! The games, one folder each, and the registry that everything else goes by.

pub mod cops;
mod editing;
mod formats;
pub mod racetrack;
mod registry;
pub mod tournament;

pub use editing::{
    EditableGame, Editing, Footprint, LevelDraft, Placement, TileKind, Verdict, background, blank,
    clear_misplaced,
};
pub use registry::{
    AnalyseOptions, AnalysedPosition, BenchRow, Converted, DynGame, Erased, GameSpec, LevelInfo,
    PlannerInfo, ReplaySummary, Solution, SolveOptions, TileStyle, read_level, read_level_with,
    replay_game,
};

/// A game of the registry.
pub struct Registered {
    /// What can be done with it without a window.
    pub kind: &'static dyn DynGame,
}

/// All games. A new one is a new folder and one entry here.
pub static GAMES: &[Registered] = &[
    Registered { kind: &Erased::<racetrack::Racetrack>::NEW },
    Registered { kind: &Erased::<cops::Cops>::NEW },
];

/// The game of this id.
///
/// # Errors
/// Names the games there are.
pub fn find(id: &str) -> Result<&'static Registered, String> {
    GAMES.iter().find(|game| game.kind.id() == id).ok_or_else(|| {
        let ids: Vec<_> = GAMES.iter().map(|game| game.kind.id()).collect();
        format!("there is no game '{id}'; there are {}", ids.join(", "))
    })
}

/// The game whose level these bytes look like most, in its own format or a formats one. A picture
/// that says nothing of itself goes to the first.
pub fn recognise(bytes: &[u8], name: &str) -> Option<&'static dyn DynGame> {
    let mut best = (0.0, None);
    for kind in GAMES.iter().map(|game| game.kind) {
        let format_score = kind.format_score(bytes, name);
        if format_score > best.0 {
            best = (format_score, Some(kind));
        }
    }
    best.1
}
