//! The actions of the level browser.

use super::Browser;
use super::level_list::Item;
use crate::app::shell::commands::{
    Command, KeyRow, command, ctrl, entry, key, of_key, rows, typed,
};
use crate::app::shell::file_choice;
use crate::app::shell::links;
use crate::app::shell::notice::Notice;
use crate::app::shell::store::NoDataFolder;
use crate::app::shell::widgets::{self, NameReply};
use bevy::prelude::KeyCode;
use bevy_egui::egui;
use egui_phosphor::regular as icon;
use outwit_core::levels;
use outwit_core::levels::StoreError;
use outwit_headless::editor::stem;
use outwit_kit::DynGame;
use outwit_levels::Source;
use std::path::{Path, PathBuf};

/// An action on the selected level, or what leads to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BrowserAction {
    /// Select another level.
    Select(CardStep),
    /// Go to the search field.
    Search,
    /// Set up a match on it.
    Play,
    /// Open it in the editor.
    Edit,
    /// Duplicate it.
    Duplicate,
    /// Copy a link to it.
    CopyLink,
    /// Rename it.
    Rename,
    /// Move it to the bin.
    Bin,
    /// Restore it from the bin.
    Restore,
    /// Restore the level moved to the bin last.
    Undo,
    /// Add the levels of a file.
    Import,
    /// Go back to the previous screen.
    Leave,
}

/// A step through the cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardStep {
    /// To the card on the left.
    Left,
    /// To the card on the right.
    Right,
    /// To the row above.
    Up,
    /// To the row below.
    Down,
    /// To the first card.
    First,
    /// To the last card.
    Last,
}

const SELECT: &str = "Select a level";
const FIXED: &str = "Built-in levels cannot be changed. Duplicate it first.";

fn own(item: &Item) -> Result<(), &'static str> {
    if item.file().is_some() { Ok(()) } else { Err(FIXED) }
}

/// The actions of the level browser; they depend on the selected level.
const ACTIONS: &[Command<BrowserAction, Item>] = &[
    command(BrowserAction::Select(CardStep::Left), &[key(KeyCode::ArrowLeft)], SELECT),
    command(BrowserAction::Select(CardStep::Right), &[key(KeyCode::ArrowRight)], SELECT),
    command(BrowserAction::Select(CardStep::Up), &[key(KeyCode::ArrowUp)], SELECT),
    command(BrowserAction::Select(CardStep::Down), &[key(KeyCode::ArrowDown)], SELECT),
    command(BrowserAction::Select(CardStep::First), &[key(KeyCode::Home)], SELECT),
    command(BrowserAction::Select(CardStep::Last), &[key(KeyCode::End)], SELECT),
    command(BrowserAction::Play, &[key(KeyCode::Enter)], "Play it")
        .label("Play")
        .icon(icon::PLAY)
        .when(|item| match item.playable() {
            true => Ok(()),
            false => Err("Not playable. Edit the level to see its problems."),
        }),
    command(BrowserAction::Edit, &[key(KeyCode::KeyE)], "Open it in the editor")
        .label("Edit")
        .icon(icon::PENCIL_SIMPLE),
    command(BrowserAction::Duplicate, &[ctrl(KeyCode::KeyD)], "Duplicate it")
        .label("Duplicate")
        .icon(icon::COPY),
    command(BrowserAction::CopyLink, links::KEYS, "Copy a link to it")
        .label(links::LABEL)
        .icon(icon::LINK)
        .tip("Copy a link to the level; it holds the whole level, unless that is built in"),
    command(BrowserAction::Rename, &[key(KeyCode::F2)], "Rename it")
        .label("Rename")
        .icon(icon::CURSOR_TEXT)
        .when(own),
    command(BrowserAction::Bin, &[key(KeyCode::Delete)], "Move it to the bin")
        .label("Move to bin")
        .icon(icon::TRASH)
        .when(own),
    command(BrowserAction::Restore, &[], "Restore").icon(icon::ARROW_COUNTER_CLOCKWISE),
    command(BrowserAction::Undo, &[ctrl(KeyCode::KeyZ)], "Restore the level moved to the bin last")
        .label("Undo")
        .icon(icon::ARROW_COUNTER_CLOCKWISE)
        .tip("Restore the level"),
    command(BrowserAction::Search, &[key(KeyCode::Slash), ctrl(KeyCode::KeyF)], "Search")
        .tip("Search names and descriptions"),
    command(BrowserAction::Import, &[ctrl(KeyCode::KeyI)], "Add the levels of a file")
        .label("Import…")
        .icon(icon::FOLDER_OPEN)
        .tip("Add the levels of a file in any format that a game knows, or watch a replay"),
    command(BrowserAction::Leave, &[key(KeyCode::Escape)], "Go back"),
];

/// The entry of an action.
pub fn entry_of(action: BrowserAction) -> &'static Command<BrowserAction, Item> {
    entry(ACTIONS, action)
}

/// The rows of the help.
pub fn key_rows() -> Vec<KeyRow> {
    rows(ACTIONS)
}

/// The action of the first key that was pressed in this frame. Keys without Ctrl must be pressed
/// alone.
pub fn pressed(ctx: &egui::Context) -> Option<BrowserAction> {
    let heard = typed(ctx).into_iter().filter(|(_, held)| held.command || held.is_none());
    let mut actions =
        heard.filter_map(|(key, held)| of_key(ACTIONS, key, held.command, held.shift));
    actions.next().map(|entry| entry.id)
}

/// The dialog that asks for a level's new name.
pub struct Rename {
    kind: &'static dyn DynGame,
    file: PathBuf,
    name: String,
    fresh: bool,
}

/// Performs an action. An error is shown and changes nothing.
pub fn perform(action: BrowserAction, browser: &mut Browser) {
    if let Err(why) = attempt(action, browser) {
        browser.notices.push(Notice::error(why));
    }
}

fn attempt(action: BrowserAction, browser: &mut Browser) -> Result<(), String> {
    let said = |error: StoreError| error.to_string();
    if action == BrowserAction::Undo {
        let Some((_, binned)) = browser.binned.last() else { return Ok(()) };
        let file = outwit_levels::restore(binned).map_err(said)?;
        browser.binned.pop();
        browser.offer_undo = false;
        browser.reload(Some(&file));
        return Ok(());
    }
    if action == BrowserAction::Import {
        browser.dialog = file_choice::to_read("Import levels", None);
        return Ok(());
    }
    let Some(item) = browser.chosen.and_then(|chosen| browser.list.get(chosen)) else {
        return Ok(());
    };
    let kind = item.kind;
    let name = item.level.name().to_owned();
    match (action, &item.level.entry.source, item.binned) {
        (BrowserAction::Duplicate, _, false) => {
            let bytes = item.level.entry.bytes().map_err(said)?;
            let folder = browser.list.folder.as_deref();
            let file = duplicate(folder, kind, &bytes, item.level.entry.stem(), &name)?;
            browser.reload(Some(&file));
        }
        (BrowserAction::Rename, Source::File(file), false) => {
            browser.rename = Some(Rename { kind, file: file.clone(), name, fresh: true });
        }
        (BrowserAction::Bin, Source::File(file), false) => {
            let binned = outwit_levels::to_bin(file).map_err(said)?;
            browser.binned.push((name, binned));
            browser.offer_undo = true;
            browser.reload(None);
        }
        (BrowserAction::Restore, Source::File(file), true) => {
            let binned = file.clone();
            outwit_levels::restore(&binned).map_err(said)?;
            browser.binned.retain(|(_, file)| *file != binned);
            browser.offer_undo = false;
            browser.reload(None);
        }
        (BrowserAction::Rename | BrowserAction::Bin, Source::BuiltIn(_), _) => {
            return Err(
                "Built-in levels cannot be changed. Duplicate the level and edit the copy.".into(),
            );
        }
        _ => {}
    }
    Ok(())
}

/// Copies a level to the user's folder and returns the new file.
fn duplicate(
    folder: Option<&Path>,
    kind: &dyn DynGame,
    bytes: &[u8],
    old_stem: &str,
    name: &str,
) -> Result<PathBuf, String> {
    let folder = folder.ok_or(NoDataFolder)?;
    let name = format!("{name} copy");
    // A level that cannot be read is copied unchanged.
    let text = kind.renamed(bytes, old_stem, &name).map_or(bytes.to_vec(), String::into_bytes);
    let file = folder.join(kind.id()).join(format!("{}.ron", stem(&name)));
    levels::write_new(&file, &text).map_err(|error| error.to_string())
}

/// Renames a level of the user's: its title and its file.
fn rename(kind: &dyn DynGame, file: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let bytes = levels::read_file(file)?;
    let shown = file.to_string_lossy();
    let text = kind.renamed(&bytes, &shown, name);
    let text = text.as_ref().map_or(bytes.as_slice(), |text| text.as_bytes());
    let renamed = levels::rename(file, &bytes, &stem(name), text)?;
    outwit_levels::rename_in_collection(file, &renamed)?;
    Ok(renamed)
}

/// Shows the dialog that asks for the new name.
pub fn rename_dialog(ctx: &egui::Context, browser: &mut Browser) {
    let Some(asked) = &mut browser.rename else { return };
    match widgets::name_dialog(ctx, "Rename level", &mut asked.name, &mut asked.fresh) {
        NameReply::Open => {}
        NameReply::Closed => browser.rename = None,
        NameReply::Named => match rename(asked.kind, &asked.file, asked.name.trim()) {
            Ok(file) => {
                browser.rename = None;
                browser.reload(Some(&file));
            }
            Err(error) => {
                browser.notices.push(Notice::error(format!("Could not rename. {error}")));
            }
        },
    }
}
