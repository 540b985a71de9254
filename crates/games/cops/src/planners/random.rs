//! Random steps.

use super::context::{BoardContext, random_orders};
use super::reactive::{Decision, ReactivePlanner};
use crate::rules::{Cops, CopsView, THIEF};
use outwit_core::play::{Insight, Planner, PlannerContext};

/// Makes the planner `random`: a side that takes random steps.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let mut dice = ground.dice(seen.now.tick);
    let players = if seen.seat == THIEF { 1 } else { seen.now.cops.len() };
    Decision { orders: random_orders(&mut dice, players, ground.k), insight: Insight::default() }
}
