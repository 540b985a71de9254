//! A genetic algorithm whose individuals all reach the goal.

use super::evolution::GeneticOptions;
use super::individual::{Best, Entered, History, Individual, Picture, below, unit};
use crate::ground::Ground;
use crate::route::{Route, RouteMove};
use crate::rules::{Glimpse, Stealth};
use outwit_core::play::{Clock, Game, Insight, Line, Planner, PlannerContext, Progress};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Individuals, if the budget allows as many.
const POPULATION: usize = 40;

/// Individuals of which the best becomes a parent.
const TOURNAMENT: usize = 2;

/// Probability of a crossover; a mutation otherwise.
const CROSSOVER: f64 = 0.3;

/// Random steps per cell of the map after which a first walk is given up.
const STEPS_PER_CELL: usize = 200;

/// Evolves complete paths with operators that keep them legal, so that no evaluation is spent on dead
/// ends: loop-erased random walks, detours and crossover where two paths meet. Children compete with
/// the parent that they are most like (crowding).
pub(super) struct Improved {
    context: PlannerContext<Stealth>,
    dice: ChaCha8Rng,
    /// How many evaluations there are.
    most: u64,
    evaluations: u64,
    size: usize,
    population: Vec<Individual>,
    /// The path of each individual as cells.
    cells: Vec<Vec<usize>>,
    builder: Builder,
    /// Where the parent of a detour goes on, by cell.
    later: Vec<Option<usize>>,
    /// The cells that the parents of a crossover share: their places in both.
    shared: Vec<(usize, usize)>,
    /// The cells of the next child.
    child: Vec<usize>,
    best: Option<Best>,
    history: History,
}

/// A path that is being made, without loops.
struct Builder {
    path: Vec<usize>,
    entered: Entered,
    /// Where in the path each entered cell is.
    place: Vec<usize>,
}

impl Builder {
    fn new(cells: usize) -> Self {
        Self { path: Vec::new(), entered: Entered::new(cells), place: vec![0; cells] }
    }

    fn begin(&mut self, head: &[usize]) {
        self.entered.clear();
        self.path.clear();
        head.iter().for_each(|&at| self.push(at));
    }

    fn push(&mut self, at: usize) {
        self.entered.insert(at);
        self.place[at] = self.path.len();
        self.path.push(at);
    }

    /// Goes on to a cell; if the path was there before, the loop is cut off.
    fn go(&mut self, at: usize) {
        let place = self.place[at];
        // A stamp alone is not enough: the cell may have been cut off before.
        if self.entered.contains(at) && self.path.get(place) == Some(&at) {
            self.path.truncate(place + 1);
        } else {
            self.push(at);
        }
    }

    /// Walks at random until `arrived`, at most `limit` steps; never straight back unless there is no
    /// other way. `false` if it did not arrive.
    fn wander(
        &mut self,
        ground: &Ground,
        dice: &mut ChaCha8Rng,
        limit: usize,
        mut arrived: impl FnMut(usize) -> bool,
    ) -> bool {
        let mut before = usize::MAX;
        for _ in 0..limit {
            let Some(&at) = self.path.last() else { return false };
            let mut ways = [0; 4];
            let mut count = 0;
            for next in ground.beside(at).iter().flatten().map(|&next| usize::from(next)) {
                if next != before {
                    ways[count] = next;
                    count += 1;
                }
            }
            if count == 0 {
                if before == usize::MAX {
                    return false;
                }
                (ways[0], count) = (before, 1);
            }
            before = at;
            self.go(ways[below(dice, count)]);
            if self.path.last().is_some_and(|&at| arrived(at)) {
                return true;
            }
        }
        false
    }

    /// Cuts across wherever the path comes back next to one of its cells: what lies between only costs.
    fn straighten(&mut self, ground: &Ground, to: &mut Vec<usize>) {
        self.entered.clear();
        for (place, &at) in self.path.iter().enumerate() {
            self.entered.insert(at);
            self.place[at] = place;
        }
        to.clear();
        let mut at = 0;
        while let Some(&cell) = self.path.get(at) {
            to.push(cell);
            let near = ground.beside(cell).iter().flatten().map(|&next| usize::from(next));
            let on_path = near.filter(|&next| self.entered.contains(next));
            match on_path.map(|next| self.place[next]).max() {
                Some(last) if last > at => at = last,
                _ => break,
            }
        }
    }
}

impl Improved {
    pub fn new(context: PlannerContext<Stealth>) -> Self {
        let most = GeneticOptions::of(&context.game.level().rules).evaluations();
        Self {
            dice: ChaCha8Rng::seed_from_u64(context.seed),
            most,
            evaluations: 0,
            size: POPULATION.min((most / 10) as usize).max(2),
            population: Vec::new(),
            cells: Vec::new(),
            builder: Builder::new(context.game.ground().tiles().len()),
            later: vec![None; context.game.ground().tiles().len()],
            shared: Vec::new(),
            child: Vec::new(),
            best: None,
            history: History::default(),
            context,
        }
    }

    /// Makes one evaluation.
    fn step(&mut self) {
        let parent = if self.population.len() < self.size {
            self.begin_anew();
            None
        } else {
            let parent = self.select();
            if unit(&mut self.dice) < CROSSOVER {
                self.cross(parent);
            } else {
                self.detour(parent);
            }
            Some(parent)
        };
        let game = std::sync::Arc::clone(&self.context.game);
        let ground = game.ground();
        if ground.period() == 1 {
            self.builder.straighten(ground, &mut self.child);
        } else {
            self.past_patrols(ground);
        }
        let fitness = fitness(ground, &self.child);
        let generation = (self.evaluations / self.size as u64) as u32;
        self.evaluations += 1;
        let place = match parent {
            None => {
                self.population.push(Individual::default());
                self.cells.push(Vec::new());
                self.population.len() - 1
            }
            Some(parent) => parent,
        };
        let is_better = parent.is_none() || fitness <= self.population[place].fitness;
        if is_better && self.cells[place] != self.child {
            self.population[place] = individual(ground, &self.child, fitness);
            self.cells[place].clone_from(&self.child);
            let born = &self.population[place];
            Best::note(&mut self.best, born, Some(generation), self.evaluations);
        }
        if self.population.len() == self.size && self.evaluations.is_multiple_of(self.size as u64) {
            self.history.add(ground, self.generation(), &self.population);
        }
    }

    /// Makes the path legal among patrols. Half of the paths are cut across where they come back next to
    /// themselves; the others keep their detours, which may let a guard pass. A path that runs into a guard
    /// is cut off there and goes on at random.
    fn past_patrols(&mut self, ground: &Ground) {
        if unit(&mut self.dice) < 0.5 {
            self.builder.straighten(ground, &mut self.child);
        } else {
            self.child.clone_from(&self.builder.path);
        }
        let legal = self
            .child
            .windows(2)
            .enumerate()
            .take_while(|(time, pair)| ground.lets_pass(pair[0], pair[1], *time))
            .count();
        if legal + 1 >= self.child.len() {
            return;
        }
        self.child.truncate(legal + 1);
        self.builder.begin(&self.child);
        while let Some(&at) = self.child.last().filter(|&&at| at != ground.goal_index()) {
            let state = ground.state(at, self.child.len() - 1);
            let mut ways = [0; 4];
            let mut count = 0;
            for next in ground.ways_from(state).map(|(_, next)| ground.cell_of(next)) {
                if !self.builder.entered.contains(next) {
                    ways[count] = next;
                    count += 1;
                }
            }
            if count == 0 {
                return;
            }
            let next = ways[below(&mut self.dice, count)];
            self.builder.push(next);
            self.child.push(next);
        }
    }

    /// As many evaluations as individuals are a generation.
    fn generation(&self) -> u32 {
        (self.evaluations / self.size as u64).saturating_sub(1) as u32
    }

    /// A loop-erased random walk from the start to the goal.
    fn begin_anew(&mut self) {
        let ground = self.context.game.ground();
        self.builder.begin(&[ground.start_index()]);
        let limit = STEPS_PER_CELL * ground.tiles().len();
        self.builder.wander(ground, &mut self.dice, limit, |at| at == ground.goal_index());
    }

    fn select(&mut self) -> usize {
        let size = self.population.len();
        let mut best = below(&mut self.dice, size);
        for _ in 1..TOURNAMENT {
            let other = below(&mut self.dice, size);
            if self.population[other].fitness < self.population[best].fitness {
                best = other;
            }
        }
        best
    }

    /// The head of the parent and the tail of another, joined in a random cell that both enter.
    fn cross(&mut self, parent: usize) {
        let other = below(&mut self.dice, self.population.len());
        let head = &self.cells[parent];
        let tail = &self.cells[other];
        self.builder.begin(tail);
        self.shared.clear();
        self.shared.extend(head.iter().enumerate().skip(1).filter_map(|(place, &at)| {
            self.builder.entered.contains(at).then_some((place, self.builder.place[at]))
        }));
        if self.shared.is_empty() {
            return;
        }
        let (cut, join) = self.shared[below(&mut self.dice, self.shared.len())];
        self.builder.begin(&head[..=cut]);
        tail[join + 1..].iter().for_each(|&at| self.builder.go(at));
    }

    /// The parent with a random walk from a random cell of it until it comes to a later one; the
    /// parent itself if the walk takes more steps than the map has columns and rows.
    fn detour(&mut self, parent: usize) {
        let ground = self.context.game.ground();
        let path = &self.cells[parent];
        if path.len() < 2 {
            return;
        }
        let leave = below(&mut self.dice, path.len() - 1);
        let later = &mut self.later;
        for (place, &at) in path.iter().enumerate().skip(leave + 1) {
            later[at] = Some(place);
        }
        self.builder.begin(&path[..=leave]);
        let mut has_left = false;
        let limit = ground.tiles().width() + ground.tiles().height();
        let arrived = self.builder.wander(ground, &mut self.dice, limit, |at| {
            // The first step may go along the path itself, which changes nothing.
            let joins = later[at].is_some_and(|place| has_left || place != leave + 1);
            has_left |= later[at].is_none();
            joins || at == ground.goal_index()
        });
        let end = self.builder.path.last().copied().unwrap_or_default();
        match later[end].filter(|_| arrived) {
            Some(join) => path[join + 1..].iter().for_each(|&at| self.builder.go(at)),
            None => self.builder.begin(path),
        }
        path.iter().for_each(|&at| later[at] = None);
    }
}

/// The fitness of the path along these cells.
fn fitness(ground: &Ground, cells: &[usize]) -> i128 {
    let end = cells.last().copied().unwrap_or(ground.start_index());
    let entered = cells.iter().enumerate().skip(1);
    let cost: i128 = entered.map(|(time, &at)| ground.weighted_cost(ground.state(at, time))).sum();
    cost + ground.end_value(end)
}

/// The individual along these cells.
fn individual(ground: &Ground, cells: &[usize], fitness: i128) -> Individual {
    let tiles = ground.tiles();
    Individual {
        moves: cells
            .windows(2)
            .filter_map(|pair| RouteMove::between(tiles.cell_at(pair[0]), tiles.cell_at(pair[1])))
            .collect(),
        fitness,
        is_complete: cells.last() == Some(&ground.goal_index()),
    }
}

impl Planner<Stealth> for Improved {
    fn observe(&mut self, _seen: &Glimpse) {
        *self = Self::new(self.context.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        while self.evaluations < self.most {
            if !clock.take(1) {
                return Progress::More;
            }
            self.step();
        }
        Progress::Done
    }

    fn best(&self) -> Route {
        Best::route(self.best.as_ref())
    }

    fn line(&self) -> Line<Route> {
        Best::line(self.best.as_ref(), &self.context.game)
    }

    fn stage(&self) -> u64 {
        self.evaluations / self.size as u64
    }

    fn insight(&self) -> Insight {
        let picture = Picture {
            game: &self.context.game,
            population: &self.population,
            history: &self.history,
            generation: self.generation(),
            evaluations: self.evaluations,
            best_ever: self.best.as_ref(),
            walkthroughs: Vec::new(),
        };
        picture.insight()
    }
}
