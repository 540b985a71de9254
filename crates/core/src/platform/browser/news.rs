//! Waiting for what other fibers or the window send or change.

use super::fiber;
use super::time::{Duration, Instant};
use std::sync::mpsc::{self, RecvError, SendError, TryIter, TryRecvError};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use std::sync::mpsc::RecvTimeoutError;

/// One end of a channel.
pub struct Sender<T>(Option<mpsc::Sender<T>>);

/// The other end of a channel.
pub struct Receiver<T>(mpsc::Receiver<T>);

/// A channel, as in the standard library.
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = mpsc::channel();
    (Sender(Some(sender)), Receiver(receiver))
}

impl<T> Sender<T> {
    /// Sends something.
    ///
    /// # Errors
    /// If nobody receives any more.
    pub fn send(&self, what: T) -> Result<(), SendError<T>> {
        let sent = match &self.0 {
            Some(sender) => sender.send(what),
            None => Err(SendError(what)),
        };
        fiber::news();
        sent
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        self.0 = None;
        fiber::news();
    }
}

impl<T> Receiver<T> {
    /// Waits for what is sent next; outside of fibers, nothing is waited for.
    ///
    /// # Errors
    /// If nobody sends any more, or nothing is there and the caller cannot wait.
    pub fn recv(&self) -> Result<T, RecvError> {
        loop {
            match self.0.try_recv() {
                Ok(what) => return Ok(what),
                Err(TryRecvError::Empty) if fiber::is_running() => fiber::wait_for_news(None),
                Err(_) => return Err(RecvError),
            }
        }
    }

    /// Like [`recv`](Self::recv), for at most this time.
    ///
    /// # Errors
    /// As [`recv`](Self::recv), or if the time is over.
    pub fn recv_timeout(&self, most: Duration) -> Result<T, RecvTimeoutError> {
        let began = Instant::now();
        loop {
            let left = most.checked_sub(began.elapsed());
            match (self.0.try_recv(), left) {
                (Ok(what), _) => return Ok(what),
                (Err(TryRecvError::Disconnected), _) => return Err(RecvTimeoutError::Disconnected),
                (_, Some(left)) if fiber::is_running() => fiber::wait_for_news(Some(left)),
                _ => return Err(RecvTimeoutError::Timeout),
            }
        }
    }

    /// What was sent and is there already.
    pub fn try_iter(&self) -> TryIter<'_, T> {
        self.0.try_iter()
    }
}

/// Tells fibers that something behind a mutex has changed.
#[derive(Default)]
pub struct News;

impl News {
    /// Lets all that wait look again.
    pub fn tell(&self) {
        fiber::news();
    }

    /// Waits for news of what `held` guards, which `guarded` is, for at most this time; may return without any.
    pub fn wait<'a, T>(
        &self,
        guarded: &'a Mutex<T>,
        held: MutexGuard<'a, T>,
        most: Option<Duration>,
    ) -> MutexGuard<'a, T> {
        drop(held);
        fiber::wait_for_news(most);
        guarded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
