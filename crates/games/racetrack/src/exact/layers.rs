//! Layer after layer, backwards from the finish.
//!
//! The work is done by tiles: each tile that the last layer added to is moved back by its velocity,
//! masked by where that velocity may be driven, and joined to the tiles of the velocities from which
//! one acceleration leads there. What no layer before had is the next layer.

use super::moves::{Jump, Moves, columns};
use super::tiles::{Tiles, Translation, bits};
use super::{ExactError, ExactTable, Velocities};
use crate::level::Surface;
use crate::track::{GatesPassed, Track, Walk};
use outwit_core::grid::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

/// What the newest layer added to a tile for one velocity.
#[derive(Clone, Copy)]
struct Fresh {
    tile: u32,
    /// Place of the velocity.
    place: u16,
    progress: GatesPassed,
    /// Positions of the tile.
    cells: u64,
}

/// The layer being made: for each tile and velocity, the positions from which driving that velocity
/// leads into the newest layer. One acceleration before is a velocity beside it.
struct Sums {
    /// By slot and place of the velocity; all 0 between layers.
    words: Vec<u64>,
    /// By progress and tile: the slot, or [`NO_SLOT`].
    slots: Vec<u32>,
    /// By slot.
    tiles: Vec<Summed>,
    rows: Rows,
}

/// A tile that the layer being made may add to.
struct Summed {
    progress: GatesPassed,
    tile: u32,
    /// The first and the last place with a sum.
    places: (usize, usize),
}

/// Memory for the sums of one tile over neighbouring velocities. The first row or two stay 0.
struct Rows {
    /// Of a velocity and those to its left and right.
    three: Vec<u64>,
    /// The same without the velocity itself where a car may not coast.
    steered: Vec<u64>,
    /// Of all velocities one acceleration away.
    around: Vec<u64>,
}

const NO_SLOT: u32 = u32::MAX;

struct Builder<'a> {
    track: &'a Track,
    table: ExactTable,
    moves: Moves,
    landings: Landings,
    /// By place of the velocity: the way back.
    back: Vec<Translation>,
    /// All positions where a car may coast, none where it may not.
    coasts: u64,
    /// By progress, tile and place of the velocity: all states found so far, and everything at
    /// places of velocities that are not allowed.
    known: Vec<u64>,
    /// By progress and tile: positions of which any state was found.
    reached: Vec<u64>,
    newest: Vec<Fresh>,
    sums: Sums,
    /// States that are reached through a penalty, by the layer in which they count.
    late: BTreeMap<u32, Vec<Fresh>>,
    /// Bytes of all that is set aside before the first layer.
    set_aside: usize,
}

/// Builds a table in at most so many bytes. Before each layer `go_on` is asked, given the number of
/// states in the one before.
pub(super) fn build(
    track: &Track,
    most: usize,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<ExactTable, ExactError> {
    let mut builder = Builder::new(track, most)?;
    builder.add_finishing_moves();
    for layer in 1..u32::MAX {
        let states = builder.newest.iter().map(|fresh| u64::from(fresh.cells.count_ones())).sum();
        if !go_on(states) {
            return Err(ExactError::Stopped);
        }
        builder.lead_back();
        builder.lead_by_penalty(layer);
        builder.gather(layer);
        builder.table.peak = builder.bytes();
        if builder.table.peak > most {
            return Err(ExactError::TooLarge { needed: builder.table.peak, most });
        }
        if builder.newest.is_empty() && builder.late.is_empty() {
            break;
        }
        builder.remember_late(layer);
    }
    builder.table.additions.shrink_to_fit();
    builder.table.earlier.shrink_to_fit();
    Ok(builder.table)
}

impl Rows {
    fn new(velocities: &Velocities) -> Self {
        let sums = || vec![0; velocities.places() + 4 * velocities.side()];
        Self { three: sums(), steered: sums(), around: sums() }
    }

    /// For each place from one row and one place before `first` to as far behind `last`, the sum
    /// over the places from which one acceleration leads there; only between these two `words` has
    /// any. It has none afterwards.
    fn around(
        &mut self,
        words: &mut [u64],
        (first, last): (usize, usize),
        side: usize,
        coasts: u64,
    ) -> &[u64] {
        let length = last - first + 3;
        let [left, middle, right] = [2, 1, 0].map(|before| &words[first - before..][..length]);
        let three = self.three[2 * side..][..length].iter_mut();
        let steered = self.steered[side..][..length].iter_mut();
        let rows = left.iter().zip(middle).zip(right).zip(three.zip(steered));
        for (((left, middle), right), (three, steered)) in rows {
            *three = left | middle | right;
            *steered = left | middle & coasts | right;
        }
        self.three[2 * side + length..][..2 * side].fill(0);
        self.steered[side + length..][..side].fill(0);
        words[first..=last].fill(0);

        let length = length + 2 * side;
        let around = &mut self.around[..length];
        let rows = self.three.iter().zip(&self.steered).zip(&self.three[2 * side..]);
        for (around, ((above, here), below)) in around.iter_mut().zip(rows) {
            *around = above | here | below;
        }
        around
    }
}

impl<'a> Builder<'a> {
    fn new(track: &'a Track, most: usize) -> Result<Self, ExactError> {
        let velocities = Velocities::new(track);
        let road = columns(track, &velocities, |surface| surface != Surface::Off);
        let tiles = Tiles::new(&road, velocities.reach as usize);
        let set_aside = bytes_set_aside(track, &velocities, &tiles);
        if set_aside > most {
            return Err(ExactError::TooLarge { needed: set_aside, most });
        }
        let moves = Moves::new(track, &velocities, &road, &tiles);
        let landings = Landings::new(&moves.jumps, tiles.len(), velocities.places());
        let mut back = vec![Translation::default(); velocities.places()];
        let mut unknown = vec![u64::MAX; velocities.places()];
        for &velocity in &velocities.list {
            if let Some(place) = velocities.place(velocity) {
                back[place] = Translation::new(&tiles, -velocity);
                unknown[place] = 0;
            }
        }
        let homes = usize::from(track.gates()) * tiles.len();
        let coasts = track.accelerations().any(|a| a == Cell::default());
        let known = unknown.repeat(homes);
        let table = ExactTable::new(track, velocities, tiles);
        Ok(Self {
            track,
            moves,
            landings,
            back,
            coasts: if coasts { u64::MAX } else { 0 },
            known,
            reached: vec![0; homes],
            newest: Vec::new(),
            sums: Sums {
                words: Vec::new(),
                slots: vec![NO_SLOT; homes],
                tiles: Vec::new(),
                rows: Rows::new(&table.velocities),
            },
            late: BTreeMap::new(),
            set_aside,
            table,
        })
    }

    fn bytes(&self) -> usize {
        let late: usize = self.late.values().map(Vec::len).sum();
        self.set_aside
            + self.table.additions.capacity() * size_of::<u64>()
            + self.table.earlier.capacity() * size_of::<u32>()
            + (self.newest.capacity() + late) * size_of::<Fresh>()
            + self.sums.words.len() * size_of::<u64>()
    }

    /// Adds the positions from which driving the velocity at `place` leads into the newest layer.
    #[inline]
    fn add(&mut self, progress: GatesPassed, tile: u32, place: usize, cells: u64) {
        let places = self.table.velocities.places();
        let sums = &mut self.sums;
        let slot = &mut sums.slots[usize::from(progress) * self.table.tiles.len() + tile as usize];
        if *slot == NO_SLOT {
            *slot = sums.tiles.len() as u32;
            sums.tiles.push(Summed { progress, tile, places: (place, place) });
            if sums.words.len() < sums.tiles.len() * places {
                sums.words.resize(sums.tiles.len() * places, 0);
            }
        }
        let slot = *slot as usize;
        let (first, last) = &mut sums.tiles[slot].places;
        (*first, *last) = (place.min(*first), place.max(*last));
        sums.words[slot * places + place] |= cells;
    }

    /// Begins with the moves over the last finish.
    fn add_finishing_moves(&mut self) {
        let gates = self.track.gates();
        let per_lap = self.track.gates_per_lap();
        for jump in std::mem::take(&mut self.moves.jumps) {
            let unfinished = gates.saturating_sub(jump.crossed)..gates;
            for progress in unfinished.filter(|progress| progress % per_lap == jump.passed) {
                self.add(progress, jump.tile, usize::from(jump.place), jump.from);
            }
        }
    }

    /// Adds what leads into the newest layer without a crash.
    fn lead_back(&mut self) {
        let per_lap = self.track.gates_per_lap();
        let places = self.table.velocities.places();
        let mut newest = std::mem::take(&mut self.newest);
        for fresh in newest.drain(..) {
            let place = usize::from(fresh.place);
            for (cells, away) in self.back[place].apply(fresh.cells) {
                if cells == 0 {
                    continue;
                }
                let Some(tile) = self.table.tiles.beside(fresh.tile, away) else { continue };
                let plain = self.moves.plain[tile as usize * places + place];
                if cells & plain != 0 {
                    self.add(fresh.progress, tile, place, cells & plain);
                }
                for at in self.landings.of(tile, place) {
                    let Landing { passed, crossed, from } = self.landings.all[at];
                    let Some(before) = fresh.progress.checked_sub(crossed) else { continue };
                    if before % per_lap == passed && cells & from != 0 {
                        self.add(before, tile, place, cells & from);
                    }
                }
            }
        }
        // Its memory serves the next layer.
        self.newest = newest;
    }

    /// Every state from which one acceleration leads into the newest layer is in this one, unless
    /// it was in an earlier one.
    fn gather(&mut self, layer: u32) {
        let side = self.table.velocities.side();
        let places = self.table.velocities.places();
        self.table.layer_starts.push(self.table.additions.len() as u32);
        let mut summed = std::mem::take(&mut self.sums.tiles);
        for (words, summed) in self.sums.words.chunks_exact_mut(places).zip(&summed) {
            let Summed { progress, tile, places: range } = *summed;
            let home = usize::from(progress) * self.table.tiles.len() + tile as usize;
            self.sums.slots[home] = NO_SLOT;
            let around = self.sums.rows.around(words, range, side, self.coasts);
            let first = range.0 - side - 1;
            let known = &mut self.known[home * places + first..][..around.len()];
            for (place, (&around, known)) in (first..).zip(around.iter().zip(known)) {
                let cells = around & !*known;
                if cells == 0 {
                    continue;
                }
                *known |= cells;
                self.newest.push(Fresh { tile, place: place as u16, progress, cells });
                self.table.add(home, place, cells);
                let first = cells & !self.reached[home];
                if first != 0 {
                    self.reached[home] |= first;
                    self.table.reach(home, first, layer);
                }
            }
        }
        // Its memory serves the next layer.
        summed.clear();
        self.sums.tiles = summed;
    }

    /// Notes the states at rest of the newest layer, into which crashes lead some layers later.
    fn remember_late(&mut self, layer: u32) {
        let Some(penalty) = self.track.penalty() else { return };
        let rest = self.table.velocities.place(Cell::default());
        let at_rest: Vec<Fresh> = self
            .newest
            .iter()
            .filter(|fresh| Some(usize::from(fresh.place)) == rest)
            .copied()
            .collect();
        if !at_rest.is_empty() {
            self.late.insert(layer + 1 + penalty, at_rest);
        }
    }

    /// Adds the positions from which a velocity crashes and is put back on a state that counts in
    /// this layer.
    fn lead_by_penalty(&mut self, layer: u32) {
        let Some(late) = self.late.remove(&layer) else { return };
        for crash in 0..self.moves.crashes.len() {
            let back = Translation::new(&self.table.tiles, -self.moves.crashes[crash].last);
            for fresh in &late {
                for (cells, places) in back.apply(fresh.cells) {
                    let tile = self.table.tiles.beside(fresh.tile, places);
                    if let Some(tile) = tile.filter(|_| cells != 0) {
                        self.lead_by_crash(crash, fresh.progress, tile, cells);
                    }
                }
            }
        }
    }

    /// Adds those of `cells` from which a crash leads to a state of this progress.
    fn lead_by_crash(&mut self, crash: usize, after: GatesPassed, tile: u32, cells: u64) {
        let crash = &self.moves.crashes[crash];
        let place = crash.place;
        let last = crash.last;
        let cells = cells & crash.from[tile as usize];
        let touched = self.moves.touched[tile as usize * self.table.velocities.places() + place];
        // What meets no gate leaves the progress as it is; of the rest each is followed.
        if cells & !touched != 0 {
            self.add(after, tile, place, cells & !touched);
        }
        let velocity = self.table.velocities.at(place);
        for bit in bits(cells & touched) {
            let cell = self.table.tiles.cell(tile as usize, bit);
            let put_back = Walk::Crashes { last: cell + last, progress: after };
            for before in 0..=after {
                if self.track.walk(cell, velocity, before) == put_back {
                    self.add(before, tile, place, 1 << bit);
                }
            }
        }
    }
}

/// Bytes that building a table sets aside before the first layer.
fn bytes_set_aside(track: &Track, velocities: &Velocities, tiles: &Tiles) -> usize {
    let word = size_of::<u64>();
    let number = size_of::<u32>();
    let places = velocities.places();
    let gates = usize::from(track.gates());
    // Known states and the newest addition to each; the least turns of each cell, which cells were
    // reached, and the slot.
    let by_progress = places * (word + number) + 64 * number + word + number;
    let by_velocity = if track.penalty().is_some() {
        // From where each move may be driven and where it touches a gate; what crashes at each of
        // its steps, at most as many as the components of the velocity have.
        let steps = velocities.list.iter().map(|v| (v.x.abs() + v.y.abs()) as usize);
        2 * places * word + steps.sum::<usize>() * word
    } else {
        places * word
    };
    tiles.len() * (gates * by_progress + by_velocity)
}

/// A move over gates that stays on the track.
#[derive(Clone, Copy)]
struct Landing {
    /// Gates passed in the lap before it.
    passed: u16,
    /// Gates that it crosses.
    crossed: u16,
    /// From which positions.
    from: u64,
}

/// The moves over gates that stay on the track.
struct Landings {
    /// By place of the velocity and tile.
    all: Vec<Landing>,
    /// By tile: its number among those with any, or [`NO_SLOT`].
    tiles: Vec<u32>,
    /// How many tiles have any.
    count: usize,
    /// By place of the velocity and number of the tile: where in `all` the first is.
    firsts: Vec<u32>,
}

impl Landings {
    /// Of jumps in the order of places and tiles.
    fn new(jumps: &[Jump], tiles: usize, places: usize) -> Self {
        let mut numbers = vec![NO_SLOT; tiles];
        for jump in jumps.iter().filter(|jump| jump.lands) {
            numbers[jump.tile as usize] = 0;
        }
        let mut count = 0;
        for number in numbers.iter_mut().filter(|number| **number == 0) {
            *number = count;
            count += 1;
        }
        let count = count as usize;
        let mut firsts = vec![0; places * count + 1];
        let mut all = Vec::new();
        for jump in jumps.iter().filter(|jump| jump.lands) {
            let number = numbers[jump.tile as usize] as usize;
            firsts[usize::from(jump.place) * count + number + 1] += 1;
            all.push(Landing { passed: jump.passed, crossed: jump.crossed, from: jump.from });
        }
        for at in 1..firsts.len() {
            firsts[at] += firsts[at - 1];
        }
        Self { all, tiles: numbers, count, firsts }
    }

    /// Where in `all` those of a tile and a velocity are.
    #[inline]
    fn of(&self, tile: u32, place: usize) -> Range<usize> {
        let number = self.tiles[tile as usize];
        if number == NO_SLOT {
            return 0..0;
        }
        let at = place * self.count + number as usize;
        self.firsts[at] as usize..self.firsts[at + 1] as usize
    }
}
