//! Breadth-first search over hashed states: the baseline for other methods.

use super::{Counters, Space, Status};
use std::collections::HashMap;

/// The result of a whole breadth-first search.
pub struct Breadth<A> {
    /// The path with the fewest edges, or the fact that there is none.
    pub status: Status<A>,
    /// The work it took.
    pub counters: Counters,
}

/// A state and the edge that it was first reached by: where from, and the action.
type Node<S> = (<S as Space>::State, Option<(u32, <S as Space>::Action)>);

/// Searches layer by layer from `starts` until a goal is generated, ignoring costs.
///
/// Gives up with [`Status::Running`] once `limit` states are known.
pub fn breadth_first<S: Space>(
    space: &S,
    starts: impl IntoIterator<Item = S::State>,
    limit: usize,
) -> Breadth<S::Action> {
    let mut known: HashMap<S::State, u32> = HashMap::new();
    let mut nodes: Vec<Node<S>> = Vec::new();
    let mut counters = Counters::default();
    let mut buffer = Vec::new();
    for state in starts {
        if !known.contains_key(&state) {
            known.insert(state.clone(), nodes.len() as u32);
            nodes.push((state, None));
        }
    }
    let mut next = 0;
    while next < nodes.len() {
        if space.is_goal(&nodes[next].0) {
            let mut path = Vec::new();
            let mut index = next;
            while let Some((parent, action)) = &nodes[index].1 {
                path.push(action.clone());
                index = *parent as usize;
            }
            path.reverse();
            let cost = path.len() as u32;
            counters.frontier = nodes.len() - next;
            return Breadth { status: Status::Found { path, cost }, counters };
        }
        if nodes.len() >= limit {
            counters.frontier = nodes.len() - next;
            return Breadth { status: Status::Running, counters };
        }
        space.successors(&nodes[next].0, &mut buffer);
        counters.expanded += 1;
        counters.generated += buffer.len() as u64;
        for (action, state, _) in buffer.drain(..) {
            if !known.contains_key(&state) {
                known.insert(state.clone(), nodes.len() as u32);
                nodes.push((state, Some((next as u32, action))));
            }
        }
        next += 1;
    }
    Breadth { status: Status::Exhausted, counters }
}
