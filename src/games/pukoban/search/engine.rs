//! One search of a puzzle, whatever its method and packing.

use super::estimate::Estimate;
use super::meet::Meet;
use super::moves::Move;
use super::packed::Packed;
use super::puzzle::{Puzzle, Spot};
use super::space::PackedSpace;
use super::{boards, with_packing};
use crate::games::pukoban::{Objective, Position, Pukoban, Step};
use crate::play::Clock;
use crate::search::{
    BestFirst, Bidirectional, BreadthFirst, Buckets, Counters, DepthFirst, Evaluation, EventKind,
    MemoryLimit, NodeEvent, Observer, Recorder, Recording, Search, StateView, Status,
};
use std::sync::Arc;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Best first by an evaluation over an estimate.
    BestFirst(Evaluation, Estimate),
    /// Breadth-first.
    Breadth,
    /// Depth-first, no deeper than so many edges.
    Depth(u32),
    /// Breadth-first from both ends over hashed states.
    Bidirectional,
    /// A short bidirectional breadth-first search for easy levels, then bidirectional heuristic
    /// search over sets of states where the map is small enough, else A* by minimum-cost matching.
    Meet,
}

/// What to search: a puzzle from a position.
#[derive(Clone, Debug)]
pub struct Task {
    /// The puzzle.
    pub puzzle: Arc<Puzzle>,
    /// The player's cell.
    pub player: Spot,
    /// The boxes' cells.
    pub boxes: Vec<Spot>,
    /// What counts.
    pub objective: Objective,
    /// The memory that the search may take.
    pub limit: MemoryLimit,
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// With a solution, walks included, and what it costs by the objective.
    Solved {
        /// All steps.
        steps: Vec<Step>,
        /// Steps or box moves.
        cost: u32,
    },
    /// With the proof that there is none.
    Unsolvable,
    /// At its limit of memory or depth.
    GaveUp,
}

/// A running search.
pub trait Engine: Send {
    /// Searches until it ends, the clock refuses, or so many steps were made; one unit of work is one
    /// expanded state.
    fn run_to(&mut self, clock: &Clock, most: u64) -> Option<End>;
    /// Steps made so far.
    fn steps(&self) -> u64;
    /// Searches until it ends or the clock refuses.
    fn run(&mut self, clock: &Clock) -> Option<End> {
        self.run_to(clock, u64::MAX)
    }
    /// The work done so far.
    fn counters(&self) -> Counters;
    /// For each spot how many new states had a box moved there.
    fn heat(&self) -> &[u32];
    /// Tells apart which state looks best so far; `None` before any does.
    fn best_mark(&self) -> Option<u64>;
    /// The steps to the state that looks best so far.
    fn best_path(&self) -> Vec<Step>;
    /// The frontier's size against the number of expanded states.
    fn curve(&self) -> &Curve;
}

/// The most words of a bit mask with which sets of states are searched.
const MOST_WORDS: usize = 8;

impl Method {
    /// What it comes down to on this puzzle.
    pub fn on(self, puzzle: &Puzzle) -> Self {
        match self {
            Method::Meet if boards::words(puzzle) > MOST_WORDS => {
                Method::BestFirst(Evaluation::AStar, Estimate::Matching)
            }
            other => other,
        }
    }

    fn estimate(self) -> Estimate {
        match self {
            Method::BestFirst(_, estimate) => estimate,
            _ => Estimate::None,
        }
    }

    /// Begins a search.
    pub fn begin(self, task: &Task) -> Box<dyn Engine> {
        let method = self.on(&task.puzzle);
        if method == Method::Meet {
            return Box::new(Portfolio {
                task: task.clone(),
                engine: Method::Bidirectional.begin(task),
                first: None,
            });
        }
        with_packing!(task.puzzle, P => method.packed::<P>(task))
    }

    fn packed<P: Packed>(self, task: &Task) -> Box<dyn Engine> {
        let space = task.space::<P>(self.estimate());
        let (start, limit) = (space.state(task.player, &task.boxes), task.limit);
        let mut watch = Watch::new(&task.puzzle, self.estimate());
        match self {
            Method::BestFirst(evaluation, _) => {
                let search =
                    BestFirst::<_, Buckets>::limited(&space, start, evaluation, limit, &mut watch);
                StateSearch::boxed(task, space, search, watch)
            }
            Method::Breadth => {
                let search = BreadthFirst::new(&space, [start], limit, &mut watch);
                StateSearch::boxed(task, space, search, watch)
            }
            Method::Depth(bound) => {
                let search = DepthFirst::new(&space, start, bound, limit, &mut watch);
                StateSearch::boxed(task, space, search, watch)
            }
            Method::Bidirectional | Method::Meet => {
                let search = Bidirectional::new(&space, start, limit, &mut watch);
                StateSearch::boxed(task, space, search, watch)
            }
        }
    }

    /// The first events of the search.
    ///
    /// # Errors
    /// If the method expands no single states.
    pub fn record(
        self,
        task: &Task,
        events: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Recording, String> {
        match self.on(&task.puzzle) {
            Method::Meet => {
                Err("it expands whole sets of states at once and has no events of single \
                                 states; choose another planner, such as bidirectional"
                    .into())
            }
            method => Ok(with_packing!(task.puzzle, P => method.recorded::<P>(task, events, stop))),
        }
    }

    fn recorded<P: Packed>(self, task: &Task, events: usize, stop: &dyn Fn() -> bool) -> Recording {
        let space = task.space::<P>(self.estimate());
        let (start, limit) = (space.state(task.player, &task.boxes), task.limit);
        let puzzle = Arc::clone(&task.puzzle);
        let mut recorder = Recorder::new(events, move |state: &P, action: Option<&Move>| {
            let mut others = Vec::new();
            state.for_each_box(|spot| others.push(puzzle.cell(spot)));
            let moved = action.and_then(|action| action.box_move(&puzzle));
            StateView {
                cell: puzzle.cell(state.player()),
                others,
                values: Vec::new(),
                moved: moved.map(|(from, to)| (puzzle.cell(from), puzzle.cell(to))),
            }
        });
        match self {
            Method::BestFirst(evaluation, _) => {
                BestFirst::<_, Buckets>::limited(&space, start, evaluation, limit, &mut recorder)
                    .record(&space, recorder, stop)
            }
            Method::Breadth => BreadthFirst::new(&space, [start], limit, &mut recorder)
                .record(&space, recorder, stop),
            Method::Depth(bound) => DepthFirst::new(&space, start, bound, limit, &mut recorder)
                .record(&space, recorder, stop),
            Method::Bidirectional | Method::Meet => {
                Bidirectional::new(&space, start, limit, &mut recorder)
                    .record(&space, recorder, stop)
            }
        }
    }
}

impl Task {
    /// The search of a level from a position; `None` if the position is of another level.
    pub fn of(
        game: &Pukoban,
        puzzle: &Arc<Puzzle>,
        position: &Position,
        limit: MemoryLimit,
    ) -> Option<Self> {
        let (player, boxes) = puzzle.place(position)?;
        let puzzle = Arc::clone(puzzle);
        Some(Self { puzzle, player, boxes, objective: game.objective(), limit })
    }

    fn space<P: Packed>(&self, estimate: Estimate) -> PackedSpace<P> {
        PackedSpace::new(Arc::clone(&self.puzzle), estimate, self.objective)
    }
}

/// Watches a search for its picture.
struct Watch {
    puzzle: Arc<Puzzle>,
    heat: Vec<u32>,
    has_estimate: bool,
    /// Estimate, or goals without a box, then the cost so far, and the node.
    best: Option<(u32, u32, u32)>,
}

impl Watch {
    fn new(puzzle: &Arc<Puzzle>, estimate: Estimate) -> Self {
        Self {
            heat: vec![0; puzzle.cells().len()],
            puzzle: Arc::clone(puzzle),
            has_estimate: estimate != Estimate::None,
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
struct StateSearch<P, S> {
    task: Task,
    space: PackedSpace<P>,
    search: S,
    watch: Watch,
    curve: Curve,
    steps: u64,
}

impl<P: Packed, S: Search<PackedSpace<P>> + Send + 'static> StateSearch<P, S> {
    fn boxed(task: &Task, space: PackedSpace<P>, search: S, watch: Watch) -> Box<dyn Engine> {
        let task = task.clone();
        Box::new(Self { task, space, search, watch, curve: Curve::new(), steps: 0 })
    }

    fn path_steps(&self, path: &[Move]) -> Vec<Step> {
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

    fn best_path(&self) -> Vec<Step> {
        let path = self.watch.best.map(|(.., id)| self.search.path_to(id));
        self.path_steps(&path.unwrap_or_default())
    }

    fn curve(&self) -> &Curve {
        &self.curve
    }
}

/// A short search first, and one that pays on hard levels where that was not enough.
struct Portfolio {
    task: Task,
    engine: Box<dyn Engine>,
    /// What the first search did; `None` while it still runs.
    first: Option<Counters>,
}

impl Portfolio {
    /// Steps of the first search. An edge of box moves takes longer, so that pays off earlier.
    fn patience(&self) -> u64 {
        match self.task.objective {
            Objective::Steps => 3_000,
            Objective::BoxMoves => 60,
        }
    }
}

impl Engine for Portfolio {
    fn run_to(&mut self, clock: &Clock, most: u64) -> Option<End> {
        if self.first.is_none() {
            let patience = self.patience();
            match self.engine.run_to(clock, patience.min(most)) {
                Some(End::GaveUp) => {}
                Some(end) => return Some(end),
                None if self.engine.steps() < patience => return None,
                None => {}
            }
            self.first = Some(self.engine.counters());
            self.engine = match boards::words(&self.task.puzzle) {
                0..=1 => SetSearch::<1>::boxed(&self.task),
                2 => SetSearch::<2>::boxed(&self.task),
                3..=4 => SetSearch::<4>::boxed(&self.task),
                _ => SetSearch::<8>::boxed(&self.task),
            };
        }
        self.engine.run_to(clock, most)
    }

    fn steps(&self) -> u64 {
        self.engine.steps()
    }

    fn counters(&self) -> Counters {
        let first = self.first.unwrap_or_default();
        let now = self.engine.counters();
        Counters {
            expanded: first.expanded + now.expanded,
            generated: first.generated + now.generated,
            ..now
        }
    }

    fn heat(&self) -> &[u32] {
        self.engine.heat()
    }

    fn best_mark(&self) -> Option<u64> {
        // The states of the two searches are not the same.
        let second = u64::from(self.first.is_some());
        self.engine.best_mark().map(|mark| mark << 1 | second)
    }

    fn best_path(&self) -> Vec<Step> {
        self.engine.best_path()
    }

    fn curve(&self) -> &Curve {
        self.engine.curve()
    }
}

/// A search over sets of states.
struct SetSearch<const W: usize> {
    task: Task,
    search: Meet<W>,
    curve: Curve,
    steps: u64,
}

impl<const W: usize> SetSearch<W> {
    fn boxed(task: &Task) -> Box<dyn Engine> {
        let Task { puzzle, player, boxes, objective, limit } = task.clone();
        match Meet::<W>::new(puzzle, player, &boxes, objective, limit) {
            Some(search) => {
                Box::new(Self { task: task.clone(), search, curve: Curve::new(), steps: 0 })
            }
            None => Method::BestFirst(Evaluation::AStar, Estimate::Matching).begin(task),
        }
    }

    fn path_steps(&self, path: &[Move]) -> Vec<Step> {
        let Task { puzzle, player, boxes, .. } = &self.task;
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
            if self.steps >= most || !clock.take(self.search.next_work()) {
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

    fn best_path(&self) -> Vec<Step> {
        self.path_steps(&self.search.nearest().map(|(_, path)| path).unwrap_or_default())
    }

    fn curve(&self) -> &Curve {
        &self.curve
    }
}
