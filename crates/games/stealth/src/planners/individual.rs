//! What all planners that try paths share: growing legal paths, and their picture.

use crate::ground::Ground;
use crate::route::{Route, RouteMove};
use crate::rules::Stealth;
use outwit_core::grid::Cell;
use outwit_core::play::{
    Candidate, Counter, Heat, Insight, Line, Mark, MarkKind, Path, Series, Tone, Value,
    Walkthrough, action_text,
};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A legal path that goes on to the goal or until it is stuck, with its fitness.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Individual {
    /// The path.
    pub moves: Vec<RouteMove>,
    /// Its fitness in units of the [`Ground`]; lower is better.
    pub fitness: i128,
    /// Whether it ends at the goal.
    pub is_complete: bool,
}

impl Individual {
    /// The path as an action.
    pub fn route(&self) -> Route {
        Route(self.moves.clone())
    }
}

/// A number from 0 to `count - 1`, of nearly equal probability: it differs by less than 2^-30.
pub(super) fn below(dice: &mut ChaCha8Rng, count: usize) -> usize {
    ((u64::from(dice.next_u32()) * count as u64) >> 32) as usize
}

/// A number from 0 up to 1, without it.
pub(super) fn unit(dice: &mut ChaCha8Rng) -> f64 {
    f64::from(dice.next_u32()) / (f64::from(u32::MAX) + 1.0)
}

/// A set of cells that is emptied at once.
#[derive(Clone, Debug)]
pub(super) struct Entered {
    stamps: Vec<u32>,
    now: u32,
}

impl Entered {
    pub fn new(cells: usize) -> Self {
        Self { stamps: vec![0; cells], now: 0 }
    }

    pub fn clear(&mut self) {
        if self.now == u32::MAX {
            self.stamps.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    pub fn insert(&mut self, at: usize) {
        self.stamps[at] = self.now;
    }

    pub fn contains(&self, at: usize) -> bool {
        self.stamps[at] == self.now
    }
}

/// Makes a legal path of `moves`, as the original report does, and rates it.
///
/// Sanitation drops each move that would collide or enter a cell for the second time and cuts off what
/// follows the goal; extension then adds random legal moves until the path is stuck or at the goal.
pub(super) fn repair_and_extend(
    ground: &Ground,
    moves: &mut Vec<RouteMove>,
    entered: &mut Entered,
    dice: &mut ChaCha8Rng,
) -> (i128, bool) {
    let goal = ground.goal_index();
    let mut at = ground.start_index();
    let moving = ground.period() > 1;
    entered.clear();
    entered.insert(at);
    let mut cost = 0;
    let mut kept = 0;
    for number in 0..moves.len() {
        if at == goal {
            break;
        }
        let step = moves[number];
        let Some(next) = ground.beside(at)[step as usize].map(usize::from) else { continue };
        if entered.contains(next) || (moving && !ground.lets_pass(at, next, kept)) {
            continue;
        }
        moves[kept] = step;
        kept += 1;
        at = next;
        entered.insert(at);
        cost += ground.weighted_cost(ground.state(at, kept));
    }
    moves.truncate(kept);
    while at != goal {
        let mut ways = [(RouteMove::Up, 0); 4];
        let mut count = 0;
        for (step, next) in RouteMove::ALL.into_iter().zip(ground.beside(at)) {
            if let Some(next) = next.map(usize::from).filter(|&next| {
                !entered.contains(next) && (!moving || ground.lets_pass(at, next, moves.len()))
            }) {
                ways[count] = (step, next);
                count += 1;
            }
        }
        let (step, next) = match count {
            0 => break,
            1 => ways[0],
            _ => ways[below(dice, count)],
        };
        moves.push(step);
        at = next;
        entered.insert(at);
        cost += ground.weighted_cost(ground.state(at, moves.len()));
    }
    (cost + ground.end_value(at), at == goal)
}

/// The counter of the generation in which the best path was first found.
pub(crate) const GENERATIONS_TO_BEST: &str = "generations to best";

/// The counter of the evaluations until the best path was first found.
pub(crate) const EVALUATIONS_TO_BEST: &str = "evaluations to best";

/// The best individual of a run and when it was first found.
#[derive(Clone, Debug)]
pub(super) struct Best {
    pub individual: Individual,
    /// Counted from 0; `None` where there are no generations.
    pub generation: Option<u32>,
    /// Counted from 1.
    pub evaluation: u64,
}

impl Best {
    /// Takes an individual that is better than the best one before.
    pub fn note(
        best: &mut Option<Self>,
        individual: &Individual,
        generation: Option<u32>,
        evaluation: u64,
    ) {
        if best.as_ref().is_none_or(|best| individual.fitness < best.individual.fitness) {
            *best = Some(Self { individual: individual.clone(), generation, evaluation });
        }
    }

    /// Its path, to be played; an empty one before any is known.
    pub fn route(best: Option<&Self>) -> Route {
        best.map(|best| best.individual.route()).unwrap_or_default()
    }

    /// Its path with its fitness.
    pub fn line(best: Option<&Self>, game: &Stealth) -> Line<Route> {
        Line {
            value: best.map(|best| Value::Score(game.ground().number(best.individual.fitness))),
            actions: vec![Self::route(best)],
        }
    }
}

/// Best, mean and median fitness by generation, for plots.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    best: Vec<[f64; 2]>,
    median: Vec<[f64; 2]>,
}

/// A population at one moment, for people.
pub(super) struct Picture<'a> {
    pub game: &'a Stealth,
    pub population: &'a [Individual],
    pub history: &'a History,
    pub generation: u32,
    pub evaluations: u64,
    /// The best individual of all generations.
    pub best_ever: Option<&'a Best>,
    pub walkthroughs: Vec<Walkthrough>,
}

/// The indices of a population, the best first.
pub(super) fn ranking(population: &[Individual]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..population.len()).collect();
    order.sort_by_key(|&index| (population[index].fitness, index));
    order
}

impl History {
    /// Notes a finished generation.
    pub fn add(&mut self, ground: &Ground, generation: u32, population: &[Individual]) {
        let order = ranking(population);
        let put = |to: &mut Vec<[f64; 2]>, index: Option<&usize>| {
            if let Some(&index) = index {
                to.push([f64::from(generation), ground.number(population[index].fitness)]);
            }
        };
        put(&mut self.best, order.first());
        put(&mut self.median, order.get(order.len() / 2));
    }
}

/// How many individuals the list shows.
const LISTED: usize = 5;

impl Picture<'_> {
    pub fn insight(mut self) -> Insight {
        let ground = self.game.ground();
        let cells = |individual: &Individual| individual.route().cells(ground.start());
        let order = ranking(self.population);
        let best = order.first().map(|&index| &self.population[index]);
        let median = order.get(order.len() / 2).map(|&index| &self.population[index]);
        let path = |individual: &Individual, tone| Path { cells: cells(individual), tone };
        let mut paths: Vec<Path> = median.map(|it| path(it, Tone::Searched)).into_iter().collect();
        paths.extend(best.map(|it| path(it, Tone::Wanted)));
        let number = |fitness: i128| ground.number(fitness);
        let size = self.population.len().max(1) as f64;
        let mean = self.population.iter().map(|it| number(it.fitness)).sum::<f64>() / size;
        let complete = self.population.iter().filter(|it| it.is_complete).count() as f64 / size;
        let counter = |name: &'static str, about: &'static str, value| Counter {
            name: name.into(),
            about: about.into(),
            value,
        };
        let mut counters = vec![
            counter(
                "generation",
                "Generations that are complete after the first.",
                f64::from(self.generation),
            ),
            counter("evaluations", "Paths whose fitness was computed.", self.evaluations as f64),
        ];
        if let (Some(best), Some(median)) = (best, median) {
            counters.extend([
                counter(
                    "best",
                    "The best fitness of this generation; lower is better.",
                    number(best.fitness),
                ),
                counter("median", "The median fitness of this generation.", number(median.fitness)),
                counter("mean", "The mean fitness of this generation.", mean),
                counter(
                    "complete",
                    "The share of this generation that reaches the goal.",
                    complete,
                ),
            ]);
        }
        if let Some(best) = self.best_ever {
            let about = "The best fitness of all generations so far.";
            counters.push(counter("best so far", about, number(best.individual.fitness)));
            let about = "Evaluations until the best path so far was first found.";
            counters.push(counter(EVALUATIONS_TO_BEST, about, best.evaluation as f64));
            if let Some(generation) = best.generation {
                let about = "The generation in which the best path so far was first found.";
                counters.push(counter(GENERATIONS_TO_BEST, about, f64::from(generation)));
            }
        }
        let mut candidates: Vec<&Individual> = Vec::new();
        for individual in order.iter().map(|&index| &self.population[index]) {
            if candidates.len() < LISTED
                && !candidates.iter().any(|it| it.moves == individual.moves)
            {
                candidates.push(individual);
            }
        }
        let mut notes = Vec::new();
        if let Some(best) = best.filter(|best| !best.is_complete)
            && self.population.iter().any(|it| it.is_complete)
        {
            notes.push(format!(
                "The best individual, {}, is a dead end, though others reach the goal: the penalty \
                 is too low for this map.",
                ground.amount(best.fitness)
            ));
        }
        let series =
            |name: &str, points: &[[f64; 2]]| Series { name: name.into(), points: points.to_vec() };
        Insight {
            heats: self.heat(&cells),
            paths,
            marks: vec![Mark { cell: ground.goal(), kind: MarkKind::Target, tone: Tone::Wanted }],
            counters,
            series: vec![
                series("best fitness", &self.history.best),
                series("median fitness", &self.history.median),
            ],
            candidates: candidates
                .into_iter()
                .map(|individual| Candidate {
                    name: individual.route().to_string(),
                    value: Some(Value::Score(number(individual.fitness))),
                    cells: cells(individual),
                    line: vec![action_text(&individual.route())],
                })
                .collect(),
            walkthroughs: std::mem::take(&mut self.walkthroughs),
            notes,
            ..Insight::default()
        }
    }

    fn heat(&self, cells: &dyn Fn(&Individual) -> Vec<Cell>) -> Vec<Heat> {
        if self.population.is_empty() {
            return Vec::new();
        }
        let tiles = self.game.ground().tiles();
        let mut counts = tiles.map(|_| 0_u32);
        for cell in self.population.iter().flat_map(cells) {
            if let Some(count) = counts.get_mut(cell) {
                *count += 1;
            }
        }
        let share = |count: u32| count as f32 / self.population.len() as f32;
        vec![Heat {
            label: "Population".into(),
            about: "The share of all individuals whose path enters the cell.".into(),
            cells: counts
                .iter()
                .filter(|(_, count)| **count > 0)
                .map(|(cell, &count)| (cell, share(count)))
                .collect(),
        }]
    }
}
