//! What can be done with a replay, by key or by button.

use super::ReplayScreen;
use super::list::ReplayItem;
use crate::app::shell::commands::{
    Command, KeyRow, command, ctrl, entry, key, of_key, rows, typed,
};
use crate::app::shell::replay_files;
use bevy::prelude::KeyCode;
use bevy_egui::egui;
use egui_phosphor::regular as icon;
use outwit_core::levels::StoreError;
use outwit_core::platform::file_name::file_stem;
use outwit_core::platform::store;
use std::path::{Path, PathBuf};

/// An action on the selected replay, or what leads to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayAction {
    /// Select the one so many places further down.
    Select(isize),
    /// Watch it.
    Watch,
    /// Move one of the last matches to the saved ones.
    Keep,
    /// Give it another name.
    Rename,
    /// Put its path on the clipboard.
    CopyPath,
    /// Move it to the bin.
    Delete,
    /// Restore the one that was deleted last.
    Undo,
    /// Choose a file to watch.
    Open,
    /// Go to the search field.
    Search,
    /// Go back to the previous screen.
    Leave,
}

const SELECT: &str = "Select a replay";

fn readable(item: &ReplayItem) -> Result<(), &'static str> {
    if item.content.is_ok() { Ok(()) } else { Err("This file cannot be read.") }
}

fn goes(item: &ReplayItem) -> Result<(), &'static str> {
    if item.is_recent { Ok(()) } else { Err("It is kept already.") }
}

/// The actions; they depend on the selected replay.
const ACTIONS: &[Command<ReplayAction, ReplayItem>] = &[
    command(ReplayAction::Select(-1), &[key(KeyCode::ArrowUp)], SELECT),
    command(ReplayAction::Select(1), &[key(KeyCode::ArrowDown)], SELECT),
    command(ReplayAction::Select(isize::MIN), &[key(KeyCode::Home)], SELECT),
    command(ReplayAction::Select(isize::MAX), &[key(KeyCode::End)], SELECT),
    command(ReplayAction::Watch, &[key(KeyCode::Enter)], "Watch it")
        .label("Watch")
        .icon(icon::EYE)
        .when(readable),
    command(ReplayAction::Keep, &[key(KeyCode::KeyK)], "Keep one of the last matches")
        .label("Keep")
        .icon(icon::PUSH_PIN)
        .tip("Keep it; only the last 20 matches are kept by themselves")
        .when(goes),
    command(ReplayAction::Rename, &[key(KeyCode::F2)], "Rename it, and keep it")
        .label("Rename")
        .icon(icon::CURSOR_TEXT)
        .tip("Rename it"),
    command(ReplayAction::CopyPath, &[ctrl(KeyCode::KeyC)], "Copy the path of its file")
        .label("Copy path")
        .icon(icon::COPY),
    command(ReplayAction::Delete, &[key(KeyCode::Delete)], "Delete it")
        .label("Delete")
        .icon(icon::TRASH),
    command(ReplayAction::Undo, &[ctrl(KeyCode::KeyZ)], "Restore the replay deleted last")
        .label("Undo")
        .icon(icon::ARROW_COUNTER_CLOCKWISE)
        .tip("Restore the replay"),
    command(ReplayAction::Open, &[ctrl(KeyCode::KeyO)], "Open a replay from a file")
        .label("Open…")
        .icon(icon::FOLDER_OPEN)
        .tip("Watch a replay from a file; a file can also be dropped on the window"),
    command(ReplayAction::Search, &[key(KeyCode::Slash), ctrl(KeyCode::KeyF)], "Search")
        .tip("Search names, levels and players"),
    command(ReplayAction::Leave, &[key(KeyCode::Escape)], "Go back"),
];

/// The entry of an action.
pub fn entry_of(action: ReplayAction) -> &'static Command<ReplayAction, ReplayItem> {
    entry(ACTIONS, action)
}

/// The rows of the help.
pub fn key_rows() -> Vec<KeyRow> {
    rows(ACTIONS)
}

/// The action of the first key that was pressed in this frame. Keys without Ctrl must be pressed alone.
pub fn pressed(ctx: &egui::Context) -> Option<ReplayAction> {
    let heard = typed(ctx).into_iter().filter(|(_, held)| held.command || held.is_none());
    let mut actions = heard.filter_map(|(key, held)| of_key(ACTIONS, key, held.command, false));
    actions.next().map(|entry| entry.id)
}

/// The dialog that asks for a replay's new name.
pub struct RenameDialog {
    pub(super) file: PathBuf,
    pub(super) name: String,
    pub(super) fresh: bool,
}

/// Performs an action on the files; those that need more than files are the caller's.
///
/// # Errors
/// Why a file cannot be moved; nothing is lost then.
pub fn perform(action: ReplayAction, screen: &mut ReplayScreen) -> Result<(), StoreError> {
    if action == ReplayAction::Undo {
        if let Some((_, binned)) = screen.deleted.clone() {
            let file = outwit_levels::restore(&binned)?;
            screen.deleted = None;
            screen.reload(Some(file));
        }
        return Ok(());
    }
    let Some(item) = screen.chosen_item() else { return Ok(()) };
    if (entry_of(action).allowed)(item).is_err() {
        return Ok(());
    }
    let (file, title) = (item.file.clone(), item.title());
    match action {
        ReplayAction::Keep => {
            let Some(folder) = replay_files::folder() else { return Ok(()) };
            let kept = store::move_to_free(&file, &folder)?;
            screen.reload(Some(kept));
        }
        ReplayAction::Rename => {
            screen.rename = Some(RenameDialog { file, name: title, fresh: true });
        }
        ReplayAction::Delete => {
            let next = screen.neighbour();
            screen.deleted = Some((title, outwit_levels::to_bin(&file)?));
            screen.reload(next);
        }
        _ => {}
    }
    Ok(())
}

/// Gives a replay another name in the folder of those that are kept; returns its new place.
///
/// # Errors
/// If it cannot be renamed.
pub fn rename(folder: &Path, file: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let wanted = folder.join(format!("{}.ron", file_stem(name, "replay")));
    if wanted == file {
        return Ok(wanted);
    }
    store::rename_to_free(file, &wanted)
}
