//! Clocks and alarms.

use super::task::spawn;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};

pub use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Lets the calling thread rest.
pub fn sleep(time: Duration) {
    std::thread::sleep(time);
}

/// Rings once, at the time that it was last set to.
pub struct Alarm(Sender<Option<Instant>>);

impl Alarm {
    /// An alarm that is not set. `ring` is called on a thread of the alarm's own.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn new(ring: impl Fn() + Send + 'static) -> Result<Self, std::io::Error> {
        let (sender, receiver) = channel::<Option<Instant>>();
        spawn("alarm", move || {
            let mut due: Option<Instant> = None;
            loop {
                let set = match due {
                    Some(due) => receiver.recv_timeout(due - Instant::now()),
                    None => receiver.recv().map_err(RecvTimeoutError::from),
                };
                due = match set {
                    Ok(set) => set,
                    Err(RecvTimeoutError::Timeout) => {
                        ring();
                        None
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                };
            }
        })?;
        Ok(Self(sender))
    }

    /// Rings after this time instead of what it was set to before; with `None` not at all.
    pub fn set(&self, after: Option<Duration>) {
        // The thread ends only when this end is dropped.
        let _ = self.0.send(after.and_then(|after| Instant::now().checked_add(after)));
    }
}

/// Seconds since 1970 by the computer's clock; 0 if it is set to an earlier time.
pub fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The processor time that the calling thread has used, where the system tells it.
pub fn thread_cpu() -> Option<Duration> {
    // Linux brings the figure up to date at its clock ticks and when the thread offers to yield.
    std::thread::yield_now();
    // The first figure is the time on the processor, in nanoseconds.
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_rings_when_it_was_set_last() {
        let (sender, receiver) = channel();
        let alarm = Alarm::new(move || {
            let _ = sender.send(());
        });
        let Ok(alarm) = alarm else { return };
        alarm.set(Some(Duration::from_secs(3600)));
        alarm.set(Some(Duration::ZERO));
        assert_eq!(receiver.recv(), Ok(()));
        alarm.set(Some(Duration::ZERO));
        assert_eq!(receiver.recv(), Ok(()));
        alarm.set(Some(Duration::from_secs(3600)));
        alarm.set(None);
        drop(alarm);
        assert!(receiver.recv().is_err(), "it rang though it was not set");
    }
}
