//! What a game tells the match screen: how it looks, sounds and is handled.

use super::board::{BoardSpec, Cue, Input, Reply};
use super::canvas::{Canvas, Visuals};
use super::hint::Hint;
use super::lesson::LessonStep;
use super::piece::{BoardPiece, PieceLook, Tweens};
use super::shown::Shown;
use super::trial::Trial;
use crate::app::drawing::{Detail, Terrain, plain_terrain};
use crate::app::match_screen::analysis::line::LinePart;
use crate::app::shell::theme::{DARK, LIGHT};
use crate::app::shell::widgets::counted;
use bevy::math::Vec2;
use bevy::prelude::App;
use bevy_egui::egui;
use outwit_core::grid::Grid;
use outwit_core::levels::capitalised;
use outwit_core::play::{Outcome, Seat};
use outwit_kit::{GameSpec, TileStyle};
use std::sync::Arc;

/// How a game looks and is handled on the match screen.
///
/// Only the first four items are required. What is drawn goes through [`pieces`](Self::pieces) and
/// [`terrain`](Self::terrain), which become entities and are asked for only when something changes,
/// and through [`paint`](Self::paint), which draws trails, choices and overlays in every frame that
/// is drawn.
pub trait GameView: GameSpec {
    /// The board's own state during a match: a selection, a plan in the making, tables being
    /// computed, caches.
    type Ui: Send + Sync + 'static;

    /// What never changes about the board.
    const BOARD: BoardSpec = BoardSpec::PLAIN;

    /// The steps in which a newcomer learns the game; none where there is no lesson.
    const LESSON: &'static [LessonStep<Self>] = &[];

    /// The board's state when a match begins; must not block.
    fn ui(game: &Arc<Self>) -> Self::Ui;

    /// Columns and rows of the board.
    fn extent(game: &Self) -> (usize, usize);

    /// Which cells of a level are part of the place, for the lines between them.
    fn inside(level: &Self::Level) -> Grid<bool> {
        (Self::MAPS.looks)(level, None).map(|&look| look != TileStyle::Void)
    }

    /// All pieces in a state; `past` are the states before, the oldest first.
    fn pieces(game: &Self, past: &[Self::State], state: &Self::State) -> Vec<BoardPiece>;

    /// Changes how pieces move in the turn that follows `state`. Without it they go straight from
    /// where they are to where they will be.
    fn tweens(
        _game: &Self,
        _state: &Self::State,
        _events: &[Self::Event],
        _after: &Self::State,
        _tweens: &mut Tweens,
    ) {
    }

    /// The still terrain of a level, which need not be playable, in the dark or the light theme.
    fn terrain(level: &Self::Level, dark: bool, _detail: Detail) -> Terrain {
        plain_terrain(&(Self::MAPS.looks)(level, None), if dark { &DARK } else { &LIGHT })
    }

    /// What the level editor shows on the terrain for a tile, where the board has a drawing for it.
    fn tile_look(_symbol: char) -> Option<PieceLook> {
        None
    }

    /// Adds systems and observers that take care of the board's kinds of pieces.
    fn plugin(_app: &mut App) {}

    /// By which share of its time more the turn that led to a state is worth being shown to those who watch,
    /// because much is at stake in it.
    fn tension(_game: &Self, _state: &Self::State) -> f32 {
        0.0
    }

    /// Upper left and lower right corner of what matters in a state, for a camera that follows it; without it,
    /// it follows a piece.
    fn focus(_game: &Self, _state: &Self::State) -> Option<(Vec2, Vec2)> {
        None
    }

    /// How an event is marked on the timeline, how it sounds, and how long it takes; `name` gives
    /// what people call a seat.
    fn cue(_game: &Self, _event: &Self::Event, _name: &dyn Fn(Seat) -> String) -> Cue {
        Cue::default()
    }

    /// Whether a seat has nothing more to choose in a match that goes on, such as a car that left the track.
    fn is_out(_game: &Self, _state: &Self::State, _seat: Seat) -> bool {
        false
    }

    /// How far a match is after so many turns, by what people [count](BoardSpec::moment) it by.
    fn moment(_game: &Self, _state: &Self::State, turns: usize) -> usize {
        turns
    }

    /// What stands beside a seat's name, such as its speed.
    fn standing(_shown: &Shown<Self>, _seat: Seat) -> String {
        String::new()
    }

    /// The result of a match in one sentence; `name` gives what people call a seat.
    fn headline(
        _game: &Self,
        _state: &Self::State,
        outcome: &Outcome,
        _name: &dyn Fn(Seat) -> String,
    ) -> String {
        capitalised(&outcome.headline)
    }

    /// One line on what a person should do now.
    fn prompt(_shown: &Shown<Self>, _ui: &mut Self::Ui) -> String {
        String::new()
    }

    /// A hint for the person to move, to be drawn and read step by step. `line` is what the
    /// [solver](BoardSpec::solver) of the board would do from here to the end; empty without one.
    fn hint(
        shown: &Shown<Self>,
        _ui: &Self::Ui,
        line: &[Self::Action],
    ) -> Option<Hint<Self::Action>> {
        let first = line.first()?;
        let (words, turns) = (shown.game().action_words(first), counted(line.len() as u64, "turn"));
        let steps = [
            "There is a way to the end.".into(),
            format!("It takes {turns}."),
            format!("The solver would {words}: {turns} to the end."),
        ];
        Some(Hint { action: first.clone(), look: Vec::new(), steps })
    }

    /// What to say of the move that a person tried last, where the level is a problem with a known answer.
    fn trial(_shown: &Shown<Self>, _ui: &Self::Ui) -> Option<Trial> {
        None
    }

    /// Where a line of a seat's actions leads from a state. Drawn by the analysis.
    fn line_parts(
        _game: &Self,
        _state: &Self::State,
        _seat: Seat,
        _line: &[Self::Action],
    ) -> Vec<LinePart> {
        Vec::new()
    }

    /// Draws what is not an entity: trails, choices, overlays.
    fn paint(_canvas: &mut Canvas, _shown: &Shown<Self>, _ui: &mut Self::Ui) {}

    /// Answers to what a person does to the board.
    fn input(_input: Input, _shown: &Shown<Self>, _ui: &mut Self::Ui) -> Reply<Self::Action> {
        Reply::Ignored
    }

    /// The game's own part of the side panel. Returns what a person chose there.
    fn panel(
        _panel: &mut egui::Ui,
        _look: &Visuals,
        _shown: &Shown<Self>,
        _ui: &mut Self::Ui,
    ) -> Option<Self::Action> {
        None
    }

    /// The game's own part of the review.
    fn review_panel(_panel: &mut egui::Ui, _shown: &Shown<Self>, _ui: &mut Self::Ui) {}

    /// Whether what the planner of a seat thinks is hidden from the person who plays against it.
    fn is_hidden(_shown: &Shown<Self>, _ui: &Self::Ui, _seat: Seat) -> bool {
        false
    }
}
