//! Which of the plain planners the opponent seems to be, by how it has moved.
//!
//! Evidence is counted in tenths of a bit, in whole numbers, so that every machine believes the
//! same.

use super::super::super::board::Position;
use super::super::super::rules::{COPS, CopsView, Orders, Step, THIEF};
use super::super::context::BoardContext;
use super::super::reactive::Policy;
use super::super::{chasers, cover, evader, guards, pack, runner};
use crate::grid::Cell;
use crate::play::Seat;

/// What a step tells against a plan that foresaw it.
const FORESEEN: i32 = 2;
/// What staying tells against a plan that wanted to move: a wall may have been in the way.
const STOPPED: i32 = 23;
/// What any other step tells against a plan.
const UNFORESEEN: i32 = 56;
/// What any step tells against drawing lots.
const RANDOM_STEP: i32 = 23;
/// What a step tells against an unknown planner: it tends to keep its direction, and hardly ever comes
/// nearer again to where the plan began. Taken from the frequencies of the planners here.
const GOES_ON: i32 = 4;
const TURNS: i32 = 40;
const STOPS: i32 = 50;
const RETURNS: i32 = 120;
/// Evidence is forgotten beyond this, so that a change of mind is noticed.
const MOST: i32 = 120;
/// Shares of an unknown planner and of lots before any evidence; the rest is shared by the others.
const UNKNOWN: f32 = 0.1;
const LOTS: f32 = 0.7;

/// The opponents that are guessed at: unknown, lots, and then the policies.
pub struct Suspects {
    seat: Seat,
    policies: &'static [Policy],
    evidence: Vec<i32>,
    /// What each policy would have planned, and when.
    foreseen: Option<(u32, Vec<Orders>)>,
}

impl Suspects {
    /// Guesses at who plays `seat`.
    pub fn new(seat: Seat) -> Self {
        let policies: &[Policy] = if seat == THIEF {
            &[runner::plan, evader::plan]
        } else {
            &[chasers::plan, guards::plan, pack::plan, cover::plan]
        };
        Self { seat, policies, evidence: vec![0; policies.len() + 2], foreseen: None }
    }

    /// Takes in how the opponent moved since the last plan, and returns what each policy would plan
    /// now.
    pub fn observe(&mut self, ground: &BoardContext, seen: &CopsView) -> Vec<Orders> {
        let then = seen.now.tick.checked_sub(ground.k as u32);
        match self.foreseen.take() {
            Some((tick, orders)) if Some(tick) == then && seen.past.len() == ground.k => {
                self.weigh(seen, &orders);
            }
            _ => self.evidence.fill(0),
        }
        let orders = self.orders(ground, seen);
        self.foreseen = Some((seen.now.tick, orders.clone()));
        orders
    }

    fn orders(&self, ground: &BoardContext, seen: &CopsView) -> Vec<Orders> {
        let view = CopsView { seat: self.seat, ..seen.clone() };
        self.policies.iter().map(|policy| policy(ground, &view).orders).collect()
    }

    fn weigh(&mut self, seen: &CopsView, foreseen: &[Orders]) {
        let positions: Vec<&Position> = seen.past.iter().chain([&seen.now]).collect();
        let cell = |position: &Position, player: usize| -> Cell {
            if self.seat == COPS { position.cops[player] } else { position.thief }
        };
        let players = if self.seat == COPS { seen.now.cops.len() } else { 1 };
        let mut scores = vec![0; self.evidence.len()];
        for player in 0..players {
            let mut last: Option<Step> = None;
            let start = cell(positions[0], player);
            for (tick, pair) in positions.windows(2).enumerate() {
                let (from, to) = (cell(pair[0], player), cell(pair[1], player));
                let step = Step::between(from, to).unwrap_or_default();
                scores[0] += match last {
                    None => RANDOM_STEP,
                    Some(_) if to.manhattan(start) < from.manhattan(start) => RETURNS,
                    Some(last) if last == step => GOES_ON,
                    Some(_) if step == Step::Stay => STOPS,
                    Some(_) => TURNS,
                };
                last = Some(step);
                scores[1] += RANDOM_STEP;
                for (scores, Orders(ways)) in scores[2..].iter_mut().zip(foreseen) {
                    let wanted = ways[player][tick];
                    *scores += if wanted == step {
                        FORESEEN
                    } else if step == Step::Stay {
                        STOPPED
                    } else {
                        UNFORESEEN
                    };
                }
            }
        }
        let mut least = i32::MAX;
        for (evidence, scores) in self.evidence.iter_mut().zip(&scores) {
            *evidence += scores;
            least = least.min(*evidence);
        }
        self.evidence.iter_mut().for_each(|evidence| *evidence = (*evidence - least).min(MOST));
    }

    /// The probability of each: unknown, lots, and then the policies.
    pub fn shares(&self) -> Vec<f32> {
        let policy = (1.0 - UNKNOWN - LOTS) / self.policies.len() as f32;
        let first = |i: usize| match i {
            0 => UNKNOWN,
            1 => LOTS,
            _ => policy,
        };
        let mut shares: Vec<f32> = self
            .evidence
            .iter()
            .enumerate()
            .map(|(i, &evidence)| first(i) * halved(evidence))
            .collect();
        let sum: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        shares
    }
}

/// A half for every ten tenths of a bit.
fn halved(tenths: i32) -> f32 {
    (0..tenths).fold(1.0, |p, _| p * 0.933_033)
}
