//! The move that holds out longest in a position in which all lose.

use super::SearchBoard;
use super::proof::{Proof, ProofSearch};
use outwit_core::play::Clock;

/// Positions that may be searched for it.
const MOST_NODES: u64 = 200_000;
/// Positions that are searched before the clock is looked at.
const PIECE: u64 = 100;
/// Entries of the table of a proof, as a power of two.
const TABLE_BITS: u32 = 14;

/// Looks for that move. A search knows for each of them within how many plies it loses, and has chosen by that; the
/// other side may win sooner. So the chosen one is tried against wins of growing length. Once it loses to one, the others
/// that are not known to lose as soon are tried against wins of that length, and the first that does not takes its place.
pub struct Resistance {
    board: SearchBoard,
    /// The move that holds out longest so far, and the plies after it within which it loses.
    best: (u16, u8),
    /// The others, those last that hold out longest as far as is known.
    others: Vec<(u16, u8)>,
    /// The number of plies within which the present move is tried.
    plies: u8,
    /// Whether the best move loses within them, but not within two fewer.
    is_measured: bool,
    proof: Option<ProofSearch>,
    nodes: u64,
}

impl Resistance {
    /// For moves that all lose, each with the number of plies after it within which it does, the chosen one first.
    /// `None` if there is no choice.
    pub fn new(board: SearchBoard, moves: &[(u16, u8)]) -> Option<Self> {
        let (&best, others) = moves.split_first().filter(|(_, others)| !others.is_empty())?;
        let mut others = others.to_vec();
        others.sort_by_key(|&(_, plies)| plies);
        Some(Self { board, best, others, plies: 1, is_measured: false, proof: None, nodes: 0 })
    }

    /// The other move to try: one that may hold out longer than the best.
    fn rival(&self) -> Option<u16> {
        let last = self.others.last().filter(|(_, plies)| self.is_measured && *plies > self.plies);
        last.map(|(cell, _)| *cell)
    }

    /// The move that holds out longest, as far as is known.
    pub fn best(&self) -> u16 {
        self.rival().unwrap_or(self.best.0)
    }

    /// Whether nothing is left to find out.
    pub fn is_done(&self) -> bool {
        self.nodes >= MOST_NODES || (self.is_measured && self.rival().is_none())
    }

    /// Goes on until it is done or the clock is over.
    pub fn run(&mut self, clock: &Clock) {
        while !self.is_done() {
            if !self.is_measured && self.best.1 <= self.plies {
                self.is_measured = true;
                continue;
            }
            if !clock.take(1) {
                return;
            }
            let board = &self.board;
            let plies = self.plies;
            let cell = self.best();
            let proof = self.proof.get_or_insert_with(|| {
                let mut after = board.clone();
                after.play(usize::from(cell));
                let attacker = after.to_move();
                ProofSearch::new(after, attacker, plies, TABLE_BITS).without_deeper()
            });
            let piece = Clock::work(PIECE);
            let answer = proof.run(&piece);
            clock.charge(piece.used().saturating_sub(1));
            self.nodes += piece.used();
            if let Some(answer) = answer {
                self.proof = None;
                self.take(matches!(answer, Proof::Win(_)));
            }
        }
    }

    /// Takes down whether the move that was tried loses.
    fn take(&mut self, loses: bool) {
        match (loses, self.is_measured) {
            (true, false) => self.is_measured = true,
            (true, true) => {
                self.others.pop();
            }
            (false, is_measured) => {
                if is_measured && let Some(rival) = self.others.pop() {
                    self.best = rival;
                }
                self.is_measured = false;
                self.plies += 2;
            }
        }
    }
}
