//! Where walls and gates are likely to be: their Markov process run forward from what is seen.

use super::board::{Board, Gate, HEADINGS, Position, Wall};
use super::distance_table::{CellIndex, DistanceTable};
use super::level::CopsRules;

/// Probabilities for the ticks to come. Entry 0 of each list is the present position, in which the
/// next moves are made.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    /// For each tick, the probability that a wall takes each spot.
    pub walls: Vec<Vec<f32>>,
    /// For each tick, the probability that a gate takes each place of the ring.
    pub gates: Vec<Vec<f32>>,
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
        Self { walls, gates: vec![vec![0.0; board.ring().len()]; gate_ticks] }
    }

    /// Adds one wall of a position or, with an index from the number of walls on, one gate.
    pub fn add(&mut self, board: &Board, atlas: &DistanceTable, now: &Position, index: usize) {
        if let Some(wall) = now.walls.get(index) {
            spread_wall(board, atlas, wall, &mut self.walls);
        } else if let Some(gate) = now.gates.get(index - now.walls.len()) {
            spread_gate(board.rules(), *gate, &mut self.gates);
        }
    }

    /// The probability that a wall takes a spot; past the horizon that of the last tick known.
    pub fn walled(&self, tick: usize, spot: CellIndex) -> f32 {
        let last = self.walls.len().saturating_sub(1);
        self.walls.get(tick.min(last)).map_or(0.0, |tick| tick[usize::from(spot)])
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

fn spread_wall(board: &Board, atlas: &DistanceTable, wall: &Wall, ticks: &mut [Vec<f32>]) {
    let rules = board.rules();
    let (turn, go) = (rules.p_wall_turn as f32, rules.p_wall_move as f32);
    // Only cells that the wall can have reached are looked at: on a large board they are few.
    let mut now = vec![[0.0_f32; 4]; atlas.len()];
    let mut next = now.clone();
    let mut cover = vec![0.0_f32; atlas.len()];
    now[usize::from(atlas.spot(wall.cell))][wall.heading as usize] = 1.0;
    let mut alive = vec![atlas.spot(wall.cell)];
    let mut covered: Vec<usize> = Vec::new();
    for tick in ticks.iter_mut() {
        for &spot in &alive {
            let p: f32 = now[usize::from(spot)].iter().sum();
            let here = Wall { cell: atlas.cell(spot), ..*wall };
            for cell in here.cells(rules.wall_length) {
                let cell = usize::from(atlas.spot(cell));
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
            for heading in HEADINGS {
                let h = heading as usize;
                let p = from[h] * (1.0 - turn) + (all - from[h]) * turn / 3.0;
                if p <= 0.0 {
                    continue;
                }
                let cell = atlas.cell(spot) + heading.step();
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
        std::mem::swap(&mut now, &mut next);
        alive = reached;
    }
}

fn spread_gate(rules: &CopsRules, gate: Gate, ticks: &mut [Vec<f32>]) {
    let (turn, go) = (rules.p_gate_turn as f32, rules.p_gate_move as f32);
    let length = ticks.first().map_or(0, Vec::len);
    let mut now = vec![[0.0_f32; 2]; length];
    now[usize::from(gate.place)][usize::from(gate.clockwise)] = 1.0;
    for tick in ticks.iter_mut() {
        let mut cover = vec![0.0; length];
        for (place, p) in now.iter().enumerate() {
            let p = p[0] + p[1];
            if p > 0.0 {
                (0..rules.gate_width as usize).for_each(|i| cover[(place + i) % length] += p);
            }
        }
        tick.iter_mut().zip(&cover).for_each(|(sum, &p)| join(sum, p.min(1.0)));
        let mut next = vec![[0.0_f32; 2]; length];
        for (place, p) in now.iter().enumerate() {
            for way in [0, 1] {
                let p = p[way] * (1.0 - turn) + p[1 - way] * turn;
                if p > 0.0 {
                    let on = if way == 1 { 1 } else { length - 1 };
                    next[place][way] += p * (1.0 - go);
                    next[(place + on) % length][way] += p * go;
                }
            }
        }
        now = next;
    }
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
