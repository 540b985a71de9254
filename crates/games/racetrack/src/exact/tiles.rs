//! Sets of cells as tiles of 8 by 8 cells, one bit per cell, so that one machine word is a tile.
//!
//! What the newest layer adds for one velocity is a patch some cells wide and high. Square tiles
//! cover it with fewer words than pieces of rows do.

use outwit_core::grid::Cell;

/// Cells along each side of a tile; bit `SIDE * row + column` is a cell of it.
pub(super) const SIDE: usize = 8;

const NO_TILE: u32 = u32::MAX;

/// The tiles of a map that hold any road, numbered column by column.
pub(super) struct Tiles {
    /// Tiles from the top of the map to its bottom, the margin included.
    height: usize,
    /// Tiles on each side of the map that moves may lead into.
    margin: usize,
    /// By place on the map, column by column and with the margin: the number of the tile there, or
    /// [`NO_TILE`].
    numbers: Vec<u32>,
    /// By number: the place.
    places: Vec<u32>,
}

impl Tiles {
    /// The tiles of `road` for moves of at most `reach` cells in each direction.
    pub fn new(road: &Columns, reach: usize) -> Self {
        let margin = reach / SIDE + 1;
        let height = road.rows / SIDE + 2 * margin;
        let mut tiles = Self {
            height,
            margin,
            numbers: vec![NO_TILE; height * (road.count + 2 * margin)],
            places: Vec::new(),
        };
        for column in 0..road.count {
            let bytes = road.moved(column, Cell::default());
            for (row, bytes) in bytes.chunks_exact(SIDE).enumerate() {
                if bytes.iter().any(|&byte| byte != 0) {
                    let place = (column + margin) * height + row + margin;
                    tiles.numbers[place] = tiles.places.len() as u32;
                    tiles.places.push(place as u32);
                }
            }
        }
        tiles
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The tile of this number, counted in tiles from the upper left corner of the map.
    pub fn position(&self, tile: usize) -> (usize, usize) {
        let place = self.places[tile] as usize;
        (place / self.height - self.margin, place % self.height - self.margin)
    }

    /// The number of the tile that lies so many places further; `None` if there is no road.
    #[inline]
    pub fn beside(&self, tile: u32, places: isize) -> Option<u32> {
        let place = self.places[tile as usize] as usize;
        let number = self.numbers[place.wrapping_add_signed(places)];
        (number != NO_TILE).then_some(number)
    }

    /// The number of the tile that holds a cell, and the bit of the cell; `None` off the map and
    /// where the tile holds no road.
    pub fn locate(&self, cell: Cell) -> Option<(usize, u32)> {
        let x = usize::try_from(cell.x).ok()?;
        let y = usize::try_from(cell.y).ok()?;
        let row = y / SIDE + self.margin;
        if row >= self.height {
            return None;
        }
        let number = *self.numbers.get((x / SIDE + self.margin) * self.height + row)?;
        (number != NO_TILE).then_some((number as usize, (SIDE * (y % SIDE) + x % SIDE) as u32))
    }

    /// The cell of a bit.
    pub fn cell(&self, tile: usize, bit: u32) -> Cell {
        let (column, row) = self.position(tile);
        let bit = bit as usize;
        Cell::new((column * SIDE + bit % SIDE) as i32, (row * SIDE + bit / SIDE) as i32)
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        (self.numbers.len() + self.places.len()) * size_of::<u32>()
    }
}

/// The bits of a word, lowest first.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

/// Moving the cells of a tile by the same displacement.
#[derive(Clone, Default)]
pub(super) struct Translation {
    /// The cells that stay in the same column of tiles, before it is moved by whole tiles.
    stay: u64,
    right: u32,
    down: u32,
    /// How many places further the tiles lie that the cells come into.
    places: [isize; 4],
}

impl Translation {
    /// By a displacement within the reach of the tiles.
    pub fn new(tiles: &Tiles, by: Cell) -> Self {
        let side = SIDE as i32;
        let right = by.x.rem_euclid(side) as u32;
        let down = by.y.rem_euclid(side) as u32;
        let height = tiles.height as isize;
        let first = by.x.div_euclid(side) as isize * height + by.y.div_euclid(side) as isize;
        Self {
            stay: 0x0101_0101_0101_0101 * (0xFF >> right),
            right,
            down: down * SIDE as u32,
            places: [first, first + height, first + 1, first + height + 1],
        }
    }

    /// The cells in each of the four tiles that they come into, and how many places further it lies.
    #[inline]
    pub fn apply(&self, cells: u64) -> [(u64, isize); 4] {
        let near = (cells & self.stay) << self.right;
        let far = (cells & !self.stay) >> (SIDE as u32 - self.right);
        let below = |cells: u64| (cells >> 1) >> (63 - self.down);
        let [a, b, c, d] = self.places;
        [(near << self.down, a), (far << self.down, b), (below(near), c), (below(far), d)]
    }
}

/// A set of cells as columns 8 cells wide: a byte holds the cells of one row. It is kept once for
/// each horizontal displacement, so that moving it by any displacement is taking a slice.
pub(super) struct Columns {
    /// Columns from the left of the map to its right.
    pub count: usize,
    /// Rows of the map, rounded up to whole tiles.
    pub rows: usize,
    reach: usize,
    /// By horizontal displacement and column, with `reach` empty rows above and below.
    bytes: Vec<u8>,
}

impl Columns {
    /// The given cells of a map, for displacements of at most `reach` in each direction.
    pub fn new(
        width: usize,
        height: usize,
        reach: usize,
        cells: impl Iterator<Item = Cell>,
    ) -> Self {
        let count = width.div_ceil(SIDE);
        let rows = height.next_multiple_of(SIDE);
        let length = rows + 2 * reach;
        let margin = reach / SIDE + 2;
        let mut still = vec![0_u8; (count + 2 * margin) * length];
        for cell in cells {
            let x = cell.x as usize;
            let y = cell.y as usize;
            still[(x / SIDE + margin) * length + reach + y] |= 1 << (x % SIDE);
        }
        let mut bytes = Vec::with_capacity((2 * reach + 1) * count * length);
        for column in (0..=2 * reach).flat_map(|by| (0..count).map(move |column| (by, column))) {
            // Both counted from the left of the margin.
            let from = (column.1 + margin) * SIDE + column.0 - reach;
            let shift = from % SIDE;
            let near = &still[from / SIDE * length..][..length];
            let far = &still[(from / SIDE + 1) * length..][..length];
            bytes.extend(
                near.iter()
                    .zip(far)
                    .map(|(&near, &far)| (u16::from_le_bytes([near, far]) >> shift) as u8),
            );
        }
        Self { count, rows, reach, bytes }
    }

    /// A column of the cells from which the displacement leads into the set, a byte per row.
    pub fn moved(&self, column: usize, by: Cell) -> &[u8] {
        let length = self.rows + 2 * self.reach;
        let reach = self.reach as i32;
        let start = ((by.x + reach) as usize * self.count + column) * length;
        &self.bytes[start + (by.y + reach) as usize..][..self.rows]
    }

    /// Whether any cell of the set lies within reach of a column.
    pub fn is_near(&self, column: usize) -> bool {
        let length = self.rows + 2 * self.reach;
        (0..=2 * self.reach).any(|by| {
            let start = (by * self.count + column) * length;
            self.bytes[start..][..length].iter().any(|&byte| byte != 0)
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const SIZE: (i32, i32) = (29, 21);
    const REACH: i32 = 11;

    proptest! {
        /// Against moving each cell by itself.
        #[test]
        fn sets_move_like_their_cells(
            cells in prop::collection::btree_set((0..SIZE.0, 0..SIZE.1), 0..60),
            by in (-REACH..=REACH, -REACH..=REACH),
        ) {
            let cells: BTreeSet<Cell> = cells.into_iter().map(|(x, y)| Cell::new(x, y)).collect();
            let by = Cell::new(by.0, by.1);
            let (width, height, reach) = (SIZE.0 as usize, SIZE.1 as usize, REACH as usize);
            let all = (0..SIZE.0).flat_map(|x| (0..SIZE.1).map(move |y| Cell::new(x, y)));
            let ground = Columns::new(width, height, reach, all.clone());
            let tiles = Tiles::new(&ground, reach);
            prop_assert_eq!(tiles.len(), 12);

            let set = Columns::new(width, height, reach, cells.iter().copied());
            let translation = Translation::new(&tiles, -by);
            let mut words = vec![0_u64; tiles.len()];
            for &cell in &cells {
                let (tile, bit) = tiles.locate(cell).unwrap();
                prop_assert_eq!(tiles.cell(tile, bit), cell);
                for (cells, places) in translation.apply(1 << bit) {
                    if let Some(to) = tiles.beside(tile as u32, places).filter(|_| cells != 0) {
                        words[to as usize] |= cells;
                    }
                }
            }
            for cell in all {
                let (tile, bit) = tiles.locate(cell).unwrap();
                let expected = cells.contains(&(cell + by));
                prop_assert_eq!(words[tile] >> bit & 1 == 1, expected, "translated to {}", cell);
                let byte = set.moved(cell.x as usize / SIDE, by)[cell.y as usize];
                prop_assert_eq!(byte >> (cell.x % 8) & 1 == 1, expected, "column at {}", cell);
            }
        }
    }
}
