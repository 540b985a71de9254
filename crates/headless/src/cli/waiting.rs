//! What a terminal shows while people wait.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use outwit_core::platform::task::spawn;
use outwit_core::platform::time::Duration;
use std::fmt::Write;
use std::sync::mpsc::{Sender, channel};

/// Whatever is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is redrawn.
const TICK: Duration = Duration::from_millis(250);

/// A line of progress on standard error, if that is a terminal. It appears after a second and is gone
/// when this is dropped.
pub struct Waiting {
    bar: ProgressBar,
    /// Closed when there is nothing more to wait for.
    _end: Sender<()>,
}

impl Waiting {
    /// A line with the time that has passed, then what `tell` says.
    pub fn for_one(tell: impl Fn() -> String + Clone + Send + Sync + 'static) -> Self {
        let style = ProgressStyle::with_template("{elapsed} {told}");
        Self::new(
            ProgressBar::hidden(),
            style.ok().map(|style| {
                style.with_key("told", move |_: &ProgressState, line: &mut dyn Write| {
                    let _ = line.write_str(&tell());
                })
            }),
        )
    }

    /// A line with a bar of so many pieces of work, and the name of the one at hand.
    pub fn for_many(pieces: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(pieces as u64), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len}, {elapsed}: {wide_msg}");
        Self::new(bar, style.ok())
    }

    fn new(bar: ProgressBar, style: Option<ProgressStyle>) -> Self {
        if let Some(style) = style {
            bar.set_style(style);
        }
        let (end, ended) = channel::<()>();
        let line = bar.clone();
        // Without a thread there is no line, and nothing else is lost.
        let _ = spawn("progress", move || {
            if ended.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                line.set_draw_target(ProgressDrawTarget::stderr());
                line.enable_steady_tick(TICK);
            }
        });
        Self { bar, _end: end }
    }

    /// Says what is at hand, after so many pieces of work.
    pub fn begin(&self, done: usize, name: String) {
        self.bar.set_position(done as u64);
        self.bar.set_message(name);
    }

    /// Prints something without tearing the line.
    pub fn print(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
