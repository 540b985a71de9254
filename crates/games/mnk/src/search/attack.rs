//! Forced wins by threats: threat-space search (Allis, van den Herik and Huntjens 1993), generic in k.
//!
//! A *four* must be answered on the cell that would win. An open *three* threatens an open four; against
//! it only few answers exist, and all of them are searched: the cells of the threatened four, and fours
//! of the defender. So a win that is found is a proof. Players of gomoku call a win by fours VCF, and one by fours and
//! threes VCT: victory by continuous fours, or by continuous threats.

use super::PatternBoard;
use super::patterns::LineClass;
use super::worth::ThreatKind;

/// Refuted positions that are remembered, as a power of two.
const MEMORY_BITS: u32 = 14;

/// Cells with a threatened open four that are compared; more would only rule out more answers.
const COMPARED: usize = 4;

/// The moves that an attacker may make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    /// Fours.
    Fours,
    /// Fours after which the next stone can make another one with the same stone: fewer wins, but quickly found.
    LinkedFours,
    /// Fours and open threes.
    Threes,
}

impl Means {
    /// A four gains nothing unless its stone joins others in a second line, of this class or a better one.
    fn least_joined(self) -> Option<LineClass> {
        match self {
            // A few more fours can make one of it.
            Means::Fours => Some(6),
            // The next stone makes one of it.
            Means::LinkedFours => Some(8),
            Means::Threes => None,
        }
    }
}

/// Looks for wins in which every move of the winner is a threat.
#[derive(Clone, Debug)]
pub struct ThreatSearch {
    means: Means,
    /// Positions from which no win was found within so many moves of the attacker.
    refuted: Vec<(u64, u32)>,
    nodes: u64,
    limit: u64,
    /// The moves of all positions under way.
    moves: Vec<u16>,
    line: Vec<u16>,
    longest: u32,
}

impl ThreatSearch {
    /// A search for wins by these means.
    pub fn new(means: Means) -> Self {
        Self {
            means,
            refuted: vec![(0, 0); 1 << MEMORY_BITS],
            nodes: 0,
            limit: 0,
            moves: Vec::new(),
            line: Vec::new(),
            longest: 0,
        }
    }

    /// Whether the side that is to move wins with at most `moves` stones of its own, found within
    /// `nodes` positions. The stones of the line with the longest resistance, both sides', are in
    /// [`line`](Self::line); its last one wins.
    pub fn wins(&mut self, board: &mut PatternBoard, moves: u32, nodes: u64) -> bool {
        self.limit = self.nodes + nodes;
        self.line.clear();
        self.moves.clear();
        let Some(mut line) = self.attack(board, moves) else { return false };
        line.reverse();
        self.longest = self.longest.max(line.len() as u32);
        self.line = line;
        true
    }

    /// Whether the last search came to its end within its positions.
    pub fn is_complete(&self) -> bool {
        self.nodes < self.limit
    }

    /// The line of the last win, from the first move to the stone that wins.
    pub fn line(&self) -> &[u16] {
        &self.line
    }

    /// Positions looked at since the search was made.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Plies of the longest win found since the search was made.
    pub fn longest(&self) -> u32 {
        self.longest
    }

    /// The winning line of the side that is to move, last move first.
    fn attack(&mut self, board: &mut PatternBoard, moves: u32) -> Option<Vec<u16>> {
        self.nodes += 1;
        let own = board.to_move();
        let other = 1 - board.to_move();
        if moves == 0 {
            return None;
        }
        if let Some(&cell) = board.cells_with(own, ThreatKind::Five).first() {
            return Some(vec![cell]);
        }
        let must = match board.cells_with(other, ThreatKind::Five) {
            [] => None,
            [cell] => Some(*cell),
            _ => return None,
        };
        if moves < 2 {
            return None;
        }
        if must.is_none()
            && let Some(&cell) = board.cells_with(own, ThreatKind::OpenFour).first()
        {
            return Some(finish(board, cell));
        }
        let slot = (board.key() >> (64 - MEMORY_BITS)) as usize;
        if moves < 3 || (self.refuted[slot].0 == board.key() && self.refuted[slot].1 >= moves) {
            return None;
        }
        let first = self.moves.len();
        match must {
            Some(cell) => self.moves.push(cell),
            None => self.list_attacks(board),
        }
        let mut line = None;
        for at in first..self.moves.len() {
            if self.nodes >= self.limit {
                break;
            }
            let cell = self.moves[at];
            board.play(usize::from(cell));
            line = self.defend(board, moves - 1);
            board.undo();
            if let Some(line) = &mut line {
                line.push(cell);
                break;
            }
        }
        self.moves.truncate(first);
        if line.is_none() && self.nodes < self.limit {
            self.refuted[slot] = (board.key(), moves);
        }
        line
    }

    /// The line of the longest resistance of the side that is to move, last move first; `None` if it
    /// holds out.
    fn defend(&mut self, board: &mut PatternBoard, moves: u32) -> Option<Vec<u16>> {
        self.nodes += 1;
        let own = board.to_move();
        let attacker = 1 - board.to_move();
        if !board.cells_with(own, ThreatKind::Five).is_empty() {
            return None;
        }
        let first = self.moves.len();
        match *board.cells_with(attacker, ThreatKind::Five) {
            [cell, wins, ..] => return Some(vec![wins, cell]),
            [cell] => self.moves.push(cell),
            [] if self.means != Means::Threes => return None,
            [] => {
                if board.cells_with(attacker, ThreatKind::OpenFour).is_empty() {
                    return None;
                }
                answers(board, &mut self.moves);
                if self.moves.len() == first {
                    // Two threats without a common answer: stopping one is as good as anything.
                    self.moves.extend(board.cells_with(attacker, ThreatKind::OpenFour).first());
                }
            }
        }
        let mut longest: Vec<u16> = Vec::new();
        let mut holds = false;
        for at in first..self.moves.len() {
            let cell = self.moves[at];
            board.play(usize::from(cell));
            let line = if self.nodes < self.limit { self.attack(board, moves) } else { None };
            board.undo();
            let Some(mut line) = line else {
                holds = true;
                break;
            };
            line.push(cell);
            if line.len() > longest.len() {
                longest = line;
            }
        }
        self.moves.truncate(first);
        (!holds).then_some(longest)
    }

    /// Appends the threats of the side that is to move, the strongest first.
    fn list_attacks(&mut self, board: &PatternBoard) {
        let own = board.to_move();
        let first = self.moves.len();
        let kinds: &[ThreatKind] = match self.means {
            Means::Fours | Means::LinkedFours => &[ThreatKind::FourThree, ThreatKind::Four],
            Means::Threes => &[
                ThreatKind::FourThree,
                ThreatKind::DoubleThree,
                ThreatKind::Four,
                ThreatKind::Three,
            ],
        };
        for &threat in kinds {
            self.moves.extend(board.cells_with(own, threat));
        }
        if let Some(least) = self.means.least_joined() {
            let joins = |&cell: &u16| {
                let classes = board.line_classes(own, usize::from(cell));
                classes.iter().filter(|&&class| class >= least).count() > 1
            };
            let mut kept = first;
            for at in first..self.moves.len() {
                if joins(&self.moves[at]) {
                    self.moves[kept] = self.moves[at];
                    kept += 1;
                }
            }
            self.moves.truncate(kept);
        }
        self.moves[first..].sort_unstable_by_key(|&cell| {
            let cell = usize::from(cell);
            let value = board.value(own, cell) + board.value(1 - own, cell) / 2;
            (std::cmp::Reverse(value), cell)
        });
    }
}

/// The end of a game in which the side that is to move makes an open four, last move first.
fn finish(board: &mut PatternBoard, cell: u16) -> Vec<u16> {
    let (number, gaps) = board.gaps_after(board.to_move(), usize::from(cell));
    gaps.into_iter().take(number).chain([cell]).collect()
}

/// Appends the answers of the side that is to move to the open fours that the other side threatens:
/// all others lose at once. Nobody may be able to win with the next stone.
///
/// An open four is a cell and the two or more gaps that it leaves. With exactly two gaps, a stone on the
/// cell or on a gap stops it; with more, only one on the cell. Any other stone must be a four.
pub fn answers(board: &mut PatternBoard, into: &mut Vec<u16>) {
    let own = board.to_move();
    let other = 1 - board.to_move();
    let mut starts = [0_u16; COMPARED];
    let threatened = board.cells_with(other, ThreatKind::OpenFour);
    let compared = threatened.len().min(COMPARED);
    starts[..compared].copy_from_slice(&threatened[..compared]);
    let first = into.len();
    for (number, &start) in starts[..compared].iter().enumerate() {
        let gaps = match board.gaps_after(other, usize::from(start)) {
            (2, gaps) => gaps,
            _ => [start; 2],
        };
        let stops = |cell: u16| cell == start || gaps.contains(&cell);
        if number == 0 {
            into.push(start);
            into.extend(gaps.into_iter().filter(|&gap| gap != start));
        } else {
            let mut kept = first;
            for at in first..into.len() {
                if stops(into[at]) {
                    into[kept] = into[at];
                    kept += 1;
                }
            }
            into.truncate(kept);
        }
    }
    for threat in [ThreatKind::OpenFour, ThreatKind::FourThree, ThreatKind::Four] {
        for &cell in board.cells_with(own, threat) {
            if !into[first..].contains(&cell) {
                into.push(cell);
            }
        }
    }
}
