//! Minimum-cost matching of goals with boxes.

use super::estimate::FAR;

/// The least sum of `cost(goal, box)` with a box of its own for each goal; `None` if there is none.
/// Costs of [`FAR`] or more are no match.
///
/// First each goal takes its nearest box; where these differ they are the answer. Up to four goals
/// are tried by branch and bound; more by the Hungarian method (Kuhn 1955, Munkres 1957), which takes
/// time goals² · boxes.
pub fn least_matching(
    goals: usize,
    boxes: usize,
    cost: impl Fn(usize, usize) -> u32,
) -> Option<u32> {
    let (mut sum, mut taken, mut distinct) = (0, 0_u128, boxes <= 128);
    for goal in 0..goals {
        let (least, nearest) = (0..boxes).map(|at| (cost(goal, at), at)).min()?;
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
    let least = if goals <= 4 && boxes <= 32 {
        let mut best = FAR;
        branch(goals, boxes, &cost, 0, 0, 0, &mut best);
        best
    } else {
        hungarian(goals, boxes, &cost)
    };
    (least < FAR).then_some(least)
}

fn branch(
    goals: usize,
    boxes: usize,
    cost: &impl Fn(usize, usize) -> u32,
    goal: usize,
    taken: u32,
    sum: u32,
    best: &mut u32,
) {
    if goal == goals {
        *best = sum;
        return;
    }
    for at in (0..boxes).filter(|at| taken >> at & 1 == 0) {
        let sum = sum.saturating_add(cost(goal, at));
        if sum < *best {
            branch(goals, boxes, cost, goal + 1, taken | 1 << at, sum, best);
        }
    }
}

/// Shortest augmenting paths with potentials; an impossible match costs [`FAR`].
fn hungarian(goals: usize, boxes: usize, cost: &impl Fn(usize, usize) -> u32) -> u32 {
    // Row and column 0 stand for nothing matched yet.
    let mut of_goal = vec![0_i64; goals + 1];
    let mut of_box = vec![0_i64; boxes + 1];
    let mut owner = vec![0_usize; boxes + 1];
    let mut before = vec![0_usize; boxes + 1];
    for goal in 1..=goals {
        owner[0] = goal;
        let mut slack = vec![i64::MAX; boxes + 1];
        let mut used = vec![false; boxes + 1];
        let mut at = 0;
        while owner[at] != 0 {
            used[at] = true;
            let (row, mut delta, mut next) = (owner[at], i64::MAX, 0);
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
            prop_assert_eq!(hungarian(goals, boxes, &|g, b| costs[g][b]), truth);
        }
    }
}
