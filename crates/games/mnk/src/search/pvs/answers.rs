//! What a search has found, for those who ask.

use super::super::PatternBoard;
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
