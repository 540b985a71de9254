//! Positions as planes, and play by numbers.

use super::level::MAX_BOXES;
use super::rules::Pukoban;
use super::search::{Estimates, Heuristic, List, Matcher, Packed, Puzzle};
use super::step::{Direction, PukobanStep};
use outwit_core::play::{Seat, StopFlag};
use outwit_kit::{CostToGo, NumberedPlay, Plane, PlaneSpec, make_batch};
use std::sync::Arc;

const WALL: Plane = Plane::new("Wall", '#', [64, 64, 64]);
const GOAL: Plane = Plane::new("Goal", '.', [0, 158, 115]);
const BOX: Plane = Plane::new("Box", '$', [230, 159, 0]).drawn_as("box");
const PLAYER: Plane = Plane::new("Player", '@', [0, 114, 178]).drawn_as("worker");

pub(super) const PLANES: PlaneSpec<Pukoban> = PlaneSpec {
    fixed: |_| vec![WALL, GOAL],
    mark_fixed: |game, canvas| {
        let walls = game.walls().iter().filter(|(_, wall)| **wall);
        walls.for_each(|(cell, _)| canvas.mark(0, cell));
        game.goals().iter().for_each(|&cell| canvas.mark(1, cell));
    },
    moving: |_| vec![BOX, PLAYER],
    mark_moving: |_, position, _, canvas| {
        position.boxes.iter().for_each(|&cell| canvas.mark(0, cell));
        canvas.mark(1, position.player);
    },
    shown_to: |_, _| Seat(0),
};

/// The walks and pushes to the left, right, up and down, and then the pulls.
fn step(number: usize) -> PukobanStep {
    PukobanStep { direction: Direction::ALL[number % 4], pull: number >= 4 }
}

/// An illegal step costs 1 and changes nothing.
pub(super) const NUMBERED_PLAY: NumberedPlay<Pukoban> = NumberedPlay {
    numbers: |_| Vec::new(),
    write_numbers: |_, _, _, _| {},
    choices: |_| vec![vec![8]],
    mark_legal: |game, position, mask| {
        for (number, legal) in mask.iter_mut().enumerate() {
            *legal = u8::from(game.effect(position, step(number)).is_ok());
        }
    },
    is_over: |game, position| game.is_over(position),
    mover: |_, _| Seat(0),
    step: |game, position, numbers, _, events, rewards| {
        let before = game.cost(position);
        let reward = match game.take(position, step(numbers[0] as usize)) {
            Ok(event) => {
                events.push(event);
                f64::from(before) - f64::from(game.cost(position))
            }
            Err(_) => -1.0,
        };
        rewards[0] = reward;
    },
    cost_to_go: None,
    distance: Some(distance),
    make_batch: make_batch!(Pukoban),
};

/// The least number of moves of boxes, each on its own: see [`Heuristic::Matching`].
fn distance(game: &Pukoban, _stop: &StopFlag) -> Result<CostToGo<Pukoban>, String> {
    let puzzle = Puzzle::of(game);
    let estimates = Estimates::new(&puzzle, Heuristic::Matching);
    Ok(Arc::new(move |position| {
        let (player, boxes) = puzzle.place(position)?;
        let state = List::<MAX_BOXES>::pack(player, &boxes);
        estimates.of(&state, &mut Matcher::default()).map(f64::from)
    }))
}
