//! The original program's method: greedy best-first search by sight of a shortest route.

use super::space::{State, StateSpace};
use crate::games::racetrack::{
    Accelerate, GatesPassed as Gates, Race, RaceView, Racetrack, Track, Walk,
};
use crate::grid::{Cell, DIAGONAL, EIGHT, Grid, STRAIGHT, crossings};
use crate::play::{
    Clock, Counter, Game, Heat, Insight, Path, Planner, PlannerContext, Progress, Seat, StopFlag,
    Tone,
};
use crate::search::{
    BestFirst, Evaluation, MemoryLimit, Recorder, Recording, Search, Space, StateView, Status,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Plans a whole race by greedy best-first search and follows it.
///
/// The evaluation of a cell is the least, over the points of a shortest route in straight sight of
/// it, of the distance to the point plus the length of the route from there. Speed does not enter,
/// so the races it finds are legal and far from fast.
pub struct Greedy {
    space: GreedySpace,
    search: Option<BestFirst<GreedySpace>>,
    /// What to do in each state of the plan.
    plan: HashMap<State, Cell>,
    here: State,
    best: Accelerate,
    view: RaceView,
    failed: bool,
}

impl Greedy {
    /// A driver that plans its route from where it first sees its car.
    pub fn new(context: PlannerContext<Racetrack>) -> Self {
        let PlannerContext { game, seat, .. } = context;
        Self {
            space: GreedySpace { game, legs: Vec::new() },
            search: None,
            plan: HashMap::new(),
            here: None,
            best: Accelerate(Cell::default()),
            view: RaceView { race: Race { cars: Vec::new(), mover: 0 }, seat },
            failed: false,
        }
    }

    /// Takes the action that the plan holds for the present state, if it holds one.
    fn follow(&mut self) -> bool {
        let Some(&a) = self.plan.get(&self.here) else { return false };
        let action = Accelerate(a);
        if self.space.game.legal(&self.view.race, self.view.seat, &action).is_ok() {
            self.best = action;
        }
        true
    }
}

impl Planner<Racetrack> for Greedy {
    fn observe(&mut self, seen: &RaceView) {
        let car = seen.car();
        if self.space.legs.is_empty() {
            self.space = GreedySpace::new(Arc::clone(&self.space.game), car.cell);
        }
        self.view = seen.clone();
        self.best = self.space.game.null_action(&seen.race, seen.seat);
        let here = Some((car.cell, car.velocity, car.progress));
        if here != self.here {
            // A search from elsewhere is of no use; one from here goes on where it stopped.
            self.here = here;
            self.search = None;
            self.failed = false;
        }
        self.follow();
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        if self.failed || self.follow() {
            return Progress::Done;
        }
        let mut search = self
            .search
            .take()
            .unwrap_or_else(|| BestFirst::new(&self.space, self.here, Evaluation::Greedy));
        loop {
            if !clock.take(1) {
                self.search = Some(search);
                return Progress::More;
            }
            match search.step(&self.space) {
                Status::Running => {}
                Status::Exhausted | Status::LimitReached => {
                    self.failed = true;
                    return Progress::Done;
                }
                Status::Found { path, .. } => {
                    let mut state = self.here;
                    for a in path {
                        self.plan.insert(state, a);
                        state = self.space.after(state, a);
                    }
                    self.follow();
                    return Progress::Done;
                }
            }
        }
    }

    fn best(&self) -> Accelerate {
        self.best
    }

    fn insight(&self) -> Insight {
        let progress = self.here.map_or(0, |(_, _, progress)| progress);
        let leg = self.space.legs.get(usize::from(progress));
        let mut line = Vec::new();
        let mut state = self.here;
        while let Some((cell, velocity, _)) = state {
            line.push(cell);
            let Some(&a) = self.plan.get(&state) else { break };
            state = self.space.after(state, a);
            if state.is_none() {
                line.push(cell + velocity + a);
            }
        }
        let counters = self.search.as_ref().map(BestFirst::counters).unwrap_or_default();
        Insight {
            heats: leg.into_iter().map(|leg| Heat {
                label: "Evaluation",
                about: "Estimated way to the finish from each cell, in thousandths of a cell, by \
                        sight of a shortest route. Lower is better; speed does not count.",
                cells: leg
                    .value
                    .iter()
                    .filter_map(|(cell, value)| value.map(|value| (cell, value as f32)))
                    .collect(),
            }).collect(),
            paths: vec![
                Path { cells: line, tone: Tone::Wanted },
                Path {
                    cells: leg.map(|leg| leg.route.clone()).unwrap_or_default(),
                    tone: Tone::Searched,
                },
            ],
            counters: vec![
                Counter {
                    name: "States expanded",
                    about: "States whose moves were all tried; one unit of work each.",
                    value: counters.expanded as f64,
                },
                Counter {
                    name: "Frontier",
                    about: "States that were found and still wait to be expanded.",
                    value: counters.frontier as f64,
                },
            ],
            ..Insight::default()
        }
    }
}

/// The first events of the search from where a car stands.
pub fn record(
    game: &Arc<Racetrack>,
    race: &Race,
    seat: Seat,
    events: usize,
    stop: &StopFlag,
) -> Recording {
    let car = race.cars[seat.index()];
    let space = GreedySpace::new(Arc::clone(game), car.cell);
    let start = Some((car.cell, car.velocity, car.progress));
    let mut recorder = Recorder::new(events, |state: &State, action: Option<&Cell>| match *state {
        Some((cell, velocity, progress)) => view(cell, velocity, i64::from(progress)),
        // The finish has no place of its own; its acceleration is kept until its parent is known.
        None => view(action.copied().unwrap_or_default(), Cell::default(), -1),
    });
    let (evaluation, limit) = (Evaluation::Greedy, MemoryLimit::default());
    let mut search: BestFirst<_> =
        BestFirst::limited(&space, start, evaluation, limit, &mut recorder);
    let mut recording = search.record(&space, recorder, &|| stop.is_raised());
    place_finishes(&mut recording);
    recording
}

fn view(cell: Cell, velocity: Cell, gates: i64) -> StateView {
    let values =
        vec![("vx", i64::from(velocity.x)), ("vy", i64::from(velocity.y)), ("gates", gates)];
    StateView { cell, others: Vec::new(), values, moved: None }
}

/// Puts every state behind the finish where its last move ends.
fn place_finishes(recording: &mut Recording) {
    let mut known: HashMap<u32, (Cell, Cell)> = HashMap::new();
    for event in &mut recording.events {
        let value = |name: &str| {
            event.state.values.iter().find(|(key, _)| *key == name).map_or(0, |&(_, value)| value)
        };
        if value("gates") >= 0 {
            let velocity = Cell::new(value("vx") as i32, value("vy") as i32);
            known.insert(event.id, (event.state.cell, velocity));
        } else if let Some(&(cell, velocity)) = event.parent.and_then(|id| known.get(&id)) {
            let driven = velocity + event.state.cell;
            event.state = view(cell + driven, driven, -1);
        }
    }
}

/// States of a car that stays on the track, with the original evaluation.
struct GreedySpace {
    game: Arc<Racetrack>,
    legs: Vec<Leg>,
}

/// The way to one gate.
struct Leg {
    route: Vec<Cell>,
    /// In thousandths of a cell; `None` where no point of the route is in sight.
    value: Grid<Option<u32>>,
}

impl GreedySpace {
    fn new(game: Arc<Racetrack>, start: Cell) -> Self {
        let track = game.track();
        let mut routes: Vec<Vec<Cell>> = Vec::new();
        let mut from = start;
        for progress in 0..track.gates() {
            let route = route(track, from, progress);
            from = route.last().copied().unwrap_or(from);
            routes.push(route);
        }
        let mut beyond = 0.0;
        let mut legs: Vec<Leg> = Vec::new();
        for route in routes.into_iter().rev() {
            let value = evaluate(track, &route, beyond);
            beyond += route.windows(2).map(|w| w[0].distance(w[1])).sum::<f32>();
            legs.push(Leg { route, value });
        }
        legs.reverse();
        Self { game, legs }
    }

    fn after(&self, state: State, a: Cell) -> State {
        let (cell, velocity, progress) = state?;
        let driven = velocity + a;
        match self.game.track().walk(cell, driven, progress) {
            Walk::Lands(progress) => Some((cell + driven, driven, progress)),
            Walk::Finishes { .. } | Walk::Crashes { .. } => None,
        }
    }
}

impl Space for GreedySpace {
    type State = State;
    type Action = Cell;

    fn successors(&self, state: &State, out: &mut Vec<(Cell, State, u32)>) {
        StateSpace::new(self.game.track()).successors(state, out);
        // With penalties a crash leads on as well; the original never leaves the track.
        out.retain(|(a, after, _)| *after == self.after(*state, *a));
    }

    fn is_goal(&self, state: &State) -> bool {
        state.is_none()
    }

    fn heuristic(&self, state: &State) -> Option<u32> {
        let Some((cell, _, progress)) = *state else { return Some(0) };
        // Out of sight of the route is worse than anything in sight.
        Some(self.legs[usize::from(progress)].value.get(cell).copied()?.unwrap_or(u32::MAX / 2))
    }
}

/// A shortest way over the eight neighbours from a cell to a gate, by A*.
fn route(track: &Track, from: Cell, progress: Gates) -> Vec<Cell> {
    struct Ways<'a> {
        track: &'a Track,
        goals: Vec<Cell>,
    }
    impl Space for Ways<'_> {
        type State = Cell;
        type Action = Cell;
        fn successors(&self, cell: &Cell, out: &mut Vec<(Cell, Cell, u32)>) {
            for step in EIGHT {
                let next = *cell + step;
                if self.track.is_road(next) {
                    let diagonal = step.x != 0 && step.y != 0;
                    out.push((next, next, if diagonal { DIAGONAL } else { STRAIGHT }));
                }
            }
        }
        fn is_goal(&self, cell: &Cell) -> bool {
            self.goals.contains(cell)
        }
        fn heuristic(&self, cell: &Cell) -> Option<u32> {
            self.goals.iter().map(|goal| goal.chebyshev(*cell) as u32 * STRAIGHT).min()
        }
    }
    let gate = track.next_gate(progress);
    let goals =
        track.surfaces().iter().filter(|&(_, &s)| Some(s) == gate).map(|(cell, _)| cell).collect();
    let ways = Ways { track, goals };
    let mut route = vec![from];
    if let Status::Found { path, .. } = BestFirst::new(&ways, from, Evaluation::AStar).run(&ways) {
        route.extend(path);
    }
    route
}

/// The evaluation of every cell; `beyond` is the length of the legs after this route.
fn evaluate(track: &Track, route: &[Cell], beyond: f32) -> Grid<Option<u32>> {
    let mut rest = vec![beyond; route.len()];
    for i in (0..route.len().saturating_sub(1)).rev() {
        rest[i] = rest[i + 1] + route[i].distance(route[i + 1]);
    }
    Grid::from_fn(track.surfaces().width(), track.surfaces().height(), |cell| {
        if !track.is_road(cell) {
            return None;
        }
        let mut least = f32::INFINITY;
        // From the end of the route backwards: the first point in sight is mostly the best.
        for (&point, &rest) in route.iter().zip(&rest).rev() {
            let value = cell.distance(point) + rest;
            if value < least && in_sight(track, cell, point) {
                least = value;
            }
        }
        least.is_finite().then_some((least * 1000.0) as u32)
    })
}

fn in_sight(track: &Track, from: Cell, to: Cell) -> bool {
    crossings(from, to).all(|crossing| track.is_road(crossing.cell))
}
