//! Best paths among patrols, where the cheapest walk may enter a cell twice.
//!
//! A walk may wait for a guard by going round in circles, which a path must not. So the search begins
//! with walks, and whenever the cheapest one enters cells twice, it starts over and remembers of each
//! walk which of these cells it entered. In the end the cheapest walk is a path, and no path is cheaper,
//! because every path was among the walks all the time. This is the decremental state space relaxation
//! of Righini and Salani (2008), with A* over states of cell, turn and remembered cells.

use super::exact::{Cost, Frontier, known, spread_step};
use super::ground::Ground;
use super::route::{Route, RouteMove};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Cells that can be remembered.
const MOST_REMEMBERED: usize = 64;

/// No cell is remembered under this number.
const FORGOTTEN: u8 = u8::MAX;

/// The cells of which walks remember whether they entered them.
pub(super) struct RememberedCells {
    /// By cell, its bit among the remembered ones.
    bits: Vec<u8>,
    count: u8,
}

impl RememberedCells {
    /// Remembers only the start, which no path enters again.
    pub fn new(ground: &Ground) -> Self {
        let mut cells = Self { bits: vec![FORGOTTEN; ground.tiles().len()], count: 0 };
        cells.add(&[ground.start_index()]);
        cells
    }

    /// Remembers more cells; `false` if there are too many.
    pub fn add(&mut self, cells: &[usize]) -> bool {
        if usize::from(self.count) + cells.len() > MOST_REMEMBERED {
            return false;
        }
        for &cell in cells {
            if self.bits[cell] == FORGOTTEN {
                self.bits[cell] = self.count;
                self.count += 1;
            }
        }
        true
    }

    /// The bit of a cell; 0 if it is not remembered.
    pub fn bit(&self, cell: usize) -> u64 {
        match self.bits[cell] {
            FORGOTTEN => 0,
            bit => 1 << bit,
        }
    }

    /// The cells that a walk enters twice.
    pub fn entered_twice(ground: &Ground, walk: &Route) -> Vec<usize> {
        let cells = walk.cells(ground.start());
        let mut sorted: Vec<usize> =
            cells.iter().filter_map(|&cell| ground.tiles().index_of(cell)).collect();
        sorted.sort_unstable();
        let mut twice: Vec<usize> =
            sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
        twice.dedup();
        twice
    }
}

/// The search for the path with the lowest cost and end value, one step at a time.
pub(super) struct PathSearch<C = i128> {
    /// What ending in each cell adds; `None` where no path may end.
    ends: Vec<Option<C>>,
    /// For each state, the least that any walk from there still adds.
    to_go: Vec<Option<C>>,
    /// States whose `to_go` is still to be spread; empty once it is final.
    spreading: Frontier<C>,
    remembered: RememberedCells,
    labels: Vec<Label<C>>,
    /// The least cost of any walk to a state by its last move with these remembered cells.
    least: HashMap<(u32, Option<RouteMove>, u64), C>,
    /// Walks by the least that they come to, the newest first among equals.
    frontier: BinaryHeap<(Reverse<C>, u32)>,
    /// States settled and walks extended.
    pub expanded: u64,
    limit: u64,
    end: Option<SearchEnd>,
    /// The walk that was extended last, or the one that is the result.
    last: usize,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchEnd {
    /// The best path was found.
    Found,
    /// No path leads to an end.
    None,
    /// Its limit was reached.
    Limit,
}

struct Label<C> {
    state: u32,
    step: Option<RouteMove>,
    parent: u32,
    cost: C,
    /// The remembered cells that it entered.
    entered: u64,
    /// Whether the walk ends here.
    is_end: bool,
}

impl<C: Cost> PathSearch<C> {
    /// A search for paths that end where `end` says so, over at most `limit` walks.
    pub fn new(ground: &Ground, end: impl Fn(usize) -> Option<C>, limit: u64) -> Self {
        let cells = ground.tiles().len();
        let ends: Vec<Option<C>> = (0..cells).map(end).collect();
        let to_go: Vec<Option<C>> =
            (0..ground.states()).map(|state| ends[ground.cell_of(state)]).collect();
        Self {
            ends,
            spreading: known(&to_go),
            to_go,
            remembered: RememberedCells::new(ground),
            labels: Vec::new(),
            least: HashMap::new(),
            frontier: BinaryHeap::new(),
            expanded: 0,
            limit,
            end: None,
            last: 0,
        }
    }

    /// Settles a state or extends a walk; `false` once the search has ended. `enter` is what entering a
    /// state costs.
    pub fn step(&mut self, ground: &Ground, enter: impl Fn(usize) -> C) -> bool {
        if self.end.is_some() {
            return false;
        }
        self.expanded += 1;
        if spread_step(ground, &mut self.to_go, &mut self.spreading, &enter) {
            return true;
        }
        if self.labels.is_empty() {
            self.begin(ground);
        }
        let Some((_, label)) = self.frontier.pop() else {
            self.end = Some(SearchEnd::None);
            return false;
        };
        self.last = label as usize;
        if self.labels[self.last].is_end {
            self.finish(ground);
        } else if self.labels.len() as u64 >= self.limit {
            self.end = Some(SearchEnd::Limit);
        } else {
            self.extend(ground, enter);
        }
        self.end.is_none()
    }

    /// The best path if it was found, and whether the search has proved that it is the best, or that
    /// there is none.
    pub fn result(&self, ground: &Ground) -> (Option<Route>, bool) {
        let is_found = self.end == Some(SearchEnd::Found);
        (is_found.then(|| self.route(ground)), is_found || self.end == Some(SearchEnd::None))
    }

    /// How the search ended, once it has.
    pub fn end(&self) -> Option<SearchEnd> {
        self.end
    }

    /// For each state the least that any walk from there still adds; final once no state is settled
    /// any more.
    pub fn to_go(&self) -> &[Option<C>] {
        &self.to_go
    }

    /// The best path once it was found, before that a legal beginning of a promising walk.
    pub fn route(&self, ground: &Ground) -> Route {
        let mut route = self.walk();
        let cells = route.cells(ground.start());
        let again = (1..cells.len()).find(|&at| cells[..at].contains(&cells[at]));
        if let Some(again) = again {
            route.0.truncate(again - 1);
        }
        route
    }

    fn walk(&self) -> Route {
        let mut moves = Vec::new();
        let mut label = self.labels.get(self.last);
        while let Some((step, before)) = label.and_then(|label| Some((label.step?, label.parent))) {
            moves.push(step);
            label = self.labels.get(before as usize);
        }
        moves.reverse();
        Route(moves)
    }

    /// Starts over with the walk that has not left yet.
    fn begin(&mut self, ground: &Ground) {
        self.labels.clear();
        self.least.clear();
        self.frontier.clear();
        let start = ground.start_index();
        let Some(to_go) = self.to_go[start] else { return };
        self.labels.push(Label {
            state: start as u32,
            step: None,
            parent: 0,
            cost: C::default(),
            entered: self.remembered.bit(start),
            is_end: false,
        });
        self.frontier.push((Reverse(to_go), 0));
    }

    /// Takes the walk that ends as the result, or remembers the cells that it enters twice.
    fn finish(&mut self, ground: &Ground) {
        let twice = RememberedCells::entered_twice(ground, &self.walk());
        if twice.is_empty() {
            self.end = Some(SearchEnd::Found);
        } else if !self.remembered.add(&twice) {
            self.end = Some(SearchEnd::Limit);
        } else {
            self.limit = self.limit.saturating_sub(self.labels.len() as u64);
            self.begin(ground);
        }
    }

    fn extend(&mut self, ground: &Ground, enter: impl Fn(usize) -> C) {
        let Label { state, step: before, cost, entered, .. } = self.labels[self.last];
        let key = (state, before, entered);
        if self.least.get(&key).is_some_and(|&least| least < cost) {
            return;
        }
        let at = ground.cell_of(state as usize);
        if let Some(end) = self.ends[at] {
            let label = Label { is_end: true, ..self.labels[self.last] };
            self.push(label, cost + end);
        }
        if at == ground.goal_index() {
            return;
        }
        for (step, next) in ground.ways_from(state as usize) {
            let bit = self.remembered.bit(ground.cell_of(next));
            // Straight back never leads to a path.
            if entered & bit != 0 || before == Some(step.back()) {
                continue;
            }
            let Some(to_go) = self.to_go[next] else { continue };
            let label = Label {
                state: next as u32,
                step: Some(step),
                parent: self.last as u32,
                cost: cost + enter(next),
                entered: entered | bit,
                is_end: false,
            };
            let key = (label.state, label.step, label.entered);
            if self.least.get(&key).is_none_or(|&least| label.cost < least) {
                self.least.insert(key, label.cost);
                let value = label.cost + to_go;
                self.push(label, value);
            }
        }
    }

    fn push(&mut self, label: Label<C>, value: C) {
        self.frontier.push((Reverse(value), self.labels.len() as u32));
        self.labels.push(label);
    }
}
