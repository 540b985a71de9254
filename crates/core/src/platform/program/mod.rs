//! Programs that run beside this one and are spoken to by lines.
//!
//! Nothing that such a program does blocks the caller: its lines are read and written by threads of their
//! own, what waits between them is bounded, and it is killed with all its children in the end.
//!
//! Only what a person has named is started: see [`AllowedPrograms`].

mod command;
mod error;
#[cfg(target_os = "linux")]
mod family;
#[cfg(any(target_os = "linux", target_os = "macos", windows))]
mod group;
#[cfg_attr(
    not(any(target_os = "linux", target_os = "macos", windows)),
    allow(dead_code, reason = "no program is started here")
)]
mod isolation;
mod limits;
#[cfg_attr(
    not(any(target_os = "linux", target_os = "macos", windows)),
    allow(dead_code, reason = "no program is started here")
)]
mod lines;
#[cfg_attr(
    not(any(target_os = "linux", target_os = "macos", windows)),
    allow(dead_code, reason = "no program is started here")
)]
mod log;
mod permission;
#[cfg(any(target_os = "linux", target_os = "macos", windows))]
mod process;
#[cfg(all(test, any(unix, windows)))]
mod tests;
#[cfg(any(target_os = "linux", target_os = "macos"))]
mod unix;
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
mod unsupported;
#[cfg(windows)]
mod windows;

use crate::platform::time::Instant;

pub use command::ProgramCommand;
pub use error::ProgramError;
#[cfg(any(target_os = "linux", target_os = "macos", windows))]
pub(super) use group::Helper;
#[cfg(any(target_os = "linux", target_os = "macos", windows))]
pub use group::{check_file, end_all, kill_all};
pub use isolation::Isolation;
pub use limits::ProgramLimits;
pub use lines::{ReadLine, read_lines};
pub use log::{LogLine, LogSource, ProgramLog};
pub use permission::{AllowedProgram, AllowedPrograms};
#[cfg(any(target_os = "linux", target_os = "macos", windows))]
pub use process::Program;
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
pub(super) use unsupported::Helper;
#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
pub use unsupported::{Program, check_file, end_all, kill_all};

/// A line that a program said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeardLine {
    /// Its text, without its end. What is not UTF-8 is replaced; long lines are cut.
    pub text: String,
    /// Whether it was too long.
    pub is_cut: bool,
    /// When it was there to be read.
    pub at: Instant,
}

/// What came of waiting for a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Received {
    /// It said this.
    Line(HeardLine),
    /// It said nothing in this time.
    Nothing,
    /// It will not say anything any more, and why.
    Ended(String),
}
