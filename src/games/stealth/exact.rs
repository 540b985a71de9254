//! Exact optima: least costs by Dijkstra's algorithm.
//!
//! Entering any cell but the start costs more than nothing, so a cheapest walk never enters a cell
//! twice, and what Dijkstra's algorithm finds is a legal path.

use super::ground::{Ground, RatedRoute};
use super::route::{Route, RouteMove};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Add;

/// The cheapest paths from the start to all cells, found one cell at a time. A cost is anything that
/// adds up and compares; entering a cell never costs less than nothing.
///
/// It never goes on from the goal. Time O(n log n) for n cells.
#[derive(Clone, Debug)]
pub(super) struct CheapestPaths<C = i128> {
    /// The least cost found so far of getting to each cell.
    least: Vec<Option<C>>,
    /// The last move of such a path.
    last: Vec<Option<RouteMove>>,
    /// Whether `least` is final.
    settled: Vec<bool>,
    frontier: BinaryHeap<Reverse<(C, usize)>>,
    pub expanded: u64,
}

impl<C: Copy + Ord + Default + Add<Output = C>> CheapestPaths<C> {
    pub fn new(ground: &Ground) -> Self {
        let cells = ground.tiles().len();
        let start = ground.start_index();
        let mut least = vec![None; cells];
        least[start] = Some(C::default());
        Self {
            least,
            last: vec![None; cells],
            settled: vec![false; cells],
            frontier: BinaryHeap::from([Reverse((C::default(), start))]),
            expanded: 0,
        }
    }

    /// Settles cells until the goal is settled or nothing is left.
    pub fn to_goal(ground: &Ground, enter: impl Fn(usize) -> C) -> Self {
        let mut paths = Self::new(ground);
        while paths.step(ground, &enter).is_some_and(|at| at != ground.goal_index()) {}
        paths
    }

    /// Settles the next cell and returns it; `None` when all are settled. `enter` is what entering a
    /// cell costs.
    pub fn step(&mut self, ground: &Ground, enter: impl Fn(usize) -> C) -> Option<usize> {
        loop {
            let Reverse((cost, at)) = self.frontier.pop()?;
            if std::mem::replace(&mut self.settled[at], true) {
                continue;
            }
            self.expanded += 1;
            if at != ground.goal_index() {
                for (step, next) in ground.ways(at) {
                    let cost = cost + enter(next);
                    if self.least[next].is_none_or(|least| cost < least) {
                        self.least[next] = Some(cost);
                        self.last[next] = Some(step);
                        self.frontier.push(Reverse((cost, next)));
                    }
                }
            }
            return Some(at);
        }
    }

    pub fn is_settled(&self, at: usize) -> bool {
        self.settled[at]
    }

    pub fn least(&self, at: usize) -> Option<C> {
        self.least[at]
    }

    /// The path found to a cell.
    pub fn route_to(&self, ground: &Ground, at: usize) -> Route {
        let tiles = ground.tiles();
        let mut cell = tiles.cell_at(at);
        let mut moves = Vec::new();
        while let Some(step) = tiles.index_of(cell).and_then(|at| self.last[at]) {
            moves.push(step);
            cell = cell - step.offset();
        }
        moves.reverse();
        Route(moves)
    }
}

/// The best complete path. Proved: every complete path ends at the goal, so only its cost matters,
/// and no path costs less. `None` only if no way leads to the goal.
pub fn best_complete(ground: &Ground) -> Option<RatedRoute> {
    let paths = CheapestPaths::to_goal(ground, |at| ground.weighted_cost(at));
    paths.least(ground.goal_index())?;
    Some(ground.rated(paths.route_to(ground, ground.goal_index())))
}

/// The best legal path of all, with the right to give up anywhere. Proved: for each last cell only
/// the cost matters, and the cheapest path there is known. It bounds every dead end from below.
pub fn best_of_any_end(ground: &Ground) -> RatedRoute {
    let mut paths = CheapestPaths::new(ground);
    while paths.step(ground, |at| ground.weighted_cost(at)).is_some() {}
    let fitness = |at: usize| Some(paths.least(at)? + ground.end_value(at));
    let ends = (0..ground.tiles().len()).filter_map(|at| Some((fitness(at)?, at)));
    let end = ends.min().map_or(ground.start_index(), |(_, at)| at);
    ground.rated(paths.route_to(ground, end))
}

/// For each cell the least weighted cost from there to the goal, the cell itself not counted; `None`
/// where no way leads on to it.
pub fn costs_to_goal(ground: &Ground) -> Vec<Option<i128>> {
    let mut least = vec![None; ground.tiles().len()];
    least[ground.goal_index()] = Some(0);
    spread(ground, &mut least);
    least
}

/// Spreads known values against the direction of moves: a cell is worth no more than entering a
/// neighbour and what the neighbour is worth.
pub(super) fn spread(ground: &Ground, least: &mut [Option<i128>]) {
    let known = least.iter().enumerate().filter_map(|(at, value)| Some(Reverse(((*value)?, at))));
    let mut frontier: BinaryHeap<_> = known.collect();
    while let Some(Reverse((value, at))) = frontier.pop() {
        if least[at].is_none_or(|least| value > least) {
            continue;
        }
        let value = value + ground.weighted_cost(at);
        for (_, before) in ground.ways(at) {
            if before != ground.goal_index() && least[before].is_none_or(|least| value < least) {
                least[before] = Some(value);
                frontier.push(Reverse((value, before)));
            }
        }
    }
}
