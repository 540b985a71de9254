//! Proof and disproof numbers, and what is remembered of positions.

/// The number of what is impossible. Numbers that are counted stay far below: they grow by less than the number of
/// moves with each ply.
pub const IMPOSSIBLE: u16 = u16::MAX;

/// What is known of a position.
#[derive(Clone, Copy, Default, Debug)]
pub struct Known {
    pub key: u64,
    pub numbers: Numbers,
    /// The number of plies of a win at most.
    pub plies: u8,
    /// The move of the proof, in the common form of the position; [`NO_MOVE`] where none was searched.
    pub cell: u8,
    /// The logarithm of the positions that it took, and 1 more; 0 for an empty slot.
    pub work: u8,
    /// With the defender to move: whether the attacker was found not to threaten a win by fours.
    pub is_calm: bool,
}

/// No cell of [`Known`].
pub const NO_MOVE: u8 = u8::MAX;

impl Known {
    pub fn of(Worth { numbers, plies }: Worth) -> Self {
        Self { key: 0, numbers, plies, cell: NO_MOVE, work: 1, is_calm: false }
    }

    pub fn worth(&self) -> Worth {
        Worth { numbers: self.numbers, plies: self.plies }
    }
}

/// Proof and disproof number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Numbers {
    pub proof: u16,
    pub disproof: u16,
}

pub const WON: Numbers = Numbers { proof: 0, disproof: IMPOSSIBLE };
pub const REFUTED: Numbers = Numbers { proof: IMPOSSIBLE, disproof: 0 };

impl Numbers {
    /// The number that the side that is to move wants to become 0, and the other one.
    pub fn for_mover(self, is_attack: bool) -> (u16, u16) {
        if is_attack { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    pub fn of_mover((own, other): (u16, u16), is_attack: bool) -> Self {
        let (proof, disproof) = if is_attack { (own, other) } else { (other, own) };
        Self { proof, disproof }
    }

    /// Whether one of them has reached its limit or nothing is left to be shown.
    pub fn are_enough(self, limits: Self) -> bool {
        self.proof == 0
            || self.disproof == 0
            || self.proof >= limits.proof
            || self.disproof >= limits.disproof
    }
}

/// A value of a position: its numbers, and how many plies a win takes at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    pub numbers: Numbers,
    pub plies: u8,
}

pub const HOPELESS: Worth = Worth { numbers: REFUTED, plies: 0 };

pub fn win_in(plies: u8) -> Worth {
    Worth { numbers: WON, plies }
}

/// Positions by hash, four to a bucket; the one that took the least work gives way.
#[derive(Clone, Debug)]
pub struct NumberTable(Vec<[Known; 4]>);

impl NumberTable {
    /// A table of 2^`bits` positions of 16 bytes, at least four.
    pub fn new(bits: u32) -> Self {
        Self(vec![[Known::default(); 4]; 1 << bits.saturating_sub(2)])
    }

    /// Reads something of the bucket of a key, so that it is at hand when it is needed.
    pub fn touch(&self, key: u64) -> u64 {
        self.0[key as usize & (self.0.len() - 1)][0].key
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Option<&Known> {
        let bucket = &self.0[key as usize & (self.0.len() - 1)];
        bucket.iter().find(|known| known.key == key && known.work > 0)
    }

    /// Stores what is known of a position.
    pub fn put(&mut self, key: u64, known: Known) {
        let mask = self.0.len() - 1;
        let bucket = &mut self.0[key as usize & mask];
        let cheapest = bucket.iter_mut().min_by_key(|known| (known.key != key, known.work));
        if let Some(slot) = cheapest {
            *slot = Known { key, ..known };
        }
    }
}
