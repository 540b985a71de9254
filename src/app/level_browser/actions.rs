//! What the browser does with levels.

use super::Browser;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use crate::editor::stem;
use crate::games::DynGame;
use crate::levels::{self, Source, StoreError};
use bevy_egui::egui;
use egui::Key;
use std::path::{Path, PathBuf};

/// Something to do with the chosen level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BrowserAction {
    /// Set up a match on it.
    Play,
    /// Open it in the editor.
    Edit,
    /// Make a second one.
    Duplicate,
    /// Give it another name.
    Rename,
    /// Throw it away.
    Bin,
    /// Bring it back from the bin.
    Restore,
    /// Bring back what went into the bin last.
    Undo,
    /// To the screen before.
    Leave,
}

/// The dialog that asks for a level's new name.
pub struct Rename {
    kind: &'static dyn DynGame,
    file: PathBuf,
    name: String,
    fresh: bool,
}

/// Does it; what goes wrong is told and changes nothing.
pub fn perform(action: BrowserAction, browser: &mut Browser) {
    if let Err(why) = attempt(action, browser) {
        browser.trouble.push(why);
    }
}

fn attempt(action: BrowserAction, browser: &mut Browser) -> Result<(), String> {
    let said = |error: StoreError| error.to_string();
    if action == BrowserAction::Undo {
        let Some((_, binned)) = browser.binned.last() else { return Ok(()) };
        let file = levels::restore(binned).map_err(said)?;
        browser.binned.pop();
        browser.offer_undo = false;
        browser.list_anew(Some(&file));
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
            browser.list_anew(Some(&file));
        }
        (BrowserAction::Rename, Source::File(file), false) => {
            browser.rename = Some(Rename { kind, file: file.clone(), name, fresh: true });
        }
        (BrowserAction::Bin, Source::File(file), false) => {
            let binned = levels::to_bin(file).map_err(said)?;
            browser.binned.push((name, binned));
            browser.offer_undo = true;
            browser.list_anew(None);
        }
        (BrowserAction::Restore, Source::File(file), true) => {
            let binned = file.clone();
            levels::restore(&binned).map_err(said)?;
            browser.binned.retain(|(_, file)| *file != binned);
            browser.offer_undo = false;
            browser.list_anew(None);
        }
        (BrowserAction::Rename | BrowserAction::Bin, Source::BuiltIn(_), _) => {
            return Err("This level is part of the program. Duplicate it to change it.".into());
        }
        _ => {}
    }
    Ok(())
}

/// Puts a copy of a level among the user's own and returns its file.
fn duplicate(
    folder: Option<&Path>,
    kind: &dyn DynGame,
    bytes: &[u8],
    old_stem: &str,
    name: &str,
) -> Result<PathBuf, String> {
    let folder = folder.ok_or("The system names no folder for your levels; set OUTWIT_DATA.")?;
    let name = format!("{name} copy");
    // What cannot be read is copied as it is.
    let text = kind.renamed(bytes, old_stem, &name).map_or(bytes.to_vec(), String::into_bytes);
    let file = folder.join(kind.id()).join(format!("{}.ron", stem(&name)));
    levels::write_new(&file, &text).map_err(|error| error.to_string())
}

/// Gives a level of the user's another name, in the file and for the file.
fn rename(kind: &dyn DynGame, file: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let bytes = levels::read(file)?;
    let shown = file.to_string_lossy();
    let text = kind.renamed(&bytes, &shown, name).map_or(bytes, String::into_bytes);
    levels::rename(file, &stem(name), &text)
}

/// Asks for the new name.
pub fn rename_dialog(ctx: &egui::Context, browser: &mut Browser) {
    let Some(asked) = &mut browser.rename else { return };
    let (mut done, mut close) = (false, false);
    let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
    let modal = egui::Modal::new("rename".into()).frame(frame).show(ctx, |ui| {
        ui.set_width(320.0);
        ui.heading("Rename the level");
        ui.add_space(space::MEDIUM);
        let field = ui.add(
            egui::TextEdit::singleline(&mut asked.name)
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
                browser.list_anew(Some(&file));
            }
            Err(error) => {
                browser.trouble.push(format!("The level keeps its name. {error}"));
            }
        }
    } else if close || modal.should_close() {
        browser.rename = None;
    }
}
