//! ProbCut (Buro 1995): where a search less deep says that a move is much better than the window, a search to
//! the full depth is taken to say that it is better.

use super::super::FORCED;
use super::super::table::{Bound, TableEntry};
use super::frames::from_table;
use super::{MnkSearch, Mode, Next};

/// From this depth on a position is probed, if it is expected that a move refutes the one before it.
const PROBE_DEPTH: i32 = 6;
/// By how many plies less deep.
const PROBE_REDUCTION: i32 = 4;
/// How far above the window the value must be.
const PROBE_MARGIN: i32 = 400;
/// How many moves are probed.
const PROBED: usize = 3;

/// The value that a position must reach less deep so that the search to this depth is left out; `None` where
/// that is not tried, or where the table says that it would fail.
pub(super) fn probed_value(
    beta: i32,
    depth: i32,
    known: Option<TableEntry>,
    ply: usize,
) -> Option<i32> {
    let bound = beta + PROBE_MARGIN;
    let is_refuted = known.is_some_and(|entry| {
        i32::from(entry.depth) >= depth - PROBE_REDUCTION
            && entry.bound != Bound::Lower
            && from_table(entry.value, ply) < bound
    });
    (depth >= PROBE_DEPTH && bound < FORCED / 2 && !is_refuted).then_some(bound)
}

impl MnkSearch {
    /// Begins with the moves of the top frame, or with the probe that it asks for.
    pub(super) fn begin_moves(&mut self) {
        match self.stack.last_mut().and_then(|frame| frame.probe.take()) {
            Some(bound) => self.probe(bound),
            None => self.try_next(),
        }
    }

    /// Searches the first moves of the top frame less deep, in a frame of their own for the same position.
    fn probe(&mut self, bound: i32) {
        let Some(frame) = self.stack.last_mut() else { return };
        frame.mode = Mode::Probe;
        let (first, end, _) = frame.moves;
        let depth = frame.depth - PROBE_REDUCTION;
        let place = (frame.key, frame.symmetry);
        let limits = frame.limits;
        let copied = self.moves.len();
        self.moves.extend_from_within(first..end.min(first + PROBED));
        self.push_frame(bound - 1, bound, depth, place, limits, copied);
        if let Some(frame) = self.stack.last_mut() {
            frame.is_cut = true;
        }
        self.try_next();
    }

    /// A probe of the top frame was searched, and `succeeds` or not.
    pub(super) fn end_probe(&mut self, succeeds: bool) {
        if succeeds { self.cut_off() } else { self.try_next() }
    }

    /// Leaves the top frame with the upper end of its window, without a move of its own.
    pub(super) fn cut_off(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        self.moves.truncate(frame.moves.0);
        self.returned_line.clear();
        self.next = Next::Return(frame.beta);
    }

    /// Whether it is expected that a move refutes the position on the board, searched with a window that is
    /// narrow or not: by the frame above it, whose moves after the first ones are expected to be refuted.
    pub(super) fn is_cut_expected(&self, is_scout: bool) -> bool {
        is_scout
            && self.stack.last().is_some_and(|above| match above.mode {
                Mode::Pass | Mode::Probe => false,
                Mode::Reduced(_) => true,
                Mode::Full | Mode::Scout => above.beta - above.alpha > 1 || !above.is_cut,
            })
    }
}
