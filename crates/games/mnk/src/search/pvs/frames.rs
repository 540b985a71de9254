//! The stack of positions on the way to the one on the board.

use super::super::table::{Bound, TableEntry};
use super::super::{FORCED, NO_CELL, WIN};
use super::{Frame, MnkSearch, Mode, Next};

/// Where a position stands in the table: its key, and the symmetry that leads to its common form.
pub(super) type TablePlace = (u64, usize);

/// Late move reductions: by how many plies late moves are searched less deep. It is the logarithm of the depth times
/// that of the move's number, times this.
const REDUCTION: f32 = 0.9;
/// The first moves of a position are never reduced: so many, and so many of the one that is searched.
const UNREDUCED: (usize, usize) = (3, 4);
/// From which depth on late moves are reduced, there and in the position that is searched. Planners that look
/// fewer plies ahead compare all moves alike.
const REDUCED_DEPTHS: (i32, i32) = (2, 5);

impl MnkSearch {
    /// Places a stone.
    pub(super) fn play(&mut self, cell: usize) {
        self.board.play(cell);
        if self.is_exhaustive {
            self.windows.play(cell);
        }
    }

    /// Takes back a stone or a pass.
    pub(super) fn undo(&mut self) {
        self.board.undo();
        if self.is_exhaustive {
            self.windows.undo();
        }
    }

    /// Where the position on the board stands in the table. Symmetries are worth their cost on small
    /// boards only.
    pub(super) fn place(&self) -> TablePlace {
        if self.is_exhaustive { self.windows.canonical() } else { (self.board.key(), 0) }
    }

    pub(super) fn push_frame(
        &mut self,
        alpha: i32,
        beta: i32,
        depth: i32,
        (key, symmetry): TablePlace,
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
            is_complete: false,
            is_cut: false,
            probe: None,
            line: Vec::new(),
            nodes: self.nodes,
        });
    }

    /// Plays the next move of the top frame, or leaves the frame.
    pub(super) fn try_next(&mut self) {
        let ply = self.stack.len();
        let is_exhaustive = self.is_exhaustive;
        let Some(frame) = self.stack.last() else { return };
        let (first, end, next) = frame.moves;
        if next == end {
            self.leave();
            return;
        }
        let late = next - first;
        let listed = self.moves[next];
        let is_root = ply == 1;
        let (unreduced, least) = match is_root {
            true => (UNREDUCED.1, REDUCED_DEPTHS.1),
            false => (UNREDUCED.0, REDUCED_DEPTHS.0),
        };
        let may_reduce = late >= unreduced && frame.depth >= least && !is_exhaustive;
        let depth = frame.depth;
        let is_wide = i32::from(frame.beta - frame.alpha > 1);
        let mode = match late {
            0 => Mode::Full,
            _ if may_reduce && self.is_quiet(listed) => {
                let product = (depth as f32).ln() * (late as f32).ln();
                // A wrong reduction costs most where a move is chosen.
                let less = (1.0 + product * REDUCTION) as i32 - is_wide - i32::from(is_root);
                if less > 0 { Mode::Reduced(less.min(depth - 1)) } else { Mode::Scout }
            }
            _ => Mode::Scout,
        };
        if let Some(frame) = self.stack.last_mut() {
            frame.mode = mode;
        }
        self.search_move();
    }

    /// Begins to search the current move of the top frame in its mode.
    fn search_move(&mut self) {
        let Some(frame) = self.stack.last_mut() else { return };
        frame.nodes = self.nodes;
        let depth = frame.depth - 1;
        let narrow = (-frame.alpha - 1, -frame.alpha);
        let ((alpha, beta), depth) = match frame.mode {
            Mode::Full => ((-frame.beta, -frame.alpha), depth),
            Mode::Scout | Mode::Pass | Mode::Probe => (narrow, depth),
            Mode::Reduced(less) => (narrow, depth - less),
        };
        self.next = Next::Enter { alpha, beta, depth };
    }

    /// Plays the current move of the top frame.
    pub(super) fn play_move(&mut self) {
        match self.stack.last() {
            Some(frame) if frame.mode == Mode::Pass => self.board.pass(),
            Some(frame) => self.play(usize::from(self.moves[frame.moves.2].1)),
            None => {}
        }
    }

    /// The move of the top frame was searched; `value` is for the other side.
    pub(super) fn resume(&mut self, value: i32) {
        self.undo();
        self.weigh(value);
    }

    /// The same for a move that is not on the board.
    pub(super) fn weigh(&mut self, value: i32) {
        let is_root = self.stack.len() == 1;
        let Some(frame) = self.stack.last_mut() else { return };
        let value = -value;
        if frame.mode == Mode::Pass {
            if value >= frame.beta && value < FORCED {
                self.cut_off();
            } else {
                self.begin_moves();
            }
            return;
        }
        if value > frame.alpha {
            let again = match frame.mode {
                Mode::Reduced(_) => Some(Mode::Scout),
                Mode::Scout if value < frame.beta => Some(Mode::Full),
                _ => None,
            };
            if let Some(mode) = again {
                frame.mode = mode;
                self.search_move();
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
        let tried = frame.moves.0..frame.moves.2;
        frame.moves.2 += 1;
        let cuts = frame.alpha >= frame.beta;
        let spent = self.nodes - frame.nodes;
        let depth = frame.depth;
        if is_root {
            self.note_root_move(cell, value, is_exact || raises, raises, spent);
        }
        if cuts {
            self.reward(cell, depth, tried);
            self.leave();
        } else {
            self.try_next();
        }
    }

    /// The top frame is searched.
    fn leave(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        self.moves.truncate(frame.moves.0);
        if self.stack.last().is_some_and(|outer| outer.mode == Mode::Probe) {
            self.end_probe(frame.best >= frame.beta);
            return;
        }
        let mut value = frame.best.clamp(frame.limits.0, frame.limits.1);
        if value <= -FORCED && !frame.is_complete {
            // A move that was not tried may hold.
            value += WIN - FORCED;
        }
        let bound = if value <= frame.floor {
            Bound::Upper
        } else if value >= frame.beta {
            Bound::Lower
        } else {
            Bound::Exact
        };
        let depth = frame.depth.clamp(0, 255) as u8;
        self.store((frame.key, frame.symmetry), frame.best_cell, depth, bound, value);
        self.returned_line = frame.line;
        if self.stack.is_empty() {
            self.finish_iteration();
        } else {
            self.next = Next::Return(value);
        }
    }

    pub(super) fn store(
        &mut self,
        (key, symmetry): TablePlace,
        cell: u16,
        depth: u8,
        bound: Bound,
        value: i32,
    ) {
        let cell = match cell {
            NO_CELL => NO_CELL,
            cell => self.board.geometry().symmetries[symmetry][usize::from(cell)],
        };
        let entry = TableEntry { cell, depth, bound, value: to_table(value, self.stack.len()) };
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

/// The reverse of [`to_table`].
pub(super) fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        FORCED.. => value - ply as i32,
        ..=-900_000 => value + ply as i32,
        _ => value,
    }
}
