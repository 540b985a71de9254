//! Processes of Unix: each program leads a process group of its own.

use super::ProgramLimits;
use super::group::{Exit, Pipes};
use super::isolation::MOST_PROCESSES;
use crate::platform::time::{Duration, sleep};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether somebody may run a file.
pub(super) fn may_run(file: &Metadata) -> bool {
    file.permissions().mode() & 0o111 != 0
}

/// The leader of a process group. Until it is reaped, its number and that of its group are its own.
pub(super) struct Leader {
    pid: Pid,
    /// Taken when it is reaped.
    child: Mutex<Option<Child>>,
}

impl Leader {
    /// Starts a command as the leader of a new group.
    ///
    /// # Errors
    /// If the system cannot start it.
    pub fn start(
        mut command: Command,
        limits: Option<ProgramLimits>,
    ) -> std::io::Result<(Self, Pipes)> {
        command.process_group(0);
        #[cfg(target_os = "linux")]
        {
            if let Some(limits) = limits {
                limit_use(&mut command, limits);
            }
            die_with_this(&mut command);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = limits;
        let mut child = spawn_when_free(&mut command)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        Ok((Self { pid: Pid::from_child(&child), child: Mutex::new(Some(child)) }, pipes))
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Its number as the system counts.
    #[cfg(target_os = "linux")]
    pub fn pid(&self) -> Pid {
        self.pid
    }

    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it has ended.
    pub fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.child().is_none() || !matches!(waitid(WaitId::Pid(self.pid), options), Ok(None))
    }

    /// Waits until it has ended.
    pub fn wait(&self) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(self.pid), options), Err(rustix::io::Errno::INTR)) {}
    }

    /// How it has ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(self.pid), options).ok().flatten()?;
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Some(Exit::Code(code)),
            (None, Some(signal)) => Some(Exit::Crash(format!("signal {signal}"))),
            (None, None) => None,
        }
    }

    /// Kills its group, unless it has been reaped.
    pub fn kill(&self) {
        if self.child().is_some() {
            let _ = kill_process_group(self.pid, Signal::KILL);
        }
    }

    /// Kills its group once more and takes it, which has ended, off the system's list. Its number may mean others
    /// afterwards.
    pub fn reap(&self) {
        if let Some(mut child) = self.child().take() {
            // A process that was being forked at the first blow is hit by the second.
            let _ = kill_process_group(self.pid, Signal::KILL);
            let _ = child.wait();
        }
    }
}

/// A file that another thread has just written may be busy for a moment.
fn spawn_when_free(command: &mut Command) -> std::io::Result<Child> {
    const TRIES: u32 = 20;
    let mut tries = 0;
    loop {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && tries < TRIES => {
                tries += 1;
                sleep(Duration::from_millis(25));
            }
            started => return started,
        }
    }
}

/// Lets the system kill a child when the thread that starts it ends, even if this program is killed.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "only the child itself can ask for it, between fork and exec")]
fn die_with_this(command: &mut Command) {
    use rustix::process::{getpid, getppid, set_parent_process_death_signal};
    let parent = getpid();
    let ask = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have ended before the child asked.
        if getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
    };
    // SAFETY: between fork and exec only what is safe in a signal handler may be done. This makes two
    // system calls and neither allocates nor locks: an error is only a number.
    unsafe { command.pre_exec(ask) };
}

/// Limits what a child uses up, before it begins.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "only the child itself can do it, between fork and exec")]
fn limit_use(command: &mut Command, limits: ProgramLimits) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |most: u64| Rlimit { current: Some(most), maximum: Some(most) };
    let limits = [
        limits.memory.map(|memory| (Resource::Data, limit(memory))),
        limits.file.map(|file| (Resource::Fsize, limit(file))),
        // Processes of others of the same person count too.
        Some((Resource::Nproc, limit(tasks_of_the_system() + u64::from(MOST_PROCESSES)))),
        Some((Resource::Core, limit(0))),
    ];
    let ask = move || {
        for (resource, limit) in limits.iter().flatten() {
            // What is limited more strictly already stays so.
            let _ = setrlimit(*resource, *limit);
        }
        Ok(())
    };
    // SAFETY: as in `die_with_this`: system calls only.
    unsafe { command.pre_exec(ask) };
}

/// How many threads there are on this machine.
#[cfg(target_os = "linux")]
fn tasks_of_the_system() -> u64 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let tasks = load.split_whitespace().nth(3).and_then(|of| of.split_once('/'));
    tasks.and_then(|(_, all)| all.parse().ok()).unwrap_or(4096)
}
