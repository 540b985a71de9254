//! What is known of a position before any move is tried.

use super::super::table::{Bound, TableEntry};
use super::super::worth::ThreatKind;
use super::super::{FORCED, NO_CELL, WIN};
use super::frames::from_table;
use super::moves::unforced;
use super::probe::probed_value;
use super::{MnkSearch, Mode, Next, UNKNOWN_VALUE};

/// Reverse futility pruning, up to this depth: a static value far above the window ends the search.
const FUTILE_DEPTH: i32 = 6;
/// The margin of reverse futility pruning: how far above the window for each ply of depth.
const FUTILE_MARGIN: i32 = 280;

/// Razoring (Birmingham and Kent 1977), up to this depth: a static value far below the window ends the search, if there
/// is no win by fours.
const RAZOR_DEPTH: i32 = 3;
/// The margins of razoring: how far below the window, and how much farther for each ply of depth.
const RAZOR_MARGINS: (i32, i32) = (600, 400);

/// Null-move pruning (Beal 1989), from this depth on: passing is tried.
const PASS_DEPTH: i32 = 3;
/// The reduction of the null move: how many plies less deep a pass is searched.
const PASS_REDUCTION: i32 = 3;

/// Late move pruning: how many moves are tried where a position is not expected to be good, at depth 0, how many more
/// for each ply, and for its square.
const LATE_MOVES: (usize, usize, usize) = (2, 1, 1);

/// Internal iterative reduction, from this depth on: a position of which the table knows no move is searched a ply less
/// deep. Next time it knows one.
const UNORDERED_DEPTH: i32 = 4;

impl MnkSearch {
    /// Looks at the position after the move under way: gives its value or makes a frame for it.
    pub(super) fn enter(&mut self, alpha: i32, beta: i32, depth: i32) {
        let ply = self.stack.len();
        self.deepest = self.deepest.max(ply);
        self.returned_line.clear();
        if let Some(value) = self.quick_value(alpha, beta, depth) {
            self.weigh(value);
            return;
        }
        self.play_move();
        let own = self.board.to_move();
        let other = 1 - self.board.to_move();
        let win_after = |plies: usize| WIN - (ply + plies) as i32;
        if let Some(value) = self.ends_at_once(ply) {
            self.next = Next::Return(value);
            return;
        }
        let forced = self.forced_move();
        let limits = if self.is_exhaustive {
            (
                if self.windows.can_be_stopped(other) { 0 } else { -win_after(2) },
                if self.windows.can_be_stopped(own) { 0 } else { win_after(1) },
            )
        } else {
            (-win_after(2), win_after(1))
        };
        let cut = if self.board.empty() == 0 {
            Some(0)
        } else if limits.0 >= beta || limits.0 >= limits.1 {
            Some(limits.0)
        } else {
            (limits.1 <= alpha).then_some(limits.1)
        };
        if let Some(value) = cut {
            self.next = Next::Return(value);
            return;
        }
        let is_threatened = forced.is_none() && self.is_threatened();
        // Extensions: a forced answer costs no depth, and no position is valued in the middle of an exchange.
        let mut depth = depth + i32::from(forced.is_some() && ply < 2 * self.depth as usize + 8);
        let is_scout = beta - alpha == 1;
        if is_threatened && ply < 2 * self.depth as usize + 8 {
            // Whoever stands badly even without the threat is not helped by answering it.
            let is_bad = is_scout && !self.is_exhaustive && self.static_value() <= alpha;
            if depth > 0 || !is_bad {
                depth = depth.max(1);
            }
        }
        let place = self.place();
        let known = self.table.get(place.0);
        let mut hint = NO_CELL;
        if let Some(entry) = known {
            hint = match entry.cell {
                NO_CELL => NO_CELL,
                cell if place.1 == 0 => cell,
                cell => self.board.geometry().back(place.1, cell),
            };
            if let Some(value) = self.value_by(entry, hint, (alpha, beta), depth.max(0)) {
                self.next = Next::Return(value);
                return;
            }
        }
        let is_calm = forced.is_none() && !is_threatened;
        let may_prune = is_scout && is_calm && !self.is_exhaustive && beta.abs() < FORCED;
        let value = if is_calm { self.static_value() } else { UNKNOWN_VALUE };
        let margin = FUTILE_MARGIN * depth.max(0);
        if may_prune && depth <= FUTILE_DEPTH && value - margin >= beta {
            self.next = Next::Return(value - margin);
            return;
        }
        if forced.is_none()
            && let Some(value) = self.threat_value(known, ply, depth)
        {
            let cell = self.returned_line[0];
            self.store(place, cell, 0, Bound::Lower, value);
            self.next = Next::Return(value);
            return;
        }
        if depth <= 0 {
            let value = self.static_value().clamp(limits.0, limits.1);
            self.store(place, hint, 0, Bound::Exact, value);
            self.next = Next::Return(value);
            return;
        }
        if !self.is_exhaustive && forced.is_none() && hint == NO_CELL && depth >= UNORDERED_DEPTH {
            depth -= 1;
        }
        let (razor, razor_per_ply) = RAZOR_MARGINS;
        if may_prune && depth <= RAZOR_DEPTH && value + razor + razor_per_ply * depth <= alpha {
            self.next = Next::Return(value);
            return;
        }
        let first = self.moves.len();
        let mut most = self.options.width;
        if may_prune {
            let (least, per_ply, per_square) = LATE_MOVES;
            let plies = depth as usize;
            most = most.min(least + per_ply * plies + per_square * plies * plies);
        }
        let is_complete = self.list_moves(forced, hint, ply, most);
        let is_cut = self.is_cut_expected(is_scout);
        let probe = if may_prune && is_cut { probed_value(beta, depth, known, ply) } else { None };
        self.push_frame(alpha, beta, depth, place, limits, first);
        let Some(frame) = self.stack.last_mut() else { return };
        frame.is_complete = is_complete;
        frame.is_cut = is_cut;
        frame.probe = probe;
        let just_passed = ply.checked_sub(1).is_some_and(|at| self.stack[at].mode == Mode::Pass);
        if may_prune
            && depth >= PASS_DEPTH
            && value >= beta
            && !just_passed
            && self.options.fours > 0
            && let Some(frame) = self.stack.last_mut()
        {
            frame.mode = Mode::Pass;
            let depth = depth - 1 - PASS_REDUCTION;
            self.next = Next::Enter { alpha: -beta, beta: 1 - beta, depth };
        } else {
            self.begin_moves();
        }
    }

    /// The value of the position after the move under way without playing it, where [`enter`](Self::enter) would find
    /// the same by the table and the lines alone.
    fn quick_value(&mut self, alpha: i32, beta: i32, depth: i32) -> Option<i32> {
        let frame = self.stack.last()?;
        let is_usual = !self.is_exhaustive
            && self.options.fours > 0
            && self.board.empty() > 1
            && frame.mode != Mode::Pass
            && alpha > -FORCED
            && beta < FORCED;
        if !is_usual {
            return None;
        }
        let own = self.board.to_move();
        let other = 1 - self.board.to_move();
        let cell = usize::from(self.moves[frame.moves.2].1);
        let place = (self.board.key_after(cell), 0);
        let known = self.table.get(place.0);
        // Whatever the position is, it is searched one ply deeper at most.
        let deepest = depth.max(0) + 1;
        if let Some(entry) = known
            && let Some(value) = self.value_by(entry, entry.cell, (alpha, beta), deepest)
        {
            return Some(value);
        }
        let can_win_soon = |kind: usize| {
            let winning = [ThreatKind::Five, ThreatKind::OpenFour];
            winning.iter().any(|&threat| !self.board.cells_with(kind, threat).is_empty())
        };
        if depth > 0 || can_win_soon(own) || can_win_soon(other) {
            return None;
        }
        let value = unforced(self.board.quiet_evaluation(cell)?);
        if let Some(entry) = known
            && let Some(value) = self.value_by(entry, entry.cell, (alpha, beta), 0)
        {
            return Some(value);
        }
        let is_futile = beta - alpha == 1 && value >= beta;
        if !is_futile {
            if known.is_none() && self.board.has_four(other) {
                return None;
            }
            let hint = known.map_or(NO_CELL, |entry| entry.cell);
            self.store(place, hint, 0, Bound::Exact, value);
        }
        Some(value)
    }

    /// The value of a position in which a row can be filled, or is about to be and cannot be stopped;
    /// the moves are in `returned_line`.
    fn ends_at_once(&mut self, ply: usize) -> Option<i32> {
        let own = self.board.to_move();
        let other = 1 - self.board.to_move();
        let win_after = |plies: usize| WIN - (ply + plies) as i32;
        if let Some(cell) = self.winning_move() {
            self.returned_line.push(cell);
            return Some(win_after(1));
        }
        if let [one, two, ..] = *self.board.cells_with(other, ThreatKind::Five) {
            self.returned_line.extend([one.min(two), one.max(two)]);
            return Some(-win_after(2));
        }
        let sees_threats = self.options.fours > 0 && self.forced_move().is_none();
        let cell = *self.board.cells_with(own, ThreatKind::OpenFour).iter().min()?;
        if !sees_threats {
            return None;
        }
        let (number, gaps) = self.board.gaps_after(own, usize::from(cell));
        self.returned_line.push(cell);
        self.returned_line.extend(&gaps[..number.min(2)]);
        Some(win_after(3))
    }

    /// The cell on which the side that is to move wins at once.
    pub(super) fn winning_move(&self) -> Option<u16> {
        self.board.cells_with(self.board.to_move(), ThreatKind::Five).iter().min().copied()
    }

    /// The cell on which the other side would win at once.
    pub(super) fn forced_move(&self) -> Option<u16> {
        self.board.cells_with(1 - self.board.to_move(), ThreatKind::Five).iter().min().copied()
    }

    /// Whether the other side threatens an open four, and this search knows what that means.
    pub(super) fn is_threatened(&self) -> bool {
        self.options.fours > 0
            && !self.board.cells_with(1 - self.board.to_move(), ThreatKind::OpenFour).is_empty()
    }

    /// The value of a position by its entry in the table, if a search so deep would do no better with this window. Its
    /// move, in terms of the board, is then in `returned_line`.
    fn value_by(
        &mut self,
        entry: TableEntry,
        cell: u16,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) -> Option<i32> {
        let value = from_table(entry.value, self.stack.len());
        let cuts = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        let deep_enough = i32::from(entry.depth) >= depth
            // Forced wins stay what they are.
            || (entry.bound == Bound::Lower && value >= FORCED)
            || (entry.bound == Bound::Upper && value <= -FORCED);
        if !cuts || !deep_enough {
            return None;
        }
        self.returned_line.extend((cell != NO_CELL).then_some(cell));
        Some(value)
    }
}
