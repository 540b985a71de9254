//! Where walls and gates are likely to be: their Markov process run forward from what is seen.

use super::board::{Board, Gate, HEADINGS, Position, Wall};
use super::distance_table::{CellIndex, DistanceTable};
use super::level::CopsRules;
use outwit_core::grid::Cell;

/// Probabilities for the ticks to come. Entry 0 of each list is the present position, in which the
/// next moves are made.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    /// For each tick, the probability that a wall takes each spot.
    pub walls: Vec<Vec<f32>>,
    /// For each tick, the probability that a gate takes each place of the ring.
    pub gates: Vec<Vec<f32>>,
    scratch: Scratch,
}

/// Memory for the spread of one wall or gate after the other. Between them all of it is 0.
#[derive(Clone, Debug, Default)]
struct Scratch {
    /// The probability of each heading of a wall on each spot, now and a tick later.
    walls: [Vec<[f32; 4]>; 2],
    /// The probability that the wall takes each spot.
    cover: Vec<f32>,
}

impl Forecast {
    /// Walls for `wall_ticks` and gates for `gate_ticks` ticks from now on.
    ///
    /// That walls stop before players is left out: players move on before it matters.
    pub fn new(
        board: &Board,
        atlas: &DistanceTable,
        now: &Position,
        wall_ticks: usize,
        gate_ticks: usize,
    ) -> Self {
        let mut forecast = Self::empty(board, atlas, wall_ticks, gate_ticks);
        (0..now.walls.len() + now.gates.len()).for_each(|i| forecast.add(board, atlas, now, i));
        forecast
    }

    /// A forecast of the same length without any walls and gates, for [`Forecast::add`].
    pub fn empty(
        board: &Board,
        atlas: &DistanceTable,
        wall_ticks: usize,
        gate_ticks: usize,
    ) -> Self {
        let walls = vec![vec![0.0; atlas.len()]; wall_ticks];
        let gates = vec![vec![0.0; board.ring().len()]; gate_ticks];
        Self { walls, gates, scratch: Scratch::default() }
    }

    /// Adds one wall of a position or, with an index from the number of walls on, one gate.
    pub fn add(&mut self, board: &Board, atlas: &DistanceTable, now: &Position, index: usize) {
        if let Some(wall) = now.walls.get(index) {
            spread_wall(board, atlas, wall, &mut self.walls, &mut self.scratch);
        } else if let Some(gate) = now.gates.get(index - now.walls.len()) {
            spread_gate(board.rules(), *gate, &mut self.gates);
        }
    }

    /// The probability that a wall takes a spot; past the horizon that of the last tick known.
    pub fn walled(&self, tick: usize, spot: CellIndex) -> f32 {
        let last = self.walls.len().saturating_sub(1);
        self.walls.get(tick.min(last)).map_or(0.0, |tick| tick[usize::from(spot)])
    }

    /// That of all spots; there must be a tick.
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
    atlas: &DistanceTable,
    wall: &Wall,
    ticks: &mut [Vec<f32>],
    scratch: &mut Scratch,
) {
    let rules = board.rules();
    let (turn, go) = (rules.p_wall_turn as f32, rules.p_wall_move as f32);
    // Only cells that the wall can have reached are looked at: on a large board they are few.
    let Scratch { walls: [now, next], cover } = scratch;
    now.resize(atlas.len(), [0.0; 4]);
    next.resize(atlas.len(), [0.0; 4]);
    cover.resize(atlas.len(), 0.0);
    // From one cell of the wall to the next, in numbers of spots.
    let along = usize::from(atlas.spot(Cell::new(0, 1))).pow(u32::from(wall.standing));
    now[usize::from(atlas.spot(wall.cell))][wall.heading as usize] = 1.0;
    let mut alive = vec![atlas.spot(wall.cell)];
    let mut covered: Vec<usize> = Vec::new();
    for tick in ticks.iter_mut() {
        for &spot in &alive {
            let p: f32 = now[usize::from(spot)].iter().sum();
            for part in 0..rules.wall_length as usize {
                let cell = usize::from(spot) + part * along;
                cover[cell] += p;
                covered.push(cell);
            }
        }
        for cell in covered.drain(..) {
            join(&mut tick[cell], std::mem::take(&mut cover[cell]));
        }
        let mut reached = Vec::with_capacity(alive.len() + 16);
        for &spot in &alive {
            let from = std::mem::take(&mut now[usize::from(spot)]);
            let all: f32 = from.iter().sum();
            let at = atlas.cell(spot);
            for heading in HEADINGS {
                let h = heading as usize;
                let p = from[h] * (1.0 - turn) + (all - from[h]) * turn / 3.0;
                if p <= 0.0 {
                    continue;
                }
                let cell = at + heading.step();
                let fits = board.wall_fits(cell, wall.standing);
                let (to, facing) =
                    if fits { (atlas.spot(cell), h) } else { (spot, heading.turned(2) as usize) };
                for (place, facing, p) in [(spot, h, p * (1.0 - go)), (to, facing, p * go)] {
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
    alive.iter().for_each(|&spot| now[usize::from(spot)] = [0.0; 4]);
}

fn spread_gate(rules: &CopsRules, gate: Gate, ticks: &mut [Vec<f32>]) {
    let (turn, go) = (rules.p_gate_turn as f32, rules.p_gate_move as f32);
    let length = ticks.first().map_or(0, Vec::len);
    let (mut now, mut next) = (vec![[0.0_f32; 2]; length], vec![[0.0_f32; 2]; length]);
    let mut cover = vec![0.0; length];
    let (place, width) = (usize::from(gate.place), rules.gate_width as usize);
    now[place][usize::from(gate.clockwise)] = 1.0;
    for (gone, tick) in ticks.iter_mut().enumerate() {
        // The gate has gone so many places at most.
        let back = gone.min(length);
        let (first, places) = ((place + length - back) % length, 2 * back + 1);
        for place in along(first, places, length) {
            let p = now[place][0] + now[place][1];
            if p > 0.0 {
                (0..width).for_each(|i| cover[(place + i) % length] += p);
            }
        }
        for place in along(first, places + width, length) {
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
    use super::super::tests::game;
    use super::*;
    use outwit_core::play::Chance;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// What the forecast says against what happens in many drawn futures.
    #[test]
    fn agrees_with_drawn_futures() {
        let rules = CopsRules { size: Some(20), ..CopsRules::default() };
        let game = game(rules);
        let (board, atlas) = (game.board(), game.atlas());
        let start = Position { cops: vec![], ..game.opening(&Chance::new(5)).unwrap() };
        let forecast = Forecast::new(board, &atlas, &start, 9, 9);
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        let mut dice2 = ChaCha8Rng::seed_from_u64(2);
        let (mut walls, mut gates) = (vec![0.0_f32; atlas.len()], vec![0.0_f32; 84]);
        let futures = 4000;
        for _ in 0..futures {
            let mut at = start.clone();
            (0..8).for_each(|_| {
                board.drift(&mut at, || dice.next_u32(), || dice2.next_u32(), |_| {})
            });
            for &spot in atlas.floor() {
                walls[usize::from(spot)] += f32::from(board.is_walled(&at.walls, atlas.cell(spot)));
            }
            for (place, sum) in gates.iter_mut().enumerate() {
                *sum += f32::from(board.is_gate(&at.gates, board.ring().cell(place)));
            }
        }
        for &spot in atlas.floor() {
            let seen = walls[usize::from(spot)] / futures as f32;
            assert!((seen - forecast.walled(8, spot)).abs() < 0.06, "{}", atlas.cell(spot));
        }
        for (place, &sum) in gates.iter().enumerate() {
            assert!((sum / futures as f32 - forecast.gated(8, place)).abs() < 0.05, "{place}");
        }
    }
}
