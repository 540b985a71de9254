//! A driver that loses so many turns per move as it is told.

use super::ahead::{Ahead, NOVICE};
use super::traffic::{Advice, Traffic};
use crate::exact::ExactTable;
use crate::{Accelerate, RaceView, Racetrack, Walk};
use outwit_core::grid::Cell;
use outwit_core::play::{
    Clock, Counter, Game, GradedInfo, GradedPlanner, Insight, Line, Path, Planner, PlannerContext,
    Progress, Tone,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The driver as players choose it.
pub const RIVAL: GradedPlanner<Racetrack> = GradedPlanner {
    info: GradedInfo {
        name: "rival",
        about: "Loses as many turns per move as you did in your last races, or as you tell it \
                (rival:0.1). Before your first race it drives like the planner novice.",
        method: "It knows the exact table, as optimal does, and errs on purpose. Each turn it draws \
                 whether to err and which of the slower moves to make, smaller losses more often, so \
                 that it loses the given number of turns on the mean of each move. What no move can lose \
                 now it loses later. It never leaves the track on purpose. Without a number, or where \
                 the table is too large or not ready in time, it drives like the planner novice.",
        most: MOST_LOSS,
    },
    make: |context, loss| Box::new(Rival::new(context, loss)),
};

/// Greatest loss in turns per move: at that, races take about four times the least number of turns.
const MOST_LOSS: f64 = 0.75;

/// How much of a loss that could not be made, or was too large, is made up for later, in turns.
const MOST_OWED: f64 = 2.0;

/// Its expected loss in each turn is the loss asked for, so the loss of many races divided by the number of
/// their moves tends to that: a race may end whenever it likes, since what is lost too much or too little is
/// fair at every moment.
pub struct Rival {
    context: PlannerContext<Racetrack>,
    loss: Option<f64>,
    driver: Driver,
    traffic: Traffic,
    /// By turn: what it should have lost on the mean until then and could not.
    owed: BTreeMap<u32, f64>,
    best: Accelerate,
    plan: Vec<Cell>,
}

enum Driver {
    Unprepared,
    Knows(Arc<ExactTable>),
    Novice { driver: Box<Ahead>, why: Option<String> },
}

impl Rival {
    /// A driver that loses so many turns per move.
    pub fn new(context: PlannerContext<Racetrack>, loss: Option<f64>) -> Self {
        Self {
            loss,
            driver: Driver::Unprepared,
            traffic: Traffic::new(context.seed),
            owed: BTreeMap::new(),
            best: Accelerate(Cell::default()),
            plan: Vec::new(),
            context,
        }
    }

    /// Which of these actions it takes.
    fn choose(
        &mut self,
        table: &ExactTable,
        loss: f64,
        seen: &RaceView,
        safe: &[Accelerate],
    ) -> Cell {
        let game = Arc::clone(&self.context.game);
        let car = *seen.car();
        let track = game.track();
        let null_action = || game.null_action(&seen.race, seen.seat).0;
        let time = |a: Cell| table.time_by(track, car.cell, car.velocity + a, car.progress);
        let safe = safe.iter().map(|action| action.0);
        let best = table.best_of(track, car.cell, car.velocity, car.progress, safe.clone());
        let Some(best) = best.map(|(a, _)| a) else { return null_action() };
        let least = game.choices(&seen.race, seen.seat).iter().filter_map(|c| time(c.0)).min();
        let (Some(least), Some(own)) = (least, time(best)) else { return best };
        let crashes = |a: Cell| {
            let walk = track.walk(car.cell, car.velocity + a, car.progress);
            matches!(walk, Walk::Crashes { .. })
        };
        let mut errors: Vec<Error> = safe
            .filter(|&a| !crashes(a))
            .filter_map(|a| Some(Error { action: a, costs: time(a)?.in_turns() - own.in_turns() }))
            .filter(|error| error.costs > 0.0)
            .collect();
        errors.sort_by(|a, b| a.costs.total_cmp(&b.costs).then(a.action.cmp(&b.action)));
        // The same whenever it comes to the same moment of the race.
        let mut dice = ChaCha8Rng::seed_from_u64(self.context.seed);
        dice.set_stream(u64::from(car.turns));
        let owed = self.owed.range(..car.turns).next_back().map_or(0.0, |(_, &owed)| owed);
        // Others in the way cost something too.
        let wanted = loss + owed - (own.in_turns() - least.in_turns());
        let (chance, errors) = mix(&errors, wanted);
        let expected = chance * mean_cost(errors);
        self.owed.insert(car.turns, (wanted - expected).clamp(-MOST_OWED, MOST_OWED));
        if dice.random::<f64>() < chance {
            draw(errors, dice.random()).unwrap_or(best)
        } else {
            best
        }
    }
}

/// A move that costs something against the best one.
#[derive(Clone, Copy)]
struct Error {
    action: Cell,
    /// Turns.
    costs: f64,
}

impl Error {
    /// How often it is made compared with others: people see large errors more often than small ones.
    fn weight(&self) -> f64 {
        (1.0 + self.costs).powi(-2)
    }
}

/// What errors cost on the mean, weighted; nothing if there are none.
fn mean_cost(errors: &[Error]) -> f64 {
    let weights: f64 = errors.iter().map(Error::weight).sum();
    let costs: f64 = errors.iter().map(|error| error.weight() * error.costs).sum();
    if weights > 0.0 { costs / weights } else { 0.0 }
}

/// The probability of an error and which errors, by rising costs, so that they cost `wanted` turns on the mean
/// if that is possible, or as much as possible.
fn mix(errors: &[Error], wanted: f64) -> (f64, &[Error]) {
    if wanted <= 0.0 || errors.is_empty() {
        return (0.0, &[]);
    }
    let dear = (0..errors.len()).map(|from| &errors[from..]).find(|dear| mean_cost(dear) >= wanted);
    match dear {
        Some(dear) => (wanted / mean_cost(dear), dear),
        None => (1.0, &errors[errors.len() - 1..]),
    }
}

/// The error at this share of all weights.
fn draw(errors: &[Error], share: f64) -> Option<Cell> {
    let mut left = share * errors.iter().map(Error::weight).sum::<f64>();
    errors
        .iter()
        .find(|error| {
            left -= error.weight();
            left < 0.0
        })
        .or(errors.last())
        .map(|error| error.action)
}

impl Planner<Racetrack> for Rival {
    fn prepare(&mut self, clock: &Clock) -> Progress {
        let table = self.loss.map(|_| self.context.game.exact_table(&|| clock.is_over()));
        self.driver = match table {
            Some(Ok(table)) => Driver::Knows(table),
            other => {
                let mut driver = Box::new(Ahead::new(self.context.clone(), NOVICE));
                driver.prepare(clock);
                let why = other.and_then(Result::err).map(|error| error.to_string());
                Driver::Novice { driver, why }
            }
        };
        Progress::Done
    }

    fn observe(&mut self, seen: &RaceView) {
        if matches!(self.driver, Driver::Unprepared) {
            self.prepare(&Clock::unlimited());
        }
        let car = *seen.car();
        let table = match &mut self.driver {
            Driver::Knows(table) => Arc::clone(table),
            Driver::Novice { driver, .. } => {
                driver.observe(seen);
                self.best = driver.best();
                return;
            }
            Driver::Unprepared => return,
        };
        let game = Arc::clone(&self.context.game);
        self.best = match self.traffic.advise(&game, seen) {
            Advice::Dodge(action) => action,
            Advice::Any(safe) => {
                Accelerate(self.choose(&table, self.loss.unwrap_or_default(), seen, &safe))
            }
        };
        self.plan = vec![car.cell, car.cell + car.velocity + self.best.0];
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        match &mut self.driver {
            Driver::Novice { driver, .. } => {
                let progress = driver.think(clock);
                self.best = driver.best();
                progress
            }
            Driver::Knows(_) | Driver::Unprepared => Progress::Done,
        }
    }

    fn best(&self) -> Accelerate {
        self.best
    }

    fn line(&self) -> Line<Accelerate> {
        match &self.driver {
            Driver::Novice { driver, .. } => driver.line(),
            Driver::Knows(_) => Line { value: None, actions: vec![self.best] },
            Driver::Unprepared => Line::default(),
        }
    }

    fn insight(&self) -> Insight {
        match &self.driver {
            Driver::Knows(_) => Insight {
                paths: vec![Path { cells: self.plan.clone(), tone: Tone::Wanted }],
                counters: vec![Counter {
                    name: "Turns lost per move".into(),
                    about: "How many turns it loses per move on average, against the best move."
                        .into(),
                    value: self.loss.unwrap_or_default(),
                }],
                ..Insight::default()
            },
            Driver::Novice { driver, why } => {
                let mut insight = driver.insight();
                insight.notes.extend(
                    why.as_ref().map(|why| {
                        format!("It runs without its table and drives like novice: {why}")
                    }),
                );
                insight
            }
            Driver::Unprepared => Insight::default(),
        }
    }
}
