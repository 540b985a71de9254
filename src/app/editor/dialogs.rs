//! What lies over the map: new, open, generate, resize, names, exports, and the questions before
//! anything is lost.

use super::studio::{Next, Studio};
use super::work::game;
use crate::app::setup::control;
use crate::app::theme::space;
use crate::app::widgets;
use crate::editor::{Desk, NotSaved};
use crate::games::{GAMES, GameKind};
use crate::levels::{Entry, Source, list};
use bevy_egui::egui;
use egui::{RichText, Ui, vec2};
use egui_file_dialog::FileDialog;
use egui_phosphor::regular as icon;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Width of the names in front of the controls, in points.
const NAMES: f32 = 120.0;

/// A file dialog that can stand in a list of dialogs.
#[derive(Clone)]
pub struct Picker(Arc<Mutex<FileDialog>>);

impl PartialEq for Picker {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl std::fmt::Debug for Picker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Picker")
    }
}

impl Picker {
    fn new(folder: Option<&Path>, prepare: impl FnOnce(FileDialog) -> FileDialog) -> Self {
        let mut dialog = FileDialog::new()
            .default_size(vec2(640.0, 400.0))
            .min_size(vec2(360.0, 240.0))
            .anchor(egui::Align2::CENTER_CENTER, vec2(0.0, 0.0))
            .show_search(false);
        if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
            dialog = dialog.initial_directory(folder.into());
        }
        Self(Arc::new(Mutex::new(prepare(dialog))))
    }
}

/// What lies over the map.
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
    /// One of the levels there are.
    Open {
        /// What their names hold.
        search: String,
    },
    /// A level by lot.
    Generate {
        /// The game.
        game: &'static str,
        /// What is wished for, in the order of the game's wishes.
        wishes: Vec<String>,
        /// The seed.
        seed: u64,
        /// Why there is none.
        why: Option<String>,
    },
    /// Another size.
    Resize {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// Which part stays.
        anchor: (usize, usize),
    },
    /// A name for level and file.
    Name {
        /// The name.
        name: String,
        /// Whether the file that there is goes with it.
        rename: bool,
        /// Why it cannot be that.
        why: Option<String>,
    },
    /// In which format to export.
    Export,
    /// Where to.
    ExportTo(Picker),
    /// Which file to import.
    Import(Picker),
    /// What becomes of unsaved changes.
    Unsaved {
        /// What comes then.
        next: Box<Next>,
    },
    /// The file is not what it was.
    Conflict {
        /// The file.
        path: PathBuf,
        /// Why it was not saved.
        why: NotSaved,
    },
    /// Whether the file is to go into the bin.
    Bin {
        /// The file.
        path: PathBuf,
    },
}

impl Dialog {
    /// A new level, of the game that one is at.
    pub fn begin(studio: &Studio) -> Self {
        let kind = kind_of(studio);
        let (width, height) = kind.map_or((20, 20), |kind| kind.usual_size());
        Dialog::New { game: kind.map_or("", |kind| kind.id()), width, height }
    }

    /// A level by lot, of the game that one is at.
    pub fn generate(studio: &Studio) -> Self {
        match kind_of(studio) {
            Some(kind) => Self::lot_for(kind),
            None => Dialog::Open { search: String::new() },
        }
    }

    fn lot_for(kind: &'static dyn GameKind) -> Self {
        let wishes = kind.wishes().into_iter().map(|(_, usual)| usual).collect();
        Dialog::Generate { game: kind.id(), wishes, seed: 1, why: None }
    }

    /// A name for a level that has no file.
    pub fn save_as(desk: &Desk) -> Self {
        Dialog::Name { name: desk.sketch().name.clone(), rename: false, why: None }
    }

    /// Another name.
    pub fn rename(desk: &Desk) -> Self {
        Dialog::Name { name: desk.sketch().name.clone(), rename: true, why: None }
    }

    /// Another size.
    pub fn resize(desk: &Desk) -> Self {
        let cells = &desk.sketch().cells;
        Dialog::Resize { width: cells.width(), height: cells.height(), anchor: (1, 1) }
    }

    /// A file to import.
    pub fn import(folder: Option<&Path>) -> Self {
        let exports = folder.map(|folder| folder.join("exports"));
        let picker = Picker::new(exports.as_deref(), |mut dialog| {
            dialog = dialog.title("Import a level");
            dialog.pick_file();
            dialog
        });
        Dialog::Import(picker)
    }

    fn export_to(studio: &Studio, ending: &'static str) -> Option<Self> {
        let work = studio.work.as_ref()?;
        let folder = studio.folder.as_ref().map(|folder| folder.join("exports"));
        if let Some(folder) = &folder {
            let _ = std::fs::create_dir_all(folder);
        }
        let name = format!("{}.{ending}", crate::editor::stem(&work.desk.sketch().name));
        Some(Dialog::ExportTo(Picker::new(folder.as_deref(), |dialog| {
            let mut dialog = dialog.title("Export the level").default_file_name(&name);
            dialog.save_file();
            dialog
        })))
    }
}

fn kind_of(studio: &Studio) -> Option<&'static dyn GameKind> {
    studio.work.as_ref().map(|work| work.desk.kind()).or(GAMES.first().map(|game| game.kind))
}

/// Shows the dialog that is open.
pub fn show(ctx: &egui::Context, studio: &mut Studio) {
    let Some(dialog) = studio.dialog.clone() else {
        studio.then = None;
        return;
    };
    if let Dialog::Import(picker) | Dialog::ExportTo(picker) = &dialog {
        show_picker(ctx, studio, &dialog, picker);
        return;
    }
    let room = ctx.content_rect().size();
    let frame = egui::Frame::window(&ctx.global_style()).inner_margin(20);
    let modal = egui::Modal::new("editor dialog".into()).frame(frame).show(ctx, |ui| {
        ui.set_width((room.x - 80.0).clamp(280.0, 460.0));
        ui.set_max_height(room.y - 80.0);
        ui.spacing_mut().item_spacing.y = space::MEDIUM;
        match dialog {
            Dialog::New { game, width, height } => new(ui, studio, game, width, height),
            Dialog::Open { search } => open(ui, studio, search),
            Dialog::Generate { game, wishes, seed, why } => {
                generate(ui, studio, game, wishes, seed, why);
            }
            Dialog::Resize { width, height, anchor } => resize(ui, studio, width, height, anchor),
            Dialog::Name { name, rename, why } => name_it(ui, studio, name, rename, why),
            Dialog::Export => export(ui, studio),
            Dialog::Unsaved { next } => unsaved(ui, studio, *next),
            Dialog::Conflict { path, why } => conflict(ui, studio, &path, &why),
            Dialog::Bin { path } => bin(ui, studio, &path),
            Dialog::ExportTo(_) | Dialog::Import(_) => {}
        }
    });
    if modal.should_close() {
        studio.dialog = None;
    }
}

fn show_picker(ctx: &egui::Context, studio: &mut Studio, dialog: &Dialog, picker: &Picker) {
    let Ok(mut files) = picker.0.lock() else { return };
    files.update(ctx);
    let picked = files.take_picked();
    let closed = !matches!(files.state(), egui_file_dialog::DialogState::Open);
    drop(files);
    match (picked, dialog) {
        (Some(path), Dialog::Import(_)) => studio.ask_then(Next::File(path)),
        (Some(path), _) => {
            studio.dialog = None;
            studio.export(&path);
        }
        (None, _) if closed => studio.dialog = None,
        _ => {}
    }
}

/// The buttons at the foot: the one that goes on, and the one that does not. Returns whether to go
/// on; Enter does.
fn foot(ui: &mut Ui, studio: &mut Studio, words: &str, enabled: bool) -> bool {
    ui.add_space(space::SMALL);
    let mut go = false;
    ui.horizontal(|ui| {
        go = ui.add_enabled_ui(enabled, |ui| widgets::primary_button(ui, words).clicked()).inner;
        if ui.button("Cancel").clicked() {
            studio.dialog = None;
        }
    });
    go || enabled && ui.input(|input| input.key_pressed(egui::Key::Enter))
}

fn choose_game(ui: &mut Ui, now: &str) -> Option<&'static dyn GameKind> {
    let mut chosen = now;
    let games: Vec<(&str, &str)> =
        GAMES.iter().map(|game| (game.kind.id(), game.kind.name())).collect();
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

fn new(ui: &mut Ui, studio: &mut Studio, id: &'static str, mut width: usize, mut height: usize) {
    ui.heading("New level");
    let mut id = id;
    if let Some(kind) = choose_game(ui, id) {
        (id, (width, height)) = (kind.id(), kind.usual_size());
    }
    let Some(kind) = game(id) else { return };
    number(ui, "Columns", &mut width, kind.sides());
    number(ui, "Rows", &mut height, kind.sides());
    studio.dialog = Some(Dialog::New { game: id, width, height });
    if foot(ui, studio, "Empty level", true) {
        studio.put(Desk::blank(kind, width, height), None);
        return;
    }
    ui.separator();
    ui.horizontal_wrapped(|ui| {
        if ui.button(format!("{}  Generate…", icon::DICE_FIVE)).clicked() {
            studio.dialog = Some(Dialog::lot_for(kind));
        }
        let picture = format!("{}  From a picture or file…", icon::IMAGE);
        if ui.button(picture).clicked() {
            studio.dialog = Some(Dialog::import(studio.folder.as_deref()));
        }
        let clipboard = format!("{}  From the clipboard", icon::CLIPBOARD_TEXT);
        let hover = "A level as text: a file's content, or rows of cells. Ctrl+V does it too.";
        if ui.button(clipboard).on_hover_text(hover).clicked() {
            studio.outbox.paste = true;
        }
    });
    if let Some(text) = studio.pasted.take() {
        let next = Next::Text { bytes: text.into_bytes().into(), name: "clipboard.txt".into() };
        studio.go_on(next);
        return;
    }
    widgets::hint(ui, "Or begin from a level that there is:");
    let templates = list(kind.id());
    egui::ScrollArea::vertical().max_height(150.0).auto_shrink([false, true]).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            for entry in templates {
                if ui.button(entry.stem()).clicked() {
                    template(studio, &entry);
                }
            }
        });
    });
}

/// A level that there is as the beginning of a new one.
fn template(studio: &mut Studio, entry: &Entry) {
    match entry.bytes() {
        Ok(bytes) => {
            let name = format!("{}.ron", entry.stem());
            studio.go_on(Next::Text { bytes: bytes.into(), name });
        }
        Err(error) => studio.outbox.fail(error.to_string()),
    }
}

fn open(ui: &mut Ui, studio: &mut Studio, mut search: String) {
    ui.heading("Open a level");
    let mut next = None;
    ui.horizontal_wrapped(|ui| {
        let all = format!("{}  Browse all levels", icon::SQUARES_FOUR);
        if ui.button(all).clicked() {
            next = Some(Next::Browse);
        }
        let file = format!("{}  From a file…", icon::FOLDER_OPEN);
        if ui.button(file).clicked() {
            next = Some(Next::Dialog(Box::new(Dialog::import(studio.folder.as_deref()))));
        }
    });
    let hint = egui::TextEdit::singleline(&mut search)
        .hint_text("Search")
        .desired_width(f32::INFINITY)
        .margin(widgets::FIELD);
    ui.add(hint);
    let wanted = search.to_lowercase();
    let height = (ui.ctx().content_rect().height() - 300.0).max(120.0);
    egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        let recent: Vec<&PathBuf> = studio
            .recent
            .iter()
            .filter(|path| path.to_string_lossy().to_lowercase().contains(&wanted))
            .collect();
        if !recent.is_empty() {
            widgets::section(ui, "Recent");
            ui.horizontal_wrapped(|ui| {
                for path in recent {
                    let name = path.file_stem().unwrap_or_default().to_string_lossy();
                    let shown = path.display().to_string();
                    if ui.button(name).on_hover_text(shown).clicked() {
                        next = Some(Next::File(path.clone()));
                    }
                }
            });
        }
        for kind in GAMES.iter().map(|game| game.kind) {
            widgets::section(ui, kind.name());
            let fits = |entry: &Entry| entry.stem().to_lowercase().contains(&wanted);
            ui.horizontal_wrapped(|ui| {
                for entry in list(kind.id()).into_iter().filter(fits) {
                    let (mark, hover) = match entry.source {
                        Source::File(_) => (icon::USER, "Your own"),
                        _ => (icon::LOCK_SIMPLE, "Built in: opens as a copy"),
                    };
                    let words = format!("{mark}  {}", entry.stem());
                    if ui.button(words).on_hover_text(hover).clicked() {
                        next = Some(Next::Entry(entry));
                    }
                }
            });
        }
    });
    studio.dialog = Some(Dialog::Open { search });
    if ui.button("Cancel").clicked() {
        studio.dialog = None;
    }
    match next {
        Some(Next::Dialog(dialog)) => studio.dialog = Some(*dialog),
        Some(next) => studio.ask_then(next),
        None => {}
    }
}

fn generate(
    ui: &mut Ui,
    studio: &mut Studio,
    id: &'static str,
    mut wishes: Vec<String>,
    mut seed: u64,
    mut why: Option<String>,
) {
    ui.heading("Generate a level");
    let Some(mut kind) = game(id) else { return };
    if let Some(other) = choose_game(ui, id) {
        kind = other;
        wishes = kind.wishes().into_iter().map(|(_, usual)| usual).collect();
        why = None;
    }
    for ((property, _), value) in kind.wishes().iter().zip(&mut wishes) {
        widgets::row(ui, &property.label(), property.help, NAMES, |ui| {
            control(ui, property, value);
        });
    }
    widgets::row(ui, "Seed", "The same wishes and seed give the same level", NAMES, |ui| {
        ui.add(egui::DragValue::new(&mut seed).speed(1.0));
        if ui.button(icon::DICE_FIVE).on_hover_text("Another one").clicked() {
            seed += 1;
        }
    });
    if let Some(why) = &why {
        widgets::fault(ui, why);
    }
    studio.dialog = Some(Dialog::Generate { game: kind.id(), wishes: wishes.clone(), seed, why });
    if foot(ui, studio, "Generate", true) {
        let asked: Vec<(String, String)> = kind
            .wishes()
            .iter()
            .zip(&wishes)
            .map(|((property, _), value)| (property.key.to_owned(), value.clone()))
            .collect();
        match kind.generate(&asked, seed) {
            Ok(sketch) => studio.put(Desk::unsaved(kind, sketch), None),
            Err(why) => {
                let game = kind.id();
                studio.dialog = Some(Dialog::Generate { game, wishes, seed, why: Some(why) });
            }
        }
    }
}

fn resize(
    ui: &mut Ui,
    studio: &mut Studio,
    mut width: usize,
    mut height: usize,
    mut anchor: (usize, usize),
) {
    ui.heading("Resize");
    let Some(sides) = studio.work.as_ref().map(|work| work.desk.kind().sides()) else { return };
    number(ui, "Columns", &mut width, sides.clone());
    number(ui, "Rows", &mut height, sides);
    widgets::row(ui, "What stays", "The part of the map that stays where it is", NAMES, |ui| {
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing = vec2(space::SMALL, space::SMALL);
            for (y, row) in ["Top", "Middle", "Bottom"].iter().enumerate() {
                ui.horizontal(|ui| {
                    for (x, column) in ["left", "middle", "right"].iter().enumerate() {
                        let chosen = anchor == (x, y);
                        let mark = if chosen { icon::RECORD } else { icon::CIRCLE };
                        let button = egui::Button::new(mark).selected(chosen);
                        let size = vec2(32.0, 28.0);
                        let hover = format!("{row}, {column}");
                        if ui.add_sized(size, button).on_hover_text(hover).clicked() {
                            anchor = (x, y);
                        }
                    }
                });
            }
        });
    });
    studio.dialog = Some(Dialog::Resize { width, height, anchor });
    if foot(ui, studio, "Resize", true)
        && let Some(work) = &mut studio.work
    {
        let done = work.desk.resize(width, height, anchor);
        work.view.zoom = None;
        match done {
            Ok(()) => studio.dialog = None,
            Err(why) => studio.outbox.fail(why),
        }
    }
}

fn name_it(
    ui: &mut Ui,
    studio: &mut Studio,
    mut name: String,
    rename: bool,
    mut why: Option<String>,
) {
    ui.heading(if rename { "Rename" } else { "Save as" });
    let edit = ui.add(
        egui::TextEdit::singleline(&mut name).desired_width(f32::INFINITY).margin(widgets::FIELD),
    );
    if ui.memory(|memory| memory.focused().is_none()) {
        edit.request_focus();
    }
    if edit.changed() {
        why = None;
    }
    widgets::hint(ui, format!("The file will be {}.ron", crate::editor::stem(&name)));
    if let Some(why) = &why {
        widgets::fault(ui, why);
    }
    let fine = !name.trim().is_empty();
    studio.dialog = Some(Dialog::Name { name: name.clone(), rename, why });
    let words = if rename { "Rename" } else { "Save" };
    if foot(ui, studio, words, fine) {
        if rename {
            match studio.rename(&name) {
                Ok(()) => studio.dialog = None,
                Err(why) => studio.dialog = Some(Dialog::Name { name, rename, why: Some(why) }),
            }
        } else {
            studio.save_as(&name, false);
        }
    }
}

fn export(ui: &mut Ui, studio: &mut Studio) {
    ui.heading("Export");
    let Some(kind) = studio.work.as_ref().map(|work| work.desk.kind()) else { return };
    ui.label("As what?");
    for ending in kind.exports().iter().copied().chain(["ron"]) {
        let what = match ending {
            "png" => "Picture, one pixel a cell, with the whole level in it",
            "txt" => "Text, one character a cell, with the whole level in it",
            "ron" => "Level file",
            _ => "Other format",
        };
        if ui.button(format!(".{ending}   {what}")).clicked() {
            studio.dialog = Dialog::export_to(studio, ending);
        }
    }
    if ui.button("Cancel").clicked() {
        studio.dialog = None;
    }
}

fn unsaved(ui: &mut Ui, studio: &mut Studio, next: Next) {
    ui.heading("Unsaved changes");
    let name = studio.work.as_ref().map(|work| work.desk.sketch().name.clone()).unwrap_or_default();
    ui.label(format!("“{name}” has changes that no file holds."));
    ui.horizontal_wrapped(|ui| {
        if widgets::primary_button(ui, "Save").clicked() {
            // A level without a file asks for a name first.
            studio.then = Some(Box::new(next.clone()));
            studio.save(false);
        }
        if widgets::warning_button(ui, "Throw away").clicked() {
            if let Some(work) = &mut studio.work {
                work.throw_away();
            }
            studio.go_on(next.clone());
        }
        if ui.button("Cancel").clicked() {
            studio.dialog = None;
        }
    });
}

fn conflict(ui: &mut Ui, studio: &mut Studio, path: &Path, why: &NotSaved) {
    let changed = *why == NotSaved::Changed;
    ui.heading(if changed { "The file changed" } else { "There is such a file" });
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ui.label(if changed {
        format!("Another program wrote to {name} since it was opened here.")
    } else {
        format!("There is another level in {name} already.")
    });
    widgets::hint(ui, "Writing over it keeps what is there now beside it, with a ~ at its end.");
    ui.horizontal_wrapped(|ui| {
        if ui.button("Save under another name…").clicked()
            && let Some(work) = &studio.work
        {
            studio.dialog = Some(Dialog::save_as(&work.desk));
        }
        if widgets::warning_button(ui, "Write over it").clicked() {
            studio.overwrite(path);
        }
        if ui.button("Cancel").clicked() {
            studio.dialog = None;
        }
    });
}

fn bin(ui: &mut Ui, studio: &mut Studio, path: &Path) {
    ui.heading("Move to the bin");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ui.label(format!("{name} goes into the bin of your levels; the level browser brings it back."));
    ui.label(RichText::new("The level is closed here.").weak());
    ui.horizontal(|ui| {
        if widgets::warning_button(ui, "Move to the bin").clicked() {
            match crate::levels::to_bin(path) {
                Ok(_) => {
                    if let Some(mut work) = studio.work.take() {
                        work.throw_away();
                    }
                    studio.dialog = None;
                    studio.outbox.say(format!("{name} is in the bin."));
                }
                Err(error) => studio.outbox.fail(error.to_string()),
            }
        }
        if ui.button("Cancel").clicked() {
            studio.dialog = None;
        }
    });
}
