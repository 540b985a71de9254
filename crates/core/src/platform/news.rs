//! Waiting for what other threads send or change.

use super::time::Duration;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

/// Tells threads that something behind a mutex has changed.
#[derive(Default)]
pub struct News(Condvar);

impl News {
    /// Lets all that wait look again.
    pub fn tell(&self) {
        self.0.notify_all();
    }

    /// Waits for news of what `held` guards, which `guarded` is, for at most this time; may return without any.
    pub fn wait<'a, T>(
        &self,
        _guarded: &'a Mutex<T>,
        held: MutexGuard<'a, T>,
        most: Option<Duration>,
    ) -> MutexGuard<'a, T> {
        match most {
            None => self.0.wait(held).unwrap_or_else(PoisonError::into_inner),
            Some(most) => self.0.wait_timeout(held, most).unwrap_or_else(PoisonError::into_inner).0,
        }
    }
}
