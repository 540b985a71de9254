//! What a match is set up with.

use crate::app::shell::Screen;
use bevy::prelude::*;
use outwit_core::platform::time::Duration;
use outwit_core::play::{AllowedPrograms, Budget, Player, TimeControl};
use outwit_headless::GAMES;
use outwit_kit::replay_game;
use outwit_levels::{Entry, Source};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

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
    /// The programs among them that a person has chosen; another one is not started.
    pub programs: AllowedPrograms,
    /// The seed of the match.
    pub seed: u64,
    /// What a planner may spend on a turn.
    pub budget: Budget,
    /// Seconds that a person may think about a move; unlimited if `None`.
    pub clock: Option<u32>,
    /// The time of every seat for the whole match, instead of the two before.
    pub match_time: Option<MatchTime>,
    /// The text of a replay to be watched instead of playing; it says level, seed and seats itself.
    pub replay: Option<Arc<str>>,
    /// The screen to go back to.
    pub back: Screen,
}

/// The time of each seat for a whole match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchTime {
    /// What it starts with, in minutes.
    pub minutes: u32,
    /// What each of its turns adds, in seconds.
    pub increment: u32,
}

impl From<MatchTime> for TimeControl {
    fn from(time: MatchTime) -> Self {
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        TimeControl::Match {
            total: seconds(time.minutes.saturating_mul(60)),
            increment: seconds(time.increment),
        }
    }
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
            .find(|game| game.id() == id)
            .ok_or_else(|| format!("This is a replay of '{id}', a game without a board here."))?;
        let id = game.id();
        Ok(Self {
            game: id,
            level: Entry { id: format!("{id}/{name}"), source: Source::Draft(text.into()) },
            rules: Vec::new(),
            players: Vec::new(),
            programs: AllowedPrograms::default(),
            seed: 0,
            budget: Budget::Work(0),
            clock: None,
            match_time: None,
            replay: Some(text.into()),
            back,
        })
    }
}
