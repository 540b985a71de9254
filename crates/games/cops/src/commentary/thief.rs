//! Remarks on the thief: its room, its way and that of the cops to it, what stops it, and the end.

use super::gate_run::{FAR, Streets, gate_name};
use super::{Scene, Topic, with};
use crate::rules::{COPS, CopsEvent, Piece, Pursuit, PursuitStatus, THIEF};
use outwit_kit::Remark;

/// Steps by which a wall changes the way out at least to be named.
const LEAST_DETOUR: u32 = 4;
/// Ticks without a step that count as waiting.
const LEAST_WAIT: usize = 2;
/// By this factor it was larger before, to be worth a sentence.
const LEAST_LOSS: f32 = 1.25;
/// Steps to a gate from which on a capture is said to be near it.
const NEAR_GATE: u32 = 2;
/// Cells where the thief gets first, of which no more are left to one that is cornered.
const CORNERED: usize = 3;
/// Letters of the thief and the place, so that the sentence fits below the board.
const MOST_PLACE: usize = 38;
/// The thief has little room where one cell of the floor in so many is its own.
const LITTLE_ROOM: usize = 25;

/// How it ended, where the rules ended it.
pub fn ending(scene: &Scene) -> Option<Remark> {
    let ticks = scene.board.rules().ticks;
    let pays = scene.standing.payoff(ticks)?;
    let thief = scene.after.thief;
    let mut figures = vec![("thief's payoff".to_owned(), pays)];
    let (seat, words) = match scene.standing {
        PursuitStatus::Caught(tick) => {
            let cop = scene.events.iter().find_map(|event| match event {
                CopsEvent::Captured { cop, .. } => Some(*cop),
                _ => None,
            })?;
            let (whom, figure) = caught(scene);
            figures.extend(figure);
            (COPS, format!("Cop {} catches {whom} in tick {}", cop + 1, tick + 1))
        }
        PursuitStatus::Escaped(tick) => {
            let gates = &scene.after.gates;
            let gate = gates.iter().position(|&gate| scene.board.is_gate(&[gate], thief))?;
            let name = gate_name(scene.board, gates, gate);
            (THIEF, format!("The thief escapes through {name} in tick {}", tick + 1))
        }
        PursuitStatus::Survived => (THIEF, format!("The thief holds out all {ticks} ticks")),
        PursuitStatus::Running => return None,
    };
    Some(Remark { figures, cells: vec![thief], ..scene.remark(seat, words, 1.0) })
}

/// The thief that is caught, with what it was near to: a gate, or the end of its room.
fn caught(scene: &Scene) -> (String, Option<(String, f64)>) {
    let now = scene.after;
    let streets = Streets::new(scene.board, &now.walls);
    let steps = now.gates.iter().map(|&gate| streets.to_gate(now.thief, gate)).enumerate();
    if let Some((gate, steps)) =
        steps.min_by_key(|(_, steps)| *steps).filter(|(_, steps)| *steps <= NEAR_GATE)
    {
        let name = gate_name(scene.board, &now.gates, gate);
        let place = if steps == 0 { "at" } else { "near" };
        let words = format!("the thief {place} {name}");
        if words.chars().count() <= MOST_PLACE {
            return (words, Some(("steps to the gate".to_owned(), f64::from(steps))));
        }
    }
    let before = scene.before;
    let room = Streets::new(scene.board, &before.walls).area(before.thief, &before.cops);
    match room <= CORNERED {
        true => ("the cornered thief".into(), Some(("cells before".to_owned(), room as f64))),
        false => ("the thief".into(), None),
    }
}

/// Whatever happened to the thief in a turn that did not end the pursuit.
pub fn remarks(scene: &Scene, states: &[Pursuit]) -> Vec<(Topic, Remark)> {
    [way_out(scene, states), cop_waits(scene, states), room(scene), stopped(scene), close(scene)]
        .into_iter()
        .flatten()
        .collect()
}

/// A wall made the way to the nearest gate much longer or shorter, with gates where they were.
fn way_out(scene: &Scene, states: &[Pursuit]) -> Option<(Topic, Remark)> {
    let thief = scene.after.thief;
    let gates = &scene.before.gates;
    if scene.before.walls == scene.after.walls {
        return None;
    }
    let before = Streets::new(scene.board, &scene.before.walls).way_out(thief, gates);
    let now = Streets::new(scene.board, &scene.after.walls).way_out(thief, gates);
    if before == FAR || now == FAR || before.abs_diff(now) < LEAST_DETOUR {
        return None;
    }
    let figures = [("steps before", before), ("steps now", now)];
    let weight = 0.3 + 0.02 * before.abs_diff(now).min(20) as f32;
    if now > before {
        let words = format!("A wall makes the thief's way out {} steps longer", now - before);
        let remark = scene.remark(THIEF, words, weight);
        return Some((Topic::Longer, with(remark, &figures, &[thief])));
    }
    let past = states.get(..=scene.turn + 1)?.iter().rev();
    let waited = past.take_while(|then| then.position.thief == thief).count().saturating_sub(1);
    let [a, b] = figures;
    let remark = if waited >= LEAST_WAIT {
        let words = "The thief waits until a wall clears its way out".to_owned();
        let waited = ("ticks waited", waited as u32);
        with(scene.remark(THIEF, words, weight + 0.1), &[waited, a, b], &[thief])
    } else {
        let words = format!("A wall makes the thief's way out {} steps shorter", before - now);
        with(scene.remark(THIEF, words, weight), &[a, b], &[thief])
    };
    Some((Topic::Shorter, remark))
}

/// A wall made the way of a cop that had waited to the thief much shorter.
fn cop_waits(scene: &Scene, states: &[Pursuit]) -> Option<(Topic, Remark)> {
    let after = scene.after;
    if scene.before.walls == after.walls {
        return None;
    }
    let [then, now] = [&scene.before.walls, &after.walls].map(|walls| {
        let ground = Streets::new(scene.board, walls);
        let steps = ground.steps(&[after.thief]);
        after.cops.iter().map(|&cop| steps.to(cop)).collect::<Vec<u32>>()
    });
    let past = states.get(..=scene.turn + 1)?;
    let mut shorter = (0..after.cops.len())
        .map(|cop| (cop, then[cop], now[cop]))
        .filter(|&(_, before, now)| before != FAR && before >= now.saturating_add(LEAST_DETOUR));
    let (cop, before, now) = shorter.find(|&(cop, ..)| ticks_waited(past, cop) >= LEAST_WAIT)?;
    let at = *after.cops.get(cop)?;
    let words = format!("Cop {} waits until a wall clears its way", cop + 1);
    let figures = [
        ("ticks waited", ticks_waited(past, cop) as u32),
        ("steps to the thief before", before),
        ("steps now", now),
    ];
    let remark = scene.remark(COPS, words, 0.4);
    Some((Topic::CopWaits, with(remark, &figures, &[at, after.thief])))
}

/// For how many ticks a cop has stood where it stands in the last of the states.
fn ticks_waited(past: &[Pursuit], cop: usize) -> usize {
    let Some(now) = past.last() else { return 0 };
    let at = now.position.cops.get(cop);
    past.iter().rev().skip(1).take_while(|then| then.position.cops.get(cop) == at).count()
}

/// The thief's room has become small, and clearly smaller than before this turn.
fn room(scene: &Scene) -> Option<(Topic, Remark)> {
    let most = scene.board.floor().count() / LITTLE_ROOM;
    let before = scene.before;
    let after = scene.after;
    let now = Streets::new(scene.board, &after.walls).area(after.thief, &after.cops);
    if now > most {
        return None;
    }
    let then = Streets::new(scene.board, &before.walls).area(before.thief, &before.cops);
    if then <= most || LEAST_LOSS * now as f32 > then as f32 {
        return None;
    }
    let words = match now {
        0 | 1 => "No other cell is left where the thief gets first".to_owned(),
        now => format!("{now} cells are left where the thief gets first"),
    };
    let figures = [("cells before", then as u32), ("cells now", now as u32)];
    let remark = scene.remark(THIEF, words, 0.65);
    Some((Topic::Cornered, with(remark, &figures, &[after.thief])))
}

/// A wall, or a gate that was there when the plan was made, stopped the thief.
fn stopped(scene: &Scene) -> Option<(Topic, Remark)> {
    let (at, into) = scene.events.iter().find_map(|event| match event {
        CopsEvent::Bumped { piece: Piece::Thief, at, into } => Some((*at, *into)),
        _ => None,
    })?;
    let apart = scene.after.cops.iter().map(|cop| cop.manhattan(at).unsigned_abs());
    let nearest = apart.min().unwrap_or(FAR);
    let near = [("nearest cop, cells", nearest)];
    let planned = scene.planned;
    let now = scene.before;
    if scene.board.is_gate(&planned.gates, into) {
        let gate = planned.gates.iter().position(|&gate| scene.board.is_gate(&[gate], into))?;
        let name = gate_name(scene.board, &now.gates, gate);
        let words =
            format!("{name} has moved on before the thief gets out").replacen("the ", "The ", 1);
        let ticks = ("ticks since the plan", now.tick - planned.tick);
        let remark = scene.remark(THIEF, words, 0.7);
        return Some((Topic::Slid, with(remark, &[ticks, near[0]], &[at, into])));
    }
    if !scene.board.is_walled(&now.walls, into) {
        return None;
    }
    let words = "A wall stops the thief".to_owned();
    let weight = if nearest <= 2 { 0.55 } else { 0.25 };
    Some((Topic::Stopped, with(scene.remark(THIEF, words, weight), &near, &[at, into])))
}

/// A cop has come beside the thief.
fn close(scene: &Scene) -> Option<(Topic, Remark)> {
    let before = scene.before;
    let after = scene.after;
    if before.cops.iter().any(|cop| cop.manhattan(before.thief) <= 1) {
        return None;
    }
    let beside = after.cops.iter().position(|cop| cop.manhattan(after.thief) == 1)?;
    let words = format!("Cop {} comes within one cell of the thief", beside + 1);
    let then = before.cops.get(beside)?.manhattan(before.thief).unsigned_abs();
    let figures = [("cells apart before", then), ("cells apart now", 1)];
    let remark = scene.remark(COPS, words, 0.45);
    Some((Topic::Close, with(remark, &figures, &[after.cops[beside], after.thief])))
}
