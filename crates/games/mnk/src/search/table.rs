//! A transposition table of bounded size.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock};

/// Slots for which memory is taken at a time, when the first of them is written: of a large table a short search uses
/// little. One page tells how full all of them are, since hashes are spread evenly.
const PAGE: usize = 1 << 12;

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

/// A hash, mixed with the packed entry, and that entry; an entry of 0 is none. Where two threads write a slot at once,
/// what is left of both gives a hash that fits no position, as good as surely.
#[derive(Default, Debug)]
struct Slot {
    mixed: AtomicU64,
    entry: AtomicU64,
}

impl Slot {
    fn read(&self) -> (u64, u64) {
        let entry = self.entry.load(Relaxed);
        (self.mixed.load(Relaxed) ^ entry, entry)
    }

    fn write(&self, key: u64, entry: u64) {
        self.mixed.store(key ^ entry, Relaxed);
        self.entry.store(entry, Relaxed);
    }
}

/// Positions by hash, two to a bucket: one that was searched deep, replaced by deeper ones, and the last one, always
/// replaced. Threads can share it without locks (lockless hashing: Hyatt and Mann 2002): a clone has the same slots.
#[derive(Clone, Debug)]
pub struct TranspositionTable {
    pages: Arc<[OnceLock<Box<[Slot]>>]>,
    mask: usize,
    generation: u8,
}

impl TranspositionTable {
    /// A table of 2^`bits` entries of 16 bytes, at least two.
    pub fn new(bits: u32) -> Self {
        let size: usize = 1 << bits.clamp(1, 28);
        let pages = (0..size.div_ceil(PAGE)).map(|_| OnceLock::new()).collect();
        Self { pages, mask: size - 2, generation: 0 }
    }

    /// From now on, older entries give way to new ones whatever their depth.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % 64;
    }

    /// About which share of slots is in use, from 0 to 1.
    pub fn fill(&self) -> f64 {
        let page = self.pages[0].get().map_or(&[][..], |page| page);
        let used = page.iter().filter(|slot| slot.read().1 != 0).count();
        used as f64 / PAGE.min(self.mask + 2) as f64
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Option<TableEntry> {
        let (page, bucket) = self.place(key);
        let mut slots = self.pages[page].get()?[bucket..bucket + 2].iter().map(Slot::read);
        slots.find(|&(of, entry)| of == key && entry != 0).map(|(_, entry)| unpack(entry))
    }

    /// Stores what is known of a position.
    pub fn put(&self, key: u64, entry: TableEntry) {
        let (page, bucket) = self.place(key);
        let slots = PAGE.min(self.mask + 2);
        let page = self.pages[page].get_or_init(|| (0..slots).map(|_| Slot::default()).collect());
        let (deep_key, deep) = page[bucket].read();
        let is_free = deep == 0 || deep_key == key;
        let is_old = (deep >> 58) as u8 != self.generation;
        let keep_deep = !is_free && !is_old && unpack(deep).depth > entry.depth;
        page[bucket + usize::from(keep_deep)].write(key, pack(entry, self.generation));
    }

    /// The page and the first slot of a key's bucket.
    fn place(&self, key: u64) -> (usize, usize) {
        let bucket = key as usize & self.mask;
        (bucket / PAGE, bucket % PAGE)
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
#[allow(clippy::unwrap_used)]
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
            let table = TranspositionTable::new(4);
            table.put(key, entry);
            prop_assert_eq!(table.get(key), Some(entry));
            prop_assert_eq!(table.get(key ^ 16), None);
        }
    }

    /// Which entry a key has here.
    fn entry(key: u64) -> TableEntry {
        let value = (key % 2_000_000) as i32 - 1_000_000;
        TableEntry { cell: key as u16, depth: (key >> 16) as u8, bound: Bound::Lower, value }
    }

    #[test]
    fn threads_that_share_a_table_read_only_what_was_written() {
        let table = TranspositionTable::new(2);
        let work = |thread: u64| {
            let (table, mut key, mut found) = (table.clone(), thread + 1, 0_u64);
            for _ in 0..200_000 {
                key = key
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                // Few keys, so that both threads write and read the same ones.
                let few = (key >> 60).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                table.put(few, entry(few));
                let other = (key >> 56 & 15).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                if let Some(known) = table.get(other) {
                    assert_eq!(known, entry(other));
                    found += 1;
                }
            }
            found
        };
        let found = std::thread::scope(|scope| {
            let others = scope.spawn(|| work(1));
            [work(0), others.join().unwrap()]
        });
        assert!(found.iter().all(|&found| found > 0));
    }
}
