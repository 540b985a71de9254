//! Principal variation search (Marsland and Campbell 1982) by iterative deepening, on a stack of its own
//! so that it can stop after any node.

mod answers;
mod frames;
mod moves;
mod node;
mod probe;
mod threats;

use super::attack::{Means, ThreatSearch};
use super::table::TranspositionTable;
use super::{FORCED, NO_CELL, PatternBoard, SearchBoard, WIN};
use outwit_core::play::Clock;

/// How a search is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// The deepest iteration, in plies.
    pub depth: u32,
    /// Moves looked at in a position, where the search is selective.
    pub width: usize,
    /// Positions that each search for forced wins by fours may take. With 0 no threat is recognised
    /// but that of the last stone of a row.
    pub fours: u64,
    /// Positions that one search for forced wins by fours and threes may take; 0 for none.
    pub threes: u64,
    /// Entries of the transposition table, as a power of two.
    pub table_bits: u32,
}

/// Boards of at most this many empty cells are searched with all moves, so that a search to the last
/// cell is exact.
const EXHAUSTIVE: u32 = 36;

/// Positions that the search for wins by threats from the root takes before the first iteration.
const FIRST_THREATS: u64 = 200;

/// Of so many positions one is for such wins from then on.
const THREAT_SHARE: u64 = 16;

/// Rows up to twice as long are searched for threats as far as the options say.
const USUAL_ROW: u64 = 5;

/// Positions that are searched for the value of a position with a single move, which is played whatever it is worth.
const ONLY_MOVE_NODES: u64 = 10_000;

/// The static value of a position that has none.
const UNKNOWN_VALUE: i32 = i32::MIN;

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
    board: PatternBoard,
    /// The same stones, for arguments about rows; follows the search only where it is exhaustive.
    windows: SearchBoard,
    table: TranspositionTable,
    fours: ThreatSearch,
    linked_fours: ThreatSearch,
    threes: ThreatSearch,
    /// The killer moves of each ply (Akl and Newborn 1977): those that last refuted a position there.
    killers: Vec<[u16; 2]>,
    /// By kind of stone and cell: how often a stone there refuted a position (the history heuristic, Schaeffer 1983).
    history: [Vec<i32>; 2],
    stack: Vec<Frame>,
    /// The moves of all frames, with their order.
    moves: Vec<(i32, u16)>,
    next: Next,
    /// The moves expected after the position that was returned last.
    returned_line: Vec<u16>,
    is_exhaustive: bool,
    /// Up to so many empty cells it is; see [`EXHAUSTIVE`].
    most_exhaustive: u32,
    /// Whether the position is lost if all moves in `root` lose.
    is_complete: bool,
    root: Vec<RootMove>,
    /// The iteration under way.
    depth: u32,
    finished: Vec<Iteration>,
    best: u16,
    value: i32,
    /// The depth of the iteration that gave the value.
    value_depth: u32,
    /// The static value of the position.
    static_value: i32,
    line: Vec<u16>,
    is_done: bool,
    nodes: u64,
    deepest: usize,
    /// The attacker's stones up to which wins by fours, and by threes, are looked for next.
    four_stones: u32,
    three_stones: u32,
    /// Positions that the search for such wins may still take before the next iteration.
    threat_left: u64,
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
    /// Look at the position after the move under way in the frame above.
    Enter { alpha: i32, beta: i32, depth: i32 },
    /// Go on in the frame above with this value for whoever moved there last.
    Return(i32),
}

/// How the move under way is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// With the whole window.
    Full,
    /// With a null window: only whether it is better than the best so far.
    Scout,
    /// The same, so many plies less deep: a late move reduction.
    Reduced(i32),
    /// The null move: no stone is placed. If the side that is to move stands well even so, it stands well.
    Pass,
    /// The frame below searches some of the moves less deep, for ProbCut.
    Probe,
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
    /// Whether all moves that are not listed lose.
    is_complete: bool,
    /// Whether it is an expected cut node: one whose move refutes the position before it.
    is_cut: bool,
    /// What the moves are to reach less deep before they are searched; see [`probe`].
    probe: Option<i32>,
    line: Vec<u16>,
    nodes: u64,
}

impl MnkSearch {
    /// A search on a board.
    pub fn new(windows: SearchBoard, mut options: SearchOptions) -> Self {
        let cells = windows.geometry().cells();
        // Stones in longer rows change more cells, and a search for threats is one piece of work.
        let cost = (windows.geometry().k as u64 / USUAL_ROW).max(1);
        options.fours = options.fours.div_ceil(cost);
        options.threes /= cost;
        let mut board = PatternBoard::like(&windows);
        board.set_up(&windows);
        let mut search = Self {
            table: TranspositionTable::new(options.table_bits),
            options,
            fours: ThreatSearch::new(Means::Fours),
            linked_fours: ThreatSearch::new(Means::LinkedFours),
            threes: ThreatSearch::new(Means::Threes),
            killers: Vec::new(),
            history: [vec![0; cells], vec![0; cells]],
            stack: Vec::new(),
            moves: Vec::new(),
            next: Next::Iterate,
            returned_line: Vec::new(),
            is_exhaustive: false,
            most_exhaustive: EXHAUSTIVE,
            is_complete: false,
            root: Vec::new(),
            depth: 0,
            finished: Vec::new(),
            best: NO_CELL,
            value: 0,
            value_depth: 0,
            static_value: 0,
            line: Vec::new(),
            is_done: false,
            nodes: 0,
            deepest: 0,
            four_stones: 2,
            three_stones: 3,
            threat_left: 0,
            board,
            windows,
        };
        search.begin();
        search
    }

    /// The same search, as selective on small boards as on large ones.
    #[cfg(test)]
    pub(crate) fn always_selective(mut self) -> Self {
        self.most_exhaustive = 0;
        self.begin();
        self
    }

    /// A search of the same position for another thread: it has the same table, and so helps this one. It is ahead by
    /// a ply from the first iteration on, and leaves wins by threats from the position itself to this one.
    pub fn beside(&self) -> Self {
        let mut other = self.clone();
        while other.board.plies() > 0 {
            other.undo();
        }
        other.begin();
        other.depth = 1;
        (other.four_stones, other.three_stones) = (u32::MAX, u32::MAX);
        other
    }

    /// Begins with another position of the same board; the table is kept.
    pub fn set_up(&mut self, state: &crate::MnkState) {
        while self.board.plies() > 0 {
            self.undo();
        }
        self.windows.set_up(state);
        self.board.set_up(&self.windows);
        self.table.age();
        if (self.board.empty() <= self.most_exhaustive) != self.is_exhaustive {
            // What a selective search has found is no proof.
            self.table = TranspositionTable::new(self.options.table_bits);
        }
        self.begin();
    }

    /// Leaves out moves of the position, unless no other would be left.
    pub fn overlook(&mut self, is_overlooked: impl Fn(usize) -> bool) {
        if self.root.iter().any(|choice| !is_overlooked(usize::from(choice.cell))) {
            let listed = self.root.len();
            self.root.retain(|choice| !is_overlooked(usize::from(choice.cell)));
            self.is_complete &= self.root.len() == listed;
        }
        if let Some(first) = self.root.first().map(|choice| choice.cell)
            && is_overlooked(usize::from(self.best))
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
        self.is_exhaustive = self.board.empty() <= self.most_exhaustive;
        self.depth = 0;
        (self.four_stones, self.three_stones) = (2, 3);
        self.threat_left = FIRST_THREATS;
        self.finished.clear();
        self.nodes = 0;
        self.deepest = 0;
        self.value = 0;
        self.value_depth = 0;
        self.static_value = self.static_value();
        self.line.clear();
        self.is_complete = self.list_moves(self.forced_move(), NO_CELL, 0, self.options.width);
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
        if let Some(cell) = self.winning_move() {
            self.best = cell;
            self.value = WIN - 1;
            self.line = vec![self.best];
            self.is_done = true;
        }
    }

    /// Searches until it is done or the clock refuses. A unit of work is a position.
    pub fn run(&mut self, clock: &Clock) {
        while !self.is_done {
            let before = self.threat_nodes();
            match self.next {
                Next::Return(value) => self.resume(value),
                _ if !clock.take(1) => return,
                Next::Iterate => {
                    self.nodes += 1;
                    if !self.wins_by_threats() && self.threat_left == 0 {
                        self.iterate();
                    }
                }
                Next::Enter { alpha, beta, depth } => {
                    self.nodes += 1;
                    self.enter(alpha, beta, depth);
                }
            }
            let extra = self.threat_nodes() - before;
            self.nodes += extra;
            clock.charge(extra);
        }
    }

    fn iterate(&mut self) {
        self.depth += 1;
        self.moves.clear();
        let order = self.root.iter().map(|choice| (0, choice.cell));
        self.moves.extend(order);
        let place = self.place();
        self.push_frame(-WIN, WIN, self.depth as i32, place, (-WIN, WIN), 0);
        if let Some(frame) = self.stack.last_mut() {
            frame.is_complete = self.is_complete;
        }
        self.try_next();
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
            let is_lost = value <= -FORCED && self.is_complete;
            self.best = cell;
            // A move that was not tried may hold.
            self.value = if is_lost || value > -FORCED { value } else { value + WIN - FORCED };
            self.value_depth = self.depth;
            self.line = line.collect();
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
        self.threat_left = FIRST_THREATS + self.nodes / THREAT_SHARE;
        let is_forced = self.value.abs() >= FORCED;
        let is_only = self.root.len() == 1 && self.nodes >= ONLY_MOVE_NODES;
        let is_exhausted = self.depth >= self.options.depth.min(self.board.empty());
        let is_dead = self.windows.alive() == [0, 0];
        self.is_done = is_forced || is_only || is_exhausted || is_dead;
    }
}
