//! The best-first family: uniform cost, greedy, A* and weighted A*.

use super::nodes::Nodes;
use super::{Counters, EventKind, Frontier, Heap, MemoryLimit, Observer, Space, Status};

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
    #[inline]
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

/// Best-first search that expands one node per step.
///
/// The order among equal evaluations is that of the [`Frontier`], so the result depends on nothing
/// but the space. Costs are kept below 2³¹.
pub struct BestFirst<S: Space, F = Heap> {
    evaluation: Evaluation,
    nodes: Nodes<S>,
    frontier: F,
    counters: Counters,
    buffer: Vec<super::Edge<S>>,
    /// Only paths that cost less are looked for.
    ceiling: u32,
    full: bool,
}

impl<S: Space> BestFirst<S> {
    /// A search from `start` with a heap and without a limit.
    pub fn new(space: &S, start: S::State, evaluation: Evaluation) -> Self {
        Self::limited(space, start, evaluation, MemoryLimit::default(), &mut ())
    }
}

impl<S: Space, F: Frontier> BestFirst<S, F> {
    /// A search from `start` that gives up where it would take more memory than `limit`.
    pub fn limited(
        space: &S,
        start: S::State,
        evaluation: Evaluation,
        limit: MemoryLimit,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Self {
        let mut search = Self {
            evaluation,
            nodes: Nodes::new(limit),
            frontier: F::default(),
            counters: Counters::default(),
            buffer: Vec::new(),
            ceiling: u32::MAX,
            full: false,
        };
        if let Some(h) = space.heuristic(&start) {
            match search.nodes.add(space.key(&start), start, (0, h), None, || 0) {
                Ok(index) => {
                    let f = evaluation.value(0, h);
                    search.frontier.push(f, h, index, 0);
                    let node = search.nodes.at(index);
                    observer.event(&node.event(EventKind::Generate, index, f, false));
                }
                Err(_) => search.full = true,
            }
        }
        search
    }

    /// Looks only for paths that cost less than this from now on, as in branch and bound; the estimate must be
    /// admissible. If there are none, the search ends as [exhausted](Status::Exhausted).
    pub fn undercut(&mut self, cost: u32) {
        self.ceiling = self.ceiling.min(cost);
    }

    /// The work done so far.
    pub fn counters(&self) -> Counters {
        Counters {
            frontier: self.frontier.len(),
            bytes: self.nodes.bytes() + self.frontier.bytes(),
            ..self.counters
        }
    }

    /// The actions from the start to the node of this id, as observers get them.
    pub fn path_to(&self, id: u32) -> Vec<S::Action> {
        self.nodes.path_to(id)
    }

    /// Expands one node.
    #[inline]
    pub fn step(&mut self, space: &S) -> Status<S::Action> {
        self.step_observed(space, &mut ())
    }

    /// Expands one node and tells the observer what happens.
    #[inline]
    pub fn step_observed(
        &mut self,
        space: &S,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Status<S::Action> {
        let index = loop {
            if self.full {
                return Status::LimitReached;
            }
            match self.frontier.pop() {
                None => return Status::Exhausted,
                Some(index) if !self.nodes.at(index).is_closed() => break index,
                Some(_) => {}
            }
        };
        let node = self.nodes.at_mut(index);
        let (g, h) = (node.g(), node.h);
        node.close();
        if g.saturating_add(h) >= self.ceiling {
            return Status::Running;
        }
        let state = node.state.clone();
        let f = self.evaluation.value(g, h);
        (self.counters.depth, self.counters.f) = (g, f);
        if space.is_goal_of(&state, h) {
            observer.event(&self.nodes.at(index).event(EventKind::Goal, index, f, false));
            return Status::Found { path: self.nodes.path_to(index), cost: g };
        }
        observer.event(&self.nodes.at(index).event(EventKind::Expand, index, f, false));
        self.counters.expanded += 1;
        self.counters.closed += 1;
        let Self { nodes, frontier, counters, buffer, full, evaluation, ceiling } = self;
        space.expand(&state, space.key(&state), buffer, &mut |(action, next, cost), key| {
            counters.generated += 1;
            let g = g.saturating_add(cost);
            match nodes.find(key, &next) {
                Some(known) => {
                    let node = nodes.at_mut(known);
                    if node.g() <= g || g.saturating_add(node.h) >= *ceiling {
                        return;
                    }
                    // Reopening keeps A* correct when the estimate is admissible but inconsistent.
                    counters.closed -= u64::from(node.is_closed());
                    node.set_g(g);
                    (node.parent, node.action) = (index, Some(action));
                    let f = evaluation.value(g, node.h);
                    frontier.push(f, node.h, known, g);
                    observer.event(&node.event(EventKind::Update, known, f, false));
                }
                None => {
                    let Some(h) = space.heuristic_after(h, &action, &next, key) else {
                        return;
                    };
                    if g.saturating_add(h) >= *ceiling {
                        return;
                    }
                    let parent = Some((index, action));
                    match nodes.add(key, next, (g, h), parent, || frontier.bytes()) {
                        Ok(new) => {
                            let f = evaluation.value(g, h);
                            frontier.push(f, h, new, g);
                            observer.event(&nodes.at(new).event(
                                EventKind::Generate,
                                new,
                                f,
                                false,
                            ));
                        }
                        Err(_) => *full = true,
                    }
                }
            }
        });
        observer.event(&self.nodes.at(index).event(EventKind::Close, index, f, false));
        Status::Running
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
}
