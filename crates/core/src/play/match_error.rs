//! Why a match stays as it is.

use super::MOST_VARIATIONS;

/// Why a match refuses a turn, a choice, a variation or an earlier match. Nothing has changed then.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MatchError {
    /// No turn follows the end.
    #[error("the match is over")]
    Over,
    /// The actions are not those of the seats that choose now.
    #[error("turn {turn} needs an action of: {}", seats.join(", "))]
    OtherSeats {
        /// The number of turns played.
        turn: usize,
        /// The seats that choose now.
        seats: Vec<String>,
    },
    /// The rules forbid an action of a turn.
    #[error("turn {turn}, {seat}: {why}")]
    Illegal {
        /// The number of turns played.
        turn: usize,
        /// Whose action it is.
        seat: String,
        /// What the game says of it.
        why: String,
    },
    /// A person chose whose turn it is not, or who has chosen already.
    #[error("{0} has no choice to make now")]
    NotToMove(String),
    /// The rules forbid a person's choice, in the words of the game.
    #[error("{0}")]
    IllegalChoice(String),
    /// There is no variation of this index.
    #[error("there is no variation {}", .0 + 1)]
    NoVariation(usize),
    /// A variation ends by a seat that cannot give up there.
    #[error("turn {turn}: seat {seat} cannot stop here")]
    CannotStop {
        /// The number of turns played.
        turn: usize,
        /// The index of the seat.
        seat: u8,
    },
    /// The match has as many variations as it keeps.
    #[error("more than {MOST_VARIATIONS} variations")]
    TooManyVariations,
    /// An earlier match has another level or seed.
    #[error("it was played on another level")]
    OtherLevel,
}

impl From<MatchError> for String {
    fn from(error: MatchError) -> Self {
        error.to_string()
    }
}
