//! Where a pursuit was decided: its result parts into what plans gave up, how the plans of both sides met, and chance.
//!
//! A turn begins with what the position is worth to the thief if both sides plan as well as they can. Then each plan that
//! was not the best costs its side something, the plans that were made meet, and at last walls and gates move and the
//! next position has a worth of its own. From one to the next something is lost or won, and all of it together is what
//! lies between the value of the start and the result, exactly.

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
    /// With a plan of its own that was not the best one: never more than 0.
    pub thief: f64,
    /// With a plan of the cops that was not the best one: never less than 0.
    pub cops: f64,
    /// Since these plans met, and not others that would have been as good.
    pub met: f64,
    /// With walls and gates, and with what the estimates did not foresee.
    pub rest: f64,
}

impl Parts {
    /// All of it.
    #[cfg(test)]
    pub fn sum(self) -> f64 {
        self.thief + self.cops + self.met + self.rest
    }

    /// The part of a cause.
    fn of(self, cause: Cause) -> f64 {
        match cause {
            Cause::Thief => self.thief,
            Cause::Cops => self.cops,
            Cause::Met => self.met,
            Cause::Rest => self.rest,
        }
    }
}

/// What parts a result from the value of the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cause {
    Thief,
    Cops,
    Met,
    Rest,
}

impl Cause {
    const ALL: [Self; 4] = [Self::Thief, Self::Cops, Self::Met, Self::Rest];

    fn words(self) -> &'static str {
        match self {
            Self::Thief => "by the thief's plans",
            Self::Cops => "by the cops' plans",
            Self::Met => "by how their plans met",
            Self::Rest => "by walls, gates and what no estimate foresaw",
        }
    }
}

/// The value of the start to the thief, what it earned, and what lies between them, turn by turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Account {
    pub start: f64,
    pub earned: f64,
    pub turns: Vec<Parts>,
}

impl Account {
    /// The parts of a result, which are the same for both sides; `None` where nobody planned or a value is missing.
    pub fn new(decisions: &[Decision], earned: f64) -> Option<Self> {
        // Each side's best plan was looked for on its own, so there are two estimates of one value.
        let value = |decision: &Decision| {
            let [thief, cops] = &decision.moves;
            Some((thief.before? - cops.before?) / 2.0)
        };
        let start = value(decisions.first()?)?;
        let mut turns = Vec::new();
        for (at, decision) in decisions.iter().enumerate() {
            let [thief, cops] = &decision.moves;
            // As the list of moves has it: an estimate within its margin costs nothing.
            let (thief, cops) = (-thief.cost?, cops.cost?);
            let next = match decisions.get(at + 1) {
                Some(next) => value(next)?,
                None => earned,
            };
            let met = decision.met.as_ref().map_or(next, |met| met.pays);
            let expected = value(decision)? + thief + cops;
            turns.push(Parts { thief, cops, met: met - expected, rest: next - met });
        }
        Some(Self { start, earned, turns })
    }

    fn total(&self, cause: Cause) -> f64 {
        self.turns.iter().map(|parts| parts.of(cause)).sum()
    }
}

/// The account in words: what was lost or won in all, and for the side that lost, with what most of it went.
pub fn words(
    played: &Match<Cops>,
    decisions: &[Decision],
    seat: Seat,
    earned: Option<f64>,
) -> Option<String> {
    let account = Account::new(decisions, earned?)?;
    let is_exact = decisions.iter().all(|decision| decision.met.is_none());
    let about = if is_exact { "" } else { "about " };
    let parts: Vec<String> = Cause::ALL
        .into_iter()
        .map(|cause| (account.total(cause), cause))
        .filter(|(part, _)| part.abs() >= 0.5)
        .map(|(part, cause)| format!("{part:+.0} {}", cause.words()))
        .collect();
    let Account { start, earned, .. } = account;
    let mut words =
        format!("The thief went from {about}{start:.0} ticks at the start to {earned:.0}");
    if !parts.is_empty() {
        words += ": ";
        words += &parts.join(", ");
    }
    words += ".";
    let has_lost = match played.state().standing {
        PursuitStatus::Caught(_) => seat == THIEF,
        PursuitStatus::Escaped(_) => seat == COPS,
        PursuitStatus::Running | PursuitStatus::Survived => false,
    };
    if has_lost && let Some(why) = loss(&account, decisions, seat) {
        words += "\n";
        words += &why;
    }
    Some(words)
}

/// With what a side lost most, and the plan with which most of that went.
fn loss(account: &Account, decisions: &[Decision], seat: Seat) -> Option<String> {
    let sign = if seat == THIEF { -1.0 } else { 1.0 };
    let own = if seat == THIEF { Cause::Thief } else { Cause::Cops };
    let causes = [own, Cause::Met, Cause::Rest];
    let cause = causes
        .into_iter()
        .max_by(|&a, &b| (sign * account.total(a)).total_cmp(&(sign * account.total(b))))?;
    let (at, _) = account
        .turns
        .iter()
        .enumerate()
        .max_by(|(_, a), (_, b)| (sign * a.of(cause)).total_cmp(&(sign * b.of(cause))))?;
    let decision = &decisions[at];
    let made = &decision.moves[seat.index()];
    let which = match decisions.len() {
        1 => "its only plan".to_owned(),
        plans => format!("plan {} of {plans}", at + 1),
    };
    let but = if made.is_mistake() { "" } else { ", though it was as good as any" };
    let (others, ended) = match seat {
        THIEF => ("the cops", "the thief was caught"),
        _ => ("the thief", "the thief got out"),
    };
    let share = |odds: Odds| percent(if seat == THIEF { odds.caught } else { odds.escaped });
    Some(match (cause, &decision.met) {
        (Cause::Thief | Cause::Cops, _) => {
            format!(
                "Most went with plans that were not the best ones, above all {which}: it {}.",
                made.note
            )
        }
        (Cause::Met, Some(known)) => format!(
            "Most went where the plans met, above all {which}{but}: with it {ended} in {} of the cases, and in {} \
             against the plan that {others} made.",
            share(known.made[seat.index()]),
            share(known.odds)
        ),
        (Cause::Met, None) => {
            format!(
                "Most went where the steps met, above all {which}{but}: {others} guessed right."
            )
        }
        (Cause::Rest, _) => format!(
            "Most went after the plans were made, above all {which}{but}: walls and gates decided, or what no estimate \
             foresaw."
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use outwit_core::grid::Cell;

    fn made(before: f64, cost: f64, note: &str) -> MoveReview {
        MoveReview {
            turn: 0,
            cell: Cell::new(0, 0),
            before: Some(before),
            after: Some(before - cost),
            cost: Some(cost),
            margin: None,
            note: note.into(),
            made: None,
            better: None,
        }
    }

    /// Two plans of each side; the first is worth 100 to the thief, and the second 95 at best.
    fn decisions(costs: [f64; 2], met: f64) -> Vec<Decision> {
        let odds = |caught: f64| Odds { caught, escaped: 0.0 };
        let decision = |value: f64, [thief, cops]: [f64; 2], met: f64| Decision {
            moves: [
                made(value, thief, "gives up about 60 ticks"),
                made(-value, cops, "gives up a few ticks"),
            ],
            met: Some(Met { pays: met, odds: odds(0.75), made: [odds(0.25), odds(0.5)] }),
        };
        vec![decision(100.0, [0.0, 0.0], 98.0), decision(95.0, costs, met)]
    }

    fn why(costs: [f64; 2], met: f64) -> String {
        let decisions = decisions(costs, met);
        let account = Account::new(&decisions, 20.0).unwrap();
        assert_eq!(
            account.start + account.turns.iter().map(|parts| parts.sum()).sum::<f64>(),
            20.0
        );
        loss(&account, &decisions, THIEF).unwrap()
    }

    #[test]
    fn the_parts_are_those_of_their_causes() {
        let account = Account::new(&decisions([60.0, 10.0], 30.0), 20.0).unwrap();
        let first = Parts { thief: 0.0, cops: 0.0, met: -2.0, rest: -3.0 };
        let second = Parts { thief: -60.0, cops: 10.0, met: -15.0, rest: -10.0 };
        assert_eq!(account.turns, [first, second]);
        // Where nothing is left to chance, the next value says what both plans came to.
        let mut exact = decisions([0.0, 0.0], 90.0);
        exact.iter_mut().for_each(|decision| decision.met = None);
        let account = Account::new(&exact, 20.0).unwrap();
        assert_eq!(account.turns[1], Parts { met: -75.0, ..Parts::default() });
        let words = loss(&account, &exact, THIEF).unwrap();
        assert!(words.ends_with("the cops guessed right."), "{words}");
    }

    #[test]
    fn the_loser_reads_with_what_most_was_lost() {
        assert_eq!(
            why([60.0, 0.0], 30.0),
            "Most went with plans that were not the best ones, above all plan 2 of 2: it gives up about 60 ticks."
        );
        assert_eq!(
            why([0.0, 0.0], 25.0),
            "Most went where the plans met, above all plan 2 of 2, though it was as good as any: with it the thief was \
             caught in 25 % of the cases, and in 75 % against the plan that the cops made."
        );
        let by_chance = why([0.0, 0.0], 90.0);
        assert!(by_chance.contains("walls and gates decided"), "{by_chance}");
    }
}
