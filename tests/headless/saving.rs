//! What the window writes for the user.

use super::old_files::files;
use super::window::{Headless, in_child};
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use outwit::app::match_screen::{Session, focused};
use outwit::app::requests::{MatchConfig, Screen};
use outwit_headless::{GAMES, find};
use outwit_levels::{Entry, Source, data_folder};

#[test]
fn a_level_opened_by_its_path_saves_its_replays_in_the_data_folder() {
    let name = "::a_level_opened_by_its_path_saves_its_replays_in_the_data_folder";
    in_child(
        &[module_path!(), name].concat(),
        |_| (),
        || {
            let elsewhere = tempfile::tempdir().unwrap();
            let level = elsewhere.path().join("Sunday track.ron");
            std::fs::write(&level, super::cli::LEVEL).unwrap();
            let kind = find("racetrack").unwrap();
            let game = GAMES.iter().position(|game| game.id() == kind.id()).unwrap();
            let mut headless = Headless::new(1280, 800);
            headless.go(Screen::Menu, game, &["optimal".into()]);
            let id = level.display().to_string();
            headless.app.world_mut().resource_mut::<MatchConfig>().level =
                Entry { id, source: Source::File(level.clone()) };
            headless.open(Screen::Match);
            for _ in 0..2 {
                for state in [ButtonState::Pressed, ButtonState::Released] {
                    headless.key(KeyCode::F5, None, state);
                    (0..3).for_each(|_| headless.app.update());
                }
            }
            let folder = data_folder().unwrap().join("replays");
            let names = ["racetrack-Sunday-track.ron", "racetrack-Sunday-track-2.ron"];
            let mut saved: Vec<_> = names.iter().map(|name| folder.join(name)).collect();
            saved.sort();
            assert_eq!(files(&folder), saved);
            for file in saved {
                assert!(kind.replay(&std::fs::read(file).unwrap()).unwrap().faithful);
            }
            assert_eq!(files(elsewhere.path()), [level]);
        },
    );
}

#[test]
fn a_match_that_was_left_is_seen_where_it_was_left() {
    let name = "::a_match_that_was_left_is_seen_where_it_was_left";
    in_child(
        &[module_path!(), name].concat(),
        |_| (),
        || {
            let game = GAMES.iter().position(|game| game.id() == "pukoban").unwrap();
            let mut headless = Headless::new(1280, 800);
            headless.go(Screen::Match, game, &["human".into()]);
            for _ in 0..100 {
                for state in [ButtonState::Pressed, ButtonState::Released] {
                    headless.key(KeyCode::ArrowUp, None, state);
                    (0..3).for_each(|_| headless.app.update());
                }
            }
            let shown = |headless: &Headless| {
                let session = focused::<Session>(headless.app.world()).unwrap();
                (session.playback.view, session.live.turns())
            };
            let (view, turns) = shown(&headless);
            assert!(view > 0 && view == turns, "{view} of {turns}");
            headless.open(Screen::Menu);
            headless.go(Screen::Match, game, &["human".into()]);
            assert_eq!(shown(&headless), (view, turns));
        },
    );
}
