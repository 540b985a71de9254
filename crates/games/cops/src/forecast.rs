//! Where walls and gates are likely to be: their Markov process run forward from what is seen.

use super::board::{Board, Gate, HEADINGS, Position, Wall};
use super::distance_table::{CellIndex, DistanceTable};
use super::level::CopsRules;
use outwit_core::grid::Cell;

/// Probabilities for the ticks to come. Entry 0 of each list is the present position, in which the
/// next moves are made.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    /// For each tick, the probability that a wall takes each cell.
    pub walls: Vec<Vec<f32>>,
    /// For each tick, the probability that a gate takes each place of the ring.
    pub gates: Vec<Vec<f32>>,
    scratch: Scratch,
}

/// Memory for the spread of one wall or gate after the other. Between them all of it is 0.
#[derive(Clone, Debug, Default)]
struct Scratch {
    /// The probability of each heading of a wall on each cell, now and a tick later.
    walls: [Vec<[f32; 4]>; 2],
    /// The probability that the wall takes each cell.
    cover: Vec<f32>,
}

impl Forecast {
    /// Walls for `wall_ticks` and gates for `gate_ticks` ticks from now on.
    ///
    /// That walls stop before players is left out: players move on before it matters.
    pub fn new(
        board: &Board,
        distances: &DistanceTable,
        now: &Position,
        wall_ticks: usize,
        gate_ticks: usize,
    ) -> Self {
        let mut forecast = Self::empty(board, distances, wall_ticks, gate_ticks);
        (0..now.walls.len() + now.gates.len()).for_each(|i| forecast.add(board, distances, now, i));
        forecast
    }

    /// A forecast of the same length without any walls and gates, for [`Forecast::add`].
    pub fn empty(
        board: &Board,
        distances: &DistanceTable,
        wall_ticks: usize,
        gate_ticks: usize,
    ) -> Self {
        let walls = vec![vec![0.0; distances.len()]; wall_ticks];
        let gates = vec![vec![0.0; board.ring().len()]; gate_ticks];
        Self { walls, gates, scratch: Scratch::default() }
    }

    /// Adds one wall of a position or, with an index from the number of walls on, one gate.
    pub fn add(&mut self, board: &Board, distances: &DistanceTable, now: &Position, index: usize) {
        if let Some(wall) = now.walls.get(index) {
            spread_wall(board, distances, wall, &mut self.walls, &mut self.scratch);
        } else if let Some(gate) = now.gates.get(index - now.walls.len()) {
            spread_gate(board.rules(), *gate, &mut self.gates);
        }
    }

    /// The probability that a wall takes a cell; past the horizon that of the last tick known.
    pub fn walled(&self, tick: usize, cell: CellIndex) -> f32 {
        let last = self.walls.len().saturating_sub(1);
        self.walls.get(tick.min(last)).map_or(0.0, |tick| tick[usize::from(cell)])
    }

    /// That of all cells; there must be a tick.
    pub fn walled_at(&self, tick: usize) -> &[f32] {
        &self.walls[tick.min(self.walls.len() - 1)]
    }

    /// The probability that a gate takes a place; past the horizon that of the last tick known.
    pub fn gated(&self, tick: usize, place: usize) -> f32 {
        let last = self.gates.len().saturating_sub(1);
        self.gates.get(tick.min(last)).map_or(0.0, |tick| tick[place])
    }
}

/// Joins the probability of one more independent wall or gate.
fn join(sum: &mut f32, p: f32) {
    *sum += p - *sum * p;
}

fn spread_wall(
    board: &Board,
    distances: &DistanceTable,
    wall: &Wall,
    ticks: &mut [Vec<f32>],
    scratch: &mut Scratch,
) {
    let rules = board.rules();
    let turn = rules.p_wall_turn as f32;
    let go = rules.p_wall_move as f32;
    // Only cells that the wall can have reached are looked at: on a large board they are few.
    let Scratch { walls: [now, next], cover } = scratch;
    now.resize(distances.len(), [0.0; 4]);
    next.resize(distances.len(), [0.0; 4]);
    cover.resize(distances.len(), 0.0);
    // From one cell of the wall to the next, in numbers of cells.
    let along = usize::from(distances.cell_index(Cell::new(0, 1))).pow(u32::from(wall.standing));
    now[usize::from(distances.cell_index(wall.cell))][wall.heading as usize] = 1.0;
    let mut alive = vec![distances.cell_index(wall.cell)];
    let mut covered: Vec<usize> = Vec::new();
    for tick in ticks.iter_mut() {
        for &cell_index in &alive {
            let p: f32 = now[usize::from(cell_index)].iter().sum();
            for part in 0..rules.wall_length as usize {
                let cell = usize::from(cell_index) + part * along;
                cover[cell] += p;
                covered.push(cell);
            }
        }
        for cell in covered.drain(..) {
            join(&mut tick[cell], std::mem::take(&mut cover[cell]));
        }
        let mut reached = Vec::with_capacity(alive.len() + 16);
        for &cell_index in &alive {
            let from = std::mem::take(&mut now[usize::from(cell_index)]);
            let all: f32 = from.iter().sum();
            let at = distances.cell(cell_index);
            for heading in HEADINGS {
                let h = heading as usize;
                let p = from[h] * (1.0 - turn) + (all - from[h]) * turn / 3.0;
                if p <= 0.0 {
                    continue;
                }
                let cell = at + heading.step();
                let fits = board.wall_fits(cell, wall.standing);
                let (to, facing) = if fits {
                    (distances.cell_index(cell), h)
                } else {
                    (cell_index, heading.turned(2) as usize)
                };
                for (place, facing, p) in [(cell_index, h, p * (1.0 - go)), (to, facing, p * go)] {
                    let cell = &mut next[usize::from(place)];
                    if cell.iter().all(|&p| p == 0.0) {
                        reached.push(place);
                    }
                    cell[facing] += p;
                }
            }
        }
        reached.sort_unstable();
        reached.dedup();
        std::mem::swap(now, next);
        alive = reached;
    }
    alive.iter().for_each(|&cell_index| now[usize::from(cell_index)] = [0.0; 4]);
}

fn spread_gate(rules: &CopsRules, gate: Gate, ticks: &mut [Vec<f32>]) {
    let turn = rules.p_gate_turn as f32;
    let go = rules.p_gate_move as f32;
    let length = ticks.first().map_or(0, Vec::len);
    let mut now = vec![[0.0_f32; 2]; length];
    let mut next = vec![[0.0_f32; 2]; length];
    let mut cover = vec![0.0; length];
    let place = usize::from(gate.place);
    let width = rules.gate_width as usize;
    now[place][usize::from(gate.clockwise)] = 1.0;
    for (gone, tick) in ticks.iter_mut().enumerate() {
        // The gate has gone so many places at most.
        let back = gone.min(length);
        let first = (place + length - back) % length;
        let places = 2 * back + 1;
        for place in along(first, places, length) {
            let p = now[place][0] + now[place][1];
            if p > 0.0 {
                (0..width).for_each(|i| cover[(place + i) % length] += p);
            }
        }
        for place in along(first, places + width, length) {
            // Rounding may take a sum of all places a little above 1.
            join(&mut tick[place], std::mem::take(&mut cover[place]).min(1.0));
        }
        for place in along(first, places, length) {
            let p = std::mem::take(&mut now[place]);
            for way in [0, 1] {
                let p = p[way] * (1.0 - turn) + p[1 - way] * turn;
                if p > 0.0 {
                    let on = if way == 1 { 1 } else { length - 1 };
                    next[place][way] += p * (1.0 - go);
                    next[(place + on) % length][way] += p * go;
                }
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
}

/// So many places of a ring of this length, or all of them, in rising order.
fn along(first: usize, places: usize, length: usize) -> impl Iterator<Item = usize> {
    let end = first + places;
    let (low, high) = if places >= length {
        (0..length, 0..0)
    } else if end <= length {
        (first..end, 0..0)
    } else {
        (0..end - length, first..length)
    };
    low.chain(high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::game;
    use outwit_core::play::Chance;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// What the forecast says against what happens in many drawn futures.
    #[test]
    fn agrees_with_drawn_futures() {
        let rules = CopsRules { size: Some(20), ..CopsRules::default() };
        let game = game(rules);
        let (board, distances) = (game.board(), game.distances());
        let start = Position { cops: vec![], ..game.opening(&Chance::new(5)).unwrap() };
        let forecast = Forecast::new(board, &distances, &start, 9, 9);
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        let mut dice2 = ChaCha8Rng::seed_from_u64(2);
        let (mut walls, mut gates) = (vec![0.0_f32; distances.len()], vec![0.0_f32; 84]);
        let futures = 4000;
        for _ in 0..futures {
            let mut at = start.clone();
            (0..8).for_each(|_| {
                board.drift(&mut at, || dice.next_u32(), || dice2.next_u32(), |_| {})
            });
            for &cell_index in distances.floor() {
                walls[usize::from(cell_index)] +=
                    f32::from(board.is_walled(&at.walls, distances.cell(cell_index)));
            }
            for (place, sum) in gates.iter_mut().enumerate() {
                *sum += f32::from(board.is_gate(&at.gates, board.ring().cell(place)));
            }
        }
        for &cell_index in distances.floor() {
            let seen = walls[usize::from(cell_index)] / futures as f32;
            assert!(
                (seen - forecast.walled(8, cell_index)).abs() < 0.06,
                "{}",
                distances.cell(cell_index)
            );
        }
        for (place, &sum) in gates.iter().enumerate() {
            assert!((sum / futures as f32 - forecast.gated(8, place)).abs() < 0.05, "{place}");
        }
    }
}
