//! Potentials of the player's cell, by which steps cost 0 or 2 instead of 1.
//!
//! Each step changes a potential by 1, up or down. If a step costs 1 plus the change, a way costs its steps
//! plus the potential at its end less that at its beginning. That is the same for all ways between two
//! states, so the cheapest is the shortest (Johnson 1977), but estimates say more. Take the distance from the
//! start as the potential, and boxes that have to be brought far away one by one: each of their moves costs 2,
//! since somebody has to come back for the next box. An estimate without potential counts the moves of boxes alone.

use super::estimate::{FAR, fill};
use super::matching::Matcher;
use super::puzzle::{Puzzle, Square, WALL};
use super::zones::Zones;
use std::sync::Arc;

/// The potential of each spot; neighbours differ by 1.
pub type Potential = Vec<i32>;

/// What a choice may take in all, some tens of milliseconds: for each potential the entries of its tables, and the entries that
/// matchings look at.
const WORK: usize = 1 << 22;
/// The fewest potentials among which a choice is worth its time.
const FEWEST: usize = 16;
/// The most spots whose distances are tried.
const DISTANCES: usize = 64;
/// How many steps more than no potential one must promise, for each sample. With it the estimates differ more
/// from state to state, and those far below the mean cost more than a small gain is worth.
const LEAST_GAIN: i64 = 7;

/// Where the player can stand after the last move of a box onto a goal.
pub fn ends(puzzle: &Puzzle) -> impl Iterator<Item = Square> + '_ {
    let goals = puzzle.goals().iter();
    goals
        .flat_map(move |&goal| (0..4).map(move |d| puzzle.next(goal, d)))
        .filter(|&spot| spot != WALL)
}

/// The distances of all spots from one.
pub fn distances_from(puzzle: &Puzzle, from: Square) -> Potential {
    let mut distances = vec![FAR; puzzle.cells().len()];
    fill(puzzle, 1, from, 0, &mut distances, |_, _| true);
    distances.into_iter().map(|distance| distance as i32).collect()
}

/// The other value that the potential of a cell can have next to those around it.
pub fn turned(puzzle: &Puzzle, potential: &Potential, spot: usize) -> Option<i32> {
    let here = potential[spot];
    let mut around = (0..4).filter_map(|direction| {
        let near = puzzle.next(spot as Square, direction);
        (near != WALL).then(|| potential[usize::from(near)])
    });
    let first = around.next()?;
    around.all(|near| near == first).then_some(2 * first - here)
}

/// A state that waits to be expanded.
pub struct Sample {
    /// Where the player is.
    pub player: Square,
    /// Where the boxes are.
    pub boxes: Vec<Square>,
    /// Whether it was reached from the start, not from the end.
    pub forward: bool,
}

/// A choice among potentials: by what they say of some states that a search has to deal with. First come distances
/// to and from single spots, then the best of them with one cell turned at a time.
pub struct Choice {
    puzzle: Arc<Puzzle>,
    zones: Arc<Zones>,
    player: Square,
    start: Vec<Square>,
    samples: Vec<Sample>,
    ends: Vec<Square>,
    /// What no potential promises.
    plain: i64,
    /// The best so far, and what it promises.
    value: i64,
    potential: Potential,
    /// Spots from one whose distances are tried to the next.
    stride: usize,
    /// What is tried next.
    next: Trial,
    /// Potentials that may still be tried with a cell turned.
    left: usize,
}

/// A potential to be tried.
enum Trial {
    /// The distances to a spot, or from it.
    Distances { spot: usize, from: bool },
    /// The best so far with a cell turned; so many cells were looked at since it became better.
    Turned { spot: usize, idle: usize },
}

impl Choice {
    /// The choice for a puzzle with the player and the boxes on these cells at the start; `None` where it would take
    /// too long.
    pub fn new(
        (puzzle, zones): (Arc<Puzzle>, Arc<Zones>),
        player: Square,
        start: Vec<Square>,
        samples: Vec<Sample>,
    ) -> Option<Self> {
        let cells = puzzle.cells().len();
        let boxes = start.len();
        let tables = zones.rows() * (puzzle.goals().len() + boxes);
        let matchings = samples.len() * boxes.pow(3) / 4;
        let left = WORK / (tables + matchings).max(1);
        if left < FEWEST {
            return None;
        }
        let most = (left / 8).clamp(1, DISTANCES);
        // The last bit of a distance says as little as no potential.
        let potential: Potential =
            distances_from(&puzzle, 0).iter().map(|value| value & 1).collect();
        let mut choice = Self {
            ends: ends(&puzzle).collect(),
            player,
            start,
            samples,
            plain: 0,
            value: 0,
            potential,
            stride: cells.div_ceil(most),
            next: Trial::Distances { spot: 0, from: false },
            left,
            puzzle,
            zones,
        };
        choice.plain = choice.value_of(&choice.potential)?;
        choice.value = choice.plain;
        Some(choice)
    }

    /// Tries one more potential. `None` if there are others; at last the best one, if it is worth it.
    pub fn step(&mut self) -> Option<Option<Potential>> {
        let cells = self.puzzle.cells().len();
        match self.next {
            Trial::Distances { spot, .. } if spot >= cells => {
                self.next = Trial::Turned { spot: 0, idle: 0 };
            }
            Trial::Distances { spot, from } => {
                let mut potential = distances_from(&self.puzzle, spot as Square);
                if from {
                    potential.iter_mut().for_each(|value| *value = -*value);
                }
                let Some(value) = self.value_of(&potential) else { return Some(None) };
                if value > self.value {
                    (self.value, self.potential) = (value, potential);
                }
                let spot = if from { spot + self.stride } else { spot };
                self.next = Trial::Distances { spot, from: !from };
            }
            Trial::Turned { spot: 0, idle } if idle >= 2 * cells || self.left == 0 => {
                let least = self.plain + LEAST_GAIN * self.samples.len() as i64;
                return Some((self.value >= least).then(|| std::mem::take(&mut self.potential)));
            }
            Trial::Turned { spot, idle } => {
                let idle = if self.turn(spot) { 0 } else { idle + 1 };
                self.next = Trial::Turned { spot: (spot + 1) % cells, idle };
            }
        }
        None
    }

    /// Turns a cell of the best potential, if it is better so or as good; whether it is better.
    fn turn(&mut self, spot: usize) -> bool {
        let Some(turned) = turned(&self.puzzle, &self.potential, spot) else { return false };
        self.left = self.left.saturating_sub(1);
        let here = std::mem::replace(&mut self.potential[spot], turned);
        match self.value_of(&self.potential) {
            Some(now) if now >= self.value => std::mem::replace(&mut self.value, now) < now,
            _ => {
                self.potential[spot] = here;
                false
            }
        }
    }

    /// The sum over all samples of the estimated way to go less that of the way from where they come.
    fn value_of(&self, potential: &Potential) -> Option<i64> {
        let puzzle = &*self.puzzle;
        let zones = &*self.zones;
        let height = |spot: Square| i64::from(potential[usize::from(spot)]);
        let highest = self.ends.iter().map(|&spot| height(spot)).max()?;
        let backward: Potential = potential.iter().map(|value| -value).collect();
        let tables = [
            zones.distances_to(puzzle, puzzle.kinds(), puzzle.goals(), potential),
            zones.distances_to(puzzle, puzzle.kinds().reversed(), &self.start, &backward),
        ];
        let mut matchers = [Matcher::default(), Matcher::default()];
        let mut sum = 0;
        for sample in &self.samples {
            let mut estimate = |side: usize, targets: usize| {
                let rows: Vec<usize> = sample
                    .boxes
                    .iter()
                    .map(|&spot| zones.row(spot, sample.player) * targets)
                    .collect();
                matchers[side].of_rows(&tables[side], targets, &rows).map(i64::from)
            };
            let here = height(sample.player);
            let ahead = estimate(0, puzzle.goals().len())? + here - highest;
            let back = estimate(1, self.start.len())? - here + height(self.player);
            sum += if sample.forward { ahead - back } else { back - ahead };
        }
        Some(sum)
    }
}
