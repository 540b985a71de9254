//! Where a pursuit was decided: its result parts into what plans gave up, how the plans of both sides met, and chance.
//!
//! A plan is worth as much as the thief earns with it, on average, as more and more is known: with the best plan in its
//! place, with this one, against the plan that the other side made, and at last what the position was worth when the
//! next plans were made. From one to the next something is lost or won, and all of it together is what lies between the
//! value of the start and the result, exactly.

use super::percent;
use crate::rules::{COPS, Cops, PursuitStatus, THIEF};
use outwit_core::play::{Match, MoveReview, Seat};

/// How likely the thief is caught or gets out before the next plans.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Odds {
    pub caught: f64,
    pub escaped: f64,
}

/// What is known of plans once both sides' are.
#[derive(Clone, PartialEq, Debug)]
pub struct Met {
    /// What the thief earns on average, counted from the start of the match.
    pub pays: f64,
    /// The odds of both plans together.
    pub odds: Odds,
    /// Those of each side's plan against all that the other side may have done.
    pub made: [Odds; 2],
}

/// The plans of one turn, for thief and cops.
pub struct Decision {
    pub moves: [MoveReview; 2],
    /// `None` where values are exact and nothing is left to chance: then the next value says it.
    pub met: Option<Met>,
}

/// What the thief won or lost, in ticks, with the plans of one turn.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Parts {
    /// Because of the plan that the reviewed side made in place of the best one.
    pub plan: f64,
    /// Because of the plan that the other side made.
    pub met: f64,
    /// Because of walls and gates, and of what the estimates did not foresee.
    pub rest: f64,
}

impl Parts {
    /// All of it.
    pub fn sum(self) -> f64 {
        self.plan + self.met + self.rest
    }
}

/// The value of the start to the thief, what it earned, and what lies between them, turn by turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Account {
    pub start: f64,
    pub earned: f64,
    pub turns: Vec<Parts>,
}

/// The parts of the result as a seat sees them; `None` before the end, and where nobody planned.
pub fn account(decisions: &[Decision], seat: Seat, earned: Option<f64>) -> Option<Account> {
    let earned = earned?;
    let sign = if seat == THIEF { 1.0 } else { -1.0 };
    // As the list of moves has it: an estimate within its margin costs nothing.
    let worth = |decision: &Decision| {
        let made = &decision.moves[seat.index()];
        let best = sign * made.before?;
        Some([best, if made.is_mistake() { sign * made.after? } else { best }])
    };
    let start = worth(decisions.first()?)?[0];
    let mut turns = Vec::new();
    for (at, decision) in decisions.iter().enumerate() {
        let [best, made] = worth(decision)?;
        let next = match decisions.get(at + 1) {
            Some(next) => worth(next)?[0],
            None => earned,
        };
        let met = decision.met.as_ref().map_or(next, |met| met.pays);
        turns.push(Parts { plan: made - best, met: met - made, rest: next - met });
    }
    Some(Account { start, earned, turns })
}

/// The account in words: what was lost or won in all, and for the side that lost with which plan most of it went.
pub fn words(
    played: &Match<Cops>,
    decisions: &[Decision],
    seat: Seat,
    earned: Option<f64>,
) -> Option<String> {
    let account = account(decisions, seat, earned)?;
    let total = |part: fn(&Parts) -> f64| account.turns.iter().map(part).sum::<f64>();
    let [plan, met, rest] =
        [total(|parts| parts.plan), total(|parts| parts.met), total(|parts| parts.rest)];
    let Account { start, earned, .. } = account;
    let is_exact = decisions.iter().all(|decision| decision.met.is_none());
    let about = if is_exact { "" } else { "about " };
    let (plans, others) = match seat {
        THIEF => ("by its own plans", "by how they met those of the cops"),
        _ => ("by the plans of the cops", "by how they met those of the thief"),
    };
    let mut words = format!(
        "The thief went from {about}{start:.0} ticks at the start to {earned:.0}: {plan:+.0} {plans}, {met:+.0} {others}"
    );
    if !is_exact {
        words += &format!(", {rest:+.0} by walls, gates and what no estimate foresaw");
    }
    words += ".";
    let has_lost = match played.state().standing {
        PursuitStatus::Caught(_) => seat == THIEF,
        PursuitStatus::Escaped(_) => seat == COPS,
        PursuitStatus::Running | PursuitStatus::Survived => false,
    };
    if has_lost && let Some(why) = costliest(&account, decisions, seat) {
        words += "\n";
        words += &why;
    }
    Some(words)
}

/// The plan with which most was lost, and why.
fn costliest(account: &Account, decisions: &[Decision], seat: Seat) -> Option<String> {
    let sign = if seat == THIEF { -1.0 } else { 1.0 };
    let lost = |parts: &Parts| sign * parts.sum();
    let (at, parts) =
        account.turns.iter().enumerate().max_by(|(_, a), (_, b)| lost(a).total_cmp(&lost(b)))?;
    let decision = &decisions[at];
    let made = &decision.moves[seat.index()];
    let begins = format!("Most went with plan {} of {}", at + 1, decisions.len());
    let [plan, met, rest] = [parts.plan, parts.met, parts.rest].map(|part| sign * part);
    if plan >= met && plan >= rest {
        return Some(format!("{begins}, which {}.", made.note));
    }
    let by_itself = if made.is_mistake() { "" } else { ", though it was as good as any" };
    let (ended, they) = match seat {
        THIEF => ("was caught", "the cops"),
        _ => ("let the thief out", "the thief"),
    };
    let Some(known) = &decision.met else {
        return Some(format!("{begins}{by_itself}: {they} guessed right."));
    };
    let share = |odds: Odds| percent(if seat == THIEF { odds.caught } else { odds.escaped });
    let own = share(known.made[seat.index()]);
    let against = share(known.odds);
    Some(match met >= rest {
        true => format!(
            "{begins}{by_itself}: it {ended} in {own} of the cases, and in {against} against the plan that {they} made."
        ),
        false => format!(
            "{begins}{by_itself}: even against the plan that {they} made it {ended} in {against} of the cases before \
             the next plans. Walls and gates decided, or what no estimate foresaw."
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_core::grid::Cell;

    fn made(before: f64, after: f64, note: &str) -> MoveReview {
        let lost = before - after;
        MoveReview {
            turn: 0,
            cell: Cell::new(0, 0),
            before: Some(before),
            after: Some(after),
            cost: Some(if note.is_empty() { 0.0 } else { lost }),
            margin: None,
            note: note.into(),
            made: None,
            better: None,
        }
    }

    /// Two plans of the thief, worth 100 and, with the second, as much as is given.
    fn decisions(second: [f64; 2], met: f64, note: &str) -> Vec<Decision> {
        let odds = |caught: f64| Odds { caught, escaped: 0.0 };
        let decision = |[before, after]: [f64; 2], met: f64, note: &str| Decision {
            moves: [made(before, after, note), made(-before, -after, note)],
            met: Some(Met { pays: met, odds: odds(0.75), made: [odds(0.25), odds(0.5)] }),
        };
        vec![decision([100.0, 100.0], 98.0, ""), decision(second, met, note)]
    }

    fn why(second: [f64; 2], met: f64, note: &str) -> String {
        let decisions = decisions(second, met, note);
        let account = account(&decisions, THIEF, Some(20.0)).unwrap();
        costliest(&account, &decisions, THIEF).unwrap()
    }

    #[test]
    fn the_plan_with_which_most_was_lost_is_told_with_its_reason() {
        assert_eq!(
            why([95.0, 35.0], 30.0, "gives up about 60 ticks"),
            "Most went with plan 2 of 2, which gives up about 60 ticks."
        );
        assert_eq!(
            why([95.0, 95.0], 25.0, ""),
            "Most went with plan 2 of 2, though it was as good as any: it was caught in 25 % of the cases, and in 75 % \
             against the plan that the cops made."
        );
        let by_chance = why([95.0, 95.0], 90.0, "");
        assert!(by_chance.contains(
            "even against the plan that the cops made it was caught in 75 % of the cases"
        ));
        // Where nothing is left to chance, the next value says what both plans came to.
        let mut exact = decisions([95.0, 95.0], 90.0, "");
        exact.iter_mut().for_each(|decision| decision.met = None);
        let account = account(&exact, THIEF, Some(20.0)).unwrap();
        let parts = Parts { plan: 0.0, met: -75.0, rest: 0.0 };
        assert_eq!(account.turns[1], parts);
        assert!(costliest(&account, &exact, THIEF).unwrap().ends_with("the cops guessed right."));
    }
}
