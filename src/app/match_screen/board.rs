//! What never changes about a board, and what passes between a board and the match screen.

use crate::app::shell::game_guide::HowToPlay;
use crate::app::shell::keyboard::Press;
use crate::app::shell::sound::PlaySound;
use bevy::math::Vec2;

/// What an overlay draws upon.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// The match itself.
    Match,
    /// How to go on best.
    Best,
    /// Perfect play from the start; the key G switches it.
    Ghost,
    /// The person's own best match; the key G switches it.
    OwnBest,
    /// What planners think, which a replay does not hold.
    Minds,
}

impl Layer {
    /// Whether the key for ghosts switches it.
    pub fn is_ghost(self) -> bool {
        matches!(self, Self::Ghost | Self::OwnBest)
    }

    /// Whether it shows a person how to play, so that a result with it sets no record.
    pub fn helps(self) -> bool {
        matches!(self, Self::Best | Self::Ghost)
    }
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
    /// Whether it changes more than where a piece of the person's own stands: such turns can be taken back at once
    /// with all that follow.
    pub is_landmark: bool,
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

    /// A sound without a mark on the timeline.
    pub fn sound(sound: PlaySound) -> Self {
        Self { sound: Some(sound), ..Self::default() }
    }

    /// A cue of a turn that can be taken back at once with all that follow.
    #[must_use]
    pub fn landmark(self) -> Self {
        Self { is_landmark: true, ..self }
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
    /// Whether it is light where each game has its own theme.
    pub light: bool,
    /// The short match that the menu shows: the text of a small level, twice as wide as high if it can be, and which
    /// part of the match to show at rest.
    pub scene: (&'static str, f32),
    /// The text of a level with some hundred pieces, to measure frames on.
    pub crowded_level: Option<&'static str>,
    /// Whether taking back a move costs the record. Where it does not, taking back is looking back:
    /// nothing becomes a variation until another move is made.
    pub undo_counts: bool,
    /// Whether people's scores are recorded; not where they depend on the opponent.
    pub records: bool,
    /// Whether a person plans a turn and then lets it be carried out.
    pub plans: bool,
    /// How far the place reaches beyond its cells on each side, in cells.
    pub margin: f32,
    /// How long a turn is shown at normal speed, in seconds.
    pub turn_seconds: f32,
    /// What people count a match by, in the singular.
    pub moment: &'static str,
    /// The planner that gives hints and shows the rest of the way, where one person plays alone.
    pub solver: Option<&'static str>,
    /// Whether an unfinished match of planners is kept too, and goes on where it was left: where a match takes long.
    pub resumes_watched: bool,
    /// Whether the terrain has lines to count by at any time, so that no grid is offered.
    pub has_lines: bool,
}

impl BoardSpec {
    /// A board without overlays, sounds, review and help.
    pub const PLAIN: Self = Self {
        overlays: &[],
        silhouettes: &[],
        sounds: &[],
        how_to_play: HowToPlay { text: &[], picture: None, keys: Vec::new },
        light: false,
        scene: ("", 0.0),
        crowded_level: None,
        undo_counts: true,
        records: false,
        plans: false,
        margin: 0.0,
        turn_seconds: 0.3,
        moment: "turn",
        solver: None,
        resumes_watched: false,
        has_lines: false,
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
    /// The person's time is up: an action is played, or if there is none the null action.
    TimeOver,
    /// A key went down.
    Key(Press),
}

/// A board's answer to an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply<A> {
    /// It means nothing here; the match screen may use it, to pan the view for example.
    Ignored,
    /// It changed the board's own state.
    Handled,
    /// It means something that cannot be done now, or not before it is asked for again.
    Refused,
    /// The person chooses this action.
    Act(A),
    /// The person chooses these actions, one after the other.
    Acts(Vec<A>),
}
