//! Work that several cores share where there are some; a browser has one for us.

/// Threads that share the work of [`map`] and its like; here the caller's own.
pub struct Workers;

impl Workers {
    /// None but the caller's.
    ///
    /// # Errors
    /// None here.
    pub fn new(_threads: usize) -> std::io::Result<Self> {
        Ok(Self)
    }

    /// Does work, on the thread of the caller.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        work()
    }
}

/// What the work makes of each item, in the order of the items. With results or options, no more items
/// are begun after a failure.
pub fn map<T: Sync, R: Send, C: FromIterator<R>>(
    items: &[T],
    work: impl Fn(&T) -> R + Sync + Send,
) -> C {
    items.iter().map(work).collect()
}

/// As [`map`], for work that changes its item.
pub fn map_mut<T: Send, R: Send, C: FromIterator<R>>(
    items: &mut [T],
    work: impl Fn(&mut T) -> R + Sync + Send,
) -> C {
    items.iter_mut().map(work).collect()
}

/// As [`map`], but the items are given away.
pub fn map_one_by_one<T: Send, R: Send, C: FromIterator<R>>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync + Send,
) -> C {
    items.into_iter().map(work).collect()
}
