//! Remarks on what a stone threatens, stops or passes over, by the patterns and the search for fours.

use super::super::search::patterns::OPEN_FOUR;
use super::super::search::threats::FourSearch;
use super::super::search::worth::ThreatKind;
use super::super::search::{PatternBoard, SearchBoard};
use super::{Scene, Topic, with};
use outwit_kit::Remark;

/// Stones of the attacker in a win by fours at most.
const MOST_FOURS: u32 = 8;
/// Positions that the search for it may look at.
const FOUR_NODES: u64 = 3_000;
/// Rows that are shorter are always threatened.
const LEAST_K: u32 = 3;

/// The cells on which a kind wins with its next stone, in order.
fn wins(board: &PatternBoard, kind: usize) -> Vec<u16> {
    let mut cells = board.cells_with(kind, ThreatKind::Five).to_vec();
    cells.sort_unstable();
    cells
}

/// The moves of a win by fours of whoever is to move.
fn force(board: &SearchBoard) -> Option<Vec<u16>> {
    let mut fours = FourSearch::default();
    let mut board = board.clone();
    let is_found = (2..=MOST_FOURS).any(|moves| fours.wins(&mut board, moves, FOUR_NODES));
    is_found.then(|| fours.line().to_vec())
}

/// A number in words, as rows are called.
fn word(count: u32) -> String {
    let words = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    words.get(count as usize).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Whatever there is to say of threats.
pub fn remarks(scene: &Scene) -> Vec<(Topic, Remark)> {
    if scene.game.k() < LEAST_K {
        return Vec::new();
    }
    let before = SearchBoard::of(scene.game, scene.before);
    let after = SearchBoard::of(scene.game, scene.after);
    let patterns = |board: &SearchBoard| {
        let mut patterns = PatternBoard::like(board);
        patterns.set_up(board);
        patterns
    };
    let boards = Boards { scene, patterns: [patterns(&before), patterns(&after)] };
    let own = scene.stone.index();
    let missed = boards.missed().or_else(|| boards.passed_over(&before));
    let left = boards.left_open();
    let made = boards.threat().or_else(|| boards.open_row());
    let danger =
        if wins(&boards.patterns[1], 1 - own).is_empty() { boards.allowed(&after) } else { None };
    [missed, left, made, danger].into_iter().flatten().collect()
}

/// The patterns before and after a stone.
struct Boards<'a> {
    scene: &'a Scene<'a>,
    patterns: [PatternBoard; 2],
}

impl Boards<'_> {
    fn own(&self) -> usize {
        self.scene.stone.index()
    }

    fn char(&self) -> char {
        self.scene.stone.to_char()
    }

    fn played(&self) -> Option<u16> {
        self.scene.game.index_of(self.scene.cell).map(|at| at as u16)
    }

    /// It could have won with this stone.
    fn missed(&self) -> Option<(Topic, Remark)> {
        let cells = wins(&self.patterns[0], self.own());
        let name = self.scene.name(*cells.first()?);
        let words = format!("{} misses a win at {name}", self.char());
        let remark = self.scene.remark(self.scene.stone, words, 0.95, &cells);
        Some((Topic::Once, with(remark, &[("cells that win", cells.len() as f64)])))
    }

    /// It had a win by fours and played no four.
    fn passed_over(&self, before: &SearchBoard) -> Option<(Topic, Remark)> {
        if !wins(&self.patterns[1], self.own()).is_empty() {
            return None;
        }
        let line = force(before)?;
        let first = *line.first()?;
        if Some(first) == self.played() {
            return None;
        }
        let words =
            format!("{} passes over a forced win at {}", self.char(), self.scene.name(first));
        let remark = self.scene.remark(self.scene.stone, words, 0.75, &[first]);
        Some((Topic::Once, with(remark, &[("plies of the win", line.len() as f64)])))
    }

    /// It did not stop the one way in which the other side can win at once.
    fn left_open(&self) -> Option<(Topic, Remark)> {
        let [before, after] = &self.patterns;
        let other = 1 - self.own();
        let cells = wins(before, other);
        let [cell] = cells[..] else { return None };
        if !wins(before, self.own()).is_empty() || !wins(after, other).contains(&cell) {
            return None;
        }
        let stone = self.scene.stone;
        let name = self.scene.name(cell);
        let words = format!(
            "{} does not stop {} from winning at {name}",
            self.char(),
            stone.other().to_char()
        );
        let remark = self.scene.remark(stone, words, 0.9, &[cell]);
        Some((Topic::Once, with(remark, &[("cells that win", 1.0)])))
    }

    /// It can win with its next stone, and the other side cannot win before.
    fn threat(&self) -> Option<(Topic, Remark)> {
        let [before, after] = &self.patterns;
        let cells = wins(after, self.own());
        if cells.is_empty() || !wins(after, 1 - self.own()).is_empty() {
            return None;
        }
        let own = self.char();
        let other = self.scene.stone.other().to_char();
        let figures = [("cells that win", cells.len() as f64)];
        if let [cell] = cells[..] {
            let words =
                format!("{own} threatens to win: {other} must answer at {}", self.scene.name(cell));
            let remark = self.scene.remark(self.scene.stone, words, 0.4, &cells);
            return Some((Topic::Threat(self.scene.stone), with(remark, &figures)));
        }
        if wins(before, self.own()).len() > 1 {
            return None;
        }
        let words = format!(
            "{own} can win in {} ways and {other} can stop only one",
            word(cells.len() as u32)
        );
        let remark = self.scene.remark(self.scene.stone, words, 0.85, &cells);
        Some((Topic::Once, with(remark, &figures)))
    }

    /// Its next stone can give it two ways to win in one row, as it could not before.
    fn open_row(&self) -> Option<(Topic, Remark)> {
        let own = self.own();
        let k = self.scene.game.k();
        let open = |board: &PatternBoard| {
            let in_a_row =
                |&cell: &u16| board.line_classes(own, usize::from(cell)).contains(&OPEN_FOUR);
            let cells = board.cells_with(own, ThreatKind::OpenFour).iter().copied();
            let mut cells: Vec<u16> = cells.filter(in_a_row).collect();
            cells.sort_unstable();
            cells
        };
        let [before, after] = &self.patterns;
        let cells = open(after);
        let quiet = wins(after, 0).is_empty() && wins(after, 1).is_empty();
        if k <= LEAST_K || cells.is_empty() || !open(before).is_empty() || !quiet {
            return None;
        }
        let at = self.scene.name(self.played()?);
        let words = format!("{} makes an open {} at {at}", self.char(), word(k - 2));
        let remark = self.scene.remark(self.scene.stone, words, 0.35, &cells);
        let figures = [("cells that make two ways to win", cells.len() as f64)];
        Some((Topic::Open(self.scene.stone), with(remark, &figures)))
    }

    /// The other side can now win by fours.
    fn allowed(&self, after: &SearchBoard) -> Option<(Topic, Remark)> {
        let line = force(after)?;
        let other = self.scene.stone.other();
        let first = *line.first()?;
        let words =
            format!("{} can force a win, beginning at {}", other.to_char(), self.scene.name(first));
        let remark = self.scene.remark(other, words, 0.7, &[first]);
        Some((Topic::Force(other), with(remark, &[("plies of the win", line.len() as f64)])))
    }
}
