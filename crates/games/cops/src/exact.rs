//! Exact values of small boards on which nothing moves by itself, with plans of one step, by retrograde
//! analysis.
//!
//! Everybody chooses each tick, so the game is a stochastic game with perfect information but for
//! simultaneous moves (Shapley 1953). Going back from the last tick, each position's value is that of a
//! matrix game between the thief's steps and the cops' joint steps.
//!
//! All values come with a bound of their error. Each matrix game is solved as a linear programme, and
//! its value lies between what the thief's mixture guarantees and what the cops' mixture concedes,
//! however far the programme got. Values of positions that are off by at most e give matrix games that are
//! off by at most e, so the errors of all ticks add up. A value counts as proved only if that sum is small.

use super::board::Position;
use super::rules::{Cops, Piece, STEPS, Step};
use super::stage::solve_stage;
use outwit_core::grid::{Cell, Grid};
use outwit_core::play::Clock;

/// The share of the range of values by which a value may be off and still counts as proved.
const PROVED: f64 = 1e-6;

/// Longer games are not worked out tick by tick once they change no value by more than this, in ticks.
const SETTLED: f64 = 1e-6;

/// Most positions times joint steps times ticks that are taken on.
const MOST_WORK: f64 = 2e9;

/// Most bytes of values.
const MOST_BYTES: f64 = 1e9;

/// Where a step leads the thief.
#[derive(Clone, Copy)]
enum ThiefStep {
    /// To the cell of this number.
    To(usize),
    /// Out through a gate.
    Out,
}

/// Where the cops stand after a joint step.
struct JointMove {
    cops: Vec<usize>,
    /// The number of the position with the thief in the first cell.
    first_position: usize,
}

/// The values of all positions of a still board, by ticks left.
pub struct Exact {
    cells: Vec<Cell>,
    numbers: Grid<Option<usize>>,
    cops: usize,
    capture_adjacent: bool,
    capture_swap: bool,
    thief_steps: Vec<[ThiefStep; 5]>,
    cop_steps: Vec<[usize; 5]>,
    /// What the thief earns from now on, by ticks left and position.
    values: Vec<Vec<f64>>,
    /// How far each of these may be off, by ticks left.
    errors: Vec<f64>,
    /// The difference of the highest and the lowest of them, by ticks left.
    ranges: Vec<f64>,
    /// By how much at most a value grows with each tick more than were worked out.
    growth: f64,
}

/// A value and how far it may be off.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Certified {
    /// The value, in ticks.
    pub value: f64,
    /// The true value differs by at most so much, in ticks.
    pub error: f64,
    /// The difference between the highest and the lowest value of all positions with as many ticks left.
    pub range: f64,
}

impl Certified {
    /// Whether the error is below a millionth of the range of values, or of a tick if they range over
    /// less.
    pub fn is_proved(&self) -> bool {
        self.error < PROVED * self.range.max(1.0)
    }
}

impl Exact {
    /// Analyses a game from a position on. One unit of work is one matrix game.
    ///
    /// # Errors
    /// If walls or gates move, plans take more than one step, or the board is too large; says which.
    /// Or if the clock refuses.
    pub fn new(game: &Cops, from: &Position, clock: &Clock) -> Result<Self, String> {
        let rules = game.board().rules();
        let moves = |count: usize, chance: f64| count > 0 && chance > 0.0;
        if rules.k != 1 {
            return Err("exact values need plans of one move: k = 1".into());
        }
        if moves(from.walls.len(), rules.p_wall_move) || moves(from.gates.len(), rules.p_gate_move)
        {
            return Err("exact values need walls and gates that stand still".into());
        }
        let ticks = rules.ticks.saturating_sub(from.tick);
        let board = game.board();
        let cells: Vec<Cell> =
            board.floor().filter(|&cell| !board.is_walled(&from.walls, cell)).collect();
        let cops = from.cops.len();
        let positions = (cells.len() as f64).powi(cops as i32 + 1);
        let joint = 5_f64.powi(cops as i32);
        let levels = f64::from(ticks) + 1.0;
        if positions * joint * levels > MOST_WORK || positions * levels * 8.0 > MOST_BYTES {
            return Err(format!("{positions} positions are too many; take a smaller board"));
        }
        let mut numbers = Grid::filled(board.width(), board.height(), None);
        for (number, &cell) in cells.iter().enumerate() {
            if let Some(place) = numbers.get_mut(cell) {
                *place = Some(number);
            }
        }
        let stepped = |piece, cell| STEPS.map(|step: Step| game.stepped(from, piece, cell, step));
        let number = |cell: Cell| numbers.get(cell).copied().flatten();
        let thief_steps = cells.iter().map(|&cell| {
            stepped(Piece::Thief, cell).map(|to| number(to).map_or(ThiefStep::Out, ThiefStep::To))
        });
        let cop_steps = cells
            .iter()
            .zip(0..)
            .map(|(&cell, here)| stepped(Piece::Cop(0), cell).map(|to| number(to).unwrap_or(here)));
        let (thief_steps, cop_steps) = (thief_steps.collect(), cop_steps.collect());
        let mut exact = Self {
            capture_adjacent: rules.capture_adjacent,
            capture_swap: rules.capture_swap,
            values: vec![vec![0.0; positions as usize]],
            errors: vec![0.0],
            ranges: vec![0.0],
            growth: 0.0,
            cells,
            numbers,
            cops,
            thief_steps,
            cop_steps,
        };
        let arrangements = exact.values[0].len() / exact.cells.len().max(1);
        let worked_out = (0..arrangements).filter(|&at| exact.arranged(at).is_sorted()).count();
        let matrices = (worked_out * exact.cells.len()) as u64;
        for tick in 1..=ticks {
            if !clock.take(matrices) {
                return Err("there was no time to work it out".into());
            }
            exact.one_more_tick();
            if from.gates.is_empty() && exact.is_settled(ticks - tick) {
                break;
            }
        }
        Ok(exact)
    }

    fn one_more_tick(&mut self) {
        let mut level = vec![0.0; self.values[0].len()];
        let mut worst: f64 = 0.0;
        let (mut lowest, mut highest) = (f64::MAX, f64::MIN);
        let ticks = self.values.len() as u32;
        for (arrangement, values) in level.chunks_mut(self.cells.len()).enumerate() {
            let cops = self.arranged(arrangement);
            // Cops are alike: only the sorted order is worked out.
            if !cops.is_sorted() {
                continue;
            }
            let after = self.joint_moves(&cops);
            for (thief, value) in values.iter_mut().enumerate() {
                let stage = solve_stage(&self.matrix(ticks, thief, &cops, &after));
                *value = (stage.low + stage.high) / 2.0;
                worst = worst.max((stage.high - stage.low) / 2.0);
                (lowest, highest) = (lowest.min(*value), highest.max(*value));
            }
        }
        let before = self.errors.last().copied().unwrap_or_default();
        // The tick that is added to a later value and the mean of the bounds are rounded.
        let rounding = f64::EPSILON * (1.0 + highest);
        self.values.push(level);
        self.errors.push(before + worst + rounding);
        self.ranges.push(highest - lowest);
    }

    /// Whether so many more ticks would change no value noticeably. Without gates the stages of all
    /// ticks are the same, so no tick changes a value by more than the one before changed any.
    fn is_settled(&mut self, more: u32) -> bool {
        let [.., before, last] = self.values.as_slice() else { return false };
        let change = last.iter().zip(before).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        let error: f64 = self.errors.iter().rev().take(2).sum();
        self.growth = change + error;
        self.growth * f64::from(more) <= SETTLED
    }

    /// The cops' cells in an arrangement: positions are numbered by it and then by the thief's cell.
    fn arranged(&self, mut arrangement: usize) -> Vec<usize> {
        let count = self.cells.len();
        let next = || {
            let cop = arrangement % count;
            arrangement /= count;
            cop
        };
        std::iter::repeat_with(next).take(self.cops).collect()
    }

    /// The number of the position with the thief in the first cell.
    fn first_position(&self, cops: &[usize]) -> usize {
        let mut sorted = cops.to_vec();
        sorted.sort_unstable();
        let count = self.cells.len();
        sorted.iter().rev().fold(0, |sum, &cop| sum * count + cop) * count
    }

    /// Where the cops stand after each joint step, the first cop's step changing fastest.
    fn joint_moves(&self, cops: &[usize]) -> Vec<JointMove> {
        let joint = STEPS.len().pow(cops.len() as u32);
        let moved = |steps: usize| {
            let steps = joint_steps(steps, cops.len()).into_iter();
            let cells = cops.iter().zip(steps);
            let cells = cells.map(|(&cop, step)| self.cop_steps[cop][step as usize]);
            let cops: Vec<usize> = cells.collect();
            JointMove { first_position: self.first_position(&cops), cops }
        };
        (0..joint).map(moved).collect()
    }

    /// What the thief earns from now on with this many ticks left; `None` if somebody stands where
    /// nobody can.
    pub fn value(&self, ticks: u32, thief: Cell, cops: &[Cell]) -> Option<Certified> {
        let (thief, cops) = self.numbers_of(thief, cops)?;
        let level = (ticks as usize).min(self.values.len() - 1);
        // The last level stands for all longer games.
        let room = self.growth * (f64::from(ticks) - level as f64) / 2.0;
        let value = *self.values[level].get(self.first_position(&cops) + thief)?;
        let (error, range) = (self.errors[level] + room, self.ranges[level]);
        Some(Certified { value: value + room, error, range })
    }

    fn numbers_of(&self, thief: Cell, cops: &[Cell]) -> Option<(usize, Vec<usize>)> {
        let number = |cell: Cell| self.numbers.get(cell).copied().flatten();
        Some((number(thief)?, cops.iter().map(|&cop| number(cop)).collect::<Option<_>>()?))
    }

    /// The matrix of a position with `ticks` left: the thief's steps by the [joint
    /// moves](Self::joint_moves) of the cops.
    fn matrix(
        &self,
        ticks: u32,
        thief: usize,
        cops: &[usize],
        after: &[JointMove],
    ) -> Vec<Vec<f64>> {
        let row = |&step: &Step| {
            let to = self.thief_steps[thief][step as usize];
            let pays = |after: &JointMove| match to {
                ThiefStep::To(to) if self.is_caught(thief, to, cops, &after.cops) => 0.0,
                ThiefStep::To(to) => {
                    let level = (ticks as usize - 1).min(self.values.len() - 1);
                    1.0 + self.values[level][after.first_position + to]
                }
                ThiefStep::Out if self.is_caught_leaving(thief, step, &after.cops) => 0.0,
                ThiefStep::Out => 2.0 * f64::from(ticks) - 1.0,
            };
            after.iter().map(pays).collect()
        };
        STEPS.iter().map(row).collect()
    }

    fn is_caught(&self, from: usize, to: usize, cops: &[usize], after: &[usize]) -> bool {
        cops.iter().zip(after).any(|(&before, &after)| {
            let swapped = self.capture_swap && after == from && before == to && before != after;
            let apart = || self.cells[after].manhattan(self.cells[to]);
            after == to || swapped || (self.capture_adjacent && apart() == 1)
        })
    }

    /// A cop inside may still be next to a thief in the gate.
    fn is_caught_leaving(&self, from: usize, step: Step, after: &[usize]) -> bool {
        let gate = self.cells[from] + step.delta();
        self.capture_adjacent && after.iter().any(|&cop| self.cells[cop].manhattan(gate) == 1)
    }

    /// The mixtures of a position with `ticks` left: shares of the thief's [`STEPS`], and of the
    /// cops' joint steps as [`joint_steps`] tells them. `None` if somebody stands where nobody can.
    pub fn mixtures(&self, ticks: u32, thief: Cell, cops: &[Cell]) -> Option<(Vec<f64>, Vec<f64>)> {
        let (thief, cops) = self.numbers_of(thief, cops)?;
        let stage = solve_stage(&self.matrix(ticks, thief, &cops, &self.joint_moves(&cops)));
        Some((stage.rows, stage.columns))
    }
}

/// The steps of each cop by the number of a joint step.
pub fn joint_steps(mut number: usize, cops: usize) -> Vec<Step> {
    (0..cops)
        .map(|_| {
            let step = STEPS[number % STEPS.len()];
            number /= STEPS.len();
            step
        })
        .collect()
}

#[cfg(test)]
mod tests;
