//! Graph search over a frontier: breadth-first, depth-first, and the best-first family.

use super::nodes::{Node, Nodes};
use super::{
    Counters, Edge, EventKind, Frontier, Heap, MemoryLimit, Observer, Order, Queue, Space, Stack,
    Status, TieHeap, Ties,
};

/// What a priority queue orders nodes by, `g` being the cost so far and `h` the estimate to go.
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
        let g = u64::from(g);
        let h = u64::from(h);
        match self {
            Evaluation::UniformCost => g,
            Evaluation::Greedy => h,
            Evaluation::AStar => g + h,
            Evaluation::Weighted(w) => g + u64::from(w) * h,
        }
    }
}

/// Graph search that expands one node per step.
///
/// The [`Frontier`] chooses the node to expand: a [`Queue`] makes the search breadth-first, a
/// [`Stack`] depth-first, and a priority queue best-first by an [`Evaluation`]. So the result
/// depends on nothing but the space. Costs are kept below 2³⁰.
///
/// Another path to a known state replaces the first one only if it lowers the evaluation, and a state
/// that was expanded then returns to the frontier, as in the basic best-first strategy of Pearl
/// (Heuristics, 1984). So A* may expand a state again where the estimate is not consistent, and
/// weighted A* anywhere. Greedy search never does, since no path changes an estimate: it keeps the
/// first path to each state.
pub struct GraphSearch<S: Space, F = Heap> {
    evaluation: Evaluation,
    nodes: Nodes<S>,
    frontier: F,
    counters: Counters,
    buffer: Vec<Edge<S>>,
    /// Only paths that cost less are looked for.
    ceiling: u32,
    /// Nodes are expanded only at less depth.
    bound: u32,
    /// Whether the bound left a node out.
    cut: bool,
    full: bool,
}

impl<S: Space> GraphSearch<S> {
    /// Best-first search from `start` with a heap and without a limit.
    pub fn new(space: &S, start: S::State, evaluation: Evaluation) -> Self {
        Self::best_first(space, start, evaluation, MemoryLimit::default(), &mut ())
    }
}

impl<S: Space> GraphSearch<S, Queue> {
    /// Breadth-first search from all `starts` at once: the path that it finds has the fewest edges,
    /// whatever they cost.
    pub fn breadth_first(
        space: &S,
        starts: impl IntoIterator<Item = S::State>,
        limit: MemoryLimit,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Self {
        Self::begin(space, starts, Evaluation::UniformCost, Queue::default(), limit, observer)
    }
}

impl<S: Space> GraphSearch<S, Stack> {
    /// Depth-first search from `start` down to paths of `bound` edges, whatever they cost.
    ///
    /// No state is expanded twice, so it ends on every finite space; the paths it finds are long.
    /// Nothing is expanded at the depth bound: if that cut something off and no goal was found, the
    /// end is [`Status::LimitReached`].
    pub fn depth_first(
        space: &S,
        start: S::State,
        bound: u32,
        limit: MemoryLimit,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Self {
        let evaluation = Evaluation::UniformCost;
        let frontier = Stack::default();
        let search = Self::begin(space, [start], evaluation, frontier, limit, observer);
        Self { bound, ..search }
    }
}

impl<S: Space> GraphSearch<S, TieHeap> {
    /// Like [`best_first`](Self::best_first), and of nodes of the same evaluation it expands the one first that
    /// `ties` says.
    pub fn breaking_ties(
        space: &S,
        start: S::State,
        evaluation: Evaluation,
        ties: Ties,
        limit: MemoryLimit,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Self {
        Self::begin(space, [start], evaluation, TieHeap::new(ties), limit, observer)
    }
}

impl<S: Space, F: Frontier> GraphSearch<S, F> {
    /// Otherwise every edge counts 1 and nothing is estimated.
    const IS_BEST_FIRST: bool = matches!(F::ORDER, Order::LeastEvaluation);

    /// Best-first search from `start` that gives up where it would take more memory than `limit`.
    pub fn best_first(
        space: &S,
        start: S::State,
        evaluation: Evaluation,
        limit: MemoryLimit,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Self {
        Self::begin(space, [start], evaluation, F::default(), limit, observer)
    }

    fn begin(
        space: &S,
        starts: impl IntoIterator<Item = S::State>,
        evaluation: Evaluation,
        frontier: F,
        limit: MemoryLimit,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Self {
        let mut search = Self {
            evaluation,
            nodes: Nodes::new(limit),
            frontier,
            counters: Counters::default(),
            buffer: Vec::new(),
            ceiling: u32::MAX,
            bound: u32::MAX,
            cut: false,
            full: false,
        };
        for state in starts {
            let key = space.key(&state);
            let h = if Self::IS_BEST_FIRST { space.heuristic(&state) } else { Some(0) };
            if let Some(h) = h
                && search.nodes.find(key, &state).is_none()
            {
                search.generate(key, state, (0, h), None, observer);
            }
        }
        search
    }

    /// Looks only for paths that cost less than this from now on, as in branch and bound; the estimate must be
    /// admissible. If there are none, the search ends as [exhausted](Status::Exhausted). Greedy and depth-first
    /// search may miss such a path, since they do not keep the cheapest one to each state.
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

    /// The actions from a start to the node of this id, as observers get them.
    pub fn path_to(&self, id: u32) -> Vec<S::Action> {
        self.nodes.path_to(id)
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
        if self.full {
            return Status::LimitReached;
        }
        let index = loop {
            let Some(index) = self.frontier.pop() else {
                return if self.cut { Status::LimitReached } else { Status::Exhausted };
            };
            let node = self.nodes.at(index);
            if node.is_closed() {
                continue;
            }
            if node.g() < self.bound || Self::is_goal(space, node) {
                break index;
            }
            self.cut = true;
        };
        let node = self.nodes.at_mut(index);
        let g = node.g();
        let h = node.h;
        node.close();
        if g.saturating_add(h) >= self.ceiling {
            self.counters.closed += 1;
            return Status::Running;
        }
        let f = self.evaluation.value(g, h);
        (self.counters.depth, self.counters.f) = (g, f);
        if Self::is_goal(space, node) {
            observer.event(&node.event(EventKind::Goal, index, f, false));
            return Status::Found { path: self.nodes.path_to(index), cost: g };
        }
        observer.event(&node.event(EventKind::Expand, index, f, false));
        self.counters.expanded += 1;
        self.counters.expanded_again += u64::from(node.is_expanded());
        self.counters.closed += 1;
        node.set_expanded();
        let state = node.state.clone();
        let mut buffer = std::mem::take(&mut self.buffer);
        space.expand(&state, space.key(&state), &mut buffer, &mut |edge, key| {
            self.reach(space, (index, g, h), edge, key, observer);
        });
        self.buffer = buffer;
        self.counters.largest_frontier = self.counters.largest_frontier.max(self.frontier.len());
        observer.event(&self.nodes.at(index).event(EventKind::Close, index, f, false));
        Status::Running
    }

    #[inline]
    fn is_goal(space: &S, node: &Node<S>) -> bool {
        if Self::IS_BEST_FIRST {
            space.is_goal_of(&node.state, node.h)
        } else {
            space.is_goal(&node.state)
        }
    }

    /// Follows an edge out of the node of an index, cost and estimate. `key` is that of where it leads.
    #[inline]
    fn reach(
        &mut self,
        space: &S,
        (from, g, h): (u32, u32, u32),
        (action, next, cost): Edge<S>,
        key: u64,
        observer: &mut impl Observer<S::State, S::Action>,
    ) {
        self.counters.generated += 1;
        let g = g.saturating_add(if Self::IS_BEST_FIRST { cost } else { 1 });
        let Some(known) = self.nodes.find(key, &next) else {
            let h = if Self::IS_BEST_FIRST {
                space.heuristic_after(h, &action, &next, key)
            } else {
                Some(0)
            };
            if let Some(h) = h
                && g.saturating_add(h) < self.ceiling
            {
                self.generate(key, next, (g, h), Some((from, action)), observer);
            }
            return;
        };
        let node = self.nodes.at_mut(known);
        let f = self.evaluation.value(g, node.h);
        let is_better = match F::ORDER {
            Order::FirstFound => false,
            // A node that waits is entered from the deepest place that leads to it.
            Order::LastFound => !node.is_closed(),
            Order::LeastEvaluation => f < self.evaluation.value(node.g(), node.h),
        };
        if is_better && g.saturating_add(node.h) < self.ceiling {
            self.counters.closed -= u64::from(node.is_closed());
            node.reopen(g);
            (node.parent, node.action) = (from, Some(action));
            self.frontier.push(f, node.h, known, g);
            observer.event(&node.event(EventKind::Update, known, f, false));
        }
    }

    /// Adds a state that was reached for the first time.
    #[inline]
    fn generate(
        &mut self,
        key: u64,
        state: S::State,
        (g, h): (u32, u32),
        parent: Option<(u32, S::Action)>,
        observer: &mut impl Observer<S::State, S::Action>,
    ) {
        match self.nodes.add(key, state, (g, h), parent, || self.frontier.bytes()) {
            Ok(new) => {
                let f = self.evaluation.value(g, h);
                self.frontier.push(f, h, new, g);
                observer.event(&self.nodes.at(new).event(EventKind::Generate, new, f, false));
            }
            Err(_) => self.full = true,
        }
    }
}
