//! Keys on keyboards of other countries: shortcuts follow what is printed, blocks of keys their place.

use super::window::{Headless, press};
use bevy::input::ButtonState::{Pressed, Released};
use bevy::input::keyboard::KeyCode;
use bevy::prelude::*;
use bevy_egui::egui;
use outwit::app::match_screen::{Session, focused};
use outwit::app::shell::Screen;
use outwit::app::shell::keyboard::Printed;
use outwit_core::play::Player;
use outwit_headless::GAMES;

fn game(id: &str) -> usize {
    GAMES.iter().position(|game| game.id() == id).unwrap()
}

/// A match of these players at its first turn.
fn in_match(id: &str, players: &[&str]) -> Headless {
    let mut headless = Headless::new(1280, 800);
    let players: Vec<Player> = players.iter().map(|&name| Player::from(name)).collect();
    headless.go(Screen::Match, game(id), &players);
    headless
}

/// Presses a key while a modifier key is held.
fn with(headless: &mut Headless, held: KeyCode, code: KeyCode, letter: char) {
    headless.key(held, None, Pressed);
    headless.key(code, Some(letter), Pressed);
    headless.key(code, Some(letter), Released);
    headless.key(held, None, Released);
    (0..4).for_each(|_| headless.app.update());
}

/// Draws frames until something is so.
fn wait(headless: &mut Headless, is_so: impl Fn(&Headless) -> bool) {
    for _ in 0..4000 {
        headless.app.update();
        if is_so(headless) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("it never came to that");
}

fn turns(headless: &Headless) -> usize {
    focused::<Session>(headless.app.world()).unwrap().live.turns()
}

fn has_quit(headless: &Headless) -> bool {
    headless.app.world().resource::<Messages<AppExit>>().iter_current_update_messages().count() > 0
}

/// All words on the screen.
fn said(headless: &mut Headless) -> Vec<String> {
    let shapes = headless.egui();
    shapes.enable_accesskit();
    headless.app.world().resource::<bevy::a11y::AccessibilityRequested>().set(true);
    (0..3).for_each(|_| headless.app.update());
    let world = headless.app.world_mut();
    let mut outputs = world.query::<&bevy_egui::EguiOutput>();
    let update = outputs.single(world).unwrap().platform_output.accesskit_update.clone();
    let nodes = update.map(|update| update.nodes).unwrap_or_default();
    let text = |node: &egui::accesskit::Node| node.value().or(node.label()).map(str::to_owned);
    nodes.iter().filter_map(|(_, node)| text(node)).collect()
}

#[test]
fn on_a_french_keyboard_ctrl_a_does_not_quit_and_ctrl_q_does() {
    let mut headless = Headless::new(1024, 640);
    headless.key(KeyCode::ControlLeft, None, Pressed);
    headless.key(KeyCode::KeyQ, Some('a'), Pressed);
    headless.app.update();
    assert!(!has_quit(&headless));
    headless.key(KeyCode::KeyA, Some('q'), Pressed);
    headless.app.update();
    assert!(has_quit(&headless));
}

#[test]
fn on_a_german_keyboard_ctrl_z_takes_back_and_ctrl_y_plays_again() {
    let mut headless = in_match("pukoban", &["human"]);
    let view =
        |headless: &Headless| focused::<Session>(headless.app.world()).unwrap().playback.view;
    for key in [KeyCode::ArrowLeft, KeyCode::ArrowRight, KeyCode::ArrowDown, KeyCode::ArrowUp] {
        press(&mut headless, key, None);
    }
    wait(&mut headless, |headless| turns(headless) > 0 && view(headless) == turns(headless));
    let before = view(&headless);
    with(&mut headless, KeyCode::ControlLeft, KeyCode::KeyY, 'z');
    wait(&mut headless, |headless| view(headless) == before - 1);
    with(&mut headless, KeyCode::ControlLeft, KeyCode::KeyZ, 'y');
    wait(&mut headless, |headless| view(headless) == before);
}

#[test]
fn on_a_german_keyboard_the_question_mark_opens_the_help_and_nothing_else() {
    let mut headless = in_match("racetrack", &["optimal"]);
    let speed =
        |headless: &Headless| focused::<Session>(headless.app.world()).unwrap().playback.speed;
    let before = speed(&headless);
    with(&mut headless, KeyCode::ShiftLeft, KeyCode::Minus, '?');
    assert_eq!(speed(&headless), before);
    assert!(said(&mut headless).iter().any(|text| text == "Everywhere"), "the help is not open");
}

#[test]
fn on_a_french_keyboard_the_block_of_the_racetrack_follows_places_and_shows_letters() {
    let mut headless = in_match("racetrack", &["human"]);
    // To the right: D is where it is in English.
    press(&mut headless, KeyCode::KeyD, Some('d'));
    wait(&mut headless, |headless| turns(headless) == 1);
    // Up, where W is in English and Z in French. It may be off the track, and is asked about then.
    press(&mut headless, KeyCode::KeyW, Some('z'));
    press(&mut headless, KeyCode::Enter, None);
    wait(&mut headless, |headless| turns(headless) == 2);
    // Panels show what is printed, as far as it is known.
    let printed = Printed::of(&headless.egui());
    let on = [KeyCode::KeyW, KeyCode::KeyD].map(|key| printed.on(key));
    assert_eq!(on, [Some('Z'), Some('D')]);
}

#[test]
fn on_a_czech_keyboard_the_digits_select_tiles_and_do_not_zoom() {
    let mut headless = Headless::new(1280, 800);
    headless.go(Screen::Editor, game("racetrack"), &[]);
    with(&mut headless, KeyCode::ControlLeft, KeyCode::KeyN, 'n');
    press(&mut headless, KeyCode::Enter, None);
    (0..10).for_each(|_| headless.app.update());
    press(&mut headless, KeyCode::Digit2, Some('ě'));
    let two = said(&mut headless);
    press(&mut headless, KeyCode::Digit1, Some('+'));
    let one = said(&mut headless);
    let zoom = |said: &[String]| {
        said.iter().filter(|text| text.ends_with(" %")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(zoom(&one), zoom(&two), "the key 1 zooms");
}

#[test]
fn alt_gr_and_a_letter_is_no_shortcut() {
    // Windows tells of AltGr as Ctrl and Alt; with Q it writes @ on a German keyboard.
    let mut headless = Headless::new(1024, 640);
    headless.key(KeyCode::ControlLeft, None, Pressed);
    headless.key(KeyCode::AltLeft, None, Pressed);
    headless.key(KeyCode::KeyQ, Some('@'), Pressed);
    headless.app.update();
    assert!(!has_quit(&headless));
}
