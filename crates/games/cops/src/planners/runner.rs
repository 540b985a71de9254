//! A* to the nearest gate round a halo of cost about each cop, as in the original program.

use super::context::BoardContext;
use super::reactive::{Decision, ReactivePlanner};
use super::ways::{PLAIN, cheapest, drawn, wall_costs};
use crate::distance_table::FAR;
use crate::rules::{Cops, CopsView, Orders, Step};
use outwit_core::play::{Heat, Insight, Mark, MarkKind, Planner, PlannerContext, Tone};

/// How far a cop's halo reaches, in steps.
const RADIUS: u32 = 6;

/// Makes the planner `runner`: a thief that runs to a gate.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

/// The run as a policy, for others to guess at.
pub fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let distances = &ground.distances;
    let ring = ground.board().ring();
    let mut costs = wall_costs(ground, &seen.now);
    let cops = ground.cops(&seen.now);
    let mut halo = Vec::new();
    for &cell_index in distances.floor() {
        let near = cops.iter().map(|&cop| u32::from(distances.between(cop, cell_index)));
        let fear: u32 = near.map(|d| RADIUS.saturating_sub(d).pow(2)).sum();
        costs[usize::from(cell_index)] += fear * PLAIN / 4;
        if fear > 0 {
            halo.push((distances.cell(cell_index), fear as f32));
        }
    }
    let gates: Vec<_> = seen.now.gates.iter().flat_map(|&g| ground.board().gate_cells(g)).collect();
    let fronts: Vec<_> = gates
        .iter()
        .filter_map(|&cell| ring.front(ring.place(cell)?))
        .map(|cell| ground.cell_index(cell))
        .collect();
    let from = ground.cell_index(seen.now.thief);
    let way = if fronts.is_empty() {
        // No gate to run to: away from the cops.
        let far = distances.floor().iter().max_by_key(|&&cell_index| {
            match ground.nearest(&cops, cell_index) {
                FAR => 0,
                d => d,
            }
        });
        cheapest(ground, &costs, from, far.map_or(&[], std::slice::from_ref))
    } else {
        cheapest(ground, &costs, from, &fronts)
    };
    let mut steps = ground.steps_along(&way);
    let end = distances.cell(way[way.len() - 1]);
    if fronts.contains(&way[way.len() - 1]) {
        // Once there it pushes outwards until the gate is there.
        let out = gates.iter().find_map(|&gate| Step::between(end, gate)).unwrap_or_default();
        steps.iter_mut().skip(way.len() - 1).for_each(|step| *step = out);
    }
    let insight = Insight {
        heats: vec![Heat {
            label: "Fear of the cops".into(),
            about: "Extra cost of each cell because cops are near: the square of 6 minus their \
                    distance, summed."
                .into(),
            cells: halo,
        }],
        paths: vec![drawn(seen.now.thief, &steps, Tone::Wanted)],
        marks: vec![Mark { cell: end, kind: MarkKind::Target, tone: Tone::Wanted }],
        ..Insight::default()
    };
    Decision { orders: Orders(vec![steps]), insight }
}
