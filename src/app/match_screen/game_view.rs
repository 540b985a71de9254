//! What a game tells the match screen: how it looks, sounds and is handled.

use super::board::{BoardSpec, Cue, Input, Reply};
use super::canvas::{Canvas, Visuals};
use super::hint::Hint;
use super::lesson::LessonStep;
use super::piece::{BoardPiece, PieceLook, Tweens};
use super::shown::Shown;
use super::trial::Trial;
use crate::app::drawing::{Detail, Sketch, Terrain, plain_terrain};
use crate::app::match_screen::analysis::line::LinePart;
use crate::app::shell::theme::{DARK, LIGHT};
use crate::app::shell::widgets::counted;
use bevy::math::Vec2;
use bevy::prelude::App;
use bevy_egui::egui;
use outwit_core::grid::Grid;
use outwit_core::levels::capitalised;
use outwit_core::play::{Game, Outcome, Seat};
use outwit_kit::{GameSpec, TileStyle};
use std::sync::Arc;

/// How a game looks and is handled on the match screen.
///
/// Only the first four items are required: a board is data, then what only some boards have. What is drawn goes
/// through [`pieces`](Self::pieces) and [`Scenery::terrain`], which become entities and are asked for only when
/// something changes, and through [`paint`](Self::paint), which draws trails, choices and overlays in every frame
/// that is drawn.
pub trait GameView: GameSpec {
    /// The board's own state during a match: a selection, a plan in the making, tables being
    /// computed, caches.
    type Ui: Send + Sync + 'static;

    /// The board's state when a match begins; must not block.
    fn ui(game: &Arc<Self>) -> Self::Ui;

    /// Columns and rows of the board.
    fn extent(game: &Self) -> (usize, usize);

    /// All pieces in a state; `past` are the states before, the oldest first.
    fn pieces(game: &Self, past: &[Self::State], state: &Self::State) -> Vec<BoardPiece>;

    /// What never changes about the board.
    const BOARD: BoardSpec = BoardSpec::PLAIN;

    /// What stands on the board and never moves.
    const SCENERY: Scenery<Self> = Scenery::PLAIN;

    /// How what happens in a turn is seen and heard.
    const EVENTS: EventDisplay<Self> = EventDisplay::PLAIN;

    /// What is worth a closer look to those who watch; `None` where every turn is like the others.
    const WATCHING: Option<Watching<Self>> = None;

    /// What the screen says of a match in the game's own words.
    const WORDS: Words<Self> = Words::PLAIN;

    /// What people who play are told.
    const GUIDANCE: Guidance<Self> = Guidance::PLAIN;

    /// The game's own parts of the side panel.
    const PANELS: Panels<Self> = Panels::PLAIN;

    /// Adds systems and observers that take care of the board's kinds of pieces.
    fn plugin(_app: &mut App) {}

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
}

/// What people call a seat.
pub type SeatName<'a> = &'a dyn Fn(Seat) -> String;

/// Draws light on the ground of a level; dark or light.
pub type Light<G> = fn(&G, bool, Detail) -> Sketch;

/// What stands on a board and never moves.
pub struct Scenery<G: GameView> {
    /// Which cells of a level are part of the place, for the lines between them.
    pub inside: fn(&G::Level) -> Grid<bool>,
    /// The still terrain of a level, which need not be playable; dark or light.
    pub terrain: fn(&G::Level, bool, Detail) -> Terrain,
    /// What the level editor shows on the terrain for a tile, where the board has a drawing for it.
    pub tile_look: fn(char) -> Option<PieceLook>,
    /// What covers a state that players do not see all of, in pictures of a level; dark or light.
    pub cover: fn(&G, &G::State, bool) -> Option<Sketch>,
    /// What the level editor shows on the ground of a level that can be played, such as what guards see.
    pub light: Option<Light<G>>,
}

impl<G: GameView> Scenery<G> {
    /// Every tile in its plain colour, and all of them inside but the void.
    pub const PLAIN: Self = Self {
        inside: |level| (G::MAPS.looks)(level, None).map(|&look| look != TileStyle::Void),
        terrain: |level, dark, _| {
            plain_terrain(&(G::MAPS.looks)(level, None), if dark { &DARK } else { &LIGHT })
        },
        tile_look: |_| None,
        cover: |_, _, _| None,
        light: None,
    };
}

/// Changes how pieces move in the turn that leads from one state to another.
pub type ChangeTweens<G> =
    fn(&G, &<G as Game>::State, &[<G as Game>::Event], &<G as Game>::State, &mut Tweens);

/// How what happens in a turn is seen and heard.
pub struct EventDisplay<G: GameView> {
    /// Changes how pieces move, given the state before the turn, its events and the state after it. Otherwise
    /// they go straight from where they are to where they will be.
    pub tweens: ChangeTweens<G>,
    /// How an event is marked on the timeline, how it sounds, and how long it takes.
    pub cue: fn(&G, &G::Event, SeatName) -> Cue,
}

impl<G: GameView> EventDisplay<G> {
    /// Pieces go straight, and events are neither seen nor heard.
    pub const PLAIN: Self = Self { tweens: |_, _, _, _, _| {}, cue: |_, _, _| Cue::default() };
}

/// Gives the upper left and the lower right corner of what matters in a state.
pub type FindFocus<G> = fn(&G, &<G as Game>::State) -> Option<(Vec2, Vec2)>;

/// What is worth a closer look to those who watch.
pub struct Watching<G: GameView> {
    /// By which share of its time more the turn that led to a state is worth being shown, because much is at
    /// stake in it.
    pub tension: fn(&G, &G::State) -> f32,
    /// What a camera follows in a state; without it, it follows a piece.
    pub focus: FindFocus<G>,
}

/// What the screen says of a match in the game's own words.
pub struct Words<G: GameView> {
    /// How far a match is after so many turns, by what people [count](BoardSpec::moment) it by.
    pub moment: fn(&G, &G::State, usize) -> usize,
    /// What stands beside a seat's name, such as its speed.
    pub standing: fn(&Shown<G>, Seat) -> String,
    /// Whose pieces a seat has in a state: after a swap, another seat's.
    pub pieces_of: fn(&G::State, Seat) -> Seat,
    /// The result of a match in one sentence.
    pub headline: fn(&G, &G::State, &Outcome, SeatName) -> String,
}

impl<G: GameView> Words<G> {
    /// Turns, nothing beside a name, everybody's own pieces, and the result as the rules word it.
    pub const PLAIN: Self = Self {
        moment: |_, _, turns| turns,
        standing: |_, _| String::new(),
        pieces_of: |_, seat| seat,
        headline: |_, _, outcome, _| capitalised(&outcome.headline),
    };
}

/// Gives a hint for the person to move.
pub type GiveHint<G> = fn(
    &Shown<G>,
    &<G as GameView>::Ui,
    &[<G as Game>::Action],
) -> Option<Hint<<G as Game>::Action>>;

/// What people who play are told, and what is kept from them.
pub struct Guidance<G: GameView> {
    /// The steps in which a newcomer learns the game; none where there is no lesson.
    pub lesson: &'static [LessonStep<G>],
    /// One line on what a person should do now.
    pub prompt: fn(&Shown<G>, &mut G::Ui) -> String,
    /// A hint for the person to move, to be drawn and read step by step, given what the
    /// [solver](BoardSpec::solver) of the board would do from here to the end; nothing without one.
    pub hint: GiveHint<G>,
    /// What to say of the move that a person tried last, where the level is a problem with a known answer.
    pub trial: fn(&Shown<G>, &G::Ui) -> Option<Trial>,
    /// Whether a seat has nothing more to choose in a match that goes on, such as a car that left the track.
    pub is_out: fn(&G, &G::State, Seat) -> bool,
    /// Whether what the planner of a seat thinks is hidden from the person who plays against it.
    pub is_hidden: fn(&Shown<G>, &G::Ui, Seat) -> bool,
}

impl<G: GameView> Guidance<G> {
    /// No lesson, no prompts, hints from the solver, and nothing hidden.
    pub const PLAIN: Self = Self {
        lesson: &[],
        prompt: |_, _| String::new(),
        hint: |shown, _, line| {
            let first = line.first()?;
            let words = shown.game().action_words(first);
            let turns = counted(line.len() as u64, "turn");
            let steps = [
                "There is a way to the end.".into(),
                format!("It takes {turns}."),
                format!("The solver would {words}: {turns} to the end."),
            ];
            Some(Hint { action: first.clone(), look: Vec::new(), steps })
        },
        trial: |_, _| None,
        is_out: |_, _, _| false,
        is_hidden: |_, _, _| false,
    };
}

/// Draws a part of the side panel. Returns what a person chose there.
pub type ShowPanel<G> =
    fn(&mut egui::Ui, &Visuals, &Shown<G>, &mut <G as GameView>::Ui) -> Option<<G as Game>::Action>;

/// The game's own parts of the side panel.
pub struct Panels<G: GameView> {
    /// Beside a match.
    pub playing: ShowPanel<G>,
    /// Beside its review.
    pub review: fn(&mut egui::Ui, &Shown<G>, &mut G::Ui),
}

impl<G: GameView> Panels<G> {
    /// Nothing beside what all games show.
    pub const PLAIN: Self = Self { playing: |_, _, _, _| None, review: |_, _, _| {} };
}
