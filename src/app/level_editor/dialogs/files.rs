//! Dialogs about files: names, exports, pictures to import, and confirmations before anything is lost.

use super::*;
use crate::app::shell::theme::{palette, palette_of};
use egui::Sense;
use outwit_core::escape::is_visible;

/// Height of what stands above and below the pictures and the list of colours, in points.
const BESIDE: f32 = 250.0;

pub(super) fn name_dialog(
    ui: &mut Ui,
    screen: &mut EditorScreen,
    mut name: String,
    rename: bool,
    mut why: Option<String>,
    commands: &mut Commands,
) {
    ui.heading(if rename { "Rename" } else { "Save as" });
    let edit = ui.add(
        egui::TextEdit::singleline(&mut name)
            .id_salt("file name")
            .desired_width(f32::INFINITY)
            .margin(widgets::FIELD),
    );
    if ui.memory(|memory| memory.focused().is_none()) {
        edit.request_focus();
    }
    if edit.changed() {
        why = None;
    }
    widgets::hint(ui, format!("The file will be {}.ron", outwit_headless::editor::stem(&name)));
    if let Some(why) = &why {
        widgets::fault(ui, why);
    }
    let fine = is_visible(&name);
    screen.dialog = Some(Dialog::Name { name: name.clone(), rename, why });
    let words = if rename { "Rename" } else { "Save" };
    if buttons(ui, screen, words, fine) {
        if rename {
            if let Err(why) = screen.rename(&name, commands) {
                screen.dialog = Some(Dialog::Name { name, rename, why: Some(why.to_string()) });
            }
        } else {
            screen.save_as(&name, commands);
        }
    }
}

pub(super) fn export(ui: &mut Ui, screen: &mut EditorScreen) {
    ui.heading("Export");
    let Some(kind) = screen.work.as_ref().map(|work| work.model.kind()) else { return };
    ui.label("Format:");
    for ending in kind.exports().into_iter().chain(["ron"]) {
        let what = match ending {
            "png" => "Picture, one pixel per cell; contains the whole level",
            "txt" => "Text, one character per cell; contains the whole level",
            "ron" => "Level file",
            _ => "Other program's format; you'll see what is lost",
        };
        if ui.button(format!(".{ending}   {what}")).clicked() {
            screen.dialog = Dialog::export_to(screen, ending);
        }
    }
    if ui.button("Cancel").clicked() {
        screen.dialog = None;
    }
}

pub(super) fn unsaved(
    ui: &mut Ui,
    screen: &mut EditorScreen,
    next: NextStep,
    commands: &mut Commands,
) {
    ui.heading("Unsaved changes");
    let name = screen.work.as_ref().map(|work| work.model.draft().name.clone()).unwrap_or_default();
    ui.label(format!("“{name}” has unsaved changes."));
    ui.horizontal_wrapped(|ui| {
        if widgets::primary_button(ui, "Save").clicked() {
            // A level without a file asks for a name first.
            screen.then = Some(Box::new(next.clone()));
            screen.save(commands);
        }
        if widgets::warning_button(ui, "Discard").clicked() {
            if let Some(work) = &mut screen.work {
                work.discard();
            }
            screen.proceed(next.clone(), commands);
        }
        if ui.button("Cancel").clicked() {
            screen.dialog = None;
        }
    });
}

pub(super) fn conflict(
    ui: &mut Ui,
    screen: &mut EditorScreen,
    path: &Path,
    why: &SaveError,
    commands: &mut Commands,
) {
    let changed = *why == SaveError::Changed;
    ui.heading(if changed { "File has changed" } else { "File already exists" });
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ui.label(if changed {
        format!("Another program has changed {name} since you opened it.")
    } else {
        format!("{name} already holds another level.")
    });
    widgets::hint(
        ui,
        "If you overwrite it, the old version is kept as a backup whose name ends with ~.",
    );
    ui.horizontal_wrapped(|ui| {
        let size = egui::vec2(0.0, widgets::FILLED_HEIGHT);
        let save_as = egui::Button::new("Save as…").min_size(size);
        if ui.add(save_as).clicked()
            && let Some(work) = &screen.work
        {
            screen.dialog = Some(Dialog::save_as(&work.model));
        }
        if widgets::warning_button(ui, "Overwrite").clicked() {
            screen.overwrite(path, commands);
        }
        if ui.button("Cancel").clicked() {
            screen.dialog = None;
        }
    });
}

pub(super) fn bin(ui: &mut Ui, screen: &mut EditorScreen, path: &Path, commands: &mut Commands) {
    ui.heading("Move to bin");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ui.label(format!("{name} will be moved to the bin. You can restore it in the level browser."));
    ui.label(RichText::new("The editor will close the level.").weak());
    ui.horizontal(|ui| {
        if widgets::warning_button(ui, "Move to bin").clicked() {
            // What is not saved goes to the bin too.
            let unsaved = screen.work.as_ref().is_some_and(|work| !work.model.is_saved());
            if unsaved && !screen.save(commands) {
                return;
            }
            let game = screen.work.as_ref().map(|work| work.model.kind().id());
            let levels = screen.folder.as_ref().map(|folder| folder.join("levels"));
            let binned = match (levels, game) {
                (Some(levels), Some(game)) => outwit_levels::to_bin_of(&levels, game, path),
                _ => outwit_levels::to_bin(path),
            };
            match binned {
                Ok(_) => {
                    if let Some(mut work) = screen.work.take() {
                        work.discard();
                    }
                    screen.dialog = None;
                    commands.write_message(Notice::info(format!("Moved {name} to the bin.")));
                }
                Err(error) => {
                    commands.write_message(Notice::error(error));
                }
            }
        }
        if ui.button("Cancel").clicked() {
            screen.dialog = None;
        }
    });
}

/// Asks what a picture shows, beside the map that it gives.
pub(super) fn picture(ui: &mut Ui, screen: &mut EditorScreen, commands: &mut Commands) {
    let Some(mut picture) = screen.picture.take() else {
        screen.dialog = None;
        return;
    };
    // The key that ends the typing of a number does not end the dialog too.
    let types =
        ui.ctx().text_edit_focused() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    ui.heading("Import a picture");
    let mut changed = false;
    if let Some(kind) = choose_game(ui, picture.map.kind().id(), |_| true) {
        picture.map.set_kind(kind);
        changed = true;
    }
    let room = ui.ctx().content_rect().height() - 80.0 - BESIDE;
    let list = (0.25 * room).max(72.0);
    let height = (room - list).clamp(80.0, 300.0);
    let (both, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let (left, right) = both.split_left_right_at_x(both.center().x);
    let (left, right) = (left.with_max_x(left.right() - 4.0), right.with_min_x(right.left() + 4.0));
    ui.painter().rect_filled(left, widgets::CORNER, palette(ui).board.egui());
    if let Some(cell) = picture.show(ui, left.shrink(6.0)) {
        picture.chosen = picture.map.colour_at(cell);
    }
    let own = palette_of(ui.ctx(), picture.map.kind().id());
    ui.painter().rect_filled(right, widgets::CORNER, own.board.egui());
    if let Some(Ok(made)) = &picture.made {
        screen.gallery.made(ui, right.shrink(6.0), made);
    }
    changed |= picture.lattice(ui);
    egui::ScrollArea::vertical()
        .max_height((room - height).max(list))
        .auto_shrink([false, true])
        .show(ui, |ui| {
            changed |= picture.colours(ui);
        });
    if changed {
        picture.made = None;
    }
    if picture.made.is_none() {
        screen.gallery.forget_made();
        picture.made = Some(picture.make());
    }
    let why = picture.made.as_ref().and_then(|made| made.as_ref().err().cloned());
    match &picture.made {
        Some(Err(why)) => drop(widgets::fault(ui, why.as_str())),
        Some(Ok(made)) => drop(widgets::hint(ui, made.counts.as_str())),
        None => {}
    }
    if buttons(ui, screen, "Import", why.is_none()) && !types {
        match picture.map.draft(&picture.name) {
            Ok(draft) => {
                let model = EditorModel::unsaved(picture.map.kind(), draft);
                screen.put(model, None, commands);
                return;
            }
            Err(why) => {
                commands.write_message(Notice::error(why));
            }
        }
    }
    screen.picture = Some(picture);
}
