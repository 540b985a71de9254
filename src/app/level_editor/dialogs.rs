//! The dialogs: new, open, generate, resize, names, exports, and confirmations before anything is
//! lost.

mod begin;
mod files;

use super::open_document::game;
use super::screen::{EditorScreen, NextStep};
use crate::app::shell::file_choice;
use crate::app::shell::notice::Notice;
use crate::app::shell::theme::space;
use crate::app::shell::widgets;
use bevy::prelude::Commands;
use bevy_egui::egui;
use egui::{RichText, Ui, vec2};
use egui_file_dialog::FileDialog;
use egui_phosphor::regular as icon;
use outwit_core::platform::store;
use outwit_headless::GAMES;
use outwit_headless::editor::{EditorModel, SaveError};
use outwit_kit::DynGame;
use outwit_levels::Entry;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use begin::{generate, new, open, resize};
use files::{bin, conflict, export, name_dialog, picture, unsaved};

/// The most width of dialogs that show pictures, in points.
const WITH_PICTURES: f32 = 760.0;
/// Width of the names in front of the controls, in points.
const NAMES: f32 = 120.0;

/// A file dialog that can be cloned and compared.
#[derive(Clone)]
pub struct FilePicker(Arc<Mutex<FileDialog>>);

impl PartialEq for FilePicker {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::fmt::Debug for FilePicker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FilePicker")
    }
}

impl FilePicker {
    fn new(folder: Option<&Path>, prepare: impl FnOnce(FileDialog) -> FileDialog) -> Self {
        let mut dialog = file_choice::to_write().show_search(false);
        if let Some(folder) = folder.filter(|folder| store::is_folder(folder)) {
            dialog = dialog.initial_directory(folder.into());
        }
        Self(Arc::new(Mutex::new(prepare(dialog))))
    }
}

/// The open dialog.
#[derive(Clone, PartialEq, Debug)]
pub enum Dialog {
    /// A new level.
    New {
        /// The game.
        game: &'static str,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// Open a level from the list.
    Open {
        /// The text to search for in their names.
        search: String,
    },
    /// Generate a random level.
    Generate {
        /// The game.
        game: &'static str,
        /// The values of the game's generator options, in their order.
        options: Vec<String>,
        /// The seed.
        seed: u64,
    },
    /// Resize the map.
    Resize {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The part that stays in place.
        anchor: (usize, usize),
    },
    /// A name for level and file.
    Name {
        /// The name.
        name: String,
        /// Whether to rename the existing file.
        rename: bool,
        /// Why this name is not possible.
        why: Option<String>,
    },
    /// Choose the format of an export.
    Export,
    /// Choose the file of an export.
    ExportTo(FilePicker),
    /// Choose a file to import.
    Import(FilePicker),
    /// Say what the picture that is being imported shows.
    Picture,
    /// Save or discard unsaved changes.
    Unsaved {
        /// What to do afterwards.
        next: Box<NextStep>,
    },
    /// The file has changed.
    Conflict {
        /// The file.
        path: PathBuf,
        /// Why it was not saved.
        why: SaveError,
    },
    /// Confirm moving the file to the bin.
    Bin {
        /// The file.
        path: PathBuf,
    },
}

impl Dialog {
    /// A new level of the current game.
    pub fn begin(screen: &EditorScreen) -> Self {
        let kind = kind_of(screen);
        let (width, height) = kind.map_or((20, 20), |kind| kind.facts().new_size);
        Dialog::New { game: kind.map_or("", |kind| kind.id()), width, height }
    }

    /// A random level of a game that has a generator.
    pub fn generate(kind: &'static dyn DynGame) -> Self {
        let options = kind.generator_options().into_iter().map(|(_, default)| default).collect();
        Dialog::Generate { game: kind.id(), options, seed: 1 }
    }

    /// A name for a level that has no file.
    pub fn save_as(model: &EditorModel) -> Self {
        Dialog::Name { name: model.draft().name.clone(), rename: false, why: None }
    }

    /// Another name for the level.
    pub fn rename(model: &EditorModel) -> Self {
        Dialog::Name { name: model.draft().name.clone(), rename: true, why: None }
    }

    /// Another size of the map.
    pub fn resize(model: &EditorModel) -> Self {
        let cells = &model.draft().cells;
        Dialog::Resize { width: cells.width(), height: cells.height(), anchor: (1, 1) }
    }

    /// A file to import; `None` where it arrives as if it were dropped.
    pub fn import(folder: Option<&Path>) -> Option<Self> {
        let exports = folder.map(|folder| folder.join("exports"));
        let dialog = file_choice::to_read("Import level", exports.as_deref())?;
        Some(Dialog::Import(FilePicker(Arc::new(Mutex::new(dialog)))))
    }

    fn export_to(screen: &EditorScreen, ending: &'static str) -> Option<Self> {
        let work = screen.work.as_ref()?;
        let folder = screen.folder.as_ref().map(|folder| file_choice::exports(folder, "exports"));
        if let Some(folder) = &folder {
            let _ = store::create_folder(folder);
        }
        let name = format!("{}.{ending}", outwit_headless::editor::stem(&work.model.draft().name));
        Some(Dialog::ExportTo(FilePicker::new(folder.as_deref(), |dialog| {
            let mut dialog = dialog.title("Export level").default_file_name(&name);
            dialog.save_file();
            dialog
        })))
    }
}

fn kind_of(screen: &EditorScreen) -> Option<&'static dyn DynGame> {
    screen.work.as_ref().map(|work| work.model.kind()).or(GAMES.first().copied())
}

/// Shows the dialog that is open.
pub fn show(ctx: &egui::Context, screen: &mut EditorScreen, commands: &mut Commands) {
    let Some(dialog) = screen.dialog.clone() else {
        screen.then = None;
        screen.picture = None;
        screen.gallery.close();
        return;
    };
    if let Dialog::Import(picker) | Dialog::ExportTo(picker) = &dialog {
        show_file_picker(ctx, screen, &dialog, picker, commands);
        return;
    }
    let room = ctx.content_rect().size();
    let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
    let modal = egui::Modal::new("editor dialog".into()).frame(frame).show(ctx, |ui| {
        let wide = match dialog {
            Dialog::New { .. }
            | Dialog::Open { .. }
            | Dialog::Generate { .. }
            | Dialog::Picture => WITH_PICTURES,
            _ => 460.0,
        };
        ui.set_width((room.x - 80.0).clamp(280.0, wide));
        ui.set_max_height(room.y - 80.0);
        ui.spacing_mut().item_spacing.y = space::MEDIUM;
        match dialog {
            Dialog::New { game, width, height } => new(ui, screen, game, width, height, commands),
            Dialog::Open { search } => open(ui, screen, search, commands),
            Dialog::Generate { game, options, seed } => {
                generate(ui, screen, game, options, seed, commands);
            }
            Dialog::Resize { width, height, anchor } => {
                resize(ui, screen, width, height, anchor, commands)
            }
            Dialog::Name { name, rename, why } => {
                name_dialog(ui, screen, name, rename, why, commands)
            }
            Dialog::Export => export(ui, screen),
            Dialog::Picture => picture(ui, screen, commands),
            Dialog::Unsaved { next } => unsaved(ui, screen, *next, commands),
            Dialog::Conflict { path, why } => conflict(ui, screen, &path, &why, commands),
            Dialog::Bin { path } => bin(ui, screen, &path, commands),
            Dialog::ExportTo(_) | Dialog::Import(_) => {}
        }
    });
    if modal.should_close() {
        screen.dialog = None;
    }
}

fn show_file_picker(
    ctx: &egui::Context,
    screen: &mut EditorScreen,
    dialog: &Dialog,
    picker: &FilePicker,
    commands: &mut Commands,
) {
    let Ok(mut files) = picker.0.lock() else { return };
    file_choice::update(&mut files, ctx);
    let picked = files.take_picked();
    let closed = !matches!(files.state(), egui_file_dialog::DialogState::Open);
    drop(files);
    match (picked, dialog) {
        (Some(path), Dialog::Import(_)) => screen.ask_then(NextStep::File(path), commands),
        (Some(path), _) => {
            screen.dialog = None;
            screen.export(&path, commands);
        }
        (None, _) if closed => screen.dialog = None,
        _ => {}
    }
}

/// The buttons of a dialog: confirm and cancel. Returns whether the user confirmed, by button or
/// Enter.
fn buttons(ui: &mut Ui, screen: &mut EditorScreen, words: &str, enabled: bool) -> bool {
    ui.add_space(space::SMALL);
    let mut go = false;
    ui.horizontal(|ui| {
        go = ui.add_enabled_ui(enabled, |ui| widgets::primary_button(ui, words).clicked()).inner;
        if ui.button("Cancel").clicked() {
            screen.dialog = None;
        }
    });
    go || enabled && ui.input(|input| input.key_pressed(egui::Key::Enter))
}

/// Shows the games to choose from, of those that fit; returns the one that was chosen just now.
fn choose_game(
    ui: &mut Ui,
    now: &str,
    fits: fn(&dyn DynGame) -> bool,
) -> Option<&'static dyn DynGame> {
    let mut chosen = now;
    let games = GAMES.iter().filter(|game| fits(**game));
    let games: Vec<(&str, &str)> = games.map(|game| (game.id(), game.name())).collect();
    let changed =
        widgets::row(ui, "Game", "", NAMES, |ui| widgets::choice(ui, &mut chosen, &games));
    changed.then(|| game(chosen)).flatten()
}

fn number(ui: &mut Ui, name: &str, value: &mut usize, range: std::ops::RangeInclusive<usize>) {
    let help = format!("{} to {} cells", range.start(), range.end());
    widgets::row(ui, name, &help, NAMES, |ui| {
        ui.add(egui::DragValue::new(value).range(range).speed(0.2).suffix(" cells"))
    });
}
