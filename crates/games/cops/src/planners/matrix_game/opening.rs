//! What a matrix-game planner does before it has a matrix, in pieces: a plan to begin with, the
//! forecast, the plans of the plain planners of both sides, drawn futures and the worth of ends.

use super::super::context::BoardContext;
use super::super::runner;
use super::belief::{Suspect, Suspects, suspects};
use super::rollout::{FUTURES, Futures};
use super::value::Worth;
use crate::distance_table::CellIndex;
use crate::forecast::Forecast;
use crate::rules::{COPS, CopsView, Orders, STEPS, Step, THIEF};
use outwit_core::play::Seat;
use std::sync::Arc;

/// Work units, of about a microsecond, that one piece may take. Plain planners that take longer on
/// a board are not asked there.
pub const MOST_PIECE: u64 = 4000;

/// What comes next.
enum Piece {
    /// The first plan.
    First,
    /// The forecast of this wall or gate.
    Moving(usize),
    /// What this plain planner of one's own side would do.
    Own(usize),
    /// What this plain planner of the other side would do.
    Theirs(usize),
    Future,
    Worth,
    Done,
}

/// All that the first matrix is made of, as far as it is there.
pub struct MatrixInputs {
    piece: Piece,
    seat: Seat,
    building: Forecast,
    /// The forecast once it is complete.
    pub forecast: Arc<Forecast>,
    /// The plans of the plain planners of one's own side.
    pub own: Vec<Orders>,
    /// Those of the other side; nothing for those that take too long on this board.
    pub theirs: Vec<Option<Orders>>,
    /// Drawn futures.
    pub futures: Futures,
    /// What ends are worth; nothing before that piece is done.
    pub worth: Option<Worth>,
}

impl MatrixInputs {
    /// Begins a turn of a seat with plans of `ticks` ticks.
    pub fn new(seat: Seat, ticks: usize) -> Self {
        Self {
            piece: Piece::First,
            seat,
            building: Forecast::default(),
            forecast: Arc::default(),
            own: Vec::new(),
            theirs: Vec::new(),
            futures: Futures::new(ticks),
            worth: None,
        }
    }

    /// Work of the next piece, in units of about one microsecond; 0 when all is there.
    pub fn price(&self, ground: &BoardContext, seen: &CopsView) -> u64 {
        let cells = ground.distances.len() as u64;
        let k = ground.k as u64;
        let rules = ground.board().rules();
        match self.piece {
            Piece::First if self.seat == THIEF => (suspects(THIEF)[0].price)(ground),
            Piece::First => 10 + u64::from(rules.cops) * k / 10,
            // A wall spreads over what it can reach, a gate along the border.
            Piece::Moving(index) if index < seen.now.walls.len() => {
                let reach = (2 * k * (k + 1) + 1).min(cells);
                2 + (k + 1) * (cells + 12 * reach) / 500
            }
            Piece::Moving(_) => 2 + (k + cells.isqrt()) * ground.board().ring().len() as u64 / 200,
            Piece::Own(index) => asking_price(suspects(self.seat).get(index), ground),
            Piece::Theirs(index) => asking_price(suspects(other(self.seat)).get(index), ground),
            Piece::Future => {
                let marked = u64::from(rules.walls * rules.wall_length) + cells / 32;
                2 + k * (20 + marked) / 100
            }
            Piece::Worth => 5 + ground.board().ring().len() as u64 * (k + cells.isqrt()) / 40,
            Piece::Done => 0,
        }
    }

    /// Does the next piece; returns a plan if it found one.
    pub fn go_on(
        &mut self,
        ground: &BoardContext,
        seen: &CopsView,
        guesses: &mut Suspects,
    ) -> Option<Orders> {
        let (next, found) = match self.piece {
            Piece::First => {
                self.building = ground.empty_forecast();
                (Piece::Moving(0), Some(first(ground, seen, self.seat)))
            }
            Piece::Moving(index) if index < seen.now.walls.len() + seen.now.gates.len() => {
                self.building.add(ground.board(), &ground.distances, &seen.now, index);
                (Piece::Moving(index + 1), None)
            }
            Piece::Moving(_) => {
                let forecast = std::mem::take(&mut self.building);
                self.forecast = ground.keep_forecast(&seen.now, forecast);
                (Piece::Own(0), None)
            }
            Piece::Own(index) => match suspects(self.seat).get(index) {
                Some(suspect) => {
                    let orders = planned(suspect, ground, seen, self.seat);
                    self.own.extend(orders.clone());
                    (Piece::Own(index + 1), orders)
                }
                None => (Piece::Theirs(0), None),
            },
            Piece::Theirs(index) => match suspects(other(self.seat)).get(index) {
                Some(suspect) => {
                    self.theirs.push(planned(suspect, ground, seen, other(self.seat)));
                    (Piece::Theirs(index + 1), None)
                }
                None => {
                    guesses.foresee(seen.now.tick, self.theirs.clone());
                    (Piece::Future, None)
                }
            },
            Piece::Future => {
                self.futures.draw(ground, &seen.now);
                let more = self.futures.count < FUTURES;
                (if more { Piece::Future } else { Piece::Worth }, None)
            }
            Piece::Worth => {
                let ticks = self.futures.ticks;
                self.worth = Some(Worth::new(ground, &seen.now, &self.forecast, ticks));
                (Piece::Done, None)
            }
            Piece::Done => (Piece::Done, None),
        };
        self.piece = next;
        found
    }
}

/// Work of asking a plain planner; hardly any if there is none or it takes too long to be asked.
fn asking_price(suspect: Option<&Suspect>, ground: &BoardContext) -> u64 {
    let price = suspect.map_or(1, |suspect| (suspect.price)(ground));
    if price > MOST_PIECE { 1 } else { price }
}

/// The thief's seat for the cops, and theirs for the thief.
pub fn other(seat: Seat) -> Seat {
    if seat == THIEF { COPS } else { THIEF }
}

/// What a plain planner would do, unless that takes too long.
fn planned(
    suspect: &Suspect,
    ground: &BoardContext,
    seen: &CopsView,
    seat: Seat,
) -> Option<Orders> {
    let view = CopsView { seat, ..seen.clone() };
    ((suspect.price)(ground) <= MOST_PIECE).then(|| (suspect.policy)(ground, &view).orders)
}

/// A plan that is found at once on any board: the thief runs for a gate, and cops go where the
/// thief is, round walls as they stand.
fn first(ground: &BoardContext, seen: &CopsView, seat: Seat) -> Orders {
    if seat == THIEF {
        return runner::plan(ground, seen).orders;
    }
    Orders(ground.cops(&seen.now).iter().map(|&cop| closing_in(ground, seen, cop)).collect())
}

/// Steps of a cop each of which is nearer to the thief, as long as no wall is in the way.
fn closing_in(ground: &BoardContext, seen: &CopsView, cop: CellIndex) -> Vec<Step> {
    let distances = &ground.distances;
    let near = distances.from(ground.cell_index(seen.now.thief));
    let mut at = cop;
    let mut steps = Vec::with_capacity(ground.k);
    for _ in 0..ground.k {
        let closer = STEPS[1..].iter().copied().find(|&step| {
            let to = distances.step(at, step);
            near[usize::from(to)] < near[usize::from(at)]
                && !ground.board().is_walled(&seen.now.walls, distances.cell(to))
        });
        let step = closer.unwrap_or_default();
        at = distances.step(at, step);
        steps.push(step);
    }
    steps
}
