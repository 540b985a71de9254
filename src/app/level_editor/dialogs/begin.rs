//! Dialogs that create a level: empty, from another one, random, in another size.

use super::*;
use crate::app::level_editor::actions::{Action, NO_GENERATOR, info};
use crate::app::shell::controls::rule_control;
use bevy::prelude::{MessageWriter, ResMut};
use bevy_egui::EguiClipboard;
use outwit_kit::LevelDraft;

pub(super) fn new(
    ui: &mut Ui,
    screen: &mut EditorScreen,
    id: &'static str,
    mut width: usize,
    mut height: usize,
    commands: &mut Commands,
) {
    ui.heading("New level");
    let mut id = id;
    if let Some(kind) = choose_game(ui, id, |_| true) {
        (id, (width, height)) = (kind.id(), kind.facts().new_size);
    }
    let Some(kind) = game(id) else { return };
    number(ui, "Columns", &mut width, kind.facts().sides.clone());
    number(ui, "Rows", &mut height, kind.facts().sides.clone());
    screen.dialog = Some(Dialog::New { game: id, width, height });
    if buttons(ui, screen, "Empty level", true) {
        screen.put(EditorModel::blank(kind, width, height), None, commands);
        return;
    }
    ui.separator();
    ui.horizontal_wrapped(|ui| {
        let generate = egui::Button::new(format!("{}  Generate…", icon::DICE_FIVE));
        let generate = ui.add_enabled(kind.facts().has_generator, generate);
        if generate.on_disabled_hover_text(NO_GENERATOR).clicked() {
            screen.dialog = Some(Dialog::generate(kind));
        }
        let picture = format!("{}  From a picture or file…", icon::IMAGE);
        if ui.button(picture).clicked() {
            screen.dialog = Dialog::import(screen.folder.as_deref());
        }
        let clipboard = format!("{}  From the clipboard", icon::CLIPBOARD_TEXT);
        let key = info(Action::Paste).first_key();
        let hover =
            format!("A level as text: the content of a file, or rows of cells. Also with {key}.");
        if ui.button(clipboard).on_hover_text(hover).clicked() {
            commands.run_system_cached(paste);
        }
    });
    if let Some(text) = screen.pasted.take() {
        let next = NextStep::Text { bytes: text.into_bytes().into(), name: "clipboard.txt".into() };
        screen.proceed(next, commands);
        return;
    }
    widgets::hint(ui, "Or start from an existing level:");
    let height = (ui.ctx().content_rect().height() - 400.0).max(130.0);
    egui::ScrollArea::vertical().max_height(height).auto_shrink(false).show(ui, |ui| {
        if let Some(entry) = screen.gallery.levels(ui, kind, "") {
            template(screen, &entry, commands);
        }
    });
}

/// Pastes the text on the clipboard, as its key does.
fn paste(
    mut screen: ResMut<EditorScreen>,
    mut clipboard: Option<ResMut<EguiClipboard>>,
    mut notices: MessageWriter<Notice>,
) {
    screen.pasted = clipboard.as_mut().and_then(|clipboard| clipboard.get_text());
    if screen.pasted.is_none() {
        notices.write(Notice::error("There is no text on the clipboard."));
    }
}

/// Starts a new level as a copy of an existing one.
fn template(screen: &mut EditorScreen, entry: &Entry, commands: &mut Commands) {
    match entry.bytes() {
        Ok(bytes) => {
            let name = format!("{}.ron", entry.stem());
            screen.proceed(NextStep::Text { bytes: bytes.into(), name }, commands);
        }
        Err(error) => {
            commands.write_message(Notice::error(error));
        }
    }
}

pub(super) fn open(
    ui: &mut Ui,
    screen: &mut EditorScreen,
    mut search: String,
    commands: &mut Commands,
) {
    ui.heading("Open level");
    let mut next = None;
    ui.horizontal_wrapped(|ui| {
        let all = format!("{}  Browse all levels", icon::SQUARES_FOUR);
        if ui.button(all).clicked() {
            next = Some(NextStep::Browse);
        }
        let file = format!("{}  From a file…", icon::FOLDER_OPEN);
        if ui.button(file).clicked() {
            let import = Dialog::import(screen.folder.as_deref());
            next = import.map(|import| NextStep::Dialog(Box::new(import)));
        }
    });
    let hint = egui::TextEdit::singleline(&mut search)
        .id_salt("level search")
        .hint_text("Search")
        .desired_width(f32::INFINITY)
        .margin(widgets::FIELD);
    ui.add(hint);
    let wanted = search.to_lowercase();
    let height = (ui.ctx().content_rect().height() - 300.0).max(120.0);
    egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        let recent: Vec<&PathBuf> = screen
            .recent
            .iter()
            .filter(|path| path.to_string_lossy().to_lowercase().contains(&wanted))
            .collect();
        if !recent.is_empty() {
            widgets::section(ui, "Recent");
            let clicked = screen.gallery.files(ui, recent.into_iter());
            next = clicked.map(NextStep::File).or(next.take());
        }
        for &kind in GAMES {
            widgets::section(ui, kind.name());
            let clicked = screen.gallery.levels(ui, kind, &wanted);
            next = clicked.map(NextStep::Entry).or(next.take());
        }
    });
    screen.dialog = Some(Dialog::Open { search });
    if ui.button("Cancel").clicked() {
        screen.dialog = None;
    }
    match next {
        Some(NextStep::Dialog(dialog)) => screen.dialog = Some(*dialog),
        Some(next) => screen.ask_then(next, commands),
        None => {}
    }
}

pub(super) fn generate(
    ui: &mut Ui,
    screen: &mut EditorScreen,
    id: &'static str,
    mut options: Vec<String>,
    mut seed: u64,
    commands: &mut Commands,
) {
    ui.heading("Generate level");
    let Some(mut kind) = game(id) else { return };
    if let Some(other) = choose_game(ui, id, |kind| kind.facts().has_generator) {
        kind = other;
        options = kind.generator_options().into_iter().map(|(_, default)| default).collect();
    }
    // The picture beside them keeps the height, whatever the game.
    let height = (ui.ctx().content_rect().height() - 300.0).clamp(200.0, 330.0);
    let left = (ui.available_width() * 0.52).min(400.0);
    let wanted = |options: &[String], seed| {
        let known = kind.generator_options();
        let keys = known.iter().map(|(property, _)| property.key.to_owned());
        (kind.id(), keys.zip(options.iter().cloned()).collect(), seed)
    };
    let mut made = Ok(None);
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.set_width(left);
            ui.set_min_height(height);
            for ((property, _), value) in kind.generator_options().iter().zip(&mut options) {
                widgets::row(ui, property.title, property.help, NAMES, |ui| {
                    rule_control(ui, property, value);
                });
            }
            widgets::row(ui, "Seed", "Same options and seed, same level", NAMES, |ui| {
                ui.add(egui::DragValue::new(&mut seed).speed(1.0));
                let another = format!("{}  Another one", icon::DICE_FIVE);
                if ui.button(another).on_hover_text("Next seed").clicked() {
                    seed = seed.saturating_add(1);
                }
            });
        });
        let (room, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), height), egui::Sense::hover());
        let draft = screen.gallery.generated(ui, room, wanted(&options, seed));
        made = draft.map(Option::<&LevelDraft>::cloned);
        if let Err(why) = &made {
            widgets::inside(ui, room.shrink(12.0), |ui| widgets::fault(ui, why));
        }
    });
    screen.dialog = Some(Dialog::Generate { game: kind.id(), options, seed });
    let draft = made.ok().flatten();
    if buttons(ui, screen, "Use this level", draft.is_some())
        && let Some(draft) = draft
    {
        screen.put(EditorModel::unsaved(kind, draft), None, commands);
    }
}

pub(super) fn resize(
    ui: &mut Ui,
    screen: &mut EditorScreen,
    mut width: usize,
    mut height: usize,
    mut anchor: (usize, usize),
    commands: &mut Commands,
) {
    ui.heading("Resize");
    let Some(sides) = screen.work.as_ref().map(|work| work.model.kind().facts().sides.clone())
    else {
        return;
    };
    number(ui, "Columns", &mut width, sides.clone());
    number(ui, "Rows", &mut height, sides);
    widgets::row(ui, "Anchor", "The part of the map that stays in place", NAMES, |ui| {
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
    screen.dialog = Some(Dialog::Resize { width, height, anchor });
    if buttons(ui, screen, "Resize", true)
        && let Some(work) = &mut screen.work
    {
        let done = work.model.resize(width, height, anchor);
        work.view.zoom = None;
        match done {
            Ok(()) => screen.dialog = None,
            Err(why) => {
                commands.write_message(Notice::error(why));
            }
        }
    }
}
