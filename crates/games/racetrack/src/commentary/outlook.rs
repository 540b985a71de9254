//! When each car will finish if it goes on perfectly, by the exact table.

use super::super::RaceTime;
use super::super::exact::ExactTable;
use super::super::rules::{Car, CarStatus, Racetrack};
use super::super::track::Track;
use outwit_core::play::{Game, Match, StopFlag};
use outwit_kit::{Expectation, Outlook};

/// The time with which a car will finish if it goes on perfectly, others aside; `None` if it cannot.
fn expected(table: &ExactTable, track: &Track, car: &Car) -> Option<RaceTime> {
    match car.standing {
        CarStatus::Racing => {
            let left = table.time(track, car.cell, car.velocity, car.progress)?;
            Some(left.after(car.turns))
        }
        CarStatus::Finished { .. } => Racetrack::race_time(car),
        CarStatus::Out(_) => None,
    }
}

/// How things stand after so many turns; `None` if there were not so many, the track is too large for the
/// table, or `stop` was raised while it was made.
///
/// The value of a car is its time in turns if it goes on perfectly, exact as long as no other car is in
/// its way; `None` once it cannot finish. Since it counts the turns that a car has spent, cars compare
/// whoever has moved last. While a race goes on, the shares are in proportion to 1/(1+g)², where g is how
/// many turns a car is behind the one that is ahead; when it is over, those in the first place share alike.
pub fn outlook(played: &Match<Racetrack>, turns: usize, stop: &StopFlag) -> Option<Outlook> {
    let game = played.game();
    let race = played.state_at(turns)?;
    if stop.is_raised() {
        return None;
    }
    let table = game.exact_table(&stop.check()).ok()?;
    let times: Vec<Option<f64>> = race
        .cars
        .iter()
        .map(|car| expected(&table, game.track(), car).map(RaceTime::in_turns))
        .collect();
    let weights: Vec<f64> = match game.outcome(race) {
        Some(over) => {
            over.places.iter().map(|place| f64::from(u8::from(place.rank == 1))).collect()
        }
        None => weights(&times),
    };
    let sum: f64 = weights.iter().sum();
    let seats = times.iter().map(|&value| Expectation::within(value, 0.0)).collect();
    Some(Outlook { seats, shares: weights.iter().map(|weight| weight / sum).collect() })
}

/// The weights of cars with these times; all the same if none can finish.
fn weights(times: &[Option<f64>]) -> Vec<f64> {
    let Some(first) = times.iter().flatten().copied().reduce(f64::min) else {
        return vec![1.0; times.len()];
    };
    times.iter().map(|time| time.map_or(0.0, |time| 1.0 / (1.0 + time - first).powi(2))).collect()
}
