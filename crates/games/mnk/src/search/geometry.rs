//! What never changes while a board is searched: its windows, symmetries and hash keys.

use super::NO_CELL;
use crate::lines::DIRECTIONS;
use outwit_core::grid::Cell;

/// k cells in a row: the first, and the step from each to the next in row-major indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineWindow {
    /// Index of the first cell.
    pub first: u16,
    /// Added to get the next cell.
    pub step: u16,
}

/// A board without its stones.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Stones in a row that win.
    pub k: usize,
    /// Whether longer rows do not win.
    pub exact: bool,
    /// All windows.
    pub windows: Vec<LineWindow>,
    /// The windows through each cell.
    through: Lists,
    /// With `exact`, the windows that end right before or begin right after each cell.
    flanked: Lists,
    /// The cells at most two columns and two rows away from each cell.
    around: Lists,
    /// Where each symmetry of the board moves each cell; the identity first.
    pub symmetries: Vec<Vec<u16>>,
    /// Hash keys by kind of stone, symmetry and cell.
    keys: [Vec<Vec<u64>>; 2],
}

/// A list of numbers for each cell.
#[derive(Clone, Debug)]
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(lists: &[Vec<u32>]) -> Self {
        let mut starts = vec![0];
        let mut items = Vec::new();
        for list in lists {
            items.extend(list);
            starts.push(items.len() as u32);
        }
        Self { starts, items }
    }

    fn of(&self, cell: usize) -> &[u32] {
        &self.items[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// How far candidates lie from stones, in columns and rows.
const REACH: i32 = 2;

impl Geometry {
    /// The board of `width` by `height` cells on which `k` in a row win.
    pub fn new(width: usize, height: usize, k: usize, exact: bool) -> Self {
        let inside = |cell: Cell| {
            (cell.x >= 0 && cell.y >= 0 && cell.x < width as i32 && cell.y < height as i32)
                .then(|| cell.y as usize * width + cell.x as usize)
        };
        let cells: Vec<Cell> = (0..width * height)
            .map(|index| Cell::new((index % width) as i32, (index / width) as i32))
            .collect();
        let mut windows = Vec::new();
        let mut through = vec![Vec::new(); cells.len()];
        let mut flanked = vec![Vec::new(); cells.len()];
        for direction in DIRECTIONS {
            let along =
                |from: Cell, n: i32| Cell::new(from.x + n * direction.x, from.y + n * direction.y);
            for &from in &cells {
                let far = along(from, k as i32 - 1);
                let (Some(first), Some(last)) = (inside(from), inside(far)) else { continue };
                // Steps up and to the right go backwards in row-major order.
                let step = (direction.y * width as i32 + direction.x).unsigned_abs() as u16;
                let number = windows.len() as u32;
                windows.push(LineWindow { first: first.min(last) as u16, step });
                (0..k as i32).filter_map(|n| inside(along(from, n))).for_each(|at| {
                    through[at].push(number);
                });
                if exact {
                    let ends = [along(from, -1), along(from, k as i32)];
                    ends.into_iter().filter_map(inside).for_each(|at| flanked[at].push(number));
                }
            }
        }
        let near = |cell: &Cell| -> Vec<u32> {
            let offsets = (-REACH..=REACH).flat_map(|y| (-REACH..=REACH).map(move |x| (x, y)));
            offsets
                .filter(|&offset| offset != (0, 0))
                .filter_map(|(x, y)| inside(*cell + Cell::new(x, y)))
                .map(|at| at as u32)
                .collect()
        };
        let around: Vec<Vec<u32>> = cells.iter().map(near).collect();
        let symmetries = symmetries(width, height);
        let keys = keys(&symmetries);
        Self {
            width,
            height,
            k,
            exact,
            windows,
            through: Lists::new(&through),
            flanked: Lists::new(&flanked),
            around: Lists::new(&around),
            symmetries,
            keys,
        }
    }

    /// Number of cells of the board.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }

    /// The windows through a cell.
    pub fn through(&self, cell: usize) -> &[u32] {
        self.through.of(cell)
    }

    /// With `exact`, the windows that a cell lies right before or behind.
    pub fn flanked(&self, cell: usize) -> &[u32] {
        self.flanked.of(cell)
    }

    /// The cells near a cell.
    pub fn around(&self, cell: usize) -> &[u32] {
        self.around.of(cell)
    }

    /// The cells of a window.
    pub fn cells_of(&self, window: u32) -> impl Iterator<Item = usize> + use<> {
        let LineWindow { first, step } = self.windows[window as usize];
        let step = usize::from(step);
        (0..self.k).map(move |n| usize::from(first) + n * step)
    }

    /// The hash key of a stone as a symmetry of the board shows it.
    pub fn key(&self, stone: usize, symmetry: usize, cell: usize) -> u64 {
        self.keys[stone][symmetry][cell]
    }

    /// The cells of each window as a set; for boards of at most 64 cells.
    pub fn window_sets(&self) -> Vec<u64> {
        (0..self.windows.len() as u32)
            .map(|window| self.cells_of(window).fold(0, |set, cell| set | 1 << cell))
            .collect()
    }

    /// By cell: the hash keys of a stone as each symmetry of the board shows it; on boards with fewer than eight
    /// symmetries they repeat themselves.
    pub fn keys_by_cell(&self, stone: usize) -> Vec<[u64; 8]> {
        let count = self.symmetries.len();
        (0..self.cells())
            .map(|cell| std::array::from_fn(|at| self.key(stone, at % count, cell)))
            .collect()
    }

    /// The cell that a symmetry moves to `cell`.
    pub fn back(&self, symmetry: usize, cell: u16) -> u16 {
        self.symmetries[symmetry].iter().position(|at| *at == cell).map_or(NO_CELL, |at| at as u16)
    }

    /// The cell nearest to the centre.
    pub fn centre(&self) -> usize {
        self.height / 2 * self.width + self.width / 2
    }
}

/// The symmetries of a rectangle: 8 for a square, 4 for others.
fn symmetries(width: usize, height: usize) -> Vec<Vec<u16>> {
    let mut symmetries = Vec::new();
    for transposed in [false, true] {
        for (flip_x, flip_y) in [(false, false), (true, false), (false, true), (true, true)] {
            if transposed && width != height {
                continue;
            }
            let moved = (0..width * height).map(|index| {
                let x = index % width;
                let y = index / width;
                let x = if flip_x { width - 1 - x } else { x };
                let y = if flip_y { height - 1 - y } else { y };
                let (x, y) = if transposed { (y, x) } else { (x, y) };
                (y * width + x) as u16
            });
            symmetries.push(moved.collect());
        }
    }
    symmetries
}

/// Zobrist keys (1970): random numbers of which a position's hash is made, the same in every run (splitmix64, Steele et
/// al. 2014).
fn keys(symmetries: &[Vec<u16>]) -> [Vec<Vec<u64>>; 2] {
    let mut seed = 0x6d6e_6b5f_7a6f_6272_u64;
    let mut draw = || {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let cells = symmetries.first().map_or(0, Vec::len);
    [(); 2].map(|()| {
        let plain: Vec<u64> = (0..cells).map(|_| draw()).collect();
        symmetries
            .iter()
            .map(|moved| moved.iter().map(|&to| plain[usize::from(to)]).collect())
            .collect()
    })
}
