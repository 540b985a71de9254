//! The board of a pursuit and what moves on it by itself: walls and gates.

use super::level::{CopsFile, CopsRules, Plan, plan};
use super::ring::Ring;
use outwit_core::grid::{Cell, FOUR, Grid};
use outwit_core::levels::Fault;
use schemars::JsonSchema;
use serde::Serialize;

/// One of the four directions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
pub enum Heading {
    /// Growing x.
    Right,
    /// Growing y.
    Down,
    /// Falling x.
    Left,
    /// Falling y.
    Up,
}

/// All headings, clockwise from the right as in [`FOUR`].
pub const HEADINGS: [Heading; 4] = [Heading::Right, Heading::Down, Heading::Left, Heading::Up];

impl Heading {
    /// One cell this way.
    pub fn step(self) -> Cell {
        FOUR[self as usize]
    }

    /// The heading after so many quarter turns clockwise.
    pub fn turned(self, quarters: usize) -> Self {
        HEADINGS[(self as usize + quarters) % 4]
    }
}

/// A wall: `wall_length` cells in a row or a column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
pub struct Wall {
    /// Its left or top cell.
    pub cell: Cell,
    /// Whether it stands in a column rather than lies in a row, for the whole game.
    pub standing: bool,
    /// Where it is going.
    pub heading: Heading,
}

impl Wall {
    /// Whether the wall, `length` cells long, takes a cell.
    pub fn covers(&self, length: u32, cell: Cell) -> bool {
        let Cell { x, y } = cell - self.cell;
        let (along, across) = if self.standing { (y, x) } else { (x, y) };
        across == 0 && (0..length as i32).contains(&along)
    }

    /// Its cells, from the left or the top.
    pub fn cells(&self, length: u32) -> impl Iterator<Item = Cell> + use<> {
        let Wall { cell, standing, .. } = *self;
        (0..length as i32).map(move |i| cell + Wall::along(standing, i))
    }

    /// The way from the first cell of a wall to its `i`th.
    fn along(standing: bool, i: i32) -> Cell {
        if standing { Cell::new(0, i) } else { Cell::new(i, 0) }
    }
}

/// A gate: `gate_width` border cells, clockwise from its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
pub struct Gate {
    /// Its first border cell.
    pub place: u16,
    /// Whether it goes clockwise.
    pub clockwise: bool,
}

/// Where everything stands, as every player sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Position {
    /// The tick t whose moves come next, or in which the game ended.
    pub tick: u32,
    /// The thief.
    pub thief: Cell,
    /// The cops.
    pub cops: Vec<Cell>,
    /// The walls.
    pub walls: Vec<Wall>,
    /// The gates.
    pub gates: Vec<Gate>,
}

impl Position {
    /// Whether a player stands on a cell.
    pub fn is_taken(&self, cell: Cell) -> bool {
        self.thief == cell || self.cops.contains(&cell)
    }
}

/// What a wall or a gate did in a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WallMove {
    /// It took another heading.
    Turned,
    /// It moved one cell.
    Moved,
    /// It met the edge of the board, turned back and stayed.
    Reversed,
    /// It met a player and stayed.
    Blocked,
}

/// A wall or a gate that did something by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnvMove {
    /// A wall did.
    Wall {
        /// Which.
        index: u16,
        /// What.
        what: WallMove,
        /// What it is now.
        wall: Wall,
    },
    /// A gate did.
    Gate {
        /// Which.
        index: u16,
        /// What.
        what: WallMove,
        /// What it is now.
        gate: Gate,
    },
}

/// What never changes during a game, but for the seed.
#[derive(Clone, Debug)]
pub struct Board {
    rules: CopsRules,
    blocks: Grid<bool>,
    ring: Ring,
    chances: Chances,
}

/// Probabilities as the number of 32-bit draws, of 2³², that mean yes.
#[derive(Clone, Copy, Debug)]
struct Chances {
    gate_turn: u64,
    gate_move: u64,
    wall_turn: u64,
    wall_move: u64,
}

/// Number of 32-bit draws of 2³² below which an event of this probability happens.
fn chance(probability: f64) -> u64 {
    (probability * 4_294_967_296.0) as u64
}

/// Whether a 32-bit draw means yes.
fn happens(draw: u32, chance: u64) -> bool {
    u64::from(draw) < chance
}

impl Board {
    /// The board of a level and what the level fixes of the start.
    ///
    /// # Errors
    /// Every cell of the map that cannot be understood.
    pub fn new(level: &CopsFile) -> Result<(Self, Plan), Vec<Fault>> {
        let plan = plan(level)?;
        let rules = level.rules.clone();
        let chances = Chances {
            gate_turn: chance(rules.p_gate_turn),
            gate_move: chance(rules.p_gate_move),
            wall_turn: chance(rules.p_wall_turn),
            wall_move: chance(rules.p_wall_move),
        };
        let ring = Ring::new(plan.blocks.width(), plan.blocks.height());
        Ok((Self { rules, blocks: plan.blocks.clone(), ring, chances }, plan))
    }

    /// The rules of the level, in their ranges.
    pub fn rules(&self) -> &CopsRules {
        &self.rules
    }

    /// The ring of cells around the board, on which gates move.
    pub fn ring(&self) -> &Ring {
        &self.ring
    }

    /// Columns, the border included.
    pub fn width(&self) -> usize {
        self.blocks.width()
    }

    /// Rows, the border included.
    pub fn height(&self) -> usize {
        self.blocks.height()
    }

    /// Whether a cell lies inside the border.
    pub fn is_inside(&self, cell: Cell) -> bool {
        cell.x > 0
            && cell.y > 0
            && cell.x < self.blocks.width() as i32 - 1
            && cell.y < self.blocks.height() as i32 - 1
    }

    /// Whether a cell lies inside the border and is no block.
    pub fn is_floor(&self, cell: Cell) -> bool {
        self.is_inside(cell) && !self.blocks[cell]
    }

    /// All cells inside the border that are no blocks.
    pub fn floor(&self) -> impl Iterator<Item = Cell> + '_ {
        self.blocks.cells().filter(|&cell| self.is_floor(cell))
    }

    /// Whether a wall takes a cell.
    pub fn is_walled(&self, walls: &[Wall], cell: Cell) -> bool {
        walls.iter().any(|wall| wall.covers(self.rules.wall_length, cell))
    }

    /// Whether a gate takes a cell of the border.
    pub fn is_gate(&self, gates: &[Gate], cell: Cell) -> bool {
        let length = self.ring.len();
        self.ring.place(cell).is_some_and(|place| {
            gates.iter().any(|gate| {
                (place + length - usize::from(gate.place)) % length < self.rules.gate_width as usize
            })
        })
    }

    /// The border cells of a gate, clockwise.
    pub fn gate_cells(&self, gate: Gate) -> impl Iterator<Item = Cell> + '_ {
        (0..self.rules.gate_width as usize)
            .map(move |i| self.ring.cell((usize::from(gate.place) + i) % self.ring.len()))
    }

    /// Whether a wall could be here: wholly inside the border, over blocks or not.
    pub fn wall_fits(&self, cell: Cell, standing: bool) -> bool {
        let last = cell + Wall::along(standing, self.rules.wall_length as i32 - 1);
        self.is_inside(cell) && self.is_inside(last)
    }

    /// Gates and then walls move, as they do first in each tick. The dice give 32 random
    /// bits a call, two calls a gate and two a wall whatever happens, so that nothing a player does
    /// shifts what is drawn.
    pub fn drift(
        &self,
        position: &mut Position,
        mut gate_dice: impl FnMut() -> u32,
        mut wall_dice: impl FnMut() -> u32,
        mut tell: impl FnMut(EnvMove),
    ) {
        let length = self.ring.len() as u16;
        for (gate, index) in position.gates.iter_mut().zip(0..) {
            let turn = gate_dice();
            let go = gate_dice();
            if happens(turn, self.chances.gate_turn) {
                gate.clockwise = !gate.clockwise;
                tell(EnvMove::Gate { index, what: WallMove::Turned, gate: *gate });
            }
            if happens(go, self.chances.gate_move) {
                let on = if gate.clockwise { 1 } else { length - 1 };
                gate.place = (gate.place + on) % length;
                tell(EnvMove::Gate { index, what: WallMove::Moved, gate: *gate });
            }
        }
        for index in 0..position.walls.len() {
            let turn = wall_dice();
            let go = wall_dice();
            let mut wall = position.walls[index];
            if happens(turn, self.chances.wall_turn) {
                // Given that it turns, the draw is uniform below the chance.
                let quarters = 1 + u64::from(turn) * 3 / self.chances.wall_turn;
                wall.heading = wall.heading.turned(quarters as usize);
                tell(EnvMove::Wall { index: index as u16, what: WallMove::Turned, wall });
            }
            if happens(go, self.chances.wall_move) {
                let what = self.move_wall(position, &mut wall);
                tell(EnvMove::Wall { index: index as u16, what, wall });
            }
            position.walls[index] = wall;
        }
    }

    fn move_wall(&self, position: &Position, wall: &mut Wall) -> WallMove {
        let moved = Wall { cell: wall.cell + wall.heading.step(), ..*wall };
        let length = self.rules.wall_length;
        if !self.wall_fits(moved.cell, moved.standing) {
            wall.heading = wall.heading.turned(2);
            return WallMove::Reversed;
        }
        if moved.covers(length, position.thief)
            || position.cops.iter().any(|&cop| moved.covers(length, cop))
        {
            return WallMove::Blocked;
        }
        wall.cell = moved.cell;
        WallMove::Moved
    }
}
