//! Draws by pairing (Hales and Jewett 1963): if every window of a side holds a pair of empty cells, no
//! two pairs share a cell, and the other side answers in the same pair, no window is ever filled.

use super::SearchBoard;

/// The most cells of a board on which pairings are looked for.
pub const MOST_CELLS: usize = 128;

/// Choices of a pair after which the search for a pairing gives up.
const TRIES: u32 = 60;

/// A window without any free cell weighs 2 to this power.
const SCALE: u32 = 40;

/// Looks for pairings on one board.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The cells of each window, as bits; empty on boards that are too large.
    windows: Vec<u128>,
    /// Reused between calls.
    open: Vec<u128>,
}

impl Pairing {
    /// For boards like this one.
    pub fn new(board: &SearchBoard) -> Self {
        let geometry = board.geometry();
        let bits = |window: u32| geometry.cells_of(window).fold(0, |bits, cell| bits | 1 << cell);
        let windows = if geometry.cells() <= MOST_CELLS {
            (0..geometry.windows.len() as u32).map(bits).collect()
        } else {
            Vec::new()
        };
        Self { windows, open: Vec::new() }
    }

    /// Whether a pairing was found that keeps `kind`, which is to move, from ever filling a window.
    pub fn stops(&mut self, board: &SearchBoard, kind: usize) -> bool {
        if self.windows.is_empty() {
            return board.alive()[kind] == 0;
        }
        let cells = board.geometry().cells();
        let empty = (0..cells).filter(|&at| board.is_empty(at)).fold(0, |bits, at| bits | 1 << at);
        self.open.clear();
        for (number, window) in self.windows.iter().enumerate() {
            if board.is_alive(kind, number as u32) {
                self.open.push(window & empty);
            }
        }
        // Of two windows one of which holds the other, only the smaller counts.
        self.open.sort_unstable_by_key(|open| (open.count_ones(), *open));
        self.open.dedup();
        let open = std::mem::take(&mut self.open);
        let mut tries = TRIES;
        let found = pair_up(&open, u128::MAX, &mut tries);
        self.open = open;
        found
    }
}

/// Chooses pairs among the `free` cells until the windows without a pair can be stopped by the criterion
/// of Erdős and Selfridge. Pairs and the other cells do not touch each other, so the defender answers a
/// stone in a pair there, and any other stone by that criterion.
fn pair_up(windows: &[u128], free: u128, tries: &mut u32) -> bool {
    let threat = |window: u128| 1_u64 << (SCALE - (window & free).count_ones().min(SCALE));
    if windows.iter().map(|&window| threat(window)).sum::<u64>() < 1 << (SCALE - 1) {
        return true;
    }
    // The window with the fewest free cells has the fewest pairs.
    let Some(tightest) = windows.iter().map(|window| window & free).min_by_key(|w| w.count_ones())
    else {
        return true;
    };
    if tightest.count_ones() < 2 {
        return false;
    }
    let mut pairs = Vec::new();
    for first in bits(tightest) {
        for second in bits(tightest).filter(|&second| second > first) {
            let pair = 1_u128 << first | 1 << second;
            let held = windows.iter().filter(|&&window| window & pair == pair);
            pairs.push((held.map(|&window| threat(window)).sum::<u64>(), pair));
        }
    }
    pairs.sort_unstable_by(|a, b| b.cmp(a));
    for (_, pair) in pairs {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        let left: Vec<u128> =
            windows.iter().copied().filter(|window| window & pair != pair).collect();
        if pair_up(&left, free & !pair, tries) {
            return true;
        }
    }
    false
}

fn bits(mut of: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (of != 0).then(|| {
            let bit = of.trailing_zeros();
            of &= of - 1;
            bit
        })
    })
}
