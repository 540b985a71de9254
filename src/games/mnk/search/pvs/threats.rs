//! Where forced wins by threats are looked for.

use super::super::WIN;
use super::MnkSearch;

/// Stones of the attacker in a win by fours from a position of the tree, at most.
const FOURS: u32 = 12;

/// Stones of the attacker in wins that are looked for from the root, at most.
const MOST_STONES: u32 = 30;

impl MnkSearch {
    /// The value of a win by threats of the side that is to move, with its moves in `returned_line`.
    pub(super) fn threat_value(&mut self, is_new: bool, ply: usize, depth: i32) -> Option<i32> {
        let own = self.board.to_move();
        if self.options.fours == 0 {
            return None;
        }
        let mut found = None;
        if is_new && self.board.has_four(own) {
            let wins = self.fours.wins(&mut self.board, FOURS, self.options.fours);
            found = wins.then_some(&self.fours);
        }
        if found.is_none() && ply == 1 && depth > 1 && self.options.threes > 0 {
            // What the other side can do against a move that seems good.
            let limit = (self.nodes / 100).min(self.options.threes);
            let wins = self.threes.wins(&mut self.board, 4 + self.depth, limit);
            found = wins.then_some(&self.threes);
        }
        let line = found?.line();
        self.returned_line.extend(line);
        Some(WIN - (ply + line.len()) as i32)
    }

    /// Looks for a win by threats from the position itself, longer and longer with each iteration.
    pub(super) fn wins_by_threats(&mut self) -> bool {
        if self.options.fours == 0 {
            return false;
        }
        let limit = (200 + self.nodes / 4).min(self.options.threes.max(40 * self.options.fours));
        let is_forced = self.forced_move().is_some();
        let mut line = None;
        let begun = self.fours.nodes();
        // Short wins first.
        for stones in (2..=MOST_STONES).filter(|_| !is_forced) {
            let left = limit.saturating_sub(self.fours.nodes() - begun);
            if left == 0 {
                break;
            }
            if self.fours.wins(&mut self.board, stones, left) {
                line = Some(self.fours.line().to_vec());
                break;
            }
        }
        let begun = self.threes.nodes();
        while line.is_none() && self.options.threes > 0 && !is_forced {
            let left = limit.saturating_sub(self.threes.nodes() - begun);
            if left == 0 || self.threat_moves > MOST_STONES {
                break;
            }
            if self.threes.wins(&mut self.board, self.threat_moves, left) {
                line = Some(self.threes.line().to_vec());
            } else if self.threes.is_complete() {
                self.threat_moves += 1;
            }
        }
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
