//! Graph searches over the states of a car, the original program's greedy one among them.

use super::roadcraft::{Roadcraft, stays};
use super::search_of;
use super::space::State;
use super::states::{Method, SearchSpace};
use super::traffic::{Advice, Traffic};
use crate::{Accelerate, Race, RaceView, Racetrack, Walk};
use outwit_core::grid::Cell;
use outwit_core::platform::time::{Instant, thread_cpu};
use outwit_core::play::{
    CheckedLevel, Clock, Counter, Game, Insight, Path, Planner, PlannerContext, Progress, Seat,
    StopFlag, Tone,
};
use outwit_core::search::{
    Counters, Evaluation, EventKind, EventSink, GraphSearch, MemoryLimit, NodeEvent, Observer,
    Queue, Recorder, RecordingSummary, Search, StateView, Status, TieHeap, Ties,
};
use outwit_kit::{SearchEnd, SearchFigures, SearchLimits};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The memory that the search of a driver may take, of which a tournament has one on each core.
pub const MEMORY: MemoryLimit = MemoryLimit(1 << 28);

/// A search of a race, which may have other settings than the driver of its method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CarSearch {
    /// What it estimates.
    pub method: Method,
    /// What orders the states; `None` for the order in which they are found.
    pub evaluation: Option<Evaluation>,
    /// Which of several states of the same evaluation comes first, if not that of the least estimate.
    pub ties: Option<Ties>,
}

impl From<Method> for CarSearch {
    /// The search of a driver.
    fn from(method: Method) -> Self {
        Self { method, evaluation: method.evaluation(), ties: None }
    }
}

impl CarSearch {
    /// The factor of the fewest turns that no race that it finds exceeds; `None` if nothing is promised.
    pub fn bound(&self) -> Option<u32> {
        match (self.method, self.evaluation) {
            (Method::UniformCost, _) => Some(1),
            (Method::AStarTurns, Some(Evaluation::Weighted(weight))) => Some(weight),
            (Method::AStarTurns, _) => Some(1),
            (Method::Breadth | Method::AStarCells | Method::Sight, _) => None,
        }
    }
}

/// A search under way.
enum Running {
    BestFirst(Box<GraphSearch<SearchSpace>>),
    BreakingTies(Box<GraphSearch<SearchSpace, TieHeap>>),
    Breadth(Box<GraphSearch<SearchSpace, Queue>>),
}

impl Running {
    fn begin(
        space: &SearchSpace,
        search: CarSearch,
        start: State,
        limit: MemoryLimit,
        observer: &mut impl Observer<State, Cell>,
    ) -> Self {
        match (search.evaluation, search.ties) {
            (Some(evaluation), None) => Self::BestFirst(Box::new(GraphSearch::best_first(
                space, start, evaluation, limit, observer,
            ))),
            (Some(evaluation), Some(ties)) => Self::BreakingTies(Box::new(
                GraphSearch::breaking_ties(space, start, evaluation, ties, limit, observer),
            )),
            (None, _) => {
                Self::Breadth(Box::new(GraphSearch::breadth_first(space, [start], limit, observer)))
            }
        }
    }

    fn step(&mut self, space: &SearchSpace) -> Status<Cell> {
        match self {
            Self::BestFirst(search) => search.step(space),
            Self::BreakingTies(search) => search.step(space),
            Self::Breadth(search) => search.step(space),
        }
    }

    fn counters(&self) -> Counters {
        match self {
            Self::BestFirst(search) => search.counters(),
            Self::BreakingTies(search) => search.counters(),
            Self::Breadth(search) => search.counters(),
        }
    }
}

/// Plans a whole race by a search and follows it.
pub struct Searcher {
    space: SearchSpace,
    /// The search in progress, and the state from which it plans.
    search: Option<(State, Running)>,
    /// The work of the last search that ended.
    ended: Counters,
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

impl Searcher {
    /// A driver that plans its route from where it first sees its car.
    pub fn new(context: PlannerContext<Racetrack>, method: Method) -> Self {
        let PlannerContext { game, seed, .. } = context;
        Self {
            space: SearchSpace::new(game, method),
            search: None,
            ended: Counters::default(),
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
        let game = Arc::clone(self.space.game());
        let road = &mut self.road;
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
        let track = self.space.game().track();
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

impl Planner<Racetrack> for Searcher {
    fn observe(&mut self, seen: &RaceView) {
        let car = seen.car();
        let game = Arc::clone(self.space.game());
        self.space.measure_from(car.cell);
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
            let search = CarSearch::from(self.space.method());
            (self.here, Running::begin(&self.space, search, self.here, MEMORY, &mut ()))
        });
        loop {
            if !clock.take(1) {
                self.search = Some((from, search));
                return Progress::More;
            }
            let status = search.step(&self.space);
            if status != Status::Running {
                self.ended = search.counters();
            }
            match status {
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
        let counters = self.search.as_ref().map_or(self.ended, |(_, search)| search.counters());
        Insight {
            heats: self.space.heat(self.here).into_iter().collect(),
            paths: vec![
                Path { cells: line, tone: Tone::Wanted },
                Path {
                    cells: self.space.route(self.here).unwrap_or_default().to_vec(),
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

/// A race that a search found.
pub struct FoundRace {
    /// Its time in turns.
    pub time: f64,
    /// The accelerations.
    pub moves: Vec<Cell>,
    /// The cells from the start to where the last move ends.
    pub line: Vec<Cell>,
}

/// Lets a search find a race from the first start, until `go_on`, which is asked before each state, says no.
pub fn find_race(
    game: &Arc<Racetrack>,
    search: CarSearch,
    limit: MemoryLimit,
    go_on: &mut dyn FnMut() -> bool,
) -> (SearchEnd, Option<FoundRace>, Counters) {
    let Some(&start) = game.track().starts().first() else {
        return (SearchEnd::Unsolvable, None, Counters::default());
    };
    let mut space = SearchSpace::new(Arc::clone(game), search.method);
    space.measure_from(start);
    let from = Some((start, Cell::default(), 0));
    let mut running = Running::begin(&space, search, from, limit, &mut ());
    loop {
        if !go_on() {
            return (SearchEnd::TimedOut, None, running.counters());
        }
        let end = match running.step(&space) {
            Status::Running => continue,
            Status::Found { path, .. } => {
                let time = space.time(from, &path);
                let mut line = vec![start];
                let mut state = from;
                for &a in &path {
                    let Some((cell, velocity, _)) = state else { break };
                    state = space.after(state, a);
                    line.push(state.map_or(cell + velocity + a, |(cell, ..)| cell));
                }
                let found = FoundRace { time, moves: path, line };
                return (SearchEnd::Solved, Some(found), running.counters());
            }
            Status::Exhausted => SearchEnd::Unsolvable,
            Status::LimitReached => SearchEnd::GaveUp,
        };
        return (end, None, running.counters());
    }
}

/// Lets a search find a race from the first start and measures it; `None` if no driver of this name searches. The score
/// is the time of the race, of which no search but the planner `optimal` proves that it is the least.
pub fn measure(
    level: &CheckedLevel<Racetrack>,
    planner: &str,
    limits: SearchLimits,
    stop: &StopFlag,
) -> Option<SearchFigures> {
    let search = search_of(planner).ok()?;
    let game = Arc::new(Racetrack::new(level, 1).ok()?);
    // Where threads are not timed the wall clock stands in, for the limit too.
    let wall = Instant::now();
    let before = thread_cpu();
    let spent = || {
        let cpu = before.zip(thread_cpu()).map(|(before, now)| now.saturating_sub(before));
        cpu.unwrap_or_else(|| wall.elapsed())
    };
    let runs = limits.runs.max(1);
    let limit = MemoryLimit(limits.memory);
    let mut ran = (SearchEnd::TimedOut, None, Counters::default());
    for _ in 0..runs {
        let begun = spent();
        let go_on = &mut || !stop.is_raised() && spent().saturating_sub(begun) < limits.time;
        ran = find_race(&game, search, limit, go_on);
    }
    let (end, found, counters) = ran;
    Some(SearchFigures {
        end,
        length: found.map(|found| found.time),
        proved: end == SearchEnd::Unsolvable && search.method != Method::Sight,
        cpu: spent() / runs,
        expanded: counters.expanded,
        expanded_again: counters.expanded_again,
        generated: counters.generated,
        largest_frontier: counters.largest_frontier,
        bytes: counters.bytes,
    })
}

/// Hands the first events of the search from where a car stands to a sink, at most so many.
pub fn stream(
    game: &Arc<Racetrack>,
    race: &Race,
    seat: Seat,
    search: CarSearch,
    (events, sink): (usize, &mut dyn EventSink),
    stop: &StopFlag,
) -> RecordingSummary {
    let car = race.cars[seat.index()];
    let mut space = SearchSpace::new(Arc::clone(game), search.method);
    space.measure_from(car.cell);
    let start = Some((car.cell, car.velocity, car.progress));
    // The finish has no place of its own: it is shown where the move ends that reached it, which leads from the state
    // that is being expanded.
    let mut from = (car.cell, car.velocity);
    let mut finish = from;
    let mut recorder = Recorder::new(
        events,
        move |event: &NodeEvent<'_, State, Cell>| match (*event.state, event.action) {
            (Some((cell, velocity, gates)), _) => {
                if event.kind == EventKind::Expand {
                    from = (cell, velocity);
                }
                view(cell, velocity, gates.into())
            }
            (None, Some(&a)) if event.kind != EventKind::Goal => {
                let driven = from.1 + a;
                finish = (from.0 + driven, driven);
                view(finish.0, finish.1, -1)
            }
            (None, _) => view(finish.0, finish.1, -1),
        },
        sink,
    );
    let stop = || stop.is_raised();
    match Running::begin(&space, search, start, MEMORY, &mut recorder) {
        Running::BestFirst(mut search) => search.record(&space, recorder, &stop),
        Running::BreakingTies(mut search) => search.record(&space, recorder, &stop),
        Running::Breadth(mut search) => search.record(&space, recorder, &stop),
    }
}

fn view(cell: Cell, velocity: Cell, gates: i64) -> StateView {
    let values =
        vec![("vx", i64::from(velocity.x)), ("vy", i64::from(velocity.y)), ("gates", gates)];
    StateView { cell, others: Vec::new(), values, moved: None }
}
