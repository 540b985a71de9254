//! Two planners that solve the game of plans against plans: `schemer` for the thief and `marshal`
//! for the cops.
//!
//! Both sides choose k blind steps at once, so the game until the next plans is a matrix game whose
//! entries are the expected payoff: captures and escapes in drawn futures of walls and gates, and a
//! guess at what the end of the plan is worth. The matrix begins with the plans of the plain
//! planners and grows by best replies of both sides. What the opponent is believed to be holds part
//! of its mixture; the answer is drawn from one's own.

mod belief;
mod best_response;
mod rollout;
mod sweep;
mod table;
mod thief_model;
pub(super) mod value;

use super::super::distance_table::CellIndex;
use super::super::rules::{COPS, Cops, CopsView, Orders, Step, THIEF};
use super::context::{BoardContext, any_step};
use super::ways::drawn;
use crate::play::{
    Clock, Counter, Heat, Insight, Line, Planner, PlannerContext, Progress, Seat, Tone, Value,
};
use belief::Suspects;
use best_response::{cop_reply, thief_reply, within};
use rand::Rng;
use rollout::Futures;
use sweep::Sweep;
use table::{Belief, Column, Joint, PayoffMatrix, Row};
use thief_model::ThiefModel;
use value::Worth;

/// Makes the strongest thief.
pub fn make_schemer(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    Box::new(Duelist::new(context, THIEF))
}

/// Makes the strongest cops.
pub fn make_marshal(context: PlannerContext<Cops>) -> Box<dyn Planner<Cops>> {
    Box::new(Duelist::new(context, COPS))
}

/// Drawn futures of walls and gates.
const FUTURES: usize = 12;
/// Random joint plans, for cops that move at random.
const LOTS_OF_COPS: usize = 64;
/// Rounds of regret matching after each new pair of plans.
const ROUNDS: usize = 80;
/// Growth ends with so many replies, or when so many in a row were nothing new.
const MOST_REPLIES: usize = 60;
const MOST_IDLE: usize = 4;
/// However sure it seems, the opponent may do something else.
const MOST_TRUST: f32 = 0.999;
/// So sure of the opponent, mixing one's own plans serves nothing.
const SURE: f32 = 0.9;
/// The cops search for a sweep if a wanderer is as likely as this.
const LIKELY: f32 = 0.1;

/// A planner of either seat.
struct Duelist {
    context: PlannerContext<Cops>,
    ground: Option<BoardContext>,
    seat: Seat,
    suspects: Suspects,
    seen: Option<CopsView>,
    thought: Option<Thought>,
    orders: Orders,
}

/// What is thought about the present turn.
struct Thought {
    futures: Futures,
    worth: Worth,
    table: PayoffMatrix,
    belief: Belief,
    starts: Vec<CellIndex>,
    thief: CellIndex,
    left: f32,
    stage: Stage,
    replies: usize,
    idle: usize,
    /// The draw that picks from the mixture.
    lot: f32,
}

/// What is to be done next.
enum Stage {
    /// Changes the plan of one cop in a joint plan that sweeps for a wanderer.
    Sweep(Box<Sweep>),
    Solve,
    ThiefReply,
    /// Changes the plan of this cop in a copy of the heaviest joint plan.
    CopReply(usize, Box<Column>),
    Done,
}

impl Duelist {
    fn new(context: PlannerContext<Cops>, seat: Seat) -> Self {
        let opponent = if seat == THIEF { COPS } else { THIEF };
        Self {
            context,
            ground: None,
            seat,
            suspects: Suspects::new(opponent),
            seen: None,
            thought: None,
            orders: Orders(Vec::new()),
        }
    }

    /// The first matrix: the plans of the plain planners of both sides, and lots.
    fn begin(&mut self, ground: &BoardContext, seen: &CopsView) -> Thought {
        let rules = ground.board().rules();
        let left = rules.ticks.saturating_sub(seen.now.tick);
        let ticks = ground.k.min(left as usize).max(1);
        let forecast = ground.forecast(&seen.now);
        let futures = Futures::draw(ground, &seen.now, FUTURES, ticks);
        let worth = Worth::new(ground, &seen.now, &forecast, ticks);
        let theirs = self.suspects.observe(ground, seen);
        let own = Suspects::new(self.seat).observe(ground, seen);
        let chase = own[0].0.clone();
        // Until something better is found, the plan of the best of the plain planners serves.
        self.orders = own[own.len() - 1].clone();
        let (starts, thief) = (ground.cops(&seen.now), ground.spot(seen.now.thief));
        let mut table = PayoffMatrix::default();
        let arena = Joint { ground, futures: &futures, worth: &worth, left: left as f32 };
        let mut dice = ground.dice(seen.now.tick);
        // A place of its own in the stream: the futures take the beginning.
        dice.set_word_pos(1 << 30);
        let lot = (dice.next_u32() >> 8) as f32 / (1 << 24) as f32;
        let mut lots = || {
            let way = |_| (0..ground.k).map(|_| any_step(&mut dice)).collect();
            Orders((0..starts.len()).map(way).collect())
        };
        let mut add = |orders: Orders, seat: Seat| {
            if seat == THIEF {
                let steps = orders.0.into_iter().next().unwrap_or_default();
                let row = make_row(&arena, thief, steps);
                table.add_row(&arena, row)
            } else {
                let column = Column::new(&arena, &starts, orders.0);
                table.add_column(&arena, column)
            }
        };
        let opponent = if self.seat == THIEF { COPS } else { THIEF };
        add(ground.stay(1), THIEF);
        add(ground.stay(starts.len()), COPS);
        own.into_iter().for_each(|orders| {
            add(orders, self.seat);
        });
        let guessed: Vec<usize> = theirs.into_iter().map(|orders| add(orders, opponent)).collect();
        let drawn: Vec<usize> = if self.seat == THIEF {
            (0..LOTS_OF_COPS).map(|_| add(lots(), COPS)).collect()
        } else {
            let cloud = ThiefModel::new(&arena, &forecast, thief);
            let stay = make_row(&arena, thief, vec![Step::Stay; ground.k]);
            vec![table.add_row(&arena, Row { cloud: Some(Box::new(cloud)), ..stay })]
        };
        let shares = self.suspects.shares();
        let belief = believe(&shares, &drawn, &guessed);
        let stage = if self.seat == COPS && shares[1] >= LIKELY {
            Stage::Sweep(Box::new(Sweep::new(Column::new(&arena, &starts, chase))))
        } else {
            Stage::Solve
        };
        Thought {
            futures,
            worth,
            table,
            belief,
            starts,
            thief,
            left: left as f32,
            stage,
            replies: 0,
            idle: 0,
            lot,
        }
    }
}

/// Shares of guessed plans from those of guessed opponents.
fn believe(shares: &[f32], drawn: &[usize], guessed: &[usize]) -> Belief {
    let known = 1.0 - shares[0];
    let by_lot = drawn.iter().map(|&plan| (plan, shares[1] / known / drawn.len() as f32));
    let by_plan = guessed.iter().zip(&shares[2..]).map(|(&plan, share)| (plan, share / known));
    Belief { shares: by_lot.chain(by_plan).collect(), trust: known.min(MOST_TRUST) }
}

fn make_row(arena: &Joint, thief: CellIndex, steps: Vec<Step>) -> Row {
    let track = arena.futures.follow(&arena.ground.atlas, thief, &steps, true);
    Row { steps, track, cloud: None }
}

impl Thought {
    /// Work of the next piece, in units of about one microsecond.
    fn price(&self, ground: &BoardContext) -> u64 {
        let scale = 1 + ground.atlas.len() as u64 / 1000;
        match &self.stage {
            Stage::Solve => {
                (self.table.rows.len() * self.table.columns.len() * ROUNDS / 1000) as u64 + 1
            }
            Stage::Sweep(_) => 500 * scale,
            Stage::ThiefReply => 300 * scale,
            Stage::CopReply(..) => 200 * scale,
            Stage::Done => 0,
        }
    }

    /// Does the next piece of work.
    fn go_on(&mut self, ground: &BoardContext, seat: Seat) {
        let none = Belief::default();
        let (rows, columns) =
            if seat == THIEF { (&none, &self.belief) } else { (&self.belief, &none) };
        let arena = Joint { ground, futures: &self.futures, worth: &self.worth, left: self.left };
        let table = &mut self.table;
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Sweep(mut sweep) => {
                self.stage = if sweep.improve(&arena, &self.starts, &table.rows) {
                    Stage::Sweep(sweep)
                } else {
                    table.add_column(&arena, sweep.into_column());
                    Stage::Solve
                };
            }
            Stage::Solve => {
                table.solve(ROUNDS, rows, columns);
                if self.replies < MOST_REPLIES && self.idle < MOST_IDLE {
                    self.stage = Stage::ThiefReply;
                }
            }
            Stage::ThiefReply => {
                let mix = table.column_mix(columns);
                let steps = thief_reply(&arena, self.thief, &mut table.columns, &mix);
                let known = table.rows.len();
                let mut steps = steps;
                steps.resize(ground.k, Step::Stay);
                let row = make_row(&arena, self.thief, steps);
                table.add_row(&arena, row);
                self.idle = if table.rows.len() > known { 0 } else { self.idle + 1 };
                let heavy = heaviest(&mix);
                let steps = table.columns[heavy].steps.clone();
                let column = Box::new(Column::new(&arena, &self.starts, steps));
                self.stage = Stage::CopReply(0, column);
            }
            Stage::CopReply(cop, column) => {
                let mix = table.row_mix(rows);
                let from = self.starts[cop];
                let mut reply = cop_reply(&arena, cop, from, &column, &table.rows, &mix);
                reply.resize(ground.k, Step::Stay);
                let mut steps = column.steps;
                steps[cop] = reply;
                let column = Column::new(&arena, &self.starts, steps);
                if cop + 1 < self.starts.len() {
                    self.stage = Stage::CopReply(cop + 1, Box::new(column));
                } else {
                    let known = table.columns.len();
                    table.add_column(&arena, column);
                    self.idle = if table.columns.len() > known { 0 } else { self.idle };
                    self.replies += 1;
                    self.stage = Stage::Solve;
                }
            }
            Stage::Done => {}
        }
    }

    /// The plan that the lot picks from one's own mixture.
    fn pick(&self, mix: &[f32]) -> usize {
        // What is hardly ever played is noise of an unfinished solution.
        let least = mix.iter().copied().fold(0.0, f32::max) * 0.1;
        let kept: f32 = mix.iter().filter(|&&p| p >= least).sum();
        let mut lot = self.lot * kept;
        for (index, &p) in mix.iter().enumerate().filter(|(_, p)| **p >= least) {
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
            let pick = if self.belief.trust > SURE {
                self.table.best_column(&self.table.row_mix(&self.belief))
            } else {
                self.pick(&self.table.column_mix(&none))
            };
            Orders(self.table.columns[pick].steps.clone())
        }
    }
}

/// The index of the greatest share.
fn heaviest(mix: &[f32]) -> usize {
    (0..mix.len()).max_by(|&a, &b| mix[a].total_cmp(&mix[b]).then(b.cmp(&a))).unwrap_or(0)
}

impl Planner<Cops> for Duelist {
    fn prepare(&mut self, _clock: &Clock) -> Progress {
        self.ground.get_or_insert_with(|| BoardContext::new(&self.context));
        Progress::Done
    }

    fn observe(&mut self, seen: &CopsView) {
        let ground = self.ground.get_or_insert_with(|| BoardContext::new(&self.context));
        let players = if self.seat == THIEF { 1 } else { seen.now.cops.len() };
        self.orders = ground.stay(players);
        self.thought = None;
        self.seen = Some(seen.clone());
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        // Taken out for the time being, so that both it and the rest of the planner can be used.
        let (Some(seen), Some(ground)) = (self.seen.clone(), self.ground.take()) else {
            return Progress::Done;
        };
        let progress = self.think_on(&ground, &seen, clock);
        self.ground = Some(ground);
        progress
    }

    fn best(&self) -> Orders {
        self.orders.clone()
    }

    fn line(&self) -> Line<Orders> {
        let (Some(seen), Some(thought)) = (&self.seen, &self.thought) else {
            return Line::default();
        };
        let (rows, columns) = self.mixes(thought);
        let payoff = f64::from(thought.table.value(&rows, &columns)) + f64::from(seen.now.tick);
        // The cops pay what the thief earns.
        let own = if self.seat == THIEF { payoff } else { -payoff };
        Line { value: Some(Value::Score(own)), actions: vec![self.orders.clone()] }
    }

    fn insight(&self) -> Insight {
        self.picture().unwrap_or_default()
    }
}

impl Duelist {
    fn think_on(&mut self, ground: &BoardContext, seen: &CopsView, clock: &Clock) -> Progress {
        if self.thought.is_none() {
            if !clock.take(1000) {
                return Progress::More;
            }
            self.thought = Some(self.begin(ground, seen));
        }
        let Some(thought) = &mut self.thought else { return Progress::Done };
        while !matches!(thought.stage, Stage::Done) {
            // On large boards a piece takes milliseconds, too long to look at the time now and then only.
            if clock.is_over() || !clock.take(thought.price(ground)) {
                return Progress::More;
            }
            let solving = matches!(thought.stage, Stage::Solve);
            thought.go_on(ground, self.seat);
            if solving {
                self.orders = thought.orders(self.seat);
            }
        }
        Progress::Done
    }

    /// How both sides mix their plans: the thief's rows and the cops' columns.
    fn mixes(&self, thought: &Thought) -> (Vec<f32>, Vec<f32>) {
        let none = Belief::default();
        let held = |seat| if seat == self.seat { &none } else { &thought.belief };
        (thought.table.row_mix(held(THIEF)), thought.table.column_mix(held(COPS)))
    }

    fn picture(&self) -> Option<Insight> {
        let (seen, thought, ground) =
            (self.seen.as_ref()?, self.thought.as_ref()?, self.ground.as_ref()?);
        let (rows, columns) = self.mixes(thought);
        let tone = |seat| if seat == self.seat { Tone::Wanted } else { Tone::Feared };
        let mut insight = Insight::default();
        if let Some(row) = thought.table.rows.get(heaviest(&rows)) {
            insight.paths.push(drawn(seen.now.thief, &row.steps, tone(THIEF)));
        }
        if let Some(column) = thought.table.columns.get(heaviest(&columns)) {
            let ways = seen.now.cops.iter().zip(&column.steps);
            insight.paths.extend(ways.map(|(&cop, steps)| drawn(cop, steps, tone(COPS))));
        }
        insight.heats = vec![self.danger(ground, seen, thought, &rows, &columns)];
        let counter = |name, about, value| Counter { name, about, value };
        insight.counters = vec![
            counter("Thief plans", "Plans of the thief in the payoff matrix.", rows.len() as f64),
            counter(
                "Cop plan combinations",
                "Joint plans of all cops in the payoff matrix.",
                columns.len() as f64,
            ),
            counter(
                "Expected payoff",
                "What the thief earns, in ticks, if both sides mix these plans as shown.",
                f64::from(thought.table.value(&rows, &columns)) + f64::from(seen.now.tick),
            ),
            counter(
                "Confidence",
                "How sure it is that the opponent is one of the planners it knows: 0 to 1.",
                f64::from(thought.belief.trust),
            ),
        ];
        Some(insight)
    }

    /// Where the other side is expected during the plan.
    fn danger(
        &self,
        ground: &BoardContext,
        seen: &CopsView,
        thought: &Thought,
        rows: &[f32],
        columns: &[f32],
    ) -> Heat {
        let atlas = &ground.atlas;
        let mut heat = vec![0.0_f32; atlas.len()];
        let mut add = |track: &[CellIndex], weight: f32| {
            for &spot in track.iter().filter(|&&spot| spot != rollout::GONE) {
                heat[usize::from(spot)] += weight / track.len() as f32;
            }
        };
        if self.seat == THIEF {
            for (column, &weight) in thought.table.columns.iter().zip(columns) {
                column.tracks.iter().for_each(|track| add(track, weight));
            }
        } else {
            for (row, &weight) in thought.table.rows.iter().zip(rows) {
                if row.cloud.is_none() {
                    add(&row.track, weight);
                }
            }
            let clouds = thought.table.rows.iter().zip(rows).filter_map(|(row, &weight)| {
                row.cloud.as_ref().map(|cloud| (cloud.visits(&thought.futures), weight))
            });
            for (visits, weight) in clouds {
                visits.into_iter().for_each(|(spot, p)| heat[usize::from(spot)] += weight * p);
            }
        }
        let near = within(atlas, ground.spot(seen.now.thief), 4 * ground.k);
        let cells = near
            .into_iter()
            .filter(|&spot| heat[usize::from(spot)] > 0.001)
            .map(|spot| (atlas.cell(spot), heat[usize::from(spot)]))
            .collect();
        Heat {
            label: "Where the other side is expected",
            about: "The share of the plan's ticks that the other side is expected on each cell.",
            cells,
        }
    }
}
