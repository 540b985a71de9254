//! What each plan of a pursuit gave up: exactly on boards that can be solved, else by estimate.
//!
//! On a board with exact values a step is compared with the best one against the shares of the other side's perfect
//! play. Elsewhere, in every position in which plans were made the game of plans is solved in drawn futures of walls and
//! gates, which gives both sides' mixtures. Each plan is compared with the best plan that is found
//! against the mixture of the other side. Both are then tried in fresh futures, so that the choice of
//! the best plan does not flatter it, and the difference comes with its interval. The interval is
//! widened by what the mixtures lack to an equilibrium.

mod account;

use super::TICKS;
use super::board::{Board, Position};
use super::exact::{Exact, joint_steps};
use super::planners::context::BoardContext;
use super::planners::plain_plans;
use super::planners::response::{Ending, JointMix, PlanGame, ThiefMix, solve};
use super::rules::{COPS, Cops, Orders, STEPS, Step, THIEF};
use account::{Decision, Met, Odds};
use outwit_core::grid::Cell;
use outwit_core::platform::parallel;
use outwit_core::play::{
    Better, Match, MoveReview, PlannerContext, Review, ReviewedChoice, Seat, SeatReview, Series,
    StopFlag,
};
use outwit_core::tournament::Estimate;
use std::sync::Arc;

/// Futures in which the mixtures are found.
const SOLVED: usize = 12;
/// Fresh futures in which plans are compared.
const FRESH: usize = 96;
/// Beginnings of plans that a search keeps, so that long plans take no longer than short ones.
const WIDTH: usize = 400;
/// Best replies of each side that the matrices of a match on the default board may grow by together,
/// and each at most and at least: a review of a long match or a large board is rougher, but takes
/// little longer.
const ALL_REPLIES: usize = 600;
const MOST_REPLIES: usize = 40;
const LEAST_REPLIES: usize = 2;
/// Cops times cells of that board, by which the time of a reply grows.
const DEFAULT_SIZE: usize = 5 * 22 * 22;
/// Ticks: a plan that seems to gain less than this over the one that was made is no other.
const GAIN: f32 = 0.05;
/// Ticks: less than this is no loss of a step among exact values, but rounding of the shares.
const SLIP: f64 = 1e-4;
/// The number of cops whose plans a note names.
const NAMED: usize = 3;
/// The stream of dice of the fresh futures in tick 0; those in which plans are found have lower ones.
const FRESH_DICE: u64 = 1 << 32;
/// Feeds the futures, which have nothing to do with those of any match.
const SEED: u64 = 0x0072_6576_6965_7773;

/// How one plan fared against what the other side may have done.
struct Fate {
    /// The thief's payoff in each fresh future.
    payoffs: Vec<f64>,
    /// Probability that the thief is caught before the plan is over.
    caught: f64,
    /// Probability that it escapes before that.
    escaped: f64,
}

impl Fate {
    /// That of a plan of the thief against a mixture of joint plans.
    fn of_thief(fresh: &PlanGame, steps: &[Step], cops: &JointMix) -> Self {
        let tracks = fresh.thief_tracks(steps);
        Self::of(
            cops.iter()
                .map(|(plans, share)| (fresh.play(&tracks, &fresh.joint_tracks(plans)), *share)),
        )
    }

    /// That of a joint plan against a mixture of the thief's plans.
    fn of_cops(fresh: &PlanGame, plans: &[Vec<Step>], thief: &ThiefMix) -> Self {
        let joint = fresh.joint_tracks(plans);
        Self::of(
            thief
                .iter()
                .map(|(steps, share)| (fresh.play(&fresh.thief_tracks(steps), &joint), *share)),
        )
    }

    /// From plays against each plan of a mixture, with the shares.
    fn of<'a>(plays: impl Iterator<Item = (Vec<(Ending, f32)>, f32)> + 'a) -> Self {
        let mut fate = Fate { payoffs: vec![0.0; FRESH], caught: 0.0, escaped: 0.0 };
        for (played, share) in plays {
            let share = f64::from(share);
            for (sum, (ending, pays)) in fate.payoffs.iter_mut().zip(played) {
                *sum += share * f64::from(pays);
                match ending {
                    Ending::Caught => fate.caught += share / FRESH as f64,
                    Ending::Escaped => fate.escaped += share / FRESH as f64,
                    Ending::Open => {}
                }
            }
        }
        fate
    }

    fn mean(&self) -> f64 {
        self.payoffs.iter().sum::<f64>() / self.payoffs.len() as f64
    }

    fn odds(&self) -> Odds {
        Odds { caught: self.caught, escaped: self.escaped }
    }

    fn choice(&self, words: String, ways: &[Vec<Cell>]) -> ReviewedChoice {
        let leads_to = format!("caught {}, out {}", percent(self.caught), percent(self.escaped));
        ReviewedChoice { words, leads_to, ways: ways.to_vec() }
    }
}

/// Ticks that were given up, which never read as none.
fn amount(ticks: f64) -> String {
    match format!("{ticks:.2}") {
        rounded if rounded == "0.00" => "less than 0.01".into(),
        rounded => rounded,
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Reviews both seats; `None` if `stop` was raised.
pub fn review(played: &Match<Cops>, stop: &StopFlag) -> Option<Review> {
    let decisions = decisions(played, stop)?;
    let is_exact = decisions.iter().all(|decision| decision.met.is_none());
    let mut seats = [THIEF, COPS].map(|seat| seat_review(played, &decisions, seat));
    if is_exact {
        for seat in &mut seats {
            let lost: f64 = seat.moves.iter().filter_map(|made| made.cost).sum();
            let given_up = match lost > 0.0 {
                true => format!("Given up against perfect play: {} ticks.", amount(lost)),
                false => "Nothing given up against perfect play.".into(),
            };
            seat.summary = Some(match seat.summary.take() {
                Some(account) => format!("{given_up}\n{account}"),
                None => given_up,
            });
        }
    }
    Some(Review { unit: TICKS, better: Better::Higher, seats: seats.into() })
}

/// What is to be said of the plans of all turns; `None` if `stop` was raised.
fn decisions(played: &Match<Cops>, stop: &StopFlag) -> Option<Vec<Decision>> {
    let turns: Vec<usize> =
        (0..played.len()).filter(|&turn| !played.turns()[turn].actions.is_empty()).collect();
    let board = played.game().board();
    let size = board.rules().cops as usize * board.width() * board.height() * turns.len();
    let replies = ALL_REPLIES * DEFAULT_SIZE / size.max(1);
    let replies = replies.clamp(LEAST_REPLIES, MOST_REPLIES);
    let first = &played.state_at(0)?.position;
    let exact = played.game().exact_values(first, &|_| !stop.is_raised()).ok();
    parallel::map(&turns, |&turn| match &exact {
        Some(exact) if !stop.is_raised() => exact_decision(played, turn, exact),
        _ => decision(played, turn, replies, stop),
    })
}

fn seat_review(played: &Match<Cops>, decisions: &[Decision], seat: Seat) -> SeatReview {
    let moves: Vec<MoveReview> =
        decisions.iter().map(|decision| decision.moves[seat.index()].clone()).collect();
    let series = vec![
        profile("this plan", &moves, |made| made.after),
        profile("best plan found", &moves, |made| made.before),
    ];
    let over = played.outcome();
    let reached = over.as_ref().and_then(|over| over.places.get(seat.index())?.score);
    let earned = over.and_then(|over| over.places.get(THIEF.index())?.score);
    let summary = account::words(played, decisions, seat, earned);
    SeatReview { seat, moves, perfect: None, reached, summary, series }
}

/// A value of each plan, by its number.
fn profile(name: &str, moves: &[MoveReview], value: fn(&MoveReview) -> Option<f64>) -> Series {
    let points = moves.iter().enumerate();
    let points = points.filter_map(|(own, made)| Some([own as f64, value(made)?]));
    Series { name: name.into(), points: points.collect() }
}

/// Reviews the plans that both sides made in a turn; `None` if `stop` was raised.
fn decision(
    played: &Match<Cops>,
    turn: usize,
    replies: usize,
    stop: &StopFlag,
) -> Option<Decision> {
    let now = &played.state_at(turn)?.position;
    let board = played.game().board();
    let actions = &played.turns().get(turn)?.actions;
    let (_, Orders(thief)) = actions.iter().find(|(seat, _)| *seat == THIEF)?;
    let (_, Orders(cops)) = actions.iter().find(|(seat, _)| *seat == COPS)?;
    let thief = thief.first()?;
    let context = PlannerContext { game: Arc::clone(played.game()), seat: THIEF, seed: SEED };
    let ground = BoardContext::new(&context);
    let plain = plain_plans(&ground, &played.observation(turn, THIEF)?);
    let mut thieves = vec![thief.clone()];
    thieves.extend(plain.into_iter().filter_map(|Orders(plans)| plans.into_iter().next()));
    let plain = plain_plans(&ground, &played.observation(turn, COPS)?);
    let mut joints = vec![cops.clone()];
    joints.extend(plain.into_iter().map(|Orders(plans)| plans));
    let mut dice = ground.dice(now.tick);
    let game = PlanGame::new(&ground, now, (SOLVED, WIDTH), &mut dice);
    let mixtures = solve(&game, thieves, joints, replies, stop)?;
    dice.set_stream(FRESH_DICE + u64::from(now.tick));
    dice.set_word_pos(0);
    let fresh = PlanGame::new(&ground, now, (FRESH, WIDTH), &mut dice);

    let reply = game.thief_reply(&mixtures.cops);
    let is_other = reply.payoff > game.thief_payoff(thief, &mixtures.cops) + GAIN;
    let best_thief = if is_other { reply.steps } else { thief.clone() };
    let compared = Compared {
        made: Fate::of_thief(&fresh, thief, &mixtures.cops),
        best: Fate::of_thief(&fresh, &best_thief, &mixtures.cops),
        ways: [vec![thief.clone()], vec![best_thief.clone()]]
            .map(|plans| ways(board, now, THIEF, &plans)),
        plan: Vec::<String>::from(Orders(vec![best_thief])).concat(),
        gap: f64::from(mixtures.gap),
    };
    let thief_move = compared.reviewed(THIEF, turn, now);
    let thief_odds = compared.made.odds();

    let starts = mixtures.cops.iter().map(|(plans, _)| plans).chain([cops]);
    let replies = starts.map(|plans| game.joint_reply(plans, &mixtures.thief));
    let reply = replies.min_by(|a, b| a.payoff.total_cmp(&b.payoff))?;
    let is_other = reply.payoff < game.joint_payoff(cops, &mixtures.thief) - GAIN;
    let best_cops = if is_other { reply.plans } else { cops.clone() };
    let compared = Compared {
        made: Fate::of_cops(&fresh, cops, &mixtures.thief),
        best: Fate::of_cops(&fresh, &best_cops, &mixtures.thief),
        ways: [cops, &best_cops].map(|plans| ways(board, now, COPS, plans)),
        plan: changed_cops(cops, best_cops),
        gap: f64::from(mixtures.gap),
    };
    let both = Fate::of_cops(&fresh, cops, &[(thief.clone(), 1.0)]);
    let met = Met {
        pays: f64::from(now.tick) + both.mean(),
        odds: both.odds(),
        made: [thief_odds, compared.made.odds()],
    };
    Some(Decision { moves: [thief_move, compared.reviewed(COPS, turn, now)], met: Some(met) })
}

/// Reviews the steps that both sides took in a turn, by exact values.
fn exact_decision(played: &Match<Cops>, turn: usize, exact: &Exact) -> Option<Decision> {
    let game = played.game();
    let now = &played.state_at(turn)?.position;
    let perfect = exact.turn(game.ticks_left(now), now.thief, &now.cops)?;
    let reviewed = |seat: Seat| {
        let actions = &played.turns().get(turn)?.actions;
        let (_, Orders(made)) = actions.iter().find(|(of, _)| *of == seat)?;
        let (sign, pays) = match seat {
            THIEF => (1.0, &perfect.thief_pays),
            _ => (-1.0, &perfect.cops_pays),
        };
        let plan = |number: usize| -> Vec<Vec<Step>> {
            let steps = match seat {
                THIEF => vec![STEPS[number]],
                _ => joint_steps(number, now.cops.len()),
            };
            steps.into_iter().map(|step| vec![step]).collect()
        };
        let own = (0..pays.len()).find(|&number| plan(number) == *made)?;
        let best =
            (0..pays.len()).max_by(|&a, &b| (sign * pays[a]).total_cmp(&(sign * pays[b])))?;
        let cost = sign * (pays[best] - pays[own]);
        let margin = 2.0 * perfect.certified.error + SLIP;
        let is_clear = cost > margin;
        let plan = |number: usize| (plan(number), pays[number]);
        let choice = |words: String, (plan, pays): (Vec<Vec<Step>>, f64)| ReviewedChoice {
            words,
            leads_to: format!("pays {:.2} ticks", f64::from(now.tick) + pays),
            ways: ways(game.board(), now, seat, &plan),
        };
        let text = |plan: Vec<Vec<Step>>| match Vec::<String>::from(Orders(plan)).concat() {
            rest if rest == "." => "waiting".to_owned(),
            steps => steps,
        };
        let (own_words, best_words) = match seat {
            THIEF => (text(made.clone()), text(plan(best).0)),
            _ => ("this plan".into(), changed_cops(made, plan(best).0)),
        };
        let note = match is_clear {
            true => format!("gives up {} ticks against perfect play", amount(cost)),
            false => "as good as any against perfect play".into(),
        };
        let value = |number: usize| sign * (f64::from(now.tick) + pays[number]);
        Some(MoveReview {
            turn,
            cell: where_it_happened(seat, now),
            before: Some(value(best)),
            after: Some(value(own)),
            cost: Some(if is_clear { cost } else { 0.0 }),
            margin: None,
            note,
            made: Some(choice(own_words, plan(own))),
            better: is_clear.then(|| choice(best_words, plan(best))),
        })
    };
    Some(Decision { moves: [reviewed(THIEF)?, reviewed(COPS)?], met: None })
}

/// The thief's cell, or that of the cop nearest to it.
fn where_it_happened(seat: Seat, now: &Position) -> Cell {
    let nearest = now.cops.iter().min_by_key(|cop| cop.manhattan(now.thief));
    *nearest.filter(|_| seat == COPS).unwrap_or(&now.thief)
}

/// The cells that the pieces of a seat come through by their plans if no wall stops them.
fn ways(board: &Board, now: &Position, seat: Seat, plans: &[Vec<Step>]) -> Vec<Vec<Cell>> {
    let pieces = if seat == THIEF { std::slice::from_ref(&now.thief) } else { &now.cops };
    pieces
        .iter()
        .zip(plans)
        .map(|(&from, plan)| {
            let walk = plan.iter().scan(from, |at, step| {
                let to = *at + step.delta();
                *at = if board.is_floor(to) { to } else { *at };
                Some(*at)
            });
            std::iter::once(from).chain(walk).collect()
        })
        .collect()
}

/// The cops of a better plan whose steps differ, with their steps.
fn changed_cops(made: &[Vec<Step>], best: Vec<Vec<Step>>) -> String {
    let texts = Vec::<String>::from(Orders(best.clone()));
    let changed = made.iter().zip(&best).zip(texts).zip(1..);
    let mut named: Vec<String> = changed
        .filter(|(((made, best), _), _)| made != best)
        .map(|((_, text), cop)| format!("cop {cop} {text}"))
        .collect();
    let more = named.len() > NAMED;
    named.truncate(NAMED);
    named.join(", ") + if more { " and others" } else { "" }
}

/// A plan beside the best one that was found.
struct Compared {
    made: Fate,
    best: Fate,
    /// Where the pieces go by either plan, if no wall stops them.
    ways: [Vec<Vec<Cell>>; 2],
    /// The best plan, in words.
    plan: String,
    /// By how much even good plans may lose against the other side's mixture, since it is not quite in
    /// equilibrium.
    gap: f64,
}

impl Compared {
    fn reviewed(&self, seat: Seat, turn: usize, now: &Position) -> MoveReview {
        let sign = if seat == THIEF { 1.0 } else { -1.0 };
        let futures = self.best.payoffs.iter().zip(&self.made.payoffs);
        let losses: Vec<f64> = futures.map(|(best, made)| sign * (best - made)).collect();
        let loss = Estimate::of(&losses);
        let mean = loss.mean.unwrap_or(0.0);
        let margin = loss.ci95.unwrap_or(0.0) + self.gap;
        let is_clear = mean > margin;
        let [made, best] =
            [&self.made, &self.best].map(|fate| [percent(fate.caught), percent(fate.escaped)]);
        let note = if is_clear && made == best {
            format!(
                "gives up about {mean:.1} ±{margin:.1} ticks, all of them after these plans; better was {}",
                self.plan
            )
        } else if is_clear {
            format!(
                "gives up about {mean:.1} ±{margin:.1} ticks: the thief is caught in {} and escapes in {} of \
                 the cases before the next plans; with {}, in {} and {}",
                made[0], made[1], self.plan, best[0], best[1]
            )
        } else {
            format!("as good as the best plan found, within ±{margin:.1} ticks")
        };
        let tick = f64::from(now.tick);
        MoveReview {
            turn,
            cell: where_it_happened(seat, now),
            before: Some(sign * (tick + self.best.mean())),
            after: Some(sign * (tick + self.made.mean())),
            cost: Some(if is_clear { mean } else { 0.0 }),
            margin: Some(margin),
            note,
            made: Some(self.made.choice("this plan".into(), &self.ways[0])),
            better: is_clear.then(|| self.best.choice(self.plan.clone(), &self.ways[1])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::account::Account;
    use super::*;
    use crate::board::Gate;
    use crate::level::CopsRules;
    use crate::tests::{game, still};
    use outwit_core::play::SetupError;

    fn c(x: i32, y: i32) -> Cell {
        Cell::new(x, y)
    }

    /// A match on a board with a gate above (4,1) and (5,1) that never moves, after these plans of the
    /// thief and its one cop.
    fn played(thief: Cell, cop: Cell, plans: &[[&str; 2]]) -> Match<Cops> {
        let now = Position {
            tick: 0,
            thief,
            cops: vec![cop],
            walls: vec![],
            gates: vec![Gate { place: 4, clockwise: true }],
        };
        let game = game(CopsRules { k: 4, gates: 1, ..still(8, 1) }).opened_with(now);
        let begun: Result<_, SetupError> = Match::new(Arc::new(game), 1);
        let mut played = begun.unwrap();
        for plans in plans {
            let orders = |text: &str| Orders::try_from(vec![text.to_owned()]).unwrap();
            played.advance(vec![(THIEF, orders(plans[0])), (COPS, orders(plans[1]))]).unwrap();
            while played.outcome().is_none() && played.to_move().is_empty() {
                played.advance(Vec::new()).unwrap();
            }
        }
        played
    }

    fn seat_review(played: &Match<Cops>, seat: Seat) -> SeatReview {
        review(played, &StopFlag::default()).unwrap().seats.swap_remove(seat.index())
    }

    #[test]
    fn leaving_an_open_gate_is_the_turning_point() {
        // It runs for the gate, turns round before the last step and meets the cop.
        let played = played(c(4, 5), c(4, 8), &[["UUUU", "UUUU"], ["DDDD", "...."]]);
        assert_eq!(played.outcome().unwrap().places[0].ending, "caught");
        let thief = seat_review(&played, THIEF);
        assert_eq!(thief.moves.iter().map(|made| made.turn).collect::<Vec<_>>(), [0, 4]);
        assert_eq!(thief.reached, Some(6.0));
        let [worst] = thief.worst(1)[..] else { panic!("{thief:?}") };
        assert_eq!((worst.turn, worst.cell), (4, c(4, 1)));
        // An escape at once pays 2 * 50 - 4 - 1.
        assert!((worst.before.unwrap() - 95.0).abs() < 0.01, "{worst:?}");
        assert!(worst.cost.unwrap() > 20.0, "{worst:?}");
        assert!(worst.note.contains("with U"), "{worst:?}");
        assert!(worst.note.contains("in 0 % and 100 %"), "{worst:?}");
        let why = thief.summary.unwrap();
        assert!(why.contains("above all plan 2 of 2: it gives up"), "{why}");
    }

    #[test]
    fn what_was_given_up_never_reads_as_nothing() {
        assert_eq!(["0.01", "0.50"], [0.005_001, 0.5].map(amount)[..]);
        assert_eq!(amount(0.000_2), "less than 0.01");
    }

    #[test]
    fn leaving_the_gate_to_the_thief_is_the_turning_point() {
        let played = played(c(4, 3), c(4, 1), &[["....", "RRRR"]]);
        let cops = seat_review(&played, COPS);
        let [worst] = cops.worst(1)[..] else { panic!("{cops:?}") };
        assert_eq!((worst.turn, worst.cell), (0, c(4, 1)));
        assert!(worst.cost.unwrap() > 10.0, "{worst:?}");
        assert!(worst.before.unwrap() > worst.after.unwrap(), "{worst:?}");
        assert!(worst.note.contains("with cop 1"), "{worst:?}");
        assert_eq!(cops.reached, None);
    }

    #[test]
    fn what_lies_between_start_and_result_is_told_without_a_rest() {
        for id in ["cops/tiny", "cops/gatehouse", "cops/duel"] {
            let level = outwit_levels::built_in(id).unwrap().bytes().unwrap();
            let level = outwit_kit::read_level::<Cops>(&level, id).unwrap();
            let game = Arc::new(outwit_core::play::Game::new(&level, 2).unwrap());
            let mut played: Match<Cops> = Match::new(game, 4).unwrap();
            let mut at = 0;
            while played.outcome().is_none() {
                let plan = |&seat: &Seat| {
                    at = (5 * at + 7) % 64;
                    let k = played.game().board().rules().k as usize;
                    let all = if seat == THIEF { 1 } else { played.state().position.cops.len() };
                    let plans = (0..all).map(|piece| {
                        (0..k).map(|step| b"UDLR"[(at + piece * step) % 4] as char).collect()
                    });
                    (seat, Orders::try_from(plans.collect::<Vec<String>>()).unwrap())
                };
                let actions = played.to_move().iter().map(plan).collect();
                played.advance(actions).unwrap();
            }
            let earned = played.outcome().unwrap().places[0].score;
            let decisions = decisions(&played, &StopFlag::default()).unwrap();
            let told = Account::new(&decisions, earned.unwrap()).unwrap();
            let sum: f64 = told.turns.iter().map(|parts| parts.sum()).sum();
            assert!((told.start + sum - earned.unwrap()).abs() < 1e-6, "{id} {told:?}");
            // No plan is better than the best one.
            assert!(told.turns.iter().all(|parts| parts.thief <= 0.0 && parts.cops >= 0.0));
            if decisions[0].met.is_none() {
                assert!(told.turns.iter().all(|parts| parts.rest == 0.0));
            }
        }
    }

    #[test]
    fn reviews_repeat_and_can_be_stopped() {
        let level = outwit_levels::built_in("cops/tiny").unwrap().bytes().unwrap();
        let level = outwit_kit::read_level::<Cops>(&level, "tiny").unwrap();
        let game = Arc::new(outwit_core::play::Game::new(&level, 2).unwrap());
        let mut played: Match<Cops> = Match::new(game, 3).unwrap();
        let empty = review(&played, &StopFlag::default()).unwrap();
        assert!(empty.seats.iter().all(|seat| seat.moves.is_empty() && seat.worst(3).is_empty()));
        for _ in 0..9 {
            let stay = |&seat: &Seat| {
                (seat, outwit_core::play::Game::null_action(&**played.game(), played.state(), seat))
            };
            let actions = played.to_move().iter().map(stay).collect();
            if played.advance(actions).is_err() {
                break;
            }
        }
        let first = review(&played, &StopFlag::default()).unwrap();
        assert_eq!(first, review(&played, &StopFlag::default()).unwrap());
        for made in first.seats.iter().flat_map(|seat| &seat.moves) {
            let (cost, margin) = (made.cost.unwrap(), made.margin.unwrap());
            let loss = made.before.unwrap() - made.after.unwrap();
            assert!(if loss > margin { (cost - loss).abs() < 1e-9 } else { cost == 0.0 });
        }
        let stop = StopFlag::default();
        stop.raise();
        assert_eq!(review(&played, &stop), None);
    }
}
