//! Wins of any length by proof numbers.
//!
//! Depth-first proof-number search (Nagai 2002): the proof number of a position says how much must still be shown, at
//! the least, to prove that the attacker wins, the disproof number how much to prove the contrary. The search always
//! goes where the smallest numbers are, and leaves when they have grown, so a wrong move costs little more than the
//! right one does. Positions are reached on many ways, so numbers are not summed up: the largest counts, and one for
//! each other move (weak proof-number search: Ueda, Hashimoto, Hashimoto and Iida 2008). A move is left only when its
//! number has outgrown that of the second by a share of it (the 1 + ε trick: Pawlewicz and Lew 2007), which spares
//! going back and forth.
//!
//! Where the attacker threatens a win by fours, only replies in its [zone](super::forcing::ForcedWin::zone) are
//! searched.

use super::board::MOVERS;
use super::cells::bits;
use super::forcing::{ForcedWin, ForcingSearch};
use super::pairing::{Pairs, STOPPED};
use super::proof::{NEVER, Proof};
use super::threats::FourSearch;
use super::winning_line::winning_line;
use super::{NO_CELL, SearchBoard};
use outwit_core::play::Clock;
use std::array;
use std::ops::Range;
use survey::Survey;
use table::{HOPELESS, IMPOSSIBLE, Known, NO_MOVE, NumberTable, Numbers, WON, Worth, win_in};

mod survey;
mod table;

/// The most cells of a board that fit the sets of cells here.
pub const MOST_CELLS: usize = 64;

/// Positions in which a win by fours is looked for.
const FOURS: u32 = 200;

/// A pairing is looked for where the potential of the attacker is below this multiple of what can be stopped, and after
/// at most this number of choices of a pair it is given up.
const PAIRING_FACTOR: u64 = 6;
const TRIES: u32 = 100;

/// The largest numbers of a position that was never looked at.
const LARGEST_GUESS: u32 = 1 << 10;

/// The 1 + ε trick: a number may outgrow the second smallest by one part in so many.
const LEEWAY: u16 = 4;

#[derive(Clone, Copy, Debug)]
struct Position {
    /// The cells of the attacker and of the defender.
    stones: [u64; 2],
    /// One hash for each symmetry of the board.
    hashes: [u64; 8],
}

impl Position {
    fn place(&mut self, keys: &[Vec<[u64; 8]>; 2], side: usize, cell: usize) {
        self.stones[side] |= 1 << cell;
        self.hashes.iter_mut().zip(keys[side][cell]).for_each(|(hash, key)| *hash ^= key);
    }
}

#[derive(Clone, Copy, Debug)]
struct Move {
    cell: u8,
    worth: Worth,
}

/// A position on the way to the one that is searched.
#[derive(Clone, Debug)]
struct Frame {
    position: Position,
    is_attack: bool,
    key: u64,
    moves: Range<usize>,
    /// The move under way.
    current: usize,
    limits: Numbers,
    /// The plies that a win takes at most against a reply that is left out.
    least_plies: u8,
    is_calm: bool,
    nodes: u64,
}

/// What happens next.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// A position is looked at, with the attacker to move or not, until its numbers reach these.
    Enter(Position, bool, Numbers),
    /// The position before learns what the one after its move is worth.
    Return(Worth),
}

/// Searches for a forced win of one side, however long.
#[derive(Clone, Debug)]
pub struct NumberSearch {
    board: SearchBoard,
    attacker: usize,
    fours: ForcingSearch,
    /// By window: its cells.
    cells: Vec<Vec<u8>>,
    all: u64,
    pairs: Pairs<u64>,
    open: Vec<u64>,
    /// By whose stone it is (0 for the attacker), cell and symmetry.
    keys: [Vec<[u64; 8]>; 2],
    symmetries: usize,
    table: NumberTable,
    stack: Vec<Frame>,
    moves: Vec<Move>,
    next: Next,
    nodes: u64,
}

impl NumberSearch {
    /// A search for a win of `attacker` (0 for X, 1 for O) with a table of 2^`table_bits` positions; nothing on boards
    /// of more than [`MOST_CELLS`] cells and where longer rows do not win.
    pub fn new(board: SearchBoard, attacker: usize, table_bits: u32) -> Option<Self> {
        let geometry = board.geometry();
        if geometry.cells() > MOST_CELLS || geometry.exact {
            return None;
        }
        let symmetries = geometry.symmetries.len();
        let keys = [attacker, 1 - attacker].map(|kind| geometry.keys_by_cell(kind));
        let mut root = Position { stones: [0; 2], hashes: [0; 8] };
        for cell in 0..geometry.cells() {
            if let Some(stone) = board.stone(cell) {
                root.place(&keys, usize::from(stone.index() != attacker), cell);
            }
        }
        let windows = 0..geometry.windows.len() as u32;
        let cells = |window| geometry.cells_of(window).map(|cell| cell as u8).collect();
        let limits = Numbers { proof: IMPOSSIBLE, disproof: IMPOSSIBLE };
        Some(Self {
            fours: ForcingSearch::new(geometry.window_sets()),
            cells: windows.map(cells).collect(),
            all: (0..geometry.cells()).fold(0, |all, cell| all | 1 << cell),
            next: Next::Enter(root, board.to_move() == attacker, limits),
            attacker,
            board,
            pairs: Pairs::default(),
            open: Vec::new(),
            keys,
            symmetries,
            table: NumberTable::new(table_bits),
            stack: Vec::new(),
            moves: Vec::new(),
            nodes: 0,
        })
    }

    /// Searches until there is an answer or the clock refuses. A unit of work is a position.
    pub fn run(&mut self, clock: &Clock) -> Option<Proof> {
        loop {
            match self.next {
                Next::Enter(position, is_attack, limits) => {
                    if !clock.take(1) {
                        return None;
                    }
                    let before = self.nodes;
                    self.next = match self.enter(&position, is_attack, limits) {
                        Some(worth) => Next::Return(worth),
                        None => self.choose(),
                    };
                    clock.charge(self.nodes - before);
                    self.nodes += 1;
                }
                Next::Return(worth) => {
                    let Some(frame) = self.stack.last() else {
                        let is_won = worth.numbers == WON;
                        return Some(if is_won {
                            Proof::Win(worth.plies)
                        } else {
                            Proof::No(NEVER)
                        });
                    };
                    self.moves[frame.current].worth = worth;
                    self.next = self.choose();
                }
            }
        }
    }

    /// A winning line, as far as the table still knows it. Call it after [`run`](Self::run) found a win.
    pub fn line(&mut self) -> Vec<u16> {
        let Self { board, attacker, table, .. } = self;
        winning_line(board, &mut FourSearch::default(), *attacker, |key| {
            let known = table.get(key).filter(|known| known.numbers == WON)?;
            let cell = if known.cell == NO_MOVE { NO_CELL } else { known.cell.into() };
            Some((cell, known.plies))
        })
    }

    /// What a position is worth where that is known or can be seen; otherwise it goes onto the stack.
    fn enter(&mut self, position: &Position, is_attack: bool, limits: Numbers) -> Option<Worth> {
        let key = self.key(&position.hashes, is_attack);
        let known = self.table.get(key);
        if let Some(worth) =
            known.map(|known| known.worth()).filter(|worth| worth.numbers.are_enough(limits))
        {
            return Some(worth);
        }
        let is_new = known.is_none();
        let mut is_calm = known.is_some_and(|known| known.is_calm);
        let [own, other] = position.stones;
        let survey = Survey::new(position.stones, self.fours.windows(), &self.cells);
        let empty = self.all & !(own | other);
        let mut replies = empty;
        let mut least_plies = 0;
        if is_attack {
            if survey.gaps != 0 {
                return Some(win_in(1));
            }
            if survey.threats.count_ones() > 1 || survey.potential < STOPPED / 2 {
                return Some(HOPELESS);
            }
            if survey.threats != 0 {
                replies = survey.threats;
            }
            if is_new && let Some(worth) = self.at_once(position, &survey) {
                self.table.put(key, Known::of(worth));
                return Some(worth);
            }
        } else {
            if survey.threats != 0 || survey.potential < STOPPED {
                return Some(HOPELESS);
            }
            if survey.gaps.count_ones() > 1 {
                return Some(win_in(2));
            }
            if survey.gaps != 0 {
                replies = survey.gaps;
            } else if !is_calm {
                match self.win_by_fours(position) {
                    Some(win) => {
                        replies &= win.zone;
                        least_plies = win.plies + 1;
                    }
                    None => is_calm = true,
                }
            }
        }
        let first = self.moves.len();
        self.list_moves(position, is_attack, replies, &survey);
        if self.moves.len() == first {
            // All that is left is worthless.
            return Some(if least_plies > 0 { win_in(least_plies) } else { HOPELESS });
        }
        self.stack.push(Frame {
            position: *position,
            is_attack,
            key,
            moves: first..self.moves.len(),
            current: first,
            limits,
            least_plies,
            is_calm,
            nodes: self.nodes,
        });
        None
    }

    /// With the attacker to move: a win by fours, or a pairing that stops it.
    fn at_once(&mut self, position: &Position, survey: &Survey) -> Option<Worth> {
        if let Some(win) = self.win_by_fours(position) {
            return Some(win_in(win.plies));
        }
        let bound = STOPPED / 2;
        if survey.threats != 0 || survey.potential >= PAIRING_FACTOR * bound {
            return None;
        }
        let [own, other] = position.stones;
        let alive = self.fours.windows().iter().filter(|&window| window & other == 0);
        self.open.clear();
        self.open.extend(alive.map(|window| window & !own));
        self.open.sort_unstable_by_key(|open| (open.count_ones(), *open));
        self.open.dedup();
        self.pairs.stop(&self.open, TRIES, bound).0.map(|_| HOPELESS)
    }

    fn win_by_fours(&mut self, position: &Position) -> Option<ForcedWin> {
        let (win, nodes) = self.fours.win(position.stones, FOURS);
        self.nodes += u64::from(nodes);
        win
    }

    /// Appends the moves to these cells with what is known of them, or else with a guess: the attacker is thought to
    /// win sooner the more it threatens, and whatever lies in many windows is thought to be good for either side.
    fn list_moves(&mut self, position: &Position, is_attack: bool, cells: u64, survey: &Survey) {
        let mut keys = [0; MOST_CELLS];
        let mut sum = 0;
        for cell in bits(cells) {
            let cell = cell as usize;
            let of_move = &self.keys[usize::from(!is_attack)][cell];
            let hashes = array::from_fn(|at| position.hashes[at] ^ of_move[at]);
            keys[cell] = self.key(&hashes, !is_attack);
            // All slots are read in one go before any is looked into, so that the memory is waited for only once.
            sum ^= self.table.touch(keys[cell]);
        }
        std::hint::black_box(sum);
        for cell in bits(cells) {
            let [own, other] = [0, 1].map(|side: usize| survey.heat[side][cell as usize]);
            if own + other == 0 {
                // An additional stone never harms, so other cells are no worse.
                continue;
            }
            let guess = || {
                let (proof, disproof) = if is_attack {
                    let effort = match 1 << cell {
                        cell if survey.fours & cell != 0 => 2,
                        cell if survey.double_threes & cell != 0 => 6,
                        cell if survey.threes & cell != 0 => 10,
                        _ => 20,
                    };
                    (effort + 8 / (1 + own / 8), 1 + own / 8)
                } else {
                    (1 + (own + other) / 8, 4 + 16 / (1 + own / 4))
                };
                let [proof, disproof] =
                    [proof, disproof].map(|number| number.min(LARGEST_GUESS) as u16);
                Worth { numbers: Numbers { proof, disproof }, plies: 0 }
            };
            let worth = self.table.get(keys[cell as usize]).map_or_else(guess, Known::worth);
            self.moves.push(Move { cell: cell as u8, worth });
        }
    }

    /// Chooses the move to be searched next, or leaves the position.
    fn choose(&mut self) -> Next {
        let Some(frame) = self.stack.last_mut() else { return Next::Return(HOPELESS) };
        let is_attack = frame.is_attack;
        let mut best = frame.moves.start;
        let mut own = IMPOSSIBLE;
        let mut second = IMPOSSIBLE;
        let mut largest = 0;
        let mut open = 0_u16;
        let mut longest = (frame.least_plies, frame.moves.start);
        for (at, choice) in frame.moves.clone().zip(&self.moves[frame.moves.clone()]) {
            let (number, other) = choice.worth.numbers.for_mover(is_attack);
            if number < own {
                second = own;
                (own, best) = (number, at);
            } else {
                second = second.min(number);
            }
            largest = largest.max(other);
            open += u16::from(other > 0);
            if choice.worth.plies >= longest.0 {
                longest = (choice.worth.plies + 1, at);
            }
        }
        let others = open.saturating_sub(1);
        let other = match largest {
            IMPOSSIBLE => IMPOSSIBLE,
            largest => largest.saturating_add(others).min(IMPOSSIBLE - 1),
        };
        let numbers = Numbers::of_mover((own, other), is_attack);
        if numbers.are_enough(frame.limits) {
            return self.leave(numbers, if is_attack { best } else { longest.1 });
        }
        let (most, most_other) = frame.limits.for_mover(is_attack);
        let leeway = second.saturating_add(1 + second / LEEWAY);
        let most_other = if most_other == IMPOSSIBLE { IMPOSSIBLE } else { most_other - others };
        let limits = Numbers::of_mover((most.min(leeway), most_other), is_attack);
        let mut position = frame.position;
        frame.current = best;
        let side = usize::from(!is_attack);
        position.place(&self.keys, side, usize::from(self.moves[best].cell));
        Next::Enter(position, !is_attack, limits)
    }

    /// Goes back from a position with these numbers; `at` is the move that they come from.
    fn leave(&mut self, numbers: Numbers, at: usize) -> Next {
        let Some(frame) = self.stack.pop() else { return Next::Return(HOPELESS) };
        let Move { cell, worth } = self.moves[at];
        let worth = match numbers {
            Numbers { proof: 0, .. } => win_in((worth.plies + 1).max(frame.least_plies)),
            Numbers { disproof: 0, .. } => HOPELESS,
            numbers => Worth { numbers, plies: 0 },
        };
        let symmetry = least(&frame.position.hashes[..self.symmetries]).1;
        let moved = &self.board.geometry().symmetries[symmetry];
        let known = Known {
            cell: moved[usize::from(cell)] as u8,
            work: 1 + (self.nodes - frame.nodes).max(1).ilog2() as u8,
            is_calm: frame.is_calm,
            ..Known::of(worth)
        };
        self.table.put(frame.key, known);
        self.moves.truncate(frame.moves.start);
        Next::Return(worth)
    }

    /// The key of a position in its common form.
    fn key(&self, hashes: &[u64; 8], is_attack: bool) -> u64 {
        let (key, _) = least(&hashes[..self.symmetries]);
        key ^ MOVERS[if is_attack { self.attacker } else { 1 - self.attacker }]
    }
}

/// The least of some hashes and its place.
fn least(hashes: &[u64]) -> (u64, usize) {
    hashes.iter().copied().zip(0..).min().unwrap_or_default()
}

#[cfg(test)]
#[path = "proof_numbers_tests.rs"]
mod tests;
