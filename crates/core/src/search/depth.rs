//! Depth-first search with a set of visited states.

use super::nodes::Nodes;
use super::{Counters, EventKind, MemoryLimit, Observer, Space, Status};

/// Depth-first search that expands one node per step and ignores costs.
///
/// No state is entered twice, so it ends on every finite space; the paths it finds are long. Nothing
/// is expanded at the depth bound: if that cut something off and no goal was found, the end is
/// [`Status::LimitReached`].
pub struct DepthFirst<S: Space> {
    nodes: Nodes<S>,
    stack: Vec<u32>,
    bound: u32,
    cut: bool,
    counters: Counters,
    buffer: Vec<super::Edge<S>>,
    full: bool,
}

impl<S: Space> DepthFirst<S> {
    /// A search from `start` down to paths of `bound` edges.
    pub fn new(
        space: &S,
        start: S::State,
        bound: u32,
        limit: MemoryLimit,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Self {
        let mut search = Self {
            nodes: Nodes::new(limit),
            stack: Vec::new(),
            bound,
            cut: false,
            counters: Counters::default(),
            buffer: Vec::new(),
            full: false,
        };
        match search.nodes.add(space.key(&start), start, (0, 0), None, || 0) {
            Ok(root) => {
                search.stack.push(root);
                observer.event(&search.nodes.at(root).event(EventKind::Generate, root, 0, false));
            }
            Err(_) => search.full = true,
        }
        search
    }

    /// The work done so far.
    pub fn counters(&self) -> Counters {
        Counters {
            frontier: self.stack.len(),
            bytes: self.nodes.bytes() + self.stack.capacity() * size_of::<u32>(),
            closed: self.counters.expanded,
            f: u64::from(self.counters.depth),
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
        if self.full {
            return Status::LimitReached;
        }
        let index = loop {
            let Some(index) = self.stack.pop() else {
                return if self.cut { Status::LimitReached } else { Status::Exhausted };
            };
            let node = self.nodes.at(index);
            if node.is_closed() {
                continue;
            }
            if node.g() < self.bound || space.is_goal(&node.state) {
                break index;
            }
            self.cut = true;
        };
        let node = self.nodes.at_mut(index);
        node.close();
        let (state, depth) = (node.state.clone(), node.g());
        self.counters.depth = depth;
        let f = u64::from(depth);
        if space.is_goal(&state) {
            observer.event(&node.event(EventKind::Goal, index, f, false));
            return Status::Found { path: self.nodes.path_to(index), cost: depth };
        }
        observer.event(&node.event(EventKind::Expand, index, f, false));
        self.counters.expanded += 1;
        let Self { nodes, counters, buffer, full, stack, .. } = self;
        let beside = |stack: &Vec<u32>| stack.capacity() * size_of::<u32>();
        space.expand(&state, space.key(&state), buffer, &mut |(action, next, _), key| {
            counters.generated += 1;
            match nodes.find(key, &next) {
                // A node that waits is entered from the deepest place that leads to it.
                Some(known) if !nodes.at(known).is_closed() => {
                    let node = nodes.at_mut(known);
                    node.set_g(depth + 1);
                    (node.parent, node.action) = (index, Some(action));
                    observer.event(&node.event(EventKind::Update, known, f + 1, false));
                    stack.push(known);
                }
                Some(_) => {}
                None => {
                    let parent = Some((index, action));
                    match nodes.add(key, next, (depth + 1, 0), parent, || beside(stack)) {
                        Ok(new) => {
                            stack.push(new);
                            let node = nodes.at(new);
                            observer.event(&node.event(EventKind::Generate, new, f + 1, false));
                        }
                        Err(_) => *full = true,
                    }
                }
            }
        });
        observer.event(&self.nodes.at(index).event(EventKind::Close, index, f, false));
        Status::Running
    }
}
