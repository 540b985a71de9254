//! Every screen is laid out in both themes, in the smallest window and with large text.

use super::window::Headless;
use bevy::input::ButtonState;
use bevy::input::keyboard::KeyCode;
use bevy_egui::egui;
use outwit::app::match_screen::{Analysis, focused};
use outwit::app::shell::Screen;
use outwit::app::shell::settings::{Settings, ThemeChoice};
use outwit_core::play::Player;
use outwit_headless::GAMES;

/// All screens that can be gone to.
pub const SCREENS: [Screen; 12] = [
    Screen::Menu,
    Screen::Setup,
    Screen::Match,
    Screen::Tournament,
    Screen::League,
    Screen::Comparison,
    Screen::Editor,
    Screen::Levels,
    Screen::Replays,
    Screen::Daily,
    Screen::Settings,
    Screen::Help,
];

/// Controls that reach beyond the window, or of which the panel around them cuts off a side.
fn clipped(ctx: &egui::Context) -> Vec<String> {
    let window = ctx.content_rect().expand(1.0);
    let mut found = Vec::new();
    ctx.viewport(|viewport| {
        for (layer, widgets) in viewport.prev_pass.widgets.layers() {
            for widget in widgets.iter().filter(|widget| widget.sense.senses_click()) {
                let (rect, seen) = (widget.rect, widget.interact_rect);
                let outside = rect.left() < window.left() || rect.right() > window.right();
                // What is scrolled out of sight above or below is not clipped.
                let cut = seen.is_positive() && seen.width() + 2.0 < rect.width();
                if rect.is_finite() && rect.is_positive() && (outside || cut) {
                    found.push(format!("{rect:?} of which {seen:?} is seen, in {:?}", layer.id));
                }
            }
        }
    });
    found
}

/// Lets the analysis of the shown position come to its end.
fn wait_for_analysis(headless: &mut Headless) {
    for _ in 0..2000 {
        headless.app.update();
        let analysis = focused::<Analysis>(headless.app.world()).unwrap();
        if !analysis.is_busy() && analysis.step().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    (0..3).for_each(|_| headless.app.update());
}

#[test]
fn no_control_is_clipped_on_any_screen() {
    for (width, height, scale) in
        [(1024, 640, 1.0), (1280, 800, 2.0), (1280, 800, 1.0), (944, 452, 1.0)]
    {
        let mut headless = Headless::new(width, height);
        for theme in [ThemeChoice::Dark, ThemeChoice::Light] {
            {
                let mut settings = headless.app.world_mut().resource_mut::<Settings>();
                settings.theme = theme;
                settings.ui_scale = scale;
            }
            for (game, registered) in GAMES.iter().enumerate() {
                for screen in SCREENS {
                    let players: Vec<Player> = registered.players_to_watch();
                    headless.go(screen, game, &players);
                    (0..3).for_each(|_| headless.app.update());
                    assert_eq!(headless.screen(), screen);
                    let check = |headless: &mut Headless, part: &str| {
                        let found = clipped(&headless.egui());
                        assert!(
                            found.is_empty(),
                            "{screen:?}{part} of {}, {width}x{height} at scale {scale}, \
                             {theme:?}:\n{}",
                            registered.id(),
                            found.join("\n")
                        );
                    };
                    check(&mut headless, "");
                    if screen == Screen::Setup {
                        headless.key(KeyCode::KeyH, Some('h'), ButtonState::Pressed);
                        headless.key(KeyCode::KeyH, Some('h'), ButtonState::Released);
                        (0..6).for_each(|_| headless.app.update());
                        assert_eq!(headless.screen(), Screen::Match, "every game has a lesson");
                        check(&mut headless, ", lesson");
                    }
                    if screen == Screen::Match {
                        headless.key(KeyCode::KeyT, Some('t'), ButtonState::Pressed);
                        wait_for_analysis(&mut headless);
                        check(&mut headless, ", analysis");
                    }
                }
            }
        }
    }
}
