//! Writing files so that no reader sees a part of one and no writer destroys what another wrote.
//!
//! The new content is written to a temporary file beside the old one, which is then renamed. The file
//! that is replaced is locked meanwhile, so writers take turns: each keeps what it finds as the
//! previous version. A temporary file is locked too while its writer lives, so those of writers that
//! were killed can be distinguished from others. Whoever writes in a folder for the first time removes
//! them.

use super::{MAX_BYTES, StoreError};
use crate::platform::temporary::Listed;
use crate::platform::time::{Duration, sleep};
use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// The names of temporary files start and end with these; letters and digits stand in between.
const TEMPORARY: (&str, &str) = (".outwit-", ".tmp");
/// How many letters and digits.
const MARKS: usize = 6;
/// How often a lock is tried, and the pause in between: ten seconds in all.
const TRIES: u32 = 2_000;
const PAUSE: Duration = Duration::from_millis(5);
/// More links in a row than this are taken for a loop.
const MOST_LINKS: usize = 40;
/// Folders within folders are searched for leftovers to this depth.
const DEPTH: usize = 6;

/// The folder that a file lies in.
pub(in crate::platform) fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Lets a new name in a folder survive a crash of the machine too. Not every system can sync a folder.
pub(super) fn sync_folder_of(file: &Path) {
    if let Ok(folder) = File::open(folder_of(file)) {
        let _ = folder.sync_all();
    }
}

/// Refuses what [`read`](super::read) would refuse.
pub(super) fn refuse_unreadable(file: &Path, bytes: &[u8]) -> std::result::Result<(), StoreError> {
    if bytes.len() as u64 <= MAX_BYTES {
        return Ok(());
    }
    let size = bytes.len().div_ceil(1 << 20);
    let limit = MAX_BYTES >> 20;
    let what = format!("not written: it would be {size} MiB, and {limit} MiB is the maximum");
    Err(StoreError::new(file, what))
}

/// Writes a whole file at once: a new file beside it, synced, then put in its place. What stood
/// there before is kept under the same name with a `~`, and its mode is kept too. Links are followed;
/// a device or a pipe is written to, not replaced.
///
/// # Errors
/// If the file is read-only or any step fails; the file is as it was then.
pub fn write(file: &Path, bytes: &[u8]) -> std::result::Result<(), StoreError> {
    replace(file, bytes, None).map(|_| ()).map_err(|error| StoreError::new(file, error))
}

/// Like [`write()`], for files that are to be read again.
///
/// # Errors
/// As [`write()`], or if it is larger than [`MAX_BYTES`].
pub fn write_readable(file: &Path, bytes: &[u8]) -> std::result::Result<(), StoreError> {
    refuse_unreadable(file, bytes)?;
    write(file, bytes)
}

/// Like [`write_readable`], if `agreed` says so of what is there: its content, or `None` for no file.
/// No other copy of the program can write between the question and the writing. Returns whether the
/// file was written.
///
/// # Errors
/// As [`write_readable`], or if what is there cannot be read.
pub fn replace_if(
    file: &Path,
    bytes: &[u8],
    agreed: impl Fn(Option<&[u8]>) -> bool,
) -> std::result::Result<bool, StoreError> {
    refuse_unreadable(file, bytes)?;
    replace(file, bytes, Some(&agreed)).map_err(|error| StoreError::new(file, error))
}

/// Removes a file if `agreed` says so of its content; returns whether it is gone. No other copy of
/// the program can write in between.
///
/// # Errors
/// If it cannot be read or removed.
pub fn remove_if(
    file: &Path,
    agreed: impl Fn(&[u8]) -> bool,
) -> std::result::Result<bool, StoreError> {
    let fail = |error: Error| StoreError::new(file, error);
    let Some(held) = hold(file).map_err(fail)? else { return Ok(true) };
    if !agreed(&held.content().map_err(fail)?) {
        return Ok(false);
    }
    fs::remove_file(file).map(|()| true).map_err(fail)
}

/// Writes what `change` makes of a file's content, or of `None` if there is no file. If another copy
/// of the program writes meanwhile, `change` is asked again about what it wrote.
///
/// # Errors
/// If `change` refuses, or as [`replace_if`]; the file is as it was then.
pub fn update(
    file: &Path,
    mut change: impl FnMut(Option<&[u8]>) -> std::result::Result<Vec<u8>, String>,
) -> std::result::Result<(), StoreError> {
    loop {
        let old = match fs::metadata(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            _ => Some(super::read(file)?),
        };
        let new = change(old.as_deref()).map_err(|why| StoreError::new(file, why))?;
        if replace_if(file, &new, |there| there == old.as_deref())? {
            return Ok(());
        }
    }
}

/// Whether a file with this content, or no file, may be replaced.
type Agreed<'a> = Option<&'a dyn Fn(Option<&[u8]>) -> bool>;

fn replace(file: &Path, bytes: &[u8], agreed: Agreed) -> Result<bool> {
    let mut replacement = Replacement::of(file)?;
    replacement.write_all(bytes)?;
    replacement.put(agreed)
}

/// A file that is written piece by piece and stands in its place once it is [finished](Self::finish), as if it had
/// been [written](write()) at once. If it is dropped before, what stands there stays as it is.
///
/// Links are followed; what is written to a device or a pipe arrives at once.
pub struct Replacement {
    file: PathBuf,
    to: Target,
}

/// Where the pieces go.
enum Target {
    Stream(File),
    Fresh(NamedTempFile, Listed),
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        match &mut self.to {
            Target::Stream(stream) => stream.write(bytes),
            // Its own words name a file that nobody knows.
            Target::Fresh(fresh, _) => {
                fresh.write(bytes).map_err(|error| Error::from(error.kind()))
            }
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Replacement {
    /// Begins a file of this name.
    ///
    /// # Errors
    /// If a folder has the name, or nothing can be written beside it.
    pub fn begin(file: &Path) -> std::result::Result<Self, StoreError> {
        Self::of(file).map_err(|error| StoreError::new(file, error))
    }

    /// Puts it in its place. What stood there before is kept under the same name with a `~`, and its mode is kept
    /// too.
    ///
    /// # Errors
    /// If the file is read-only or any step fails; the file is as it was then.
    pub fn finish(self) -> std::result::Result<(), StoreError> {
        let file = self.file.clone();
        self.put(None).map(|_| ()).map_err(|error| StoreError::new(&file, error))
    }

    fn of(file: &Path) -> Result<Self> {
        match fs::metadata(file) {
            Ok(data) if data.is_dir() => return Err(Error::other("this is a folder")),
            // Asked before links are followed: that of /dev/fd/3 to a pipe leads to no path.
            Ok(data) if is_stream(file, &data) => {
                let to = Target::Stream(OpenOptions::new().append(true).open(file)?);
                return Ok(Self { file: file.to_owned(), to });
            }
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = followed(file)?;
        let folder = folder_of(&file);
        fs::create_dir_all(folder)?;
        let (listed, fresh) = temporary(folder)?;
        Ok(Self { file, to: Target::Fresh(fresh, listed) })
    }

    /// Puts it in its place if `agreed` says so of what is there; returns whether it is there.
    fn put(self, agreed: Agreed) -> Result<bool> {
        let Self { file, to: Target::Fresh(fresh, _listed) } = self else { return Ok(true) };
        let file = &file;
        let mut fresh = fresh;
        loop {
            let held = hold(file)?;
            if let Some(agreed) = agreed {
                let content = held.as_ref().map(Held::content).transpose()?;
                if !agreed(content.as_deref()) {
                    return Ok(false);
                }
            }
            if let Some(held) = &held {
                if held.data.permissions().readonly() {
                    return Err(Error::other("this file is read-only, so it was not changed"));
                }
                fs::set_permissions(fresh.path(), held.data.permissions())?;
            }
            fresh.as_file().sync_all()?;
            if held.is_none() {
                match fresh.persist_noclobber(file) {
                    Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
                        fresh = error.file;
                        continue;
                    }
                    Err(error) => return Err(error.error),
                    Ok(_) => {}
                }
            } else {
                match keep_previous(file) {
                    // Somebody removed it.
                    Err(error) if error.kind() == ErrorKind::NotFound => continue,
                    Err(error) => return Err(error),
                    Ok(()) => {}
                }
                fresh.persist(file).map_err(|error| error.error)?;
            }
            sync_folder_of(file);
            return Ok(true);
        }
    }
}

/// Whether a file is written to and not replaced: a device or a pipe, or a name such as /dev/stdout
/// for a file that somebody holds open.
pub(in crate::platform) fn is_stream(file: &Path, data: &Metadata) -> bool {
    let open = ["/dev/fd", "/dev/stdout", "/dev/stderr", "/proc"];
    !data.is_file() || open.iter().any(|name| file.starts_with(name))
}

/// Where the links lead that stand under this name.
pub(in crate::platform) fn followed(file: &Path) -> Result<PathBuf> {
    let mut file = file.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&file) {
            Ok(data) if data.is_symlink() => file = folder_of(&file).join(fs::read_link(&file)?),
            _ => return Ok(file),
        }
    }
    Err(Error::other("too many links lead to this file"))
}

/// Keeps a file under its name with a `~` too. A link under a name that nobody has comes first, so
/// that at no moment either name is missing; a copy where there are no links.
fn keep_previous(file: &Path) -> Result<()> {
    let folder = folder_of(file);
    let (_listed, spare) = match Listed::create(
        || builder().make_in(folder, |path| fs::hard_link(file, path)),
        NamedTempFile::path,
    ) {
        Ok((listed, linked)) => (listed, linked.into_temp_path()),
        Err(_) => {
            let (listed, mut copy) = temporary(folder)?;
            let mut from = File::open(file)?;
            std::io::copy(&mut from, &mut copy)?;
            copy.as_file().set_permissions(from.metadata()?.permissions())?;
            copy.as_file().sync_all()?;
            (listed, copy.into_temp_path())
        }
    };
    let mut kept = file.as_os_str().to_owned();
    kept.push("~");
    // If that is a link to the same file already, nothing is renamed and the spare name is dropped.
    fs::rename(&spare, kept)
}

/// A file that other writers of this program wait for.
pub(super) struct Held {
    file: File,
    data: Metadata,
}

impl Drop for Held {
    fn drop(&mut self) {
        // As of a [`GrowingFile`](super::GrowingFile).
        let _ = self.file.unlock();
    }
}

impl Held {
    fn content(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        (&self.file).take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Locks a file against other writers; `None` if there is none. Where the system has no locks, it is
/// only opened.
pub(super) fn hold(path: &Path) -> Result<Option<Held>> {
    for _ in 0..TRIES {
        // Opening a pipe would wait for somebody at its other end.
        if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(Error::other("this is not a file"));
        }
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let data = file.metadata()?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            _ if !is_still(path, &data) => {}
            _ => return Ok(Some(Held { file, data })),
        }
    }
    Err(Error::other("another program keeps this file locked"))
}

/// Whether the file of this name is still the one that was opened; where files have no numbers, whether there is one.
pub(super) fn is_still(path: &Path, opened: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(path)
            .is_ok_and(|data| data.ino() == opened.ino() && data.dev() == opened.dev())
    }
    #[cfg(not(unix))]
    {
        let _ = opened;
        path.exists()
    }
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1).rand_bytes(MARKS);
    // As private as any other new file of the user's, not more.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

/// A temporary file that [`remove_leftovers`] leaves alone while it is open.
pub(super) fn temporary(folder: &Path) -> Result<(Listed, NamedTempFile)> {
    /// The folders that were searched for leftovers.
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
        remove_leftovers_to(folder, 0);
    }
    loop {
        let create = || builder().tempfile_in(folder);
        let (listed, fresh) = Listed::create(create, NamedTempFile::path)
            .map_err(|error| Error::from(error.kind()))?;
        // Before the lock was there, it may have been taken for a leftover.
        let is_locked = !matches!(fresh.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if is_locked && fresh.path().exists() {
            return Ok((listed, fresh));
        }
    }
}

/// Removes the temporary files of writers that were killed, in a folder and those in it. What cannot
/// be removed stays.
pub fn remove_leftovers(folder: &Path) {
    remove_leftovers_to(folder, DEPTH);
}

fn remove_leftovers_to(folder: &Path, depth: usize) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        let name = entry.file_name();
        if kind.is_dir() && depth > 0 {
            remove_leftovers_to(&path, depth - 1);
        } else if kind.is_file()
            && is_temporary(&name.to_string_lossy())
            && let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Whether a temporary file may have this name.
fn is_temporary(name: &str) -> bool {
    let marks = name.strip_prefix(TEMPORARY.0).and_then(|rest| rest.strip_suffix(TEMPORARY.1));
    marks.is_some_and(|marks| {
        marks.len() == MARKS && marks.bytes().all(|mark| mark.is_ascii_alphanumeric())
    })
}
