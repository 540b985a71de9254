//! Random paths, of which the best is kept.

use super::evolution::GeneticOptions;
use super::individual::{Best, Entered, History, Individual, Picture, repair_and_extend};
use crate::route::Route;
use crate::rules::{Glimpse, Stealth};
use outwit_core::play::{Clock, Game, Insight, Line, Planner, PlannerContext, Progress};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// How many of the last paths the picture shows.
const SHOWN: usize = 50;

/// Tries as many random paths as the genetic algorithm evaluates.
pub(super) struct RandomWalks {
    context: PlannerContext<Stealth>,
    dice: ChaCha8Rng,
    entered: Entered,
    evaluations: u64,
    most: u64,
    last: Vec<Individual>,
    best: Option<Best>,
}

impl RandomWalks {
    pub fn new(context: PlannerContext<Stealth>) -> Self {
        Self {
            dice: ChaCha8Rng::seed_from_u64(context.seed),
            entered: Entered::new(context.game.ground().tiles().len()),
            evaluations: 0,
            most: GeneticOptions::of(&context.game.level().rules).evaluations(),
            last: Vec::new(),
            best: None,
            context,
        }
    }
}

impl Planner<Stealth> for RandomWalks {
    fn observe(&mut self, _seen: &Glimpse) {
        *self = Self::new(self.context.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        while self.evaluations < self.most {
            if !clock.take(1) {
                return Progress::More;
            }
            let place = (self.evaluations % SHOWN as u64) as usize;
            if place == self.last.len() {
                self.last.push(Individual::default());
            }
            let walk = &mut self.last[place];
            walk.moves.clear();
            (walk.fitness, walk.is_complete) = repair_and_extend(
                self.context.game.ground(),
                &mut walk.moves,
                &mut self.entered,
                &mut self.dice,
            );
            self.evaluations += 1;
            Best::note(&mut self.best, walk, None, self.evaluations);
        }
        Progress::Done
    }

    fn best(&self) -> Route {
        Best::route(self.best.as_ref())
    }

    fn line(&self) -> Line<Route> {
        Best::line(self.best.as_ref(), &self.context.game)
    }

    fn insight(&self) -> Insight {
        let picture = Picture {
            game: &self.context.game,
            population: &self.last,
            history: &History::default(),
            generation: 0,
            evaluations: self.evaluations,
            best_ever: self.best.as_ref(),
            walkthroughs: Vec::new(),
        };
        let mut insight = picture.insight();
        insight.notes.push(format!("Shown are the last {} random paths.", self.last.len()));
        insight
    }
}
