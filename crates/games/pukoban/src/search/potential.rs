//! Potentials of the player's cell, by which steps cost 0 or 2 instead of 1.
//!
//! Each step changes a potential by 1, up or down. If a step costs 1 plus the change, a way costs its steps
//! plus the potential at its end less that at its beginning. That is the same for all ways between two
//! states, so the cheapest is the shortest (Johnson 1977), but estimates say more. Take the distance from the
//! start as the potential, and boxes that have to be brought far away one by one: each of their moves costs 2,
//! since somebody has to come back for the next box. An estimate without potential counts the moves of boxes alone.

use super::estimate::{FAR, distances_to, fill};
use super::matching::Matcher;
use super::puzzle::{Puzzle, Square, WALL};

/// The potential of each spot; neighbours differ by 1.
pub type Potential = Vec<i32>;

/// What a choice may take in all, some milliseconds: for each potential the entries of its tables, and the entries that
/// matchings look at. A choice is one piece of work, within the budget of a turn.
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

/// A choice among potentials: by what they say of some states that a search has to deal with.
pub struct Choice<'a> {
    puzzle: &'a Puzzle,
    player: Square,
    start: &'a [Square],
    samples: &'a [Sample],
    ends: Vec<Square>,
}

impl<'a> Choice<'a> {
    /// The choice for a puzzle with the player and the boxes on these cells at the start.
    pub fn new(
        puzzle: &'a Puzzle,
        player: Square,
        start: &'a [Square],
        samples: &'a [Sample],
    ) -> Self {
        Self { puzzle, player, start, samples, ends: ends(puzzle).collect() }
    }

    /// The potential that promises the most: first among distances to and from single spots, then by
    /// turning one cell at a time. `None` if it is not worth it.
    pub fn best(&self) -> Option<Potential> {
        let cells = self.puzzle.cells().len();
        let boxes = self.start.len();
        let tables = cells * (self.puzzle.goals().len() + boxes);
        let matchings = self.samples.len() * boxes.pow(3) / 4;
        let tests = WORK / (tables + matchings).max(1);
        if tests < FEWEST {
            return None;
        }
        let most = (tests / 8).clamp(1, DISTANCES);
        let (stride, mut left) = (cells.div_ceil(most), tests);
        // The last bit of a distance says as little as no potential.
        let flat: Potential =
            distances_from(self.puzzle, 0).iter().map(|value| value & 1).collect();
        let plain = self.value(&flat)?;
        let mut best = (plain, flat);
        for spot in (0..cells).step_by(stride) {
            let mut potential = distances_from(self.puzzle, spot as Square);
            for _ in 0..2 {
                let value = self.value(&potential)?;
                if value > best.0 {
                    best = (value, potential.clone());
                }
                potential.iter_mut().for_each(|value| *value = -*value);
            }
        }
        let (mut value, mut potential) = best;
        let mut idle = 0;
        while idle < 2 * cells && left > 0 {
            for spot in 0..cells {
                idle += 1;
                let Some(turned) = turned(self.puzzle, &potential, spot) else { continue };
                let here = std::mem::replace(&mut potential[spot], turned);
                left = left.saturating_sub(1);
                match self.value(&potential) {
                    Some(now) if now > value => (value, idle) = (now, 0),
                    Some(now) if now == value => {}
                    _ => potential[spot] = here,
                }
            }
        }
        (value >= plain + LEAST_GAIN * self.samples.len() as i64).then_some(potential)
    }

    /// The sum over all samples of the estimated way to go less that of the way from where they come.
    fn value(&self, potential: &Potential) -> Option<i64> {
        let puzzle = self.puzzle;
        let height = |spot: Square| i64::from(potential[usize::from(spot)]);
        let highest = self.ends.iter().map(|&spot| height(spot)).max()?;
        let backward: Potential = potential.iter().map(|value| -value).collect();
        let tables = [
            distances_to(puzzle, puzzle.goals(), potential),
            distances_to(puzzle, self.start, &backward),
        ];
        let mut matchers = [Matcher::default(), Matcher::default()];
        let mut sum = 0;
        for sample in self.samples {
            let mut estimate = |side: usize, targets: usize| {
                let rows: Vec<usize> =
                    sample.boxes.iter().map(|&spot| usize::from(spot) * targets).collect();
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
