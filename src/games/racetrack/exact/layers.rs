//! Layer after layer, backwards from the finish.

use super::moves::{Moves, all_moves, shifted};
use super::{ExactError, ExactTable, Turns, Velocities};
use crate::games::racetrack::track::{GatesPassed, Track, Walk};
use crate::grid::{Cell, crossings};
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
    /// For each velocity the ones that one acceleration leads to.
    successors: Vec<Vec<u16>>,
    width: usize,
    height: usize,
    /// By progress: all states found so far.
    known: Vec<Family>,
    /// By progress: the states of the newest layer, and of the one being made.
    newest: Vec<Family>,
    next: Vec<Family>,
    /// Positions from which driving a velocity leads into the newest layer.
    leading: Family,
    /// Rank of the first road cell of each word.
    rank_of_word: Vec<u32>,
    road: Vec<u64>,
    /// States that are reached through a penalty, by the layer in which they count.
    late: BTreeMap<u32, Vec<(Cell, GatesPassed)>>,
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
        let successors = velocities
            .list
            .iter()
            .map(|&v| {
                track
                    .accelerations()
                    .filter_map(|a| velocities.slot(v + a))
                    .map(|s| s as u16)
                    .collect()
            })
            .collect();
        let width = track.surfaces().width().div_ceil(64);
        let height = track.surfaces().height();
        let (sets, size) = (velocities.len(), width * height);
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
            successors,
            width,
            height,
            known,
            newest,
            next,
            leading: Family::new(sets, size),
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
            self.gather(progress, layer);
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
        // Wipe what the last use left, so that rows outside the new range are empty.
        let stale = self.leading.rows[slot].clone();
        let target = self.leading.set_mut(slot);
        target[stale.start * width..stale.end * width].fill(0);

        let newest = &self.newest[progress];
        let mut rows = back(&newest.rows[slot]);
        let source = newest.set(slot);
        for y in rows.clone() {
            let from = &source[(y as i32 + velocity.y) as usize * width..][..width];
            for i in 0..width {
                target[y * width + i] = shifted(from, i, velocity.x) & moves.plain[y * width + i];
            }
        }
        for jump in moves.jumps.iter().filter(|j| usize::from(j.gate) == progress % gates_per_lap) {
            let after = progress + usize::from(jump.crossed);
            let y = jump.word / width;
            let bits = if after >= self.table.gates {
                if first { jump.bits } else { 0 }
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

    /// Every state from which one acceleration leads into the newest layer is in this one, unless
    /// it was in an earlier one.
    fn gather(&mut self, progress: usize, layer: u32) {
        let width = self.width;
        for slot in 0..self.table.velocities.len() {
            let rows = self.successors[slot]
                .iter()
                .fold(0..0, |rows, &s| join(rows, self.leading.rows[usize::from(s)].clone()));
            let stale = self.next[progress].rows[slot].clone();
            let next = self.next[progress].set_mut(slot);
            next[stale.start * width..stale.end * width].fill(0);
            for &successor in &self.successors[slot] {
                let rows = self.leading.rows[usize::from(successor)].clone();
                let range = rows.start * width..rows.end * width;
                let from = &self.leading.set(usize::from(successor))[range.clone()];
                for (into, from) in next[range].iter_mut().zip(from) {
                    *into |= from;
                }
            }
            let known = self.known[progress].set_mut(slot);
            let block = (progress * self.table.velocities.len() + slot) * self.table.road;
            let mut found = 0..0;
            for word in rows.start * width..rows.end * width {
                let mut fresh = next[word] & !known[word];
                next[word] = fresh;
                if fresh == 0 {
                    continue;
                }
                known[word] |= fresh;
                found = join(found, word / width..word / width + 1);
                let (road, rank) = (self.road[word], self.rank_of_word[word]);
                while fresh != 0 {
                    let below = (fresh & fresh.wrapping_neg()) - 1;
                    let state = block + (rank + (road & below).count_ones()) as usize;
                    match &mut self.table.turns {
                        Turns::Short(turns) => turns[state] = layer as u16,
                        Turns::Long(turns) => turns[state] = layer,
                    }
                    fresh &= fresh - 1;
                }
            }
            self.next[progress].rows[slot] = found;
        }
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
            for word in rows.start * self.width..rows.end * self.width {
                let mut bits = family.set(rest)[word];
                while bits != 0 {
                    let x = (word % self.width) * 64 + bits.trailing_zeros() as usize;
                    let cell = Cell::new(x as i32, (word / self.width) as i32);
                    self.late.entry(layer + 1 + penalty).or_default().push((cell, progress as u16));
                    bits &= bits - 1;
                }
            }
        }
    }

    /// Adds the positions from which a velocity crashes and is put back on one of `late`.
    fn lead_by_penalty(&mut self, progress: usize, late: &[(Cell, GatesPassed)]) {
        for &(last, after) in late.iter().filter(|(_, after)| usize::from(*after) >= progress) {
            for slot in 0..self.table.velocities.len() {
                let velocity = self.table.velocities.list[slot];
                let mut cells = crossings(Cell::default(), velocity).map(|c| c.cell).peekable();
                while let Some(offset) = cells.next() {
                    let from = last - offset;
                    let leaves =
                        cells.peek().is_some_and(|&beyond| !self.track.is_road(from + beyond));
                    if !leaves || !self.track.is_road(from) {
                        continue;
                    }
                    let walk = self.track.walk(from, velocity, progress as u16);
                    if walk == (Walk::Crashes { last, progress: after }) {
                        let (x, y) = (from.x as usize, from.y as usize);
                        self.leading.set_mut(slot)[y * self.width + x / 64] |= 1 << (x % 64);
                        let rows = self.leading.rows[slot].clone();
                        self.leading.rows[slot] = join(rows, y..y + 1);
                    }
                }
            }
        }
    }
}
