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
use super::stage::{Stage, solve_stage, stage_bounds};
use outwit_core::grid::{Cell, Grid};
use outwit_core::platform::task::lock;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The share of the range of values by which a value may be off and still counts as proved.
const PROVED: f64 = 1e-6;

/// Longer games are not worked out tick by tick once they change no value by more than this, in ticks.
const SETTLED: f64 = 1e-6;

/// Most positions times joint steps times ticks that are taken on.
const MOST_WORK: f64 = 2e9;

/// Most bytes of values.
const MOST_BYTES: f64 = 1e9;

/// Where steps lead is worked out once for all ticks if it is for no more pairs of steps than this.
const MOST_PAIRS: usize = 1 << 26;

/// Stands for the number of a position: the thief is caught.
const CAUGHT: u32 = u32::MAX;
/// The same: it has left through a gate.
const OUT: u32 = u32::MAX - 1;

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

/// What perfect play is in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PerfectTurn {
    /// What the thief earns from now on.
    pub certified: Certified,
    /// The share of each of the thief's [`STEPS`].
    pub thief: Vec<f64>,
    /// The share of each joint step of the cops, as [`joint_steps`] tells it.
    pub cops: Vec<f64>,
    /// What the thief earns from now on by each of its steps, against these shares of the cops.
    pub thief_pays: Vec<f64>,
    /// What it earns from now on against each joint step, by its own shares.
    pub cops_pays: Vec<f64>,
}

/// The values of a match, worked out when somebody first asks for them: planners, odds, review and hints need the same.
/// Clones share them.
#[derive(Clone, Default)]
pub(super) struct SharedExact(Arc<Mutex<Vec<KnownBoard>>>);

/// A board as it stands in a match, and its values.
struct KnownBoard {
    cells: Vec<Cell>,
    gates: Vec<u16>,
    exact: Arc<Exact>,
}

/// The cells of a position where somebody can stand, and the places of its gates. Where walls and gates would move, if they
/// did, changes no value.
fn standing(game: &Cops, now: &Position) -> (Vec<Cell>, Vec<u16>) {
    let board = game.board();
    let cells = board.floor().filter(|&cell| !board.is_walled(&now.walls, cell));
    (cells.collect(), now.gates.iter().map(|gate| gate.place).collect())
}

impl fmt::Debug for SharedExact {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("SharedExact")
    }
}

/// The values of a board among those that are known.
fn find(known: &[KnownBoard], cells: &[Cell], gates: &[u16]) -> Option<Arc<Exact>> {
    let found = known.iter().find(|known| known.cells == cells && known.gates == gates)?;
    Some(Arc::clone(&found.exact))
}

impl SharedExact {
    /// The values of the board of a position, for all ticks of the game.
    ///
    /// # Errors
    /// As [`Exact::new`].
    pub fn get(
        &self,
        game: &Cops,
        now: &Position,
        take: &dyn Fn(u64) -> bool,
    ) -> Result<Arc<Exact>, String> {
        refusal(game, now)?;
        let (cells, gates) = standing(game, now);
        // Held while they are worked out, so that two who want them do not both do it.
        let mut known = lock(&self.0);
        if let Some(exact) = find(&known, &cells, &gates) {
            return Ok(exact);
        }
        let exact = Arc::new(Exact::new(game, &Position { tick: 0, ..now.clone() }, take)?);
        known.push(KnownBoard { cells, gates, exact: Arc::clone(&exact) });
        // Where each match draws gates or walls there are many boards; the oldest go first.
        let bytes = |known: &[KnownBoard]| known.iter().map(|it| it.exact.bytes()).sum::<f64>();
        while known.len() > 1 && bytes(&known) > MOST_BYTES {
            known.remove(0);
        }
        Ok(exact)
    }

    /// The same if they are known already, without waiting.
    pub fn known(&self, game: &Cops, now: &Position) -> Option<Arc<Exact>> {
        let known = self.0.try_lock().ok().filter(|known| !known.is_empty())?;
        let (cells, gates) = standing(game, now);
        find(&known, &cells, &gates)
    }
}

/// Why the values of a position's board are not worked out, if so.
pub(super) fn refusal(game: &Cops, now: &Position) -> Result<(), String> {
    let rules = game.board().rules();
    let walls_move = !now.walls.is_empty() && rules.p_wall_move > 0.0;
    let gates_move = !now.gates.is_empty() && rules.p_gate_move > 0.0;
    if rules.k != 1 {
        return Err("exact values need plans of one move: k = 1".into());
    }
    if walls_move || gates_move {
        return Err("exact values need walls and gates that stand still".into());
    }
    Ok(())
}

impl Exact {
    /// Analyses a game from a position on. One unit of work is one matrix game; `take` is asked before each tick for
    /// those of the tick.
    ///
    /// # Errors
    /// If walls or gates move, plans take more than one step, or the board is too large; says which.
    /// Or if `take` refuses.
    pub fn new(game: &Cops, from: &Position, take: &dyn Fn(u64) -> bool) -> Result<Self, String> {
        refusal(game, from)?;
        let rules = game.board().rules();
        let ticks = rules.ticks.saturating_sub(from.tick);
        let board = game.board();
        let (cells, _) = standing(game, from);
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
        let thief_steps = cells.iter().map(|&cell| {
            STEPS.map(|step| {
                let to = game.stepped(from, Piece::Thief, cell, step);
                number_of(&numbers, to).map_or(ThiefStep::Out, ThiefStep::To)
            })
        });
        let thief_steps = thief_steps.collect();
        let cop_steps = cells.iter().zip(0..).map(|(&cell, here)| {
            STEPS.map(|step| {
                let to = game.stepped(from, Piece::Cop(0), cell, step);
                number_of(&numbers, to).unwrap_or(here)
            })
        });
        let cop_steps = cop_steps.collect();
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
        // Cops are alike: only their sorted order is worked out.
        let sorted: Vec<usize> =
            (0..arrangements).filter(|&at| exact.arranged(at).is_sorted()).collect();
        let matrices = sorted.len() * exact.cells.len();
        let is_kept = matrices * STEPS.len() * joint as usize <= MOST_PAIRS;
        let kept: Vec<Vec<u32>> = match is_kept {
            true => sorted.iter().map(|&arrangement| exact.pairs(arrangement)).collect(),
            false => Vec::new(),
        };
        for tick in 1..=ticks {
            if !take(matrices as u64) {
                return Err("there was no time to work it out".into());
            }
            exact.one_more_tick(&sorted, &kept);
            if from.gates.is_empty() && exact.is_settled(ticks - tick) {
                break;
            }
        }
        Ok(exact)
    }

    /// Where each pair of a step of the thief and a joint step of the cops leads, for all cells of the thief.
    fn pairs(&self, arrangement: usize) -> Vec<u32> {
        let cops = self.arranged(arrangement);
        let after = self.joint_moves(&cops);
        let thieves = 0..self.cells.len();
        let steps = thieves.flat_map(|thief| STEPS.map(|step| (thief, step)));
        steps
            .flat_map(|(thief, step)| {
                after
                    .iter()
                    .map(|after| self.leads_to(thief, step, &cops, after))
                    .collect::<Vec<_>>()
            })
            .collect()
    }

    /// Adds the values with one tick more. The arrangements are those of sorted cops, with their [pairs](Self::pairs) if
    /// these are kept.
    fn one_more_tick(&mut self, sorted: &[usize], kept: &[Vec<u32>]) {
        let mut level = vec![0.0; self.values[0].len()];
        let mut worst: f64 = 0.0;
        let mut lowest = f64::MAX;
        let mut highest = f64::MIN;
        let ticks = self.values.len() as u32;
        let joint = STEPS.len().pow(self.cops as u32);
        let mut matrix = vec![vec![0.0; joint]; STEPS.len()];
        for (number, &arrangement) in sorted.iter().enumerate() {
            let fresh;
            let pairs = match kept.get(number) {
                Some(pairs) => pairs,
                None => {
                    fresh = self.pairs(arrangement);
                    &fresh
                }
            };
            let values = &mut level[arrangement * self.cells.len()..][..self.cells.len()];
            for (value, pairs) in values.iter_mut().zip(pairs.chunks(STEPS.len() * joint)) {
                for (row, pairs) in matrix.iter_mut().zip(pairs.chunks(joint)) {
                    let pays = pairs.iter().map(|&leads_to| self.pays(ticks, leads_to));
                    row.iter_mut().zip(pays).for_each(|(entry, pays)| *entry = pays);
                }
                let (low, high) = stage_bounds(&matrix);
                *value = (low + high) / 2.0;
                worst = worst.max((high - low) / 2.0);
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

    /// About how many bytes its values take.
    fn bytes(&self) -> f64 {
        self.values.iter().map(|level| 8.0 * level.len() as f64).sum()
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
        (0..self.cops)
            .map(|_| {
                let cop = arrangement % count;
                arrangement /= count;
                cop
            })
            .collect()
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
        (0..joint)
            .map(|number| {
                let steps = joint_steps(number, cops.len());
                let cells = cops.iter().zip(steps);
                let cops: Vec<usize> =
                    cells.map(|(&cop, step)| self.cop_steps[cop][step as usize]).collect();
                JointMove { first_position: self.first_position(&cops), cops }
            })
            .collect()
    }

    /// What the thief earns from now on with this many ticks left; `None` if somebody stands where
    /// nobody can.
    pub fn value(&self, ticks: u32, thief: Cell, cops: &[Cell]) -> Option<Certified> {
        let (thief, cops) = self.numbers_of(thief, cops)?;
        let level = (ticks as usize).min(self.values.len() - 1);
        // The last level stands for all longer games.
        let room = self.growth * (f64::from(ticks) - level as f64) / 2.0;
        let value = *self.values[level].get(self.first_position(&cops) + thief)?;
        let error = self.errors[level] + room;
        let range = self.ranges[level];
        Some(Certified { value: value + room, error, range })
    }

    fn numbers_of(&self, thief: Cell, cops: &[Cell]) -> Option<(usize, Vec<usize>)> {
        let thief = number_of(&self.numbers, thief)?;
        let cops: Option<_> = cops.iter().map(|&cop| number_of(&self.numbers, cop)).collect();
        Some((thief, cops?))
    }

    /// The matrix of a position with `ticks` left: the thief's steps by the [joint
    /// moves](Self::joint_moves) of the cops.
    fn matrix(&self, ticks: u32, thief: usize, cops: &[usize]) -> Vec<Vec<f64>> {
        let after = self.joint_moves(cops);
        let pays = |step, after| self.pays(ticks, self.leads_to(thief, step, cops, after));
        STEPS.iter().map(|&step| after.iter().map(|after| pays(step, after)).collect()).collect()
    }

    /// The number of the position in which a step of the thief ends while the cops take a joint one; or how it ends.
    fn leads_to(&self, thief: usize, step: Step, cops: &[usize], after: &JointMove) -> u32 {
        match self.thief_steps[thief][step as usize] {
            ThiefStep::To(to) if self.is_caught(thief, to, cops, &after.cops) => CAUGHT,
            ThiefStep::To(to) => (after.first_position + to) as u32,
            ThiefStep::Out if self.is_caught_leaving(thief, step, &after.cops) => CAUGHT,
            ThiefStep::Out => OUT,
        }
    }

    /// What the thief earns from now on with `ticks` left, given where this tick [leads](Self::leads_to).
    fn pays(&self, ticks: u32, leads_to: u32) -> f64 {
        match leads_to {
            CAUGHT => 0.0,
            OUT => 2.0 * f64::from(ticks) - 1.0,
            position => {
                let level = (ticks as usize - 1).min(self.values.len() - 1);
                1.0 + self.values[level][position as usize]
            }
        }
    }

    fn is_caught(&self, from: usize, to: usize, cops: &[usize], after: &[usize]) -> bool {
        cops.iter().zip(after).any(|(&before, &after)| {
            let swapped = self.capture_swap && after == from && before == to && before != after;
            let is_beside = self.cells[after].manhattan(self.cells[to]) == 1;
            after == to || swapped || (self.capture_adjacent && is_beside)
        })
    }

    /// A cop inside may still be next to a thief in the gate.
    fn is_caught_leaving(&self, from: usize, step: Step, after: &[usize]) -> bool {
        let gate = self.cells[from] + step.delta();
        self.capture_adjacent && after.iter().any(|&cop| self.cells[cop].manhattan(gate) == 1)
    }

    /// Perfect play of a position with `ticks` left; `None` if somebody stands where nobody can.
    pub fn turn(&self, ticks: u32, thief: Cell, cops: &[Cell]) -> Option<PerfectTurn> {
        let certified = self.value(ticks, thief, cops)?;
        let (thief, cops) = self.numbers_of(thief, cops)?;
        let matrix = self.matrix(ticks, thief, &cops);
        let Stage { rows, columns, .. } = solve_stage(&matrix);
        let mean = |pays: &[f64]| pays.iter().zip(&columns).map(|(pay, share)| pay * share).sum();
        let thief_pays = matrix.iter().map(|row| mean(row)).collect();
        let against = |at: usize| matrix.iter().zip(&rows).map(move |(row, share)| row[at] * share);
        let cops_pays = (0..columns.len()).map(|at| against(at).sum()).collect();
        Some(PerfectTurn { certified, thief: rows, cops: columns, thief_pays, cops_pays })
    }
}

/// The number of a cell where somebody can stand.
fn number_of(numbers: &Grid<Option<usize>>, cell: Cell) -> Option<usize> {
    numbers.get(cell).copied().flatten()
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
