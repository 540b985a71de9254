//! Best replies to a mixture of the other side's plans: a walk over the tree of all plans, tick by
//! tick, in which plans that cannot fare differently any more are one.
//!
//! A scenario is one plan of the other side. In each drawn future the walk knows which scenarios
//! have not met the player yet, so that what happens at different ticks is not taken for
//! independent. All plans of up to five steps are compared; of longer ones the most promising
//! beginnings go on. Scenarios of little weight are left out, and to a cop rare ends of the thief's
//! plans count as the nearest of the others.

use super::rollout::{FUTURES, GONE};
use super::table::{Column, PayoffModel, Row};
use super::value::race;
use crate::distance_table::CellIndex;
use crate::rules::{STEPS, Step};
use std::collections::HashMap;

/// Beginnings of plans that are kept at each tick: all of plans of five steps, and of longer ones as
/// many as a piece of work allows.
const ALL_NODES: usize = 3125;
const MOST_NODES: usize = 500;
/// Most plans of the other side that are weighed.
const MOST_SCENARIOS: usize = 32;
/// Plans of less weight than this are left out.
const LEAST: f32 = 0.003;
/// Most cells where the thief's plans end that a cop tells apart.
const MOST_ENDS: usize = 12;
/// No local cell: out of reach, or through a gate.
const NONE: u16 = u16::MAX;

/// The beginning of a plan.
#[derive(Clone)]
struct Node {
    /// Where it leads in each future, as local cells; [`NONE`] through a gate.
    at: [u16; FUTURES],
    /// The scenarios in each future that it has not met.
    alive: [u32; FUTURES],
    /// What is paid by those that it has met.
    paid: f32,
    /// What it would pay if the plan were over.
    value: f32,
    /// The node before and the step from there.
    came: (u32, Step),
}

/// The search for a best reply of one player.
pub struct BestResponse {
    /// The cop that replies, or the thief.
    cop: Option<usize>,
    from: CellIndex,
    /// The cells in reach, and where each cell of the board is among them.
    cells: Vec<CellIndex>,
    local: Vec<u16>,
    /// The scenarios by index in the matrix, and what a future of each weighs.
    scenarios: Vec<usize>,
    weights: Vec<f32>,
    /// The scenarios met on each cell: entry `(future * ticks + tick) * cells + cell`.
    meets: Vec<u32>,
    /// Those that go the opposite way to a step from each cell, if swapping is a capture.
    swaps: Vec<[u32; 4]>,
    /// Scenarios that last to the end of the plan if not met, by future.
    open: Vec<u32>,
    /// What the others pay: entry `future * scenarios + scenario`.
    fixed: Vec<f32>,
    /// What an end on each cell pays against each end of the other side, weights left out: entry
    /// `cell * width + end`.
    ends: Vec<f32>,
    width: usize,
    /// The end of each scenario: entry `future * scenarios + scenario`.
    end_of: Vec<u8>,
    /// Where the thief's plans end, for a cop, and where the other cops do.
    thief_ends: Vec<CellIndex>,
    others: Vec<CellIndex>,
    race: Vec<u8>,
    /// Gain of a cop for being on a cell, entry `tick * cells + cell`, and at the end of the plan, by
    /// cell.
    prize: Vec<f32>,
    levels: Vec<Vec<Node>>,
    /// Cells whose ends are known.
    weighed: usize,
}

impl BestResponse {
    fn new(model: &PayoffModel, cop: Option<usize>, from: CellIndex, mix: &[f32]) -> Self {
        let distances = &model.ground.distances;
        let futures = model.futures;
        let cells = distances.rows_within(from, futures.ticks);
        let mut local = vec![NONE; distances.len()];
        cells.iter().zip(0..).for_each(|(&cell_index, i)| local[usize::from(cell_index)] = i);
        let mut scenarios: Vec<usize> = (0..mix.len()).filter(|&j| mix[j] > LEAST).collect();
        scenarios.sort_by(|&a, &b| mix[b].total_cmp(&mix[a]).then(a.cmp(&b)));
        scenarios.truncate(MOST_SCENARIOS);
        let weights = scenarios.iter().map(|&j| mix[j] / futures.count as f32).collect();
        let entries = futures.count * futures.ticks * cells.len();
        let all = ((1_u64 << scenarios.len()) - 1) as u32;
        let swapping = model.ground.board().rules().capture_swap;
        Self {
            cop,
            from,
            meets: vec![0; entries],
            swaps: vec![[0; 4]; if swapping { entries } else { 0 }],
            open: vec![all; futures.count],
            fixed: vec![0.0; futures.count * scenarios.len()],
            ends: Vec::new(),
            width: scenarios.len(),
            end_of: Vec::new(),
            thief_ends: Vec::new(),
            others: Vec::new(),
            race: Vec::new(),
            prize: Vec::new(),
            levels: Vec::new(),
            weighed: 0,
            cells,
            local,
            scenarios,
            weights,
        }
    }

    /// Marks what a scenario's track meets in one future until a tick.
    fn mark(
        &mut self,
        model: &PayoffModel,
        scenario: usize,
        future: usize,
        track: &[CellIndex],
        until: usize,
    ) {
        let distances = &model.ground.distances;
        let ticks = model.futures.ticks;
        let size = self.cells.len();
        let bit = 1_u32 << scenario;
        let adjacent = model.ground.board().rules().capture_adjacent;
        for tick in 0..until {
            let base = (future * ticks + tick) * size;
            let here = track[future * ticks + tick];
            self.meet(base, here, bit);
            if adjacent && here != GONE {
                for &step in &STEPS[1..] {
                    self.meet(base, distances.ahead(here, step), bit);
                }
            }
            if !self.swaps.is_empty() && tick > 0 {
                let before = track[future * ticks + tick - 1];
                let way = STEPS[1..].iter().position(|&step| distances.step(here, step) == before);
                // The other one comes `here`, from where this one goes `way`.
                if let Some(way) = way
                    && before != here
                    && let Some(&cell) = self.local.get(usize::from(here))
                    && cell != NONE
                {
                    self.swaps[base + usize::from(cell)][way] |= bit;
                }
            }
        }
    }

    /// Marks that a scenario is met on a cell, unless that is out of reach.
    fn meet(&mut self, base: usize, cell_index: CellIndex, bit: u32) {
        if let Some(&cell) = self.local.get(usize::from(cell_index))
            && cell != NONE
        {
            self.meets[base + usize::from(cell)] |= bit;
        }
    }

    /// A plan of the thief against a mixture of joint plans.
    pub fn of_thief(model: &PayoffModel, from: CellIndex, columns: &[Column], mix: &[f32]) -> Self {
        let mut reply = Self::new(model, None, from, mix);
        let futures = model.futures.count;
        let ticks = model.futures.ticks;
        for (scenario, &j) in reply.scenarios.clone().iter().enumerate() {
            for track in &columns[j].tracks {
                (0..futures).for_each(|future| reply.mark(model, scenario, future, track, ticks));
            }
        }
        let count = reply.scenarios.len();
        reply.end_of = (0..futures).flat_map(|_| 0..count as u8).collect();
        reply
    }

    /// The plan of one cop of a joint plan against a mixture of the thief's plans, while the others
    /// keep theirs.
    pub fn of_cop(
        model: &PayoffModel,
        cop: usize,
        from: CellIndex,
        column: &Column,
        rows: &[Row],
        mix: &[f32],
    ) -> Self {
        let drawn: Vec<f32> =
            rows.iter().zip(mix).map(|(r, &p)| if r.cloud.is_some() { 0.0 } else { p }).collect();
        let mut reply = Self::new(model, Some(cop), from, &drawn);
        let futures = model.futures.count;
        let ticks = model.futures.ticks;
        let others = column.tracks_but(Some(cop));
        reply.others.clone_from(&column.ends);
        reply.others.remove(cop);
        reply.race = race(model.ground, &reply.others);
        let count = reply.scenarios.len();
        let mut free: Vec<(CellIndex, f32)> = Vec::new();
        let mut ends = vec![GONE; futures * count];
        for (scenario, &i) in reply.scenarios.clone().iter().enumerate() {
            let row = &rows[i];
            for future in 0..futures {
                let caught = model.caught(future, row, &others);
                let escape = model.escape(future, row);
                let until = caught.or(escape);
                reply.mark(model, scenario, future, &row.track, until.unwrap_or(ticks));
                let pays = match (caught, escape) {
                    (Some(tick), _) => tick as f32,
                    (None, Some(tick)) => model.escape_pays(tick),
                    (None, None) => {
                        let end = model.end(future, row);
                        ends[future * count + scenario] = end;
                        let weight = reply.weights[scenario];
                        match free.iter_mut().find(|(known, _)| *known == end) {
                            Some((_, sum)) => *sum += weight,
                            None => free.push((end, weight)),
                        }
                        continue;
                    }
                };
                reply.open[future] &= !(1 << scenario);
                reply.fixed[future * count + scenario] = pays;
            }
        }
        free.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        free.truncate(MOST_ENDS);
        reply.thief_ends = free.into_iter().map(|(end, _)| end).collect();
        reply.width = reply.thief_ends.len();
        reply.end_of = ends
            .into_iter()
            .map(|end| if end == GONE { 0 } else { reply.nearest_end(model, end) })
            .collect();
        reply.add_cloud(model, column, rows, mix);
        reply
    }

    /// The end that a thief's end counts as: rare ones as the nearest of the others.
    fn nearest_end(&self, model: &PayoffModel, end: CellIndex) -> u8 {
        let ends = self.thief_ends.iter().zip(0..);
        let nearest = ends.min_by_key(|&(&other, _)| model.ground.distances.between(other, end));
        nearest.map_or(0, |(_, index)| index)
    }

    /// Takes in what a cop gains by meeting a thief that moves at random.
    fn add_cloud(&mut self, model: &PayoffModel, column: &Column, rows: &[Row], mix: &[f32]) {
        let ticks = model.futures.ticks;
        let wanderer = rows.iter().zip(mix).find_map(|(r, &p)| Some((r.cloud.as_ref()?, p)));
        let Some((cloud, weight)) = wanderer.filter(|(_, p)| *p > LEAST) else { return };
        let others = column.tracks_but(self.cop);
        let pays = cloud.pays(model, &others, &self.others);
        let mut prize = vec![0.0_f32; ticks * model.ground.distances.len()];
        let heavy = cloud.prizes(model, &others, pays, weight, &mut prize);
        let board_cells = model.ground.distances.len();
        self.prize = (0..ticks)
            .flat_map(|tick| self.cells.iter().map(move |&cell_index| (tick, cell_index)))
            .map(|(tick, cell_index)| prize[tick * board_cells + usize::from(cell_index)])
            .collect();
        let mut ends = self.others.clone();
        for &cell_index in &self.cells {
            ends.push(cell_index);
            let later = heavy.iter().map(|&(cell, p)| p * cloud.later(model, cell, &ends));
            self.prize.push(-later.sum::<f32>());
            ends.pop();
        }
    }

    /// Work of the next piece, in microseconds.
    pub fn price(&self, model: &PayoffModel) -> u64 {
        if self.weighed < self.cells.len() {
            let ends = self.batch(model).min(self.cells.len() - self.weighed) * self.width;
            return 1 + ends as u64 * model.worth.nanoseconds(model.ground) / 1000;
        }
        let nodes = self.levels.last().map_or(1, Vec::len);
        let ranks = self.levels.len() == model.futures.ticks || 5 * nodes > self.most_nodes(model);
        let nanoseconds = 17 + if ranks { 3 * self.scenarios.len() } else { 0 };
        1 + (nodes * 5 * model.futures.count * nanoseconds) as u64 / 1000
    }

    fn most_nodes(&self, model: &PayoffModel) -> usize {
        if 5_usize.pow(model.futures.ticks.min(9) as u32) <= ALL_NODES {
            ALL_NODES
        } else {
            MOST_NODES
        }
    }

    /// Cells whose ends are weighed in one piece.
    fn batch(&self, model: &PayoffModel) -> usize {
        let cell = model.worth.nanoseconds(model.ground) as usize * self.width.max(1);
        (1_000_000 / cell.max(1)).max(1)
    }

    /// Does the next piece; returns whether there is more to do.
    pub fn advance(&mut self, model: &PayoffModel, columns: &mut [Column]) -> bool {
        if self.weighed < self.cells.len() {
            let until = (self.weighed + self.batch(model)).min(self.cells.len());
            (self.weighed..until).for_each(|cell| self.weigh(model, columns, cell));
            self.weighed = until;
            return true;
        }
        let Some(last) = self.levels.last() else {
            let start = self.local[usize::from(self.from)];
            let alive = std::array::from_fn(|_| ((1_u64 << self.scenarios.len()) - 1) as u32);
            let came = (0, Step::Stay);
            let node = Node { at: [start; FUTURES], alive, paid: 0.0, value: 0.0, came };
            self.levels.push(vec![node]);
            return true;
        };
        let tick = self.levels.len() - 1;
        let mut grown: Vec<Node> = Vec::with_capacity(last.len() * 3);
        let mut known: HashMap<u64, usize> = HashMap::with_capacity(last.len() * 3);
        for (index, node) in last.iter().enumerate() {
            for step in STEPS {
                let mut child = self.child(model, node, tick, step);
                child.came = (index as u32, step);
                let key = fingerprint(&child);
                match known.get(&key) {
                    Some(&twin)
                        if grown[twin].at == child.at && grown[twin].alive == child.alive =>
                    {
                        if self.is_better(child.paid, grown[twin].paid) {
                            grown[twin] = child;
                        }
                    }
                    _ => {
                        known.insert(key, grown.len());
                        grown.push(child);
                    }
                }
            }
        }
        let over = tick + 1 == model.futures.ticks;
        let most = self.most_nodes(model);
        if over || grown.len() > most {
            for node in &mut grown {
                node.value = node.paid + self.outlook(node);
            }
        }
        if grown.len() > most {
            let sign = if self.cop.is_some() { 1.0 } else { -1.0 };
            grown.sort_by(|a, b| {
                (sign * a.value).total_cmp(&(sign * b.value)).then(a.came.0.cmp(&b.came.0))
            });
            grown.truncate(most);
        }
        self.levels.push(grown);
        !over
    }

    fn is_better(&self, a: f32, b: f32) -> bool {
        if self.cop.is_some() { a < b } else { a > b }
    }

    /// What each end on a cell pays.
    fn weigh(&mut self, model: &PayoffModel, columns: &mut [Column], cell: usize) {
        let cell_index = self.cells[cell];
        if self.cop.is_none() {
            let pays = self.scenarios.iter().map(|&j| columns[j].pays(model, cell_index));
            self.ends.extend(pays);
            return;
        }
        let here = model.ground.distances.from(cell_index);
        let race: Vec<u8> = self.race.iter().zip(here).map(|(&a, &b)| a.min(b)).collect();
        self.others.push(cell_index);
        let pays = self.thief_ends.iter().map(|&end| model.end_pays(end, &self.others, &race));
        self.ends.extend(pays);
        self.others.pop();
    }

    /// One step more.
    fn child(&self, model: &PayoffModel, node: &Node, tick: usize, step: Step) -> Node {
        let distances = &model.ground.distances;
        let futures = model.futures;
        let size = self.cells.len();
        let mut child = node.clone();
        let mut met_weight = 0.0;
        for future in 0..futures.count {
            let at = node.at[future];
            if at == NONE {
                continue;
            }
            let cell_index = self.cells[usize::from(at)];
            let base = (future * futures.ticks + tick) * size;
            let mut to = at;
            if step != Step::Stay {
                let target = distances.step(cell_index, step);
                if target != cell_index {
                    if !futures.is_walled(future, tick, target) {
                        to = self.local[usize::from(target)];
                    }
                } else if self.cop.is_none()
                    && futures.is_gated(future, tick, distances.ahead(cell_index, step))
                {
                    child.paid += self.weight(node.alive[future]) * model.escape_pays(tick);
                    child.at[future] = NONE;
                    child.alive[future] = 0;
                    continue;
                }
            }
            // Out of reach only after the last tick, which is not asked for.
            let to = if to == NONE { at } else { to };
            child.at[future] = to;
            let alive = node.alive[future];
            if alive == 0 {
                continue;
            }
            let mut met = alive & self.meets[base + usize::from(to)];
            if to != at && !self.swaps.is_empty() {
                met |= alive & self.swaps[base + usize::from(at)][step as usize - 1];
            }
            if met != 0 {
                met_weight += self.weight(met);
                child.alive[future] = alive & !met;
            }
        }
        child.paid += met_weight * tick as f32;
        if !self.prize.is_empty() {
            let level = &self.prize[tick * size..][..size];
            let gain: f32 =
                child.at[..futures.count].iter().map(|&at| level[usize::from(at)]).sum();
            child.paid -= gain / futures.count as f32;
        }
        child
    }

    fn weight(&self, mut scenarios: u32) -> f32 {
        let mut sum = 0.0;
        while scenarios != 0 {
            sum += self.weights[scenarios.trailing_zeros() as usize];
            scenarios &= scenarios - 1;
        }
        sum
    }

    /// What the scenarios pay that a node has not met, if the plan ends there.
    fn outlook(&self, node: &Node) -> f32 {
        let count = self.scenarios.len();
        let size = self.cells.len();
        let mut sum = 0.0;
        let futures = self.open.len();
        for future in 0..futures {
            let at = node.at[future];
            if at == NONE {
                continue;
            }
            let ends = &self.ends[usize::from(at) * self.width..][..self.width];
            let mut alive = node.alive[future];
            while alive != 0 {
                let scenario = alive.trailing_zeros() as usize;
                alive &= alive - 1;
                let entry = future * count + scenario;
                let pays = if self.open[future] >> scenario & 1 == 1 {
                    ends[usize::from(self.end_of[entry])]
                } else {
                    self.fixed[entry]
                };
                sum += self.weights[scenario] * pays;
            }
            if !self.prize.is_empty() {
                sum -= self.prize[self.prize.len() - size + usize::from(at)] / futures as f32;
            }
        }
        sum
    }

    /// The best plan, once there is no more to do.
    pub fn into_steps(self) -> Vec<Step> {
        let Some(last) = self.levels.last() else { return Vec::new() };
        let mut best = 0;
        for (index, node) in last.iter().enumerate() {
            if self.is_better(node.value, last[best].value) {
                best = index;
            }
        }
        let mut steps = Vec::with_capacity(self.levels.len());
        for level in self.levels.iter().skip(1).rev() {
            let (before, step) = level[best].came;
            steps.push(step);
            best = before as usize;
        }
        steps.reverse();
        steps
    }
}

/// Plans that cannot fare differently have the same.
fn fingerprint(node: &Node) -> u64 {
    let hash = node.at.chunks(4).fold(0x51_7C_C1_B7, |hash, part| {
        mix(hash, part.iter().fold(0, |word, &at| word << 16 | u64::from(at)))
    });
    node.alive.chunks(2).fold(hash, |hash, part| {
        mix(hash, part.iter().fold(0, |word, &alive| word << 32 | u64::from(alive)))
    })
}

fn mix(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}
