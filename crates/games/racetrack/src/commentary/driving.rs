//! Remarks on what a move lost, on crashes, and on who is ahead of whom.

use super::super::review::{review_move, speed};
use super::super::rules::{CarStatus, RaceEvent};
use super::{Scene, Values, turns};
use outwit_kit::Remark;

/// Turns that a move must lose to be named.
const LEAST_LOSS: f64 = 1.0;
/// Turns by which a car must be behind to have fallen behind.
const LEAST_GAP: f64 = 0.25;

/// Whatever went wrong in a move.
pub fn remarks(scene: &Scene) -> Vec<Remark> {
    let crash = crash(scene).or_else(|| doomed(scene));
    crash.or_else(|| held_up(scene).or_else(|| loss(scene))).into_iter().collect()
}

/// Leaving the track, or the end of all turns.
fn crash(scene: &Scene) -> Option<Remark> {
    let (before, after) = scene.cars()?;
    let who = scene.title(scene.seat.index());
    if scene.events.iter().any(|event| matches!(event, RaceEvent::TimedOut { .. })) {
        let figures = [("turns", f64::from(after.turns))];
        return Some(scene.remark(format!("{who} runs out of turns"), 0.95, &figures));
    }
    let at = scene.events.iter().find_map(|event| match event {
        RaceEvent::Crashed { at, .. } => Some(*at),
        _ => None,
    })?;
    let driven = scene.events.iter().find_map(|event| match event {
        RaceEvent::Moved { from, to, .. } => Some(*to - *from),
        _ => None,
    })?;
    let speed = ("speed", speed(driven));
    let what = match scene.played.game().track().meets_sand(before.cell, driven) {
        true => "drives onto sand too fast",
        false => "leaves the track",
    };
    let remark = if matches!(after.standing, CarStatus::Out(_)) {
        scene.remark(format!("{who} {what} and is out"), 0.95, &[speed])
    } else {
        let spent = f64::from(after.turns - before.turns);
        let words = format!("{who} {what}, which takes {}", turns(spent));
        scene.remark(words, 0.85, &[("turns spent", spent), speed])
    };
    Some(Remark { cells: vec![before.cell, at], ..remark })
}

/// It could still finish before the move and cannot any more.
fn doomed(scene: &Scene) -> Option<Remark> {
    let Values { before, after, .. } = scene.values.as_ref()?;
    let seat = scene.seat.index();
    let was = before.seats.get(seat)?.value?;
    if after.seats.get(seat)?.value.is_some() {
        return None;
    }
    let words = format!("{} can no longer avoid a crash", scene.title(seat));
    let speed = speed(scene.cars()?.1.velocity);
    Some(scene.remark(words, 0.9, &[("time expected before", was), ("speed", speed)]))
}

/// Others were in the way of every move that would have lost nothing.
fn held_up(scene: &Scene) -> Option<Remark> {
    let Values { before, after, table } = scene.values.as_ref()?;
    let seat = scene.seat.index();
    let was = before.seats.get(seat)?.value?;
    let is = after.seats.get(seat)?.value?;
    let made = review_move(scene.played, table, scene.seat, scene.turn, scene.before)?;
    if made.cost != Some(0.0) || is - was < LEAST_LOSS {
        return None;
    }
    let boxed_in = scene.events.iter().any(|event| matches!(event, RaceEvent::BoxedIn { .. }));
    let how = if boxed_in { "boxed in" } else { "held up" };
    let words = format!("{} is {how} and loses {}", scene.title(seat), turns(is - was));
    let figures = [("turns lost", is - was), ("time expected now", is)];
    Some(scene.remark(words, weight(is - was), &figures))
}

fn weight(lost: f64) -> f32 {
    (0.45 + 0.05 * lost as f32).min(0.8)
}

/// What a move lost against the best that was allowed.
fn loss(scene: &Scene) -> Option<Remark> {
    let Values { table, after, .. } = scene.values.as_ref()?;
    let seat = scene.seat.index();
    let made = review_move(scene.played, table, scene.seat, scene.turn, scene.before)?;
    let lost = made.cost.filter(|cost| *cost >= LEAST_LOSS)?;
    let (car, now) = scene.cars()?;
    let game = scene.played.game();
    let time = |velocity| table.time_by(game.track(), car.cell, velocity, car.progress);
    let choices = game.choices(scene.before, scene.seat).into_iter();
    let velocities: Vec<_> = choices.map(|choice| car.velocity + choice.0).collect();
    let least = velocities.iter().filter_map(|&velocity| time(velocity)).min()?;
    let best = velocities.iter().filter(|&&velocity| time(velocity) == Some(least));
    let best: Vec<i32> = best.map(|velocity| velocity.norm_squared()).collect();
    let slowest = *best.iter().min()?;
    let fastest = *best.iter().max()?;
    let driven = now.velocity.norm_squared();
    let who = scene.title(seat);
    let how = if fastest < driven && fastest < car.velocity.norm_squared() {
        "brakes too late"
    } else if fastest < driven {
        "is too fast here"
    } else if slowest > driven {
        "is too slow here"
    } else {
        "drives a worse line"
    };
    let root = |squared: i32| f64::from(squared).sqrt();
    let figures = [
        ("turns lost", lost),
        ("speed before", root(car.velocity.norm_squared())),
        ("speed driven", root(driven)),
        ("least speed of the best moves", root(slowest)),
        ("greatest speed of the best moves", root(fastest)),
        ("time expected now", after.seats.get(seat)?.value?),
    ];
    Some(scene.remark(format!("{who} {how} and loses {}", turns(lost)), weight(lost), &figures))
}

/// That the car that moved fell behind another one, with both seats; if behind several, the nearest ahead
/// of it. A car that can no longer finish is behind nobody: that is said otherwise.
pub fn order(scene: &Scene) -> Option<(Remark, (usize, usize))> {
    let Values { before, after, .. } = scene.values.as_ref()?;
    let seat = scene.seat.index();
    let time = |outlook: &outwit_kit::Outlook, seat: usize| outlook.seats.get(seat)?.value;
    let was = time(before, seat)?;
    let is = time(after, seat)?;
    let passed = (0..after.seats.len()).filter_map(|other| {
        let theirs = time(after, other).filter(|_| other != seat)?;
        let fell = was <= time(before, other)? && is - theirs >= LEAST_GAP;
        fell.then_some((other, theirs))
    });
    let passed: Vec<(usize, f64)> = passed.collect();
    let led =
        before.seats.iter().enumerate().all(|(other, expected)| {
            other == seat || expected.value.is_none_or(|theirs| was < theirs)
        });
    let leader = passed.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let nearest = passed.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (who, (other, theirs)) = (scene.title(seat), if led { leader } else { nearest });
    let whom = scene.title(other).to_lowercase();
    let (words, weight) = if led {
        (format!("{who} loses the lead to {whom}"), 0.8)
    } else {
        (format!("{who} falls behind {whom}"), 0.5)
    };
    let figures = [("its time before", was), ("its time now", is), ("the other's time", theirs)];
    Some((scene.remark(words, weight, &figures), (seat, other)))
}
