//! What all games share of a match on the screen.

use super::analysis::state::Analysis;
use super::board::{BoardSpec, Layer, Overlay};
use super::piece::ease;
use crate::app::requests::MatchConfig;
use crate::app::shell::records::key;
use crate::app::shell::seats::seat_title;
use bevy::prelude::*;
use outwit_core::platform::task::Task;
use outwit_core::play::{Player, Review, ScoreSpec, Seat, SeatReview};
use outwit_headless::find;
use std::path::PathBuf;

/// The turn being shown in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Animation {
    /// Its index.
    pub turn: usize,
    /// How much of it was shown, 0 to 1.
    pub time: f32,
    /// The same, eased.
    pub done: f32,
}

/// What is shown beside the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tab {
    /// The match.
    #[default]
    Match,
    /// Its review.
    Review,
    /// How planners think about a position.
    Analysis,
}

/// What the solver was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// The next move.
    Hint,
    /// All moves to the end, to be played on the board.
    Rest,
}

/// Speeds that the controls step through.
pub const SPEEDS: [f32; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// The file that a match came from, and a digest of its content then. It may be replaced as long as
/// no other copy of the program has written it since.
#[derive(Clone, PartialEq, Debug)]
pub struct KeptFile {
    pub(super) path: PathBuf,
    pub(super) known: u64,
}

/// What the next match takes over from the one before.
#[derive(Resource, Default)]
pub struct Carried {
    /// Speed and overlays.
    pub look: Option<(usize, Vec<bool>)>,
    /// Whether it begins at its beginning, though an unfinished one may be kept.
    pub afresh: bool,
}

/// What all games share of a match on the screen.
pub struct SessionState {
    /// What the match was set up with.
    pub config: MatchConfig,
    /// What people call the game.
    pub game_name: &'static str,
    /// What never changes about the board.
    pub board: &'static BoardSpec,
    /// What the scores of its seats are.
    pub score: ScoreSpec,
    /// What people call the level.
    pub level_name: String,
    /// The silhouette of each seat.
    pub shapes: Vec<&'static str>,
    /// Seats that people play.
    pub humans: Vec<Seat>,
    /// Number of turns that are shown as done; may lie before the present.
    pub view: usize,
    /// How much of the turn after that was shown, 0 to 1, not eased.
    pub moving: f32,
    /// Whether the match runs by itself.
    pub playing: bool,
    /// Whether one turn is to be shown though the match does not run.
    pub stepping: bool,
    /// Which of `SPEEDS`.
    pub speed: usize,
    /// Which overlays are on.
    pub overlays: Vec<bool>,
    /// What is shown beside the board.
    pub tab: Tab,
    /// The seat whose review is shown.
    pub reviewed: Seat,
    /// The review, once the match is over and it was asked for.
    pub review: Option<Task<Option<Review>>>,
    /// What is analysed.
    pub analysis: Analysis,
    /// Whether the camera follows the piece that moves.
    pub follow: bool,
    /// Where the piece is that the camera may follow, in board coordinates.
    pub followed: Option<Vec2>,
    /// The new best result, if this match set one.
    pub beaten: Option<String>,
    /// The best result so far in words.
    pub best_label: Option<String>,
    /// Whether leaving was asked for once, when it would throw a match away.
    pub leaving: bool,
    /// Whether the view was set to suit the board, at the beginning and again at the end.
    pub framed: bool,
    /// Whether moves were taken back where that costs the record.
    pub used_undo: bool,
    /// What the solver was asked for, and at which turn.
    pub asked: Option<(Asked, usize)>,
    /// The first turn that a planner played for a person.
    pub assisted: Option<usize>,
    /// Digest of the level with its own rules.
    pub(super) digest: u64,
    /// Where it was kept when it was left before.
    pub(super) kept: Option<KeptFile>,
    /// Whether the end of this match was shown.
    pub(super) ended: bool,
    /// Whether the result of this match was recorded.
    pub(super) recorded: bool,
}

impl SessionState {
    /// Whether a recorded match is watched.
    pub fn is_replay(&self) -> bool {
        self.config.replay.is_some()
    }

    /// Whether a person plays a seat, or did when the match was recorded.
    pub fn is_person(&self, seat: Seat) -> bool {
        self.config.players.get(seat.index()) == Some(&Player::Human)
    }

    /// All seats, in the order in which the game numbers them.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.config.players.len() as u8).map(Seat)
    }

    /// What to call a seat.
    pub fn name(&self, seat: Seat) -> String {
        let Some(player) = self.config.players.get(seat.index()) else { return String::new() };
        let twins = self.config.players.iter().filter(|other| *other == player).count() > 1;
        match player {
            Player::Human if !twins && self.is_replay() => "Player".into(),
            Player::Human if !twins => "You".into(),
            Player::Human => format!("Player {}", seat.0 + 1),
            Player::Planner(name) if !twins => seat_title(name),
            Player::Planner(name) => format!("{} {}", seat_title(name), seat.0 + 1),
        }
    }

    /// The turn in motion in a match of so many turns.
    pub fn animation(&self, turns: usize) -> Option<Animation> {
        let time = self.moving.clamp(0.0, 1.0);
        let done = ease(time);
        (self.view < turns && time > 0.0).then_some(Animation { turn: self.view, time, done })
    }

    /// The review of the seat that is looked at, once it is there.
    pub fn reviewed_moves(&self) -> Option<&SeatReview> {
        let review = self.review.as_ref()?.get()?.as_ref()?;
        review.seats.iter().find(|seat| seat.seat == self.reviewed)
    }

    /// Whether there is anything that the overlay of this index could show.
    pub fn can_show(&self, overlay: usize) -> bool {
        let minds = |overlay: &Overlay| overlay.layer == Layer::Minds;
        !(self.is_replay() && self.board.overlays.get(overlay).is_some_and(minds))
    }

    /// Whether the overlay of this index is on; none is while the picture of the analysis is drawn.
    pub fn shows(&self, overlay: usize) -> bool {
        self.tab != Tab::Analysis
            && self.can_show(overlay)
            && self.overlays.get(overlay).copied().unwrap_or(false)
    }

    /// Switches an overlay on or off, if there is one of this index.
    pub fn switch(&mut self, overlay: usize) {
        if let Some(on) = self.overlays.get_mut(overlay) {
            *on = !*on;
        }
    }

    /// Under which name a result is recorded; not at all where a draft is tried out.
    pub(super) fn record_key(&self) -> Option<String> {
        if self.is_replay() {
            return None;
        }
        let kind = find(self.config.game).ok()?;
        key(kind, &self.config.level, self.digest, &self.config.rules)
    }
}
