//! Lines that a search for a forced win leaves in its table.

use super::threats::FourSearch;
use super::{NO_CELL, SearchBoard};

/// A winning line of `attacker`, as far as `known` tells a move and the number of plies by the key of a
/// position.
pub fn winning_line(
    board: &mut SearchBoard,
    fours: &mut FourSearch,
    attacker: usize,
    known: impl Fn(u64) -> Option<(u16, u8)>,
) -> Vec<u16> {
    let mut line = Vec::new();
    let begin = board.plies();
    for _ in 0..board.empty() {
        let own = board.to_move();
        let cell = match board.winning_cells(own).0 {
            Some(cell) if own == attacker => {
                line.push(cell as u16);
                break;
            }
            _ => known_move(board, fours, attacker, &known),
        };
        let Some(cell) = cell else { break };
        line.push(cell as u16);
        board.play(cell);
    }
    while board.plies() > begin {
        board.undo();
    }
    line
}

/// The best move that is known or that a search for fours finds.
fn known_move(
    board: &mut SearchBoard,
    fours: &mut FourSearch,
    attacker: usize,
    known: impl Fn(u64) -> Option<(u16, u8)>,
) -> Option<usize> {
    let own = board.to_move();
    if let Some(cell) = board.winning_cells(1 - own).0 {
        return Some(cell);
    }
    let (key, symmetry) = board.canonical();
    let known = known(key);
    if let Some((cell, _)) = known.filter(|&(cell, _)| cell != NO_CELL) {
        let cell = usize::from(board.geometry().back(symmetry, cell));
        return board.is_empty(cell).then_some(cell);
    }
    // A win by fours was found without a search.
    let moves = match known {
        Some((_, plies)) if plies > 0 => u32::from(plies).div_ceil(2),
        _ => 40,
    };
    let wins = own == attacker && fours.wins(board, moves, 100_000);
    wins.then(|| fours.line().first().map(|&cell| usize::from(cell)))?
}
