//! Tasks in a common folder that several runs share, on one machine or on several.
//!
//! Whoever begins a task creates a file with the task's name, which only one can. The file holds the name of the run.
//! Each run shows that it lives by the time of a file of its own, so the tasks of one that was killed go to others.
//! Times are compared on the file system alone: the clocks of the machines need not agree.

use super::store::{StoreError, create_folder, modified, remove};
use super::task::process;
use super::time::{Duration, Instant};
use crate::play::Salt;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A run that has shown no life for so long is dead.
const SILENCE: Duration = Duration::from_secs(60);
/// How often a run shows that it lives.
const PULSE: Duration = Duration::from_secs(5);
/// More bytes than the name of a run has.
const LONGEST_NAME: u64 = 200;

/// A run that takes tasks from a folder. It ends with this value.
pub struct Claims {
    claims: PathBuf,
    workers: PathBuf,
    name: String,
    last_pulse: Mutex<Option<Instant>>,
}

/// Who has a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claimed {
    /// It is this run's now.
    Own,
    /// Another run has it, and lives.
    Taken,
    /// A run that has ended had it; it may have finished the task.
    Left(String),
}

impl Claims {
    /// Takes part in the tasks of a folder, which is created.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn join(folder: &Path) -> Result<Self, StoreError> {
        let claims = folder.join("claims");
        let workers = folder.join("workers");
        create_folder(&claims)?;
        create_folder(&workers)?;
        let dice = Salt::draw().map_err(|error| StoreError::new(folder, error))?.to_string();
        let name = format!("{}-{}-{}", machine(), process(), &dice[..8]);
        let own = Self { claims, workers, name, last_pulse: Mutex::new(None) };
        own.pulse()?;
        Ok(own)
    }

    /// The name of this run, which no other has.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Shows that this run lives; to be called more often than every 30 seconds. It costs nothing if it was called
    /// just before.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn pulse(&self) -> Result<(), StoreError> {
        let mut last = super::task::lock(&self.last_pulse);
        if last.is_some_and(|last| last.elapsed() < PULSE) {
            return Ok(());
        }
        let path = self.workers.join(&self.name);
        fs::write(&path, "alive\n").map_err(|error| StoreError::new(&path, error))?;
        *last = Some(Instant::now());
        Ok(())
    }

    /// Takes a task, whose name is a file name, unless another run has it.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn take(&self, task: &str) -> Result<Claimed, StoreError> {
        self.pulse()?;
        let path = self.claims.join(task);
        let fail = |error: std::io::Error| StoreError::new(&path, error);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(self.name.as_bytes()).map_err(fail).map(|()| Claimed::Own)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let mut owner = String::new();
                let read = File::open(&path)
                    .and_then(|file| file.take(LONGEST_NAME).read_to_string(&mut owner));
                match read {
                    // It was given up between the two looks.
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(Claimed::Taken),
                    Err(error) => Err(fail(error)),
                    Ok(_) if owner == self.name => Ok(Claimed::Taken),
                    Ok(_) if self.lives(&owner, &path) => Ok(Claimed::Taken),
                    Ok(_) => Ok(Claimed::Left(owner)),
                }
            }
            Err(error) => Err(fail(error)),
        }
    }

    /// Takes a task over from a run that has ended and has not finished it; whether that succeeded.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn take_over(&self, task: &str, from: &str) -> Result<bool, StoreError> {
        let path = self.claims.join(task);
        let aside = self.claims.join(format!("{task}.{}", self.name));
        // Only one can rename it; and it must still be the one that was looked at.
        match fs::rename(&path, &aside) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(StoreError::new(&path, error)),
            Ok(()) => {}
        }
        let owner = fs::read_to_string(&aside).unwrap_or_default();
        if owner != from {
            // Somebody else was faster and has it now.
            let put_back = fs::hard_link(&aside, &path);
            let _ = fs::remove_file(&aside);
            return put_back.map(|()| false).map_err(|error| StoreError::new(&path, error));
        }
        let _ = fs::remove_file(&aside);
        Ok(self.take(task)? == Claimed::Own)
    }

    /// Gives a task back that was not finished.
    pub fn give_back(&self, task: &str) {
        let _ = remove(&self.claims.join(task));
    }

    /// Whether the run of this name, which has this claim, still works.
    fn lives(&self, name: &str, claim: &Path) -> bool {
        let mut parts = name.rsplitn(3, '-');
        let _ = parts.next();
        let number = parts.next();
        let place = parts.next();
        if place == Some(&machine())
            && let Some(number) = number.and_then(|number| number.parse().ok())
            && !runs(number)
        {
            return false;
        }
        // A claim without a name is about to get one, or its run died at that moment.
        let sign = if name.is_empty() { claim.to_owned() } else { self.workers.join(name) };
        match (modified(&sign), modified(&self.workers.join(&self.name))) {
            (Some(then), Some(now)) => {
                // It fails if the sign is the younger one.
                now.duration_since(then).map_or(true, |silence| silence < SILENCE + PULSE)
            }
            _ => false,
        }
    }

    /// Whether any other run lives.
    pub fn has_company(&self) -> bool {
        let listed = super::store::list(&self.workers).unwrap_or_default();
        let names = listed.iter().filter_map(|path| path.file_name()?.to_str());
        names.filter(|name| *name != self.name).any(|name| self.lives(name, Path::new("")))
    }
}

impl Drop for Claims {
    fn drop(&mut self) {
        let _ = remove(&self.workers.join(&self.name));
    }
}

/// The name of this machine as far as it is known, made of letters and digits.
fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname")
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok())
        .unwrap_or_default();
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    if plain.is_empty() { "machine".into() } else { plain }
}

/// Whether a process of this machine runs; true where that is not known.
fn runs(process: u32) -> bool {
    match cfg!(target_os = "linux") && Path::new("/proc/self").exists() {
        true => Path::new("/proc").join(process.to_string()).exists(),
        false => true,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    /// Makes a run of this process look like one of another machine.
    fn move_away(claims: &mut Claims) {
        let there = format!("elsewhere-{}", claims.name);
        fs::rename(claims.workers.join(&claims.name), claims.workers.join(&there)).unwrap();
        claims.name = there;
    }

    #[test]
    fn a_task_has_one_owner() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) =
            (Claims::join(folder.path()).unwrap(), Claims::join(folder.path()).unwrap());
        assert_eq!(one.take("a").unwrap(), Claimed::Own);
        assert_eq!(one.take("a").unwrap(), Claimed::Taken);
        assert_eq!(two.take("a").unwrap(), Claimed::Taken);
        assert_eq!(two.take("b").unwrap(), Claimed::Own);
        assert!(one.has_company());
        one.give_back("a");
        assert_eq!(two.take("a").unwrap(), Claimed::Own);
    }

    #[test]
    fn tasks_of_a_run_that_ended_are_taken_over_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut gone = Claims::join(folder.path()).unwrap();
        move_away(&mut gone);
        let (one, two) =
            (Claims::join(folder.path()).unwrap(), Claims::join(folder.path()).unwrap());
        assert_eq!(gone.take("a").unwrap(), Claimed::Own);
        let name = gone.name.clone();
        assert_eq!(one.take("a").unwrap(), Claimed::Taken);
        drop(gone);
        assert_eq!(one.take("a").unwrap(), Claimed::Left(name.clone()));
        assert_eq!(two.take("a").unwrap(), Claimed::Left(name.clone()));
        assert!(one.take_over("a", &name).unwrap());
        assert!(!two.take_over("a", &name).unwrap(), "it has an owner");
        assert_eq!(two.take("a").unwrap(), Claimed::Taken);
    }

    #[test]
    fn a_run_that_shows_no_life_is_dead() {
        let folder = tempfile::tempdir().unwrap();
        let mut still = Claims::join(folder.path()).unwrap();
        move_away(&mut still);
        let one = Claims::join(folder.path()).unwrap();
        still.take("a").unwrap();
        let sign = File::options().write(true).open(still.workers.join(&still.name)).unwrap();
        let ago = |seconds| SystemTime::now() - Duration::from_secs(seconds);
        sign.set_modified(ago(50)).unwrap();
        assert_eq!(one.take("a").unwrap(), Claimed::Taken);
        sign.set_modified(ago(80)).unwrap();
        assert_eq!(one.take("a").unwrap(), Claimed::Left(still.name.clone()));
        assert!(!one.has_company());
        // The clock of the file system may have gone back.
        sign.set_modified(SystemTime::now() + Duration::from_secs(80)).unwrap();
        assert_eq!(one.take("a").unwrap(), Claimed::Taken);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_is_gone_is_dead_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let one = Claims::join(folder.path()).unwrap();
        let gone = format!("{}-{}-abc", machine(), u32::MAX - 7);
        fs::write(one.workers.join(&gone), "").unwrap();
        fs::write(one.claims.join("a"), &gone).unwrap();
        assert_eq!(one.take("a").unwrap(), Claimed::Left(gone));
        // A torn claim belongs to somebody for a while.
        fs::write(one.claims.join("b"), "").unwrap();
        assert_eq!(one.take("b").unwrap(), Claimed::Taken);
    }
}
