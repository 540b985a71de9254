//! Dialogs about files: names, exports, and confirmations before anything is lost.

use super::*;
use outwit_core::escape::is_visible;

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
