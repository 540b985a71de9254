//! Planners that err as people do: they overlook some of the pieces, most of all those far away, and plan
//! only the first steps with care.

use super::context::{BoardContext, below};
use super::reactive::{Decision, Policy, ReactivePlanner};
use super::{chasers, evader, guards, runner};
use crate::rules::{Cops, CopsView, Orders, Step, THIEF};
use outwit_core::play::{Planner, PlannerContext};
use std::cmp::Reverse;

/// Makes the planner `novice` of either seat.
pub fn make_novice(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, |ground, seen| {
        let policy = if seen.seat == THIEF { runner::plan } else { chasers::plan };
        NOVICE.plan(ground, seen, policy)
    })
}

/// Makes the planner `casual` of either seat.
pub fn make_casual(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    ReactivePlanner::boxed(context, |ground, seen| {
        let policy = if seen.seat == THIEF { evader::plan } else { guards::plan };
        CASUAL.plan(ground, seen, policy)
    })
}

/// How much of the board a planner attends to.
struct Attention {
    /// Percent of the cops that it overlooks next to the other side, and from [`FAR_AWAY`] on.
    near: usize,
    far: usize,
    /// Percent of the steps of a plan that it plans; during the others its pieces wait.
    planned: usize,
}

const NOVICE: Attention = Attention { near: 10, far: 60, planned: 60 };
const CASUAL: Attention = Attention { near: 3, far: 30, planned: 80 };

/// Steps between a cop and the thief from which on they count as far away.
const FAR_AWAY: usize = 12;

impl Attention {
    /// The plan of a policy that knows only of the cops that are noticed. A cop that its own side
    /// overlooks waits.
    fn plan(&self, ground: &BoardContext, seen: &CopsView, policy: Policy) -> Decision {
        let noticed = self.noticed(ground, seen);
        let mut known = seen.clone();
        known.now.cops = noticed.iter().map(|&cop| seen.now.cops[cop]).collect();
        let mut decision = policy(ground, &known);
        if seen.seat != THIEF {
            let mut orders = ground.stay(seen.now.cops.len());
            for (&cop, steps) in noticed.iter().zip(decision.orders.0) {
                orders.0[cop] = steps;
            }
            decision.orders = orders;
        }
        let Orders(plans) = &mut decision.orders;
        let planned = (ground.k * self.planned).div_ceil(100);
        plans.iter_mut().flat_map(|steps| steps.iter_mut().skip(planned)).for_each(|step| {
            *step = Step::Stay;
        });
        decision
    }

    /// The cops that are noticed, in rising order: at least one of the cops' own.
    fn noticed(&self, ground: &BoardContext, seen: &CopsView) -> Vec<usize> {
        // Other dice than those of the policy.
        let mut dice = ground.dice(!seen.now.tick);
        let steps = ground.distances.from(ground.cell_index(seen.now.thief));
        let cops = ground.cops(&seen.now);
        let away: Vec<usize> =
            cops.iter().map(|&cop| usize::from(steps[usize::from(cop)])).collect();
        let mut noticed: Vec<usize> = (0..cops.len())
            .filter(|&cop| {
                let away = away[cop].min(FAR_AWAY);
                let overlooked = self.near + (self.far - self.near) * away / FAR_AWAY;
                below(&mut dice, 100) >= overlooked
            })
            .collect();
        if noticed.is_empty() && seen.seat != THIEF {
            noticed.extend((0..cops.len()).min_by_key(|&cop| (away[cop], Reverse(cop))));
        }
        noticed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::CopsRules;
    use crate::rules::COPS;
    use crate::tests::{game, still};
    use outwit_core::play::{Chance, Game};
    use std::sync::Arc;

    /// What is overlooked is as often as the percentages say, more of it far away; and it is the same
    /// for the same seed.
    #[test]
    fn far_cops_are_overlooked_more_often() {
        let game = Arc::new(game(still(30, 9)));
        let mut counts = [[0; 2]; 2];
        for seed in 0..400 {
            let start = game.start(&Chance::new(seed)).unwrap();
            let context = PlannerContext { game: Arc::clone(&game), seat: THIEF, seed };
            let ground = BoardContext::new(&context);
            let seen = game.observe(&[], &start, THIEF);
            let noticed = NOVICE.noticed(&ground, &seen);
            assert_eq!(noticed, NOVICE.noticed(&ground, &seen));
            let thief = ground.cell_index(seen.now.thief);
            for (cop, cell) in ground.cops(&seen.now).into_iter().enumerate() {
                let away = usize::from(ground.distances.between(thief, cell));
                if away >= FAR_AWAY || away <= 6 {
                    let [all, overlooked] = &mut counts[usize::from(away >= FAR_AWAY)];
                    *all += 1;
                    *overlooked += usize::from(!noticed.contains(&cop));
                }
            }
        }
        let [near, far] = counts.map(|[all, overlooked]| 100 * overlooked / all);
        assert!(near <= 40 && (55..=65).contains(&far), "{near} {far}");
    }

    /// Cops that are overlooked wait, and so does everybody after the steps that are planned.
    #[test]
    fn what_is_overlooked_waits() {
        let game = Arc::new(game(CopsRules { k: 5, ..still(30, 9) }));
        let start = game.start(&Chance::new(3)).unwrap();
        let context = PlannerContext { game: Arc::clone(&game), seat: COPS, seed: 5 };
        let ground = BoardContext::new(&context);
        let seen = game.observe(&[], &start, COPS);
        let noticed = NOVICE.noticed(&ground, &seen);
        assert!(!noticed.is_empty() && noticed.len() < 9);
        let Orders(plans) = NOVICE.plan(&ground, &seen, chasers::plan).orders;
        for (cop, steps) in plans.iter().enumerate() {
            let planned = if noticed.contains(&cop) { 3 } else { 0 };
            assert_eq!(steps.len(), ground.k);
            assert!(steps[planned..].iter().all(|&step| step == Step::Stay), "{cop}");
            assert!(planned == 0 || steps[0] != Step::Stay, "{cop}");
        }
    }
}
