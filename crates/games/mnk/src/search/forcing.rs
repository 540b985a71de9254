//! Wins by fours on sets of cells, and the replies that can stop them.
//!
//! Whoever is to move loses to a threatened win by fours unless the stone lies where it matters: on a cell of that
//! win, or in a window in which the defender's forced stones and that one could become a four (Allis, van den Herik
//! and Huntjens 1993; the cells that a proof depends on are its relevance zone, Wu and Lin 2010).

/// Positions without a win by fours that are remembered, as a power of two.
const MEMORY_BITS: u32 = 14;

/// The most windows that lack two stones and are looked at in one position.
const MOST_TWOS: usize = 48;

/// A win by fours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForcedWin {
    /// If the defender had one more stone on a cell outside of this set, which fills no window, the same moves would
    /// win.
    pub zone: u64,
    /// The number of plies that it takes at most.
    pub plies: u8,
}

/// Looks for wins by fours of one side on a board of at most 64 cells where longer rows win too.
#[derive(Clone, Debug)]
pub struct ForcingSearch {
    /// The cells of each window.
    windows: Vec<u64>,
    /// Hashes of positions without such a win.
    refuted: Vec<u64>,
    left: u32,
}

impl ForcingSearch {
    /// For a board with these windows.
    pub fn new(windows: Vec<u64>) -> Self {
        Self { windows, refuted: vec![0; 1 << MEMORY_BITS], left: 0 }
    }

    /// The cells of each window.
    pub fn windows(&self) -> &[u64] {
        &self.windows
    }

    /// A win by fours of the attacker, which is to move and has the first of the two sets of stones, found within
    /// `most` positions; and how many it took.
    pub fn win(&mut self, stones: [u64; 2], most: u32) -> (Option<ForcedWin>, u32) {
        self.left = most;
        let win = self.search(stones);
        (win, most - self.left)
    }

    /// The zone of a win holds its cells, those of the answers, and the empty cells of each window of the defender
    /// that lacks at most two stones after an answer or at the start. So a further stone of the defender elsewhere
    /// makes no four, alone or with an answer, and fills no window: all answers stay forced.
    fn search(&mut self, [own, other]: [u64; 2]) -> Option<ForcedWin> {
        self.left = self.left.checked_sub(1)?;
        let mut gaps = 0_u64;
        let mut threats = 0_u64;
        let mut zone = 0_u64;
        let mut twos = [0_u64; MOST_TWOS];
        let mut count = 0;
        for &window in &self.windows {
            if window & other == 0 {
                match Missing::of(window & !own) {
                    Missing::One => gaps |= window & !own,
                    Missing::Two if count < MOST_TWOS => {
                        twos[count] = window & !own;
                        count += 1;
                    }
                    _ => {}
                }
            } else if window & own == 0 {
                match Missing::of(window & !other) {
                    Missing::One => threats |= window & !other,
                    Missing::Two => {}
                    Missing::More => continue,
                }
                zone |= window & !other;
            }
        }
        if gaps != 0 {
            // The defender has no turn any more.
            return Some(ForcedWin { zone: gaps & gaps.wrapping_neg(), plies: 1 });
        }
        let twos = &twos[..count];
        if count == 0 || threats & threats.wrapping_sub(1) != 0 {
            return None;
        }
        let slot = hash([own, other]);
        let place = (slot >> (64 - MEMORY_BITS)) as usize;
        if self.refuted[place] == slot {
            return None;
        }
        let allowed = if threats == 0 { u64::MAX } else { threats };
        if let Some(cells) = double_four(twos, allowed) {
            return Some(ForcedWin { zone: zone | cells, plies: 3 });
        }
        for &two in twos {
            let first = two & two.wrapping_neg();
            for (four, answer) in [(first, two & !first), (two & !first, first)] {
                if four & allowed == 0 {
                    continue;
                }
                if let Some(win) = self.search([own | four, other | answer]) {
                    return Some(ForcedWin { zone: zone | two | win.zone, plies: win.plies + 2 });
                }
                if self.left == 0 {
                    return None;
                }
            }
        }
        self.refuted[place] = slot;
        None
    }
}

/// How many stones a window lacks.
enum Missing {
    One,
    Two,
    More,
}

impl Missing {
    fn of(free: u64) -> Self {
        let others = free & free.wrapping_sub(1);
        if others == 0 {
            Self::One
        } else if others & others.wrapping_sub(1) == 0 {
            Self::Two
        } else {
            Self::More
        }
    }
}

/// An allowed cell on which a stone leaves two gaps, with those gaps. No two of the windows have the same free cells,
/// or else they count once.
fn double_four(twos: &[u64], allowed: u64) -> Option<u64> {
    let mut once = 0;
    let mut twice = 0;
    for two in twos {
        twice |= once & two;
        once |= two;
    }
    let mut cells = twice & allowed;
    while cells != 0 {
        let cell = cells & cells.wrapping_neg();
        cells &= !cell;
        let mut gaps = twos.iter().filter(|&two| two & cell != 0).map(|two| two & !cell);
        let first = gaps.next().unwrap_or_default();
        if let Some(second) = gaps.find(|&gap| gap != first) {
            return Some(cell | first | second);
        }
    }
    None
}

/// A hash of two sets of stones.
fn hash([own, other]: [u64; 2]) -> u64 {
    let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ other.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xff51_afd7_ed55_8ccd);
    // 0 is none.
    (mixed ^ mixed >> 32) | 1
}

#[cfg(test)]
#[path = "forcing_tests.rs"]
mod tests;
