//! From which positions each velocity can be driven, as bitsets.

use super::Velocities;
use crate::games::racetrack::level::Surface;
use crate::games::racetrack::track::Track;
use crate::grid::{BitGrid, Cell, crossings};

/// What a move that meets a checkpoint or the finish does, for the positions of one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    /// How many gates it crosses in order, before it leaves the track if it does.
    pub crossed: u16,
    /// Whether it stays on the track.
    pub lands: bool,
    /// Which word of the bitset.
    pub word: usize,
    /// Which positions of that word.
    pub bits: u64,
}

/// The moves of one velocity.
pub(super) struct Moves {
    /// Positions from which the move stays on the track and meets no gate.
    pub plain: Vec<u64>,
    /// All others that matter, by the gate that comes next; those that cross fewest come first.
    pub jumps: Vec<Vec<Jump>>,
    /// Where crashes cost turns: those that leave the track, by the cell where they do.
    pub crashes: Vec<Crashes>,
    /// Where crashes cost turns: positions from which the whole move would meet a gate.
    pub touched: Vec<u64>,
}

/// The positions from which a move leaves the track behind the same one of its cells.
pub(super) struct Crashes {
    /// The last cell on the track, from the position on.
    pub last: Cell,
    /// The positions.
    pub from: Vec<u64>,
}

/// The moves of every velocity.
pub(super) fn all_moves(track: &Track, velocities: &Velocities) -> Vec<Moves> {
    let surfaces = track.surfaces();
    let (width, height) = (surfaces.width(), surfaces.height());
    let mut road = BitGrid::new(width, height);
    let mut gates = BitGrid::new(width, height);
    for (cell, &surface) in surfaces.iter() {
        if surface != Surface::Off {
            road.insert(cell);
        }
        if matches!(surface, Surface::Checkpoint(_) | Surface::Finish) {
            gates.insert(cell);
        }
    }
    let rows_of_gates = gates
        .iter()
        .fold((height as i32, -1), |(top, bottom), cell| (top.min(cell.y), bottom.max(cell.y)));
    let mut touched = BitGrid::new(width, height);
    velocities
        .list
        .iter()
        .map(|&velocity| {
            let mut plain = road.clone();
            let mut crashes = Vec::new();
            let mut last = Cell::default();
            touched.clear();
            for crossing in crossings(Cell::default(), velocity).skip(1) {
                let offset = crossing.cell;
                if track.penalty().is_some() {
                    let mut from = plain.clone();
                    combine(&mut from, &road, offset, (0, height as i32 - 1), |a, b| a & !b);
                    crashes.push(Crashes { last, from: from.words().to_vec() });
                    last = offset;
                }
                combine(&mut plain, &road, offset, (0, height as i32 - 1), |a, b| a & b);
                let rows = (rows_of_gates.0 - offset.y, rows_of_gates.1 - offset.y);
                combine(&mut touched, &gates, offset, rows, |a, b| a | b);
            }
            for ((plain, touched), road) in
                plain.words_mut().iter_mut().zip(touched.words_mut()).zip(road.words())
            {
                *touched &= road;
                *plain &= !*touched;
            }
            let jumps = jumps(track, &touched, velocity);
            let penalised = track.penalty().is_some();
            let touched = if penalised { touched.words().to_vec() } else { Vec::new() };
            Moves { plain: plain.words().to_vec(), jumps, crashes, touched }
        })
        .collect()
}

/// `into[p] = join(into[p], from[p + offset])` in the rows given; outside of `from` is empty.
fn combine(
    into: &mut BitGrid,
    from: &BitGrid,
    offset: Cell,
    rows: (i32, i32),
    join: impl Fn(u64, u64) -> u64,
) {
    let (words, height) = (from.words_per_row(), from.height() as i32);
    for y in rows.0.max(0)..=rows.1.min(height - 1) {
        let target = &mut into.words_mut()[y as usize * words..][..words];
        let source = y + offset.y;
        if source < 0 || source >= height {
            target.iter_mut().for_each(|word| *word = join(*word, 0));
            continue;
        }
        let source = &from.words()[source as usize * words..][..words];
        for (i, word) in target.iter_mut().enumerate() {
            *word = join(*word, shifted(source, i, offset.x));
        }
    }
}

/// Word `i` of a row in which bit x is bit `x + by` of `row`; `by` lies between -63 and 63.
#[inline(always)]
pub(super) fn shifted(row: &[u64], i: usize, by: i32) -> u64 {
    if by == 0 {
        row[i]
    } else if by > 0 {
        let carry = row.get(i + 1).map_or(0, |next| next << (64 - by));
        row[i] >> by | carry
    } else {
        let carry = if i > 0 { row[i - 1] >> (64 + by) } else { 0 };
        row[i] << -by | carry
    }
}

/// Follows each touching move cell by cell; there are few, since gates are thin.
fn jumps(track: &Track, touched: &BitGrid, velocity: Cell) -> Vec<Vec<Jump>> {
    let words = touched.words_per_row();
    let mut jumps: Vec<Vec<Jump>> = vec![Vec::new(); usize::from(track.gates_per_lap())];
    for from in touched.iter() {
        let word = from.y as usize * words + from.x as usize / 64;
        let bit = 1 << (from.x % 64);
        for (gate, jumps) in (0..).zip(&mut jumps) {
            let (crossed, lands) = follow(track, from, velocity, gate);
            if !lands && crossed == 0 {
                continue;
            }
            let same =
                |jump: &&mut Jump| (jump.crossed, jump.lands, jump.word) == (crossed, lands, word);
            // Positions come word by word, so the matching entry is near the end.
            match jumps.iter_mut().rev().take(64).find(same) {
                Some(jump) => jump.bits |= bit,
                None => jumps.push(Jump { crossed, lands, word, bits: bit }),
            }
        }
    }
    for jumps in &mut jumps {
        jumps.sort_by_key(|jump| jump.crossed);
    }
    jumps
}

/// How many gates a move crosses in order when `gate` is next, and whether it stays on the track.
/// Laps do not matter here: after the finish comes checkpoint 1 again.
fn follow(track: &Track, from: Cell, velocity: Cell, gate: u16) -> (u16, bool) {
    let wanted = |crossed: u16| {
        let place = (gate + crossed) % track.gates_per_lap();
        if place == u16::from(track.checkpoints()) {
            Surface::Finish
        } else {
            Surface::Checkpoint(place as u8 + 1)
        }
    };
    let mut crossed = 0;
    for crossing in crossings(from, from + velocity).skip(1) {
        match track.surfaces().get(crossing.cell) {
            None | Some(Surface::Off) => return (crossed, false),
            Some(&surface) if surface == wanted(crossed) => crossed += 1,
            Some(_) => {}
        }
    }
    (crossed, true)
}
