//! Lessons on the whole shell, without a window. The boards check their own steps with what stands here.

use super::view::{show_steps, show_task};
use super::{LessonStatus, LessonStep, lesson_match};
use crate::app::match_screen::board::Input;
use crate::app::match_screen::command_table::MatchCommand;
use crate::app::match_screen::commands::CommandContext;
use crate::app::match_screen::game_view::GameView;
use crate::app::match_screen::matches::{FocusedMatchMut, focused_mut};
use crate::app::match_screen::session::Session;
use crate::app::match_screen::state::Tab;
use crate::app::match_screen::unfinished;
use crate::app::requests::Screen;
use crate::app::shell::game_guide::GameGuides;
use crate::app::shell::keyboard::Press;
use crate::app::shell::records::Results;
use crate::app::shell::settings::{Motion, Settings};
use crate::app::shell::{fonts, theme};
use crate::app::start::tests::{at_the_menu, screen};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_egui::egui;
use outwit_core::grid::Cell;
use outwit_core::platform::time::Instant;
use outwit_racetrack::rules::{Accelerate, Racetrack};
use outwit_stealth::Stealth;
use outwit_ui_test::Harness;
use outwit_ui_test::kittest::Queryable;
use std::time::Duration;

/// Longest wait for what planners do.
const PATIENCE: Duration = Duration::from_secs(60);

/// The shell with a step of a game's lesson on it.
fn app(game: &str, step: usize) -> App {
    let mut app = at_the_menu();
    let mut settings = app.world_mut().resource_mut::<Settings>();
    settings.motion = Motion::Off;
    settings.lessons.clear();
    settings.beaten.clear();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
    let guide = *app.world().resource::<GameGuides>().find(game).unwrap();
    app.insert_resource((guide.lesson)(step).unwrap());
    app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Match);
    app.update();
    assert_eq!(screen(&app), Screen::Match);
    app
}

fn session(app: &mut App) -> Mut<'_, Session> {
    focused_mut::<Session>(app.world_mut()).unwrap()
}

fn status(app: &mut App) -> LessonStatus {
    session(app).lesson.as_ref().unwrap().status
}

/// Gives a command as a key would.
fn give(app: &mut App, command: MatchCommand) {
    app.world_mut()
        .run_system_cached_with(
            |In(command): In<MatchCommand>,
             mut session: FocusedMatchMut,
             mut context: CommandContext| context.apply(&mut session, command),
            command,
        )
        .unwrap();
    (0..2).for_each(|_| app.update());
}

/// Updates until the person may choose, or the step is over.
fn until_asked(app: &mut App) {
    let begun = Instant::now();
    loop {
        app.update();
        let session = session(app);
        let asked = session.is_at_present() && session.human_to_move().is_some();
        if asked || session.is_step_over() {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "nobody may choose");
        std::thread::yield_now();
    }
}

/// Plays a line of the person's actions in the step on the screen.
fn play<G: GameView>(app: &mut App, line: impl IntoIterator<Item = G::Action>) {
    for action in line {
        until_asked(app);
        assert_eq!(status(app), LessonStatus::Open, "before the whole line was played");
        let mut session = session(app);
        session.live_mut::<G>().unwrap().queue.push_back(action);
        session.play_queued();
    }
    until_asked(app);
}

/// Learns a game by a line of actions for each step: no step is done before its line was played, the driver
/// goes on from each to the next, notes the lesson and keeps nothing else.
pub(crate) fn is_learnt<G: GameView>(lines: &[Vec<G::Action>]) {
    assert_eq!(lines.len(), G::GUIDANCE.lesson.len());
    let mut app = app(G::ID, 0);
    let results = app.world().resource::<Results>().clone();
    for (step, line) in lines.iter().enumerate() {
        let LessonStep { title, .. } = &G::GUIDANCE.lesson[step];
        assert_eq!(session(&mut app).config.lesson, Some(step));
        give(&mut app, MatchCommand::GoOn);
        assert_eq!(session(&mut app).config.lesson, Some(step), "{title} cannot be skipped");
        assert!(!app.world().resource::<Settings>().lessons.contains(G::ID));
        play::<G>(&mut app, line.clone());
        assert_eq!(status(&mut app), LessonStatus::Done, "{title}");
        assert_eq!(unfinished::key(&session(&mut app)), None);
        give(&mut app, MatchCommand::GoOn);
    }
    assert_eq!(screen(&app), Screen::Setup);
    let settings = app.world().resource::<Settings>();
    assert!(settings.lessons.contains(G::ID) && settings.beaten.is_empty());
    assert_eq!(*app.world().resource::<Results>(), results);
}

/// Plays a line of actions that ends a step of a game's lesson for this reason, and begins it again.
pub(crate) fn goes_wrong<G: GameView>(
    step: usize,
    line: impl IntoIterator<Item = G::Action>,
    why: &'static str,
) {
    let mut app = app(G::ID, step);
    play::<G>(&mut app, line);
    assert_eq!(status(&mut app), LessonStatus::Failed(why));
    give(&mut app, MatchCommand::GoOn);
    assert_eq!(status(&mut app), LessonStatus::Open);
    let session = session(&mut app);
    assert_eq!((session.config.lesson, session.live.turns()), (Some(step), 0));
}

/// The window above the board and the panel beside it, with a step that stands like this.
fn shown(status: LessonStatus, width: f32) -> Harness<'static> {
    let config = lesson_match::<Stealth>(2).unwrap();
    let mut session = Session::new::<Stealth>(config, true).unwrap();
    session.lesson.as_mut().unwrap().status = status;
    let mut dressed = false;
    Harness::builder().with_size(egui::vec2(width, 400.0)).build_ui(move |ui| {
        if !std::mem::replace(&mut dressed, true) {
            ui.ctx().set_fonts(fonts::definitions(None));
            ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
            return;
        }
        let mut commands = Vec::new();
        show_task(ui, &session, &mut commands);
        show_steps(ui, &session, &mut commands);
    })
}

#[test]
fn the_task_gives_way_to_praise_or_to_what_went_wrong() {
    let LessonStep { title, task, praise, .. } = &Stealth::GUIDANCE.lesson[2];
    const WHY: &str = "It went wrong.";
    for width in [960.0, 330.0] {
        for (status, words, button) in [
            (LessonStatus::Open, *task, None),
            (LessonStatus::Done, *praise, Some("Next step")),
            (LessonStatus::Failed(WHY), WHY, Some("Try again")),
        ] {
            let mut window = shown(status, width);
            window.run_steps(3);
            // It is named among the steps, too.
            let mut nodes: Vec<_> = window.get_all_by_label_contains(title).collect();
            let head = nodes[0].rect();
            nodes.push(window.get_by_label(words));
            if let Some(button) = button.map(|button| window.get_by_label(button)) {
                assert!(head.right() <= button.rect().left(), "{head} {}", button.rect());
                nodes.push(button);
            }
            for node in nodes {
                let rect = node.rect();
                assert!(rect.left() >= 0.0 && rect.right() <= width + 1.0, "{words}: {rect}");
            }
            let all = [*task, *praise, WHY];
            let others = all.iter().filter(|other| **other != words);
            assert!(others.into_iter().all(|other| window.query_by_label(other).is_none()));
            assert_eq!(window.query_by_label("Next step").is_some(), button == Some("Next step"));
        }
    }
}

#[test]
fn a_step_that_is_over_takes_no_more_moves_but_may_be_taken_back() {
    let mut app = app("racetrack", 0);
    let push = |x| Accelerate(Cell::new(x, 0));
    play::<Racetrack>(&mut app, [push(1), push(1), Accelerate(Cell::new(0, 1)), push(0)]);
    assert!(matches!(status(&mut app), LessonStatus::Failed(_)));
    assert_eq!(session(&mut app).human_to_move(), None);
    let turns = session(&mut app).live.turns();
    app.world_mut()
        .run_system_cached(|mut session: FocusedMatchMut, mut context: CommandContext| {
            let key = Input::Key(Press::plain(KeyCode::KeyS));
            assert!(!context.input(&mut session, key));
        })
        .unwrap();
    app.update();
    assert_eq!(session(&mut app).live.turns(), turns);
    give(&mut app, MatchCommand::Undo);
    assert_eq!(status(&mut app), LessonStatus::Open);
    play::<Racetrack>(&mut app, [Accelerate(Cell::new(1, -1))]);
    assert_eq!(status(&mut app), LessonStatus::Done);
    // What was done stays done, whatever is looked at.
    give(&mut app, MatchCommand::First);
    assert_eq!(status(&mut app), LessonStatus::Done);
}

#[test]
fn a_lesson_is_no_match_of_a_list_or_a_series() {
    let mut app = app("racetrack", 2);
    let before = session(&mut app).config.clone();
    for command in [
        MatchCommand::NextMatch,
        MatchCommand::OtherLevel(1),
        MatchCommand::Hint,
        MatchCommand::ShowRest,
        MatchCommand::Show(Tab::Analysis),
    ] {
        give(&mut app, command);
        let session = session(&mut app);
        assert_eq!((&session.config, session.tab), (&before, Tab::Match), "{command:?}");
        assert!(session.result.counts(), "{command:?}");
    }
    play::<Racetrack>(&mut app, [Accelerate(Cell::new(1, 0))]);
    give(&mut app, MatchCommand::Leave);
    assert_eq!(screen(&app), Screen::Setup, "nothing is lost, so nothing is asked");
}
