//! Exact optima: least costs by Dijkstra's algorithm.
//!
//! Entering any cell but the start costs more than nothing, so a cheapest walk never enters a cell
//! twice, and what Dijkstra's algorithm finds is a legal path. Among patrols that does not hold, because
//! a detour may let a guard pass: there the search over simple paths takes over.

use super::ground::{Ground, RatedRoute};
use super::route::{Route, RouteMove};
use super::simple_path::PathSearch;
use outwit_core::play::Clock;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Add;

/// What adds up along a path and compares. Entering a cell never costs less than the default, nothing.
pub(super) trait Cost: Copy + Ord + Default + Add<Output = Self> {}

impl<C: Copy + Ord + Default + Add<Output = C>> Cost for C {}

/// The cheapest paths from the start to all cells of a level without patrols, found one cell at a time.
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

impl<C: Cost> CheapestPaths<C> {
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

/// Walks that a search among patrols may extend before it gives up.
pub const MOST_WALKS: u64 = 300_000;

/// What a search for the best path found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestPath {
    /// The best path, if there is one and it was found.
    pub best: Option<RatedRoute>,
    /// Whether the search ended: then no path is better, or there is none. Always so without patrols.
    pub is_proved: bool,
}

/// The path to the goal with the lowest cost. Proved: every complete path ends at the goal, so only its
/// cost matters, and no path costs less. `None` if no legal path leads to the goal or, among patrols, if
/// the search reached its limit: see [`search_complete`].
pub fn best_complete(ground: &Ground) -> Option<RatedRoute> {
    search_complete(ground, MOST_WALKS).best
}

/// Searches for the best complete path; among patrols over at most `walks` walks.
pub fn search_complete(ground: &Ground, walks: u64) -> BestPath {
    search_complete_within(ground, walks, &Clock::unlimited())
}

/// The same as long as the clock allows; one unit of work is a state settled or a walk extended.
pub fn search_complete_within(ground: &Ground, walks: u64, clock: &Clock) -> BestPath {
    let (route, is_proved) =
        cheapest_to_goal(ground, |state| ground.weighted_cost(state), walks, clock);
    BestPath { best: route.map(|route| ground.rated(route)), is_proved }
}

/// The path to the goal for which the costs of its states add up to the least, if there is one and it
/// was found, and whether that is proved.
pub(super) fn cheapest_to_goal<C: Cost>(
    ground: &Ground,
    enter: impl Fn(usize) -> C,
    walks: u64,
    clock: &Clock,
) -> (Option<Route>, bool) {
    let goal = ground.goal_index();
    if ground.period() > 1 {
        let mut search = PathSearch::new(ground, |at| (at == goal).then(C::default), walks);
        while clock.take(1) && search.step(ground, &enter) {}
        return search.result(ground);
    }
    let mut paths = CheapestPaths::new(ground);
    loop {
        if !clock.take(1) {
            return (None, false);
        }
        if paths.step(ground, &enter).is_none_or(|at| at == goal) {
            return (paths.least(goal).map(|_| paths.route_to(ground, goal)), true);
        }
    }
}

/// The best legal path of all, with the right to give up anywhere. Proved: for each last cell only
/// the cost matters, and the cheapest path there is known. It bounds every dead end from below. `None`
/// only among patrols, if the search reached its limit.
pub fn best_of_any_end(ground: &Ground) -> Option<RatedRoute> {
    best_of_any_end_within(ground, &Clock::unlimited())
}

/// The same as long as the clock allows, `None` after that; one unit of work is a state settled or a walk
/// extended.
pub fn best_of_any_end_within(ground: &Ground, clock: &Clock) -> Option<RatedRoute> {
    let enter = |state: usize| ground.weighted_cost(state);
    if ground.period() > 1 {
        let is_open = |at: usize| !ground.tiles().as_slice()[at].is_closed();
        let mut search = PathSearch::new(
            ground,
            |at: usize| is_open(at).then(|| ground.end_value(at)),
            MOST_WALKS,
        );
        while clock.take(1) && search.step(ground, enter) {}
        return search.result(ground).0.map(|route| ground.rated(route));
    }
    let mut paths = CheapestPaths::new(ground);
    loop {
        if !clock.take(1) {
            return None;
        }
        if paths.step(ground, enter).is_none() {
            break;
        }
    }
    let fitness = |at: usize| Some(paths.least(at)? + ground.end_value(at));
    let ends = (0..ground.tiles().len()).filter_map(|at| Some((fitness(at)?, at)));
    let end = ends.min().map_or(ground.start_index(), |(_, at)| at);
    Some(ground.rated(paths.route_to(ground, end)))
}

/// For each state the least that a walk from there to the goal adds up to, the state itself not counted;
/// `None` where no way leads on to it. `enter` is what entering a state costs.
pub(super) fn costs_to_goal<C: Cost>(
    ground: &Ground,
    enter: impl Fn(usize) -> C,
) -> Vec<Option<C>> {
    let is_goal = |state: usize| ground.cell_of(state) == ground.goal_index();
    let mut least: Vec<Option<C>> =
        (0..ground.states()).map(|state| is_goal(state).then(C::default)).collect();
    let mut frontier = known(&least);
    while spread_step(ground, &mut least, &mut frontier, &enter) {}
    least
}

/// Spreads known values of states against the direction of moves: a state is worth no more than
/// entering one after it and what that one is worth.
pub(super) fn spread(ground: &Ground, least: &mut [Option<i128>]) {
    let mut frontier = known(least);
    while spread_step(ground, least, &mut frontier, |state| ground.weighted_cost(state)) {}
}

/// States by their value, the least first.
pub(super) type Frontier<C> = BinaryHeap<Reverse<(C, usize)>>;

/// The states whose value is known.
pub(super) fn known<C: Cost>(least: &[Option<C>]) -> Frontier<C> {
    let values = least.iter().enumerate();
    values.filter_map(|(state, value)| Some(Reverse(((*value)?, state)))).collect()
}

/// Spreads the least value that was not spread before; `false` if there is none.
pub(super) fn spread_step<C: Cost>(
    ground: &Ground,
    least: &mut [Option<C>],
    frontier: &mut Frontier<C>,
    enter: impl Fn(usize) -> C,
) -> bool {
    let Some(Reverse((value, state))) = frontier.pop() else { return false };
    if least[state].is_none_or(|least| value <= least) {
        let value = value + enter(state);
        for before in ground.ways_to(state) {
            let is_end = ground.cell_of(before) == ground.goal_index();
            if !is_end && least[before].is_none_or(|least| value < least) {
                least[before] = Some(value);
                frontier.push(Reverse((value, before)));
            }
        }
    }
    true
}
