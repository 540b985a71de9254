//! TrailMax: the thief runs to the cell that it reaches safely and cops reach last, after
//! Moldenhauer and Sturtevant, "Evaluating Strategies for Running from the Cops" (IJCAI 2009). A
//! gate that it reaches first is such a cell, and the best.

use super::context::BoardContext;
use super::reactive::{Decision, ReactivePlanner};
use super::ways::drawn;
use crate::distance_table::{CellIndex, FAR};
use crate::rules::{Cops, CopsView, Orders, Step};
use outwit_core::play::{Heat, Insight, Mark, MarkKind, Planner, PlannerContext, Tone};

/// Makes the planner `evader`: a thief that runs by TrailMax.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

/// The evasion as a policy, for others to guess at.
pub fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let distances = &ground.distances;
    let cops = ground.cops(&seen.now);
    let forecast = ground.forecast(&seen.now);
    let from = ground.cell_index(seen.now.thief);
    let race = ground.race(&cops);
    // Flood over the cells that no cop can have reached when the thief gets there.
    let mut came: Vec<Option<(u8, CellIndex)>> = vec![None; distances.len()];
    came[usize::from(from)] = Some((0, from));
    let mut queue = vec![from];
    let mut head = 0;
    while head < queue.len() {
        let here = queue[head];
        head += 1;
        let steps = came[usize::from(here)].map_or(0, |(steps, _)| steps).saturating_add(1);
        for &to in &distances.steps(here)[1..] {
            let walled = forecast.walled(usize::from(steps) - 1, to) > 0.4;
            if came[usize::from(to)].is_none() && race[usize::from(to)] > steps && !walled {
                came[usize::from(to)] = Some((steps, here));
                queue.push(to);
            }
        }
    }
    let door = ground
        .possible_gates(&forecast, from)
        .filter_map(|gate| {
            let (steps, _) = came[usize::from(gate.front)]?;
            let p = forecast.gated(usize::from(steps), ring_place(ground, gate.beyond)?);
            (p > 0.25).then_some((p - 0.02 * f32::from(steps), gate))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, gate)| gate);
    let refuge = queue.iter().copied().max_by_key(|&cell| {
        let freedom = distances.steps(cell).iter().filter(|&&to| to != cell).count();
        (race[usize::from(cell)].min(FAR - 1), freedom, std::cmp::Reverse(cell))
    });
    let end = door.map(|gate| gate.front).or(refuge).unwrap_or(from);
    let mut way = vec![end];
    while let Some((steps, back)) = came[usize::from(way[way.len() - 1])]
        && steps > 0
    {
        way.push(back);
    }
    way.reverse();
    let mut steps = ground.steps_along(&way);
    if let Some(gate) = door {
        let out = Step::between(distances.cell(gate.front), distances.cell(gate.beyond));
        steps.iter_mut().skip(way.len() - 1).for_each(|step| *step = out.unwrap_or_default());
    }
    let first = queue
        .iter()
        .map(|&cell_index| (distances.cell(cell_index), f32::from(race[usize::from(cell_index)])));
    let insight = Insight {
        heats: vec![Heat {
            label: "Steps of the nearest cop".into(),
            about:
                "How many steps the nearest cop needs to each cell that the thief reaches first."
                    .into(),
            cells: first.collect(),
        }],
        paths: vec![drawn(seen.now.thief, &steps, Tone::Wanted)],
        marks: vec![Mark { cell: distances.cell(end), kind: MarkKind::Target, tone: Tone::Wanted }],
        ..Insight::default()
    };
    Decision { orders: Orders(vec![steps]), insight }
}

fn ring_place(ground: &BoardContext, border: CellIndex) -> Option<usize> {
    ground.board().ring().place(ground.distances.cell(border))
}
