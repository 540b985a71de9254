//! What can be said of a match while it is watched: who is ahead, what mattered, and where it turned.
//!
//! Everything here follows from figures that go with it, so every sentence can be checked. Nothing depends
//! on the machine or on time: the same match gives the same commentary.

use super::spec::GameSpec;
use outwit_core::grid::Cell;
use outwit_core::platform::parallel;
use outwit_core::play::{Match, Seat, StopFlag};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// What can be said of a match while it is watched.
pub struct CommentarySpec<G: GameSpec> {
    /// How things stand after so many turns. Bounded by work and not by time, so that it is the same on
    /// every machine; it looks at no later turn, so it is the same whatever follows. It may take a good
    /// part of a second: call it in the background.
    ///
    /// `None` if the flag was raised, if there were not so many turns, or if that turn has no outlook of its
    /// own: the last known one holds there.
    pub outlook: OutlookAfter<G>,
    /// What is worth saying of a turn that was played, by its index, given the outlooks known so far by
    /// number of turns; those after later turns are not looked at. The heaviest first, mostly none at all.
    /// Takes some milliseconds at most on boards of usual size.
    pub remarks: RemarksOn<G>,
}

/// How things stand after so many turns; see [`CommentarySpec::outlook`].
pub type OutlookAfter<G> = fn(&Match<G>, usize, &StopFlag) -> Option<Outlook>;

/// What is worth saying of a turn; see [`CommentarySpec::remarks`].
pub type RemarksOn<G> = fn(&Match<G>, usize, &BTreeMap<usize, Outlook>) -> Vec<Remark>;

/// How things stand.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Outlook {
    /// What each seat can expect.
    pub seats: Vec<Expectation>,
    /// How a bar is divided among the seats: each from 0 to 1, all together 1. What a share means is the
    /// game's to say; more is better for the seat in all of them.
    pub shares: Vec<f64>,
}

/// What a seat can expect.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Expectation {
    /// The result to expect, in the unit of the game's review; `None` if it is hopeless.
    pub value: Option<f64>,
    /// Half the width of the 95 % interval around it; 0 where it is exact.
    pub margin: f64,
    /// The same of what differs from one position of a match to the next. Where it is less than the margin, the
    /// rest is what the method may be off by in all of them alike.
    #[serde(skip)]
    pub noise: f64,
}

impl Expectation {
    /// A value with a margin that no other position shares.
    pub fn within(value: Option<f64>, margin: f64) -> Self {
        Self { value, margin, noise: margin }
    }

    /// A value that is known for certain.
    pub fn exact(value: f64) -> Self {
        Self::within(Some(value), 0.0)
    }

    /// Whether it differs from an earlier one by more than the noise of both together.
    pub fn is_clearly_other(&self, earlier: &Self) -> bool {
        match (self.value, earlier.value) {
            (Some(now), Some(then)) => (now - then).abs() > self.noise + earlier.noise,
            (now, then) => now.is_some() != then.is_some(),
        }
    }
}

/// A sentence on a turn, with what it follows from.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Remark {
    /// Index of the turn that it is about.
    pub turn: usize,
    /// Whom it is about; `None` if nobody in particular.
    pub seat: Option<Seat>,
    /// The sentence, without a full stop.
    pub words: String,
    /// The figures from which it follows, each with its name.
    pub figures: Vec<(String, f64)>,
    /// Where it happened, to be shown on the board.
    pub cells: Vec<Cell>,
    /// How much it matters, from 0 to 1.
    pub weight: f32,
}

/// A part of a match in which the shares changed clearly.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Swing {
    /// Number of turns after which things still stood as before.
    pub since: usize,
    /// Number of turns after which they had changed.
    pub turn: usize,
    /// The seat that gained most.
    pub seat: Seat,
    /// Its share before.
    pub from: f64,
    /// Its share after.
    pub to: f64,
}

/// All that can be said of a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Commentary {
    /// How things stood, by number of turns.
    pub outlooks: BTreeMap<usize, Outlook>,
    /// What was worth saying, in the order of the turns; of a turn the heaviest first.
    pub remarks: Vec<Remark>,
    /// Its turning points, the largest first.
    pub swings: Vec<Swing>,
}

/// Turning points of a match that are named.
const MOST_SWINGS: usize = 5;

/// Changes of a share below this are no turning points, however certain they are.
const LEAST_SWING: f64 = 0.05;

/// All outlooks and remarks of a match; `None` if the game has no commentary or `stop` was raised.
///
/// Each turn is told what was known when it had just been played, so this says what was said live.
pub fn commentary<G: GameSpec>(played: &Match<G>, stop: &StopFlag) -> Option<Commentary> {
    let spec = G::COMMENTARY?;
    let turns: Vec<usize> = (0..=played.len()).collect();
    let found: Vec<Option<(usize, Outlook)>> = parallel::map(&turns, |&turn| {
        (spec.outlook)(played, turn, stop).map(|outlook| (turn, outlook))
    });
    let outlooks: BTreeMap<usize, Outlook> = found.into_iter().flatten().collect();
    let mut known = BTreeMap::new();
    let mut remarks = Vec::new();
    known.extend(outlooks.get(&0).map(|outlook| (0, outlook.clone())));
    for turn in 0..played.len() {
        if stop.is_raised() {
            return None;
        }
        known.extend(outlooks.get(&(turn + 1)).map(|outlook| (turn + 1, outlook.clone())));
        remarks.extend((spec.remarks)(played, turn, &known));
    }
    let swings = turning_points(&outlooks, MOST_SWINGS);
    (!stop.is_raised()).then_some(Commentary { outlooks, remarks, swings })
}

/// The turning points: changes of the shares from one outlook to the next, the largest first, at most
/// `most`. Only those count in which the value of some seat changed by more than the margins before and
/// after together.
pub fn turning_points(outlooks: &BTreeMap<usize, Outlook>, most: usize) -> Vec<Swing> {
    let pairs = outlooks.iter().zip(outlooks.iter().skip(1));
    let mut swings: Vec<Swing> = pairs
        .filter_map(|((&since, before), (&turn, after))| swing((since, before), (turn, after)))
        .collect();
    swings.sort_by(|a, b| (b.to - b.from).total_cmp(&(a.to - a.from)).then(a.turn.cmp(&b.turn)));
    swings.truncate(most);
    swings
}

/// The stretches of a match of so many turns around its turning points, in the order in which they are shown: from
/// before the change until shortly after it. None overlap.
pub fn highlights(swings: &[Swing], turns: usize) -> Vec<RangeInclusive<usize>> {
    /// Turns that are shown after a turning point.
    const AFTERMATH: usize = 2;
    let ends = swings.iter().map(|swing| (swing.since, (swing.turn + AFTERMATH).min(turns)));
    let mut ends: Vec<(usize, usize)> = ends.filter(|(from, to)| from <= to).collect();
    ends.sort_unstable();
    ends.dedup_by(|next, before| {
        let joined = next.0 <= before.1;
        before.1 = if joined { before.1.max(next.1) } else { before.1 };
        joined
    });
    ends.into_iter().map(|(from, to)| from..=to).collect()
}

/// The change from one outlook to the next, if it is large and clear.
fn swing((since, before): (usize, &Outlook), (turn, after): (usize, &Outlook)) -> Option<Swing> {
    let mut seats = after.seats.iter().zip(&before.seats);
    if !seats.any(|(now, then)| now.is_clearly_other(then)) {
        return None;
    }
    let shares = before.shares.iter().zip(&after.shares).zip(0..);
    let gains =
        shares.map(|((&from, &to), seat)| Swing { since, turn, seat: Seat(seat), from, to });
    let gains = gains.filter(|swing| swing.to - swing.from >= LEAST_SWING);
    gains.max_by(|a, b| (a.to - a.from).total_cmp(&(b.to - b.from)))
}

/// The remarks of a turn that are worth saying, the heaviest first, at most so many: each sentence once.
#[must_use]
pub fn heaviest(mut remarks: Vec<Remark>, most: usize) -> Vec<Remark> {
    remarks.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let mut said: Vec<Remark> = Vec::new();
    for remark in remarks {
        if said.len() < most && said.iter().all(|other| other.words != remark.words) {
            said.push(remark);
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlook(value: f64, margin: f64, share: f64) -> Outlook {
        let seats = [value, -value].map(|value| Expectation::within(Some(value), margin));
        Outlook { seats: seats.into(), shares: vec![share, 1.0 - share] }
    }

    #[test]
    fn highlights_are_in_order_and_do_not_overlap() {
        let at = |since, turn| Swing { since, turn, seat: Seat(0), from: 0.2, to: 0.8 };
        let swings = [at(20, 25), at(4, 6), at(8, 9), at(39, 40)];
        assert_eq!(highlights(&swings, 40), [4..=11, 20..=27, 39..=40]);
        assert!(highlights(&[], 40).is_empty());
        assert!(highlights(&swings[..1], 10).is_empty(), "a shorter match has no such turns");
    }

    #[test]
    fn turning_points_are_large_and_clear() {
        let outlooks: BTreeMap<usize, Outlook> = [
            (0, outlook(10.0, 2.0, 0.5)),
            // Large, but within the margins.
            (5, outlook(13.0, 2.0, 0.6)),
            // The cops gain most.
            (10, outlook(3.0, 1.0, 0.2)),
            (15, outlook(9.0, 1.0, 0.4)),
            // Clear, but small.
            (20, outlook(12.0, 0.5, 0.41)),
        ]
        .into();
        let found = turning_points(&outlooks, 5);
        assert_eq!(found.iter().map(|swing| swing.turn).collect::<Vec<_>>(), [10, 15]);
        assert_eq!((found[0].since, found[0].seat, found[0].from), (5, Seat(1), 0.4));
        assert_eq!((found[1].seat, found[1].to), (Seat(0), 0.4));
        assert_eq!(turning_points(&outlooks, 1), found[..1]);
        assert!(turning_points(&BTreeMap::new(), 3).is_empty());
    }

    #[test]
    fn hopeless_is_clear() {
        let none = Expectation::within(None, 0.0);
        let some = Expectation::within(Some(3.0), 9.0);
        assert!(none.is_clearly_other(&some) && some.is_clearly_other(&none));
        assert!(!none.is_clearly_other(&none) && !some.is_clearly_other(&some));
    }

    #[test]
    fn the_heaviest_remarks_come_first_and_once() {
        let remark = |words: &str, weight| Remark {
            turn: 0,
            seat: None,
            words: words.into(),
            figures: vec![],
            cells: vec![],
            weight,
        };
        let all = vec![remark("a", 0.1), remark("b", 0.9), remark("b", 0.8), remark("c", 0.5)];
        let words: Vec<_> = heaviest(all, 2).into_iter().map(|remark| remark.words).collect();
        assert_eq!(words, ["b", "c"]);
    }
}
