//! Draws by pairing (Hales and Jewett 1963): if every window of a side holds a pair of empty cells, no
//! two pairs share a cell, and the other side answers in the same pair, no window is ever filled.

use super::SearchBoard;
use super::cells::{CellSet, bits};

/// The most cells of a board on which pairings are looked for.
pub const MOST_CELLS: usize = 128;

/// Choices of a pair after which the search for a pairing gives up.
const TRIES: u32 = 300;

/// A window without any free cell weighs 2 to this power, each free cell halves that.
pub const SCALE: u32 = 40;

/// What can be stopped with the other side to move weighs less than this, by the criterion of Erdős and Selfridge;
/// if the side that is stopped moves next, half as much.
pub const STOPPED: u64 = 1 << SCALE;

/// The weight of a window by its free cells.
pub fn weight<C: CellSet>(free: C) -> u64 {
    1 << (SCALE - free.count().min(SCALE))
}

/// Looks for pairings on one board.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The cells of each window, as bits; empty on boards that are too large.
    windows: Vec<u128>,
    /// Reused between calls.
    open: Vec<u128>,
    pairs: Pairs<u128>,
}

impl Pairing {
    /// For boards like this one.
    pub fn new(board: &SearchBoard) -> Self {
        let geometry = board.geometry();
        let windows = if geometry.cells() <= MOST_CELLS {
            (0..geometry.windows.len() as u32)
                .map(|window| geometry.cells_of(window).fold(0, |bits, cell| bits | 1 << cell))
                .collect()
        } else {
            Vec::new()
        };
        Self { windows, open: Vec::new(), pairs: Pairs::default() }
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
        self.pairs.stop(&self.open, TRIES, STOPPED / 2).0.is_some()
    }
}

/// Chooses pairs of cells for windows.
#[derive(Clone, Debug, Default)]
pub struct Pairs<C> {
    /// The windows without a pair, those of each choice behind those of the one before.
    windows: Vec<C>,
    choices: Vec<(u64, C)>,
    tries: u32,
    least: u64,
}

impl<C: CellSet> Pairs<C> {
    /// Chooses pairs of free cells of `windows`, at most `tries` of them, until the windows without a pair weigh less
    /// than `bound`, so that they can be stopped by the criterion of Erdős and Selfridge. Pairs and the other cells do
    /// not touch each other, so the defender answers a stone in a pair there, and any other stone by that criterion.
    ///
    /// Returns the cells that this depends on, if it was found, and the least weight that was left on the way.
    pub fn stop(&mut self, windows: &[C], tries: u32, bound: u64) -> (Option<C>, u64) {
        self.windows.clear();
        self.windows.extend_from_slice(windows);
        self.tries = tries;
        self.least = u64::MAX;
        let zone = self.choose(0, !C::NONE, C::NONE, bound);
        (zone, self.least)
    }

    fn choose(&mut self, start: usize, free: C, used: C, bound: u64) -> Option<C> {
        let windows = &self.windows[start..];
        let sum: u64 = windows.iter().map(|&window| weight(window & free)).sum();
        self.least = self.least.min(sum);
        if sum < bound {
            return Some(used | self.rest(start, free, bound));
        }
        // The window with the fewest free cells has the fewest pairs.
        let tightest = windows.iter().map(|&window| window & free).min_by_key(|w| w.count())?;
        if tightest.count() < 2 {
            return None;
        }
        let first_choice = self.choices.len();
        for first in bits(tightest) {
            for second in bits(tightest).filter(|&second| second > first) {
                let pair = C::cell(first) | C::cell(second);
                let held = self.windows[start..].iter().filter(|&&window| window & pair == pair);
                let held = held.map(|&window| weight(window & free)).sum();
                self.choices.push((held, pair));
            }
        }
        self.choices[first_choice..].sort_unstable_by(|a, b| b.cmp(a));
        let mut found = None;
        for choice in first_choice..self.choices.len() {
            if self.tries == 0 {
                break;
            }
            self.tries -= 1;
            let (_, pair) = self.choices[choice];
            let end = self.windows.len();
            for at in start..end {
                if self.windows[at] & pair != pair {
                    self.windows.push(self.windows[at]);
                }
            }
            found = self.choose(end, free & !pair, used | pair, bound);
            self.windows.truncate(end);
            if found.is_some() {
                break;
            }
        }
        self.choices.truncate(first_choice);
        found
    }

    /// The cells on which it depends that the windows from `start` on can be stopped: those of pairs as far as pairs
    /// can be found at once, since they are few, and then all free cells of the windows that are left.
    fn rest(&mut self, start: usize, mut free: C, bound: u64) -> C {
        let mut zone = C::NONE;
        let begin = self.windows.len();
        self.windows.extend_from_within(start..);
        while self.windows.len() > begin {
            let windows = &self.windows[begin..];
            let tightest = windows.iter().map(|&window| window & free).min_by_key(|w| w.count());
            let tightest = tightest.unwrap_or(C::NONE);
            let mut best = (0, C::NONE);
            for first in bits(tightest) {
                for second in bits(tightest).filter(|&second| second > first) {
                    let pair = C::cell(first) | C::cell(second);
                    let held = windows.iter().filter(|&&window| window & pair == pair).count();
                    best = best.max((held, pair));
                }
            }
            let (_, pair) = best;
            let is_left = |window: &C| *window & pair != pair;
            let left = windows.iter().filter(|window| is_left(window));
            let sum: u64 = left.map(|&window| weight(window & free & !pair)).sum();
            if pair == C::NONE || sum >= bound {
                zone = windows.iter().fold(zone, |zone, &window| zone | window & free);
                break;
            }
            zone = zone | pair;
            free = free & !pair;
            let mut kept = begin;
            for at in begin..self.windows.len() {
                if is_left(&self.windows[at]) {
                    self.windows.swap(kept, at);
                    kept += 1;
                }
            }
            self.windows.truncate(kept);
        }
        self.windows.truncate(begin);
        zone
    }
}

/// On boards of any size: every cell of the plane has a partner next to it, so that every nine cells in a
/// row, in any direction, hold a cell and its partner. The pattern repeats itself every eight columns and
/// rows; each of its 32 rows, columns and diagonals of eight cells holds one pair of neighbours (Hales and
/// Jewett 1963 gave the first such pairing; this one was found by a search for an exact cover).
///
/// A letter tells where the partner lies: `e` and `w` to the right and left, `n` and `s` above and below,
/// `u` and `b` above right and below left, `d` and `a` below right and above left.
const PLANE: [&[u8; PERIOD]; PERIOD] = [
    b"ewbsusua",
    b"wusnbnse",
    b"ewnuddns",
    b"bdewbaan",
    b"ddaudewu",
    b"saabsaew",
    b"nsubnewd",
    b"anuewbdb",
];

/// Columns and rows after which the pairing of the plane repeats itself.
const PERIOD: usize = 8;

/// The shortest rows that the pairing of the plane stops.
pub const STOPPED_ROW: usize = PERIOD + 1;

/// Whether the pairing of the plane, moved by some columns and rows, keeps `kind` from ever filling a
/// window, whoever is to move. On an empty board it does for k from [`STOPPED_ROW`] on.
pub fn plane_stops(board: &SearchBoard, kind: usize) -> bool {
    let geometry = board.geometry();
    if geometry.k < STOPPED_ROW {
        return false;
    }
    let alive: Vec<u32> =
        (0..geometry.windows.len() as u32).filter(|&window| board.is_alive(kind, window)).collect();
    let shifts = (0..PERIOD * PERIOD).map(|shift| (shift % PERIOD, shift / PERIOD));
    shifts.into_iter().any(|shift| {
        alive.iter().all(|&window| {
            let mut cells = geometry.cells_of(window).filter(|&cell| board.is_empty(cell));
            let Some(mut last) = cells.next() else { return false };
            cells.any(|cell| {
                let is_pair = partner(last, geometry.width, shift) == Some(cell);
                last = cell;
                is_pair
            })
        })
    })
}

/// The partner of a cell of a board with `width` columns in the moved pairing of the plane; it may lie
/// outside of it.
fn partner(cell: usize, width: usize, (right, down): (usize, usize)) -> Option<usize> {
    let x = cell % width;
    let y = cell / width;
    let (x_step, y_step) = match PLANE[(y + down) % PERIOD][(x + right) % PERIOD] {
        b'e' => (1, 0),
        b'w' => (-1, 0),
        b's' => (0, 1),
        b'n' => (0, -1),
        b'd' => (1, 1),
        b'a' => (-1, -1),
        b'u' => (1, -1),
        _ => (-1, 1),
    };
    let x = x.checked_add_signed(x_step).filter(|&x| x < width)?;
    Some(y.checked_add_signed(y_step)? * width + x)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::Geometry;
    use super::*;
    use std::sync::Arc;

    fn empty_board(width: usize, height: usize, k: usize) -> SearchBoard {
        SearchBoard::new(Arc::new(Geometry::new(width, height, k, false)))
    }

    #[test]
    fn cells_of_the_plane_are_partners_of_each_other() {
        for shift in [(0, 0), (3, 5)] {
            for cell in
                (0..900).filter(|cell| (1..29).contains(&(cell % 30)) && (30..870).contains(cell))
            {
                let other = partner(cell, 30, shift).unwrap();
                assert_eq!(partner(other, 30, shift), Some(cell), "{cell}");
            }
        }
    }

    #[test]
    fn the_plane_stops_rows_of_nine_and_no_shorter_ones() {
        for (width, height, k) in [(9, 9, 9), (20, 17, 9), (40, 31, 9), (33, 12, 10), (50, 50, 12)]
        {
            assert!((0..2).all(|kind| plane_stops(&empty_board(width, height, k), kind)), "{k}");
        }
        assert!(!plane_stops(&empty_board(20, 20, 8), 0));
    }

    /// Whoever answers every stone in the same pair is never beaten, whatever the other side does.
    #[test]
    fn answers_in_pairs_hold_against_random_play() {
        let mut seed = 7_u64;
        for game in 0..20 {
            let mut board = empty_board(14, 13, 9);
            while board.empty() > 0 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let free: Vec<usize> = (0..14 * 13).filter(|&cell| board.is_empty(cell)).collect();
                let cell = free[(seed >> 33) as usize % free.len()];
                board.play(cell);
                let pair =
                    partner(cell, 14, (0, 0)).filter(|&at| at < 14 * 13 && board.is_empty(at));
                let answer = pair.or_else(|| (0..14 * 13).find(|&at| board.is_empty(at)));
                let Some(answer) = answer else { break };
                board.play(answer);
                assert!(plane_stops(&board, 0), "game {game}");
            }
            assert_eq!(board.alive()[0], 0);
        }
    }

    /// Nine stones in a row that were placed before the pairing began are no draw.
    #[test]
    fn stones_that_break_the_pairs_are_seen() {
        let mut board = empty_board(15, 15, 9);
        for at in 0..8 {
            board.play(30 + 1 + at);
            board.play(15 * (1 + at) + usize::from(at % 2 == 0) * 14);
        }
        assert!(!plane_stops(&board, 0));
    }
}
