//! The window, as far as the command line knows it, and what it is asked to open and to draw.

use super::eprint_line;
use super::film::{FilmStep, WantedFilm};
use clap::ValueEnum;
use outwit_bench::BenchRow;
use outwit_core::play::{AllowedPrograms, Budget, Player};
use outwit_kit::exercise::Exercise;
use outwit_levels::Entry;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// What the command line asks the window to open with.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// The menu.
    Menu,
    /// The menu, with this message.
    Message(String),
    /// The level editor, with this level if there is one.
    Editor(Option<Entry>),
    /// The level editor, to measure its frames and leave.
    EditorBench,
    /// A match.
    Match(MatchArgs),
    /// An exercise on a search, and the match from whose start the search goes.
    Exercise(Box<Exercise>, MatchArgs),
    /// A replay.
    Replay {
        /// The name of the file, without its extension.
        name: String,
        /// The content of the file.
        text: String,
    },
}

/// A match as the command line asks for it.
#[derive(Clone, Debug)]
pub struct MatchArgs {
    /// Id of the game.
    pub game: &'static str,
    /// The level.
    pub level: Entry,
    /// Who sits where.
    pub players: Vec<Player>,
    /// Who sits where in a second match that is shown beside it, if one is: only planners, as in the first.
    pub beside: Option<Vec<Player>>,
    /// The programs among them.
    pub programs: AllowedPrograms,
    /// The seed of the match.
    pub seed: u64,
    /// How much a planner may think per turn.
    pub budget: Budget,
    /// What a program may take beyond that, in the whole match; `None` if it has all the time it wants.
    pub bank: Option<Duration>,
}

/// Where to save a picture of the board, and at which turn.
pub type Picture = (PathBuf, usize);

/// A theme of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PictureTheme {
    /// Dark.
    Dark,
    /// Light.
    Light,
}

/// A level that is to be drawn.
pub struct WantedPicture<'a> {
    /// The id of the game.
    pub game: &'a str,
    /// The level's file.
    pub bytes: &'a [u8],
    /// The name of that file.
    pub name: &'a str,
    /// Whether in the dark theme.
    pub dark: bool,
    /// The width of a cell in pixels.
    pub cell: u16,
}

/// The window, as far as the command line knows it.
pub trait Window {
    /// Opens it and returns when it is closed; with a picture, as soon as that is saved.
    fn open(&self, wanted: Wanted, picture: Option<Picture>) -> ExitCode;

    /// Measures the frames of the match screen, without a window on the screen.
    ///
    /// # Errors
    /// Why it cannot be measured.
    fn measure_match(&self, row: &mut dyn FnMut(BenchRow)) -> Result<(), String>;

    /// Draws a level as the board shows it; returns a PNG file.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    fn draw_level(&self, wanted: &WantedPicture<'_>) -> Result<Vec<u8>, String>;

    /// Draws recorded matches on one level, one after the other, into a file of the first one's kind, and returns
    /// that. Tells each frame before it is drawn.
    ///
    /// # Errors
    /// Why it cannot be drawn, and what to change.
    fn film(
        &self,
        wanted: &[WantedFilm<'_>],
        step: &mut dyn FnMut(FilmStep),
    ) -> Result<Vec<u8>, String>;
}

/// A build without a window: says so.
pub struct NoWindow;

impl Window for NoWindow {
    fn open(&self, _wanted: Wanted, _picture: Option<Picture>) -> ExitCode {
        eprint_line(
            "outwit: this build has no window. Build it with the feature 'app', or see 'outwit --help' \
             for the other commands.",
        );
        ExitCode::from(2)
    }

    fn measure_match(&self, _row: &mut dyn FnMut(BenchRow)) -> Result<(), String> {
        Err("this build has no match screen; build it with the feature 'app'".into())
    }

    fn draw_level(&self, _wanted: &WantedPicture<'_>) -> Result<Vec<u8>, String> {
        Err("this build has no boards; build it with the feature 'app'".into())
    }

    fn film(
        &self,
        _wanted: &[WantedFilm<'_>],
        _step: &mut dyn FnMut(FilmStep),
    ) -> Result<Vec<u8>, String> {
        Err("this build has no boards; build it with the feature 'app'".into())
    }
}
