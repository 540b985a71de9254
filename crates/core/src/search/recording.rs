//! The events of a search, kept in memory to be stepped through, or handed on one by one.

use super::{Counters, EventKind, NodeEvent, Observer, Ties};
use crate::grid::Cell;
use serde::Serialize;
use std::collections::HashMap;

/// What can be seen of a state.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct StateView {
    /// Where it is: the player, the car.
    pub cell: Cell,
    /// Other cells that belong to it, such as the boxes, always in the same order and number.
    pub others: Vec<Cell>,
    /// What else tells it from others, by name, such as a velocity.
    pub values: Vec<(&'static str, i64)>,
    /// Which of the others was moved by the action that led here: from where, and where to.
    pub moved: Option<(Cell, Cell)>,
}

/// One event of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SearchEvent {
    /// What happened.
    pub kind: EventKind,
    /// The node, counted from 0 on each side in the order of generation.
    pub id: u32,
    /// The node that it was reached from; `None` for a root.
    pub parent: Option<u32>,
    /// Its evaluation.
    pub f: u64,
    /// Cost of the best known path to it.
    pub g: u32,
    /// Estimate of the cost to go.
    pub h: u32,
    /// Whether it belongs to the search that goes back from the goals.
    pub backward: bool,
    /// The state.
    pub state: StateView,
}

/// How the search of a recording ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum RecordingEnd {
    /// It was cut off at the limit of events.
    Cut,
    /// It found a solution of this cost: the nodes with [`EventKind::Goal`] and their parents.
    Found(u32),
    /// There is no solution.
    Exhausted,
    /// The search reached its own limit of memory or depth.
    LimitReached,
    /// It was stopped.
    Stopped,
}

/// How a recorded search ended, and the work that it had done by then.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct RecordingSummary {
    /// How it ended.
    pub end: RecordingEnd,
    /// What it had done.
    pub counters: Counters,
}

/// The first events of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Recording {
    /// In the order in which they happened.
    pub events: Vec<SearchEvent>,
    /// How it ended.
    pub end: RecordingEnd,
    /// What the search had done by then.
    pub counters: Counters,
}

/// Where the events of a search go, one by one, as they happen.
pub trait EventSink {
    /// Takes an event; returns whether it takes more.
    fn event(&mut self, event: SearchEvent) -> bool;

    /// Takes a node of the backward half of a solution: see [`Observer::rest`].
    fn rest(&mut self, _node: SearchEvent) {}
}

impl EventSink for Vec<SearchEvent> {
    fn event(&mut self, event: SearchEvent) -> bool {
        self.push(event);
        true
    }
}

/// Hands the first events of a search to a sink.
pub struct Recorder<'a, F> {
    sink: &'a mut dyn EventSink,
    /// How many more events it takes.
    left: usize,
    view: F,
}

impl<'a, F> Recorder<'a, F> {
    /// A recorder of at most `limit` events that looks at the states of events by `view`.
    pub fn new(limit: usize, view: F, sink: &'a mut dyn EventSink) -> Self {
        Self { sink, left: limit, view }
    }

    /// Whether it takes no more events.
    pub fn is_full(&self) -> bool {
        self.left == 0
    }

    fn seen<S, A>(&mut self, event: &NodeEvent<'_, S, A>) -> SearchEvent
    where
        F: FnMut(&NodeEvent<'_, S, A>) -> StateView,
    {
        SearchEvent {
            kind: event.kind,
            id: event.id,
            parent: event.parent,
            f: event.f,
            g: event.g,
            h: event.h,
            backward: event.backward,
            state: (self.view)(event),
        }
    }
}

impl<S, A, F: FnMut(&NodeEvent<'_, S, A>) -> StateView> Observer<S, A> for Recorder<'_, F> {
    fn event(&mut self, event: &NodeEvent<'_, S, A>) {
        if self.is_full() {
            return;
        }
        let seen = self.seen(event);
        self.left = if self.sink.event(seen) { self.left - 1 } else { 0 };
    }

    fn rest(&mut self, node: &NodeEvent<'_, S, A>) {
        // Without the goals it would hang in the air.
        if !self.is_full() {
            let seen = self.seen(node);
            self.sink.rest(seen);
        }
    }
}

impl Recording {
    /// These events of a search that ended so.
    pub fn new(
        events: Vec<SearchEvent>,
        RecordingSummary { end, counters }: RecordingSummary,
    ) -> Self {
        Self { events, end, counters }
    }

    /// Which of the events are expansions.
    pub fn expansions(&self) -> Vec<usize> {
        let events = self.events.iter().enumerate();
        events.filter(|(_, event)| event.kind == EventKind::Expand).map(|(at, _)| at).collect()
    }

    /// The nodes that wait to be expanded after the event of this number, each as it was generated or last
    /// updated: the least f first, and of these in the order of `ties`, or those with the least h.
    pub fn frontier(&self, at: usize, ties: Option<Ties>) -> Vec<&SearchEvent> {
        let mut waiting: HashMap<(bool, u32), (usize, &SearchEvent)> = HashMap::new();
        for (number, event) in self.events.iter().take(at + 1).enumerate() {
            let node = (event.backward, event.id);
            match event.kind {
                EventKind::Generate | EventKind::Update => {
                    waiting.insert(node, (number, event));
                }
                EventKind::Expand | EventKind::Goal => {
                    waiting.remove(&node);
                }
                EventKind::Close => {}
            }
        }
        let mut waiting: Vec<_> = waiting.into_values().collect();
        waiting.sort_by_key(|&(number, event)| {
            let rank = match ties {
                Some(Ties::Fifo) => (0, number),
                Some(Ties::Lifo) => (0, usize::MAX - number),
                Some(Ties::LeastEstimate) | None => (event.h, 0),
            };
            (event.f, rank, event.backward, event.id)
        });
        waiting.into_iter().map(|(_, event)| event).collect()
    }

    /// The best way known after the event of this number from a root to the node of the event: for each of
    /// its nodes the number of the event by which it was reached so.
    pub fn way(&self, at: usize) -> Vec<usize> {
        self.way_known(at, at)
    }

    /// The best way to the node of an event that is known after the event of number `known`.
    fn way_known(&self, at: usize, known: usize) -> Vec<usize> {
        let mut reached: HashMap<(bool, u32), usize> = HashMap::new();
        for (at, event) in self.events.iter().enumerate().take(known + 1) {
            if matches!(event.kind, EventKind::Generate | EventKind::Update) {
                reached.insert((event.backward, event.id), at);
            }
        }
        let mut way = Vec::new();
        let mut next = self.events.get(at).map(|event| (event.backward, event.id));
        while let Some(at) = next.and_then(|node| reached.remove(&node)) {
            way.push(at);
            let event = &self.events[at];
            next = event.parent.map(|parent| (event.backward, parent));
        }
        way.reverse();
        way
    }

    /// The nodes reached from the node of the event of this number up to there, by the numbers of the events.
    pub fn successors(&self, at: usize) -> Vec<usize> {
        let Some(of) = self.events.get(at) else { return Vec::new() };
        let reached = |event: &SearchEvent| {
            matches!(event.kind, EventKind::Generate | EventKind::Update)
                && (event.backward, event.parent) == (of.backward, Some(of.id))
        };
        (0..=at).filter(|&index| reached(&self.events[index])).collect()
    }

    /// The nodes of the solution from the start to the goal, each with its side; empty without one.
    pub fn solution(&self) -> Vec<(u32, bool)> {
        let half = |backward: bool| {
            let goal = self
                .events
                .iter()
                .rposition(|event| event.kind == EventKind::Goal && event.backward == backward);
            let way = goal.map_or_else(Vec::new, |at| self.way_known(at, self.events.len()));
            way.into_iter().map(move |at| (self.events[at].id, backward))
        };
        half(false).chain(half(true).rev()).collect()
    }
}
