//! Bidirectional breadth-first search in a space whose goals can be listed and edges followed backwards.

use super::nodes::{NONE, Nodes};
use super::{Counters, Edge, EventKind, MemoryLimit, Observer, Space, Status};

/// A space whose edges can be followed backwards, and whose goals can be listed.
pub trait Reversible: Space {
    /// How many goals [`goal`](Self::goal) lists.
    fn goals(&self) -> u64;

    /// The goal of this index; equal goals may have several indices.
    fn goal(&self, index: u64) -> Self::State;

    /// The action of the same edge seen from its other end: what undoes this one, where it can be undone.
    fn reverse(&self, action: &Self::Action) -> Self::Action;

    /// Calls `visit` with each edge into `state` seen from its end, so with the reverse of its action and where
    /// it comes from; all else is as with [`expand`](Space::expand). Every edge of a space that does not say
    /// otherwise leads back as well, at the same cost.
    fn expand_backward(
        &self,
        state: &Self::State,
        key: u64,
        buffer: &mut Vec<Edge<Self>>,
        visit: &mut impl FnMut(Edge<Self>, u64),
    ) where
        Self: Sized,
    {
        self.expand(state, key, buffer, visit);
    }
}

/// Breadth-first search from the start and from all goals at once; costs are ignored.
///
/// It goes on with the side whose layer is smaller, layer by layer, and expands one node per step.
/// Where the layers first meet, the path has the fewest edges: with the layers `a` and `b` complete
/// and no meeting yet, every path has more than `a + b` edges. The goals join once the forward side
/// has met as many states as there are goals, so that listing them never costs more than the rest.
pub struct Bidirectional<S: Space> {
    sides: [Side<S>; 2],
    /// Which side expands its layer now: 0 forward, 1 backward.
    turn: usize,
    /// Goals listed so far.
    listed: u64,
    counters: Counters,
    buffer: Vec<Edge<S>>,
    limit: usize,
    full: bool,
    goal: Option<u32>,
}

/// Both sides together keep the limit, so each gets what the other left.
struct Side<S: Space> {
    nodes: Nodes<S>,
    next: u32,
    /// The first node of the layer after the one that is being expanded.
    layer_end: u32,
}

impl<S: Space> Side<S> {
    fn new(limit: usize) -> Self {
        Self { nodes: Nodes::new(MemoryLimit(limit)), next: 0, layer_end: 0 }
    }

    fn waiting(&self) -> usize {
        self.nodes.len() - self.next as usize
    }
}

/// Goals listed per step; one costs about as much as generating a state.
const GOALS_PER_STEP: u64 = 4;

impl<S: Reversible> Bidirectional<S> {
    /// A search from `start` and from the goals of the space.
    pub fn new(
        space: &S,
        start: S::State,
        limit: MemoryLimit,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Self {
        let mut search = Self {
            sides: [Side::new(limit.0), Side::new(limit.0)],
            turn: 0,
            listed: 0,
            counters: Counters::default(),
            buffer: Vec::new(),
            limit: limit.0,
            full: false,
            goal: None,
        };
        let goal = space.is_goal(&start);
        match search.sides[0].nodes.add(space.key(&start), start, (0, 0), None, || 0) {
            Ok(root) => {
                search.goal = goal.then_some(root);
                let node = search.sides[0].nodes.at(root);
                observer.event(&node.event(EventKind::Generate, root, 0, false));
            }
            Err(_) => search.full = true,
        }
        search
    }

    /// The work done so far.
    pub fn counters(&self) -> Counters {
        let [forward, backward] = &self.sides;
        Counters {
            frontier: forward.waiting() + backward.waiting(),
            closed: self.counters.expanded,
            bytes: forward.nodes.bytes() + backward.nodes.bytes(),
            f: u64::from(self.counters.depth),
            ..self.counters
        }
    }

    /// The actions from the start to the forward node of this id, as observers get them.
    pub fn path_to(&self, id: u32) -> Vec<S::Action> {
        self.sides[0].nodes.path_to(id)
    }

    /// Whether the goals have joined the search.
    pub fn is_two_sided(&self) -> bool {
        self.listed > 0
    }

    /// Expands one node.
    #[inline]
    pub fn step(&mut self, space: &S) -> Status<S::Action> {
        self.step_observed(space, &mut ())
    }

    /// Expands one node and tells the observer what happens.
    pub fn step_observed(
        &mut self,
        space: &S,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Status<S::Action> {
        if let Some(goal) = self.goal {
            let node = self.sides[0].nodes.at(goal);
            let cost = node.g();
            observer.event(&node.event(EventKind::Goal, goal, u64::from(cost), false));
            return Status::Found { path: self.sides[0].nodes.path_to(goal), cost };
        }
        if self.full {
            return Status::LimitReached;
        }
        let goals = space.goals();
        if self.sides[self.turn].next == self.sides[self.turn].layer_end {
            if self.listed < goals && self.sides[0].nodes.len() as u64 >= goals {
                self.list_goals(space, goals, observer);
                return Status::Running;
            }
            if let Some(end) = self.next_layer(goals) {
                return end;
            }
        }
        self.expand(space, observer)
    }

    /// Puts some more goals into the first layer of the backward side.
    fn list_goals(
        &mut self,
        space: &S,
        goals: u64,
        observer: &mut impl Observer<S::State, S::Action>,
    ) {
        let [forward, backward] = &mut self.sides;
        for index in self.listed..goals.min(self.listed + GOALS_PER_STEP) {
            let state = space.goal(index);
            let key = space.key(&state);
            self.counters.generated += 1;
            self.listed += 1;
            if backward.nodes.find(key, &state).is_none() {
                match backward.nodes.add(key, state, (0, 0), None, || forward.nodes.bytes()) {
                    Ok(new) => {
                        let node = backward.nodes.at(new);
                        observer.event(&node.event(EventKind::Generate, new, 0, true));
                    }
                    Err(_) => self.full = true,
                }
            }
        }
    }

    /// Chooses whose layer is next; the end of the search if a side has nothing left.
    fn next_layer(&mut self, goals: u64) -> Option<Status<S::Action>> {
        let two_sided = self.listed == goals;
        let waiting = [self.sides[0].waiting(), self.sides[1].waiting()];
        if waiting[0] == 0 || two_sided && waiting[1] == 0 {
            return Some(Status::Exhausted);
        }
        self.turn = usize::from(two_sided && waiting[1] < waiting[0]);
        let side = &mut self.sides[self.turn];
        side.layer_end = side.nodes.len() as u32;
        None
    }

    fn expand(
        &mut self,
        space: &S,
        observer: &mut impl Observer<S::State, S::Action>,
    ) -> Status<S::Action> {
        let is_backward = self.turn == 1;
        let [first, second] = &mut self.sides;
        let (own, other) = if is_backward { (second, &*first) } else { (first, &*second) };
        let index = own.next;
        own.next += 1;
        let node = own.nodes.at(index);
        let state = node.state.clone();
        let depth = node.g();
        let f = u64::from(depth);
        observer.event(&node.event(EventKind::Expand, index, f, is_backward));
        self.counters.expanded += 1;
        self.counters.depth = depth;
        let two_sided = self.listed > 0;
        let mut meeting = None;
        let Self { counters, buffer, full, goal, limit, .. } = self;
        let visit = &mut |(action, next, _): Edge<S>, key| {
            counters.generated += 1;
            if meeting.is_some() || goal.is_some() || own.nodes.find(key, &next).is_some() {
                return;
            }
            let met = if two_sided { other.nodes.find(key, &next) } else { None };
            let is_goal = !two_sided && space.is_goal(&next);
            match own
                .nodes
                .add(key, next, (depth + 1, 0), Some((index, action)), || other.nodes.bytes())
            {
                Ok(new) => {
                    let node = own.nodes.at(new);
                    observer.event(&node.event(EventKind::Generate, new, f + 1, is_backward));
                    if is_goal {
                        *goal = Some(new);
                    }
                    meeting = met.map(|met| (new, met));
                }
                Err(_) => *full = true,
            }
        };
        if is_backward {
            space.expand_backward(&state, space.key(&state), buffer, visit);
        } else {
            space.expand(&state, space.key(&state), buffer, visit);
        }
        debug_assert!(own.nodes.bytes() <= *limit);
        counters.largest_frontier = counters.largest_frontier.max(own.waiting() + other.waiting());
        observer.event(&own.nodes.at(index).event(EventKind::Close, index, f, is_backward));
        let Some((own_end, other_end)) = meeting else { return Status::Running };
        let (ahead, back) = if is_backward { (other_end, own_end) } else { (own_end, other_end) };
        let [forward, backward] = &self.sides;
        let node = forward.nodes.at(ahead);
        let cost = node.g() + backward.nodes.at(back).g();
        observer.event(&node.event(EventKind::Goal, ahead, u64::from(cost), false));
        let met = backward.nodes.at(back);
        observer.event(&met.event(EventKind::Goal, back, u64::from(cost), true));
        let mut at = back;
        while at != NONE {
            let node = backward.nodes.at(at);
            observer.rest(&node.event(EventKind::Goal, at, u64::from(cost), true));
            at = node.parent;
        }
        let mut path = forward.nodes.path_to(ahead);
        let rest = backward.nodes.path_to(back);
        path.extend(rest.iter().rev().map(|action| space.reverse(action)));
        Status::Found { path, cost }
    }
}
