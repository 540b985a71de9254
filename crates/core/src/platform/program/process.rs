//! A program that is spoken to by lines.

#[cfg(target_os = "linux")]
use super::family;
use super::group::{Exit, FAREWELL, Group, LAST_LINES};
use super::isolation::Isolation;
#[cfg(target_os = "linux")]
use super::isolation::MOST_PROCESSES;
use super::lines::{ReadLine, read_lines, read_long_lines};
use super::log::CurrentLog;
use super::{
    AllowedProgram, HeardLine, LogSource, ProgramError, ProgramLimits, ProgramLog, Received,
};
use crate::platform::task::{JoinHandle, spawn};
use crate::platform::temporary::Listed;
use crate::platform::time::{Duration, Instant, sleep};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock};
#[cfg(target_os = "linux")]
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// Texts that may wait until the program reads them.
const WAITING_TEXTS: usize = 16;
/// How often a program is looked at whether it still runs.
const LOOK: Duration = Duration::from_millis(50);

/// How often it is looked whether a program uses up too much.
#[cfg(target_os = "linux")]
const WATCH: Duration = Duration::from_millis(250);

/// A running program. Dropping it lets the program read what it was sent, closes its input, and soon
/// afterwards kills it with all processes of its group (on Windows, of its job).
///
/// On Linux processes that have left the group (`setsid`) are found by their parents and by a mark in their
/// environment, and the program itself, but not its children, is also killed if this one is. No process leaves a job of
/// Windows, and all are killed if this one is. On macOS those that have left the group are beyond reach.
pub struct Program {
    group: Group,
    /// What its processes carry in their environment.
    mark: String,
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
    /// Taken only when it is dropped.
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
        let isolation = program.isolation();
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
        let before = log.written();
        let (listed, folder) = Listed::create(tempfile::tempdir, TempDir::path).map_err(fail)?;
        let (group, pipes) =
            Group::start(command, Some(limits), isolation.end(&mark)).map_err(fail)?;
        let runs = format!("{} runs as process {}", named.display(), group.id());
        log.add(LogSource::Note, &runs);
        if let Some(memory) = limits.memory {
            log.add(LogSource::Note, &memory_note(memory));
        }
        let (input, texts) = sync_channel(WAITING_TEXTS);
        let (sender, lines) = sync_channel(limits.waiting);
        let verdict = Arc::new(OnceLock::new());
        let mut program = Self {
            #[cfg(target_os = "linux")]
            processes: Arc::new(Mutex::new(vec![group.pid().as_raw_nonzero().get()])),
            group,
            mark,
            input,
            lines,
            errors: None,
            verdict,
            log: CurrentLog::new(log),
            before,
            ended: None,
            folder: Some((folder, listed)),
        };
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(ProgramError::NoPipes(named));
        };
        let spoken = program.log.clone();
        let written = program.log.clone();
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
        let group = self.group.clone();
        let verdict = Arc::downgrade(&self.verdict);
        let known = Arc::clone(&self.processes);
        let watch = move || {
            loop {
                sleep(WATCH);
                // Until it is dropped its number is its own.
                let Some(verdict) = verdict.upgrade() else { return };
                let (processes, bytes) = family::size(group.pid());
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
                group.kill();
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
            if self.ended.is_none() && self.group.has_exited() {
                // Whoever still holds its output would keep us waiting.
                self.group.kill();
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
        self.group.wait_at_most(LAST_LINES);
        matches!(self.group.exit(), Some(Exit::Code(0)))
    }

    /// How it ended, in words, with what it wrote last to its standard error.
    fn ending(&self) -> String {
        let exit = self.exit();
        self.read_last_errors();
        let words = self.log.get().last_error(self.before);
        exit + &words.map(|error| format!("; its last error: {error}")).unwrap_or_default()
    }

    /// Waits until all that it wrote to its standard error is in the log, for a short while at most.
    fn read_last_errors(&self) {
        let began = Instant::now();
        let is_read = || self.errors.as_ref().is_none_or(JoinHandle::is_finished);
        while !is_read() && began.elapsed() < LAST_LINES {
            sleep(Duration::from_millis(5));
        }
    }

    fn exit(&self) -> String {
        self.group.wait_at_most(LAST_LINES);
        if let Some(why) = self.verdict.get() {
            return why.clone();
        }
        match self.group.exit() {
            Some(Exit::Code(code)) => format!("it ended by itself with exit code {code}"),
            Some(Exit::Crash(how)) => format!("it crashed or was killed ({how})"),
            None => "it closed its output".into(),
        }
    }

    /// Lets it end, and waits until it is gone and its last lines are in the log.
    pub fn finish(mut self) {
        if let Some(end) = self.end() {
            let _ = end.join();
        }
        self.read_last_errors();
    }

    /// Kills it now with all that it started, and waits until they are gone.
    pub fn kill(mut self) {
        self.group.kill();
        if let Some(end) = self.end() {
            let _ = end.join();
        }
    }

    /// Lets it end on a thread, unless that was done before.
    fn end(&mut self) -> Option<JoinHandle<()>> {
        let folder = self.folder.take()?;
        // The writer closes the program's input when nothing more can come.
        let (gone, _) = sync_channel(1);
        self.input = gone;
        let (_, gone) = sync_channel(1);
        self.lines = gone;
        let group = self.group.clone();
        let mark = std::mem::take(&mut self.mark);
        let verdict = Arc::clone(&self.verdict);
        let ended = spawn("program end", move || {
            group.wait_at_most(FAREWELL);
            // Nobody watches any more when its number is given to others.
            drop(verdict);
            #[cfg(target_os = "linux")]
            family::kill_family(group.pid(), &mark);
            #[cfg(not(target_os = "linux"))]
            drop(mark);
            group.end();
            drop(folder);
        });
        if ended.is_err() {
            // Without a thread it is at least killed.
            self.group.kill();
        }
        ended.ok()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

fn memory_note(bytes: u64) -> String {
    let mib = bytes >> 20;
    match std::env::consts::OS {
        "linux" => format!("each of its processes may use {mib} MiB of memory"),
        "windows" => format!("its processes together may use {mib} MiB of memory"),
        _ => "its memory is not limited: this system cannot limit a program".into(),
    }
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

/// Writes texts until nobody sends any or the program does not take them.
fn write_texts(mut stdin: impl Write, texts: &Receiver<String>) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}
