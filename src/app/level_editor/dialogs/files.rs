//! What concerns files: names, exports, and the questions before anything is lost.

use super::*;

pub(super) fn name_it(
    ui: &mut Ui,
    screen: &mut EditorScreen,
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
    screen.dialog = Some(Dialog::Name { name: name.clone(), rename, why });
    let words = if rename { "Rename" } else { "Save" };
    if foot(ui, screen, words, fine) {
        if rename {
            match screen.rename(&name) {
                Ok(()) => screen.dialog = None,
                Err(why) => screen.dialog = Some(Dialog::Name { name, rename, why: Some(why) }),
            }
        } else {
            screen.save_as(&name, false);
        }
    }
}

pub(super) fn export(ui: &mut Ui, screen: &mut EditorScreen) {
    ui.heading("Export");
    let Some(kind) = screen.work.as_ref().map(|work| work.model.kind()) else { return };
    ui.label("As what?");
    for ending in kind.exports().iter().copied().chain(["ron"]) {
        let what = match ending {
            "png" => "Picture, one pixel a cell, with the whole level in it",
            "txt" => "Text, one character a cell, with the whole level in it",
            "ron" => "Level file",
            _ => "A format of other programs; what it cannot run_contest is told",
        };
        if ui.button(format!(".{ending}   {what}")).clicked() {
            screen.dialog = Dialog::export_to(screen, ending);
        }
    }
    if ui.button("Cancel").clicked() {
        screen.dialog = None;
    }
}

pub(super) fn unsaved(ui: &mut Ui, screen: &mut EditorScreen, next: Next) {
    ui.heading("Unsaved changes");
    let name = screen.work.as_ref().map(|work| work.model.draft().name.clone()).unwrap_or_default();
    ui.label(format!("“{name}” has changes that no file holds."));
    ui.horizontal_wrapped(|ui| {
        if widgets::primary_button(ui, "Save").clicked() {
            // A level without a file asks for a name first.
            screen.then = Some(Box::new(next.clone()));
            screen.save(false);
        }
        if widgets::warning_button(ui, "Throw away").clicked() {
            if let Some(work) = &mut screen.work {
                work.throw_away();
            }
            screen.go_on(next.clone());
        }
        if ui.button("Cancel").clicked() {
            screen.dialog = None;
        }
    });
}

pub(super) fn conflict(ui: &mut Ui, screen: &mut EditorScreen, path: &Path, why: &NotSaved) {
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
            && let Some(work) = &screen.work
        {
            screen.dialog = Some(Dialog::save_as(&work.model));
        }
        if widgets::warning_button(ui, "Write over it").clicked() {
            screen.overwrite(path);
        }
        if ui.button("Cancel").clicked() {
            screen.dialog = None;
        }
    });
}

pub(super) fn bin(ui: &mut Ui, screen: &mut EditorScreen, path: &Path) {
    ui.heading("Move to the bin");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ui.label(format!("{name} goes into the bin of your levels; the level browser brings it back."));
    ui.label(RichText::new("The level is closed here.").weak());
    ui.horizontal(|ui| {
        if widgets::warning_button(ui, "Move to the bin").clicked() {
            match crate::levels::to_bin(path) {
                Ok(_) => {
                    if let Some(mut work) = screen.work.take() {
                        work.throw_away();
                    }
                    screen.dialog = None;
                    screen.events.say(format!("{name} is in the bin."));
                }
                Err(error) => screen.events.fail(error.to_string()),
            }
        }
        if ui.button("Cancel").clicked() {
            screen.dialog = None;
        }
    });
}
