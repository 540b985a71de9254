//! What a search has found, for those who ask.

use super::super::{FORCED, PatternBoard};
use super::{Iteration, MnkSearch, RootMove};

impl MnkSearch {
    /// The best move so far; [`NO_CELL`](crate::search::NO_CELL) if there is none.
    pub fn best(&self) -> u16 {
        self.best
    }

    /// Its value for whoever moves.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// The value for whoever moves as people should read it: the mean of the last two depths. Whoever
    /// moves last in all lines stands too well in them, and that is the other side with each ply more.
    /// Forced and exact values are what they are.
    pub fn steady_value(&self) -> i32 {
        if self.is_exact() { self.value } else { self.steady(self.value, self.value_depth) }
    }

    /// [`steady_value`](Self::steady_value) after each finished iteration, with its depth.
    pub fn steady_values(&self) -> impl Iterator<Item = (u32, i32)> {
        let exact = self.finished.last().map(|found| found.depth).filter(|_| self.is_exact());
        self.finished.iter().map(move |found| match exact == Some(found.depth) {
            true => (found.depth, found.value),
            false => (found.depth, self.steady(found.value, found.depth)),
        })
    }

    /// The mean of a value found at some depth and of that one ply less deep.
    fn steady(&self, value: i32, depth: u32) -> i32 {
        let earlier = match depth {
            0 => None,
            1 => Some(self.static_value),
            _ => self.finished.iter().rfind(|found| found.depth < depth).map(|found| found.value),
        };
        let is_forced = |value: i32| value.abs() >= FORCED;
        match earlier {
            Some(earlier) if !is_forced(value) && !is_forced(earlier) => (value + earlier) / 2,
            _ => value,
        }
    }

    /// The expected moves of both sides, the best move first.
    pub fn line(&self) -> &[u16] {
        &self.line
    }

    /// Whether the answer is final.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Whether the value is the true one: every move was searched to the last cell, or to a win or a
    /// draw that arguments about rows prove.
    pub fn is_exact(&self) -> bool {
        let reached = self.finished.last().map_or(0, |iteration| iteration.depth);
        self.windows.alive() == [0, 0] || (self.is_exhaustive && reached >= self.board.empty())
    }

    /// The moves of the position, the best first.
    pub fn root_moves(&self) -> &[RootMove] {
        &self.root
    }

    /// The finished iterations, the shallowest first.
    pub fn iterations(&self) -> &[Iteration] {
        &self.finished
    }

    /// Positions searched, those of the search for fours included.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The greatest distance in plies that a position had from the root.
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// Positions that the search for fours has looked at since the search was made.
    pub fn four_nodes(&self) -> u64 {
        self.fours.nodes()
    }

    /// Positions that the search for wins by threes has looked at since the search was made.
    pub fn three_nodes(&self) -> u64 {
        self.threes.nodes()
    }

    /// Plies of the longest win by threats found since the search was made.
    pub fn longest_threats(&self) -> u32 {
        self.fours.longest().max(self.threes.longest())
    }

    /// The share of the table in use, from 0 to 1.
    pub fn table_fill(&self) -> f64 {
        self.table.fill()
    }

    /// The board at the position under search.
    pub fn board(&self) -> &PatternBoard {
        &self.board
    }
}
