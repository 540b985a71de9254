//! What a program may use up.

use super::lines::LONGEST;

/// What a program may use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProgramLimits {
    /// The memory of each of its processes, and of all together, in bytes. Of a process, what it reserves counts, used
    /// or not. Where the system cannot limit a program, the log says so.
    pub memory: Option<u64>,
    /// Bytes of a file that it writes. Only Linux and containers limit that.
    pub file: Option<u64>,
    /// Bytes of a line, after which it is cut.
    pub line: usize,
    /// Lines that may wait to be received; then the program has to wait.
    pub waiting: usize,
}

impl Default for ProgramLimits {
    /// No limit of memory and of files, many short lines.
    fn default() -> Self {
        Self { memory: None, file: None, line: LONGEST, waiting: 1024 }
    }
}
