//! What can be done with replays.

use super::Replays;
use super::list::ReplayItem;
use crate::app::shell::commands::{
    Command, KeyRow, command, ctrl, entry, key, of_key, rows, typed,
};
use crate::app::shell::file_choice;
use crate::app::shell::links;
use crate::app::shell::notice::Notice;
use crate::app::shell::replay_files;
use crate::app::shell::widgets::{self, NameReply};
use bevy::prelude::KeyCode;
use bevy_egui::egui;
use egui_phosphor::regular as icon;
use outwit_core::platform::file_name::file_stem;
use outwit_core::platform::store::{self, StoreError};
use outwit_headless::link;
use std::path::{Path, PathBuf};

/// An action on the selected replay, or what leads to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayAction {
    /// Select another replay.
    Select(RowStep),
    /// Go to the search field.
    Search,
    /// Watch it.
    Watch,
    /// Open it at the analysis.
    Analyse,
    /// Keep one of the latest matches among the saved ones.
    Keep,
    /// Rename it.
    Rename,
    /// Copy the path of its file.
    CopyPath,
    /// Copy a link that holds it.
    CopyLink,
    /// Move it to the bin.
    Delete,
    /// Restore the replay that was deleted last.
    Undo,
    /// Open a file.
    Open,
    /// Go back to the previous screen.
    Leave,
}

/// A step through the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowStep {
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the first row.
    First,
    /// To the last row.
    Last,
}

const SELECT: &str = "Select a replay";

fn readable(item: &ReplayItem) -> Result<(), &'static str> {
    if item.info().is_some() { Ok(()) } else { Err("This replay cannot be read") }
}

/// The actions of the screen; they depend on the selected replay.
const ACTIONS: &[Command<ReplayAction, ReplayItem>] = &[
    command(ReplayAction::Select(RowStep::Up), &[key(KeyCode::ArrowUp)], SELECT),
    command(ReplayAction::Select(RowStep::Down), &[key(KeyCode::ArrowDown)], SELECT),
    command(ReplayAction::Select(RowStep::First), &[key(KeyCode::Home)], SELECT),
    command(ReplayAction::Select(RowStep::Last), &[key(KeyCode::End)], SELECT),
    command(ReplayAction::Watch, &[key(KeyCode::Enter)], "Watch it")
        .label("Watch")
        .icon(icon::PLAY)
        .when(readable),
    command(ReplayAction::Analyse, &[key(KeyCode::KeyA)], "Analyse it")
        .label("Analyse")
        .icon(icon::CHART_LINE)
        .when(readable),
    command(ReplayAction::Keep, &[key(KeyCode::KeyK)], "Keep a recent match among the saved ones")
        .label("Keep")
        .icon(icon::PUSH_PIN)
        .when(|item| if item.is_recent() { Ok(()) } else { Err("") }),
    command(ReplayAction::Rename, &[key(KeyCode::F2)], "Rename it, and keep it")
        .label("Rename")
        .icon(icon::CURSOR_TEXT),
    command(ReplayAction::CopyPath, &[key(KeyCode::KeyC)], "Copy the path of its file")
        .label("Copy path")
        .icon(icon::COPY),
    command(ReplayAction::CopyLink, links::KEYS, "Copy a link to it")
        .label(links::LABEL)
        .icon(icon::LINK)
        .tip("Copy a link that holds the whole replay")
        .when(readable),
    command(ReplayAction::Delete, &[key(KeyCode::Delete)], "Delete it")
        .label("Delete")
        .icon(icon::TRASH),
    command(ReplayAction::Undo, &[ctrl(KeyCode::KeyZ)], "Restore the replay deleted last")
        .label("Undo")
        .icon(icon::ARROW_COUNTER_CLOCKWISE)
        .tip("Restore the replay"),
    command(ReplayAction::Search, &[key(KeyCode::Slash), ctrl(KeyCode::KeyF)], "Search")
        .tip("Search names, levels and players"),
    command(ReplayAction::Open, &[ctrl(KeyCode::KeyO)], "Open a replay file")
        .label("Open…")
        .icon(icon::FOLDER_OPEN),
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

/// The action of the first key that was pressed in this frame. Keys without Ctrl must be pressed
/// alone.
pub fn pressed(ctx: &egui::Context) -> Option<ReplayAction> {
    let heard = typed(ctx).into_iter().filter(|(_, held)| held.command || held.is_none());
    let mut actions =
        heard.filter_map(|(key, held)| of_key(ACTIONS, key, held.command, held.shift));
    actions.next().map(|entry| entry.id)
}

/// The dialog that asks for a replay's new name.
pub struct NewName {
    file: PathBuf,
    name: String,
    fresh: bool,
}

/// Performs an action. An error is shown and changes nothing.
pub fn perform(ctx: &egui::Context, action: ReplayAction, replays: &mut Replays) {
    if let Err(why) = attempt(ctx, action, replays) {
        replays.notices.push(Notice::error(why));
    }
}

fn attempt(
    ctx: &egui::Context,
    action: ReplayAction,
    replays: &mut Replays,
) -> Result<(), StoreError> {
    match action {
        ReplayAction::Undo => {
            let Some((_, binned)) = replays.binned.last() else { return Ok(()) };
            let file = outwit_levels::restore(binned)?;
            replays.binned.pop();
            replays.offer_undo = false;
            replays.reload(Some(&file));
            return Ok(());
        }
        ReplayAction::Open => {
            replays.dialog = file_choice::to_read("Open a replay", None);
            return Ok(());
        }
        _ => {}
    }
    let Some(item) = replays.selected() else { return Ok(()) };
    let file = item.file().to_owned();
    let name = item.name();
    let is_recent = item.is_recent();
    match action {
        ReplayAction::Keep if is_recent => {
            if let Some(folder) = &replays.list.folder {
                let kept = keep(folder, &file)?;
                replays
                    .notices
                    .push(Notice::info(format!("Kept “{name}” among the saved replays.")));
                replays.reload(Some(&kept));
            }
        }
        ReplayAction::Rename => replays.rename = Some(NewName { file, name, fresh: true }),
        ReplayAction::CopyPath => {
            ctx.copy_text(file.display().to_string());
            replays.notices.push(Notice::info("Path copied"));
        }
        ReplayAction::CopyLink => {
            let text = String::from_utf8_lossy(&store::read_file(&file)?).into_owned();
            let link = link::of_replay(&name, &text);
            replays.notices.push(links::copy(link, |text| ctx.copy_text(text)));
        }
        ReplayAction::Delete => {
            let binned = outwit_levels::to_bin(&file)?;
            replays.binned.push((name, binned));
            replays.offer_undo = true;
            replays.reload(None);
        }
        _ => {}
    }
    Ok(())
}

/// Moves one of the latest matches among the saved replays, and returns its new file.
fn keep(folder: &Path, file: &Path) -> Result<PathBuf, StoreError> {
    match replay_files::recent_name(file) {
        Some((_, name)) => store::rename_to_free(file, &folder.join(name)),
        None => store::move_to_free(file, folder),
    }
}

/// Renames a replay, among the saved ones; the name need not be one that files can have.
fn rename(folder: &Path, file: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let wanted = folder.join(format!("{}.ron", file_stem(name, "replay")));
    if wanted == file { Ok(wanted) } else { store::rename_to_free(file, &wanted) }
}

/// Shows the dialog that asks for the new name.
pub fn rename_dialog(ctx: &egui::Context, replays: &mut Replays) {
    let Some(asked) = &mut replays.rename else { return };
    match widgets::name_dialog(ctx, "Rename replay", &mut asked.name, &mut asked.fresh) {
        NameReply::Open => {}
        NameReply::Closed => replays.rename = None,
        NameReply::Named => {
            let Some(folder) = &replays.list.folder else { return };
            match rename(folder, &asked.file, asked.name.trim()) {
                Ok(file) => {
                    replays.rename = None;
                    replays.reload(Some(&file));
                }
                Err(error) => {
                    replays.notices.push(Notice::error(format!("Could not rename. {error}")));
                }
            }
        }
    }
}
