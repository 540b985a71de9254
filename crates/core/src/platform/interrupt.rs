//! Signals that ask this program to end: INT, as Ctrl-C sends it, TERM and HUP; on Windows Ctrl-C alone.
//!
//! Whatever has something to save [holds](hold) the end back: it is asked to stop, and the program ends
//! when it has. Without that the first signal ends the program, and the second one always does. No other
//! program, temporary file or temporary folder is left behind.

use super::program::kill_all;
use super::task::{StopFlag, spawn};
use super::temporary::remove_all;
use super::time::{Duration, sleep};
use std::io::{IsTerminal, Result, Write};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// How long the program may take to end after the first signal.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Default)]
struct State {
    /// That of the first signal.
    exit_code: Option<u8>,
    stop: StopFlag,
    holds: usize,
    on_signal: Option<Box<dyn Fn() + Send>>,
}

impl State {
    /// Asks all work to stop; returns whether the program ends at once.
    fn receive(&mut self, exit_code: u8) -> bool {
        let is_first = self.exit_code.is_none();
        self.exit_code.get_or_insert(exit_code);
        self.stop.raise();
        if let Some(tell) = &self.on_signal {
            tell();
        }
        !is_first || self.holds == 0
    }
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(Mutex::default);

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Until this is dropped, the first signal only asks to stop.
pub struct Hold {
    stop: StopFlag,
}

impl Hold {
    /// Raised by the first signal.
    pub fn stop(&self) -> &StopFlag {
        &self.stop
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        state().holds -= 1;
    }
}

/// Lets work stop by itself and save what it has before a signal ends the program. It has ten seconds.
pub fn hold() -> Hold {
    let mut state = state();
    state.holds += 1;
    Hold { stop: state.stop.clone() }
}

/// Calls `tell` at each signal, from a thread of its own.
pub fn on_signal(tell: impl Fn() + Send + 'static) {
    state().on_signal = Some(Box::new(tell));
}

/// The exit code of a program that was asked to end by a signal: 128 and its number.
pub fn exit_code() -> Option<u8> {
    state().exit_code
}

/// Begins to heed signals. One that this program was told to ignore, as by `nohup`, stays ignored where
/// that can be known: on Linux.
///
/// # Errors
/// If the system refuses.
pub fn watch() -> Result<()> {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
        let mut signals = signal_hook::iterator::Signals::new(wanted)?;
        spawn("signals", move || {
            for signal in signals.forever() {
                receive(128 + signal as u8);
            }
        })?;
    }
    #[cfg(windows)]
    ctrlc::set_handler(|| receive(130)).map_err(std::io::Error::other)?;
    Ok(())
}

/// Whether this program was started with a signal ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg_attr(not(any(unix, windows)), allow(dead_code, reason = "there are no signals"))]
fn receive(exit_code: u8) {
    let (is_over, exit_code) = {
        let mut state = state();
        (state.receive(exit_code), state.exit_code.unwrap_or(exit_code))
    };
    let limit = move || {
        sleep(PATIENCE);
        leave(exit_code);
    };
    // Where nobody sends a second signal, the end comes too.
    if is_over || spawn("signal limit", limit).is_err() {
        leave(exit_code);
    }
}

/// Ends the other programs and removes what is temporary. This program must end then.
pub fn clean_up() {
    kill_all();
    remove_all();
}

fn leave(exit_code: u8) -> ! {
    clean_up();
    let mut terminal = std::io::stderr();
    if terminal.is_terminal() {
        // What follows does not begin behind half a progress bar.
        let _ = terminal.write_all(b"\r\x1b[K");
    }
    // Other threads still run, and may use what would be torn down at an ordinary exit.
    #[cfg(unix)]
    signal_hook::low_level::exit(exit_code.into());
    #[cfg(not(unix))]
    std::process::exit(exit_code.into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_work_gets_one_signal_to_stop() {
        let mut state = State { holds: 1, ..State::default() };
        assert!(!state.receive(143));
        assert!(state.stop.is_raised());
        assert!(state.receive(130));
        assert_eq!(state.exit_code, Some(143));
        assert!(State::default().receive(130));
    }
}
