//! Setting up a session: a new match, or a replay to be watched.

use crate::app::match_screen::board::{Layer, Overlay};
use crate::app::match_screen::game_view::GameView;
use crate::app::match_screen::lesson::lesson_step;
use crate::app::match_screen::live::Live;
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::{
    AnalysisView, MatchInfo, Notes, Overlays, Playback, ResultState, ReviewState, SeriesState,
    SessionState, Tab,
};
use crate::app::requests::MatchConfig;
use outwit_core::platform::time::Duration;
use outwit_core::play::{
    BANK, Budget, MatchSetup, Player, Referee, ReplayError, Seat, TimeControl,
};
use outwit_kit::{FaultyLevel, read_level, read_replay, with_rules};
use std::sync::Arc;

/// Seconds in which a match that nobody plays shows who meets whom.
const OPENING: f32 = 2.0;
/// How long a program may take to solve a puzzle.
const TO_SOLVE: Duration = Duration::from_secs(60);

impl Session {
    /// Sets up a match of a game, or a replay to be watched, with or without overlays.
    ///
    /// # Errors
    /// What is wrong with level, set-up or replay.
    pub fn new<G: GameView>(config: MatchConfig, overlays: bool) -> Result<Self, String> {
        match config.replay.clone() {
            Some(text) => Self::watched::<G>(config, &text, overlays),
            None => Self::new_match::<G>(config, overlays),
        }
    }

    /// A recorded match, played again by the rules from start to end.
    fn watched<G: GameView>(
        mut config: MatchConfig,
        text: &str,
        overlays: bool,
    ) -> Result<Self, String> {
        let replay = read_replay::<G>(text.as_bytes())
            .map_err(|fault| fault.in_file(config.level.stem()))?;
        let played = replay.play().map_err(|error| unplayable(&error, replay.turns.len()))?;
        config.players = replay.seats.iter().map(|name| name.as_str().into()).collect();
        config.seed = replay.seed;
        let referee = Referee::of_record(played, &replay);
        let mut session = Self::over(referee, config, replay.level.name, overlays);
        session.notes = Notes::of(&replay.notes, replay.turns.len());
        session.live.take_pictures();
        session.learn_names();
        session.has_thoughts = !replay.thoughts.is_empty();
        Ok(session)
    }

    fn new_match<G: GameView>(config: MatchConfig, overlays: bool) -> Result<Self, String> {
        let bytes = config.level.bytes().map_err(|error| error.to_string())?;
        let listed = |faults| FaultyLevel(faults).to_string();
        let own = read_level::<G>(&bytes, &config.level.id).map_err(listed)?;
        let digest = own.digest();
        let level = with_rules(own, &config.rules).map_err(listed)?;
        let level_name = level.name.clone();
        let game = G::new(&level, config.players.len()).map_err(|error| error.to_string())?;
        let mut setup = MatchSetup::new(&config.players, config.budget, config.seed);
        setup.programs = config.programs.clone();
        setup.bank = config.bank.unwrap_or(BANK);
        for (player, control) in config.players.iter().zip(&mut setup.controls) {
            if let Some(time) = config.match_time.filter(|_| G::BOARD.solver.is_none()) {
                *control = time.into();
            } else if player.program().is_some() && config.bank.is_none() {
                *control = TimeControl::Unlimited;
            } else if player.program().is_some() && G::BOARD.solver.is_some() {
                *control = TimeControl::Turn(Budget::Time(TO_SOLVE));
            } else if *player == Player::Human {
                let limit = config.clock.map(|seconds| Duration::from_secs(seconds.into()));
                *control = limit
                    .map_or(TimeControl::Unlimited, |limit| TimeControl::Turn(Budget::Time(limit)));
            } else if G::BOARD.solver.is_some() {
                // A solver thinks once and then plays; its own limits end it.
                *control = TimeControl::Unlimited;
            }
        }
        let referee = Referee::new(Arc::new(game), G::planners(), setup)
            .map_err(|error| error.to_string())?;
        let mut session = Self::over(referee, config, level_name, overlays);
        session.digest = digest;
        session.lesson = session.config.lesson.and_then(lesson_step::<G>);
        session.humans = session.seats().filter(|seat| session.is_person(*seat)).collect();
        if session.humans.is_empty() {
            session.playback.opening = OPENING;
        }
        Ok(session)
    }

    /// What the screen needs over a referee, without people who choose.
    fn over<G: GameView>(
        referee: Referee<G>,
        config: MatchConfig,
        level_name: String,
        overlays: bool,
    ) -> Self {
        let played = referee.played();
        // Whoever brings a program wants to see it think.
        let has_program = config.players.iter().any(|player| player.program().is_some());
        let is_on = |overlay: &Overlay| overlay.on || has_program && overlay.layer == Layer::Minds;
        let mut state = SessionState {
            info: MatchInfo::of::<G>(played.game(), config.players.len()),
            config,
            game_name: G::INFO.name,
            board: &G::BOARD,
            level_name,
            own_names: Vec::new(),
            has_thoughts: false,
            humans: Vec::new(),
            playback: Playback::default(),
            overlays: Overlays::new(
                G::BOARD.overlays.iter().map(|overlay| is_on(overlay) && overlays).collect(),
            ),
            is_new_to_game: false,
            commented: false,
            minimap: None,
            reel: std::collections::VecDeque::new(),
            series: SeriesState::default(),
            tab: Tab::Match,
            review: ReviewState::of(Seat(0)),
            analysis_view: AnalysisView::default(),
            result: ResultState::default(),
            lesson: None,
            leaving: false,
            goes_on_beside: false,
            notes: Notes::default(),
            asked: None,
            best_known: None,
            digest: 0,
            kept: None,
        };
        state.review.seat = state.seats().find(|&seat| state.is_person(seat)).unwrap_or(Seat(0));
        Self { state, live: Box::new(Live::new(referee)) }
    }
}

/// Why a replay of so many turns cannot be watched: what is wrong, and where.
fn unplayable(error: &ReplayError, turns: usize) -> String {
    match error {
        ReplayError::Unfaithful => format!(
            "The replay is not faithful: after its {turns} turns the final state differs from the \
             recording. The file was changed, or other rules made it."
        ),
        ReplayError::Action(at) => format!("The replay breaks the rules at {at}"),
        ReplayError::Level(why) => format!("The level in the replay cannot be played: {why}"),
        error => format!("The replay cannot be played: {error}."),
    }
}
