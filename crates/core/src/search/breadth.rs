//! Breadth-first search over hashed states.

use super::nodes::Nodes;
use super::{Counters, EventKind, MemoryLimit, Observer, Space, Status};

/// Breadth-first search that expands one node per step and ignores costs.
///
/// Nodes are stored in the order in which they are expanded, so there is no queue beside them.
pub struct BreadthFirst<S: Space> {
    nodes: Nodes<S>,
    next: u32,
    counters: Counters,
    buffer: Vec<super::Edge<S>>,
    full: bool,
}

impl<S: Space> BreadthFirst<S> {
    /// A search from all `starts` at once.
    pub fn new(
        space: &S,
        starts: impl IntoIterator<Item = S::State>,
        limit: MemoryLimit,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Self {
        let mut search = Self {
            nodes: Nodes::new(limit),
            next: 0,
            counters: Counters::default(),
            buffer: Vec::new(),
            full: false,
        };
        for state in starts {
            let key = space.key(&state);
            if search.nodes.find(key, &state).is_none() {
                match search.nodes.add(key, state, (0, 0), None, || 0) {
                    Ok(new) => {
                        let node = search.nodes.at(new);
                        observer.event(&node.event(EventKind::Generate, new, 0, false));
                    }
                    Err(_) => search.full = true,
                }
            }
        }
        search
    }

    /// The work done so far.
    pub fn counters(&self) -> Counters {
        Counters {
            frontier: self.nodes.len() - self.next as usize,
            bytes: self.nodes.bytes(),
            closed: self.counters.expanded,
            f: u64::from(self.counters.depth),
            ..self.counters
        }
    }

    /// Number of states known.
    pub fn known(&self) -> usize {
        self.nodes.len()
    }

    /// The actions from a start to the node of this id, as observers get them.
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
        if self.full {
            return Status::LimitReached;
        }
        let index = self.next;
        if index as usize == self.nodes.len() {
            return Status::Exhausted;
        }
        let node = self.nodes.at(index);
        let (state, depth) = (node.state.clone(), node.g());
        self.counters.depth = depth;
        let f = u64::from(depth);
        if space.is_goal(&state) {
            observer.event(&node.event(EventKind::Goal, index, f, false));
            return Status::Found { path: self.nodes.path_to(index), cost: depth };
        }
        observer.event(&node.event(EventKind::Expand, index, f, false));
        self.next += 1;
        self.counters.expanded += 1;
        let Self { nodes, counters, buffer, full, .. } = self;
        space.expand(&state, space.key(&state), buffer, &mut |(action, next, _), key| {
            counters.generated += 1;
            if nodes.find(key, &next).is_none() {
                match nodes.add(key, next, (depth + 1, 0), Some((index, action)), || 0) {
                    Ok(new) => {
                        observer.event(&nodes.at(new).event(EventKind::Generate, new, f + 1, false))
                    }
                    Err(_) => *full = true,
                }
            }
        });
        observer.event(&self.nodes.at(index).event(EventKind::Close, index, f, false));
        Status::Running
    }
}

/// The result of a whole breadth-first search.
pub struct Breadth<A> {
    /// The path with the fewest edges, or the fact that there is none.
    pub status: Status<A>,
    /// The work it took.
    pub counters: Counters,
}

/// Searches layer by layer from `starts` until a goal comes up, ignoring costs.
///
/// Gives up with [`Status::LimitReached`] once `limit` states are known.
pub fn breadth_first<S: Space>(
    space: &S,
    starts: impl IntoIterator<Item = S::State>,
    limit: usize,
) -> Breadth<S::Action> {
    let mut search = BreadthFirst::new(space, starts, MemoryLimit::default(), &mut ());
    let status = loop {
        match search.step(space) {
            Status::Running if search.known() >= limit => break Status::LimitReached,
            Status::Running => {}
            end => break end,
        }
    };
    Breadth { status, counters: search.counters() }
}
