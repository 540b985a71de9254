//! Amounts in words.

/// An amount of memory with a unit that suits it.
pub fn memory(bytes: usize) -> String {
    match bytes as f64 {
        bytes if bytes < f64::from(1 << 20) => format!("{:.1} KiB", bytes / f64::from(1 << 10)),
        bytes => format!("{:.1} MiB", bytes / f64::from(1 << 20)),
    }
}

/// A time with a unit that suits it.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
