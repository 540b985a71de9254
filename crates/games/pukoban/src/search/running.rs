//! The searches behind [`Engine`]: over single states, and over sets of states.

use super::engine::{End, Engine, Method, SearchTask};
use super::estimate::Heuristic;
use super::meet::Meet;
use super::moves::Move;
use super::packed::Packed;
use super::puzzle::Puzzle;
use super::space::PackedSpace;
use super::with_packing;
use crate::PukobanStep;
use outwit_core::play::Clock;
use outwit_core::search::{
    Counters, Evaluation, EventKind, MemoryLimit, NodeEvent, Observer, Search, Status,
};
use std::sync::Arc;

/// Watches a search for its picture.
pub(super) struct Watch {
    puzzle: Arc<Puzzle>,
    heat: Vec<u32>,
    has_estimate: bool,
    /// Heuristic, or goals without a box, then the cost so far, and the node.
    best: Option<(u32, u32, u32)>,
}

impl Watch {
    pub(super) fn new(puzzle: &Arc<Puzzle>, estimate: Heuristic) -> Self {
        Self {
            heat: vec![0; puzzle.cells().len()],
            puzzle: Arc::clone(puzzle),
            has_estimate: estimate != Heuristic::None,
            best: None,
        }
    }
}

impl<P: Packed> Observer<P, Move> for Watch {
    #[inline]
    fn event(&mut self, event: &NodeEvent<'_, P, Move>) {
        if event.kind != EventKind::Generate {
            return;
        }
        let Some((_, to)) = event.action.and_then(|action| action.box_move(&self.puzzle)) else {
            return;
        };
        let heat = &mut self.heat[usize::from(to)];
        *heat = heat.saturating_add(1);
        if event.backward {
            return;
        }
        let distance = if self.has_estimate {
            event.h
        } else {
            self.puzzle.goals().iter().filter(|&&goal| !event.state.has_box(goal)).count() as u32
        };
        if self.best.is_none_or(|(least, g, _)| (distance, event.g) < (least, g)) {
            self.best = Some((distance, event.g, event.id));
        }
    }
}

/// Points of a plot, thinned so that there are never many.
#[derive(Clone, Debug)]
pub struct Curve {
    points: Vec<[f64; 2]>,
    stride: u64,
    next: u64,
}

const MOST_POINTS: usize = 256;

impl Curve {
    fn new() -> Self {
        Self { points: Vec::new(), stride: 1, next: 0 }
    }

    /// The points: states expanded, and frontier's size.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    #[inline]
    fn is_due(&self, expanded: u64) -> bool {
        expanded >= self.next
    }

    fn push(&mut self, counters: &Counters) {
        if self.points.len() == MOST_POINTS {
            let mut keep = false;
            self.points.retain(|_| {
                keep = !keep;
                keep
            });
            self.stride *= 2;
        }
        self.points.push([counters.expanded as f64, counters.frontier as f64]);
        self.next = counters.expanded + self.stride;
    }
}

/// A search over single states.
pub(super) struct StateSearch<P, S> {
    task: SearchTask,
    space: PackedSpace<P>,
    search: S,
    watch: Watch,
    curve: Curve,
    steps: u64,
}

impl<P: Packed, S: Search<PackedSpace<P>> + Send + 'static> StateSearch<P, S> {
    pub(super) fn boxed(
        task: &SearchTask,
        space: PackedSpace<P>,
        search: S,
        watch: Watch,
    ) -> Box<dyn Engine> {
        let task = task.clone();
        Box::new(Self { task, space, search, watch, curve: Curve::new(), steps: 0 })
    }

    fn path_steps(&self, path: &[Move]) -> Vec<PukobanStep> {
        self.space.steps(self.task.player, &self.task.boxes, path).unwrap_or_default()
    }
}

impl<P: Packed, S: Search<PackedSpace<P>> + Send + 'static> Engine for StateSearch<P, S> {
    fn run_to(&mut self, clock: &Clock, most: u64) -> Option<End> {
        loop {
            if self.steps >= most || !clock.take(1) {
                return None;
            }
            let status = self.search.step_observed(&self.space, &mut self.watch);
            if self.curve.is_due(self.steps) {
                self.curve.push(&self.search.counters());
            }
            self.steps += 1;
            return Some(match status {
                Status::Running => continue,
                Status::Found { path, cost } => End::Solved { steps: self.path_steps(&path), cost },
                Status::Exhausted => End::Unsolvable,
                Status::LimitReached => End::GaveUp,
            });
        }
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn counters(&self) -> Counters {
        self.search.counters()
    }

    fn heat(&self) -> &[u32] {
        &self.watch.heat
    }

    fn best_mark(&self) -> Option<u64> {
        self.watch.best.map(|(.., id)| u64::from(id))
    }

    fn best_path(&self) -> Vec<PukobanStep> {
        let path = self.watch.best.map(|(.., id)| self.search.path_to(id));
        self.path_steps(&path.unwrap_or_default())
    }

    fn curve(&self) -> &Curve {
        &self.curve
    }
}

/// Takes work from a clock. A set of states that is larger than the whole budget of a turn is expanded all
/// the same, or there would never be an end.
fn taken(clock: &Clock, work: u64) -> bool {
    if clock.take(work) {
        return true;
    }
    let is_possible = clock.used() == 0 && clock.take(1);
    if is_possible {
        clock.charge(work - 1);
    }
    is_possible
}

/// A search over sets of states.
pub(super) struct SetSearch<const W: usize> {
    task: SearchTask,
    search: Meet<W>,
    curve: Curve,
    steps: u64,
}

impl<const W: usize> SetSearch<W> {
    pub(super) fn boxed(task: &SearchTask) -> Box<dyn Engine> {
        let SearchTask { puzzle, player, boxes, objective, limit, below } = task.clone();
        match Meet::<W>::new(puzzle, player, &boxes, objective, limit) {
            Some(mut search) => {
                search.undercut(below);
                Box::new(Self { task: task.clone(), search, curve: Curve::new(), steps: 0 })
            }
            None => Method::BestFirst(Evaluation::AStar, Heuristic::Matching).begin(task),
        }
    }

    fn path_steps(&self, path: &[Move]) -> Vec<PukobanStep> {
        let SearchTask { puzzle, player, boxes, .. } = &self.task;
        with_packing!(puzzle, P => super::space::steps::<P>(puzzle, *player, boxes, path))
            .unwrap_or_default()
    }
}

impl<const W: usize> Engine for SetSearch<W> {
    fn steps(&self) -> u64 {
        self.steps
    }

    fn run_to(&mut self, clock: &Clock, most: u64) -> Option<End> {
        loop {
            if self.steps >= most || !taken(clock, self.search.next_work()) {
                return None;
            }
            let status = self.search.step();
            self.steps += 1;
            if self.curve.is_due(self.search.expanded()) {
                self.curve.push(&self.search.counters());
            }
            return Some(match status {
                Status::Running => continue,
                Status::Found { path, cost } => End::Solved { steps: self.path_steps(&path), cost },
                Status::Exhausted => End::Unsolvable,
                Status::LimitReached => End::GaveUp,
            });
        }
    }

    fn counters(&self) -> Counters {
        self.search.counters()
    }

    fn heat(&self) -> &[u32] {
        self.search.heat()
    }

    fn best_mark(&self) -> Option<u64> {
        self.search.nearest_estimate().map(u64::from)
    }

    fn best_path(&self) -> Vec<PukobanStep> {
        self.path_steps(&self.search.nearest().map(|(_, path)| path).unwrap_or_default())
    }

    fn curve(&self) -> &Curve {
        &self.curve
    }

    fn at_least(&self) -> u32 {
        self.search.at_least()
    }

    fn undercut(&mut self, cost: u32) {
        self.search.undercut(cost);
    }

    fn allow(&mut self, limit: MemoryLimit) {
        self.search.set_limit(limit);
    }
}
