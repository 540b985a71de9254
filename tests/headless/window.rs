//! The whole window with all its panels, laid out and handled as ever, but drawn by nobody.

use bevy::ecs::schedule::{MultiThreadedExecutor, SingleThreadedExecutor};
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyCode, KeyboardInput};
use bevy::input::mouse::{MouseButton, MouseButtonInput, MouseScrollUnit, MouseWheel};
use bevy::input::touch::TouchPhase;
use bevy::prelude::*;
use bevy::window::{CursorMoved, PrimaryWindow, WindowEvent, WindowResized};
use bevy_egui::{
    EguiContext, EguiInput, EguiManagedTextures, EguiPostUpdateSet, EguiPreUpdateSet,
    EguiPrimaryContextPass, EguiRenderOutput, PrimaryEguiContext, egui,
};
use outwit::app::requests::{ChosenGame, MatchConfig, Screen};
use outwit_core::play::{Budget, Player};
use outwit_headless::GAMES;
use outwit_levels::{built_in, keep_nothing};
use std::path::Path;
use std::process::Command;

/// Set in the process of a test that has a data folder of its own.
const IN_CHILD: &str = "OUTWIT_TEST_IN_CHILD";

/// Runs a test again in a process of its own, where it does this work in a data folder that was
/// prepared for it; `test` is its path.
pub fn in_child(test: &str, prepare: impl FnOnce(&Path), work: impl FnOnce()) {
    if std::env::var_os(IN_CHILD).is_some() {
        return work();
    }
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let (_, test) = test.split_once("::").unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact"])
        .env(IN_CHILD, "1")
        .env("OUTWIT_DATA", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{errors}");
}

/// Presses a key, releases it, and lets the screen answer.
pub fn press(headless: &mut Headless, code: KeyCode, letter: Option<char>) {
    headless.key(code, letter, ButtonState::Pressed);
    headless.key(code, letter, ButtonState::Released);
    (0..4).for_each(|_| headless.app.update());
}

/// The program in a window of this size that exists only in its memory, at the menu.
pub struct Headless {
    pub app: App,
    window: Entity,
    pointer: Vec2,
}

impl Headless {
    pub fn new(width: u32, height: u32) -> Self {
        if std::env::var_os(IN_CHILD).is_none() {
            keep_nothing();
        }
        let mut app = outwit::app::without_window(width, height);
        let world = app.world_mut();
        // Handing systems to other threads takes longer than most of them run.
        for (_, schedule) in world.resource_mut::<Schedules>().iter_mut() {
            schedule.set_executor(SingleThreadedExecutor::new());
        }
        let window = world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).unwrap();
        let mut headless = Self { app, window, pointer: Vec2::ZERO };
        for _ in 0..4000 {
            headless.app.update();
            if headless.screen() == Screen::Menu {
                return headless;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        panic!("the assets were not loaded: still at {:?}", headless.screen());
    }

    pub fn screen(&self) -> Screen {
        *self.app.world().resource::<State<Screen>>().get()
    }

    /// Goes to a screen; a match is one of `game` with these players.
    pub fn go(&mut self, to: Screen, game: usize, players: &[Player]) {
        let kind = GAMES[game % GAMES.len()];
        self.app.insert_resource(ChosenGame(kind.id()));
        self.app.insert_resource(MatchConfig {
            players: players.to_vec(),
            seed: 3,
            budget: Budget::Work(300),
            back: Screen::Menu,
            ..MatchConfig::new(kind.id(), built_in(&kind.first_level()).unwrap())
        });
        self.open(to);
    }

    /// Goes to a screen with what was chosen last.
    pub fn open(&mut self, to: Screen) {
        self.app.world_mut().resource_mut::<NextState<Screen>>().set(to);
        (0..4).for_each(|_| self.app.update());
    }

    pub fn key(&mut self, code: KeyCode, text: Option<char>, state: ButtonState) {
        let logical_key = match text {
            Some(letter) => Key::Character(letter.to_string().into()),
            None => named(code),
        };
        let text = text.filter(|_| state == ButtonState::Pressed).map(|c| c.to_string().into());
        let window = self.window;
        let input =
            KeyboardInput { key_code: code, logical_key, state, text, repeat: false, window };
        self.app.world_mut().write_message(input);
    }

    pub fn button(&mut self, button: MouseButton, state: ButtonState) {
        let window = self.window;
        let input = MouseButtonInput { button, state, window };
        self.app.world_mut().write_message(input);
        self.app.world_mut().write_message(WindowEvent::from(input));
    }

    pub fn point(&mut self, at: Vec2) {
        self.pointer = at;
        let window = self.window;
        if let Some(mut window) = self.app.world_mut().get_mut::<Window>(window) {
            window.set_cursor_position(Some(at));
        }
        let input = CursorMoved { window, position: at, delta: None };
        self.app.world_mut().write_message(input.clone());
        self.app.world_mut().write_message(WindowEvent::from(input));
    }

    pub fn wheel(&mut self, x: f32, y: f32) {
        let (unit, window) = (MouseScrollUnit::Line, self.window);
        let phase = TouchPhase::Moved;
        self.app.world_mut().write_message(MouseWheel { unit, x, y, window, phase });
    }

    pub fn resize(&mut self, width: f32, height: f32) {
        let window = self.window;
        if let Some(mut window) = self.app.world_mut().get_mut::<Window>(window) {
            window.resolution.set(width, height);
        }
        self.app.world_mut().write_message(WindowResized { window, width, height });
    }

    pub fn size(&self) -> Vec2 {
        self.app.world().get::<Window>(self.window).map_or(Vec2::ONE, Window::size)
    }

    /// The context that lays out the panels.
    pub fn egui(&mut self) -> egui::Context {
        let world = self.app.world_mut();
        let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
        contexts.single_mut(world).unwrap().get_mut().clone()
    }
}

/// What a key without a character is called.
fn named(code: KeyCode) -> Key {
    match code {
        KeyCode::Enter | KeyCode::NumpadEnter => Key::Enter,
        KeyCode::Escape => Key::Escape,
        KeyCode::Tab => Key::Tab,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        KeyCode::Space => Key::Space,
        KeyCode::ArrowLeft => Key::ArrowLeft,
        KeyCode::ArrowRight => Key::ArrowRight,
        KeyCode::ArrowUp => Key::ArrowUp,
        KeyCode::ArrowDown => Key::ArrowDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::ControlLeft => Key::Control,
        KeyCode::ShiftLeft => Key::Shift,
        KeyCode::AltLeft => Key::Alt,
        KeyCode::F1 => Key::F1,
        KeyCode::F2 => Key::F2,
        KeyCode::F5 => Key::F5,
        KeyCode::F8 => Key::F8,
        KeyCode::F9 => Key::F9,
        KeyCode::F11 => Key::F11,
        _ => Key::Unidentified(bevy::input::keyboard::NativeKey::Unidentified),
    }
}

/// All in one frame, as on a slow machine.
#[test]
fn a_key_has_the_modifiers_that_were_held_when_it_was_pressed() {
    use ButtonState::{Pressed, Released};
    #[derive(Resource, Default)]
    struct Told(Vec<egui::Event>);
    let mut headless = Headless::new(1280, 800);
    headless.app.init_resource::<Told>();
    headless.app.add_systems(
        PreUpdate,
        (|inputs: Query<&EguiInput>, mut told: ResMut<Told>| {
            told.0.extend(inputs.iter().flat_map(|input| input.events.clone()));
        })
        .after(EguiPreUpdateSet::ProcessInput)
        .before(EguiPreUpdateSet::BeginPass),
    );
    for (code, text, state) in [
        (KeyCode::ControlLeft, None, Pressed),
        (KeyCode::KeyS, Some('s'), Pressed),
        (KeyCode::KeyS, Some('s'), Released),
        (KeyCode::ControlLeft, None, Released),
        (KeyCode::KeyA, Some('a'), Pressed),
        (KeyCode::KeyA, Some('a'), Released),
    ] {
        headless.key(code, text, state);
    }
    headless.app.update();
    let told = &headless.app.world().resource::<Told>().0;
    let texts: Vec<&str> = told
        .iter()
        .filter_map(|event| match event {
            egui::Event::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["a"]);
    let held = |wanted| {
        told.iter().find_map(|event| match event {
            egui::Event::Key { key, pressed: true, modifiers, .. } if *key == wanted => {
                Some(modifiers.command)
            }
            _ => None,
        })
    };
    assert_eq!((held(egui::Key::S), held(egui::Key::A)), (Some(true), Some(false)));
}

/// Otherwise a frame is drawn with a texture that lacks the new glyphs, or without any panel.
#[test]
fn new_glyphs_reach_the_renderer_in_the_frame_that_shows_them() {
    /// In the frame: whether glyphs were added, whether they needed a new texture, whether the renderer
    /// was told.
    #[derive(Resource, Default, Clone, Copy)]
    struct Told {
        added: bool,
        whole: bool,
        told: bool,
    }
    let mut headless = Headless::new(1280, 800);
    // As in the program: what has no order runs as soon as a thread is free.
    let mut schedules = headless.app.world_mut().resource_mut::<Schedules>();
    schedules.get_mut(PostUpdate).unwrap().set_executor(MultiThreadedExecutor::new());
    headless.app.init_resource::<Told>();
    headless.app.add_systems(EguiPrimaryContextPass, new_text);
    headless.app.add_systems(
        PostUpdate,
        (|outputs: Query<&EguiRenderOutput>, mut told: ResMut<Told>| {
            let mut changes = outputs.iter().flat_map(|o| o.textures_delta.set.values().flatten());
            *told = Told::default();
            told.added = changes.clone().next().is_some();
            told.whole = changes.any(|change| change.pos.is_none());
        })
        .after(EguiPostUpdateSet::ProcessOutput)
        .before(EguiPostUpdateSet::PostProcessOutput),
    );
    headless.app.add_systems(
        Last,
        |textures: Res<EguiManagedTextures>,
         mut events: MessageReader<AssetEvent<Image>>,
         mut told: ResMut<Told>| {
            told.told = events.read().any(|event| match event {
                AssetEvent::Added { id } | AssetEvent::Modified { id } => {
                    textures.values().any(|texture| texture.handle.id() == *id)
                }
                _ => false,
            });
        },
    );
    let mut frames = (0, 0);
    for frame in 0..300 {
        headless.app.update();
        let &Told { added, whole, told } = headless.app.world().resource::<Told>();
        assert!(told || !added, "frame {frame} shows glyphs that the renderer lacks");
        frames.0 += usize::from(added);
        frames.1 += usize::from(whole);
    }
    assert!(frames.0 > 200 && frames.1 > 1, "{frames:?}: too little was tried");
}

/// Shows another letter in another size in every frame.
fn new_text(mut contexts: Query<&mut EguiContext, With<PrimaryEguiContext>>, mut frame: Local<u8>) {
    *frame = frame.wrapping_add(1);
    let letter = char::from(b'A' + *frame % 26);
    for mut context in &mut contexts {
        egui::Area::new("new text".into()).show(context.get_mut(), |ui| {
            let size = 20.0 + f32::from(*frame) / 4.0;
            ui.label(egui::RichText::new(letter.to_string()).size(size));
        });
    }
}
