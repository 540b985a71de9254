//! What a level of Pukoban says: walls, goals, boxes, the player, and what makes it invalid.

use super::Pukoban;
use outwit_core::grid::{Cell, FOUR, Grid};
use outwit_core::levels::{Fault, LevelFile};
use outwit_core::rule_set;
use outwit_kit::map_faults_with;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the player can do with boxes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Moves {
    /// Push and pull them, so that every move can be undone.
    PushAndPull,
    /// Only push them, as in Sokoban: a position can be dead.
    Push,
}

impl Moves {
    /// Whether boxes can be pulled.
    pub fn has_pulls(self) -> bool {
        self == Self::PushAndPull
    }
}

/// What ranks a solution, and what planners minimise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The number of steps of the player.
    Steps,
    /// The number of pushes and pulls.
    BoxMoves,
}

rule_set! {
    /// The rules of a puzzle.
    pub struct PukobanRules {
        /// What counts: the steps of the player, or the moves of boxes (pushes and pulls).
        objective: Objective = Objective::Steps, Choice(&["steps", "box_moves"]), "Objective",
            ("steps", "Fewest steps"), ("box_moves", "Fewest box moves");
        /// Whether boxes can be pulled as well as pushed, or only pushed, as in Sokoban.
        moves: Moves = Moves::PushAndPull, Choice(&["push_and_pull", "push"]), "Moves of boxes",
            ("push_and_pull", "Push and pull"), ("push", "Push only, as in Sokoban");
        /// The number of steps after which the match ends unsolved.
        max_steps: u32 = 10_000, Whole { min: 1, max: 100_000, optional: false }, "Step limit";
    }
}

/// A level as a file says it.
pub type PukobanFile = LevelFile<PukobanRules>;

/// First field of level files.
pub const FORMAT: &str = "pukoban 1";

/// The maximum width and height of a level, in cells.
pub const MAX_SIDE: usize = 64;

/// The maximum number of boxes.
pub const MAX_BOXES: usize = 128;

/// What a character of the map stands for, in the notation of Sokoban levels (XSB).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tile {
    /// A free cell.
    Floor,
    /// A wall.
    Wall,
    /// A cell where a box is wanted.
    Goal,
    /// A box.
    Box,
    /// A box on a goal.
    BoxOnGoal,
    /// The player.
    Player,
    /// The player on a goal.
    PlayerOnGoal,
}

impl Tile {
    /// What a character stands for. Floor may be written as `-`, `_` or a space.
    pub fn from_char(symbol: char) -> Option<Self> {
        Some(match symbol {
            '-' | '_' | ' ' => Tile::Floor,
            '#' => Tile::Wall,
            '.' => Tile::Goal,
            '$' => Tile::Box,
            '*' => Tile::BoxOnGoal,
            '@' => Tile::Player,
            '+' => Tile::PlayerOnGoal,
            _ => return None,
        })
    }

    /// The character for the map.
    pub fn to_char(self) -> char {
        match self {
            Tile::Floor => '-',
            Tile::Wall => '#',
            Tile::Goal => '.',
            Tile::Box => '$',
            Tile::BoxOnGoal => '*',
            Tile::Player => '@',
            Tile::PlayerOnGoal => '+',
        }
    }

    /// Whether a box is wanted here.
    pub fn is_goal(self) -> bool {
        matches!(self, Tile::Goal | Tile::BoxOnGoal | Tile::PlayerOnGoal)
    }

    /// Whether a box is here.
    pub fn is_box(self) -> bool {
        matches!(self, Tile::Box | Tile::BoxOnGoal)
    }

    /// Whether the player is here.
    pub fn is_player(self) -> bool {
        matches!(self, Tile::Player | Tile::PlayerOnGoal)
    }
}

/// The tiles of a map; unknown characters count as floor.
pub fn tiles(level: &PukobanFile) -> Grid<Tile> {
    level.cells('-').map(|&symbol| Tile::from_char(symbol).unwrap_or(Tile::Floor))
}

/// All cells, row by row, whose tile fits.
pub(super) fn cells_of(tiles: &Grid<Tile>, fits: impl Fn(Tile) -> bool) -> Vec<Cell> {
    tiles.iter().filter(|&(_, &tile)| fits(tile)).map(|(cell, _)| cell).collect()
}

/// Everything that keeps a well-formed level from being played.
pub(super) fn faults(level: &PukobanFile) -> Vec<Fault> {
    let mut faults = map_faults_with::<Pukoban>(level, |symbol| Tile::from_char(symbol).is_some());
    if !faults.is_empty() {
        return faults;
    }
    let tiles = tiles(level);
    let players = cells_of(&tiles, Tile::is_player);
    let goals = cells_of(&tiles, Tile::is_goal);
    let boxes = cells_of(&tiles, Tile::is_box);
    if players.is_empty() {
        faults.push(Fault::whole("there is no player (@, or + on a goal): put one on the map"));
    }
    let extra = players.iter().copied().skip(1);
    faults.extend(Fault::at_all(extra, "there is more than one player; keep one @ or +"));
    if goals.is_empty() {
        faults.push(Fault::whole("there is no goal (.): put at least one on the map"));
    }
    if boxes.len() > MAX_BOXES {
        faults.push(Fault::whole(format!(
            "there are {} boxes; the maximum is {MAX_BOXES}",
            boxes.len()
        )));
    }
    if let Some(&extra) = goals.get(boxes.len()) {
        faults.push(Fault::at(
            extra,
            format!(
                "there are more goals ({}) than boxes ({}): add boxes or remove goals",
                goals.len(),
                boxes.len()
            ),
        ));
    } else if !goals.is_empty() && goals.iter().all(|&goal| tiles[goal].is_box()) {
        faults.push(Fault::whole("it is solved from the start: every goal holds a box"));
    }
    if let (true, Some(&player)) = (faults.is_empty(), players.first())
        && !can_move(&tiles, player)
    {
        faults.push(Fault::at(player, "the player cannot move: clear a cell beside it"));
    }
    faults
}

/// Whether the player can walk or push anywhere. If so it can always move: the cell that it came from is free
/// after a walk or a push, and after a pull the box on it can be pushed back.
fn can_move(tiles: &Grid<Tile>, player: Cell) -> bool {
    let open = |cell: Cell| tiles.get(cell).is_some_and(|&tile| tile != Tile::Wall);
    let free = |cell: Cell| open(cell) && !tiles[cell].is_box();
    FOUR.iter().any(|&step| {
        let ahead = player + step;
        free(ahead) || (open(ahead) && free(ahead + step))
    })
}
