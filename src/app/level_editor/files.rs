//! What the editor does with files: opening, recovering, saving, renaming and exporting levels.

use super::dialogs::Dialog;
use super::imported::ImportedPicture;
use super::open_document::{OpenDocument, OpenError, read_level};
use super::recovered::open_draft;
use super::screen::EditorScreen;
use crate::app::shell::notice::Notice;
use crate::app::shell::store::NoDataFolder;
use crate::app::shell::widgets::counted;
use bevy::prelude::Commands;
use outwit_core::grid::Grid;
use outwit_core::levels::{self, Fault};
use outwit_core::platform::store;
use outwit_core::play::digest_of;
use outwit_headless::editor::{
    EditorModel, Field, LevelPath, PictureMap, SaveError, remove_old, save, stem,
};
use outwit_headless::{GAMES, recognise};
use outwit_kit::{DynGame, foreign_pixels, title_of};
use outwit_levels::{Entry, Source};
use std::path::{Path, PathBuf};

/// What to know of a level that lies in none of the user's files.
fn about_unsaved(entry: &Entry, model: &EditorModel) -> Notice {
    if matches!(entry.source, Source::BuiltIn(_)) {
        return Notice::info("This is a copy. Built-in levels cannot be changed.");
    }
    let faults = model.kind().check(model.text().as_bytes(), entry.stem());
    match faults.as_slice() {
        [] => Notice::info("This level is not saved yet."),
        [fault] => Notice::error(format!("This level cannot be played: {fault}.")),
        [first, rest @ ..] => Notice::error(format!(
            "This level cannot be played: {first}. It has {}.",
            counted(rest.len() as u64, "more problem")
        )),
    }
}

/// Another level has this file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} already exists. Choose another name.", .0.display())]
pub struct NameTaken(pub PathBuf);

impl EditorScreen {
    /// Opens a level of the catalogue: one of the user's in place, a built-in one as a copy.
    pub(super) fn open_entry(&mut self, entry: &Entry, commands: &mut Commands) {
        match &entry.source {
            Source::File(path) => self.open_file(path, commands),
            Source::BuiltIn(_) | Source::Draft(_) => {
                let read = entry.bytes().map_err(OpenError::from);
                match read.and_then(|bytes| read_level(&bytes, entry.stem())) {
                    Ok(model) => {
                        commands.write_message(about_unsaved(entry, &model));
                        let model = EditorModel::open(model.kind(), model.draft().clone());
                        self.put(model, None, commands);
                    }
                    Err(why) => {
                        commands.write_message(Notice::error(why));
                    }
                }
            }
        }
    }

    /// Opens a file: a level file for editing in place, any other format as a new level.
    pub fn open_file(&mut self, path: &Path, commands: &mut Commands) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let read = levels::read_file(path).map_err(OpenError::from);
        if let Some(pixels) = read.as_ref().ok().and_then(|bytes| foreign_pixels(bytes)) {
            let kind = read.ok().and_then(|bytes| recognise(&bytes, &name));
            self.ask_about(pixels, kind, &name, commands);
            return;
        }
        let read = read.and_then(|bytes| Ok((read_level(&bytes, &name)?, bytes)));
        match read {
            Ok((model, bytes)) if path.extension().is_some_and(|ending| ending == "ron") => {
                self.remember(path, commands);
                let origin = LevelPath { path: path.into(), known: digest_of(&bytes) };
                self.put(model, Some(origin), commands);
            }
            Ok((model, _)) => {
                let model = EditorModel::unsaved(model.kind(), model.draft().clone());
                self.put(model, None, commands);
            }
            Err(why) => {
                commands.write_message(Notice::error(why));
            }
        }
    }

    /// Asks what a picture shows that is to become a level, of this game if it is known.
    fn ask_about(
        &mut self,
        pixels: Result<Grid<[u8; 4]>, Fault>,
        kind: Option<&'static dyn DynGame>,
        name: &str,
        commands: &mut Commands,
    ) {
        let open = self.work.as_ref().map(|work| work.model.kind());
        let Some(kind) = kind.or(open).or(GAMES.first().copied()) else { return };
        match pixels {
            Ok(pixels) => {
                let map = PictureMap::new(kind, pixels);
                self.picture = Some(ImportedPicture::new(map, title_of(name)));
                self.dialog = Some(Dialog::Picture);
            }
            Err(why) => {
                commands.write_message(Notice::error(why.in_file(name)));
            }
        }
    }

    /// Opens the draft with this index as unsaved work.
    pub(super) fn recover(&mut self, index: usize, commands: &mut Commands) {
        if index >= self.found.len() {
            return;
        }
        let found = self.found.remove(index);
        let opened = match &found.draft.draft {
            Ok(draft) => open_draft(draft),
            Err(why) => Err(OpenError::BrokenDraft(why.clone())),
        };
        match opened {
            Ok((model, origin)) => {
                self.let_go();
                self.work = Some(OpenDocument::with(model, origin, Some(found.draft.adopt())));
                commands.write_message(Notice::info("Recovered, not saved yet."));
            }
            Err(why) => {
                self.found.insert(index, found);
                commands.write_message(Notice::error(why));
            }
        }
    }

    /// Saves the level to its file, or asks for a name.
    pub fn save(&mut self, commands: &mut Commands) -> bool {
        let Some(work) = &mut self.work else { return false };
        work.model.release();
        let Some(origin) = work.origin.clone() else {
            self.dialog = Some(Dialog::save_as(&work.model));
            return false;
        };
        self.save_to(&origin.path, Some(origin.known), false, commands)
    }

    /// Saves the level under a name in the user's folder.
    pub fn save_as(&mut self, name: &str, commands: &mut Commands) -> bool {
        let Some(work) = &self.work else { return false };
        let Some(folder) = self.levels_of(work.model.kind()) else {
            commands.write_message(Notice::error(NoDataFolder));
            return false;
        };
        let Some(work) = &mut self.work else { return false };
        work.model.set_text(Field::Name, name.trim());
        work.model.seal();
        let path = folder.join(format!("{}.ron", stem(name)));
        let own = work.origin.as_ref().filter(|origin| origin.path == path);
        let known = own.map(|origin| origin.known);
        self.save_to(&path, known, false, commands)
    }

    /// The folder of the user's own levels of a game.
    fn levels_of(&self, kind: &dyn DynGame) -> Option<PathBuf> {
        self.user_levels().map(|folder| folder.join(kind.id()))
    }

    /// The folder of the user's own levels, with a folder in it for each game.
    fn user_levels(&self) -> Option<PathBuf> {
        let folder = self.folder.as_ref().map(|folder| folder.join("levels"));
        folder.or_else(outwit_levels::user_levels)
    }

    fn save_to(
        &mut self,
        path: &Path,
        known: Option<u64>,
        anyway: bool,
        commands: &mut Commands,
    ) -> bool {
        let user_levels = self.user_levels();
        let Some(work) = &mut self.work else { return false };
        match save(path, &work.model.text(), known, anyway) {
            Ok(origin) => {
                let faults = work.model.kind().check_draft(work.model.draft()).faults.len();
                let file = origin.path.display();
                let word = if faults == 1 { "problem" } else { "problems" };
                let game = work.model.kind().id();
                let id = outwit_levels::id_of(user_levels.as_deref(), game, &origin.path);
                let note = id.map_or(String::new(), |id| outwit_levels::id_note(&id, &origin.path));
                commands.write_message(Notice::info(match faults {
                    0 => format!("Saved to {file}.{note}"),
                    n => format!("Saved to {file}. Not playable yet: {n} {word}.{note}"),
                }));
                work.saved(origin.clone());
                self.remember(&origin.path, commands);
                self.dialog = None;
                if let Some(next) = self.then.take() {
                    self.proceed(*next, commands);
                }
                true
            }
            Err(SaveError::Failed(why)) => {
                commands.write_message(Notice::error(why));
                false
            }
            Err(why) => {
                self.dialog = Some(Dialog::Conflict { path: path.into(), why });
                false
            }
        }
    }

    /// Overwrites a file, after the user confirmed it.
    pub fn overwrite(&mut self, path: &Path, commands: &mut Commands) {
        self.save_to(path, None, true, commands);
    }

    /// Gives level and file another name. What has to be asked first becomes the dialog.
    ///
    /// # Errors
    /// If another level has this name.
    pub fn rename(&mut self, name: &str, commands: &mut Commands) -> Result<(), NameTaken> {
        let Some(work) = &mut self.work else { return Ok(()) };
        let Some(origin) = work.origin.clone() else {
            work.model.set_text(Field::Name, name.trim());
            work.model.seal();
            self.dialog = None;
            return Ok(());
        };
        let path = origin.path.with_file_name(format!("{}.ron", stem(name)));
        if path != origin.path && store::exists(&path) {
            return Err(NameTaken(path));
        }
        work.model.set_text(Field::Name, name.trim());
        work.model.seal();
        let known = (path == origin.path).then_some(origin.known);
        if self.save_to(&path, known, false, commands) && path != origin.path {
            if let Err(why) = remove_old(&origin) {
                commands.write_message(Notice::error(why));
            }
            if let Err(why) = outwit_levels::rename_in_collection(&origin.path, &path) {
                commands.write_message(Notice::error(why));
            }
        }
        Ok(())
    }

    /// Writes the level in another format.
    pub fn export(&mut self, path: &Path, commands: &mut Commands) {
        let Some(work) = &self.work else { return };
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let ending = ending.unwrap_or_default();
        let converted = work.model.kind().export_draft(work.model.draft(), &ending);
        let written = converted.map_err(|error| error.to_string()).and_then(|converted| {
            levels::write_readable(path, &converted.bytes).map_err(|error| error.to_string())?;
            Ok(converted.lost)
        });
        match written {
            Ok(lost) => {
                let lost = match lost.as_slice() {
                    [] => String::new(),
                    lost => format!(" Lost: {}.", lost.join(", ")),
                };
                commands
                    .write_message(Notice::info(format!("Exported to {}.{lost}", path.display())));
                self.dialog = None;
            }
            Err(why) => {
                commands.write_message(Notice::error(format!("Could not export: {why}")));
            }
        }
    }
}
