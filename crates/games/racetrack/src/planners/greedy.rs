//! The original program's method: greedy best-first search by sight of a shortest route.

use super::roadcraft::{Roadcraft, stays};
use super::space::{State, StateSpace};
use super::traffic::{Advice, Traffic};
use crate::{Accelerate, GatesPassed as Gates, Race, RaceView, Racetrack, Track, Walk};
use outwit_core::grid::{Cell, DIAGONAL, EIGHT, Grid, STRAIGHT, crossings};
use outwit_core::play::{
    Clock, Counter, Game, Heat, Insight, Path, Planner, PlannerContext, Progress, Seat, StopFlag,
    Tone,
};
use outwit_core::search::{
    BestFirst, Evaluation, MemoryLimit, Recorder, Recording, Search, Space, StateView, Status,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Plans a whole race by greedy best-first search and follows it.
///
/// The evaluation of a cell is the least, over the points of a shortest route in straight sight of
/// it, of the distance to the point plus the length of the route from there. Speed does not enter,
/// so the races it finds are legal and far from fast.
pub struct Greedy {
    space: GreedySpace,
    /// The search in progress, and the state from which it plans.
    search: Option<(State, BestFirst<GreedySpace>)>,
    /// What to do in each state of the plan.
    plan: HashMap<State, Cell>,
    /// What to do until there is a plan: a round that comes back to where the search began.
    round: HashMap<State, Cell>,
    road: Roadcraft,
    traffic: Traffic,
    here: State,
    best: Accelerate,
    /// What is legal and gets in nobody's way.
    safe: Vec<Accelerate>,
    /// Whether it makes room for others, plan or not.
    dodges: bool,
    /// From where there is no way that stays on the track.
    failed: HashSet<State>,
    /// Whether a search took more memory than there is; from then on it goes step by step.
    gave_up: bool,
}

impl Greedy {
    /// A driver that plans its route from where it first sees its car.
    pub fn new(context: PlannerContext<Racetrack>) -> Self {
        let PlannerContext { game, seed, .. } = context;
        Self {
            space: GreedySpace { game, legs: Vec::new() },
            search: None,
            plan: HashMap::new(),
            round: HashMap::new(),
            road: Roadcraft::default(),
            traffic: Traffic::new(seed),
            here: None,
            best: Accelerate(Cell::default()),
            safe: Vec::new(),
            dodges: false,
            failed: HashSet::new(),
            gave_up: false,
        }
    }

    /// Takes the action that the plan holds for the present state, if it holds one that is safe.
    fn follow(&mut self) -> bool {
        let Some(action) = self.plan.get(&self.here).map(|&a| Accelerate(a)) else { return false };
        let free = self.safe.contains(&action);
        if free {
            self.best = action;
        }
        free
    }

    /// What to do without a plan: the round if it is on it, else brake; at rest after a search that
    /// failed, one step on.
    fn without_plan(&mut self, null_action: Accelerate) -> Accelerate {
        if let Some(action) = self.round.get(&self.here).map(|&a| Accelerate(a))
            && self.safe.contains(&action)
        {
            return action;
        }
        let Some((cell, velocity, progress)) = self.here else { return null_action };
        let (game, road) = (Arc::clone(&self.space.game), &mut self.road);
        let track = game.track();
        road.measure(track);
        let hopeless = self.gave_up || self.failed.contains(&self.here);
        let steps_on = velocity == Cell::default() && hopeless;
        let best = self
            .safe
            .iter()
            .map(|&action| (action, velocity + action.0))
            .filter(|&(_, driven)| stays(track, cell, driven))
            .filter(|&(_, driven)| road.can_stop(track, cell + driven, driven))
            .filter(|(_, driven)| !steps_on || driven.x.abs().max(driven.y.abs()) <= 1)
            .collect::<Vec<_>>()
            .into_iter()
            .min_by_key(|&(_, driven)| {
                let left = road.left(cell + driven, progress);
                if steps_on { (left, 0) } else { (0, driven.norm_squared()) }
            });
        best.map_or(null_action, |(action, _)| action)
    }

    /// The round from a car at rest, crossing no gate; without coasting it steps aside and back.
    fn round_from(&self, state: State) -> HashMap<State, Cell> {
        let track = self.space.game.track();
        let mut round = HashMap::new();
        let Some((cell, velocity, progress)) = state else { return round };
        if velocity != Cell::default() {
            return round;
        }
        let rest = velocity;
        if track.accelerations().any(|a| a == rest) {
            round.insert(state, rest);
            return round;
        }
        let there = |from, step| track.walk(from, step, progress) == Walk::Lands(progress);
        let step = track
            .accelerations()
            .find(|&step| track.allows(step) && there(cell, step) && there(cell + step, -step));
        if let Some(step) = step {
            let side = cell + step;
            round.insert(state, step);
            round.insert(Some((side, step, progress)), -step);
            round.insert(Some((side, rest, progress)), -step);
            round.insert(Some((cell, -step, progress)), step);
        }
        round
    }
}

impl Planner<Racetrack> for Greedy {
    fn observe(&mut self, seen: &RaceView) {
        let car = seen.car();
        let game = Arc::clone(&self.space.game);
        if self.space.legs.is_empty() {
            self.space = GreedySpace::new(Arc::clone(&game), car.cell);
        }
        self.here = Some((car.cell, car.velocity, car.progress));
        self.dodges = false;
        match self.traffic.advise(&game, seen) {
            Advice::Any(safe) => self.safe = safe,
            Advice::Dodge(action) => {
                (self.safe, self.best, self.dodges) = (vec![action], action, true);
                return;
            }
        }
        if self.follow() {
            return;
        }
        if !self.round.contains_key(&self.here) {
            // A search from elsewhere is of no use; on the round one goes on where it stopped.
            self.search = None;
            self.round = self.round_from(self.here);
        }
        self.best = self.without_plan(game.null_action(&seen.race, seen.seat));
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        let planned = self.plan.contains_key(&self.here);
        // On a round that leads to where a plan begins there is nothing to search.
        let returns = self.round.contains_key(&self.here)
            && self.round.keys().any(|state| self.plan.contains_key(state));
        let hopeless = self.gave_up || self.search.is_none() && self.failed.contains(&self.here);
        if self.dodges || planned || returns || hopeless {
            self.follow();
            return Progress::Done;
        }
        let (from, mut search) = self.search.take().unwrap_or_else(|| {
            (self.here, BestFirst::new(&self.space, self.here, Evaluation::Greedy))
        });
        loop {
            if !clock.take(1) {
                self.search = Some((from, search));
                return Progress::More;
            }
            match search.step(&self.space) {
                Status::Running => {}
                Status::Exhausted => {
                    self.failed.insert(from);
                    return Progress::Done;
                }
                Status::LimitReached => {
                    self.gave_up = true;
                    return Progress::Done;
                }
                Status::Found { path, .. } => {
                    let mut state = from;
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
        let counters =
            self.search.as_ref().map(|(_, search)| search.counters()).unwrap_or_default();
        Insight {
            heats: leg
                .into_iter()
                .map(|leg| Heat {
                    label: "Evaluation".into(),
                    about:
                        "Estimated way to the finish from each cell, in thousandths of a cell, by \
                        sight of a shortest route. Lower is better; speed does not count."
                            .into(),
                    cells: leg
                        .value
                        .iter()
                        .filter_map(|(cell, value)| value.map(|value| (cell, value as f32)))
                        .collect(),
                })
                .collect(),
            paths: vec![
                Path { cells: line, tone: Tone::Wanted },
                Path {
                    cells: leg.map(|leg| leg.route.clone()).unwrap_or_default(),
                    tone: Tone::Searched,
                },
            ],
            counters: vec![
                Counter {
                    name: "States expanded".into(),
                    about: "States whose moves were all tried; one unit of work each.".into(),
                    value: counters.expanded as f64,
                },
                Counter {
                    name: "Frontier".into(),
                    about: "States that were found and still wait to be expanded.".into(),
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
