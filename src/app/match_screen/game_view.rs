//! What a game tells the match screen: how it looks, sounds and is handled.

use super::piece::{BoardPiece, Tweens};
use super::{Canvas, MeshBuilder, Session, Shown, Visuals};
use crate::app::requests::MatchConfig;
use crate::app::shell::game_guide::HowToPlay;
use crate::app::shell::sound::PlaySound;
use crate::app::shell::theme::Palette;
use crate::app::shell::widgets::counted;
use bevy::input::keyboard::KeyCode;
use bevy::math::Vec2;
use bevy::prelude::Resource;
use bevy_egui::egui;
use outwit_core::grid::Cell;
use outwit_core::levels::{capitalised, rule_to_text};
use outwit_core::play::{Outcome, Seat};
use outwit_kit::GameSpec;
use std::sync::Arc;

/// What an overlay draws upon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// The match itself.
    Match,
    /// Perfect play; the key G switches it.
    Ghost,
    /// What planners think, which a replay does not hold.
    Minds,
}

/// A layer of information over the board that can be switched on and off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overlay {
    /// What it is called.
    pub name: &'static str,
    /// What it shows.
    pub help: &'static str,
    /// What it draws upon.
    pub layer: Layer,
    /// Whether it is on when a match begins and the settings ask for overlays.
    pub on: bool,
}

/// How an event looks on the timeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkerKind {
    /// What happens all the time.
    Quiet,
    /// Something went well.
    Good,
    /// Something to notice.
    Plain,
    /// Something nearly went wrong.
    Close,
    /// Something went wrong.
    Bad,
}

/// How an event is shown beside the board.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cue {
    /// How it stands on the timeline, and in which words, if it does.
    pub marker: Option<(MarkerKind, String)>,
    /// How it sounds.
    pub sound: Option<PlaySound>,
    /// Least time that its turn is shown at normal speed, in seconds.
    pub seconds: f32,
}

impl Cue {
    /// A mark on the timeline with a sound.
    pub fn new(kind: MarkerKind, words: impl Into<String>, sound: impl Into<PlaySound>) -> Self {
        Self { sound: Some(sound.into()), ..Self::mark(kind, words) }
    }

    /// A mark on the timeline without a sound.
    pub fn mark(kind: MarkerKind, words: impl Into<String>) -> Self {
        Self { marker: Some((kind, words.into())), ..Self::default() }
    }

    /// A cue whose turn is shown for at least so many seconds.
    #[must_use]
    pub fn lasting(self, seconds: f32) -> Self {
        Self { seconds, ..self }
    }
}

/// What never changes about a board.
#[derive(Clone, Copy, Debug)]
pub struct BoardSpec {
    /// The layers that can be switched, at most five: each has a digit for a key.
    pub overlays: &'static [Overlay],
    /// The silhouettes of its pieces, by file name under `assets/pieces`.
    pub silhouettes: &'static [&'static str],
    /// Its sounds, by file name under `assets/sounds`.
    pub sounds: &'static [&'static str],
    /// How the game is played.
    pub how_to_play: HowToPlay,
    /// The text of a level with some hundred pieces, to measure frames on.
    pub crowded_level: Option<&'static str>,
    /// Whether perfect play is known or can be estimated, so that a match can be reviewed.
    pub has_review: bool,
    /// Whether taking back a move costs the record. Where it does not, taking back is looking back:
    /// nothing becomes a variation until another move is made.
    pub undo_counts: bool,
    /// Whether people's scores are recorded; not where they depend on the opponent.
    pub records: bool,
    /// How long a turn is shown at normal speed, in seconds.
    pub turn_seconds: f32,
    /// The planner that gives hints and shows the rest of the way, where one person plays alone.
    pub solver: Option<&'static str>,
    /// Whether an unfinished match is kept and goes on where it was left.
    pub resumes: bool,
}

impl BoardSpec {
    /// A board without overlays, sounds, review and help.
    pub const PLAIN: Self = Self {
        overlays: &[],
        silhouettes: &[],
        sounds: &[],
        how_to_play: HowToPlay { text: &[], picture: None, keys: &[] },
        crowded_level: None,
        has_review: false,
        undo_counts: true,
        records: false,
        turn_seconds: 0.3,
        solver: None,
        resumes: false,
    };
}

/// What a person does to the board. Places are in board coordinates: cells, y downwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Input {
    /// The main button was pressed and released at a place.
    Click(Vec2),
    /// The pointer is being dragged with the main button.
    Drag {
        /// Where the button was pressed.
        from: Vec2,
        /// Where the pointer is.
        to: Vec2,
    },
    /// A drag has ended.
    DragEnd {
        /// Where the button was pressed.
        from: Vec2,
        /// Where it was released.
        to: Vec2,
    },
    /// The pointer has moved over the board, or left it.
    Hover(Option<Vec2>),
    /// A key was pressed.
    Key {
        /// Which.
        code: KeyCode,
        /// Whether Shift was held at that moment.
        shift: bool,
        /// Whether it was held down for so long that it counts as pressed again.
        repeat: bool,
    },
}

/// A board's answer to an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply<A> {
    /// It means nothing here; the match screen may use it, to pan the view for example.
    Ignored,
    /// It changed the board's own state.
    Handled,
    /// It means something that cannot be done now.
    Refused,
    /// The person chooses this action.
    Act(A),
    /// The person chooses these actions, one after the other.
    Acts(Vec<A>),
}

/// The still terrain of a board, as two meshes.
#[derive(Default)]
pub struct Terrain {
    /// The ground and what stands on it.
    pub ground: MeshBuilder,
    /// Fine lines, hidden where they would run together.
    pub lines: MeshBuilder,
}

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

    /// The board's state when a match begins; must not block.
    fn ui(game: &Arc<Self>) -> Self::Ui;

    /// Columns and rows of the board.
    fn extent(game: &Self) -> (usize, usize);

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

    /// The still terrain in a theme.
    fn terrain(game: &Self, palette: &Palette) -> Terrain {
        Terrain::plain(Self::extent(game), palette)
    }

    /// How an event is marked on the timeline, how it sounds, and how long it takes; `name` gives
    /// what people call a seat.
    fn cue(_event: &Self::Event, _name: &dyn Fn(Seat) -> String) -> Cue {
        Cue::default()
    }

    /// What stands beside a seat's name, such as its speed.
    fn standing(_shown: &Shown<Self>, _seat: Seat) -> String {
        String::new()
    }

    /// The result of a match in one sentence; `name` gives what people call a seat.
    fn headline(_state: &Self::State, outcome: &Outcome, _name: &dyn Fn(Seat) -> String) -> String {
        capitalised(&outcome.headline)
    }

    /// One line on what a person should do now.
    fn prompt(_shown: &Shown<Self>, _ui: &mut Self::Ui) -> String {
        String::new()
    }

    /// A hint for the person to move, to be drawn and read.
    fn hint(_shown: &Shown<Self>, _ui: &Self::Ui) -> Option<(Self::Action, String)> {
        None
    }

    /// What to say of the first action of the solver's line to the end.
    fn hint_words(game: &Self, line: &[Self::Action]) -> String {
        let first = line.first().map_or_else(String::new, |it| Self::action_words(game, it));
        format!("The solver would {first}: {} to the end.", counted(line.len() as u64, "turn"))
    }

    /// Where a line of a seat's actions leads from a state, one path for each of its pieces: where the
    /// piece stands, then a cell for each action or for each of its steps. Drawn by the analysis.
    fn line_paths(
        _game: &Self,
        _state: &Self::State,
        _seat: Seat,
        _line: &[Self::Action],
    ) -> Vec<Vec<Cell>> {
        Vec::new()
    }

    /// An action in words; without them as it stands in replays.
    fn action_words(_game: &Self, action: &Self::Action) -> String {
        rule_to_text(action)
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

    /// What is done for a person whose time is up.
    fn time_over(shown: &Shown<Self>, _ui: &mut Self::Ui) -> Option<Self::Action> {
        Some(shown.game().null_action(shown.state(), shown.person?))
    }

    /// Whether what the planner of a seat thinks is hidden from the person who plays against it.
    fn is_hidden(_shown: &Shown<Self>, _ui: &Self::Ui, _seat: Seat) -> bool {
        false
    }
}

/// A game of the window: how to begin a match of it, and what never changes about its board.
#[derive(Clone, Copy)]
pub struct BoardEntry {
    /// Id of the game.
    pub id: &'static str,
    /// What people call the game.
    pub name: &'static str,
    /// What never changes about its board.
    pub spec: &'static BoardSpec,
    /// Sets up a match, or a replay to be watched; see [`Session::new`].
    pub begin: fn(MatchConfig, bool) -> Result<Session, String>,
}

impl BoardEntry {
    /// The entry of a game.
    pub const fn of<G: GameView>() -> Self {
        Self { id: G::ID, name: G::NAME, spec: &G::BOARD, begin: Session::new::<G> }
    }
}

/// The boards that a match can begin on.
#[derive(Resource, Default)]
pub struct BoardList(pub Vec<BoardEntry>);
