//! Where forced wins by threats are looked for.

use super::super::WIN;
use super::super::table::TableEntry;
use super::MnkSearch;

/// Stones of the attacker in a win by fours from a position of the tree, at most.
const FOURS: u32 = 12;

/// From this depth on wins by all fours are looked for; before, where most positions are, by linked ones.
const ALL_FOURS: i32 = 2;

/// Positions that one piece of the search from the root may take, so that it can stop in time.
const PIECE: u64 = 1000;

/// Of so many positions, one answer to a move from the root may take one in its search for a win by threes.
const ANSWER_SHARE: u64 = 400;

/// Stones of the attacker in wins that are looked for from the root, at most.
const MOST_STONES: u32 = 30;

impl MnkSearch {
    /// Positions that the searches for wins by threats have looked at.
    pub(super) fn threat_nodes(&self) -> u64 {
        self.four_nodes() + self.three_nodes()
    }

    /// The value of a win by threats of the side that is to move, with its moves in `returned_line`.
    pub(super) fn threat_value(
        &mut self,
        known: Option<TableEntry>,
        ply: usize,
        depth: i32,
    ) -> Option<i32> {
        let own = self.board.to_move();
        if self.options.fours == 0 {
            return None;
        }
        let mut found = None;
        let is_deep = |depth: i32| depth >= ALL_FOURS;
        let was_looked_for =
            known.is_some_and(|entry| is_deep(entry.depth.into()) || !is_deep(depth));
        if !was_looked_for && self.board.has_four(own) {
            let search = if is_deep(depth) { &mut self.fours } else { &mut self.linked_fours };
            let wins = search.wins(&mut self.board, FOURS, self.options.fours);
            found = wins.then_some(&*search);
        }
        if found.is_none() && ply == 1 && depth > 1 && self.options.threes > 0 {
            // What the other side can do against a move that seems good.
            let limit = (self.nodes / ANSWER_SHARE).min(self.options.threes);
            let wins = self.threes.wins(&mut self.board, 4 + self.depth, limit);
            found = wins.then_some(&self.threes);
        }
        let line = found?.line();
        self.returned_line.extend(line);
        Some(WIN - (ply + line.len()) as i32)
    }

    /// One piece of the search for a win by threats from the position itself, which goes further with
    /// each iteration. Whether it has won; `threat_left` is what it may still take before the next
    /// iteration.
    pub(super) fn wins_by_threats(&mut self) -> bool {
        let most = self.threat_left.min(PIECE);
        if self.options.fours == 0 || self.forced_move().is_some() {
            self.threat_left = 0;
            return false;
        }
        let begun = self.threat_nodes();
        let mut line = None;
        while line.is_none() && self.four_stones <= MOST_STONES {
            // Short wins first.
            let spent = self.threat_nodes() - begun;
            if spent >= most / 2 {
                break;
            }
            if self.fours.wins(&mut self.board, self.four_stones, most / 2 - spent) {
                line = Some(self.fours.line().to_vec());
            } else if self.fours.is_complete() {
                self.four_stones += 1;
            } else {
                break;
            }
        }
        while line.is_none() && self.options.threes > 0 && self.three_stones <= MOST_STONES {
            let spent = self.threat_nodes() - begun;
            if spent >= most {
                break;
            }
            if self.threes.wins(&mut self.board, self.three_stones, most - spent) {
                line = Some(self.threes.line().to_vec());
            } else if self.threes.is_complete() {
                self.three_stones += 1;
            }
        }
        let spent = self.threat_nodes() - begun;
        // With nothing left to look for, less is spent than may be.
        self.threat_left = if spent < most { 0 } else { self.threat_left.saturating_sub(spent) };
        let Some(line) = line else { return false };
        let Some(choice) = self.root.iter_mut().find(|choice| choice.cell == line[0]) else {
            // It is overlooked, or another cell stands for it by symmetry.
            return false;
        };
        choice.value = WIN - line.len() as i32;
        choice.is_exact = true;
        choice.line.clone_from(&line);
        self.best = choice.cell;
        self.value = choice.value;
        self.line = line;
        let best = self.best;
        self.root.sort_by_key(|choice| choice.cell != best);
        self.is_done = true;
        true
    }
}
