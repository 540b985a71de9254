//! Checks sentences on matches of k in a row from the raw stones. Shares no code with the remarks and the
//! searches: rows are counted stone by stone, and forced wins are searched once more. Only what is said to be
//! proved of large boards is proved by the solver, with more work.

use crate::rules::MnkState;
use crate::search::SearchBoard;
use crate::solve::prove;
use crate::{Mnk, Stone};
use outwit_core::play::{Budget, Clock, Game, Match, StopFlag, Value};
use outwit_kit::Remark;
use std::collections::{BTreeSet, HashMap};

pub struct Checker<'a> {
    played: &'a Match<Mnk>,
    width: i32,
    height: i32,
    k: i32,
    exact: bool,
    /// What every small position is worth to X.
    known: HashMap<Vec<Option<Stone>>, i8>,
    /// Sentences that only the solver could check.
    pub solved: usize,
}

type Stones = Vec<Option<Stone>>;
type At = (i32, i32);

const WAYS: [At; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Empty cells up to which all games are played out.
const SMALL: usize = 11;

fn so(what: &str, holds: bool) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_owned()) }
}

impl<'a> Checker<'a> {
    pub fn new(played: &'a Match<Mnk>) -> Self {
        let game = played.game();
        let (width, height) = (game.width() as i32, game.height() as i32);
        let rules = &game.level().rules;
        let (k, exact) = (rules.k as i32, rules.exact);
        Self { played, width, height, k, exact, known: HashMap::new(), solved: 0 }
    }

    fn stone(&self, stones: &Stones, (x, y): At) -> Option<Stone> {
        let inside = x >= 0 && y >= 0 && x < self.width && y < self.height;
        if inside { stones[(y * self.width + x) as usize] } else { None }
    }

    fn put(&self, stones: &Stones, (x, y): At, stone: Stone) -> Stones {
        let mut stones = stones.clone();
        stones[(y * self.width + x) as usize] = Some(stone);
        stones
    }

    fn empty(&self, stones: &Stones) -> Vec<At> {
        let cells = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        cells.filter(|&at| self.stone(stones, at).is_none()).collect()
    }

    /// Whether a stone that lies here completes a row this way.
    fn row(&self, stones: &Stones, (x, y): At, (dx, dy): At) -> bool {
        let own = self.stone(stones, (x, y));
        let count = |sign: i32| {
            (1..)
                .take_while(|i| self.stone(stones, (x + sign * i * dx, y + sign * i * dy)) == own)
                .count()
        };
        let length = 1 + (count(1) + count(-1)) as i32;
        own.is_some() && if self.exact { length == self.k } else { length >= self.k }
    }

    fn wins_at(&self, stones: &Stones, at: At, stone: Stone) -> bool {
        let then = self.put(stones, at, stone);
        WAYS.iter().any(|&way| self.row(&then, at, way))
    }

    /// The cells on which the next stone wins.
    fn wins(&self, stones: &Stones, stone: Stone) -> BTreeSet<At> {
        self.empty(stones).into_iter().filter(|&at| self.wins_at(stones, at, stone)).collect()
    }

    /// The cells on which a stone leaves two or more gaps of one row that win.
    fn opens(&self, stones: &Stones, stone: Stone) -> usize {
        let opens = |&(x, y): &At| {
            let then = self.put(stones, (x, y), stone);
            WAYS.iter().any(|&(dx, dy)| {
                let gaps = (1 - self.k..self.k).map(|i| (x + i * dx, y + i * dy)).filter(|&gap| {
                    let inside =
                        gap.0 >= 0 && gap.1 >= 0 && gap.0 < self.width && gap.1 < self.height;
                    inside
                        && self.stone(&then, gap).is_none()
                        && self.row(&self.put(&then, gap, stone), gap, (dx, dy))
                });
                gaps.count() >= 2
            })
        };
        let empty = self.empty(stones).into_iter();
        empty.filter(|at| !self.wins_at(stones, *at, stone)).filter(opens).count()
    }

    /// Whether a stone here begins a win by fours, each of which has one answer.
    fn forces(&self, stones: &Stones, at: At, stone: Stone, moves: u32) -> bool {
        let then = self.put(stones, at, stone);
        if WAYS.iter().any(|&way| self.row(&then, at, way)) {
            return true;
        }
        let (own, theirs) = (self.wins(&then, stone), self.wins(&then, stone.other()));
        if !theirs.is_empty() || own.is_empty() || moves < 2 {
            return false;
        }
        let Some(&answer) = own.first().filter(|_| own.len() == 1) else { return true };
        let then = self.put(&then, answer, stone.other());
        let must = self.wins(&then, stone.other());
        let tries = if must.is_empty() { self.empty(&then) } else { must.into_iter().collect() };
        tries.into_iter().any(|next| {
            let made = self.put(&then, next, stone);
            let is_four = !self.wins(&made, stone).is_empty() || self.wins_at(&then, next, stone);
            is_four && self.forces(&then, next, stone, moves - 1)
        })
    }

    /// What a position is worth to X, all games played out: 1, 0 or -1.
    fn value(&mut self, stones: &Stones, to_move: Stone) -> i8 {
        if let Some(&known) = self.known.get(stones) {
            return known;
        }
        let best = if to_move == Stone::X { 1 } else { -1 };
        let empty = self.empty(stones);
        let mut value = if empty.is_empty() { 0 } else { -best };
        for at in empty {
            let found = if self.wins_at(stones, at, to_move) {
                best
            } else {
                self.value(&self.put(stones, at, to_move), to_move.other())
            };
            value = if to_move == Stone::X { value.max(found) } else { value.min(found) };
            if value == best {
                break;
            }
        }
        self.known.insert(stones.clone(), value);
        value
    }

    /// The certain result of a side, from 0 to 1.
    fn result(&mut self, state: &MnkState, of: Stone) -> Result<f64, String> {
        if self.empty(&state.stones).len() <= SMALL {
            let value = f64::from(self.value(&state.stones, state.to_move));
            let sign = if of == Stone::X { 1.0 } else { -1.0 };
            return Ok((1.0 + sign * value) / 2.0);
        }
        self.solved += 1;
        let board = SearchBoard::of(self.played.game(), state);
        let clock = Clock::new(Budget::Work(3_000_000), StopFlag::default());
        let mover = match prove(&board, 18, &clock).ok_or("not proved")?.value {
            Value::Win(_) => 1.0,
            Value::Loss(_) => 0.0,
            _ => 0.5,
        };
        Ok(if of == state.to_move { mover } else { 1.0 - mover })
    }

    fn cell(&self, name: &str) -> Result<At, String> {
        let letters: String = name.chars().take_while(char::is_ascii_lowercase).collect();
        let number: i32 = name[letters.len()..].parse().map_err(|_| format!("no cell {name}"))?;
        let column = letters.bytes().fold(0, |sum, letter| 26 * sum + i32::from(letter - b'a') + 1);
        Ok((column - 1, self.height - number))
    }

    /// Checks a sentence; what is wrong with it otherwise.
    pub fn check(&mut self, remark: &Remark) -> Result<(), String> {
        let states = self.played.states();
        let (before, after) = (&states[remark.turn], &states[remark.turn + 1]);
        let words = remark.words.as_str();
        so("long", words.chars().count() <= 60)?;
        let (own, other) = (before.to_move, before.to_move.other());
        let char = |stone: Stone| if stone == Stone::X { 'X' } else { 'O' };
        let last = after.last.map(|at| (at.x, at.y)).ok_or("no stone")?;
        let name = words.rsplit(' ').next().unwrap_or_default();
        let count = remark.figures.first().map(|figure| figure.1 as usize);
        let (then, now) = (&before.stones, &after.stones);
        if words == "The board is full and the match is drawn" {
            let row =
                self.empty(now).is_empty() && !WAYS.iter().any(|&way| self.row(now, last, way));
            return so("not drawn", row);
        }
        if words == "Neither side can force a win any more" {
            return so("not a draw", self.result(after, own)? == 0.5);
        }
        let is_own = words.starts_with(char(own));
        let (side, rival) = if is_own { (own, other) } else { (other, own) };
        so("seat", remark.seat == Some(before.holder(side)))?;
        let rest = words.strip_prefix(&format!("{} ", char(side))).ok_or("whose")?;
        let said = |text: &str, with: &[(&str, char)]| {
            let text = with
                .iter()
                .fold(text.to_owned(), |text, (key, to)| text.replace(key, &to.to_string()));
            rest.starts_with(&text)
        };
        let rival_char = [("RIVAL", char(rival))];
        if rest == format!("wins with {} in a row", self.k) {
            return so("no row", is_own && WAYS.iter().any(|&way| self.row(now, last, way)));
        }
        if said("misses a win at", &[]) {
            let wins = self.wins(then, own);
            return so(
                "no win",
                is_own && wins.contains(&self.cell(name)?) && count == Some(wins.len()),
            );
        }
        if said("passes over a forced win at", &[]) {
            let at = self.cell(name)?;
            so("it was played", is_own && at != last && self.wins(now, own).is_empty())?;
            return so("not forced", self.forces(then, at, own, 8));
        }
        if said("does not stop RIVAL from winning at", &rival_char) {
            let at = self.cell(name)?;
            so("it could win", self.wins(then, own).is_empty())?;
            let held = self.wins(then, other) == [at].into() && self.wins(now, other).contains(&at);
            return so("no win there", is_own && held);
        }
        if said("threatens to win: RIVAL must answer at", &rival_char) {
            let wins = self.wins(now, own);
            so("the rival wins", self.wins(now, other).is_empty())?;
            return so("another threat", is_own && wins == [self.cell(name)?].into());
        }
        if rest.ends_with("can stop only one") {
            let wins = self.wins(now, own).len();
            let number = ["", "one", "two", "three", "four", "five", "six"][wins];
            so("the rival wins", self.wins(now, other).is_empty())?;
            let text = format!("can win in {number} ways and RIVAL can stop");
            return so("ways", is_own && wins > 1 && said(&text, &rival_char));
        }
        if rest.starts_with("makes an open ") {
            let number = ["", "one", "two", "three", "four", "five"][self.k as usize - 2];
            so("elsewhere", self.cell(name)? == last)?;
            so("another length", rest == format!("makes an open {number} at {name}"))?;
            so("more", self.wins(now, own).is_empty() && self.wins(now, other).is_empty())?;
            so("was there", self.opens(then, own) == 0)?;
            return so("is not there", is_own && Some(self.opens(now, own)) == count);
        }
        if said("can force a win, beginning at", &[]) {
            so("wins at once", self.wins(now, side).is_empty())?;
            return so("not forced", !is_own && self.forces(now, self.cell(name)?, side, 8));
        }
        let now = self.result(after, own)?;
        let held = if rest == "can force a win, as is now proved" {
            now == if is_own { 1.0 } else { 0.0 }
        } else {
            let then = self.result(before, own)?;
            match rest {
                "turns a won game into a lost one" => (then, now) == (1.0, 0.0),
                "lets the win slip: it is a draw now" => (then, now) == (1.0, 0.5),
                _ if said("misses the last chance: RIVAL can force a win", &rival_char) => {
                    (then, now) == (0.5, 0.0)
                }
                _ => return Err("unknown".into()),
            }
        };
        so("another result", held)
    }
}
