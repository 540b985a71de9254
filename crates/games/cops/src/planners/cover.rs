//! Cops that take cells from the thief: each in turn goes where the cops reach first as much as
//! they can, after Isaza, Lu, Bulitko and Greiner, "A Cover-Based Approach to Multi-Agent Moving
//! Target Pursuit" (AIIDE 2008).

use super::context::BoardContext;
use super::interception::Interception;
use super::reactive::{Decision, ReactivePlanner};
use super::routes::{EscapeRoute, LEAST_CHANCE, draw_routes, forecast};
use super::ways::wanted;
use crate::distance_table::{CellIndex, FAR};
use crate::forecast::Forecast;
use crate::rules::{Cops, CopsView, Orders};
use outwit_core::play::{Heat, Insight, Planner, PlannerContext};

/// Makes the planner `cover`: cops that take cells from the thief.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, plan)
}

/// Number of the thief's routes whose claims are counted.
const THIEVES: usize = 8;
/// About how many cells of the board are counted, spread evenly.
const CELLS: usize = 60;
/// About how many ends of its plan a cop compares.
const ENDS: usize = 64;
/// What all cells before gates that one route claims are worth together, in routes that a cop
/// meets.
const GATES_WORTH: f32 = 10.0;
/// What all counted cells of the board are worth together.
const CELLS_WORTH: f32 = 4.0;
/// What a claim is still worth after each cop that is there first.
const CONTESTED: f32 = 0.25;
/// Claims worth less are left out.
const LEAST_WORTH: f32 = 0.005;
/// What a step nearer to the thief is worth.
const NEARER: f32 = 0.3;
/// Worth of ends that are not compared.
const IGNORED: f32 = -1e9;

/// The cover as a policy, for others to guess at.
pub fn plan(ground: &BoardContext, seen: &CopsView) -> Decision {
    let distances = &ground.distances;
    let forecast = forecast(ground, &seen.now);
    let routes = draw_routes(ground, seen, &forecast, &mut ground.dice(seen.now.tick));
    let mut cops = ground.cops(&seen.now);
    let thief = ground.cell_index(seen.now.thief);
    let mut claims = claims(ground, &forecast, &routes);
    let mut plan = Interception::new(ground, &forecast, &routes);
    let mut ways = vec![Vec::new(); cops.len()];
    let mut order: Vec<usize> = (0..cops.len()).collect();
    order.sort_by_key(|&cop| distances.between(cops[cop], thief));
    for cop in order {
        let from = cops[cop];
        let way = plan.way(from, |ends, sums| {
            let every = ends.len().div_ceil(ENDS).max(1);
            // To compare all ends would take too long; staying is always among them.
            let compared: Vec<usize> = (0..ends.len())
                .filter(|&at| (at + 1).is_multiple_of(every) || ends[at] == from)
                .collect();
            let compared_ends: Vec<usize> =
                compared.iter().map(|&at| usize::from(ends[at])).collect();
            let mut worth = vec![0.0_f32; compared.len()];
            for claim in &claims {
                let steps = distances.from(claim.cell);
                for (worth, &end) in worth.iter_mut().zip(&compared_ends) {
                    *worth += if steps[end] <= claim.steps { claim.worth } else { 0.0 };
                }
            }
            sums.fill(IGNORED);
            let steps = distances.from(thief);
            for ((at, end), worth) in compared.into_iter().zip(compared_ends).zip(worth) {
                sums[at] = worth - NEARER * f32::from(steps[end]);
            }
        });
        cops[cop] = way[way.len() - 1];
        let taken = claims.iter_mut().filter(|claim| claim.is_taken(distances.from(cops[cop])));
        taken.for_each(|claim| claim.worth *= CONTESTED);
        claims.retain(|claim| claim.worth > LEAST_WORTH);
        plan.take(&way, |_| 1.0);
        ways[cop] = ground.steps_along(&way);
    }
    let orders = Orders(ways);
    let race = ground.race(&cops);
    let steps = distances.from(thief);
    let covered = distances.floor().iter().map(|&cell_index| {
        let margin =
            i16::from(race[usize::from(cell_index)]) - i16::from(steps[usize::from(cell_index)]);
        (distances.cell(cell_index), f32::from(margin.clamp(-i16::from(FAR), 20)))
    });
    let insight = Insight {
        heats: vec![Heat {
            label: "The thief's lead".into(),
            about: "By how many steps the thief reaches each cell before any cop.".into(),
            cells: covered.collect(),
        }],
        paths: wanted(&seen.now.cops, &orders),
        ..Insight::default()
    };
    Decision { orders, insight }
}

/// A cell that the thief reaches in so many steps after the plan if it took one of its routes.
struct Claim {
    cell: CellIndex,
    steps: u8,
    worth: f32,
}

impl Claim {
    /// A claim to a cell, given the steps to all cells; `None` if there is no way.
    fn new(cell: CellIndex, steps: &[u8], worth: f32) -> Option<Self> {
        let steps = steps[usize::from(cell)];
        (steps < FAR).then_some(Self { cell, steps, worth })
    }
    /// Whether a cop, given its steps to all cells, is there no later than the thief.
    fn is_taken(&self, cop: &[u8]) -> bool {
        cop[usize::from(self.cell)] <= self.steps
    }
}

/// What the thief can claim after its plan: cells all over the board, and cells before gates, which
/// are worth more the likelier the gate is there in time.
fn claims(ground: &BoardContext, forecast: &Forecast, routes: &[EscapeRoute]) -> Vec<Claim> {
    let distances = &ground.distances;
    let ring = ground.board().ring();
    let every = distances.floor().len().div_ceil(CELLS);
    let cells: Vec<CellIndex> =
        distances.floor().iter().copied().skip(every / 2).step_by(every).collect();
    let mut claims = Vec::new();
    for route in routes.iter().step_by(routes.len().div_ceil(THIEVES)) {
        // One that has left the board claims nothing.
        let Some(&thief) = route.track.get(ground.k) else { continue };
        let steps = distances.from(thief);
        let each = CELLS_WORTH / cells.len() as f32;
        claims.extend(cells.iter().filter_map(|&cell| Claim::new(cell, steps, each)));
        let mut gates: Vec<Claim> = (0..ring.len())
            .filter_map(|place| {
                let cell = ground.cell_index(ring.front(place)?);
                let after = ground.k + usize::from(steps[usize::from(cell)]);
                let chance = forecast.gated(after, place);
                Claim::new(cell, steps, chance).filter(|_| chance > LEAST_CHANCE)
            })
            .collect();
        let sum: f32 = gates.iter().map(|gate| gate.worth).sum();
        gates.iter_mut().for_each(|gate| gate.worth *= GATES_WORTH / sum);
        claims.append(&mut gates);
    }
    claims
}
