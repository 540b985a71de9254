//! A child process in a process group of its own.

use super::lines::{ReadLine, read_lines};
use super::{AllowedProgram, LogSource, ProgramError, ProgramLog, Received};
use crate::platform::task::{lock_within, spawn};
use crate::platform::temporary::Listed;
use crate::platform::time::{Duration, Instant, sleep};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel,
};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// Lines that may wait to be received; then the program has to wait.
const WAITING_LINES: usize = 1024;
/// Texts that may wait until the program reads them.
const WAITING_TEXTS: usize = 16;
/// How often a program is looked at whether it still runs.
const LOOK: Duration = Duration::from_millis(50);
/// How long a program that has ended may leave its last lines to be read.
const LAST_LINES: Duration = Duration::from_millis(500);
/// How long a program may take to end by itself once nobody needs it.
const FAREWELL: Duration = Duration::from_millis(500);
/// How long all that run are waited for before this program ends without them.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a killed process may take to go.
const DYING: Duration = Duration::from_secs(5);

/// The groups whose leaders have not been reaped, so that their numbers cannot mean others.
static LIVE: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn live() -> MutexGuard<'static, Vec<Pid>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks that a file is there and may be run.
///
/// # Errors
/// Why it cannot be run.
pub fn check_file(path: &Path) -> Result<(), ProgramError> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(ProgramError::Missing(path.into()))
        }
        Err(error) => Err(ProgramError::Unreadable { path: path.into(), why: error.to_string() }),
        Ok(found) if found.is_dir() => Err(ProgramError::Folder(path.into())),
        Ok(found) if found.permissions().mode() & 0o111 == 0 => {
            Err(ProgramError::NotExecutable(path.into()))
        }
        Ok(_) => Ok(()),
    }
}

/// A running program. Dropping it lets the program read what it was sent, closes its input, and soon
/// afterwards kills it with all processes of its group.
///
/// A process that leaves the group (`setsid`) is beyond reach. On Linux the program itself, but not its
/// children, is also killed if this one is.
pub struct Program {
    /// Taken only when it is dropped.
    child: Option<Child>,
    pid: Pid,
    input: SyncSender<String>,
    lines: Receiver<String>,
    log: ProgramLog,
    /// Lines of the log that are older than the program.
    before: u64,
    ended: Option<Instant>,
    folder: Option<(TempDir, Listed)>,
}

impl Program {
    /// Starts a program in the folder that it lies in.
    ///
    /// `memory` is the limit of the data of each of its processes, in bytes: what it reserves counts,
    /// used or not. Where the system cannot limit a program that runs, the log says so.
    ///
    /// # Errors
    /// Why it cannot be started.
    pub fn start(
        program: &AllowedProgram,
        memory: Option<u64>,
        log: ProgramLog,
    ) -> Result<Self, ProgramError> {
        let named = program.path();
        check_file(named)?;
        let fail = |error: std::io::Error| ProgramError::NotStarted {
            path: named.into(),
            why: error.to_string(),
        };
        let path = std::path::absolute(named).map_err(fail)?;
        let mut command = Command::new(&path);
        if let Some(folder) = path.parent() {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        let before = log.written();
        #[cfg(target_os = "linux")]
        die_with_this(&mut command);
        let (listed, folder) = Listed::create(tempfile::tempdir, TempDir::path).map_err(fail)?;
        let mut child = start_child(command).map_err(fail)?;
        let pid = Pid::from_child(&child);
        log.add(LogSource::Note, &format!("{} runs as process {pid}", named.display()));
        if let Some(memory) = memory {
            limit_memory(pid, memory, &log);
        }
        let (input, texts) = sync_channel(WAITING_TEXTS);
        let (sender, lines) = sync_channel(WAITING_LINES);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let folder = Some((folder, listed));
        let program =
            Self { child: Some(child), pid, input, lines, log, before, ended: None, folder };
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(ProgramError::NoPipes(named.into()));
        };
        let (spoken, written) = (program.log.clone(), program.log.clone());
        spawn("program input", move || write_texts(stdin, &texts))
            .and_then(|_| {
                spawn("program output", move || {
                    read_lines(stdout, |ReadLine { text, .. }| {
                        spoken.add(LogSource::Output, &text);
                        sender.send(text).is_ok()
                    });
                })
            })
            .and_then(|_| {
                spawn("program errors", move || {
                    read_lines(stderr, |line| {
                        written.add(LogSource::Error, &line.text);
                        true
                    });
                })
            })
            .map_err(fail)?;
        Ok(program)
    }

    /// A folder for its files, which is removed when it has ended.
    pub fn folder(&self) -> &Path {
        self.folder.as_ref().map_or(Path::new(""), |(folder, _)| folder.path())
    }

    /// Sends some lines, each with its end. Returns at once.
    ///
    /// # Errors
    /// If it has not read what it was sent long before. Whether it reads this is not known.
    pub fn send(&mut self, text: &str) -> Result<(), ProgramError> {
        for line in text.lines() {
            self.log.add(LogSource::Sent, line);
        }
        match self.input.try_send(text.to_owned()) {
            Err(TrySendError::Full(_)) => Err(ProgramError::NotReading),
            // What became of a program that has closed its input is learnt by listening to it.
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
        }
    }

    /// Waits for its next line, at most so long.
    pub fn receive(&mut self, wait: Duration) -> Received {
        let began = Instant::now();
        loop {
            let left = wait.saturating_sub(began.elapsed());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) => return Received::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Received::Ended(self.ending()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.ended.is_none() && has_exited(self.pid) {
                // Whoever still holds its output would keep us waiting.
                let _ = kill_process_group(self.pid, Signal::KILL);
                self.ended = Some(Instant::now());
            }
            if self.ended.is_some_and(|ended| ended.elapsed() >= LAST_LINES) {
                return Received::Ended(self.ending());
            }
            if left.is_zero() {
                return Received::Nothing;
            }
        }
    }

    /// How it ended, in words, with the last that it wrote to its standard error.
    fn ending(&self) -> String {
        let lines = self.log.since(self.before);
        let last = lines.iter().rfind(|line| line.source == LogSource::Error);
        let words = last.map(|line| format!("; its last error: {}", line.text));
        self.exit() + &words.unwrap_or_default()
    }

    fn exit(&self) -> String {
        wait_for_exit(self.pid, LAST_LINES);
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let Ok(Some(status)) = waitid(WaitId::Pid(self.pid), options) else {
            return "it closed its output".into();
        };
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => format!("it ended by itself with exit code {code}"),
            (None, Some(signal)) => format!("it crashed or was killed (signal {signal})"),
            (None, None) => "it ended".into(),
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let Some(child) = self.child.take() else { return };
        let (pid, folder) = (self.pid, self.folder.take());
        // The writer closes the program's input when nothing more can come.
        let (gone, _) = sync_channel(1);
        self.input = gone;
        let (_, gone) = sync_channel(1);
        self.lines = gone;
        let reaped = spawn("program end", move || {
            wait_for_exit(pid, FAREWELL);
            reap(child, pid);
            drop(folder);
        });
        if reaped.is_err() {
            // Without a thread it is at least killed.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}

/// A program of the machine that works for this one, without being spoken to. Dropping it kills it with all
/// processes of its group, and so does the end of this program.
pub(in crate::platform) struct Helper {
    /// Taken only when it has ended.
    child: Option<Child>,
    pid: Pid,
}

impl Helper {
    /// Starts it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(mut command: Command) -> std::io::Result<Self> {
        command.process_group(0);
        #[cfg(target_os = "linux")]
        die_with_this(&mut command);
        let child = start_child(command)?;
        Ok(Self { pid: Pid::from_child(&child), child: Some(child) })
    }

    /// Its standard input, if it was given a pipe and nobody has taken it.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.as_mut()?.stdin.take()
    }

    /// Waits until it has ended; returns whether it says that all went well.
    pub fn wait(&mut self) -> bool {
        let Some(mut child) = self.child.take() else { return false };
        // Not reaped yet, as in `reap`: who ends this program meanwhile must not kill another one.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(self.pid), options), Err(rustix::io::Errno::INTR)) {}
        let mut live = live();
        let _ = kill_process_group(self.pid, Signal::KILL);
        let ended = child.wait();
        live.retain(|other| *other != self.pid);
        ended.is_ok_and(|status| status.success())
    }

    /// Whether it is among those that [`kill_all`] kills.
    #[cfg(test)]
    pub fn is_killed_at_the_end(&self) -> bool {
        live().contains(&self.pid)
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            reap(child, self.pid);
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

/// A program to start, and who wants it.
type Order = (Command, Sender<std::io::Result<Child>>);

/// Starts a program on a thread that lives as long as this program, so that the system kills no child
/// earlier.
fn start_child(command: Command) -> std::io::Result<Child> {
    static ORDERS: Mutex<Option<Sender<Order>>> = Mutex::new(None);
    let (sender, started) = channel();
    {
        let mut orders = ORDERS.lock().unwrap_or_else(PoisonError::into_inner);
        let orders = match &mut *orders {
            Some(orders) => orders,
            none => {
                let (sender, receiver) = channel::<Order>();
                spawn("programs", move || {
                    for (mut command, wanted) in receiver {
                        let _ = wanted.send(spawn_child(&mut command));
                    }
                })?;
                none.insert(sender)
            }
        };
        // A thread that has ended answers nobody.
        let _ = orders.send((command, sender));
    }
    started.recv().unwrap_or_else(|error| Err(std::io::Error::other(error)))
}

/// A file that another thread has just written may be busy for a moment.
fn spawn_child(command: &mut Command) -> std::io::Result<Child> {
    const TRIES: u32 = 40;
    let mut tries = 0;
    loop {
        // Held, so that none is started once all are killed.
        let mut live = live();
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && tries < TRIES => {
                drop(live);
                tries += 1;
                sleep(Duration::from_millis(25));
            }
            Ok(child) => {
                live.push(Pid::from_child(&child));
                return Ok(child);
            }
            error => return error,
        }
    }
}

#[cfg(target_os = "linux")]
fn limit_memory(pid: Pid, bytes: u64, log: &ProgramLog) {
    use rustix::process::{Resource, Rlimit, prlimit};
    let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
    let note = match prlimit(Some(pid), Resource::Data, limit) {
        Ok(_) => format!("each of its processes may use {} MiB of memory", bytes >> 20),
        Err(error) => format!("its memory cannot be limited: {error}"),
    };
    log.add(LogSource::Note, &note);
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_pid: Pid, _bytes: u64, log: &ProgramLog) {
    log.add(
        LogSource::Note,
        "its memory is not limited: this system cannot limit a running program",
    );
}

/// Whether a child has ended; it stays to be reaped.
fn has_exited(pid: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

fn wait_for_exit(pid: Pid, most: Duration) {
    let began = Instant::now();
    while !has_exited(pid) && began.elapsed() < most {
        sleep(Duration::from_millis(5));
    }
}

/// Kills a group and takes its leader off the system's list.
fn reap(mut child: Child, pid: Pid) {
    // The leader is not reaped yet, so the number of the group is still its own.
    let _ = kill_process_group(pid, Signal::KILL);
    wait_for_exit(pid, DYING);
    let mut live = live();
    if has_exited(pid) {
        // A process that was being forked at the first blow is hit by the second.
        let _ = kill_process_group(pid, Signal::KILL);
        let _ = child.wait();
    }
    live.retain(|other| *other != pid);
}

/// Kills all programs that still run, for the end of this one; those that nobody needs any more get
/// half a second to end by themselves.
pub fn end_all() {
    let wait = |most: Duration| {
        let began = Instant::now();
        while !live().is_empty() && began.elapsed() < most {
            sleep(Duration::from_millis(5));
        }
    };
    wait(FAREWELL * 2);
    for pid in live().iter() {
        let _ = kill_process_group(*pid, Signal::KILL);
    }
    wait(FAREWELL);
}

/// Kills all programs that still run, now; no other one can be started afterwards. This program must
/// end then.
pub fn kill_all() {
    let Some(live) = lock_within(&LIVE, PATIENCE) else { return };
    let kill = || {
        for pid in live.iter() {
            let _ = kill_process_group(*pid, Signal::KILL);
        }
    };
    kill();
    let began = Instant::now();
    while !live.iter().all(|pid| has_exited(*pid)) && began.elapsed() < PATIENCE {
        sleep(Duration::from_millis(5));
    }
    // As in `reap`.
    kill();
    std::mem::forget(live);
}

/// Writes texts until nobody sends any or the program does not take them.
fn write_texts(mut stdin: impl Write, texts: &Receiver<String>) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}
