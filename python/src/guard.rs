//! What stands between Python and the work of the crates: panics become exceptions, and long work can be interrupted.

use super::error;
use outwit_core::platform::task::panic_text;
use outwit_core::play::StopFlag;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How often it is looked whether somebody pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Threads that are started when they are first needed, and again in a process that was forked: there, those of the
/// other process do not run.
pub struct Threads {
    count: usize,
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

impl Threads {
    /// So many; one per core if it is 0.
    pub const fn new(count: usize) -> Self {
        Self { count, pool: Mutex::new(None) }
    }

    /// Does work that is shared among them.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> PyResult<T> {
        let process = std::process::id();
        let mut made = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let pool = match &*made {
            Some((of, pool)) if *of == process => Arc::clone(pool),
            _ => {
                let pool = ThreadPoolBuilder::new().num_threads(self.count).build();
                let pool = Arc::new(pool.map_err(error)?);
                // Nobody would answer an end of the other threads.
                std::mem::forget(made.replace((process, Arc::clone(&pool))));
                pool
            }
        };
        drop(made);
        Ok(pool.install(work))
    }
}

/// The process that has loaded this, in which the crates share work among threads of their own.
static PROCESS: OnceLock<u32> = OnceLock::new();
/// The threads that take their place after a fork.
static AFTER_FORK: Threads = Threads::new(0);

/// To be called once, when this is loaded.
pub fn remember_process() {
    PROCESS.get_or_init(std::process::id);
}

/// Does work that may share some of it among threads.
fn on_threads<T: Send>(work: impl FnOnce() -> T + Send) -> PyResult<T> {
    match PROCESS.get() {
        Some(process) if *process != std::process::id() => AFTER_FORK.run(work),
        _ => Ok(work()),
    }
}

fn crashed(payload: &(dyn Any + Send)) -> PyErr {
    error(format!("Outwit failed, which is a fault of its own: {}", panic_text(payload)))
}

/// Does short work; a panic becomes an exception.
pub fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| crashed(payload.as_ref()))
}

/// Does long work on a thread of its own while other threads of Python go on. Ctrl-C raises the flag and is passed on
/// as `KeyboardInterrupt` as soon as the work has ended.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &StopFlag,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    watched(py, stop, || Ok(()), work)
}

/// The same, and looks now and then how far the work has come. What `look` raises ends the work too.
pub fn watched<T: Send>(
    py: Python<'_>,
    stop: &StopFlag,
    mut look: impl FnMut() -> PyResult<()>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let (done, mut ended) = channel();
        let worker =
            std::thread::Builder::new().name("outwit".into()).spawn_scoped(scope, move || {
                // Dropped at the end, by a panic too.
                let _done: std::sync::mpsc::Sender<()> = done;
                on_threads(work)
            });
        let worker = worker.map_err(|why| error(format!("could not start a thread: {why}")))?;
        let mut interrupted = Ok(());
        loop {
            let waited = py.detach(move || {
                let waited = ended.recv_timeout(LOOK);
                (ended, waited)
            });
            ended = waited.0;
            if waited.1 != Err(RecvTimeoutError::Timeout) {
                break;
            }
            if interrupted.is_ok() {
                interrupted = py.check_signals().and_then(|()| look());
                if interrupted.is_err() {
                    stop.raise();
                }
            }
        }
        let result = worker.join().map_err(|payload| crashed(payload.as_ref()))??;
        interrupted.map(|()| result)
    })
}
