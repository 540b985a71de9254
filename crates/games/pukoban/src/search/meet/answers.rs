//! What a search has found so far, and what it is told meanwhile.

use super::{FORWARD, Meet};
use crate::search::moves::Move;
use outwit_core::search::{Counters, MemoryLimit};

impl<const W: usize> Meet<W> {
    /// The work done so far.
    pub fn counters(&self) -> Counters {
        Counters {
            frontier: (self.sides[0].open + self.sides[1].open) as usize,
            bytes: self.bytes(),
            ..self.counters
        }
    }

    /// States expanded so far.
    pub fn expanded(&self) -> u64 {
        self.counters.expanded
    }

    /// Looks only for solutions that cost less than this from now on; if there are none, the search ends as
    /// [exhausted](outwit_core::search::Status::Exhausted).
    pub fn undercut(&mut self, cost: u32) {
        self.ceiling = self.ceiling.min(cost);
        self.set_meeting(self.meeting);
    }

    /// Changes the memory that the search may take; what it has taken already it keeps.
    pub fn set_limit(&mut self, limit: MemoryLimit) {
        self.limit = limit.0;
    }

    /// How often a box came to each spot for the first time with these other boxes.
    pub fn heat(&self) -> &[u32] {
        &self.heat
    }

    /// The estimate of the forward state that looks nearest to a goal, and the moves to it.
    pub fn nearest(&self) -> Option<(u32, Vec<Move>)> {
        let (estimate, _, at) = self.nearest?;
        Some((estimate, self.path(FORWARD, at)))
    }

    /// The least estimate of a forward state so far.
    pub fn nearest_estimate(&self) -> Option<u32> {
        self.nearest.map(|(estimate, ..)| estimate)
    }

    /// What no solution costs less than, as far as is known yet.
    pub fn at_least(&self) -> u32 {
        self.steps(self.proved.min(self.least))
    }
}
