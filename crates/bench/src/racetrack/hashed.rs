//! A plain breadth-first search over hashed states, as fast as such a search gets: the opponent of
//! the exact table.

use outwit_core::grid::{Cell, crossings};
use outwit_racetrack::{Surface, Track};

/// States known so far, by open addressing with linear probing; entries are 1 + the state, 0 is free.
struct States {
    slots: Vec<u64>,
    count: usize,
}

impl States {
    fn new() -> Self {
        Self { slots: vec![0; 1 << 16], count: 0 }
    }

    /// Adds a state; whether it was new.
    fn insert(&mut self, state: u64) -> bool {
        if self.count * 2 >= self.slots.len() {
            let doubled = vec![0; self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, doubled);
            for entry in old.into_iter().filter(|&entry| entry != 0) {
                let slot = self.slot(entry);
                self.slots[slot] = entry;
            }
        }
        let slot = self.slot(state + 1);
        let is_new = self.slots[slot] == 0;
        self.slots[slot] = state + 1;
        self.count += usize::from(is_new);
        is_new
    }

    /// The slot of an entry, or the free one where it belongs (Fibonacci hashing).
    fn slot(&self, entry: u64) -> usize {
        let mask = self.slots.len() - 1;
        let shift = 64 - self.slots.len().trailing_zeros();
        let mut slot = (entry.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize;
        while self.slots[slot] != 0 && self.slots[slot] != entry {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// What the search found.
pub struct Found {
    /// Turns of the shortest race from any start, if there is one and it was found.
    pub turns: Option<u32>,
    /// States whose moves were all tried.
    pub expanded: usize,
    /// Whether it gave up.
    pub gave_up: bool,
}

/// A velocity, the states it can follow, and the way of its move.
struct Move {
    /// Which velocities may come next.
    next: Vec<usize>,
    /// Distance in the padded map of each cell that is crossed, the own one left out.
    crossed: Vec<isize>,
    to: isize,
    /// Whether it is slow enough for sand.
    crosses_sand: bool,
}

/// Searches for the shortest race from rest at any start, turn by turn; a crash ends a race, whatever
/// the rules say. Gives up at `most` states.
pub fn breadth_first(track: &Track, most: usize) -> Found {
    let surfaces = track.surfaces();
    let pad = track.fastest_component().unsigned_abs() as usize + 1;
    let width = surfaces.width() + 2 * pad;
    let place = |cell: Cell| (cell.y as usize + pad) * width + cell.x as usize + pad;
    let cells = width * (surfaces.height() + 2 * pad);
    // 0 off the track, 1 road, from 2 on the gates of a lap, and at last sand.
    let mut map = vec![0_u16; cells];
    for (cell, &surface) in surfaces.iter() {
        map[place(cell)] = match surface {
            Surface::Off => 0,
            Surface::Road | Surface::Start => 1,
            Surface::Checkpoint(n) => u16::from(n) + 1,
            Surface::Finish => track.gates_per_lap() + 1,
            Surface::Sand => u16::MAX,
        };
    }
    let moves = moves(track, width as isize, pad as i32 - 1);
    let gates = u64::from(track.gates());
    let per_lap = u64::from(track.gates_per_lap());
    let rest = moves.len() / 2;
    let mut known = States::new();
    let mut found = Found { turns: None, expanded: 0, gave_up: false };
    let state = |progress: u64, velocity: usize, cell: usize| {
        (progress * moves.len() as u64 + velocity as u64) * cells as u64 + cell as u64
    };
    let mut layer: Vec<u64> =
        track.starts().iter().map(|&start| state(0, rest, place(start))).collect();
    layer.iter().for_each(|&start| {
        known.insert(start);
    });
    for turns in 1.. {
        let mut next = Vec::new();
        for &here in &layer {
            found.expanded += 1;
            let rest = here / cells as u64;
            let cell = (here % cells as u64) as usize;
            let progress = rest / moves.len() as u64;
            let velocity = rest as usize % moves.len();
            for &driven in &moves[velocity].next {
                let made = &moves[driven];
                let mut after = progress;
                let on_track = made.crossed.iter().all(|&offset| {
                    if after == gates {
                        return true;
                    }
                    let surface = map[cell.wrapping_add_signed(offset)];
                    after += u64::from(u64::from(surface) == after % per_lap + 2);
                    surface != 0 && (surface != u16::MAX || made.crosses_sand)
                });
                if after == gates {
                    found.turns = Some(turns);
                    return found;
                }
                let to = state(after, driven, cell.wrapping_add_signed(made.to));
                if on_track && known.insert(to) {
                    next.push(to);
                }
            }
        }
        if next.is_empty() {
            return found;
        }
        if known.count >= most {
            found.gave_up = true;
            return found;
        }
        layer = next;
    }
    found
}

/// The moves of a square of velocities, row by row, so that rest is in the middle; those that the
/// rules do not allow are followed by none and follow none.
fn moves(track: &Track, width: isize, fastest: i32) -> Vec<Move> {
    let side = 2 * fastest + 1;
    let allowed = |v: Cell| v.x.abs() <= fastest && v.y.abs() <= fastest && track.allows(v);
    let place = |v: Cell| ((v.y + fastest) * side + v.x + fastest) as usize;
    let distance = |cell: Cell| cell.y as isize * width + cell.x as isize;
    let square =
        (-fastest..=fastest).flat_map(|y| (-fastest..=fastest).map(move |x| Cell::new(x, y)));
    square
        .map(|v| Move {
            next: track.accelerations().map(|a| v + a).filter(|&w| allowed(w)).map(place).collect(),
            crossed: crossings(Cell::default(), v).skip(1).map(|c| distance(c.cell)).collect(),
            to: distance(v),
            crosses_sand: track.carries(Surface::Sand, v),
        })
        .collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_core::levels::read_ron;
    use outwit_core::play::Game;
    use outwit_levels::list_with;
    use outwit_racetrack::exact::ExactTable;
    use outwit_racetrack::{Racetrack, TrackFile};

    #[test]
    fn it_finds_what_the_table_says() {
        for entry in list_with(None, Racetrack::ID) {
            let level: TrackFile = read_ron(&entry.bytes().unwrap()).unwrap();
            let track = Track::new(&level);
            if track.penalty().is_some() || track.road_cells() > 4000 {
                continue;
            }
            let table = ExactTable::build(&track, &|| false).unwrap();
            let turns = |&start: &Cell| table.turns(start, Cell::default(), 0);
            let found = breadth_first(&track, usize::MAX);
            assert!(!found.gave_up && found.expanded > 0);
            assert_eq!(found.turns, track.starts().iter().filter_map(turns).min(), "{}", entry.id);
        }
    }
}
