//! The Pareto front of length against exposure.

use super::ground::Ground;
use super::route::{Route, RouteMove};

/// A complete path that no other beats in both length and exposure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrontPoint {
    /// The path; its length is its number of moves.
    pub route: Route,
    /// What the guards add to its cost, in units of the [`Ground`].
    pub exposure: i128,
}

/// The Pareto front of complete paths, from the shortest to the least exposed: for each length on it
/// the least exposure, proved.
///
/// By dynamic programming over (number of moves, cell) with walks. A walk that enters a cell twice is
/// never on the front: without the loop it is shorter and no more exposed. Among patrols that does not
/// hold: there only those lengths are given whose least exposed walk is a path and less exposed than all
/// shorter walks. They are on the front, but others may be missing. Time and memory O(n·m) for n
/// cells and m moves of the longest path on the front.
pub fn length_exposure_front(ground: &Ground) -> Vec<FrontPoint> {
    let cells = ground.tiles().len();
    let goal = ground.goal_index();
    let mut least: Vec<Option<i128>> = vec![None; cells];
    least[ground.start_index()] = Some(0);
    let mut shorter: Option<i128> = None;
    // How the best walk of each length enters each cell.
    let mut entered: Vec<Vec<Option<RouteMove>>> = Vec::new();
    let mut front: Vec<FrontPoint> = Vec::new();
    let lowest = lowest_exposure(ground);
    for length in 1..cells {
        let mut next: Vec<Option<i128>> = vec![None; cells];
        let mut moves = vec![None; cells];
        for (at, exposure) in least.iter().enumerate() {
            let Some(exposure) = exposure.filter(|_| at != goal) else { continue };
            for (step, state) in ground.ways_from(ground.state(at, length - 1)) {
                let exposure = exposure + ground.state_exposure(state);
                let to = ground.cell_of(state);
                if next[to].is_none_or(|least| exposure < least) {
                    next[to] = Some(exposure);
                    moves[to] = Some(step);
                }
            }
        }
        entered.push(moves);
        least = next;
        if let Some(exposure) = least[goal]
            && shorter.is_none_or(|least| exposure < least)
        {
            shorter = Some(exposure);
            let route = walked(ground, &entered, length);
            if ground.period() == 1 || ground.check(&route).is_ok() {
                front.push(FrontPoint { route, exposure });
            }
            if Some(exposure) == lowest {
                break;
            }
        }
    }
    front
}

/// The walk to the goal that the last layer ends.
fn walked(ground: &Ground, entered: &[Vec<Option<RouteMove>>], length: usize) -> Route {
    let mut cell = ground.goal();
    let mut moves = Vec::with_capacity(length);
    for layer in entered[..length].iter().rev() {
        let Some(step) = ground.tiles().index_of(cell).and_then(|at| layer[at]) else { break };
        moves.push(step);
        cell = cell - step.offset();
    }
    moves.reverse();
    Route(moves)
}

/// The least exposure of any way to the goal.
fn lowest_exposure(ground: &Ground) -> Option<i128> {
    use std::cmp::Reverse;
    let mut least: Vec<Option<i128>> = vec![None; ground.states()];
    let mut frontier = std::collections::BinaryHeap::from([Reverse((0, ground.start_index()))]);
    while let Some(Reverse((exposure, state))) = frontier.pop() {
        if ground.cell_of(state) == ground.goal_index() {
            return Some(exposure);
        }
        if least[state].is_some() {
            continue;
        }
        least[state] = Some(exposure);
        for (_, next) in ground.ways_from(state) {
            frontier.push(Reverse((exposure + ground.state_exposure(next), next)));
        }
    }
    None
}
