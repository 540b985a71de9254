//! Remarks on the plans that both sides have just made: where they lead, and how they end.

use super::gate_run::{FAR, Streets, gate_name};
use super::outlook::PlanFate;
use super::{Scene, Topic, with};
use crate::planners::response::Ending;
use crate::rules::{COPS, Cops, Pursuit, Step, THIEF};
use outwit_core::grid::Cell;
use outwit_core::play::Match;
use outwit_kit::Remark;

/// Shares of the drawn futures from which on an ending is as good as certain, and likely.
const CERTAIN: f64 = 0.95;
const LIKELY: f64 = 0.6;

/// Letters of a sentence that fits below the board.
const MOST_LETTERS: usize = 60;

/// Whatever can be said of the plans that were made in a turn; nothing where none were, or where a plan is one step.
pub fn remarks(scene: &Scene, played: &Match<Cops>) -> Vec<(Topic, Remark)> {
    let states = played.states();
    let k = scene.board.rules().k;
    let is_made = k > 1 && scene.before.tick.is_multiple_of(k);
    let Some(pursuit) = states.get(scene.turn + 1).filter(|_| is_made) else { return Vec::new() };
    let mut found = Vec::from_iter(ending(scene, played, pursuit));
    if found.is_empty() {
        let aim = Aim::of(scene, scene.turn, states);
        found.extend(aim.as_ref().map(|aim| aim.remark(scene, states)));
        found.extend(aim.and_then(|aim| aim.cut_off(scene, pursuit)));
    }
    found
}

/// Whether the plans that hold in a turn were likely to end in a capture when they were made.
pub fn lead_to_capture(scene: &Scene, played: &Match<Cops>) -> bool {
    let since = scene.before.tick % scene.board.rules().k.max(1);
    let made = scene.turn.checked_sub(since as usize).and_then(|turn| Scene::new(played, turn));
    let found = made.and_then(|made| {
        let pursuit = played.states().get(made.turn + 1)?;
        ending(&made, played, pursuit)
    });
    found.is_some_and(|(_, remark)| remark.seat == Some(COPS))
}

/// How the plans end, if that is likely before the next ones are due.
fn ending(scene: &Scene, played: &Match<Cops>, pursuit: &Pursuit) -> Option<(Topic, Remark)> {
    let fate = PlanFate::of(played.game(), pursuit);
    let share = |ending: Ending| {
        let count = fate.futures.iter().filter(|(end, _)| *end == ending).count();
        count as f64 / fate.futures.len().max(1) as f64
    };
    let ending = [Ending::Caught, Ending::Escaped].into_iter().find(|&end| share(end) >= LIKELY)?;
    let left = f64::from(scene.board.rules().ticks.saturating_sub(pursuit.position.tick));
    // The thief earns the ticks before a capture, and twice those that are left after an escape.
    let mut ticks: Vec<u32> = fate
        .futures
        .iter()
        .filter(|(end, _)| *end == ending)
        .map(|&(end, pays)| match end {
            Ending::Escaped => (2.0 * left - f64::from(pays)) as u32,
            _ => pays as u32 + 1,
        })
        .collect();
    ticks.sort_unstable();
    let ticks = *ticks.get(ticks.len() / 2)?;
    let when = if ticks == 1 { "in the next tick".to_owned() } else { format!("in {ticks} ticks") };
    let is_certain = share(ending) >= CERTAIN;
    let (seat, words) = match (ending, is_certain) {
        (Ending::Caught, true) => (COPS, format!("The plans meet: the thief is caught {when}")),
        (Ending::Caught, false) => (COPS, format!("The thief is likely to be caught {when}")),
        (_, true) => (THIEF, format!("No plan of a cop stops the thief: it is out {when}")),
        (_, false) => (THIEF, format!("The thief is likely to get out {when}")),
    };
    let figures = vec![
        ("share of drawn futures".to_owned(), share(ending)),
        ("ticks until then".to_owned(), f64::from(ticks)),
    ];
    let weight = if is_certain { 0.8 } else { 0.6 };
    let cells = vec![pursuit.position.thief];
    Some((Topic::PlansEnd, Remark { figures, cells, ..scene.remark(seat, words, weight) }))
}

/// The gate that a plan of the thief leads to.
struct Aim {
    gate: usize,
    /// The thief's steps to the cell before it, before the plan and after it.
    steps: [u32; 2],
    /// Where the plan ends.
    end: Cell,
}

impl Aim {
    /// That of the plan made in a turn, with walls and gates as they stand: of the gates to which it saves half of its
    /// steps or more, the nearest.
    fn of(scene: &Scene, turn: usize, states: &[Pursuit]) -> Option<Self> {
        let now = &states.get(turn)?.position;
        let pursuit = states.get(turn + 1)?;
        let streets = Streets::new(scene.board, &now.walls);
        let k = scene.board.rules().k as usize;
        let end = streets.walk(now.thief, pursuit.plans.get(..k)?);
        let gates = now.gates.iter().enumerate().map(|(index, &gate)| {
            let steps = [now.thief, end].map(|cell| streets.to_gate(cell, gate));
            Aim { gate: index, steps, end }
        });
        gates
            .filter(|aim| {
                let [before, after] = aim.steps;
                before != FAR && before >= after.saturating_add((k as u32).div_ceil(2))
            })
            .min_by_key(|aim| aim.steps[1])
    }

    fn remark(&self, scene: &Scene, states: &[Pursuit]) -> (Topic, Remark) {
        let gates = &scene.before.gates;
        let name = gate_name(scene.board, gates, self.gate);
        let k = scene.board.rules().k as usize;
        let last = scene.turn.checked_sub(k).and_then(|turn| Aim::of(scene, turn, states));
        let other = last.filter(|last| last.gate != self.gate);
        let trades = other.map(|other| {
            let other = gate_name(scene.board, gates, other.gate);
            format!("The thief trades {other} for {name}")
        });
        let (words, weight) = match trades.filter(|words| words.chars().count() <= MOST_LETTERS) {
            Some(words) => (words, 0.4),
            None => (format!("The thief makes for {name}"), 0.3),
        };
        let [before, after] = self.steps;
        let figures = [("steps before the plan", before), ("steps after it", after)];
        let remark = scene.remark(THIEF, words, weight);
        (Topic::MakesFor(self.gate), with(remark, &figures, &[scene.before.thief, self.end]))
    }

    /// A cop whose plan brings it nearer to that gate than the thief's brings the thief.
    fn cut_off(&self, scene: &Scene, pursuit: &Pursuit) -> Option<(Topic, Remark)> {
        let now = scene.before;
        let gate = *now.gates.get(self.gate)?;
        let streets = Streets::new(scene.board, &now.walls);
        let k = scene.board.rules().k as usize;
        let plans = pursuit.plans.chunks(k).skip(1);
        let cops = now.cops.iter().zip(plans).enumerate().map(|(cop, (&from, plan))| {
            let end = streets.walk(from, plan);
            (cop, end, [from, end].map(|cell| streets.to_gate(cell, gate)))
        });
        let (cop, end, steps) = cops
            .filter(|(_, _, [before, after])| {
                let saved = before.saturating_sub(*after);
                *before != FAR && *after < self.steps[1] && saved >= (k as u32).div_ceil(2)
            })
            .min_by_key(|(_, _, steps)| steps[1])?;
        let name = gate_name(scene.board, &now.gates, self.gate);
        let words = format!("Cop {} will be nearer to {name}", cop + 1);
        let figures = [
            ("its steps before the plan", steps[0]),
            ("its steps after it", steps[1]),
            ("thief's steps after it", self.steps[1]),
        ];
        let remark = scene.remark(COPS, words, 0.32);
        Some((Topic::CutsOff(self.gate), with(remark, &figures, &[*now.cops.get(cop)?, end])))
    }
}

impl Streets<'_> {
    /// Where steps lead while walls stand still; a step into something solid is a pause.
    fn walk(&self, from: Cell, steps: &[Step]) -> Cell {
        steps.iter().fold(from, |at, step| {
            let to = at + step.delta();
            if self.is_open(to) { to } else { at }
        })
    }
}
