//! Every cop takes the shortest way to where the thief is.

use super::context::BoardContext;
use super::reactive::{Decision, ReactivePlanner};
use super::ways::{cheapest, wall_costs, wanted};
use crate::rules::{Cops, CopsView, Orders};
use outwit_core::play::{Insight, Mark, MarkKind, Planner, PlannerContext, Tone};

/// Makes the planner `chasers`: cops that head straight for the thief.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

/// The chase as a policy, for others to guess at.
pub fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let costs = wall_costs(ground, &seen.now);
    let thief = ground.cell_index(seen.now.thief);
    let ways = ground
        .cops(&seen.now)
        .into_iter()
        .map(|cop| ground.steps_along(&cheapest(ground, &costs, cop, &[thief])));
    let orders = Orders(ways.collect());
    let insight = Insight {
        paths: wanted(&seen.now.cops, &orders),
        marks: vec![Mark { cell: seen.now.thief, kind: MarkKind::Target, tone: Tone::Wanted }],
        ..Insight::default()
    };
    Decision { orders, insight }
}
