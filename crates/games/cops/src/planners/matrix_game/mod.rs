//! Two planners that solve the game of plans against plans: `schemer` for the thief and `marshal`
//! for the cops.
//!
//! Both sides choose k blind steps at once, so the game until the next plans is a matrix game whose
//! entries are the expected payoff: captures and escapes in drawn futures of walls and gates, and a
//! guess at what the end of the plan is worth. The matrix begins with the plans of the plain
//! planners and grows by best replies of both sides. What the opponent is believed to be holds part
//! of its mixture; the answer is drawn from one's own.
//!
//! Where the exact values of the board can be worked out before the match, they take the place of the guess.
//!
//! All is done in pieces of at most [`MOST_PIECE`](opening::MOST_PIECE) microseconds on any board, and
//! a plan is there after the first.

mod belief;
mod best_response;
mod opening;
mod picture;
mod rollout;
mod sweep;
mod table;
#[cfg(test)]
mod tests;
mod thief_model;
mod thought;
pub(super) mod value;

use super::context::BoardContext;
use crate::rules::{COPS, Cops, CopsView, Orders, THIEF};
pub use belief::suspects;
use belief::{Expected, Suspects};
use opening::{MatrixInputs, other};
use outwit_core::play::{Clock, Insight, Line, Planner, PlannerContext, Progress, Seat, Value};
use thought::Thought;

/// Makes the strongest thief.
pub fn make_schemer(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    Box::new(Duelist::new(context, THIEF, u64::MAX))
}

/// Makes the strongest cops.
pub fn make_marshal(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    Box::new(Duelist::new(context, COPS, u64::MAX))
}

/// Makes either of them with little thought for each plan.
pub fn make_expert(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    let seat = context.seat;
    let board = context.game.board();
    let cells = (board.width() * board.height()) as u64;
    let most = EXPERT_WORK.max(EXPERT_WORK_PER_CELL * cells);
    Box::new(Duelist::new(context, seat, most))
}

/// Work units that an expert spends on a plan at most, and more on large boards, where each piece of work
/// is larger.
const EXPERT_WORK: u64 = 2000;
const EXPERT_WORK_PER_CELL: u64 = 4;

/// A planner of either seat.
struct Duelist {
    context: PlannerContext<Cops>,
    ground: Option<BoardContext>,
    seat: Seat,
    suspects: Suspects,
    seen: Option<CopsView>,
    stage: Stage,
    orders: Orders,
    /// Work units to spend on a plan, and what is spent.
    most: u64,
    spent: u64,
}

/// How far it is with the present turn.
enum Stage {
    Opening(Box<MatrixInputs>),
    Matrix(Box<Thought>),
    Idle,
}

impl Duelist {
    fn new(context: PlannerContext<Cops>, seat: Seat, most: u64) -> Self {
        Self {
            context,
            ground: None,
            seat,
            suspects: Suspects::new(other(seat)),
            seen: None,
            stage: Stage::Idle,
            orders: Orders(Vec::new()),
            most,
            spent: 0,
        }
    }

    /// Work of the next piece; 0 if there is none.
    fn price(&self, ground: &BoardContext, seen: &CopsView) -> u64 {
        match &self.stage {
            Stage::Opening(opening) => {
                let price = opening.price(ground, seen);
                if price > 0 { price } else { Thought::first_price(ground) }
            }
            Stage::Matrix(thought) => thought.price(ground),
            Stage::Idle => 0,
        }
    }

    /// Does the next piece of work.
    fn go_on(&mut self, ground: &BoardContext, seen: &CopsView) {
        let found = match &mut self.stage {
            Stage::Opening(opening) if opening.price(ground, seen) > 0 => {
                opening.go_on(ground, seen, &mut self.suspects)
            }
            Stage::Matrix(thought) => thought.go_on(ground, self.seat),
            Stage::Opening(_) => {
                let Stage::Opening(opening) = std::mem::replace(&mut self.stage, Stage::Idle)
                else {
                    return;
                };
                if let Some(thought) = Thought::new(ground, seen, *opening, &self.suspects) {
                    self.stage = Stage::Matrix(Box::new(thought));
                }
                None
            }
            Stage::Idle => None,
        };
        if let Some(orders) = found {
            self.orders = orders;
        }
    }

    fn think_on(&mut self, ground: &BoardContext, seen: &CopsView, clock: &Clock) -> Progress {
        loop {
            let price = self.price(ground, seen);
            // The first piece is worked whatever it costs: it gives the plan that there always is.
            if price == 0 || self.spent > 0 && self.spent.saturating_add(price) > self.most {
                return Progress::Done;
            }
            // On large boards a piece takes milliseconds, too long to look at the time now and then
            // only.
            if clock.is_over() || !clock.take(price) {
                return Progress::More;
            }
            self.spent = self.spent.saturating_add(price);
            self.go_on(ground, seen);
        }
    }

    /// The thought about the present turn, once there is a matrix.
    fn thought(&self) -> Option<&Thought> {
        match &self.stage {
            Stage::Matrix(thought) => Some(thought),
            _ => None,
        }
    }
}

impl Planner<Cops> for Duelist {
    fn prepare(&mut self, clock: &Clock) -> Progress {
        let ground = self.ground.get_or_insert_with(|| BoardContext::new(&self.context));
        if self.most == u64::MAX {
            ground.exact = self.context.game.exact_values_of_level(&|_| !clock.is_over()).ok();
        }
        Progress::Done
    }

    fn observe(&mut self, seen: &CopsView) {
        let ground = self.ground.get_or_insert_with(|| BoardContext::new(&self.context));
        let players = if self.seat == THIEF { 1 } else { seen.now.cops.len() };
        self.spent = 0;
        self.orders = ground.stay(players);
        let expected: Vec<Expected> = match &self.stage {
            Stage::Matrix(thought) => thought.expected(self.seat),
            _ => Vec::new(),
        };
        self.suspects.observe(ground.k, seen, &expected);
        let left = ground.board().rules().ticks.saturating_sub(seen.now.tick);
        let ticks = ground.k.min(left as usize).max(1);
        self.stage = Stage::Opening(Box::new(MatrixInputs::new(self.seat, ticks)));
        self.seen = Some(seen.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        // Taken out for the time being, so that both it and the rest of the planner can be used.
        let (Some(seen), Some(ground)) = (self.seen.take(), self.ground.take()) else {
            return Progress::Done;
        };
        let progress = self.think_on(&ground, &seen, clock);
        (self.seen, self.ground) = (Some(seen), Some(ground));
        progress
    }

    fn best(&self) -> Orders {
        self.orders.clone()
    }

    fn line(&self) -> Line<Orders> {
        let (Some(seen), Some(thought)) = (&self.seen, self.thought()) else {
            return Line::default();
        };
        let (rows, columns) = thought.mixes(self.seat);
        let payoff = f64::from(thought.table.value(&rows, &columns)) + f64::from(seen.now.tick);
        // The cops pay what the thief earns.
        let own = if self.seat == THIEF { payoff } else { -payoff };
        Line { value: Some(Value::Score(own)), actions: vec![self.orders.clone()] }
    }

    fn insight(&self) -> Insight {
        self.picture().unwrap_or_default()
    }
}
