//! Draws by pairing (Hales and Jewett 1963): if every window of a side holds a pair of empty cells, no
//! two pairs share a cell, and the other side answers in the same pair, no window is ever filled.

use super::SearchBoard;

/// The most cells of a board on which pairings are looked for.
pub const MOST_CELLS: usize = 128;

/// Choices of a pair after which the search for a pairing gives up.
const TRIES: u32 = 300;

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
        let holds_pair = |&window: &u32| {
            let mut cells = geometry.cells_of(window).filter(|&cell| board.is_empty(cell));
            let Some(mut last) = cells.next() else { return false };
            cells.any(|cell| {
                let is_pair = partner(last, geometry.width, shift) == Some(cell);
                last = cell;
                is_pair
            })
        };
        alive.iter().all(holds_pair)
    })
}

/// The partner of a cell of a board with `width` columns in the moved pairing of the plane; it may lie
/// outside of it.
fn partner(cell: usize, width: usize, (right, down): (usize, usize)) -> Option<usize> {
    let (x, y) = (cell % width, cell / width);
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

fn bits(mut of: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (of != 0).then(|| {
            let bit = of.trailing_zeros();
            of &= of - 1;
            bit
        })
    })
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
