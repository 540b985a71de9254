//! Work that is shared among several cores.

use rayon::iter::FromParallelIterator;
use rayon::prelude::*;

/// Threads that share the work of [`map`] and its like.
pub struct Workers(rayon::ThreadPool);

impl Workers {
    /// So many threads.
    ///
    /// # Errors
    /// If the system does not start them.
    pub fn new(threads: usize) -> std::io::Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(Self).map_err(std::io::Error::other)
    }

    /// Does work in which [`map`] and its like use these threads and no others.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.0.install(work)
    }
}

/// What the work makes of each item, in the order of the items. With results or options, no more items
/// are begun after a failure.
pub fn map<T: Sync, R: Send, C: FromParallelIterator<R>>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync + Send,
) -> C {
    items.par_iter().map(work).collect()
}

/// As [`map`], for work that changes its item.
pub fn map_mut<T: Send, R: Send, C: FromParallelIterator<R>>(
    items: &mut [T],
    work: impl Fn(&mut T) -> R + Sync + Send,
) -> C {
    items.par_iter_mut().map(work).collect()
}

/// As [`map`], but the items are begun one by one in their order, and the results come in any order.
pub fn map_one_by_one<T: Send, R: Send, C: FromParallelIterator<R>>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync + Send,
) -> C {
    items.into_iter().par_bridge().map(work).collect()
}
