//! What the help and the set-up know of a game's board.

use crate::app::requests::MatchConfig;
use crate::app::shell::commands::KeyRow;
use crate::app::shell::theme::Palette;
use bevy::prelude::Resource;
use bevy_egui::egui;

/// How a game is played, for the help.
#[derive(Clone, Copy, Debug)]
pub struct HowToPlay {
    /// Paragraphs.
    pub text: &'static [&'static str],
    /// Draws a picture beside the text.
    pub picture: Option<fn(&egui::Painter, egui::Rect, &Palette)>,
    /// The rows of the game's own keys.
    pub keys: fn() -> Vec<KeyRow>,
}

/// The guide to a game.
#[derive(Clone, Copy, Debug)]
pub struct GameGuide {
    /// Id of the game.
    pub id: &'static str,
    /// What people call the game.
    pub name: &'static str,
    /// How it is played.
    pub how_to_play: &'static HowToPlay,
    /// Whether one person plays alone, with a solver that gives hints.
    pub has_solver: bool,
    /// Sets up the match of a step of its lesson, if there is such a step.
    pub lesson: fn(usize) -> Option<MatchConfig>,
}

/// The guides to all games; the boards fill it.
#[derive(Resource, Default)]
pub struct GameGuides(pub Vec<GameGuide>);

impl GameGuides {
    /// The guide to the game of this id.
    pub fn find(&self, id: &str) -> Option<&GameGuide> {
        self.0.iter().find(|guide| guide.id == id)
    }
}
