//! The list of replays, without a window.

use super::actions::{ReplayAction, perform, rename};
use super::*;
use crate::app::shell::replay_files::RECENT;
use crate::app::shell::settings::Motion;
use crate::app::shell::{fonts, theme};
use outwit_core::platform::time::Instant;
use outwit_ui_test::Harness;
use outwit_ui_test::kittest::Queryable;
use std::time::Duration;

/// The text of a replay of a short race, which some planner has driven.
fn replay() -> String {
    let kind = outwit_headless::find("racetrack").unwrap();
    let entry = outwit_levels::built_in("racetrack/tiny").unwrap();
    let text = String::from_utf8(entry.bytes().unwrap()).unwrap();
    let level = outwit_core::tournament::ContestLevel::new(entry.id, text);
    let seats = [outwit_core::tournament::Entrants::new("car1", ["novice"])];
    let budget = outwit_core::play::TimeControl::from(outwit_core::play::Budget::Work(500));
    let contest = outwit_kit::tournament::contest(kind, level, &seats, (1, 1), budget).unwrap();
    let stop = outwit_core::play::StopFlag::default();
    let games = kind.run_contest(&contest, Vec::new(), &stop, &|_| Ok(())).unwrap();
    kind.replay_text(&contest, &games[0], &stop).unwrap()
}

/// A folder with two saved replays, one recent match, a file that is none, and one of another kind.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = replay();
    std::fs::create_dir(folder.path().join(RECENT)).unwrap();
    for name in ["my race.ron", "other.ron", "recent/000000000001-racetrack-tiny.ron"] {
        std::fs::write(folder.path().join(name), &text).unwrap();
    }
    std::fs::write(folder.path().join("broken.ron"), "(format: \"outwit-replay 2\", game").unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no replay").unwrap();
    folder
}

fn of(folder: &Path) -> ReplayScreen {
    ReplayScreen { items: list::list(folder), ..ReplayScreen::default() }
}

fn titles(screen: &ReplayScreen) -> Vec<String> {
    let mut titles: Vec<_> = screen.shown().iter().map(|&at| screen.items[at].title()).collect();
    titles.sort();
    titles
}

#[test]
fn replays_are_listed_with_what_they_hold() {
    let folder = folder();
    let mut screen = of(folder.path());
    assert_eq!(titles(&screen), ["Tiny", "broken", "my race", "other"]);
    let find = |title: &str| screen.items.iter().find(|item| item.title() == title).unwrap();
    let content = find("my race").content.as_ref().unwrap();
    assert_eq!((content.players().as_str(), content.kind.id()), ("Novice", "racetrack"));
    assert!(content.result().starts_with("Car1 finished in"), "{}", content.result());
    assert!(find("broken").content.is_err() && find("Tiny").is_recent);
    screen.search = "MY ".into();
    assert_eq!(titles(&screen), ["my race"]);
    screen.search = "novice".into();
    assert_eq!(titles(&screen), ["Tiny", "my race", "other"]);
    screen.game = Some("cops");
    assert_eq!(titles(&screen), [""; 0]);
}

#[test]
fn a_replay_gets_another_name_in_the_folder_and_nowhere_else() {
    let folder = folder();
    let recent = folder.path().join("recent/000000000001-racetrack-tiny.ron");
    let named = rename(folder.path(), &recent, "/../../My best race!").unwrap();
    assert_eq!(named, folder.path().join("My-best-race.ron"));
    assert!(named.is_file() && !recent.exists());
    let other = rename(folder.path(), &folder.path().join("other.ron"), "My best race").unwrap();
    assert_ne!(other, named, "nothing is overwritten");
    assert_eq!(rename(folder.path(), &named, "My best race").unwrap(), named);
    assert!(rename(folder.path(), &recent, "gone").is_err());
}

#[test]
fn a_deleted_replay_can_be_restored() {
    let folder = folder();
    let mut screen = of(folder.path());
    let file = folder.path().join("other.ron");
    screen.chosen = Some(file.clone());
    perform(ReplayAction::Delete, &mut screen).unwrap();
    assert!(!file.exists());
    assert!(screen.chosen.as_ref().is_some_and(|chosen| *chosen != file));
    assert!(list::list(folder.path()).iter().all(|item| item.title() != "other"));
    perform(ReplayAction::Undo, &mut screen).unwrap();
    assert!(file.is_file() && screen.deleted.is_none());
    assert_eq!(screen.chosen, Some(file.clone()));
    // What cannot be deleted is said, and stays.
    std::fs::remove_file(&file).unwrap();
    screen.items = of(folder.path()).items;
    let there = folder.path().join("my race.ron");
    screen.chosen = Some(there.clone());
    std::fs::remove_file(&there).unwrap();
    assert!(perform(ReplayAction::Delete, &mut screen).is_err());
}

#[test]
fn keys_move_through_the_list() {
    let folder = folder();
    let mut screen = of(folder.path());
    let at = |screen: &ReplayScreen| {
        screen.items.iter().position(|item| Some(&item.file) == screen.chosen.as_ref())
    };
    screen.select(1);
    assert_eq!(at(&screen), Some(0));
    for (by, expected) in [(1, 1), (-1, 0), (-1, 0), (isize::MAX, 3), (1, 3), (isize::MIN, 0)] {
        screen.select(by);
        assert_eq!(at(&screen), Some(expected), "{by}");
    }
}

#[test]
fn a_replay_is_watched_and_nothing_else() {
    let folder = folder();
    let config = watching(&folder.path().join("my race.ron")).unwrap();
    assert_eq!((config.game, config.back), ("racetrack", Screen::Replays));
    let why = watching(&folder.path().join("notes.txt")).unwrap_err();
    assert!(why.contains("no replay"), "{why}");
}

/// The whole list in a window: a row with its words, a file that cannot be read, and an empty folder.
#[test]
fn the_list_says_what_there_is() {
    let folder = folder();
    let mut screen = of(folder.path());
    let shows = |screen: ReplayScreen, height: f32| {
        let draw = |ui: &mut egui::Ui, (screen, dressed): &mut (ReplayScreen, bool)| {
            if !std::mem::replace(dressed, true) {
                ui.ctx().set_fonts(fonts::definitions(None));
                ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
                return;
            }
            show(ui.ctx(), screen, false, |_| {});
        };
        let size = vec2(1024.0, height);
        let mut window = Harness::builder().with_size(size).build_ui_state(draw, (screen, false));
        window.run_steps(4);
        let found = |words: &str| window.query_all_by_label_contains(words).count();
        (found("Novice"), found("Cannot be read"), found("No replays yet"))
    };
    let empty = shows(ReplayScreen::default(), 640.0);
    assert_eq!(empty, (0, 0, 1));
    screen.chosen = Some(folder.path().join("my race.ron"));
    assert_eq!(shows(screen, 900.0), (3, 1, 0));
}

#[test]
fn files_are_read_in_the_background() {
    let folder = folder();
    let mut screen = ReplayScreen::default();
    let path = folder.path().to_owned();
    screen.reading = Some(Task::begin(move |_| list::list(&path)));
    let begun = Instant::now();
    while screen.take() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::yield_now();
    }
    assert_eq!(screen.items.len(), 4);
    assert!(screen.chosen.is_some() && screen.errors.is_empty());
}
