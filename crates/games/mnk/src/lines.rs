//! Rows of stones on a board.

use super::level::{MnkRules, Stone};
use outwit_core::grid::Cell;

/// The four directions of rows: along a row, along a column, and the two diagonals.
pub const DIRECTIONS: [Cell; 4] =
    [Cell::new(1, 0), Cell::new(0, 1), Cell::new(1, 1), Cell::new(1, -1)];

/// The cells of the rows through `cell` that win for its stone, from end to end; empty if it has no
/// stone or none of its rows wins.
pub fn winning_line(
    stone_at: impl Fn(Cell) -> Option<Stone>,
    cell: Cell,
    rules: &MnkRules,
) -> Vec<Cell> {
    let Some(stone) = stone_at(cell) else { return Vec::new() };
    let mut winning = Vec::new();
    for direction in DIRECTIONS {
        let row = row_through(&stone_at, cell, direction, stone);
        let length = row.len() as u32;
        if if rules.exact { length == rules.k } else { length >= rules.k } {
            let fresh: Vec<Cell> = row.into_iter().filter(|at| !winning.contains(at)).collect();
            winning.extend(fresh);
        }
    }
    winning
}

/// The run of equal stones through a cell in one direction, from end to end.
fn row_through(
    stone_at: &impl Fn(Cell) -> Option<Stone>,
    cell: Cell,
    direction: Cell,
    stone: Stone,
) -> Vec<Cell> {
    let own = |at: &Cell| stone_at(*at) == Some(stone);
    let walk = |step: Cell| {
        std::iter::successors(Some(cell + step), move |&at| Some(at + step)).take_while(own)
    };
    let mut row: Vec<Cell> = walk(-direction).collect();
    row.reverse();
    row.push(cell);
    row.extend(walk(direction));
    row
}
