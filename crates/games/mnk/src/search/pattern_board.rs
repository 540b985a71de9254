//! A board that knows what a stone on each empty cell would make, for both sides.

use super::patterns::{LineClass, Patterns};
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
    /// By cell and direction: how many cells of the board lie before it and after it, within reach.
    extents: Arc<Vec<[(u8, u8); 4]>>,
    /// By cell and direction: the packed line through it; unused where lines are too long.
    lines: Vec<[u64; 4]>,
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
        let extents = Arc::new(extents(&geometry, patterns.reach()));
        Self::with(geometry, patterns, extents)
    }

    fn with(geometry: Arc<Geometry>, patterns: Patterns, extents: Arc<Vec<[(u8, u8); 4]>>) -> Self {
        let cells = geometry.cells();
        let reach = patterns.reach();
        let lines = if patterns.is_packed() {
            extents.iter().map(|sides| sides.map(|side| walls(side, reach))).collect()
        } else {
            vec![[0; 4]; cells]
        };
        let mut board = Self {
            worths: worths(),
            stones: vec![Self::EMPTY; cells],
            extents,
            lines,
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
                let classes = board.classes(direction, cell);
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
            let (geometry, extents) = (Arc::clone(&self.geometry), Arc::clone(&self.extents));
            *self = Self::with(geometry, self.patterns.clone(), extents);
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
        self.hash ^ if self.to_move == 1 { 0x9d39_247e_3377_6d41 } else { 0 }
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
        self.toggle_lines(cell, self.to_move);
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
        self.toggle_lines(cell, kind);
        self.renew(cell, Spot::default());
        for direction in 0..4 {
            let (before, after) = self.extents[cell][direction];
            let step = self.step(direction);
            self.renew_side(direction, cell, step.wrapping_neg(), before);
            self.renew_side(direction, cell, step, after);
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
    fn renew_side(&mut self, direction: usize, cell: usize, step: usize, number: u8) {
        let place = 4 * direction;
        let mut at = cell;
        // No window spans a stone of the other kind, so beyond stones of both kinds nothing changes.
        let mut spans = [true; 2];
        for _ in 0..number {
            at = at.wrapping_add(step);
            let stone = self.stones[at];
            if stone != Self::EMPTY {
                spans[usize::from(1 - stone)] = false;
                if spans == [false; 2] {
                    return;
                }
                continue;
            }
            let old = self.spots[at].classes;
            let new = old & !(0x000f_000f << place) | spread(self.classes(direction, at)) << place;
            if new != old {
                let worths = self.worths_of(new);
                self.renew(at, Spot { classes: new, worths });
            }
        }
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

    /// Puts a stone of a kind into the packed lines of the cells around it, or takes it out.
    fn toggle_lines(&mut self, cell: usize, kind: usize) {
        if !self.patterns.is_packed() {
            return;
        }
        // Seen from the others, this cell lies the other way: first as the one right after them.
        let reach = self.patterns.reach();
        let content = kind as u64 + 1;
        for direction in 0..4 {
            let (before, after) = self.extents[cell][direction];
            let step = self.step(direction);
            let mut at = cell;
            for distance in 1..=usize::from(before) {
                at = at.wrapping_sub(step);
                self.lines[at][direction] ^= content << (2 * (reach + distance - 1));
            }
            at = cell;
            for distance in 1..=usize::from(after) {
                at = at.wrapping_add(step);
                self.lines[at][direction] ^= content << (2 * (reach - distance));
            }
        }
    }

    /// What is added to a cell to get the next one; wraps around for steps that go back.
    fn step(&self, direction: usize) -> usize {
        let Cell { x, y } = DIRECTIONS[direction];
        (y as isize * self.geometry.width as isize + x as isize) as usize
    }

    /// The classes of the line through an empty cell, for both kinds.
    #[inline(always)]
    fn classes(&mut self, direction: usize, cell: usize) -> u8 {
        if self.patterns.is_packed() {
            return self.patterns.of_packed(self.lines[cell][direction]);
        }
        let (before, after) = self.extents[cell][direction];
        let step = self.step(direction) as isize;
        self.patterns.of_line(|offset| {
            if offset < -i32::from(before) || offset > i32::from(after) {
                return 3;
            }
            match self.stones[(cell as isize + offset as isize * step) as usize] {
                Self::EMPTY => 0,
                stone => stone + 1,
            }
        })
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
        let old = std::mem::replace(&mut self.spots[cell], spot);
        for kind in 0..2 {
            let (before, after) = (old.worths[kind], spot.worths[kind]);
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

/// The classes of a line for X and O, as [`Patterns`] packs them, half a [`Spot`] apart.
fn spread(classes: u8) -> u32 {
    u32::from(classes & 15) | u32::from(classes >> 4) << 16
}

/// How far the board reaches before and after each cell in each direction.
fn extents(geometry: &Geometry, reach: usize) -> Vec<[(u8, u8); 4]> {
    let room = |cell: usize, x_step: i32, y_step: i32| {
        let (x, y) = ((cell % geometry.width) as i32, (cell / geometry.width) as i32);
        let along = |at: i32, step: i32, size: usize| match step {
            0 => i32::MAX,
            1 => size as i32 - 1 - at,
            _ => at,
        };
        let free = along(x, x_step, geometry.width).min(along(y, y_step, geometry.height));
        free.min(reach as i32) as u8
    };
    let of_cell =
        |cell: usize| DIRECTIONS.map(|Cell { x, y }| (room(cell, -x, -y), room(cell, x, y)));
    (0..geometry.cells()).map(of_cell).collect()
}

/// The packed line of a cell on an empty board.
fn walls((before, after): (u8, u8), reach: usize) -> u64 {
    let outside = |place: usize| {
        if place < reach {
            reach - place > usize::from(before)
        } else {
            place - reach + 1 > usize::from(after)
        }
    };
    (0..2 * reach).filter(|&place| outside(place)).fold(0, |line, place| line | 3 << (2 * place))
}
