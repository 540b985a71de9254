//! Tests that use the panels as a user does: by name, by key, by pointer.

use super::actions::Action;
use super::dialogs::Dialog;
use super::open_document::{OpenDocument, game};
use super::screen::{Destination, EditorScreen, NextStep, SideTab};
use super::*;
use crate::app::shell::fonts;
use crate::app::shell::settings::Motion;
use crate::app::shell::theme;
use bevy_egui::egui::{Key, Modifiers, Pos2, pos2};
use outwit_core::grid::Cell;
use outwit_core::levels::Spot;
use outwit_headless::editor::{EditorModel, Field, Tool};
use outwit_ui_test::kittest::Queryable;
use outwit_ui_test::{Harness, Node};
use std::path::Path;
use std::time::Duration;

struct App {
    screen: EditorScreen,
    dressed: bool,
}

fn window(screen: EditorScreen) -> Harness<'static, App> {
    let draw = |ui: &mut egui::Ui, app: &mut App| {
        if !app.dressed {
            ui.ctx().set_fonts(fonts::definitions(None));
            ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
            app.dressed = true;
            return;
        }
        show(ui.ctx(), &mut app.screen, None, false, |_| {});
    };
    let mut window = Harness::builder()
        .with_size(egui::vec2(1280.0, 800.0))
        .build_ui_state(draw, App { screen, dressed: false });
    window.run_steps(4);
    window
}

/// Opens an empty racetrack of 24 by 16 cells, without a data folder.
fn drawing() -> Harness<'static, App> {
    let mut screen = EditorScreen::default();
    screen.put(EditorModel::blank(game("racetrack").unwrap(), 24, 16), None);
    screen.events.notices.clear();
    window(screen)
}

/// A screen with this data folder.
fn screen_in(folder: &Path) -> EditorScreen {
    EditorScreen { folder: Some(folder.into()), ..EditorScreen::default() }
}

/// Writes an empty racetrack of this size to a file, opens it and returns its text.
fn open_new_file(screen: &mut EditorScreen, file: &Path, size: (usize, usize)) -> String {
    let text = EditorModel::blank(game("racetrack").unwrap(), size.0, size.1).text();
    std::fs::write(file, &text).unwrap();
    screen.open_file(file);
    text
}

fn work<'a>(window: &'a Harness<App>) -> &'a OpenDocument {
    window.state().screen.work.as_ref().unwrap()
}

fn model<'a>(window: &'a Harness<App>) -> &'a EditorModel {
    &work(window).model
}

fn click(window: &mut Harness<App>, name: &str) {
    window.get_by_label(name).click();
    window.run_steps(3);
}

/// Clicks the one of this name in the dialog, not the one of the bar.
fn click_in_dialog(window: &mut Harness<App>, name: &str) {
    window.get_all_by_label(name).last().unwrap().click();
    window.run_steps(3);
}

fn press(window: &mut Harness<App>, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(2);
}

/// The middle of a cell on the screen.
fn at(window: &Harness<App>, cell: (i32, i32)) -> Pos2 {
    let map: Node = window.get_by_label("Map");
    let (view, middle) = (work(window).view, map.rect().center());
    let zoom = view.zoom.unwrap().round();
    let corner = middle - view.centre * zoom;
    pos2(corner.x.round(), corner.y.round())
        + egui::vec2(cell.0 as f32 + 0.5, cell.1 as f32 + 0.5) * zoom
}

fn drag(window: &mut Harness<App>, from: (i32, i32), to: (i32, i32)) {
    let (from, to) = (at(window, from), at(window, to));
    window.hover_at(from);
    window.run_steps(1);
    window.drag_at(from);
    window.run_steps(1);
    window.hover_at(to);
    window.run_steps(1);
    window.drop_at(to);
    window.run_steps(2);
}

/// Runs frames until the checker is done with the current state.
fn wait_for_checks(window: &mut Harness<App>) {
    for _ in 0..2000 {
        window.run_steps(1);
        if !work(window).is_busy() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("the checker does not end");
}

/// A straight road with start and finish.
fn draw_a_track(window: &mut Harness<App>) {
    click(window, "Rectangle");
    press(window, Modifiers::NONE, Key::T);
    let filled = model(window).filled;
    if !filled {
        press(window, Modifiers::NONE, Key::T);
    }
    click(window, "Road");
    drag(window, (2, 4), (20, 8));
    click(window, "Line");
    click(window, "Finish");
    drag(window, (18, 4), (18, 8));
    click(window, "Paint");
    click(window, "Start");
    drag(window, (4, 6), (4, 6));
}

#[test]
fn tools_are_selected_by_button_and_by_key() {
    let mut window = drawing();
    click(&mut window, "Rectangle");
    assert_eq!(model(&window).tool, Tool::Rectangle);
    press(&mut window, Modifiers::NONE, Key::L);
    assert_eq!(model(&window).tool, Tool::Line);
    click(&mut window, "Finish");
    assert_eq!(model(&window).active_tile, 'F');
    press(&mut window, Modifiers::NONE, Key::Num2);
    assert_eq!(model(&window).active_tile, '.');
    click(&mut window, "Wider brush");
    press(&mut window, Modifiers::NONE, Key::CloseBracket);
    assert_eq!(model(&window).brush.size, 3);
}

#[test]
fn typing_in_a_field_selects_no_tool() {
    let mut window = drawing();
    window.get_by_label("Author").focus();
    window.run_steps(2);
    for key in [Key::L, Key::Num4, Key::Delete, Key::P] {
        press(&mut window, Modifiers::NONE, key);
    }
    window.get_by_label("Author").type_text("Ada Lovelace");
    window.run_steps(3);
    assert_eq!(model(&window).tool, Tool::Paint);
    assert_eq!(model(&window).active_tile, '.');
    assert_eq!(model(&window).draft().author, "Ada Lovelace");
    assert!(window.state().screen.events.go.is_none());
}

#[test]
fn a_field_keeps_the_focus_while_the_level_is_checked() {
    let mut window = drawing();
    draw_a_track(&mut window);
    window.get_by_label("Author").focus();
    window.run_steps(2);
    for letter in "Ada Lovelace".chars() {
        window.event(egui::Event::Text(letter.into()));
        window.run_steps(1);
        wait_for_checks(&mut window);
    }
    assert_eq!(model(&window).draft().author, "Ada Lovelace");
}

#[test]
fn a_rule_is_changed_reset_and_undone() {
    let mut window = drawing();
    let kind = model(&window).kind();
    let steering = kind.properties().iter().position(|rule| rule.key == "steering").unwrap();
    let rule = |window: &Harness<App>| model(window).draft().rules[steering].clone();
    let default = rule(&window);
    window.get_by_value("No").click();
    window.run_steps(3);
    click(&mut window, "Yes");
    assert_eq!(rule(&window), "nine");
    assert_eq!(model(&window).history().done(), 1);
    click(&mut window, egui_phosphor::regular::ARROW_COUNTER_CLOCKWISE);
    assert_eq!(rule(&window), default);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(rule(&window), "nine");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(rule(&window), default);
    assert!(model(&window).is_saved());
}

#[test]
fn strokes_are_undone_and_redone() {
    let mut window = drawing();
    let empty = model(&window).text();
    drag(&mut window, (3, 3), (9, 3));
    let one = model(&window).text();
    assert_eq!(one.matches('.').count() - empty.matches('.').count(), 7);
    drag(&mut window, (9, 3), (9, 8));
    let two = model(&window).text();
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(model(&window).text(), one);
    click(&mut window, "Undo");
    assert_eq!(model(&window).text(), empty);
    press(&mut window, Modifiers::COMMAND, Key::Y);
    click(&mut window, "Redo");
    assert_eq!(model(&window).text(), two);
    // A click in the history goes to that step.
    click(&mut window, "History (2)");
    assert_eq!(window.state().screen.side, SideTab::History);
    window.get_by_label_contains("Level opened").click();
    window.run_steps(3);
    assert_eq!(model(&window).text(), empty);
}

#[test]
fn a_problem_shows_its_cell() {
    let mut window = drawing();
    click(&mut window, "Start");
    drag(&mut window, (21, 13), (21, 13));
    wait_for_checks(&mut window);
    let verdict = work(&window).report.verdict.clone();
    let spot = Spot::Cell(Cell::new(21, 13));
    let fault = verdict.faults.iter().chain(&verdict.warnings).find(|fault| fault.spot == spot);
    let words = fault.unwrap_or_else(|| panic!("{verdict:?}")).to_string();
    window.get_by_label_contains(&words).click();
    window.run_steps(3);
    assert_eq!(work(&window).pointed.map(|(cell, _)| cell), Some(Cell::new(21, 13)));
    assert_eq!(work(&window).view.centre, egui::vec2(21.5, 13.5));
}

#[test]
fn a_level_with_problems_is_not_played() {
    let mut window = drawing();
    press(&mut window, Modifiers::NONE, Key::P);
    let screen = &window.state().screen;
    assert!(screen.events.go.is_none());
    assert!(screen.events.notices[0].text.contains("start"), "{:?}", screen.events.notices);
}

#[test]
fn a_drawn_track_is_solved_and_played_and_stays_open() {
    let mut window = drawing();
    draw_a_track(&mut window);
    wait_for_checks(&mut window);
    window.get_by_label_contains("east time");
    press(&mut window, Modifiers::NONE, Key::P);
    let before = (model(&window).text(), work(&window).view, model(&window).history().done());
    let Some(Destination::Play(config)) = &window.state().screen.events.go else {
        panic!("not played")
    };
    assert_eq!(config.back, Screen::Editor);
    let bytes = config.level.bytes().unwrap();
    assert_eq!(bytes, before.0.as_bytes());
    window.run_steps(3);
    let after = (model(&window).text(), work(&window).view, model(&window).history().done());
    assert_eq!(before, after);
}

#[test]
fn discarding_unsaved_work_needs_confirmation() {
    let mut window = drawing();
    drag(&mut window, (3, 3), (9, 3));
    press(&mut window, Modifiers::COMMAND, Key::N);
    window.get_by_label("Unsaved changes");
    click(&mut window, "Cancel");
    assert!(window.state().screen.dialog.is_none());
    assert_eq!(model(&window).history().done(), 1);
    // Keys go to the dialog while it is open.
    press(&mut window, Modifiers::COMMAND, Key::N);
    press(&mut window, Modifiers::NONE, Key::E);
    assert_eq!(model(&window).tool, Tool::Paint);
    click(&mut window, "Discard");
    window.get_by_label("New level");
    click(&mut window, "Empty level");
    assert_eq!(model(&window).history().done(), 0);
}

#[test]
fn ctrl_s_saves_while_a_text_field_is_being_edited() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(screen_in(folder.path()));
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
    let mut window = window(screen_in(folder.path()));
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
    let mut screen = screen_in(folder.path());
    open_new_file(&mut screen, &old, (12, 8));
    std::fs::write(&old, "theirs").unwrap();
    screen.events.notices.clear();
    screen.rename("New name").unwrap();
    assert!(folder.path().join("new-name.ron").exists());
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "theirs");
    let said: Vec<&str> = screen.events.notices.iter().map(|notice| notice.text.as_str()).collect();
    assert!(said.iter().any(|text| text.contains("old.ron")), "{said:?}");

    // Unchanged, it goes.
    screen.rename("Third name").unwrap();
    assert!(!folder.path().join("new-name.ron").exists());
}

#[test]
fn renaming_asks_before_it_overwrites_what_another_copy_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.ron");
    let mut screen = screen_in(folder.path());
    open_new_file(&mut screen, &file, (12, 8));
    screen.dialog = Some(Dialog::Name { name: "Mine".into(), rename: true, why: None });
    std::fs::write(&file, "theirs").unwrap();
    let mut window = window(screen);
    click_in_dialog(&mut window, "Rename");
    window.get_by_label("File has changed");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs");
    click(&mut window, "Overwrite");
    assert!(window.state().screen.dialog.is_none());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), model(&window).text());
    assert_eq!(model(&window).draft().name, "Mine");
}

#[test]
fn unsaved_changes_go_to_the_bin_with_their_level() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("x.ron");
    let mut screen = screen_in(folder.path());
    let text = open_new_file(&mut screen, &file, (24, 16));
    let mut window = window(screen);
    drag(&mut window, (3, 3), (9, 3));
    let drawn = model(&window).text();
    assert_ne!(drawn, text);
    // Not over what another program wrote.
    std::fs::write(&file, "theirs").unwrap();
    window.state_mut().screen.dialog = Some(Dialog::Bin { path: file.clone() });
    window.run_steps(2);
    click_in_dialog(&mut window, "Move to bin");
    window.get_by_label("File has changed");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs");
    click(&mut window, "Cancel");
    std::fs::write(&file, &text).unwrap();
    window.state_mut().screen.dialog = Some(Dialog::Bin { path: file.clone() });
    window.run_steps(2);
    click_in_dialog(&mut window, "Move to bin");
    assert!(window.state().screen.work.is_none() && !file.exists());
    let binned = folder.path().join("levels/racetrack/bin/x.ron");
    assert_eq!(std::fs::read_to_string(binned).unwrap(), drawn);
}

/// Who discards a level and then stays with it still works on it.
#[test]
fn discarded_work_that_stays_on_the_screen_keeps_its_backup() {
    for opened in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut screen = screen_in(folder.path());
        screen.put(EditorModel::blank(game("racetrack").unwrap(), 24, 16), None);
        let mut window = window(screen);
        drag(&mut window, (3, 3), (9, 3));
        let drawn = model(&window).text();
        press(&mut window, Modifiers::COMMAND, Key::N);
        click(&mut window, "Discard");
        click(&mut window, if opened { "Empty level" } else { "Cancel" });
        for now in [60.0, 120.0] {
            window.state_mut().screen.work.as_mut().unwrap().tick(now);
        }
        drop(window);
        let drafts = outwit_headless::editor::abandoned(&folder.path().join("drafts"));
        let texts: Vec<_> = drafts.iter().map(|found| found.draft.clone().unwrap().level).collect();
        assert_eq!(texts, if opened { vec![] } else { vec![drawn] });
    }
}

#[test]
fn dropped_changes_are_named_in_the_history() {
    let mut window = drawing();
    window.state_mut().screen.side = SideTab::History;
    window.run_steps(3);
    let dropped = "Older changes were dropped";
    assert!(window.query_by_label_contains(dropped).is_none());
    for width in [512, 511].repeat(60) {
        let model = &mut window.state_mut().screen.work.as_mut().unwrap().model;
        model.resize(width, 512, (0, 0)).unwrap();
        model.seal();
    }
    assert!(model(&window).history().dropped() > 0);
    // High enough that the oldest row of the list is drawn.
    window.set_size(egui::vec2(1280.0, 6000.0));
    window.run_steps(5);
    window.get_by_label_contains(dropped);
}

#[test]
fn another_id_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut screen = screen_in(folder.path());
    let said = |screen: &mut EditorScreen| {
        let notices = std::mem::take(&mut screen.events.notices);
        notices.into_iter().map(|notice| notice.text).collect::<Vec<_>>().join(" ")
    };
    screen.put(EditorModel::blank(game("racetrack").unwrap(), 12, 8), None);
    screen.save_as("My yard", false);
    let text = said(&mut screen);
    assert!(text.contains("my-yard.ron") && !text.contains("built-in"), "{text}");
    screen.save_as("Tiny", false);
    let text = said(&mut screen);
    assert!(text.contains("racetrack/tiny-own"), "{text}");
}

#[test]
fn recent_files_of_another_copy_stay() {
    let path = |number: usize| PathBuf::from(format!("{number}.ron"));
    let mine = [path(1), path(2)];
    let mut there = vec![path(3), path(2), path(4)];
    merge_recent(&mine, &mut there);
    assert_eq!(there, [1, 2, 3, 4].map(path));
    let mut there: Vec<PathBuf> = (3..40).map(path).collect();
    merge_recent(&mine, &mut there);
    assert_eq!(there, (1..=MOST_RECENT).map(path).collect::<Vec<_>>());
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let odd = PathBuf::from(std::ffi::OsString::from_vec(b"\xff.ron".to_vec()));
        let mut there = vec![path(3)];
        merge_recent(&[odd, path(1)], &mut there);
        assert_eq!(there, [1, 3].map(path));
    }
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
        };
        let text = outwit_core::levels::to_ron(&draft).unwrap();
        std::fs::write(folder.path().join(format!("{number}.ron")), text).unwrap();
    }
    let found: Vec<Recovered> =
        outwit_headless::editor::abandoned(folder.path()).into_iter().map(Recovered::new).collect();
    let broken = found.iter().filter(|found| !found.is_readable && found.label.contains("size"));
    assert_eq!((found.len(), broken.count()), (3, 2));
    let broken = found.iter().position(|found| !found.is_readable).unwrap();
    let mut screen = EditorScreen { found, ..Default::default() };
    screen.proceed(NextStep::Recover(broken));
    assert!(screen.work.is_none() && screen.found.len() == 3);
}

/// Runs `work` on a thread of its own and fails if it hangs, where a plain test would never end.
fn ends(work: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        work();
        let _ = sender.send(());
    });
    use std::sync::mpsc::RecvTimeoutError::Timeout;
    assert_ne!(receiver.recv_timeout(Duration::from_secs(60)), Err(Timeout), "it hangs");
    thread.join().unwrap();
}

#[test]
fn every_key_may_be_held_while_text_is_typed_and_while_not() {
    for typing in [false, true] {
        ends(move || {
            let mut window = drawing();
            let map = at(&window, (3, 3));
            window.hover_at(map);
            for &key in Key::ALL {
                if typing {
                    let name = Field::Name.label();
                    window.get_by_role_and_label(egui::accesskit::Role::TextInput, name).focus();
                    window.run_steps(1);
                    assert!(window.ctx.text_edit_focused());
                }
                for pressed in [true, false] {
                    window.event(egui::Event::Key {
                        key,
                        physical_key: None,
                        pressed,
                        repeat: false,
                        modifiers: Modifiers::NONE,
                    });
                    window.run_steps(1);
                }
            }
        });
    }
}

#[test]
fn every_action_is_in_a_menu_and_does_not_panic() {
    for info in actions::ACTIONS {
        let mut window = drawing();
        draw_a_track(&mut window);
        window.state_mut().screen.act(info.id, 0.0);
        window.run_steps(3);
        let quiet = [Action::Bin, Action::Crop, Action::Delete, Action::NextFault];
        let screen = &window.state().screen;
        assert!(
            screen.work.is_some() || !quiet.contains(&info.id),
            "{:?} closes the level",
            info.id
        );
        let beside = matches!(info.id, Action::Play | Action::Tool(_) | Action::Tile(_));
        assert!(bar::is_in_menu(info.id) || beside, "{}", info.label);
    }
}
