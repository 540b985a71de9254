//! What the thief can expect: exactly where that is known, else by the review's own method with less work.

use crate::board::Board;
use crate::planners::context::BoardContext;
use crate::planners::plain_plans;
use crate::planners::response::{Ending, PlanGame, solve};
use crate::rules::{COPS, Cops, Orders, Pursuit, PursuitStatus, THIEF};
use outwit_core::play::{Game, Match, PlannerContext, StopFlag};
use outwit_core::tournament::Estimate;
use outwit_kit::{Expectation, Outlook};
use std::sync::Arc;

/// Futures in which the mixtures are found.
const SOLVED: usize = 10;
/// Fresh futures in which they are tried.
const FRESH: usize = 96;
/// Beginnings of plans that a search keeps.
const WIDTH: usize = 250;
/// Best replies of each side on the default board, and at most and at least elsewhere: on larger boards
/// each takes longer.
const REPLIES: usize = 14;
const MOST_REPLIES: usize = 30;
const LEAST_REPLIES: usize = 2;
/// Cops times cells of that board.
const DEFAULT_SIZE: usize = 5 * 22 * 22;
/// The stream of dice of the fresh futures in tick 0.
const FRESH_DICE: u64 = 1 << 32;
/// Feeds the futures, which have nothing to do with those of any match.
const SEED: u64 = 0x006f_7574_6c6f_6f6b;

/// How things stand after so many turns; `None` if there were not so many, or if `stop` was raised.
///
/// Where plans are due, neither side knows the other's. On a board that is solved exactly the value is that of
/// perfect play on both sides, and the margin the bound of its error. Elsewhere the game of plans is solved in drawn
/// futures of walls and gates, as for the review, and the mixtures of both sides are tried against each other in
/// fresh ones. The value is the thief's expected payoff in ticks, and less than nothing by as much for the cops, if
/// both sides play as well as `schemer` and `marshal`. The margin is that of the fresh futures, with what the
/// mixtures lack to an equilibrium and what the guess at the time after the plans is off by on boards to which it was
/// not fitted.
///
/// Between such turns both plans are known: they are followed in drawn futures until the next ones are due.
///
/// The thief's share is the payoff that it can still expect over twice the ticks left: 0 if it is caught at
/// once, a half if it holds out to the end, 1 if it escapes at once. When the pursuit is over the shares
/// are these three.
pub fn outlook(played: &Match<Cops>, turns: usize, stop: &StopFlag) -> Option<Outlook> {
    let game = played.game();
    let pursuit = played.state_at(turns)?;
    let now = &pursuit.position;
    let ticks = game.board().rules().ticks;
    if let Some(payoff) = pursuit.standing.payoff(ticks) {
        let share = match pursuit.standing {
            PursuitStatus::Caught(_) => 0.0,
            PursuitStatus::Escaped(_) => 1.0,
            PursuitStatus::Survived | PursuitStatus::Running => 0.5,
        };
        return (!stop.is_raised()).then(|| both(payoff, 0.0, share));
    }
    if stop.is_raised() {
        return None;
    }
    let left = game.ticks_left(now);
    if game.to_move(pursuit).is_empty() {
        let value = PlanFate::of(game, pursuit).value(left);
        return Some(value.outlook(game.board(), now.tick, left));
    }
    let exact = game.exact_values(now, &|_| !stop.is_raised());
    if stop.is_raised() {
        return None;
    }
    if let Some(exact) = exact.ok().and_then(|exact| exact.value(left, now.thief, &now.cops)) {
        return Some(running(now.tick, left, exact.value, exact.error));
    }
    Some(plan_value(played, turns, stop)?.outlook(game.board(), now.tick, left))
}

/// How the plans that both sides have made go on in drawn futures of walls and gates.
pub(super) struct PlanFate {
    /// How they end in each future, and what the thief earns from now on.
    pub futures: Vec<(Ending, f32)>,
    /// Ticks until the next plans are due.
    pub ticks: usize,
}

impl PlanFate {
    /// That of the plans of a pursuit which goes on.
    pub fn of(game: &Arc<Cops>, pursuit: &Pursuit) -> Self {
        let now = &pursuit.position;
        let context = PlannerContext { game: Arc::clone(game), seat: THIEF, seed: SEED };
        let ground = BoardContext::new(&context);
        let mut dice = ground.dice(now.tick);
        dice.set_stream(FRESH_DICE + u64::from(now.tick));
        let fresh = PlanGame::new(&ground, now, (FRESH, WIDTH), &mut dice);
        let k = game.board().rules().k as usize;
        let gone = now.tick as usize % k;
        let mut plans = pursuit.plans.chunks(k).map(|plan| plan[gone.min(plan.len())..].to_vec());
        let thief = fresh.thief_tracks(&plans.next().unwrap_or_default());
        let joint = fresh.joint_tracks(&plans.collect::<Vec<_>>());
        Self { futures: fresh.play(&thief, &joint), ticks: fresh.ticks() }
    }

    fn value(&self, left: u32) -> PlanValue {
        let mut sum = PlanSum::new(self.ticks);
        sum.add(1.0, &self.futures);
        let value = sum.value(0.0);
        let guess = GUESS * value.most(left);
        PlanValue { noise: value.noise.hypot(guess), ..value }
    }
}

/// What the plans that are due are worth to the thief, in ticks from now on.
pub(super) struct PlanValue {
    /// What it earns where the pursuit ends within the plans, times the probability of that.
    pub ended: f64,
    /// The probability that it does not.
    pub open: f64,
    /// The ticks of the plans.
    pub ticks: f64,
    /// The guess at what it earns after them, times that probability.
    pub later: f64,
    /// The 95 % interval of the drawn futures, with what the mixtures lack to an equilibrium.
    pub noise: f64,
}

/// By what the odds of the guess are multiplied, times the square root of the side of the board over 20; and once
/// more, times that of the side over the number of cops, where cops capture from the next cell.
///
/// The guess that planners go by ranks the positions of one board; it favours the thief on small boards, and does
/// not know of such captures. The two constants were fitted to the payoffs of pursuits between `schemer` and
/// `marshal`, as the ignored test of calibration plays them: 16 on each of 82 random open boards of all kinds of
/// rules, 60 on each of seven built-in boards and 20 on the largest.
const ODDS: f64 = 0.87;
const ODDS_ADJACENT: f64 = 0.19;
/// Half the width of the 95 % interval of the mean payoff around the calibrated guess, over twice the ticks left:
/// 1.96 standard deviations between boards, on those left out of the fit.
const MODEL: f64 = 0.09;
/// Half the width of the 95 % interval of the guess at the time after plans that both sides have made, over twice the
/// ticks left: in 499 positions a tick before new plans, of 140 pursuits on seven built-in boards, its share was off by
/// 0.11 in the quadratic mean from what solving those plans gave a tick later.
const GUESS: f64 = 0.22;

/// Adds up what pairs of plans pay in the drawn futures.
struct PlanSum {
    ticks: f64,
    payoffs: Vec<f64>,
    ended: f64,
    open: f64,
    later: f64,
}

impl PlanSum {
    fn new(ticks: usize) -> Self {
        let payoffs = vec![0.0; FRESH];
        Self { ticks: ticks as f64, payoffs, ended: 0.0, open: 0.0, later: 0.0 }
    }

    /// A pair of plans that are played with this probability.
    fn add(&mut self, share: f64, futures: &[(Ending, f32)]) {
        for (sum, &(ending, pays)) in self.payoffs.iter_mut().zip(futures) {
            let pays = share * f64::from(pays);
            *sum += pays;
            if ending == Ending::Open {
                self.open += share;
                self.later += pays - share * self.ticks;
            } else {
                self.ended += pays;
            }
        }
    }

    /// The mean over the futures; `gap` is what the mixtures lack to an equilibrium.
    fn value(&self, gap: f64) -> PlanValue {
        let noise = Estimate::of(&self.payoffs).ci95.unwrap_or(0.0) + gap;
        let futures = self.payoffs.len() as f64;
        PlanValue {
            ended: self.ended / futures,
            open: self.open / futures,
            ticks: self.ticks,
            later: self.later / futures,
            noise,
        }
    }
}

impl PlanValue {
    /// The outlook at a tick, with `left` ticks to go.
    fn outlook(&self, board: &Board, tick: u32, left: u32) -> Outlook {
        let (mean, model) = self.calibrated(board, left);
        let mut outlook = running(tick, left, mean, self.noise.hypot(model));
        outlook.seats.iter_mut().for_each(|seat| seat.noise = self.noise);
        outlook
    }

    /// The most that it can earn after the plans, times the probability that the pursuit goes on until then.
    fn most(&self, left: u32) -> f64 {
        2.0 * (f64::from(left) - self.ticks).max(0.0) * self.open
    }

    /// What the thief earns from now on, and half the width of the 95 % interval of the guess in it.
    fn calibrated(&self, board: &Board, left: u32) -> (f64, f64) {
        let most = self.most(left);
        let rules = board.rules();
        let side = (board.floor().count() as f64).sqrt();
        let mut scale = ODDS * (side / 20.0).sqrt();
        if rules.capture_adjacent {
            scale *= ODDS_ADJACENT * (side / f64::from(rules.cops)).sqrt();
        }
        let share = if most > 0.0 { (self.later / most).clamp(0.0, 1.0) } else { 0.0 };
        let later = most * share * scale / (1.0 - share + share * scale);
        (self.ended + self.open * self.ticks + later, MODEL * most)
    }
}

/// Solves the game of plans that are due; `None` if `stop` was raised.
pub(super) fn plan_value(played: &Match<Cops>, turns: usize, stop: &StopFlag) -> Option<PlanValue> {
    let game = played.game();
    let now = &played.state_at(turns)?.position;
    let context = PlannerContext { game: Arc::clone(game), seat: THIEF, seed: SEED };
    let ground = BoardContext::new(&context);
    let thieves = plain_plans(&ground, &played.observation(turns, THIEF)?);
    let thieves = thieves.into_iter().filter_map(|Orders(plans)| plans.into_iter().next());
    let joints = plain_plans(&ground, &played.observation(turns, COPS)?);
    let joints = joints.into_iter().map(|Orders(plans)| plans);
    let board = game.board();
    let size = (board.rules().cops as usize * board.width() * board.height()).max(1);
    let replies = (REPLIES * DEFAULT_SIZE / size).clamp(LEAST_REPLIES, MOST_REPLIES);
    let mut dice = ground.dice(now.tick);
    let solved = PlanGame::new(&ground, now, (SOLVED, WIDTH), &mut dice);
    let mixtures = solve(&solved, thieves.collect(), joints.collect(), replies, stop)?;
    dice.set_stream(FRESH_DICE + u64::from(now.tick));
    dice.set_word_pos(0);
    let fresh = PlanGame::new(&ground, now, (FRESH, WIDTH), &mut dice);
    let joints: Vec<_> =
        mixtures.cops.iter().map(|(plans, share)| (fresh.joint_tracks(plans), *share)).collect();
    let mut sum = PlanSum::new(fresh.ticks());
    for (steps, own) in &mixtures.thief {
        let tracks = fresh.thief_tracks(steps);
        for (joint, other) in &joints {
            sum.add(f64::from(*own) * f64::from(*other), &fresh.play(&tracks, joint));
        }
    }
    Some(sum.value(f64::from(mixtures.gap)))
}

/// The outlook of a pursuit that goes on: `later` is what the thief can still earn, with `left` ticks to go.
fn running(tick: u32, left: u32, later: f64, margin: f64) -> Outlook {
    let share = later / (2.0 * f64::from(left).max(1.0));
    both(f64::from(tick) + later, margin, share.clamp(0.0, 1.0))
}

/// From the payoff and the share of the thief.
fn both(payoff: f64, margin: f64, share: f64) -> Outlook {
    let seats = [payoff, -payoff].map(|value| Expectation::within(Some(value), margin));
    Outlook { seats: seats.into(), shares: vec![share, 1.0 - share] }
}
