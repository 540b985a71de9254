//! Positions as planes, and play by numbers.

use super::rules::{COPS, Cops, PursuitStatus, STEPS, THIEF};
use outwit_core::play::Game;
use outwit_kit::{NumberedPlay, Plane, PlaneSpec, make_batch};

const BORDER: Plane = Plane::new("Border", '=', [200, 200, 195]);
const BLOCK: Plane = Plane::new("Block", '#', [64, 64, 64]);
const WALL: Plane = Plane::new("Wall", '|', [86, 180, 233]);
const GATE: Plane = Plane::new("Gate", 'G', [0, 158, 115]);
const COP: Plane = Plane::new("Cop", 'C', [0, 114, 178]).drawn_as("cop");
const ROBBER: Plane = Plane::new("Thief", 'T', [213, 94, 0]).drawn_as("thief");

pub(super) const PLANES: PlaneSpec<Cops> = PlaneSpec {
    fixed: |_| vec![BORDER, BLOCK],
    mark_fixed: |game, canvas| {
        for (cell, _) in game.level().cells('.').iter() {
            if !game.board().is_inside(cell) {
                canvas.mark(0, cell);
            } else if !game.board().is_floor(cell) {
                canvas.mark(1, cell);
            }
        }
    },
    moving: |_| vec![WALL, GATE, COP, ROBBER],
    mark_moving: |game, pursuit, _, canvas| {
        let board = game.board();
        let position = &pursuit.position;
        let walls = position.walls.iter();
        let walls = walls.flat_map(|wall| wall.cells(board.rules().wall_length));
        walls.for_each(|cell| canvas.mark(0, cell));
        let gates = position.gates.iter().flat_map(|&gate| board.gate_cells(gate));
        gates.for_each(|cell| canvas.mark(1, cell));
        position.cops.iter().for_each(|&cell| canvas.mark(2, cell));
        canvas.mark(3, position.thief);
    },
    shown_to: |_, _| THIEF,
};

/// A number for each step of the thief's plan, and then for each step of each cop's: stay, right, down, left, up. All
/// steps are legal.
pub(super) const NUMBERED_PLAY: NumberedPlay<Cops> = NumberedPlay {
    numbers: |_| Vec::new(),
    write_numbers: |_, _, _, _| {},
    choices: |game| {
        let rules = game.board().rules();
        let plans = |players: u32| vec![STEPS.len(); (rules.k * players) as usize];
        vec![plans(1), plans(rules.cops)]
    },
    mark_legal: |_, _, mask| mask.fill(1),
    is_over: |_, pursuit| pursuit.standing != PursuitStatus::Running,
    mover: |_, _| THIEF,
    step: |game, pursuit, numbers, chance, events, rewards| {
        let rules = game.board().rules();
        pursuit.plans.clear();
        pursuit.plans.extend(numbers.iter().map(|&number| STEPS[number as usize]));
        loop {
            game.tick(pursuit, &[], chance, &mut |event| events.push(event));
            if let Some(payoff) = pursuit.standing.payoff(rules.ticks) {
                rewards[THIEF.index()] = payoff;
                rewards[COPS.index()] = -payoff;
                return;
            }
            if pursuit.position.tick.is_multiple_of(rules.k) {
                return;
            }
        }
    },
    cost_to_go: None,
    distance: None,
    make_batch: make_batch!(Cops),
};
