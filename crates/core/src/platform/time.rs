//! Clocks and alarms.

use super::news::{RecvTimeoutError, Sender, channel};
use super::task::spawn;
use std::path::{Path, PathBuf};

pub use std::time::Duration;
#[cfg(not(target_arch = "wasm32"))]
pub use std::time::{Instant, SystemTime, UNIX_EPOCH};
#[cfg(target_arch = "wasm32")]
pub use web_time::{Instant, SystemTime, UNIX_EPOCH};

/// Lets the calling thread rest.
pub fn sleep(time: Duration) {
    #[cfg(not(target_arch = "wasm32"))]
    std::thread::sleep(time);
    #[cfg(target_arch = "wasm32")]
    super::fiber::sleep(time);
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
#[cfg(target_os = "linux")]
pub fn thread_cpu() -> Option<Duration> {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).try_into().ok()
}

/// The processor time that all threads of the program have used, where the system tells it.
#[cfg(target_os = "linux")]
pub fn process_cpu() -> Option<Duration> {
    rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok()
}

/// The processor time that all threads of the program have used, where the system tells it.
#[cfg(not(target_os = "linux"))]
pub fn process_cpu() -> Option<Duration> {
    None
}

/// The processor time that the calling thread has used, where the system tells it.
#[cfg(not(target_os = "linux"))]
pub fn thread_cpu() -> Option<Duration> {
    None
}

/// Tells other threads how much processor time a thread has used.
#[derive(Clone, Debug)]
pub struct CpuMeter(PathBuf);

impl CpuMeter {
    /// Of the calling thread, where the system tells its time to others.
    pub fn of_this_thread() -> Option<Self> {
        let own = std::fs::read_link("/proc/thread-self").ok()?;
        Some(Self(Path::new("/proc/self/task").join(own.file_name()?).join("schedstat")))
    }

    /// The time as of the last tick of the system's clock, some milliseconds ago at most; `None` if the
    /// thread has ended.
    pub fn read(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(&self.0).ok()?;
        // The first figure is the time on the processor, in nanoseconds.
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_time_of_a_thread_is_known_to_itself_and_to_others() {
        let (send_meter, meter) = channel();
        let (send_end, end) = channel::<()>();
        let spun = std::thread::spawn(move || {
            let before = thread_cpu();
            while thread_cpu() == before {}
            let _ = send_meter.send(CpuMeter::of_this_thread());
            let _ = end.recv();
            thread_cpu()
        });
        let Ok(Some(meter)) = meter.recv() else { panic!("no meter") };
        let Some(seen) = meter.read() else { panic!("no time") };
        drop(send_end);
        let Ok(Some(own)) = spun.join() else { panic!("no time of its own") };
        assert!(Duration::ZERO < seen && seen <= own, "{seen:?} {own:?}");
        while meter.read().is_some() {
            std::thread::yield_now();
        }
    }

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
