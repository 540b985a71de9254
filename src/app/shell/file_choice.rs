//! Choosing a file to read or to write: by a dialog of ours, or in a browser by the browser's own.

use crate::app::shell::notice::Notice;
use bevy_egui::egui;
use egui_file_dialog::{DialogState, FileDialog};
#[cfg(not(target_arch = "wasm32"))]
use outwit_core::platform::store;
use std::path::{Path, PathBuf};

/// A file dialog in the middle of the window.
fn dialog() -> FileDialog {
    base()
        .show_search(false)
        .default_size(egui::vec2(640.0, 400.0))
        .min_size(egui::vec2(360.0, 240.0))
        .anchor(egui::Align2::CENTER_CENTER, egui::vec2(0.0, 0.0))
}

/// The dialog in which a file is chosen, open, beginning in `folder` if that is there. `None` where the browser
/// asks: the file then arrives as if it were dropped on the window.
pub fn to_read(title: &str, folder: Option<&Path>) -> Option<FileDialog> {
    #[cfg(target_arch = "wasm32")]
    {
        let _ = (title, folder);
        outwit_core::platform::page::choose();
        None
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        let mut dialog = dialog().title(title);
        if let Some(folder) = folder.filter(|folder| store::is_folder(folder)) {
            dialog = dialog.initial_directory(folder.into());
        }
        dialog.pick_file();
        Some(dialog)
    }
}

/// The dialog in which a file to write is named, not open yet. In a browser it only asks for the name: what is
/// written in its folder is saved where the browser saves files.
pub fn to_write() -> FileDialog {
    dialog()
}

/// An open dialog that asks where `what` is to be written.
pub struct ExportDialog<K> {
    what: K,
    files: FileDialog,
}

impl<K: Copy> ExportDialog<K> {
    /// A dialog with a suggested name of the file.
    pub fn new(what: K, file_name: &str) -> Self {
        let mut files = to_write().title("Export").default_file_name(file_name);
        files.save_file();
        Self { what, files }
    }

    /// Shows the dialog if there is one; returns what is to be written where once that is chosen.
    pub fn show(dialog: &mut Option<Self>, ctx: &egui::Context) -> Option<(K, PathBuf)> {
        let open = dialog.as_mut()?;
        open.files.update(ctx);
        let chosen = open.files.take_picked().map(|file| (open.what, file));
        if chosen.is_some() || !matches!(open.files.state(), DialogState::Open) {
            *dialog = None;
        }
        chosen
    }
}

/// Tells whether something was exported to a file.
pub fn exported(written: Result<(), impl std::fmt::Display>, file: &Path) -> Notice {
    match written {
        Ok(()) => Notice::info(format!("Exported to {}", file.display())),
        Err(why) => Notice::error(format!("Could not export. {why}")),
    }
}

/// The folder of exports inside `data`, the folder of all that is stored; in a browser, the one that saves what is
/// written in it where the browser saves files.
pub fn exports(data: &Path, name: &str) -> PathBuf {
    #[cfg(target_arch = "wasm32")]
    {
        let _ = (data, name);
        outwit_core::platform::files::DOWNLOADS.into()
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        data.join(name)
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn base() -> FileDialog {
    FileDialog::new()
}

#[cfg(target_arch = "wasm32")]
fn base() -> FileDialog {
    use outwit_core::platform::files::DOWNLOADS;
    FileDialog::with_file_system(std::sync::Arc::new(browser::Downloads))
        .initial_directory(DOWNLOADS.into())
        .show_left_panel(false)
        .show_top_panel(false)
}

#[cfg(target_arch = "wasm32")]
mod browser {
    use egui_file_dialog::{Disks, FileSystem, Metadata, UserDirectories};
    use outwit_core::platform::files::DOWNLOADS;
    use std::io::{Error, ErrorKind, Result};
    use std::path::{Path, PathBuf};

    /// What the file dialog sees in a browser: one empty folder, from which everything is downloaded.
    pub struct Downloads;

    impl FileSystem for Downloads {
        fn metadata(&self, _path: &Path) -> Result<Metadata> {
            Ok(Metadata::default())
        }

        fn is_dir(&self, path: &Path) -> bool {
            path == Path::new(DOWNLOADS)
        }

        fn is_file(&self, _path: &Path) -> bool {
            false
        }

        fn read_dir(&self, _path: &Path) -> Result<Vec<PathBuf>> {
            Ok(Vec::new())
        }

        fn get_disks(&self, _canonicalize_paths: bool) -> Disks {
            Disks::new(Vec::new())
        }

        fn is_path_hidden(&self, _path: &Path) -> bool {
            false
        }

        fn create_dir(&self, _path: &Path) -> Result<()> {
            Err(Error::from(ErrorKind::Unsupported))
        }

        fn user_dirs(&self, _canonicalize_paths: bool) -> Option<UserDirectories> {
            None
        }

        fn current_dir(&self) -> Result<PathBuf> {
            Ok(DOWNLOADS.into())
        }
    }
}
