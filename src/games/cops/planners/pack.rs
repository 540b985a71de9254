//! A pack guesses the thief's way to a gate, cuts it off and closes in from different sides on ways
//! that do not overlap. On a thief that dawdles all close in at once.

use super::super::distance_table::CellIndex;
use super::super::rules::{Cops, CopsView, Orders, Step};
use super::closing::{close_in, dawdles};
use super::context::BoardContext;
use super::reactive::{Decision, ReactivePlanner};
use super::runner;
use super::ways::{PLAIN, cheapest, drawn, wall_costs};
use crate::play::{Insight, Mark, MarkKind, Planner, PlannerContext, Tone};

/// Makes the planner.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

/// The pack as a policy, for others to guess at.
pub fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let atlas = &ground.atlas;
    let cops = ground.cops(&seen.now);
    let guessed = guess(ground, seen);
    let mut costs = wall_costs(ground, &seen.now);
    let mut ways: Vec<Option<Vec<CellIndex>>> = vec![None; cops.len()];
    let mut targets = Vec::new();
    for target in targets_of(ground, &guessed, cops.len()) {
        // Who can be there soonest goes.
        let idle = (0..cops.len()).filter(|&cop| ways[cop].is_none());
        let Some(cop) = idle.min_by_key(|&cop| atlas.distance(cops[cop], target)) else { break };
        let way = cheapest(ground, &costs, cops[cop], &[target]);
        way.iter().for_each(|&spot| costs[usize::from(spot)] += PLAIN);
        ways[cop] = Some(way);
        targets.push(target);
    }
    let steps = ways.iter().zip(&cops).map(|(way, &cop)| match way {
        Some(way) => ground.steps_along(way),
        None => ground.steps_along(&[cop]),
    });
    let orders =
        if dawdles(ground, seen) { close_in(ground, seen) } else { Orders(steps.collect()) };
    let mut insight = Insight {
        paths: seen
            .now
            .cops
            .iter()
            .zip(&orders.0)
            .map(|(&cop, steps)| drawn(cop, steps, Tone::Wanted))
            .collect(),
        marks: targets
            .iter()
            .map(|&spot| Mark {
                cell: atlas.cell(spot),
                kind: MarkKind::Target,
                tone: Tone::Wanted,
            })
            .collect(),
        ..Insight::default()
    };
    insight.paths.push(crate::play::Path {
        cells: guessed.iter().map(|&spot| atlas.cell(spot)).collect(),
        tone: Tone::Feared,
    });
    Decision { orders, insight }
}

/// Where the thief is likely to be now and after each of its steps, as `runner` would go.
pub fn guess(ground: &BoardContext, seen: &CopsView) -> Vec<CellIndex> {
    let Orders(ways) = runner::plan(ground, seen).orders;
    let mut at = ground.spot(seen.now.thief);
    let mut spots = vec![at];
    for &step in ways.iter().flatten() {
        at = ground.atlas.step(at, step);
        spots.push(at);
    }
    spots
}

/// Where cops should be: the end of the thief's way first, then points before it and cells around.
fn targets_of(ground: &BoardContext, guessed: &[CellIndex], count: usize) -> Vec<CellIndex> {
    let atlas = &ground.atlas;
    let end = guessed[guessed.len() - 1];
    let mut targets = vec![end, guessed[guessed.len() / 2], guessed[0]];
    let aside = |spot: CellIndex, step: Step| atlas.step(atlas.step(spot, step), step);
    for step in [Step::Right, Step::Left, Step::Down, Step::Up] {
        targets.push(aside(end, step));
    }
    let mut distinct: Vec<CellIndex> = Vec::new();
    for target in targets {
        if !distinct.contains(&target) {
            distinct.push(target);
        }
    }
    let ring = distinct.clone();
    while distinct.len() < count {
        distinct.push(ring[distinct.len() % ring.len()]);
    }
    distinct
}
