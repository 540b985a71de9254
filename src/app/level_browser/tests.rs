//! Tests that use the browser as a user does: by name and by key.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::app::shell::fonts;
use crate::app::shell::settings::Motion;
use crate::app::shell::theme;
use egui::Modifiers;
use outwit_ui_test::Harness;
use outwit_ui_test::kittest::Queryable;

struct App {
    browser: Browser,
    browse: Browse,
    action: Option<BrowserAction>,
    dressed: bool,
}

fn window(levels: &Path) -> Harness<'static, App> {
    let mut browser = Browser::default();
    browser.list.folder = Some(levels.into());
    browser.list.list();
    while !browser.list.read_some(&Results::default()) {}
    let draw = |ui: &mut egui::Ui, app: &mut App| {
        if !app.dressed {
            ui.ctx().set_fonts(fonts::definitions(None));
            ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
            app.dressed = true;
            return;
        }
        let App { browser, browse, .. } = app;
        let action = show(ui.ctx(), browser, browse, &Results::default(), false, |_| {});
        app.action = action.or(app.action);
    };
    let app = App { browser, browse: Browse::default(), action: None, dressed: false };
    let mut window =
        Harness::builder().with_size(egui::vec2(1280.0, 800.0)).build_ui_state(draw, app);
    window.run_steps(4);
    window
}

fn press(window: &mut Harness<App>, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(3);
}

fn type_in(window: &mut Harness<App>, words: &str) {
    for letter in words.chars() {
        window.event(egui::Event::Text(letter.to_string()));
        if let Some(key) = Key::from_name(&letter.to_uppercase().to_string()) {
            window.key_press(key);
        }
        window.run_steps(1);
    }
    window.run_steps(2);
}

/// Name and file of the chosen level.
fn chosen(window: &Harness<App>) -> (String, Option<PathBuf>) {
    let browser = &window.state().browser;
    let item = browser.list.get(browser.chosen.unwrap()).unwrap();
    (item.level.name().to_owned(), item.file().map(Path::to_owned))
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|file| file.path().is_file())
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_level_is_found_copied_renamed_binned_and_restored() {
    let data = tempfile::tempdir().unwrap();
    let tracks = data.path().join("racetrack");
    let mut window = window(data.path());
    press(&mut window, Modifiers::NONE, Key::Slash);
    // The search field gets letters and Delete while it has the focus.
    type_in(&mut window, "pretzele");
    press(&mut window, Modifiers::NONE, Key::Backspace);
    press(&mut window, Modifiers::NONE, Key::Delete);
    assert_eq!(window.state().action, None);
    assert_eq!(window.state().browser.search, "pretzel");
    assert_eq!(chosen(&window), ("Pretzel".into(), None));
    // Esc leaves the search field, not the screen.
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(window.state().action, None);

    press(&mut window, Modifiers::NONE, Key::Delete);
    assert!(window.state().browser.notices[0].text.contains("Built-in"));
    press(&mut window, Modifiers::COMMAND, Key::D);
    let copy = tracks.join("pretzel-copy.ron");
    assert_eq!(chosen(&window), ("Pretzel copy".into(), Some(copy)));

    press(&mut window, Modifiers::NONE, Key::F2);
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_in(&mut window, "knot two");
    press(&mut window, Modifiers::NONE, Key::Enter);
    let renamed = tracks.join("knot-two.ron");
    assert_eq!(chosen(&window), ("knot two".into(), Some(renamed)));
    assert_eq!(files(&tracks), ["knot-two.ron"]);

    press(&mut window, Modifiers::NONE, Key::Delete);
    assert_eq!(files(&tracks), [""; 0]);
    assert_eq!(files(&tracks.join("bin")), ["knot-two.ron"]);
    window.get_by_label_contains("Undo").click();
    window.run_steps(3);
    assert_eq!(files(&tracks), ["knot-two.ron"]);
    assert_eq!(chosen(&window).0, "knot two");
    press(&mut window, Modifiers::NONE, Key::Delete);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(files(&tracks), ["knot-two.ron"]);
    // And from the bin itself.
    press(&mut window, Modifiers::NONE, Key::Delete);
    window.state_mut().browse.bin = true;
    window.run_steps(3);
    window.get_by_label("Restore").click();
    window.run_steps(3);
    assert_eq!(files(&tracks), ["knot-two.ron"]);

    assert_eq!(window.state().action, None);
    window.state_mut().browse.bin = false;
    window.run_steps(3);
    for (key, action) in [
        (Key::E, BrowserAction::Edit),
        (Key::Enter, BrowserAction::Play),
        (Key::Escape, BrowserAction::Leave),
    ] {
        press(&mut window, Modifiers::NONE, key);
        assert_eq!(window.state_mut().action.take(), Some(action));
    }
}

#[test]
fn arrow_keys_select_cards() {
    let data = tempfile::tempdir().unwrap();
    let mut window = window(data.path());
    let order = {
        let App { browser, browse, .. } = window.state();
        browser.list.shown(browse, "")
    };
    let columns = window.state().browser.columns;
    assert!(columns > 2 && order.len() > 2 * columns);
    let mut at = 0;
    for (key, to) in [
        (Key::ArrowRight, 1),
        (Key::ArrowDown, 1 + columns),
        (Key::ArrowLeft, columns),
        (Key::ArrowUp, 0),
        (Key::ArrowUp, 0),
        (Key::End, order.len() - 1),
        (Key::ArrowRight, order.len() - 1),
        (Key::Home, 0),
    ] {
        press(&mut window, Modifiers::NONE, key);
        assert_eq!(window.state().browser.chosen, Some(order[to]), "from {at} by {key:?}");
        at = to;
    }
}

#[test]
fn broken_levels_are_shown_with_their_problems() {
    let data = tempfile::tempdir().unwrap();
    let cops = data.path().join("cops");
    std::fs::create_dir(&cops).unwrap();
    std::fs::write(cops.join("000-broken.ron"), "(format: \"cops 1\", name: 7)").unwrap();
    let mut window = window(data.path());
    window.state_mut().browse.order = LevelOrder::Name;
    window.state_mut().browser.choose(None);
    window.run_steps(2);
    assert_eq!(chosen(&window).0, "000-broken");
    assert!(window.query_by_label_contains("line 1").is_some());
    press(&mut window, Modifiers::COMMAND, Key::D);
    assert_eq!(files(&cops), ["000-broken-copy.ron", "000-broken.ron"]);
    press(&mut window, Modifiers::NONE, Key::F2);
    press(&mut window, Modifiers::COMMAND, Key::A);
    type_in(&mut window, "zzz");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(files(&cops), ["000-broken.ron", "zzz.ron"]);
}

#[test]
fn a_level_with_impossible_rules_is_broken_and_the_others_are_not() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("cops");
    std::fs::create_dir(&folder).unwrap();
    let good = outwit_levels::list_with(None, "cops").remove(0).bytes().unwrap();
    std::fs::write(folder.join("good.ron"), &good).unwrap();
    for (name, rules) in [
        ("size", "size: 4294967295"),
        ("side", "size: 30000"),
        ("walls", "walls: 4000000000, wall_length: 4000000000, cops: 4000000000"),
        ("long", "wall_length: 1000000000"),
    ] {
        let text = format!("(format: \"cops 1\", name: \"x\", rules: ({rules}), map: [\".\"])");
        std::fs::write(folder.join(format!("{name}.ron")), text).unwrap();
    }
    let window = window(data.path());
    let browser = &window.state().browser;
    let mine: Vec<(String, bool)> = (0..)
        .map_while(|index| browser.list.get(index))
        .filter(|item| item.file().is_some())
        .map(|item| (item.level.entry.stem().to_owned(), item.playable()))
        .collect();
    let expected =
        [("good", true), ("long", false), ("side", false), ("size", false), ("walls", false)];
    assert_eq!(mine, expected.map(|(stem, playable)| (stem.to_owned(), playable)));
}

#[test]
fn the_import_dialog_opens_and_takes_the_keys() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = window(folder.path());
    window.get_by_label_contains("Import…").click();
    window.run_steps(3);
    assert!(window.state().browser.dialog.is_some());
    let before = chosen(&window);
    press(&mut window, Modifiers::NONE, Key::End);
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(chosen(&window), before);
    assert_eq!(window.state().action, None);
}
