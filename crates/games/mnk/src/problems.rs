//! Problems: positions that whoever is to move wins by force, or in which the other side threatens to, and which moves
//! keep the win or meet the threat.

use super::rules::{Mnk, MnkAction, MnkPhase, MnkState};
use super::search::SearchBoard;
use super::search::proof::{Proof, ProofSearch};
use super::search::threats::FourSearch;
use super::solve::win_by_fours;
use outwit_core::grid::Cell;
use outwit_core::play::{Chance, Clock, Game};

/// Plies within which any win is looked for before wins by fours.
const SHORT: u8 = 5;
/// Plies within which any other win is looked for.
const LONG: u8 = 9;
/// Positions that may be spent on a short win, and on a longer one.
const SHORT_NODES: u64 = 400_000;
const LONG_NODES: u64 = 300_000;
/// Entries of the table, as a power of two.
const TABLE_BITS: u32 = 16;
/// Moves of a win by fours, and positions that may be spent on it.
const MOST_FOURS: u32 = 40;
const FOUR_NODES: u64 = 200_000;

/// What whoever is to move has to find.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A win by force, move by move.
    Win,
    /// One move that meets a threat: the other side would win by force if it were its turn. After the move it wins
    /// neither by fours nor within five plies. Whether a longer win is left is not said.
    Hold,
}

/// A position in which there is something to find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What is to be found.
    pub goal: Goal,
    /// Within how many plies the win comes, or the one that is threatened. Nothing shorter is known; where
    /// [`by_fours`](Self::by_fours) is not set, there is nothing shorter.
    pub plies: u32,
    /// Whether each move of the winner makes a four.
    pub by_fours: bool,
    /// The moves of both sides, down to the stone that wins; or the one that holds.
    pub line: Vec<Cell>,
}

/// What a move does to a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It wins, or it holds: proved.
    Solves,
    /// It does not win within the plies of the problem, or not by fours; or the other side still wins: proved.
    Fails,
    /// It was not found out.
    Unknown,
}

impl Problem {
    /// Whether a position with stones on it is a problem, as far as the clock allows to find out.
    pub fn find(game: &Mnk, state: &MnkState, clock: &Clock) -> Option<Self> {
        let is_set_up = state.stones.iter().any(Option::is_some);
        if !is_set_up || state.phase != MnkPhase::Play || state.mover().is_none() {
            return None;
        }
        Self::to_win(game, state, clock).or_else(|| Self::to_hold(game, state, clock))
    }

    /// A win of whoever is to move.
    fn to_win(game: &Mnk, state: &MnkState, clock: &Clock) -> Option<Self> {
        let board = SearchBoard::of(game, state);
        let any = |plies: u8, by_fours: bool, line: Vec<u16>| {
            let cells = line.iter().map(|&at| game.cell_at(usize::from(at))).collect();
            let goal = Goal::Win;
            Problem { goal, plies: plies.into(), by_fours, line: cells }.completed(game, state)
        };
        let within = |plies: u8| {
            let mut search = bounded(&board, board.to_move(), plies);
            match search.run(clock) {
                Some(Proof::Win(plies)) => any(plies, false, search.line()),
                _ => None,
            }
        };
        clock.slice_of_work(SHORT_NODES);
        let short = within(SHORT);
        clock.slice_of_work(u64::MAX);
        if short.is_some() {
            return short;
        }
        let by_fours = win_by_fours(&board, clock).and_then(|found| {
            let plies = u8::try_from(found.line.len()).ok()?;
            any(plies, true, found.line)
        });
        clock.slice_of_work(LONG_NODES);
        within(LONG).or(by_fours)
    }

    /// A threat of the other side that some move meets. Cells of the threat are tried first.
    fn to_hold(game: &Mnk, state: &MnkState, clock: &Clock) -> Option<Self> {
        let passed = MnkState { to_move: state.to_move.other(), ..state.clone() };
        let threat = Self::to_win(game, &passed, clock)?;
        let mut cells = threat.line.clone();
        let empty = (0..state.stones.len()).filter(|&at| state.stones[at].is_none());
        cells.extend(empty.map(|at| game.cell_at(at)));
        let holds = cells.into_iter().take_while(|_| !clock.is_over()).find(|&cell| {
            let index = game.index_of(cell);
            index.is_some_and(|at| holds(SearchBoard::of(game, state), at, clock) == Some(true))
        })?;
        Some(Self { goal: Goal::Hold, line: vec![holds], ..threat })
    }

    /// The same if its line leads to the win: the table of a search may have forgotten a part of it.
    fn completed(self, game: &Mnk, state: &MnkState) -> Option<Self> {
        let mut last = state.clone();
        for &cell in &self.line {
            let seat = last.mover()?;
            let action = MnkAction::Place(cell);
            game.legal(&last, seat, &action).ok()?;
            game.advance(&mut last, &[(seat, action)], &Chance::new(0), &mut Vec::new());
        }
        let by_winner = self.line.len() % 2 == 1;
        (last.winner().is_some() && by_winner).then_some(self)
    }

    /// What a move on `cell` does, as far as the clock allows to find out. It is made in a position that the
    /// problem leads to after `ply` plies, each of the solver's moves among them one that solves it.
    pub fn judge(
        &self,
        game: &Mnk,
        state: &MnkState,
        (ply, cell): (u32, Cell),
        clock: &Clock,
    ) -> Judgement {
        let Some(at) = game.index_of(cell) else { return Judgement::Unknown };
        let mut board = SearchBoard::of(game, state);
        let own = board.to_move();
        if !board.is_empty(at) {
            return Judgement::Unknown;
        }
        if completes(&board, at) {
            return Judgement::Solves;
        }
        if self.goal == Goal::Hold {
            // Only the first move is asked for.
            return match holds(board, at, clock).filter(|_| ply == 0) {
                Some(true) => Judgement::Solves,
                Some(false) => Judgement::Fails,
                None => Judgement::Unknown,
            };
        }
        board.play(at);
        let fours = goes_on_by_fours(&mut board, own);
        let Some(left) = self.plies.checked_sub(ply + 1) else { return Judgement::Unknown };
        let Ok(plies) = u8::try_from(left) else { return Judgement::Unknown };
        if fours == Some(true) {
            return Judgement::Solves;
        }
        let plies = if self.by_fours { plies.min(SHORT - 1) } else { plies };
        let proof = match plies {
            0 => Some(Proof::No(0)),
            plies => bounded(&board, own, plies).run(clock),
        };
        match (proof, fours) {
            (Some(Proof::Win(_)), _) => Judgement::Solves,
            (Some(Proof::No(_)), _) if !self.by_fours => Judgement::Fails,
            (Some(Proof::No(_)), Some(false)) => Judgement::Fails,
            _ => Judgement::Unknown,
        }
    }
}

/// Whether the other side wins neither by fours nor within [`SHORT`] plies after a stone on `at`; `None` if that was not
/// found out.
fn holds(mut board: SearchBoard, at: usize, clock: &Clock) -> Option<bool> {
    board.play(at);
    let mut fours = FourSearch::default();
    let wins = fours.wins(&mut board, MOST_FOURS, FOUR_NODES);
    clock.charge(fours.nodes);
    if wins {
        return Some(false);
    }
    clock.slice_of_work(SHORT_NODES);
    let short = bounded(&board, board.to_move(), SHORT).run(clock);
    clock.slice_of_work(u64::MAX);
    match short? {
        Proof::Win(_) => Some(false),
        _ => (fours.nodes < FOUR_NODES).then_some(true),
    }
}

/// A search for a win within so many plies and no more.
fn bounded(board: &SearchBoard, attacker: usize, plies: u8) -> ProofSearch {
    ProofSearch::new(board.clone(), attacker, plies, TABLE_BITS).without_deeper()
}

/// Whether the side that is to move completes a row on a cell.
fn completes(board: &SearchBoard, at: usize) -> bool {
    let windows = board.lacking(board.to_move(), 1);
    windows.iter().any(|&window| board.gaps(window).any(|gap| gap == at))
}

/// Whether a side that has just made its move wins by fours: whether the move was a four, and how it goes on.
/// `None` if that was not found out.
fn goes_on_by_fours(board: &mut SearchBoard, own: usize) -> Option<bool> {
    if board.winning_cells(1 - own).0.is_some() {
        return Some(false);
    }
    match board.winning_cells(own) {
        (None, _) => Some(false),
        (Some(_), Some(_)) => Some(true),
        (Some(gap), None) => {
            board.play(gap);
            let mut fours = FourSearch::default();
            let wins = fours.wins(board, MOST_FOURS, FOUR_NODES);
            let is_complete = fours.nodes < FOUR_NODES;
            board.undo();
            (wins || is_complete).then_some(wins)
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests;
