//! A monkey at every screen: keys, typing, clicks, drags, wheel and window sizes by a seed. Nothing
//! may panic, and no frame may take for ever.
//!
//! It plays in a child process, with data folders of its own, and writes down each input before it is
//! given. The parent looks on: when nothing is written down any more, the last line is what did it.

use super::window::Headless;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy::input::mouse::MouseButton;
use bevy::math::Vec2;
use outwit::app::shell::Screen;
use outwit_core::play::Player;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Names the file into which the child writes its inputs.
const LOG: &str = "OUTWIT_TEST_MONKEY_LOG";
/// Which of the stages the child plays.
const STAGE: &str = "OUTWIT_TEST_MONKEY_STAGE";
/// Inputs on each stage, unless [`MORE`] says otherwise.
const INPUTS: usize = 800;
/// How many inputs to give instead, for a longer run.
const MORE: &str = "OUTWIT_TEST_MONKEY_INPUTS";
/// A frame that takes longer than this never ends.
const FOR_EVER: Duration = Duration::from_secs(120);

/// Where the monkey plays: a screen, and for a match its game and players.
const STAGES: &[(Screen, usize, &[&str])] = &[
    (Screen::Menu, 0, &[]),
    (Screen::Setup, 0, &[]),
    (Screen::Setup, 1, &[]),
    (Screen::Match, 0, &["human", "novice"]),
    (Screen::Match, 1, &["human", "chasers"]),
    (Screen::Match, 1, &["runner", "pack"]),
    (Screen::Setup, 2, &[]),
    (Screen::Match, 2, &["human"]),
    (Screen::Comparison, 2, &[]),
    (Screen::Setup, 3, &[]),
    (Screen::Match, 3, &["human"]),
    (Screen::Setup, 4, &[]),
    (Screen::Match, 4, &["human", "club"]),
    (Screen::Tournament, 1, &[]),
    (Screen::League, 1, &[]),
    (Screen::Editor, 0, &[]),
    (Screen::Levels, 0, &[]),
    (Screen::Replays, 0, &[]),
    (Screen::Daily, 0, &[]),
    (Screen::Settings, 0, &[]),
    (Screen::Help, 0, &[]),
];

const KEYS: &[(KeyCode, Option<char>)] = &[
    (KeyCode::Space, Some(' ')),
    (KeyCode::Enter, None),
    (KeyCode::Escape, None),
    (KeyCode::Tab, None),
    (KeyCode::Backspace, None),
    (KeyCode::Delete, None),
    (KeyCode::ArrowLeft, None),
    (KeyCode::ArrowRight, None),
    (KeyCode::ArrowUp, None),
    (KeyCode::ArrowDown, None),
    (KeyCode::Home, None),
    (KeyCode::End, None),
    (KeyCode::PageUp, None),
    (KeyCode::PageDown, None),
    (KeyCode::F1, None),
    (KeyCode::F2, None),
    (KeyCode::F5, None),
    (KeyCode::F8, None),
    (KeyCode::F9, None),
    (KeyCode::Period, Some('.')),
    (KeyCode::Comma, Some(',')),
    (KeyCode::Equal, Some('+')),
    (KeyCode::Minus, Some('-')),
    (KeyCode::Slash, Some('?')),
    (KeyCode::BracketLeft, Some('[')),
    (KeyCode::BracketRight, Some(']')),
    (KeyCode::Digit0, Some('0')),
    (KeyCode::Digit1, Some('1')),
    (KeyCode::Digit2, Some('2')),
    (KeyCode::Digit9, Some('9')),
    (KeyCode::KeyA, Some('a')),
    (KeyCode::KeyB, Some('b')),
    (KeyCode::KeyC, Some('c')),
    (KeyCode::KeyD, Some('d')),
    (KeyCode::KeyE, Some('e')),
    (KeyCode::KeyF, Some('f')),
    (KeyCode::KeyG, Some('g')),
    (KeyCode::KeyH, Some('h')),
    (KeyCode::KeyI, Some('i')),
    (KeyCode::KeyL, Some('l')),
    (KeyCode::KeyN, Some('n')),
    (KeyCode::KeyO, Some('o')),
    (KeyCode::KeyP, Some('p')),
    (KeyCode::KeyQ, Some('q')),
    (KeyCode::KeyR, Some('r')),
    (KeyCode::KeyS, Some('s')),
    (KeyCode::KeyT, Some('t')),
    (KeyCode::KeyU, Some('u')),
    (KeyCode::KeyV, Some('v')),
    (KeyCode::KeyW, Some('w')),
    (KeyCode::KeyX, Some('x')),
    (KeyCode::KeyY, Some('ü')),
    (KeyCode::KeyZ, Some('z')),
    (KeyCode::Numpad5, Some('5')),
];

struct Monkey {
    headless: Headless,
    dice: ChaCha8Rng,
    log: std::fs::File,
}

impl Monkey {
    fn note(&mut self, input: &str) {
        writeln!(self.log, "{:?}: {input}", self.headless.screen()).unwrap();
    }

    fn anywhere(&mut self) -> Vec2 {
        let size = self.headless.size();
        let mut along = |most: f32| self.dice.random_range(-0.02..1.02) * most;
        Vec2::new(along(size.x), along(size.y))
    }

    fn press(&mut self, code: KeyCode, text: Option<char>, held: Option<KeyCode>) {
        use ButtonState::{Pressed, Released};
        let text = text.filter(|_| held.is_none_or(|key| key == KeyCode::ShiftLeft));
        if let Some(held) = held {
            self.headless.key(held, None, Pressed);
            self.headless.app.update();
        }
        self.headless.key(code, text, Pressed);
        self.headless.app.update();
        self.headless.key(code, text, Released);
        if let Some(held) = held {
            self.headless.key(held, None, Released);
        }
        self.headless.app.update();
    }

    fn click(&mut self, at: Vec2, button: MouseButton) {
        self.headless.point(at);
        self.headless.app.update();
        self.headless.button(button, ButtonState::Pressed);
        self.headless.app.update();
        self.headless.button(button, ButtonState::Released);
        self.headless.app.update();
    }

    fn one_input(&mut self) {
        match self.dice.random_range(0..100) {
            0..40 => {
                let Some(&(code, text)) = KEYS.choose(&mut self.dice) else { return };
                let held = match self.dice.random_range(0..10) {
                    0 => Some(KeyCode::ControlLeft),
                    1 => Some(KeyCode::ShiftLeft),
                    _ => None,
                };
                // Leaving the program is what Ctrl+Q is for.
                if held == Some(KeyCode::ControlLeft) && code == KeyCode::KeyQ {
                    return;
                }
                self.note(&format!("{held:?} {code:?}"));
                self.press(code, text, held);
            }
            40..50 => {
                let words: String = (0..self.dice.random_range(1..12))
                    .filter_map(|_| {
                        "ab 7é#\"x".chars().collect::<Vec<_>>().choose(&mut self.dice).copied()
                    })
                    .collect();
                self.note(&format!("types {words:?}"));
                for letter in words.chars() {
                    let code = if letter == ' ' { KeyCode::Space } else { KeyCode::KeyA };
                    self.press(code, Some(letter), None);
                }
            }
            50..80 => {
                let at = self.anywhere();
                let buttons =
                    [MouseButton::Left, MouseButton::Left, MouseButton::Left, MouseButton::Right];
                let button = buttons.choose(&mut self.dice).copied().unwrap_or(MouseButton::Left);
                self.note(&format!("{button:?} click at {at}"));
                self.click(at, button);
            }
            80..88 => {
                let (from, to) = (self.anywhere(), self.anywhere());
                self.note(&format!("drag from {from} to {to}"));
                self.headless.point(from);
                self.headless.button(MouseButton::Left, ButtonState::Pressed);
                self.headless.app.update();
                for step in 1..=3 {
                    self.headless.point(from.lerp(to, step as f32 / 3.0));
                    self.headless.app.update();
                }
                self.headless.button(MouseButton::Left, ButtonState::Released);
                self.headless.app.update();
            }
            88..95 => {
                let (at, by) = (self.anywhere(), self.dice.random_range(-5.0..5.0));
                self.note(&format!("wheel by {by} at {at}"));
                self.headless.point(at);
                self.headless.wheel(0.0, by);
                self.headless.app.update();
            }
            95..97 => {
                let sizes = [(640.0, 400.0), (1024.0, 640.0), (1280.0, 800.0), (2000.0, 1200.0)];
                let (width, height) = sizes.choose(&mut self.dice).copied().unwrap_or(sizes[0]);
                self.note(&format!("window of {width} by {height}"));
                self.headless.resize(width, height);
                self.headless.app.update();
            }
            _ => {
                self.note("waits");
                (0..3).for_each(|_| self.headless.app.update());
            }
        }
    }
}

#[test]
#[ignore = "the child of the test below"]
fn plays_on_one_stage() {
    let (Some(log), Ok(stage)) = (std::env::var_os(LOG), std::env::var(STAGE)) else { return };
    let stage: usize = stage.parse().unwrap();
    let (screen, game, players) = STAGES[stage];
    let players: Vec<Player> = players.iter().map(|&name| Player::from(name)).collect();
    let mut monkey = Monkey {
        headless: Headless::new(1280, 800),
        dice: ChaCha8Rng::seed_from_u64(stage as u64),
        log: std::fs::File::create(log).unwrap(),
    };
    monkey.headless.go(screen, game, &players);
    let inputs = std::env::var(MORE).ok().and_then(|text| text.parse().ok()).unwrap_or(INPUTS);
    for input in 0..inputs {
        // It may have wandered off to another screen: half of the time it is brought back.
        if input % 200 == 0 && monkey.headless.screen() != screen {
            monkey.note("is brought back");
            monkey.headless.go(screen, game, &players);
        }
        monkey.one_input();
    }
}

fn last_lines(log: &std::path::Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(12)..].join("\n")
}

/// Lets a monkey play on one stage.
fn watch_a_monkey(stage: usize) {
    let (screen, game, players) = &STAGES[stage];
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("inputs");
    let said = folder.path().join("said");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "monkey::plays_on_one_stage", "--ignored", "--nocapture"])
        .env(LOG, &log)
        .env(STAGE, stage.to_string())
        .env("OUTWIT_DATA", folder.path().join("data"))
        .env("HOME", folder.path())
        .env("XDG_DATA_HOME", folder.path().join("data"))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&said).unwrap())
        .spawn()
        .unwrap();
    let (mut seen, mut at) = (0, Instant::now());
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        let length = log.metadata().map_or(0, |data| data.len());
        if length != seen {
            (seen, at) = (length, Instant::now());
        } else if at.elapsed() > FOR_EVER {
            child.kill().unwrap();
            let last = last_lines(&log);
            panic!("{screen:?} {game} {players:?}: a frame never ends after\n{last}");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let said = std::fs::read_to_string(&said).unwrap_or_default();
    let last = last_lines(&log);
    assert!(
        status.success(),
        "{screen:?} {game} {players:?}: it ended with {status} after\n{last}\n{said}"
    );
}

#[test]
fn a_monkey_at_every_screen_meets_no_panic_and_no_endless_frame() {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let stage = next.fetch_add(1, Ordering::Relaxed);
                    if stage >= STAGES.len() {
                        break;
                    }
                    watch_a_monkey(stage);
                }
            });
        }
    });
}
