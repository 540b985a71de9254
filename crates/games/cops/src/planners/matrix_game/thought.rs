//! What a matrix-game planner thinks about one turn, in pieces: the matrix, its solution, and the
//! replies by which it grows.

use super::super::context::{BoardContext, random_orders};
use super::belief::{Expected, Suspects};
use super::best_response::BestResponse;
use super::opening::{MatrixInputs, other};
use super::rollout::Futures;
use super::sweep::Sweep;
use super::table::{Belief, Column, PayoffMatrix, PayoffModel, Row};
use super::thief_model::ThiefModel;
use super::value::Worth;
use crate::distance_table::CellIndex;
use crate::rules::{COPS, CopsView, Orders, Step, THIEF};
use outwit_core::play::Seat;
use rand::Rng;

/// Random joint plans, for cops that move at random.
const LOTS_OF_COPS: usize = 16;
/// Rounds of regret matching after each new pair of plans.
const ROUNDS: usize = 150;
/// Growth ends with this many replies, or when this many in a row brought nothing new.
const MOST_REPLIES: usize = 60;
const MOST_IDLE: usize = 3;
/// However sure it seems, the opponent may do something else.
const MOST_TRUST: f32 = 0.99;
/// Random opponents are thought about if they are as likely as this.
const LIKELY: f32 = 0.1;
/// A thief that is as likely as this to move at random is swept for at once.
const SURE: f32 = 0.5;
/// Plans of less weight than this are noise of an unfinished solution.
const NOISE: f32 = 0.01;
/// Microseconds of entries that are filled in one piece.
const FILLING: u64 = 1000;

/// What is thought about the present turn.
pub struct Thought {
    futures: Futures,
    worth: Worth,
    /// The payoff matrix.
    pub table: PayoffMatrix,
    /// What the opponent is believed to be.
    pub belief: Belief,
    starts: Vec<CellIndex>,
    /// The cops in the order of their replies: those nearest to the thief first.
    order: Vec<usize>,
    thief: CellIndex,
    left: f32,
    stage: Stage,
    replies: usize,
    idle: usize,
    /// The draw that picks from the mixture.
    lot: f32,
}

/// What is to be done next, once all entries are there.
enum Stage {
    /// Builds the cloud of a thief that moves at random.
    Cloud(Box<ThiefModel>, Orders),
    /// Looks for a joint plan that sweeps for a wanderer.
    Sweep(Box<Sweep>),
    Solve,
    /// Looks for the thief's reply.
    ThiefReply(Option<Box<BestResponse>>),
    /// Changes the plans of the cops in a copy of a joint plan, one after the other.
    CopReply {
        turn: usize,
        column: Box<Column>,
        reply: Option<Box<BestResponse>>,
    },
    Done,
}

impl Thought {
    /// The first matrix: the plans of the plain planners of both sides, and lots if they are likely.
    /// Nothing before the opening is complete.
    pub fn new(
        ground: &BoardContext,
        seen: &CopsView,
        opening: MatrixInputs,
        suspects: &Suspects,
    ) -> Option<Self> {
        let left = ground.board().rules().ticks.saturating_sub(seen.now.tick) as f32;
        let futures = opening.futures;
        let worth = opening.worth?;
        let seat = seen.seat;
        let starts = ground.cops(&seen.now);
        let thief = ground.cell_index(seen.now.thief);
        let mut table = PayoffMatrix::default();
        let model = PayoffModel { ground, futures: &futures, worth: &worth, left };
        let mut dice = ground.dice(seen.now.tick);
        // A place of its own in the stream: the futures take the beginning.
        dice.set_word_pos(1 << 30);
        let lot = (dice.next_u32() >> 8) as f32 / (1 << 24) as f32;
        let mut add = |orders: Orders, seat: Seat| {
            if seat == THIEF {
                let steps = orders.0.into_iter().next().unwrap_or_default();
                table.add_row(make_row(&model, thief, steps))
            } else {
                table.add_column(Column::new(&model, &starts, orders.0))
            }
        };
        add(ground.stay(1), THIEF);
        add(ground.stay(starts.len()), COPS);
        let chase = opening.own.first().cloned().unwrap_or_else(|| ground.stay(starts.len()));
        opening.own.into_iter().for_each(|orders| {
            add(orders, seat);
        });
        let theirs = opening.theirs.into_iter();
        let guessed: Vec<Option<usize>> =
            theirs.map(|orders| orders.map(|orders| add(orders, other(seat)))).collect();
        let shares = suspects.shares();
        let lots_are_likely = shares[1] >= LIKELY;
        let drawn: Vec<usize> = if seat == THIEF && lots_are_likely {
            (0..LOTS_OF_COPS)
                .map(|_| add(random_orders(&mut dice, starts.len(), ground.k), COPS))
                .collect()
        } else {
            Vec::new()
        };
        let mut belief = believe(&shares, &drawn, &guessed);
        let stage = if seat == COPS && lots_are_likely {
            // The row of the cloud comes next.
            let row = table.rows.len();
            belief = believe(&shares, &[row], &guessed);
            let cloud = ThiefModel::new(&model, &opening.forecast, thief);
            Stage::Cloud(Box::new(cloud), chase)
        } else {
            Stage::Solve
        };
        let mut order: Vec<usize> = (0..starts.len()).collect();
        order.sort_by_key(|&cop| (ground.distances.between(starts[cop], thief), cop));
        Some(Self {
            futures,
            worth,
            table,
            belief,
            starts,
            order,
            thief,
            left,
            stage,
            replies: 0,
            idle: 0,
            lot,
        })
    }

    /// Work of making the first matrix.
    pub fn first_price(ground: &BoardContext) -> u64 {
        let cops = u64::from(ground.board().rules().cops);
        let cells = ground.distances.len() as u64;
        let k = ground.k as u64;
        20 + cops * k / 2 + cops * cells / 1000 + k * cells / 100
    }

    /// Work of the next piece, in units of about one microsecond; 0 if there is none.
    pub fn price(&self, ground: &BoardContext) -> u64 {
        if self.table.missing() > 0 {
            return self.filling(ground).1;
        }
        let model =
            PayoffModel { ground, futures: &self.futures, worth: &self.worth, left: self.left };
        let plans = self.table.rows.len();
        let cops = self.starts.len();
        let entries = self.futures.count * self.futures.ticks;
        let begin = (32 * entries * (cops + 2)) as u64 / 400;
        match &self.stage {
            Stage::Cloud(cloud, _) => 1 + (self.futures.ticks * cloud.size()) as u64 / 60,
            Stage::Sweep(sweep) => self.sweep_price(sweep),
            Stage::Solve => (plans * self.table.columns.len() * ROUNDS / 700) as u64 + 5,
            Stage::ThiefReply(reply) | Stage::CopReply { reply, .. } => {
                reply.as_ref().map_or(10 + begin, |reply| reply.price(&model))
            }
            Stage::Done => 0,
        }
    }

    fn sweep_price(&self, sweep: &Sweep) -> u64 {
        let cloud = self.cloud().map_or(1, ThiefModel::size);
        let later = 60 + 3 * self.starts.len();
        let child = cloud * (self.futures.count * 2 + later);
        (sweep.width() * (5 * child + 10 * self.futures.count * cloud)) as u64 / 1000 + 5
    }

    fn cloud(&self) -> Option<&ThiefModel> {
        self.table.rows.iter().find_map(|row| row.cloud.as_deref())
    }

    /// How many entries are filled next, and what that costs.
    fn filling(&self, ground: &BoardContext) -> (usize, u64) {
        let count = self.futures.count;
        let ticks = self.futures.ticks;
        let worth = self.worth.nanoseconds(ground) as usize;
        let plain = (count * (ticks * self.starts.len() + worth / 3) + 200) as u64;
        let cloud = (count * ticks * self.cloud().map_or(0, ThiefModel::size) * 8) as u64 + plain;
        let mut entries = 0;
        let mut nanoseconds = 0;
        for row in self.table.missing_rows() {
            nanoseconds += if row.cloud.is_some() { cloud } else { plain };
            entries += 1;
            if nanoseconds > FILLING * 1000 {
                break;
            }
        }
        (entries, 1 + nanoseconds / 1000)
    }

    /// Does the next piece of work; returns orders if they may have changed.
    pub fn go_on(&mut self, ground: &BoardContext, seat: Seat) -> Option<Orders> {
        let none = Belief::default();
        let (rows, columns) =
            if seat == THIEF { (&none, &self.belief) } else { (&self.belief, &none) };
        if self.table.missing() > 0 {
            let entries = self.filling(ground).0;
            let model =
                PayoffModel { ground, futures: &self.futures, worth: &self.worth, left: self.left };
            self.table.fill(&model, entries);
            return None;
        }
        let model =
            PayoffModel { ground, futures: &self.futures, worth: &self.worth, left: self.left };
        let table = &mut self.table;
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Cloud(mut cloud, chase) => {
                if cloud.add_future(&model) {
                    self.stage = Stage::Cloud(cloud, chase);
                } else {
                    let stay = make_row(&model, self.thief, vec![Step::Stay; ground.k]);
                    table.add_row(Row { cloud: Some(cloud), ..stay });
                    let column = Column::new(&model, &self.starts, chase.0);
                    self.stage = Stage::Sweep(Box::new(Sweep::new(column)));
                }
            }
            Stage::Sweep(mut sweep) => {
                let cloud = table.rows.iter().find_map(|row| row.cloud.as_deref());
                let more = cloud.is_some_and(|cloud| sweep.improve(&model, &self.starts, cloud));
                // A thief that most likely moves at random is swept for before all else is done.
                let lots = self.belief.shares.first().map_or(0.0, |&(_, share)| share);
                let steps = &sweep.column().steps;
                let orders = (lots * self.belief.trust > SURE).then(|| Orders(steps.clone()));
                self.stage = if more {
                    Stage::Sweep(sweep)
                } else {
                    table.add_column(sweep.into_column());
                    Stage::Solve
                };
                return orders;
            }
            Stage::Solve => {
                table.solve(ROUNDS, rows, columns);
                if self.replies < MOST_REPLIES && self.idle < MOST_IDLE {
                    self.idle += 1;
                    self.stage = Stage::ThiefReply(None);
                }
                return Some(self.orders(seat));
            }
            Stage::ThiefReply(None) => {
                let mix = table.column_mix(columns);
                let reply = BestResponse::of_thief(&model, self.thief, &table.columns, &mix);
                self.stage = Stage::ThiefReply(Some(Box::new(reply)));
            }
            Stage::ThiefReply(Some(mut reply)) => {
                if reply.advance(&model, &mut table.columns) {
                    self.stage = Stage::ThiefReply(Some(reply));
                    return None;
                }
                let mut steps = reply.into_steps();
                steps.resize(ground.k, Step::Stay);
                let known = table.rows.len();
                let base = table.best_column(&table.row_mix(rows));
                table.add_row(make_row(&model, self.thief, steps));
                if table.rows.len() > known {
                    self.idle = 0;
                }
                let steps = table.columns[base].steps.clone();
                let column = Box::new(Column::new(&model, &self.starts, steps));
                self.stage = Stage::CopReply { turn: 0, column, reply: None };
            }
            Stage::CopReply { turn, column, reply: None } => {
                let cop = self.order[turn];
                let mix = table.row_mix(rows);
                let from = self.starts[cop];
                let reply = BestResponse::of_cop(&model, cop, from, &column, &table.rows, &mix);
                self.stage = Stage::CopReply { turn, column, reply: Some(Box::new(reply)) };
            }
            Stage::CopReply { turn, column, reply: Some(mut reply) } => {
                if reply.advance(&model, &mut table.columns) {
                    self.stage = Stage::CopReply { turn, column, reply: Some(reply) };
                    return None;
                }
                let mut found = reply.into_steps();
                found.resize(ground.k, Step::Stay);
                let mut steps = column.steps;
                steps[self.order[turn]] = found;
                let column = Column::new(&model, &self.starts, steps);
                if turn + 1 < self.starts.len() {
                    let column = Box::new(column);
                    self.stage = Stage::CopReply { turn: turn + 1, column, reply: None };
                } else {
                    let known = table.columns.len();
                    table.add_column(column);
                    if table.columns.len() > known {
                        self.idle = 0;
                    }
                    self.replies += 1;
                    self.stage = Stage::Solve;
                }
            }
            Stage::Done => {}
        }
        None
    }

    /// The plan that the lot picks from one's own mixture.
    fn pick(&self, mix: &[f32]) -> usize {
        let kept: f32 = mix.iter().filter(|&&p| p >= NOISE).sum();
        let mut lot = self.lot * kept;
        for (index, &p) in mix.iter().enumerate().filter(|(_, p)| **p >= NOISE) {
            lot -= p;
            if lot < 0.0 {
                return index;
            }
        }
        heaviest(mix)
    }

    fn orders(&self, seat: Seat) -> Orders {
        let none = Belief::default();
        if seat == THIEF {
            let pick = self.pick(&self.table.row_mix(&none));
            Orders(vec![self.table.rows[pick].steps.clone()])
        } else {
            let pick = self.pick(&self.table.column_mix(&none));
            Orders(self.table.columns[pick].steps.clone())
        }
    }

    /// How both sides mix their plans, the thief's rows and the cops' columns, with what `seat`
    /// believes of the other side.
    pub fn mixes(&self, seat: Seat) -> (Vec<f32>, Vec<f32>) {
        let none = Belief::default();
        let (rows, columns) =
            if seat == THIEF { (&none, &self.belief) } else { (&self.belief, &none) };
        (self.table.row_mix(rows), self.table.column_mix(columns))
    }

    /// The mixture that a strong opponent of `seat` is expected to play.
    pub fn expected(&self, seat: Seat) -> Vec<Expected> {
        let none = Belief::default();
        if seat == THIEF {
            let mix = self.table.column_mix(&none);
            let plans = self.table.columns.iter().map(|column| column.steps.clone());
            plans.zip(mix).filter(|(_, share)| *share >= NOISE).collect()
        } else {
            let mix = self.table.row_mix(&none);
            let rows = self.table.rows.iter().zip(mix).filter(|(row, _)| row.cloud.is_none());
            let plans = rows.map(|(row, share)| (vec![row.steps.clone()], share));
            plans.filter(|(_, share)| *share >= NOISE).collect()
        }
    }

    /// The drawn futures of walls and gates over which payoffs are averaged.
    pub fn futures(&self) -> &Futures {
        &self.futures
    }
}

/// Shares of guessed plans from those of guessed opponents.
fn believe(shares: &[f32], drawn: &[usize], guessed: &[Option<usize>]) -> Belief {
    let lots = if drawn.is_empty() { 0.0 } else { shares[1] };
    let plans =
        guessed.iter().zip(&shares[2..]).filter_map(|(plan, share)| Some(((*plan)?, *share)));
    let plans: Vec<(usize, f32)> =
        drawn.iter().map(|&plan| (plan, lots / drawn.len() as f32)).chain(plans).collect();
    let known: f32 = plans.iter().map(|(_, share)| share).sum();
    let shares = plans.into_iter().map(|(plan, share)| (plan, share / known.max(1e-6))).collect();
    Belief { shares, trust: known.min(MOST_TRUST) }
}

fn make_row(model: &PayoffModel, thief: CellIndex, steps: Vec<Step>) -> Row {
    let track = model.futures.follow(&model.ground.distances, thief, &steps, true);
    Row { steps, track, cloud: None }
}

/// The index of the greatest share.
pub fn heaviest(mix: &[f32]) -> usize {
    (0..mix.len()).max_by(|&a, &b| mix[a].total_cmp(&mix[b]).then(b.cmp(&a))).unwrap_or(0)
}
