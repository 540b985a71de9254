//! A league in the window: it plays on by itself, its results are kept, and it can be stopped.

use super::window::{Headless, in_child, press};
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use outwit::app::league::LeagueState;
use outwit::app::match_screen::{Session, focused};
use outwit::app::requests::{
    MatchConfig, OpenChampionships, Screen, Series, SeriesEvent, StartLeague,
};
use outwit::app::shell::settings::{Motion, Settings};
use outwit_core::play::{Budget, Player};
use outwit_kit::league::League;
use std::path::Path;
use std::time::Duration;

/// A league of short matches: two planners on the smallest board.
const SAVED: &str = r#"(
    format: "league 1", game: "mnk", planners: ["novice", "classic"], levels: ["mnk/3x3x3"], seed: 5,
    favourite: None, budget: "300w", hide_results: true, results: [],
)"#;

fn put(folder: &Path, text: &str) {
    std::fs::create_dir_all(folder.join("leagues")).unwrap();
    std::fs::write(folder.join("leagues/mnk.ron"), text).unwrap();
}

/// The window at the menu, in which a frame takes a tenth of a second.
fn window() -> Headless {
    let mut headless = Headless::new(1024, 640);
    headless.app.world_mut().resource_mut::<Settings>().motion = Motion::Off;
    headless.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    headless
}

/// The same with the league's next match on the match screen.
fn watching() -> Headless {
    let mut headless = window();
    headless.key(KeyCode::KeyG, Some('g'), ButtonState::Pressed);
    update_until(&mut headless, |headless| headless.screen() == Screen::Match);
    headless
}

fn update_until(headless: &mut Headless, reached: impl Fn(&Headless) -> bool) {
    for _ in 0..20_000 {
        headless.app.update();
        if reached(headless) {
            return;
        }
        // Planners think on threads of their own.
        std::thread::sleep(Duration::from_micros(200));
    }
    panic!("not reached at {:?}", headless.screen());
}

fn league(headless: &Headless) -> &League {
    &headless.app.world().resource::<LeagueState>().league
}

fn played(headless: &Headless) -> usize {
    league(headless).results().len()
}

fn config(headless: &Headless) -> MatchConfig {
    headless.app.world().resource::<MatchConfig>().clone()
}

fn session(headless: &Headless) -> &Session {
    focused::<Session>(headless.app.world()).unwrap()
}

fn series(headless: &Headless) -> Option<&Series> {
    headless.app.world().get_resource::<Series>()
}

#[test]
fn a_league_plays_on_until_it_is_stopped_and_goes_on_later() {
    in_child(
        concat!(module_path!(), "::a_league_plays_on_until_it_is_stopped_and_goes_on_later"),
        |folder| put(folder, SAVED),
        || {
            let mut headless = watching();
            let first = config(&headless);
            assert_eq!((first.seed, first.budget), (5, Budget::Work(300)));
            assert_eq!(played(&headless), 0, "nothing is known of the match that runs");
            assert!(series(&headless).unwrap().next.is_empty());
            update_until(&mut headless, |headless| played(headless) == 1);
            assert_eq!(config(&headless), first, "the end is shown for a while");
            let lines = &series(&headless).unwrap().lines;
            assert!(lines.iter().all(|line| line.cells[0] == "1" && line.plays));
            update_until(&mut headless, |headless| played(headless) == 3);
            let seeds: Vec<_> =
                league(&headless).results().iter().map(|r| r.fixture.seed).collect();
            assert_eq!(seeds, [5, 5, 6]);
            let seats: Vec<_> =
                league(&headless).results().iter().map(|r| r.fixture.players[0].clone()).collect();
            assert_ne!(seats[0], seats[1], "seats are swapped");
            press(&mut headless, KeyCode::Escape, None);
            assert_eq!(headless.screen(), Screen::League);
            assert!(series(&headless).is_none());
            (0..200).for_each(|_| headless.app.update());
            assert_eq!((headless.screen(), played(&headless)), (Screen::League, 3), "it rests");
            // The program is closed in the middle of a match and opened again.
            let before = league(&headless).clone();
            let next = before.next(&headless.app.world().resource::<LeagueState>().roster).unwrap();
            drop(headless);
            let mut headless = watching();
            assert_eq!(*league(&headless), before);
            assert_eq!(config(&headless).level.id, next.level);
            update_until(&mut headless, |headless| played(headless) == 4);
            assert_eq!(league(&headless).results()[3].fixture, next);
        },
    );
}

#[test]
fn the_last_plan_is_shown_again_before_the_next_match() {
    in_child(
        concat!(module_path!(), "::the_last_plan_is_shown_again_before_the_next_match"),
        |folder| put(folder, SAVED),
        || {
            let mut headless = watching();
            update_until(&mut headless, |headless| played(headless) == 1);
            let first = config(&headless);
            headless.app.world_mut().resource_mut::<Settings>().motion = Motion::Full;
            let speed = session(&headless).playback.speed;
            press(&mut headless, KeyCode::KeyV, Some('v'));
            let shown = session(&headless);
            assert!(shown.playback.view < shown.live.turns() && shown.playback.speed < speed);
            assert!(shown.time_to_next(default()).is_none(), "the next match waits");
            update_until(&mut headless, |headless| {
                session(headless).outcome().is_some() && session(headless).playback.rests()
            });
            headless.app.update();
            assert_eq!((config(&headless), played(&headless)), (first.clone(), 1));
            assert_eq!(session(&headless).playback.speed, speed);
            update_until(&mut headless, |headless| config(headless) != first);
        },
    );
}

#[test]
fn skipped_matches_come_later_or_count_unseen() {
    in_child(
        concat!(module_path!(), "::skipped_matches_come_later_or_count_unseen"),
        |folder| put(folder, SAVED),
        || {
            let mut headless = watching();
            let first = config(&headless);
            press(&mut headless, KeyCode::KeyN, Some('n'));
            assert_ne!(config(&headless).players, first.players);
            update_until(&mut headless, |headless| played(headless) == 1);
            update_until(&mut headless, |headless| config(headless).players == first.players);
            assert_eq!(config(&headless), first, "nothing was revealed; it is played now");
            headless.app.world_mut().resource_mut::<LeagueState>().league.hide_results = false;
            press(&mut headless, KeyCode::KeyN, Some('n'));
            assert_eq!(config(&headless).seed, 6);
            update_until(&mut headless, |headless| played(headless) >= 2);
            let results = league(&headless).results();
            assert!(results.iter().any(|result| result.fixture.players
                == first.players.iter().map(|p| p.name().to_owned()).collect::<Vec<_>>()
                && result.fixture.seed == 5
                && !result.places.is_empty()));
        },
    );
}

#[test]
fn a_broken_league_is_kept_and_said() {
    in_child(
        concat!(module_path!(), "::a_broken_league_is_kept_and_said"),
        |folder| put(folder, "(format: \"league 1\", game: \"mnk\", planners: [\"nobody\"])"),
        || {
            let mut headless = window();
            headless.open(Screen::League);
            assert_eq!(played(&headless), 0);
            let folder = outwit_levels::data_folder().unwrap().join("leagues");
            assert!(folder.join("mnk.ron.bad").exists());
        },
    );
}

#[test]
fn the_favourite_plays_first() {
    let saved = SAVED
        .replace("\"classic\"]", "\"classic\", \"best\"]")
        .replace("favourite: None", "favourite: Some(\"best\")");
    in_child(
        concat!(module_path!(), "::the_favourite_plays_first"),
        |folder| put(folder, &saved),
        || {
            let mut headless = watching();
            for _ in 0..4 {
                assert!(config(&headless).players.contains(&Player::from("best")));
                let lines = &series(&headless).unwrap().lines;
                assert!(lines.iter().any(|line| line.favourite && line.plays));
                press(&mut headless, KeyCode::KeyN, Some('n'));
            }
        },
    );
}

#[test]
fn best_of_five_begins_with_the_match_that_was_watched() {
    in_child(
        concat!(module_path!(), "::best_of_five_begins_with_the_match_that_was_watched"),
        |_| (),
        || {
            let mut headless = window();
            let players = [Player::from("classic"), Player::from("novice")];
            let mnk = outwit_headless::GAMES.iter().position(|game| game.id() == "mnk").unwrap();
            headless.go(Screen::Match, mnk, &players);
            update_until(&mut headless, |headless| session(headless).outcome().is_some());
            let first = config(&headless);
            (0..200).for_each(|_| headless.app.update());
            assert_eq!(config(&headless), first, "a match alone is not followed by another");
            press(&mut headless, KeyCode::KeyB, Some('b'));
            let second = config(&headless);
            assert_eq!((second.seed, second.players[0].name()), (first.seed + 1, "novice"));
            press(&mut headless, KeyCode::KeyN, Some('n'));
            assert_eq!(config(&headless), second, "its matches cannot be skipped");
            update_until(&mut headless, |headless| {
                series(headless).is_some_and(|series| series.verdict.is_some())
            });
            let series = series(&headless).unwrap();
            let wins = series.lines.iter().map(|line| line.cells[0].parse::<u32>().unwrap());
            assert!(wins.clone().sum::<u32>() <= 5 && series.next.is_empty());
            assert!(config(&headless).seed <= first.seed + 4);
            press(&mut headless, KeyCode::Escape, None);
            assert_eq!(headless.screen(), Screen::Menu);
        },
    );
}

#[test]
fn the_screen_alone_plays_nothing() {
    in_child(
        concat!(module_path!(), "::the_screen_alone_plays_nothing"),
        |folder| put(folder, SAVED),
        || {
            let mut headless = window();
            headless.open(Screen::League);
            (0..300).for_each(|_| headless.app.update());
            assert_eq!((headless.screen(), played(&headless)), (Screen::League, 0));
            press(&mut headless, KeyCode::Enter, None);
            update_until(&mut headless, |headless| headless.screen() == Screen::Match);
            headless.app.insert_resource(StartLeague(false));
            press(&mut headless, KeyCode::Escape, None);
            press(&mut headless, KeyCode::PageDown, None);
            assert_eq!(league(&headless).game, outwit_headless::GAMES[0].id());
            press(&mut headless, KeyCode::PageUp, None);
            assert_eq!(league(&headless).game, "mnk");
        },
    );
}

/// A championship that was left after its first race, which the person won.
const CHAMPIONSHIP: &str = r#"(
    format: "championship 1", game: "racetrack", players: ["human", "greedy", "novice", "clubman"],
    tracks: ["racetrack/first-drive", "racetrack/tiny", "racetrack/islands", "racetrack/first-lap"],
    ranks: [[1, 3, 4, 2]], seed: 5, budget: "300w",
)"#;

#[test]
fn a_championship_goes_on_after_the_program_was_closed() {
    in_child(
        concat!(module_path!(), "::a_championship_goes_on_after_the_program_was_closed"),
        |folder| {
            std::fs::create_dir_all(folder.join("championships")).unwrap();
            std::fs::write(folder.join("championships/racetrack.ron"), CHAMPIONSHIP).unwrap();
        },
        || {
            let mut headless = window();
            let race = outwit_headless::GAMES.iter().position(|game| game.id() == "racetrack");
            let players = [Player::Human, Player::from("novice")];
            headless.go(Screen::Setup, race.unwrap(), &players);
            let open = |headless: &Headless| {
                headless.app.world().resource::<OpenChampionships>().0.clone()
            };
            update_until(&mut headless, |headless| !open(headless).is_empty());
            let offer = open(&headless).remove(0);
            assert_eq!(offer.next, "Race 2 of 4: Tiny");
            assert_eq!(offer.standing, "You are first with 10 points.");
            press(&mut headless, KeyCode::KeyC, Some('c'));
            update_until(&mut headless, |headless| headless.screen() == Screen::Match);
            let second = config(&headless);
            assert_eq!((second.level.id.as_str(), second.seed), ("racetrack/tiny", 6));
            assert_eq!(second.players[0], Player::Human, "everybody keeps a seat");
            assert_eq!(series(&headless).unwrap().about, "race 2 of 4");
            // Once more if others have moved by then.
            press(&mut headless, KeyCode::Escape, None);
            if headless.screen() == Screen::Match {
                press(&mut headless, KeyCode::Escape, None);
            }
            update_until(&mut headless, |headless| headless.screen() == Screen::Setup);
            assert_eq!(open(&headless), [offer], "a race that was left is raced again");
            let file = outwit_levels::data_folder().unwrap().join("championships/racetrack.ron");
            assert!(file.exists());
            headless.app.world_mut().write_message(SeriesEvent::DiscardChampionship("racetrack"));
            (0..4).for_each(|_| headless.app.update());
            assert!(open(&headless).is_empty() && !file.exists());
        },
    );
}
