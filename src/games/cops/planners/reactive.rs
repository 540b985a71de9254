//! Planners that answer at once: one function from what is seen to orders.

use super::super::rules::{Cops, CopsView, Orders, THIEF};
use super::context::BoardContext;
use crate::play::{Clock, Insight, Planner, Progress};

/// Orders and what to draw about them.
pub struct Decision {
    /// What to do.
    pub orders: Orders,
    /// What to draw.
    pub insight: Insight,
}

/// A way of planning that needs no slices.
pub type Policy = fn(&BoardContext, &CopsView) -> Decision;

/// A planner that follows a [`Policy`]. It takes one unit of work a turn.
pub struct ReactivePlanner {
    ground: BoardContext,
    policy: Policy,
    seen: Option<CopsView>,
    answer: Decision,
}

impl ReactivePlanner {
    /// A planner that follows `policy`.
    pub fn boxed(ground: BoardContext, policy: Policy) -> Box<dyn Planner<Cops>> {
        let answer = Decision { orders: ground.stay(1), insight: Insight::default() };
        Box::new(Self { ground, policy, seen: None, answer })
    }
}

impl Planner<Cops> for ReactivePlanner {
    fn observe(&mut self, seen: &CopsView) {
        let players = if seen.seat == THIEF { 1 } else { seen.now.cops.len() };
        self.answer = Decision { orders: self.ground.stay(players), insight: Insight::default() };
        self.seen = Some(seen.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        if let Some(seen) = &self.seen {
            if !clock.take(1) {
                return Progress::More;
            }
            self.answer = (self.policy)(&self.ground, seen);
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
