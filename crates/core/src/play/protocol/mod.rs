//! The protocol in which programs of other people play all games: JSON Lines, one message a line of at most 1 MiB,
//! on the program's standard input and output. Its standard error is its log.
//!
//! The referee speaks first. It sends `start` and waits for `ready`, sends `turn` and waits for `action`, and sends
//! `end` when the match is over. Level, observation and actions are the game's own types, as replays have them. Fields
//! that a side does not know are ignored.

mod conversation;
mod describe;
mod insight;
mod interview;
mod kept;
mod mailbox;
mod player;

pub use conversation::plain_name;
pub use describe::{ExampleMessage, example, schema};
pub use insight::{InsightMessage, SavedThought, saved_thoughts};
pub use interview::{Interview, NotReady, PositionAnswer, ask_program};
pub use kept::KeptPrograms;
pub(super) use mailbox::{Mailbox, Question};
pub use mailbox::{ProgramThought, TurnConduct};
pub use player::{ProgramPlayer, ProgramSeat};

use super::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the protocol that is spoken here.
pub const PROTOCOL: u32 = 1;
/// The longest message, in bytes.
pub const LONGEST_MESSAGE: usize = 1 << 20;

/// What the referee sends. `L` is a level of the game, `O` an observation, `A` an action, `D` an answer: an action, or in
/// a puzzle a list of actions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum RefereeMessage<L, O, A, D> {
    /// A match begins. To be answered with `ready` within `prepare_ms`.
    Start(StartMessage<L>),
    /// The program has to choose. To be answered with an `action` that names this turn.
    Turn(TurnMessage<O, A, D>),
    /// The match is over. A program that does not keep alive ends now; its input is closed.
    End {
        /// How it ended; `null` if nobody played it to the end.
        outcome: Option<Outcome>,
    },
}

/// What a program sends. `A` is an answer: an action of the game, or in a puzzle a list of actions.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ProgramMessage<A> {
    /// It is ready for the first turn.
    Ready(ReadyMessage),
    /// What it chooses.
    Action(ActionMessage<A>),
    /// What it thinks, to be drawn over the board. The last one of a turn counts.
    Insight(InsightMessage),
    /// A sentence to be shown beside the board.
    Note {
        /// The turn that it is about.
        turn: usize,
        /// The sentence, of at most 300 letters.
        text: String,
    },
}

/// The start of a match.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StartMessage<L> {
    /// The newest version of the protocol that the referee speaks.
    pub protocol: u32,
    /// The game's short name, such as `cops`.
    pub game: &'static str,
    /// Changes whenever the same actions may lead to other positions.
    pub rules_version: u32,
    /// The seat of this program.
    pub seat: String,
    /// All seats, in their order.
    pub seats: Vec<String>,
    /// The level, with all its rules.
    pub level: L,
    /// How much time there is.
    pub budget: BudgetMessage,
    /// How long the program may prepare before it says `ready`, in milliseconds.
    pub prepare_ms: u64,
    /// A seed for the program's own dice. It tells nothing of the dice of the match.
    pub seed: u64,
}

/// How much time a program has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct BudgetMessage {
    /// The time per turn, in milliseconds; absent where a turn has none of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// What it may take beyond that in all turns together, in milliseconds.
    pub bank_ms: u64,
    /// The time of the whole match, in milliseconds, where it is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_ms: Option<u64>,
    /// What each turn adds to the time of the match, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
}

/// A turn of the program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TurnMessage<O, A, D> {
    /// The number of the turn, counted from 0 over the turns of all seats.
    pub turn: usize,
    /// What the seat sees.
    pub observation: O,
    /// All actions to choose from, where they can be listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<A>>,
    /// What is played if no answer comes, in the form of an answer.
    pub default: D,
    /// The time for this turn, in milliseconds: of the time of the match, all that is left. Absent without a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// What is left of the bank, in milliseconds.
    pub bank_ms: u64,
    /// What became of the last answer; absent in the first turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<LastAnswer>,
}

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct LastAnswer {
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// Whether it came too late, and the default was played.
    pub late: bool,
}

/// A program says that it is ready.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReadyMessage {
    /// The version of the protocol that the program speaks; the lower one of both is spoken.
    #[serde(default = "first_version")]
    pub protocol: u32,
    /// What the program is called.
    #[serde(default)]
    pub name: String,
    /// Who made it.
    #[serde(default)]
    pub author: String,
    /// Whether another `start` may follow after `end`.
    #[serde(default)]
    pub keep_alive: bool,
}

fn first_version() -> u32 {
    1
}

/// What a program chooses.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ActionMessage<A> {
    /// The turn that it answers.
    pub turn: usize,
    /// The action.
    pub action: A,
    /// Whether a better answer may follow in this turn. The last one in time counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}
