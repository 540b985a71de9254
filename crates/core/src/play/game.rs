//! What a game is: pure rules over plain data.

use super::{
    Chance, CheckedLevel, Closing, EngineSpec, GradedPlanner, OpeningSpec, Outcome, Place, Seat,
    Seats, SetupError,
};
use crate::levels::{Fault, LevelData};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// What differs between games in how a match is run.
pub struct MatchRules<G: Game> {
    /// Whether a planner's [line](super::Line) holds the actions of everybody, one after the other, and
    /// not only those of its own seat; where exactly one seat chooses at a time.
    pub joint_lines: bool,
    /// Whether a program answers its first turn with a list of all its actions, and is not asked again: a puzzle, whose
    /// solution counts as a whole.
    pub whole_answers: bool,
    /// Whether a person who has used up the time of a match loses it. Elsewhere it plays as little as
    /// possible from then on.
    pub loses_on_time: bool,
    /// Whether the seats may agree that the match is drawn.
    pub draws_by_agreement: bool,
    /// Turns after which a tournament breaks off a match that is still not over; more than any match
    /// can have if the rules end every match.
    pub most_turns: fn(&G) -> usize,
    /// Openings for the games of a tournament; `None` where seeds make games different, or nothing can.
    pub openings: Option<OpeningSpec<G>>,
    /// The result when a seat stops before the rules end the match.
    pub closed: CloseMatch<G>,
}

/// Gives the result of a match that a seat ends before the rules do.
pub type CloseMatch<G> = fn(&G, &<G as Game>::State, Seat, Closing) -> Outcome;

impl<G: Game> MatchRules<G> {
    /// Lines of one seat, no loss on time, no draws by agreement, 100,000 turns, no openings. A seat that stops comes last, and all
    /// others share the first rank, nobody with a score.
    pub const USUAL: Self = Self {
        joint_lines: false,
        whole_answers: false,
        loses_on_time: false,
        draws_by_agreement: false,
        most_turns: |_| 100_000,
        openings: None,
        closed: |game, _, seat, closing| {
            let seats = game.seats();
            let places = (0..seats).map(|other| {
                let own = other == seat.index();
                let word = if own { closing.word() } else { "won" };
                let rank = if own && seats > 1 { 2 } else { 1 };
                Place { rank, score: None, ending: word.into() }
            });
            let headline = closing.headline(&G::SEATS.title(seat));
            Outcome { headline, places: places.collect() }
        },
    };
}

/// Everybody sees the whole state: the observation of a [`Game`] and how it is made.
#[macro_export]
macro_rules! perfect_information {
    () => {
        type Observation = Self::State;

        fn observe(
            &self,
            _past: &[Self::State],
            state: &Self::State,
            _seat: $crate::play::Seat,
        ) -> Self::State {
            state.clone()
        }
    };
}

/// The rules of a game on one level.
///
/// A value of the type is what never changes during a match; [`State`](Game::State) is what does.
/// Everything is a pure function: the same level, chance and actions give the same states on every
/// machine. The rules hold no chance: the match owns it and hands it in, so planners, which get the
/// rules, cannot foresee it.
pub trait Game: Sized + Send + Sync + 'static {
    /// Short lower-case name, as in level ids and on the command line.
    const ID: &'static str;
    /// Changes whenever the same actions may lead to other states.
    const RULES_VERSION: u32;
    /// Who plays.
    const SEATS: Seats;
    /// How a match is run.
    const MATCH_RULES: MatchRules<Self> = MatchRules::USUAL;

    /// What a match is played on, rules included.
    type Level: LevelData;
    /// What changes from turn to turn.
    type State: Clone + PartialEq + Debug + Send + Sync + Serialize;
    /// What a seat chooses in its turn.
    type Action: Clone + PartialEq + Debug + Send + Sync + Serialize + DeserializeOwned + JsonSchema;
    /// What a planner gets to see when it has to choose; with
    /// [`perfect_information!`](crate::perfect_information) the state.
    type Observation: Clone + Send + Sync + Serialize + JsonSchema;
    /// One thing that happened in a turn, for the eye and the ear.
    type Event: Clone + PartialEq + Debug + Send + Sync;

    /// How other programs can take a seat; `None` where they cannot.
    const PROGRAMS: Option<EngineSpec<Self>> = None;
    /// A planner whose strength is a number; `None` where there is none.
    const GRADED: Option<GradedPlanner<Self>> = None;

    /// Everything that is wrong with a level, whatever its rules and its map are; empty if it can be
    /// played. [`CheckedLevel::new`] asks it.
    fn faults(level: &Self::Level) -> Vec<Fault>;

    /// The rules for `seats` seats.
    ///
    /// # Errors
    /// If the level cannot be played by so many.
    fn new(level: &CheckedLevel<Self>, seats: usize) -> Result<Self, SetupError>;

    /// The level this match is played on.
    fn level(&self) -> &Self::Level;

    /// The level as a program of somebody else gets it before the match: without what only its observations tell.
    fn public_level(&self) -> Self::Level {
        self.level().clone()
    }

    /// Number of seats of this match.
    fn seats(&self) -> usize;

    /// The state before the first turn.
    ///
    /// # Errors
    /// If what the chance draws leaves no room for a start.
    fn start(&self, chance: &Chance) -> Result<Self::State, SetupError>;

    /// The seats that choose now, all at the same time. Empty while the game moves by itself, and
    /// when it is over.
    fn to_move(&self, state: &Self::State) -> Vec<Seat>;

    /// What `seat` knows in `state`; `past` are the states before, the oldest first.
    fn observe(&self, past: &[Self::State], state: &Self::State, seat: Seat) -> Self::Observation;

    /// All that `seat` may choose now, the action that does least first; `None` where there are too
    /// many to list. Never empty while the seat is to move.
    ///
    /// A game gives this or both [`legal`](Game::legal) and [`null_action`](Game::null_action). Beside
    /// the list, `legal` is worth giving where it can say why, or be quicker.
    fn actions(&self, _state: &Self::State, _seat: Seat) -> Option<Vec<Self::Action>> {
        None
    }

    /// Whether `seat` may choose `action` now: by default, whether it is among the
    /// [`actions`](Game::actions).
    ///
    /// # Errors
    /// Says which rule forbids it.
    fn legal(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> Result<(), String> {
        match self.actions(state, seat) {
            Some(actions) if actions.contains(action) => Ok(()),
            _ => Err("this is not among the actions to choose from".into()),
        }
    }

    /// A legal action that does as little as possible: by default the first of the
    /// [`actions`](Game::actions).
    ///
    /// # Panics
    /// By default, if the game lists no actions for a seat that is to move.
    fn null_action(&self, state: &Self::State, seat: Seat) -> Self::Action {
        match self.actions(state, seat).and_then(|actions| actions.into_iter().next()) {
            Some(action) => action,
            None => panic!("{} lists no action for seat {}", Self::ID, seat.0),
        }
    }

    /// An action of a program that may hold only the beginning of one, made whole by doing nothing from then on.
    fn completed(&self, _state: &Self::State, _seat: Seat, action: Self::Action) -> Self::Action {
        action
    }

    /// Plays one turn. `actions` holds a legal action for each seat of
    /// [`to_move`](Game::to_move), in its order; `events` receives what happened, in the order an
    /// eye should see it.
    fn advance(
        &self,
        state: &mut Self::State,
        actions: &[(Seat, Self::Action)],
        chance: &Chance,
        events: &mut Vec<Self::Event>,
    );

    /// The result once the match is over.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;
}
