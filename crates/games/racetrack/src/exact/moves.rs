//! From which positions each velocity can be driven, as tiles.

use super::Velocities;
use super::tiles::{Columns, SIDE, Tiles, bits};
use crate::level::Surface;
use crate::track::Track;
use outwit_core::grid::{Cell, crossings};

/// What a move that meets a checkpoint or the finish does, for the positions of one tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    /// Place of the velocity.
    pub place: u16,
    pub tile: u32,
    /// Gates passed in the lap before the move.
    pub passed: u16,
    /// How many gates it crosses in order, before it leaves the track if it does.
    pub crossed: u16,
    /// Whether it stays on the track.
    pub lands: bool,
    /// Which positions of the tile.
    pub from: u64,
}

/// The positions from which a move leaves the track behind the same one of its cells.
pub(super) struct Crashes {
    /// Place of the velocity.
    pub place: usize,
    /// The last cell on the track, from the position on.
    pub last: Cell,
    /// The positions, by tile.
    pub from: Vec<u64>,
}

/// The moves of all velocities.
pub(super) struct Moves {
    /// By tile and place of the velocity: positions from which the move stays on the track and
    /// meets no gate.
    pub plain: Vec<u64>,
    /// All others that matter, by place of the velocity and tile.
    pub jumps: Vec<Jump>,
    /// Where crashes cost turns: those that leave the track.
    pub crashes: Vec<Crashes>,
    /// Where crashes cost turns, as `plain`: positions from which the whole move would meet a gate.
    pub touched: Vec<u64>,
}

/// The cells of a track in columns, for all its velocities.
pub(super) fn columns(
    track: &Track,
    velocities: &Velocities,
    holds: impl Fn(Surface) -> bool,
) -> Columns {
    let surfaces = track.surfaces();
    let cells = surfaces.iter().filter(|&(_, &surface)| holds(surface)).map(|(cell, _)| cell);
    Columns::new(surfaces.width(), surfaces.height(), velocities.reach as usize, cells)
}

impl Moves {
    /// `road` is the road of the track and `tiles` its tiles.
    pub fn new(track: &Track, velocities: &Velocities, road: &Columns, tiles: &Tiles) -> Self {
        // Whoever is fast crosses no sand.
        let firm = track.has_sand().then(|| {
            let is_firm = |surface| !matches!(surface, Surface::Off | Surface::Sand);
            columns(track, velocities, is_firm)
        });
        let gates = columns(track, velocities, |surface| {
            matches!(surface, Surface::Checkpoint(_) | Surface::Finish)
        });
        let penalised = track.penalty().is_some();
        let places = velocities.places();
        let words = places * tiles.len();
        let mut moves = Self {
            plain: vec![0; words],
            jumps: Vec::new(),
            crashes: Vec::new(),
            touched: if penalised { vec![0; words] } else { Vec::new() },
        };
        let ways: Vec<Vec<Cell>> = velocities
            .list
            .iter()
            .map(|&v| crossings(Cell::default(), v).skip(1).map(|crossing| crossing.cell).collect())
            .collect();
        let mut first_crashes = Vec::with_capacity(ways.len());
        for (&velocity, way) in velocities.list.iter().zip(&ways).filter(|_| penalised) {
            first_crashes.push(moves.crashes.len());
            let Some(place) = velocities.place(velocity) else { continue };
            let last = std::iter::once(Cell::default()).chain(way.iter().copied());
            let from = || vec![0; tiles.len()];
            moves.crashes.extend(last.take(way.len()).map(|last| Crashes {
                place,
                last,
                from: from(),
            }));
        }
        let mut stays = vec![0_u8; road.rows];
        let mut touched = vec![0_u8; road.rows];
        // Each tile of a column with its row.
        let mut tiles_of_columns: Vec<Vec<(usize, usize)>> = vec![Vec::new(); road.count];
        for tile in 0..tiles.len() {
            let (column, row) = tiles.position(tile);
            tiles_of_columns[column].push((tile, row));
        }
        // Column by column, so that what is written and read lies close together.
        let columns = tiles_of_columns.iter().enumerate().filter(|(_, tiles)| !tiles.is_empty());
        for (column, tiles_of_column) in columns {
            let start = road.moved(column, Cell::default());
            let near_gates = gates.is_near(column);
            for (index, &velocity) in velocities.list.iter().enumerate() {
                let Some(place) = velocities.place(velocity) else { continue };
                let way = &ways[index];
                let is_fast = !track.carries(Surface::Sand, velocity);
                let ground = firm.as_ref().filter(|_| is_fast).unwrap_or(road);
                stays.copy_from_slice(start);
                for (step, &offset) in way.iter().enumerate() {
                    let next = ground.moved(column, offset);
                    if let Some(first) = first_crashes.get(index) {
                        let crashes = &mut moves.crashes[first + step];
                        for &(tile, row) in tiles_of_column {
                            crashes.from[tile] = word(&stays, row) & !word(next, row);
                        }
                    }
                    stays.iter_mut().zip(next).for_each(|(stays, next)| *stays &= next);
                }
                if !near_gates {
                    for &(tile, row) in tiles_of_column {
                        moves.plain[tile * places + place] = word(&stays, row);
                    }
                    continue;
                }
                touched.fill(0);
                for &offset in way {
                    let next = gates.moved(column, offset);
                    touched.iter_mut().zip(next).for_each(|(touched, next)| *touched |= next);
                }
                for &(tile, row) in tiles_of_column {
                    let touched = word(&touched, row) & word(start, row);
                    let at = tile * places + place;
                    moves.plain[at] = word(&stays, row) & !touched;
                    if penalised {
                        moves.touched[at] = touched;
                    }
                    if touched != 0 {
                        moves.add_jumps(track, tiles, tile, velocity, place, touched);
                    }
                }
            }
        }
        moves.jumps.sort_by_key(|jump| (jump.place, jump.tile));
        moves
    }

    /// Follows each touching move of a tile cell by cell; there are few, since gates are thin.
    fn add_jumps(
        &mut self,
        track: &Track,
        tiles: &Tiles,
        tile: usize,
        velocity: Cell,
        place: usize,
        touched: u64,
    ) {
        let first = self.jumps.len();
        for bit in bits(touched) {
            let from = tiles.cell(tile, bit);
            for passed in 0..track.gates_per_lap() {
                let (crossed, lands) = follow(track, from, velocity, passed);
                if !lands && crossed == 0 {
                    continue;
                }
                let same = |jump: &&mut Jump| {
                    (jump.passed, jump.crossed, jump.lands) == (passed, crossed, lands)
                };
                match self.jumps[first..].iter_mut().find(same) {
                    Some(jump) => jump.from |= 1 << bit,
                    None => self.jumps.push(Jump {
                        place: place as u16,
                        tile: tile as u32,
                        passed,
                        crossed,
                        lands,
                        from: 1 << bit,
                    }),
                }
            }
        }
    }
}

/// The tile of a column in this row of tiles.
fn word(column: &[u8], row: usize) -> u64 {
    let mut bytes = [0; SIDE];
    bytes.copy_from_slice(&column[row * SIDE..][..SIDE]);
    u64::from_le_bytes(bytes)
}

/// How many gates a move crosses in order when so many of the lap are passed, and whether it stays
/// on the track. Laps do not matter here: after the finish comes checkpoint 1 again.
fn follow(track: &Track, from: Cell, velocity: Cell, passed: u16) -> (u16, bool) {
    let wanted = |crossed: u16| {
        let place = (passed + crossed) % track.gates_per_lap();
        if place == u16::from(track.checkpoints()) {
            Surface::Finish
        } else {
            Surface::Checkpoint(place as u8 + 1)
        }
    };
    let mut crossed = 0;
    for crossing in crossings(from, from + velocity).skip(1) {
        match track.surfaces().get(crossing.cell) {
            Some(&surface) if track.carries(surface, velocity) => {
                crossed += u16::from(surface == wanted(crossed));
            }
            _ => return (crossed, false),
        }
    }
    (crossed, true)
}
