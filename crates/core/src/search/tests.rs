//! All searches against a flood fill on random mazes.

use super::*;
use crate::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use proptest::prelude::*;

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
            let status = BestFirst::new(&maze, START, evaluation).run(&maze);
            let shortest = matches!(evaluation, Evaluation::UniformCost | Evaluation::AStar);
            check(&maze, truth, &status, shortest)?;
            if let (Evaluation::Weighted(w), Status::Found { cost, .. }) = (evaluation, &status) {
                prop_assert!(*cost <= w * truth);
            }
            let limit = MemoryLimit::default();
            let status =
                BestFirst::<_, Buckets>::limited(&maze, START, evaluation, limit, &mut ()).run(&maze);
            check(&maze, truth, &status, shortest)?;
            let cheapest =
                BestFirst::<_, CheapestFirst>::limited(&maze, START, evaluation, limit, &mut ())
                    .run(&maze);
            check(&maze, truth, &cheapest, shortest)?;
        }
        let limit = MemoryLimit::default();
        let mut breadth = BreadthFirst::new(&maze, [START], limit, &mut ());
        check(&maze, truth, &end(|| breadth.step(&maze)), true)?;
        let mut both = Bidirectional::new(&maze, START, limit, &mut ());
        check(&maze, truth, &end(|| both.step(&maze)), true)?;
        let mut depth = DepthFirst::new(&maze, START, 64, limit, &mut ());
        check(&maze, truth, &end(|| depth.step(&maze)), false)?;
    }

    #[test]
    fn what_is_undercut_is_found_exactly_if_it_exists(
        cells in prop::collection::vec(prop::bool::weighted(0.7), 64), most in 0_u32..40,
        steps in 0_usize..30,
    ) {
        let (maze, truth) = maze(&cells);
        for evaluation in [Evaluation::UniformCost, Evaluation::AStar, Evaluation::Weighted(3)] {
            let mut search = BestFirst::new(&maze, START, evaluation);
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
            BestFirst::<_, Buckets>::limited(&maze, START, Evaluation::AStar, limit, &mut seen);
        let watched = end(|| search.step_observed(&maze, &mut seen));
        prop_assert_eq!(seen.expanded, search.counters().expanded);
        prop_assert!(seen.events >= seen.expanded * 2);
        let mut alone =
            BestFirst::<_, Buckets>::limited(&maze, START, Evaluation::AStar, limit, &mut ());
        prop_assert_eq!(watched, alone.run(&maze));
    }

    #[test]
    fn the_frontier_of_a_recording_is_that_of_the_search(
        cells in prop::collection::vec(prop::bool::weighted(0.7), 64),
    ) {
        let (maze, _) = maze(&cells);
        let view = |cell: &Cell, _: Option<&Cell>| StateView { cell: *cell, ..StateView::default() };
        let mut recorder = Recorder::new(1000, view);
        let limit = MemoryLimit::default();
        let mut search =
            BestFirst::<_, Buckets>::limited(&maze, START, Evaluation::AStar, limit, &mut recorder);
        let status = end(|| search.step_observed(&maze, &mut recorder));
        let recording = recorder.finish(RecordingEnd::Exhausted);
        for at in recording.expansions() {
            let (before, event) = (recording.frontier(at - 1), &recording.events[at]);
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
            prop_assert!(recording.frontier(recording.events.len()).is_empty());
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
    let mut best: BestFirst<_> =
        BestFirst::limited(&Plane, start, Evaluation::UniformCost, limit, &mut ());
    assert_eq!(end(|| best.step(&Plane)), Status::LimitReached);
    within(best.counters());
    let mut buckets: BestFirst<_, Buckets> =
        BestFirst::limited(&Plane, start, Evaluation::UniformCost, limit, &mut ());
    assert_eq!(end(|| buckets.step(&Plane)), Status::LimitReached);
    within(buckets.counters());
    let mut cheapest: BestFirst<_, CheapestFirst> =
        BestFirst::limited(&Plane, start, Evaluation::UniformCost, limit, &mut ());
    assert_eq!(end(|| cheapest.step(&Plane)), Status::LimitReached);
    within(cheapest.counters());
    let mut breadth = BreadthFirst::new(&Plane, [start], limit, &mut ());
    assert_eq!(end(|| breadth.step(&Plane)), Status::LimitReached);
    within(breadth.counters());
    let mut depth = DepthFirst::new(&Plane, start, u32::MAX, limit, &mut ());
    assert_eq!(end(|| depth.step(&Plane)), Status::LimitReached);
    within(depth.counters());
    let mut both = Bidirectional::new(&Plane, start, limit, &mut ());
    assert_eq!(end(|| both.step(&Plane)), Status::LimitReached);
    within(both.counters());
}

#[test]
fn a_depth_bound_is_no_proof() {
    let mut shallow = DepthFirst::new(&Plane, Cell::default(), 5, MemoryLimit::default(), &mut ());
    assert_eq!(end(|| shallow.step(&Plane)), Status::LimitReached);
    assert!(shallow.counters().depth < 5);
}
