//! Matches as they begin from the set-up, and as they are left and resumed.

use super::window::{Headless, in_child, press};
use bevy::input::keyboard::KeyCode;
use outwit::app::match_screen::{Session, focused};
use outwit::app::requests::{MatchConfig, Screen};
use outwit_core::play::Player;
use outwit_headless::GAMES;

fn session(headless: &Headless) -> &Session {
    focused::<Session>(headless.app.world()).unwrap()
}

fn wait_until(headless: &mut Headless, reached: impl Fn(&Session) -> bool) {
    for _ in 0..4000 {
        if reached(session(headless)) {
            return;
        }
        headless.app.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("not reached after {} turns", session(headless).live.turns());
}

/// A race against a novice with seed 3.
fn race(headless: &mut Headless, player: Player) {
    let game = GAMES.iter().position(|game| game.id() == "racetrack").unwrap();
    headless.go(Screen::Match, game, &[player, "novice".into()]);
}

/// Leaves the match, and begins it once more with another seed, as the set-up does.
fn leave_and_return(headless: &mut Headless) {
    press(headless, KeyCode::Escape, None);
    assert_eq!(headless.screen(), Screen::Menu, "nothing is lost, so nothing is asked");
    headless.app.world_mut().resource_mut::<MatchConfig>().seed = 77;
    headless.open(Screen::Match);
}

#[test]
fn a_race_that_is_left_goes_on_with_its_seed() {
    in_child(
        concat!(module_path!(), "::a_race_that_is_left_goes_on_with_its_seed"),
        |_| (),
        || {
            let mut headless = Headless::new(1024, 640);
            race(&mut headless, Player::Human);
            press(&mut headless, KeyCode::KeyS, Some('s'));
            wait_until(&mut headless, |session| session.live.turns() >= 2);
            let (left, turns) = (session(&headless).replay_text(), session(&headless).live.turns());
            leave_and_return(&mut headless);
            let resumed = session(&headless);
            assert_eq!((resumed.config.seed, resumed.live.turns()), (3, turns));
            assert_eq!(resumed.replay_text(), left);
            press(&mut headless, KeyCode::KeyR, Some('r'));
            assert_eq!(session(&headless).live.turns(), 0);
        },
    );
}

#[test]
fn a_race_that_was_watched_begins_again() {
    in_child(
        concat!(module_path!(), "::a_race_that_was_watched_begins_again"),
        |_| (),
        || {
            let mut headless = Headless::new(1024, 640);
            race(&mut headless, "ace".into());
            wait_until(&mut headless, |session| session.live.turns() >= 2);
            leave_and_return(&mut headless);
            assert_eq!(session(&headless).config.seed, 77);
        },
    );
}

#[test]
fn the_set_up_begins_two_matches_side_by_side() {
    let mut headless = Headless::new(1280, 800);
    let cops = GAMES.iter().position(|game| game.id() == "cops").unwrap();
    headless.go(Screen::Setup, cops, &[]);
    press(&mut headless, KeyCode::KeyB, Some('b'));
    assert_eq!(headless.screen(), Screen::Match);
    let first = session(&headless).config.clone();
    assert!(!first.players.contains(&Player::Human) && first.beside.is_none());
    let dialog = headless.egui().memory(|memory| memory.top_modal_layer());
    assert!(dialog.is_some(), "other planners are asked for");
    press(&mut headless, KeyCode::Escape, None);
    assert_eq!(headless.screen(), Screen::Match, "without them it is one match");
}

#[test]
fn a_restart_forgets_the_hint_even_if_the_first_moves_are_the_same() {
    let mut headless = Headless::new(1024, 640);
    let pukoban = GAMES.iter().position(|game| game.id() == "pukoban").unwrap();
    headless.go(Screen::Match, pukoban, &[Player::Human]);
    press(&mut headless, KeyCode::ArrowUp, None);
    wait_until(&mut headless, |session| session.playback.view == 1);
    press(&mut headless, KeyCode::KeyH, Some('h'));
    wait_until(&mut headless, |session| !session.result.counts());
    press(&mut headless, KeyCode::KeyR, Some('r'));
    press(&mut headless, KeyCode::ArrowUp, None);
    wait_until(&mut headless, |session| session.playback.view == 1);
    press(&mut headless, KeyCode::ArrowLeft, None);
    wait_until(&mut headless, |session| session.playback.view == 2);
    assert!(session(&headless).result.counts());
}
