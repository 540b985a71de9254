//! Work beside the window in a browser, which has one thread for everything.
//!
//! A fiber looks like a thread to whoever starts it. It has a stack of its own and runs for a few milliseconds
//! at a time: wherever work asks whether it should stop or what time it is, it [gives way](give_way) once its
//! slice is over, and the page goes on with it after the next frame. The browser suspends it by JavaScript
//! Promise Integration (W3C WebAssembly JavaScript Interface, 2025).

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

#[allow(unsafe_code, reason = "the page is another language")]
#[link(wasm_import_module = "./platform.js")]
unsafe extern "C" {
    /// Queues a fiber whose stack ends at this address.
    safe fn fiber_start(id: u32, stack_end: u32);
    /// Suspends the running fiber for so many milliseconds, or until news if that is earlier; for ever if they
    /// are negative. Returns when the next slice ends.
    safe fn fiber_pause(milliseconds: f64) -> f64;
    /// Queues all fibers that wait for news.
    safe fn fiber_news();
    /// Milliseconds since the page was opened.
    safe fn milliseconds() -> f64;
}

/// Bytes of a fiber's stack, as of the window's own.
const STACK: usize = 1 << 20;

type Work = Box<dyn FnOnce()>;

/// The memory of a stack, aligned as the compiler wants it.
type Stack = Vec<u128>;

thread_local! {
    static WAITING: RefCell<BTreeMap<u32, (Work, Stack)>> = const { RefCell::new(BTreeMap::new()) };
    /// The stacks of fibers that have ended.
    static FREE: RefCell<Vec<Stack>> = const { RefCell::new(Vec::new()) };
    static STARTED: Cell<u32> = const { Cell::new(0) };
    /// When the slice of the running fiber ends; `None` while the window runs.
    static SLICE_END: Cell<Option<f64>> = const { Cell::new(None) };
}

/// Starts a fiber, which runs for the first time after the caller has ended.
pub fn start(work: impl FnOnce() + 'static) {
    let id = STARTED.get().wrapping_add(1);
    STARTED.set(id);
    let stack = FREE.with_borrow_mut(Vec::pop);
    let stack = stack.unwrap_or_else(|| Stack::with_capacity(STACK / size_of::<u128>()));
    let end = stack.as_ptr() as usize + STACK;
    WAITING.with_borrow_mut(|waiting| waiting.insert(id, (Box::new(work), stack)));
    fiber_start(id, end as u32);
}

/// Runs a fiber that was started; the page calls this on the fiber's own stack.
#[allow(unsafe_code, reason = "the page is another language")]
#[unsafe(no_mangle)]
pub extern "C" fn fiber_run(id: u32, slice_end: f64) {
    let Some((work, stack)) = WAITING.with_borrow_mut(|waiting| waiting.remove(&id)) else {
        return;
    };
    SLICE_END.set(Some(slice_end));
    work();
    SLICE_END.set(None);
    FREE.with_borrow_mut(|free| free.push(stack));
}

/// Whether the caller is on a fiber, so that it may wait.
pub fn is_running() -> bool {
    SLICE_END.get().is_some()
}

/// Lets the window run if the slice of the fiber is over.
#[inline]
pub fn give_way() {
    if let Some(end) = SLICE_END.get()
        && milliseconds() >= end
    {
        pause(0.0);
    }
}

/// Waits until something was sent or told, or this time has passed; returns at once outside of fibers.
pub fn wait_for_news(most: Option<Duration>) {
    if is_running() {
        pause(most.map_or(-1.0, |most| most.as_secs_f64() * 1000.0));
    }
}

/// Lets all that wait look again.
pub fn news() {
    fiber_news();
}

/// Rests for this time; returns at once outside of fibers.
pub fn sleep(time: Duration) {
    let end = milliseconds() + time.as_secs_f64() * 1000.0;
    while is_running() && milliseconds() < end {
        pause(end - milliseconds());
    }
}

fn pause(milliseconds: f64) {
    SLICE_END.set(None);
    let end = fiber_pause(milliseconds);
    SLICE_END.set(Some(end));
}
