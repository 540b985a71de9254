//! The best-first family: uniform cost, greedy, A* and weighted A*.

use super::{Counters, Space, Status};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// What the frontier is ordered by, `g` being the cost so far and `h` the estimate to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// f = g (Dijkstra).
    UniformCost,
    /// f = h (greedy best-first; finds a path, not the cheapest).
    Greedy,
    /// f = g + h (Hart, Nilsson and Raphael 1968).
    AStar,
    /// f = g + w·h with this integer w; the path costs at most w times the cheapest (Pohl 1970).
    Weighted(u32),
}

impl Evaluation {
    fn value(self, g: u32, h: u32) -> u64 {
        let (g, h) = (u64::from(g), u64::from(h));
        match self {
            Evaluation::UniformCost => g,
            Evaluation::Greedy => h,
            Evaluation::AStar => g + h,
            Evaluation::Weighted(w) => g + u64::from(w) * h,
        }
    }
}

struct Node<S, A> {
    state: S,
    g: u32,
    parent: Option<(usize, A)>,
    closed: bool,
}

/// Best-first search that expands one node per step.
///
/// Among equal evaluations the smaller estimate and then the earlier node comes first, so the
/// result depends on nothing but the space.
pub struct BestFirst<S: Space> {
    evaluation: Evaluation,
    nodes: Vec<Node<S::State, S::Action>>,
    known: HashMap<S::State, usize>,
    frontier: BinaryHeap<Reverse<(u64, u32, usize, u32)>>,
    counters: Counters,
    buffer: Vec<(S::Action, S::State, u32)>,
}

impl<S: Space> BestFirst<S> {
    /// A search from `start`.
    pub fn new(space: &S, start: S::State, evaluation: Evaluation) -> Self {
        let mut search = Self {
            evaluation,
            nodes: Vec::new(),
            known: HashMap::new(),
            frontier: BinaryHeap::new(),
            counters: Counters::default(),
            buffer: Vec::new(),
        };
        search.reach(space, start, 0, None);
        search
    }

    /// The work done so far.
    pub fn counters(&self) -> Counters {
        Counters { frontier: self.frontier.len(), ..self.counters }
    }

    /// Expands one node.
    pub fn step(&mut self, space: &S) -> Status<S::Action> {
        loop {
            let Some(Reverse((_, _, index, g))) = self.frontier.pop() else {
                return Status::Exhausted;
            };
            let node = &mut self.nodes[index];
            if node.closed || node.g != g {
                continue;
            }
            node.closed = true;
            if space.is_goal(&node.state) {
                return Status::Found { path: self.path_to(index), cost: g };
            }
            let mut buffer = std::mem::take(&mut self.buffer);
            space.successors(&self.nodes[index].state, &mut buffer);
            self.counters.expanded += 1;
            self.counters.generated += buffer.len() as u64;
            for (action, state, cost) in buffer.drain(..) {
                self.reach(space, state, g.saturating_add(cost), Some((index, action)));
            }
            self.buffer = buffer;
            return Status::Running;
        }
    }

    /// Expands nodes until the search ends.
    pub fn run(&mut self, space: &S) -> Status<S::Action> {
        loop {
            match self.step(space) {
                Status::Running => {}
                end => return end,
            }
        }
    }

    fn reach(&mut self, space: &S, state: S::State, g: u32, parent: Option<(usize, S::Action)>) {
        let known = self.known.get(&state).copied();
        if let Some(index) = known
            && self.nodes[index].g <= g
        {
            return;
        }
        let Some(h) = space.heuristic(&state) else { return };
        let index = match known {
            Some(index) => {
                // Reopening keeps A* correct when the heuristic is admissible but not consistent.
                let node = &mut self.nodes[index];
                (node.g, node.parent, node.closed) = (g, parent, false);
                index
            }
            None => {
                self.known.insert(state.clone(), self.nodes.len());
                self.nodes.push(Node { state, g, parent, closed: false });
                self.nodes.len() - 1
            }
        };
        self.frontier.push(Reverse((self.evaluation.value(g, h), h, index, g)));
    }

    fn path_to(&self, mut index: usize) -> Vec<S::Action> {
        let mut path = Vec::new();
        while let Some((parent, action)) = &self.nodes[index].parent {
            path.push(action.clone());
            index = *parent;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, FOUR, Grid, UNREACHED, distances};
    use proptest::prelude::*;

    struct Maze {
        open: Grid<bool>,
        goal: Cell,
    }

    impl Space for Maze {
        type State = Cell;
        type Action = Cell;
        fn successors(&self, state: &Cell, out: &mut Vec<(Cell, Cell, u32)>) {
            for step in FOUR {
                let next = *state + step;
                if self.open.get(next) == Some(&true) {
                    out.push((step, next, 1));
                }
            }
        }
        fn is_goal(&self, state: &Cell) -> bool {
            *state == self.goal
        }
        fn heuristic(&self, state: &Cell) -> Option<u32> {
            Some(state.manhattan(self.goal) as u32)
        }
    }

    proptest! {
        #[test]
        fn agrees_with_a_flood_fill(cells in prop::collection::vec(prop::bool::weighted(0.7), 64)) {
            let open = Grid::from_fn(8, 8, |c| cells[(c.y * 8 + c.x) as usize]);
            let (start, goal) = (Cell::new(0, 0), Cell::new(7, 7));
            let truth = distances(&open, [start], &FOUR, |_, &o| o)[goal];
            let maze = Maze { open, goal };
            for evaluation in [
                Evaluation::UniformCost, Evaluation::AStar, Evaluation::Greedy, Evaluation::Weighted(3),
            ] {
                match BestFirst::new(&maze, start, evaluation).run(&maze) {
                    Status::Found { path, cost } => {
                        prop_assert_eq!(path.len() as u32, cost);
                        prop_assert_eq!(path.iter().fold(start, |c, &s| c + s), goal);
                        prop_assert!(cost >= truth);
                        if matches!(evaluation, Evaluation::UniformCost | Evaluation::AStar) {
                            prop_assert_eq!(cost, truth);
                        }
                        if let Evaluation::Weighted(w) = evaluation {
                            prop_assert!(cost <= w * truth);
                        }
                    }
                    Status::Exhausted => prop_assert_eq!(truth, UNREACHED),
                    Status::Running => prop_assert!(false, "run never stops while running"),
                }
            }
        }
    }
}
