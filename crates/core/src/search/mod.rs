//! Generic search on graphs, resumable in slices, with counters, a memory limit and observers.
//!
//! All searches share one store of nodes, a hash table over its indices, and the rule that one
//! [`step`](GraphSearch::step) expands one node. How the steps are spread over slices never changes
//! the result.

mod bidirectional;
mod difference;
mod frontier;
mod game_tree;
mod graph_search;
mod nodes;
mod observer;
mod pages;
mod recording;
mod table;
mod trace;

pub use bidirectional::{Bidirectional, Reversible};
pub use difference::SearchDifference;
pub use frontier::{Buckets, CheapestFirst, Frontier, Heap, Order, Queue, Stack, TieHeap, Ties};
pub use game_tree::{
    Bound, Leaf, TreeBounds, TreeCounts, TreeEvent, TreeEventKind, TreeGame, TreeNode, TreeOptions,
    TreeRecording,
};
pub use graph_search::{Evaluation, GraphSearch};
pub use observer::{EventKind, NodeEvent, Observer};
pub use pages::Pages;
pub use recording::{
    EventSink, Recorder, Recording, RecordingEnd, RecordingSummary, SearchEvent, StateView,
};
pub use table::IndexTable;
pub use trace::{TRACE_EVENTS, TraceFormat, TraceMap, TraceWriter};

use serde::Serialize;
use std::hash::{Hash, Hasher};

/// A graph given by its successor relation.
///
/// Only [`successors`](Space::successors) and [`is_goal`](Space::is_goal) are needed. A space whose
/// speed matters also implements [`key`](Space::key) and [`expand`](Space::expand), so that keys
/// are computed incrementally and no list is built.
pub trait Space {
    /// A node; equal nodes are merged.
    type State: Clone + Eq + Hash;
    /// What labels an edge.
    type Action: Clone;

    /// Appends each edge out of `state`: action, where it leads, its cost.
    fn successors(&self, state: &Self::State, out: &mut Vec<Edge<Self>>);

    /// Whether the search may stop here.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// An estimate of the cost from here to the nearest goal; `None` where no goal can be reached.
    /// A* returns a cheapest path if it never exceeds the truth.
    fn heuristic(&self, _state: &Self::State) -> Option<u32> {
        Some(0)
    }

    /// The estimate of a state that was just reached by `action` from one of this estimate, for
    /// spaces that update it faster than they compute it. `key` is that of the state.
    fn heuristic_after(
        &self,
        _estimate: u32,
        _action: &Self::Action,
        state: &Self::State,
        _key: u64,
    ) -> Option<u32> {
        self.heuristic(state)
    }

    /// Whether a state of this estimate is a goal, for spaces that see it by the estimate.
    fn is_goal_of(&self, state: &Self::State, _estimate: u32) -> bool {
        self.is_goal(state)
    }

    /// A hash of the state with well-mixed upper 32 bits.
    fn key(&self, state: &Self::State) -> u64 {
        let mut hasher = KeyHasher(0);
        state.hash(&mut hasher);
        hasher.finish()
    }

    /// Calls `visit` with each edge out of `state` and the key of where it leads. `key` is the key
    /// of `state`; `buffer` is scratch space.
    fn expand(
        &self,
        state: &Self::State,
        _key: u64,
        buffer: &mut Vec<Edge<Self>>,
        visit: &mut impl FnMut(Edge<Self>, u64),
    ) where
        Self: Sized,
    {
        self.successors(state, buffer);
        for edge in buffer.drain(..) {
            let key = self.key(&edge.1);
            visit(edge, key);
        }
    }
}

/// An edge of a space: the action, where it leads, its cost.
pub type Edge<S> = (<S as Space>::Action, <S as Space>::State, u32);

/// A multiplicative hasher (as in Firefox and rustc), the same on every machine of one word size.
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        // The upper half of a product is the well-mixed one.
        (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let word = u64::from_le_bytes(word);
            self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }
}

/// The memory that a search may take before it gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryLimit(
    /// In bytes, for nodes, table and frontier together.
    pub usize,
);

impl Default for MemoryLimit {
    /// No limit but the memory of the machine.
    fn default() -> Self {
        Self(usize::MAX)
    }
}

/// The work that a search has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counters {
    /// Nodes whose successors were generated, counted each time.
    pub expanded: u64,
    /// Of these expansions, those of nodes that had been expanded before.
    pub expanded_again: u64,
    /// Successors generated.
    pub generated: u64,
    /// Nodes in the frontier.
    pub frontier: usize,
    /// The most nodes that were in the frontier after an expansion.
    pub largest_frontier: usize,
    /// Distinct states that were taken from the frontier, all but a goal, and wait no more.
    pub closed: u64,
    /// Cost so far (in a breadth or depth-first search the number of edges) of the node that was
    /// expanded last.
    pub depth: u32,
    /// Evaluation of the node that was expanded last.
    pub f: u64,
    /// Memory taken by nodes, table and frontier, in bytes.
    pub bytes: usize,
}

/// The state of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status<A> {
    /// The search is not finished.
    Running,
    /// The search found a path to a goal.
    Found {
        /// From the start to the goal.
        path: Vec<A>,
        /// Sum of the costs of the edges.
        cost: u32,
    },
    /// Every node that can be reached was expanded, and none is a goal.
    Exhausted,
    /// The search gave up at its limit of memory or depth; a goal may still exist.
    LimitReached,
}

/// A search that can be driven step by step, whatever its method.
pub trait Search<S: Space> {
    /// Expands one node and tells the observer what happens.
    fn step_observed(
        &mut self,
        space: &S,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Status<S::Action>;

    /// The work done so far.
    fn counters(&self) -> Counters;

    /// The actions from a start to the forward node of this id, as observers get them.
    fn path_to(&self, id: u32) -> Vec<S::Action>;

    /// Runs until the recorder is full, the search ends, or `stop` says so.
    fn record<F: FnMut(&NodeEvent<'_, S::State, S::Action>) -> StateView>(
        &mut self,
        space: &S,
        mut recorder: Recorder<'_, F>,
        stop: &dyn Fn() -> bool,
    ) -> RecordingSummary {
        let end = loop {
            match self.step_observed(space, &mut recorder) {
                Status::Running if recorder.is_full() => break RecordingEnd::Cut,
                Status::Running if stop() => break RecordingEnd::Stopped,
                Status::Running => {}
                // The event of the goal may have found no room.
                _ if recorder.is_full() => break RecordingEnd::Cut,
                Status::Found { cost, .. } => break RecordingEnd::Found(cost),
                Status::Exhausted => break RecordingEnd::Exhausted,
                Status::LimitReached => break RecordingEnd::LimitReached,
            }
        };
        RecordingSummary { end, counters: self.counters() }
    }
}

/// The searches have these methods of their own, so that no import is needed.
macro_rules! is_search {
    ($search:ty, $state:ident $(, $more:ident: $bound:ident)? where $space:ident) => {
        impl<$state: $space $(, $more: $bound)?> Search<$state> for $search {
            #[inline]
            fn step_observed(
                &mut self,
                space: &$state,
                observer: &mut impl Observer<$state::State, $state::Action>,
            ) -> Status<$state::Action> {
                self.step_observed(space, observer)
            }

            fn counters(&self) -> Counters {
                self.counters()
            }

            fn path_to(&self, id: u32) -> Vec<$state::Action> {
                self.path_to(id)
            }
        }
    };
}

is_search!(GraphSearch<S, F>, S, F: Frontier where Space);
is_search!(Bidirectional<S>, S where Reversible);

#[cfg(test)]
mod tests;
