//! Guards before the gates, where the gates will be; the other cops hunt the thief.

use super::super::board::Gate;
use super::super::distance_table::{CellIndex, DistanceTable};
use super::super::rules::{Cops, CopsView, Orders};
use super::assignment::assign;
use super::context::BoardContext;
use super::interception::Interception;
use super::reactive::{Decision, ReactivePlanner};
use super::routes::{EscapeRoute, draw_routes, forecast};
use super::ways::wanted;
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
    let atlas = &ground.atlas;
    let forecast = forecast(ground, &seen.now);
    let routes = draw_routes(ground, seen, &forecast, &mut ground.dice(seen.now.tick));
    let cops = ground.cops(&seen.now);
    let posts = posts(ground, seen);
    let post_of = posted(ground, &cops, &posts);
    let thief = ground.spot(seen.now.thief);
    let mut order: Vec<usize> = (0..cops.len()).collect();
    order.sort_by_key(|&cop| (post_of[cop].is_none(), atlas.distance(cops[cop], thief)));
    let mut plan = Interception::new(ground, &forecast, &routes);
    let mut ways = vec![Vec::new(); cops.len()];
    let mut hunted = HuntedRoutes::new(atlas, &routes);
    for cop in order {
        if post_of[cop].is_none() {
            hunted.update(atlas, &plan);
        }
        let away = &hunted.away;
        let way = plan.way(cops[cop], |ends, sums| match post_of[cop] {
            Some(post) => {
                let steps = atlas.from(post);
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

/// The routes that nobody stops yet; all of them when each is stopped.
struct HuntedRoutes {
    is_hunted: Vec<bool>,
    /// For each spot the sum of the steps to the ends of the hunted routes.
    away: Vec<u16>,
}

impl HuntedRoutes {
    fn new(atlas: &DistanceTable, routes: &[EscapeRoute]) -> Self {
        Self { is_hunted: vec![false; routes.len()], away: vec![0; atlas.len()] }
    }

    fn update(&mut self, atlas: &DistanceTable, plan: &Interception) {
        let all = plan.routes().all(|(_, open)| open <= 0.0);
        for (was, (route, open)) in self.is_hunted.iter_mut().zip(plan.routes()) {
            let is = all || open > 0.0;
            if std::mem::replace(was, is) == is {
                continue;
            }
            for (sum, &steps) in self.away.iter_mut().zip(atlas.from(route.end)) {
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
    let cost = |post, cop| i32::from(ground.atlas.distance(cop, post)).pow(2);
    let costs: Vec<Vec<i32>> =
        posts.iter().map(|&post| cops.iter().map(|&cop| cost(post, cop)).collect()).collect();
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
    let (board, rules) = (ground.board(), ground.board().rules());
    let (ring, atlas) = (board.ring(), &ground.atlas);
    let (cops, width) = (seen.now.cops.len(), rules.gate_width as usize);
    let drift = (f64::from(rules.k) * rules.p_gate_move * DRIFT).round() as usize;
    let front = |gate: &Gate, further: usize| {
        let on = if gate.clockwise { drift } else { ring.len() - drift % ring.len() };
        let place = usize::from(gate.place) + on + further;
        // Before a corner the next cell has to do.
        let cell = (0..3).find_map(|i| ring.front((place + i) % ring.len()))?;
        board.is_floor(cell).then(|| ground.spot(cell))
    };
    let thief = ground.spot(seen.now.thief);
    let steps_to = |gate: &&Gate| front(gate, width / 2).map(|post| atlas.distance(thief, post));
    let mut gates: Vec<&Gate> = seen.now.gates.iter().collect();
    gates.sort_by_key(steps_to);
    let near = f64::from(rules.k) * NEAR_PLANS;
    let mut posts = Vec::new();
    for gate in &gates {
        let is_near = steps_to(gate).is_some_and(|steps| f64::from(steps) <= near);
        if is_near && cops > 2 * gates.len() {
            posts.extend(front(gate, 0));
            posts.extend(front(gate, width.max(2) - 1));
        } else {
            posts.extend(front(gate, width / 2));
        }
    }
    posts.truncate(cops.saturating_sub(1));
    posts
}
