//! Tests that use the screen as a user does: by name and by key.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::app::match_screen::{Session, Tab, focused, level_picture};
use crate::app::shell::fonts;
use crate::app::shell::preview::PictureSpec;
use crate::app::shell::settings::Motion;
use crate::app::shell::theme;
use crate::app::start::tests::{at_the_menu, screen as current_screen, update_until};
use egui::Modifiers;
use outwit_core::play::{Match, Replay, Seat};
use outwit_kit::read_level;
use outwit_mnk::Mnk;
use outwit_ui_test::Harness;
use outwit_ui_test::kittest::Queryable;
use std::sync::Arc;

/// A window with the screen, and what left it last.
struct Window {
    replays: Replays,
    leaving: Option<Leaving>,
    dressed: bool,
}

/// The replay of a match of three turns between a person and a planner.
fn replay_text() -> String {
    let level = outwit_levels::built_in("mnk/5x5x4").unwrap();
    let level = read_level::<Mnk>(&level.bytes().unwrap(), "x").unwrap();
    let game = <Mnk as outwit_core::play::Game>::new(&level, 2).unwrap();
    let mut played = Match::new(Arc::new(game), 7).unwrap();
    for _ in 0..3 {
        let null = |seat: Seat| {
            (seat, outwit_core::play::Game::null_action(&**played.game(), played.state(), seat))
        };
        let actions = played.to_move().into_iter().map(null).collect();
        played.advance(actions).unwrap();
    }
    ron::to_string(&Replay::of(&played, vec!["human".into(), "classic".into()])).unwrap()
}

fn read_all(replays: &mut Replays) {
    while !replays.list.read_some() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

fn window(saved: &Path) -> Harness<'static, Window> {
    let mut replays = Replays::default();
    replays.list.folder = Some(saved.into());
    replays.reload(None);
    read_all(&mut replays);
    let draw = |ui: &mut egui::Ui, window: &mut Window| {
        if !window.dressed {
            ui.ctx().set_fonts(fonts::definitions(None));
            ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
            window.dressed = true;
            return;
        }
        let leaving = show(ui.ctx(), &mut window.replays, false, |_| {});
        window.leaving = leaving.or(window.leaving.take());
    };
    let window = Window { replays, leaving: None, dressed: false };
    let mut window =
        Harness::builder().with_size(egui::vec2(1280.0, 800.0)).build_ui_state(draw, window);
    window.run_steps(4);
    window
}

fn press(window: &mut Harness<Window>, modifiers: Modifiers, key: Key) {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(2);
    read_all(&mut window.state_mut().replays);
    window.run_steps(2);
}

/// A folder with these saved replays, each a second older than the one before.
fn folder_of(names: &[&str], text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (age, name) in names.iter().enumerate() {
        put(&folder.path().join(name), text, age as u64);
    }
    folder
}

fn put(file: &Path, text: &str, age: u64) {
    store::write(file, text.as_bytes()).unwrap();
    let written = std::fs::File::options().write(true).open(file).unwrap();
    let day = outwit_core::platform::time::UNIX_EPOCH + Duration::from_secs(1_700_000_000 - age);
    written.set_modified(day).unwrap();
}

fn names(window: &Harness<Window>) -> Vec<String> {
    let items = window.state().replays.list.items();
    items.iter().map(|item| item.name()).collect()
}

fn chosen(window: &Harness<Window>) -> String {
    window.state().replays.selected().unwrap().name()
}

#[test]
fn replays_are_listed_newest_first_with_players_and_result() {
    let folder = folder_of(&["new.ron", "middle.ron", "old.ron", "note.txt"], &replay_text());
    let mut window = window(folder.path());
    assert_eq!(names(&window), ["new", "middle", "old"]);
    let item = &window.state().replays.list.items()[0];
    let (kind, info) = item.info().unwrap();
    assert_eq!((kind.id(), info.turns, info.looks.width()), ("mnk", 3, 5));
    assert_eq!([item.player(0), item.player(1)], ["Player", "Classic"]);
    assert_eq!(item.result(), "Unfinished");
    for words in ["middle", "Unfinished", "Classic"] {
        assert!(window.query_all_by_label(words).next().is_some(), "{words}");
    }
    assert_eq!(chosen(&window), "new");
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(chosen(&window), "middle");
    press(&mut window, Modifiers::NONE, Key::End);
    assert_eq!(chosen(&window), "old");
    let file = folder.path().join("old.ron");
    for (key, analyse) in [(Key::Enter, false), (Key::A, true)] {
        press(&mut window, Modifiers::NONE, key);
        let wanted = Leaving::Watch { file: file.clone(), analyse };
        assert_eq!(window.state_mut().leaving.take(), Some(wanted));
    }
}

#[test]
fn the_list_knows_which_rows_are_visible() {
    let names: Vec<String> = (0..30).map(|n| format!("{n:02}.ron")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let folder = folder_of(&names, &replay_text());
    let mut window = window(folder.path());
    let visible = &window.state().replays.list.visible;
    assert!(visible.contains(&0) && visible.len() < 15, "{visible:?}");
    press(&mut window, Modifiers::NONE, Key::End);
    window.run_steps(60);
    let visible = &window.state().replays.list.visible;
    assert!(visible.contains(&29) && !visible.contains(&0), "{visible:?}");
}

#[test]
fn search_and_filter_come_with_many_replays() {
    let few = folder_of(&["a.ron", "b.ron"], &replay_text());
    let mut window_of_few = window(few.path());
    press(&mut window_of_few, Modifiers::NONE, Key::Slash);
    assert!(!window_of_few.state().replays.seeking, "no search field");

    let names = ["a.ron", "b.ron", "c.ron", "d.ron", "e.ron", "wanted.ron"];
    let many = folder_of(&names, &replay_text());
    let mut window = window(many.path());
    press(&mut window, Modifiers::NONE, Key::Slash);
    assert!(window.state().replays.seeking);
    let replays = &mut window.state_mut().replays;
    for (search, found) in [("WANT", 1), ("classic", 6), ("no such replay", 0)] {
        assert_eq!(replays.list.shown(None, None, search).len(), found, "{search}");
    }
    assert_eq!(replays.list.shown(Some("mnk"), None, "").len(), 6);
    assert!(replays.list.shown(Some("cops"), None, "").is_empty());
    replays.search = "want".into();
    window.run_steps(3);
    assert_eq!(chosen(&window), "wanted");
}

#[test]
fn a_deleted_replay_can_be_restored() {
    let folder = folder_of(&["a.ron", "b.ron", "c.ron"], &replay_text());
    let mut window = window(folder.path());
    press(&mut window, Modifiers::NONE, Key::ArrowDown);
    press(&mut window, Modifiers::NONE, Key::Delete);
    assert_eq!(names(&window), ["a", "c"]);
    assert_eq!(chosen(&window), "c", "the next one is selected");
    assert!(window.query_by_label_contains("Deleted “b”").is_some());
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(names(&window), ["a", "b", "c"]);
    assert_eq!(chosen(&window), "b");
    assert!(window.query_by_label_contains("Deleted").is_none());
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let folder = folder_of(&["a.ron", "b.ron"], &replay_text());
    let saved = folder.path().join("replays");
    std::fs::create_dir(&saved).unwrap();
    for name in ["a.ron", "b.ron"] {
        std::fs::rename(folder.path().join(name), saved.join(name)).unwrap();
    }
    let mut window = window(&saved);
    press(&mut window, Modifiers::NONE, Key::F2);
    for letter in "/../../my b".chars() {
        window.event(egui::Event::Text(letter.to_string()));
        window.run_steps(1);
    }
    press(&mut window, Modifiers::NONE, Key::Enter);
    // What is typed replaces the old name.
    assert_eq!(names(&window), ["my b", "b"], "{:?}", window.state().replays.notices);
    assert_eq!(chosen(&window), "my b");
    assert_eq!(store::list(folder.path()).unwrap(), [saved]);
}

#[test]
fn a_recent_match_is_kept_among_the_saved_ones() {
    let folder = folder_of(&["mnk-5x5x4.ron"], "an older one");
    let recent = folder.path().join("recent/recent-1700000000-mnk-5x5x4.ron");
    put(&recent, &replay_text(), 0);
    let mut window = window(folder.path());
    let list = &window.state().replays.list;
    assert!(list.items().iter().any(|item| item.is_recent() && item.info().is_some()));
    window.state_mut().replays.chosen = Some(recent.clone());
    press(&mut window, Modifiers::NONE, Key::K);
    assert!(!store::exists(&recent));
    let kept = folder.path().join("mnk-5x5x4-2.ron");
    assert_eq!(store::read(&kept).unwrap(), replay_text().as_bytes());
    assert_eq!(window.state().replays.chosen, Some(kept));
    assert_eq!(store::read(&folder.path().join("mnk-5x5x4.ron")).unwrap(), b"an older one");
}

#[test]
fn a_result_names_the_players() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/version-0.1/replays");
    let text = store::read(&data.join("racetrack-track-ace-clubman-11.ron")).unwrap();
    let folder = folder_of(&["a.ron"], &String::from_utf8(text).unwrap());
    let window = window(folder.path());
    assert_eq!(window.state().replays.list.items()[0].result(), "Clubman won in 24 turns");
}

#[test]
fn the_picture_of_a_replay_shows_its_last_position() {
    let spec = PictureSpec {
        dark: true,
        room: egui::vec2(200.0, 200.0),
        most: 40.0,
        pieces: Pieces::default(),
    };
    let level = outwit_levels::built_in("mnk/5x5x4").unwrap().bytes().unwrap();
    let text = replay_text();
    let opening = level_picture::<Mnk>(&level, "a", &spec).unwrap();
    let last = level_picture::<Mnk>(text.as_bytes(), "a", &spec).unwrap();
    assert_eq!(opening.size, last.size);
    assert_ne!(opening.pixels, last.pixels);
    let altered = text.replacen("seed:7", "seed:8", 1);
    let refused = level_picture::<Mnk>(altered.as_bytes(), "a", &spec);
    assert!(refused.unwrap_err().contains("not faithful"));
}

/// What cannot be read is listed with the reason, cannot be watched, and can be deleted.
#[test]
fn bad_files_are_listed_with_the_reason() {
    let good = replay_text();
    let map = good.find("map:").unwrap();
    let cases = [
        ("empty.ron", String::new(), "not a replay"),
        ("other-game.ron", good.replacen("mnk", "chess", 1), "chess"),
        ("later.ron", good.replacen("outwit-replay 3", "outwit-replay 9", 1), "newer version"),
        ("rules.ron", good.replacen("rules_version:", "rules_version:9", 1), "rules version"),
        ("seats.ron", good.replacen("\"human\",", &"\"human\",".repeat(99), 1), "100 players"),
        ("cut.ron", good[..map].to_owned(), "line"),
        ("deep.ron", format!("(game:\"mnk\",level:{}", "(".repeat(100_000)), "line"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, text, _) in &cases {
        put(&folder.path().join(name), text, 0);
    }
    put(&folder.path().join("binary.ron"), "x", 0);
    std::fs::write(folder.path().join("binary.ron"), [0xff; 5000]).unwrap();
    let mut window = window(folder.path());
    assert_eq!(names(&window).len(), cases.len() + 1);
    for (name, _, reason) in cases {
        let replays = &mut window.state_mut().replays;
        let file = folder.path().join(name);
        let item = &replays.list.items()[replays.list.find(&file).unwrap()];
        let why = item.told.as_ref().unwrap().as_ref().err().unwrap();
        assert!(why.to_lowercase().contains(reason), "{name}: {why}");
        replays.chosen = Some(file.clone());
        for key in [Key::Enter, Key::A] {
            press(&mut window, Modifiers::NONE, key);
            assert_eq!(window.state().leaving, None, "{name}");
        }
        window.state_mut().replays.chosen = Some(file.clone());
        press(&mut window, Modifiers::NONE, Key::Delete);
        assert!(!store::exists(&file), "{name}");
    }
}

#[test]
fn an_empty_list_says_how_replays_come_about() {
    let folder = tempfile::tempdir().unwrap();
    let window = window(&folder.path().join("not there"));
    assert!(window.query_by_label_contains("No replays yet").is_some());
    assert!(window.query_by_label_contains("F5").is_some());
}

/// The match screen shows the replay, or opens its analysis at once; from there the way leads back.
#[test]
fn a_replay_is_watched_or_analysed() {
    let folder = folder_of(&["a.ron"], &replay_text());
    let mut app = at_the_menu();
    for (analyse, tab) in [(false, Tab::Match), (true, Tab::Analysis)] {
        app.insert_resource(watching(&folder.path().join("a.ron")).unwrap());
        app.insert_resource(StartAnalysis(analyse));
        app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Match);
        assert!(update_until(&mut app, |app| current_screen(app) == Screen::Match));
        let session = focused::<Session>(app.world()).unwrap();
        assert!(session.is_replay());
        assert_eq!((session.tab, session.playback.playing), (tab, !analyse));
        assert!(!app.world().resource::<StartAnalysis>().0, "the next match begins as usual");
        app.world_mut().write_message(GoBack);
        assert!(update_until(&mut app, |app| current_screen(app) == Screen::Replays));
    }
    app.world_mut().write_message(GoBack);
    assert!(update_until(&mut app, |app| current_screen(app) == Screen::Menu));
}

#[test]
fn matches_of_a_series_are_listed_as_such() {
    let folder = folder_of(&["mnk-5x5x4.ron"], "an older one");
    let league = folder.path().join("series/recent-1700000000-best-of-five-mnk-5x5x4.ron");
    put(&league, &replay_text(), 0);
    let window = window(folder.path());
    let list = &window.state().replays.list;
    let shown = list.shown(None, Some(list::Origin::Series), "");
    let names: Vec<_> = shown.iter().map(|&at| list.items()[at].kept_as()).collect();
    assert_eq!(names, [Some("Best of five".to_owned())]);
    assert_eq!(list.shown(None, None, "best of five"), shown);
    assert_eq!(list.shown(None, Some(list::Origin::Recent), "").len(), 0);
}
