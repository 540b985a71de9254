//! What stands in for programs where they cannot be started and ended safely.

use super::{AllowedProgram, ProgramError, ProgramLimits, ProgramLog, Received};
use crate::platform::time::Duration;
use std::path::Path;
use std::process::{Child, ChildStdin, Command};

/// A program; none can be started on this system.
pub struct Program {
    never: std::convert::Infallible,
}

impl Program {
    /// Always fails on this system.
    ///
    /// # Errors
    /// That programs cannot be run here.
    pub fn start(
        _program: &AllowedProgram,
        _limits: ProgramLimits,
        _log: ProgramLog,
    ) -> Result<Self, ProgramError> {
        Err(ProgramError::Unsupported)
    }

    /// Never called: no value of this type exists.
    pub fn log_to(&mut self, _log: ProgramLog) {
        match self.never {}
    }

    /// Never called: no value of this type exists.
    pub fn waited_for_processor(&self) -> Option<Duration> {
        match self.never {}
    }

    /// Never called: no value of this type exists.
    pub fn folder(&self) -> &Path {
        match self.never {}
    }

    /// Never called: no value of this type exists.
    pub fn succeeded(&self) -> bool {
        match self.never {}
    }

    /// Never called: no value of this type exists.
    pub fn finish(self) {
        match self.never {}
    }

    /// Never called: no value of this type exists.
    pub fn kill(self) {
        match self.never {}
    }

    /// Never called.
    ///
    /// # Errors
    /// Never.
    pub fn send(&mut self, _text: &str) -> Result<(), ProgramError> {
        match self.never {}
    }

    /// Never called: no value of this type exists.
    pub fn receive(&mut self, _wait: Duration) -> Received {
        match self.never {}
    }
}

/// A program of the machine that works for this one. Dropping it kills it.
pub(in crate::platform) struct Helper(Child);

impl Helper {
    /// Starts it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(mut command: Command) -> std::io::Result<Self> {
        command.spawn().map(Self)
    }

    /// Its standard input, if it was given a pipe and nobody has taken it.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.0.stdin.take()
    }

    /// Waits until it has ended; returns whether it says that all went well.
    pub fn wait(&mut self) -> bool {
        self.0.wait().is_ok_and(|status| status.success())
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Always fails on this system.
///
/// # Errors
/// That programs cannot be run here.
pub fn check_file(_path: &Path) -> Result<(), ProgramError> {
    Err(ProgramError::Unsupported)
}

/// Nothing runs that could be ended.
pub fn end_all() {}

/// Nothing runs that could be killed.
pub fn kill_all() {}
