//! Forced wins by fours: threat-space search (Allis, van den Herik and Huntjens 1993), generic in k.
//!
//! A *four* is a window that lacks one stone; the other side must fill the gap at once. Whoever moves
//! from four to four and ends with two gaps at the same time has won, by continuous fours (VCF).

use super::SearchBoard;

/// Refuted positions that are remembered.
const MEMORY: usize = 1 << 12;

/// Looks for wins in which every move of the winner is a four.
#[derive(Clone, Debug)]
pub struct FourSearch {
    /// Positions from which no win was found within so many moves of the attacker.
    refuted: Vec<(u64, u32)>,
    /// Positions looked at since the search was made.
    pub nodes: u64,
    limit: u64,
    line: Vec<u16>,
}

impl Default for FourSearch {
    fn default() -> Self {
        Self { refuted: vec![(0, 0); MEMORY], nodes: 0, limit: 0, line: Vec::new() }
    }
}

impl FourSearch {
    /// Whether the side that is to move wins by fours with at most `moves` moves of its own, found
    /// within `nodes` positions. The stones of the line, both sides', are in [`line`](Self::line); its
    /// last one fills a window.
    pub fn wins(&mut self, board: &mut SearchBoard, moves: u32, nodes: u64) -> bool {
        self.limit = self.nodes + nodes;
        self.line.clear();
        self.search(board, moves)
    }

    /// The line of the last win, from the first move to the stone that wins.
    pub fn line(&self) -> &[u16] {
        &self.line
    }

    fn search(&mut self, board: &mut SearchBoard, moves: u32) -> bool {
        self.nodes += 1;
        let own = board.to_move();
        let other = 1 - board.to_move();
        if moves == 0 {
            return false;
        }
        if let Some(cell) = board.winning_cells(own).0 {
            self.line.push(cell as u16);
            return true;
        }
        let must = match board.winning_cells(other) {
            (None, _) => None,
            (cell, None) => cell,
            _ => return false,
        };
        if moves == 1 || board.geometry().k < 2 {
            return false;
        }
        let (key, _) = board.canonical();
        let slot = key as usize % MEMORY;
        if self.refuted[slot].0 == key && self.refuted[slot].1 >= moves {
            return false;
        }
        for cell in fours(board, own) {
            if must.is_some_and(|must| must != cell) {
                continue;
            }
            if self.nodes >= self.limit {
                return false;
            }
            if self.four(board, cell, moves) {
                return true;
            }
        }
        if self.nodes < self.limit {
            self.refuted[slot] = (key, moves);
        }
        false
    }

    /// Whether the four on `cell` wins.
    fn four(&mut self, board: &mut SearchBoard, cell: usize, moves: u32) -> bool {
        let own = board.to_move();
        let begun = self.line.len();
        board.play(cell);
        self.line.push(cell as u16);
        let wins = match (board.winning_cells(own), board.winning_cells(1 - own).0) {
            // The other side wins instead of answering.
            (_, Some(_)) | ((None, _), _) => false,
            ((Some(gap), Some(second)), None) => {
                self.line.extend([gap as u16, second as u16]);
                true
            }
            ((Some(gap), None), None) => {
                board.play(gap);
                self.line.push(gap as u16);
                let wins = self.search(board, moves - 1);
                board.undo();
                wins
            }
        };
        board.undo();
        if !wins {
            self.line.truncate(begun);
        }
        wins
    }
}

/// The cells on which a stone of a kind makes a four, the hottest first.
pub fn fours(board: &SearchBoard, kind: usize) -> Vec<usize> {
    if board.geometry().k < 2 {
        return Vec::new();
    }
    let mut cells: Vec<usize> =
        board.lacking(kind, 2).iter().flat_map(|&window| board.gaps(window)).collect();
    cells.sort_unstable_by_key(|&cell| (std::cmp::Reverse(board.heat(kind, cell)), cell));
    cells.dedup();
    cells
}
