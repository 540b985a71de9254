//! Human-like drivers: they look a few turns ahead and are sure only that they can still stop.

use crate::games::racetrack::level::single_steps;
use crate::games::racetrack::{
    Accelerate, GatesPassed as Gates, Race, RaceView, Racetrack, Track, Walk,
};
use crate::grid::{Cell, Grid, STRAIGHT, UNREACHED, path_lengths};
use crate::play::{
    Clock, Counter, Game, Heat, Insight, Line, Path, Planner, PlannerContext, Progress, Tone,
};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What makes a driver weaker or stronger.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// Turns that it looks ahead.
    pub horizon: usize,
    /// Greatest speed it dares, squared, in cells a turn.
    pub dares: i32,
    /// How many of the most promising states it keeps for each turn ahead.
    pub breadth: usize,
    /// Cells of road that it wants to have left when it would stop.
    pub margin: i32,
}

/// Two turns, half the usual speed, stops with room to spare.
pub const NOVICE: Habits = Habits { horizon: 2, dares: 25, breadth: 40, margin: 2 };
/// Three turns, full speed, stops just so.
pub const CLUBMAN: Habits = Habits { horizon: 3, dares: i32::MAX, breadth: 100, margin: 0 };
/// Six turns, full speed, stops just so.
pub const ACE: Habits = Habits { horizon: 6, dares: i32::MAX, breadth: 800, margin: 0 };

/// A driver who searches `horizon` turns ahead, layer by layer, for the state with the shortest way
/// left, and never enters a state from which it could not brake to a halt on the track. On an empty
/// track it therefore never crashes. When it notices that it has been here before, it looks further.
pub struct Ahead {
    game: Arc<Racetrack>,
    habits: Habits,
    /// By what is to be crossed next: length of the way over all that is left, in fifths of cells.
    ways: Vec<Grid<u32>>,
    can_stop: HashMap<(Cell, Cell), bool>,
    /// How often it was asked about a state.
    visits: HashMap<Key, usize>,
    horizon: usize,
    view: RaceView,
    layers: Vec<Vec<Node>>,
    /// Where in the newest layer the search stands.
    next: usize,
    fresh: BTreeMap<Key, Node>,
    best: Accelerate,
    /// The shortest way left that `best` leads to within the turns looked ahead.
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
    /// Way left; 0 over the finish.
    left: u32,
}

impl Ahead {
    /// Measures the ways to all gates.
    pub fn new(context: PlannerContext<Racetrack>, habits: Habits) -> Self {
        let race = Race { cars: Vec::new(), mover: 0 };
        let PlannerContext { game, seat, .. } = context;
        Self {
            habits,
            ways: Vec::new(),
            can_stop: HashMap::new(),
            visits: HashMap::new(),
            horizon: habits.horizon,
            best: Accelerate(Cell::default()),
            view: RaceView { race, seat },
            game,
            layers: Vec::new(),
            next: 0,
            fresh: BTreeMap::new(),
            reached: u32::MAX,
            plan: Vec::new(),
            expanded: 0,
        }
    }

    fn left(&self, cell: Cell, progress: Gates) -> u32 {
        self.ways
            .get(usize::from(progress))
            .and_then(|way| way.get(cell))
            .copied()
            .unwrap_or(UNREACHED)
    }

    /// Whether a car can come to a halt on the track by slowing down every turn.
    fn can_stop(&mut self, cell: Cell, velocity: Cell) -> bool {
        if velocity == Cell::default() {
            return true;
        }
        if let Some(&known) = self.can_stop.get(&(cell, velocity)) {
            return known;
        }
        let game = Arc::clone(&self.game);
        let track = game.track();
        let answer = track.accelerations().any(|a| {
            let slower = velocity + a;
            slower.norm_squared() < velocity.norm_squared()
                && lands(track, cell, slower)
                && self.can_stop(cell + slower, slower)
        });
        self.can_stop.insert((cell, velocity), answer);
        answer
    }

    /// Whether the car may be in this state with the driver's habits.
    fn is_safe(&mut self, cell: Cell, velocity: Cell) -> bool {
        if !self.can_stop(cell, velocity) {
            return false;
        }
        if self.habits.margin == 0 || velocity == Cell::default() {
            return true;
        }
        // Room to spare: it could stop even if it stood further along its way.
        let ahead = Cell::new(velocity.x.signum(), velocity.y.signum());
        (1..=self.habits.margin).all(|step| {
            let further = cell + Cell::new(ahead.x * step, ahead.y * step);
            self.game.track().is_road(further) && self.can_stop(further, velocity)
        })
    }

    /// Puts the states one turn after `node` into the layer being made.
    fn expand(&mut self, node: Node, parent: usize, first: Option<&[Accelerate]>) {
        self.expanded += 1;
        let (cell, velocity, progress) = node.key;
        let game = Arc::clone(&self.game);
        let track = game.track();
        for a in track.accelerations() {
            if first.is_some_and(|legal| !legal.contains(&Accelerate(a))) {
                continue;
            }
            let driven = velocity + a;
            let slows = driven.norm_squared() <= velocity.norm_squared();
            if !track.allows(driven) || (driven.norm_squared() > self.habits.dares && !slows) {
                continue;
            }
            let (key, left) = match track.walk(cell, driven, progress) {
                Walk::Crashes { .. } => continue,
                Walk::Finishes { .. } => ((cell + driven, driven, track.gates()), 0),
                Walk::Lands(progress) => {
                    let to = cell + driven;
                    let finishes_next = || {
                        track.accelerations().any(|a| {
                            track.allows(driven + a)
                                && matches!(
                                    track.walk(to, driven + a, progress),
                                    Walk::Finishes { .. }
                                )
                        })
                    };
                    if !self.is_safe(to, driven) && !finishes_next() {
                        continue;
                    }
                    ((to, driven, progress), self.left(to, progress).max(1))
                }
            };
            let first = if first.is_some() { a } else { node.first };
            self.fresh.entry(key).or_insert(Node { key, parent, first, left });
        }
    }

    /// Keeps the most promising states of the layer just made, and takes the best as the answer if
    /// it is better than what fewer turns reach: who could be there sooner must not put it off, or
    /// he never arrives.
    fn close_layer(&mut self) -> bool {
        let mut layer: Vec<Node> = std::mem::take(&mut self.fresh).into_values().collect();
        // Among equal ways the faster car is ahead a turn later.
        layer.sort_by_key(|n| (n.left, -n.key.1.norm_squared(), n.key));
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

/// Whether a move stays on the track, finish or not.
fn lands(track: &Track, from: Cell, velocity: Cell) -> bool {
    // Once all gates are behind, none is left to end the move early.
    matches!(track.walk(from, velocity, track.gates()), Walk::Lands(_))
}

/// For each number of gates crossed, the length of the way over those that are left.
fn ways(track: &Track) -> Vec<Grid<u32>> {
    let surfaces = track.surfaces();
    let mut ways: Vec<Grid<u32>> = Vec::new();
    for progress in (0..track.gates()).rev() {
        let beyond = |cell: Cell| ways.last().map_or(0, |way| way[cell]);
        let gate: Vec<_> = surfaces
            .iter()
            .filter(|&(_, &surface)| track.next_gate(progress) == Some(surface))
            .map(|(cell, _)| (cell, beyond(cell)))
            .collect();
        let steps = single_steps(track.rules());
        ways.push(path_lengths(surfaces, gate, steps, |cell, _| track.is_road(cell)));
    }
    ways.reverse();
    ways
}

impl Planner<Racetrack> for Ahead {
    fn prepare(&mut self, _clock: &Clock) -> Progress {
        if self.ways.is_empty() {
            self.ways = ways(self.game.track());
        }
        Progress::Done
    }

    fn observe(&mut self, seen: &RaceView) {
        if self.ways.is_empty() {
            self.ways = ways(self.game.track());
        }
        self.view = seen.clone();
        let car = *seen.car();
        let key = (car.cell, car.velocity, car.progress);
        let root = Node { key, parent: 0, first: Cell::default(), left: u32::MAX };
        let visits = self.visits.entry(key).or_default();
        self.horizon = self.habits.horizon + *visits;
        *visits += 1;
        self.layers = vec![vec![root]];
        self.next = 0;
        self.fresh.clear();
        self.expanded = 0;
        // The first layer is a handful of states: an answer that does not crash from the start on.
        let legal = self.game.choices(&seen.race, seen.seat);
        self.expand(root, 0, Some(&legal));
        self.best = self.game.null_action(&seen.race, seen.seat);
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
