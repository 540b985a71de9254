//! Ways of cops that meet as many of the thief's likely routes as they can.

use super::context::BoardContext;
use super::routes::EscapeRoute;
use crate::distance_table::CellIndex;
use crate::forecast::Forecast;
use crate::rules::STEPS;

/// Sends one cop after another to meet the routes that those before left over.
pub struct Interception<'a> {
    ground: &'a BoardContext,
    forecast: &'a Forecast,
    routes: &'a [EscapeRoute],
    /// How much of each route no cop stops yet, from 0 to 1.
    open: Vec<f32>,
    /// How much of the routes a cop meets on each cell after each step: entry `step * cells +
    /// cell`.
    met: Vec<f32>,
    /// The gain from each cell on, after the present step and the one before.
    gains: [Vec<f32>; 2],
    /// The step to take from each cell at each tick.
    choices: Vec<u8>,
}

impl<'a> Interception<'a> {
    /// Nobody stops any of the routes yet.
    pub fn new(
        ground: &'a BoardContext,
        forecast: &'a Forecast,
        routes: &'a [EscapeRoute],
    ) -> Self {
        let k = ground.k;
        let cells = ground.distances.len();
        let mut plan = Self {
            ground,
            forecast,
            routes,
            open: vec![0.0; routes.len()],
            met: vec![0.0; (k + 1) * cells],
            gains: [vec![0.0; cells], vec![0.0; cells]],
            choices: vec![0; k * cells],
        };
        (0..routes.len()).for_each(|route| plan.set_open(route, 1.0));
        plan
    }

    /// The routes, and how much of each no cop stops yet.
    pub fn routes(&self) -> impl Iterator<Item = (&'a EscapeRoute, f32)> {
        self.routes.iter().zip(self.open.iter().copied())
    }

    fn set_open(&mut self, route: usize, open: f32) {
        let change = open - self.open[route];
        self.open[route] = open;
        let distances = &self.ground.distances;
        let adjacent = self.ground.board().rules().capture_adjacent;
        for (step, &cell) in self.routes[route].track.iter().enumerate() {
            let met = &mut self.met[step * distances.len()..][..distances.len()];
            met[usize::from(cell)] += change;
            for &beside in distances.steps(cell)[1..].iter().filter(|&&s| adjacent && s != cell) {
                met[usize::from(beside)] += change;
            }
        }
    }

    /// The way of k steps from a cell, the start included, that gains most: one for each open route
    /// on each cell that it comes to at the same time, and what its end is worth. `value_ends` is given
    /// all ends, the nearest first, and a 0 for each, to which it adds the worth.
    ///
    /// It is found by dynamic programming from the last step back. A step to a cell where a wall is
    /// likely to be is expected to fail as often.
    pub fn way(
        &mut self,
        from: CellIndex,
        value_ends: impl FnOnce(&[CellIndex], &mut [f32]),
    ) -> Vec<CellIndex> {
        let distances = &self.ground.distances;
        let k = self.ground.k;
        let steps_to = distances.from(from);
        let mut near = distances.within(from, k);
        let mut worth = vec![0.0; near.len()];
        value_ends(&near, &mut worth);
        let [now, next] = &mut self.gains;
        near.iter().zip(worth).for_each(|(&cell, worth)| next[usize::from(cell)] = worth);
        let mut expanded = near.len();
        for tick in (0..k).rev() {
            let met = &self.met[(tick + 1) * distances.len()..][..distances.len()];
            near.iter().for_each(|&cell| next[usize::from(cell)] += met[usize::from(cell)]);
            near.truncate(
                near.partition_point(|&cell| usize::from(steps_to[usize::from(cell)]) <= tick),
            );
            expanded += near.len();
            let walled = self.forecast.walled_at(tick);
            let choices = &mut self.choices[tick * distances.len()..][..distances.len()];
            for &cell in &near {
                let stay = next[usize::from(cell)];
                // Without branches, since what is best is hard to foretell.
                let mut best = stay;
                let mut step = 0;
                for (choice, &to) in (0..).zip(distances.steps(cell)).skip(1) {
                    let gain = next[usize::from(to)] - stay;
                    let expected = stay + gain * (1.0 - walled[usize::from(to)]);
                    let is_better = expected > best;
                    best = if is_better { expected } else { best };
                    step = if is_better { choice } else { step };
                }
                now[usize::from(cell)] = best;
                choices[usize::from(cell)] = step;
            }
            std::mem::swap(now, next);
        }
        self.ground.add_work(expanded as u64);
        let mut way = vec![from];
        for tick in 0..k {
            let at = way[tick];
            let choice = self.choices[tick * distances.len() + usize::from(at)];
            way.push(distances.step(at, STEPS[usize::from(choice)]));
        }
        way
    }

    /// A cop takes a way: the routes that it meets are stopped, and of each other route it leaves
    /// the share that `leaves` tells.
    pub fn take(&mut self, way: &[CellIndex], leaves: impl Fn(&EscapeRoute) -> f32) {
        let reach = u8::from(self.ground.board().rules().capture_adjacent);
        for index in 0..self.routes.len() {
            let route = &self.routes[index];
            let mut pairs = route.track.iter().zip(way).skip(1);
            let meets =
                pairs.any(|(&thief, &cop)| self.ground.distances.between(thief, cop) <= reach);
            let left = if meets { 0.0 } else { self.open[index] * leaves(route) };
            self.set_open(index, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::CopsRules;
    use crate::rules::COPS;
    use crate::tests::{game, still};
    use outwit_core::play::{Chance, Game, PlannerContext};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn ground(rules: CopsRules) -> BoardContext {
        let game = Arc::new(game(rules));
        BoardContext::new(&PlannerContext { game, seat: COPS, seed: 1 })
    }

    /// The most that any way of the steps left gains, tried one by one.
    fn most(
        ground: &BoardContext,
        tracks: &[Vec<CellIndex>],
        at: CellIndex,
        step: usize,
        worth: &dyn Fn(CellIndex) -> f32,
    ) -> f32 {
        let met = if step == 0 { 0 } else { tracks.iter().filter(|t| t[step] == at).count() };
        let on = if step == ground.k {
            worth(at)
        } else {
            let ways = ground.distances.steps(at).iter();
            ways.map(|&to| most(ground, tracks, to, step + 1, worth)).fold(f32::MIN, f32::max)
        };
        met as f32 + on
    }

    proptest! {
        #[test]
        fn no_other_way_gains_more(seed in any::<u64>(), k in 1_u32..4) {
            let ground = ground(CopsRules { k, ..still(5, 1) });
            let game = game(CopsRules { k, ..still(5, 1) });
            let start = game.start(&Chance::new(seed)).unwrap();
            let seen = game.observe(&[], &start, COPS);
            let forecast = super::super::routes::forecast(&ground, &seen.now);
            let mut dice = ground.dice(seed as u32);
            let routes = super::super::routes::draw_routes(&ground, &seen, &forecast, &mut dice);
            let cop = ground.cops(&seen.now)[0];
            let worth = |end: CellIndex| f32::from(end % 7) / 2.0;
            let mut plan = Interception::new(&ground, &forecast, &routes);
            let way = plan.way(cop, |ends, sums| {
                sums.iter_mut().zip(ends).for_each(|(sum, &end)| *sum += worth(end));
            });
            prop_assert_eq!((way.len(), way[0]), (ground.k + 1, cop));
            let tracks: Vec<_> = routes.iter().map(|route| route.track.clone()).collect();
            let met = |step: usize| tracks.iter().filter(|t| t[step] == way[step]).count() as f32;
            let gained = (1..=ground.k).map(met).sum::<f32>() + worth(way[ground.k]);
            prop_assert_eq!(gained, most(&ground, &tracks, cop, 0, &worth));
            // What it meets is stopped, and of the rest a half is left.
            plan.take(&way, |_| 0.5);
            for (route, open) in plan.routes() {
                let meets = (1..=ground.k).any(|step| route.track[step] == way[step]);
                prop_assert_eq!(open, if meets { 0.0 } else { 0.5 });
            }
        }
    }
}
