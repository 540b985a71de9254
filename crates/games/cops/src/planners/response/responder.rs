//! A planner that answers a known planner of the other seat: it asks copies of it what they would do.

use super::super::context::BoardContext;
use super::super::{ALL, plain_plans};
use super::plan_game::PlanGame;
use super::search::ALL_OF_SIX;
use crate::rules::{COPS, Cops, CopsView, Orders, Step, THIEF};
use outwit_core::platform::parallel;
use outwit_core::play::{
    Budget, Clock, Counter, Insight, MakePlanner, Planner, PlannerContext, Progress, Seat, StopFlag,
};
use outwit_kit::{Opponent, ResponderSpec};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Copies of the opponent, each with a seed of its own.
const COPIES: usize = 8;
/// Scenarios of walls and gates.
const SCENARIOS: usize = 8;
/// The stream of dice for the seeds of the copies; the ticks of scenarios have the low numbers.
const COPY_SEEDS: u64 = u64::MAX;

/// How the responder of this game works.
pub const SPEC: ResponderSpec<Cops> = ResponderSpec {
    method: "Eight copies of the opponent, with other seeds than its own, see what it sees in every \
             turn and think with its budget; eight futures of walls and gates are drawn. The thief \
             answers with the best of all plans against these. The cops improve the plans of their \
             strongest planner and of four plain ones, cop by cop over all plans of each, until \
             nothing is gained, and play the best. What a position is worth after the plans is \
             estimated. Hidden plans and the seed of the match are never read.",
    make,
};

fn make(context: PlannerContext<Cops>, opponent: Opponent<Cops>) -> Box<dyn Planner<Cops>> {
    Box::new(Responder::new(context, opponent))
}

/// A planner that is asked for advice.
struct Adviser {
    seat: Seat,
    planner: Box<dyn Planner<Cops>>,
}

impl Adviser {
    fn new(context: &PlannerContext<Cops>, seat: Seat, make: MakePlanner<Cops>, seed: u64) -> Self {
        Self { seat, planner: make(PlannerContext { seat, seed, ..context.clone() }) }
    }
}

struct Responder {
    context: PlannerContext<Cops>,
    budget: Budget,
    /// The copies of the opponent, and for the cops their own strongest planner as the last.
    advisers: Vec<Adviser>,
    ground: Option<BoardContext>,
    seen: Option<CopsView>,
    orders: Orders,
    searches: usize,
    cut: usize,
}

impl Responder {
    fn new(context: PlannerContext<Cops>, opponent: Opponent<Cops>) -> Self {
        let mut dice = ChaCha8Rng::seed_from_u64(context.seed);
        dice.set_stream(COPY_SEEDS);
        let mut advisers: Vec<Adviser> = (0..COPIES)
            .map(|_| Adviser::new(&context, opponent.seat, opponent.make, dice.next_u64()))
            .collect();
        let strongest = ALL.iter().rfind(|spec| (spec.seats)(COPS));
        if let Some(strongest) = strongest.filter(|_| context.seat == COPS) {
            advisers.push(Adviser::new(&context, COPS, strongest.make, dice.next_u64()));
        }
        let orders = Orders(Vec::new());
        let budget = opponent.budget;
        Self { context, budget, advisers, ground: None, seen: None, orders, searches: 0, cut: 0 }
    }

    /// What every adviser would do, each with the whole budget, and the work of all.
    fn advice(&mut self, seen: &CopsView) -> (Vec<Orders>, u64) {
        let budget = self.budget;
        let answers: Vec<(Orders, u64)> = parallel::map_mut(&mut self.advisers, |adviser| {
            adviser.planner.observe(&CopsView { seat: adviser.seat, ..seen.clone() });
            let clock = Clock::new(budget, StopFlag::default());
            while adviser.planner.think(&clock) == Progress::More && !clock.is_over() {}
            (adviser.planner.best(), clock.used())
        });
        let work = answers.iter().map(|(_, work)| work).sum();
        (answers.into_iter().map(|(orders, _)| orders).collect(), work)
    }

    fn respond(&mut self, ground: &BoardContext, seen: &CopsView, advice: Vec<Orders>) {
        let game = PlanGame::new(
            ground,
            &seen.now,
            (SCENARIOS, ALL_OF_SIX),
            &mut ground.dice(seen.now.tick),
        );
        let (theirs, own) = advice.split_at(COPIES.min(advice.len()));
        let theirs = shares(theirs);
        if self.context.seat == THIEF {
            let mix: Vec<_> = theirs.into_iter().map(|(plan, share)| (plan.0, share)).collect();
            let reply = game.thief_reply(&mix);
            self.searches += 1;
            self.cut += usize::from(reply.is_cut);
            self.orders = Orders(vec![full(reply.steps, ground.k)]);
            return;
        }
        let mix: Vec<_> = theirs
            .into_iter()
            .map(|(Orders(plans), share)| (plans.into_iter().next().unwrap_or_default(), share))
            .collect();
        let mut starts: Vec<Orders> = own.to_vec();
        starts.extend(plain_plans(ground, seen));
        let mut best = f32::INFINITY;
        for (start, _) in shares(&starts) {
            let reply = game.joint_reply(&start.0, &mix);
            self.searches += reply.searches;
            self.cut += reply.cut;
            if reply.payoff < best {
                best = reply.payoff;
                let plans = reply.plans.into_iter().map(|steps| full(steps, ground.k));
                self.orders = Orders(plans.collect());
            }
        }
    }
}

/// A plan of k steps, of which the last ones may no longer count.
fn full(mut steps: Vec<Step>, k: usize) -> Vec<Step> {
    steps.resize(k, Step::Stay);
    steps
}

/// Each different plan once, with its share of all.
fn shares(plans: &[Orders]) -> Vec<(Orders, f32)> {
    let mut shares: Vec<(Orders, f32)> = Vec::new();
    for plan in plans {
        match shares.iter_mut().find(|(known, _)| known == plan) {
            Some((_, share)) => *share += 1.0 / plans.len() as f32,
            None => shares.push((plan.clone(), 1.0 / plans.len() as f32)),
        }
    }
    shares
}

impl Planner<Cops> for Responder {
    fn prepare(&mut self, clock: &Clock) -> Progress {
        self.ground.get_or_insert_with(|| BoardContext::new(&self.context));
        for adviser in &mut self.advisers {
            while adviser.planner.prepare(clock) == Progress::More && !clock.is_over() {}
        }
        Progress::Done
    }

    fn observe(&mut self, seen: &CopsView) {
        let ground = self.ground.get_or_insert_with(|| BoardContext::new(&self.context));
        let players = if self.context.seat == THIEF { 1 } else { seen.now.cops.len() };
        self.orders = ground.stay(players);
        self.seen = Some(seen.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        // In one piece: it is no player but an instrument, and nobody waits for it.
        if let (Some(seen), Some(ground)) = (self.seen.take(), self.ground.take()) {
            let (advice, work) = self.advice(&seen);
            clock.charge(work);
            self.respond(&ground, &seen, advice);
            self.ground = Some(ground);
        }
        Progress::Done
    }

    fn best(&self) -> Orders {
        self.orders.clone()
    }

    fn insight(&self) -> Insight {
        let counters = vec![
            Counter::new(
                "Searches for a best plan",
                "How often the best plan of the thief or of one cop was looked for.",
                self.searches as f64,
            ),
            Counter::new(
                "Searches cut short",
                "In how many of them there were too many plans to compare all.",
                self.cut as f64,
            ),
        ];
        Insight { counters, ..Insight::default() }
    }
}
