//! The genetic algorithm of the original report.

mod operators;

pub use operators::{Crossover, Mutation};

use super::individual::{
    Best, Entered, History, Individual, Picture, below, ranking, repair_and_extend, unit,
};
use crate::level::StealthRules;
use crate::route::{Route, RouteMove};
use crate::rules::{Glimpse, Stealth};
use outwit_core::play::{
    Clock, Game, Insight, Line, Planner, PlannerContext, Progress, Seat, Value,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// The parameters of the genetic algorithm. The default is the original report's.
#[derive(Clone, PartialEq, Debug)]
pub struct GeneticOptions {
    /// Individuals of a generation, at least 2.
    pub population: usize,
    /// Generations after the first.
    pub generations: u32,
    /// Tournament selection: individuals that are drawn for a tournament, 1 to 20.
    pub tournament: usize,
    /// Probability that the best of a tournament is chosen, then the second best of the rest, and so
    /// on: 0.8·0.2^k for the k-th in the report.
    pub selection: f64,
    /// Probability that two parents are crossed.
    pub crossover: f64,
    /// Probability that one move of an individual is changed, in the first generations.
    pub mutation: f64,
    /// By how much that probability falls each time.
    pub mutation_fall: f64,
    /// Generations after which it falls.
    pub mutation_every: u32,
    /// Elitism: how many of the best individuals pass on as they are.
    pub elite: usize,
}

impl Default for GeneticOptions {
    fn default() -> Self {
        Self::of(&StealthRules::default())
    }
}

impl GeneticOptions {
    /// The parameters that the rules of a level name.
    pub fn of(rules: &StealthRules) -> Self {
        Self {
            population: (rules.population as usize).max(2),
            generations: rules.generations,
            tournament: (rules.tournament as usize).max(1),
            selection: rules.selection,
            crossover: rules.crossover,
            mutation: rules.mutation,
            mutation_fall: rules.mutation_fall,
            mutation_every: rules.mutation_every.max(1),
            elite: (rules.elite as usize).min(rules.population.saturating_sub(1) as usize),
        }
    }

    /// The probability of a mutation while the generation after `generation` is made.
    pub fn mutation_at(&self, generation: u32) -> f64 {
        let falls = f64::from(generation / self.mutation_every);
        (self.mutation - falls * self.mutation_fall).max(0.0)
    }

    /// The mean number of evaluations of a run: one for each individual of the first generation, each
    /// child and each mutation.
    pub fn evaluations(&self) -> u64 {
        let children = self.population.saturating_sub(self.elite) as f64;
        self.population as u64
            + (0..self.generations)
                .map(|generation| children * (1.0 + self.mutation_at(generation)))
                .sum::<f64>()
                .round() as u64
    }
}

/// What is done next.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// The first generation is made.
    Fill,
    /// Children are made.
    Children,
    /// Children from this index on may mutate.
    Mutate(usize),
    /// All generations are made.
    Done,
}

/// A run of the genetic algorithm, one evaluation at a time.
///
/// As in the original report: random legal paths; in each generation two parents at a time are chosen
/// by tournaments of different individuals, each is cut between two moves at a point of its own and the
/// tails are swapped (cut and splice); children are repaired and extended; then some of them get one move changed to
/// another and are repaired again. Without elite the best path may be lost.
///
/// ```
/// use outwit_kit::read_level;
/// use outwit_stealth::Stealth;
/// use outwit_stealth::planners::{Evolution, GeneticOptions};
/// use outwit_levels::built_in;
/// use outwit_core::play::Game;
/// use std::sync::Arc;
///
/// let bytes = built_in("stealth/report-1").unwrap().bytes().unwrap();
/// let level = read_level::<Stealth>(&bytes, "report-1.ron").unwrap();
/// let game = Arc::new(Stealth::new(&level, 1).unwrap());
/// let mut run = Evolution::new(game, GeneticOptions::default(), 1);
/// while run.step() {}
/// assert_eq!(run.generation(), 100);
/// ```
pub struct Evolution {
    game: Arc<Stealth>,
    options: GeneticOptions,
    dice: ChaCha8Rng,
    population: Vec<Individual>,
    next: Vec<Individual>,
    /// Individuals whose memory is used again.
    spare: Vec<Individual>,
    /// The second child of the last crossover, not yet repaired.
    pending: Option<Individual>,
    phase: Phase,
    generation: u32,
    evaluations: u64,
    entered: Entered,
    best_ever: Option<Best>,
    history: History,
    crossover: Option<Crossover>,
    mutation: Option<Mutation>,
    is_first_crossover: bool,
    is_first_mutation: bool,
}

impl Evolution {
    /// A run before its first evaluation.
    pub fn new(game: Arc<Stealth>, options: GeneticOptions, seed: u64) -> Self {
        let cells = game.ground().tiles().len();
        Self {
            game,
            options,
            dice: ChaCha8Rng::seed_from_u64(seed),
            population: Vec::new(),
            next: Vec::new(),
            spare: Vec::new(),
            pending: None,
            phase: Phase::Fill,
            generation: 0,
            evaluations: 0,
            entered: Entered::new(cells),
            best_ever: None,
            history: History::default(),
            crossover: None,
            mutation: None,
            is_first_crossover: true,
            is_first_mutation: true,
        }
    }

    /// Generations that are complete after the first.
    pub fn generation(&self) -> u32 {
        self.generation
    }

    /// Number of evaluations so far, those of mutations included.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// The last complete generation, or the beginning of the first.
    pub fn population(&self) -> &[Individual] {
        &self.population
    }

    /// The best individual of [`population`](Self::population).
    pub fn best(&self) -> Option<&Individual> {
        self.population.iter().min_by_key(|individual| individual.fitness)
    }

    /// The best individual that ever lived, which later generations may have lost.
    pub fn best_ever(&self) -> Option<&Individual> {
        self.best_ever.as_ref().map(|best| &best.individual)
    }

    /// The generation in which [`best_ever`](Self::best_ever) was first found, counted from 0.
    pub fn generations_to_best(&self) -> Option<u32> {
        self.best_ever.as_ref()?.generation
    }

    /// The first crossover of the generation that is being made, or of the last one.
    pub fn last_crossover(&self) -> Option<&Crossover> {
        self.crossover.as_ref()
    }

    /// The first mutation of the generation that is being made, or of an earlier one.
    pub fn last_mutation(&self) -> Option<&Mutation> {
        self.mutation.as_ref()
    }

    /// Whether all generations are made.
    pub fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    /// Makes one evaluation; `false` if all generations were made before.
    pub fn step(&mut self) -> bool {
        match self.phase {
            Phase::Done => return false,
            Phase::Fill => {
                let mut individual = Individual::default();
                self.rate(&mut individual);
                self.population.push(individual);
                if self.population.len() == self.options.population {
                    self.finish_generation();
                }
            }
            Phase::Children => {
                let child = self.child();
                self.next.push(child);
                if self.next.len() == self.options.population {
                    self.phase = Phase::Mutate(self.options.elite);
                    self.skip_to_mutation();
                }
            }
            Phase::Mutate(index) => {
                self.mutate(index);
                self.phase = Phase::Mutate(index + 1);
                self.skip_to_mutation();
            }
        }
        true
    }

    /// Repairs, extends and rates an individual.
    fn rate(&mut self, individual: &mut Individual) {
        let ground = self.game.ground();
        let moves = &mut individual.moves;
        (individual.fitness, individual.is_complete) =
            repair_and_extend(ground, moves, &mut self.entered, &mut self.dice);
        self.evaluations += 1;
        let is_first = matches!(self.phase, Phase::Fill);
        let generation = if is_first { 0 } else { self.generation + 1 };
        Best::note(&mut self.best_ever, individual, Some(generation), self.evaluations);
    }

    /// The next child of the next generation.
    fn child(&mut self) -> Individual {
        if let Some(mut second) = self.pending.take() {
            self.rate(&mut second);
            return second;
        }
        let a = self.select();
        let b = self.select();
        let mut first = self.spare.pop().unwrap_or_default();
        let mut second = self.spare.pop().unwrap_or_default();
        let mother = &self.population[a].moves;
        let father = &self.population[b].moves;
        let is_crossed = unit(&mut self.dice) < self.options.crossover;
        // Without a crossover the cuts lie behind the last moves, so that nothing is swapped.
        let cuts = match is_crossed {
            true => [cut(&mut self.dice, mother.len()), cut(&mut self.dice, father.len())],
            false => [mother.len(), father.len()],
        };
        cross(mother, father, cuts, &mut first.moves);
        cross(father, mother, [cuts[1], cuts[0]], &mut second.moves);
        let shown = (is_crossed && std::mem::take(&mut self.is_first_crossover)).then(|| {
            let parents = [Route(mother.clone()), Route(father.clone())];
            (parents, Route(first.moves.clone()))
        });
        self.pending = Some(second);
        self.rate(&mut first);
        if let Some((parents, joined)) = shown {
            self.crossover = Some(Crossover { parents, cuts, joined, child: first.route() });
        }
        first
    }

    /// The index of the winner of a tournament.
    fn select(&mut self) -> usize {
        let size = self.population.len();
        let mut drawn = [0; 20];
        let count = self.options.tournament.min(drawn.len()).min(size);
        for place in 0..count {
            let mut index = below(&mut self.dice, size);
            while drawn[..place].contains(&index) {
                index = below(&mut self.dice, size);
            }
            drawn[place] = index;
        }
        let drawn = &mut drawn[..count];
        let population = &self.population;
        drawn.sort_by_key(|&index| population[index].fitness);
        let mut winner = 0;
        while winner + 1 < count && unit(&mut self.dice) >= self.options.selection {
            winner += 1;
        }
        drawn[winner]
    }

    /// Goes on to the next individual that mutates; ends the generation if there is none.
    fn skip_to_mutation(&mut self) {
        let probability = self.options.mutation_at(self.generation);
        let Phase::Mutate(mut index) = self.phase else { return };
        while index < self.next.len() {
            if unit(&mut self.dice) < probability && !self.next[index].moves.is_empty() {
                self.phase = Phase::Mutate(index);
                return;
            }
            index += 1;
        }
        std::mem::swap(&mut self.population, &mut self.next);
        self.generation += 1;
        self.finish_generation();
    }

    fn mutate(&mut self, index: usize) {
        let mut individual = std::mem::take(&mut self.next[index]);
        let at = below(&mut self.dice, individual.moves.len());
        let turn = 1 + below(&mut self.dice, 3);
        let to = RouteMove::ALL[(individual.moves[at] as usize + turn) % 4];
        let shown = std::mem::take(&mut self.is_first_mutation).then(|| individual.route());
        individual.moves[at] = to;
        self.rate(&mut individual);
        if let Some(before) = shown {
            self.mutation = Some(Mutation { before, at, to, after: individual.route() });
        }
        self.next[index] = individual;
    }

    fn finish_generation(&mut self) {
        self.history.add(self.game.ground(), self.generation, &self.population);
        self.spare.append(&mut self.next);
        if self.generation == self.options.generations {
            self.phase = Phase::Done;
            return;
        }
        self.phase = Phase::Children;
        (self.is_first_crossover, self.is_first_mutation) = (true, true);
        let elite = self.options.elite.min(self.options.population - 1);
        if elite > 0 {
            let order = ranking(&self.population);
            self.next.extend(order[..elite].iter().map(|&index| self.population[index].clone()));
        }
        self.pending = None;
    }

    fn insight(&self) -> Insight {
        let ground = self.game.ground();
        let mut walkthroughs = Vec::new();
        walkthroughs.extend(self.crossover.as_ref().map(|it| it.walkthrough(ground)));
        walkthroughs.extend(self.mutation.as_ref().map(|it| it.walkthrough(ground)));
        let picture = Picture {
            game: &self.game,
            population: &self.population,
            history: &self.history,
            generation: self.generation,
            evaluations: self.evaluations,
            best_ever: self.best_ever.as_ref(),
            walkthroughs,
        };
        picture.insight()
    }
}

/// A cut between two moves; before the only move of a path that has one.
fn cut(dice: &mut ChaCha8Rng, moves: usize) -> usize {
    if moves < 2 { 0 } else { 1 + below(dice, moves - 1) }
}

/// One-point crossover: the head of one parent and the tail of another, each cut at its own point.
fn cross(head: &[RouteMove], tail: &[RouteMove], cuts: [usize; 2], child: &mut Vec<RouteMove>) {
    child.clear();
    child.extend_from_slice(&head[..cuts[0]]);
    child.extend_from_slice(&tail[cuts[1]..]);
}

/// Plays the best individual of the last complete generation.
pub(super) struct Genetic {
    context: PlannerContext<Stealth>,
    run: Evolution,
}

impl Genetic {
    pub fn new(context: PlannerContext<Stealth>) -> Self {
        let options = GeneticOptions::of(&context.game.level().rules);
        let run = Evolution::new(Arc::clone(&context.game), options, context.seed);
        Self { context, run }
    }
}

impl Planner<Stealth> for Genetic {
    fn observe(&mut self, _seen: &Glimpse) {
        let PlannerContext { game, seat: Seat(_), seed } = &self.context;
        self.run = Evolution::new(Arc::clone(game), self.run.options.clone(), *seed);
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        while !self.run.is_done() {
            if !clock.take(1) {
                return Progress::More;
            }
            self.run.step();
        }
        Progress::Done
    }

    fn best(&self) -> Route {
        self.run.best().map(Individual::route).unwrap_or_default()
    }

    fn line(&self) -> Line<Route> {
        Line {
            value: self
                .run
                .best()
                .map(|best| Value::Score(self.context.game.ground().number(best.fitness))),
            actions: vec![self.best()],
        }
    }

    fn stage(&self) -> u64 {
        let is_filled = self.run.population.len() == self.run.options.population;
        u64::from(self.run.generation()) + u64::from(is_filled)
    }

    fn insight(&self) -> Insight {
        self.run.insight()
    }
}
