//! Estimates of the cost to go, looked up from tables that are made once per level.

use super::matching::Matcher;
use super::moves::{Kinds, opposite};
use super::packed::Packed;
use super::puzzle::{Puzzle, Square, WALL};
use crate::level::MAX_BOXES;
use std::collections::VecDeque;

/// Out of reach. Sums of a few of them still fit.
pub const FAR: u32 = 1 << 24;

/// Which estimate a search uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heuristic {
    /// Nothing is known: 0.
    None,
    /// The h1 of the original program: the sum over goals of the distance around walls to the nearest box.
    ///
    /// Admissible: in the end each goal holds a box of its own, which was at least as far away as
    /// the nearest, and a step moves one box by one cell. Not consistent: a box that is nearest to
    /// several goals changes several terms at once.
    Nearest,
    /// The h2 and h3 of the original program: h1 plus a constant for each turn of the box, on a
    /// shortest way with the fewest turns. Not admissible: one turn may serve two boxes, and a longer way may need fewer.
    NearestAndTurns(
        /// Added per turn: 1 for h2, 2 for h3.
        u32,
    ),
    /// Minimum-cost matching of goals with boxes on the distance of a box alone on the board with a
    /// player who may be anywhere, by pushes and pulls or by pushes alone, as the level has it.
    ///
    /// Admissible and consistent: a step moves at most one box by one cell, so it lowers one row of
    /// the matching by at most 1, and other boxes only make ways longer. A walk changes nothing.
    /// With pulls it rises by at most 1 as well. With pushes alone it may rise by any amount, and
    /// there is none where a box that is needed can reach no goal any more.
    Matching,
}

/// The tables of one estimate.
#[derive(Clone, Debug)]
pub struct Estimates {
    kind: Heuristic,
    goals: usize,
    boxes: usize,
    /// For each cell one entry per goal: the distance, and in the upper half of an
    /// [`NearestAndTurns`](Heuristic::NearestAndTurns) the distance over the turns.
    table: Vec<u32>,
}

/// Bits of a table entry that hold the turns.
const TURN_BITS: u32 = 12;

impl Estimates {
    /// The tables for a puzzle.
    pub fn new(puzzle: &Puzzle, kind: Heuristic) -> Self {
        let cells = puzzle.cells().len();
        let goals = puzzle.goals().len();
        let mut table = match kind {
            Heuristic::None => Vec::new(),
            _ => vec![FAR; cells * goals],
        };
        for (column, &goal) in puzzle.goals().iter().enumerate() {
            match kind {
                Heuristic::None => {}
                Heuristic::Nearest => fill(puzzle, goals, goal, column, &mut table, |_, _| true),
                Heuristic::NearestAndTurns(_) => fill_turns(puzzle, goal, column, &mut table),
                Heuristic::Matching => {
                    fill_box_moves(puzzle, puzzle.kinds(), goals, goal, column, &mut table);
                }
            }
        }
        Self { kind, goals, boxes: puzzle.boxes(), table }
    }

    /// Which estimate it is.
    pub fn kind(&self) -> Heuristic {
        self.kind
    }

    /// The estimate of a state; `None` if no goal can be reached. What the matcher knows of other states only makes it
    /// quicker.
    #[inline]
    pub fn of(&self, state: &impl Packed, matcher: &mut Matcher) -> Option<u32> {
        match (self.kind, self.boxes) {
            (Heuristic::None, _) => Some(0),
            // Small levels need not clear a large array for each state.
            (_, 0..=8) => self.of_rows::<8>(state, matcher),
            _ => self.of_rows::<MAX_BOXES>(state, matcher),
        }
    }

    #[inline]
    fn of_rows<const N: usize>(&self, state: &impl Packed, matcher: &mut Matcher) -> Option<u32> {
        let mut rows = [0; N];
        let mut count = 0;
        state.for_each_box(|spot| {
            if let Some(row) = rows.get_mut(count) {
                *row = usize::from(spot) * self.goals;
                count += 1;
            }
        });
        let rows = &rows[..count];
        if self.kind == Heuristic::Matching {
            return matcher.of_rows(&self.table, self.goals, rows);
        }
        let mut sum = 0;
        for goal in 0..self.goals {
            let least = rows.iter().map(|row| self.table[row + goal]).min()?;
            if least >= FAR {
                return None;
            }
            sum += match self.kind {
                Heuristic::NearestAndTurns(weight) => {
                    (least >> TURN_BITS) + weight * (least & ((1 << TURN_BITS) - 1))
                }
                _ => least,
            };
        }
        Some(sum)
    }
}

/// For each spot and each of `targets` the least cost at which a box alone comes from the one to the other with a
/// player who may be anywhere, by pushes and pulls; [`FAR`] if there is no way. A move costs 1 plus what it changes
/// of the potential of the player's cell, which is 1, up or down; without potentials it costs 1.
pub fn distances_to(puzzle: &Puzzle, targets: &[Square], potential: &[i32]) -> Vec<u32> {
    let kinds = Kinds { pushes: true, pulls: true };
    let mut table = vec![FAR; puzzle.cells().len() * targets.len()];
    for (column, &target) in targets.iter().enumerate() {
        if potential.is_empty() {
            fill_box_moves(puzzle, kinds, targets.len(), target, column, &mut table);
        } else {
            fill_costs(puzzle, (targets.len(), column), target, potential, &mut table);
        }
    }
    table
}

/// As [`fill_box_moves`], where a move costs 0 or 2.
fn fill_costs(
    puzzle: &Puzzle,
    (goals, column): (usize, usize),
    goal: Square,
    potential: &[i32],
    table: &mut [u32],
) {
    let height = |spot: Square| potential[usize::from(spot)];
    let rises = |from: Square, to: Square| from == WALL || to == WALL || height(to) > height(from);
    let mut queue = VecDeque::from([(goal, 0)]);
    table[usize::from(goal) * goals + column] = 0;
    while let Some((spot, cost)) = queue.pop_front() {
        if cost > table[usize::from(spot) * goals + column] {
            continue;
        }
        for direction in 0..4 {
            // The box comes from `near`: pushed by a player behind, or pulled by one who steps on ahead.
            let near = puzzle.next(spot, direction);
            let (behind, ahead) = match near {
                WALL => continue,
                near => (puzzle.next(near, direction), puzzle.next(spot, opposite(direction))),
            };
            if behind == WALL && ahead == WALL {
                continue;
            }
            let free = !rises(behind, near) || !rises(spot, ahead);
            let next = if free { cost } else { cost + 2 };
            let entry = &mut table[usize::from(near) * goals + column];
            if next < *entry {
                *entry = next;
                if free {
                    queue.push_front((near, next));
                } else {
                    queue.push_back((near, next));
                }
            }
        }
    }
}

fn fill_box_moves(
    puzzle: &Puzzle,
    kinds: Kinds,
    goals: usize,
    goal: Square,
    column: usize,
    table: &mut [u32],
) {
    fill(puzzle, goals, goal, column, table, |from, direction| {
        // Pushed by a player behind, or pulled by one who steps on ahead.
        let to = puzzle.next(from, direction);
        kinds.pushes && puzzle.next(from, opposite(direction)) != WALL
            || kinds.pulls && puzzle.next(to, direction) != WALL
    });
}

/// Breadth-first distances from a goal over the edges that are allowed, each seen from its far end.
pub(super) fn fill(
    puzzle: &Puzzle,
    goals: usize,
    goal: Square,
    column: usize,
    table: &mut [u32],
    allowed: impl Fn(Square, usize) -> bool,
) {
    let mut queue = VecDeque::from([goal]);
    table[usize::from(goal) * goals + column] = 0;
    while let Some(spot) = queue.pop_front() {
        let next = table[usize::from(spot) * goals + column] + 1;
        for direction in 0..4 {
            let near = puzzle.next(spot, direction);
            if near == WALL || !allowed(near, opposite(direction)) {
                continue;
            }
            let entry = &mut table[usize::from(near) * goals + column];
            if *entry == FAR {
                *entry = next;
                queue.push_back(near);
            }
        }
    }
}

/// The distance from a goal, and the fewest turns of a way of that length.
fn fill_turns(puzzle: &Puzzle, goal: Square, column: usize, table: &mut [u32]) {
    let goals = puzzle.goals().len();
    // The fewest turns by cell and last direction, layer by layer of the distance.
    let mut turns = vec![[u32::MAX; 4]; puzzle.cells().len()];
    let mut layer = vec![goal];
    turns[usize::from(goal)] = [0; 4];
    table[usize::from(goal) * goals + column] = 0;
    let mut distance = 0;
    while !layer.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for &spot in &layer {
            for direction in 0..4 {
                let near = puzzle.next(spot, direction);
                if near == WALL {
                    continue;
                }
                let entry = &mut table[usize::from(near) * goals + column];
                if *entry == FAR {
                    // Marked with its distance; the turns follow when the layer is complete.
                    *entry = distance << TURN_BITS;
                    next.push(near);
                }
                if *entry >> TURN_BITS == distance {
                    let straight = turns[usize::from(spot)][direction];
                    let bent = turns[usize::from(spot)].iter().min().map_or(0, |t| t + 1);
                    let slot = &mut turns[usize::from(near)][direction];
                    *slot = (*slot).min(straight.min(bent));
                }
            }
        }
        for &spot in &next {
            let least = turns[usize::from(spot)].iter().copied().min().unwrap_or(0);
            table[usize::from(spot) * goals + column] |= least.min((1 << TURN_BITS) - 1);
        }
        layer = next;
    }
}
