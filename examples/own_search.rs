//! A search problem of one's own: the 8-puzzle, solved by three of the searches that Outwit's planners use.
//!
//! `cargo run --locked --no-default-features --example own_search`

use outwit_core::search::{Edge, Evaluation, GraphSearch, Space, Status};
use std::error::Error;

/// Eight tiles and a gap (0) in a square of nine cells. A tile beside the gap slides into it.
struct EightPuzzle;

impl Space for EightPuzzle {
    type State = [u8; 9];
    /// The tile that slides.
    type Action = u8;

    fn successors(&self, state: &[u8; 9], out: &mut Vec<Edge<Self>>) {
        let Some(gap) = state.iter().position(|&tile| tile == 0) else { return };
        for cell in (0..9).filter(|&cell| steps(cell, gap) == 1) {
            let mut next = *state;
            next.swap(cell, gap);
            out.push((state[cell], next, 1));
        }
    }

    fn is_goal(&self, state: &[u8; 9]) -> bool {
        *state == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    }

    /// Each tile slides at least as many steps as it is away from its cell. The estimate is admissible: it never exceeds
    /// the truth, so A* finds a shortest solution.
    fn heuristic(&self, state: &[u8; 9]) -> Option<u32> {
        let tiles = state.iter().enumerate().filter(|(_, tile)| **tile != 0);
        Some(tiles.map(|(cell, &tile)| steps(cell, usize::from(tile) - 1)).sum())
    }
}

/// The steps from one cell to another, along rows and columns.
fn steps(a: usize, b: usize) -> u32 {
    ((a % 3).abs_diff(b % 3) + (a / 3).abs_diff(b / 3)) as u32
}

/// Solves one position in three ways, and says how long each solution is and what it took to find it.
pub fn report() -> Result<String, Box<dyn Error>> {
    // No position needs more slides than this one.
    let start = [8, 6, 7, 2, 5, 4, 3, 0, 1];
    let mut report = String::new();
    for evaluation in [Evaluation::UniformCost, Evaluation::AStar, Evaluation::Greedy] {
        let mut search = GraphSearch::new(&EightPuzzle, start, evaluation);
        // `run` is a loop over `step`, which expands one node: a planner asks its clock before each.
        let Status::Found { path, .. } = search.run(&EightPuzzle) else {
            return Err("there is no solution".into());
        };
        let expanded = search.counters().expanded;
        report += &format!("{evaluation:?}: {} slides, {expanded} nodes expanded\n", path.len());
    }
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", report()?);
    Ok(())
}
