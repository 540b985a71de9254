//! What the player does in a turn.

use outwit_core::grid::Cell;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the four directions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Direction {
    /// Towards smaller `x`.
    Left,
    /// Towards larger `x`.
    Right,
    /// Towards smaller `y`.
    Up,
    /// Towards larger `y`.
    Down,
}

impl Direction {
    /// All four, in the order in which ties are broken.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Up, Self::Down];

    /// The step to the next cell.
    pub const fn offset(self) -> Cell {
        match self {
            Self::Left => Cell::new(-1, 0),
            Self::Right => Cell::new(1, 0),
            Self::Up => Cell::new(0, -1),
            Self::Down => Cell::new(0, 1),
        }
    }

    /// The direction that leads back.
    pub const fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }

    /// The direction from a cell to one of its four neighbours.
    pub fn between(from: Cell, to: Cell) -> Option<Self> {
        Self::ALL.into_iter().find(|direction| from + direction.offset() == to)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Up => "up",
            Self::Down => "down",
        })
    }
}

/// A step of the player. Where a box stands ahead, it is pushed.
///
/// In files it is one character: `l`, `r`, `u`, `d`, or `<`, `>`, `^`, `v` with a pull.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(into = "char", try_from = "char")]
pub struct PukobanStep {
    /// Where the player goes.
    pub direction: Direction,
    /// Whether the player pulls the box behind along.
    pub pull: bool,
}

impl PukobanStep {
    /// A step that walks, or pushes the box ahead.
    pub const fn to(direction: Direction) -> Self {
        Self { direction, pull: false }
    }

    /// A step that pulls the box behind the player along.
    pub const fn pull(direction: Direction) -> Self {
        Self { direction, pull: true }
    }

    /// All eight steps: for each direction the plain step, then the pull.
    pub fn all() -> impl Iterator<Item = Self> {
        Direction::ALL
            .into_iter()
            .flat_map(|direction| [Self::to(direction), Self::pull(direction)])
    }
}

impl From<PukobanStep> for char {
    fn from(step: PukobanStep) -> char {
        match (step.direction, step.pull) {
            (Direction::Left, false) => 'l',
            (Direction::Right, false) => 'r',
            (Direction::Up, false) => 'u',
            (Direction::Down, false) => 'd',
            (Direction::Left, true) => '<',
            (Direction::Right, true) => '>',
            (Direction::Up, true) => '^',
            (Direction::Down, true) => 'v',
        }
    }
}

impl TryFrom<char> for PukobanStep {
    type Error = String;

    fn try_from(letter: char) -> Result<Self, String> {
        PukobanStep::all()
            .find(|&step| char::from(step) == letter)
            .ok_or_else(|| format!("unknown step '{}'", letter.escape_default()))
    }
}
