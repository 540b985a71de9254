//! What each plan of a pursuit gave up, by estimate.
//!
//! In every position in which plans were made the game of plans is solved in drawn futures of walls and
//! gates, which gives both sides' mixtures. Each plan is compared with the best plan that is found
//! against the mixture of the other side. Both are then tried in fresh futures, so that the choice of
//! the best plan does not flatter it, and the difference comes with its interval. The interval is
//! widened by what the mixtures lack to an equilibrium.

use super::TICKS;
use super::board::{Board, Position};
use super::planners::context::BoardContext;
use super::planners::plain_plans;
use super::planners::response::{Ending, PlanGame, solve};
use super::rules::{COPS, Cops, Orders, Step, THIEF};
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
}

/// The plans of one turn, for thief and cops.
type Decision = [MoveReview; 2];

/// Reviews both seats; `None` if `stop` was raised.
pub fn review(played: &Match<Cops>, stop: &StopFlag) -> Option<Review> {
    let turns: Vec<usize> =
        (0..played.len()).filter(|&turn| !played.turns()[turn].actions.is_empty()).collect();
    let board = played.game().board();
    let size = board.rules().cops as usize * board.width() * board.height() * turns.len();
    let replies = ALL_REPLIES * DEFAULT_SIZE / size.max(1);
    let replies = replies.clamp(LEAST_REPLIES, MOST_REPLIES);
    let decide = |&turn: &usize| decision(played, turn, replies, stop);
    let decisions: Option<Vec<Decision>> = parallel::map(&turns, decide);
    let decisions = decisions?;
    let seat = |seat: Seat| {
        let moves: Vec<MoveReview> =
            decisions.iter().map(|both| both[seat.index()].clone()).collect();
        let profile = |name: &str, value: fn(&MoveReview) -> Option<f64>| {
            let points = moves.iter().enumerate();
            let points = points.filter_map(|(own, made)| Some([own as f64, value(made)?]));
            Series { name: name.into(), points: points.collect() }
        };
        let series = vec![
            profile("this plan", |made| made.after),
            profile("best plan found", |made| made.before),
        ];
        let over = played.outcome();
        let reached = over.and_then(|over| over.places.get(seat.index())?.score);
        SeatReview { seat, moves, perfect: None, reached, summary: None, series }
    };
    Some(Review { unit: TICKS, better: Better::Higher, seats: vec![seat(THIEF), seat(COPS)] })
}

/// Reviews the plans that both sides made in a turn; `None` if `stop` was raised.
fn decision(
    played: &Match<Cops>,
    turn: usize,
    replies: usize,
    stop: &StopFlag,
) -> Option<Decision> {
    let (now, board) = (&played.state_at(turn)?.position, played.game().board());
    let actions = &played.turns().get(turn)?.actions;
    let orders = |seat: Seat| actions.iter().find(|(own, _)| *own == seat).map(|(_, made)| made);
    let (thief, cops) = (orders(THIEF)?.0.first()?, &orders(COPS)?.0);
    let context = PlannerContext { game: Arc::clone(played.game()), seat: THIEF, seed: SEED };
    let ground = BoardContext::new(&context);
    let begin = |seat: Seat| {
        let seen = played.observation(turn, seat)?;
        Some(plain_plans(&ground, &seen).into_iter().map(|orders| orders.0))
    };
    let thieves = begin(THIEF)?.filter_map(|plans| plans.into_iter().next());
    let thieves = std::iter::once(thief.clone()).chain(thieves).collect();
    let joints = std::iter::once(cops.clone()).chain(begin(COPS)?).collect();
    let mut dice = ground.dice(now.tick);
    let game = PlanGame::new(&ground, now, (SOLVED, WIDTH), &mut dice);
    let mixtures = solve(&game, thieves, joints, replies, stop)?;
    dice.set_stream(FRESH_DICE + u64::from(now.tick));
    dice.set_word_pos(0);
    let fresh = PlanGame::new(&ground, now, (FRESH, WIDTH), &mut dice);

    let reply = game.thief_reply(&mixtures.cops);
    let is_other = reply.payoff > game.thief_payoff(thief, &mixtures.cops) + GAIN;
    let best_thief = if is_other { reply.steps } else { thief.clone() };
    let against_cops = |steps: &[_]| {
        let tracks = fresh.thief_tracks(steps);
        let play = |(plans, share): &(Vec<Vec<_>>, f32)| {
            (fresh.play(&tracks, &fresh.joint_tracks(plans)), *share)
        };
        Fate::of(mixtures.cops.iter().map(play))
    };
    let compared = Compared {
        made: against_cops(thief),
        best: against_cops(&best_thief),
        ways: [vec![thief.clone()], vec![best_thief.clone()]]
            .map(|plans| ways(board, now, THIEF, &plans)),
        plan: Vec::<String>::from(Orders(vec![best_thief])).concat(),
        gap: f64::from(mixtures.gap),
    };
    let thief_move = compared.reviewed(THIEF, turn, now);

    let starts = mixtures.cops.iter().map(|(plans, _)| plans).chain([cops]);
    let replies = starts.map(|plans| game.joint_reply(plans, &mixtures.thief));
    let reply = replies.min_by(|a, b| a.payoff.total_cmp(&b.payoff))?;
    let is_other = reply.payoff < game.joint_payoff(cops, &mixtures.thief) - GAIN;
    let best_cops = if is_other { reply.plans } else { cops.clone() };
    let against_thieves = |plans: &[Vec<_>]| {
        let joint = fresh.joint_tracks(plans);
        let play = |(steps, share): &(Vec<_>, f32)| {
            (fresh.play(&fresh.thief_tracks(steps), &joint), *share)
        };
        Fate::of(mixtures.thief.iter().map(play))
    };
    let compared = Compared {
        made: against_thieves(cops),
        best: against_thieves(&best_cops),
        ways: [cops, &best_cops].map(|plans| ways(board, now, COPS, plans)),
        plan: changed_cops(cops, best_cops),
        gap: f64::from(mixtures.gap),
    };
    Some([thief_move, compared.reviewed(COPS, turn, now)])
}

/// The cells that the pieces of a seat come through by their plans if no wall stops them.
fn ways(board: &Board, now: &Position, seat: Seat, plans: &[Vec<Step>]) -> Vec<Vec<Cell>> {
    let pieces = if seat == THIEF { std::slice::from_ref(&now.thief) } else { &now.cops };
    let way = |(&from, plan): (&Cell, &Vec<Step>)| {
        let walk = plan.iter().scan(from, |at, step| {
            let to = *at + step.delta();
            *at = if board.is_floor(to) { to } else { *at };
            Some(*at)
        });
        std::iter::once(from).chain(walk).collect()
    };
    pieces.iter().zip(plans).map(way).collect()
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
        let (mean, margin) = (loss.mean.unwrap_or(0.0), loss.ci95.unwrap_or(0.0) + self.gap);
        let is_clear = mean > margin;
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let note = if is_clear {
            format!(
                "gives up about {mean:.1} ±{margin:.1} ticks: the thief is caught in {} and escapes in {} of \
                 the cases before the next plans; with {}, in {} and {}",
                percent(self.made.caught),
                percent(self.made.escaped),
                self.plan,
                percent(self.best.caught),
                percent(self.best.escaped)
            )
        } else {
            format!("as good as the best plan found, within ±{margin:.1} ticks")
        };
        let choice = |words: String, fate: &Fate, ways: &[Vec<Cell>]| ReviewedChoice {
            words,
            leads_to: format!("caught {}, out {}", percent(fate.caught), percent(fate.escaped)),
            ways: ways.to_vec(),
        };
        let nearest = now.cops.iter().min_by_key(|cop| cop.manhattan(now.thief));
        let payoff = |fate: &Fate| Some(sign * (f64::from(now.tick) + fate.mean()));
        MoveReview {
            turn,
            cell: *nearest.filter(|_| seat == COPS).unwrap_or(&now.thief),
            before: payoff(&self.best),
            after: payoff(&self.made),
            cost: Some(if is_clear { mean } else { 0.0 }),
            margin: Some(margin),
            note,
            made: Some(choice("this plan".into(), &self.made, &self.ways[0])),
            better: is_clear.then(|| choice(self.plan.clone(), &self.best, &self.ways[1])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Gate;
    use super::super::level::CopsRules;
    use super::super::tests::{game, still};
    use super::*;
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
