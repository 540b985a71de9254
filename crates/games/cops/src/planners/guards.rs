//! Guards before the gates, where the gates will be; the other cops hunt the thief.

use super::assignment::assign;
use super::context::BoardContext;
use super::interception::Interception;
use super::reactive::{Decision, ReactivePlanner};
use super::routes::{EscapeRoute, draw_routes, forecast};
use super::ways::wanted;
use crate::board::Gate;
use crate::distance_table::{CellIndex, DistanceTable};
use crate::rules::{Cops, CopsView, Orders};
use outwit_core::play::{Insight, Mark, MarkKind, Planner, PlannerContext, Tone};

/// Makes the planner `guards`: cops that guard the gates and hunt.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

/// A gate takes a second guard when the thief can be there within so many plans.
const NEAR_PLANS: f64 = 1.5;
/// How far a guard goes with its gate, as a share of how far the gate is likely to go during the
/// plan.
const DRIFT: f64 = 0.8;
/// What a step nearer to its post is worth to a guard, in routes that it meets.
const KEEPING: f32 = 3.0;
/// What a step nearer to the end of a route that nobody stops is worth to a hunter.
const HUNTING: f32 = 0.033;

/// The guard as a policy, for others to guess at.
pub fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let distances = &ground.distances;
    let forecast = forecast(ground, &seen.now);
    let routes = draw_routes(ground, seen, &forecast, &mut ground.dice(seen.now.tick));
    let cops = ground.cops(&seen.now);
    let posts = posts(ground, seen);
    let post_of = posted(ground, &cops, &posts);
    let thief = ground.cell_index(seen.now.thief);
    let mut order: Vec<usize> = (0..cops.len()).collect();
    order.sort_by_key(|&cop| (post_of[cop].is_none(), distances.between(cops[cop], thief)));
    let mut plan = Interception::new(ground, &forecast, &routes);
    let mut ways = vec![Vec::new(); cops.len()];
    let mut hunted = HuntedRoutes::new(distances, &routes);
    for cop in order {
        if post_of[cop].is_none() {
            hunted.update(distances, &plan);
        }
        let away = &hunted.away;
        let way = plan.way(cops[cop], |ends, sums| match post_of[cop] {
            Some(post) => {
                let steps = distances.from(post);
                for (sum, &end) in sums.iter_mut().zip(ends) {
                    *sum -= KEEPING * f32::from(steps[usize::from(end)]);
                }
            }
            None => {
                for (sum, &end) in sums.iter_mut().zip(ends) {
                    *sum -= HUNTING * f32::from(away[usize::from(end)]);
                }
            }
        });
        plan.take(&way, |_| 1.0);
        ways[cop] = ground.steps_along(&way);
    }
    let orders = Orders(ways);
    let insight = Insight {
        paths: wanted(&seen.now.cops, &orders),
        marks: posts
            .iter()
            .map(|&cell_index| Mark {
                cell: distances.cell(cell_index),
                kind: MarkKind::Target,
                tone: Tone::Wanted,
            })
            .collect(),
        ..Insight::default()
    };
    Decision { orders, insight }
}

/// The routes that nobody stops yet; all of them when each is stopped.
struct HuntedRoutes {
    is_hunted: Vec<bool>,
    /// For each cell the sum of the steps to the ends of the hunted routes.
    away: Vec<u16>,
}

impl HuntedRoutes {
    fn new(distances: &DistanceTable, routes: &[EscapeRoute]) -> Self {
        Self { is_hunted: vec![false; routes.len()], away: vec![0; distances.len()] }
    }

    fn update(&mut self, distances: &DistanceTable, plan: &Interception) {
        let all = plan.routes().all(|(_, open)| open <= 0.0);
        for (was, (route, open)) in self.is_hunted.iter_mut().zip(plan.routes()) {
            let is = all || open > 0.0;
            // A route counts in the sums of all cells, so only those that change are counted again.
            if std::mem::replace(was, is) == is {
                continue;
            }
            for (sum, &steps) in self.away.iter_mut().zip(distances.from(route.end)) {
                let steps = u16::from(steps);
                *sum = if is { *sum + steps } else { *sum - steps };
            }
        }
    }
}

/// The post of each cop that gets one: the assignment with the least sum of squared distances.
fn posted(
    ground: &BoardContext,
    cops: &[CellIndex],
    posts: &[CellIndex],
) -> Vec<Option<CellIndex>> {
    let costs: Vec<Vec<i32>> = posts
        .iter()
        .map(|&post| {
            let steps = cops.iter().map(|&cop| i32::from(ground.distances.between(cop, post)));
            steps.map(|steps| steps.pow(2)).collect()
        })
        .collect();
    let mut post_of = vec![None; cops.len()];
    for (&post, guard) in posts.iter().zip(assign(&costs)) {
        post_of[guard] = Some(post);
    }
    post_of
}

/// The cells to guard, those of the gates nearest to the thief first: the board cell before the
/// middle of each gate where it is likely to be when the plan is over, or those before both ends of
/// a gate that the thief is near, if there are cops enough for that at all gates. One cop at least
/// is left to hunt.
fn posts(ground: &BoardContext, seen: &CopsView) -> Vec<CellIndex> {
    let rules = ground.board().rules();
    let cops = seen.now.cops.len();
    let width = rules.gate_width as usize;
    let drift = (f64::from(rules.k) * rules.p_gate_move * DRIFT).round() as usize;
    let thief = ground.cell_index(seen.now.thief);
    let mut gates: Vec<(Option<u8>, &Gate)> = seen
        .now
        .gates
        .iter()
        .map(|gate| {
            let middle = post(ground, gate, drift, width / 2);
            (middle.map(|post| ground.distances.between(thief, post)), gate)
        })
        .collect();
    gates.sort_by_key(|&(steps, _)| steps);
    let near = f64::from(rules.k) * NEAR_PLANS;
    let mut posts = Vec::new();
    for &(steps, gate) in &gates {
        let is_near = steps.is_some_and(|steps| f64::from(steps) <= near);
        if is_near && cops > 2 * gates.len() {
            posts.extend(post(ground, gate, drift, 0));
            posts.extend(post(ground, gate, drift, width.max(2) - 1));
        } else {
            posts.extend(post(ground, gate, drift, width / 2));
        }
    }
    posts.truncate(cops.saturating_sub(1));
    posts
}

/// The board cell before one of the cells of a gate that goes on by `drift` places as it goes now: before
/// the cell that is `further` cells from its first one.
fn post(ground: &BoardContext, gate: &Gate, drift: usize, further: usize) -> Option<CellIndex> {
    let board = ground.board();
    let ring = board.ring();
    let on = if gate.clockwise { drift } else { ring.len() - drift % ring.len() };
    let place = usize::from(gate.place) + on + further;
    // Before a corner the next cell has to do.
    let cell = (0..3).find_map(|i| ring.front((place + i) % ring.len()))?;
    board.is_floor(cell).then(|| ground.cell_index(cell))
}
