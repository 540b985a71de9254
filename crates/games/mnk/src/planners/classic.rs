//! The original program's player: alpha-beta to a depth that the number of empty cells sets.

use crate::lines::DIRECTIONS;
use crate::{Mnk, MnkAction, MnkPhase, MnkState, Stone, lines};
use outwit_core::grid::{Cell, Grid};
use outwit_core::play::{
    Candidate, Clock, Counter, Game, Insight, Line, Planner, PlannerContext, Progress, Seat, Value,
    action_text,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a win at once is worth.
const WIN: i32 = 45;

/// More than any value.
const INFINITE: i32 = 1_000_000;

/// The plies that the original searches, by the number of empty cells. It gives 6 for at most 16 and 1 for
/// more than 85; those between are ours.
fn depth_for(empty: usize) -> u32 {
    match empty {
        0..=16 => 6,
        17..=25 => 5,
        26..=36 => 4,
        37..=49 => 3,
        50..=85 => 2,
        _ => 1,
    }
}

/// Alpha-beta over all cells in order, on a stack of its own so that it can stop anywhere.
pub(super) struct Classic {
    context: PlannerContext<Mnk>,
    state: MnkState,
    stones: Grid<Option<Stone>>,
    depth: u32,
    stack: Vec<Frame>,
    /// A cell at random, until a move is valued.
    fallback: MnkAction,
    /// The moves valued so far, with bounds where a better one was known.
    valued: Vec<(Cell, i32)>,
    best: Option<(Cell, i32)>,
    is_done: bool,
    nodes: u64,
}

/// A position whose moves are tried.
struct Frame {
    /// The cell that was marked last; `None` at the root.
    marked: Option<Cell>,
    /// The next cell to try.
    next: usize,
    alpha: i32,
    beta: i32,
    /// The best value so far, for the side that is asked.
    best: i32,
}

impl Classic {
    pub fn new(context: PlannerContext<Mnk>) -> Self {
        let state = context.game.opening();
        let mut classic = Self {
            stones: Grid::default(),
            depth: 0,
            stack: Vec::new(),
            fallback: MnkAction::Keep,
            valued: Vec::new(),
            best: None,
            is_done: false,
            nodes: 0,
            state,
            context,
        };
        classic.begin();
        classic
    }

    fn begin(&mut self) {
        let game = &self.context.game;
        let state = &self.state;
        self.stones = Grid::from_fn(game.width(), game.height(), |cell| game.stone(state, cell));
        let empty: Vec<Cell> =
            self.stones.iter().filter(|(_, stone)| stone.is_none()).map(|(cell, _)| cell).collect();
        let mut dice = ChaCha8Rng::seed_from_u64(self.context.seed ^ u64::from(state.empty));
        self.fallback = match (state.phase, empty.get(dice.random_range(0..empty.len().max(1)))) {
            (MnkPhase::FirstChooses, _) | (_, None) => game.null_action(state, Seat(0)),
            (_, Some(&cell)) => MnkAction::Place(cell),
        };
        self.depth = depth_for(empty.len());
        self.valued.clear();
        self.best = None;
        self.nodes = 0;
        // The original knows no swap: in an opening it places stones at random and never swaps.
        self.is_done = state.phase != MnkPhase::Play || empty.is_empty();
        self.stack.clear();
        self.stack.push(Frame {
            marked: None,
            next: 0,
            alpha: -INFINITE,
            beta: INFINITE,
            best: -INFINITE,
        });
    }

    /// Whether the side that was asked moves at this depth.
    fn is_own(ply: usize) -> bool {
        ply.is_multiple_of(2)
    }

    fn stone_at(&self, ply: usize) -> Stone {
        if Self::is_own(ply) { self.state.to_move } else { self.state.to_move.other() }
    }

    /// Tries the next cell of the last frame.
    fn step(&mut self) {
        let ply = self.stack.len() - 1;
        let Some(frame) = self.stack.last_mut() else { return };
        let cells = self.stones.as_slice();
        let next = (frame.next..cells.len()).find(|&at| cells[at].is_none());
        let Some(at) = next.filter(|_| frame.alpha < frame.beta) else {
            let value = frame.best;
            self.leave(value);
            return;
        };
        frame.next = at + 1;
        let alpha = frame.alpha;
        let beta = frame.beta;
        let cell = self.stones.cell_at(at);
        self.stones[cell] = Some(self.stone_at(ply));
        self.nodes += 1;
        let marked = Some(cell);
        match self.value_if_final(cell, ply + 1) {
            Some(value) => {
                self.stack.push(Frame { marked, next: 0, alpha, beta, best: value });
                self.leave(value);
            }
            None => {
                let best = if Self::is_own(ply + 1) { -INFINITE } else { INFINITE };
                self.stack.push(Frame { marked, next: 0, alpha, beta, best });
            }
        }
    }

    /// The value of the position after `cell` was marked, if no move is to be tried there; `ply` is its
    /// depth.
    fn value_if_final(&self, cell: Cell, ply: usize) -> Option<i32> {
        let rules = &self.context.game.level().rules;
        let stone_at = |at: Cell| self.stones.get(at).copied().flatten();
        if !lines::winning_line(stone_at, cell, rules).is_empty() {
            let after = WIN - ply as i32;
            return Some(if Self::is_own(ply - 1) { after } else { -after });
        }
        if ply as u32 == self.state.empty {
            return Some(0);
        }
        (ply as u32 == self.depth).then(|| self.leaf_value(cell))
    }

    /// The lines through the cell that was marked last, for the side that was asked and against it.
    fn leaf_value(&self, cell: Cell) -> i32 {
        let own = self.state.to_move;
        DIRECTIONS
            .iter()
            .map(|&direction| {
                self.stretch(cell, direction, own) - self.stretch(cell, direction, own.other())
            })
            .sum()
    }

    /// The longest stretch of own and free cells in the line through a cell: its length less its free
    /// cells, or 0 if it is shorter than k.
    fn stretch(&self, cell: Cell, direction: Cell, stone: Stone) -> i32 {
        let mut first = cell;
        while self.stones.contains(first + -direction) {
            first = first + -direction;
        }
        let mut longest = 0;
        let mut worth = 0;
        let mut length = 0;
        let mut own = 0;
        let line = std::iter::successors(Some(first), |&at| Some(at + direction));
        for &content in line.map_while(|at| self.stones.get(at)) {
            if content == Some(stone.other()) {
                (length, own) = (0, 0);
                continue;
            }
            length += 1;
            own += i32::from(content.is_some());
            if (length, own) > (longest, worth) {
                (longest, worth) = (length, own);
            }
        }
        if longest >= self.context.game.k() { worth } else { 0 }
    }

    /// The last frame is valued.
    fn leave(&mut self, value: i32) {
        let Some(left) = self.stack.pop() else { return };
        let Some(cell) = left.marked else {
            self.is_done = true;
            return;
        };
        self.stones[cell] = None;
        let ply = self.stack.len() - 1;
        let Some(frame) = self.stack.last_mut() else { return };
        if Self::is_own(ply) {
            if ply == 0 {
                self.valued.push((cell, value));
                if self.best.is_none_or(|(_, best)| value > best) {
                    self.best = Some((cell, value));
                }
            }
            frame.best = frame.best.max(value);
            frame.alpha = frame.alpha.max(value);
        } else {
            frame.best = frame.best.min(value);
            frame.beta = frame.beta.min(value);
        }
    }
}

impl Planner<Mnk> for Classic {
    fn observe(&mut self, seen: &MnkState) {
        self.state = seen.clone();
        self.begin();
    }

    fn think(&mut self, clock: &Clock) -> Progress {
        while !self.is_done {
            if !clock.take(1) {
                return Progress::More;
            }
            self.step();
        }
        Progress::Done
    }

    fn best(&self) -> MnkAction {
        self.best.map_or(self.fallback, |(cell, _)| MnkAction::Place(cell))
    }

    fn line(&self) -> Line<MnkAction> {
        let value = self.best.filter(|_| self.is_done).map(|(_, value)| classic_value(value));
        Line { value, actions: vec![self.best()] }
    }

    fn insight(&self) -> Insight {
        let mut valued = self.valued.clone();
        valued.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        let rows = self.context.game.height();
        Insight {
            candidates: valued
                .iter()
                .take(8)
                .map(|&(cell, value)| Candidate {
                    name: crate::notation::cell_name(cell, rows),
                    value: Some(classic_value(value)),
                    cells: vec![cell],
                    line: vec![action_text(&MnkAction::Place(cell))],
                })
                .collect(),
            counters: vec![
                Counter {
                    name: "depth".into(),
                    about: "Plies that it looks ahead; the number of empty cells decides.".into(),
                    value: f64::from(self.depth),
                },
                Counter {
                    name: "positions".into(),
                    about: "Positions looked at for this move.".into(),
                    value: self.nodes as f64,
                },
            ],
            ..Insight::default()
        }
    }
}

/// A value of the original as an expected result; wins and losses within its depth are certain.
fn classic_value(value: i32) -> Value {
    // Leaves are worth at most four lines of fewer than k stones; on large boards they reach the
    // range of wins, as in the original.
    Value::Score((0.5 + f64::from(value) / 90.0).clamp(0.0, 1.0))
}
