//! Whether guards notice the thief: opposed rolls, and the paths that fare best with them.
//!
//! Each time the thief enters a cell, every guard that sees the cell rolls against the thief, and each
//! of these rolls is independent. The guard rolls a twenty-sided die and adds its perception; the thief
//! rolls one and adds its stealth skill, and 1 for each 10 feet between them. The guard notices the
//! thief if its total is higher: the thief wins ties. A cell is 5 feet, counted along the line of sight.
//! A guard sees as far as it raises costs, 4 cells; beyond that, and behind walls, it notices nothing.

use super::exact::{Cost, MOST_WALKS, cheapest_to_goal};
use super::ground::{Ground, RatedRoute};
use super::level::StealthRules;
use super::route::Route;
use outwit_core::grid::Cell;
use outwit_core::play::Clock;
use std::ops::Add;

/// The equally likely results of two twenty-sided dice.
pub const ROLLS: u32 = 400;

/// The side of a cell in feet.
const CELL_FEET: i64 = 5;

/// The distance in feet that adds 1 to the thief's roll.
const FEET_PER_POINT: i64 = 10;

/// What both sides add to their rolls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Skills {
    /// The thief's stealth skill.
    pub stealth: i32,
    /// The guards' perception.
    pub perception: i32,
}

impl Skills {
    /// The skills that the rules of a level give.
    pub fn of(rules: &StealthRules) -> Self {
        let skill = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
        Self { stealth: skill(rules.stealth), perception: skill(rules.perception) }
    }

    /// In how many of the [`ROLLS`] a guard notices the thief that is so many cells away in its sight:
    /// the probability is this number over 400, exactly.
    ///
    /// ```
    /// use outwit_stealth::noticing::Skills;
    ///
    /// let even = Skills::default();
    /// // Next to the guard its die must be the higher one; two cells away, higher by 2 at least.
    /// assert_eq!((even.noticed(1), even.noticed(2)), (190, 171));
    /// ```
    pub fn noticed(self, cells_away: u32) -> u32 {
        let bonus = i64::from(cells_away) * CELL_FEET / FEET_PER_POINT;
        // By how much the guard's die must exceed the thief's.
        let lead = i64::from(self.stealth) + bonus - i64::from(self.perception) + 1;
        let pairs = |n: i64| (n * (n + 1) / 2) as u32;
        match lead {
            20.. => 0,
            1..20 => pairs(20 - lead),
            -18..1 => ROLLS - pairs(19 + lead),
            _ => ROLLS,
        }
    }

    /// For each distance of a [`Watch`](super::ground::Watch), [`noticed`](Self::noticed).
    fn by_distance(self) -> [u32; 4] {
        [1, 2, 3, 4].map(|away| self.noticed(away))
    }
}

/// The probability that at least one guard notices the thief when it enters a cell, with all guards
/// where they stand at the start.
pub fn notice_chance(ground: &Ground, cell: Cell, skills: Skills) -> f64 {
    notice_chance_at(ground, cell, 0, skills)
}

/// The probability that at least one guard notices the thief when it enters a cell with the last of so
/// many moves.
pub fn notice_chance_at(ground: &Ground, cell: Cell, time: usize, skills: Skills) -> f64 {
    let at = ground.tiles().index_of(cell);
    at.map_or(0.0, |at| 1.0 - unseen_at(ground, ground.state(at, time), skills))
}

/// The probability that no guard notices the thief on a legal path.
pub fn unseen_chance(ground: &Ground, route: &Route, skills: Skills) -> f64 {
    states(ground, route).map(|state| unseen_at(ground, state, skills)).product()
}

/// The mean fitness of a legal path if a guard raises the cost of a cell only when it notices the thief
/// there, and sees it as before: between the fitness without guards and the fitness with all of them.
pub fn expected_fitness(ground: &Ground, route: &Route, skills: Skills) -> f64 {
    let cost: f64 = states(ground, route).map(|state| expected_cost(ground, state, skills)).sum();
    let end = states(ground, route).last().map_or(ground.start_index(), |at| ground.cell_of(at));
    cost + ground.number(ground.end_value(end))
}

/// The states that a path enters.
fn states<'a>(ground: &'a Ground, route: &Route) -> impl Iterator<Item = usize> + 'a {
    let cells = route.cells(ground.start()).into_iter().enumerate().skip(1);
    cells.filter_map(|(time, cell)| Some(ground.state(ground.tiles().index_of(cell)?, time)))
}

/// The probability that no guard notices the thief on entering a state.
fn unseen_at(ground: &Ground, state: usize, skills: Skills) -> f64 {
    let chances = ground.watch(state).into_iter().zip(skills.by_distance());
    let unseen = |noticed: u32| f64::from(ROLLS - noticed) / f64::from(ROLLS);
    chances.map(|(guards, noticed)| repeated(unseen(noticed), guards)).product()
}

/// What entering a state adds to the expected fitness. The rolls are independent, so the mean of the
/// product of the guards' factors is the product of their means.
fn expected_cost(ground: &Ground, state: usize, skills: Skills) -> f64 {
    let guards = ground.watch(state).into_iter().zip(skills.by_distance());
    // A guard 1, 2, 3 or 4 cells away adds 4, 3, 2 or 1 thirds if it notices the thief.
    let mean = |added: u32, noticed: u32| 1.0 + f64::from(added * noticed) / f64::from(3 * ROLLS);
    let factors = (1..=4)
        .rev()
        .zip(guards)
        .map(|(added, (guards, noticed))| repeated(mean(added, noticed), guards));
    ground.number(ground.weighted_terrain(ground.cell_of(state))) * factors.product::<f64>()
}

/// A power by multiplication, which gives the same result on every machine.
fn repeated(factor: f64, times: u8) -> f64 {
    (0..times).map(|_| factor).product()
}

/// A path to the goal, chosen for given skills.
#[derive(Clone, PartialEq, Debug)]
pub struct SkilledRoute {
    /// The path with its exact fitness.
    pub rated: RatedRoute,
    /// The probability that no guard notices the thief on it.
    pub unseen: f64,
    /// Its [`expected_fitness`].
    pub expected: f64,
}

impl SkilledRoute {
    /// What a legal path is worth with these skills.
    pub fn of(ground: &Ground, route: Route, skills: Skills) -> Self {
        Self {
            unseen: unseen_chance(ground, &route, skills),
            expected: expected_fitness(ground, &route, skills),
            rated: ground.rated(route),
        }
    }
}

/// The path to the goal with the highest probability that no guard notices the thief; of equally safe
/// ones the one with the best fitness. Where a guard is sure to notice the thief on every path, as few
/// such rolls as possible, then the highest probability of passing the others.
///
/// By the search of [`best_complete`](super::exact::best_complete) over whole multiples of 2^-40 of the
/// binary logarithm. They are rounded down, so no path's probability is higher by a factor of more than 1 +
/// 10^-12 for each roll on the path found, and paths with the same rolls are equally safe. `None` if there
/// is no path to the goal, or among patrols if the search reached its limit, as
/// [`best_complete`](super::exact::best_complete) does.
pub fn safest_path(ground: &Ground, skills: Skills) -> Option<SkilledRoute> {
    safest_path_within(ground, skills, &Clock::unlimited())
}

/// The same as long as the clock allows, `None` after that; one unit of work is a state settled or a walk
/// extended.
pub fn safest_path_within(ground: &Ground, skills: Skills, clock: &Clock) -> Option<SkilledRoute> {
    let logs = skills.by_distance().map(|noticed| unseen_log(ROLLS - noticed));
    cheapest(
        ground,
        |state: usize| {
            let start = Risk { cost: ground.weighted_cost(state), ..Risk::default() };
            ground.watch(state).into_iter().zip(logs).fold(start, |risk, (guards, log)| match log {
                Some(log) => Risk { log: risk.log + u64::from(guards) * log, ..risk },
                None => Risk { certain: risk.certain + u32::from(guards), ..risk },
            })
        },
        skills,
        clock,
    )
}

/// The path to the goal with the lowest [`expected_fitness`]: for an unskilled thief the best path of
/// the rules, and the shortest way over easy ground for one that nobody notices.
///
/// By the search of [`best_complete`](super::exact::best_complete) over whole multiples of 2^-32, to which
/// the cost of each cell is rounded, so no other path is better by more than 2^-32 for each cell of either.
/// `None` as for [`safest_path`].
pub fn best_expected_path(ground: &Ground, skills: Skills) -> Option<SkilledRoute> {
    let units = (1_u64 << 32) as f64;
    cheapest(
        ground,
        |state: usize| (expected_cost(ground, state, skills) * units).round() as i128,
        skills,
        &Clock::unlimited(),
    )
}

/// The path to the goal for which the costs of its cells add up to the least.
fn cheapest<C: Cost>(
    ground: &Ground,
    enter: impl Fn(usize) -> C,
    skills: Skills,
    clock: &Clock,
) -> Option<SkilledRoute> {
    let (route, _) = cheapest_to_goal(ground, enter, MOST_WALKS, clock);
    route.map(|route| SkilledRoute::of(ground, route, skills))
}

/// How unsafe a path is, the most important first. The cost alone is above 0 in every cell, so no
/// cheapest path enters a cell twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Risk {
    /// Rolls in which a guard is sure to notice the thief.
    certain: u32,
    /// Of the other rolls, the binary logarithm of 1 over the probability that none notices it, in units
    /// of 2^-40. With 40 guards and 64·64 cells it stays below 2^61.
    log: u64,
    /// The weighted cost.
    cost: i128,
}

impl Add for Risk {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            certain: self.certain + other.certain,
            log: self.log + other.log,
            cost: self.cost + other.cost,
        }
    }
}

/// The binary logarithm of `ROLLS / unseen` in units of 2^-40, rounded down; `None` for 0.
///
/// In whole numbers, because the logarithms of floating-point libraries differ between machines: the
/// next digit of a logarithm is 1 if the square is 2 or more.
fn unseen_log(unseen: u32) -> Option<u64> {
    const ONE: u128 = 1 << 62;
    let mut rest = (u128::from(ROLLS) * ONE).checked_div(u128::from(unseen))?;
    let mut log = 0_u64;
    while rest >= 2 * ONE {
        rest /= 2;
        log += 1;
    }
    for _ in 0..40 {
        rest = rest * rest / ONE;
        log *= 2;
        if rest >= 2 * ONE {
            rest /= 2;
            log += 1;
        }
    }
    Some(log)
}

#[cfg(test)]
mod tests;
