//! What a level of cops and robber says: the board, what of the start is fixed, and what makes it
//! invalid.

use super::ring::Ring;
use super::tiles::PALETTE;
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use outwit_core::levels::{Fault, LevelFile};
use outwit_core::rule_set;
use outwit_kit::unknown_tiles;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What kind of place a board shows. It changes how ground and blocks look, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Cobbles and houses.
    Town,
    /// Paving and flat-roofed blocks.
    City,
    /// Cobbles and stalls.
    Market,
    /// Tracks and goods.
    Station,
    /// Quays, warehouses and water.
    Harbour,
    /// A town on a river, with bridges.
    River,
    /// Lawns and trees.
    Park,
    /// Gravel and hedges.
    Garden,
}

rule_set! {
    /// The rules of a pursuit; the defaults are those of the original program.
    pub struct CopsRules {
        /// The side of an open square board to play on instead of the map.
        size: Option<u32> = None, Whole { min: 3, max: 62, optional: true }, "Size",
            ("none", "As drawn");
        /// Number of cops.
        cops: u32 = 5, Whole { min: 1, max: 40, optional: false }, "Cops";
        /// Number of gates, which move along the border.
        gates: u32 = 2, Whole { min: 0, max: 16, optional: false }, "Gates";
        /// Number of border cells that a gate covers.
        gate_width: u32 = 2, Whole { min: 1, max: 20, optional: false }, "Gate width";
        /// The probability per tick that a gate changes direction.
        p_gate_turn: f64 = 0.01, Real { min: 0.0, max: 1.0 }, "Gates change direction";
        /// The probability per tick that a gate moves one cell.
        p_gate_move: f64 = 0.5, Real { min: 0.0, max: 1.0 }, "Gates move";
        /// Number of walls, which move over the board.
        walls: u32 = 4, Whole { min: 0, max: 100, optional: false }, "Walls";
        /// Number of cells that a wall covers, in one row or column.
        wall_length: u32 = 4, Whole { min: 1, max: 30, optional: false }, "Wall length";
        /// The probability per tick that a wall changes to one of the other three directions.
        p_wall_turn: f64 = 0.05, Real { min: 0.0, max: 1.0 }, "Walls change direction";
        /// The probability per tick that a wall moves one cell.
        p_wall_move: f64 = 0.75, Real { min: 0.0, max: 1.0 }, "Walls move";
        /// Number of moves that every player plans at once, without seeing the others' plans.
        k: u32 = 5, Whole { min: 1, max: 20, optional: false }, "Moves per plan";
        /// The number of ticks after which the game ends.
        ticks: u32 = 200, Whole { min: 1, max: 5000, optional: false }, "Time limit in ticks";
        /// Whether a cop in one of the four cells next to the thief captures it.
        capture_adjacent: bool = false, Flag, "Capture from adjacent cells";
        /// Whether it is a capture when a cop and the thief swap cells.
        capture_swap: bool = false, Flag, "Capture when swapping cells";
        /// What the board shows: how its ground and its blocks look. Play stays the same.
        place: Place = Place::Town, Choice(&[
            "town", "city", "market", "station", "harbour", "river", "park", "garden",
        ]), "Place";
    }
}

/// A level as a file says it.
pub type CopsFile = LevelFile<CopsRules>;

/// First field of level files.
pub const FORMAT: &str = "cops 1";

/// What a character of the map stands for.
///
/// The map shows the border too: its outermost cells are the ring on which gates live, and the
/// board is what it encloses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// A border cell.
    Ring,
    /// A border cell with a gate at the start.
    Gate,
    /// A free cell.
    Free,
    /// A block, which never moves.
    Block,
    /// Where the thief starts.
    Thief,
    /// Where a cop starts.
    Cop,
    /// A piece of a wall that lies in a row.
    Horizontal,
    /// A piece of a wall that stands in a column.
    Vertical,
}

impl Symbol {
    /// What a character stands for.
    pub fn from_char(symbol: char) -> Option<Self> {
        Some(match symbol {
            '=' => Symbol::Ring,
            'G' => Symbol::Gate,
            '.' => Symbol::Free,
            '#' => Symbol::Block,
            'T' => Symbol::Thief,
            'C' => Symbol::Cop,
            '-' => Symbol::Horizontal,
            '|' => Symbol::Vertical,
            _ => return None,
        })
    }

    fn on_ring(self) -> bool {
        matches!(self, Symbol::Ring | Symbol::Gate)
    }
}

/// What a level fixes of the board and of the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Where blocks are; as large as the board with its ring.
    pub blocks: Grid<bool>,
    /// Where the thief starts.
    pub thief: Option<Cell>,
    /// Where cops start.
    pub cops: Vec<Cell>,
    /// First border cell of gates.
    pub gates: Vec<u16>,
    /// First cell (left or top) of walls, and whether they stand in a column.
    pub walls: Vec<(Cell, bool)>,
}

/// The map of a level, or the open board that its `size` asks for instead.
pub(super) fn played_cells(level: &CopsFile) -> Grid<char> {
    match level.rules.size {
        Some(size) => {
            let side = size as usize + 2;
            let ring = Ring::new(side, side);
            Grid::from_fn(side, side, |cell| if ring.place(cell).is_some() { '=' } else { '.' })
        }
        None => level.cells('.'),
    }
}

/// Reads the map of a level, or the open board that its `size` asks for.
///
/// # Errors
/// Every cell of the map that cannot be understood.
pub fn plan(level: &CopsFile) -> Result<Plan, Vec<Fault>> {
    if let Some(size) = level.rules.size {
        let side = size as usize + 2;
        return Ok(Plan {
            blocks: Grid::filled(side, side, false),
            thief: None,
            cops: Vec::new(),
            gates: Vec::new(),
            walls: Vec::new(),
        });
    }
    let symbols = symbols(level)?;
    let mut faults = Vec::new();
    let thieves = cells_of(&symbols, Symbol::Thief);
    let extra = thieves.iter().copied().skip(1);
    faults.extend(Fault::at_all(extra, "there is more than one thief; keep one T"));
    let mut walls = Vec::new();
    for (symbol, standing) in [(Symbol::Horizontal, false), (Symbol::Vertical, true)] {
        match fixed_walls(&symbols, symbol, level.rules.wall_length) {
            Ok(found) => walls.extend(found.into_iter().map(|cell| (cell, standing))),
            Err(wrong) => faults.push(wrong),
        }
    }
    let gates = fixed_gates(&symbols, level.rules.gate_width).unwrap_or_else(|wrong| {
        faults.push(wrong);
        Vec::new()
    });
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(Plan {
        blocks: symbols.map(|&s| s == Symbol::Block),
        thief: thieves.first().copied(),
        cops: cells_of(&symbols, Symbol::Cop),
        gates,
        walls,
    })
}

fn cells_of(symbols: &Grid<Symbol>, wanted: Symbol) -> Vec<Cell> {
    symbols.iter().filter(|&(_, &symbol)| symbol == wanted).map(|(cell, _)| cell).collect()
}

fn symbols(level: &CopsFile) -> Result<Grid<Symbol>, Vec<Fault>> {
    let cells = level.cells('.');
    let width = cells.width();
    let height = cells.height();
    if width < 5 || height < 5 || width > 64 || height > 64 {
        return Err(vec![Fault::whole(format!(
            "the map is {width} by {height} cells; with the ring around it a board takes 5 by 5 to \
             64 by 64"
        ))]);
    }
    let ring = Ring::new(width, height);
    let mut in_border = Vec::new();
    let mut in_board = Vec::new();
    let symbols = Grid::from_fn(width, height, |cell| {
        let on_ring = ring.place(cell).is_some();
        match Symbol::from_char(cells[cell]) {
            Some(symbol) if symbol.on_ring() == on_ring => return symbol,
            Some(_) if on_ring => in_border.push(cell),
            Some(_) => in_board.push(cell),
            None => {}
        }
        Symbol::Free
    });
    let mut all = unknown_tiles(PALETTE, &cells, |symbol| Symbol::from_char(symbol).is_some());
    all.extend(Fault::at_all(in_border, "the border around the board is made of = and G (a gate)"));
    all.extend(Fault::at_all(in_board, "a border cell within the board; = and G belong around it"));
    if all.is_empty() { Ok(symbols) } else { Err(all) }
}

/// The first cells of the walls drawn with `piece`; a run of pieces may be several walls in a row.
fn fixed_walls(symbols: &Grid<Symbol>, piece: Symbol, length: u32) -> Result<Vec<Cell>, Fault> {
    let step = if piece == Symbol::Vertical { Cell::new(0, 1) } else { Cell::new(1, 0) };
    let mut walls = Vec::new();
    let mut wrong = Vec::new();
    for begin in cells_of(symbols, piece) {
        if symbols.get(begin - step) == Some(&piece) {
            continue;
        }
        let run: Vec<Cell> = std::iter::successors(Some(begin), |&cell| Some(cell + step))
            .take_while(|&cell| symbols.get(cell) == Some(&piece))
            .collect();
        if run.len().is_multiple_of(length as usize) {
            walls.extend(run.into_iter().step_by(length as usize));
        } else {
            wrong.push((begin, run.len()));
        }
    }
    match wrong.first() {
        None => Ok(walls),
        Some((begin, run)) => {
            let what =
                format!("a run of {run} wall pieces is not a multiple of the wall length {length}");
            let others = wrong[1..].iter().map(|&(cell, _)| cell);
            Err(Fault::at(*begin, what).and_at(others).counted(wrong.len()))
        }
    }
}

/// The first ring cells of the gates that the map shows.
fn fixed_gates(symbols: &Grid<Symbol>, width: u32) -> Result<Vec<u16>, Fault> {
    let ring = Ring::new(symbols.width(), symbols.height());
    let length = ring.len();
    let is_gate: Vec<bool> =
        ring.cells().iter().map(|&cell| symbols[cell] == Symbol::Gate).collect();
    // A run begins after a cell without a gate; where there is none, anywhere.
    let begins: Vec<usize> = if is_gate.iter().all(|&is_gate| is_gate) {
        vec![0]
    } else {
        (0..length).filter(|&p| is_gate[p] && !is_gate[(p + length - 1) % length]).collect()
    };
    let mut gates = Vec::new();
    let mut wrong = Vec::new();
    for begin in begins {
        let run = (begin..begin + length).take_while(|&p| is_gate[p % length]).count();
        if run.is_multiple_of(width as usize) {
            gates.extend((begin..begin + run).step_by(width as usize).map(|p| (p % length) as u16));
        } else {
            wrong.push((begin, run));
        }
    }
    match wrong.first() {
        None => Ok(gates),
        Some((begin, run)) => {
            let what =
                format!("a run of {run} gate cells is not a multiple of the gate width {width}");
            let others = wrong[1..].iter().map(|&(place, _)| ring.cell(place));
            Err(Fault::at(ring.cell(*begin), what).and_at(others).counted(wrong.len()))
        }
    }
}

/// Everything that keeps a well-formed level from being played.
pub(super) fn faults(level: &CopsFile) -> Vec<Fault> {
    let plan = match plan(level) {
        Ok(plan) => plan,
        Err(faults) => return faults,
    };
    let rules = &level.rules;
    let mut faults = Vec::new();
    for (what, on_map, allowed) in [
        ("cops", plan.cops.len(), rules.cops),
        ("gates", plan.gates.len(), rules.gates),
        ("walls", plan.walls.len(), rules.walls),
    ] {
        if on_map > allowed as usize {
            faults.push(Fault::whole(format!(
                "the map shows {on_map} {what} but rules.{what} is {allowed}"
            )));
        }
    }
    let width = plan.blocks.width() - 2;
    let height = plan.blocks.height() - 2;
    if rules.walls > 0 && rules.wall_length as usize > width.min(height) {
        faults.push(Fault::whole(format!(
            "walls of length {} do not fit the board of {width} by {height} cells in both \
             directions",
            rules.wall_length
        )));
    }
    if rules.gates > 0 && rules.gate_width as usize > 2 * (width + height) {
        faults.push(Fault::whole("a gate is wider than the border is long"));
    }
    let ring = Ring::new(width + 2, height + 2);
    let is_free = Grid::from_fn(width + 2, height + 2, |cell| {
        !plan.blocks[cell] && ring.place(cell).is_none()
    });
    let free: Vec<Cell> = is_free.iter().filter(|&(_, &free)| free).map(|(cell, _)| cell).collect();
    let needed = (rules.walls * rules.wall_length + rules.cops + 1) as usize;
    if free.len() < needed {
        faults.push(Fault::whole(format!(
            "the board has {} free cells; walls, cops and the thief need {needed}",
            free.len()
        )));
    }
    if let Some(&first) = free.first() {
        let reach = distances(&is_free, [first], &FOUR, |_, &free| free);
        let cut = free.iter().copied().filter(|&cell| reach[cell] == UNREACHED);
        faults.extend(Fault::at_all(cut, format!("blocks cut this cell off from {first}")));
    }
    faults
}
