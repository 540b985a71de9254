//! What all games share of a match on the screen.

mod info;
mod minimap;
mod notes;
mod overlays;
mod playback;
mod result;
mod review;
mod series;

use super::board::{BoardSpec, Layer};
use super::lesson::LessonState;
use super::solver::request::SolverRequest;
use crate::app::requests::{MatchConfig, Screen};
use crate::app::shell::records::{key, level_key};
use crate::app::shell::seats::{YOU, seat_title};
use bevy::prelude::Resource;
pub use info::{MatchInfo, TreeInfo};
pub use minimap::MiniMap;
pub use notes::Notes;
use outwit_core::play::{Player, Seat};
use outwit_headless::find;
pub use overlays::Overlays;
pub use playback::{Animation, Playback, SPEEDS};
pub use result::{Help, ResultState};
pub use review::ReviewState;
pub use series::SeriesState;
use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::path::PathBuf;

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

/// What of the analysis is on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AnalysisView {
    /// Nothing.
    #[default]
    Off,
    /// What a planner had found, over the position.
    Snapshot,
    /// The state of an event of a recorded search, in place of the position.
    Event,
    /// A game tree, in place of the board.
    Tree,
}

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
    /// What else never changes about the match.
    pub info: MatchInfo,
    /// What people call the level.
    pub level_name: String,
    /// What the program on each seat calls itself, once it is known, or what whoever played in a record is called.
    pub own_names: Vec<Option<String>>,
    /// Whether a replay has what programs thought.
    pub has_thoughts: bool,
    /// Seats that people play.
    pub humans: Vec<Seat>,
    /// Which turn is shown, and whether the match runs.
    pub playback: Playback,
    /// What is drawn over the board, and where the camera looks.
    pub overlays: Overlays,
    /// What is shown beside the board.
    pub tab: Tab,
    /// The review, once the match is over.
    pub review: ReviewState,
    /// What of the analysis is on the board.
    pub analysis_view: AnalysisView,
    /// What becomes of the match.
    pub result: ResultState,
    /// Whether the person has played so few matches of the game that its keys are shown on the board.
    pub is_new_to_game: bool,
    /// Whether it is commented.
    pub commented: bool,
    /// Stretches of turns that are still to be shown, one after the other, slowly.
    pub reel: VecDeque<RangeInclusive<usize>>,
    /// The whole board, small, once it was needed.
    pub minimap: Option<MiniMap>,
    /// The series that it is part of, if any.
    pub series: SeriesState,
    /// The step of a lesson that it is, if any.
    pub lesson: Option<LessonState>,
    /// Whether a match beside it goes on, so that nothing follows this one yet.
    pub goes_on_beside: bool,
    /// Sentences about its positions.
    pub notes: Notes,
    /// Whether leaving was asked for once, when it would throw a match away.
    pub leaving: bool,
    /// What the solver was asked for, until it has answered.
    pub asked: Option<SolverRequest>,
    /// In a play-test, what is proved to be the best result on the level, in words.
    pub best_known: Option<String>,
    /// Digest of the level with its own rules.
    pub(super) digest: u64,
    /// Where it was kept when it was left before.
    pub(super) kept: Option<KeptFile>,
}

impl SessionState {
    /// Whether a recorded match is watched.
    pub fn is_replay(&self) -> bool {
        self.config.replay.is_some()
    }

    /// Whether a level that is being edited is tried out.
    pub fn is_play_test(&self) -> bool {
        self.config.back == Screen::Editor
    }

    /// Whether a person plays a seat, or did when the match was recorded.
    pub fn is_person(&self, seat: Seat) -> bool {
        self.player(seat) == Some(&Player::Human)
    }

    /// Who plays a seat.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.config.players.get(seat.index())
    }

    /// All seats, in the order in which the game numbers them.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.config.players.len() as u8).map(Seat)
    }

    /// What to call a seat.
    pub fn name(&self, seat: Seat) -> String {
        let Some(player) = self.config.players.get(seat.index()) else { return String::new() };
        let own = |seat: usize| self.own_names.get(seat).and_then(Option::as_deref);
        let players = self.config.players.iter().enumerate();
        let own_name = own(seat.index());
        let twins =
            players.filter(|&(at, other)| other == player && own(at) == own_name).count() > 1;
        match player {
            _ if !twins && let Some(own) = own_name => own.to_owned(),
            Player::Human if !twins && self.is_replay() => "Player".into(),
            Player::Human if !twins => YOU.into(),
            Player::Human => format!("Player {}", seat.0 + 1),
            Player::Planner(name) if !twins => seat_title(name),
            Player::Planner(name) => format!("{} {}", seat_title(name), seat.0 + 1),
        }
    }

    /// Whether there is anything that the overlay of this index could show.
    pub fn can_show(&self, overlay: usize) -> bool {
        let is_bare = self.is_replay() && !self.has_thoughts;
        !(is_bare
            && self
                .board
                .overlays
                .get(overlay)
                .is_some_and(|overlay| overlay.layer == Layer::Minds))
    }

    /// Whether the overlay of this index is on; none is while the picture of the analysis is drawn.
    pub fn shows(&self, overlay: usize) -> bool {
        self.tab != Tab::Analysis
            && self.can_show(overlay)
            && self.overlays.on.get(overlay).copied().unwrap_or(false)
    }

    /// What of the analysis is on the board.
    pub fn analysis_view(&self) -> AnalysisView {
        if self.tab == Tab::Analysis { self.analysis_view } else { AnalysisView::Off }
    }

    /// Under which name beaten rivals are kept; not at all where a draft is tried out.
    pub(super) fn level_key(&self) -> Option<String> {
        let kind = find(self.config.game).ok()?;
        level_key(kind, &self.config.level, self.digest, &self.config.rules)
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
