//! Human-like drivers: they look a few turns ahead and are sure only that they can still stop.

use super::roadcraft::Roadcraft;
use super::traffic::{Advice, Traffic};
use crate::games::racetrack::{Accelerate, GatesPassed as Gates, Race, RaceView, Racetrack, Walk};
use crate::grid::{Cell, STRAIGHT};
use crate::play::{
    Clock, Counter, Game, Heat, Insight, Line, Path, Planner, PlannerContext, Progress, Tone,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How a driver errs.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// Turns that it looks ahead.
    pub horizon: usize,
    /// Greatest speed it dares, squared, in cells per turn.
    pub dares: i32,
    /// How many of the most promising states it keeps for each turn ahead.
    pub breadth: usize,
    /// Turns for which it would drive on before it brakes, and so brakes too early.
    pub hesitates: u32,
    /// How far it misjudges where a move leads, at most: fifths of a cell for each cell of speed.
    pub misjudges: u32,
    /// How much of the next turn's way it counts on at the end of what it sees, in tenths.
    pub momentum: u32,
}

/// Sees two turns, dares two thirds of the usual speed, brakes a turn early and misjudges a lot.
pub const NOVICE: Habits =
    Habits { horizon: 2, dares: 49, breadth: 40, hesitates: 1, misjudges: 8, momentum: 3 };
/// Sees four turns, dares full speed, brakes as late as it can and misjudges a little.
pub const CLUBMAN: Habits =
    Habits { horizon: 4, dares: i32::MAX, breadth: 100, hesitates: 0, misjudges: 4, momentum: 5 };
/// Sees seven turns and misjudges nothing that it sees.
pub const ACE: Habits =
    Habits { horizon: 7, dares: i32::MAX, breadth: 400, hesitates: 0, misjudges: 0, momentum: 5 };

/// A driver who searches `horizon` turns ahead, layer by layer, for the state with the shortest way
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
    /// What it misjudges each first acceleration by.
    errors: BTreeMap<Cell, u32>,
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
            errors: BTreeMap::new(),
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
        if self.habits.momentum == 0 {
            return left.max(1);
        }
        let next = match track.walk(cell, velocity, progress) {
            Walk::Lands(progress) => self.road.left(cell + velocity, progress),
            Walk::Finishes { .. } => 0,
            Walk::Crashes { .. } => left,
        };
        let gain = left.saturating_sub(next) * self.habits.momentum / 10;
        (left - gain).max(1)
    }

    /// Puts the states one turn after `node` into the layer being made. Only the first moves are
    /// limited to `allowed`; `careful` is whether it wants room to spare.
    fn expand(&mut self, node: Node, parent: usize, first: Option<&[Accelerate]>, careful: bool) {
        self.expanded += 1;
        let (cell, velocity, progress) = node.key;
        let game = Arc::clone(&self.context.game);
        let track = game.track();
        let hesitates = if careful { self.habits.hesitates } else { 0 };
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
                    let stops = self.road.can_stop_later(track, to, driven, hesitates);
                    if !stops && !finishes_next() {
                        continue;
                    }
                    (progress, self.judge(to, driven, progress), 0)
                }
            };
            let (key, first) =
                ((to, driven, progress), if first.is_some() { a } else { node.first });
            self.fresh.entry(key).or_insert(Node { key, parent, first, left, entered });
        }
    }

    /// How long the way left seems to be.
    fn seems(&self, node: &Node) -> u32 {
        let error = self.errors.get(&node.first).copied().unwrap_or(0);
        if node.left == 0 { 0 } else { node.left.saturating_add(error) }
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
        let Some(best) = layer.iter().min_by_key(|node| self.seems(node)).copied() else {
            return false;
        };
        let seems = self.seems(&best);
        if seems < self.reached {
            self.reached = seems;
            self.best = Accelerate(best.first);
            self.plan = self.way_to(&best);
        }
        let finished = best.left == 0;
        self.layers.push(layer);
        !finished
    }

    /// Draws how much each first acceleration is misjudged: the same whenever it comes to the same
    /// moment of the race.
    fn err(&mut self, visits: usize) {
        let car = *self.view.car();
        let mut dice = ChaCha8Rng::seed_from_u64(self.context.seed);
        dice.set_stream(u64::from(car.turns) << 32 | visits as u64);
        let speed = car.velocity.x.abs().max(car.velocity.y.abs()) as u32;
        let most = self.habits.misjudges * speed;
        let accelerations = self.context.game.track().accelerations();
        self.errors = accelerations.map(|a| (a, dice.random_range(0..=most))).collect();
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
pub(super) fn accelerations(cells: &[Cell], mut velocity: Cell) -> Vec<Accelerate> {
    let driven = cells.windows(2).map(|pair| pair[1] - pair[0]);
    let action = |driven: Cell| Accelerate(driven - std::mem::replace(&mut velocity, driven));
    driven.map(action).collect()
}

impl Planner<Racetrack> for Ahead {
    fn prepare(&mut self, _clock: &Clock) -> Progress {
        self.road.measure(self.context.game.track());
        Progress::Done
    }

    fn observe(&mut self, seen: &RaceView) {
        self.road.measure(self.context.game.track());
        self.view = seen.clone();
        let car = *seen.car();
        let key = (car.cell, car.velocity, car.progress);
        let root = Node { key, parent: 0, first: Cell::default(), left: u32::MAX, entered: 0 };
        let visits = self.visits.entry(key).or_default();
        self.horizon = self.habits.horizon + *visits;
        *visits += 1;
        let visits = *visits;
        self.err(visits);
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
        self.expand(root, 0, Some(&allowed), true);
        if self.fresh.is_empty() {
            self.expand(root, 0, Some(&allowed), false);
        }
        self.best = match allowed.first() {
            Some(&only) if allowed.len() == 1 => only,
            _ => game.null_action(&seen.race, seen.seat),
        };
        self.reached = u32::MAX;
        if !self.close_layer() {
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
            self.expand(node, parent, None, true);
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
                label: "States searched",
                about: "How many states (velocity and gates passed) it searched on each cell.",
                cells: seen.into_iter().collect(),
            }],
            paths: vec![Path { cells: self.plan.clone(), tone: Tone::Wanted }],
            counters: vec![
                Counter {
                    name: "Turns ahead",
                    about: "How many turns ahead the search has looked.",
                    value: self.layers.len().saturating_sub(1) as f64,
                },
                Counter {
                    name: "States expanded",
                    about: "States whose moves were all tried; one unit of work each.",
                    value: self.expanded as f64,
                },
                Counter {
                    name: "Distance left after that",
                    about: "Cells of road left to the finish at the end of its plan.",
                    value: f64::from(self.reached) / f64::from(STRAIGHT),
                },
            ],
            ..Insight::default()
        }
    }
}
