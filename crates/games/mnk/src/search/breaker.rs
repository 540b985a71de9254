//! Draws by the weak game, a Maker-Breaker game: one side, the Maker, wins by a row and the other, the Breaker, only
//! keeps it from one. Whoever cannot win that game cannot win the real one either, where the other side's threats must
//! be answered too.
//!
//! A depth-first search with three economies:
//!
//! - Each answer comes with its *zone*, the cells that it depends on: stones of the loser elsewhere change nothing.
//!   Where a move fails, all moves outside of that answer's zone fail too (relevance zones: Shih, Wu et al. 2022;
//!   must-play regions in Hex: Hayward et al. 2005).
//! - The Breaker's moves are tried in the order of the potential (Erdős and Selfridge 1973) that the best pairing
//!   leaves, each with a growing share of positions: a reply that needs a long proof gives way to one that does not.
//! - A cell whose rows all go through another cell is no better than that one and is left out.

use super::SearchBoard;
use super::cells::bits;
use super::pairing::{Pairs, STOPPED};
use super::window_sets::WindowSets;
use outwit_core::play::Clock;

/// The most cells of a board that fit the sets of cells here.
pub const MOST_CELLS: usize = 64;

/// Choices of a pair after which the search for a pairing gives up.
const TRIES: u32 = 60;

/// A pairing is looked for where the potential is below so many times what can be stopped.
const PAIRING_FACTOR: u64 = 6;

/// Positions in which wins by fours are looked for.
const FOURS: u32 = 50;

/// The Breaker's moves for which a pairing is looked for before any of them is searched.
const WEIGHED: usize = 8;

/// Positions for which the first move of the Breaker is searched at first, and by how much that share grows from
/// round to round.
const SHARE: u64 = 300;
const GROWTH: u64 = 2;

/// A set of cells, by row-major index.
type Cells = u64;

/// Who wins the weak game, and the zone of the proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Maker(Cells),
    Breaker(Cells),
    /// The share of positions was not enough.
    Unknown,
}

/// A position: what the Maker still needs for each of its rows, and a hash for each symmetry of the board.
#[derive(Clone, Debug)]
struct Position {
    windows: WindowSets,
    hashes: [u64; 8],
}

/// What is known of a position, in the common form of its symmetries.
#[derive(Clone, Copy, Default, Debug)]
struct Known {
    key: u64,
    zone: Cells,
    is_maker: bool,
    /// The logarithm of the positions that it took; 0 for an empty slot.
    work: u8,
}

/// A move of the Breaker that is not answered yet.
struct Reply {
    /// What it leaves to be stopped.
    rest: u64,
    cell: usize,
    /// Whether that was found by looking for a pairing.
    is_weighed: bool,
}

/// Searches for whoever wins the weak game.
#[derive(Debug)]
pub struct BreakerSearch {
    root: Position,
    is_makers_turn: bool,
    pairs: Pairs<Cells>,
    /// For each kind (0 for the Maker), cell and symmetry.
    keys: [Vec<[u64; 8]>; 2],
    /// Where each symmetry moves each cell, and the way back.
    symmetries: Vec<[Vec<u16>; 2]>,
    table: Vec<[Known; 4]>,
    nodes: u64,
    is_over: bool,
}

impl BreakerSearch {
    /// A search for whether `maker` (0 for X, 1 for O) wins the weak game, with a table of 2^`table_bits` positions;
    /// nothing on boards of more than [`MOST_CELLS`] cells and where longer rows do not win.
    pub fn new(board: &SearchBoard, maker: usize, table_bits: u32) -> Option<Self> {
        let geometry = board.geometry();
        if geometry.cells() > MOST_CELLS || geometry.exact {
            return None;
        }
        let keys = [maker, 1 - maker].map(|kind| geometry.keys_by_cell(kind));
        let mut hashes = [0; 8];
        for (cell, keys) in keys[0].iter().zip(&keys[1]).enumerate() {
            if let Some(stone) = board.stone(cell) {
                let keys = if stone.index() == maker { keys.0 } else { keys.1 };
                hashes.iter_mut().zip(keys).for_each(|(hash, key)| *hash ^= key);
            }
        }
        let alive = (0..geometry.windows.len() as u32).filter(|&at| board.is_alive(maker, at));
        let open = alive.map(|at| board.gaps(at).fold(0, |cells, cell| cells | 1 << cell));
        Some(Self {
            root: Position { windows: WindowSets::new(open), hashes },
            is_makers_turn: board.to_move() == maker,
            pairs: Pairs::default(),
            keys,
            symmetries: geometry
                .symmetries
                .iter()
                .map(|moved| {
                    let mut back = vec![0; moved.len()];
                    moved.iter().zip(0..).for_each(|(&to, from)| back[usize::from(to)] = from);
                    [moved.clone(), back]
                })
                .collect(),
            table: vec![[Known::default(); 4]; 1 << table_bits.saturating_sub(2)],
            nodes: 0,
            is_over: false,
        })
    }

    /// Whether the Breaker keeps the Maker from a row, where that is proved within so many positions and before the
    /// clock refuses. A unit of work is a position.
    pub fn stops(&mut self, most_nodes: u64, clock: &Clock) -> Option<bool> {
        let root = self.root.clone();
        let answer = if self.is_makers_turn {
            self.glance(&root, clock).unwrap_or_else(|_| self.make(&root, most_nodes, clock))
        } else {
            self.break_up(&root, most_nodes, clock)
        };
        match answer {
            Answer::Maker(_) => Some(false),
            Answer::Breaker(_) => Some(true),
            Answer::Unknown => None,
        }
    }

    /// The position after a stone of the Maker (kind 0) or the Breaker (kind 1).
    fn after(&self, position: &Position, kind: usize, cell: usize) -> Position {
        let windows = if kind == 0 {
            position.windows.with(1 << cell)
        } else {
            position.windows.without(1 << cell)
        };
        let mut hashes = position.hashes;
        hashes.iter_mut().zip(self.keys[kind][cell]).for_each(|(hash, key)| *hash ^= key);
        Position { windows, hashes }
    }

    /// The answer with the Maker to move where that needs no search, or else how much is left to be stopped.
    fn glance(&mut self, position: &Position, clock: &Clock) -> Result<Answer, u64> {
        if let Some(known) = self.known(position, true) {
            return Ok(known);
        }
        self.count(1, clock);
        let windows = &position.windows;
        if windows.is_empty() {
            return Ok(Answer::Breaker(0));
        }
        if let Some(gap) = windows.single() {
            return Ok(Answer::Maker(gap));
        }
        let bound = STOPPED / 2;
        let potential = windows.potential();
        let mut answer = None;
        if potential >= bound {
            let mut left = FOURS;
            answer = win_by_fours(windows, &mut left).map(Answer::Maker);
            self.count(u64::from(FOURS - left), clock);
        }
        let mut rest = potential;
        if answer.is_none() && potential < PAIRING_FACTOR * bound {
            let (zone, least) = self.pairs.stop(windows.list(), TRIES, bound);
            rest = least;
            answer = zone.map(Answer::Breaker);
        }
        let Some(answer) = answer else { return Err(rest) };
        self.put(position, true, answer, 1);
        Ok(answer)
    }

    /// With the Maker to move, where a glance is not enough.
    fn make(&mut self, position: &Position, limit: u64, clock: &Clock) -> Answer {
        let before = self.nodes;
        let windows = &position.windows;
        let (mut cells, mut zone) = windows.undominated();
        let heat = windows.heat();
        while let Some(cell) = hottest(cells, &heat) {
            cells &= !(1 << cell);
            match self.break_up(&self.after(position, 0, cell), limit, clock) {
                Answer::Unknown => return Answer::Unknown,
                Answer::Maker(own) => {
                    let answer = Answer::Maker(own | 1 << cell);
                    self.put(position, true, answer, self.nodes - before);
                    return answer;
                }
                Answer::Breaker(own) => {
                    zone |= own;
                    cells &= own;
                }
            }
        }
        let answer = Answer::Breaker(zone);
        self.put(position, true, answer, self.nodes - before);
        answer
    }

    /// With the Breaker to move.
    fn break_up(&mut self, position: &Position, limit: u64, clock: &Clock) -> Answer {
        let windows = &position.windows;
        let gaps = windows.gaps();
        if gaps.count_ones() > 1 {
            let first = gaps & gaps.wrapping_neg();
            let others = gaps & !first;
            return Answer::Maker(first | others & others.wrapping_neg());
        }
        if windows.is_empty() {
            return Answer::Breaker(0);
        }
        if gaps != 0 {
            return self.forced(position, gaps, limit, clock);
        }
        if let Some(known) = self.known(position, false) {
            return known;
        }
        if self.is_over || self.nodes >= limit {
            return Answer::Unknown;
        }
        let before = self.nodes;
        let answer = self.reply(position, limit, clock);
        self.put(position, false, answer, self.nodes - before);
        answer
    }

    /// Where the Maker threatens to fill one gap.
    fn forced(&mut self, position: &Position, gap: Cells, limit: u64, clock: &Clock) -> Answer {
        let next = self.after(position, 1, gap.trailing_zeros() as usize);
        let answer = self.glance(&next, clock).unwrap_or_else(|_| {
            let is_over = self.is_over || self.nodes >= limit;
            if is_over { Answer::Unknown } else { self.make(&next, limit, clock) }
        });
        match answer {
            Answer::Maker(zone) => Answer::Maker(zone | gap),
            Answer::Breaker(zone) => Answer::Breaker(zone | gap),
            Answer::Unknown => Answer::Unknown,
        }
    }

    /// Where the Breaker is free to choose.
    fn reply(&mut self, position: &Position, limit: u64, clock: &Clock) -> Answer {
        let windows = &position.windows;
        if windows.potential() < STOPPED
            && let (Some(zone), _) = self.pairs.stop(windows.list(), 1, STOPPED)
        {
            return Answer::Breaker(zone);
        }
        let (mut cells, mut zone) = windows.undominated();
        // Only replies within a win of the Maker can stop it.
        let mut left = 2 * FOURS;
        if let Some(threat) = win_by_fours(windows, &mut left) {
            zone |= threat;
            cells &= threat;
        }
        self.count(u64::from(2 * FOURS - left), clock);
        let heat = windows.heat();
        let mut replies = Vec::new();
        let mut rest = cells;
        while let Some(cell) = hottest(rest, &heat) {
            rest &= !(1 << cell);
            let is_weighed = replies.len() < WEIGHED;
            let next = self.after(position, 1, cell);
            let glance = match self.known(&next, true) {
                Some(known) => Ok(known),
                None if is_weighed => self.glance(&next, clock),
                None => Err(u64::MAX - heat[cell]),
            };
            match glance {
                Ok(Answer::Breaker(own)) => return Answer::Breaker(own | 1 << cell),
                Ok(Answer::Maker(own)) => {
                    zone |= own;
                    cells &= own;
                    rest &= own;
                }
                Ok(Answer::Unknown) => {}
                Err(rest) => replies.push(Reply { rest, cell, is_weighed }),
            }
        }
        replies.sort_by_key(|reply| (reply.rest, reply.cell));
        self.search_replies(position, (replies, cells, zone), limit, clock)
    }

    /// Searches replies in turn with growing shares of positions, until one stops the Maker or none is left.
    fn search_replies(
        &mut self,
        position: &Position,
        (mut replies, mut cells, mut zone): (Vec<Reply>, Cells, Cells),
        limit: u64,
        clock: &Clock,
    ) -> Answer {
        for round in 0_u32.. {
            replies.retain(|reply| cells >> reply.cell & 1 == 1);
            if replies.is_empty() {
                break;
            }
            let is_last = replies.len() == 1;
            let mut turn = 0;
            while turn < replies.len() && turn <= round as usize {
                let Reply { cell, ref mut is_weighed, .. } = replies[turn];
                if cells >> cell & 1 == 0 {
                    replies.remove(turn);
                    continue;
                }
                if self.is_over || self.nodes >= limit {
                    return Answer::Unknown;
                }
                let share = SHARE.saturating_mul(GROWTH.saturating_pow(round - turn as u32));
                let end = if is_last { limit } else { limit.min(self.nodes.saturating_add(share)) };
                let next = self.after(position, 1, cell);
                let glance = if *is_weighed { None } else { self.glance(&next, clock).ok() };
                *is_weighed = true;
                match glance.unwrap_or_else(|| self.make(&next, end, clock)) {
                    Answer::Breaker(own) => return Answer::Breaker(own | 1 << cell),
                    Answer::Maker(own) => {
                        zone |= own;
                        cells &= own;
                        replies.remove(turn);
                    }
                    Answer::Unknown => turn += 1,
                }
            }
        }
        Answer::Maker(zone)
    }

    /// Counts positions; once the clock refuses, nothing is searched any more.
    fn count(&mut self, nodes: u64, clock: &Clock) {
        self.nodes += nodes;
        if nodes > 0 && !clock.take(1) {
            self.is_over = true;
        }
        clock.charge(nodes.saturating_sub(1));
    }

    /// The key of a position and the symmetry that leads to its common form.
    fn common(&self, position: &Position, is_makers_turn: bool) -> (u64, usize) {
        let hashes = position.hashes.iter().take(self.symmetries.len()).copied();
        let (key, symmetry) = hashes.zip(0..).min().unwrap_or_default();
        (if is_makers_turn { key } else { !key }, symmetry)
    }

    fn moved(&self, cells: Cells, symmetry: usize, back: usize) -> Cells {
        if symmetry == 0 {
            return cells;
        }
        let map = &self.symmetries[symmetry][back];
        bits(cells).fold(0, |moved, cell| moved | 1 << map[cell as usize])
    }

    fn known(&self, position: &Position, is_makers_turn: bool) -> Option<Answer> {
        let (key, symmetry) = self.common(position, is_makers_turn);
        let bucket = &self.table[key as usize & (self.table.len() - 1)];
        let known = bucket.iter().find(|known| known.work > 0 && known.key == key)?;
        let zone = self.moved(known.zone, symmetry, 1);
        Some(if known.is_maker { Answer::Maker(zone) } else { Answer::Breaker(zone) })
    }

    fn put(&mut self, position: &Position, is_makers_turn: bool, answer: Answer, nodes: u64) {
        let (is_maker, zone) = match answer {
            Answer::Maker(zone) => (true, zone),
            Answer::Breaker(zone) => (false, zone),
            Answer::Unknown => return,
        };
        let (key, symmetry) = self.common(position, is_makers_turn);
        let zone = self.moved(zone, symmetry, 0);
        let work = 1 + nodes.max(1).ilog2() as u8;
        let mask = self.table.len() - 1;
        let bucket = &mut self.table[key as usize & mask];
        let cheapest = bucket.iter_mut().min_by_key(|known| (known.key != key, known.work));
        if let Some(slot) = cheapest {
            *slot = Known { key, zone, is_maker, work };
        }
    }
}

/// The hottest of some cells, the first of equals.
fn hottest(cells: Cells, heat: &[u64; MOST_CELLS]) -> Option<usize> {
    let cells = bits(cells).map(|cell| cell as usize);
    cells.max_by_key(|&cell| (heat[cell], std::cmp::Reverse(cell)))
}

/// A win of the Maker, which is to move, in which every move threatens to fill a window, found within so many
/// positions: the cells that it depends on. No window lacks a single stone yet.
fn win_by_fours(windows: &WindowSets, left: &mut u32) -> Option<Cells> {
    *left = left.checked_sub(1)?;
    if let Some(gap) = windows.single() {
        return Some(gap);
    }
    let twos: Vec<Cells> =
        windows.list().iter().copied().filter(|open| open.count_ones() == 2).collect();
    for (at, two) in twos.iter().enumerate() {
        if let Some(other) = twos[..at].iter().find(|&other| other & two != 0) {
            return Some(two | other);
        }
    }
    for two in twos {
        let first = two & two.wrapping_neg();
        for (four, answer) in [(first, two & !first), (two & !first, first)] {
            if let Some(zone) = win_by_fours(&windows.with(four).without(answer), left) {
                return Some(zone | two);
            }
        }
    }
    None
}

#[cfg(test)]
#[path = "breaker_tests.rs"]
mod tests;
