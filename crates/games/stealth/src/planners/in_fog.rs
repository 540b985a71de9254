//! Planners in the fog: a new plan before every move, on the house as far as the thief knows it.

use crate::route::Route;
use crate::rules::{Glimpse, Stealth};
use outwit_core::play::{Clock, Closing, Insight, Line, Planner, PlannerContext, Progress};
use std::sync::Arc;

type Make = fn(PlannerContext<Stealth>) -> Box<dyn Planner<Stealth>>;

/// The planner for a game, with or without fog.
pub(super) fn planner(context: PlannerContext<Stealth>, make: Make) -> Box<dyn Planner<Stealth>> {
    let inner = make(context.clone());
    if context.game.is_foggy() { Box::new(InFog { context, make, inner }) } else { inner }
}

/// Takes the first move of what a planner without fog would do in the known house. The rules that it is
/// made with show the whole house, so nothing but what is observed reaches the planner inside.
struct InFog {
    context: PlannerContext<Stealth>,
    make: Make,
    inner: Box<dyn Planner<Stealth>>,
}

impl Planner<Stealth> for InFog {
    fn observe(&mut self, seen: &Glimpse) {
        let Some(known) = &seen.known else { return };
        self.inner = (self.make)(PlannerContext {
            game: Arc::clone(known),
            seed: self.context.seed.wrapping_add(seen.moves as u64),
            ..self.context.clone()
        });
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        self.inner.think(clock)
    }

    fn best(&self) -> Route {
        self.inner.best().steps().next().unwrap_or_default()
    }

    /// Only the next move: what comes then depends on what it shows.
    fn line(&self) -> Line<Route> {
        Line { actions: vec![self.best()], ..self.inner.line() }
    }

    fn stage(&self) -> u64 {
        self.inner.stage()
    }

    fn closing(&self) -> Option<Closing> {
        self.inner.closing()
    }

    fn insight(&self) -> Insight {
        let mut insight = self.inner.insight();
        // Whole paths cannot be played in the fog.
        insight.candidates.iter_mut().for_each(|candidate| candidate.line.clear());
        insight
    }
}
