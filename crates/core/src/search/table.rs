//! An open-addressing hash table from keys to indices of an arena.

/// Maps 64-bit keys to indices below 2³²−1; equality is decided by whoever owns the arena.
///
/// Linear probing over pairs of index and the key's upper half, at most five eighths full. Memory
/// is 8 bytes per slot. Growing never asks for a key again: a slot's place is taken from the stored
/// half.
#[derive(Clone, Debug, Default)]
pub struct IndexTable {
    /// `tag << 32 | index + 1`; 0 is free. Either empty or a power of two long.
    slots: Vec<u64>,
    len: usize,
}

const LEAST_SLOTS: usize = 64;

impl IndexTable {
    /// Number of entries in the table.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Memory taken, in bytes.
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    /// The bytes that must be allocated before the next entry fits; 0 if it fits already.
    pub fn bytes_to_grow(&self) -> usize {
        if (self.len + 1) * 8 <= self.slots.len() * 5 {
            0
        } else {
            (self.slots.len() * 2).max(LEAST_SLOTS) * size_of::<u64>()
        }
    }

    /// Makes room for one more entry; `false` if the machine has no memory for it.
    pub fn grow(&mut self) -> bool {
        let slots = (self.slots.len() * 2).max(LEAST_SLOTS);
        let mut wider: Vec<u64> = Vec::new();
        if slots as u64 > 1 << 32 || wider.try_reserve_exact(slots).is_err() {
            return false;
        }
        wider.resize(slots, 0);
        for &entry in self.slots.iter().filter(|&&entry| entry != 0) {
            let mut place = place(entry >> 32, slots);
            while wider[place] != 0 {
                place = (place + 1) & (slots - 1);
            }
            wider[place] = entry;
        }
        self.slots = wider;
        true
    }

    /// The index that was inserted with this key and for which `same` holds.
    #[inline]
    pub fn find(&self, key: u64, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let tag = key >> 32;
        let mut at = place(tag, self.slots.len());
        loop {
            let entry = self.slots[at];
            if entry == 0 {
                return None;
            }
            if entry >> 32 == tag {
                let index = entry as u32 - 1;
                if same(index) {
                    return Some(index);
                }
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// The first index whose key has the same upper half: mostly the one that [`find`](Self::find) finds.
    /// Asked for several keys in a row, the machine waits for the memory of all of them at once.
    #[inline]
    pub fn first(&self, key: u64) -> Option<u32> {
        self.find(key, |_| true)
    }

    /// Inserts an index that is not there yet. Without room nothing is inserted: see
    /// [`bytes_to_grow`](Self::bytes_to_grow).
    #[inline]
    pub fn insert(&mut self, key: u64, index: u32) {
        if self.bytes_to_grow() > 0 {
            return;
        }
        let tag = key >> 32;
        let mut at = place(tag, self.slots.len());
        while self.slots[at] != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = tag << 32 | (u64::from(index) + 1);
        self.len += 1;
    }
}

/// Where the probing for a tag of 32 bits begins: its upper bits, so that growing keeps the order.
#[inline]
fn place(tag: u64, slots: usize) -> usize {
    (tag >> (32 - slots.trailing_zeros())) as usize & (slots - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_inserted_through_all_growth() {
        let key = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut table = IndexTable::default();
        assert_eq!(table.find(key(1), |_| true), None);
        for i in 0..5000_u64 {
            if table.bytes_to_grow() > 0 {
                assert!(table.grow());
            }
            table.insert(key(i), i as u32);
        }
        for i in 0..5000_u64 {
            assert_eq!(table.find(key(i), |index| u64::from(index) == i), Some(i as u32));
        }
        assert_eq!(table.find(key(5000), |index| index == 5000), None);
        assert!(table.len() == 5000 && table.bytes() >= 5000 * 8);
    }
}
