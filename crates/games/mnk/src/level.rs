//! What a level of the (m,n,k)-game says: the board with its stones, the rules, and what makes it invalid.

use super::Mnk;
use super::lines::winning_line;
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::{Fault, LevelFile};
use outwit_core::rule_set;
use outwit_kit::map_faults;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One of the two kinds of stones.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Stone {
    /// A cross.
    X,
    /// A nought.
    O,
}

impl Stone {
    /// O for X, and X for O.
    pub fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }

    /// Its character in maps.
    pub fn to_char(self) -> char {
        match self {
            Self::X => 'X',
            Self::O => 'O',
        }
    }

    /// 0 for X, 1 for O.
    pub fn index(self) -> usize {
        usize::from(self == Self::O)
    }
}

/// How a match begins on an empty board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Opening {
    /// Both place stones in turn from the first move on.
    Free,
    /// The first player places X, O and X; the second chooses who plays which.
    Swap,
    /// As [`Swap`](Self::Swap), but the second player may also place O and X and leave the choice to
    /// the first.
    Swap2,
}

rule_set! {
    /// The rules of an (m,n,k)-game. The map gives m rows and n columns.
    pub struct MnkRules {
        /// Stones in a row, a column or a diagonal that win.
        k: u32 = 5, Whole { min: 1, max: 70, optional: false }, "In a row";
        /// Only a row of exactly this length wins; a longer one (an overline) does not.
        exact: bool = false, Flag, "Exactly k in a row";
        /// How a match begins on an empty board. With swap the first player places X, O and X, and the
        /// second chooses who plays which; with swap2 the second may instead place O and X and leave
        /// the choice to the first.
        opening: Opening = Opening::Free, Choice(&["free", "swap", "swap2"]), "Opening";
        /// Who places the first stone.
        to_move: Stone = Stone::X, Choice(&["x", "o"]), "To move", ("x", "X"), ("o", "O");
    }
}

/// A level as a file says it.
pub type MnkFile = LevelFile<MnkRules>;

/// First field of level files.
pub const FORMAT: &str = "mnk 1";

/// The maximum width and height of a board, in cells.
pub const MAX_SIDE: usize = 70;

/// Stones that the swap and swap2 openings place before play: all of them must find a cell, and none
/// of them may win.
pub(super) const OPENING_STONES: usize = 5;

/// What a character of the map stands for; `None` if it is unknown.
pub fn content(symbol: char) -> Option<Option<Stone>> {
    match symbol {
        '.' => Some(None),
        'X' => Some(Some(Stone::X)),
        'O' => Some(Some(Stone::O)),
        _ => None,
    }
}

/// The stones of a map; unknown characters count as empty.
pub fn stones(level: &MnkFile) -> Grid<Option<Stone>> {
    level.cells('.').map(|&symbol| content(symbol).flatten())
}

/// Everything that keeps a well-formed level from being played.
pub(super) fn faults(level: &MnkFile) -> Vec<Fault> {
    let mut faults = map_faults::<Mnk>(level);
    if !faults.is_empty() {
        return faults;
    }
    let stones = stones(level);
    faults.extend(count_fault(level, &stones));
    faults.extend(won_fault(level, &stones));
    if stones.as_slice().iter().all(Option::is_some) {
        faults.push(Fault::whole("there is no empty cell"));
    }
    if level.rules.opening != Opening::Free {
        faults.extend(opening_fault(level, &stones));
    }
    faults
}

/// Whoever is to move has as many stones as the other, or one fewer.
fn count_fault(level: &MnkFile, stones: &Grid<Option<Stone>>) -> Option<Fault> {
    let count = |kind| stones.as_slice().iter().filter(|&&stone| stone == Some(kind)).count();
    let mover = level.rules.to_move;
    let own = count(mover);
    let other = count(mover.other());
    (own > other || other > own + 1).then(|| {
        let (mover, waiting) = (mover.to_char(), mover.other().to_char());
        Fault::whole(format!(
            "{mover} is to move, so there must be as many {mover} as {waiting} or one fewer, but \
             there are {own} {mover} and {other} {waiting}: change the stones or who is to move"
        ))
    })
}

fn won_fault(level: &MnkFile, stones: &Grid<Option<Stone>>) -> Option<Fault> {
    let stone_at = |cell: Cell| stones.get(cell).copied().flatten();
    let has_won = |cell: Cell| !winning_line(stone_at, cell, &level.rules).is_empty();
    let (cell, stone) =
        stones.iter().find_map(|(cell, &stone)| Some((cell, stone?)).filter(|_| has_won(cell)))?;
    let what = format!("{} has won already: break the row of {}", stone.to_char(), level.rules.k);
    Some(Fault::at(cell, what))
}

fn opening_fault(level: &MnkFile, stones: &Grid<Option<Stone>>) -> Option<Fault> {
    let why = if stones.as_slice().iter().any(Option::is_some) {
        "an empty board"
    } else if level.rules.to_move != Stone::X {
        "X to move"
    } else if level.rules.k < 4 {
        "at least 4 in a row"
    } else if stones.len() <= OPENING_STONES {
        "at least 6 cells"
    } else {
        return None;
    };
    Some(Fault::whole(format!("the openings swap and swap2 need {why}")))
}
