//! Random steps.

use super::super::rules::{Cops, CopsView, Orders, THIEF};
use super::context::{BoardContext, any_step};
use super::reactive::{Decision, ReactivePlanner};
use outwit_core::play::{Insight, Planner, PlannerContext};

/// Makes the planner `random`: a side that takes random steps.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let mut dice = ground.dice(seen.now.tick);
    let players = if seen.seat == THIEF { 1 } else { seen.now.cops.len() };
    let way = |_| (0..ground.k).map(|_| any_step(&mut dice)).collect();
    Decision { orders: Orders((0..players).map(way).collect()), insight: Insight::default() }
}
