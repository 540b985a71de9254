//! The games, one folder each, and the registry that everything else goes by.

pub mod cops;
mod foreign;
mod kind;
pub mod racetrack;
mod sketch;
pub mod tournament;

pub use kind::{
    BenchRow, Cabinet, Converted, GameKind, KindOf, LevelInfo, Look, PlannerInfo, ReplaySummary,
    Solution, SolveOptions, read_level, read_level_with, replay_game,
};
pub use sketch::{
    Editable, Editing, Place, Sketch, Span, Swatch, Verdict, background, blank, settle,
};

/// A game of the registry.
pub struct Registered {
    /// What can be done with it without a window.
    pub kind: &'static dyn GameKind,
    /// Adds its scene and panel to the window; a game without one is played from the command line.
    #[cfg(feature = "app")]
    pub plugin: Option<fn(&mut bevy::app::App)>,
}

/// All games. A new one is a new folder and one entry here.
pub static GAMES: &[Registered] = &[
    Registered {
        kind: &KindOf::<racetrack::Racetrack>::NEW,
        #[cfg(feature = "app")]
        plugin: Some(racetrack::plugin),
    },
    Registered {
        kind: &KindOf::<cops::Cops>::NEW,
        #[cfg(feature = "app")]
        plugin: Some(cops::plugin),
    },
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

/// The game whose level these bytes look like most, in its own format or a foreign one. A picture
/// that says nothing of itself goes to the first.
pub fn recognise(bytes: &[u8], name: &str) -> Option<&'static dyn GameKind> {
    let mut best = (0.0, None);
    for kind in GAMES.iter().map(|game| game.kind) {
        let likeness = kind.likeness(bytes, name);
        if likeness > best.0 {
            best = (likeness, Some(kind));
        }
    }
    best.1
}
