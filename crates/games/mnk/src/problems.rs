//! The built-in problems: each win is checked against every answer.

use super::search::SearchBoard;
use super::search::proof::ProofSearch;
use super::search::tests::Exhaustive;
use super::search::threats::FourSearch;
use super::tests::{game, shipped};
use super::*;
use outwit_core::play::Clock;
use outwit_levels::BUILT_IN;

/// Follows the moves that the search proposes, and looks at all answers on a plain board.
struct Check {
    plain: Exhaustive,
    cells: Vec<u8>,
    board: SearchBoard,
    fours: FourSearch,
}

impl Check {
    fn of(level: &MnkFile) -> Self {
        let game = game(level);
        let state = game.opening();
        let stones = state.stones.iter().map(|stone| stone.map_or(2, |stone| stone.index() as u8));
        Self {
            plain: Exhaustive::new(
                game.width(),
                game.height(),
                level.rules.k as usize,
                level.rules.exact,
            ),
            cells: stones.collect(),
            board: SearchBoard::of(&game, &state),
            fours: FourSearch::default(),
        }
    }

    fn empty(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&at| self.cells[at] == 2).collect()
    }

    fn winning(&mut self, own: u8) -> Vec<usize> {
        let mut winning = self.empty();
        winning.retain(|&at| {
            self.cells[at] = own;
            let wins = self.plain.wins(&self.cells, at);
            self.cells[at] = 2;
            wins
        });
        winning
    }

    fn proposed(&mut self, plies: u32) -> Option<usize> {
        let first = if self.fours.wins(&mut self.board, plies.div_ceil(2), 100_000) {
            self.fours.line().first().copied()
        } else {
            let attacker = self.board.to_move();
            let mut search = ProofSearch::new(self.board.clone(), attacker, plies as u8, 16);
            search.run(&Clock::work(3_000_000));
            search.line().first().copied()
        };
        first.map(usize::from)
    }

    fn with<T>(&mut self, at: usize, look: impl FnOnce(&mut Self) -> T) -> T {
        self.cells[at] = self.board.to_move() as u8;
        self.board.play(at);
        let seen = look(self);
        self.board.undo();
        self.cells[at] = 2;
        seen
    }

    /// Whether the side that is to move wins within so many plies.
    fn attacker_wins(&mut self, plies: u32) -> bool {
        let own = self.board.to_move() as u8;
        if !self.winning(own).is_empty() {
            return plies >= 1;
        }
        if plies < 3 {
            return false;
        }
        let Some(at) = self.proposed(plies) else { return false };
        assert_eq!(self.cells[at], 2);
        self.with(at, |check| check.defender_loses(plies - 1))
    }

    /// Whether the side that is to move loses within so many plies, whatever it does.
    fn defender_loses(&mut self, plies: u32) -> bool {
        let own = self.board.to_move() as u8;
        if !self.winning(own).is_empty() {
            return false;
        }
        let answers = match self.winning(1 - own).as_slice() {
            [] => self.empty(),
            [gap] => vec![*gap],
            _ => return plies >= 2,
        };
        answers.into_iter().all(|at| self.with(at, |check| check.attacker_wins(plies - 1)))
    }
}

#[test]
fn the_problems_are_won_against_every_answer() {
    let mut checked = 0;
    for id in BUILT_IN.iter().map(|level| level.id).filter(|id| id.starts_with("mnk/problem-")) {
        let level = shipped(&id["mnk/".len()..]);
        let plies: u32 = level
            .about
            .rsplit_once(" in ")
            .and_then(|(_, plies)| plies.trim_end_matches(" plies.").parse().ok())
            .unwrap();
        assert!(Check::of(&level).attacker_wins(plies), "{id}: {}", level.about);
        checked += 1;
    }
    assert!(checked >= 30);
}
