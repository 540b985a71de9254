//! Planners that answer at once: one function from what is seen to orders.

use super::context::BoardContext;
use crate::rules::{Cops, CopsView, Orders, THIEF};
use outwit_core::play::{Clock, Insight, Planner, PlannerContext, Progress};

/// Orders and what to draw about them.
pub struct Decision {
    /// What to do.
    pub orders: Orders,
    /// What to draw.
    pub insight: Insight,
}

/// A way of planning that needs no slices.
pub type Policy = fn(&BoardContext, &CopsView) -> Decision;

/// A planner that follows a [`Policy`]. It plans in one piece and then charges the clock for the
/// cells that its searches expanded.
pub struct ReactivePlanner {
    context: PlannerContext<Cops>,
    ground: Option<BoardContext>,
    policy: Policy,
    seen: Option<CopsView>,
    answer: Decision,
}

impl ReactivePlanner {
    /// A planner that follows `policy`.
    pub fn boxed(context: PlannerContext<Cops>, policy: Policy) -> Box<dyn Planner<Cops>> {
        let answer = Decision { orders: Orders(Vec::new()), insight: Insight::default() };
        Box::new(Self { context, ground: None, policy, seen: None, answer })
    }
}

impl Planner<Cops> for ReactivePlanner {
    fn prepare(&mut self, _clock: &Clock) -> Progress {
        self.ground.get_or_insert_with(|| BoardContext::new(&self.context));
        Progress::Done
    }

    fn observe(&mut self, seen: &CopsView) {
        let ground = self.ground.get_or_insert_with(|| BoardContext::new(&self.context));
        let players = if seen.seat == THIEF { 1 } else { seen.now.cops.len() };
        self.answer = Decision { orders: ground.stay(players), insight: Insight::default() };
        self.seen = Some(seen.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        if let (Some(ground), Some(seen)) = (&self.ground, &self.seen) {
            if !clock.take(1) {
                return Progress::More;
            }
            ground.take_work();
            self.answer = (self.policy)(ground, seen);
            clock.charge(ground.take_work());
            self.seen = None;
        }
        Progress::Done
    }

    fn best(&self) -> Orders {
        self.answer.orders.clone()
    }

    fn insight(&self) -> Insight {
        self.answer.insight.clone()
    }
}
