//! Clocks.

pub use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Lets the calling thread rest.
pub fn sleep(time: Duration) {
    std::thread::sleep(time);
}

/// Seconds since 1970 by the computer's clock; 0 if it is set to an earlier time.
pub fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}
