//! Minimum-cost matching of goals with boxes.

use super::estimate::FAR;

/// The least sum of `cost(goal, box)` with a box of its own for each goal; `None` if there is none.
/// Costs of [`FAR`] or more are no match.
///
/// First each goal takes its nearest box; where these differ they are the answer. Up to five boxes
/// are matched by dynamic programming over their subsets, more by the Hungarian method (Kuhn 1955, Munkres 1957), which takes
/// time goals² · boxes.
pub fn least_matching(
    goals: usize,
    boxes: usize,
    cost: impl Fn(usize, usize) -> u32,
) -> Option<u32> {
    let mut sum = 0;
    let mut taken = 0_u128;
    let mut distinct = boxes <= 128;
    for goal in 0..goals {
        let mut least = FAR;
        let mut nearest = 0;
        for at in 0..boxes {
            let cost = cost(goal, at);
            if cost < least {
                (least, nearest) = (cost, at);
            }
        }
        if least >= FAR {
            return None;
        }
        sum += least;
        let bit = 1_u128 << (nearest & 127);
        distinct &= taken & bit == 0;
        taken |= bit;
    }
    if distinct {
        return Some(sum);
    }
    let least = match boxes {
        0..=5 => by_subsets(boxes, goals, &cost),
        6..=8 => hungarian::<9>(goals, boxes, &cost),
        9..=16 => hungarian::<17>(goals, boxes, &cost),
        17..=32 => hungarian::<33>(goals, boxes, &cost),
        _ => hungarian::<129>(goals, boxes, &cost),
    };
    (least < FAR).then_some(least)
}

/// Minimum-cost matchings of as many goals as boxes, one after the other: each begins with the prices at
/// which the one before ended. Where few boxes stand elsewhere, few have to look for another goal.
#[derive(Clone, Debug, Default)]
pub struct Matcher {
    prices: Vec<i32>,
}

/// Stands for [`FAR`] in sums of many: more than any sum of finite costs.
const NEVER: i32 = 1 << 22;

/// The most boxes that are matched without one.
const SMALL: usize = 5;

impl Matcher {
    /// The least matching of targets with boxes, where `table` holds a row of costs for each spot and `rows` says
    /// where those of the boxes begin; `None` if there is none.
    #[inline(always)]
    pub fn of_rows(&mut self, table: &[u32], targets: usize, rows: &[usize]) -> Option<u32> {
        let boxes = rows.len();
        if boxes == targets && boxes > SMALL {
            self.least(boxes, |at| &table[rows[at]..rows[at] + targets])
        } else {
            least_matching(targets, boxes, |target, at| table[rows[at] + target])
        }
    }

    /// The least sum of the costs of goals in the rows of these boxes, as many as goals, a goal of its own for each; `None`
    /// if there is none.
    #[inline(never)]
    pub fn least<'a>(&mut self, boxes: usize, row: impl Fn(usize) -> &'a [u32]) -> Option<u32> {
        match boxes {
            0 => Some(0),
            1..=8 => self.least_of::<8>(boxes, row),
            9..=16 => self.least_of::<16>(boxes, row),
            17..=32 => self.least_of::<32>(boxes, row),
            _ => self.least_of::<128>(boxes, row),
        }
    }

    /// Shortest augmenting paths (Jonker and Volgenant 1987) from the boxes whose cheapest goal is taken.
    fn least_of<'a, const N: usize>(
        &mut self,
        boxes: usize,
        row: impl Fn(usize) -> &'a [u32],
    ) -> Option<u32> {
        const NOBODY: usize = usize::MAX;
        self.prices.resize(boxes, 0);
        let mut prices = [NEVER; N];
        prices[..boxes].copy_from_slice(&self.prices);
        let mut costs = [[NEVER; N]; N];
        let mut owner = [NOBODY; N];
        let mut waiting = [0; N];
        let mut wait = 0;
        for (at, costs) in costs.iter_mut().enumerate().take(boxes) {
            for (cost, &far) in costs.iter_mut().zip(row(at)) {
                *cost = (far as i32).min(NEVER);
            }
            let mut least = i32::MAX;
            let mut cheapest = 0;
            for goal in 0..boxes {
                let cost = costs[goal] - prices[goal];
                // Among equal ones a free goal.
                if cost < least || cost == least && owner[goal] == NOBODY {
                    (least, cheapest) = (cost, goal);
                }
            }
            if owner[cheapest] == NOBODY {
                owner[cheapest] = at;
            } else {
                waiting[wait] = at;
                wait += 1;
            }
        }
        for &begin in &waiting[..wait] {
            let mut distance = [i32::MAX; N];
            let mut before = [begin; N];
            let mut done = [false; N];
            for goal in 0..boxes {
                distance[goal] = costs[begin][goal] - prices[goal];
            }
            let (end, most) = loop {
                let mut least = i32::MAX;
                let mut nearest = 0;
                for goal in 0..boxes {
                    if !done[goal] && distance[goal] < least {
                        (least, nearest) = (distance[goal], goal);
                    }
                }
                let at = owner[nearest];
                if at == NOBODY {
                    break (nearest, least);
                }
                done[nearest] = true;
                let base = least - (costs[at][nearest] - prices[nearest]);
                for goal in 0..boxes {
                    let through = base + costs[at][goal] - prices[goal];
                    if !done[goal] && through < distance[goal] {
                        (distance[goal], before[goal]) = (through, at);
                    }
                }
            };
            for goal in 0..boxes {
                if done[goal] {
                    prices[goal] += distance[goal] - most;
                }
            }
            let mut goal = end;
            loop {
                let at = before[goal];
                owner[goal] = at;
                if at == begin {
                    break;
                }
                // The goal that this box leaves.
                goal = (0..boxes).find(|&other| other != goal && owner[other] == at)?;
            }
        }
        let sum: i64 = (0..boxes).map(|goal| i64::from(costs[owner[goal]][goal])).sum();
        if sum >= i64::from(NEVER) {
            self.prices.fill(0);
            return None;
        }
        self.prices.copy_from_slice(&prices[..boxes]);
        Some(sum as u32)
    }
}

/// The least cost of the first goals with each set of up to five boxes, as many as there are goals.
fn by_subsets(boxes: usize, goals: usize, cost: &impl Fn(usize, usize) -> u32) -> u32 {
    let mut costs = [[FAR; 5]; 5];
    for (goal, row) in costs.iter_mut().enumerate().take(goals) {
        for (at, entry) in row.iter_mut().enumerate().take(boxes) {
            *entry = cost(goal, at);
        }
    }
    let mut least = [FAR; 32];
    least[0] = 0;
    let mut best = FAR;
    for set in 1_usize..1 << boxes {
        let matched = set.count_ones() as usize;
        if matched > goals {
            continue;
        }
        let mut rest = set;
        while rest != 0 {
            let before = least[set & !(rest & rest.wrapping_neg())];
            let at = rest.trailing_zeros() as usize;
            least[set] = least[set].min(before + costs[matched - 1][at]);
            rest &= rest - 1;
        }
        if matched == goals {
            best = best.min(least[set]);
        }
    }
    best
}

/// Shortest augmenting paths with potentials for less than `N` goals and boxes; an impossible match
/// costs [`FAR`].
fn hungarian<const N: usize>(
    goals: usize,
    boxes: usize,
    cost: &impl Fn(usize, usize) -> u32,
) -> u32 {
    // Row and column 0 stand for nothing matched yet.
    let mut of_goal = [0_i64; N];
    let mut of_box = [0_i64; N];
    let mut owner = [0_usize; N];
    let mut before = [0_usize; N];
    for goal in 1..=goals {
        owner[0] = goal;
        let mut slack = [i64::MAX; N];
        let mut used = [false; N];
        let mut at = 0;
        while owner[at] != 0 {
            used[at] = true;
            let row = owner[at];
            let mut delta = i64::MAX;
            let mut next = 0;
            for column in (1..=boxes).filter(|&column| !used[column]) {
                let price = i64::from(cost(row - 1, column - 1).min(FAR));
                let reduced = price - of_goal[row] - of_box[column];
                if reduced < slack[column] {
                    (slack[column], before[column]) = (reduced, at);
                }
                if slack[column] < delta {
                    (delta, next) = (slack[column], column);
                }
            }
            for column in 0..=boxes {
                if used[column] {
                    of_goal[owner[column]] += delta;
                    of_box[column] -= delta;
                } else if slack[column] != i64::MAX {
                    slack[column] -= delta;
                }
            }
            at = next;
        }
        while at != 0 {
            owner[at] = owner[before[at]];
            at = before[at];
        }
    }
    let total: u64 = (1..=boxes)
        .filter(|&column| owner[column] != 0)
        .map(|column| u64::from(cost(owner[column] - 1, column - 1).min(FAR)))
        .sum();
    total.min(u64::from(FAR)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn by_trying_all(costs: &[Vec<u32>], goal: usize, taken: u32) -> u32 {
        let Some(row) = costs.get(goal) else { return 0 };
        (0..row.len())
            .filter(|at| taken >> at & 1 == 0)
            .map(|at| row[at].saturating_add(by_trying_all(costs, goal + 1, taken | 1 << at)))
            .min()
            .unwrap_or(FAR)
            .min(FAR)
    }

    proptest! {
        /// One matcher for many matchings, some of which are impossible.
        #[test]
        fn prices_of_the_last_matching_do_not_matter(
            boxes in 1_usize..8, changed in prop::collection::vec(0_usize..7, 5),
            numbers in prop::collection::vec(prop_oneof![5 => 0_u32..20, 1 => Just(FAR)], 49 + 5 * 7),
        ) {
            let mut rows: Vec<&[u32]> = numbers.chunks(7).take(boxes).map(|row| &row[..boxes]).collect();
            let mut matcher = Matcher::default();
            for (turn, &at) in changed.iter().enumerate() {
                let costs: Vec<Vec<u32>> =
                    (0..boxes).map(|goal| rows.iter().map(|row| row[goal]).collect()).collect();
                let truth = by_trying_all(&costs, 0, 0);
                let expected = (truth < FAR).then_some(truth);
                prop_assert_eq!(matcher.least(boxes, |at| rows[at]), expected);
                prop_assert_eq!(Matcher::default().least(boxes, |at| rows[at]), expected);
                prop_assert_eq!(matcher.clone().least_of::<128>(boxes, |at| rows[at]), expected);
                let from = 49 + 7 * turn;
                rows[at % boxes] = &numbers[from..from + boxes];
            }
        }

        #[test]
        fn the_least_of_all(
            goals in 1_usize..7, extra in 0_usize..3,
            numbers in prop::collection::vec(prop_oneof![4 => 0_u32..20, 1 => Just(FAR)], 63),
        ) {
            let boxes = goals + extra;
            let costs: Vec<Vec<u32>> =
                (0..goals).map(|g| numbers[g * boxes..(g + 1) * boxes].to_vec()).collect();
            let truth = by_trying_all(&costs, 0, 0);
            let found = least_matching(goals, boxes, |g, b| costs[g][b]);
            prop_assert_eq!(found, (truth < FAR).then_some(truth));
            prop_assert_eq!(hungarian::<9>(goals, boxes, &|g, b| costs[g][b]), truth);
            prop_assert_eq!(hungarian::<129>(goals, boxes, &|g, b| costs[g][b]), truth);
        }
    }
}
