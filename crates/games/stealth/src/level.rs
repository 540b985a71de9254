//! What a level of Stealth says: terrain, guards, start, goal.

use super::patrol;
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::LevelFile;
use outwit_core::rule_set;

rule_set! {
    /// What a path is worth, the skills of both sides, and the parameters of the genetic planners.
    pub struct StealthRules {
        /// How much the cost of the entered cells counts.
        cost_weight: u32 = 1, Whole { min: 1, max: 20, optional: false }, "Weight of the cost";
        /// How much each cell between the start and the end of the path is rewarded, in units of 1.5.
        away_weight: u32 = 5, Whole { min: 0, max: 20, optional: false }, "Weight of distance gained";
        /// How much each cell between the end of the path and the goal is punished, in units of 1.5.
        goal_weight: u32 = 2, Whole { min: 0, max: 20, optional: false }, "Weight of distance left";
        /// What is taken off the fitness when the goal is reached.
        bonus: u32 = 10, Whole { min: 0, max: 1000, optional: false }, "Bonus at the goal";
        /// What is added to the fitness when the goal is not reached.
        penalty: u32 = 30, Whole { min: 0, max: 1000, optional: false }, "Penalty short of the goal";
        /// What the thief adds to its roll against being noticed.
        stealth: u32 = 0, Whole { min: 0, max: 30, optional: false }, "Stealth skill";
        /// What guards add to their rolls to notice the thief.
        perception: u32 = 0, Whole { min: 0, max: 30, optional: false }, "Guards' perception";
        /// How far the thief sees in the fog, in cells; without fog it knows the whole map.
        sight: Option<u32> = None, Whole { min: 2, max: 64, optional: true }, "Thief's sight in fog";
        /// Individuals of a generation.
        population: u32 = 50, Whole { min: 2, max: 500, optional: false }, "Population";
        /// Generations after the first.
        generations: u32 = 100, Whole { min: 0, max: 1000, optional: false }, "Generations";
        /// Individuals that are drawn for a tournament.
        tournament: u32 = 5, Whole { min: 1, max: 20, optional: false }, "Tournament size";
        /// Probability that the best of a tournament is chosen, then the second best of the rest.
        selection: f64 = 0.8, Real { min: 0.0, max: 1.0 }, "Tournament selection";
        /// Probability that two parents are crossed.
        crossover: f64 = 1.0, Real { min: 0.0, max: 1.0 }, "Crossover";
        /// Probability that one move of an individual is changed, in the first generations.
        mutation: f64 = 0.15, Real { min: 0.0, max: 1.0 }, "Mutation";
        /// By how much the probability of a mutation falls each time.
        mutation_fall: f64 = 0.05, Real { min: 0.0, max: 1.0 }, "Decrease of mutation";
        /// Generations after which the probability of a mutation falls.
        mutation_every: u32 = 20, Whole { min: 1, max: 1000, optional: false }, "Generations per \
                                                                                 decrease";
        /// The best individuals that pass on to the next generation as they are.
        elite: u32 = 0, Whole { min: 0, max: 100, optional: false }, "Elite";
    }
}

/// A level as a file says it.
pub type StealthFile = LevelFile<StealthRules>;

/// First field of level files.
pub const FORMAT: &str = "stealth 1";

/// The maximum width and height of a level, in cells.
pub const MAX_SIDE: usize = 64;

/// The maximum number of guards. It keeps exact costs within 128 bits: see
/// [`Ground`](super::Ground).
pub const MAX_GUARDS: usize = 40;

/// The terrain of a cell, with the characters of the original report. Guards on patrol and their signposts
/// stand on free cells: see [`patrol`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GroundTile {
    /// A free cell, of cost 1.5.
    Free,
    /// Difficult terrain, of cost 3.
    Difficult,
    /// An obstacle, of cost 4.5.
    Obstacle,
    /// A wall, which stops the thief and the guards' sight.
    Wall,
    /// A guard that never moves, which stops the thief but not the sight of other guards.
    Guard,
    /// Where the thief starts.
    Start,
    /// Where the thief wants to be, of cost 1.5.
    Goal,
}

impl GroundTile {
    /// What a character stands for; see [`patrol`] for those of patrols.
    pub fn from_char(symbol: char) -> Option<Self> {
        Some(match symbol {
            '.' => Self::Free,
            'X' => Self::Difficult,
            'T' => Self::Obstacle,
            '#' => Self::Wall,
            'Z' => Self::Guard,
            'O' => Self::Start,
            'Y' => Self::Goal,
            _ if patrol::signpost(symbol).is_some() => Self::Free,
            _ => return None,
        })
    }

    /// The character for the map.
    pub fn to_char(self) -> char {
        match self {
            Self::Free => '.',
            Self::Difficult => 'X',
            Self::Obstacle => 'T',
            Self::Wall => '#',
            Self::Guard => 'Z',
            Self::Start => 'O',
            Self::Goal => 'Y',
        }
    }

    /// Whether the thief cannot enter.
    pub fn is_closed(self) -> bool {
        matches!(self, Self::Wall | Self::Guard)
    }

    /// The cost of entering where no guard sees it, in units of 1.5; the start costs nothing.
    pub fn base_cost(self) -> i128 {
        match self {
            Self::Free | Self::Goal => 1,
            Self::Difficult => 2,
            Self::Obstacle => 3,
            Self::Start | Self::Wall | Self::Guard => 0,
        }
    }
}

/// The tiles of a map; unknown characters count as free.
pub fn tiles(level: &StealthFile) -> Grid<GroundTile> {
    level.cells('.').map(|&symbol| GroundTile::from_char(symbol).unwrap_or(GroundTile::Free))
}

/// All cells with this tile, row by row.
pub(super) fn cells_of(tiles: &Grid<GroundTile>, wanted: GroundTile) -> Vec<Cell> {
    tiles.iter().filter(|&(_, &tile)| tile == wanted).map(|(cell, _)| cell).collect()
}
