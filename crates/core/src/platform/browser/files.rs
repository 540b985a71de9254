//! The files of a browser: all of them in memory, and a copy of each in the browser's storage.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use web_time::{SystemTime, UNIX_EPOCH};

#[allow(unsafe_code, reason = "the page is another language")]
#[link(wasm_import_module = "./platform.js")]
unsafe extern "C" {
    /// How many files the browser has stored.
    safe fn stored_files() -> u32;
    /// Bytes of the path of a stored file.
    safe fn stored_path_size(index: u32) -> u32;
    /// Bytes of a stored file.
    safe fn stored_size(index: u32) -> u32;
    /// When a stored file was written, in milliseconds since 1970.
    safe fn stored_time(index: u32) -> f64;
    /// Writes path and content of a stored file to these addresses.
    fn stored_copy(index: u32, path: *mut u8, bytes: *mut u8);
    /// Stores a file.
    fn store_file(path: *const u8, path_size: u32, bytes: *const u8, size: u32, time: f64);
    /// Saves a file where the browser saves files.
    fn download_file(name: *const u8, name_size: u32, bytes: *const u8, size: u32);
    /// Removes a stored file.
    fn remove_file(path: *const u8, path_size: u32);
}

/// What is written into this folder is saved by the browser wherever that saves files, and not kept.
pub const DOWNLOADS: &str = "downloads";

/// The folder of files that were chosen or dropped. They are not stored.
pub const CHOSEN: &str = "chosen";

/// A file.
#[derive(Clone)]
pub struct StoredFile {
    /// What is in it.
    pub bytes: Vec<u8>,
    /// When it was last written.
    pub modified: SystemTime,
}

/// All files, which the browser stores as they change.
#[derive(Default)]
pub struct Files(BTreeMap<PathBuf, StoredFile>);

static FILES: LazyLock<Mutex<Files>> = LazyLock::new(|| Mutex::new(Files::stored()));

/// The files of this page.
pub fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Files {
    #[allow(unsafe_code, reason = "the page writes as many bytes as it said")]
    fn stored() -> Self {
        let mut files = BTreeMap::new();
        for index in 0..stored_files() {
            let mut path = vec![0; stored_path_size(index) as usize];
            let mut bytes = vec![0; stored_size(index) as usize];
            unsafe { stored_copy(index, path.as_mut_ptr(), bytes.as_mut_ptr()) };
            let time = Duration::try_from_secs_f64(stored_time(index) / 1000.0);
            let modified = UNIX_EPOCH + time.unwrap_or_default();
            if let Ok(path) = String::from_utf8(path) {
                files.insert(path.into(), StoredFile { bytes, modified });
            }
        }
        Self(files)
    }

    /// The file of this name.
    pub fn get(&self, path: &Path) -> Option<&StoredFile> {
        self.0.get(path)
    }

    /// Whether files lie in a folder of this name, or are saved there.
    pub fn is_folder(&self, path: &Path) -> bool {
        if path == Path::new(DOWNLOADS) {
            return true;
        }
        self.0.keys().any(|file| file != path && file.starts_with(path))
    }

    /// The files and folders in a folder, sorted by name.
    pub fn list(&self, folder: &Path) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = self
            .0
            .keys()
            .filter_map(|file| {
                let rest = file.strip_prefix(folder).ok()?;
                Some(folder.join(rest.components().next()?))
            })
            .collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// Writes a file.
    #[allow(unsafe_code, reason = "the page only reads, and before this returns")]
    pub fn put(&mut self, path: &Path, bytes: Vec<u8>) {
        let modified = SystemTime::now();
        let time = modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64() * 1000.0;
        if let Ok(name) = path.strip_prefix(DOWNLOADS) {
            let name = name.to_string_lossy();
            let name_size = name.len() as u32;
            let size = bytes.len() as u32;
            unsafe { download_file(name.as_ptr(), name_size, bytes.as_ptr(), size) };
            return;
        }
        if !path.starts_with(CHOSEN) {
            let name = path.to_string_lossy();
            let name_size = name.len() as u32;
            let size = bytes.len() as u32;
            unsafe { store_file(name.as_ptr(), name_size, bytes.as_ptr(), size, time) };
        }
        self.0.insert(path.to_owned(), StoredFile { bytes, modified });
    }

    /// Removes a file and returns it.
    #[allow(unsafe_code, reason = "the page only reads, and before this returns")]
    pub fn take(&mut self, path: &Path) -> Option<StoredFile> {
        let file = self.0.remove(path)?;
        let name = path.to_string_lossy();
        unsafe { remove_file(name.as_ptr(), name.len() as u32) };
        Some(file)
    }
}
