//! Choosing a file to read or to write: by a dialog of ours, or in a browser by the browser's own.

use crate::app::shell::notice::Notice;
use bevy_egui::egui;
use egui_file_dialog::{DialogState, FileDialog, FileDialogKeyBindings, KeyBinding};
#[cfg(not(target_arch = "wasm32"))]
use outwit_core::platform::store;
use std::path::{Path, PathBuf};

/// A file dialog in the middle of the window.
fn dialog() -> FileDialog {
    let keys = FileDialogKeyBindings {
        edit_path: vec![KeyBinding::text(ROOT.into())],
        ..FileDialogKeyBindings::default()
    };
    base()
        .keybindings(keys)
        .allow_path_edit_to_save_file_without_extension(true)
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

/// What a path begins with that does not begin in the folder that is shown.
const ROOT: &str = "/";

/// A path that is typed into a dialog, from its first character on.
#[derive(Clone, Default)]
struct TypedPath {
    /// What was typed before its field was there.
    waits: String,
    /// Its field, once it is there.
    field: Option<egui::Id>,
}

/// Lets a dialog go on. A path that is typed from `/` on is one, wherever the focus is: the dialog itself would
/// add it to the path of the folder that is shown, or take it for a strange file name.
pub fn update(dialog: &mut FileDialog, ctx: &egui::Context) {
    let id = egui::Id::new("path typed into a dialog");
    let mut typed: TypedPath = ctx.data(|data| data.get_temp(id)).unwrap_or_default();
    let focused = ctx.memory(|memory| memory.focused());
    if !typed.waits.is_empty() {
        typed.field = focused;
        let text = std::mem::take(&mut typed.waits);
        let all = egui::Event::Key {
            key: egui::Key::A,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::COMMAND,
        };
        ctx.input_mut(|input| drop(input.events.splice(0..0, [all, egui::Event::Text(text)])));
    } else if focused.is_none() || focused != typed.field {
        typed.field = None;
        let held_back = ctx.input_mut(|input| {
            let at = input
                .events
                .iter()
                .position(|event| matches!(event, egui::Event::Text(text) if text == ROOT))?;
            let after = input.events.split_off(at);
            input.events.push(egui::Event::Text(ROOT.into()));
            Some(
                after
                    .into_iter()
                    .filter_map(|event| match event {
                        egui::Event::Text(text) => Some(text),
                        _ => None,
                    })
                    .collect(),
            )
        });
        if let Some(text) = held_back {
            typed.waits = text;
            if let Some(focused) = focused {
                ctx.memory_mut(|memory| memory.surrender_focus(focused));
            }
            ctx.request_repaint();
        }
    }
    ctx.data_mut(|data| data.insert_temp(id, typed));
    dialog.update(ctx);
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
        update(&mut open.files, ctx);
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

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use outwit_ui_test::Harness;

    /// Types a path letter by letter into a dialog, presses Enter, and tells what was picked.
    fn typed(mut dialog: FileDialog, path: &str) -> Option<PathBuf> {
        dialog = dialog.initial_directory(std::env::temp_dir());
        let mut window = Harness::builder().with_size(egui::vec2(900.0, 600.0)).build_ui_state(
            |ui: &mut egui::Ui, (dialog, picked): &mut (FileDialog, Option<PathBuf>)| {
                update(dialog, ui.ctx());
                *picked = dialog.take_picked().or(picked.take());
            },
            (dialog, None),
        );
        window.run_steps(4);
        for letter in path.chars() {
            window.event(egui::Event::Text(letter.into()));
            window.run_steps(1);
        }
        window.run_steps(2);
        window.key_press(egui::Key::Enter);
        window.run_steps(4);
        window.state().1.clone()
    }

    #[test]
    fn a_path_that_is_typed_from_its_root_is_the_whole_path() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there.ron");
        std::fs::write(&there, "()").unwrap();
        let mut read = dialog();
        read.pick_file();
        assert_eq!(typed(read, there.to_str().unwrap()), Some(there));
        for name in ["new.gif", "without-ending"] {
            let new = folder.path().join(name);
            let mut write = to_write().default_file_name("race.gif");
            write.save_file();
            assert_eq!(typed(write, new.to_str().unwrap()), Some(new));
        }
    }
}
