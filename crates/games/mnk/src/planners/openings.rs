//! The stones of a swap opening: those after which both sides stand most nearly equal.

use super::picture::expected;
use crate::search::SearchBoard;
use crate::search::pvs::{MnkSearch, SearchOptions};
use crate::{Mnk, MnkAction, MnkState};
use outwit_core::grid::Cell;
use outwit_core::play::{Clock, Game};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// How far from the stones that are there, and from the border, opening stones are placed.
const DISTANCE: std::ops::RangeInclusive<i32> = 2..=4;

/// How many candidates are compared, and how many positions each is searched in; the most even ones of a
/// round go on to the next.
const ROUNDS: [(usize, u64); 4] = [(16, 1_000), (6, 8_000), (3, 60_000), (2, 400_000)];

/// Positions searched in one piece.
const PIECE: u64 = 100;

/// Chooses the next stones of a swap opening among random ones, by searches that go deeper round by round.
pub(crate) struct OpeningChoice {
    /// The cells of each candidate and the position after them.
    candidates: Vec<(Vec<Cell>, MnkState)>,
    /// How far from a half the expected results are of those that were searched in this round.
    found: Vec<f64>,
    round: usize,
    search: MnkSearch,
    /// Positions that the search of the next candidate may still take; `None` before it begins.
    left: Option<u64>,
    best: Vec<Cell>,
}

impl OpeningChoice {
    /// A choice of so many stones, which differs by seed.
    pub fn new(
        game: &Mnk,
        state: &MnkState,
        stones: u8,
        seed: u64,
        options: SearchOptions,
    ) -> Self {
        let candidate = |number: u64| {
            let mut cells = Vec::new();
            let mut after = state.clone();
            for _ in 0..stones {
                let action = opening_stone(game, &after, seed.rotate_left(20).wrapping_add(number));
                let MnkAction::Place(cell) = action else { break };
                game.take(&mut after, action, &mut Vec::new());
                cells.push(cell);
            }
            (cells, after)
        };
        let mut candidates: Vec<(Vec<Cell>, MnkState)> =
            (0..ROUNDS[0].0 as u64).map(candidate).collect();
        let best = candidates.first().map_or(Vec::new(), |(cells, _)| cells.clone());
        // Nobody may have won.
        candidates.retain(|(_, after)| after.mover().is_some());
        let search = MnkSearch::new(SearchBoard::of(game, state), options);
        Self { candidates, found: Vec::new(), round: 0, search, left: None, best }
    }

    /// The cells that are the best choice so far.
    pub fn best(&self) -> &[Cell] {
        &self.best
    }

    /// Compares until it is done, which is told, or the clock refuses. A unit of work is a position.
    pub fn run(&mut self, clock: &Clock) -> bool {
        while let Some(&(most, nodes)) = ROUNDS.get(self.round) {
            let compared = most.min(self.candidates.len());
            if self.found.len() == compared {
                self.end_round();
                continue;
            }
            if !clock.take(1) {
                return false;
            }
            let left = match self.left {
                Some(left) => left,
                None => {
                    self.search.set_up(&self.candidates[self.found.len()].1);
                    nodes
                }
            };
            let piece = Clock::work(PIECE.min(left));
            self.search.run(&piece);
            clock.charge(piece.used().saturating_sub(1));
            let left = left.saturating_sub(piece.used().max(1));
            self.left = (left > 0 && !self.search.is_done()).then_some(left);
            if self.left.is_none() {
                self.note((expected(self.search.steady_value()) - 0.5).abs());
            }
        }
        true
    }

    /// How far from a half the expected result of the next candidate is.
    fn note(&mut self, distance: f64) {
        if self.found.iter().all(|&other| distance < other) {
            self.best.clone_from(&self.candidates[self.found.len()].0);
        }
        self.found.push(distance);
    }

    /// The most even candidates come first, and the others are forgotten.
    fn end_round(&mut self) {
        let mut order: Vec<usize> = (0..self.found.len()).collect();
        order.sort_by(|&one, &two| self.found[one].total_cmp(&self.found[two]));
        self.candidates = order.iter().map(|&at| self.candidates[at].clone()).collect();
        self.found.clear();
        self.round += 1;
    }
}

/// A random cell that is neither next to another stone nor far from all.
fn opening_stone(game: &Mnk, state: &MnkState, seed: u64) -> MnkAction {
    let mut dice = ChaCha8Rng::seed_from_u64(seed.wrapping_add(u64::from(state.empty)));
    let cells = (0..state.stones.len()).map(|at| game.cell_at(at));
    let (stones, empty): (Vec<Cell>, Vec<Cell>) =
        cells.partition(|&cell| game.stone(state, cell).is_some());
    let border = |cell: Cell| {
        let right = game.width() as i32 - 1 - cell.x;
        let below = game.height() as i32 - 1 - cell.y;
        cell.x.min(cell.y).min(right).min(below)
    };
    let suitable: Vec<Cell> = empty
        .iter()
        .copied()
        .filter(|cell| match stones.iter().map(|stone| stone.chebyshev(*cell)).min() {
            Some(nearest) => DISTANCE.contains(&nearest),
            None => DISTANCE.contains(&border(*cell)),
        })
        .collect();
    match suitable.choose(&mut dice).or_else(|| empty.choose(&mut dice)) {
        Some(&cell) => MnkAction::Place(cell),
        None => game.null_action(state, outwit_core::play::Seat(0)),
    }
}
