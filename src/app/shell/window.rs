//! The window: its camera for panels, its icon, its size, and the keys that work everywhere.

use crate::app::shell::Frame;
use crate::app::shell::everywhere::{FULL_SCREEN, QUIT, SOUND};
use crate::app::shell::settings::{LEAST_WINDOW, Settings};
use crate::app::shell::sound::{PlaySound, Sound};
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use bevy::window::{MonitorSelection, PrimaryWindow, WindowMode, WindowResized};
use bevy_egui::{EguiContext, PrimaryEguiContext};

/// The order of the camera of the panels, which draws after the cameras of boards.
pub const PANEL_CAMERA_ORDER: isize = 100;

fn spawn_camera(mut commands: Commands) {
    commands.spawn((
        Name::new("panels"),
        PrimaryEguiContext,
        Camera2d,
        RenderLayers::none(),
        Camera { order: PANEL_CAMERA_ORDER, clear_color: ClearColorConfig::None, ..default() },
    ));
}

fn keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
    mut settings: ResMut<Settings>,
    mut exit: MessageWriter<AppExit>,
    mut sounds: MessageWriter<PlaySound>,
) {
    let control =
        [KeyCode::ControlLeft, KeyCode::ControlRight, KeyCode::SuperLeft, KeyCode::SuperRight];
    if QUIT.just_pressed(&keys, keys.any_pressed(control)) {
        exit.write(AppExit::Success);
    }
    if FULL_SCREEN.just_pressed(&keys, false)
        && let Ok(mut window) = window.single_mut()
    {
        window.mode = match window.mode {
            WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
            _ => WindowMode::Windowed,
        };
    }
    let typing =
        context.single_mut().is_ok_and(|mut context| context.get_mut().text_edit_focused());
    if SOUND.just_pressed(&keys, false) && !typing {
        settings.sound = !settings.sound;
        sounds.write(Sound::Tick.into());
    }
}

fn remember_size(
    mut resized: MessageReader<WindowResized>,
    window: Query<&Window, With<PrimaryWindow>>,
    mut settings: ResMut<Settings>,
) {
    if resized.read().last().is_none() {
        return;
    }
    if let Ok(window) = window.single()
        && window.mode == WindowMode::Windowed
    {
        let size = (
            (window.width() as u32).max(LEAST_WINDOW.0),
            (window.height() as u32).max(LEAST_WINDOW.1),
        );
        if settings.window != size {
            settings.window = size;
        }
    }
}

/// Spawns the camera of the panels and handles the keys that work everywhere.
pub fn plugin(app: &mut App) {
    app.add_systems(PreStartup, spawn_camera.before(bevy_egui::EguiStartupSet::InitContexts))
        .add_systems(Update, (keys, remember_size).chain().in_set(Frame::Window));
}
