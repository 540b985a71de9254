//! What a driver without a table knows of a track: how far it is, and whether it can still stop.

use crate::level::single_steps;
use crate::{GatesPassed, Track, Walk};
use outwit_core::grid::{Cell, Grid, UNREACHED, path_lengths};
use std::collections::HashMap;

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

/// For each number of gates crossed, the length of the way over those that are left.
fn ways(track: &Track) -> Vec<Grid<u32>> {
    let surfaces = track.surfaces();
    let steps = single_steps(track.rules());
    let mut ways: Vec<Grid<u32>> = Vec::new();
    for progress in (0..track.gates()).rev() {
        let beyond = |cell: Cell| ways.last().map_or(0, |way| way[cell]);
        let gate: Vec<_> = surfaces
            .iter()
            .filter(|&(_, &surface)| track.next_gate(progress) == Some(surface))
            .map(|(cell, _)| (cell, beyond(cell)))
            .collect();
        ways.push(path_lengths(surfaces, gate, steps, |cell, _| track.is_road(cell)));
    }
    ways.reverse();
    ways
}
