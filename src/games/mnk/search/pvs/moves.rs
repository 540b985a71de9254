//! The moves of a position and their order.

use super::super::{FORCED, NO_CELL};
use super::MnkSearch;

impl MnkSearch {
    /// Keeps one of several moves that a symmetry of the board turns into each other.
    pub(super) fn drop_mirrored(&mut self) {
        let mut seen = Vec::new();
        let board = &mut self.board;
        self.root.retain(|choice| {
            board.play(usize::from(choice.cell));
            let (key, _) = board.canonical();
            board.undo();
            let is_new = !seen.contains(&key);
            seen.push(key);
            is_new
        });
    }

    /// What the rows on the board promise whoever is to move, where nobody has a four.
    pub(super) fn static_value(&self) -> i32 {
        let own = self.board.to_move();
        let score = self.board.score();
        (score[own] - score[1 - own] + score[own] / 8).clamp(-FORCED / 2, FORCED / 2)
    }

    /// Appends the moves of the position on the board, the most promising first.
    pub(super) fn list_moves(&mut self, forced: Option<usize>, hint: u16, ply: usize) {
        if let Some(cell) = forced {
            self.moves.push((0, cell as u16));
            return;
        }
        let first = self.moves.len();
        let board = &self.board;
        let own = board.to_move();
        let killers = self.killers.get(ply).copied().unwrap_or([NO_CELL; 2]);
        let history = &self.history[own];
        let order = |cell: usize| {
            let bonus = if cell == usize::from(hint) {
                1 << 28
            } else if killers.contains(&(cell as u16)) {
                2048
            } else {
                0
            };
            let heat =
                board.heat(own, cell) + board.heat(own, cell) / 4 + board.heat(1 - own, cell);
            (heat + bonus + history[cell].min(1024), cell as u16)
        };
        let is_exact_game = board.geometry().exact;
        let counts =
            |cell: &usize| board.is_empty(*cell) && (is_exact_game || board.interest(*cell) > 0);
        if self.is_exhaustive {
            self.moves.extend((0..board.geometry().cells()).filter(counts).map(order));
        } else {
            let near = board.near_cells().iter().map(|&cell| usize::from(cell));
            self.moves.extend(near.filter(counts).map(order));
        }
        if self.moves.len() == first {
            // Nothing near: the centre, or any cell.
            let empty = (0..board.geometry().cells()).filter(|&cell| board.is_empty(cell));
            let centre = board.geometry().centre();
            let any = if board.is_empty(centre) { Some(centre) } else { empty.clone().next() };
            self.moves.extend(any.map(order));
        }
        let best_first = |a: &(i32, u16), b: &(i32, u16)| b.0.cmp(&a.0).then(a.1.cmp(&b.1));
        self.moves[first..].sort_unstable_by(best_first);
        if !self.is_exhaustive {
            self.moves.truncate(first + self.options.width);
        }
    }

    /// A move refuted the position before it.
    pub(super) fn reward(&mut self, cell: u16, depth: i32) {
        let ply = self.stack.len() - 1;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [NO_CELL; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != cell {
            *killers = [cell, killers[0]];
        }
        let own = self.board.to_move();
        let count = &mut self.history[own][usize::from(cell)];
        *count = (*count + depth * depth).min(1 << 20);
    }
}
