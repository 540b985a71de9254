//! A puzzle's cells as bits in the order of the map, so that all cells move at once by a shift.

use super::puzzle::{Puzzle, Square};

/// A set of cells: one bit for each cell of the smallest rectangle that holds the floor.
pub type Mask<const W: usize> = [u64; W];

/// The rectangle of a puzzle and its floor.
#[derive(Clone, Debug)]
pub struct Boards<const W: usize> {
    width: usize,
    floor: Mask<W>,
    not_first: Mask<W>,
    not_last: Mask<W>,
    /// The bit of each spot, and the spot of each bit.
    bits: Vec<u16>,
    spots: Vec<Square>,
}

/// The width of the rectangle, and the number of words that it takes.
pub fn words(puzzle: &Puzzle) -> usize {
    let (_, _, width, height) = rectangle(puzzle);
    (width * height).div_ceil(64)
}

fn rectangle(puzzle: &Puzzle) -> (i32, i32, usize, usize) {
    let xs = puzzle.cells().iter().map(|cell| cell.x);
    let ys = puzzle.cells().iter().map(|cell| cell.y);
    let left = xs.clone().min().unwrap_or(0);
    let right = xs.max().unwrap_or(0);
    let top = ys.clone().min().unwrap_or(0);
    let bottom = ys.max().unwrap_or(0);
    (left, top, (right - left + 1) as usize, (bottom - top + 1) as usize)
}

impl<const W: usize> Boards<W> {
    /// The boards of a puzzle; `None` if it needs more words.
    pub fn new(puzzle: &Puzzle) -> Option<Self> {
        if words(puzzle) > W {
            return None;
        }
        let (left, top, width, height) = rectangle(puzzle);
        let mut boards = Self {
            width,
            floor: [0; W],
            not_first: [0; W],
            not_last: [0; W],
            bits: Vec::new(),
            spots: vec![0; 64 * W],
        };
        for (spot, cell) in puzzle.cells().iter().enumerate() {
            let bit = (cell.y - top) as usize * width + (cell.x - left) as usize;
            insert(&mut boards.floor, bit);
            boards.bits.push(bit as u16);
            boards.spots[bit] = spot as Square;
        }
        for bit in 0..width * height {
            if bit % width != 0 {
                insert(&mut boards.not_first, bit);
            }
            if bit % width != width - 1 {
                insert(&mut boards.not_last, bit);
            }
        }
        Some(boards)
    }

    /// All cells that are no walls.
    pub fn floor(&self) -> &Mask<W> {
        &self.floor
    }

    /// The bit of a spot.
    pub fn bit(&self, spot: Square) -> usize {
        usize::from(self.bits[usize::from(spot)])
    }

    /// The spot of a bit of the floor.
    #[inline]
    pub fn spot(&self, bit: usize) -> Square {
        self.spots[bit]
    }

    /// The set of these spots.
    pub fn mask(&self, spots: &[Square]) -> Mask<W> {
        let mut mask = [0; W];
        for &spot in spots {
            insert(&mut mask, self.bit(spot));
        }
        mask
    }

    /// All cells one further in the direction of this index in
    /// [`Direction::ALL`](crate::Direction::ALL); walls are not looked at.
    #[inline(always)]
    pub fn shifted(&self, mask: &Mask<W>, direction: usize) -> Mask<W> {
        match direction {
            0 => down(&and(mask, &self.not_first), 1),
            1 => up(&and(mask, &self.not_last), 1),
            2 => down(mask, self.width),
            _ => up(mask, self.width),
        }
    }

    /// The cells beside the set, walls included.
    #[inline(always)]
    pub fn beside(&self, mask: &Mask<W>) -> Mask<W> {
        let mut all = self.shifted(mask, 0);
        for direction in 1..4 {
            all = or(&all, &self.shifted(mask, direction));
        }
        all
    }

    /// The cells beside the set into which a step leads that is among these, by direction.
    #[inline(always)]
    pub fn up(&self, mask: &Mask<W>, rising: &[Mask<W>; 4]) -> Mask<W> {
        let mut all = [0; W];
        for (direction, rising) in rising.iter().enumerate() {
            all = or(&all, &and(&self.shifted(mask, direction), rising));
        }
        all
    }

    /// All cells of `free` that are connected with the set.
    pub fn flood(&self, mut mask: Mask<W>, free: &Mask<W>) -> Mask<W> {
        loop {
            let wider = or(&mask, &and(&self.beside(&mask), free));
            if wider == mask {
                return mask;
            }
            mask = wider;
        }
    }
}

// Loops here and below: closures in `std::array::from_fn` are not inlined into large functions, which takes a third
// more time.

/// The intersection.
#[inline(always)]
pub fn and<const W: usize>(a: &Mask<W>, b: &Mask<W>) -> Mask<W> {
    let mut mask = *a;
    for (word, other) in mask.iter_mut().zip(b) {
        *word &= other;
    }
    mask
}

/// The union.
#[inline(always)]
pub fn or<const W: usize>(a: &Mask<W>, b: &Mask<W>) -> Mask<W> {
    let mut mask = *a;
    for (word, other) in mask.iter_mut().zip(b) {
        *word |= other;
    }
    mask
}

/// The first without the second.
#[inline(always)]
pub fn without<const W: usize>(a: &Mask<W>, b: &Mask<W>) -> Mask<W> {
    let mut mask = *a;
    for (word, other) in mask.iter_mut().zip(b) {
        *word &= !other;
    }
    mask
}

/// Whether nothing is in it.
#[inline(always)]
pub fn is_empty<const W: usize>(mask: &Mask<W>) -> bool {
    mask.iter().all(|&word| word == 0)
}

/// Number of cells.
#[inline(always)]
pub fn count<const W: usize>(mask: &Mask<W>) -> u32 {
    let mut count = 0;
    for &word in mask {
        // Many masks hold a single cell, and counting is slow where the machine has no instruction for it.
        count += match word & word.wrapping_sub(1) {
            0 => u32::from(word != 0),
            _ => word.count_ones(),
        };
    }
    count
}

/// Whether the bit is set.
#[inline(always)]
pub fn contains<const W: usize>(mask: &Mask<W>, bit: usize) -> bool {
    mask[bit / 64] >> (bit % 64) & 1 != 0
}

/// Sets a bit.
#[inline(always)]
pub fn insert<const W: usize>(mask: &mut Mask<W>, bit: usize) {
    mask[bit / 64] |= 1 << (bit % 64);
}

/// Clears a bit.
#[inline(always)]
pub fn remove<const W: usize>(mask: &mut Mask<W>, bit: usize) {
    mask[bit / 64] &= !(1 << (bit % 64));
}

/// The bits that are set, in rising order.
#[inline(always)]
pub fn bits<const W: usize>(mask: Mask<W>) -> impl Iterator<Item = usize> {
    (0..W).flat_map(move |word| {
        let mut rest = mask[word];
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| 64 * word + rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(bit)
        })
    })
}

#[inline(always)]
fn up<const W: usize>(mask: &Mask<W>, by: usize) -> Mask<W> {
    let words = by / 64;
    let by = by % 64;
    let mut shifted = [0; W];
    for (i, to) in shifted.iter_mut().enumerate() {
        let low = if i >= words { mask[i - words] << by } else { 0 };
        let high = if by > 0 && i > words { mask[i - words - 1] >> (64 - by) } else { 0 };
        *to = low | high;
    }
    shifted
}

#[inline(always)]
fn down<const W: usize>(mask: &Mask<W>, by: usize) -> Mask<W> {
    let (words, by) = (by / 64, by % 64);
    let mut shifted = [0; W];
    for (i, to) in shifted.iter_mut().enumerate() {
        let high = if i + words < W { mask[i + words] >> by } else { 0 };
        let low = if by > 0 && i + words + 1 < W { mask[i + words + 1] << (64 - by) } else { 0 };
        *to = high | low;
    }
    shifted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Moves;
    use crate::search::puzzle::WALL;
    use outwit_core::grid::{Cell, Grid};
    use proptest::prelude::*;

    fn agrees<const W: usize>(puzzle: &Puzzle) -> Result<(), TestCaseError> {
        let Some(boards) = Boards::<W>::new(puzzle) else { return Ok(()) };
        for spot in 0..puzzle.cells().len() as Square {
            let mask = boards.mask(&[spot]);
            prop_assert_eq!(boards.spot(boards.bit(spot)), spot);
            for direction in 0..4 {
                let next = puzzle.next(spot, direction);
                let expected = if next == WALL { [0; W] } else { boards.mask(&[next]) };
                prop_assert_eq!(and(&boards.shifted(&mask, direction), boards.floor()), expected);
            }
        }
        let all = boards.flood(boards.mask(&[0]), boards.floor());
        prop_assert_eq!(all, *boards.floor());
        prop_assert_eq!(count(&all) as usize, puzzle.cells().len());
        prop_assert_eq!(bits(all).count(), puzzle.cells().len());
        Ok(())
    }

    proptest! {
        #[test]
        fn shifts_are_neighbours(
            width in 1_usize..40, height in 1_usize..13,
            walls in prop::collection::vec(prop::bool::weighted(0.2), 40 * 13),
        ) {
            let mut walls = Grid::from_fn(width, height, |c| walls[(c.y * 40 + c.x) as usize]);
            let player = Cell::new(width as i32 / 2, height as i32 / 2);
            walls[player] = false;
            let puzzle = Puzzle::new(Moves::Push, &walls, &[], &[], player);
            agrees::<1>(&puzzle)?;
            agrees::<2>(&puzzle)?;
            agrees::<4>(&puzzle)?;
            agrees::<8>(&puzzle)?;
        }
    }
}
