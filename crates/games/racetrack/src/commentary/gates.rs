//! Remarks on cars that cross checkpoints, lines and the finish.

use super::super::level::Surface;
use super::super::rules::{CarStatus, RaceEvent, Racetrack};
use super::super::track::GatesPassed;
use super::{Scene, turns};
use outwit_core::play::{Match, Seat};
use outwit_kit::{Outlook, Remark};

/// Turns by which a leader must be ahead to be named.
const LEAST_LEAD: f64 = 0.05;

/// A gate that a car crossed in a turn.
#[derive(Clone, Copy)]
struct Crossing {
    turn: usize,
    seat: Seat,
    /// Gates crossed in all, this one included.
    progress: GatesPassed,
    /// Turns spent until then.
    turns: u32,
}

/// All gates that were crossed until a turn, this included, in order.
fn crossings(played: &Match<Racetrack>, until: usize) -> Vec<Crossing> {
    let mut all = Vec::new();
    let last = played.game().track().gates();
    for (turn, done) in played.turns().iter().enumerate().take(until + 1) {
        for event in &done.events {
            let (seat, progress) = match *event {
                RaceEvent::Passed { seat, progress } => (seat, progress),
                RaceEvent::Finished { seat } => (seat, last),
                _ => continue,
            };
            let car = played.state_at(turn + 1).and_then(|race| race.cars.get(seat.index()));
            all.extend(car.map(|car| Crossing { turn, seat, progress, turns: car.turns }));
        }
    }
    all
}

/// What is worth saying of the gates crossed in a turn.
pub fn remarks(scene: &Scene) -> Vec<Remark> {
    let crosses =
        |event: &RaceEvent| matches!(event, RaceEvent::Passed { .. } | RaceEvent::Finished { .. });
    if !scene.events.iter().any(crosses) {
        return Vec::new();
    }
    let all = crossings(scene.played, scene.turn);
    let mut found: Vec<Remark> = finish(scene).into_iter().collect();
    for crossing in all.iter().filter(|crossing| crossing.turn == scene.turn) {
        found.extend(sector(scene, &all, crossing));
        found.extend(lead(scene, &all, crossing));
    }
    found
}

/// The turns of a sector that ends with a crossing: from the crossing before it, or the start.
fn spent(all: &[Crossing], end: &Crossing) -> Option<u32> {
    let begins =
        all.iter().find(|other| other.seat == end.seat && other.progress + 1 == end.progress);
    match (begins, end.progress) {
        (Some(begins), _) => end.turns.checked_sub(begins.turns),
        (None, 1) => Some(end.turns),
        (None, _) => None,
    }
}

/// The fastest sector so far. That from the start is compared with its like only: later ones have a
/// flying start.
fn sector(scene: &Scene, all: &[Crossing], end: &Crossing) -> Option<Remark> {
    let track = scene.played.game().track();
    let number = |progress: GatesPassed| (progress - 1) % track.gates_per_lap() + 1;
    let own = spent(all, end)?;
    let best = all
        .iter()
        .filter(|other| {
            let same_start = (other.progress == 1) == (end.progress == 1);
            other.turn < end.turn && same_start && number(other.progress) == number(end.progress)
        })
        .filter_map(|other| spent(all, other))
        .min()?;
    // A track without checkpoints is one sector: its time is that of the race.
    if own >= best || track.checkpoints() == 0 {
        return None;
    }
    let who = scene.title(end.seat.index());
    let number = number(end.progress);
    let words = format!("{who} drives the fastest sector {number} so far: {}", turns(own.into()));
    let figures = [("turns", f64::from(own)), ("fastest before", f64::from(best))];
    Some(scene.remark(words, 0.4, &figures))
}

/// By how much a car is expected to finish before all others; `None` unless that is enough to be named.
fn lead_of(seat: Seat, outlook: &Outlook) -> Option<[f64; 2]> {
    let own = outlook.seats.get(seat.index())?.value?;
    let others = outlook.seats.iter().enumerate().filter(|(other, _)| *other != seat.index());
    let second = others.filter_map(|(_, expected)| expected.value).reduce(f64::min)?;
    (second - own >= LEAST_LEAD).then_some([own, second])
}

/// The first car at a gate, if it is also expected to finish first. Within a lap an equal lead is named
/// once.
fn lead(scene: &Scene, all: &[Crossing], end: &Crossing) -> Option<Remark> {
    let track = scene.played.game().track();
    let is_first = all.iter().all(|other| other.turn >= end.turn || other.progress < end.progress);
    if end.progress == track.gates() || !is_first {
        return None;
    }
    let [own, second] = lead_of(end.seat, scene.values.as_ref()?.after)?;
    let ahead = turns(second - own);
    let before = all.iter().find(|other| other.progress + 1 == end.progress);
    let before = before.and_then(|other| lead_of(end.seat, scene.known.get(&(other.turn + 1))?));
    let place = match track.next_gate(end.progress - 1)? {
        Surface::Checkpoint(_) if before.is_some_and(|[a, b]| turns(b - a) == ahead) => {
            return None;
        }
        Surface::Checkpoint(number) => format!("at checkpoint {number}"),
        _ => format!("after lap {}", end.progress / track.gates_per_lap()),
    };
    let words = format!("{} leads by {ahead} {place}", scene.title(end.seat.index()));
    let figures = [("its time expected", own), ("the second's", second)];
    Some(scene.remark(words, 0.35, &figures))
}

/// A car is over the finish.
fn finish(scene: &Scene) -> Option<Remark> {
    let car = scene.cars()?.1;
    if !matches!(car.standing, CarStatus::Finished { .. }) {
        return None;
    }
    let who = scene.title(scene.seat.index());
    let own = Racetrack::race_time(car)?;
    let others = scene.after.cars.iter().enumerate();
    let others = others.filter(|(seat, _)| *seat != scene.seat.index());
    let others = others.filter_map(|(seat, car)| Some((Racetrack::race_time(car)?, seat)));
    let best = others.min();
    let time = own.in_turns();
    let (words, second) = match best {
        None => (format!("{who} is over the finish after {}", turns(time)), None),
        Some((first, _)) if own < first => {
            (format!("{who} is over the finish and fastest so far"), Some(first))
        }
        Some((first, seat)) if own == first => {
            (format!("{who} finishes level with {}", scene.title(seat).to_lowercase()), Some(first))
        }
        Some((first, seat)) => {
            let behind = turns(time - first.in_turns());
            let whom = scene.title(seat).to_lowercase();
            (format!("{who} finishes {behind} behind {whom}"), Some(first))
        }
    };
    let second = second.map(|other| ("the fastest other's time", other.in_turns()));
    let figures: Vec<(&str, f64)> = std::iter::once(("its time", time)).chain(second).collect();
    Some(scene.remark(words, 1.0, &figures))
}
