//! The fraction of the last move at which the finish is entered, of the states that are asked for.
//!
//! A race is ranked by whole turns and then by this fraction. The layers give the turns of all
//! states. Of the fraction few states are ever asked, so it is found on demand: depth first over the
//! moves that lose no turn, each of which leads to a state with fewer turns left. What was found
//! once is kept.

use super::{ExactTable, State};
use crate::track::{GatesPassed, Track, Walk};
use outwit_core::grid::Cell;
use std::sync::{Mutex, PoisonError};

/// The fractions that can occur and what is known of each state.
pub(super) struct Fractions {
    /// All that can occur, ascending, in lowest terms.
    values: Vec<(i32, i32)>,
    ranks: Mutex<Ranks>,
}

/// For each state 1 + the place of its fraction in the values, or 0 while it is not known.
#[derive(Default)]
struct Ranks {
    /// By addition of the table: 1 + where its states are in `known`, or 0; empty until the first
    /// is asked for.
    of_additions: Vec<u32>,
    /// Those of additions of which any was asked for.
    known: Vec<[u16; 64]>,
}

impl Ranks {
    fn get(&self, state: State) -> u16 {
        match self.of_additions[state.addition as usize].checked_sub(1) {
            Some(at) => self.known[at as usize][state.bit as usize],
            None => 0,
        }
    }

    fn set(&mut self, state: State, rank: u16) {
        let at = &mut self.of_additions[state.addition as usize];
        if *at == 0 {
            self.known.push([0; 64]);
            *at = self.known.len() as u32;
        }
        self.known[*at as usize - 1][state.bit as usize] = rank;
    }
}

/// A state whose moves are being compared.
struct Frame {
    cell: Cell,
    velocity: Cell,
    progress: GatesPassed,
    state: State,
    /// Which acceleration comes next.
    next: usize,
    /// The least rank so far.
    best: u16,
}

impl Fractions {
    /// For moves of at most `fastest` cells in each direction: a cell is entered where the move
    /// crosses a grid line, at (2i-1)/(2d) of a way of d cells across it.
    pub fn new(fastest: i32) -> Self {
        let mut values: Vec<(i32, i32)> = (1..=fastest)
            .flat_map(|d| (1..=d).map(move |i| (2 * i - 1, 2 * d)))
            .map(|(num, den)| {
                let divisor = greatest_common_divisor(num, den);
                (num / divisor, den / divisor)
            })
            .collect();
        values.sort_by_key(|&(num, den)| scaled(num, den));
        values.dedup();
        Self { values, ranks: Mutex::default() }
    }

    /// Bytes that are set aside for states.
    pub fn bytes(&self) -> usize {
        let ranks = self.ranks.lock().unwrap_or_else(PoisonError::into_inner);
        size_of_val(&ranks.of_additions[..]) + size_of_val(&ranks.known[..])
    }

    /// The fraction of a rank.
    fn value(&self, rank: u16) -> (i32, i32) {
        self.values[usize::from(rank) - 1]
    }

    fn rank(&self, num: i32, den: i32) -> u16 {
        self.values.partition_point(|&(n, d)| scaled(n, d) < scaled(num, den)) as u16 + 1
    }
}

/// Fractions with denominators below 1000 differ by more than a millionth, so this tells them apart
/// and keeps their order.
fn scaled(num: i32, den: i32) -> i64 {
    (i64::from(num) << 32) / i64::from(den)
}

fn greatest_common_divisor(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

impl ExactTable {
    /// The least fraction of the last move, among all races from a state with the fewest turns.
    pub(super) fn fraction(
        &self,
        track: &Track,
        cell: Cell,
        velocity: Cell,
        progress: GatesPassed,
    ) -> Option<(i32, i32)> {
        let frame = self.frame(cell, velocity, progress)?;
        let mut ranks = self.fractions.ranks.lock().unwrap_or_else(PoisonError::into_inner);
        ranks.of_additions.resize(self.additions.len(), 0);
        let state = frame.state;
        if ranks.get(state) == 0 {
            self.find_fraction(track, frame, &mut ranks);
        }
        Some(self.fractions.value(ranks.get(state)))
    }

    fn frame(&self, cell: Cell, velocity: Cell, progress: GatesPassed) -> Option<Frame> {
        let state = self.state(cell, velocity, progress)?;
        Some(Frame { cell, velocity, progress, state, next: 0, best: u16::MAX })
    }

    fn find_fraction(&self, track: &Track, start: Frame, ranks: &mut Ranks) {
        let accelerations: Vec<Cell> = track.accelerations().collect();
        let mut stack = vec![start];
        while let Some(frame) = stack.last_mut() {
            let Some(&a) = accelerations.get(frame.next).filter(|_| frame.best > 1) else {
                let rank = frame.best;
                ranks.set(frame.state, rank);
                stack.pop();
                if let Some(parent) = stack.last_mut() {
                    parent.best = parent.best.min(rank);
                    parent.next += 1;
                }
                continue;
            };
            match self.no_worse(track, frame, frame.velocity + a) {
                Next::Worse => frame.next += 1,
                Next::Finishes(rank) => {
                    frame.best = frame.best.min(rank);
                    frame.next += 1;
                }
                Next::Leads(next) if ranks.get(next.state) > 0 => {
                    frame.best = frame.best.min(ranks.get(next.state));
                    frame.next += 1;
                }
                Next::Leads(next) => stack.push(next),
            }
        }
    }

    /// What a move leads to if it loses no turn.
    fn no_worse(&self, track: &Track, frame: &Frame, driven: Cell) -> Next {
        let to = frame.cell + driven;
        // Most moves lose turns whatever they cross; that is seen sooner than the way is followed.
        let in_time =
            |p: GatesPassed| self.turns(to, driven, p).map(|t| t + 1) == Some(frame.state.turns);
        let may_land = || (frame.progress..track.gates()).any(in_time);
        if !track.allows(driven)
            || (frame.state.turns > 1 && track.penalty().is_none() && !may_land())
        {
            return Next::Worse;
        }
        let (next, spent) = match track.walk(frame.cell, driven, frame.progress) {
            Walk::Finishes { num, den } if frame.state.turns == 1 => {
                return Next::Finishes(self.fractions.rank(num, den));
            }
            Walk::Finishes { .. } => return Next::Worse,
            Walk::Lands(progress) => (self.frame(to, driven, progress), 1),
            Walk::Crashes { last, progress } => match track.penalty() {
                Some(penalty) => (self.frame(last, Cell::default(), progress), 1 + penalty),
                None => return Next::Worse,
            },
        };
        match next {
            Some(next) if next.state.turns + spent == frame.state.turns => Next::Leads(next),
            _ => Next::Worse,
        }
    }
}

/// What a move leads to.
enum Next {
    /// It loses a turn.
    Worse,
    /// Over the finish, at a fraction of this rank.
    Finishes(u16),
    /// To this state.
    Leads(Frame),
}
