//! Draws what a level leaves open of the start, without conflict.

use super::board::{Board, Gate, HEADINGS, Position, Wall};
use super::level::Plan;
use outwit_core::grid::Cell;
use outwit_core::play::SetupError;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Stream of the walls' and gates' first places.
const WALL_START: u64 = 1;
const GATE_START: u64 = 2;
/// Stream of the players' first places.
const PLAYER_START: u64 = 3;
/// Stream of how walls move.
pub(super) const WALL_DRIFT: u64 = 4;
/// Stream of how gates move.
pub(super) const GATE_DRIFT: u64 = 5;

/// A whole number below `bound`, which must be positive.
fn below(dice: &mut ChaCha8Rng, bound: usize) -> usize {
    ((u64::from(dice.next_u32()) * bound as u64) >> 32) as usize
}

/// The position before the first tick.
///
/// Gates do not overlap and walls neither cross nor cover blocks as long as there is room for
/// that; no player ever starts within a wall, and no two on one cell.
///
/// # Errors
/// If a fixed wall covers a fixed player, or there is no room.
pub(super) fn opening(
    board: &Board,
    fixed: &Plan,
    stream: impl Fn(u64) -> ChaCha8Rng,
) -> Result<Position, SetupError> {
    let gates = draw_gates(board, fixed, &mut stream(GATE_START));
    let walls = draw_walls(board, fixed, &mut stream(WALL_START))?;
    let mut dice = stream(PLAYER_START);
    let mut taken: Vec<Cell> = fixed.cops.iter().copied().chain(fixed.thief).collect();
    let mut free: Vec<Cell> = board
        .floor()
        .filter(|&cell| !taken.contains(&cell) && !board.is_walled(&walls, cell))
        .collect();
    let wanted = board.rules().cops as usize + 1 - taken.len();
    if free.len() < wanted {
        return Err(SetupError(format!("no room on the board for {wanted} more players")));
    }
    for _ in 0..wanted {
        let pick = below(&mut dice, free.len());
        taken.push(free.swap_remove(pick));
    }
    let thief = match fixed.thief {
        Some(thief) => {
            taken.retain(|&cell| cell != thief);
            thief
        }
        None => taken.remove(fixed.cops.len()),
    };
    Ok(Position { tick: 0, thief, cops: taken, walls, gates })
}

fn draw_gates(board: &Board, fixed: &Plan, dice: &mut ChaCha8Rng) -> Vec<Gate> {
    let ring = board.ring().len();
    let width = board.rules().gate_width as usize;
    let mut places: Vec<u16> = fixed.gates.clone();
    while places.len() < board.rules().gates as usize {
        let free: Vec<usize> = (0..ring)
            .filter(|&place| {
                places.iter().all(|&other| {
                    let gap = (place + ring - usize::from(other)) % ring;
                    gap >= width && gap + width <= ring
                })
            })
            .collect();
        // Where there is no room gates overlap, so that the level can be played.
        let pick = if free.is_empty() { below(dice, ring) } else { free[below(dice, free.len())] };
        places.push(pick as u16);
    }
    places.into_iter().map(|place| Gate { place, clockwise: below(dice, 2) == 0 }).collect()
}

fn draw_walls(board: &Board, fixed: &Plan, dice: &mut ChaCha8Rng) -> Result<Vec<Wall>, SetupError> {
    let length = board.rules().wall_length;
    let mut walls: Vec<Wall> = fixed
        .walls
        .iter()
        .map(|&(cell, standing)| Wall { cell, standing, heading: HEADINGS[below(dice, 4)] })
        .collect();
    while walls.len() < board.rules().walls as usize {
        let standing = below(dice, 2) == 1;
        let heading = HEADINGS[below(dice, 4)];
        let fitting: Vec<Wall> = (0..(board.width() * board.height()) as i32)
            .map(|i| Cell::new(i % board.width() as i32, i / board.width() as i32))
            .filter(|&cell| board.wall_fits(cell, standing))
            .map(|cell| Wall { cell, standing, heading })
            .filter(|wall| {
                !wall
                    .cells(length)
                    .any(|cell| fixed.thief == Some(cell) || fixed.cops.contains(&cell))
            })
            .collect();
        let clear: Vec<Wall> = fitting
            .iter()
            .copied()
            .filter(|wall| {
                wall.cells(length)
                    .all(|cell| board.is_floor(cell) && !board.is_walled(&walls, cell))
            })
            .collect();
        // Where there is no room walls cross or cover blocks, so that the level can be played.
        let choice = if clear.is_empty() { &fitting } else { &clear };
        if choice.is_empty() {
            return Err(SetupError("no room on the board for all walls".into()));
        }
        walls.push(choice[below(dice, choice.len())]);
    }
    Ok(walls)
}
