//! Random steps.

use crate::{Pukoban, PukobanState, PukobanStep};
use outwit_core::play::{Chance, Clock, Game, Planner, PlannerContext, Progress};
use rand::RngExt;

/// Takes a random legal step.
pub struct Random {
    context: PlannerContext<Pukoban>,
    seen: Option<PukobanState>,
    best: PukobanStep,
}

impl Random {
    /// A planner whose choices follow from the seed and the number of steps taken so far.
    pub fn new(context: PlannerContext<Pukoban>) -> Self {
        let best = context.game.null_action(context.game.opening(), context.seat);
        Self { context, seen: None, best }
    }
}

impl Planner<Pukoban> for Random {
    fn observe(&mut self, seen: &PukobanState) {
        self.best = self.context.game.null_action(seen, self.context.seat);
        self.seen = Some(seen.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        let Some(seen) = &self.seen else { return Progress::Done };
        if !clock.take(1) {
            return Progress::More;
        }
        let steps = self.context.game.steps(seen);
        let mut dice = Chance::new(self.context.seed).stream(u64::from(seen.steps));
        if !steps.is_empty() {
            self.best = steps[dice.random_range(0..steps.len())];
        }
        self.seen = None;
        Progress::Done
    }

    fn best(&self) -> PukobanStep {
        self.best
    }
}
