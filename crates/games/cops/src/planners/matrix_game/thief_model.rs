//! A thief that moves at random, as an exact cloud of probability instead of drawn plans,
//! and how cops sweep it.
//!
//! Looking for somebody who wanders is a search problem, not a chase: whoever stands where the thief
//! was seen finds it less often than whoever walks through the cloud (Stone, "Theory of Optimal
//! Search", 1975). The cloud spreads tick by tick in each drawn future, loses what meets a cop, and
//! pays for what gets away through a gate.

use super::rollout::Futures;
use super::table::PayoffModel;
use crate::distance_table::CellIndex;
use crate::forecast::Forecast;
use crate::rules::{STEPS, Step};

/// Where a part of the cloud goes that leaves through a gate.
const OUT: u16 = u16::MAX;
/// Captures a tick by each cop that has had time to come, once the plan is over.
const HAZARD: f32 = 0.06;
/// What is left of the risk of an escape right after the plan with cops about.
const LATER: f32 = 0.2;
/// Ways of one cop that are kept at each tick while its sweep is searched.
const BEAM: usize = 4;
/// Cells of the cloud times ticks for which all of them are kept; fewer where there are more.
const BEAM_ROOM: usize = 800;
/// Cells of the cloud, the heaviest first, that are weighed where a cop's plan ends.
const MOST_CELLS: usize = 12;

/// The cloud of a wandering thief.
pub struct ThiefModel {
    cells: Vec<CellIndex>,
    /// Index of each cell in `cells`, [`OUT`] for others.
    index: Vec<u16>,
    start: usize,
    /// Where each step leads: entry `(future * ticks + tick) * cells + cell`.
    flow: Vec<[u16; 5]>,
    /// What escapes in the next plan would pay, from each cell.
    leak: Vec<f32>,
    /// (1 - HAZARD)^n.
    powers: Vec<f32>,
    left: usize,
}

impl ThiefModel {
    /// The cloud of a thief at a cell, for futures that are still to be [added](Self::add_future).
    pub fn new(model: &PayoffModel, forecast: &Forecast, thief: CellIndex) -> Self {
        let distances = &model.ground.distances;
        let futures = model.futures;
        let cells = distances.rows_within(thief, futures.ticks);
        let mut index = vec![OUT; distances.len()];
        cells.iter().zip(0..).for_each(|(&cell, i)| index[usize::from(cell)] = i);
        let left = (model.left as usize).saturating_sub(futures.ticks);
        let mut powers = vec![1.0; 5 * left.max(1) + 1];
        (1..powers.len()).for_each(|i| powers[i] = powers[i - 1] * (1.0 - HAZARD));
        let leak = leak(model, forecast, &cells);
        let start = usize::from(index[usize::from(thief)]);
        Self { cells, index, start, flow: Vec::new(), leak, powers, left }
    }

    /// Adds how the cloud spreads in the next future; returns whether there was one left.
    pub fn add_future(&mut self, model: &PayoffModel) -> bool {
        let distances = &model.ground.distances;
        let futures = model.futures;
        let future = self.flow.len() / (futures.ticks * self.cells.len());
        if future == futures.count {
            return false;
        }
        for tick in 0..futures.ticks {
            for &cell in &self.cells {
                let here = self.index[usize::from(cell)];
                self.flow.push(STEPS.map(|step| {
                    let to = distances.step(cell, step);
                    if to != cell {
                        let known = self.index[usize::from(to)];
                        let walled = futures.is_walled(future, tick, to);
                        if walled || known == OUT { here } else { known }
                    } else if step != Step::Stay
                        && futures.is_gated(future, tick, distances.ahead(cell, step))
                    {
                        OUT
                    } else {
                        here
                    }
                }));
            }
        }
        true
    }

    /// Number of cells where the thief may get.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// The cloud of the next tick; returns what gets out.
    fn spread(&self, flow: &[[u16; 5]], cloud: &[f32], next: &mut [f32]) -> f32 {
        let mut out = 0.0;
        next.fill(0.0);
        for (ways, &p) in flow.iter().zip(cloud) {
            if p > 0.0 {
                for &to in ways {
                    match next.get_mut(usize::from(to)) {
                        Some(sum) => *sum += 0.2 * p,
                        None => out += 0.2 * p,
                    }
                }
            }
        }
        out
    }

    /// Takes from a cloud what meets a cop.
    fn thin(&self, model: &PayoffModel, cloud: &mut [f32], cop: CellIndex) -> f32 {
        let mut caught = self.take(cloud, cop);
        if model.ground.board().rules().capture_adjacent {
            for &step in &STEPS[1..] {
                caught += self.take(cloud, model.ground.distances.ahead(cop, step));
            }
        }
        caught
    }

    /// Takes what a cloud holds of a cell.
    fn take(&self, cloud: &mut [f32], cell: CellIndex) -> f32 {
        let held = cloud.get_mut(usize::from(self.index[usize::from(cell)]));
        held.map_or(0.0, std::mem::take)
    }

    fn flow(&self, entry: usize) -> &[[u16; 5]] {
        &self.flow[entry * self.cells.len()..][..self.cells.len()]
    }

    /// The mean share of the plan's ticks that it spends on each cell if nobody meets it.
    pub fn visits(&self, futures: &Futures) -> Vec<(CellIndex, f32)> {
        let mut sums = vec![0.0_f32; self.cells.len()];
        let mut cloud = sums.clone();
        let mut next = sums.clone();
        for future in 0..futures.count {
            cloud.fill(0.0);
            cloud[self.start] = 1.0;
            for tick in 0..futures.ticks {
                self.spread(self.flow(future * futures.ticks + tick), &cloud, &mut next);
                sums.iter_mut().zip(&next).for_each(|(sum, p)| *sum += p);
                std::mem::swap(&mut cloud, &mut next);
            }
        }
        let all = (futures.count * futures.ticks) as f32;
        self.cells.iter().zip(sums).map(|(&cell, sum)| (cell, sum / all)).collect()
    }

    /// What the wanderer earns when cops go along these tracks and end at `ends`.
    pub fn pays(&self, model: &PayoffModel, tracks: &[&[CellIndex]], ends: &[CellIndex]) -> f32 {
        let futures = model.futures;
        let ticks = futures.ticks;
        let mut sum = 0.0;
        let mut last = vec![0.0_f32; self.cells.len()];
        let mut cloud = last.clone();
        let mut next = last.clone();
        for future in 0..futures.count {
            cloud.fill(0.0);
            cloud[self.start] = 1.0;
            for tick in 0..ticks {
                let entry = future * ticks + tick;
                let out = self.spread(self.flow(entry), &cloud, &mut next);
                sum += out * model.escape_pays(tick);
                for track in tracks {
                    sum += self.thin(model, &mut next, track[entry]) * tick as f32;
                }
                std::mem::swap(&mut cloud, &mut next);
            }
            last.iter_mut().zip(&cloud).for_each(|(sum, p)| *sum += p);
        }
        for (i, &p) in last.iter().enumerate() {
            if p > 0.0 {
                sum += p * (ticks as f32 + self.later(model, i, ends));
            }
        }
        sum / futures.count as f32
    }

    /// What is earned after the plan from a cell: each cop that has had time to come catches the
    /// wanderer at a constant rate.
    pub fn later(&self, model: &PayoffModel, cell: usize, ends: &[CellIndex]) -> f32 {
        let near = model.ground.distances.from(self.cells[cell]);
        let mut steps = [0_usize; 8];
        let mut count = 0;
        // More cops than these come too late to matter.
        for &end in ends {
            let d = usize::from(near[usize::from(end)]).min(self.left);
            let mut i = count.min(7);
            if count == 8 && steps[7] <= d {
                continue;
            }
            while i > 0 && steps[i - 1] > d {
                steps[i] = steps[i - 1];
                i -= 1;
            }
            steps[i] = d;
            count = (count + 1).min(8);
        }
        let mut sum = 0.0;
        let mut alive = 1.0;
        for (i, &from) in steps[..count].iter().enumerate() {
            if i == 0 {
                sum += from as f32;
            }
            let until = if i + 1 < count { steps[i + 1] } else { self.left };
            let through = self.power((i + 1) * (until - from));
            sum += alive * (1.0 - through) / (1.0 - self.power(i + 1));
            alive *= through;
        }
        let first = steps[..count].first().map_or(self.left, |&d| d);
        sum + self.leak[cell] * if first <= 3 { LATER } else { 1.0 }
    }

    /// (1 - HAZARD)^n, which is as good as nothing for more than were worked out.
    fn power(&self, n: usize) -> f32 {
        self.powers.get(n).copied().unwrap_or(0.0)
    }

    /// What a cop gains by meeting the cloud while the others go along these tracks: adds to `prize`
    /// by tick and cell (entry `tick * cells + cell`), and returns the heaviest cells at the end of
    /// the plan with their probabilities.
    pub fn prizes(
        &self,
        model: &PayoffModel,
        others: &[&[CellIndex]],
        pays: f32,
        weight: f32,
        prize: &mut [f32],
    ) -> Vec<(usize, f32)> {
        let futures = model.futures;
        let board_cells = model.ground.distances.len();
        let mut last = vec![0.0_f32; self.cells.len()];
        let mut cloud = last.clone();
        let mut next = last.clone();
        let weight = weight / futures.count as f32;
        for future in 0..futures.count {
            cloud.fill(0.0);
            cloud[self.start] = 1.0;
            for tick in 0..futures.ticks {
                let entry = future * futures.ticks + tick;
                self.spread(self.flow(entry), &cloud, &mut next);
                for track in others {
                    self.thin(model, &mut next, track[entry]);
                }
                let gain = weight * (pays - tick as f32).max(0.0);
                for (&cell, &p) in self.cells.iter().zip(&next) {
                    prize[tick * board_cells + usize::from(cell)] += gain * p;
                }
                std::mem::swap(&mut cloud, &mut next);
            }
            last.iter_mut().zip(&cloud).for_each(|(sum, p)| *sum += weight * p);
        }
        let mut ends: Vec<(usize, f32)> = last.into_iter().enumerate().collect();
        ends.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ends.truncate(MOST_CELLS);
        ends
    }

    /// The search for a sweep of one cop from a cell.
    pub fn begin_sweep(&self, model: &PayoffModel, from: CellIndex) -> Beam {
        let size = self.cells.len();
        let futures = model.futures;
        let width = (BEAM * BEAM_ROOM / (size * futures.ticks)).clamp(1, BEAM);
        let mut cloud = vec![0.0_f32; futures.count * size];
        (0..futures.count).for_each(|future| cloud[future * size + self.start] = 1.0);
        let way = Way { steps: vec![], at: vec![from; futures.count], cloud, paid: 0.0, rank: 0.0 };
        Beam { ways: vec![way], width, tick: 0 }
    }

    /// One tick more of a beam search over the steps of one cop, while the others keep their
    /// tracks and end at `ends`, with the exact cloud; the best steps found once that was the last.
    pub fn sweep(
        &self,
        model: &PayoffModel,
        beam: &mut Beam,
        others: &[&[CellIndex]],
        ends: &[CellIndex],
    ) -> Option<Vec<Step>> {
        let distances = &model.ground.distances;
        let futures = model.futures;
        let size = self.cells.len();
        let tick = beam.tick;
        let mut ends = ends.to_vec();
        ends.push(0);
        let last = ends.len() - 1;
        let mut grown: Vec<Way> = Vec::with_capacity(beam.ways.len() * 5);
        for way in &beam.ways {
            let mut spread = vec![0.0_f32; way.cloud.len()];
            let mut paid = way.paid;
            for future in 0..futures.count {
                let entry = future * futures.ticks + tick;
                let next = &mut spread[future * size..][..size];
                let now = &way.cloud[future * size..][..size];
                paid += self.spread(self.flow(entry), now, next) * model.escape_pays(tick);
                for track in others {
                    paid += self.thin(model, next, track[entry]) * tick as f32;
                }
            }
            for step in STEPS {
                let mut child = Way {
                    steps: [&way.steps[..], &[step]].concat(),
                    at: way.at.clone(),
                    cloud: spread.clone(),
                    paid,
                    rank: 0.0,
                };
                for future in 0..futures.count {
                    let at = &mut child.at[future];
                    let to = distances.step(*at, step);
                    if !futures.is_walled(future, tick, to) {
                        *at = to;
                    }
                    let cloud = &mut child.cloud[future * size..][..size];
                    child.paid += self.thin(model, cloud, *at) * tick as f32;
                }
                // What walls stop in every future is the same as staying.
                if step != Step::Stay && child.at == way.at {
                    continue;
                }
                ends[last] = child.at[0];
                let mut open = vec![0.0_f32; size];
                for cloud in child.cloud.chunks(size) {
                    open.iter_mut().zip(cloud).for_each(|(sum, p)| *sum += p);
                }
                child.rank = child.paid;
                for (i, &p) in open.iter().enumerate() {
                    if p > 0.0 {
                        child.rank += p * (tick as f32 + 1.0 + self.later(model, i, &ends));
                    }
                }
                grown.push(child);
            }
        }
        grown.sort_by(|a, b| a.rank.total_cmp(&b.rank));
        grown.truncate(beam.width);
        beam.ways = grown;
        beam.tick += 1;
        let over = beam.tick == futures.ticks;
        over.then(|| beam.ways.first().map_or_else(Vec::new, |way| way.steps.clone()))
    }
}

/// Beginnings of one cop's sweep, the most promising first.
pub struct Beam {
    ways: Vec<Way>,
    width: usize,
    tick: usize,
}

impl Beam {
    /// Ways that are followed.
    pub fn width(&self) -> usize {
        self.ways.len()
    }
}

/// A beginning of one cop's sweep.
struct Way {
    steps: Vec<Step>,
    /// Where it is in each future.
    at: Vec<CellIndex>,
    /// What is left of the cloud in each future.
    cloud: Vec<f32>,
    /// What was paid for what was caught or got out, summed over the futures.
    paid: f32,
    /// That, and a guess at what is still to be paid.
    rank: f32,
}

/// What escapes in the plan after this one would pay a wanderer that nobody hinders.
fn leak(model: &PayoffModel, forecast: &Forecast, cells: &[CellIndex]) -> Vec<f32> {
    let distances = &model.ground.distances;
    let ring = model.ground.board().ring();
    let ticks = model.futures.ticks;
    let mut values = vec![0.0_f32; distances.len()];
    for tick in (ticks..2 * ticks).rev() {
        let pays = model.escape_pays(tick).max(0.0);
        let mut before = values.clone();
        for &cell in distances.floor() {
            let sum: f32 = STEPS
                .into_iter()
                .map(|step| {
                    let to = distances.step(cell, step);
                    if to != cell || step == Step::Stay {
                        return values[usize::from(to)];
                    }
                    let place = ring.place(distances.cell(distances.ahead(cell, step)));
                    let p = place.map_or(0.0, |place| forecast.gated(tick, place));
                    p * pays + (1.0 - p) * values[usize::from(cell)]
                })
                .sum();
            before[usize::from(cell)] = 0.2 * sum;
        }
        values = before;
    }
    cells.iter().map(|&cell| values[usize::from(cell)]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::table::{Column, Row};
    use super::super::value::Worth;
    use super::*;
    use crate::COPS;
    use crate::level::CopsRules;
    use crate::planners::context::{BoardContext, any_step};
    use crate::tests::game;
    use outwit_core::play::{Chance, Game, PlannerContext};
    use std::sync::Arc;

    /// What the cloud says of a joint plan against many drawn wanderers, and a sweep against a chase
    /// to where the thief was.
    #[test]
    fn the_cloud_agrees_with_drawn_wanderers_and_sweeps_beat_waiting() {
        let rules = CopsRules { size: Some(8), ..CopsRules::default() };
        let game = Arc::new(game(rules));
        let ground =
            BoardContext::new(&PlannerContext { game: Arc::clone(&game), seat: COPS, seed: 1 });
        let start = game.start(&Chance::new(4)).unwrap();
        let now = start.position.clone();
        let (thief, starts) = (ground.cell_index(now.thief), ground.cops(&now));
        let forecast = ground.forecast(&now);
        let mut futures = Futures::new(ground.k);
        (0..6).for_each(|_| futures.draw(&ground, &now));
        let worth = Worth::new(&ground, &now, &forecast, ground.k);
        let model = PayoffModel { ground: &ground, futures: &futures, worth: &worth, left: 200.0 };
        let mut cloud = ThiefModel::new(&model, &forecast, thief);
        while cloud.add_future(&model) {}
        let seen = game.observe(&[], &start, COPS);
        let chase = crate::planners::chasers::plan(&ground, &seen).orders.0;
        let column = Column::new(&model, &starts, chase);
        let said = cloud.pays(&model, &column.tracks_but(None), &column.ends);

        let mut dice = ground.dice(7);
        let (mut sum, plans) = (0.0, 20_000);
        for _ in 0..plans {
            let steps: Vec<Step> = (0..ground.k).map(|_| any_step(&mut dice)).collect();
            let track = futures.follow(&ground.distances, thief, &steps, true);
            let row = Row { steps, track, cloud: None };
            for future in 0..futures.count {
                let caught = model.caught(future, &row, &column.tracks_but(None));
                sum += match (caught, model.escape(future, &row)) {
                    (Some(tick), _) => tick as f32,
                    (None, Some(tick)) => model.escape_pays(tick),
                    (None, None) => {
                        let end = usize::from(model.end(future, &row));
                        let cell = usize::from(cloud.index[end]);
                        ground.k as f32 + cloud.later(&model, cell, &column.ends)
                    }
                };
            }
        }
        let drawn = sum / (plans * futures.count) as f32;
        assert!((said - drawn).abs() < 0.03 * drawn, "cloud {said}, drawn {drawn}");

        let mut steps = column.steps.clone();
        for cop in 0..starts.len() {
            let now = Column::new(&model, &starts, steps.clone());
            let mut ends = now.ends.clone();
            ends.remove(cop);
            let mut beam = cloud.begin_sweep(&model, starts[cop]);
            let found = std::iter::repeat_with(|| {
                cloud.sweep(&model, &mut beam, &now.tracks_but(Some(cop)), &ends)
            });
            steps[cop] = found.flatten().next().unwrap();
        }
        let swept = Column::new(&model, &starts, steps);
        let swept = cloud.pays(&model, &swept.tracks_but(None), &swept.ends);
        assert!(swept < 0.95 * said, "sweep {swept}, chase {said}");
    }
}
