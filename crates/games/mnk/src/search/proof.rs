//! Proofs: can one side force a win, and in how many plies?
//!
//! An AND/OR search with two answers, by iterative deepening. Positions that nobody can win any more are
//! recognised by the criterion of Erdős and Selfridge and by pairings, so draws need no search to the
//! last cell.

use super::pairing::Pairing;
use super::table::{Bound, TableEntry, TranspositionTable};
use super::threats::FourSearch;
use super::winning_line::winning_line;
use super::{NO_CELL, SearchBoard};
use outwit_core::play::Clock;

/// What was found about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The attacker wins within so many plies.
    Win(u8),
    /// The attacker cannot force a win within so many plies; [`NEVER`] if not at all.
    No(u8),
}

/// No number of plies is enough.
pub const NEVER: u8 = 255;

/// The depth of a search without a limit.
const UNLIMITED: u8 = 254;

/// The most cells of a board on which proofs are tried: more plies than fit the numbers here.
pub const MOST_CELLS: usize = 240;

/// A pairing is looked for where the potential of the attacker is at most so many times what the
/// criterion of Erdős and Selfridge allows.
const PAIRING_FACTOR: u64 = 6;

/// Searches for a forced win of one side.
#[derive(Debug)]
pub struct ProofSearch {
    board: SearchBoard,
    attacker: usize,
    table: TranspositionTable,
    pairing: Pairing,
    fours: FourSearch,
    history: [Vec<i32>; 2],
    stack: Vec<Frame>,
    moves: Vec<(i32, u16)>,
    next: Next,
    /// The depth of the iteration under way, in plies.
    depth: u8,
    /// The last depth before a search without a limit.
    last_depth: u8,
    /// Whether it ends there.
    is_bounded: bool,
    /// Positions after which that search begins even earlier.
    limited_nodes: u64,
    answer: Option<Proof>,
    nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    Enter(u8),
    Return(Proof),
}

/// A position on the way to the one on the board.
#[derive(Clone, Debug)]
struct Frame {
    is_attack: bool,
    depth: u8,
    /// Its first move in the list, the one after the last, and the one that comes next.
    moves: (usize, usize, usize),
    /// Whether the move under way is a pass.
    passes: bool,
    key: u64,
    symmetry: usize,
    /// The least that is known to be refused by the moves so far, and the longest win among them.
    refused: u8,
    longest: u8,
    best_cell: u16,
    nodes: u64,
}

impl ProofSearch {
    /// A search for a win of `attacker` (0 for X, 1 for O) on a board of at most
    /// [`MOST_CELLS`] cells. First it asks for wins of growing length up to `last_depth` plies, which
    /// gives the shortest; then for any win. The table has 2^`table_bits` entries.
    pub fn new(board: SearchBoard, attacker: usize, last_depth: u8, table_bits: u32) -> Self {
        let cells = board.geometry().cells();
        // The attacker wins with its own move.
        let first = if board.to_move() == attacker { 1 } else { 2 };
        let answer = (cells > MOST_CELLS).then_some(Proof::No(0));
        Self {
            pairing: Pairing::new(&board),
            board,
            attacker,
            table: TranspositionTable::new(table_bits),
            fours: FourSearch::default(),
            history: [vec![0; cells], vec![0; cells]],
            stack: Vec::new(),
            moves: Vec::new(),
            next: Next::Enter(first),
            depth: first,
            last_depth,
            is_bounded: false,
            limited_nodes: u64::MAX,
            answer,
            nodes: 0,
        }
    }

    /// The same, but it only asks for wins of up to `last_depth` plies.
    pub fn without_deeper(self) -> Self {
        let answer = if self.depth > self.last_depth { Some(Proof::No(0)) } else { self.answer };
        Self { is_bounded: true, answer, ..self }
    }

    /// The same search, which asks for wins of growing length only for so many positions. Draws are proved
    /// sooner that way.
    pub fn limited_for(mut self, nodes: u64) -> Self {
        self.limited_nodes = nodes;
        self
    }

    /// The answer once the search has ended; until then `None`.
    pub fn answer(&self) -> Option<Proof> {
        self.answer
    }

    /// Whether a win that was found is known to be the shortest.
    pub fn is_shortest(&self) -> bool {
        self.depth != UNLIMITED
    }

    /// Number of positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches until there is an answer or the clock refuses. A unit of work is a position.
    pub fn run(&mut self, clock: &Clock) -> Option<Proof> {
        while self.answer.is_none() {
            match self.next {
                Next::Return(proof) => self.resume(proof),
                Next::Enter(depth) => {
                    if !clock.take(1) {
                        return None;
                    }
                    let before = self.fours.nodes;
                    self.enter(depth);
                    let extra = self.fours.nodes - before;
                    self.nodes += 1 + extra;
                    clock.charge(extra);
                    if self.nodes >= self.limited_nodes && self.depth != UNLIMITED {
                        self.lift_limit();
                    }
                }
            }
        }
        self.answer
    }

    /// A winning line, as far as the table still knows it: the attacker's moves and the longest
    /// resistance. Call it after [`run`](Self::run) found a win.
    pub fn line(&mut self) -> Vec<u16> {
        let Self { board, fours, attacker, table, .. } = self;
        winning_line(board, fours, *attacker, |key| {
            table.get(key).map(|entry| (entry.cell, (entry.value >> 8) as u8))
        })
    }

    fn enter(&mut self, depth: u8) {
        let proof = self.at_once(depth);
        if let Some(proof) = proof {
            self.next = Next::Return(proof);
            return;
        }
        let (key, symmetry) = self.board.canonical();
        let mut hint = NO_CELL;
        let known = self.table.get(key);
        if let Some(entry) = known {
            let refused = entry.value as u8;
            let longest = (entry.value >> 8) as u8;
            if longest > 0 && longest <= depth {
                self.next = Next::Return(Proof::Win(longest));
                return;
            }
            if refused >= depth {
                self.next = Next::Return(Proof::No(refused));
                return;
            }
            if entry.cell != NO_CELL {
                hint = self.board.geometry().back(symmetry, entry.cell);
            }
        }
        let own = self.board.to_move();
        let is_attack = own == self.attacker;
        let forced = self.board.winning_cells(1 - own).0;
        if is_attack && let Some(proof) = self.by_fours(depth) {
            self.put((key, symmetry), proof, NO_CELL, 0);
            self.next = Next::Return(proof);
            return;
        }
        if known.is_none() && forced.is_none() && self.is_hopeless() {
            self.put((key, symmetry), Proof::No(NEVER), NO_CELL, 0);
            self.next = Next::Return(Proof::No(NEVER));
            return;
        }
        let first = self.moves.len();
        // An additional stone never harms without overlines, so whoever may pass and still stands may
        // do anything.
        let passes = !is_attack
            && forced.is_none()
            && (4..UNLIMITED).contains(&depth)
            && !self.board.geometry().exact;
        self.list_moves(forced, hint);
        self.stack.push(Frame {
            is_attack,
            depth,
            moves: (first, self.moves.len(), first),
            passes,
            key,
            symmetry,
            refused: NEVER,
            longest: 0,
            best_cell: NO_CELL,
            nodes: self.nodes,
        });
        self.try_next();
    }

    /// The answer where it can be read off the board.
    fn at_once(&self, depth: u8) -> Option<Proof> {
        let own = self.board.to_move();
        let wins = self.board.winning_cells(own);
        let loses = self.board.winning_cells(1 - own);
        let is_attack = own == self.attacker;
        let refused = |plies: u8| (depth <= plies).then_some(Proof::No(plies));
        if wins.0.is_some() {
            return Some(if is_attack { Proof::Win(1) } else { Proof::No(NEVER) });
        }
        if loses.1.is_some() {
            let proof = if is_attack { Proof::No(NEVER) } else { Proof::Win(2) };
            return if depth >= 2 || is_attack { Some(proof) } else { Some(Proof::No(1)) };
        }
        if self.board.empty() == 0 || self.board.can_be_stopped(self.attacker) {
            return Some(Proof::No(NEVER));
        }
        // No four that stays: the attacker needs two moves more.
        refused(if is_attack { 2 } else { 3 })
    }

    /// Whether a pairing keeps the attacker from winning.
    fn is_hopeless(&mut self) -> bool {
        self.board.to_move() == self.attacker
            && self.board.is_nearly_stopped(self.attacker, PAIRING_FACTOR)
            && self.pairing.stops(&self.board, self.attacker)
    }

    /// A win by fours, or that there is none within 4 plies.
    fn by_fours(&mut self, depth: u8) -> Option<Proof> {
        let limit = if depth <= 4 { u64::MAX / 2 } else { 200 };
        if self.fours.wins(&mut self.board, depth.div_ceil(2).into(), limit) {
            return Some(Proof::Win(self.fours.line().len() as u8));
        }
        (depth <= 4).then_some(Proof::No(4))
    }

    fn list_moves(&mut self, forced: Option<usize>, hint: u16) {
        if let Some(cell) = forced {
            self.moves.push((0, cell as u16));
            return;
        }
        let first = self.moves.len();
        let board = &self.board;
        let own = board.to_move();
        let attacker = self.attacker;
        let history = &self.history[own];
        let is_exact_game = board.geometry().exact;
        let cells = (0..board.geometry().cells())
            .filter(|&cell| board.is_empty(cell) && (is_exact_game || board.interest(cell) > 0));
        self.moves.extend(cells.map(|cell| {
            let bonus = if cell == usize::from(hint) { 1 << 28 } else { 0 };
            // Proofs of draws get shorter where the defender's own rows count more.
            let heat = board.heat(attacker, cell) + 2 * board.heat(1 - attacker, cell);
            (bonus + heat + history[cell].min(4096), cell as u16)
        }));
        self.moves[first..]
            .sort_unstable_by(|a: &(i32, u16), b: &(i32, u16)| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    }

    fn try_next(&mut self) {
        let Some(frame) = self.stack.last_mut() else { return };
        if frame.passes {
            self.board.pass();
            self.next = Next::Enter(frame.depth - 1);
            return;
        }
        let (_, end, next) = frame.moves;
        if next == end {
            // Without any move nobody can win.
            let proof = if frame.is_attack || frame.longest == 0 {
                Proof::No(frame.refused)
            } else {
                Proof::Win(frame.longest)
            };
            self.leave(proof);
            return;
        }
        self.next = Next::Enter(frame.depth.saturating_sub(u8::from(frame.depth != UNLIMITED)));
        let (_, cell) = self.moves[next];
        self.board.play(usize::from(cell));
    }

    fn resume(&mut self, proof: Proof) {
        let Some(frame) = self.stack.last_mut() else {
            self.iterate(proof);
            return;
        };
        self.board.undo();
        let deeper = |plies: u8| if plies == NEVER { NEVER } else { (plies + 1).min(UNLIMITED) };
        if frame.passes {
            frame.passes = false;
            match proof {
                Proof::No(plies) => {
                    let proof = Proof::No(deeper(plies));
                    self.leave(proof);
                }
                Proof::Win(_) => self.try_next(),
            }
            return;
        }
        let (_, cell) = self.moves[frame.moves.2];
        frame.moves.2 += 1;
        match (frame.is_attack, proof) {
            (true, Proof::Win(plies)) => {
                frame.best_cell = cell;
                let depth = frame.depth;
                self.reward(cell, depth);
                self.leave(Proof::Win(deeper(plies)));
            }
            (false, Proof::No(plies)) => {
                frame.best_cell = cell;
                let depth = frame.depth;
                self.reward(cell, depth);
                self.leave(Proof::No(deeper(plies)));
            }
            (true, Proof::No(plies)) => {
                frame.refused = frame.refused.min(deeper(plies));
                self.try_next();
            }
            (false, Proof::Win(plies)) => {
                if deeper(plies) > frame.longest {
                    frame.longest = deeper(plies);
                    frame.best_cell = cell;
                }
                self.try_next();
            }
        }
    }

    fn reward(&mut self, cell: u16, depth: u8) {
        let weight = if depth == UNLIMITED { 16 } else { i32::from(depth) };
        let count = &mut self.history[self.board.to_move()][usize::from(cell)];
        *count = (*count + weight * weight).min(1 << 16);
    }

    fn leave(&mut self, proof: Proof) {
        let Some(frame) = self.stack.pop() else { return };
        self.moves.truncate(frame.moves.0);
        let proof = match proof {
            // No game is longer than there are cells.
            Proof::No(plies) if u32::from(plies) >= self.board.empty() => Proof::No(NEVER),
            proof => proof,
        };
        let work = (self.nodes - frame.nodes).max(1).ilog2() as u8;
        self.put((frame.key, frame.symmetry), proof, frame.best_cell, work);
        self.next = Next::Return(proof);
    }

    /// Begins again without a limit; what the table knows is kept.
    fn lift_limit(&mut self) {
        // Each position on the way has a move under way.
        self.stack.drain(..).for_each(|_| self.board.undo());
        self.moves.clear();
        self.depth = UNLIMITED;
        self.next = Next::Enter(UNLIMITED);
    }

    /// The root is answered for this depth.
    fn iterate(&mut self, proof: Proof) {
        match proof {
            Proof::No(plies) if plies < NEVER && self.depth != UNLIMITED => {
                self.depth += 2;
                if self.depth > self.last_depth {
                    if self.is_bounded {
                        self.answer = Some(proof);
                        return;
                    }
                    self.depth = UNLIMITED;
                }
                self.next = Next::Enter(self.depth);
            }
            proof => self.answer = Some(proof),
        }
    }

    fn put(&mut self, (key, symmetry): (u64, usize), proof: Proof, cell: u16, work: u8) {
        let known = self
            .table
            .get(key)
            .map_or((0, 0), |entry| (entry.value as u8, (entry.value >> 8) as u8));
        let (refused, longest) = match proof {
            Proof::Win(plies) => (known.0, plies),
            Proof::No(plies) => (known.0.max(plies), known.1),
        };
        let cell = match cell {
            NO_CELL => NO_CELL,
            cell => self.board.geometry().symmetries[symmetry][usize::from(cell)],
        };
        let value = i32::from(refused) | i32::from(longest) << 8;
        self.table.put(key, TableEntry { cell, depth: work, bound: Bound::Exact, value });
    }
}
