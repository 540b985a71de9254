//! A path as moves: `u`, `d`, `l`, `r`.

use outwit_core::grid::Cell;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A move to one of the four neighbouring cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RouteMove {
    /// Towards smaller `y`, written `u`.
    Up,
    /// Towards larger `y`, written `d`.
    Down,
    /// Towards smaller `x`, written `l`.
    Left,
    /// Towards larger `x`, written `r`.
    Right,
}

impl RouteMove {
    /// All four, in the order in which ties are broken.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The move that leads back.
    pub fn back(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// The step to the next cell.
    pub const fn offset(self) -> Cell {
        match self {
            Self::Up => Cell::new(0, -1),
            Self::Down => Cell::new(0, 1),
            Self::Left => Cell::new(-1, 0),
            Self::Right => Cell::new(1, 0),
        }
    }

    /// The letter in files and on the command line.
    pub const fn letter(self) -> char {
        match self {
            Self::Up => 'u',
            Self::Down => 'd',
            Self::Left => 'l',
            Self::Right => 'r',
        }
    }

    /// The move that a letter stands for; capital letters are read too.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.letter() == letter.to_ascii_lowercase())
    }

    /// The move from a cell to one of its four neighbours.
    pub fn between(from: Cell, to: Cell) -> Option<Self> {
        Self::ALL.into_iter().find(|step| from + step.offset() == to)
    }
}

/// A whole path from the start, move by move. Written as its letters, such as `uurrd`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(into = "String", try_from = "String")]
pub struct Route(pub Vec<RouteMove>);

impl Route {
    /// The route along these cells, each next to the one before; `None` if they are not.
    pub fn along(cells: &[Cell]) -> Option<Self> {
        cells
            .windows(2)
            .map(|pair| RouteMove::between(pair[0], pair[1]))
            .collect::<Option<_>>()
            .map(Self)
    }

    /// This path and then another.
    pub fn and(&self, more: &Self) -> Self {
        Self(self.0.iter().chain(&more.0).copied().collect())
    }

    /// Each of its moves alone.
    pub fn steps(&self) -> impl Iterator<Item = Self> + '_ {
        self.0.iter().map(|&step| Self(vec![step]))
    }

    /// The cells from `start` on, with it.
    pub fn cells(&self, start: Cell) -> Vec<Cell> {
        let mut at = start;
        let ahead = self.0.iter().map(|step| {
            at = at + step.offset();
            at
        });
        std::iter::once(start).chain(ahead).collect()
    }
}

/// Moves beyond the largest map's number of cells are refused.
const MOST_MOVES: usize = super::level::MAX_SIDE * super::level::MAX_SIDE;

impl std::str::FromStr for Route {
    type Err = String;

    /// Reads letters; white space is ignored.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut moves = Vec::new();
        for (at, letter) in text.chars().enumerate().filter(|(_, letter)| !letter.is_whitespace()) {
            if moves.len() == MOST_MOVES {
                return Err(format!("no path has more than {MOST_MOVES} moves"));
            }
            moves.push(RouteMove::from_letter(letter).ok_or_else(|| {
                format!(
                    "character {}: unknown move '{}'; use u up, d down, l left, r right",
                    at + 1,
                    letter.escape_default()
                )
            })?);
        }
        Ok(Self(moves))
    }
}

impl TryFrom<String> for Route {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Route> for String {
    fn from(route: Route) -> Self {
        route.to_string()
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| write!(f, "{}", step.letter()))
    }
}
