//! Planners that answer at once: one function from what is seen to orders.

use super::super::rules::{Cops, CopsView, Orders, THIEF};
use super::ground::Ground;
use crate::play::{Clock, Insight, Planner, Progress};

/// Orders and what to draw about them.
pub struct Answer {
    /// What to do.
    pub orders: Orders,
    /// What to draw.
    pub insight: Insight,
}

/// A way of planning that needs no slices.
pub type Policy = fn(&Ground, &CopsView) -> Answer;

/// A planner that follows a [`Policy`]. It takes one unit of work a turn.
pub struct Swift {
    ground: Ground,
    policy: Policy,
    seen: Option<CopsView>,
    answer: Answer,
}

impl Swift {
    /// A planner that follows `policy`.
    pub fn boxed(ground: Ground, policy: Policy) -> Box<dyn Planner<Cops>> {
        let answer = Answer { orders: ground.stay(1), insight: Insight::default() };
        Box::new(Self { ground, policy, seen: None, answer })
    }
}

impl Planner<Cops> for Swift {
    fn observe(&mut self, seen: &CopsView) {
        let players = if seen.seat == THIEF { 1 } else { seen.now.cops.len() };
        self.answer = Answer { orders: self.ground.stay(players), insight: Insight::default() };
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
