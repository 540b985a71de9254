//! Who gets to a gate first, around walls and blocks as they stand, and what gates are called.

use crate::board::{Board, Gate, Position, Wall};
use outwit_core::grid::{Cell, FOUR};

/// The distance of what cannot be reached.
pub const FAR: u32 = u32::MAX;

/// Where everybody can walk while walls stand still.
pub struct Streets<'a> {
    board: &'a Board,
    open: Vec<bool>,
}

/// The thief's way out through a gate, and how near the cops are to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GateRun {
    /// The cell of the gate.
    pub gate: Cell,
    /// The cell before it.
    pub front: Cell,
    /// Steps of the thief to the cell before the gate.
    pub thief: u32,
    /// Steps of the nearest cop to it; [`FAR`] if none can get there.
    pub cop: u32,
}

impl GateRun {
    /// Whether the thief is at the cell before the gate before any cop, with a tick to spare where cops catch from
    /// beside.
    pub fn is_clear(&self, board: &Board) -> bool {
        let lead = 1 + u32::from(board.rules().capture_adjacent);
        self.thief.saturating_add(lead) <= self.cop
    }
}

/// For each gate the thief's shortest clear run through it, or the shortest of all where none is clear, while walls and
/// gates stand still; `None` where the thief cannot get there.
pub fn runs_to_gates(board: &Board, position: &Position) -> Vec<Option<GateRun>> {
    let streets = Streets::new(board, &position.walls);
    position
        .gates
        .iter()
        .map(|&gate| {
            let clear = streets.clear_run(gate, position.thief, &position.cops, FAR - 1);
            clear.or_else(|| streets.shortest_run(gate, position.thief, &position.cops))
        })
        .collect()
}

/// The gate, by index, that matters most: of those that are clear for the thief the nearest, otherwise the one to which
/// the cops are least ahead.
pub fn key_gate(board: &Board, runs: &[Option<GateRun>]) -> Option<usize> {
    let found = runs.iter().enumerate().filter_map(|(index, run)| Some((index, run.as_ref()?)));
    let key = found.min_by_key(|(_, run)| {
        let steps = i64::from(run.thief);
        let behind = steps - i64::from(run.cop);
        if run.is_clear(board) { (0, steps, behind) } else { (1, behind, steps) }
    });
    key.map(|(index, _)| index)
}

impl<'a> Streets<'a> {
    /// The streets of a board with these walls where they stand.
    pub fn new(board: &'a Board, walls: &[Wall]) -> Self {
        let width = board.width() as i32;
        let height = board.height() as i32;
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
        let open =
            cells.map(|cell| board.is_floor(cell) && !board.is_walled(walls, cell)).collect();
        Self { board, open }
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let inside = self.board.is_inside(cell);
        inside.then(|| cell.y as usize * self.board.width() + cell.x as usize)
    }

    /// Whether somebody can stand on a cell.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.index(cell).is_some_and(|at| self.open[at])
    }

    /// Least numbers of steps from the nearest of some cells to every cell.
    pub fn steps(&self, from: &[Cell]) -> Steps<'_> {
        let mut steps = vec![FAR; self.open.len()];
        let mut queue: Vec<Cell> = Vec::with_capacity(self.open.len());
        for &cell in from {
            if let Some(at) = self.index(cell) {
                steps[at] = 0;
                queue.push(cell);
            }
        }
        let mut head = 0;
        while let Some(&here) = queue.get(head) {
            head += 1;
            let farther = self.index(here).map_or(FAR, |at| steps[at].saturating_add(1));
            for step in FOUR {
                let next = here + step;
                if let Some(at) = self.index(next).filter(|&at| self.open[at] && steps[at] == FAR) {
                    steps[at] = farther;
                    queue.push(next);
                }
            }
        }
        Steps { ground: self, steps }
    }

    /// The cells of a gate that can be stepped on, each with the cell before it.
    fn fronts(&self, gate: Gate) -> impl Iterator<Item = (Cell, Cell)> {
        let ring = self.board.ring();
        self.board.gate_cells(gate).filter_map(|cell| {
            let front = ring.front(ring.place(cell)?)?;
            self.index(front).filter(|&at| self.open[at])?;
            Some((cell, front))
        })
    }

    /// The thief's runs through a gate of at most `most` steps.
    fn runs(&self, gate: Gate, thief: Cell, cops: &[Cell], most: u32) -> Vec<GateRun> {
        self.fronts(gate)
            .filter_map(|(gate, front)| {
                // No walk is shorter than on an open board, so most fronts need no search.
                if front.manhattan(thief).unsigned_abs() > most {
                    return None;
                }
                let steps = self.steps(&[front]);
                let cop = cops.iter().map(|&cop| steps.to(cop)).min().unwrap_or(FAR);
                let run = GateRun { gate, front, thief: steps.to(thief), cop };
                (run.thief <= most).then_some(run)
            })
            .collect()
    }

    /// The thief's shortest clear run through a gate of at most `most` steps: it is at the cell before
    /// the gate before any cop, with a tick to spare where cops catch from beside.
    pub fn clear_run(&self, gate: Gate, thief: Cell, cops: &[Cell], most: u32) -> Option<GateRun> {
        let runs = self.runs(gate, thief, cops, most).into_iter();
        let clear = runs.filter(|run| run.is_clear(self.board));
        clear.min_by_key(|run| (run.thief, std::cmp::Reverse(run.cop)))
    }

    /// The thief's shortest run through a gate, clear or not.
    pub fn shortest_run(&self, gate: Gate, thief: Cell, cops: &[Cell]) -> Option<GateRun> {
        let runs = self.runs(gate, thief, cops, FAR - 1).into_iter();
        runs.min_by_key(|run| (run.thief, std::cmp::Reverse(run.cop)))
    }

    /// Steps from a cell to the nearest cell before any gate; [`FAR`] if there is none.
    pub fn way_out(&self, from: Cell, gates: &[Gate]) -> u32 {
        let steps = self.steps(&[from]);
        let fronts = gates.iter().flat_map(|&gate| self.fronts(gate));
        fronts.map(|(_, front)| steps.to(front)).min().unwrap_or(FAR)
    }

    /// Steps from a cell to the nearest cell before a gate; [`FAR`] if there is none.
    pub fn to_gate(&self, from: Cell, gate: Gate) -> u32 {
        self.way_out(from, &[gate])
    }

    /// The number of cells that the thief reaches before any cop, its own included.
    pub fn area(&self, thief: Cell, cops: &[Cell]) -> usize {
        let flee = self.steps(&[thief]);
        let chase = self.steps(cops);
        flee.steps.iter().zip(&chase.steps).filter(|(own, theirs)| own < theirs).count()
    }
}

/// Least numbers of steps.
pub struct Steps<'a> {
    ground: &'a Streets<'a>,
    steps: Vec<u32>,
}

impl Steps<'_> {
    /// To a cell; [`FAR`] if there is no way.
    pub fn to(&self, cell: Cell) -> u32 {
        self.ground.index(cell).map_or(FAR, |at| self.steps[at])
    }
}

/// A side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    North,
    East,
    South,
    West,
}

impl Side {
    fn word(self) -> &'static str {
        match self {
            Side::North => "north",
            Side::East => "east",
            Side::South => "south",
            Side::West => "west",
        }
    }
}

/// Where a gate is: its side, and its place there from the left or the top. Corners belong to the
/// north and the south; a gate belongs to the side of its middle.
fn place(board: &Board, gate: Gate) -> (Side, i32) {
    let middle = (board.rules().gate_width as usize - 1) / 2;
    let cell = board.gate_cells(gate).nth(middle).unwrap_or_default();
    let right = board.width() as i32 - 1;
    let bottom = board.height() as i32 - 1;
    match cell {
        Cell { x, y: 0 } => (Side::North, x),
        Cell { x, y } if y == bottom => (Side::South, x),
        Cell { x, y } if x == right => (Side::East, y),
        Cell { y, .. } => (Side::West, y),
    }
}

/// What people call a gate, such as `the north gate`, `the upper east gate` or `the 3rd south gate`, which
/// are counted from the left or the top.
pub fn gate_name(board: &Board, gates: &[Gate], index: usize) -> String {
    let Some(&gate) = gates.get(index) else { return "the gate".into() };
    let (side, along) = place(board, gate);
    let mut same: Vec<(i32, usize)> = gates
        .iter()
        .enumerate()
        .filter_map(|(other, &gate)| {
            let (other_side, along) = place(board, gate);
            (other_side == side).then_some((along, other))
        })
        .collect();
    same.sort_unstable();
    let number = same.iter().position(|&found| found == (along, index)).unwrap_or(0);
    let upright = matches!(side, Side::East | Side::West);
    let which = match (same.len(), number, upright) {
        (0 | 1, ..) => String::new(),
        (2, 0, true) => "upper ".into(),
        (2, _, true) => "lower ".into(),
        (2, 0, false) => "left ".into(),
        (2, _, false) => "right ".into(),
        _ => match number + 1 {
            1 => "1st ".into(),
            2 => "2nd ".into(),
            3 => "3rd ".into(),
            number => format!("{number}th "),
        },
    };
    format!("the {which}{} gate", side.word())
}
