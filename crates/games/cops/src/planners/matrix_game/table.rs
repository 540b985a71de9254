//! The game of plans as a matrix that grows: rows are plans of the thief, columns joint plans of the
//! cops, entries the thief's expected payoff from now on.
//!
//! The matrix is solved by regret matching+ (Tammelin 2014) and grows by best replies, as in the
//! double oracle method (McMahan, Gordon and Blum, ICML 2003). A belief that the opponent follows
//! guessed plans holds part of its mixture fixed: a restricted Nash response (Johanson, Zinkevich
//! and Bowling, NIPS 2007).

use super::super::context::BoardContext;
use super::rollout::{Futures, GONE};
use super::thief_model::ThiefModel;
use super::value::{Worth, race};
use crate::distance_table::CellIndex;
use crate::rules::Step;

/// A plan of the thief.
pub struct Row {
    /// Its steps.
    pub steps: Vec<Step>,
    /// Where they lead: entry `future * ticks + tick`.
    pub track: Vec<CellIndex>,
    /// The cloud of a thief that draws lots, which stands for all its plans; steps and track then
    /// stay where it is.
    pub cloud: Option<Box<ThiefModel>>,
}

/// A joint plan of the cops.
pub struct Column {
    /// Their steps, cop by cop.
    pub steps: Vec<Vec<Step>>,
    /// Where they lead, cop by cop, as [`Row::track`].
    pub tracks: Vec<Vec<CellIndex>>,
    /// Where they end in the first future.
    pub ends: Vec<CellIndex>,
    /// Least number of steps that any needs from there to each cell.
    pub race: Vec<u8>,
    worths: Vec<f32>,
}

/// What plans of both sides pay against each other: rules of capture, drawn futures and what ends are worth.
pub struct PayoffModel<'a> {
    /// Board and distances.
    pub ground: &'a BoardContext,
    /// Drawn futures.
    pub futures: &'a Futures,
    /// What ends are worth.
    pub worth: &'a Worth,
    /// Ticks left in the game.
    pub left: f32,
}

impl PayoffModel<'_> {
    /// Whether a cop that goes from `cop.0` to `cop.1` catches a thief that goes likewise.
    pub fn catches(&self, thief: (CellIndex, CellIndex), cop: (CellIndex, CellIndex)) -> bool {
        if thief.1 == cop.1 {
            return true;
        }
        let rules = self.ground.board().rules();
        (rules.capture_swap && thief.0 == cop.1 && thief.1 == cop.0)
            || (rules.capture_adjacent
                && thief.1 != GONE
                && self.ground.distances.cell(thief.1).manhattan(self.ground.distances.cell(cop.1))
                    == 1)
    }

    /// The tick of this future in which any of the cops' tracks catches the thief's.
    pub fn caught(&self, future: usize, row: &Row, tracks: &[&[CellIndex]]) -> Option<usize> {
        let base = future * self.futures.ticks;
        let plain = {
            let rules = self.ground.board().rules();
            !rules.capture_swap && !rules.capture_adjacent
        };
        for tick in 0..self.futures.ticks {
            let at = row.track[base + tick];
            if at == GONE {
                return None;
            }
            for track in tracks {
                let cop = track[base + tick];
                let hit = if plain || tick == 0 {
                    cop == at || (!plain && self.catches((at, at), (cop, cop)))
                } else {
                    let before = base + tick - 1;
                    self.catches((row.track[before], at), (track[before], cop))
                };
                if hit {
                    return Some(tick);
                }
            }
        }
        None
    }

    /// The tick of this future in which the thief escapes.
    pub fn escape(&self, future: usize, row: &Row) -> Option<usize> {
        let base = future * self.futures.ticks;
        (0..self.futures.ticks).find(|&tick| row.track[base + tick] == GONE)
    }

    /// What escaping in a tick of the plan pays from now on.
    pub fn escape_pays(&self, tick: usize) -> f32 {
        2.0 * self.left - tick as f32 - 1.0
    }

    /// Where a row ends in a future.
    pub fn end(&self, future: usize, row: &Row) -> CellIndex {
        row.track[(future + 1) * self.futures.ticks - 1]
    }

    /// What a position at the end of the plan pays from now on.
    pub fn end_pays(&self, thief: CellIndex, cops: &[CellIndex], race: &[u8]) -> f32 {
        self.futures.ticks as f32 + self.worth.of(self.ground, thief, cops, race)
    }
}

impl Column {
    /// A joint plan made ready.
    pub fn new(model: &PayoffModel, starts: &[CellIndex], steps: Vec<Vec<Step>>) -> Self {
        let distances = &model.ground.distances;
        let futures = model.futures;
        let tracks: Vec<Vec<CellIndex>> = starts
            .iter()
            .zip(&steps)
            .map(|(&from, steps)| futures.follow(distances, from, steps, false))
            .collect();
        let ends: Vec<CellIndex> = tracks.iter().map(|track| track[futures.ticks - 1]).collect();
        let race = race(model.ground, &ends);
        Self { steps, tracks, ends, race, worths: vec![f32::NAN; distances.len()] }
    }

    /// The tracks of all cops but perhaps one.
    pub fn tracks_but(&self, cop: Option<usize>) -> Vec<&[CellIndex]> {
        let kept = self.tracks.iter().enumerate().filter(|&(other, _)| Some(other) != cop);
        kept.map(|(_, track)| track.as_slice()).collect()
    }

    /// What the thief's end pays after this joint plan; remembered.
    pub fn pays(&mut self, model: &PayoffModel, thief: CellIndex) -> f32 {
        let known = self.worths[usize::from(thief)];
        if !known.is_nan() {
            return known;
        }
        let value = model.end_pays(thief, &self.ends, &self.race);
        self.worths[usize::from(thief)] = value;
        value
    }
}

/// The matrix with the mixtures that solve it so far.
#[derive(Default)]
pub struct PayoffMatrix {
    /// The thief's plans.
    pub rows: Vec<Row>,
    /// The cops' joint plans.
    pub columns: Vec<Column>,
    entries: Vec<Vec<f32>>,
    regrets: [Vec<f32>; 2],
    sums: [Vec<f32>; 2],
}

/// What a side is believed to play: shares of its plans, by index, and how far that is trusted.
#[derive(Clone, Default)]
pub struct Belief {
    /// Shares of plans that were guessed, summing to 1.
    pub shares: Vec<(usize, f32)>,
    /// From 0, nothing is known, to 1, it is certain.
    pub trust: f32,
}

impl PayoffMatrix {
    /// Adds a plan of the thief, unless it is there; returns its index. Its entries are still to be
    /// [filled](PayoffMatrix::fill).
    pub fn add_row(&mut self, row: Row) -> usize {
        if row.cloud.is_none()
            && let Some(known) =
                self.rows.iter().position(|known| known.track == row.track && known.cloud.is_none())
        {
            return known;
        }
        self.entries.push(Vec::new());
        self.rows.push(row);
        self.grow();
        self.rows.len() - 1
    }

    /// Adds a joint plan of the cops, unless it is there; returns its index. Its entries are still to
    /// be [filled](PayoffMatrix::fill).
    pub fn add_column(&mut self, column: Column) -> usize {
        if let Some(known) = self.columns.iter().position(|known| known.tracks == column.tracks) {
            return known;
        }
        self.columns.push(column);
        self.grow();
        self.columns.len() - 1
    }

    /// Entries that are still to be filled.
    pub fn missing(&self) -> usize {
        self.entries.iter().map(|entries| self.columns.len() - entries.len()).sum()
    }

    /// The row of each entry that is still to be filled, in the order of [`PayoffMatrix::fill`].
    pub fn missing_rows(&self) -> impl Iterator<Item = &Row> {
        let rows = self.rows.iter().zip(&self.entries);
        rows.flat_map(|(row, entries)| std::iter::repeat_n(row, self.columns.len() - entries.len()))
    }

    /// Fills at most so many entries.
    pub fn fill(&mut self, model: &PayoffModel, most: usize) {
        let mut left = most;
        for (entries, row) in self.entries.iter_mut().zip(&self.rows) {
            while left > 0
                && let Some(column) = self.columns.get_mut(entries.len())
            {
                entries.push(entry(model, row, column));
                left -= 1;
            }
        }
    }

    fn grow(&mut self) {
        for (side, size) in [self.rows.len(), self.columns.len()].into_iter().enumerate() {
            self.regrets[side].resize(size, 0.0);
            self.sums[side].resize(size, 0.0);
        }
    }

    /// Runs rounds of regret matching+ with part of one side's mixture held by belief.
    pub fn solve(&mut self, rounds: usize, rows: &Belief, columns: &Belief) {
        self.sums.iter_mut().for_each(|sums| sums.fill(0.0));
        for round in 1..=rounds {
            let x = held(matched(&self.regrets[0]), rows);
            let y = held(matched(&self.regrets[1]), columns);
            let mut gain = vec![0.0; self.rows.len()];
            let mut loss = vec![0.0; self.columns.len()];
            for ((entries, gain), &p) in self.entries.iter().zip(&mut gain).zip(&x) {
                for ((&value, loss), &q) in entries.iter().zip(&mut loss).zip(&y) {
                    *gain += value * q;
                    *loss += value * p;
                }
            }
            let x = matched(&self.regrets[0]);
            let y = matched(&self.regrets[1]);
            let earned = mean(&gain, &x);
            let paid = mean(&loss, &y);
            for (regret, value) in self.regrets[0].iter_mut().zip(&gain) {
                *regret = (*regret + value - earned).max(0.0);
            }
            for (regret, value) in self.regrets[1].iter_mut().zip(&loss) {
                *regret = (*regret + paid - value).max(0.0);
            }
            for (sums, mix) in self.sums.iter_mut().zip([x, y]) {
                sums.iter_mut().zip(mix).for_each(|(sum, p)| *sum += p * round as f32);
            }
        }
    }

    /// The mean mixture of the thief's plans.
    pub fn row_mix(&self, belief: &Belief) -> Vec<f32> {
        held(normalised(&self.sums[0]), belief)
    }

    /// The mean mixture of the cops' joint plans.
    pub fn column_mix(&self, belief: &Belief) -> Vec<f32> {
        held(normalised(&self.sums[1]), belief)
    }

    /// The joint plan that costs the cops least against a mixture of the thief's plans.
    pub fn best_column(&self, rows: &[f32]) -> usize {
        let costs: Vec<f32> = (0..self.columns.len())
            .map(|column| {
                self.entries.iter().zip(rows).map(|(entries, p)| p * entries[column]).sum()
            })
            .collect();
        (0..costs.len()).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).unwrap_or(0)
    }

    /// What the thief earns from now on with these mixtures.
    pub fn value(&self, rows: &[f32], columns: &[f32]) -> f32 {
        self.entries.iter().zip(rows).map(|(entries, p)| p * mean(entries, columns)).sum()
    }
}

fn entry(model: &PayoffModel, row: &Row, column: &mut Column) -> f32 {
    let tracks = column.tracks_but(None);
    if let Some(cloud) = &row.cloud {
        return cloud.pays(model, &tracks, &column.ends);
    }
    let mut sum = 0.0;
    let mut ends = Vec::new();
    for future in 0..model.futures.count {
        match (model.caught(future, row, &tracks), model.escape(future, row)) {
            (Some(tick), _) => sum += tick as f32,
            (None, Some(tick)) => sum += model.escape_pays(tick),
            (None, None) => ends.push(model.end(future, row)),
        }
    }
    for end in ends {
        sum += column.pays(model, end);
    }
    sum / model.futures.count as f32
}

/// The mean of values with these shares.
fn mean(values: &[f32], shares: &[f32]) -> f32 {
    values.iter().zip(shares).map(|(value, share)| value * share).sum()
}

fn matched(regrets: &[f32]) -> Vec<f32> {
    normalised(regrets)
}

/// Shares in proportion to weights; all equal if there are none.
fn normalised(weights: &[f32]) -> Vec<f32> {
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 {
        weights.iter().map(|w| w / sum).collect()
    } else {
        vec![1.0 / weights.len().max(1) as f32; weights.len()]
    }
}

fn held(mut mix: Vec<f32>, belief: &Belief) -> Vec<f32> {
    if belief.trust > 0.0 && !belief.shares.is_empty() {
        mix.iter_mut().for_each(|p| *p *= 1.0 - belief.trust);
        belief.shares.iter().for_each(|&(index, p)| mix[index] += belief.trust * p);
    }
    mix
}
