//! What it costs to enter each cell, in exact numbers, and the fitness of a path.

use super::level::{GroundTile, StealthRules, cells_of};
use super::patrol;
use super::route::{Route, RouteMove};
use super::sight::{SIGHT, thrice_factor};
use outwit_core::grid::{Cell, Grid};
use std::fmt;

/// A path from the start with its exact fitness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatedRoute {
    /// The path.
    pub route: Route,
    /// Its fitness in units of the [`Ground`]; lower is better.
    pub fitness: i128,
}

/// How a path ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RouteEnd {
    /// At the goal.
    Goal,
    /// In a dead end: every neighbouring cell is closed or was entered before.
    Stuck,
    /// Elsewhere, though it could go on.
    GaveUp,
}

/// The board of a level with its exact costs.
///
/// Where guards patrol, what a cell costs and whether it can be entered depends on the time: the number
/// of moves from the start to there. A *state* is a cell at a time within the common period of all
/// patrols, so without patrols states are cells.
///
/// Costs and fitness are whole multiples of 1/(2·3^k), where k is the largest number of guards whose factor
/// (7/3, 5/3 or 4/3) holds on one and the same cell at one time; see [`scale`](Ground::scale). With at most
/// 40 guards 2·3^k is below 2^65. The factors of 40 guards on one cell multiply to less than
/// (7/3)^8·2^16·(5/3)^16 < 2^38, so a cell costs less than 2^106 units, the 64·64 cells of a path less than
/// 2^118, and with the largest weight less than 2^123: nothing leaves the range of `i128`.
#[derive(Clone, Debug)]
pub struct Ground {
    tiles: Grid<GroundTile>,
    guards: Vec<Cell>,
    patrols: Vec<Vec<Cell>>,
    period: usize,
    start: usize,
    goal: usize,
    /// The cells that the thief has entered before, its first one included.
    walked: Vec<usize>,
    scale: i128,
    cost_weight: i128,
    /// For each cell the neighbour in each direction of [`RouteMove::ALL`], if it can be entered.
    beside: Vec<[Option<u16>; 4]>,
    /// By cell.
    terrain: Vec<i128>,
    /// By state.
    cost: Vec<i128>,
    /// By cell.
    end: Vec<i128>,
    /// By state.
    watched: Vec<Watch>,
    /// By state, the number of the patrol that is there, counted from 1; empty without patrols.
    occupied: Vec<u8>,
}

/// How many guards see a cell from 1, 2, 3 and 4 cells away, counted along the line of sight.
pub(super) type Watch = [u8; 4];

impl Ground {
    /// The board of a level without faults.
    pub(super) fn new(
        tiles: Grid<GroundTile>,
        patrols: Vec<Vec<Cell>>,
        rules: &StealthRules,
    ) -> Self {
        let start = cells_of(&tiles, GroundTile::Start).first().copied().unwrap_or_default();
        Self::after(tiles, patrols, rules, &[start])
    }

    /// The board once the thief has entered these cells, the start first: paths go on from the last of
    /// them, times count from there, and fitness is that of the whole path.
    pub(super) fn after(
        tiles: Grid<GroundTile>,
        mut patrols: Vec<Vec<Cell>>,
        rules: &StealthRules,
        walked: &[Cell],
    ) -> Self {
        let origin = walked.first().copied().unwrap_or_default();
        let start = walked.last().copied().unwrap_or_default();
        let elapsed = walked.len().saturating_sub(1);
        for cells in &mut patrols {
            let turns = elapsed % cells.len().max(1);
            cells.rotate_left(turns);
        }
        let goal = cells_of(&tiles, GroundTile::Goal).first().copied().unwrap_or_default();
        let period = patrol::period(&patrols).unwrap_or(1);
        let watched = watches(&tiles, &patrols, period);
        // Numerators and the number of thirds of each cell's factor. A factor of 6/3 needs no third.
        let factor = |watch: &Watch| {
            let [near, second, third, far] = watch.map(u32::from);
            if near + second + third + far == 0 {
                return (1, 0);
            }
            let product =
                7_i128.pow(near) * 2_i128.pow(second) * 5_i128.pow(third) * 4_i128.pow(far);
            (product, near + third + far)
        };
        let most = watched.iter().map(|watch| factor(watch).1).max().unwrap_or(0);
        let power = |exponent: u32| 3_i128.pow(exponent);
        let scale = 2 * power(most);
        let half = power(most);
        let base: Vec<i128> = tiles.as_slice().iter().map(|tile| 3 * tile.base_cost()).collect();
        let cost: Vec<i128> = watched
            .iter()
            .enumerate()
            .map(|(state, watch)| {
                let (product, thirds) = factor(watch);
                base[state % base.len()] * product * power(most - thirds)
            })
            .collect();
        let weight = |weight: u32| i128::from(weight);
        let walked: Vec<usize> = walked.iter().filter_map(|&cell| tiles.index_of(cell)).collect();
        // What was paid before: the first of the walked cells was entered `elapsed` moves ago.
        let paid = walked.iter().enumerate().skip(1).map(|(time, &at)| {
            let time = (period * elapsed.div_ceil(period) + time - elapsed) % period;
            cost[time * tiles.len() + at]
        });
        let paid = weight(rules.cost_weight) * paid.sum::<i128>();
        let end = tiles
            .cells()
            .map(|cell| {
                let away = i128::from(origin.manhattan(cell));
                let left = i128::from(goal.manhattan(cell));
                let outcome =
                    if cell == goal { -weight(rules.bonus) } else { weight(rules.penalty) };
                half * 3 * (weight(rules.goal_weight) * left - weight(rules.away_weight) * away)
                    + scale * outcome
                    + paid
            })
            .collect();
        let mut is_open: Vec<bool> =
            tiles.as_slice().iter().map(|tile| !tile.is_closed()).collect();
        // The cells entered before are closed, but for the one where the path begins.
        walked.iter().rev().skip(1).for_each(|&at| is_open[at] = false);
        let beside = tiles
            .cells()
            .map(|cell| {
                RouteMove::ALL.map(|step| {
                    let next = tiles.index_of(cell + step.offset())?;
                    is_open[next].then_some(next as u16)
                })
            })
            .collect();
        let still = cells_of(&tiles, GroundTile::Guard).into_iter();
        Self {
            start: tiles.index_of(start).unwrap_or(0),
            goal: tiles.index_of(goal).unwrap_or(0),
            guards: still
                .chain(patrols.iter().filter_map(|cells| cells.first().copied()))
                .collect(),
            occupied: occupied(&tiles, &patrols, period),
            walked,
            patrols,
            period,
            scale,
            cost_weight: weight(rules.cost_weight),
            beside,
            terrain: base.iter().map(|base| base * half).collect(),
            cost,
            end,
            watched,
            tiles,
        }
    }

    /// The tiles of the level, one per cell.
    pub fn tiles(&self) -> &Grid<GroundTile> {
        &self.tiles
    }

    /// Where the guards stand at the start: those that never move row by row, then those on patrol.
    pub fn guards(&self) -> &[Cell] {
        &self.guards
    }

    /// Where the guards stand after so many moves, in the order of [`guards`](Self::guards).
    pub fn guards_at(&self, time: usize) -> Vec<Cell> {
        let still = self.guards.len() - self.patrols.len();
        let moving = self.patrols.iter().map(|cells| cells[time % cells.len()]);
        self.guards[..still].iter().copied().chain(moving).collect()
    }

    /// The loops of the guards on patrol, in the order of [`guards`](Self::guards): the cells after 0, 1,
    /// 2, … moves until it begins again.
    pub fn patrols(&self) -> &[Vec<Cell>] {
        &self.patrols
    }

    /// After how many moves all guards are where they started: 1 without patrols.
    pub fn period(&self) -> usize {
        self.period
    }

    /// Where the thief starts.
    pub fn start(&self) -> Cell {
        self.tiles.cell_at(self.start)
    }

    /// Where the thief wants to be.
    pub fn goal(&self) -> Cell {
        self.tiles.cell_at(self.goal)
    }

    /// How many units make 1: twice a power of 3.
    pub fn scale(&self) -> i128 {
        self.scale
    }

    /// The cost of entering a cell in units, with all guards where they stand at the start; 0 at walls
    /// and guards that never move, and at the thief's start.
    pub fn cost(&self, cell: Cell) -> i128 {
        self.cost_at(cell, 0)
    }

    /// The cost of entering a cell with the last of so many moves.
    pub fn cost_at(&self, cell: Cell, time: usize) -> i128 {
        self.tiles.index_of(cell).map_or(0, |at| self.cost[self.state(at, time)])
    }

    /// The part of [`cost`](Self::cost) that guards add.
    pub fn exposure(&self, cell: Cell) -> i128 {
        self.exposure_at(cell, 0)
    }

    /// The part of [`cost_at`](Self::cost_at) that guards add.
    pub fn exposure_at(&self, cell: Cell, time: usize) -> i128 {
        self.tiles.index_of(cell).map_or(0, |at| self.state_exposure(self.state(at, time)))
    }

    /// Three times the factor of one guard on a cell; 3 where it does not matter.
    pub fn thrice_factor(&self, guard: Cell, cell: Cell) -> i32 {
        thrice_factor(guard, cell, |at| self.tiles.get(at) == Some(&GroundTile::Wall))
    }

    /// A number of units as a fraction in lowest terms.
    pub fn amount(&self, units: i128) -> ExactAmount {
        ExactAmount::new(units, self.scale)
    }

    /// A number of units as a floating-point number.
    pub fn number(&self, units: i128) -> f64 {
        self.amount(units).to_f64()
    }

    /// Checks that a path enters only cells that can be entered, none twice, and does not go on from
    /// the goal; returns how it ends. After each move no guard on patrol is in the thief's cell, and none
    /// changes places with the thief; it may follow one.
    ///
    /// # Errors
    /// The number of the first move that breaks a rule, and the rule.
    pub fn check(&self, route: &Route) -> Result<RouteEnd, String> {
        let mut entered = vec![false; self.tiles.len()];
        self.walked.iter().for_each(|&at| entered[at] = true);
        let mut at = self.start;
        for (number, &step) in (1..).zip(&route.0) {
            let broken = |why: &str| Err(format!("move {number} ('{}') {why}", step.letter()));
            if at == self.goal {
                return broken("goes on from the goal");
            }
            let to = self.tiles.cell_at(at) + step.offset();
            let Some(next) = self.tiles.index_of(to) else { return broken("leaves the map") };
            match self.tiles.as_slice()[next] {
                GroundTile::Wall => return broken("runs into a wall"),
                GroundTile::Guard => return broken("runs into a guard"),
                _ if entered[next] => return broken("enters a cell for the second time"),
                _ if !self.lets_pass(at, next, number - 1) => {
                    return broken("runs into a guard on patrol");
                }
                _ => {}
            }
            entered[next] = true;
            at = next;
        }
        let here = self.state(at, route.0.len());
        Ok(match () {
            () if at == self.goal => RouteEnd::Goal,
            () if self.ways_from(here).any(|(_, next)| !entered[self.cell_of(next)]) => {
                RouteEnd::GaveUp
            }
            () => RouteEnd::Stuck,
        })
    }

    /// The fitness of a legal path in units; lower is better.
    ///
    /// With L1 the number of steps between two cells without obstacles, it is
    /// `cost_weight · cost − away_weight · 1.5 · L1(start, end) + goal_weight · 1.5 · L1(goal, end) + p`,
    /// where p is `−bonus` at the goal and `+penalty` elsewhere, as in the original report.
    pub fn fitness(&self, route: &Route) -> i128 {
        let cells = route.cells(self.start());
        let end = cells.last().and_then(|&cell| self.tiles.index_of(cell)).unwrap_or(self.start);
        self.cost_weight * self.cost_along(&cells) + self.end[end]
    }

    /// What a legal path costs, in units. Of two complete paths, the one of the lower fitness has the lower cost.
    pub fn route_cost(&self, route: &Route) -> i128 {
        self.cost_along(&route.cells(self.start()))
    }

    /// What the cells of a path cost to enter one after the other, in units; the first is where it begins.
    fn cost_along(&self, cells: &[Cell]) -> i128 {
        cells.iter().enumerate().skip(1).map(|(time, &cell)| self.cost_at(cell, time)).sum()
    }

    /// A legal path with its fitness.
    pub fn rated(&self, route: Route) -> RatedRoute {
        RatedRoute { fitness: self.fitness(&route), route }
    }

    pub(super) fn start_index(&self) -> usize {
        self.start
    }

    pub(super) fn goal_index(&self) -> usize {
        self.goal
    }

    pub(super) fn beside(&self, at: usize) -> &[Option<u16>; 4] {
        &self.beside[at]
    }

    /// The cells next to `at` that can be entered, with the moves there.
    pub(super) fn ways(&self, at: usize) -> impl Iterator<Item = (RouteMove, usize)> + '_ {
        let ways = RouteMove::ALL.into_iter().zip(self.beside[at]);
        ways.filter_map(|(step, next)| Some((step, usize::from(next?))))
    }

    /// The number of states.
    pub(super) fn states(&self) -> usize {
        self.cost.len()
    }

    /// The state of a cell after so many moves.
    pub(super) fn state(&self, at: usize, time: usize) -> usize {
        if self.period == 1 { at } else { time % self.period * self.tiles.len() + at }
    }

    /// The cell of a state.
    pub(super) fn cell_of(&self, state: usize) -> usize {
        if self.period == 1 { state } else { state % self.tiles.len() }
    }

    /// Whether guards on patrol let the thief move from a cell to a neighbouring one after `time` moves.
    pub(super) fn lets_pass(&self, from: usize, to: usize, time: usize) -> bool {
        if self.period == 1 {
            return true;
        }
        let patrol = |at, time| self.occupied[self.state(at, time)];
        let leaves = patrol(to, time);
        patrol(to, time + 1) == 0 && (leaves == 0 || patrol(from, time + 1) != leaves)
    }

    /// The states that the thief can move to from a state, with the moves there.
    pub(super) fn ways_from(&self, state: usize) -> impl Iterator<Item = (RouteMove, usize)> + '_ {
        let at = self.cell_of(state);
        let time = state / self.tiles.len();
        self.ways(at)
            .filter(move |&(_, next)| self.lets_pass(at, next, time))
            .map(move |(step, next)| (step, self.state(next, time + 1)))
    }

    /// The states from which the thief can move to a state.
    pub(super) fn ways_to(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        let at = self.cell_of(state);
        let time = state / self.tiles.len() + self.period - 1;
        self.ways(at)
            .filter(move |&(_, before)| self.lets_pass(before, at, time))
            .map(move |(_, before)| self.state(before, time))
    }

    /// What entering a state costs, in units.
    pub(super) fn state_cost(&self, state: usize) -> i128 {
        self.cost[state]
    }

    /// What entering a state adds to the fitness.
    pub(super) fn weighted_cost(&self, state: usize) -> i128 {
        self.cost_weight * self.state_cost(state)
    }

    /// What ending in a cell adds to the fitness.
    pub(super) fn end_value(&self, at: usize) -> i128 {
        self.end[at]
    }

    /// How many guards see the cell of a state, by their distance.
    pub(super) fn watch(&self, state: usize) -> Watch {
        self.watched[state]
    }

    /// What entering a cell would add to the fitness if no guard saw it.
    pub(super) fn weighted_terrain(&self, at: usize) -> i128 {
        self.cost_weight * self.terrain[at]
    }

    /// What guards add to the cost of entering a state.
    pub(super) fn state_exposure(&self, state: usize) -> i128 {
        self.cost[state] - self.terrain[self.cell_of(state)]
    }
}

/// For each state how many guards see its cell.
fn watches(tiles: &Grid<GroundTile>, patrols: &[Vec<Cell>], period: usize) -> Vec<Watch> {
    let is_wall = |cell: Cell| tiles.get(cell) == Some(&GroundTile::Wall);
    let mut watched = vec![Watch::default(); tiles.len() * period];
    let mut look = |guard: Cell, times: std::iter::StepBy<std::ops::Range<usize>>| {
        let near = (-SIGHT..=SIGHT).flat_map(|y| (-SIGHT..=SIGHT).map(move |x| Cell::new(x, y)));
        for cell in near.map(|offset| guard + offset) {
            let Some(at) = tiles.index_of(cell).filter(|_| !tiles[cell].is_closed()) else {
                continue;
            };
            let Ok(distance) = usize::try_from(7 - thrice_factor(guard, cell, is_wall)) else {
                continue;
            };
            for time in times.clone() {
                if let Some(count) = watched[time * tiles.len() + at].get_mut(distance) {
                    *count += 1;
                }
            }
        }
    };
    for guard in cells_of(tiles, GroundTile::Guard) {
        look(guard, (0..period).step_by(1));
    }
    for cells in patrols {
        for (turn, &guard) in cells.iter().enumerate() {
            look(guard, (turn..period).step_by(cells.len()));
        }
    }
    watched
}

/// For each state the number of the patrol in its cell, counted from 1, or 0.
fn occupied(tiles: &Grid<GroundTile>, patrols: &[Vec<Cell>], period: usize) -> Vec<u8> {
    if patrols.is_empty() {
        return Vec::new();
    }
    let mut occupied = vec![0; tiles.len() * period];
    for (number, cells) in (1..).zip(patrols) {
        for (turn, at) in
            cells.iter().enumerate().filter_map(|(turn, &cell)| Some((turn, tiles.index_of(cell)?)))
        {
            for time in (turn..period).step_by(cells.len()) {
                occupied[time * tiles.len() + at] = number;
            }
        }
    }
    occupied
}

/// A fraction in lowest terms with a positive denominator.
///
/// It is written as people read it, with two decimals at most, and with `{:#}` exactly.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExactAmount {
    /// The numerator.
    pub numerator: i128,
    /// The denominator.
    pub denominator: i128,
}

impl ExactAmount {
    fn new(numerator: i128, denominator: i128) -> Self {
        let mut a = numerator.unsigned_abs();
        let mut b = denominator.unsigned_abs();
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = i128::try_from(a.max(1)).unwrap_or(1);
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// The nearest floating-point number, or one beside it.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl fmt::Display for ExactAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.numerator, self.denominator) {
            (numerator, 1) => write!(f, "{numerator}"),
            (numerator, 2) => {
                let sign = if numerator < 0 { "-" } else { "" };
                write!(f, "{sign}{}.5", numerator.unsigned_abs() / 2)
            }
            (numerator, denominator) if f.alternate() => write!(f, "{numerator}/{denominator}"),
            _ => write!(f, "{:.2}", self.to_f64()),
        }
    }
}
