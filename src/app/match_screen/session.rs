//! A match on the screen: the referee, where in the match one looks, and what is being computed.

use super::{GameView, Layer, Overlay};
use crate::app::match_screen::MatchConfig;
use crate::app::shell::records::key;
use crate::games::read_level_with;
use crate::levels::{read_ron, rule_to_text};
use crate::platform::task::Task;
use crate::play::{Match, Outcome, Player, Referee, Replay, ReplayError, Review, Seat};
use bevy::prelude::*;
use std::sync::Arc;

/// The turn being shown in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Animation {
    /// Its index.
    pub turn: usize,
    /// How much of it was shown, 0 to 1, eased.
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
}

/// Speeds that the controls step through.
pub const SPEEDS: [f32; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// A match on the screen.
#[derive(Resource)]
pub struct Session<G: GameView> {
    /// Runs the match.
    pub referee: Referee<G>,
    /// What the match was set up with.
    pub config: MatchConfig,
    /// What people call the level.
    pub level_name: String,
    /// RaceCache for people.
    pub cache: G::ViewCache,
    /// Number of turns that are shown as done; may lie before the present.
    pub view: usize,
    /// How much of the turn after that was shown, 0 to 1, not eased.
    pub moving: f32,
    /// Whether the match runs by itself.
    pub playing: bool,
    /// Whether one turn is to be shown though the match does not run.
    pub stepping: bool,
    /// Which of the speeds that the controls step through.
    pub speed: usize,
    /// Which overlays are on.
    pub overlays: Vec<bool>,
    /// The hint asked for, if any, and the turn it belongs to.
    pub hint: Option<(usize, G::Action, String)>,
    /// What is shown beside the board.
    pub tab: Tab,
    /// The seat whose review is shown.
    pub reviewed: Seat,
    /// The review, once the match is over and it was asked for.
    pub review: Option<Task<Option<Review>>>,
    /// Seats that people play.
    pub humans: Vec<Seat>,
    /// Whether the camera follows the piece that moves.
    pub follow: bool,
    /// Whether the best result so far was beaten in this match.
    pub beaten: Option<String>,
    /// The best earlier match on this level, to be shown as a ghost.
    pub ghost: Option<Match<G>>,
    /// The best result so far in words.
    pub best_label: Option<String>,
    /// A person's choice made while others still move; played as soon as it is their turn.
    pub queued: Option<G::Action>,
    /// Whether leaving was asked for once, when it would throw a match away.
    pub leaving: bool,
    /// Whether the view was set to suit the board, at the beginning and again at the end.
    pub framed: bool,
    /// Seconds that a person has thought about the move that is due.
    pub thought: f32,
    /// Whether moves were taken back: practice, which sets no records.
    pub used_undo: bool,
    /// Digest of the level with its own rules.
    digest: u64,
    /// Whether the end of this match was shown.
    pub(super) ended: bool,
    /// Whether the result of this match was taken into the books.
    pub(super) recorded: bool,
}

impl<G: GameView> Session<G> {
    /// Sets up a match, or a replay to be watched.
    ///
    /// # Errors
    /// What is wrong with level, set-up or replay.
    pub fn new(config: MatchConfig, overlays: bool) -> Result<Self, String> {
        match config.replay.clone() {
            Some(text) => Self::watched(config, &text, overlays),
            None => Self::new_match(config, overlays),
        }
    }

    /// A recorded match, played again by the rules from start to end.
    fn watched(mut config: MatchConfig, text: &str, overlays: bool) -> Result<Self, String> {
        let replay: Replay<G> =
            read_ron(text.as_bytes()).map_err(|fault| fault.in_file(config.level.stem()))?;
        let played = replay.play().map_err(|error| unplayable(&error, replay.turns.len()))?;
        config.players = replay.seats.iter().map(|name| name.as_str().into()).collect();
        config.seed = replay.seed;
        let referee = Referee::of_record(played, &replay.seats);
        let mut session = Self::over(referee, config, replay.level.name, overlays);
        session.reviewed = session.first_person().unwrap_or(Seat(0));
        Ok(session)
    }

    fn new_match(config: MatchConfig, overlays: bool) -> Result<Self, String> {
        let bytes = config.level.bytes().map_err(|error| error.to_string())?;
        let level =
            read_level_with::<G>(&bytes, &config.level.id, &config.rules).map_err(|faults| {
                faults.iter().map(|f| f.to_string()).collect::<Vec<_>>().join("\n")
            })?;
        let own = read_level_with::<G>(&bytes, &config.level.id, &[]);
        let level_name = level.name.clone();
        let game =
            G::new(&level, config.players.len(), config.seed).map_err(|error| error.to_string())?;
        let game = Arc::new(game);
        let referee =
            Referee::new(Arc::clone(&game), G::planners(), &config.players, config.budget)
                .map_err(|error| error.to_string())?;
        let mut session = Self::over(referee, config, level_name, overlays);
        session.digest = own.map_or(0, |level| level.digest());
        let seats = (0..session.config.players.len() as u8).map(Seat);
        session.humans = seats.filter(|seat| session.is_person(*seat)).collect();
        session.reviewed = session.first_person().unwrap_or(Seat(0));
        Ok(session)
    }

    /// What the screen needs over a referee, without people who choose.
    fn over(referee: Referee<G>, config: MatchConfig, level_name: String, overlays: bool) -> Self {
        Self {
            cache: G::cache(referee.played().game()),
            reviewed: Seat(0),
            referee,
            config,
            level_name,
            view: 0,
            moving: 0.0,
            playing: true,
            stepping: false,
            speed: 2,
            overlays: G::overlays().iter().map(|overlay| overlay.on && overlays).collect(),
            hint: None,
            tab: Tab::Match,
            review: None,
            humans: Vec::new(),
            follow: false,
            beaten: None,
            ghost: None,
            best_label: None,
            queued: None,
            leaving: false,
            framed: false,
            thought: 0.0,
            used_undo: false,
            digest: 0,
            ended: false,
            recorded: false,
        }
    }

    /// Whether a recorded match is watched.
    pub fn is_replay(&self) -> bool {
        self.config.replay.is_some()
    }

    /// Whether a person plays a seat, or did when the match was recorded.
    pub fn is_person(&self, seat: Seat) -> bool {
        self.config.players.get(seat.index()) == Some(&Player::Human)
    }

    fn first_person(&self) -> Option<Seat> {
        (0..self.config.players.len() as u8).map(Seat).find(|&seat| self.is_person(seat))
    }

    /// The rules, level and seed.
    pub fn game(&self) -> &Arc<G> {
        self.referee.played().game()
    }

    /// The match so far.
    pub fn played(&self) -> &Match<G> {
        self.referee.played()
    }

    /// The state that is shown; while a turn moves, the one before it.
    pub fn state(&self) -> &G::State {
        self.played().state_at(self.view).unwrap_or_else(|| self.played().state())
    }

    /// Whether the present is shown and nothing moves.
    pub fn is_at_present(&self) -> bool {
        self.view == self.played().len()
    }

    /// The turn in motion.
    pub fn animation(&self) -> Option<Animation> {
        let t = self.moving.clamp(0.0, 1.0);
        // Smoothstep: starts and stops softly.
        let done = t * t * (3.0 - 2.0 * t);
        (!self.is_at_present() && self.moving > 0.0).then_some(Animation { turn: self.view, done })
    }

    /// The seat of a person who may choose in the state that is shown.
    pub fn human_to_move(&self) -> Option<Seat> {
        let looking_back = !self.playing && !self.stepping && self.moving == 0.0;
        if !(self.is_at_present() || looking_back) || self.game().outcome(self.state()).is_some() {
            return None;
        }
        // At the present those who have chosen already wait for the others.
        let seats = if self.is_at_present() {
            self.referee.humans_to_move()
        } else {
            self.game().to_move(self.state())
        };
        seats.into_iter().find(|seat| self.humans.contains(seat))
    }

    /// A person's choice in the state that is shown. Choosing in the past takes back what came
    /// after it.
    ///
    /// # Errors
    /// If the action is not allowed.
    pub fn choose(&mut self, action: G::Action) -> Result<(), String> {
        self.leaving = false;
        let Some(seat) = self.human_to_move() else {
            // Who knows what to do need not watch the others.
            if !self.humans.is_empty() && self.referee.outcome().is_none() {
                self.queued = Some(action);
            }
            return Ok(());
        };
        self.game().legal(self.state(), seat, &action)?;
        if !self.is_at_present() {
            self.rewind(self.view);
        }
        self.referee.choose(seat, action)?;
        self.thought = 0.0;
        self.referee.poll();
        self.hint = None;
        if !self.playing {
            self.stepping = true;
        }
        Ok(())
    }

    /// Seconds that a person has left for the move that is due, if there is a clock.
    pub fn time_left(&self) -> Option<f32> {
        let clock = self.config.clock? as f32;
        let due = self.is_at_present() && self.human_to_move().is_some();
        due.then(|| (clock - self.thought).max(0.0))
    }

    /// Takes back all turns from `turn` on.
    pub fn rewind(&mut self, turn: usize) {
        self.used_undo |= turn < self.played().len();
        self.referee.rewind(turn);
        self.thought = 0.0;
        self.view = turn.min(self.played().len());
        self.moving = 0.0;
        self.hint = None;
        self.queued = None;
        self.review = None;
        self.tab = Tab::Match;
        self.beaten = None;
        self.ended = false;
    }

    /// Takes back to the last choice of a person before what is shown.
    pub fn undo(&mut self) -> bool {
        let before = (0..self.view).rev().find(|&turn| {
            self.played().state_at(turn).is_some_and(|state| {
                self.game().to_move(state).iter().any(|seat| self.humans.contains(seat))
            })
        });
        if let Some(turn) = before {
            self.rewind(turn);
        }
        before.is_some()
    }

    /// Shows the state after `turn` turns and stops there.
    pub fn jump(&mut self, turn: usize) {
        self.view = turn.min(self.played().len());
        self.moving = 0.0;
        self.playing = false;
        self.stepping = false;
        self.queued = None;
        self.note_end();
    }

    /// Stops at the end; when it is shown for the first time, goes over to the review.
    pub(super) fn note_end(&mut self) {
        if !self.is_at_present() || !self.referee.is_over() {
            return;
        }
        self.playing = false;
        if std::mem::replace(&mut self.ended, true) || self.outcome().is_none() {
            return;
        }
        self.framed = false;
        if G::has_review() {
            self.begin_review();
            if !self.humans.is_empty() {
                self.tab = Tab::Review;
            }
        }
    }

    /// Shows one turn.
    pub fn step(&mut self) {
        self.playing = false;
        if self.moving > 0.0 {
            self.view += 1;
            self.moving = 0.0;
            self.note_end();
        } else {
            self.stepping = true;
        }
    }

    /// Looks one turn back.
    pub fn step_back(&mut self) {
        let turn = if self.moving > 0.0 { self.view } else { self.view.saturating_sub(1) };
        self.jump(turn);
    }

    /// The result, once the last turn is shown.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.is_at_present() { self.referee.outcome() } else { None }
    }

    /// The replay as the text of a file.
    pub fn replay_text(&self) -> String {
        rule_to_text(&self.referee.replay())
    }

    /// Begins the review if it was not begun.
    pub fn begin_review(&mut self) {
        if self.review.is_none() {
            let played = self.played().clone();
            self.review = Some(Task::begin(move |context| G::review(&played, context.stop())));
        }
    }

    /// The review, once it is there.
    pub fn reviewed_moves(&self) -> Option<&crate::play::SeatReview> {
        let review = self.review.as_ref()?.get()?.as_ref()?;
        review.seats.iter().find(|seat| seat.seat == self.reviewed)
    }

    /// Whether there is anything that the overlay of this index could show.
    pub fn can_show(&self, overlay: usize) -> bool {
        let minds = |overlay: &Overlay| overlay.layer == Layer::Minds;
        !(self.is_replay() && G::overlays().get(overlay).is_some_and(minds))
    }

    /// Whether the overlay of this index is on.
    pub fn shows(&self, overlay: usize) -> bool {
        self.can_show(overlay) && self.overlays.get(overlay).copied().unwrap_or(false)
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
        key(G::ID, &self.config.level, self.digest, &self.config.rules)
    }
}

/// Why a replay of so many turns cannot be watched: what is wrong, and where.
fn unplayable(error: &ReplayError, turns: usize) -> String {
    match error {
        ReplayError::Unfaithful => format!(
            "The replay is not faithful: after its {turns} turns the match stands otherwise than \
             when it was recorded. The file was changed, or other rules made it."
        ),
        ReplayError::Action(at) => format!("The replay breaks the rules at {at}"),
        ReplayError::Level(why) => format!("The level in the replay cannot be played: {why}"),
        error => format!("The replay cannot be played: {error}."),
    }
}

#[cfg(test)]
mod tests;
