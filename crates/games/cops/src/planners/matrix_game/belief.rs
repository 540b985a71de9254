//! Which of the plain planners the opponent seems to be, by how it has moved.
//!
//! Evidence is counted in tenths of a bit, in whole numbers, so that every machine believes the
//! same.

use super::super::context::BoardContext;
use super::super::reactive::Policy;
use super::super::{chasers, cover, evader, guards, pack, runner};
use crate::board::Position;
use crate::rules::{COPS, CopsView, Orders, Step, THIEF};
use outwit_core::grid::Cell;
use outwit_core::play::Seat;

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
/// The unknown one may be the strongest, so nothing is staked on the others until they show.
const UNKNOWN: f32 = 0.8;
const LOTS: f32 = 0.05;

/// A plain planner that the opponent may be.
#[derive(Clone, Copy)]
pub struct Suspect {
    /// How it plans.
    pub policy: Policy,
    /// About how many microseconds a plan takes it.
    pub price: fn(&BoardContext) -> u64,
}

/// The plain planners of a seat, the plainest first.
pub fn suspects(seat: Seat) -> &'static [Suspect] {
    if seat == THIEF {
        const {
            &[
                Suspect {
                    policy: runner::plan,
                    price: |g| 10 + cells_by_cops(g) / 500 + search(g),
                },
                Suspect { policy: evader::plan, price: |g| 20 + cells_by_cops(g) / 100 },
            ]
        }
    } else {
        const {
            &[
                Suspect { policy: chasers::plan, price: |g| 10 + cops(g) * search(g) },
                Suspect { policy: guards::plan, price: interception },
                Suspect { policy: pack::plan, price: |g| interception(g) * 9 / 8 },
                Suspect { policy: cover::plan, price: |g| interception(g) * 3 / 2 },
            ]
        }
    }
}

fn cops(ground: &BoardContext) -> u64 {
    u64::from(ground.board().rules().cops)
}

fn cells_by_cops(ground: &BoardContext) -> u64 {
    ground.distances.len() as u64 * cops(ground)
}

/// Microseconds of one search for a way.
fn search(ground: &BoardContext) -> u64 {
    let floor = ground.distances.floor().len() as u64;
    1 + floor * floor.isqrt() / 1000
}

/// Microseconds of forecasting, of drawing routes, and of sending every cop to meet some.
fn interception(ground: &BoardContext) -> u64 {
    let k = ground.k as u64;
    let cells = ground.distances.len() as u64;
    let reach = (2 * k * (k + 1) + 1).min(cells);
    20 + cells / 6 + cops(ground) * k * reach / 100
}

/// A joint plan of the players of one seat, player by player, and its share of a mixture.
pub type Expected = (Vec<Vec<Step>>, f32);

/// The opponents that are guessed at: unknown, lots, and then the policies.
pub struct Suspects {
    seat: Seat,
    evidence: Vec<i32>,
    /// What each policy would have planned, unless that took too long, and when.
    foreseen: Option<(u32, Vec<Option<Orders>>)>,
    /// The tick of the last position that was weighed.
    last: Option<u32>,
}

impl Suspects {
    /// Guesses at who plays `seat`.
    pub fn new(seat: Seat) -> Self {
        let evidence = vec![0; suspects(seat).len() + 2];
        Self { seat, evidence, foreseen: None, last: None }
    }

    /// Takes in how the opponent moved since the last plan. `expected` is the mixture that a strong
    /// opponent was expected to play then.
    pub fn observe(&mut self, k: usize, seen: &CopsView, expected: &[Expected]) {
        let then = seen.now.tick.checked_sub(k as u32);
        let goes_on = then.is_some() && then == self.last && seen.past.len() == k;
        let foreseen = self.foreseen.take().filter(|(tick, _)| Some(*tick) == then);
        if goes_on {
            let foreseen = match foreseen {
                Some((_, orders)) => orders,
                None => vec![None; self.evidence.len() - 2],
            };
            self.weigh(seen, &foreseen, expected);
        } else {
            self.evidence.fill(0);
        }
        self.last = Some(seen.now.tick);
    }

    /// Keeps what each policy would plan now.
    pub fn foresee(&mut self, tick: u32, orders: Vec<Option<Orders>>) {
        self.foreseen = Some((tick, orders));
    }

    fn weigh(&mut self, seen: &CopsView, foreseen: &[Option<Orders>], expected: &[Expected]) {
        let positions: Vec<&Position> = seen.past.iter().chain([&seen.now]).collect();
        let tracks: Vec<Vec<Cell>> = if self.seat == COPS {
            (0..seen.now.cops.len())
                .map(|cop| positions.iter().filter_map(|at| at.cops.get(cop).copied()).collect())
                .collect()
        } else {
            vec![positions.iter().map(|at| at.thief).collect()]
        };
        let habits: i32 = tracks.iter().map(|track| habits(track)).sum();
        let strong = expected.iter().map(|(ways, share)| (against_all(&tracks, ways), *share));
        let unknown = mixed(strong.collect()).map_or(habits, |strong| strong.min(habits));
        let steps: i32 = tracks.iter().map(|track| track.len() as i32 - 1).sum();
        let mut scores = vec![unknown, RANDOM_STEP * steps];
        scores.extend(foreseen.iter().map(|orders| match orders {
            Some(Orders(ways)) => against_all(&tracks, ways),
            None => unknown,
        }));
        let mut least = i32::MAX;
        for (evidence, scores) in self.evidence.iter_mut().zip(&scores) {
            *evidence += scores;
            least = least.min(*evidence);
        }
        self.evidence.iter_mut().for_each(|evidence| *evidence = (*evidence - least).min(MOST));
    }

    /// The probability of each: unknown, lots, and then the policies.
    pub fn shares(&self) -> Vec<f32> {
        let policy = (1.0 - UNKNOWN - LOTS) / (self.evidence.len() - 2) as f32;
        let priors = [UNKNOWN, LOTS].into_iter().chain(std::iter::repeat(policy));
        let mut shares: Vec<f32> = self
            .evidence
            .iter()
            .zip(priors)
            .map(|(&evidence, prior)| prior * halved(evidence))
            .collect();
        let sum: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        shares
    }
}

/// What a track tells against an unknown planner.
fn habits(track: &[Cell]) -> i32 {
    let Some(&start) = track.first() else { return 0 };
    let mut last: Option<Step> = None;
    let mut score = 0;
    for pair in track.windows(2) {
        let step = Step::between(pair[0], pair[1]).unwrap_or_default();
        score += match last {
            None => RANDOM_STEP,
            Some(_) if pair[1].manhattan(start) < pair[0].manhattan(start) => RETURNS,
            Some(last) if last == step => GOES_ON,
            Some(_) if step == Step::Stay => STOPS,
            Some(_) => TURNS,
        };
        last = Some(step);
    }
    score
}

/// What the tracks of all players of a seat tell against their plans.
fn against_all(tracks: &[Vec<Cell>], plans: &[Vec<Step>]) -> i32 {
    tracks.iter().zip(plans).map(|(track, plan)| against(track, plan)).sum()
}

/// What a track tells against a plan.
fn against(track: &[Cell], plan: &[Step]) -> i32 {
    let steps = track.windows(2).map(|pair| Step::between(pair[0], pair[1]).unwrap_or_default());
    steps
        .zip(plan)
        .map(|(step, &wanted)| match step {
            step if step == wanted => FORESEEN,
            Step::Stay => STOPPED,
            _ => UNFORESEEN,
        })
        .sum()
}

/// What tells against a mixture, from what tells against each part and its share.
fn mixed(parts: Vec<(i32, f32)>) -> Option<i32> {
    let least = parts.iter().map(|&(score, _)| score).min()?;
    let mut p: f32 = parts.iter().map(|&(score, share)| share * halved(score - least)).sum();
    let mut score = least;
    while p > 0.0 && p < 0.966 && score < least + 1000 {
        p /= HALVED;
        score += 1;
    }
    Some(score)
}

/// What a tenth of a bit leaves of a probability.
const HALVED: f32 = 0.933_033;

/// A half for every ten tenths of a bit.
fn halved(tenths: i32) -> f32 {
    (0..tenths.min(1000)).fold(1.0, |p, _| p * HALVED)
}
