//! The Pareto front of length against exposure.

use super::exact::costs_to_goal;
use super::ground::Ground;
use super::route::{Route, RouteMove};
use super::simple_path::RememberedCells;
use outwit_core::play::Clock;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// A complete path that no other beats in both length and exposure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrontPoint {
    /// The path; its length is its number of moves.
    pub route: Route,
    /// What the guards add to its cost, in units of the [`Ground`].
    pub exposure: i128,
}

/// The Pareto front of complete paths, from the shortest to the least exposed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Front {
    /// For each length on the front a path with the least exposure, proved.
    pub points: Vec<FrontPoint>,
    /// Whether no longer path is less exposed than the last of them. Always so without patrols, if no
    /// clock ended the search.
    pub is_complete: bool,
}

/// Walks that a search among patrols may keep before it gives up.
const MOST_LABELS: usize = 500_000;

/// The front of length against exposure; among patrols within a limit of time and memory.
///
/// By bi-objective A* (Hernández et al. 2020) over walks: they are extended in the order of the length,
/// then the exposure, that any way from there to the goal comes to at least, so the points are found from
/// the shortest on. A walk is dropped if one of no greater length and exposure came to the same state.
///
/// A walk that enters a cell twice is never on the front without patrols: without the loop it is shorter
/// and no more exposed. Among patrols it may be, though it is no path. Then the search starts over and
/// remembers these cells, as the search for the best path does; the points found until then stay valid.
pub fn length_exposure_front(ground: &Ground) -> Front {
    length_exposure_front_within(ground, &Clock::unlimited())
}

/// The same as long as the clock allows; one unit of work is a state settled or a walk extended.
pub fn length_exposure_front_within(ground: &Ground, clock: &Clock) -> Front {
    front_within(ground, if ground.period() > 1 { MOST_LABELS } else { usize::MAX }, clock)
}

/// The same, keeping at most so many walks.
pub(super) fn front_within(ground: &Ground, most_labels: usize, clock: &Clock) -> Front {
    if !clock.take(2 * ground.states() as u64) {
        return Front { points: Vec::new(), is_complete: false };
    }
    let mut search = FrontSearch {
        moves_left: costs_to_goal(ground, |_| 1),
        exposure_left: costs_to_goal(ground, |state| ground.state_exposure(state)),
        ground,
        remembered: RememberedCells::new(ground),
        points: Vec::new(),
        labels: Vec::new(),
        frontier: BinaryHeap::new(),
        closed: HashMap::new(),
    };
    let mut labels_left = most_labels;
    let is_complete = loop {
        match search.run(labels_left, clock) {
            SearchEnd::Done => break true,
            SearchEnd::Limit => break false,
            SearchEnd::Twice(cells) if !search.remembered.add(&cells) => break false,
            SearchEnd::Twice(_) => labels_left = labels_left.saturating_sub(search.labels.len()),
        }
    };
    Front { points: search.points, is_complete }
}

/// A walk from the start.
struct Label {
    state: usize,
    step: Option<RouteMove>,
    parent: usize,
    length: u32,
    exposure: i128,
    /// The remembered cells that it entered.
    entered: u64,
}

enum SearchEnd {
    /// All points were found.
    Done,
    /// Too many walks, or the clock is over.
    Limit,
    /// The next point would be a walk that enters these cells twice.
    Twice(Vec<usize>),
}

/// The least length and exposure that a walk comes to at the goal, and its number.
type Promise = Reverse<(u32, i128, usize)>;

/// A state and, among patrols, the last move, because no path goes straight back.
type Key = (usize, Option<RouteMove>);

struct FrontSearch<'a> {
    ground: &'a Ground,
    /// By state, the least number of moves to the goal.
    moves_left: Vec<Option<u32>>,
    /// By state, the least exposure on the way to the goal.
    exposure_left: Vec<Option<i128>>,
    remembered: RememberedCells,
    points: Vec<FrontPoint>,
    labels: Vec<Label>,
    frontier: BinaryHeap<Promise>,
    /// The walks that were extended: remembered cells and exposure.
    closed: HashMap<Key, Vec<(u64, i128)>>,
}

impl FrontSearch<'_> {
    /// Searches from the start with the cells that are remembered now.
    fn run(&mut self, most_labels: usize, clock: &Clock) -> SearchEnd {
        self.labels.clear();
        self.frontier.clear();
        self.closed.clear();
        let start = self.ground.start_index();
        let entered = self.remembered.bit(start);
        self.push(Label { state: start, step: None, parent: 0, length: 0, exposure: 0, entered });
        while let Some(Reverse((_, least, number))) = self.frontier.pop() {
            let label = &self.labels[number];
            if !self.is_less_exposed(least) || self.is_dominated(label) {
                continue;
            }
            if self.ground.cell_of(label.state) == self.ground.goal_index() {
                let route = self.walk(number);
                let twice = RememberedCells::entered_twice(self.ground, &route);
                if !twice.is_empty() {
                    return SearchEnd::Twice(twice);
                }
                self.points.push(FrontPoint { route, exposure: label.exposure });
                continue;
            }
            if self.labels.len() >= most_labels || !clock.take(1) {
                return SearchEnd::Limit;
            }
            self.extend(number);
        }
        SearchEnd::Done
    }

    /// Whether this exposure is less than that of every point so far.
    fn is_less_exposed(&self, exposure: i128) -> bool {
        self.points.last().is_none_or(|point| exposure < point.exposure)
    }

    fn key(&self, label: &Label) -> Key {
        (label.state, label.step.filter(|_| self.ground.period() > 1))
    }

    /// Whether a walk that was extended before is as good and free to go wherever this one is.
    fn is_dominated(&self, label: &Label) -> bool {
        let walks = self.closed.get(&self.key(label)).map_or(&[][..], Vec::as_slice);
        walks
            .iter()
            .any(|&(entered, exposure)| entered & !label.entered == 0 && exposure <= label.exposure)
    }

    fn extend(&mut self, number: usize) {
        let Label { state, step: before, length, exposure, entered, .. } = self.labels[number];
        let key = self.key(&self.labels[number]);
        let walks = self.closed.entry(key).or_default();
        walks.retain(|walk| walk.0 != entered);
        walks.push((entered, exposure));
        let ground = self.ground;
        for (step, next) in ground.ways_from(state) {
            let bit = self.remembered.bit(ground.cell_of(next));
            if entered & bit != 0 || before == Some(step.back()) {
                continue;
            }
            self.push(Label {
                state: next,
                step: Some(step),
                parent: number,
                length: length + 1,
                exposure: exposure + ground.state_exposure(next),
                entered: entered | bit,
            });
        }
    }

    /// Keeps a walk that may lead to a further point.
    fn push(&mut self, label: Label) {
        let state = label.state;
        let (Some(moves), Some(exposure)) = (self.moves_left[state], self.exposure_left[state])
        else {
            return;
        };
        let moves = label.length + moves;
        let exposure = label.exposure + exposure;
        if self.is_less_exposed(exposure) && !self.is_dominated(&label) {
            self.frontier.push(Reverse((moves, exposure, self.labels.len())));
            self.labels.push(label);
        }
    }

    fn walk(&self, number: usize) -> Route {
        let mut moves = Vec::new();
        let mut label = &self.labels[number];
        while let Some(step) = label.step {
            moves.push(step);
            label = &self.labels[label.parent];
        }
        moves.reverse();
        Route(moves)
    }
}

#[cfg(test)]
mod tests;
