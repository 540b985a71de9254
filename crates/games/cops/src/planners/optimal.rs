//! Plays by the exact values of a board on which nothing moves by itself.

use super::matrix_game::{make_marshal, make_schemer};
use crate::exact::{Exact, PerfectTurn, joint_steps};
use crate::rules::{Cops, CopsView, Orders, STEPS, Step, THIEF};
use outwit_core::grid::Cell;
use outwit_core::play::{
    Clock, Counter, Heat, Insight, Line, Planner, PlannerContext, Progress, Value,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Makes the planner `optimal`.
pub fn make(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    let guesser = if context.seat == THIEF { make_schemer } else { make_marshal };
    let guesser = guesser(context.clone());
    Box::new(Optimal { context, known: Err("it is not prepared".into()), guesser, turn: None })
}

/// Draws its steps from the shares of perfect play, which guarantee the value of the position whatever the other side
/// does. Where values are not known it plays like the strongest of the others and says so.
struct Optimal {
    context: PlannerContext<Cops>,
    known: Result<Arc<Exact>, String>,
    guesser: Box<dyn Planner<Cops>>,
    turn: Option<Drawn>,
}

/// What it does in the present turn.
struct Drawn {
    perfect: PerfectTurn,
    seen: CopsView,
    orders: Orders,
}

impl Optimal {
    /// Draws a step, with dice of this tick alone.
    fn draw(&self, exact: &Exact, seen: &CopsView) -> Option<Drawn> {
        let now = &seen.now;
        let perfect = exact.turn(self.context.game.ticks_left(now), now.thief, &now.cops)?;
        let mut dice = ChaCha8Rng::seed_from_u64(self.context.seed);
        dice.set_stream(u64::from(now.tick));
        let lot = f64::from(dice.next_u32()) / (f64::from(u32::MAX) + 1.0);
        let orders = orders(&perfect, seen, |shares| drawn(shares, lot));
        Some(Drawn { perfect, seen: seen.clone(), orders })
    }
}

/// The likeliest steps of perfect play, if the values are known.
pub fn likeliest(game: &Cops, seen: &CopsView) -> Option<Orders> {
    let now = &seen.now;
    let exact = game.known_values(now)?;
    let perfect = exact.turn(game.ticks_left(now), now.thief, &now.cops)?;
    Some(orders(&perfect, seen, largest))
}

/// The steps of a seat whose number is chosen by their shares.
fn orders(perfect: &PerfectTurn, seen: &CopsView, choose: impl Fn(&[f64]) -> usize) -> Orders {
    let ways = match seen.seat {
        THIEF => vec![STEPS[choose(&perfect.thief)]],
        _ => joint_steps(choose(&perfect.cops), seen.now.cops.len()),
    };
    Orders(ways.into_iter().map(|step| vec![step]).collect())
}

/// The number of the largest share.
fn largest(shares: &[f64]) -> usize {
    (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or_default()
}

/// The number of the share that a lot from 0 to 1 falls on.
fn drawn(shares: &[f64], mut lot: f64) -> usize {
    shares
        .iter()
        .position(|share| {
            lot -= share;
            lot < 0.0
        })
        .unwrap_or_else(|| largest(shares))
}

impl Planner<Cops> for Optimal {
    fn prepare(&mut self, clock: &Clock) -> Progress {
        self.known = self.context.game.exact_values_of_level(&|_| !clock.is_over());
        self.guesser.prepare(clock)
    }

    fn observe(&mut self, seen: &CopsView) {
        self.turn = self.known.as_ref().ok().and_then(|exact| self.draw(exact, seen));
        if self.turn.is_none() {
            self.guesser.observe(seen);
        }
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        if self.turn.is_some() { Progress::Done } else { self.guesser.think(clock) }
    }

    fn best(&self) -> Orders {
        self.turn.as_ref().map_or_else(|| self.guesser.best(), |turn| turn.orders.clone())
    }

    fn line(&self) -> Line<Orders> {
        let Some(Drawn { perfect, seen, orders }) = &self.turn else { return self.guesser.line() };
        let payoff = f64::from(seen.now.tick) + perfect.certified.value;
        // The cops pay what the thief earns.
        let own = if seen.seat == THIEF { payoff } else { -payoff };
        Line { value: Some(Value::Score(own)), actions: vec![orders.clone()] }
    }

    fn insight(&self) -> Insight {
        let Some(Drawn { perfect, seen, .. }) = &self.turn else {
            let mut insight = self.guesser.insight();
            if let Err(why) = &self.known {
                let like = if self.context.seat == THIEF { "schemer" } else { "marshal" };
                insight.notes.push(format!("It plays like {like}: {why}"));
            }
            return insight;
        };
        let now = &seen.now;
        let mut heats = vec![heat(
            "Thief's next cell",
            "How likely perfect play is to take the thief to each cell.",
            (0..STEPS.len()).map(|at| (vec![(now.thief, STEPS[at])], perfect.thief[at])),
        )];
        heats.push(heat(
            "Cops' next cells",
            "How likely perfect play is to take a cop to each cell; sums over the cops.",
            perfect.cops.iter().enumerate().map(|(number, &share)| {
                let steps = joint_steps(number, now.cops.len());
                (now.cops.iter().copied().zip(steps).collect(), share)
            }),
        ));
        if seen.seat != THIEF {
            heats.reverse();
        }
        let counters = vec![
            Counter {
                name: "Value".into(),
                about: "What the thief earns with perfect play on both sides, in ticks.".into(),
                value: f64::from(now.tick) + perfect.certified.value,
            },
            Counter {
                name: "Error at most".into(),
                about: "How far the value may be off by rounding, in ticks; the bound is proved."
                    .into(),
                value: perfect.certified.error,
            },
        ];
        Insight { heats, counters, ..Insight::default() }
    }
}

/// How likely cells are, from the shares of steps.
fn heat(
    label: &'static str,
    about: &'static str,
    steps: impl Iterator<Item = (Vec<(Cell, Step)>, f64)>,
) -> Heat {
    let mut sums: BTreeMap<Cell, f64> = BTreeMap::new();
    for (ways, share) in steps.filter(|&(_, share)| share > 0.0) {
        for (from, step) in ways {
            *sums.entry(from + step.delta()).or_default() += share;
        }
    }
    let cells = sums.into_iter().map(|(cell, share)| (cell, share as f32)).collect();
    Heat { label: label.into(), about: about.into(), cells }
}
