//! The window: screens, theme, match table, sound and settings over the games.

pub mod back;
pub mod browser;
pub mod editor;
pub mod fonts;
pub mod help;
pub mod input;
pub mod keys;
mod load;
mod menu;
pub mod notice;
pub mod overlay;
pub mod pieces;
pub mod preview;
pub mod results;
pub mod settings;
pub mod settings_screen;
pub mod setup;
pub mod sound;
mod start;
mod store;
pub mod table;
pub mod theme;
pub mod tournament;
pub mod widgets;
mod window;

pub use start::{run, shell};

use crate::games::{GAMES, replay_game};
use crate::levels::{Entry, Source};
use crate::play::{Budget, Player};
use bevy::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// What fills the window. What a screen made goes with it (`DespawnOnExit`).
#[derive(States, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Screen {
    /// Assets are loaded.
    #[default]
    Loading,
    /// Assets are missing; says which.
    Failed,
    /// The games as cards.
    Menu,
    /// Level, seats, rules, budget of the chosen game.
    Setup,
    /// A match, and after it its review.
    Match,
    /// Many matches between planners, and their table.
    Tournament,
    /// The level editor.
    Editor,
    /// All levels, with their pictures.
    Levels,
    /// Settings.
    Settings,
    /// Keys and how to play.
    Help,
}

/// The order of systems that draw panels, all in `EguiPrimaryContextPass`.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pass {
    /// Fonts, colours and sizes.
    Dress,
    /// What fills the window.
    Screen,
    /// What lies over it.
    Over,
}

/// The match that the set-up or the command line asks for; read when [`Screen::Match`] is entered.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct MatchConfig {
    /// Id of the game.
    pub game: &'static str,
    /// The level.
    pub level: Entry,
    /// Rules to set before play, as key and text of the value.
    pub rules: Vec<(String, String)>,
    /// Who sits where.
    pub players: Vec<Player>,
    /// The seed of the match.
    pub seed: u64,
    /// What a planner may spend on a turn.
    pub budget: Budget,
    /// Seconds that a person may think about a move; none for as long as one likes.
    pub clock: Option<u32>,
    /// The text of a replay to be watched instead of playing; it says level, seed and seats itself.
    pub replay: Option<Arc<str>>,
    /// The screen to go back to.
    pub back: Screen,
}

impl MatchConfig {
    /// What to set up to watch a replay; all that is said of the match itself is taken from it when
    /// the match screen is entered.
    ///
    /// # Errors
    /// If the text is a replay of no game that has a board.
    pub fn watching(text: &str, name: &str, back: Screen) -> Result<Self, String> {
        let id =
            replay_game(text.as_bytes()).ok_or("This is no replay of Outwit: it names no game.")?;
        let game = GAMES
            .iter()
            .filter(|game| game.plugin.is_some())
            .find(|game| game.kind.id() == id)
            .ok_or_else(|| format!("This is a replay of '{id}', a game without a board here."))?;
        let id = game.kind.id();
        Ok(Self {
            game: id,
            level: Entry { id: format!("{id}/{name}"), source: Source::Draft(text.into()) },
            rules: Vec::new(),
            players: Vec::new(),
            seed: 0,
            budget: Budget::Work(0),
            clock: None,
            replay: Some(text.into()),
            back,
        })
    }
}

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
