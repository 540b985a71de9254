//! A level with its cells numbered, and what every search of it shares.

use super::moves::Kinds;
use crate::{Direction, Moves, Pukoban, PukobanState, PukobanStep};
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};

/// The number of a cell that the player could reach if there were no boxes.
pub type Square = u16;

/// No cell: a wall.
pub const WALL: Square = Square::MAX;

/// The walls and goals of a level, with its floor numbered row by row.
///
/// Boxes in areas that the player can never enter stay where they are for ever; they and the goals
/// under them are left out.
#[derive(Clone, Debug)]
pub struct Puzzle {
    moves: Moves,
    cells: Vec<Cell>,
    spots: Grid<Square>,
    next: Vec<[Square; 4]>,
    goals: Vec<Square>,
    boxes: usize,
    solvable: bool,
    player_keys: Vec<u64>,
    box_keys: Vec<u64>,
}

impl Puzzle {
    /// The puzzle of a level.
    pub fn of(game: &Pukoban) -> Self {
        let opening = game.opening();
        Self::new(game.moves(), game.walls(), &opening.boxes, game.goals(), opening.player)
    }

    /// The puzzle of these walls, boxes and goals with the player on this cell.
    pub fn new(
        moves: Moves,
        walls: &Grid<bool>,
        boxes: &[Cell],
        goals: &[Cell],
        player: Cell,
    ) -> Self {
        let reach = distances(walls, [player], &FOUR, |_, &wall| !wall);
        let reached = |cell: &Cell| reach.get(*cell).is_some_and(|&steps| steps != UNREACHED);
        let cells: Vec<Cell> = reach.cells().filter(reached).collect();
        let mut spots = walls.map(|_| WALL);
        for (spot, &cell) in cells.iter().enumerate() {
            spots[cell] = spot as Square;
        }
        let spot_of = |cell: Cell| spots.get(cell).copied().unwrap_or(WALL);
        let next = cells
            .iter()
            .map(|&cell| Direction::ALL.map(|direction| spot_of(cell + direction.offset())))
            .collect();
        let inside: Vec<Square> =
            goals.iter().filter(|goal| reached(goal)).map(|&goal| spot_of(goal)).collect();
        let moving = boxes.iter().filter(|cell| reached(cell)).count();
        let sealed = goals.iter().filter(|goal| !reached(goal)).all(|goal| boxes.contains(goal));
        let keys = |salt: u64| (0..cells.len() as u64).map(|i| mixed(2 * i + salt)).collect();
        Self {
            moves,
            solvable: sealed && inside.len() <= moving,
            player_keys: keys(0),
            box_keys: keys(1),
            cells,
            next,
            goals: inside,
            boxes: moving,
            spots,
        }
    }

    /// The box moves with which a search goes forwards; backwards it goes with the
    /// [reverse](Kinds::reversed).
    pub fn kinds(&self) -> Kinds {
        Kinds::of(self.moves)
    }

    /// The cells in the order of their numbers.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The cell of this number.
    pub fn cell(&self, spot: Square) -> Cell {
        self.cells[usize::from(spot)]
    }

    /// The number of a cell, if the player could reach it.
    pub fn spot(&self, cell: Cell) -> Option<Square> {
        self.spots.get(cell).copied().filter(|&spot| spot != WALL)
    }

    /// The neighbour in the direction of this index in [`Direction::ALL`]; `WALL` if there is none.
    #[inline]
    pub fn next(&self, spot: Square, direction: usize) -> Square {
        self.next[usize::from(spot)][direction]
    }

    /// The goals that can still be filled or emptied.
    pub fn goals(&self) -> &[Square] {
        &self.goals
    }

    /// Number of boxes that can move.
    pub fn boxes(&self) -> usize {
        self.boxes
    }

    /// `false` if a goal lies out of reach without a box, or there are too few boxes in reach.
    pub fn is_solvable_at_first_sight(&self) -> bool {
        self.solvable
    }

    /// The Zobrist key of a player on this cell.
    #[inline]
    pub fn player_key(&self, spot: Square) -> u64 {
        self.player_keys[usize::from(spot)]
    }

    /// The Zobrist key of a box on this cell.
    #[inline]
    pub fn box_key(&self, spot: Square) -> u64 {
        self.box_keys[usize::from(spot)]
    }

    /// The player's and the boxes' cells of a position; `None` if it is of another level.
    pub fn place(&self, position: &PukobanState) -> Option<(Square, Vec<Square>)> {
        let boxes: Vec<Square> =
            position.boxes.iter().filter_map(|&cell| self.spot(cell)).collect();
        (boxes.len() == self.boxes).then_some((self.spot(position.player)?, boxes))
    }

    /// The fewest steps from one cell to another around the boxes, as directions.
    pub fn walk(
        &self,
        from: Square,
        to: Square,
        is_box: impl Fn(Square) -> bool,
    ) -> Option<Vec<PukobanStep>> {
        // From the end, so that the way can be followed forwards.
        let mut steps = vec![u32::MAX; self.cells.len()];
        let mut queue = std::collections::VecDeque::from([to]);
        steps[usize::from(to)] = 0;
        while let Some(spot) = queue.pop_front() {
            if spot == from {
                break;
            }
            for direction in 0..4 {
                let near = self.next(spot, direction);
                if near != WALL && !is_box(near) && steps[usize::from(near)] == u32::MAX {
                    steps[usize::from(near)] = steps[usize::from(spot)] + 1;
                    queue.push_back(near);
                }
            }
        }
        let mut way = Vec::new();
        let mut here = from;
        let mut left = steps[usize::from(from)];
        if left == u32::MAX {
            return None;
        }
        while left > 0 {
            left -= 1;
            let direction = (0..4).find(|&direction| {
                let near = self.next(here, direction);
                near != WALL && steps[usize::from(near)] == left
            })?;
            way.push(PukobanStep::to(Direction::ALL[direction]));
            here = self.next(here, direction);
        }
        Some(way)
    }
}

/// SplitMix64: a well-mixed word for each number.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
