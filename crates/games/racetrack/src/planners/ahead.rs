//! Human-like drivers: they look a few turns ahead and are sure only that they can still stop.

use super::roadcraft::{Roadcraft, USUAL_LIMIT};
use super::traffic::{Advice, Traffic};
use crate::{Accelerate, GatesPassed as Gates, Race, RaceRules, RaceView, Racetrack, Walk};
use outwit_core::grid::{Cell, STRAIGHT};
use outwit_core::play::{
    Clock, Counter, Game, Heat, Insight, Line, Path, Planner, PlannerContext, Progress, Tone,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What a driver sees and how it errs.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// Turns that it looks ahead at usual speeds.
    pub horizon: usize,
    /// Greatest speed it dares, squared, in cells per turn.
    pub dares: i32,
    /// The width of the beam: how many of the most promising states it keeps for each turn ahead.
    pub breadth: usize,
    /// In how many of a hundred turns it reacts late.
    pub lapses: u32,
}

/// Whether cars are often as fast as they may be, so that the next move is seldom like the last.
fn is_slow(rules: &RaceRules) -> bool {
    rules.max_speed.is_some_and(|limit| limit <= USUAL_LIMIT)
}

impl Habits {
    /// Turns that it looks ahead on a track: more where a low speed limit makes them short, so that it sees
    /// as far as elsewhere.
    fn turns_ahead(&self, rules: &RaceRules) -> usize {
        let limit = rules.max_speed.unwrap_or(USUAL_LIMIT).clamp(1, USUAL_LIMIT);
        (self.horizon * USUAL_LIMIT as usize).div_ceil(limit as usize)
    }
}

/// Sees five turns, dares four fifths of the usual speed and often reacts late.
pub const NOVICE: Habits = Habits { horizon: 5, dares: 64, breadth: 100, lapses: 15 };
/// Sees seven turns, dares full speed and reacts late now and then.
pub const CLUBMAN: Habits = Habits { horizon: 7, dares: i32::MAX, breadth: 200, lapses: 8 };
/// Sees eight turns and never reacts late.
pub const ACE: Habits = Habits { horizon: 8, dares: i32::MAX, breadth: 400, lapses: 0 };

/// How much of the next turn's way a driver counts on at the end of what it sees, in tenths.
const MOMENTUM: u32 = 5;

/// A driver who looks `horizon` turns ahead by beam search, layer by layer, for the state with the shortest way
/// left, and never enters a state from which it could not brake to a halt on the track. On an empty
/// track it therefore never crashes. When it notices that it has been here before, it looks further.
pub struct Ahead {
    context: PlannerContext<Racetrack>,
    habits: Habits,
    road: Roadcraft,
    traffic: Traffic,
    /// How often it was asked about a state.
    visits: HashMap<Key, usize>,
    horizon: usize,
    view: RaceView,
    /// What it did last.
    last: Cell,
    layers: Vec<Vec<Node>>,
    /// Where in the newest layer the search stands.
    next: usize,
    fresh: BTreeMap<Key, Node>,
    best: Accelerate,
    /// The shortest way left that `best` leads to within the turns looked ahead, as it judges.
    reached: u32,
    plan: Vec<Cell>,
    expanded: u64,
}

/// A state of a car.
type Key = (Cell, Cell, Gates);

#[derive(Clone, Copy)]
struct Node {
    key: Key,
    parent: usize,
    /// The first acceleration of the way here.
    first: Cell,
    /// Way left; over the finish 0.
    left: u32,
    /// Over the finish, when it was entered, in millionths of the move.
    entered: i32,
}

impl Ahead {
    /// A driver with these habits, who errs as the seed of the context says.
    pub fn new(context: PlannerContext<Racetrack>, habits: Habits) -> Self {
        let race = Race { cars: Vec::new(), mover: 0 };
        Self {
            habits,
            road: Roadcraft::default(),
            traffic: Traffic::new(context.seed),
            visits: HashMap::new(),
            horizon: habits.horizon,
            best: Accelerate(Cell::default()),
            view: RaceView { race, seat: context.seat },
            context,
            last: Cell::default(),
            layers: Vec::new(),
            next: 0,
            fresh: BTreeMap::new(),
            reached: u32::MAX,
            plan: Vec::new(),
            expanded: 0,
        }
    }

    /// The way left from a state on the track, as far as it sees.
    fn judge(&self, cell: Cell, velocity: Cell, progress: Gates) -> u32 {
        let left = self.road.left(cell, progress);
        let track = self.context.game.track();
        let after = |driven: Cell| match track.walk(cell, driven, progress) {
            Walk::Lands(progress) => self.road.left(cell + driven, progress),
            Walk::Finishes { .. } => 0,
            Walk::Crashes { .. } => left,
        };
        let next = if is_slow(track.rules()) {
            let ways = track.accelerations().map(|a| velocity + a).filter(|&v| track.allows(v));
            ways.map(after).min().unwrap_or(left)
        } else {
            after(velocity)
        };
        let gain = left.saturating_sub(next) * MOMENTUM / 10;
        (left - gain).max(1)
    }

    /// Puts the states one turn after `node` into the layer being made; the first moves are only
    /// those in `first`.
    fn expand(&mut self, node: Node, parent: usize, first: Option<&[Accelerate]>) {
        self.expanded += 1;
        let (cell, velocity, progress) = node.key;
        let game = Arc::clone(&self.context.game);
        let track = game.track();
        for a in track.accelerations() {
            if first.is_some_and(|allowed| !allowed.contains(&Accelerate(a))) {
                continue;
            }
            let driven = velocity + a;
            let slows = driven.norm_squared() <= velocity.norm_squared();
            if !track.allows(driven) || (driven.norm_squared() > self.habits.dares && !slows) {
                continue;
            }
            let to = cell + driven;
            let (progress, left, entered) = match track.walk(cell, driven, progress) {
                Walk::Crashes { .. } => continue,
                Walk::Finishes { num, den } => {
                    (track.gates(), 0, (i64::from(num) * 1_000_000 / i64::from(den)) as i32)
                }
                Walk::Lands(progress) => {
                    let finishes_next = || {
                        track.accelerations().map(|a| driven + a).any(|w| {
                            let walk = track.walk(to, w, progress);
                            track.allows(w) && matches!(walk, Walk::Finishes { .. })
                        })
                    };
                    if !self.road.can_stop(track, to, driven) && !finishes_next() {
                        continue;
                    }
                    (progress, self.judge(to, driven, progress), 0)
                }
            };
            let key = (to, driven, progress);
            let first = if first.is_some() { a } else { node.first };
            self.fresh.entry(key).or_insert(Node { key, parent, first, left, entered });
        }
    }

    /// Keeps the most promising states of the layer just made, and takes the best as the answer if
    /// it is better than what fewer turns reach: who could be there sooner must not put it off, or
    /// he never arrives.
    fn close_layer(&mut self) -> bool {
        let mut layer: Vec<Node> = std::mem::take(&mut self.fresh).into_values().collect();
        // Among equal ways the faster car is ahead a turn later.
        layer.sort_by_key(|n| (n.left, n.entered, -n.key.1.norm_squared(), n.key));
        layer.truncate(self.habits.breadth);
        self.next = 0;
        let Some(best) = layer.first().copied() else { return false };
        if best.left < self.reached {
            self.reached = best.left;
            self.best = Accelerate(best.first);
            self.plan = self.way_to(&best);
        }
        let finished = best.left == 0;
        self.layers.push(layer);
        !finished
    }

    /// Whether it reacts late: the same whenever it comes to the same moment of the race.
    fn is_late(&self, visits: usize) -> bool {
        let mut dice = ChaCha8Rng::seed_from_u64(self.context.seed);
        dice.set_stream(u64::from(self.view.car().turns) << 32 | visits as u64);
        dice.random_range(0..100) < self.habits.lapses
    }

    /// What it does when it reacts late: of the first moves the one that comes nearest to doing again what
    /// it did last, the slowest of several; `None` if one of them crosses the finish.
    fn late_move(&self) -> Option<Cell> {
        let first = self.layers.get(1)?;
        if first.iter().any(|node| node.left == 0) {
            return None;
        }
        let again = self.view.velocity() + self.last;
        first
            .iter()
            .min_by_key(|node| ((node.key.1 - again).norm_squared(), node.key.1.norm_squared()))
            .map(|node| node.first)
    }

    fn way_to(&self, node: &Node) -> Vec<Cell> {
        let mut way = vec![node.key.0];
        let mut parent = node.parent;
        for layer in self.layers.iter().rev() {
            way.push(layer[parent].key.0);
            parent = layer[parent].parent;
        }
        way.reverse();
        way
    }
}

/// The actions that lead a car of this velocity along these cells.
fn accelerations(cells: &[Cell], mut velocity: Cell) -> Vec<Accelerate> {
    let driven = cells.windows(2).map(|pair| pair[1] - pair[0]);
    driven.map(|driven| Accelerate(driven - std::mem::replace(&mut velocity, driven))).collect()
}

impl Planner<Racetrack> for Ahead {
    fn prepare(&mut self, _clock: &Clock) -> Progress {
        self.road.measure(self.context.game.track());
        Progress::Done
    }

    fn observe(&mut self, seen: &RaceView) {
        self.road.measure(self.context.game.track());
        let car = *seen.car();
        self.last = car.velocity - self.view.velocity();
        self.view = seen.clone();
        let key = (car.cell, car.velocity, car.progress);
        let root = Node { key, parent: 0, first: Cell::default(), left: u32::MAX, entered: 0 };
        let visits = self.visits.entry(key).or_default();
        self.horizon = self.habits.turns_ahead(self.context.game.track().rules()) + *visits;
        *visits += 1;
        let visits = *visits;
        self.layers = vec![vec![root]];
        self.next = 0;
        self.fresh.clear();
        self.expanded = 0;
        // The first layer is a handful of states: an answer that does not crash from the start on.
        let game = Arc::clone(&self.context.game);
        let allowed = match self.traffic.advise(&game, seen) {
            Advice::Any(safe) => safe,
            Advice::Dodge(action) => {
                self.best = action;
                self.plan = vec![car.cell, car.cell + car.velocity + action.0];
                self.next = usize::MAX;
                return;
            }
        };
        self.expand(root, 0, Some(&allowed));
        self.best = match allowed.first() {
            Some(&only) if allowed.len() == 1 => only,
            _ => game.null_action(&seen.race, seen.seat),
        };
        self.reached = u32::MAX;
        if !self.close_layer() {
            self.next = usize::MAX;
        }
        if self.is_late(visits)
            && let Some(late) = self.late_move()
        {
            self.best = Accelerate(late);
            self.plan = vec![car.cell, car.cell + car.velocity + late];
            self.next = usize::MAX;
        }
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        loop {
            let depth = self.layers.len();
            if self.next == usize::MAX || depth > self.horizon {
                return Progress::Done;
            }
            let layer = &self.layers[depth - 1];
            let Some(&node) = layer.get(self.next) else {
                if !self.close_layer() {
                    self.next = usize::MAX;
                }
                continue;
            };
            if !clock.take(1) {
                return Progress::More;
            }
            let parent = self.next;
            self.next += 1;
            self.expand(node, parent, None);
        }
    }

    fn best(&self) -> Accelerate {
        self.best
    }

    fn line(&self) -> Line<Accelerate> {
        Line { value: None, actions: accelerations(&self.plan, self.view.velocity()) }
    }

    fn insight(&self) -> Insight {
        let mut seen: BTreeMap<Cell, f32> = BTreeMap::new();
        for node in self.layers.iter().skip(1).flatten() {
            *seen.entry(node.key.0).or_default() += 1.0;
        }
        Insight {
            heats: vec![Heat {
                label: "States searched".into(),
                about: "How many states (velocity and gates passed) it searched on each cell."
                    .into(),
                cells: seen.into_iter().collect(),
            }],
            paths: vec![Path { cells: self.plan.clone(), tone: Tone::Wanted }],
            counters: vec![
                Counter {
                    name: "Turns ahead".into(),
                    about: "How many turns ahead the search has looked.".into(),
                    value: self.layers.len().saturating_sub(1) as f64,
                },
                Counter {
                    name: "States expanded".into(),
                    about: "States whose moves were all tried; one unit of work each.".into(),
                    value: self.expanded as f64,
                },
                Counter {
                    name: "Distance left after that".into(),
                    about: "Cells of road left to the finish at the end of its plan.".into(),
                    value: f64::from(self.reached) / f64::from(STRAIGHT),
                },
            ],
            ..Insight::default()
        }
    }
}
