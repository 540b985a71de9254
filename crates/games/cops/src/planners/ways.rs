//! Cheapest ways over a board whose cells cost something to enter.

use super::context::BoardContext;
use crate::distance_table::{CellIndex, DistanceTable};
use crate::rules::{Orders, Step};
use outwit_core::grid::Cell;
use outwit_core::play::{Path, Tone};
use outwit_core::search::{Evaluation, GraphSearch, Space, Status};

/// Cost of entering a cell without any surcharge.
pub const PLAIN: u32 = 10;

/// Steps over the board as a graph to search.
struct Costly<'a> {
    distances: &'a DistanceTable,
    /// What entering each cell costs, at least [`PLAIN`].
    costs: &'a [u32],
    targets: &'a [CellIndex],
}

impl Space for Costly<'_> {
    type State = CellIndex;
    type Action = CellIndex;

    fn successors(&self, &from: &CellIndex, out: &mut Vec<(CellIndex, CellIndex, u32)>) {
        let ways = self.distances.steps(from)[1..].iter().filter(|&&to| to != from);
        out.extend(ways.map(|&to| (to, to, self.costs[usize::from(to)])));
    }

    fn is_goal(&self, cell: &CellIndex) -> bool {
        self.targets.contains(cell)
    }

    fn heuristic(&self, &cell: &CellIndex) -> Option<u32> {
        self.targets.iter().map(|&to| u32::from(self.distances.between(cell, to)) * PLAIN).min()
    }
}

/// A cheapest way by A* (Hart, Nilsson and Raphael 1968) to any of the targets, the start included;
/// only the start if there is no way.
pub fn cheapest(
    ground: &BoardContext,
    costs: &[u32],
    from: CellIndex,
    targets: &[CellIndex],
) -> Vec<CellIndex> {
    let space = Costly { distances: &ground.distances, costs, targets };
    let mut way = vec![from];
    let mut search = GraphSearch::new(&space, from, Evaluation::AStar);
    if let Status::Found { path, .. } = search.run(&space) {
        way.extend(path);
    }
    ground.add_work(search.counters().expanded);
    way
}

/// What entering each cell costs when walls stand where they are: dear, not impossible, since they
/// will have moved.
pub fn wall_costs(ground: &BoardContext, now: &crate::board::Position) -> Vec<u32> {
    let mut costs = vec![PLAIN; ground.distances.len()];
    let length = ground.board().rules().wall_length;
    for cell in now.walls.iter().flat_map(|wall| wall.cells(length)) {
        costs[usize::from(ground.cell_index(cell))] += 8 * PLAIN;
    }
    costs
}

/// The way that steps lead if nothing stops them, to be drawn.
pub fn drawn(from: Cell, steps: &[Step], tone: Tone) -> Path {
    let mut cells = vec![from];
    let mut at = from;
    for step in steps.iter().filter(|&&step| step != Step::Stay) {
        at = at + step.delta();
        cells.push(at);
    }
    Path { cells, tone }
}

/// Where the orders lead each cop if nothing stops it.
pub fn wanted(cops: &[Cell], orders: &Orders) -> Vec<Path> {
    cops.iter().zip(&orders.0).map(|(&cop, steps)| drawn(cop, steps, Tone::Wanted)).collect()
}
