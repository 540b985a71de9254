//! What a game is: pure rules over plain data.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// One side of a match, counted from 0.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, serde::Deserialize,
)]
pub struct Seat(pub u8);

impl Seat {
    /// As an index into a list with one entry a seat.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How one seat ended.
#[derive(Clone, PartialEq, Debug, Serialize, serde::Deserialize)]
pub struct Place {
    /// 1 for the best; equal results share a rank.
    pub rank: u32,
    /// The figure that ranks: turns in a race, the payoff of a pursuit; `None` without a result.
    pub score: Option<f64>,
    /// One word for what happened, such as `finished`, `crashed`, `caught`.
    pub ending: String,
}

/// How a match ended.
#[derive(Clone, PartialEq, Debug, Serialize, serde::Deserialize)]
pub struct Outcome {
    /// One sentence for people.
    pub headline: String,
    /// One entry a seat.
    pub places: Vec<Place>,
}

/// Why a match cannot begin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

/// The rules of a game on one level with one seed.
///
/// A value of the type is what never changes during a match; [`State`](Game::State) is what does.
/// Everything is a pure function: the same level, seed and actions give the same states on every
/// machine.
pub trait Game: Sized + Send + Sync + 'static {
    /// Short lower-case name, as in level ids and on the command line.
    const ID: &'static str;
    /// Changes whenever the same actions may lead to other states.
    const RULES_VERSION: u32;

    /// What a match is played on, rules included.
    type Level: Clone + PartialEq + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// What changes from turn to turn.
    type State: Clone + PartialEq + Debug + Send + Sync + Serialize;
    /// What a seat chooses in its turn.
    type Action: Clone + PartialEq + Debug + Send + Sync + Serialize + DeserializeOwned;
    /// What a planner gets to see when it has to choose.
    type Observation: Clone + Send + Sync;
    /// One thing that happened in a turn, for the eye and the ear.
    type Event: Clone + PartialEq + Debug + Send + Sync;

    /// Prepares a match of `seats` seats.
    ///
    /// # Errors
    /// If the level cannot be played, or not by so many.
    fn new(level: &Self::Level, seats: usize, seed: u64) -> Result<Self, SetupError>;

    /// The level this match is played on.
    fn level(&self) -> &Self::Level;

    /// The seed this match was set up with.
    fn seed(&self) -> u64;

    /// Number of seats of this match.
    fn seats(&self) -> usize;

    /// How many seats a match may have.
    fn seats_allowed() -> RangeInclusive<usize>;

    /// The name of a seat, as in `--seat NAME=PLANNER`.
    fn seat_name(seat: Seat) -> String;

    /// The state before the first turn.
    fn start(&self) -> Self::State;

    /// The seats that choose now, all at the same time. Empty while the game moves by itself, and
    /// when it is over.
    fn to_move(&self, state: &Self::State) -> Vec<Seat>;

    /// What `seat` knows in `state`; `past` are the states before, the oldest first.
    fn observe(&self, past: &[Self::State], state: &Self::State, seat: Seat) -> Self::Observation;

    /// Whether `seat` may choose `action` now.
    ///
    /// # Errors
    /// Says which rule forbids it.
    fn legal(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> Result<(), String>;

    /// A legal action that does as little as possible.
    fn null_action(&self, state: &Self::State, seat: Seat) -> Self::Action;

    /// Plays one turn. `actions` holds a legal action for each seat of
    /// [`to_move`](Game::to_move), in its order; `events` receives what happened, in the order an
    /// eye should see it.
    fn advance(
        &self,
        state: &mut Self::State,
        actions: &[(Seat, Self::Action)],
        events: &mut Vec<Self::Event>,
    );

    /// The result once the match is over.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;
}
