//! The actions of the level browser.

use super::Browser;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy_egui::egui;
use egui::Key;
use outwit_core::levels;
use outwit_core::levels::StoreError;
use outwit_headless::editor::stem;
use outwit_kit::DynGame;
use outwit_levels::Source;
use std::path::{Path, PathBuf};

/// An action on the selected level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BrowserAction {
    /// Set up a match on it.
    Play,
    /// Open it in the editor.
    Edit,
    /// Duplicate it.
    Duplicate,
    /// Rename it.
    Rename,
    /// Move it to the bin.
    Bin,
    /// Restore it from the bin.
    Restore,
    /// Restore the level moved to the bin last.
    Undo,
    /// Go back to the previous screen.
    Leave,
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
        browser.errors.push(why);
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
    let Some(item) = browser.chosen.and_then(|chosen| browser.list.get(chosen)) else {
        return Ok(());
    };
    let (kind, name) = (item.kind, item.level.name().to_owned());
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
    let folder = folder.ok_or("No data folder available. Set OUTWIT_DATA to choose one.")?;
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
    levels::rename(file, &bytes, &stem(name), text)
}

/// Shows the dialog that asks for the new name.
pub fn rename_dialog(ctx: &egui::Context, browser: &mut Browser) {
    let Some(asked) = &mut browser.rename else { return };
    let (mut done, mut close) = (false, false);
    let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
    let modal = egui::Modal::new("rename".into()).frame(frame).show(ctx, |ui| {
        ui.set_width(320.0);
        ui.heading("Rename level");
        ui.add_space(space::MEDIUM);
        let field = ui.add(
            egui::TextEdit::singleline(&mut asked.name)
                .id_salt("level name")
                .margin(egui::Margin::symmetric(8, 6))
                .desired_width(f32::INFINITY),
        );
        if std::mem::take(&mut asked.fresh) {
            field.request_focus();
        }
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        ui.add_space(space::MEDIUM);
        let named = !asked.name.trim().is_empty();
        ui.horizontal(|ui| {
            let button = ui.add_enabled_ui(named, |ui| widgets::primary_button(ui, "Rename")).inner;
            done = named && (button.clicked() || entered);
            close = ui.add(egui::Button::new("Cancel").min_size(egui::vec2(0.0, 36.0))).clicked();
        });
    });
    if done {
        match rename(asked.kind, &asked.file, asked.name.trim()) {
            Ok(file) => {
                browser.rename = None;
                browser.reload(Some(&file));
            }
            Err(error) => {
                browser.errors.push(format!("Could not rename. {error}"));
            }
        }
    } else if close || modal.should_close() {
        browser.rename = None;
    }
}
