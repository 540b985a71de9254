//! Remarks on who gets to a gate first, and whose doing it is when that changes.
//!
//! Within a turn the players move first, then the walls and gates. A change is put down to the first cause
//! that alone explains it: undone, with everything else as it is, the change would be undone too.

use super::gate_run::{FAR, GateRun, Streets, gate_name};
use super::{Scene, Topic, with};
use crate::board::{Gate, Position, Wall};
use crate::rules::{COPS, THIEF};
use outwit_core::grid::Cell;
use outwit_kit::Remark;

/// One gate in one turn.
struct GateScene<'a> {
    scene: &'a Scene<'a>,
    index: usize,
    name: String,
    /// Before and after the gate moved.
    gate: [Gate; 2],
    /// Before and after walls moved.
    ground: [&'a Streets<'a>; 2],
}

/// A step of a cop that gave the gate to the thief or took it away.
struct CopStep {
    cop: usize,
    /// Where it stands now.
    to: Cell,
    /// The run of the thief that there is with the cop on one side of its step and not on the other.
    run: GateRun,
    /// Its steps to the cell before the gate, before and after.
    steps: [u32; 2],
}

impl CopStep {
    /// A remark with what proves it, all with walls and gates as they stood.
    fn remark(&self, scene: &Scene, words: String, weight: f32) -> Remark {
        let [before, now] = self.steps;
        let figures = [
            ("its steps before", before),
            ("its steps now", now),
            ("thief's steps", self.run.thief),
        ];
        with(scene.remark(COPS, words, weight), &figures, &[self.to, self.run.front, self.run.gate])
    }
}

/// The cops with one of them elsewhere.
fn moved(cops: &[Cell], cop: usize, to: Cell) -> Vec<Cell> {
    let mut cops = cops.to_vec();
    if let Some(cop) = cops.get_mut(cop) {
        *cop = to;
    }
    cops
}

impl GateScene<'_> {
    fn run(&self, ground: usize, gate: usize, thief: Cell, cops: &[Cell]) -> Option<GateRun> {
        self.ground[ground].clear_run(self.gate[gate], thief, cops, self.scene.range())
    }

    /// The cop whose step alone made the difference once the players had moved: back where it was, the gate
    /// would be the thief's or not, as it was before.
    fn responsible_cop(&self, was_clear: bool) -> Option<CopStep> {
        let Position { thief, cops, .. } = self.scene.after;
        let now = self.run(0, 0, *thief, cops);
        if now.is_some() == was_clear {
            return None;
        }
        let steps = self.scene.before.cops.iter().zip(cops).enumerate();
        let mut steps = steps.filter(|(_, (from, to))| from != to);
        steps.find_map(|(cop, (&from, &to))| {
            let back = self.run(0, 0, *thief, &moved(cops, cop, from));
            let run = now.or(back).filter(|_| back.is_some() == was_clear)?;
            let ways = self.ground[0].steps(&[run.front]);
            Some(CopStep { cop, to, run, steps: [ways.to(from), ways.to(to)] })
        })
    }

    /// Steps of a cell to the gate before walls and gates moved.
    fn steps_before(&self, from: Cell) -> u32 {
        self.ground[0].to_gate(from, self.gate[0])
    }

    /// The gate has become the thief's: it gets there before every cop.
    fn opened(&self, run: GateRun) -> (Topic, Remark) {
        let Position { thief, cops, .. } = self.scene.after;
        let near = run.thief as f32 / self.scene.range().max(1) as f32;
        let name = &self.name;
        let cells = [*thief, run.front, run.gate];
        let figures = [("thief's steps", run.thief), ("nearest cop's steps", run.cop)];
        let remark = if let Some(step) = self.responsible_cop(false) {
            let words = format!("Cop {} gives up {name}", step.cop + 1);
            step.remark(self.scene, words, 0.95 - 0.3 * near)
        } else {
            let by_players = self.run(0, 0, *thief, cops).is_some();
            let by_wall = self.run(1, 0, *thief, cops).is_some();
            let words = match (by_players, by_wall) {
                (true, _) => format!("The thief has a clear run to {name}"),
                (_, true) => format!("A wall gives the thief a clear run to {name}"),
                _ => format!("{name} moves into the thief's reach").replacen("the ", "The ", 1),
            };
            with(self.scene.remark(THIEF, words, 0.9 - 0.3 * near), &figures, &cells)
        };
        (Topic::Opened(self.index), remark)
    }

    /// The gate is no longer the thief's; `run` is what it had.
    fn shut(&self, run: GateRun) -> Option<(Topic, Remark)> {
        let before = self.scene.before;
        let after = self.scene.after;
        let near = run.thief as f32 / self.scene.range().max(1) as f32;
        let name = &self.name;
        let cells = [after.thief, run.front, run.gate];
        let remark = if let Some(step) = self.responsible_cop(true) {
            let words = format!("Cop {} shuts {name}", step.cop + 1);
            step.remark(self.scene, words, 0.85 - 0.3 * near)
        } else if let Some(then) = self.run(0, 0, after.thief, &after.cops) {
            let by_wall = self.run(1, 0, after.thief, &after.cops).is_none();
            let gate = self.gate[usize::from(!by_wall)];
            let now = self.ground[1].shortest_run(gate, after.thief, &after.cops);
            // Only farther than what is looked at, but still the thief's.
            if now.is_some_and(|now| now.is_clear(self.scene.board)) {
                return None;
            }
            let words = if by_wall {
                format!("A wall costs the thief its clear run to {name}")
            } else {
                format!("{name} moves out of the thief's reach").replacen("the ", "The ", 1)
            };
            let figures = [
                ("thief's steps before", then.thief),
                ("nearest cop's steps before", then.cop),
                ("thief's steps now", now.map_or(FAR, |now| now.thief)),
                ("nearest cop's steps now", now.map_or(FAR, |now| now.cop)),
            ];
            with(self.scene.remark(THIEF, words, 0.7 - 0.2 * near), &figures, &cells)
        } else {
            let from = self.steps_before(before.thief);
            let to = self.steps_before(after.thief);
            let stays = self.run(0, 0, before.thief, &after.cops).is_some();
            if !stays || to <= from {
                return None;
            }
            let words = format!("The thief turns away from {name}");
            let steps = [("its steps before", from), ("its steps now", to)];
            with(self.scene.remark(THIEF, words, 0.75 - 0.3 * near), &steps, &cells)
        };
        Some((Topic::Shut(self.index), remark))
    }

    /// The cop that alone is in time at a near gate where the thief would be first without it.
    fn only_guard(&self, time: usize, at: &Position) -> Option<(usize, GateRun)> {
        let gate = self.gate[time];
        let streets = self.ground[time];
        let k = self.scene.board.rules().k;
        (0..at.cops.len()).find_map(|cop| {
            let mut others = at.cops.clone();
            let alone = others.remove(cop);
            let without = streets.clear_run(gate, at.thief, &others, k)?;
            let against_it = streets.clear_run(gate, at.thief, &[alone], k);
            against_it.is_none().then_some((cop, without))
        })
    }

    /// One cop alone keeps the thief from the gate, which is near.
    fn last_guard(&self) -> Option<(Topic, Remark)> {
        let before = self.scene.before;
        let after = self.scene.after;
        let (cop, run) = self.only_guard(1, after)?;
        if self.only_guard(0, before).is_some() {
            return None;
        }
        let words = format!("Only cop {} keeps the thief from {}", cop + 1, self.name);
        let at = *after.cops.get(cop)?;
        let steps = self.ground[1].steps(&[run.front]).to(at);
        let figures =
            [("its steps", steps), ("thief's steps", run.thief), ("next cop's steps", run.cop)];
        let remark = self.scene.remark(COPS, words, 0.6);
        Some((Topic::LastGuard(self.index), with(remark, &figures, &[at, run.front, run.gate])))
    }

    fn remark(&self) -> Option<(Topic, Remark)> {
        let before = self.scene.before;
        let after = self.scene.after;
        let was = self.run(0, 0, before.thief, &before.cops);
        let is = self.run(1, 1, after.thief, &after.cops);
        match (was, is) {
            (None, Some(run)) => Some(self.opened(run)),
            (Some(run), None) => self.shut(run),
            (Some(_), Some(_)) => None,
            (None, None) => self.last_guard(),
        }
    }
}

/// Whatever changed between the thief and the gates.
pub fn remarks(scene: &Scene) -> Vec<(Topic, Remark)> {
    let walls: [&[Wall]; 2] = [&scene.before.walls, &scene.after.walls];
    let ground = walls.map(|walls| Streets::new(scene.board, walls));
    let pairs = scene.before.gates.iter().zip(&scene.after.gates).enumerate();
    pairs
        .filter_map(|(index, (&before, &after))| {
            let name = gate_name(scene.board, &scene.after.gates, index);
            let ground = ground.each_ref();
            GateScene { scene, index, name, gate: [before, after], ground }.remark()
        })
        .collect()
}
