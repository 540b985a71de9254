//! What a search has found, for those who ask.

use super::super::attack::ThreatSearch;
use super::super::{FORCED, PatternBoard};
use super::{Iteration, MnkSearch, RootMove};

/// See [`MnkSearch::borne_out`].
const LEAST_BORNE_OUT: f64 = 0.1;
/// See [`MnkSearch::borne_out`].
const MOST_BORNE_OUT: f64 = 0.85;

/// No value that is not forced promises more: not even one where all moves that were tried lose.
const MOST_UNPROVED: i32 = 3000;

fn is_forced(value: i32) -> bool {
    value.abs() >= FORCED
}

impl MnkSearch {
    /// The best move so far; [`NO_CELL`](crate::search::NO_CELL) if there is none.
    pub fn best(&self) -> u16 {
        self.best
    }

    /// Its value for whoever moves.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// The move of a position in which all others lose.
    pub fn only_move(&self) -> Option<u16> {
        match self.root.as_slice() {
            [only] if self.is_complete => Some(only.cell),
            _ => None,
        }
    }

    /// The value for whoever moves as people should read it: the mean of the last two depths, as far as
    /// results of games bear it out. Whoever moves last in all lines stands too well in them, and that
    /// is the other side with each ply more (the odd-even effect). Forced and exact values are what they are.
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

    /// The value of a move beside [`steady_value`](Self::steady_value), which is that of the best one.
    /// Those that could be better are searched to the same depth, so they swing alike.
    pub fn steady_move_value(&self, choice: &RootMove) -> i32 {
        let is_sure = self.is_exact() || is_forced(choice.value) || is_forced(self.value);
        match is_sure {
            true => choice.value,
            false => {
                let unproved = |value: i32| value.clamp(-MOST_UNPROVED, MOST_UNPROVED);
                self.steady_value() + self.borne_out(unproved(choice.value) - unproved(self.value))
            }
        }
    }

    /// The mean of a value found at some depth and of that one ply less deep.
    fn steady(&self, value: i32, depth: u32) -> i32 {
        let unproved = |value: i32| value.clamp(-MOST_UNPROVED, MOST_UNPROVED);
        let earlier = match depth {
            // Nothing is searched yet.
            0 if !is_forced(value) => return self.borne_out(self.static_value),
            0 => None,
            1 => Some(self.static_value),
            _ => self.finished.iter().rfind(|found| found.depth < depth).map(|found| found.value),
        };
        match earlier {
            _ if is_forced(value) => value,
            Some(earlier) if !is_forced(earlier) => {
                self.borne_out((unproved(value) + unproved(earlier)) / 2)
            }
            _ => self.borne_out(unproved(value)),
        }
    }

    /// The part of a value that results of games bear out: where most games are drawn, whoever stands
    /// better seldom wins.
    ///
    /// Fitted by logistic regression to games of the search against itself: on boards from 7 by 7 to
    /// 19 by 19 cells with k = 5, where more room makes more wins, on 6 by 6 with k = 4 and on 20 by 20
    /// with k = 6.
    fn borne_out(&self, value: i32) -> i32 {
        let geometry = self.board.geometry();
        let room = (geometry.cells() as f64).sqrt() / geometry.k as f64;
        let share = match geometry.k {
            0..=4 => MOST_BORNE_OUT,
            5 => ((room - 1.4) / 1.8).clamp(LEAST_BORNE_OUT, MOST_BORNE_OUT),
            _ => LEAST_BORNE_OUT,
        };
        (f64::from(value) * share).round() as i32
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

    /// Positions that the searches for wins by fours have looked at since the search was made.
    pub fn four_nodes(&self) -> u64 {
        self.fours.nodes() + self.linked_fours.nodes()
    }

    /// Positions that the search for wins by threes has looked at since the search was made.
    pub fn three_nodes(&self) -> u64 {
        self.threes.nodes()
    }

    /// Plies of the longest win by threats found since the search was made.
    pub fn longest_threats(&self) -> u32 {
        let searches = [&self.fours, &self.linked_fours, &self.threes];
        searches.into_iter().map(ThreatSearch::longest).max().unwrap_or(0)
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
