//! One search of a puzzle, whatever its method and packing.

use super::anytime::Anytime;
use super::estimate::Heuristic;
use super::moves::Move;
use super::packed::Packed;
use super::puzzle::{Puzzle, Square};
use super::running::{Curve, SetSearch, StateSearch, Watch};
use super::space::PackedSpace;
use super::{boards, with_packing};
use crate::{Objective, Pukoban, PukobanState, PukobanStep};
use outwit_core::play::Clock;
use outwit_core::search::{
    Bidirectional, Buckets, CheapestFirst, Counters, Evaluation, EventSink, GraphSearch,
    MemoryLimit, NodeEvent, Recorder, RecordingSummary, Search, StateView, Ties,
};
use std::sync::Arc;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Best first by an evaluation over an estimate.
    BestFirst(Evaluation, Heuristic),
    /// The same with ties broken so.
    BreakingTies(Evaluation, Heuristic, Ties),
    /// Breadth-first.
    Breadth,
    /// Depth-first, no deeper than so many edges.
    Depth(u32),
    /// Breadth-first from both ends over hashed states.
    Bidirectional,
    /// Bidirectional heuristic search over sets of states where the map is small enough, else A* by
    /// minimum-cost matching; weighted A* beside it knows solutions before the proof.
    Meet,
}

/// What to search: a puzzle from a position.
#[derive(Clone, Debug)]
pub struct SearchTask {
    /// The puzzle.
    pub puzzle: Arc<Puzzle>,
    /// The player's cell.
    pub player: Square,
    /// The boxes' cells.
    pub boxes: Vec<Square>,
    /// What counts.
    pub objective: Objective,
    /// The memory that the search may take.
    pub limit: MemoryLimit,
    /// Solutions that cost as much or more are of no use. The searches by A* and its weighted relatives
    /// and by [`Meet`](super::Meet) leave them out and then end as if there were none.
    pub below: u32,
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// With a solution, walks included, and what it costs by the objective.
    Solved {
        /// All steps.
        steps: Vec<PukobanStep>,
        /// Steps or box moves.
        cost: u32,
    },
    /// With the proof that there is none.
    Unsolvable,
    /// At its limit of memory or depth.
    GaveUp,
}

/// The cheapest solution known so far, which may not be the cheapest of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incumbent {
    /// All steps.
    pub steps: Vec<PukobanStep>,
    /// Steps or box moves.
    pub cost: u32,
    /// What no solution costs less than.
    pub at_least: u32,
}

/// A running search of one level, which can stop after any step.
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
    fn best_path(&self) -> Vec<PukobanStep>;
    /// The frontier's size against the number of expanded states.
    fn curve(&self) -> &Curve;
    /// The cheapest solution known while a search goes on to prove, or after it gave up.
    fn incumbent(&self) -> Option<Incumbent> {
        None
    }
    /// What no solution costs less than by what a search has seen that proves its solutions.
    fn at_least(&self) -> u32 {
        // What a search by a consistent estimate expands is never better than what it has expanded.
        u32::try_from(self.counters().f).unwrap_or(u32::MAX)
    }
    /// From now on the search need not look for solutions that cost as much or more.
    fn undercut(&mut self, _cost: u32) {}
    /// From now on the search may take so much memory.
    fn allow(&mut self, _limit: MemoryLimit) {}
}

/// Steps of a search after which it is asked whether it may go on.
const STEPS_PER_LOOK: u64 = 2048;

impl dyn Engine {
    /// Searches until it ends, the clock refuses, or `go_on`, which is asked from time to time, says no.
    pub fn run_while(
        &mut self,
        clock: &Clock,
        go_on: &mut dyn FnMut(&dyn Engine) -> bool,
    ) -> Option<End> {
        loop {
            let most = self.steps() + STEPS_PER_LOOK;
            let end = self.run_to(clock, most);
            if end.is_some() || self.steps() < most || !go_on(self) {
                return end;
            }
        }
    }
}

/// The most words of a bit mask with which sets of states are searched.
const MOST_WORDS: usize = 8;

impl Method {
    /// What it comes down to on this puzzle.
    pub fn on(self, puzzle: &Puzzle) -> Self {
        match self {
            Method::Meet if boards::words(puzzle) > MOST_WORDS => {
                Method::BestFirst(Evaluation::AStar, Heuristic::Matching)
            }
            other => other,
        }
    }

    fn estimate(self) -> Heuristic {
        match self {
            Method::BestFirst(_, estimate) | Method::BreakingTies(_, estimate, _) => estimate,
            _ => Heuristic::None,
        }
    }

    /// Begins a search by this method, before its first step.
    pub fn begin(self, task: &SearchTask) -> Box<dyn Engine> {
        match self {
            Method::Meet => Box::new(Anytime::new(task)),
            _ => with_packing!(task.puzzle, P => self.packed::<P>(task)),
        }
    }

    /// The search of [`Method::Meet`] that proves.
    pub(super) fn proof(task: &SearchTask) -> Box<dyn Engine> {
        match (Method::Meet.on(&task.puzzle), boards::words(&task.puzzle)) {
            (Method::Meet, 0..=1) => SetSearch::<1>::boxed(task),
            (Method::Meet, 2) => SetSearch::<2>::boxed(task),
            (Method::Meet, 3..=4) => SetSearch::<4>::boxed(task),
            (Method::Meet, _) => SetSearch::<MOST_WORDS>::boxed(task),
            (astar, _) => astar.begin(task),
        }
    }

    fn packed<P: Packed>(self, task: &SearchTask) -> Box<dyn Engine> {
        let space = task.space::<P>(self.estimate());
        let start = space.state(task.player, &task.boxes);
        let limit = task.limit;
        let mut watch = Watch::new(&task.puzzle, self.estimate());
        match self {
            // Of the planners' admissible estimates only this one is not consistent, so nodes are taken
            // in the order of Martelli's algorithm B.
            Method::BestFirst(evaluation @ Evaluation::AStar, Heuristic::Nearest) => {
                let mut search = GraphSearch::<_, CheapestFirst>::best_first(
                    &space, start, evaluation, limit, &mut watch,
                );
                search.undercut(task.below);
                StateSearch::boxed(task, space, search, watch)
            }
            Method::BestFirst(evaluation, _) => {
                let mut search = GraphSearch::<_, Buckets>::best_first(
                    &space, start, evaluation, limit, &mut watch,
                );
                search.undercut(task.below);
                StateSearch::boxed(task, space, search, watch)
            }
            Method::BreakingTies(evaluation, _, ties) => {
                let mut search =
                    GraphSearch::breaking_ties(&space, start, evaluation, ties, limit, &mut watch);
                search.undercut(task.below);
                StateSearch::boxed(task, space, search, watch)
            }
            Method::Breadth => {
                let search = GraphSearch::breadth_first(&space, [start], limit, &mut watch);
                StateSearch::boxed(task, space, search, watch)
            }
            Method::Depth(bound) => {
                let search = GraphSearch::depth_first(&space, start, bound, limit, &mut watch);
                StateSearch::boxed(task, space, search, watch)
            }
            Method::Bidirectional | Method::Meet => {
                let search = Bidirectional::new(&space, start, limit, &mut watch);
                StateSearch::boxed(task, space, search, watch)
            }
        }
    }

    /// Hands the first events of the search to a sink, at most so many.
    ///
    /// # Errors
    /// If the method expands no single states.
    pub fn stream(
        self,
        task: &SearchTask,
        events: (usize, &mut dyn EventSink),
        stop: &dyn Fn() -> bool,
    ) -> Result<RecordingSummary, String> {
        match self.on(&task.puzzle) {
            Method::Meet => {
                Err("it expands whole sets of states at once and has no events of single \
                                 states; choose another planner, such as uniform-cost"
                    .into())
            }
            method => Ok(with_packing!(task.puzzle, P => method.streamed::<P>(task, events, stop))),
        }
    }

    fn streamed<P: Packed>(
        self,
        task: &SearchTask,
        (events, sink): (usize, &mut dyn EventSink),
        stop: &dyn Fn() -> bool,
    ) -> RecordingSummary {
        let space = task.space::<P>(self.estimate());
        let (start, limit) = (space.state(task.player, &task.boxes), task.limit);
        let puzzle = Arc::clone(&task.puzzle);
        let view = move |event: &NodeEvent<'_, P, Move>| {
            let mut others = Vec::new();
            event.state.for_each_box(|spot| others.push(puzzle.cell(spot)));
            let moved = event.action.and_then(|action| action.box_move(&puzzle));
            StateView {
                cell: puzzle.cell(event.state.player()),
                others,
                values: Vec::new(),
                moved: moved.map(|(from, to)| (puzzle.cell(from), puzzle.cell(to))),
            }
        };
        let mut recorder = Recorder::new(events, view, sink);
        match self {
            Method::BestFirst(evaluation @ Evaluation::AStar, Heuristic::Nearest) => {
                GraphSearch::<_, CheapestFirst>::best_first(
                    &space,
                    start,
                    evaluation,
                    limit,
                    &mut recorder,
                )
                .record(&space, recorder, stop)
            }
            Method::BestFirst(evaluation, _) => GraphSearch::<_, Buckets>::best_first(
                &space,
                start,
                evaluation,
                limit,
                &mut recorder,
            )
            .record(&space, recorder, stop),
            Method::BreakingTies(evaluation, _, ties) => {
                GraphSearch::breaking_ties(&space, start, evaluation, ties, limit, &mut recorder)
                    .record(&space, recorder, stop)
            }
            Method::Breadth => GraphSearch::breadth_first(&space, [start], limit, &mut recorder)
                .record(&space, recorder, stop),
            Method::Depth(bound) => {
                GraphSearch::depth_first(&space, start, bound, limit, &mut recorder)
                    .record(&space, recorder, stop)
            }
            Method::Bidirectional | Method::Meet => {
                Bidirectional::new(&space, start, limit, &mut recorder)
                    .record(&space, recorder, stop)
            }
        }
    }
}

impl SearchTask {
    /// The search of a level from a position; `None` if the position is of another level.
    pub fn of(
        game: &Pukoban,
        puzzle: &Arc<Puzzle>,
        position: &PukobanState,
        limit: MemoryLimit,
    ) -> Option<Self> {
        let (player, boxes) = puzzle.place(position)?;
        let puzzle = Arc::clone(puzzle);
        Some(Self { puzzle, player, boxes, objective: game.objective(), limit, below: u32::MAX })
    }

    fn space<P: Packed>(&self, estimate: Heuristic) -> PackedSpace<P> {
        PackedSpace::new(Arc::clone(&self.puzzle), estimate, self.objective)
    }
}
