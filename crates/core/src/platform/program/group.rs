//! Programs that this one has started, each with all that it starts itself.

#[cfg(unix)]
use super::unix::{Leader, may_run};
#[cfg(windows)]
use super::windows::{Leader, may_run};
use super::{ProgramError, ProgramLimits};
use crate::platform::task::{lock_within, spawn};
use crate::platform::time::{Duration, Instant, sleep};
use std::io::ErrorKind;
use std::ops::Deref;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How long a program that has ended may leave its last lines to be read.
pub(super) const LAST_LINES: Duration = Duration::from_millis(500);
/// How long a program may take to end by itself once nobody needs it.
pub(super) const FAREWELL: Duration = Duration::from_millis(500);
/// How long all that run are waited for before this program ends without them.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a killed process may take to go.
const DYING: Duration = Duration::from_secs(5);

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
        Ok(found) if !may_run(&found) => Err(ProgramError::NotExecutable(path.into())),
        Ok(_) => Ok(()),
    }
}

/// Those that have not been reaped, so that their numbers cannot mean others.
static LIVE: Mutex<Vec<Group>> = Mutex::new(Vec::new());

fn live() -> MutexGuard<'static, Vec<Group>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The input, the output and the errors of a program, as far as it was given pipes.
pub(super) type Pipes = (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>);

/// How a program has ended.
pub(super) enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a fault of its own or a blow of others, in the system's words.
    Crash(String),
}

/// A running program with its processes. Clones are the same program.
#[derive(Clone)]
pub(super) struct Group(Arc<Inner>);

struct Inner {
    leader: Leader,
    cleanup: Mutex<Cleanup>,
}

/// What ends that part of a program that is not among its processes, such as a container.
enum Cleanup {
    Unneeded,
    Waiting(Command),
    Running(Child),
}

impl Deref for Group {
    type Target = Leader;

    fn deref(&self) -> &Leader {
        &self.0.leader
    }
}

impl Group {
    /// Starts a command with some pipes. `cleanup` is started when the program is killed or has ended, and runs to
    /// its own end even if this program ends before.
    ///
    /// # Errors
    /// If the system cannot start it.
    pub fn start(
        command: Command,
        limits: Option<ProgramLimits>,
        cleanup: Option<Command>,
    ) -> std::io::Result<(Self, Pipes)> {
        // Linux kills a child when the thread ends that has started it.
        static ORDERS: Mutex<Option<Sender<Order>>> = Mutex::new(None);
        let (wanted, started) = channel();
        {
            let mut orders = ORDERS.lock().unwrap_or_else(PoisonError::into_inner);
            let orders = match &mut *orders {
                Some(orders) => orders,
                none => {
                    let (sender, receiver) = channel::<Order>();
                    spawn("programs", move || receiver.into_iter().for_each(Order::carry_out))?;
                    none.insert(sender)
                }
            };
            // A thread that has ended answers nobody.
            let cleanup = cleanup.map_or(Cleanup::Unneeded, Cleanup::Waiting);
            let _ = orders.send(Order { command, limits, cleanup, wanted });
        }
        started.recv().unwrap_or_else(|error| Err(std::io::Error::other(error)))
    }

    /// Waits until it has ended, at most so long.
    pub fn wait_at_most(&self, most: Duration) {
        let began = Instant::now();
        while !self.has_exited() && began.elapsed() < most {
            sleep(Duration::from_millis(5));
        }
    }

    /// Kills it.
    pub fn kill(&self) {
        self.0.leader.kill();
        let mut cleanup = self.cleanup();
        if let Cleanup::Waiting(command) = &mut *cleanup {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            // Keys that end this program at a terminal do not reach it.
            #[cfg(unix)]
            std::os::unix::process::CommandExt::process_group(command, 0);
            *cleanup = command.spawn().map_or(Cleanup::Unneeded, Cleanup::Running);
        }
    }

    fn cleanup(&self) -> MutexGuard<'_, Cleanup> {
        self.0.cleanup.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills it, forgets it, and waits until nothing of it is left.
    pub fn end(&self) {
        self.kill();
        self.wait_at_most(DYING);
        {
            // Held, so that who ends this program meanwhile does not kill another one.
            let mut live = live();
            if self.has_exited() {
                self.reap();
            }
            live.retain(|other| !Arc::ptr_eq(&other.0, &self.0));
        }
        if let Cleanup::Running(child) = &mut *self.cleanup() {
            let _ = child.wait();
        }
    }
}

/// A program to start, and who wants it.
struct Order {
    command: Command,
    limits: Option<ProgramLimits>,
    cleanup: Cleanup,
    wanted: Sender<std::io::Result<(Group, Pipes)>>,
}

impl Order {
    fn carry_out(self) {
        // Held, so that none is started once all are killed.
        let mut live = live();
        let started = Leader::start(self.command, self.limits).map(|(leader, pipes)| {
            let group = Group(Arc::new(Inner { leader, cleanup: Mutex::new(self.cleanup) }));
            live.push(group.clone());
            (group, pipes)
        });
        let _ = self.wanted.send(started);
    }
}

/// A program of the machine that works for this one, without being spoken to. Dropping it kills it with all
/// processes of its group, and so does the end of this program.
pub(in crate::platform) struct Helper {
    group: Group,
    input: Option<ChildStdin>,
}

impl Helper {
    /// Starts it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: Command) -> std::io::Result<Self> {
        let (group, (input, _, _)) = Group::start(command, None, None)?;
        Ok(Self { group, input })
    }

    /// Its standard input, if it was given a pipe and nobody has taken it.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.input.take()
    }

    /// Waits until it has ended; returns whether it says that all went well.
    pub fn wait(&mut self) -> bool {
        self.group.wait();
        let went_well = matches!(self.group.exit(), Some(Exit::Code(0)));
        self.group.end();
        went_well
    }

    /// Whether it is among those that [`kill_all`] kills.
    #[cfg(all(test, unix))]
    pub fn is_killed_at_the_end(&self) -> bool {
        live().iter().any(|other| Arc::ptr_eq(&other.0, &self.group.0))
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.group.end();
    }
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
    for group in live().iter() {
        group.kill();
    }
    wait(FAREWELL);
}

/// Kills all programs that still run, now; no other one can be started afterwards. This program must
/// end then.
pub fn kill_all() {
    let Some(live) = lock_within(&LIVE, PATIENCE) else { return };
    for group in live.iter() {
        group.kill();
    }
    let began = Instant::now();
    while !live.iter().all(|group| group.has_exited()) && began.elapsed() < PATIENCE {
        sleep(Duration::from_millis(5));
    }
    // A process that was being forked at the first blow is hit by the second.
    for group in live.iter() {
        group.kill();
    }
    std::mem::forget(live);
}
