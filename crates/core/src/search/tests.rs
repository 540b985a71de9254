//! All searches against a flood fill on random mazes.

use super::*;
use crate::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use proptest::prelude::*;
use std::collections::HashMap;

struct Maze {
    open: Grid<bool>,
    goal: Cell,
}

impl Space for Maze {
    type State = Cell;
    type Action = Cell;
    fn successors(&self, state: &Cell, out: &mut Vec<(Cell, Cell, u32)>) {
        for step in FOUR {
            let next = *state + step;
            if self.open.get(next) == Some(&true) {
                out.push((step, next, 1));
            }
        }
    }
    fn is_goal(&self, state: &Cell) -> bool {
        *state == self.goal
    }
    fn heuristic(&self, state: &Cell) -> Option<u32> {
        Some(state.manhattan(self.goal) as u32)
    }
}

impl Reversible for Maze {
    fn goals(&self) -> u64 {
        1
    }
    fn goal(&self, _: u64) -> Cell {
        self.goal
    }
    fn reverse(&self, action: &Cell) -> Cell {
        -*action
    }
}

fn maze(cells: &[bool]) -> (Maze, u32) {
    let mut open = Grid::from_fn(8, 8, |c| cells[(c.y * 8 + c.x) as usize]);
    let goal = Cell::new(7, 7);
    // The ends are open, so that an edge into one is an edge out of it.
    open[START] = true;
    open[goal] = true;
    let truth = distances(&open, [START], &FOUR, |_, &o| o)[goal];
    (Maze { open, goal }, truth)
}

const START: Cell = Cell::new(0, 0);

fn end<A>(mut step: impl FnMut() -> Status<A>) -> Status<A> {
    loop {
        match step() {
            Status::Running => {}
            end => return end,
        }
    }
}

/// Records the events of a search until its end.
fn recorded<F: Frontier>(
    maze: &Maze,
    begin: impl FnOnce(&mut Recorder<'_, View>) -> GraphSearch<Maze, F>,
) -> (Status<Cell>, Recording) {
    let view: View = |event| StateView { cell: *event.state, ..StateView::default() };
    let mut events = Vec::new();
    let mut recorder = Recorder::new(1000, view, &mut events);
    let mut search = begin(&mut recorder);
    let status = end(|| search.step_observed(maze, &mut recorder));
    let summary = RecordingSummary { end: RecordingEnd::Exhausted, counters: search.counters() };
    (status, Recording::new(events, summary))
}

/// What a recording keeps of an event.
type View = fn(&NodeEvent<'_, Cell, Cell>) -> StateView;

/// Whether the end is right; the cost must be the least if `shortest`.
fn check(
    maze: &Maze,
    truth: u32,
    status: &Status<Cell>,
    shortest: bool,
) -> Result<(), TestCaseError> {
    match status {
        Status::Found { path, cost } => {
            prop_assert_eq!(path.len() as u32, *cost);
            let mut cell = START;
            for &step in path {
                cell = cell + step;
                prop_assert_eq!(maze.open.get(cell), Some(&true));
            }
            prop_assert_eq!(cell, maze.goal);
            prop_assert!(*cost >= truth);
            prop_assert!(!shortest || *cost == truth);
        }
        Status::Exhausted => prop_assert_eq!(truth, UNREACHED),
        Status::Running | Status::LimitReached => prop_assert!(false, "{status:?}"),
    }
    Ok(())
}

/// Counts the nodes that an observer hears of and checks the order of events.
#[derive(Default)]
struct Protocol {
    generated: Vec<bool>,
    expanded: u64,
    events: u64,
}

impl Observer<Cell, Cell> for Protocol {
    fn event(&mut self, event: &NodeEvent<'_, Cell, Cell>) {
        self.events += 1;
        let id = event.id as usize;
        match event.kind {
            EventKind::Generate => {
                assert_eq!(id, self.generated.len());
                self.generated.push(false);
                assert!(event.parent.is_none_or(|parent| (parent as usize) < id));
            }
            EventKind::Expand => {
                self.generated[id] = true;
                self.expanded += 1;
            }
            EventKind::Close => assert!(self.generated[id]),
            EventKind::Update | EventKind::Goal => assert!(id < self.generated.len()),
        }
    }
}

proptest! {
    #[test]
    fn all_agree_with_a_flood_fill(cells in prop::collection::vec(prop::bool::weighted(0.7), 64)) {
        let (maze, truth) = maze(&cells);
        for evaluation in [
            Evaluation::UniformCost, Evaluation::AStar, Evaluation::Greedy, Evaluation::Weighted(3),
        ] {
            let status = GraphSearch::new(&maze, START, evaluation).run(&maze);
            let shortest = matches!(evaluation, Evaluation::UniformCost | Evaluation::AStar);
            check(&maze, truth, &status, shortest)?;
            if let (Evaluation::Weighted(w), Status::Found { cost, .. }) = (evaluation, &status) {
                prop_assert!(*cost <= w * truth);
            }
            let limit = MemoryLimit::default();
            let status =
                GraphSearch::<_, Buckets>::best_first(&maze, START, evaluation, limit, &mut ()).run(&maze);
            check(&maze, truth, &status, shortest)?;
            let cheapest =
                GraphSearch::<_, CheapestFirst>::best_first(&maze, START, evaluation, limit, &mut ())
                    .run(&maze);
            check(&maze, truth, &cheapest, shortest)?;
        }
        let limit = MemoryLimit::default();
        let mut breadth = GraphSearch::breadth_first(&maze, [START], limit, &mut ());
        check(&maze, truth, &end(|| breadth.step(&maze)), true)?;
        let mut both = Bidirectional::new(&maze, START, limit, &mut ());
        check(&maze, truth, &end(|| both.step(&maze)), true)?;
        let mut depth = GraphSearch::depth_first(&maze, START, 64, limit, &mut ());
        check(&maze, truth, &end(|| depth.step(&maze)), false)?;
    }

    #[test]
    fn what_is_undercut_is_found_exactly_if_it_exists(
        cells in prop::collection::vec(prop::bool::weighted(0.7), 64), most in 0_u32..40,
        steps in 0_usize..30,
    ) {
        let (maze, truth) = maze(&cells);
        for evaluation in [Evaluation::UniformCost, Evaluation::AStar, Evaluation::Weighted(3)] {
            let mut search = GraphSearch::new(&maze, START, evaluation);
            let early = (0..steps).map(|_| search.step(&maze)).find(|status| *status != Status::Running);
            if early.is_some() {
                continue;
            }
            search.undercut(most);
            match search.run(&maze) {
                Status::Found { cost, .. } => prop_assert!((truth..most).contains(&cost)),
                status => {
                    prop_assert_eq!(status, Status::Exhausted);
                    prop_assert!(truth >= most);
                }
            }
        }
    }

    #[test]
    fn an_observer_sees_every_node(cells in prop::collection::vec(prop::bool::weighted(0.7), 64)) {
        let (maze, _) = maze(&cells);
        let limit = MemoryLimit::default();
        let mut seen = Protocol::default();
        let mut search =
            GraphSearch::<_, Buckets>::best_first(&maze, START, Evaluation::AStar, limit, &mut seen);
        let watched = end(|| search.step_observed(&maze, &mut seen));
        prop_assert_eq!(seen.expanded, search.counters().expanded);
        prop_assert!(seen.events >= seen.expanded * 2);
        let mut alone =
            GraphSearch::<_, Buckets>::best_first(&maze, START, Evaluation::AStar, limit, &mut ());
        prop_assert_eq!(watched, alone.run(&maze));
    }

    #[test]
    fn what_comes_first_in_the_frontier_is_expanded_next(
        cells in prop::collection::vec(prop::bool::weighted(0.7), 64),
    ) {
        let (maze, _) = maze(&cells);
        let limit = MemoryLimit::default();
        for evaluation in [Evaluation::UniformCost, Evaluation::AStar, Evaluation::Weighted(3)] {
            for ties in Ties::ALL {
                let (_, recording) = recorded(&maze, |recorder| {
                    GraphSearch::breaking_ties(&maze, START, evaluation, ties, limit, recorder)
                });
                for at in recording.expansions() {
                    let next = recording.frontier(at - 1, Some(ties))[0];
                    prop_assert_eq!(next.id, recording.events[at].id, "{:?} {:?}", evaluation, ties);
                }
            }
        }
    }

    #[test]
    fn the_frontier_of_a_recording_is_that_of_the_search(
        cells in prop::collection::vec(prop::bool::weighted(0.7), 64),
    ) {
        let (maze, _) = maze(&cells);
        let limit = MemoryLimit::default();
        let (status, recording) = recorded(&maze, |recorder| {
            GraphSearch::<_, Buckets>::best_first(&maze, START, Evaluation::AStar, limit, recorder)
        });
        for at in recording.expansions() {
            let (before, event) = (recording.frontier(at - 1, None), &recording.events[at]);
            // It takes a node that waits, and none that waits is better.
            prop_assert!(before.iter().any(|waiting| waiting.id == event.id));
            prop_assert_eq!(before[0].f, event.f);
            // The way goes step by step from the start to the node, as long as it is cheap.
            let way: Vec<Cell> =
                recording.way(at).iter().map(|&at| recording.events[at].state.cell).collect();
            prop_assert_eq!((way[0], way[way.len() - 1]), (START, event.state.cell));
            prop_assert_eq!(way.len() as u32, event.g + 1);
            prop_assert!(way.windows(2).all(|step| step[0].manhattan(step[1]) == 1));
        }
        if matches!(status, Status::Exhausted) {
            prop_assert!(recording.frontier(recording.events.len(), None).is_empty());
        }
        let close = recording.events.iter().position(|event| event.kind == EventKind::Close);
        if let Some(at) = close {
            let children = recording.successors(at);
            let next_to = |&child: &usize| recording.events[child].state.cell.manhattan(START) == 1;
            prop_assert!(children.iter().all(next_to));
        }
    }
}

/// An endless plane without a goal.
struct Plane;

impl Space for Plane {
    type State = Cell;
    type Action = ();
    fn successors(&self, state: &Cell, out: &mut Vec<((), Cell, u32)>) {
        out.extend(FOUR.map(|step| ((), *state + step, 1)));
    }
    fn is_goal(&self, _: &Cell) -> bool {
        false
    }
}

impl Reversible for Plane {
    fn goals(&self) -> u64 {
        1
    }
    fn goal(&self, _: u64) -> Cell {
        Cell::new(1 << 20, 1 << 20)
    }
    fn reverse(&self, (): &()) {}
}

#[test]
fn every_search_ends_at_its_memory_limit() {
    let limit = MemoryLimit(1 << 20);
    let within = |counters: Counters| {
        assert!(counters.bytes <= limit.0, "{} bytes", counters.bytes);
        assert!(counters.bytes > limit.0 / 4, "{} bytes", counters.bytes);
    };
    let start = Cell::default();
    let mut best: GraphSearch<_> =
        GraphSearch::best_first(&Plane, start, Evaluation::UniformCost, limit, &mut ());
    assert_eq!(end(|| best.step(&Plane)), Status::LimitReached);
    within(best.counters());
    let mut buckets: GraphSearch<_, Buckets> =
        GraphSearch::best_first(&Plane, start, Evaluation::UniformCost, limit, &mut ());
    assert_eq!(end(|| buckets.step(&Plane)), Status::LimitReached);
    within(buckets.counters());
    let mut cheapest: GraphSearch<_, CheapestFirst> =
        GraphSearch::best_first(&Plane, start, Evaluation::UniformCost, limit, &mut ());
    assert_eq!(end(|| cheapest.step(&Plane)), Status::LimitReached);
    within(cheapest.counters());
    let mut breadth = GraphSearch::breadth_first(&Plane, [start], limit, &mut ());
    assert_eq!(end(|| breadth.step(&Plane)), Status::LimitReached);
    within(breadth.counters());
    let mut depth = GraphSearch::depth_first(&Plane, start, u32::MAX, limit, &mut ());
    assert_eq!(end(|| depth.step(&Plane)), Status::LimitReached);
    within(depth.counters());
    let mut both = Bidirectional::new(&Plane, start, limit, &mut ());
    assert_eq!(end(|| both.step(&Plane)), Status::LimitReached);
    within(both.counters());
}

#[test]
fn a_depth_bound_is_no_proof() {
    let mut shallow =
        GraphSearch::depth_first(&Plane, Cell::default(), 5, MemoryLimit::default(), &mut ());
    assert_eq!(end(|| shallow.step(&Plane)), Status::LimitReached);
    assert!(shallow.counters().depth < 5);
}

/// An undirected graph whose edges have costs.
#[derive(Debug)]
struct Roads {
    /// Two places and what it costs to get from one to the other.
    edges: Vec<(usize, usize, u32)>,
    /// The estimate of each place.
    estimates: Vec<Option<u32>>,
}

/// Every search goes from place 0 to the last one.
const PLACES: usize = 8;

impl Roads {
    /// The least cost from each place to the goal, by the method of Bellman and Ford.
    fn truth(&self) -> Vec<Option<u32>> {
        let mut truth = vec![None; PLACES];
        truth[PLACES - 1] = Some(0);
        for _ in 0..PLACES {
            for &(a, b, cost) in &self.edges {
                for (from, to) in [(a, b), (b, a)] {
                    let through = truth[to].map(|rest| cost + rest);
                    truth[from] = [truth[from], through].into_iter().flatten().min();
                }
            }
        }
        truth
    }
}

impl Space for Roads {
    type State = usize;
    type Action = (usize, usize, u32);
    fn successors(&self, state: &usize, out: &mut Vec<Edge<Self>>) {
        for &(a, b, cost) in &self.edges {
            for (from, to) in [(a, b), (b, a)] {
                if from == *state {
                    out.push(((from, to, cost), to, cost));
                }
            }
        }
    }
    fn is_goal(&self, state: &usize) -> bool {
        *state == PLACES - 1
    }
    fn heuristic(&self, state: &usize) -> Option<u32> {
        self.estimates[*state]
    }
}

impl Reversible for Roads {
    fn goals(&self) -> u64 {
        1
    }
    fn goal(&self, _: u64) -> usize {
        PLACES - 1
    }
    fn reverse(&self, &(from, to, cost): &Self::Action) -> Self::Action {
        (to, from, cost)
    }
}

/// Counts how often each node is expanded.
#[derive(Default)]
struct Expansions(HashMap<(bool, u32), u64>);

impl<S, A> Observer<S, A> for Expansions {
    fn event(&mut self, event: &NodeEvent<'_, S, A>) {
        if event.kind == EventKind::Expand {
            *self.0.entry((event.backward, event.id)).or_default() += 1;
        }
    }
}

/// What the path costs that a search finds, and how many expansions were not the first of their node. Both
/// are checked.
fn found(roads: &Roads, mut search: impl Search<Roads>) -> (Option<u32>, u64) {
    let mut seen = Expansions::default();
    let status = end(|| search.step_observed(roads, &mut seen));
    let counters = search.counters();
    let all: u64 = seen.0.values().sum();
    let again = all - seen.0.len() as u64;
    assert_eq!((counters.expanded, counters.expanded_again), (all, again));
    let cost = match status {
        Status::Found { path, .. } => {
            let mut place = 0;
            for &(from, to, _) in &path {
                assert_eq!(from, place);
                place = to;
            }
            assert_eq!(place, PLACES - 1);
            Some(path.iter().map(|(.., cost)| cost).sum())
        }
        Status::Exhausted => None,
        Status::Running | Status::LimitReached => panic!("{status:?}"),
    };
    (cost, again)
}

proptest! {
    /// Half of the truth is a consistent estimate; what is below the truth by chance is only admissible.
    #[test]
    fn no_state_is_expanded_again_without_need(
        edges in prop::collection::vec((0..PLACES, 0..PLACES, 1_u32..20), 4..24),
        parts in prop::collection::vec(0_u32..=4, PLACES),
    ) {
        let mut roads = Roads { edges, estimates: Vec::new() };
        let truth = roads.truth();
        let limit = MemoryLimit::default();
        for is_consistent in [true, false] {
            let parts = parts.iter().map(|&part| if is_consistent { 2 } else { part });
            let estimate = |(cost, part): (&Option<u32>, u32)| cost.map(|cost| cost * part / 4);
            roads.estimates = truth.iter().zip(parts).map(estimate).collect();
            for evaluation in [
                Evaluation::UniformCost, Evaluation::AStar, Evaluation::Greedy, Evaluation::Weighted(3),
            ] {
                let ends = [
                    found(&roads, GraphSearch::new(&roads, 0, evaluation)),
                    found(&roads, GraphSearch::<_, Buckets>::best_first(
                        &roads, 0, evaluation, limit, &mut (),
                    )),
                    found(&roads, GraphSearch::<_, CheapestFirst>::best_first(
                        &roads, 0, evaluation, limit, &mut (),
                    )),
                ];
                for (cost, again) in ends {
                    prop_assert_eq!(cost.is_some(), truth[0].is_some());
                    prop_assert!(cost >= truth[0]);
                    if matches!(evaluation, Evaluation::UniformCost | Evaluation::AStar) {
                        prop_assert_eq!(cost, truth[0]);
                    }
                    if match evaluation {
                        Evaluation::UniformCost | Evaluation::Greedy => true,
                        Evaluation::AStar => is_consistent,
                        Evaluation::Weighted(_) => false,
                    } {
                        prop_assert_eq!(again, 0);
                    }
                }
            }
            let ends = [
                found(&roads, GraphSearch::breadth_first(&roads, [0], limit, &mut ())),
                found(&roads, GraphSearch::depth_first(&roads, 0, u32::MAX, limit, &mut ())),
                found(&roads, Bidirectional::new(&roads, 0, limit, &mut ())),
            ];
            for (cost, again) in ends {
                prop_assert_eq!(cost.is_some(), truth[0].is_some());
                prop_assert!(cost >= truth[0]);
                prop_assert_eq!(again, 0);
            }
        }
    }
}

/// Place 2 is reached for 3 at first and for 2 by way of place 1, which the estimate makes look bad.
#[test]
fn a_state_is_expanded_again_only_where_that_lowers_its_evaluation() {
    let edges = vec![(0, 2, 3), (0, 1, 1), (1, 2, 1), (2, PLACES - 1, 10)];
    let estimates = (0..PLACES).map(|place| Some(if place == 1 { 5 } else { 0 })).collect();
    let roads = Roads { edges, estimates };
    for (evaluation, cost, again) in [
        (Evaluation::UniformCost, 12, 0),
        (Evaluation::AStar, 12, 1),
        (Evaluation::Weighted(2), 12, 1),
        (Evaluation::Greedy, 13, 0),
    ] {
        let search = GraphSearch::new(&roads, 0, evaluation);
        assert_eq!(found(&roads, search), (Some(cost), again), "{evaluation:?}");
    }
}

/// A directed graph: each edge leads from the first place to the second, and to go back is something else.
struct Streets(Vec<(usize, usize)>);

impl Space for Streets {
    type State = usize;
    type Action = (usize, usize);
    fn successors(&self, state: &usize, out: &mut Vec<Edge<Self>>) {
        let ahead = self.0.iter().filter(|(from, _)| from == state);
        out.extend(ahead.map(|&(from, to)| ((from, to), to, 1)));
    }
    fn is_goal(&self, state: &usize) -> bool {
        *state == PLACES - 1
    }
}

impl Reversible for Streets {
    fn goals(&self) -> u64 {
        1
    }
    fn goal(&self, _: u64) -> usize {
        PLACES - 1
    }
    fn reverse(&self, &(from, to): &Self::Action) -> Self::Action {
        (to, from)
    }
    fn expand_backward(
        &self,
        state: &usize,
        _: u64,
        _: &mut Vec<Edge<Self>>,
        visit: &mut impl FnMut(Edge<Self>, u64),
    ) {
        for &(from, to) in self.0.iter().filter(|(_, to)| to == state) {
            visit(((to, from), from, 1), self.key(&from));
        }
    }
}

proptest! {
    #[test]
    fn edges_that_do_not_lead_back_are_gone_the_right_way(
        edges in prop::collection::vec((0..PLACES, 0..PLACES), 4..24),
    ) {
        let streets = Streets(edges);
        let limit = MemoryLimit::default();
        let mut plain = GraphSearch::breadth_first(&streets, [0], limit, &mut ());
        let mut both = Bidirectional::new(&streets, 0, limit, &mut ());
        match (end(|| plain.step(&streets)), end(|| both.step(&streets))) {
            (Status::Found { path: shortest, .. }, Status::Found { path, cost }) => {
                prop_assert_eq!((path.len(), cost as usize), (shortest.len(), shortest.len()));
                prop_assert!(path.iter().all(|street| streets.0.contains(street)));
                prop_assert!(path.windows(2).all(|pair| pair[0].1 == pair[1].0));
                prop_assert_eq!((path[0].0, path[path.len() - 1].1), (0, PLACES - 1));
            }
            (plain, both) => prop_assert_eq!(plain, both),
        }
    }
}
