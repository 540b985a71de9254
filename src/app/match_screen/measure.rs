//! `outwit bench match`: what a frame of the match screen costs while nothing moves, while pieces
//! move, and while planners think. Everything is laid out as ever, but drawn by nobody, so no graphics
//! device takes part.

use super::board_list::BoardList;
use super::draw::DrawStats;
use super::matches::focused_mut;
use super::session::Session;
use crate::app::requests::{MatchConfig, Screen};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use outwit_bench::BenchRow;
use outwit_core::platform::time::{Duration, Instant, process_cpu, thread_cpu};
use outwit_core::play::{Budget, Player};
use outwit_headless::GAMES;
use outwit_levels::built_in;
use outwit_levels::{Entry, Source};
use std::sync::Arc;

/// Frames that are measured in each part.
const FRAMES: usize = 300;
/// Bevy's time from one frame to the next.
const STEP: Duration = Duration::from_millis(16);
/// The part is given up when so many frames show nothing of it.
const PATIENCE: usize = 40_000;

/// The frame times of one part, in milliseconds.
#[derive(Default)]
struct Frames {
    wall: Vec<f64>,
    /// Processor time of the main thread.
    main: Vec<f64>,
    /// Processor time of all threads: what is drawn, on whichever thread that is, and whoever thinks meanwhile.
    all: Vec<f64>,
}

impl Frames {
    /// Draws frames until so many counted; `counts` says after each whether it belongs to the part.
    fn measure(app: &mut App, mut counts: impl FnMut(&mut App) -> bool) -> Self {
        let mut frames = Self::default();
        for _ in 0..PATIENCE {
            let wall = Instant::now();
            let (main, all) = (thread_cpu(), process_cpu());
            app.update();
            let wall = wall.elapsed();
            let (main, all) = (since(main, thread_cpu()), since(all, process_cpu()));
            if counts(app) {
                frames.wall.push(wall.as_secs_f64() * 1000.0);
                frames.main.extend(main);
                frames.all.extend(all);
            }
            if frames.wall.len() == FRAMES {
                break;
            }
        }
        frames
    }

    fn report(&self, what: &str, row: &mut dyn FnMut(BenchRow)) {
        let kinds =
            [("CPU, main thread", &self.main), ("CPU, all", &self.all), ("wall", &self.wall)];
        for (kind, times) in kinds {
            for (name, share) in [("median", 0.5), ("99th percentile", 0.99)] {
                if let Some(value) = outwit_core::tournament::quantile(&mut times.clone(), share) {
                    row(BenchRow { measure: format!("{what}: {kind}, {name}"), value, unit: "ms" });
                }
            }
        }
    }

    /// The 99th percentile of the main thread's processor time, or of the wall time where that is unknown.
    fn worst(&self) -> Option<f64> {
        let times = if self.main.is_empty() { &self.wall } else { &self.main };
        outwit_core::tournament::quantile(&mut times.clone(), 0.99)
    }
}

/// The milliseconds between two times of a clock.
fn since(before: Option<Duration>, after: Option<Duration>) -> Option<f64> {
    Some(after?.saturating_sub(before?).as_secs_f64() * 1000.0)
}

fn session(app: &mut App) -> Option<Mut<'_, Session>> {
    focused_mut::<Session>(app.world_mut())
}

/// Begins a match and lets it come on the screen.
fn begin(app: &mut App, config: MatchConfig) {
    app.insert_resource(config);
    app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Match);
    (0..10).for_each(|_| app.update());
    if let Some(mut session) = session(app) {
        session.playback.opening = 0.0;
    }
}

/// Measures one match.
fn measure(app: &mut App, name: &str, config: MatchConfig, row: &mut dyn FnMut(BenchRow)) {
    begin(app, config.clone());
    let thinking = Frames::measure(app, |app| {
        let Some(session) = session(app) else { return false };
        let turns = session.live.turns();
        let over = session.live.is_over();
        // A match that is over too soon is played again.
        if over && session.is_at_present() {
            begin(app, config.clone());
        }
        turns > 0 && !over
    });
    let Some(session) = session(app) else { return };
    let pieces = session.live.pieces(session.playback.view).len();
    let replay: Arc<str> = session.replay_text().into();
    row(BenchRow { measure: format!("{name}: pieces"), value: pieces as f64, unit: "pieces" });

    begin(app, MatchConfig { replay: Some(replay), ..config });
    let moving = Frames::measure(app, |app| {
        let Some(mut session) = self::session(app) else { return false };
        // From its end it begins again.
        if session.is_at_present() {
            session.jump(0);
        }
        session.playback.playing = true;
        session.playback.moving > 0.0
    });
    if let Some(mut session) = self::session(app) {
        session.jump(1);
    }
    (0..30).for_each(|_| app.update());
    let before = app.world().get_resource::<DrawStats>().copied().unwrap_or_default();
    let still = Frames::measure(app, |_| true);
    let after = app.world().get_resource::<DrawStats>().copied().unwrap_or_default();

    still.report(&format!("{name}: standing still"), row);
    moving.report(&format!("{name}: pieces move, nobody thinks"), row);
    thinking.report(&format!("{name}: pieces move, planners think"), row);
    if let (Some(with), Some(without)) = (thinking.worst(), moving.worst()) {
        let measure = format!("{name}: 99th percentile with planners / without");
        row(BenchRow { measure, value: with / without, unit: "times" });
    }
    let mut count = |what: &str, after: u64, before: u64| {
        let measure = format!("{name}: {what} in {FRAMES} frames standing still");
        row(BenchRow { measure, value: (after - before) as f64, unit: "times" });
    };
    count("board asked for pieces", after.pieces_asked, before.pieces_asked);
    count("Transform written", after.transforms_written, before.transforms_written);
}

/// Measures a match of every game, and a crowded one where its board has a level for that, in the whole
/// program without a window.
///
/// # Errors
/// If the assets cannot be loaded.
pub fn run(mut app: App, row: &mut dyn FnMut(BenchRow)) -> Result<(), String> {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(STEP));
    let loaded = |app: &App| *app.world().resource::<State<Screen>>().get() == Screen::Menu;
    for _ in 0..4000 {
        app.update();
        if loaded(&app) {
            break;
        }
        outwit_core::platform::time::sleep(Duration::from_millis(2));
    }
    if !loaded(&app) {
        return Err("the assets could not be loaded".into());
    }
    let config = |game: usize, level: Entry, players: Vec<Player>| MatchConfig {
        players,
        seed: 3,
        budget: Budget::Time(Duration::from_millis(500)),
        back: Screen::Menu,
        ..MatchConfig::new(GAMES[game].id(), level)
    };
    let boards = app.world().resource::<BoardList>().0.clone();
    for (game, kind) in GAMES.iter().enumerate() {
        let Some(board) = boards.iter().find(|board| board.id == kind.id()) else { continue };
        if let Some(level) = built_in(&kind.first_level()) {
            measure(&mut app, kind.name(), config(game, level, kind.players_to_watch()), row);
        }
        if let Some(text) = board.spec.crowded_level {
            let level = Entry { id: kind.first_level(), source: Source::Draft(text.into()) };
            let name = format!("{}, crowded", kind.name());
            measure(&mut app, &name, config(game, level, kind.players_to_watch()), row);
        }
    }
    Ok(())
}
