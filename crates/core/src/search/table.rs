//! An open-addressing hash table from keys to indices of an arena.

/// Maps 64-bit keys to indices below 2³²−1; equality is decided by whoever owns the arena.
///
/// Linear probing over pairs of index and the key's upper half, at most five eighths full. Memory
/// is 8 bytes per slot. Growing never asks for a key again: a slot's place is taken from the stored
/// half. A large table is in parts by the upper bits of the keys, which grow one by one: no insertion takes long, and
/// little more memory is needed while the table grows than afterwards.
#[derive(Clone, Debug, Default)]
pub struct IndexTable {
    /// None, one, or 2^[`PART_BITS`].
    parts: Vec<Part>,
    /// The upper bits of a key that tell its part.
    part_bits: u32,
    len: usize,
    bytes: usize,
}

#[derive(Clone, Debug)]
struct Part {
    /// `tag << 32 | index + 1`; 0 is free. A power of two long.
    slots: Vec<u64>,
    len: usize,
}

const LEAST_SLOTS: usize = 64;

/// A table of one part has at most so many slots.
const MOST_UNDIVIDED: usize = 1 << 16;

/// The number of parts of a larger one, as a power of two.
const PART_BITS: u32 = 10;

/// A part has at most so many slots: no key has more bits to tell them apart.
const MOST_SLOTS: usize = 1 << (32 - PART_BITS);

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
        self.bytes
    }

    /// The part that holds an upper half.
    #[inline]
    fn part(&self, tag: u64) -> usize {
        (tag >> (32 - self.part_bits)) as usize
    }

    /// The bytes that must be allocated before an entry with this key fits; 0 if it fits already.
    #[inline]
    pub fn bytes_to_grow(&self, key: u64) -> usize {
        let slots = match self.parts.get(self.part(key >> 32)) {
            None => LEAST_SLOTS,
            Some(part) if part.is_full() => 2 * part.slots.len(),
            Some(_) => 0,
        };
        slots * size_of::<u64>()
    }

    /// Makes room for one more entry with this key; `false` if the machine has no memory for it.
    #[cold]
    pub fn grow(&mut self, key: u64) -> bool {
        let at = self.part(key >> 32);
        match self.parts.get(at) {
            None => {
                let part = Part::new(LEAST_SLOTS);
                self.bytes = part.iter().map(Part::bytes).sum();
                self.parts.extend(part);
                !self.parts.is_empty()
            }
            Some(part) if self.part_bits == 0 && part.slots.len() == MOST_UNDIVIDED => {
                // By chance its new part can be full at once.
                self.divide() && (self.bytes_to_grow(key) == 0 || self.grow(key))
            }
            Some(_) => self.widen(at),
        }
    }

    /// Makes many parts of a single one.
    fn divide(&mut self) -> bool {
        let slots = (2 * MOST_UNDIVIDED) >> PART_BITS;
        let parts: Option<Vec<Part>> = (0..1 << PART_BITS).map(|_| Part::new(slots)).collect();
        let Some(parts) = parts else { return false };
        let mut divided = Self {
            bytes: parts.iter().map(Part::bytes).sum(),
            len: self.len,
            part_bits: PART_BITS,
            parts,
        };
        for entry in self.parts.iter().flat_map(Part::entries) {
            let at = divided.part(entry >> 32);
            if divided.parts[at].is_full() && !divided.widen(at) {
                return false;
            }
            divided.parts[at].put(entry, PART_BITS);
        }
        *self = divided;
        true
    }

    /// Gives a part twice as many slots.
    fn widen(&mut self, at: usize) -> bool {
        let part = &mut self.parts[at];
        let slots = 2 * part.slots.len();
        let Some(mut wider) = Part::new(slots).filter(|_| slots <= MOST_SLOTS) else {
            return false;
        };
        part.entries().for_each(|entry| wider.put(entry, self.part_bits));
        self.bytes += wider.bytes() - part.bytes();
        *part = wider;
        true
    }

    /// The index that was inserted with this key and for which `same` holds.
    #[inline]
    pub fn find(&self, key: u64, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let tag = key >> 32;
        let slots = &self.parts.get(self.part(tag))?.slots;
        let mut at = place(tag, self.part_bits, slots.len());
        loop {
            let entry = slots[at];
            if entry == 0 {
                return None;
            }
            if entry >> 32 == tag {
                let index = entry as u32 - 1;
                if same(index) {
                    return Some(index);
                }
            }
            at = (at + 1) & (slots.len() - 1);
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
        let tag = key >> 32;
        let at = self.part(tag);
        if let Some(part) = self.parts.get_mut(at)
            && !part.is_full()
        {
            part.put(tag << 32 | (u64::from(index) + 1), self.part_bits);
            self.len += 1;
        }
    }
}

impl Part {
    /// An empty one; `None` if the machine has no memory for it.
    fn new(slots: usize) -> Option<Self> {
        let mut free: Vec<u64> = Vec::new();
        free.try_reserve_exact(slots).ok()?;
        free.resize(slots, 0);
        Some(Self { slots: free, len: 0 })
    }

    #[inline]
    fn is_full(&self) -> bool {
        (self.len + 1) * 8 > self.slots.len() * 5
    }

    fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>()
    }

    fn entries(&self) -> impl Iterator<Item = u64> {
        self.slots.iter().copied().filter(|&entry| entry != 0)
    }

    /// Puts an entry into a free slot; there must be one.
    #[inline]
    fn put(&mut self, entry: u64, part_bits: u32) {
        let mut at = place(entry >> 32, part_bits, self.slots.len());
        while self.slots[at] != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = entry;
        self.len += 1;
    }
}

/// Where the probing for a tag of 32 bits begins in its part: by its upper bits after those of the part, so that
/// growing keeps the order.
#[inline]
fn place(tag: u64, part_bits: u32, slots: usize) -> usize {
    (tag >> (32 - part_bits - slots.trailing_zeros())) as usize & (slots - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds_through_all_growth(keys: u64, key: impl Fn(u64) -> u64) {
        let mut table = IndexTable::default();
        assert_eq!(table.find(key(1), |_| true), None);
        for i in 0..keys {
            let bytes = table.bytes_to_grow(key(i));
            if bytes > 0 {
                table.insert(key(i), i as u32);
                assert_eq!(table.len() as u64, i, "nothing is inserted without room");
                assert!(table.grow(key(i)));
                assert_eq!(table.bytes_to_grow(key(i)), 0);
            }
            table.insert(key(i), i as u32);
        }
        for i in 0..keys {
            assert_eq!(table.find(key(i), |index| u64::from(index) == i), Some(i as u32));
        }
        assert_eq!(table.find(key(keys), |index| u64::from(index) == keys), None);
        let bytes: usize = table.parts.iter().map(Part::bytes).sum();
        assert!(table.len() as u64 == keys && table.bytes() == bytes);
    }

    #[test]
    fn finds_what_was_inserted_through_all_growth() {
        let spread = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        finds_through_all_growth(5_000, spread);
        finds_through_all_growth(300_000, spread);
        // Only half of the parts are used, so that some are too small when the table is divided.
        finds_through_all_growth(60_000, |i| spread(i) >> 1);
    }
}
