//! Generic search on graphs, resumable in slices, with counters.

mod best_first;
mod breadth;

pub use best_first::{BestFirst, Evaluation};
pub use breadth::{Breadth, breadth_first};

/// A graph given by its successor relation.
pub trait Space {
    /// A node; equal nodes are merged.
    type State: Clone + Eq + std::hash::Hash;
    /// What labels an edge.
    type Action: Clone;

    /// Appends each edge out of `state`: action, where it leads, its cost.
    fn successors(&self, state: &Self::State, out: &mut Vec<(Self::Action, Self::State, u32)>);

    /// Whether the search may stop here.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// An estimate of the cost from here to the nearest goal; `None` where no goal can be reached.
    /// A* returns a cheapest path if it never exceeds the truth.
    fn heuristic(&self, _state: &Self::State) -> Option<u32> {
        Some(0)
    }
}

/// The work that a search has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Nodes whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// Nodes in the frontier.
    pub frontier: usize,
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
}
