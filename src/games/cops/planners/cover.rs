//! Cops that take cells from the thief: each in turn goes where the cops reach first as much as
//! they can, after Isaza, Lu, Bulitko and Greiner, "A Cover-Based Approach to Multi-Agent Moving
//! Target Pursuit" (AIIDE 2008).

use super::super::distance_table::{CellIndex, FAR};
use super::super::rules::{Cops, CopsView, Orders, Step, THIEF};
use super::closing::{close_in, dawdles};
use super::context::BoardContext;
use super::reactive::{Decision, Policy, ReactivePlanner};
use super::ways::{cheapest, drawn, wall_costs};
use super::{evader, runner};
use crate::play::{Heat, Insight, Planner, PlannerContext, Tone};

/// Makes the planner.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

/// The cover as a policy, for others to guess at.
pub fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let atlas = &ground.atlas;
    let costs = wall_costs(ground, &seen.now);
    let thief = ground.spot(seen.now.thief);
    let mut cops = ground.cops(&seen.now);
    let forecast = ground.forecast(&seen.now);
    // A cell before a gate is worth many others.
    let mut worth = vec![0.0_f32; atlas.len()];
    atlas.floor().iter().for_each(|&spot| worth[usize::from(spot)] = 1.0);
    for chance in ground.gate_chances(&forecast, thief) {
        worth[usize::from(chance.front)] += GATE_WORTH * chance.p;
    }
    // Cells are taken from where the thief will be when the cops have arrived.
    let goal = guess(ground, seen);
    let mut order: Vec<usize> = (0..cops.len()).collect();
    order.sort_by_key(|&cop| atlas.distance(cops[cop], thief));
    let mut ways = vec![Vec::new(); cops.len()];
    for cop in order {
        let from = cops[cop];
        let rest: Vec<CellIndex> =
            cops.iter().enumerate().filter(|&(i, _)| i != cop).map(|(_, &c)| c).collect();
        let others: Vec<u8> =
            (0..atlas.len()).map(|spot| ground.nearest(&rest, spot as CellIndex)).collect();
        let score = |end: CellIndex| {
            let (here, flee) = (atlas.from(end), atlas.from(goal));
            let mut covered = 0.0;
            for &spot in atlas.floor() {
                let spot = usize::from(spot);
                if here[spot].min(others[spot]) <= flee[spot] {
                    covered += worth[spot];
                }
            }
            covered - NEARNESS * f32::from(atlas.distance(end, goal))
        };
        let reach =
            atlas.floor().iter().filter(|&&spot| atlas.distance(from, spot) <= ground.k as u8);
        let end = reach
            .map(|&end| (score(end), end))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map_or(from, |(_, end)| end);
        ways[cop] = ground.steps_along(&cheapest(ground, &costs, from, &[end]));
        cops[cop] = end;
    }
    let orders = if dawdles(ground, seen) { close_in(ground, seen) } else { Orders(ways) };
    let covered = atlas.floor().iter().map(|&spot| {
        let margin =
            i16::from(ground.nearest(&cops, spot)) - i16::from(atlas.distance(thief, spot));
        (atlas.cell(spot), f32::from(margin.clamp(-i16::from(FAR), 20)))
    });
    let insight = Insight {
        heats: vec![Heat {
            label: "The thief's lead",
            about: "By how many steps the thief reaches each cell before any cop.",
            cells: covered.collect(),
        }],
        paths: seen
            .now
            .cops
            .iter()
            .zip(&orders.0)
            .map(|(&cop, steps)| drawn(cop, steps, Tone::Wanted))
            .collect(),
        ..Insight::default()
    };
    Decision { orders, insight }
}

/// Where the thief is likely to be after this plan: where `runner` or `evader` would go, whichever
/// would rather have made the last plan.
fn guess(ground: &BoardContext, seen: &CopsView) -> CellIndex {
    let cells: Vec<_> = seen.past.iter().chain([&seen.now]).map(|at| at.thief).collect();
    let moves: Vec<_> = cells.windows(2).map(|pair| Step::between(pair[0], pair[1])).collect();
    let policies: [Policy; 2] = [runner::plan, evader::plan];
    let foreseen = |policy: &Policy| {
        let Some(then) = seen.past.first() else { return 0 };
        let view = CopsView { seat: THIEF, now: then.clone(), past: Vec::new() };
        let Orders(ways) = policy(ground, &view).orders;
        ways.iter().flatten().zip(&moves).filter(|(step, moved)| Some(**step) == **moved).count()
    };
    // The first of equals: the plainer one.
    let likely =
        policies.iter().rev().max_by_key(|policy| foreseen(policy)).unwrap_or(&policies[0]);
    let Orders(ways) = likely(ground, seen).orders;
    let from = ground.spot(seen.now.thief);
    ways.iter().flatten().fold(from, |at, &step| ground.atlas.step(at, step))
}

/// What a cell before a gate is worth beside its own one, if the gate is sure to be there.
const GATE_WORTH: f32 = 100.0;
/// What a step nearer to the thief is worth, in cells.
const NEARNESS: f32 = 5.0;
