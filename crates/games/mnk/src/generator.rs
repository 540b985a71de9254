//! Random problems: a position of a quick game in which whoever is to move wins by fours.

use super::level::{FORMAT, MnkFile, MnkRules, Opening, Stone};
use super::search::threats::FourSearch;
use super::search::{Geometry, SearchBoard};
use outwit_core::grid::Grid;
use outwit_core::rule_set;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

rule_set! {
    /// The options of the generator.
    pub struct ProblemOptions {
        /// Columns of the board.
        columns: u32 = 15, Whole { min: 3, max: 70, optional: false }, "Columns";
        /// Rows of the board.
        rows: u32 = 15, Whole { min: 3, max: 70, optional: false }, "Rows";
        /// Stones in a row that win.
        k: u32 = 5, Whole { min: 3, max: 12, optional: false }, "In a row";
        /// Only a row of exactly this length wins.
        exact: bool = false, Flag, "Exactly k in a row";
        /// The least number of moves that the winner needs, the winning one included.
        moves: u32 = 4, Whole { min: 2, max: 12, optional: false }, "Moves to win, at least";
    }
}

/// Games that are tried before the options are found to conflict.
const GAMES: u32 = 400;

/// Positions that the search for a win may take.
const NODES: u64 = 4000;

/// The longest win that is looked for, in moves of the winner.
const LONGEST: u32 = 14;

/// Of how many of the most promising cells a move of the quick game is chosen.
const CHOICES: usize = 5;

/// A random problem in which whoever is to move wins.
///
/// # Errors
/// If none is found.
pub(super) fn problem(options: &ProblemOptions, seed: u64) -> Result<MnkFile, String> {
    let columns = options.columns as usize;
    let rows = options.rows as usize;
    let k = options.k as usize;
    let conflict = || {
        format!(
            "found no win of {} moves on a board of {columns} by {rows} cells: ask for fewer moves, a \
             larger board or a smaller k",
            options.moves
        )
    };
    if k > columns.max(rows) {
        return Err(conflict());
    }
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let geometry = Arc::new(Geometry::new(columns, rows, k, options.exact));
    let empty = SearchBoard::new(geometry);
    let mut fours = FourSearch::default();
    for _ in 0..GAMES {
        let mut board = empty.clone();
        while let Some(cell) = quick_move(&board, &mut dice) {
            board.play(cell);
            if let Some(moves) = shortest(&mut fours, &mut board) {
                if moves >= options.moves {
                    return Ok(file(options, &board, moves, seed));
                }
                break;
            }
        }
    }
    Err(conflict())
}

/// The fewest moves in which whoever is to move wins by fours, if that is found.
fn shortest(fours: &mut FourSearch, board: &mut SearchBoard) -> Option<u32> {
    if !fours.wins(board, LONGEST, NODES) {
        return None;
    }
    let found = fours.line().len().div_ceil(2) as u32;
    Some((1..found).find(|&moves| fours.wins(board, moves, 10 * NODES)).unwrap_or(found))
}

/// A fairly sensible move: a win, a defence against one, or one of the most promising cells.
fn quick_move(board: &SearchBoard, dice: &mut ChaCha8Rng) -> Option<usize> {
    let own = board.to_move();
    if let Some(cell) = board.winning_cells(1 - own).0 {
        return Some(cell);
    }
    let near = board.near_cells().iter().map(|&cell| usize::from(cell));
    let mut cells: Vec<usize> =
        near.filter(|&cell| board.is_empty(cell) && board.interest(cell) > 0).collect();
    cells.sort_unstable_by_key(|&cell| (std::cmp::Reverse(board.interest(cell)), cell));
    if cells.is_empty() {
        let centre = board.geometry().centre();
        return (board.is_empty(centre) && board.alive() != [0, 0]).then_some(centre);
    }
    // The better a cell, the likelier it is chosen.
    let most = CHOICES.min(cells.len());
    let one = dice.random_range(0..most);
    let two = dice.random_range(0..most);
    cells.get(one.min(two)).copied()
}

fn file(options: &ProblemOptions, board: &SearchBoard, moves: u32, seed: u64) -> MnkFile {
    let to_move = if board.to_move() == 0 { Stone::X } else { Stone::O };
    let width = board.geometry().width;
    let height = board.geometry().height;
    let cells = Grid::from_fn(width, height, |cell| {
        match board.stone(cell.y as usize * width + cell.x as usize) {
            Some(stone) => stone.to_char(),
            None => '.',
        }
    });
    let mut level = MnkFile {
        format: FORMAT.into(),
        name: format!("Random problem {seed}"),
        author: String::new(),
        about: format!(
            "{} to move and win. There is a win by fours in {moves} moves.",
            to_move.to_char()
        ),
        rules: MnkRules { k: options.k, exact: options.exact, opening: Opening::Free, to_move },
        map: Vec::new(),
    };
    level.set_cells(&cells);
    level
}
