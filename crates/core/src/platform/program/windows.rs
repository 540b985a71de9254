//! Processes of Windows: each program is in a job of its own, which its children cannot leave.

use super::ProgramLimits;
use super::group::{Exit, Pipes};
use super::isolation::MOST_PROCESSES;
use crate::platform::time::{Duration, sleep};
use process_wrap::std::{ChildWrapper, CommandWrap, CommandWrapper, CreationFlags, JobObject};
use std::fs::Metadata;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use windows::Win32::Foundation::HANDLE;
use windows::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_JOB_MEMORY,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation, SetInformationJobObject,
};
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

/// Whether somebody may run a file: here that is known only when it is started.
pub(super) fn may_run(_file: &Metadata) -> bool {
    true
}

/// The first process of a job.
pub(super) struct Leader {
    id: u32,
    child: Mutex<Box<dyn ChildWrapper>>,
    /// The system kills what is in it when it is closed, at the latest when this program ends.
    job: Arc<Mutex<Option<OwnedHandle>>>,
}

impl Leader {
    /// Starts a command in a new job.
    ///
    /// # Errors
    /// If the system cannot start it.
    pub fn start(
        command: Command,
        limits: Option<ProgramLimits>,
    ) -> std::io::Result<(Self, Pipes)> {
        let job = Arc::default();
        let mut command = CommandWrap::from(command);
        // No console opens for it. `JobObject` starts it, halted, and lets it go when it is in its job.
        command.wrap(CreationFlags(CREATE_NO_WINDOW));
        command.wrap(Limits { limits, job: Arc::clone(&job) }).wrap(JobObject);
        let mut child = command.spawn()?;
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        Ok((Self { id: child.id(), child: Mutex::new(child), job }, pipes))
    }

    fn child(&self) -> MutexGuard<'_, Box<dyn ChildWrapper>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Whether it has ended.
    pub fn has_exited(&self) -> bool {
        !matches!(self.child().try_wait(), Ok(None))
    }

    /// Waits until it has ended.
    pub fn wait(&self) {
        // Not by the child's own `wait`, which would keep others from killing it.
        while !self.has_exited() {
            sleep(Duration::from_millis(5));
        }
    }

    /// How it has ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        let code = self.child().try_wait().ok().flatten()?.code()?;
        // Codes of this form are the system's own, for errors.
        match code.cast_unsigned() >> 30 {
            3 => Some(Exit::Crash(format!("{code:#X}"))),
            _ => Some(Exit::Code(code)),
        }
    }

    /// Kills all that is in its job.
    pub fn kill(&self) {
        let _ = self.child().start_kill();
    }

    /// Closes its job, which is the end of whatever is still in it.
    pub fn reap(&self) {
        self.job.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// Limits a program before it begins.
#[derive(Debug)]
struct Limits {
    limits: Option<ProgramLimits>,
    job: Arc<Mutex<Option<OwnedHandle>>>,
}

impl CommandWrapper for Limits {
    fn post_spawn(
        &mut self,
        _command: &mut Command,
        child: &mut Child,
        _core: &CommandWrap,
    ) -> std::io::Result<()> {
        let job = limited_job(child, self.limits).inspect_err(|_| {
            let _ = child.kill();
        })?;
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(job);
        Ok(())
    }
}

/// A job with limits that holds a process, and ends it when it is closed.
#[expect(unsafe_code, reason = "the system's own calls; no library sets these limits")]
fn limited_job(child: &Child, limits: Option<ProgramLimits>) -> std::io::Result<OwnedHandle> {
    let mut wanted = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    let basic = &mut wanted.BasicLimitInformation;
    // Without a box that reports a crash and waits for someone to click.
    basic.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    if let Some(limits) = limits {
        basic.LimitFlags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
        basic.ActiveProcessLimit = MOST_PROCESSES;
        if let Some(memory) = limits.memory {
            basic.LimitFlags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
            wanted.JobMemoryLimit = usize::try_from(memory).unwrap_or(usize::MAX);
        }
    }
    // SAFETY: the first call gives a handle that nobody else owns. Of the others, each gets handles that are open
    // and a structure of the kind and size that it is told.
    unsafe {
        let job = CreateJobObjectW(None, None)?;
        let owned = OwnedHandle::from_raw_handle(job.0);
        SetInformationJobObject(
            job,
            JobObjectExtendedLimitInformation,
            (&raw const wanted).cast(),
            size_of_val(&wanted) as u32,
        )?;
        AssignProcessToJobObject(job, HANDLE(child.as_raw_handle()))?;
        Ok(owned)
    }
}
