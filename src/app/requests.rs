//! What screens ask of one another: plain data that one screen leaves and another finds when it is
//! entered. It builds on nothing else of the window, so that no screen needs to know another.

use bevy::prelude::*;
use outwit_core::platform::time::Duration;
use outwit_core::play::{AllowedPrograms, BANK, Budget, Place, Player, TimeControl};
use outwit_headless::cli::{MatchArgs, Wanted};
use outwit_headless::{GAMES, link};
use outwit_kit::exercise::Exercise;
use outwit_kit::replay_game;
use outwit_levels::{Entry, Source};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// The screens. Entities of a screen despawn with it (`DespawnOnExit`).
#[derive(States, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Screen {
    /// Assets are loaded.
    #[default]
    Loading,
    /// Some assets are missing; lists them.
    Failed,
    /// The games as cards.
    Menu,
    /// Set-up of a match: level, seats, rules, budget.
    Setup,
    /// A match, and its review.
    Match,
    /// A tournament between planners.
    Tournament,
    /// The comparison of searches.
    Comparison,
    /// The league: its planners, its levels, its table.
    League,
    /// The level editor.
    Editor,
    /// The level browser.
    Levels,
    /// The replays, those saved and those of the latest matches.
    Replays,
    /// The levels of the day.
    Daily,
    /// Settings.
    Settings,
    /// Keys and how to play.
    Help,
}

/// The window over the screen.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Modal {
    /// Nothing.
    #[default]
    None,
    /// Keys and how to play.
    Help,
    /// Settings.
    Settings,
}

/// What the command line wants of the window.
#[derive(Resource, Clone, Debug, Default)]
pub struct Launch {
    /// Go straight to this match.
    pub play: Option<MatchConfig>,
    /// Go straight to the editor, with this level if one is named.
    pub edit: Option<Option<Entry>>,
    /// What could not be opened, and why; said at the start.
    pub problem: Option<String>,
    /// Measure the frames of the editor, then leave.
    pub measure: bool,
    /// Take a picture into this file at this turn of the match, then leave.
    pub screenshot: Option<(PathBuf, usize)>,
}

impl Launch {
    /// The window that a command line or a link wants.
    ///
    /// # Errors
    /// If it is a replay of no game that has a board.
    pub fn of(wanted: Wanted) -> Result<Self, NoReplay> {
        let launch = Self::default();
        Ok(match wanted {
            Wanted::Menu => launch,
            Wanted::Message(problem) => Self { problem: Some(problem), ..launch },
            Wanted::Editor(level) => Self { edit: Some(level), ..launch },
            Wanted::EditorBench => Self { edit: Some(None), measure: true, ..launch },
            Wanted::Match(wanted) => Self { play: Some(wanted.into()), ..launch },
            Wanted::Exercise(exercise, wanted) => {
                let exercise = Some(Arc::from(exercise));
                Self { play: Some(MatchConfig { exercise, ..wanted.into() }), ..launch }
            }
            Wanted::Replay { name, text } => {
                Self { play: Some(MatchConfig::watching(&text, &name, Screen::Menu)?), ..launch }
            }
        })
    }

    /// The window that a link wants, given without its `#`.
    ///
    /// # Errors
    /// What is wrong with the link, as a sentence.
    pub fn of_link(link: &str) -> Result<Self, String> {
        link::open(link)
            .and_then(|wanted| Self::of(wanted).map_err(|why| why.to_string()))
            .map_err(|why| format!("The link cannot be opened: {why}."))
    }

    /// Goes where it leads.
    pub fn enter(self, commands: &mut Commands, next: &mut NextState<Screen>) {
        match (self.play, self.edit) {
            (Some(config), _) => {
                commands.insert_resource(config);
                next.set(Screen::Match);
            }
            (None, Some(level)) => {
                commands.insert_resource(OpenInEditor(level));
                next.set(Screen::Editor);
            }
            (None, None) => next.set(Screen::Menu),
        }
    }
}

/// The id of the game to set up.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChosenGame(pub &'static str);

/// The level that the set-up starts with, if it belongs to the chosen game.
#[derive(Resource, Clone, PartialEq, Eq, Debug)]
pub struct ChosenLevel(pub Entry);

/// What is proved to be the best result on the level that the editor has open, in words.
#[derive(Resource, Clone, PartialEq, Eq, Debug, Default)]
pub struct BestKnown(pub Option<String>);

/// A level that the editor opens when it is entered.
#[derive(Resource, Clone, Debug, Default)]
pub struct OpenInEditor(pub Option<Entry>);

/// Levels were added to the user's own, from a file or the clipboard.
#[derive(Message, Clone, Debug)]
pub struct LevelsAdded {
    /// Id of their game.
    pub game: &'static str,
    /// Id of the first of them.
    pub id: String,
    /// File of the first of them.
    pub file: PathBuf,
}

/// The order of the levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LevelOrder {
    /// In the order in which people meet them: the built-in ones from easy to hard, then the user's own.
    #[default]
    Difficulty,
    /// By name.
    Name,
    /// Largest first.
    Size,
    /// The user's own first, latest changes first.
    Newest,
    /// Levels with a result first, best results first.
    Best,
}

/// Filter, order and selection, which stay while the user is on another screen.
#[derive(Resource, Clone, Debug)]
pub struct Browse {
    /// The game whose levels are shown; `None` for all games.
    pub game: Option<&'static str>,
    /// Their order.
    pub order: LevelOrder,
    /// Whether the bin is shown.
    pub bin: bool,
    /// The selected level.
    pub chosen: Option<Entry>,
    /// The screen to go back to.
    pub back: Screen,
}

impl Default for Browse {
    fn default() -> Self {
        Self {
            game: None,
            order: LevelOrder::default(),
            bin: false,
            chosen: None,
            back: Screen::Menu,
        }
    }
}

/// The tournament that the set-up asks for, read when [`Screen::Tournament`] is entered.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct TournamentConfig {
    /// Id of the game.
    pub game: &'static str,
    /// The level.
    pub level: Entry,
    /// Rules to set before play, as key and text of the value.
    pub rules: Vec<(String, String)>,
}

/// The league is to show its next match as soon as [`Screen::League`] is entered.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StartLeague(pub bool);

/// The match is to show its analysis as soon as [`Screen::Match`] is entered.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StartAnalysis(pub bool);

/// The match is to ask for another line-up beside it as soon as [`Screen::Match`] is entered.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StartBeside(pub bool);

/// The turn that the next match shows first, as soon as [`Screen::Match`] is entered.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StartTurn(pub Option<usize>);

/// A series of matches that is watched, such as a league. Who runs it leaves this; the match screen shows it
/// beside its match and says with [`SeriesEvent`] what becomes of that.
#[derive(Resource, Clone, PartialEq, Debug)]
pub struct Series {
    /// What it is called.
    pub title: &'static str,
    /// Where in the series the match is, such as "Round 2, match 3 of 12".
    pub about: String,
    /// Its present match.
    pub config: MatchConfig,
    /// The heads of the columns of its table, after the names.
    pub columns: &'static [&'static str],
    /// Its table, the best first.
    pub lines: Vec<SeriesLine>,
    /// What to say of the table, if anything.
    pub note: String,
    /// The next match in words; empty before the end of the present one, and where there is none.
    pub next: String,
    /// Whether a person plays in it: then the next match waits, and nothing is taken back.
    pub is_played: bool,
    /// Whether a match can be skipped.
    pub can_skip: bool,
    /// How the series ended, once it did.
    pub verdict: Option<String>,
}

/// A line of the table of a series.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SeriesLine {
    /// The title above it, where a part of the table begins.
    pub heading: Option<String>,
    /// Whose line it is.
    pub name: String,
    /// What stands in its columns.
    pub cells: Vec<String>,
    /// How many places it has gained by the last match; fewer than none if it has lost some.
    pub moved: isize,
    /// Whether it plays the present match.
    pub plays: bool,
    /// Whether it is the favourite.
    pub favourite: bool,
    /// Whether it rests on too few matches to say much.
    pub few: bool,
}

/// A championship that was begun and is not over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenChampionship {
    /// The id of its game.
    pub game: &'static str,
    /// The next race and its track, such as "Race 3 of 4: Delta".
    pub next: String,
    /// How the person stands, such as "You are second with 16 points."
    pub standing: String,
}

/// The championships that wait for their next race, at most one of each game.
#[derive(Resource, Clone, PartialEq, Eq, Debug, Default)]
pub struct OpenChampionships(pub Vec<OpenChampionship>);

/// What becomes of the matches of a series.
#[derive(Message, Clone, PartialEq, Debug)]
pub enum SeriesEvent {
    /// The end of the present match was shown: how each seat ended.
    Ended(Vec<Place>),
    /// The next match is wanted, be the present one over or not.
    Next,
    /// The present match cannot begin.
    Failed(String),
    /// This match, which is over and ended so, is to be the first of a best of five.
    BestOfFive(Box<MatchConfig>, Vec<Place>),
    /// The championship of the game of this match is to go on; without one it begins on the level of the match.
    Championship(Box<MatchConfig>),
    /// The championship of the game with this id is not to go on.
    DiscardChampionship(&'static str),
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
    /// The programs among them that a person has chosen; another one is not started.
    pub programs: AllowedPrograms,
    /// The seed of the match.
    pub seed: u64,
    /// What a planner may spend on a turn.
    pub budget: Budget,
    /// What a program may take beyond that, in the whole match; `None` if it has all the time it wants.
    pub bank: Option<Duration>,
    /// Seconds that a person may think about a move; unlimited if `None`.
    pub clock: Option<u32>,
    /// The time of every seat for the whole match, instead of the two before.
    pub match_time: Option<MatchTime>,
    /// The text of a replay to be watched instead of playing; it says level, seed and seats itself.
    pub replay: Option<Arc<str>>,
    /// The exercise on a search that it is opened for, if it is.
    pub exercise: Option<Arc<Exercise>>,
    /// The step of the game's lesson that it is, if it is one.
    pub lesson: Option<usize>,
    /// The day since 1970 whose level of the day it is played on, if it is.
    pub daily: Option<u64>,
    /// The planners of a second match on the same level with the same seed that is shown beside it, if one is.
    pub beside: Option<Vec<Player>>,
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

/// Why a text cannot be watched as a replay.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoReplay {
    /// It names no game.
    #[error("This is not a replay of Outwit: it names no game.")]
    NoGame,
    /// There is no board for the game of this id.
    #[error("This is a replay of '{0}', a game without a board here.")]
    NoBoard(String),
}

impl From<MatchArgs> for MatchConfig {
    fn from(wanted: MatchArgs) -> Self {
        Self {
            players: wanted.players,
            programs: wanted.programs,
            seed: wanted.seed,
            budget: wanted.budget,
            bank: wanted.bank,
            beside: wanted.beside,
            ..Self::new(wanted.game, wanted.level)
        }
    }
}

impl MatchConfig {
    /// A match on a level as it is, with the default budget, seed 1 and nobody seated yet; the set-up is behind it.
    pub fn new(game: &'static str, level: Entry) -> Self {
        Self {
            game,
            level,
            rules: Vec::new(),
            players: Vec::new(),
            programs: AllowedPrograms::default(),
            seed: 1,
            budget: Budget::default(),
            bank: Some(BANK),
            clock: None,
            match_time: None,
            replay: None,
            exercise: None,
            lesson: None,
            daily: None,
            beside: None,
            back: Screen::Setup,
        }
    }

    /// What to set up to watch a replay; all that is said of the match itself is taken from it when
    /// the match screen is entered.
    ///
    /// # Errors
    /// If the text is a replay of no game that has a board.
    pub fn watching(text: &str, name: &str, back: Screen) -> Result<Self, NoReplay> {
        let id = replay_game(text.as_bytes()).ok_or(NoReplay::NoGame)?;
        let game = GAMES.iter().find(|game| game.id() == id).ok_or(NoReplay::NoBoard(id))?;
        let id = game.id();
        let level = Entry { id: format!("{id}/{name}"), source: Source::Draft(text.into()) };
        Ok(Self { replay: Some(text.into()), back, ..Self::new(id, level) })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
impl MatchConfig {
    /// A match of these players on a built-in level, for tests.
    pub fn on_level(level: &str, players: &[&str]) -> Self {
        let (game, _) = level.split_once('/').unwrap();
        Self {
            players: players.iter().map(|&name| name.into()).collect(),
            seed: 5,
            budget: Budget::Work(2_000),
            ..Self::new(
                outwit_headless::find(game).unwrap().id(),
                outwit_levels::built_in(level).unwrap(),
            )
        }
    }
}
