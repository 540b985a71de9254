//! What can be said of a race while it is watched.

mod driving;
mod gates;
mod outlook;

use super::exact::ExactTable;
use super::rules::{Car, Race, RaceEvent, Racetrack};
use outwit_core::play::{Game, Match, Seat};
use outwit_kit::{CommentarySpec, Outlook, Remark, heaviest};
use std::collections::BTreeMap;
use std::sync::Arc;

pub const SPEC: CommentarySpec<Racetrack> = CommentarySpec { outlook: outlook::outlook, remarks };

/// Remarks on a turn at most.
const MOST: usize = 2;

/// Moves of each car for which nothing is said again.
const QUIET: usize = 5;

/// One move of one car, with what the remarks look at.
struct Scene<'a> {
    played: &'a Match<Racetrack>,
    turn: usize,
    seat: Seat,
    before: &'a Race,
    after: &'a Race,
    events: &'a [RaceEvent],
    known: &'a BTreeMap<usize, Outlook>,
    /// Where both outlooks are known, and with them the table.
    values: Option<Values<'a>>,
}

/// What the positions before and after a move are worth.
struct Values<'a> {
    table: Arc<ExactTable>,
    before: &'a Outlook,
    after: &'a Outlook,
}

impl<'a> Scene<'a> {
    fn new(
        played: &'a Match<Racetrack>,
        turn: usize,
        known: &'a BTreeMap<usize, Outlook>,
    ) -> Option<Self> {
        let done = played.turns().get(turn)?;
        let values = || {
            let before = known.get(&turn)?;
            let after = known.get(&(turn + 1))?;
            // Whoever made the outlooks has made the table; it is not made here.
            let table = played.game().exact_table(&|| true).ok()?;
            Some(Values { table, before, after })
        };
        Some(Self {
            played,
            turn,
            seat: done.actions.first()?.0,
            before: played.state_at(turn)?,
            after: played.state_at(turn + 1)?,
            events: &done.events,
            known,
            values: values(),
        })
    }

    /// The car that moves, before and after.
    fn cars(&self) -> Option<(&Car, &Car)> {
        let seat = self.seat.index();
        Some((self.before.cars.get(seat)?, self.after.cars.get(seat)?))
    }

    /// What the seat is called in sentences.
    fn title(&self, seat: usize) -> String {
        Racetrack::SEATS.title(Seat(seat as u8))
    }

    /// A remark on the car that moves, where it now is.
    fn remark(&self, words: String, weight: f32, figures: &[(&str, f64)]) -> Remark {
        let cells = self.cars().map(|(before, after)| vec![before.cell, after.cell]);
        let figures = figures.iter().map(|&(name, value)| (name.to_owned(), value)).collect();
        let turn = self.turn;
        let seat = Some(self.seat);
        Remark { turn, seat, words, figures, cells: cells.unwrap_or_default(), weight }
    }
}

/// The two seats of a remark on the order, the one that fell behind first.
type Pair = (usize, usize);

/// Everything that could be said of a move; remarks on the order with their pair.
fn candidates(
    played: &Match<Racetrack>,
    turn: usize,
    known: &BTreeMap<usize, Outlook>,
) -> Vec<(Remark, Option<Pair>)> {
    let Some(scene) = Scene::new(played, turn, known) else { return Vec::new() };
    let own = driving::remarks(&scene).into_iter().chain(gates::remarks(&scene));
    let order = driving::order(&scene).map(|(remark, pair)| (remark, Some(pair)));
    own.map(|remark| (remark, None)).chain(order).collect()
}

/// What is worth saying of a move: nothing that was said of the last few, and not how the same two cars
/// change places again.
fn remarks(
    played: &Match<Racetrack>,
    turn: usize,
    known: &BTreeMap<usize, Outlook>,
) -> Vec<Remark> {
    let mut found = candidates(played, turn, known);
    if !found.is_empty() {
        let recent = turn.saturating_sub(QUIET * played.game().seats())..turn;
        let said: Vec<_> = recent.flat_map(|turn| candidates(played, turn, known)).collect();
        let sorted = |pair: Option<Pair>| pair.map(|(a, b)| (a.min(b), a.max(b)));
        found.retain(|(remark, pair)| {
            said.iter().all(|(other, theirs)| {
                remark.words != other.words && (pair.is_none() || sorted(*pair) != sorted(*theirs))
            })
        });
    }
    heaviest(found.into_iter().map(|(remark, _)| remark).collect(), MOST)
}

/// A number of turns as people say it, such as `2 turns` or `1.4 turns`.
fn turns(count: f64) -> String {
    let tenths = format!("{count:.1}");
    if count > 0.0 && tenths == "0.0" {
        return "less than 0.1 turns".into();
    }
    match tenths.strip_suffix(".0") {
        Some("1") => "1 turn".into(),
        Some(whole) => format!("{whole} turns"),
        None => format!("{tenths} turns"),
    }
}

#[cfg(test)]
mod tests;
