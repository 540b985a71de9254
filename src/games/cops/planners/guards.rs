//! A guard before each gate, where the gate will be; the rest chase. All close in on a thief that
//! dawdles.

use super::super::distance_table::CellIndex;
use super::super::rules::{Cops, CopsView, Orders};
use super::closing::{close_in, dawdles};
use super::context::BoardContext;
use super::reactive::{Decision, ReactivePlanner};
use super::ways::{cheapest, drawn, wall_costs};
use crate::play::{Insight, Mark, MarkKind, Planner, PlannerContext, Tone};

/// Makes the planner.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

/// The guard as a policy, for others to guess at.
pub fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let atlas = &ground.atlas;
    let costs = wall_costs(ground, &seen.now);
    let cops = ground.cops(&seen.now);
    let thief = ground.spot(seen.now.thief);
    let mut targets: Vec<CellIndex> = vec![thief; cops.len()];
    let mut idle: Vec<usize> = (0..cops.len()).collect();
    let closing = dawdles(ground, seen);
    for post in posts(ground, seen) {
        // One at least has to chase.
        if idle.len() <= 1 || closing {
            break;
        }
        let nearest = idle.iter().copied().min_by_key(|&cop| atlas.distance(cops[cop], post));
        if let Some(guard) = nearest {
            targets[guard] = post;
            idle.retain(|&cop| cop != guard);
        }
    }
    let ways = cops
        .iter()
        .zip(&targets)
        .map(|(&cop, &target)| ground.steps_along(&cheapest(ground, &costs, cop, &[target])));
    let orders = if closing { close_in(ground, seen) } else { Orders(ways.collect()) };
    let insight = Insight {
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
    Decision { orders, insight }
}

/// The board cell before the middle of each gate as it is likely to be halfway through the plan,
/// those nearest to the thief first.
fn posts(ground: &BoardContext, seen: &CopsView) -> Vec<CellIndex> {
    let (board, rules) = (ground.board(), ground.board().rules());
    let ring = board.ring();
    let drift = (rules.k as f64 * rules.p_gate_move * 0.6) as usize;
    let thief = ground.spot(seen.now.thief);
    let mut posts: Vec<CellIndex> = seen
        .now
        .gates
        .iter()
        .filter_map(|gate| {
            let middle = usize::from(gate.place) + rules.gate_width as usize / 2;
            let middle = if gate.clockwise { middle + drift } else { middle + ring.len() - drift };
            // Before a corner the next cell has to do.
            let open = (0..3).find_map(|i| ring.front((middle + i) % ring.len()))?;
            board.is_floor(open).then(|| ground.spot(open))
        })
        .collect();
    posts.sort_by_key(|&post| ground.atlas.distance(thief, post));
    posts
}
