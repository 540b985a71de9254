//! What it costs to enter each cell, in exact numbers, and the fitness of a path.

use super::level::{GroundTile, StealthRules, cells_of};
use super::route::{Route, RouteMove};
use super::sight::thrice_factor;
use crate::grid::{Cell, Grid};
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
/// Costs and fitness are whole multiples of 1/(2·3^k), where k is the largest number of guards whose
/// factor (7/3, 5/3 or 4/3) holds on one and the same cell; see [`scale`](Ground::scale). With at most
/// 40 guards 2·3^k is below 2^65. The factors of 40 guards on one cell multiply to less than
/// (7/3)^8·2^16·(5/3)^16 < 2^38, so a cell costs less than 2^106 units, the 64·64 cells of a path less
/// than 2^118, and with the largest weight less than 2^123: nothing leaves the range of `i128`.
#[derive(Clone, Debug)]
pub struct Ground {
    tiles: Grid<GroundTile>,
    guards: Vec<Cell>,
    start: usize,
    goal: usize,
    scale: i128,
    cost_weight: i128,
    /// For each cell the neighbour in each direction of [`RouteMove::ALL`], if it can be entered.
    beside: Vec<[Option<u16>; 4]>,
    terrain: Vec<i128>,
    cost: Vec<i128>,
    end: Vec<i128>,
    watched: Vec<Watch>,
}

/// How many guards see a cell from 1, 2, 3 and 4 cells away, counted along the line of sight.
pub(super) type Watch = [u8; 4];

impl Ground {
    /// The board of a level without faults.
    pub(super) fn new(tiles: Grid<GroundTile>, rules: &StealthRules) -> Self {
        let first = |tile| cells_of(&tiles, tile).first().copied().unwrap_or_default();
        let (start, goal) = (first(GroundTile::Start), first(GroundTile::Goal));
        let guards = cells_of(&tiles, GroundTile::Guard);
        let is_wall = |cell: Cell| tiles.get(cell) == Some(&GroundTile::Wall);
        let watched: Vec<Watch> = tiles
            .cells()
            .map(|cell| {
                let mut watch = Watch::default();
                if !tiles[cell].is_closed() {
                    for &guard in &guards {
                        let factor = thrice_factor(guard, cell, is_wall);
                        if let Some(count) =
                            usize::try_from(7 - factor).ok().and_then(|at| watch.get_mut(at))
                        {
                            *count += 1;
                        }
                    }
                }
                watch
            })
            .collect();
        // Numerators and the number of thirds of each cell's factor. A factor of 6/3 needs no third.
        let factor = |[near, second, third, far]: &Watch| {
            let power = |base: i128, count: &u8| base.pow(u32::from(*count));
            let product = power(7, near) * power(2, second) * power(5, third) * power(4, far);
            (product, u32::from(*near) + u32::from(*third) + u32::from(*far))
        };
        let factors: Vec<(i128, u32)> = watched.iter().map(factor).collect();
        let most = factors.iter().map(|&(_, thirds)| thirds).max().unwrap_or(0);
        let power = |exponent: u32| 3_i128.pow(exponent);
        let scale = 2 * power(most);
        let half = power(most);
        let base: Vec<i128> = tiles.as_slice().iter().map(|tile| 3 * tile.base_cost()).collect();
        let cost = base
            .iter()
            .zip(&factors)
            .map(|(base, &(product, thirds))| base * product * power(most - thirds))
            .collect();
        let weight = |weight: u32| i128::from(weight);
        let end = tiles
            .cells()
            .map(|cell| {
                let away = i128::from(start.manhattan(cell));
                let left = i128::from(goal.manhattan(cell));
                let outcome =
                    if cell == goal { -weight(rules.bonus) } else { weight(rules.penalty) };
                half * 3 * (weight(rules.goal_weight) * left - weight(rules.away_weight) * away)
                    + scale * outcome
            })
            .collect();
        let beside = tiles
            .cells()
            .map(|cell| {
                RouteMove::ALL.map(|step| {
                    let next = tiles.index_of(cell + step.offset())?;
                    (!tiles.as_slice()[next].is_closed()).then_some(next as u16)
                })
            })
            .collect();
        Self {
            start: tiles.index_of(start).unwrap_or(0),
            goal: tiles.index_of(goal).unwrap_or(0),
            guards,
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

    /// The tiles.
    pub fn tiles(&self) -> &Grid<GroundTile> {
        &self.tiles
    }

    /// Where the guards stand, row by row.
    pub fn guards(&self) -> &[Cell] {
        &self.guards
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

    /// The cost of entering a cell in units; 0 where the thief cannot go and at the start.
    pub fn cost(&self, cell: Cell) -> i128 {
        self.tiles.index_of(cell).map_or(0, |at| self.cost[at])
    }

    /// The part of [`cost`](Self::cost) that guards add.
    pub fn exposure(&self, cell: Cell) -> i128 {
        self.tiles.index_of(cell).map_or(0, |at| self.cost[at] - self.terrain[at])
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
    /// the goal; returns how it ends.
    ///
    /// # Errors
    /// The number of the first move that breaks a rule, and the rule.
    pub fn check(&self, route: &Route) -> Result<RouteEnd, String> {
        let mut entered = vec![false; self.tiles.len()];
        entered[self.start] = true;
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
                _ => {}
            }
            entered[next] = true;
            at = next;
        }
        let goes_on = |next: &Option<u16>| next.is_some_and(|next| !entered[usize::from(next)]);
        Ok(match () {
            () if at == self.goal => RouteEnd::Goal,
            () if self.beside[at].iter().any(goes_on) => RouteEnd::GaveUp,
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
        let cost: i128 = cells[1..].iter().map(|&cell| self.cost(cell)).sum();
        let end = cells.last().and_then(|&cell| self.tiles.index_of(cell)).unwrap_or(self.start);
        self.cost_weight * cost + self.end[end]
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

    /// What entering a cell adds to the fitness.
    pub(super) fn weighted_cost(&self, at: usize) -> i128 {
        self.cost_weight * self.cost[at]
    }

    /// What ending in a cell adds to the fitness.
    pub(super) fn end_value(&self, at: usize) -> i128 {
        self.end[at]
    }

    /// How many guards see a cell, by their distance.
    pub(super) fn watch(&self, at: usize) -> Watch {
        self.watched[at]
    }

    /// What entering a cell would add to the fitness if no guard saw it.
    pub(super) fn weighted_terrain(&self, at: usize) -> i128 {
        self.cost_weight * self.terrain[at]
    }

    pub(super) fn exposure_at(&self, at: usize) -> i128 {
        self.cost[at] - self.terrain[at]
    }
}

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExactAmount {
    /// The numerator.
    pub numerator: i128,
    /// The denominator.
    pub denominator: i128,
}

impl ExactAmount {
    fn new(numerator: i128, denominator: i128) -> Self {
        let (mut a, mut b) = (numerator.unsigned_abs(), denominator.unsigned_abs());
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
            (numerator, denominator) => write!(f, "{numerator}/{denominator}"),
        }
    }
}
