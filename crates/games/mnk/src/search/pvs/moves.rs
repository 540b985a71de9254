//! The moves of a position and their order.

use super::super::attack::answers;
use super::super::worth::ThreatKind;
use super::super::{FORCED, NO_CELL};
use super::MnkSearch;

/// From this order on a move is never reduced: it answers a threat, or refuted a sibling.
const LOUD: i32 = 1 << 20;

/// Order of the move that the transposition table knows, the hash move.
const HINT: i32 = 1 << 28;

/// Bounds of the history of a cell. The nearer it is to them, the less it changes.
const MOST_HISTORY: i32 = 1 << 10;

impl MnkSearch {
    /// Keeps one of several moves that a symmetry of the board turns into each other.
    pub(super) fn drop_mirrored(&mut self) {
        let mut seen = Vec::new();
        let board = &mut self.windows;
        self.root.retain(|choice| {
            board.play(usize::from(choice.cell));
            let (key, _) = board.canonical();
            board.undo();
            let is_new = !seen.contains(&key);
            seen.push(key);
            is_new
        });
    }

    /// What the lines on the board promise whoever is to move, where nobody has a four.
    pub(super) fn static_value(&self) -> i32 {
        unforced(self.board.evaluation())
    }

    /// Appends the moves of the position on the board, the most promising first, and no more than `most` unless
    /// the search is exhaustive. Whether all others lose, so that the position is lost if these do.
    pub(super) fn list_moves(
        &mut self,
        forced: Option<u16>,
        hint: u16,
        ply: usize,
        most: usize,
    ) -> bool {
        if let Some(cell) = forced {
            self.moves.push((LOUD, cell));
            return true;
        }
        let first = self.moves.len();
        if self.is_threatened() {
            let mut cells = Vec::new();
            answers(&mut self.board, &mut cells);
            let order = |cell: u16| (self.order(usize::from(cell), hint, ply).0 + LOUD, cell);
            let moves: Vec<(i32, u16)> = cells.into_iter().map(order).collect();
            self.moves.extend(moves);
        }
        let answers_threat = self.moves.len() > first;
        if !answers_threat {
            self.list_near(hint, ply);
        }
        let best_first = |a: &(i32, u16), b: &(i32, u16)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
        let listed = self.moves.len() - first;
        let is_complete = self.is_exhaustive || (answers_threat && listed <= most);
        if !self.is_exhaustive && listed > most {
            // Only the moves that stay are sorted.
            self.moves[first..].select_nth_unstable_by(most, best_first);
            self.moves.truncate(first + most);
        }
        self.moves[first..].sort_unstable_by(best_first);
        is_complete
    }

    /// Whether a listed move may be searched less deep: it neither makes nor stops a four or an open three.
    pub(super) fn is_quiet(&self, (order, cell): (i32, u16)) -> bool {
        let threat = self.board.threat(self.board.to_move(), usize::from(cell));
        order < LOUD && threat < ThreatKind::Four
    }

    /// Appends the cells near stones, or with an exhaustive search all that matter.
    fn list_near(&mut self, hint: u16, ply: usize) {
        let first = self.moves.len();
        let board = &self.board;
        let counts = |cell: &usize| board.is_empty(*cell);
        let mut moves = std::mem::take(&mut self.moves);
        if self.is_exhaustive {
            let is_exact_game = board.geometry().exact;
            let cells = (0..board.geometry().cells())
                .filter(counts)
                .filter(|cell| is_exact_game || self.windows.interest(*cell) > 0);
            moves.extend(cells.map(|cell| self.order(cell, hint, ply)));
        } else {
            let near = board.near_cells().iter().map(|&cell| usize::from(cell)).filter(counts);
            moves.extend(near.map(|cell| self.order(cell, hint, ply)));
        }
        if moves.len() == first {
            // Nothing near: the centre, or any cell.
            let empty = (0..board.geometry().cells()).filter(counts);
            let centre = board.geometry().centre();
            let any = if board.is_empty(centre) { Some(centre) } else { empty.clone().next() };
            moves.extend(any.map(|cell| self.order(cell, hint, ply)));
        }
        self.moves = moves;
    }

    /// A move with its place in the order.
    fn order(&self, cell: usize, hint: u16, ply: usize) -> (i32, u16) {
        let own = self.board.to_move();
        let killers = self.killers.get(ply).copied().unwrap_or([NO_CELL; 2]);
        let bonus = if cell == usize::from(hint) {
            HINT
        } else if killers.contains(&(cell as u16)) {
            128
        } else {
            0
        };
        let mine = self.board.value(own, cell);
        let theirs = self.board.value(1 - own, cell);
        let history = self.history[own][cell] / 8;
        (2 * mine + theirs + theirs / 2 + bonus + history, cell as u16)
    }

    /// A move refuted the position before it, so it becomes a killer move and its history rises; those `tried` earlier
    /// did not, so theirs falls.
    pub(super) fn reward(&mut self, cell: u16, depth: i32, tried: std::ops::Range<usize>) {
        let ply = self.stack.len() - 1;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [NO_CELL; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != cell {
            *killers = [cell, killers[0]];
        }
        let weight = (depth * depth).min(400);
        let history = &mut self.history[self.board.to_move()];
        let mut change = |cell: u16, weight: i32| {
            let count = &mut history[usize::from(cell)];
            *count += weight - *count * weight.abs() / MOST_HISTORY;
        };
        change(cell, weight);
        self.moves[tried].iter().for_each(|&(_, cell)| change(cell, -weight));
    }
}

/// An evaluation, which says nothing about forced wins however large it is.
pub(super) fn unforced(evaluation: i32) -> i32 {
    evaluation.clamp(-FORCED / 2, FORCED / 2)
}
