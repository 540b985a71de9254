//! Builds and runs the app, and explains why the window cannot open.

use super::{
    comparison, daily, help, keys, league, level_browser, level_editor, match_screen, menu,
    replays, settings_screen, setup, tournament,
};
use crate::app::requests::{ChosenGame, Launch, Screen};
use crate::app::shell::assets::AssetFolder;
use crate::app::shell::commands::KeyList;
use crate::app::shell::{
    Frame, activity, assets, daily as daily_results, file_drop, fonts, input, load, modal,
    navigation, notice, notice_board, pieces, records, screen_reader, screens, settings, sound,
    theme, typing, window, window_picture,
};
use crate::boards;
use bevy::asset::AssetEventSystems;
use bevy::log::LogPlugin;
use bevy::prelude::*;
use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::render::sync_world::SyncWorldPlugin;
use bevy::window::{ExitCondition, WindowResolution};
use bevy::winit::{EventLoopProxyWrapper, WinitPlugin, WinitUserEvent};
use bevy_egui::{EguiGlobalSettings, EguiPlugin, EguiPostUpdateSet};
use outwit_core::platform::interrupt;
use outwit_core::platform::task::AtWork;
use outwit_headless::cli::eprint_line;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

/// Opens the window and returns when it is closed.
pub fn run(launch: Launch) -> ExitCode {
    if let Some(why) = no_display() {
        eprint_line(format_args!("outwit: {why}"));
        return ExitCode::FAILURE;
    }
    // Bevy and winit panic without a display or a graphics adapter.
    let starting = Arc::new(Mutex::new(Starting::default()));
    #[cfg(not(target_arch = "wasm32"))]
    watch_panics(Arc::clone(&starting));
    #[cfg(target_arch = "wasm32")]
    outwit_core::platform::page::report_panics();
    let _hold = interrupt::hold();
    // The window needs a core too.
    let _at_work = AtWork::begin();
    let finished = catch_unwind(AssertUnwindSafe(|| {
        let mut app = App::new();
        let assets = AssetFolder::from_environment();
        let about_assets = assets.problem();
        if let Some(folder) = outwit_levels::data_folder() {
            outwit_core::levels::remove_leftovers(&folder);
        }
        let (settings, about_settings) = settings::load();
        let (results, about_results) = records::load();
        let (daily_results, about_daily) = daily_results::DailyResults::load();
        let (editor_screen, about_editor) = level_editor::load();
        platform(&mut app, assets, &settings);
        app.insert_resource(settings)
            .insert_resource(results)
            .insert_resource(daily_results)
            .insert_resource(editor_screen)
            .insert_resource(Greeting(
                [
                    launch.problem.clone(),
                    about_assets,
                    about_settings,
                    about_results,
                    about_daily,
                    about_editor,
                ]
                .into_iter()
                .flatten()
                .collect(),
            ))
            .insert_resource(launch);
        build(&mut app);
        app.add_plugins((
            daily_results::plugin,
            settings::plugin,
            records::plugin,
            match_screen::recent::plugin,
        ));
        #[cfg(target_arch = "wasm32")]
        app.add_plugins(super::web::plugin);
        heed_signals(&mut app);
        let done = Arc::clone(&starting);
        app.add_systems(Startup, move || {
            done.lock().unwrap_or_else(PoisonError::into_inner).begun = true;
        });
        app.run()
    }));
    match finished {
        Ok(AppExit::Success) => ExitCode::SUCCESS,
        Ok(AppExit::Error(code)) => ExitCode::from(code.get()),
        Err(_) => {
            let starting = starting.lock().unwrap_or_else(PoisonError::into_inner);
            if !starting.begun {
                eprint_line(format_args!("outwit: {}", explain(&starting.panic)));
            }
            ExitCode::FAILURE
        }
    }
}

/// Lets a signal such as that of Ctrl-C close the window, in an orderly way.
fn heed_signals(app: &mut App) {
    // A window that rests draws no frame in which it could close.
    if let Some(proxy) = app.world().get_resource::<EventLoopProxyWrapper>() {
        let proxy = (**proxy).clone();
        interrupt::on_signal(move || {
            let _ = proxy.send_event(WinitUserEvent::WakeUp);
        });
    }
    app.add_systems(Update, |mut exit: MessageWriter<AppExit>| {
        if interrupt::exit_code().is_some() {
            exit.write(AppExit::Success);
        }
    });
}

/// Whether the start succeeded, or the panic that ended it.
#[derive(Default)]
struct Starting {
    begun: bool,
    panic: String,
}

/// Keeps the message of a panic during the start; later panics are printed as usual.
#[cfg(not(target_arch = "wasm32"))]
fn watch_panics(starting: Arc<Mutex<Starting>>) {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if let Ok(mut starting) = starting.try_lock()
            && !starting.begun
        {
            starting.panic = info.to_string();
            return;
        }
        default_hook(info);
    }));
}

/// Why no window can be opened, where that is known in advance.
fn no_display() -> Option<&'static str> {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let unix = cfg!(all(unix, not(target_os = "macos")));
    (unix && !set("DISPLAY") && !set("WAYLAND_DISPLAY")).then_some(
        "no display found: neither WAYLAND_DISPLAY nor DISPLAY is set. The other commands work \
         without a window; see outwit --help.",
    )
}

/// Explains a panic during the start.
fn explain(panic: &str) -> String {
    if panic.contains("GPU") || panic.contains("adapter") || panic.contains("wgpu") {
        "no graphics adapter found. Install a Vulkan or OpenGL driver. Without a graphics card, use \
         Mesa's software driver (package mesa-vulkan-drivers)."
            .into()
    } else if panic.contains("event loop") {
        "cannot connect to the display. Check that it runs and that DISPLAY or WAYLAND_DISPLAY is right."
            .into()
    } else {
        format!("could not open the window: {panic}")
    }
}

/// The whole program in a window of this size that exists only in memory: everything is laid out and
/// handled as ever, but drawn by nobody. For tests and measurements; who has it calls `update`.
pub fn without_window(width: u32, height: u32) -> App {
    let window = Window { resolution: WindowResolution::new(width, height), ..default() };
    let nothing = WgpuSettings { backends: None, ..default() };
    let mut app = App::new();
    let assets = assets::plugin(&mut app, AssetFolder::from_environment());
    app.add_plugins(
        DefaultPlugins
            .build()
            .disable::<WinitPlugin>()
            .disable::<LogPlugin>()
            .set(WindowPlugin {
                primary_window: Some(window),
                exit_condition: ExitCondition::DontExit,
                ..default()
            })
            .set(RenderPlugin {
                render_creation: RenderCreation::Automatic(Box::new(nothing)),
                ..default()
            })
            .set(assets),
    )
    .add_plugins((EguiPlugin::default(), SyncWorldPlugin));
    build(&mut app);
    app.finish();
    app.cleanup();
    app
}

/// Window, graphics, sound and panels.
fn platform(app: &mut App, assets: AssetFolder, settings: &settings::Settings) {
    let window = Window {
        title: "Outwit".into(),
        name: Some("outwit".into()),
        // In a browser: the page's canvas, as large as the page; keys that the game does not use are the browser's.
        canvas: Some("#game".into()),
        fit_canvas_to_parent: true,
        prevent_default_event_handling: false,
        resolution: WindowResolution::new(settings.window.0, settings.window.1),
        ..default()
    };
    let assets = assets::plugin(app, assets);
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin { primary_window: Some(window), ..default() })
            .set(assets)
            .set(LogPlugin { filter: "warn,wgpu=error,naga=warn,outwit=info".into(), ..default() }),
    )
    .add_plugins(EguiPlugin::default());
    activity::graphics(app);
}

/// Messages for the user, shown with the first screen.
#[derive(Resource, Default)]
struct Greeting(Vec<String>);

fn greet(mut greeting: ResMut<Greeting>, mut notices: MessageWriter<notice::Notice>) {
    for text in greeting.0.drain(..) {
        notices.write(notice::Notice::error(text));
    }
}

/// Tells which game the screen is about.
fn tell_game(
    screen: Res<State<Screen>>,
    chosen: Option<Res<ChosenGame>>,
    editor: Res<level_editor::EditorScreen>,
    mut told: ResMut<theme::GameOnScreen>,
) {
    let game = match screen.get() {
        Screen::Setup | Screen::Match => chosen.map(|chosen| chosen.0),
        Screen::Editor => editor.work.as_ref().map(|work| work.model.kind().id()),
        _ => None,
    };
    told.set_if_neq(theme::GameOnScreen(game));
}

/// Adds screens, the match screen and games to an app with states and assets; tests do so without a
/// window. Settings and records are neither read nor written.
pub fn build(app: &mut App) {
    app.world_mut().get_resource_or_init::<EguiGlobalSettings>().auto_create_primary_context =
        false;
    app.init_resource::<settings::Settings>()
        .init_resource::<records::Results>()
        .init_resource::<Greeting>()
        .insert_resource(KeyList(keys::groups()))
        .init_resource::<Launch>()
        .init_state::<Screen>()
        // New text enlarges or changes the texture of the glyphs; were that told to the renderer a frame
        // later than the text itself, the frame would lack the text or all that egui draws.
        .configure_sets(PostUpdate, EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems))
        .add_systems(Update, greet.in_set(Frame::Window))
        // Before anything is drawn in it: a screen is never seen in the theme of the one before.
        .add_systems(
            Update,
            (tell_game, theme::choose_palette)
                .chain()
                .in_set(Frame::Window)
                .after(window::remember_size),
        )
        .add_plugins((screens::plugin, theme::plugin, fonts::plugin, pieces::plugin))
        .add_plugins((sound::plugin, load::plugin, notice_board::plugin, input::plugin))
        .add_plugins((navigation::plugin, modal::plugin, window::plugin, typing::plugin))
        .add_plugins(screen_reader::plugin)
        .add_plugins((activity::plugin, file_drop::plugin, window_picture::plugin))
        .add_plugins((menu::plugin, setup::plugin, help::plugin, settings_screen::plugin))
        .add_plugins((level_editor::plugin, level_browser::plugin, tournament::plugin))
        .add_plugins((comparison::plugin, league::plugin, replays::plugin, daily::plugin))
        .add_plugins((match_screen::plugin, boards::plugin));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod tests {
    use super::*;

    #[test]
    fn panics_while_starting_are_explained() {
        assert!(explain("Unable to find a GPU! Make sure").contains("driver"));
        assert!(explain("Failed to build event loop: Os").contains("display"));
        assert!(explain("else").contains("else"));
    }

    /// The shell without window, graphics and panels, which leaves the user's data alone.
    pub(crate) fn headless(assets: AssetFolder) -> App {
        outwit_levels::keep_nothing();
        let mut app = App::new();
        let assets = assets::plugin(&mut app, assets);
        app.add_plugins((
            MinimalPlugins,
            assets,
            bevy::state::app::StatesPlugin,
            bevy::input::InputPlugin,
            WindowPlugin {
                primary_window: None,
                exit_condition: bevy::window::ExitCondition::DontExit,
                ..default()
            },
            ImagePlugin::default(),
            bevy::mesh::MeshPlugin,
            bevy::audio::AudioPlugin::default(),
        ));
        app.init_asset::<ColorMaterial>();
        build(&mut app);
        app
    }

    pub(crate) fn update_until(app: &mut App, reached: impl Fn(&App) -> bool) -> bool {
        for _ in 0..2000 {
            app.update();
            if reached(app) {
                return true;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        false
    }

    pub(crate) fn screen(app: &App) -> Screen {
        *app.world().resource::<State<Screen>>().get()
    }

    /// The shell at the menu, with all assets.
    pub(crate) fn at_the_menu() -> App {
        let mut app = headless(AssetFolder::default());
        assert!(update_until(&mut app, |app| screen(app) == Screen::Menu));
        app
    }

    fn go(app: &mut App, to: Screen) {
        app.world_mut().resource_mut::<NextState<Screen>>().set(to);
        app.update();
        assert_eq!(screen(app), to);
    }

    fn back(app: &mut App) -> Screen {
        app.world_mut().write_message(navigation::GoBack);
        app.update();
        app.update();
        screen(app)
    }

    #[test]
    fn all_screens_can_be_visited() {
        let mut app = at_the_menu();
        let pieces = app.world().resource::<pieces::Pieces>();
        let names = &app.world().resource::<pieces::PieceNames>().0;
        assert!(!names.is_empty() && names.iter().all(|name| pieces.get(name).is_some()));
        go(&mut app, Screen::Settings);
        assert_eq!(back(&mut app), Screen::Menu);
        go(&mut app, Screen::Setup);
        go(&mut app, Screen::Help);
        assert_eq!(back(&mut app), Screen::Setup);
        assert_eq!(back(&mut app), Screen::Menu);
        assert_eq!(back(&mut app), Screen::Menu);
    }

    #[test]
    fn every_asset_that_is_asked_for_is_embedded() {
        let app = at_the_menu();
        let world = app.world();
        let pieces = world.resource::<pieces::PieceNames>().0.iter();
        let sounds = world.resource::<sound::SoundNames>().0.iter();
        let paths = pieces.map(|name| format!("pieces/{name}.svg"));
        let paths = paths.chain(sounds.map(|name| format!("sounds/{name}.wav")));
        let paths: Vec<String> = paths.chain(fonts::FILES.map(String::from)).collect();
        assert!(paths.len() > 30, "{paths:?}");
        for path in paths {
            assert!(
                AssetFolder::default().read(&path).is_ok_and(|bytes| !bytes.is_empty()),
                "{path}"
            );
        }
        // No file of a folder was used in their place.
        assert_eq!(world.resource::<AssetFolder>().0, None);
    }

    #[test]
    fn a_piece_of_the_folder_is_drawn_in_place_of_the_embedded_one() {
        let own = tempfile::tempdir().unwrap();
        std::fs::create_dir(own.path().join("pieces")).unwrap();
        let square = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 2'>\
                      <path class='body' d='M0 0h2v2h-2z'/></svg>";
        std::fs::write(own.path().join("pieces/box.svg"), square).unwrap();
        let mut app = headless(AssetFolder(Some(own.path().into())));
        assert!(update_until(&mut app, |app| screen(app) == Screen::Menu));
        let pieces = app.world().resource::<pieces::Pieces>();
        let parts = |name| pieces.get(name).unwrap().parts.len();
        assert_eq!(parts("box"), 1, "ours is drawn by one path");
        assert!(parts("car") > 1, "the embedded one by several");
    }

    #[test]
    fn a_broken_file_of_the_folder_is_named() {
        let own = tempfile::tempdir().unwrap();
        std::fs::create_dir(own.path().join("fonts")).unwrap();
        std::fs::write(own.path().join("fonts/Inter-Regular.otf"), "no font").unwrap();
        let mut app = headless(AssetFolder(Some(own.path().into())));
        assert!(update_until(&mut app, |app| screen(app) == Screen::Failed));
        app.update();
        let missing = load::missing(app.world());
        assert!(missing.iter().any(|line| line.contains("fonts/Inter-Regular.otf")), "{missing:?}");
    }
}
