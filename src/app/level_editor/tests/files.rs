//! Tests of saving, renaming, deleting and recovering levels.

use super::*;
use crate::app::level_editor::dialogs::Dialog;
use crate::app::level_editor::screen::NextStep;

/// Writes an empty racetrack of this size to a file, opens it and returns its text.
fn open_new_file(editor: &mut Editor, file: &Path, size: (usize, usize)) -> String {
    let text = EditorModel::blank(game("racetrack").unwrap(), size.0, size.1).text();
    std::fs::write(file, &text).unwrap();
    editor.with(|screen, commands| screen.open_file(file, commands));
    text
}

/// Clicks the one of this name in the dialog, not the one of the bar.
fn click_in_dialog(window: &mut Window, name: &str) {
    window.get_all_by_label(name).last().unwrap().click();
    window.run_steps(3);
}

#[test]
fn ctrl_s_saves_while_a_text_field_is_being_edited() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Editor::in_folder(folder.path()));
    click(&mut window, "New…");
    click(&mut window, "Empty level");
    window.get_by_label("Author").focus();
    window.run_steps(2);
    window.get_by_label("Author").type_text("Ada Lovelace");
    press(&mut window, Modifiers::COMMAND, Key::S);
    window.get_by_label("Save as");
    click(&mut window, "Cancel");
    press(&mut window, Modifiers::COMMAND, Key::K);
    assert_eq!(model(&window).draft().author, "Ada Lovelace");
}

#[test]
fn saving_asks_for_a_name_and_about_conflicts() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(Editor::in_folder(folder.path()));
    click(&mut window, "New…");
    click(&mut window, "Empty level");
    draw_a_track(&mut window);
    let text = model(&window).text();
    // A new level is asked for; the name of this one is asked for first.
    press(&mut window, Modifiers::COMMAND, Key::N);
    for head in ["Unsaved changes", "Save as"] {
        window.get_by_label(head);
        click_in_dialog(&mut window, "Save");
    }
    window.get_by_label("New level");
    click(&mut window, "Cancel");
    let file = folder.path().join("levels/racetrack/new-racetrack-level.ron");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    assert!(model(&window).is_saved());
    std::fs::write(&file, "another program was here").unwrap();
    drag(&mut window, (6, 6), (7, 6));
    press(&mut window, Modifiers::COMMAND, Key::S);
    window.get_by_label("File has changed");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "another program was here");
    click(&mut window, "Overwrite");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), model(&window).text());
}

#[test]
fn renaming_keeps_what_another_copy_wrote_to_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old.ron");
    let mut editor = Editor::in_folder(folder.path());
    open_new_file(&mut editor, &old, (12, 8));
    std::fs::write(&old, "theirs").unwrap();
    editor.told();
    editor.with(|screen, commands| screen.rename("New name", commands)).unwrap();
    assert!(folder.path().join("new-name.ron").exists());
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "theirs");
    let told = editor.told();
    assert!(told.iter().any(|text| text.contains("old.ron")), "{told:?}");

    // Unchanged, it goes.
    editor.with(|screen, commands| screen.rename("Third name", commands)).unwrap();
    assert!(!folder.path().join("new-name.ron").exists());
}

#[test]
fn renaming_asks_before_it_overwrites_what_another_copy_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.ron");
    let mut editor = Editor::in_folder(folder.path());
    open_new_file(&mut editor, &file, (12, 8));
    editor.screen_mut().dialog =
        Some(Dialog::Name { name: "Mine".into(), rename: true, why: None });
    std::fs::write(&file, "theirs").unwrap();
    let mut window = window(editor);
    click_in_dialog(&mut window, "Rename");
    window.get_by_label("File has changed");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs");
    click(&mut window, "Overwrite");
    assert!(window.state().screen().dialog.is_none());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), model(&window).text());
    assert_eq!(model(&window).draft().name, "Mine");
}

#[test]
fn unsaved_changes_go_to_the_bin_with_their_level() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("x.ron");
    let mut editor = Editor::in_folder(folder.path());
    let text = open_new_file(&mut editor, &file, (24, 16));
    let mut window = window(editor);
    drag(&mut window, (3, 3), (9, 3));
    let drawn = model(&window).text();
    assert_ne!(drawn, text);
    // Not over what another program wrote.
    std::fs::write(&file, "theirs").unwrap();
    window.state_mut().screen_mut().dialog = Some(Dialog::Bin { path: file.clone() });
    window.run_steps(2);
    click_in_dialog(&mut window, "Move to bin");
    window.get_by_label("File has changed");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs");
    click(&mut window, "Cancel");
    std::fs::write(&file, &text).unwrap();
    window.state_mut().screen_mut().dialog = Some(Dialog::Bin { path: file.clone() });
    window.run_steps(2);
    click_in_dialog(&mut window, "Move to bin");
    assert!(window.state().screen().work.is_none() && !file.exists());
    let binned = folder.path().join("levels/racetrack/bin/x.ron");
    assert_eq!(std::fs::read_to_string(binned).unwrap(), drawn);
}

/// Who discards a level and then stays with it still works on it.
#[test]
fn discarded_work_that_stays_on_the_screen_keeps_its_backup() {
    for opened in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut editor = Editor::in_folder(folder.path());
        editor.open_blank("racetrack", (24, 16));
        let mut window = window(editor);
        drag(&mut window, (3, 3), (9, 3));
        let drawn = model(&window).text();
        press(&mut window, Modifiers::COMMAND, Key::N);
        click(&mut window, "Discard");
        click(&mut window, if opened { "Empty level" } else { "Cancel" });
        for now in [60.0, 120.0] {
            window.state_mut().screen_mut().work.as_mut().unwrap().tick(now);
        }
        drop(window);
        let drafts = outwit_headless::editor::abandoned(&folder.path().join("drafts"));
        let texts: Vec<_> = drafts.iter().map(|found| found.draft.clone().unwrap().level).collect();
        assert_eq!(texts, if opened { vec![] } else { vec![drawn] });
    }
}

#[test]
fn files_that_were_opened_or_saved_are_the_recent_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.ron");
    let mut editor = Editor::in_folder(folder.path());
    open_new_file(&mut editor, &file, (12, 8));
    editor.with(|screen, commands| screen.save_as("Other", commands));
    let recent = [folder.path().join("levels/racetrack/other.ron"), file];
    assert_eq!(editor.screen().recent, recent);
    let saved = std::fs::read(folder.path().join("recent.ron")).unwrap();
    assert_eq!(outwit_core::levels::read_ron::<Vec<std::path::PathBuf>>(&saved).unwrap(), recent);
}

#[test]
fn a_level_of_a_link_says_what_is_wrong_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = Editor::in_folder(folder.path());
    let text = EditorModel::blank(game("racetrack").unwrap(), 12, 8).text();
    let playable = outwit_levels::built_in("racetrack/tiny").unwrap();
    let playable_text = String::from_utf8(playable.bytes().unwrap().to_vec()).unwrap();
    let draft = |text: &str| outwit_levels::Entry {
        id: "racetrack/shared".into(),
        source: outwit_levels::Source::Draft(text.into()),
    };
    for (entry, wanted) in [
        (draft(&text), "This level cannot be played: "),
        (draft(&playable_text), "This level is not saved yet."),
        (playable, "This is a copy. Built-in levels cannot be changed."),
    ] {
        editor.with(|screen, commands| screen.open_entry(&entry, commands));
        let told = editor.told();
        assert!(told.iter().any(|text| text.starts_with(wanted)), "{told:?}");
        assert_eq!(told.iter().any(|text| text.contains("Built-in")), wanted.contains("Built-in"));
    }
}

#[test]
fn another_id_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut editor = Editor::in_folder(folder.path());
    editor.open_blank("racetrack", (12, 8));
    editor.with(|screen, commands| screen.save_as("My yard", commands));
    let text = editor.told().join(" ");
    assert!(text.contains("my-yard.ron") && !text.contains("built-in"), "{text}");
    editor.with(|screen, commands| screen.save_as("Tiny", commands));
    let text = editor.told().join(" ");
    assert!(text.contains("racetrack/tiny-own"), "{text}");
}

#[test]
fn drafts_with_impossible_rules_are_offered_as_broken() {
    let folder = tempfile::tempdir().unwrap();
    let level =
        |rules: &str| format!("(format: \"cops 1\", name: \"x\", rules: ({rules}), map: [\".\"])");
    let good = EditorModel::blank(game("cops").unwrap(), 12, 12).text();
    let texts = [level("size: 4294967295"), level("size: 30000"), good];
    for (number, level) in texts.into_iter().enumerate() {
        let draft = outwit_headless::editor::RecoveredDraft {
            game: "cops".into(),
            file: None,
            file_bytes: None,
            known: None,
            level,
            steps: Vec::new(),
        };
        let text = outwit_core::levels::to_ron(&draft).unwrap();
        std::fs::write(folder.path().join(format!("{number}.ron")), text).unwrap();
    }
    let found: Vec<Recovered> =
        outwit_headless::editor::abandoned(folder.path()).into_iter().map(Recovered::new).collect();
    let broken = found.iter().filter(|found| !found.is_readable && found.label.contains("size"));
    assert_eq!((found.len(), broken.count()), (3, 2));
    let broken = found.iter().position(|found| !found.is_readable).unwrap();
    let mut editor = Editor::new(EditorScreen { found, ..Default::default() });
    editor.with(|screen, commands| screen.proceed(NextStep::Recover(broken), commands));
    let screen = editor.screen();
    assert!(screen.work.is_none() && screen.found.len() == 3);
}

/// A lawn with a square of road and a red cell in its middle, of 30 by 20 cells of 8 pixels, as a file.
fn drawn_picture(file: &Path) {
    let mut encoder = png::Encoder::new(std::fs::File::create(file).unwrap(), 240, 160);
    encoder.set_color(png::ColorType::Rgb);
    let pixel = |at: usize| {
        let (x, y) = (at % 240 / 8, at / 240 / 8);
        let is_road = (10..20).contains(&x) && (5..15).contains(&y);
        match (x, y) {
            (13, 8) => [220, 30, 30],
            _ if is_road => [200, 200, 200],
            _ => [60, 160, 60],
        }
    };
    let pixels: Vec<u8> = (0..240 * 160).flat_map(pixel).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
}

#[test]
fn a_picture_without_a_level_is_asked_about() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("My garden.png");
    drawn_picture(&file);
    let mut window = window(Editor::in_folder(folder.path()));
    window.state_mut().with(|screen, commands| screen.open_file(&file, commands));
    window.run_steps(3);
    window.get_by_label("30 × 20 cells");
    window.get_by_label("500 cells");
    window.get_by_label("99 cells");
    window.get_by_label("1 cell");
    window.get_by_label("Colour 2").click();
    window.run_steps(2);
    click(&mut window, "Import");
    let draft = model(&window).draft();
    assert_eq!(
        (draft.name.as_str(), draft.cells.width(), draft.cells.height()),
        ("My garden", 30, 20)
    );
    assert_eq!(draft.cells[Cell::new(10, 5)], '.');
    assert!(!draft.cells.as_slice().contains(&'S'), "a lawn is no start");
    assert!(!model(&window).is_saved());

    // A picture that the editor wrote holds its level, and nothing is asked.
    let own = folder.path().join("own.png");
    window.state_mut().with(|screen, commands| {
        screen.export(&own, commands);
        screen.open_file(&own, commands);
    });
    window.run_steps(3);
    assert!(window.state().screen().dialog.is_none());
    assert_eq!(model(&window).draft().cells.width(), 30);
}

#[test]
fn an_import_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.png");
    drawn_picture(&file);
    let mut window = window(Editor::in_folder(folder.path()));
    window.state_mut().with(|screen, commands| screen.open_file(&file, commands));
    window.run_steps(3);
    click(&mut window, "Cancel");
    assert!(window.state().screen().work.is_none());
    assert!(window.state().screen().picture.is_none());
}
