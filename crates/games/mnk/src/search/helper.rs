//! A second thread that searches the same position, where a core is free. The two share nothing but the table, which is
//! known as "lazy SMP".

use super::pvs::MnkSearch;
use outwit_core::platform::task::{AtWork, StopFlag, spawn};
use outwit_core::play::{Budget, Clock};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// After so many positions it looks whether it is still wanted.
const SLICE: u64 = 4000;

/// A thread that searches beside another one until it is dropped, or the time is up.
#[derive(Debug)]
pub struct Helper {
    stop: StopFlag,
    nodes: Arc<AtomicU64>,
}

impl Helper {
    /// Begins to search beside `search` for what is left of the turn, if a [core](Clock::free_core) is free.
    pub fn begin(search: &MnkSearch, clock: &Clock) -> Option<Self> {
        let (core, left) = clock.free_core()?;
        let mut search = search.beside();
        let helper = Self { stop: StopFlag::default(), nodes: Arc::default() };
        let stop = helper.stop.clone();
        let nodes = Arc::clone(&helper.nodes);
        spawn("helper", move || {
            let _core = core;
            let clock = Clock::new(Budget::Time(left), stop);
            while !search.is_done() && !clock.is_over() && !AtWork::is_crowded() {
                clock.slice_of_work(SLICE);
                search.run(&clock);
                nodes.store(search.nodes(), Relaxed);
            }
        })
        .ok()
        .map(|_| helper)
    }

    /// Positions that it has searched.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

#[cfg(test)]
mod tests {
    use super::super::SearchBoard;
    use super::super::pvs::SearchOptions;
    use super::super::tests::empty_board;
    use super::*;
    use outwit_core::platform::time::Duration;

    #[test]
    fn nobody_helps_where_the_same_work_must_give_the_same_answer() {
        let board: SearchBoard = empty_board(15, 15, 5);
        let options =
            SearchOptions { depth: 200, width: 32, fours: 20, threes: 100, table_bits: 12 };
        let search = MnkSearch::new(board, options);
        let budgets = [Budget::Work(1000), Budget::Cpu(Duration::from_secs(1))];
        for budget in budgets {
            let clock = Clock::new(budget, StopFlag::default());
            assert!(Helper::begin(&search, &clock).is_none(), "{budget}");
        }
    }
}
