//! Unsaved work: written to a backup file while the user edits, and offered again after a crash.
//!
//! Each open editor has its own draft, `ID.ron`, and holds a lock on `ID.lock` while it runs. A draft
//! whose lock is free was abandoned. Level files are never written from here.

use super::files::LevelPath;
use super::kept_steps::{KeptStep, kept};
use super::model::EditorModel;
use outwit_core::levels;
use outwit_core::levels::StoreError;
use outwit_core::platform::news::{Receiver, Sender, channel};
use outwit_core::platform::store;
use outwit_core::platform::store::Lock;
use outwit_core::platform::task::{JoinHandle, process, spawn};
use outwit_core::platform::time::{SystemTime, UNIX_EPOCH};
use outwit_kit::{DynGame, LevelDraft};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The content of a backup file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecoveredDraft {
    /// Id of the game.
    pub game: String,
    /// The level's own file, if it has one whose name is Unicode text.
    pub file: Option<PathBuf>,
    /// The bytes of the file's path where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<Vec<u8>>,
    /// Digest of that file when the editor last read or wrote it.
    pub known: Option<u64>,
    /// The level file as it would be saved.
    pub level: String,
    /// The last steps that led to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<KeptStep>,
}

impl RecoveredDraft {
    /// The level's own file as the editor knew it.
    pub fn origin(&self) -> Option<LevelPath> {
        let path = self.file.clone().or_else(|| path_of_bytes(self.file_bytes.as_deref()?))?;
        Some(LevelPath { path, known: self.known.unwrap_or_default() })
    }
}

/// The path with these bytes; only Unix has paths that are not text.
#[cfg(unix)]
fn path_of_bytes(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes.to_vec()).into())
}

#[cfg(not(unix))]
fn path_of_bytes(_: &[u8]) -> Option<PathBuf> {
    None
}

/// A state of the work that is to be written to the backup file.
struct Snapshot {
    kind: &'static dyn DynGame,
    draft: LevelDraft,
    steps: Vec<KeptStep>,
    origin: Option<LevelPath>,
}

enum Job {
    Write(Box<Snapshot>),
    Forget,
    Flush(Sender<()>),
}

/// Writes the backup file on a thread of its own. Dropping it waits until all is written.
pub struct Autosave {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    failure: Arc<Mutex<Option<String>>>,
    draft: PathBuf,
    lock: Option<Lock>,
}

fn lock_of(draft: &Path) -> PathBuf {
    draft.with_extension("lock")
}

impl Autosave {
    /// Starts a new draft in this folder.
    ///
    /// # Errors
    /// If the folder or the lock cannot be created.
    pub fn begin(folder: &Path) -> Result<Self, StoreError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let draft = folder.join(format!("{now:x}-{:x}.ron", process()));
        store::create_folder(folder)?;
        let file = lock_of(&draft);
        let lock = Lock::take(&file)?.ok_or_else(|| StoreError::new(&file, "already in use"))?;
        Ok(Self::with_draft(draft, Some(lock)))
    }

    fn with_draft(draft: PathBuf, lock: Option<Lock>) -> Self {
        let (jobs, todo) = channel();
        let failure = Arc::new(Mutex::new(None));
        let own = draft.clone();
        let said = Arc::clone(&failure);
        let thread = spawn("autosave", move || work(&own, &todo, &said));
        if let Err(error) = &thread {
            let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
            *failure = Some(format!("Automatic backup does not work: {error}"));
        }
        Self { jobs: Some(jobs), thread: thread.ok(), failure, draft, lock }
    }

    /// Queues this state of the work for writing, and drops older states that are still waiting.
    pub fn note(&self, model: &EditorModel, origin: Option<&LevelPath>) {
        let kind = model.kind();
        self.send(Job::Write(Box::new(Snapshot {
            kind,
            draft: model.draft().clone(),
            steps: kept(model.history(), kind),
            origin: origin.cloned(),
        })));
    }

    /// Removes the backup file, because the work was saved or discarded.
    pub fn forget(&self) {
        self.send(Job::Forget);
    }

    /// Waits until everything queued is done.
    pub fn flush(&self) {
        let (done, receiver) = channel();
        self.send(Job::Flush(done));
        let _ = receiver.recv();
    }

    /// The error since the last call, if any.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The thread runs until this sender is dropped.
            let _ = jobs.send(job);
        }
    }
}

impl Drop for Autosave {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.lock = None;
        if !store::exists(&self.draft) {
            let _ = store::remove(&lock_of(&self.draft));
        }
    }
}

fn work(draft: &Path, todo: &Receiver<Job>, failure: &Mutex<Option<String>>) {
    while let Ok(first) = todo.recv() {
        // Only the last of the queued states counts.
        let mut waiting = vec![first];
        waiting.extend(todo.try_iter());
        let last = waiting.iter().rposition(|job| !matches!(job, Job::Flush(_)));
        let done = match last.map(|at| &waiting[at]) {
            Some(Job::Write(snapshot)) => write(draft, snapshot),
            Some(Job::Forget) => {
                remove(draft);
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(why) = done {
            *failure.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(format!("Automatic backup does not work: {why}. Save the level yourself."));
        }
        for job in waiting {
            if let Job::Flush(done) = job {
                let _ = done.send(());
            }
        }
    }
}

fn write(draft: &Path, snapshot: &Snapshot) -> Result<(), String> {
    let origin = snapshot.origin.as_ref();
    let path = origin.map(|origin| &origin.path);
    let is_text = |path: &&PathBuf| path.to_str().is_some();
    let text = levels::to_ron(&RecoveredDraft {
        game: snapshot.kind.id().into(),
        file: path.filter(is_text).cloned(),
        file_bytes: path
            .filter(|path| !is_text(path))
            .map(|path| path.as_os_str().as_encoded_bytes().to_vec()),
        known: origin.map(|origin| origin.known),
        level: snapshot.kind.text(&snapshot.draft),
        steps: snapshot.steps.clone(),
    })
    .map_err(|error| error.to_string())?;
    levels::write_readable(draft, text.as_bytes()).map_err(|error| error.to_string())
}

fn remove(draft: &Path) {
    let _ = store::remove(draft);
    let mut kept = draft.as_os_str().to_owned();
    kept.push("~");
    let _ = store::remove(Path::new(&kept));
}

/// Unsaved work of an editor that no longer runs. While this exists, no other copy of the program
/// offers it, unless its folder is read-only.
pub struct AbandonedDraft {
    /// Its content, or why it cannot be read.
    pub draft: Result<RecoveredDraft, String>,
    /// When it was last written.
    pub when: Option<SystemTime>,
    path: PathBuf,
    /// `None` where no lock can be had, as in a read-only folder.
    lock: Option<Lock>,
}

impl AbandonedDraft {
    /// Resumes it: from now on it is the editor's own draft.
    pub fn adopt(self) -> Autosave {
        Autosave::with_draft(self.path, self.lock)
    }

    /// Deletes the draft's file and releases its lock.
    pub fn discard(self) {
        remove(&self.path);
        drop(self.lock);
        let _ = store::remove(&lock_of(&self.path));
    }
}

/// The abandoned drafts in a folder, newest first.
pub fn abandoned(folder: &Path) -> Vec<AbandonedDraft> {
    let files = store::list(folder).unwrap_or_default();
    let mut found: Vec<AbandonedDraft> = files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "ron"))
        .filter_map(|path| {
            let lock = match Lock::take(&lock_of(&path)) {
                Ok(None) => return None,
                lock => lock.ok().flatten(),
            };
            let when = store::modified(&path);
            let draft =
                levels::read_file(&path).map_err(|error| error.to_string()).and_then(|bytes| {
                    levels::read_ron(&bytes).map_err(|fault| fault.in_file(&path.to_string_lossy()))
                });
            Some(AbandonedDraft { draft, when, path, lock })
        })
        .collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.when));
    remove_stale_locks(folder);
    found
}

/// Removes lock files without a draft.
fn remove_stale_locks(folder: &Path) {
    let files = store::list(folder).unwrap_or_default();
    for lock in files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "lock"))
    {
        if !store::exists(&lock.with_extension("ron")) && matches!(Lock::take(lock), Ok(Some(_))) {
            let _ = store::remove(lock);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::GAMES;
    use crate::editor::Field;

    #[test]
    fn unsaved_work_is_offered_until_it_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let kind = GAMES[0];
        let mut model = EditorModel::blank(kind, 12, 10);
        let autosave = Autosave::begin(folder.path()).unwrap();
        for name in ["One", "Two", "Three"] {
            model.set_text(Field::Name, name);
            autosave.note(&model, None);
        }
        autosave.flush();
        assert!(abandoned(folder.path()).is_empty(), "a draft that is in use is not offered");
        drop(autosave);
        let mut found = abandoned(folder.path());
        assert_eq!(found.len(), 1);
        assert!(abandoned(folder.path()).is_empty(), "nor is one that is being offered elsewhere");
        let found = found.remove(0);
        assert_eq!(found.draft.as_ref().unwrap().level, model.text());
        let autosave = found.adopt();
        autosave.forget();
        drop(autosave);
        assert!(abandoned(folder.path()).is_empty());
        assert!(store::list(folder.path()).unwrap().is_empty());
    }

    #[test]
    fn drafts_without_a_lock_are_offered() {
        let folder = tempfile::tempdir().unwrap();
        let autosave = Autosave::begin(folder.path()).unwrap();
        autosave.note(&EditorModel::blank(GAMES[0], 12, 10), None);
        drop(autosave);
        let draft = abandoned(folder.path()).remove(0).path;
        // Even root cannot create a file where there is a folder.
        store::remove(&lock_of(&draft)).unwrap();
        store::create_folder(&lock_of(&draft)).unwrap();
        let mut found = abandoned(folder.path());
        assert_eq!(found.len(), 1);
        assert!(found.remove(0).draft.is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_a_unicode_name_has_a_draft() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let path = PathBuf::from(std::ffi::OsStr::from_bytes(b"/levels/\xff\xfe.ron"));
        let origin = LevelPath { path, known: 7 };
        let autosave = Autosave::begin(folder.path()).unwrap();
        let model = EditorModel::blank(GAMES[0], 12, 10);
        autosave.note(&model, Some(&origin));
        autosave.flush();
        assert_eq!(autosave.failure(), None);
        drop(autosave);
        let found = abandoned(folder.path());
        assert_eq!(found[0].draft.as_ref().unwrap().origin(), Some(origin));
    }

    #[test]
    fn drafts_that_cannot_be_read_say_so() {
        let folder = tempfile::tempdir().unwrap();
        store::write(&folder.path().join("x.ron"), &[0xff, 0, 1]).unwrap();
        let mut found = abandoned(folder.path());
        assert!(found[0].draft.as_ref().unwrap_err().contains("x.ron"));
        found.remove(0).discard();
        assert!(store::list(folder.path()).unwrap().is_empty());
        // A file where the folder should be.
        let file = folder.path().join("plain");
        store::write(&file, b"").unwrap();
        assert!(Autosave::begin(&file).is_err());
    }
}
