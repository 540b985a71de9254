//! A board whose windows are kept up to date stone by stone.

use super::{Geometry, NO_CELL};
use crate::{Mnk, MnkState, Stone};
use std::sync::Arc;

/// Windows that lack at most this many stones are listed.
const LISTED: usize = 3;

/// The largest k for which the weights of [`SearchBoard::can_be_stopped`] fit their integers.
const LARGEST_POTENTIAL: usize = 40;

/// Makes the hashes of positions differ by who is to move.
pub(super) const MOVERS: [u64; 2] = [0, 0x9d39_247e_3377_6d41];

/// A position with counts of stones in every window, both kinds apart.
///
/// Kinds are 0 for X and 1 for O. Placing and taking back a stone touches only the windows through its
/// cell, so the size of the board does not matter.
#[derive(Clone, Debug)]
pub struct SearchBoard {
    geometry: Arc<Geometry>,
    /// 0 for X, 1 for O, [`EMPTY`](Self::EMPTY) for none.
    stones: Vec<u8>,
    /// By kind and window: stones of the kind in it.
    counts: [Vec<u8>; 2],
    /// By kind and window: stones that keep the kind from winning with it.
    blocks: [Vec<u8>; 2],
    /// By kind and missing stones less one: the alive windows, in no order.
    lists: [[Vec<u32>; LISTED]; 2],
    /// By kind and window: its place in its list.
    places: [Vec<u32>; 2],
    /// By kind and cell: what a stone there adds to the score.
    heat: [Vec<i32>; 2],
    /// By kind: the sum of the weights of its alive windows.
    score: [i32; 2],
    /// By kind: the sum of 2^stones over its alive windows.
    potential: [u64; 2],
    /// By kind: number of alive windows.
    alive: [u32; 2],
    /// The weight of a window, by its number of stones.
    weights: Vec<i32>,
    /// Number of stones near each cell.
    near: Vec<u8>,
    /// The cells with stones near them, in no order.
    near_cells: Vec<u16>,
    near_places: Vec<u16>,
    /// One hash for each symmetry.
    hashes: Vec<u64>,
    to_move: usize,
    empty: u32,
    /// The cells played since the position was set up, [`NO_CELL`] for a pass.
    history: Vec<u16>,
}

/// The weight of a window that lacks so many stones.
fn weight(missing: usize) -> i32 {
    match missing {
        0 => 1 << 16,
        1..=6 => (1 << 14) >> (2 * (missing - 1)),
        7..=9 => 16 >> (missing - 6),
        _ => 1,
    }
}

impl SearchBoard {
    /// What a cell without a stone holds.
    pub const EMPTY: u8 = 2;

    /// A board without stones; X is to move.
    pub fn new(geometry: Arc<Geometry>) -> Self {
        let cells = geometry.cells();
        let windows = geometry.windows.len();
        let k = geometry.k;
        let mut board = Self {
            stones: vec![Self::EMPTY; cells],
            counts: [vec![0; windows], vec![0; windows]],
            blocks: [vec![0; windows], vec![0; windows]],
            lists: Default::default(),
            places: [vec![0; windows], vec![0; windows]],
            heat: [vec![0; cells], vec![0; cells]],
            score: [0; 2],
            potential: [0; 2],
            alive: [0; 2],
            // An empty window of a large k weighs nothing, so a large board is sparse.
            weights: (0..=k).map(|n| if n == 0 && k > 6 { 0 } else { weight(k - n) }).collect(),
            near: vec![0; cells],
            near_cells: Vec::new(),
            near_places: vec![NO_CELL; cells],
            hashes: vec![0; geometry.symmetries.len()],
            to_move: 0,
            empty: cells as u32,
            history: Vec::new(),
            geometry,
        };
        for kind in 0..2 {
            for window in 0..windows as u32 {
                board.add(kind, window, 0);
            }
        }
        board
    }

    /// A position of a match.
    pub fn of(game: &Mnk, state: &MnkState) -> Self {
        let rules = &outwit_core::play::Game::level(game).rules;
        let geometry = Geometry::new(game.width(), game.height(), rules.k as usize, rules.exact);
        let mut board = Self::new(Arc::new(geometry));
        board.set_up(state);
        board
    }

    /// The same board with the stones of another position.
    pub fn set_up(&mut self, state: &MnkState) {
        if self.stones.iter().any(|&stone| stone != Self::EMPTY) {
            *self = Self::new(Arc::clone(&self.geometry));
        }
        for (cell, stone) in state.stones.iter().enumerate().take(self.stones.len()) {
            if let Some(stone) = stone {
                self.put(cell, stone.index());
            }
        }
        self.to_move = state.to_move.index();
        self.history.clear();
    }

    /// Size, windows and symmetries, which never change.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// What never changes, to be shared with another board.
    pub fn shared_geometry(&self) -> Arc<Geometry> {
        Arc::clone(&self.geometry)
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

    /// The stone on a cell.
    pub fn stone(&self, cell: usize) -> Option<Stone> {
        match self.stones[cell] {
            0 => Some(Stone::X),
            1 => Some(Stone::O),
            _ => None,
        }
    }

    /// By kind: number of windows that it can still fill.
    pub fn alive(&self) -> [u32; 2] {
        self.alive
    }

    /// By kind: the sum of the weights of the windows that it can still fill.
    pub fn score(&self) -> [i32; 2] {
        self.score
    }

    /// What a stone of a kind on an empty cell adds to its score.
    pub fn heat(&self, kind: usize, cell: usize) -> i32 {
        self.heat[kind][cell]
    }

    /// What a cell is worth to both kinds together.
    pub fn interest(&self, cell: usize) -> i32 {
        self.heat[0][cell] + self.heat[1][cell]
    }

    /// The cells near stones, empty or not, in no order.
    pub fn near_cells(&self) -> &[u16] {
        &self.near_cells
    }

    /// The alive windows of a kind that lack `missing` stones, 1 to 3, in no order.
    pub fn lacking(&self, kind: usize, missing: usize) -> &[u32] {
        &self.lists[kind][missing - 1]
    }

    /// The empty cells of a window.
    pub fn gaps(&self, window: u32) -> impl Iterator<Item = usize> + '_ {
        self.geometry.cells_of(window).filter(|&cell| self.is_empty(cell))
    }

    /// Whether a kind can still win with a window.
    pub fn is_alive(&self, kind: usize, window: u32) -> bool {
        self.blocks[kind][window as usize] == 0
    }

    /// Stones of a kind in a window.
    pub fn count(&self, kind: usize, window: u32) -> usize {
        usize::from(self.counts[kind][window as usize])
    }

    /// The cells on which a kind wins at once: the first, and another one if there is any.
    pub fn winning_cells(&self, kind: usize) -> (Option<usize>, Option<usize>) {
        let mut first = None;
        for &window in self.lacking(kind, 1) {
            let Some(gap) = self.gaps(window).next() else { continue };
            match first {
                None => first = Some(gap),
                Some(other) if other != gap => return (Some(other.min(gap)), Some(other.max(gap))),
                Some(_) => {}
            }
        }
        (first, None)
    }

    /// Whether the other kind can keep this one from ever filling a window, by the criterion of Erdős
    /// and Selfridge (1973): with the other kind to move, if the sum of 2^-(missing stones) over the
    /// alive windows is below 1; with this kind to move, below 1/2.
    pub fn can_be_stopped(&self, kind: usize) -> bool {
        let k = self.geometry.k;
        if k > LARGEST_POTENTIAL {
            return self.alive[kind] == 0;
        }
        let bound = 1_u64 << (k - usize::from(self.to_move == kind));
        self.potential[kind] < bound
    }

    /// Whether the sum of [`can_be_stopped`](Self::can_be_stopped) is below `factor` times the bound.
    pub fn is_nearly_stopped(&self, kind: usize, factor: u64) -> bool {
        let k = self.geometry.k;
        k <= LARGEST_POTENTIAL
            && self.potential[kind] < factor * (1 << (k - usize::from(self.to_move == kind)))
    }

    /// A hash of stones and mover that is equal for positions that a symmetry of the board turns into
    /// each other, and the symmetry that turns this one into the common form.
    pub fn canonical(&self) -> (u64, usize) {
        let mut best = (u64::MAX, 0);
        for (symmetry, &hash) in self.hashes.iter().enumerate() {
            best = best.min((hash, symmetry));
        }
        (best.0 ^ MOVERS[self.to_move], best.1)
    }

    /// Places a stone of the kind that is to move.
    pub fn play(&mut self, cell: usize) {
        self.put(cell, self.to_move);
        self.history.push(cell as u16);
        self.to_move ^= 1;
    }

    /// Lets the other kind move.
    pub fn pass(&mut self) {
        self.history.push(NO_CELL);
        self.to_move ^= 1;
    }

    /// Takes back the last [`play`](Self::play) or [`pass`](Self::pass).
    pub fn undo(&mut self) {
        let Some(cell) = self.history.pop() else { return };
        self.to_move ^= 1;
        if cell != NO_CELL {
            self.remove(usize::from(cell), self.to_move);
        }
    }

    /// Number of plies played since the position was set up.
    pub fn plies(&self) -> usize {
        self.history.len()
    }

    fn put(&mut self, cell: usize, kind: usize) {
        let geometry = Arc::clone(&self.geometry);
        self.stones[cell] = kind as u8;
        self.empty -= 1;
        let other = 1 - kind;
        for &window in geometry.through(cell) {
            let at = window as usize;
            let count = usize::from(self.counts[kind][at]);
            self.counts[kind][at] += 1;
            if self.blocks[kind][at] == 0 {
                self.grow(kind, window, count);
            }
            self.block(other, window);
        }
        for &window in geometry.flanked(cell) {
            self.block(kind, window);
        }
        for &at in geometry.around(cell) {
            self.near[at as usize] += 1;
            if self.near[at as usize] == 1 {
                self.near_places[at as usize] = self.near_cells.len() as u16;
                self.near_cells.push(at as u16);
            }
        }
        self.toggle(cell, kind);
    }

    fn remove(&mut self, cell: usize, kind: usize) {
        let geometry = Arc::clone(&self.geometry);
        self.stones[cell] = Self::EMPTY;
        self.empty += 1;
        let other = 1 - kind;
        for &window in geometry.flanked(cell) {
            self.unblock(kind, window);
        }
        for &window in geometry.through(cell) {
            let at = window as usize;
            self.counts[kind][at] -= 1;
            if self.blocks[kind][at] == 0 {
                self.shrink(kind, window, usize::from(self.counts[kind][at]));
            }
            self.unblock(other, window);
        }
        for &at in geometry.around(cell) {
            self.near[at as usize] -= 1;
            if self.near[at as usize] == 0 {
                let place = usize::from(self.near_places[at as usize]);
                self.near_cells.swap_remove(place);
                if let Some(&moved) = self.near_cells.get(place) {
                    self.near_places[usize::from(moved)] = place as u16;
                }
            }
        }
        self.toggle(cell, kind);
    }

    fn toggle(&mut self, cell: usize, kind: usize) {
        for (symmetry, hash) in self.hashes.iter_mut().enumerate() {
            *hash ^= self.geometry.key(kind, symmetry, cell);
        }
    }

    fn block(&mut self, kind: usize, window: u32) {
        let at = window as usize;
        if self.blocks[kind][at] == 0 {
            self.take_off(kind, window, usize::from(self.counts[kind][at]));
        }
        self.blocks[kind][at] += 1;
    }

    fn unblock(&mut self, kind: usize, window: u32) {
        let at = window as usize;
        self.blocks[kind][at] -= 1;
        if self.blocks[kind][at] == 0 {
            self.add(kind, window, usize::from(self.counts[kind][at]));
        }
    }

    /// Counts a new alive window with `count` stones.
    fn add(&mut self, kind: usize, window: u32, count: usize) {
        self.alive[kind] += 1;
        self.score[kind] += self.weights[count];
        self.change_potential(kind, 0, 1 << count.min(LARGEST_POTENTIAL));
        self.warm(kind, window, self.gain(count));
        self.enlist(kind, window, count);
    }

    /// Takes an alive window with `count` stones off the counts.
    fn take_off(&mut self, kind: usize, window: u32, count: usize) {
        self.alive[kind] -= 1;
        self.score[kind] -= self.weights[count];
        self.change_potential(kind, 1 << count.min(LARGEST_POTENTIAL), 0);
        self.warm(kind, window, -self.gain(count));
        self.delist(kind, window, count);
    }

    /// An alive window with `count` stones gets one more.
    fn grow(&mut self, kind: usize, window: u32, count: usize) {
        self.score[kind] += self.gain(count);
        self.change_potential(kind, 0, 1 << count.min(LARGEST_POTENTIAL));
        self.warm(kind, window, self.gain(count + 1) - self.gain(count));
        self.delist(kind, window, count);
        self.enlist(kind, window, count + 1);
    }

    /// Undoes [`grow`](Self::grow).
    fn shrink(&mut self, kind: usize, window: u32, count: usize) {
        self.score[kind] -= self.gain(count);
        self.change_potential(kind, 1 << count.min(LARGEST_POTENTIAL), 0);
        self.warm(kind, window, self.gain(count) - self.gain(count + 1));
        self.delist(kind, window, count + 1);
        self.enlist(kind, window, count);
    }

    fn change_potential(&mut self, kind: usize, less: u64, more: u64) {
        // Wraps only where k is too large for the sum to be used.
        self.potential[kind] = self.potential[kind].wrapping_sub(less).wrapping_add(more);
    }

    /// What one more stone adds to the weight of a window, by its number of stones.
    fn gain(&self, count: usize) -> i32 {
        match self.weights.get(count + 1) {
            Some(more) => more - self.weights[count],
            None => 0,
        }
    }

    fn warm(&mut self, kind: usize, window: u32, change: i32) {
        if change != 0 {
            for cell in self.geometry.cells_of(window) {
                self.heat[kind][cell] += change;
            }
        }
    }

    fn enlist(&mut self, kind: usize, window: u32, count: usize) {
        let missing = self.geometry.k - count;
        if (1..=LISTED).contains(&missing) {
            let list = &mut self.lists[kind][missing - 1];
            self.places[kind][window as usize] = list.len() as u32;
            list.push(window);
        }
    }

    fn delist(&mut self, kind: usize, window: u32, count: usize) {
        let missing = self.geometry.k - count;
        if (1..=LISTED).contains(&missing) {
            let place = self.places[kind][window as usize] as usize;
            let list = &mut self.lists[kind][missing - 1];
            list.swap_remove(place);
            if let Some(&moved) = list.get(place) {
                self.places[kind][moved as usize] = place as u32;
            }
        }
    }
}
