//! A child process in a process group of its own.

#[cfg(target_os = "linux")]
use super::family;
use super::isolation::{Isolation, MOST_PROCESSES};
use super::lines::{ReadLine, read_lines, read_long_lines};
use super::log::CurrentLog;
use super::{
    AllowedProgram, HeardLine, LogSource, ProgramError, ProgramLimits, ProgramLog, Received,
};
use crate::platform::task::{JoinHandle, lock_within, spawn};
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
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tempfile::TempDir;

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

/// How often it is looked whether a program uses up too much.
#[cfg(target_os = "linux")]
const WATCH: Duration = Duration::from_millis(250);

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
/// On Linux processes that have left the group (`setsid`) are found by their parents and by a mark in their
/// environment, and the program itself, but not its children, is also killed if this one is. Elsewhere they are beyond
/// reach.
pub struct Program {
    /// Taken only when it is dropped.
    child: Option<Child>,
    pid: Pid,
    /// What its processes carry in their environment.
    mark: String,
    isolation: Isolation,
    input: SyncSender<String>,
    lines: Receiver<HeardLine>,
    /// Reads its standard error.
    errors: Option<JoinHandle<()>>,
    /// Why it was killed, if it was for what it used up.
    verdict: Arc<OnceLock<String>>,
    /// Its processes when they were looked at last.
    #[cfg(target_os = "linux")]
    processes: Arc<Mutex<Vec<i32>>>,
    log: CurrentLog,
    /// Lines of the log that are older than the program.
    before: u64,
    ended: Option<Instant>,
    folder: Option<(TempDir, Listed)>,
}

impl Program {
    /// Starts a program in the [folder of its command](super::ProgramCommand::folder).
    ///
    /// # Errors
    /// Why it cannot be started.
    pub fn start(
        program: &AllowedProgram,
        limits: ProgramLimits,
        log: ProgramLog,
    ) -> Result<Self, ProgramError> {
        let inner = program.read()?;
        let isolation = program.isolation().clone();
        let named = inner.file.clone();
        if !matches!(isolation, Isolation::Docker(_) | Isolation::Podman(_)) {
            inner.check()?;
        }
        let fail = |error: std::io::Error| ProgramError::NotStarted {
            path: named.clone(),
            why: error.to_string(),
        };
        let mark = new_mark();
        let mut command = isolation.command(&inner, limits, &mark, program.is_build())?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        let before = log.written();
        #[cfg(target_os = "linux")]
        {
            limit_use(&mut command, limits);
            die_with_this(&mut command);
        }
        let (listed, folder) = Listed::create(tempfile::tempdir, TempDir::path).map_err(fail)?;
        let mut child = start_child(command).map_err(fail)?;
        let pid = Pid::from_child(&child);
        log.add(LogSource::Note, &format!("{} runs as process {pid}", named.display()));
        if let Some(memory) = limits.memory {
            log.add(LogSource::Note, &memory_note(memory));
        }
        let (input, texts) = sync_channel(WAITING_TEXTS);
        let (sender, lines) = sync_channel(limits.waiting);
        let verdict = Arc::new(OnceLock::new());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let folder = Some((folder, listed));
        let mut program = Self {
            child: Some(child),
            pid,
            mark,
            isolation,
            input,
            lines,
            errors: None,
            verdict,
            #[cfg(target_os = "linux")]
            processes: Arc::new(Mutex::new(vec![pid.as_raw_nonzero().get()])),
            log: CurrentLog::new(log),
            before,
            ended: None,
            folder,
        };
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(ProgramError::NoPipes(named));
        };
        let (spoken, written) = (program.log.clone(), program.log.clone());
        program.errors = spawn("program input", move || write_texts(stdin, &texts))
            .and_then(|_| {
                spawn("program output", move || {
                    read_long_lines(stdout, limits.line, |ReadLine { text, is_cut }| {
                        let at = Instant::now();
                        spoken.get().add(LogSource::Output, &text);
                        sender.send(HeardLine { text, is_cut, at }).is_ok()
                    });
                })
            })
            .and_then(|_| {
                spawn("program errors", move || {
                    read_lines(stderr, |line| {
                        written.get().add(LogSource::Error, &line.text);
                        true
                    });
                })
            })
            .map(Some)
            .map_err(fail)?;
        #[cfg(target_os = "linux")]
        program.watch(limits.memory).map_err(fail)?;
        Ok(program)
    }

    /// Kills it when it uses up too much, as long as it runs.
    #[cfg(target_os = "linux")]
    fn watch(&self, memory: Option<u64>) -> std::io::Result<()> {
        let (pid, verdict) = (self.pid, Arc::downgrade(&self.verdict));
        let known = Arc::clone(&self.processes);
        let watch = move || {
            loop {
                sleep(WATCH);
                // Until it is dropped its number is its own.
                let Some(verdict) = verdict.upgrade() else { return };
                let (processes, bytes) = family::size(pid);
                let why = match memory {
                    _ if processes.len() > MOST_PROCESSES as usize => {
                        format!("it was ended: it started more than {MOST_PROCESSES} processes")
                    }
                    Some(most) if bytes > most => format!(
                        "it was ended: its processes used more than {} MiB of memory",
                        most >> 20
                    ),
                    _ => {
                        *known.lock().unwrap_or_else(PoisonError::into_inner) = processes;
                        continue;
                    }
                };
                let _ = verdict.set(why);
                let _ = kill_process_group(pid, Signal::KILL);
                return;
            }
        };
        spawn("program watch", watch).map(|_| ())
    }

    /// How long its threads have waited for a processor so far, if that is known.
    pub fn waited_for_processor(&self) -> Option<Duration> {
        #[cfg(target_os = "linux")]
        return Some(family::waited(
            &self.processes.lock().unwrap_or_else(PoisonError::into_inner),
        ));
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// A folder for its files, which is removed when it has ended.
    pub fn folder(&self) -> &Path {
        self.folder.as_ref().map_or(Path::new(""), |(folder, _)| folder.path())
    }

    /// Writes into another log from now on.
    pub fn log_to(&mut self, log: ProgramLog) {
        self.before = log.written();
        self.log.set(log);
    }

    /// Sends some lines, each with its end. Returns at once.
    ///
    /// # Errors
    /// If it has not read what it was sent long before. Whether it reads this is not known.
    pub fn send(&mut self, text: &str) -> Result<(), ProgramError> {
        let log = self.log.get();
        for line in text.lines() {
            log.add(LogSource::Sent, line);
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

    /// Whether it has ended by itself with exit code 0.
    pub fn succeeded(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        wait_for_exit(self.pid, LAST_LINES);
        let status = waitid(WaitId::Pid(self.pid), options).ok().flatten();
        status.is_some_and(|status| status.exit_status() == Some(0))
    }

    /// How it ended, in words, with what it wrote last to its standard error.
    fn ending(&self) -> String {
        let exit = self.exit();
        let began = Instant::now();
        let is_read = || self.errors.as_ref().is_none_or(JoinHandle::is_finished);
        while !is_read() && began.elapsed() < LAST_LINES {
            sleep(Duration::from_millis(5));
        }
        let words = self.log.get().last_error(self.before);
        exit + &words.map(|error| format!("; its last error: {error}")).unwrap_or_default()
    }

    fn exit(&self) -> String {
        wait_for_exit(self.pid, LAST_LINES);
        if let Some(why) = self.verdict.get() {
            return why.clone();
        }
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

    /// Kills it now with all that it started, and waits until they are gone.
    pub fn kill(mut self) {
        let _ = kill_process_group(self.pid, Signal::KILL);
        if let Some(end) = self.end() {
            let _ = end.join();
        }
    }

    /// Lets it end on a thread, unless that was done before.
    fn end(&mut self) -> Option<JoinHandle<()>> {
        let child = self.child.take()?;
        let (pid, folder) = (self.pid, self.folder.take());
        // The writer closes the program's input when nothing more can come.
        let (gone, _) = sync_channel(1);
        self.input = gone;
        let (_, gone) = sync_channel(1);
        self.lines = gone;
        let rest = self.isolation.end(&self.mark);
        let (mark, verdict) = (std::mem::take(&mut self.mark), Arc::clone(&self.verdict));
        let reaped = spawn("program end", move || {
            wait_for_exit(pid, FAREWELL);
            // Nobody watches any more when its number is given to others.
            drop(verdict);
            #[cfg(target_os = "linux")]
            family::kill_family(pid, &mark);
            #[cfg(not(target_os = "linux"))]
            drop(mark);
            reap(child, pid);
            if let Some(rest) = rest {
                let _ = Helper::start(quiet(rest)).map(|mut helper| helper.wait());
            }
            drop(folder);
        });
        if reaped.is_err() {
            // Without a thread it is at least killed.
            let _ = kill_process_group(pid, Signal::KILL);
        }
        reaped.ok()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.end();
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

#[cfg(target_os = "linux")]
fn memory_note(bytes: u64) -> String {
    format!("each of its processes may use {} MiB of memory", bytes >> 20)
}

#[cfg(not(target_os = "linux"))]
fn memory_note(_bytes: u64) -> String {
    "its memory is not limited: this system cannot limit a program".into()
}

/// A text that no other program carries in its environment.
fn new_mark() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::SystemTime;
    static STARTED: AtomicU32 = AtomicU32::new(0);
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("outwit-{}-{number}-{:x}", std::process::id(), since.as_nanos())
}

/// A command whose words nobody hears.
fn quiet(mut command: Command) -> Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
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
