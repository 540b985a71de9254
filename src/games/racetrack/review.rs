//! What each move of a race cost against perfect driving, by the exact table.

use super::TURNS;
use super::exact::{ExactTable, Outlook};
use super::rules::{CarStatus, Race, Racetrack};
use crate::play::{Better, Game, Match, MoveReview, Review, Seat, SeatReview, Series, StopFlag};

/// Reviews every car; `None` if the track is too large for the table or `stop` was raised.
pub fn review(played: &Match<Racetrack>, stop: &StopFlag) -> Option<Review> {
    let table = ExactTable::shared(played.game().track(), &stop.check()).ok()?;
    let seats = (0..played.game().seats() as u8).map(|s| review_seat(played, &table, Seat(s)));
    Some(Review { unit: TURNS, better: Better::Lower, seats: seats.collect() })
}

fn review_seat(played: &Match<Racetrack>, table: &ExactTable, seat: Seat) -> SeatReview {
    let track = played.game().track();
    let car = |race: &Race| race.cars[seat.index()];
    let mut moves = Vec::new();
    let mut speeds = vec![[0.0, 0.0]];
    for (turn, (state, done)) in played.states().iter().zip(played.turns()).enumerate() {
        let Some((_, action)) = done.actions.iter().find(|(mover, _)| *mover == seat) else {
            continue;
        };
        let (here, after) = (car(state), car(&played.states()[turn + 1]));
        let before = table.turns(here.cell, here.velocity, here.progress);
        let driven = here.velocity + action.0;
        let outlook = table.outlook(track, here.cell, driven, here.progress);
        let total = outlook.total(track.penalty());
        // A car that was boxed in stood still, whatever it chose.
        let boxed_in = after.cell == here.cell && driven.norm_squared() > 0;
        let cost = match (before, total) {
            (Some(before), Some(total)) => Some(f64::from(total) - f64::from(before)),
            (None, _) => Some(0.0),
            (Some(_), None) => None,
        };
        let note = match (outlook, before, cost) {
            (Outlook::Finishes, _, Some(0.0)) => "over the finish",
            (_, None, _) => "nothing left to lose",
            (Outlook::Crashes(_), _, _) => "off the track",
            (Outlook::Doomed, ..) => "no way to avoid a crash after this",
            (_, _, Some(0.0)) => "as good as any",
            _ if boxed_in => "held up by another car",
            _ => "a better move was there",
        };
        moves.push(MoveReview {
            turn,
            cell: here.cell,
            before: before.map(f64::from),
            after: total.map(|total| f64::from(total) - 1.0),
            cost,
            note: note.into(),
        });
        speeds.push([f64::from(after.turns), speed(driven)]);
    }
    let start = car(&played.states()[0]);
    let line = table.line(track, start.cell, start.velocity, start.progress);
    let optimal = std::iter::once([0.0, 0.0])
        .chain(line.iter().zip(1..).map(|(&v, turn)| [f64::from(turn), speed(v)]))
        .collect();
    let end = car(played.state());
    SeatReview {
        seat,
        moves,
        perfect: table.turns(start.cell, start.velocity, start.progress).map(f64::from),
        reached: matches!(end.standing, CarStatus::Finished { .. }).then(|| f64::from(end.turns)),
        series: vec![
            Series { name: "speed driven".into(), points: speeds },
            Series { name: "speed of a perfect race".into(), points: optimal },
        ],
    }
}

fn speed(velocity: crate::grid::Cell) -> f64 {
    f64::from(velocity.norm_squared()).sqrt()
}
