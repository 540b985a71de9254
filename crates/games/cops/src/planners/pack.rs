//! A pack draws the routes that the thief may take and cuts them off: each cop goes where it meets
//! most of those that the others left open, or where it can be at a gate before the thief.

use super::context::BoardContext;
use super::interception::Interception;
use super::reactive::{Decision, ReactivePlanner};
use super::routes::{EscapeRoute, draw_routes, forecast};
use super::ways::wanted;
use crate::rules::{Cops, CopsView, Orders};
use outwit_core::play::{Heat, Insight, Planner, PlannerContext};

/// Makes the planner `pack`: cops that cut off the thief's routes.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

/// Probability that a cop holds a gate against the thief, by how many ticks before the thief it can
/// be there after its plan, from -4 to 3.
const HOLDS: [f32; 8] = [0.02, 0.05, 0.13, 0.26, 0.44, 0.57, 0.65, 0.68];
/// What a step nearer to the end of a route is worth, for routes that leave the board and for
/// others.
const NEARER: [f32; 2] = [0.02, 0.04];

/// The pack as a policy, for others to guess at.
pub fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let distances = &ground.distances;
    let forecast = forecast(ground, &seen.now);
    let routes = draw_routes(ground, seen, &forecast, &mut ground.dice(seen.now.tick));
    let cops = ground.cops(&seen.now);
    let thief = ground.cell_index(seen.now.thief);
    let mut plan = Interception::new(ground, &forecast, &routes);
    let mut ways = vec![Vec::new(); cops.len()];
    let mut order: Vec<usize> = (0..cops.len()).collect();
    order.sort_by_key(|&cop| distances.between(cops[cop], thief));
    for cop in order {
        let open: Vec<(&EscapeRoute, f32)> =
            plan.routes().filter(|(_, open)| *open > 0.0).collect();
        let way = plan.way(cops[cop], |ends, sums| {
            for (route, open) in open {
                let nearer = NEARER[usize::from(route.leaves.is_none())];
                // What is gained by so many steps from where the route ends.
                let worth: [f32; 256] = std::array::from_fn(|steps| {
                    open * (holds(ground, route, steps as u8) - nearer * steps as f32)
                });
                let steps = distances.from(route.end);
                for (sum, &end) in sums.iter_mut().zip(ends) {
                    *sum += worth[usize::from(steps[usize::from(end)])];
                }
            }
        });
        let end = way[way.len() - 1];
        plan.take(&way, |route| 1.0 - holds(ground, route, distances.between(route.end, end)));
        ways[cop] = ground.steps_along(&way);
    }
    let orders = Orders(ways);
    let mut feared = vec![0.0_f32; distances.len()];
    for &cell_index in routes.iter().flat_map(|route| &route.track[1..]) {
        feared[usize::from(cell_index)] += 1.0;
    }
    let feared = distances
        .floor()
        .iter()
        .map(|&cell_index| (distances.cell(cell_index), feared[usize::from(cell_index)]));
    let insight = Insight {
        heats: vec![Heat {
            label: "Routes of the thief".into(),
            about:
                "How often the routes that the thief may take come to each cell during the plan."
                    .into(),
            cells: feared.filter(|(_, routes)| *routes > 0.0).collect(),
        }],
        paths: wanted(&seen.now.cops, &orders),
        ..Insight::default()
    };
    Decision { orders, insight }
}

/// Probability that a cop so many steps from the end of a route when the plan is over stops the
/// thief there later.
fn holds(ground: &BoardContext, route: &EscapeRoute, steps: u8) -> f32 {
    let Some(after) = route.leaves.filter(|&after| usize::from(after) >= ground.k) else {
        return 0.0;
    };
    let reach = i32::from(ground.board().rules().capture_adjacent);
    let before = i32::from(after) - ground.k as i32 - i32::from(steps) + reach;
    if before < -4 { 0.0 } else { HOLDS[(before + 4).min(7) as usize] }
}
