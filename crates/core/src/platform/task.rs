//! Work in the background: threads, and tasks with a result, progress and cancelling.

use super::time::{Duration, Instant, sleep};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

#[cfg(not(target_arch = "wasm32"))]
pub use std::thread::JoinHandle;

/// A flag that asks running work to stop; clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks whoever looks at this flag to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether stopping was asked for.
    pub fn is_raised(&self) -> bool {
        // Whoever asks this often works long.
        #[cfg(target_arch = "wasm32")]
        super::fiber::give_way();
        self.0.load(Ordering::Relaxed)
    }

    /// The flag as a question that long work can ask.
    pub fn check(&self) -> impl Fn() -> bool + '_ {
        || self.is_raised()
    }
}

/// A fiber that was started. There is nothing to wait for at its end: what it works on is shared.
#[cfg(target_arch = "wasm32")]
pub struct JoinHandle<T>(std::marker::PhantomData<T>);

#[cfg(target_arch = "wasm32")]
impl<T> JoinHandle<T> {
    /// Returns at once: the window must not wait.
    ///
    /// # Errors
    /// Always; there is no result.
    pub fn join(self) -> std::thread::Result<T> {
        Err(Box::new("fibers are not waited for"))
    }
}

/// Starts a fiber.
///
/// # Errors
/// None here.
#[cfg(target_arch = "wasm32")]
pub fn spawn(
    _name: &str,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, std::io::Error> {
    super::fiber::start(work);
    Ok(JoinHandle(std::marker::PhantomData))
}

/// Starts a thread of this name.
///
/// # Errors
/// If the system has no thread left.
#[cfg(not(target_arch = "wasm32"))]
pub fn spawn(
    name: &str,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, std::io::Error> {
    std::thread::Builder::new().name(name.into()).spawn(work)
}

/// Does `own` here and `other` on a thread beside it, which is asked to stop when `own` is done. `other` is left out
/// where the system has no thread for it; a panic of either is one of this call.
pub fn beside<T>(other: impl FnOnce(StopFlag) + Send, own: impl FnOnce() -> T) -> T {
    /// Raises its flag when it is dropped, in a panic too.
    struct Raised(StopFlag);
    impl Drop for Raised {
        fn drop(&mut self) {
            self.0.raise();
        }
    }
    std::thread::scope(|scope| {
        let stop = Raised(StopFlag::default());
        let other = {
            let stop = stop.0.clone();
            move || other(stop)
        };
        let _ = std::thread::Builder::new().name("beside".into()).spawn_scoped(scope, other);
        own()
    })
}

/// Locks a mutex that is held while something long is computed. In a browser, the fiber that waits for it lets the
/// others run; the window must not wait so.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    #[cfg(target_arch = "wasm32")]
    while matches!(mutex.try_lock(), Err(TryLockError::WouldBlock)) {
        sleep(Duration::from_millis(1));
    }
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks a mutex if its holder frees it within this time.
pub(super) fn lock_within<T>(mutex: &Mutex<T>, most: Duration) -> Option<MutexGuard<'_, T>> {
    let began = Instant::now();
    loop {
        match mutex.try_lock() {
            Ok(held) => return Some(held),
            Err(TryLockError::Poisoned(held)) => return Some(held.into_inner()),
            Err(TryLockError::WouldBlock) if began.elapsed() >= most => return None,
            Err(TryLockError::WouldBlock) => sleep(Duration::from_millis(1)),
        }
    }
}

/// The number of this process; 0 in a browser, which has none.
pub fn process() -> u32 {
    if cfg!(target_arch = "wasm32") { 0 } else { std::process::id() }
}

/// More threads than this are surely a typo, and take all the memory.
pub const MOST_THREADS: usize = 256;

/// The number of threads that this run was asked to keep to; 0 if none was given.
static WANTED_THREADS: AtomicUsize = AtomicUsize::new(0);

/// Sets how many threads [`cores`] allows from now on.
pub fn limit_cores(threads: usize) {
    WANTED_THREADS.store(threads, Ordering::Relaxed);
}

/// How many threads may work at the same time: what [`limit_cores`] set, else the environment
/// variable `RAYON_NUM_THREADS` if it is a positive number, else what the machine can run; never more
/// than [`MOST_THREADS`].
pub fn cores() -> usize {
    static USUAL: OnceLock<(Option<String>, usize)> = OnceLock::new();
    let (variable, machine) = USUAL.get_or_init(|| {
        let machine = std::thread::available_parallelism().map_or(1, |n| n.get());
        (std::env::var("RAYON_NUM_THREADS").ok(), machine)
    });
    wanted_threads(WANTED_THREADS.load(Ordering::Relaxed), variable.as_deref())
        .unwrap_or(*machine)
        .min(MOST_THREADS)
}

/// The number of threads that was asked for, unless 0, else the environment variable's.
fn wanted_threads(asked: usize, variable: Option<&str>) -> Option<usize> {
    Some(asked)
        .filter(|&asked| asked > 0)
        .or_else(|| variable?.parse().ok())
        .filter(|&threads| threads > 0)
}

/// How many threads of planners work now.
static WORKING: AtomicUsize = AtomicUsize::new(0);

/// Says as long as it lives that a thread is at work, so that others know whether a core is free.
#[derive(Debug)]
pub struct AtWork(());

impl AtWork {
    /// One thread more is at work.
    pub fn begin() -> Self {
        WORKING.fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    /// The same, if there is a [core](cores) on which none works yet.
    pub fn on_free_core() -> Option<Self> {
        let cores = cores();
        let claimed = WORKING.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |working| {
            (working < cores).then(|| working + 1)
        });
        // Not made unless it is claimed, since dropping one counts.
        claimed.is_ok().then(|| Self(()))
    }

    /// Whether more threads are at work than there are cores.
    pub fn is_crowded() -> bool {
        WORKING.load(Ordering::Relaxed) > cores()
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        WORKING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The text of a caught panic.
pub fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it gave no reason".into())
}

/// What a task tells while it works, and learns from outside.
#[derive(Clone, Default)]
pub struct TaskContext {
    stop: StopFlag,
    thousandths: Arc<AtomicU32>,
}

impl TaskContext {
    /// The flag that is raised when nobody wants the result any more.
    pub fn stop(&self) -> &StopFlag {
        &self.stop
    }

    /// Tells how much is done, from 0 to 1.
    pub fn progress(&self, done: f32) {
        self.thousandths.store((done.clamp(0.0, 1.0) * 1000.0) as u32, Ordering::Relaxed);
    }
}

/// Something that is computed on a thread of its own. Dropping it asks the computation to stop.
pub struct Task<T> {
    result: Arc<OnceLock<Result<T, String>>>,
    context: TaskContext,
}

impl<T: Send + Sync + 'static> Task<T> {
    /// Begins to compute. A panic, or a system without threads, becomes the task's
    /// [failure](Task::failure).
    pub fn begin(compute: impl FnOnce(&TaskContext) -> T + Send + 'static) -> Self {
        let task = Self { result: Arc::new(OnceLock::new()), context: TaskContext::default() };
        let slot = Arc::clone(&task.result);
        let context = task.context.clone();
        let begun = spawn("task", move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| compute(&context)));
            let _ = slot.set(outcome.map_err(|payload| panic_text(payload.as_ref())));
        });
        if let Err(error) = begun {
            let _ = task.result.set(Err(format!("could not start a worker thread: {error}")));
        }
        task
    }

    /// The result once it is there.
    pub fn get(&self) -> Option<&T> {
        self.result.get()?.as_ref().ok()
    }

    /// Why there will never be a result.
    pub fn failure(&self) -> Option<&str> {
        self.result.get()?.as_ref().err().map(String::as_str)
    }

    /// Whether the computation has ended.
    pub fn is_done(&self) -> bool {
        self.result.get().is_some()
    }

    /// How much is done, from 0 to 1, if the computation says so.
    pub fn progress(&self) -> f32 {
        self.context.thousandths.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// Asks the computation to stop.
    pub fn cancel(&self) {
        self.context.stop.raise();
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.context.stop.raise();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished<T: Send + Sync + 'static>(task: &Task<T>) {
        while !task.is_done() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_task_gives_its_result_or_says_why_not() {
        let good = Task::begin(|context| {
            context.progress(0.5);
            42
        });
        finished(&good);
        assert_eq!((good.get(), good.failure(), good.progress()), (Some(&42), None, 0.5));
        let bad = Task::begin(|_| -> u32 { panic!("no luck") });
        finished(&bad);
        assert_eq!((bad.get(), bad.failure()), (None, Some("no luck")));
    }

    #[test]
    fn what_is_done_beside_goes_on_at_the_same_time_and_until_the_end() {
        let both = std::sync::Barrier::new(2);
        let mut rounds = 0;
        let work = |stop: StopFlag| {
            both.wait();
            while !stop.is_raised() {
                std::thread::yield_now();
            }
            rounds += 1;
        };
        let own = beside(work, || {
            both.wait();
            2
        });
        assert_eq!((own, rounds), (2, 1));
        let caught = catch_unwind(|| {
            beside(|stop| while !stop.is_raised() {}, || panic!("no luck"));
        });
        assert!(caught.is_err());
    }

    #[test]
    fn threads_are_those_asked_for_or_the_variables() {
        for (asked, variable, wanted) in [
            (0, Some("3"), Some(3)),
            (2, Some("3"), Some(2)),
            (2, None, Some(2)),
            (0, Some("0"), None),
            (0, Some("x"), None),
            (0, Some("-1"), None),
            (0, Some(""), None),
            (0, None, None),
        ] {
            assert_eq!(wanted_threads(asked, variable), wanted, "{asked}, {variable:?}");
        }
        assert!(cores() > 0);
    }

    #[test]
    fn a_core_is_free_until_as_many_threads_work() {
        // Other tests may have threads at work meanwhile; these are too many in any case.
        let working: Vec<AtWork> = (0..cores()).map(|_| AtWork::begin()).collect();
        assert!(AtWork::on_free_core().is_none());
        let one_more = AtWork::begin();
        assert!(AtWork::is_crowded());
        drop((working, one_more));
    }

    #[test]
    fn a_dropped_task_is_told_to_stop() {
        let (sender, receiver) = std::sync::mpsc::channel();
        let task = Task::begin(move |context| {
            let _ = sender.send(context.stop().clone());
        });
        let stop = receiver.recv().unwrap_or_default();
        drop(task);
        assert!(stop.is_raised());
    }
}
