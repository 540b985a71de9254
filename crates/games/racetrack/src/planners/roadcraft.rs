//! What a driver without a table knows of a track: how far it is, and whether it can still stop.

use crate::level::single_steps;
use crate::{GatesPassed, Track, Walk};
use outwit_core::grid::{Cell, DIAGONAL, Grid, STRAIGHT, UNREACHED, path_lengths};
use std::collections::HashMap;

/// From this speed limit on, tracks are driven as without one: diagonals take about as long as geometry says, and
/// drivers look no more turns ahead than usual.
pub const USUAL_LIMIT: u32 = 5;

/// The ways over a track and the states from which a car can brake to a halt.
#[derive(Default)]
pub struct Roadcraft {
    /// By what is to be crossed next: length of the way over all that is left, in fifths of cells.
    ways: Vec<Grid<u32>>,
    can_stop: HashMap<(Cell, Cell), bool>,
}

impl Roadcraft {
    /// Measures the ways to all gates, once.
    pub fn measure(&mut self, track: &Track) {
        if self.ways.is_empty() {
            self.ways = ways(track);
        }
    }

    /// Length of the way from a cell over all gates that are left, in fifths of cells.
    pub fn left(&self, cell: Cell, progress: GatesPassed) -> u32 {
        let way = self.ways.get(usize::from(progress));
        way.and_then(|way| way.get(cell)).copied().unwrap_or(UNREACHED)
    }

    /// Whether a car can come to a halt on the track by slowing down every turn.
    pub fn can_stop(&mut self, track: &Track, cell: Cell, velocity: Cell) -> bool {
        if velocity == Cell::default() {
            return true;
        }
        if let Some(&known) = self.can_stop.get(&(cell, velocity)) {
            return known;
        }
        let answer = track.accelerations().any(|a| {
            let slower = velocity + a;
            slower.norm_squared() < velocity.norm_squared()
                && stays(track, cell, slower)
                && self.can_stop(track, cell + slower, slower)
        });
        self.can_stop.insert((cell, velocity), answer);
        answer
    }
}

/// Whether a move stays on the track, finish or not.
pub fn stays(track: &Track, from: Cell, velocity: Cell) -> bool {
    // Once all gates are behind, none is left to end the move early.
    matches!(track.walk(from, velocity, track.gates()), Walk::Lands(_))
}

/// How long a diagonal step is where a straight one has the length [`STRAIGHT`], measured in time at full
/// speed: below the usual limit a car is slower along a diagonal than geometry says, at a limit of 2 half as
/// fast.
fn diagonal_length(track: &Track) -> u32 {
    if track.rules().max_speed.is_none_or(|limit| limit >= USUAL_LIMIT) {
        return DIAGONAL;
    }
    // Steps of a straight and half steps of a diagonal, over the same number of turns.
    let straight = flat_out(track, |v| v.x);
    let diagonal = flat_out(track, |v| v.x + v.y);
    (2 * STRAIGHT * straight).checked_div(diagonal).unwrap_or(DIAGONAL)
}

/// The most that a car can gain in so many turns on an open plane once it is at speed: the greatest sum of what
/// each velocity gains.
fn flat_out(track: &Track, gain: impl Fn(Cell) -> i32) -> u32 {
    /// Turns to come to speed, and as many that count.
    const TURNS: usize = 64;
    let mut best = HashMap::from([(Cell::default(), 0)]);
    let mut at_speed = 0;
    for turn in 0..2 * TURNS {
        let mut next: HashMap<Cell, i32> = HashMap::new();
        for (&velocity, &sum) in &best {
            for driven in track.accelerations().map(|a| velocity + a).filter(|&v| track.allows(v)) {
                let known = next.entry(driven).or_insert(i32::MIN);
                *known = (*known).max(sum + gain(driven));
            }
        }
        best = next;
        if turn + 1 == TURNS {
            at_speed = best.values().copied().max().unwrap_or_default();
        }
    }
    let most = best.into_values().max().unwrap_or_default();
    u32::try_from(most - at_speed).unwrap_or_default()
}

/// For each number of gates crossed, the length of the way over those that are left.
fn ways(track: &Track) -> Vec<Grid<u32>> {
    let surfaces = track.surfaces();
    let steps = single_steps(track.rules());
    let diagonal = diagonal_length(track);
    let mut ways: Vec<Grid<u32>> = Vec::new();
    for progress in (0..track.gates()).rev() {
        let beyond = |cell: Cell| ways.last().map_or(0, |way| way[cell]);
        let gate: Vec<_> = surfaces
            .iter()
            .filter(|&(_, &surface)| track.next_gate(progress) == Some(surface))
            .map(|(cell, _)| (cell, beyond(cell)))
            .collect();
        ways.push(path_lengths(surfaces, gate, steps, diagonal, |cell, _| track.is_road(cell)));
    }
    ways.reverse();
    ways
}
