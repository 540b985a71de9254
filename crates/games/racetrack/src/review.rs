//! What each move of a race cost against perfect driving, by the exact table.

use super::exact::{ExactTable, MoveOutlook};
use super::rules::{Car, Race, RaceEvent, Racetrack};
use super::{RaceTime, TURNS, Track, vector_words};
use outwit_core::grid::Cell;
use outwit_core::play::{
    Better, Game, Match, MoveReview, Review, ReviewedChoice, Seat, SeatReview, Series, StopFlag,
};
use std::cmp::Ordering;

/// Reviews every car; `None` if the track is too large for the table or `stop` was raised.
///
/// Values are times: whole turns and the fraction of the last one. A move costs what it lost against
/// the best one that was allowed; where other cars were in the way, that is their doing.
pub fn review(played: &Match<Racetrack>, stop: &StopFlag) -> Option<Review> {
    let table = played.game().exact_table(&stop.check()).ok()?;
    let seats = (0..played.game().seats() as u8).map(|s| review_seat(played, &table, Seat(s)));
    Some(Review { unit: TURNS, better: Better::Lower, seats: seats.collect() })
}

fn review_seat(played: &Match<Racetrack>, table: &ExactTable, seat: Seat) -> SeatReview {
    let track = played.game().track();
    let car = |race: &Race| race.cars[seat.index()];
    let mut moves = Vec::new();
    let mut speeds = vec![[0.0, 0.0]];
    for (turn, state) in played.states().iter().take(played.turns().len()).enumerate() {
        if let Some(made) = review_move(played, table, seat, turn, state) {
            moves.push(made);
            let after = car(&played.states()[turn + 1]);
            speeds.push([f64::from(after.turns), speed(after.velocity)]);
        }
    }
    let start = car(&played.states()[0]);
    let line = table.line(track, start.cell, start.velocity, start.progress);
    let optimal = std::iter::once([0.0, 0.0])
        .chain(line.iter().zip(1..).map(|(made, turn)| [f64::from(turn), speed(made.driven)]))
        .collect();
    let perfect = table.time(track, start.cell, start.velocity, start.progress);
    SeatReview {
        seat,
        moves,
        perfect: perfect.map(RaceTime::in_turns),
        reached: Racetrack::time(&car(played.state())),
        summary: None,
        series: vec![
            Series { name: "speed driven".into(), points: speeds },
            Series { name: "speed of a perfect race".into(), points: optimal },
        ],
    }
}

/// What a seat's move of a turn cost; `None` if it made none.
pub(super) fn review_move(
    played: &Match<Racetrack>,
    table: &ExactTable,
    seat: Seat,
    turn: usize,
    state: &Race,
) -> Option<MoveReview> {
    let game = played.game();
    let done = &played.turns()[turn];
    let (_, action) = done.actions.iter().find(|(mover, _)| *mover == seat)?;
    let track = game.track();
    let car = state.cars[seat.index()];
    let time_by = |velocity| table.time_by(track, car.cell, velocity, car.progress);
    let driven = car.velocity + action.0;
    let before = table.time(track, car.cell, car.velocity, car.progress);
    // A car that was boxed in stood still, whatever it chose.
    let boxed_in = done.events.contains(&RaceEvent::BoxedIn { seat });
    let (after, outlook) = if boxed_in {
        let stopped = table.time(track, car.cell, Default::default(), car.progress);
        let outlook = stopped.map_or(MoveOutlook::Doomed, |time| MoveOutlook::Leads(time.turns));
        (stopped.map(|time| time.after(1)), outlook)
    } else {
        (time_by(driven), table.outlook(track, car.cell, driven, car.progress))
    };
    let choices = game.choices(state, seat).into_iter();
    let allowed = choices.filter_map(|choice| time_by(car.velocity + choice.0)).min();
    let cost = match (allowed, after) {
        _ if boxed_in => Some(0.0),
        (None, _) => Some(0.0),
        (Some(_), None) => None,
        (Some(allowed), Some(after)) if after <= allowed => Some(0.0),
        (Some(allowed), Some(after)) => Some(after.in_turns() - allowed.in_turns()),
    };
    let held_up = boxed_in || before.is_some() && allowed != before;
    let better =
        (!matches!(cost, Some(0.0))).then(|| better_choice(game, table, seat, state)).flatten();
    let note = match (outlook, cost) {
        (MoveOutlook::Finishes, Some(0.0)) => "over the finish",
        _ if before.is_none() => "nothing left to lose",
        (_, Some(0.0)) if held_up => "held up by another car",
        (MoveOutlook::Crashes(_), _) => "off the track",
        (MoveOutlook::Doomed, _) => "after this, a crash was unavoidable",
        (_, Some(0.0)) => "as good as any",
        (_, Some(cost)) if cost < 1.0 => "less than 1 turn lost",
        (_, Some(1.0)) => "1 turn lost",
        (_, Some(cost)) => &format!("{} turns lost", (100.0 * cost).round() / 100.0),
        (_, None) => "there was a better move",
    };
    Some(MoveReview {
        turn,
        cell: car.cell,
        before: before.map(RaceTime::in_turns),
        after: after.map(|time| time.in_turns() - 1.0),
        cost,
        margin: None,
        note: note.into(),
        made: (!boxed_in).then(|| choice(track, car, action.0, outlook)),
        better,
    })
}

/// A best of the choices of a seat.
fn better_choice(
    game: &Racetrack,
    table: &ExactTable,
    seat: Seat,
    state: &Race,
) -> Option<ReviewedChoice> {
    let track = game.track();
    let car = state.cars[seat.index()];
    let choices = game.choices(state, seat).into_iter().map(|choice| choice.0);
    let (best, outlook) = table.best_of(track, car.cell, car.velocity, car.progress, choices)?;
    Some(choice(track, car, best, outlook))
}

/// A choice of a car: what happens to its speed, and where it leads.
fn choice(track: &Track, car: Car, push: Cell, outlook: MoveOutlook) -> ReviewedChoice {
    let driven = car.velocity + push;
    let what = match driven.norm_squared().cmp(&car.velocity.norm_squared()) {
        Ordering::Less => "brake",
        Ordering::Equal => "hold the speed",
        Ordering::Greater => "accelerate",
    };
    let words = match vector_words(push) {
        None => "coast".into(),
        Some(way) => format!("{what} ({way})"),
    };
    let leads_to = match outlook.total(track.penalty()) {
        Some(1) => "over the finish".into(),
        Some(turns) => format!("{turns} turns to the finish"),
        None => "a crash".into(),
    };
    ReviewedChoice { words, leads_to, ways: vec![vec![car.cell, car.cell + driven]] }
}

/// Cells a turn, along the straight line.
pub(super) fn speed(velocity: outwit_core::grid::Cell) -> f64 {
    f64::from(velocity.norm_squared()).sqrt()
}
