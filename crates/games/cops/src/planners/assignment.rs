//! The cheapest assignment of workers to tasks.

/// Gives every task a worker of its own so that the sum of the costs is least: the Hungarian method
/// with potentials (Kuhn 1955, Munkres 1957), in time tasks² · workers.
///
/// `costs` has a row per task and a column per worker; there must be as many workers as tasks or
/// more. Returns the worker of each task.
pub fn assign(costs: &[Vec<i32>]) -> Vec<usize> {
    let workers = costs.first().map_or(0, Vec::len);
    // Column `workers` stands for the task that is being placed.
    let mut holder: Vec<Option<usize>> = vec![None; workers + 1];
    let mut task_price = vec![0; costs.len()];
    let mut worker_price = vec![0; workers + 1];
    for task in 0..costs.len() {
        holder[workers] = Some(task);
        let mut at = workers;
        let mut least = vec![i32::MAX; workers];
        let mut from = vec![workers; workers];
        let mut done = vec![false; workers + 1];
        // Dijkstra over reduced costs to the nearest free worker.
        while let Some(held) = holder[at] {
            done[at] = true;
            let mut step = i32::MAX;
            let mut next = at;
            for worker in (0..workers).filter(|&worker| !done[worker]) {
                let reduced = costs[held][worker] - task_price[held] - worker_price[worker];
                if reduced < least[worker] {
                    (least[worker], from[worker]) = (reduced, at);
                }
                if least[worker] < step {
                    (step, next) = (least[worker], worker);
                }
            }
            if next == at {
                break;
            }
            for worker in 0..=workers {
                if done[worker] {
                    worker_price[worker] -= step;
                    if let Some(held) = holder[worker] {
                        task_price[held] += step;
                    }
                } else if least[worker] < i32::MAX {
                    least[worker] -= step;
                }
            }
            at = next;
        }
        while at != workers {
            holder[at] = holder[from[at]];
            at = from[at];
        }
    }
    let mut workers_of = vec![0; costs.len()];
    for (worker, held) in holder[..workers].iter().enumerate() {
        if let Some(task) = *held {
            workers_of[task] = worker;
        }
    }
    workers_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least sum over all ways to give the tasks from `task` on a worker that is not `taken`.
    fn least(costs: &[Vec<i32>], task: usize, taken: &mut Vec<bool>) -> i32 {
        if task == costs.len() {
            return 0;
        }
        let mut best = i32::MAX;
        for worker in 0..taken.len() {
            if !std::mem::replace(&mut taken[worker], true) {
                best = best.min(costs[task][worker] + least(costs, task + 1, taken));
                taken[worker] = false;
            }
        }
        best
    }

    proptest! {
        #[test]
        fn no_other_assignment_is_cheaper(
            (tasks, workers, costs) in (1_usize..5, 0_usize..3).prop_flat_map(|(tasks, more)| {
                let costs = prop::collection::vec(0..400_i32, tasks * (tasks + more));
                (Just(tasks), Just(tasks + more), costs)
            }),
        ) {
            let costs: Vec<Vec<i32>> = costs.chunks(workers).map(<[i32]>::to_vec).collect();
            let found = assign(&costs);
            let mut distinct = found.clone();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert_eq!(distinct.len(), tasks);
            let sum: i32 = found.iter().enumerate().map(|(task, &worker)| costs[task][worker]).sum();
            prop_assert_eq!(sum, least(&costs, 0, &mut vec![false; workers]));
        }
    }
}
