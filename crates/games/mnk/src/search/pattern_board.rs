//! A board that knows what a stone on each empty cell would make, for both sides.

use super::patterns::{FIVE, FOUR, LineClass, Patterns};
use super::rows::Rows;
use super::worth::{THREATS, ThreatKind, Worth, Worths, worths};
use super::{Geometry, NO_CELL, SearchBoard};
use crate::lines::DIRECTIONS;
use outwit_core::grid::Cell;
use std::sync::Arc;

/// What a stone on an empty cell would make, by kind of stone; nothing where a stone lies.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Spot {
    /// The classes of the four lines, four bits each: of X in the lower half, of O above.
    classes: u32,
    /// What these are worth together.
    worths: [Worth; 2],
}

/// Part of the hash where O is to move.
const MOVER_KEY: u64 = 0x9d39_247e_3377_6d41;

/// A stone that was placed, or a pass.
#[derive(Clone, Copy, Debug)]
struct Played {
    /// Where; [`NO_CELL`] for a pass.
    cell: u16,
    /// Where its part of the journal begins.
    journal: u32,
    /// The chances before it.
    chances: [[i32; 2]; 2],
}

/// Stones, and for each empty cell what another stone there would make.
///
/// Kinds are 0 for X and 1 for O. A stone changes only the cells within reach on its four lines, so the
/// size of the board does not matter.
#[derive(Clone, Debug)]
pub struct PatternBoard {
    geometry: Arc<Geometry>,
    patterns: Patterns,
    worths: &'static Worths,
    /// 0 for X, 1 for O, [`EMPTY`](Self::EMPTY) for none.
    stones: Vec<u8>,
    rows: Rows,
    spots: Vec<Spot>,
    /// By kind and [`ThreatKind`], from [`ThreatKind::Three`] on: the cells that make it, in no order.
    lists: [[Vec<u16>; THREATS - 1]; 2],
    /// By kind and cell: its place in its list.
    places: [Vec<u16>; 2],
    /// By kind: what all cells together are worth with this kind to move, and with the other.
    chances: [[i32; 2]; 2],
    /// Number of stones near each cell.
    near: Vec<u8>,
    /// The cells with stones near them, in no order.
    near_cells: Vec<u16>,
    near_places: Vec<u16>,
    hash: u64,
    to_move: usize,
    empty: u32,
    history: Vec<Played>,
    /// What cells were before they changed.
    journal: Vec<(u32, u32, Worth, Worth)>,
}

impl PatternBoard {
    /// No stone.
    const EMPTY: u8 = 2;

    /// A board without stones; X is to move.
    pub fn new(geometry: Arc<Geometry>) -> Self {
        let patterns = Patterns::new(geometry.k, geometry.exact);
        Self::with(geometry, patterns)
    }

    fn with(geometry: Arc<Geometry>, patterns: Patterns) -> Self {
        let cells = geometry.cells();
        let mut board = Self {
            worths: worths(),
            stones: vec![Self::EMPTY; cells],
            rows: Rows::new(&geometry, patterns.reach()),
            spots: vec![Spot::default(); cells],
            lists: Default::default(),
            places: [vec![0; cells], vec![0; cells]],
            chances: [[0; 2]; 2],
            near: vec![0; cells],
            near_cells: Vec::new(),
            near_places: vec![NO_CELL; cells],
            hash: 0,
            to_move: 0,
            empty: cells as u32,
            history: Vec::new(),
            journal: Vec::new(),
            patterns,
            geometry,
        };
        for cell in 0..cells {
            let mut spot = Spot::default();
            for direction in 0..4 {
                let classes = board.classes(board.rows.place(direction, cell));
                spot.classes |= spread(classes) << (4 * direction);
            }
            let worths = board.worths_of(spot.classes);
            board.count_chances(cell, worths);
            board.change(cell, Spot { worths, ..spot });
        }
        board
    }

    /// An empty board like another one.
    pub fn like(board: &SearchBoard) -> Self {
        Self::new(board.shared_geometry())
    }

    /// The stones of another board of the same geometry; nothing can be taken back.
    pub fn set_up(&mut self, board: &SearchBoard) {
        if self.stones.iter().any(|&stone| stone != Self::EMPTY) {
            // What the patterns remember is kept.
            *self = Self::with(Arc::clone(&self.geometry), self.patterns.clone());
        }
        for cell in 0..self.stones.len() {
            if let Some(stone) = board.stone(cell) {
                self.put(cell, stone.index());
            }
        }
        self.to_move = board.to_move();
        self.history.clear();
        self.journal.clear();
    }

    /// Size, windows and symmetries, which never change.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The kind that is to move.
    pub fn to_move(&self) -> usize {
        self.to_move
    }

    /// Number of empty cells.
    pub fn empty(&self) -> u32 {
        self.empty
    }

    /// Whether a cell is empty.
    pub fn is_empty(&self, cell: usize) -> bool {
        self.stones[cell] == Self::EMPTY
    }

    /// What the position is worth to the side that is to move: 1000 for each unit of the logarithm of
    /// the odds.
    pub fn evaluation(&self) -> i32 {
        let own = self.to_move;
        self.chances[own][0] - self.chances[1 - own][1]
    }

    /// What a stone of a kind on a cell is worth; 0 where a stone lies.
    pub fn value(&self, kind: usize, cell: usize) -> i32 {
        self.spots[cell].worths[kind].value()
    }

    /// What a stone of a kind on a cell makes of the four lines through it; zeros where a stone lies.
    pub fn line_classes(&self, kind: usize, cell: usize) -> [LineClass; 4] {
        let packed = self.spots[cell].classes >> (16 * kind);
        [0, 4, 8, 12].map(|place| (packed >> place & 15) as LineClass)
    }

    /// What a stone of a kind on a cell threatens.
    pub fn threat(&self, kind: usize, cell: usize) -> ThreatKind {
        self.spots[cell].worths[kind].threat()
    }

    /// The cells on which a stone of a kind makes just this threat, in no order; of cells without a
    /// threat there is no list.
    pub fn cells_with(&self, kind: usize, threat: ThreatKind) -> &[u16] {
        match threat as usize {
            0 => &[],
            threat => &self.lists[kind][threat - 1],
        }
    }

    /// Whether a stone of a kind makes a four or more somewhere, short of winning.
    pub fn has_four(&self, kind: usize) -> bool {
        [ThreatKind::Four, ThreatKind::FourThree, ThreatKind::OpenFour]
            .iter()
            .any(|&threat| !self.cells_with(kind, threat).is_empty())
    }

    /// The cells near stones, empty or not, in no order.
    pub fn near_cells(&self) -> &[u16] {
        &self.near_cells
    }

    /// A hash of stones and mover.
    pub fn key(&self) -> u64 {
        self.hash ^ if self.to_move == 1 { MOVER_KEY } else { 0 }
    }

    /// The [`key`](Self::key) after a stone of the kind that is to move.
    pub fn key_after(&self, cell: usize) -> u64 {
        self.key() ^ self.geometry.key(self.to_move, 0, cell) ^ MOVER_KEY
    }

    /// Number of plies played since the position was set up.
    pub fn plies(&self) -> usize {
        self.history.len()
    }

    /// Places a stone of the kind that is to move.
    pub fn play(&mut self, cell: usize) {
        self.note(cell as u16);
        self.put(cell, self.to_move);
        self.to_move ^= 1;
    }

    /// Lets the other kind move.
    pub fn pass(&mut self) {
        self.note(NO_CELL);
        self.to_move ^= 1;
    }

    fn note(&mut self, cell: u16) {
        let journal = self.journal.len() as u32;
        self.history.push(Played { cell, journal, chances: self.chances });
    }

    /// Takes back the last [`play`](Self::play) or [`pass`](Self::pass).
    pub fn undo(&mut self) {
        let Some(Played { cell, journal, chances }) = self.history.pop() else { return };
        self.to_move ^= 1;
        if cell == NO_CELL {
            return;
        }
        let cell = usize::from(cell);
        self.stones[cell] = Self::EMPTY;
        self.hash ^= self.geometry.key(self.to_move, 0, cell);
        self.empty += 1;
        self.rows.toggle(cell, self.to_move);
        while self.journal.len() > journal as usize {
            let Some((cell, classes, first, second)) = self.journal.pop() else { break };
            self.change(cell as usize, Spot { classes, worths: [first, second] });
        }
        self.chances = chances;
        for &at in self.geometry.around(cell) {
            let at = at as usize;
            self.near[at] -= 1;
            if self.near[at] == 0 {
                let place = usize::from(self.near_places[at]);
                self.near_cells.swap_remove(place);
                if let Some(&moved) = self.near_cells.get(place) {
                    self.near_places[usize::from(moved)] = place as u16;
                }
            }
        }
    }

    fn put(&mut self, cell: usize, kind: usize) {
        self.stones[cell] = kind as u8;
        self.hash ^= self.geometry.key(kind, 0, cell);
        self.empty -= 1;
        self.rows.toggle(cell, kind);
        self.renew(cell, Spot::default());
        for direction in 0..4 {
            for side in self.sides(direction, cell) {
                self.renew_side(direction, side);
            }
        }
        for &at in self.geometry.around(cell) {
            let at = at as usize;
            self.near[at] += 1;
            if self.near[at] == 1 {
                self.near_places[at] = self.near_cells.len() as u16;
                self.near_cells.push(at as u16);
            }
        }
    }

    /// Looks again at the lines through the cells on one side of a new stone.
    fn renew_side(&mut self, direction: usize, mut side: Side) {
        while let Some((at, place)) = side.next_empty(&self.rows) {
            let old = self.spots[at].classes;
            let new = with_line(old, direction, self.classes(place));
            if new != old {
                let worths = self.worths_of(new);
                self.renew(at, Spot { classes: new, worths });
            }
        }
    }

    /// What [`evaluation`](Self::evaluation) gives after a stone of the kind that is to move, which is not placed: that
    /// is much quicker. `None` if this kind could win with its next stone or the one after it, unless it is stopped.
    /// Before the stone, nobody may be able to.
    pub fn quiet_evaluation(&mut self, cell: usize) -> Option<i32> {
        let kind = self.to_move;
        let old = self.spots[cell].worths;
        if old[kind].threat() >= ThreatKind::Four {
            return None;
        }
        // Of the other kind, which is to move then, and of the kind of the stone.
        let balance = |worths: [Worth; 2]| worths[kind ^ 1].chance(0) - worths[kind].chance(1);
        let mut value = self.chances[kind ^ 1][0] - self.chances[kind][1] - balance(old);
        let mut is_quiet = true;
        self.rows.toggle(cell, kind);
        'all: for direction in 0..4 {
            for mut side in self.sides(direction, cell) {
                while let Some((at, place)) = side.next_empty(&self.rows) {
                    let old = self.spots[at];
                    let new = with_line(old.classes, direction, self.classes(place));
                    let worths = self.worths_of(new);
                    value += balance(worths) - balance(old.worths);
                    if worths[kind].threat() >= ThreatKind::OpenFour {
                        is_quiet = false;
                        break 'all;
                    }
                }
            }
        }
        self.rows.toggle(cell, kind);
        is_quiet.then_some(value)
    }

    /// How many cells there would be, beside a stone of a kind on an empty cell, on which the next one fills a row; and
    /// the first two of them. Before the stone there may be none.
    pub fn gaps_after(&mut self, kind: usize, cell: usize) -> (usize, [u16; 2]) {
        let mut number = 0;
        let mut gaps = [NO_CELL; 2];
        let classes = self.line_classes(kind, cell);
        self.rows.toggle(cell, kind);
        for direction in (0..4).filter(|&direction| classes[direction] >= FOUR) {
            for mut side in self.sides(direction, cell) {
                while let Some((at, place)) = side.next_empty(&self.rows) {
                    if self.classes(place) >> (4 * kind) & 15 == FIVE {
                        if let Some(gap) = gaps.get_mut(number) {
                            *gap = at as u16;
                        }
                        number += 1;
                    }
                }
            }
        }
        self.rows.toggle(cell, kind);
        (number, gaps)
    }

    /// The cells within reach before and after a cell.
    #[inline(always)]
    fn sides(&self, direction: usize, cell: usize) -> [Side; 2] {
        let step = self.step(direction);
        let place = self.rows.place(direction, cell);
        [(step.wrapping_neg(), 2_usize.wrapping_neg()), (step, 2)].map(|(step, place_step)| Side {
            at: cell,
            place,
            step,
            place_step,
            left: self.patterns.reach(),
            spans: [true; 2],
        })
    }

    /// What classes are worth.
    #[inline(always)]
    fn worths_of(&self, classes: u32) -> [Worth; 2] {
        [self.worths.of(classes as u16), self.worths.of((classes >> 16) as u16)]
    }

    /// Gives a cell new classes, which can be taken back.
    #[inline(always)]
    fn renew(&mut self, cell: usize, spot: Spot) {
        let old = self.spots[cell];
        self.journal.push((cell as u32, old.classes, old.worths[0], old.worths[1]));
        self.count_chances(cell, spot.worths);
        self.change(cell, spot);
    }

    /// What is added to a cell to get the next one; wraps around for steps that go back.
    fn step(&self, direction: usize) -> usize {
        let Cell { x, y } = DIRECTIONS[direction];
        (y as isize * self.geometry.width as isize + x as isize) as usize
    }

    /// The classes of the line through the empty cell of this place in the rows, for both kinds.
    #[inline(always)]
    fn classes(&mut self, place: usize) -> u8 {
        if self.patterns.is_packed() {
            return self.patterns.of_packed(self.rows.around(place));
        }
        let rows = &self.rows;
        self.patterns.of_line(|offset| rows.content(place.wrapping_add_signed(2 * offset as isize)))
    }

    /// Adds what a cell's new classes are worth to the chances, and takes off what the old ones were.
    #[inline(always)]
    fn count_chances(&mut self, cell: usize, worths: [Worth; 2]) {
        let old = self.spots[cell].worths;
        for kind in 0..2 {
            for turn in 0..2 {
                self.chances[kind][turn] += worths[kind].chance(turn) - old[kind].chance(turn);
            }
        }
    }

    /// Gives a cell new classes.
    #[inline(always)]
    fn change(&mut self, cell: usize, spot: Spot) {
        let old = self.spots[cell].worths;
        self.spots[cell] = spot;
        for (kind, (before, after)) in old.into_iter().zip(spot.worths).enumerate() {
            if before.has_other_threat(after) {
                self.delist(kind, cell, before.threat());
                self.enlist(kind, cell, after.threat());
            }
        }
    }

    fn enlist(&mut self, kind: usize, cell: usize, threat: ThreatKind) {
        if threat != ThreatKind::None {
            let list = &mut self.lists[kind][threat as usize - 1];
            self.places[kind][cell] = list.len() as u16;
            list.push(cell as u16);
        }
    }

    fn delist(&mut self, kind: usize, cell: usize, threat: ThreatKind) {
        if threat != ThreatKind::None {
            let place = usize::from(self.places[kind][cell]);
            let list = &mut self.lists[kind][threat as usize - 1];
            list.swap_remove(place);
            if let Some(&moved) = list.get(place) {
                self.places[kind][usize::from(moved)] = place as u16;
            }
        }
    }
}

/// A walk from a cell to one side, as far as a stone there counts.
#[derive(Clone, Copy)]
struct Side {
    at: usize,
    /// Its place in the [`Rows`].
    place: usize,
    /// From one cell to the next, and from place to place; these wrap around where they go back.
    step: usize,
    place_step: usize,
    /// So many cells are within reach at most.
    left: usize,
    /// By kind: whether windows of it reach so far. None spans a stone of the other kind.
    spans: [bool; 2],
}

impl Side {
    /// The next empty cell and its place in the rows.
    #[inline(always)]
    fn next_empty(&mut self, rows: &Rows) -> Option<(usize, usize)> {
        while self.left > 0 && self.spans != [false; 2] {
            self.left -= 1;
            self.at = self.at.wrapping_add(self.step);
            self.place = self.place.wrapping_add(self.place_step);
            match rows.content(self.place) {
                Rows::EMPTY => return Some((self.at, self.place)),
                Rows::X => self.spans[1] = false,
                Rows::O => self.spans[0] = false,
                _ => self.left = 0,
            }
        }
        None
    }
}

/// Classes with another line in a direction.
#[inline(always)]
fn with_line(classes: u32, direction: usize, line: u8) -> u32 {
    let place = 4 * direction;
    classes & !(0x000f_000f << place) | spread(line) << place
}

/// The classes of a line for X and O, as [`Patterns`] packs them, half a [`Spot`] apart.
fn spread(classes: u8) -> u32 {
    u32::from(classes & 15) | u32::from(classes >> 4) << 16
}
