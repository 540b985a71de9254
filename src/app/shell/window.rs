//! The window: its camera for panels, its icon, its size, and the keys that work everywhere.

use crate::app::shell::Frame;
use crate::app::shell::everywhere::{FULL_SCREEN, QUIT, SOUND};
use crate::app::shell::keyboard::Presses;
use crate::app::shell::settings::{LEAST_WINDOW, Settings};
use crate::app::shell::sound::{PlaySound, Sound};
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use bevy::window::{
    Monitor, MonitorSelection, OnMonitor, PrimaryWindow, WindowMode, WindowResized,
};
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
    presses: Res<Presses>,
    mut context: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
    mut settings: ResMut<Settings>,
    mut exit: MessageWriter<AppExit>,
    mut sounds: MessageWriter<PlaySound>,
) {
    if QUIT.just_pressed(&presses) {
        exit.write(AppExit::Success);
    }
    if FULL_SCREEN.just_pressed(&presses)
        && let Ok(mut window) = window.single_mut()
    {
        window.mode = match window.mode {
            WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
            _ => WindowMode::Windowed,
        };
    }
    let typing =
        context.single_mut().is_ok_and(|mut context| context.get_mut().text_edit_focused());
    if SOUND.just_pressed(&presses) && !typing {
        settings.sound = !settings.sound;
        sounds.write(Sound::Tick.into());
    }
}

/// Keeps the size of the window for the next start.
pub fn remember_size(
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
        let size = (window.width() as u32, window.height() as u32);
        if settings.window != size {
            settings.window = size;
        }
    }
}

/// Width and height that a monitor needs beside a window: for the frame, the title and the desktop's own bars.
const BESIDE: (f32, f32) = (16.0, 88.0);

/// Width and height that are taken for granted, in points: no monitor on which anybody plays has less.
const SMALLEST_MONITOR: Vec2 = Vec2::new(480.0, 320.0);

/// Makes a window that opens too large for its monitor smaller: the usual size is too large for many laptops, and so
/// is the last one when the large monitor is gone.
fn fit_monitor(
    place: Query<&OnMonitor, With<PrimaryWindow>>,
    monitors: Query<&Monitor>,
    mut window: Query<&mut Window, With<PrimaryWindow>>,
    mut is_done: Local<bool>,
) {
    if *is_done {
        return;
    }
    let Ok(on) = place.single() else { return };
    let Ok(monitor) = monitors.get(on.0) else { return };
    let Ok(mut window) = window.single_mut() else { return };
    *is_done = true;
    // A page is as large as it is.
    if window.mode != WindowMode::Windowed || cfg!(target_arch = "wasm32") {
        return;
    }
    // A monitor may say that it has no size, or no scale.
    let room = monitor.physical_size().as_vec2() / monitor.scale_factor as f32;
    let room = if room.is_finite() { room } else { Vec2::INFINITY };
    let room = (room - Vec2::new(BESIDE.0, BESIDE.1)).max(SMALLEST_MONITOR);
    // Where everything is drawn at twice its size, the least window can be larger than the monitor.
    let least = Vec2::new(LEAST_WINDOW.0 as f32, LEAST_WINDOW.1 as f32).min(room);
    window.resize_constraints.min_width = least.x;
    window.resize_constraints.min_height = least.y;
    let width = window.width().min(room.x);
    let height = window.height().min(room.y);
    if (width, height) != (window.width(), window.height()) {
        window.resolution.set(width, height);
        window.position = WindowPosition::Centered(MonitorSelection::Current);
    }
}

/// Spawns the camera of the panels and handles the keys that work everywhere.
pub fn plugin(app: &mut App) {
    app.add_systems(PreStartup, spawn_camera.before(bevy_egui::EguiStartupSet::InitContexts))
        .add_systems(Update, (keys, fit_monitor, remember_size).chain().in_set(Frame::Window));
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::window::WindowResolution;

    #[test]
    fn a_window_that_opens_too_large_for_its_monitor_is_made_smaller() {
        for ((width, height, scale), most) in [
            ((1920, 1080, 1.0), (1280.0, 800.0)),
            ((1366, 768, 1.0), (1280.0, 680.0)),
            ((1920, 1080, 1.5), (1264.0, 632.0)),
            ((1920, 1080, 2.0), (944.0, 452.0)),
            ((800, 600, 1.0), (784.0, 512.0)),
            ((800, 600, 0.0), (1280.0, 800.0)),
            ((0, 0, 1.0), (480.0, 320.0)),
        ] {
            let mut app = App::new();
            app.add_systems(Update, fit_monitor);
            let monitor = Monitor {
                name: None,
                physical_height: height,
                physical_width: width,
                physical_position: IVec2::ZERO,
                refresh_rate_millihertz: None,
                scale_factor: scale,
                video_modes: Vec::new(),
            };
            let monitor = app.world_mut().spawn(monitor).id();
            let window =
                Window { resolution: WindowResolution::new(1280, 800), ..Window::default() };
            let window = app.world_mut().spawn((window, PrimaryWindow, OnMonitor(monitor))).id();
            let size = |app: &App| {
                app.world().get::<Window>(window).map(|window| (window.width(), window.height()))
            };
            app.update();
            assert_eq!(size(&app), Some(most), "{width}x{height}, {scale}");
            let least = app.world().get::<Window>(window).map(|window| {
                let least = window.resize_constraints;
                (least.min_width, least.min_height)
            });
            assert_eq!(least, Some((most.0.min(1024.0), most.1.min(640.0))));
            // Later it is as large as the user makes it.
            if let Some(mut window) = app.world_mut().get_mut::<Window>(window) {
                window.resolution.set(2000.0, 1200.0);
            }
            app.update();
            assert_eq!(size(&app), Some((2000.0, 1200.0)));
        }
    }
}
