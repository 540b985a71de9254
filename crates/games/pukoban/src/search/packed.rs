//! States in a few words.

use super::puzzle::Square;
use std::fmt::Debug;
use std::hash::Hash;

/// The boxes and the player's cell in one small value.
pub trait Packed: Copy + Eq + Hash + Debug + Send + 'static {
    /// Packs cells that fit the type, each below its maximum.
    fn pack(player: Square, boxes: &[Square]) -> Self;
    /// The player's cell.
    fn player(&self) -> Square;
    /// The same with the player elsewhere.
    #[must_use]
    fn with_player(self, player: Square) -> Self;
    /// Whether a box is here.
    fn has_box(&self, spot: Square) -> bool;
    /// The same with a box moved to a free cell.
    #[must_use]
    fn with_box_moved(self, from: Square, to: Square) -> Self;
    /// Calls `visit` with the cell of each box, in rising order.
    fn for_each_box(&self, visit: impl FnMut(Square));

    /// The cells of the boxes, in rising order.
    fn boxes(&self) -> Vec<Square> {
        let mut boxes = Vec::new();
        self.for_each_box(|spot| boxes.push(spot));
        boxes
    }
}

/// A bit for each cell, and the player's number in the uppermost bits: one word holds 58 cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    const PLAYER_BITS: u32 = (64 * W as u32).trailing_zeros();
    const SHIFT: u32 = 64 - Self::PLAYER_BITS;
    /// The number of cells that fit.
    pub const MAX_CELLS: usize = 64 * W - Self::PLAYER_BITS as usize;
}

impl<const W: usize> Packed for Bits<W> {
    fn pack(player: Square, boxes: &[Square]) -> Self {
        let mut words = [0; W];
        for &spot in boxes {
            words[usize::from(spot >> 6)] |= 1 << (spot & 63);
        }
        Self(words).with_player(player)
    }

    #[inline]
    fn player(&self) -> Square {
        (self.0[W - 1] >> Self::SHIFT) as Square
    }

    #[inline]
    fn with_player(mut self, player: Square) -> Self {
        let last = &mut self.0[W - 1];
        *last = *last & ((1 << Self::SHIFT) - 1) | u64::from(player) << Self::SHIFT;
        self
    }

    #[inline]
    fn has_box(&self, spot: Square) -> bool {
        let word = if W == 1 { 0 } else { usize::from(spot >> 6) };
        self.0[word] >> (spot & 63) & 1 != 0
    }

    #[inline]
    fn with_box_moved(mut self, from: Square, to: Square) -> Self {
        self.0[usize::from(from >> 6)] &= !(1 << (from & 63));
        self.0[usize::from(to >> 6)] |= 1 << (to & 63);
        self
    }

    #[inline]
    fn for_each_box(&self, mut visit: impl FnMut(Square)) {
        for (index, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            if index == W - 1 {
                rest &= (1 << Self::SHIFT) - 1;
            }
            while rest != 0 {
                visit((64 * index) as Square + rest.trailing_zeros() as Square);
                rest &= rest - 1;
            }
        }
    }
}

/// The player's number and then those of the boxes in rising order, for large maps: up to `N - 1`
/// boxes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct List<const N: usize>([Square; N]);

impl<const N: usize> List<N> {
    fn sorted(mut self) -> Self {
        self.0[1..].sort_unstable();
        self
    }
}

impl<const N: usize> Packed for List<N> {
    fn pack(player: Square, boxes: &[Square]) -> Self {
        let mut spots = [Square::MAX; N];
        spots[0] = player;
        for (slot, &spot) in spots[1..].iter_mut().zip(boxes) {
            *slot = spot;
        }
        Self(spots).sorted()
    }

    #[inline]
    fn player(&self) -> Square {
        self.0[0]
    }

    #[inline]
    fn with_player(mut self, player: Square) -> Self {
        self.0[0] = player;
        self
    }

    #[inline]
    fn has_box(&self, spot: Square) -> bool {
        if N <= 8 { self.0[1..].contains(&spot) } else { self.0[1..].binary_search(&spot).is_ok() }
    }

    fn with_box_moved(mut self, from: Square, to: Square) -> Self {
        if let Some(slot) = self.0[1..].iter_mut().find(|slot| **slot == from) {
            *slot = to;
        }
        self.sorted()
    }

    #[inline]
    fn for_each_box(&self, mut visit: impl FnMut(Square)) {
        for &spot in self.0[1..].iter().take_while(|&&spot| spot != Square::MAX) {
            visit(spot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn behaves_as_a_set<P: Packed>(
        cells: u16,
        moves: &[(u16, u16)],
        count: u16,
    ) -> Result<(), TestCaseError> {
        let mut set: BTreeSet<Square> = (0..count).map(|i| i * (cells / count)).collect();
        let boxes: Vec<_> = set.iter().rev().copied().collect();
        let mut state = P::pack(cells - 1, &boxes);
        for &(from, to) in moves {
            let from = set.iter().copied().nth(usize::from(from) % set.len());
            let (Some(from), to) = (from, to % cells) else { continue };
            if set.contains(&to) {
                continue;
            }
            set.remove(&from);
            set.insert(to);
            state = state.with_box_moved(from, to).with_player(from);
            prop_assert_eq!(state.player(), from);
            prop_assert_eq!(state.boxes(), set.iter().copied().collect::<Vec<_>>());
            prop_assert!(state.has_box(to) && !state.has_box(from));
            prop_assert_eq!(state, P::pack(from, &set.iter().copied().collect::<Vec<_>>()));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn packings_are_sets(moves in prop::collection::vec((0_u16..99, 0_u16..9999), 1..40)) {
            behaves_as_a_set::<Bits<1>>(Bits::<1>::MAX_CELLS as u16, &moves, 5)?;
            behaves_as_a_set::<Bits<2>>(Bits::<2>::MAX_CELLS as u16, &moves, 9)?;
            behaves_as_a_set::<Bits<4>>(Bits::<4>::MAX_CELLS as u16, &moves, 20)?;
            behaves_as_a_set::<List<8>>(4096, &moves, 7)?;
            behaves_as_a_set::<List<32>>(4096, &moves, 31)?;
            behaves_as_a_set::<List<129>>(4096, &moves, 128)?;
        }
    }
}
