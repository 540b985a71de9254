//! A transposition table of bounded size.

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// The best move in the common form of the position; see
    /// [`canonical`](super::SearchBoard::canonical).
    pub cell: u16,
    /// How many plies were searched.
    pub depth: u8,
    /// What `value` says.
    pub bound: Bound,
    /// Value for whoever is to move, in 24 bits.
    pub value: i32,
}

/// Positions by hash, two to a bucket: one that was searched deep and the last one.
#[derive(Clone, Debug)]
pub struct TranspositionTable {
    /// Hash and packed entry; an entry of 0 is none.
    slots: Vec<[u64; 2]>,
    mask: usize,
    generation: u8,
    used: usize,
}

impl TranspositionTable {
    /// A table of 2^`bits` entries of 16 bytes, at least two.
    pub fn new(bits: u32) -> Self {
        let size = 1 << bits.clamp(1, 28);
        Self { slots: vec![[0; 2]; size], mask: size - 2, generation: 0, used: 0 }
    }

    /// From now on, older entries give way to new ones whatever their depth.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % 64;
    }

    /// The share of slots in use, from 0 to 1.
    pub fn fill(&self) -> f64 {
        self.used as f64 / self.slots.len() as f64
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Option<TableEntry> {
        let bucket = key as usize & self.mask;
        let slots = &self.slots[bucket..bucket + 2];
        slots.iter().find(|slot| slot[0] == key && slot[1] != 0).map(|slot| unpack(slot[1]))
    }

    /// Stores what is known of a position.
    pub fn put(&mut self, key: u64, entry: TableEntry) {
        let bucket = key as usize & self.mask;
        let deep = self.slots[bucket];
        let is_free = deep[1] == 0 || deep[0] == key;
        let is_old = (deep[1] >> 58) as u8 != self.generation;
        let keep_deep = !is_free && !is_old && unpack(deep[1]).depth > entry.depth;
        let at = bucket + usize::from(keep_deep);
        self.used += usize::from(self.slots[at][1] == 0);
        self.slots[at] = [key, pack(entry, self.generation)];
    }
}

/// Cell 16 bits, depth 8, value 24, bound 2 (never 0), generation 6 from bit 58 on.
fn pack(entry: TableEntry, generation: u8) -> u64 {
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(entry.cell)
        | u64::from(entry.depth) << 16
        | u64::from(entry.value as u32 & 0xff_ffff) << 24
        | bound << 48
        | u64::from(generation) << 58
}

fn unpack(packed: u64) -> TableEntry {
    let bound = match packed >> 48 & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        _ => Bound::Upper,
    };
    // Shifting up and down again extends the sign.
    let value = ((packed >> 24 & 0xff_ffff) as u32 as i32) << 8 >> 8;
    TableEntry { cell: packed as u16, depth: (packed >> 16) as u8, bound, value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn entries_come_back(
            cell: u16, depth: u8, value in -1_000_000..=1_000_000, bound in 0..3_usize, key: u64,
        ) {
            let bound = [Bound::Exact, Bound::Lower, Bound::Upper][bound];
            let entry = TableEntry { cell, depth, bound, value };
            let mut table = TranspositionTable::new(4);
            table.put(key, entry);
            prop_assert_eq!(table.get(key), Some(entry));
            prop_assert_eq!(table.get(key ^ 16), None);
        }
    }
}
