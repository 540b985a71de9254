//! A board that knows what a stone on each empty cell would make, for both sides.

use super::patterns::{LineClass, Patterns};
use super::worth::{THREATS, ThreatKind, Worth, worths};
use super::{Geometry, NO_CELL, SearchBoard};
use crate::lines::DIRECTIONS;
use outwit_core::grid::Cell;
use std::sync::Arc;

/// What a stone on an empty cell would make, by kind of stone; nothing where a stone lies.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Spot {
    /// The classes of the four lines, four bits each.
    classes: [u16; 2],
}

/// Stones, and for each empty cell what another stone there would make.
///
/// Kinds are 0 for X and 1 for O. A stone changes only the cells within reach on its four lines, so the
/// size of the board does not matter.
#[derive(Clone, Debug)]
pub struct PatternBoard {
    geometry: Arc<Geometry>,
    patterns: Patterns,
    worths: &'static [Worth],
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
    /// The cells played, [`NO_CELL`] for a pass, and where their part of the journal begins.
    history: Vec<(u16, u32)>,
    /// What cells were before they changed.
    journal: Vec<(u16, Spot)>,
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
                spot.classes[0] |= u16::from(classes & 15) << (4 * direction);
                spot.classes[1] |= u16::from(classes >> 4) << (4 * direction);
            }
            board.change(cell, spot);
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
        i32::from(self.worths[usize::from(self.spots[cell].classes[kind])].value)
    }

    /// What a stone of a kind on a cell makes of the four lines through it; zeros where a stone lies.
    pub fn line_classes(&self, kind: usize, cell: usize) -> [LineClass; 4] {
        let packed = self.spots[cell].classes[kind];
        [0, 4, 8, 12].map(|place| (packed >> place & 15) as LineClass)
    }

    /// What a stone of a kind on a cell threatens.
    pub fn threat(&self, kind: usize, cell: usize) -> ThreatKind {
        self.worths[usize::from(self.spots[cell].classes[kind])].threat
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
        self.history.push((cell as u16, self.journal.len() as u32));
        self.put(cell, self.to_move);
        self.to_move ^= 1;
    }

    /// Lets the other kind move.
    pub fn pass(&mut self) {
        self.history.push((NO_CELL, self.journal.len() as u32));
        self.to_move ^= 1;
    }

    /// Takes back the last [`play`](Self::play) or [`pass`](Self::pass).
    pub fn undo(&mut self) {
        let Some((cell, start)) = self.history.pop() else { return };
        self.to_move ^= 1;
        if cell == NO_CELL {
            return;
        }
        let cell = usize::from(cell);
        self.stones[cell] = Self::EMPTY;
        self.hash ^= self.geometry.key(self.to_move, 0, cell);
        self.empty += 1;
        self.toggle_lines(cell, self.to_move);
        while self.journal.len() > start as usize {
            let Some((cell, spot)) = self.journal.pop() else { break };
            self.change(usize::from(cell), spot);
        }
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
        self.journal.push((cell as u16, self.spots[cell]));
        self.change(cell, Spot::default());
        for direction in 0..4 {
            let place = 4 * direction;
            for at in self.neighbours(direction, cell) {
                if self.stones[at] != Self::EMPTY {
                    continue;
                }
                let classes = u16::from(self.classes(direction, at));
                let old = self.spots[at].classes;
                let spot = Spot {
                    classes: [
                        old[0] & !(15 << place) | (classes & 15) << place,
                        old[1] & !(15 << place) | (classes >> 4) << place,
                    ],
                };
                if spot.classes != old {
                    self.journal.push((at as u16, Spot { classes: old }));
                    self.change(at, spot);
                }
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

    /// The cells within reach in a direction, `cell` among them.
    fn neighbours(&self, direction: usize, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (before, after) = self.extents[cell][direction];
        let step = self.step(direction);
        let first = cell.wrapping_sub(step.wrapping_mul(before.into()));
        let number = usize::from(before) + usize::from(after) + 1;
        (0..number).map(move |n| first.wrapping_add(step.wrapping_mul(n)))
    }

    /// The classes of the line through an empty cell, for both kinds.
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

    /// Gives a cell new classes.
    fn change(&mut self, cell: usize, spot: Spot) {
        let old = std::mem::replace(&mut self.spots[cell], spot);
        for kind in 0..2 {
            if old.classes[kind] == spot.classes[kind] {
                continue;
            }
            let before = self.worths[usize::from(old.classes[kind])];
            let after = self.worths[usize::from(spot.classes[kind])];
            for turn in 0..2 {
                self.chances[kind][turn] +=
                    i32::from(after.chances[turn]) - i32::from(before.chances[turn]);
            }
            if before.threat != after.threat {
                self.delist(kind, cell, before.threat);
                self.enlist(kind, cell, after.threat);
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
