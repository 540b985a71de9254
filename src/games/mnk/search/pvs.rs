//! Principal variation search (Marsland and Campbell 1982) by iterative deepening, on a stack of its own
//! so that it can stop after any node.

mod answers;
mod moves;

use super::table::{Bound, TableEntry, TranspositionTable};
use super::threats::FourSearch;
use super::{FORCED, NO_CELL, SearchBoard, WIN};
use crate::play::Clock;

/// How a search is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// The deepest iteration, in plies.
    pub depth: u32,
    /// Moves looked at in a position, where the search is selective.
    pub width: usize,
    /// Positions that each search for forced wins by fours may take; 0 for none.
    pub fours: u64,
    /// Entries of the transposition table, as a power of two.
    pub table_bits: u32,
}

/// Boards of at most this many empty cells are searched with all moves, so that a search to the last
/// cell is exact.
const EXHAUSTIVE: u32 = 36;

/// Positions that the first search for a win by fours from the root may take, and the most of any.
const FEWEST_FOURS: u64 = 100;
/// See [`FEWEST_FOURS`]: about as many as take a few milliseconds, since this is one piece of work.
const MOST_FOURS: u64 = 4000;

/// A move of the position that is searched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootMove {
    /// Where.
    pub cell: u16,
    /// Its value for whoever moves; without `is_exact` the true one is at most this.
    pub value: i32,
    /// Whether the last search with it gave a value, not only a bound.
    pub is_exact: bool,
    /// The moves that are expected, this one first.
    pub line: Vec<u16>,
    /// Positions searched behind it.
    pub nodes: u64,
}

/// The search of one position.
#[derive(Clone, Debug)]
pub struct MnkSearch {
    options: SearchOptions,
    board: SearchBoard,
    table: TranspositionTable,
    fours: FourSearch,
    killers: Vec<[u16; 2]>,
    history: [Vec<i32>; 2],
    stack: Vec<Frame>,
    /// The moves of all frames, with their order.
    moves: Vec<(i32, u16)>,
    next: Next,
    /// The moves expected after the position that was returned last.
    returned_line: Vec<u16>,
    is_exhaustive: bool,
    root: Vec<RootMove>,
    /// The iteration under way.
    depth: u32,
    finished: Vec<Iteration>,
    best: u16,
    value: i32,
    line: Vec<u16>,
    is_done: bool,
    nodes: u64,
    deepest: usize,
}

/// A finished iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// Its depth in plies.
    pub depth: u32,
    /// The value for whoever moves.
    pub value: i32,
    /// The moves that are expected.
    pub line: Vec<u16>,
    /// Positions searched since the search began.
    pub nodes: u64,
}

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Begin an iteration.
    Iterate,
    /// Look at the position on the board.
    Enter { alpha: i32, beta: i32, depth: i32 },
    /// Go on in the frame above with this value for whoever moved there last.
    Return(i32),
}

/// How the move under way is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Full,
    Scout,
    Reduced,
}

/// A position on the way to the one on the board.
#[derive(Clone, Debug)]
struct Frame {
    alpha: i32,
    beta: i32,
    depth: i32,
    /// `alpha` as it was at first.
    floor: i32,
    best: i32,
    best_cell: u16,
    /// Its first move in the list, the one after the last, and the one that comes next.
    moves: (usize, usize, usize),
    mode: Mode,
    key: u64,
    symmetry: usize,
    /// What the value cannot be below or above, by arguments about rows.
    limits: (i32, i32),
    line: Vec<u16>,
    nodes: u64,
}

impl MnkSearch {
    /// A search on a board.
    pub fn new(board: SearchBoard, options: SearchOptions) -> Self {
        let cells = board.geometry().cells();
        let mut search = Self {
            table: TranspositionTable::new(options.table_bits),
            options,
            fours: FourSearch::default(),
            killers: Vec::new(),
            history: [vec![0; cells], vec![0; cells]],
            stack: Vec::new(),
            moves: Vec::new(),
            next: Next::Iterate,
            returned_line: Vec::new(),
            is_exhaustive: false,
            root: Vec::new(),
            depth: 0,
            finished: Vec::new(),
            best: NO_CELL,
            value: 0,
            line: Vec::new(),
            is_done: false,
            nodes: 0,
            deepest: 0,
            board,
        };
        search.begin();
        search
    }

    /// Begins with another position of the same board; the table is kept.
    pub fn set_up(&mut self, state: &crate::games::mnk::MnkState) {
        while self.board.plies() > 0 {
            self.board.undo();
        }
        self.board.set_up(state);
        self.table.age();
        if (self.board.empty() <= EXHAUSTIVE) != self.is_exhaustive {
            // What a selective search has found is no proof.
            self.table = TranspositionTable::new(self.options.table_bits);
        }
        self.begin();
    }

    /// Leaves out moves of the position, unless no other would be left.
    pub fn overlook(&mut self, is_overlooked: impl Fn(usize) -> bool) {
        if self.root.iter().any(|choice| !is_overlooked(usize::from(choice.cell))) {
            self.root.retain(|choice| !is_overlooked(usize::from(choice.cell)));
        }
        if let Some(first) = self.root.first().map(|choice| choice.cell)
            && !self.root.iter().any(|choice| choice.cell == self.best)
        {
            // Even a win at once can be overlooked.
            self.best = first;
            self.value = 0;
            self.line.clear();
            self.is_done = false;
        }
    }

    fn begin(&mut self) {
        self.stack.clear();
        self.moves.clear();
        self.killers.clear();
        self.history.iter_mut().flatten().for_each(|count| *count /= 8);
        self.next = Next::Iterate;
        self.is_exhaustive = self.board.empty() <= EXHAUSTIVE;
        self.depth = 0;
        self.finished.clear();
        self.nodes = 0;
        self.deepest = 0;
        self.value = 0;
        self.line.clear();
        self.list_moves(self.board.winning_cells(1 - self.board.to_move()).0, NO_CELL, 0);
        let fresh = |&(_, cell): &(i32, u16)| RootMove {
            cell,
            value: 0,
            is_exact: false,
            line: vec![cell],
            nodes: 0,
        };
        self.root = self.moves.drain(..).map(|choice| fresh(&choice)).collect();
        self.drop_mirrored();
        self.best = self.root.first().map_or(NO_CELL, |choice| choice.cell);
        self.is_done = self.root.is_empty();
        if let Some(cell) = self.board.winning_cells(self.board.to_move()).0 {
            self.best = cell as u16;
            self.value = WIN - 1;
            self.line = vec![self.best];
            self.is_done = true;
        }
    }

    /// Searches until it is done or the clock refuses. A unit of work is a position.
    pub fn run(&mut self, clock: &Clock) {
        while !self.is_done {
            let before = self.fours.nodes;
            match self.next {
                Next::Return(value) => self.resume(value),
                _ if !clock.take(1) => return,
                Next::Iterate => {
                    self.nodes += 1;
                    if !self.wins_by_fours() {
                        self.iterate();
                    }
                }
                Next::Enter { alpha, beta, depth } => {
                    self.nodes += 1;
                    self.enter(alpha, beta, depth);
                }
            }
            let extra = self.fours.nodes - before;
            self.nodes += extra;
            clock.charge(extra);
        }
    }

    /// Looks for a win by fours from the position itself, longer and longer with each iteration.
    fn wins_by_fours(&mut self) -> bool {
        if self.options.fours == 0 || self.board.winning_cells(1 - self.board.to_move()).0.is_some()
        {
            return false;
        }
        let limit = (FEWEST_FOURS + self.nodes / 4).min(MOST_FOURS);
        if !self.fours.wins(&mut self.board, 2 * (self.depth + 1), limit) {
            return false;
        }
        let line = self.fours.line().to_vec();
        let Some(choice) = self.root.iter_mut().find(|choice| choice.cell == line[0]) else {
            // It is overlooked, or another cell stands for it by symmetry.
            return false;
        };
        choice.value = WIN - line.len() as i32;
        choice.is_exact = true;
        choice.line.clone_from(&line);
        self.best = choice.cell;
        self.value = choice.value;
        self.line = line;
        let best = self.best;
        self.root.sort_by_key(|choice| choice.cell != best);
        self.is_done = true;
        true
    }

    fn iterate(&mut self) {
        self.depth += 1;
        self.moves.clear();
        let order = self.root.iter().map(|choice| (0, choice.cell));
        self.moves.extend(order);
        let (key, symmetry) = self.board.canonical();
        self.push_frame(-WIN, WIN, self.depth as i32, (key, symmetry), (-WIN, WIN), 0);
        self.try_next();
    }

    fn push_frame(
        &mut self,
        alpha: i32,
        beta: i32,
        depth: i32,
        (key, symmetry): (u64, usize),
        limits: (i32, i32),
        first: usize,
    ) {
        self.stack.push(Frame {
            alpha,
            beta,
            depth,
            floor: alpha,
            best: -WIN,
            best_cell: NO_CELL,
            moves: (first, self.moves.len(), first),
            mode: Mode::Full,
            key,
            symmetry,
            limits,
            line: Vec::new(),
            nodes: self.nodes,
        });
    }

    /// Looks at the position on the board: gives its value or makes a frame for it.
    fn enter(&mut self, alpha: i32, beta: i32, depth: i32) {
        let ply = self.stack.len();
        self.deepest = self.deepest.max(ply);
        self.returned_line.clear();
        let (own, other) = (self.board.to_move(), 1 - self.board.to_move());
        let win_after = |plies: usize| WIN - (ply + plies) as i32;
        if let Some(cell) = self.board.winning_cells(own).0 {
            self.returned_line.push(cell as u16);
            self.next = Next::Return(win_after(1));
            return;
        }
        let forced = match self.board.winning_cells(other) {
            (Some(block), Some(wins)) => {
                self.returned_line.extend([block as u16, wins as u16]);
                self.next = Next::Return(-win_after(2));
                return;
            }
            (forced, _) => forced,
        };
        let limits = (
            if self.board.can_be_stopped(other) { 0 } else { -win_after(2) },
            if self.board.can_be_stopped(own) { 0 } else { win_after(1) },
        );
        if self.board.empty() == 0 || limits.0 >= limits.1 || limits.0 >= beta || limits.1 <= alpha
        {
            let value = if self.board.empty() == 0 { 0 } else { 0.clamp(limits.0, limits.1) };
            let value = if limits.0 >= beta {
                limits.0
            } else if limits.1 <= alpha {
                limits.1
            } else {
                value
            };
            self.next = Next::Return(value);
            return;
        }
        // A forced answer costs no depth.
        let depth = depth + i32::from(forced.is_some() && ply < 2 * self.depth as usize + 8);
        let (key, symmetry) = self.board.canonical();
        let known = self.table.get(key);
        let mut hint = NO_CELL;
        if let Some(entry) = known {
            hint = match entry.cell {
                NO_CELL => NO_CELL,
                cell => self.board.geometry().back(symmetry, cell),
            };
            let value = from_table(entry.value, ply);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            let deep_enough = i32::from(entry.depth) >= depth.max(0)
                // Forced wins stay what they are.
                || (entry.bound == Bound::Lower && value >= FORCED)
                || (entry.bound == Bound::Upper && value <= -FORCED);
            if cuts && deep_enough {
                if hint != NO_CELL {
                    self.returned_line.push(hint);
                }
                self.next = Next::Return(value);
                return;
            }
        }
        if forced.is_none() && known.is_none() && self.options.fours > 0 {
            let moves = (self.board.empty() / 2 + 1).min(40);
            if self.fours.wins(&mut self.board, moves, self.options.fours) {
                self.returned_line.extend(self.fours.line());
                let value = win_after(self.returned_line.len());
                let cell = self.returned_line[0];
                self.store((key, symmetry), cell, 0, Bound::Lower, value);
                self.next = Next::Return(value);
                return;
            }
        }
        if depth <= 0 {
            let value = self.static_value().clamp(limits.0, limits.1);
            self.store((key, symmetry), hint, 0, Bound::Exact, value);
            self.next = Next::Return(value);
            return;
        }
        let first = self.moves.len();
        self.list_moves(forced, hint, ply);
        self.push_frame(alpha, beta, depth, (key, symmetry), limits, first);
        self.try_next();
    }

    /// Plays the next move of the top frame, or leaves the frame.
    fn try_next(&mut self) {
        let ply = self.stack.len();
        let Some(frame) = self.stack.last_mut() else { return };
        let (first, end, next) = frame.moves;
        if next == end {
            self.leave();
            return;
        }
        let late = next - first;
        let is_quiet = self.moves[next].0 < 2048;
        frame.mode = match late {
            0 => Mode::Full,
            4.. if ply > 1 && frame.depth >= 3 && !self.is_exhaustive && is_quiet => Mode::Reduced,
            _ => Mode::Scout,
        };
        self.play_move();
    }

    /// Plays the current move of the top frame in its mode.
    fn play_move(&mut self) {
        let Some(frame) = self.stack.last_mut() else { return };
        let (_, cell) = self.moves[frame.moves.2];
        frame.nodes = self.nodes;
        let depth = frame.depth - 1;
        self.next = match frame.mode {
            Mode::Full => Next::Enter { alpha: -frame.beta, beta: -frame.alpha, depth },
            Mode::Scout => Next::Enter { alpha: -frame.alpha - 1, beta: -frame.alpha, depth },
            Mode::Reduced => {
                Next::Enter { alpha: -frame.alpha - 1, beta: -frame.alpha, depth: depth - 1 }
            }
        };
        self.board.play(usize::from(cell));
    }

    /// A move of the top frame was searched; `value` is for the other side.
    fn resume(&mut self, value: i32) {
        self.board.undo();
        let is_root = self.stack.len() == 1;
        let Some(frame) = self.stack.last_mut() else { return };
        let value = -value;
        if value > frame.alpha {
            let again = match frame.mode {
                Mode::Reduced => Some(Mode::Scout),
                Mode::Scout if value < frame.beta => Some(Mode::Full),
                _ => None,
            };
            if let Some(mode) = again {
                frame.mode = mode;
                self.play_move();
                return;
            }
        }
        let (_, cell) = self.moves[frame.moves.2];
        let is_exact = frame.mode == Mode::Full && value > frame.floor && value < frame.beta;
        let raises = value > frame.alpha;
        if value > frame.best {
            frame.best = value;
            frame.best_cell = cell;
        }
        if raises {
            frame.alpha = value;
            frame.line.clear();
            frame.line.push(cell);
            frame.line.extend(&self.returned_line);
        }
        frame.moves.2 += 1;
        let cuts = frame.alpha >= frame.beta;
        let spent = self.nodes - frame.nodes;
        let depth = frame.depth;
        if is_root {
            self.note_root_move(cell, value, is_exact || raises, raises, spent);
        }
        if cuts {
            self.reward(cell, depth);
            self.leave();
        } else {
            self.try_next();
        }
    }

    fn note_root_move(&mut self, cell: u16, value: i32, is_exact: bool, raises: bool, nodes: u64) {
        let line = std::iter::once(cell).chain(self.returned_line.iter().copied());
        if let Some(choice) = self.root.iter_mut().find(|choice| choice.cell == cell) {
            choice.value = value;
            choice.is_exact = is_exact;
            choice.nodes += nodes;
            choice.line = line.clone().collect();
        }
        if raises {
            self.best = cell;
            self.value = value;
            self.line = line.collect();
        }
    }

    /// The top frame is searched.
    fn leave(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        self.moves.truncate(frame.moves.0);
        let value = frame.best.clamp(frame.limits.0, frame.limits.1);
        let bound = if value <= frame.floor {
            Bound::Upper
        } else if value >= frame.beta {
            Bound::Lower
        } else {
            Bound::Exact
        };
        let ply = self.stack.len();
        let depth = frame.depth.clamp(0, 255) as u8;
        self.table.put(
            frame.key,
            TableEntry {
                cell: self.to_common(frame.symmetry, frame.best_cell),
                depth,
                bound,
                value: to_table(value, ply),
            },
        );
        self.returned_line = frame.line;
        if self.stack.is_empty() {
            self.finish_iteration();
        } else {
            self.next = Next::Return(value);
        }
    }

    fn finish_iteration(&mut self) {
        let best = self.best;
        // The best move first, then by value; equal ones in the order of the last iteration.
        self.root.sort_by_key(|choice| (choice.cell != best, std::cmp::Reverse(choice.value)));
        self.finished.push(Iteration {
            depth: self.depth,
            value: self.value,
            line: self.line.clone(),
            nodes: self.nodes,
        });
        self.next = Next::Iterate;
        let is_forced = self.value.abs() >= FORCED;
        let is_only = self.root.len() == 1 && self.depth >= 4;
        let is_exhausted = self.depth >= self.options.depth.min(self.board.empty());
        let is_dead = self.board.alive() == [0, 0];
        self.is_done = is_forced || is_only || is_exhausted || is_dead;
    }

    fn to_common(&self, symmetry: usize, cell: u16) -> u16 {
        match cell {
            NO_CELL => NO_CELL,
            cell => self.board.geometry().symmetries[symmetry][usize::from(cell)],
        }
    }

    fn store(
        &mut self,
        (key, symmetry): (u64, usize),
        cell: u16,
        depth: u8,
        bound: Bound,
        value: i32,
    ) {
        let entry = TableEntry {
            cell: self.to_common(symmetry, cell),
            depth,
            bound,
            value: to_table(value, self.stack.len()),
        };
        self.table.put(key, entry);
    }
}

/// Forced values count from the position itself in the table, from the root elsewhere.
fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        FORCED.. => value + ply as i32,
        ..=-900_000 => value - ply as i32,
        _ => value,
    }
}

fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        FORCED.. => value - ply as i32,
        ..=-900_000 => value + ply as i32,
        _ => value,
    }
}
