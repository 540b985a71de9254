//! Layer after layer, backwards from the finish.

use super::moves::{Crashes, Moves, all_moves, shifted};
use super::{ExactError, ExactTable, Turns, Velocities};
use crate::games::racetrack::track::{GatesPassed, Track, Walk};
use crate::grid::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

/// One set of positions for each velocity, with the rows in which it may hold any.
struct Family {
    words: Vec<u64>,
    rows: Vec<Range<usize>>,
    size: usize,
}

impl Family {
    fn new(sets: usize, size: usize) -> Self {
        Self { words: vec![0; sets * size], rows: vec![0..0; sets], size }
    }

    fn set(&self, slot: usize) -> &[u64] {
        &self.words[slot * self.size..][..self.size]
    }

    fn set_mut(&mut self, slot: usize) -> &mut [u64] {
        &mut self.words[slot * self.size..][..self.size]
    }

    fn is_empty(&self) -> bool {
        self.rows.iter().all(|rows| rows.is_empty())
    }

    /// Sets the rows of a set that are written from now on, and empties the others.
    fn renew(&mut self, slot: usize, rows: Range<usize>, width: usize) {
        let stale = std::mem::replace(&mut self.rows[slot], rows.clone());
        let set = self.set_mut(slot);
        let (kept, end) =
            if rows.is_empty() { (stale.end, stale.end) } else { (rows.start, rows.end) };
        for left in [stale.start..kept.min(stale.end), end.max(stale.start)..stale.end] {
            if !left.is_empty() {
                set[left.start * width..left.end * width].fill(0);
            }
        }
    }
}

fn join(a: Range<usize>, b: Range<usize>) -> Range<usize> {
    if a.is_empty() {
        b
    } else if b.is_empty() {
        a
    } else {
        a.start.min(b.start)..a.end.max(b.end)
    }
}

struct Builder<'a> {
    track: &'a Track,
    table: ExactTable,
    moves: Vec<Moves>,
    /// Whether a car may keep its velocity.
    coasts: bool,
    width: usize,
    height: usize,
    /// By progress: all states found so far.
    known: Vec<Family>,
    /// By progress: the states of the newest layer, and of the one being made.
    newest: Vec<Family>,
    next: Vec<Family>,
    /// Positions from which driving a velocity leads into the newest layer.
    leading: Family,
    /// For each velocity of the square around all: `leading` of it and of those 1 to either side.
    triples: Family,
    /// Rank of the first road cell of each word.
    rank_of_word: Vec<u32>,
    road: Vec<u64>,
    /// States that are reached through a penalty, by the layer in which they count.
    late: BTreeMap<u32, Vec<Late>>,
}

pub(super) fn build(track: &Track, stop: &dyn Fn() -> bool) -> Result<ExactTable, ExactError> {
    let mut builder = Builder::new(track);
    for layer in 1..u32::MAX {
        if stop() {
            return Err(ExactError::Stopped);
        }
        if layer > Turns::MOST_SHORT {
            builder.table.turns.lengthen()?;
        }
        builder.make_layer(layer);
        std::mem::swap(&mut builder.newest, &mut builder.next);
        if builder.newest.iter().all(Family::is_empty) {
            if builder.late.is_empty() {
                break;
            }
        } else {
            builder.table.layers = layer;
        }
        builder.remember_late(layer);
    }
    Ok(builder.table)
}

impl<'a> Builder<'a> {
    fn new(track: &'a Track) -> Self {
        let velocities = Velocities::new(track);
        let moves = all_moves(track, &velocities);
        let coasts = track.accelerations().any(|a| a == Cell::default());
        let width = track.surfaces().width().div_ceil(64);
        let height = track.surfaces().height();
        let (sets, size) = (velocities.len(), width * height);
        let square = velocities.slots.len();
        let table = ExactTable::new(track, velocities);
        let families = || (0..table.gates).map(|_| Family::new(sets, size)).collect::<Vec<_>>();
        let (known, newest, next) = (families(), families(), families());
        let mut road = vec![0; size];
        for cell in track.surfaces().cells().filter(|&cell| track.is_road(cell)) {
            road[cell.y as usize * width + cell.x as usize / 64] |= 1_u64 << (cell.x % 64);
        }
        let mut rank = 0;
        let rank_of_word = road
            .iter()
            .map(|word| {
                rank += word.count_ones();
                rank - word.count_ones()
            })
            .collect();
        Self {
            track,
            table,
            moves,
            coasts,
            width,
            height,
            known,
            newest,
            next,
            leading: Family::new(sets, size),
            triples: Family::new(square, size),
            rank_of_word,
            road,
            late: BTreeMap::new(),
        }
    }

    fn make_layer(&mut self, layer: u32) {
        let late = self.late.remove(&layer).unwrap_or_default();
        for progress in 0..self.table.gates {
            for slot in 0..self.table.velocities.len() {
                self.lead(progress, slot, layer == 1);
            }
            self.lead_by_penalty(progress, &late);
            self.add_triples();
            for slot in 0..self.table.velocities.len() {
                self.gather(progress, slot, layer);
            }
        }
    }

    /// Finds the positions from which driving velocity `slot` leads into the newest layer.
    fn lead(&mut self, progress: usize, slot: usize, first: bool) {
        let velocity = self.table.velocities.list[slot];
        let back = |rows: &Range<usize>| {
            let clip = |row: usize| (row as i32 - velocity.y).clamp(0, self.height as i32) as usize;
            clip(rows.start)..clip(rows.end)
        };
        let (width, moves) = (self.width, &self.moves[slot]);
        let gates_per_lap = usize::from(self.track.gates_per_lap());
        let newest = &self.newest[progress];
        let mut rows = back(&newest.rows[slot]);
        self.leading.renew(slot, rows.clone(), width);
        let target = self.leading.set_mut(slot);
        let source = newest.set(slot);
        for y in rows.clone() {
            let from = &source[(y as i32 + velocity.y) as usize * width..][..width];
            for i in 0..width {
                target[y * width + i] = shifted(from, i, velocity.x) & moves.plain[y * width + i];
            }
        }
        // Over the last finish leads only the first layer.
        let most = if first { usize::MAX } else { self.table.gates - progress - 1 };
        let jumps = moves.jumps[progress % gates_per_lap].iter();
        for jump in jumps.take_while(|jump| usize::from(jump.crossed) <= most) {
            let after = progress + usize::from(jump.crossed);
            let y = jump.word / width;
            let bits = if after >= self.table.gates {
                jump.bits
            } else if jump.lands {
                let family = &self.newest[after];
                let landing = y as i32 + velocity.y;
                if landing >= 0 && family.rows[slot].contains(&(landing as usize)) {
                    let from = &family.set(slot)[landing as usize * width..][..width];
                    shifted(from, jump.word % width, velocity.x) & jump.bits
                } else {
                    0
                }
            } else {
                0
            };
            if bits != 0 {
                target[jump.word] |= bits;
                rows = join(rows, y..y + 1);
            }
        }
        self.leading.rows[slot] = rows;
    }

    /// Joins `leading` of each three velocities side by side: each sum serves three velocities.
    fn add_triples(&mut self) {
        let (side, width) = (2 * self.table.velocities.reach as usize + 1, self.width);
        for place in 0..side * side {
            let x = place % side;
            let beside =
                [(x > 0).then(|| place - 1), Some(place), (x + 1 < side).then(|| place + 1)];
            let slot = |at: Option<usize>| self.table.velocities.slots[at?].map(usize::from);
            let slots = beside.map(slot);
            let leading = &self.leading;
            let rows = |slot: Option<usize>| slot.map_or(0..0, |slot| leading.rows[slot].clone());
            let joined = slots.map(rows).into_iter().fold(0..0, join);
            self.triples.renew(place, joined.clone(), width);
            if joined.is_empty() {
                continue;
            }
            let words = joined.start * width..joined.end * width;
            let target = &mut self.triples.set_mut(place)[words.clone()];
            let mut sets =
                slots.into_iter().flatten().filter(|&slot| !leading.rows[slot].is_empty());
            if let Some(slot) = sets.next() {
                target.copy_from_slice(&leading.set(slot)[words.clone()]);
            }
            for slot in sets {
                for (into, from) in target.iter_mut().zip(&leading.set(slot)[words.clone()]) {
                    *into |= from;
                }
            }
        }
    }

    /// Every state from which one acceleration leads into the newest layer is in this one, unless
    /// it was in an earlier one.
    fn gather(&mut self, progress: usize, slot: usize, layer: u32) {
        let (width, velocities) = (self.width, &self.table.velocities);
        let velocity = velocities.list[slot];
        let triple = |x: i32, y: i32| {
            let place = velocities.place(velocity + Cell::new(x, y))?;
            (!self.triples.rows[place].is_empty()).then_some((&self.triples, place))
        };
        let single = |x: i32| {
            let slot = velocities.slot(velocity + Cell::new(x, 0))?;
            (!self.leading.rows[slot].is_empty()).then_some((&self.leading, slot))
        };
        let beside = if self.coasts { [triple(0, 0), None] } else { [single(-1), single(1)] };
        let sources = [triple(0, -1), triple(0, 1), beside[0], beside[1]];
        let rows = sources
            .iter()
            .flatten()
            .fold(0..0, |rows, (family, at)| join(rows, family.rows[*at].clone()));
        let words = rows.start * width..rows.end * width;
        let next = &mut self.next[progress].set_mut(slot)[words.clone()];
        let mut sets = sources.iter().flatten().map(|(family, at)| &family.set(*at)[words.clone()]);
        if let Some(set) = sets.next() {
            next.copy_from_slice(set);
        }
        for set in sets {
            for (into, from) in next.iter_mut().zip(set) {
                *into |= from;
            }
        }
        let block = (progress * velocities.len() + slot) * self.table.road;
        let fresh = Fresh {
            next,
            known: &mut self.known[progress].set_mut(slot)[words.clone()],
            road: &self.road[words.clone()],
            rank_of_word: &self.rank_of_word[words],
        };
        let states = block..block + self.table.road;
        let found = match &mut self.table.turns {
            Turns::Short(turns) => fresh.note(&mut turns[states], layer as u16),
            Turns::Long(turns) => fresh.note(&mut turns[states], layer),
        };
        self.next[progress].rows[slot] = if found.is_empty() {
            0..0
        } else {
            rows.start + found.start / width..rows.start + (found.end - 1) / width + 1
        };
    }

    /// Notes the states at rest of the newest layer, into which crashes lead some layers later.
    fn remember_late(&mut self, layer: u32) {
        let (Some(penalty), Some(rest)) =
            (self.track.penalty(), self.table.velocities.slot(Cell::default()))
        else {
            return;
        };
        for (progress, family) in self.newest.iter().enumerate() {
            let rows = family.rows[rest].clone();
            if !rows.is_empty() {
                let words =
                    family.set(rest)[rows.start * self.width..rows.end * self.width].to_vec();
                let late = Late { progress: progress as GatesPassed, rows, words };
                self.late.entry(layer + 1 + penalty).or_default().push(late);
            }
        }
    }

    /// Adds the positions from which a velocity crashes and is put back on one of `late`.
    fn lead_by_penalty(&mut self, progress: usize, late: &[Late]) {
        for late in late.iter().filter(|late| usize::from(late.progress) >= progress) {
            for slot in 0..self.table.velocities.len() {
                for crash in 0..self.moves[slot].crashes.len() {
                    self.lead_by_crash(progress, late, slot, crash);
                }
            }
        }
    }

    fn lead_by_crash(&mut self, progress: usize, late: &Late, slot: usize, crash: usize) {
        let (width, moves) = (self.width, &self.moves[slot]);
        let Crashes { last, from } = &moves.crashes[crash];
        let clip = |row: usize| (row as i32 - last.y).clamp(0, self.height as i32) as usize;
        let mut rows = 0..0;
        for y in clip(late.rows.start)..clip(late.rows.end) {
            let back_at = (y as i32 + last.y) as usize - late.rows.start;
            let back = &late.words[back_at * width..][..width];
            for i in 0..width {
                let word = y * width + i;
                let bits = from[word] & shifted(back, i, last.x);
                if bits == 0 {
                    continue;
                }
                // What meets no gate leaves the progress as it is; of the rest each is followed.
                let mut leads = 0;
                if usize::from(late.progress) == progress {
                    leads = bits & !moves.touched[word];
                }
                let mut doubtful = bits & moves.touched[word];
                while doubtful != 0 {
                    let x = (i * 64) as i32 + doubtful.trailing_zeros() as i32;
                    let cell = Cell::new(x, y as i32);
                    let velocity = self.table.velocities.list[slot];
                    let put_back = Walk::Crashes { last: cell + *last, progress: late.progress };
                    if self.track.walk(cell, velocity, progress as GatesPassed) == put_back {
                        leads |= doubtful & doubtful.wrapping_neg();
                    }
                    doubtful &= doubtful - 1;
                }
                if leads != 0 {
                    self.leading.set_mut(slot)[word] |= leads;
                    rows = join(rows, y..y + 1);
                }
            }
        }
        self.leading.rows[slot] = join(self.leading.rows[slot].clone(), rows);
    }
}

/// Some rows of the layer being made, and of what goes with them.
struct Fresh<'a> {
    next: &'a mut [u64],
    known: &'a mut [u64],
    road: &'a [u64],
    rank_of_word: &'a [u32],
}

impl Fresh<'_> {
    /// Leaves in `next` what was not known, makes it known and notes its turns; returns the words
    /// that hold any.
    fn note<T: Copy>(self, turns: &mut [T], layer: T) -> Range<usize> {
        let mut found = 0..0;
        for (word, (next, known)) in self.next.iter_mut().zip(self.known).enumerate() {
            let mut fresh = *next & !*known;
            *next = fresh;
            if fresh == 0 {
                continue;
            }
            *known |= fresh;
            found = join(found, word..word + 1);
            let (road, rank) = (self.road[word], self.rank_of_word[word]);
            while fresh != 0 {
                let below = (fresh & fresh.wrapping_neg()) - 1;
                turns[(rank + (road & below).count_ones()) as usize] = layer;
                fresh &= fresh - 1;
            }
        }
        found
    }
}

/// States at rest of one layer, to be reached by a crash.
struct Late {
    progress: GatesPassed,
    rows: Range<usize>,
    /// Their positions in these rows.
    words: Vec<u64>,
}
