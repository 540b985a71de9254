//! What a search holds: slots and entries, and what each side knows.

use crate::search::boards::Mask;
use crate::search::matching::Matcher;
use crate::search::queue::Queue;
use crate::search::zones::Sides;
use outwit_core::search::Pages;

/// No index, and no estimate yet.
pub(super) const NONE: u32 = u32::MAX;
/// The link of an entry that is in no list.
pub(super) const EXPANDED: u32 = NONE - 1;

/// The states of one set of boxes with the player on the same sides of those in doors.
pub(super) struct Slot<const W: usize> {
    pub(super) boxes: Mask<W>,
    pub(super) around: Sides,
    pub(super) sides: [SlotSide<W>; 2],
}

/// What one side knows of a slot.
#[derive(Clone, Copy)]
pub(super) struct SlotSide<const W: usize> {
    /// Player's cells that were reached, and those that were expanded.
    pub(super) known: Mask<W>,
    pub(super) closed: Mask<W>,
    /// The latest entry.
    pub(super) last: u32,
    /// The estimate of the way to where the other side began; [`NONE`] until it is needed, [`FAR`] where
    /// nothing can be reached.
    pub(super) estimate: u32,
}

impl<const W: usize> SlotSide<W> {
    pub(super) const EMPTY: Self =
        Self { known: [0; W], closed: [0; W], last: NONE, estimate: NONE };
}

/// Player's cells of a slot that were reached at the same cost.
#[derive(Clone, Copy)]
pub(super) struct Entry<const W: usize> {
    pub(super) cells: Mask<W>,
    pub(super) slot: u32,
    pub(super) cost: u32,
    /// The entry of the same slot and side before this one.
    pub(super) before: u32,
    /// The entry after this one in a list of the queue; [`EXPANDED`] if it waits in none.
    pub(super) link: u32,
}

impl<const W: usize> Entry<W> {
    #[inline]
    pub(super) fn waits(&self) -> bool {
        self.link != EXPANDED
    }
}

/// What one side has reached, and by what it goes.
pub(super) struct Side<const W: usize> {
    pub(super) entries: Pages<Entry<W>>,
    pub(super) queue: Queue,
    /// For each spot the distances to the cells that the boxes are matched with.
    pub(super) distances: Vec<u32>,
    pub(super) matcher: Matcher,
    /// The cells from which a box can come to none of these.
    pub(super) dead: Mask<W>,
    pub(super) targets: usize,
    /// States known but not expanded.
    pub(super) open: u64,
}

impl<const W: usize> Side<W> {
    pub(super) fn new(targets: usize) -> Self {
        Self {
            entries: Pages::default(),
            queue: Queue::new(false),
            distances: Vec::new(),
            matcher: Matcher::default(),
            dead: [0; W],
            targets,
            open: 0,
        }
    }
}

/// A hash of a set of boxes with the player on these sides of them.
#[inline]
pub(super) fn key<const W: usize>(boxes: &Mask<W>, around: Sides) -> u64 {
    let mut key = around;
    for &word in boxes {
        key = (key.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^= key >> 29;
    }
    key.wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
