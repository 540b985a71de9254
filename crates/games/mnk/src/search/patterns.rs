//! What a stone would make of one line through its cell, generic in k.
//!
//! A *window* is k cells in a row. A stone makes a *four* where a window lacks one stone afterwards, a
//! *three* where it lacks two, and so on, whatever k is. A line is *open* where one more stone leaves two
//! such windows, so that no single answer stops both.

/// What a stone makes of a line, from 0 for nothing up to [`FIVE`].
pub type LineClass = u8;

/// A window is filled: the stone wins.
pub const FIVE: LineClass = 12;
/// Two cells are left on which another stone wins.
pub const OPEN_FOUR: LineClass = 11;
/// One cell is left on which another stone wins.
pub const FOUR: LineClass = 10;
/// Another stone makes an open four.
pub const OPEN_THREE: LineClass = 9;

/// Number of classes of patterns.
pub const CLASSES: usize = 13;

/// The longest reach whose cells are packed in one number, two bits each, as is their centre.
pub const PACKED_REACH: usize = 15;

/// Packed lines of at most this many bits have an entry of their own.
const DENSE_BITS: u32 = 20;

/// Entries for longer packed lines, as a power of two.
const CACHE_BITS: u32 = 16;

/// An entry that is not computed yet.
const UNKNOWN: u8 = u8::MAX;

/// Classes of lines, remembered once they are computed.
///
/// A line is packed as the contents of the cells up to [`reach`](Self::reach) before and after its
/// centre, two bits each: 0 for an empty cell, 1 for X, 2 for O and 3 for none. The first cell takes the
/// lowest bits; the centre takes none.
#[derive(Clone, Debug)]
pub struct Patterns {
    k: usize,
    exact: bool,
    reach: usize,
    /// By packed line, or by hash with the line beside it.
    classes: Vec<u8>,
    lines: Vec<u64>,
}

impl Patterns {
    /// For rows of `k`, and with `exact` no longer ones.
    pub fn new(k: usize, exact: bool) -> Self {
        let reach = k - 1 + usize::from(exact);
        let bits = 4 * reach as u32;
        let (classes, lines) = match bits {
            ..=DENSE_BITS => (vec![UNKNOWN; 1 << bits], Vec::new()),
            _ if reach <= PACKED_REACH => {
                (vec![UNKNOWN; 1 << CACHE_BITS], vec![0; 1 << CACHE_BITS])
            }
            _ => (Vec::new(), Vec::new()),
        };
        Self { k, exact, reach, classes, lines }
    }

    /// How many cells before and after the centre count.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// Whether lines are short enough to be packed.
    pub fn is_packed(&self) -> bool {
        self.reach <= PACKED_REACH
    }

    /// What X and O make of a packed line with a stone at its centre: the class of X in the lower four
    /// bits, that of O above.
    #[inline]
    pub fn of_packed(&mut self, line: u64) -> u8 {
        let slot = if self.lines.is_empty() {
            line as usize
        } else {
            (line.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - CACHE_BITS)) as usize
        };
        let known = self.classes[slot];
        if known != UNKNOWN && self.lines.get(slot).is_none_or(|&stored| stored == line) {
            return known;
        }
        self.remember(line, slot)
    }

    /// Computes the classes of a packed line and keeps them in a slot.
    #[cold]
    fn remember(&mut self, line: u64, slot: usize) -> u8 {
        let reach = self.reach as i32;
        let classes = self.of_line(|offset: i32| {
            let place = if offset < 0 { offset + reach } else { offset + reach - 1 };
            (line >> (2 * place) & 3) as u8
        });
        self.classes[slot] = classes;
        if let Some(stored) = self.lines.get_mut(slot) {
            *stored = line;
        }
        classes
    }

    /// The same for a line whose cells are given by their offset from the centre.
    pub fn of_line(&self, content: impl Fn(i32) -> u8) -> u8 {
        self.class(1, &content) | self.class(2, &content) << 4
    }

    /// What the side whose stones read `own` makes.
    fn class(&self, own: u8, content: &impl Fn(i32) -> u8) -> LineClass {
        let reach = self.reach as i32;
        let is_free = |&offset: &i32| matches!(content(offset), 0) || content(offset) == own;
        let before = (1..=reach).map(|n| -n).take_while(is_free).count();
        let after = (1..=reach).take_while(is_free).count();
        let length = before + 1 + after;
        if length < self.k {
            return 0;
        }
        let stones = (0..length).fold(0_u128, |stones, at| {
            let offset = at as i32 - before as i32;
            stones | u128::from(offset == 0 || content(offset) == own) << at
        });
        self.class_of_stretch(stones, length, before)
    }

    /// The class of a stretch without stones of the other side, `centre` among them.
    fn class_of_stretch(&self, stones: u128, length: usize, centre: usize) -> LineClass {
        let k = self.k;
        let full = if k >= 128 { u128::MAX } else { (1_u128 << k) - 1 };
        let starts = centre.saturating_sub(k - 1)..=centre.min(length - k);
        let gaps_of = |start: usize| {
            let is_over = |at: usize| at < length && stones >> at & 1 == 1;
            let is_longer = is_over(start + k) || (start > 0 && is_over(start - 1));
            (!self.exact || !is_longer).then_some((full << start) & !stones)
        };
        let Some(missing) = starts.clone().filter_map(gaps_of).map(u128::count_ones).min() else {
            return 0;
        };
        if missing == 0 {
            return FIVE;
        }
        if missing > 4 {
            return 8_u8.saturating_sub(missing as u8).max(1);
        }
        // With the gaps that two windows share filled, each of them lacks one stone.
        let nearest = |start: &usize| gaps_of(*start).filter(|gaps| gaps.count_ones() == missing);
        let is_open = starts.clone().filter_map(|start| nearest(&start)).any(|one| {
            starts
                .clone()
                .filter_map(|start| nearest(&start))
                .any(|two| (one & !two).count_ones() == 1)
        });
        12 - 2 * missing as u8 + u8::from(is_open)
    }
}
