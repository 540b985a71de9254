//! The whole shell with a match on it, without a window.

use super::analysis::Analysed;
use super::draw::Ground;
use super::matches::FocusedMatchMut;
use super::*;
use crate::app::drawing::Detail;
use crate::app::requests::{BestKnown, MatchConfig};
use crate::app::shell::assets::AssetFolder;
use crate::app::shell::input::BoardInput;
use crate::app::shell::keyboard::{Press, Presses};
use crate::app::shell::settings::{Motion, Settings};
use crate::app::shell::{fonts, theme};
use crate::app::start::tests::{at_the_menu, screen};
use crate::boards::BOARDS;
use bevy::platform::collections::HashMap;
use bevy::time::TimeUpdateStrategy;
use bevy_egui::egui;
use outwit_core::play::{Budget, Player, Seat};
use outwit_headless::GAMES;
use outwit_kit::DynGame;
use outwit_mnk::Mnk;
use outwit_ui_test::Harness;
use outwit_ui_test::kittest::Queryable;
use std::collections::BTreeMap;
use std::time::Duration;

/// A match of the plainest planners on a game's first level.
pub(crate) fn config(game: &dyn DynGame) -> MatchConfig {
    let planners = game.planners();
    let plainest = |seat: usize| {
        let name = game.seat(seat).id;
        planners.iter().find(|planner| planner.seats.contains(&name)).unwrap().name
    };
    let allowed = &game.facts().seats.allowed;
    let seats = 2.clamp(*allowed.start(), *allowed.end());
    let players: Vec<_> = (0..seats).map(plainest).collect();
    MatchConfig {
        seed: 7,
        budget: Budget::Work(200),
        back: Screen::Menu,
        ..MatchConfig::on_level(&game.first_level(), &players)
    }
}

/// Tic-tac-toe of these players after these moves, at its present position.
pub(crate) fn tic_tac_toe(players: &[&str], moves: &str) -> Session {
    let config = MatchConfig::on_level("mnk/3x3x3", players);
    let mut session = Session::new::<Mnk>(config, false).unwrap();
    let line = session.live.moves_of_text(&session.state, moves).unwrap();
    if !line.is_empty() {
        assert_eq!(session.live.play_line(0, Seat(0), &line), Ok(line.len()));
    }
    let turns = session.live.turns();
    session.playback.show(turns);
    session.note_end();
    session
}

/// The shell with a match on it.
pub(crate) fn app(config: MatchConfig, motion: Motion) -> App {
    let mut app = at_the_menu();
    app.world_mut().resource_mut::<Settings>().motion = motion;
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
    app.insert_resource(config);
    app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Match);
    app.update();
    assert_eq!(screen(&app), Screen::Match);
    app
}

fn session(app: &mut App) -> Mut<'_, Session> {
    focused_mut::<Session>(app.world_mut()).unwrap()
}

/// Does something with the match that has the focus and its analysis.
pub(crate) fn analysed<R>(app: &mut App, act: impl FnOnce(&mut Analysed) -> R) -> R {
    let mut matches =
        app.world_mut().query_filtered::<(&mut Session, &mut Analysis), With<Focused>>();
    let (mut session, mut analysis) = matches.single_mut(app.world_mut()).unwrap();
    act(&mut Analysed { session: &mut session, analysis: &mut analysis })
}

fn view(app: &mut App) -> Mut<'_, BoardView> {
    focused_mut(app.world_mut()).unwrap()
}

/// The entities of pieces and where they are.
fn entities(app: &mut App) -> BTreeMap<PieceKey, Transform> {
    let world = app.world_mut();
    let mut found = BTreeMap::new();
    for (key, transform) in world.query::<(&PieceKey, &Transform)>().iter(world) {
        assert!(found.insert(*key, *transform).is_none(), "two entities of {key:?}");
    }
    found
}

/// What the board says of the shown turn.
fn pieces(app: &mut App) -> BTreeMap<PieceKey, Transform> {
    let scale = view(app).scale;
    let session = focused::<Session>(app.world()).unwrap();
    let pieces = session.live.pieces(session.playback.view);
    pieces.iter().map(|piece| (piece.key, piece.transform(piece.pose, scale))).collect()
}

#[test]
fn pieces_on_the_screen_are_those_of_the_state() {
    for &game in GAMES {
        let mut app = app(config(game), Motion::Off);
        let mut last = usize::MAX;
        loop {
            app.update();
            let view = session(&mut app).playback.view;
            if view != last {
                last = view;
                assert!(view == 0 || !entities(&mut app).is_empty());
                assert_eq!(entities(&mut app), pieces(&mut app), "{} {view}", game.id());
            }
            if session(&mut app).outcome().is_some() {
                break;
            }
            std::thread::yield_now();
        }
        for turn in [0, last / 2, last - 1, 1, last] {
            session(&mut app).jump(turn);
            app.update();
            assert_eq!(entities(&mut app), pieces(&mut app), "{} {turn}", game.id());
        }
    }
}

#[test]
fn a_replay_begins_at_the_turn_that_is_asked_for_once() {
    let kind = outwit_headless::find("racetrack").unwrap();
    let mut app = app(config(kind), Motion::Full);
    while session(&mut app).live.turns() < 4 {
        app.update();
        std::thread::yield_now();
    }
    let text = session(&mut app).replay_text();
    for (asked, first) in [(Some(2), 2), (None, 0), (Some(1_000), 4), (None, 0)] {
        app.insert_resource(MatchConfig::watching(&text, "race", Screen::Menu).unwrap());
        app.insert_resource(crate::app::requests::StartTurn(asked));
        app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Match);
        app.update();
        assert_eq!(session(&mut app).playback.view, first, "{asked:?}");
        assert_eq!(session(&mut app).live.turns(), 4);
        app.world_mut().resource_mut::<NextState<Screen>>().set(Screen::Menu);
        app.update();
    }
}

/// Runs the match until so many turns were shown, or its end was.
fn watch(app: &mut App, turns: usize) {
    loop {
        let session = session(app);
        if session.playback.view >= turns || (session.live.is_over() && session.is_at_present()) {
            return;
        }
        app.update();
        std::thread::yield_now();
    }
}

#[test]
fn a_match_that_rests_asks_no_board_and_moves_nothing() {
    for &game in GAMES {
        let mut app = app(config(game), Motion::Full);
        watch(&mut app, 3);
        let moving = *app.world().resource::<DrawStats>();
        assert!(moving.transforms_written > 0, "pieces move through their turns");
        let before = session(&mut app).playback.view - 1;
        session(&mut app).jump(before);
        app.update();
        let rest = *app.world().resource::<DrawStats>();
        assert_eq!(rest.pieces_asked, moving.pieces_asked + 1);
        (0..100).for_each(|_| app.update());
        assert_eq!(*app.world().resource::<DrawStats>(), rest);
        // Seen from elsewhere, pieces have other sizes; the board need not be asked.
        view(&mut app).scale = 3.0;
        app.update();
        let zoomed = *app.world().resource::<DrawStats>();
        assert_eq!(zoomed.pieces_asked, rest.pieces_asked);
        assert!(zoomed.transforms_written > rest.transforms_written);
        assert_eq!(entities(&mut app), pieces(&mut app));
        let world = app.world_mut();
        // The terrain is drawn in one detail at a time.
        let mut grounds = world.query::<(&Ground, &Visibility)>();
        let shown = grounds.iter(world).filter(|(_, seen)| **seen != Visibility::Hidden);
        let shown: Vec<_> = shown.map(|(ground, _)| ground.0).collect();
        assert!(
            !shown.is_empty() && shown.iter().all(|&detail| detail == Detail::Far),
            "{shown:?}"
        );
    }
}

#[test]
fn a_turn_in_motion_is_between_its_ends() {
    for &game in GAMES {
        let mut app = app(config(game), Motion::Full);
        watch(&mut app, 2);
        let mut session = session(&mut app);
        session.jump(0);
        session.playback.moving = 0.3;
        app.update();
        let middle = entities(&mut app);
        let ends = [0, 1].map(|turn| {
            self::session(&mut app).jump(turn);
            app.update();
            entities(&mut app)
        });
        assert_ne!(ends[0], ends[1]);
        assert!(middle != ends[0] && middle != ends[1], "{}", game.id());
    }
}

#[test]
fn the_next_match_has_the_same_players_and_another_seed() {
    let mut app = app(config(GAMES[0]), Motion::Off);
    session(&mut app).playback.speed = 4;
    app.world_mut()
        .run_system_cached(|mut session: FocusedMatchMut, mut context: commands::CommandContext| {
            context.apply(&mut session, command_table::MatchCommand::NextMatch);
        })
        .unwrap();
    app.update();
    let session = session(&mut app);
    assert_eq!((session.config.seed, session.playback.speed), (8, 4));
    assert_eq!(session.config.players, config(GAMES[0]).players);
    assert!(session.playback.playing);
    assert_eq!(entities(&mut app), pieces(&mut app), "nothing is left of the match before");
}

#[test]
fn a_command_that_is_not_allowed_does_nothing() {
    let mut app = app(config(GAMES[0]), Motion::Off);
    app.world_mut()
        .run_system_cached(|mut session: FocusedMatchMut, mut context: commands::CommandContext| {
            use command_table::MatchCommand;
            let mut refused = |session: &mut Session, command: MatchCommand| {
                let look = |session: &Session| {
                    let state = &session.state;
                    (state.playback, state.overlays.clone(), state.asked.is_some(), state.tab)
                };
                assert!(command.allowed(session).is_err(), "{command:?}");
                let before = look(session);
                context.apply(session, command);
                assert_eq!(look(session), before, "{command:?}");
            };
            // Nobody plays, there is no solver, and no analysis is shown.
            for command in
                [MatchCommand::Undo, MatchCommand::ShowRest, MatchCommand::Scrub(Scrub::Last)]
            {
                refused(&mut session, command);
            }
            session.tab = Tab::Analysis;
            for command in [
                MatchCommand::Overlays,
                MatchCommand::Overlay(0),
                MatchCommand::Ghost,
                MatchCommand::Hint,
            ] {
                refused(&mut session, command);
            }
        })
        .unwrap();
}

#[test]
fn arrows_play_no_move_in_a_lecture_or_an_analysis() {
    let config = MatchConfig::on_level("pukoban/01-first-push", &["human"]);
    let mut app = app(config, Motion::Off);
    while session(&mut app).human_to_move().is_none() {
        app.update();
        std::thread::yield_now();
    }
    let press = |app: &mut App, key: KeyCode| {
        app.world_mut().resource_mut::<Presses>().0 = vec![Press::plain(key)];
        app.world_mut().insert_resource(BoardInput { keys: true });
        app.world_mut().run_system_cached(input::keys).unwrap();
        session(app).live.turns()
    };
    let arrows = [KeyCode::ArrowUp, KeyCode::ArrowLeft, KeyCode::ArrowDown, KeyCode::ArrowRight];
    session(&mut app).switch_lecture();
    for key in arrows {
        assert_eq!(press(&mut app, key), 0, "{key:?} in a lecture");
    }
    assert_eq!(press(&mut app, KeyCode::KeyD), 0, "nor does a letter walk in a lecture");
    session(&mut app).switch_lecture();
    session(&mut app).tab = Tab::Analysis;
    for key in arrows {
        assert_eq!(press(&mut app, key), 0, "{key:?} in the analysis");
    }
    session(&mut app).tab = Tab::Match;
    assert_eq!(press(&mut app, KeyCode::ArrowUp), 1, "in the match it walks");
    session(&mut app).tab = Tab::Review;
    assert_eq!(press(&mut app, KeyCode::ArrowLeft), 1, "in the review it turns back");
    assert_eq!(session(&mut app).playback.view, 0);
}

#[test]
fn a_lecture_ends_where_it_was_begun_and_changes_nothing() {
    let config = MatchConfig::on_level("mnk/3x3x3", &["human", "human"]);
    let mut app = app(config, Motion::Off);
    let line = {
        let session = session(&mut app);
        session.live.moves_of_text(&session.state, "b2 a3 b3 a1 b1").unwrap()
    };
    assert_eq!(session(&mut app).play_from_here(&line, state::Help::Pasted), Ok(5));
    session(&mut app).jump(4);
    session(&mut app).tab = Tab::Review;
    session(&mut app).switch_lecture();
    assert_eq!(session(&mut app).playback.view, 0, "it begins at the start");
    let click = |mut session: FocusedMatchMut, mut context: commands::CommandContext| {
        context.input(&mut session, Input::Click(Vec2::new(2.5, 2.5)))
    };
    assert!(!app.world_mut().run_system_cached(click).unwrap(), "a click plays nothing");
    let mut session = session(&mut app);
    assert_eq!((session.live.turns(), session.playback.view), (5, 0));
    session.switch_lecture();
    assert_eq!((session.playback.view, session.tab), (4, Tab::Review));
}

#[test]
fn the_state_of_an_event_stands_alone_on_the_board() {
    let game = *GAMES.iter().find(|game| game.id() == "pukoban").unwrap();
    let mut app = app(config(game), Motion::Off);
    app.update();
    session(&mut app).jump(0);
    let planner = session(&mut app).info.recorded[0].planner;
    analysed(&mut app, |session| {
        session.open_analysis();
        session.analysis.planner = Some(planner);
    });
    // Pieces are children of their match, and hidden with it.
    let is_hidden = |app: &App| {
        let seen: &Visibility = focused(app.world()).unwrap();
        *seen == Visibility::Hidden
    };
    let mut pieces = app.world_mut().query_filtered::<&ChildOf, With<PieceKey>>();
    let of: Vec<Entity> = pieces.iter(app.world()).map(ChildOf::parent).collect();
    assert!(!of.is_empty() && of.iter().all(|&of| app.world().get::<Session>(of).is_some()));
    while analysed(&mut app, |session| session.analysis.run().is_none()) {
        app.update();
    }
    assert!(!is_hidden(&app));
    let search = outwit_kit::SearchName::usual(planner);
    let task = session(&mut app).live.record_search(0, search, 100);
    let search = analysis::Recorded { of: (0, search), has_ties: true, task };
    analysed(&mut app, |session| {
        session.analysis.events = Some(analysis::SearchEvents::new(search));
    });
    while session(&mut app).analysis_view() != AnalysisView::Event {
        app.update();
    }
    assert!(is_hidden(&app));
    analysed(&mut app, |session| session.close_analysis());
    app.update();
    assert!(!is_hidden(&app));
}

#[test]
fn who_asks_for_a_hint_sets_no_record() {
    let game = *GAMES.iter().find(|game| game.id() == "racetrack").unwrap();
    let mut app = app(MatchConfig { players: vec![Player::Human], ..config(game) }, Motion::Off);
    assert!(session(&mut app).result.counts());
    // Until the table is computed there is no hint.
    let hinted = |session: &Session| session.live.hint(&session.state).is_some();
    while !hinted(&session(&mut app)) {
        app.world_mut()
            .run_system_cached(
                |mut session: FocusedMatchMut, mut context: commands::CommandContext| {
                    context.apply(&mut session, command_table::MatchCommand::Hint);
                },
            )
            .unwrap();
        app.update();
    }
    let session = session(&mut app);
    assert_eq!(session.result.help, [(state::Help::Hint, 0)]);
    assert!(!session.result.counts());
}

#[test]
fn boards_name_files_that_exist() {
    for board in BOARDS {
        let embedded = |path: String| AssetFolder::default().read(&path).is_ok();
        let spec = board.spec;
        assert!(spec.overlays.len() <= 6);
        for name in spec.silhouettes {
            assert!(embedded(format!("pieces/{name}.svg")), "{name}");
        }
        for name in spec.sounds {
            assert!(embedded(format!("sounds/{name}.wav")), "{name}");
        }
    }
}

/// Systems of ours that touch the same data in an order that Bevy may choose freely.
#[test]
fn no_order_of_systems_is_ambiguous() {
    let mut app = app(config(GAMES[0]), Motion::Off);
    let mut found = Vec::new();
    let mut look = |world: &mut World, schedule: &mut Schedule| {
        schedule.initialize(world).unwrap();
        let names: HashMap<_, _> =
            schedule.systems().unwrap().map(|(key, system)| (key, system.name())).collect();
        for (a, b, components) in schedule.graph().conflicting_systems().iter() {
            let (a, b) = (&names[a].to_string(), &names[b].to_string());
            if a.starts_with("outwit") && b.starts_with("outwit") {
                let of = components.iter().filter_map(|id| world.components().get_name(*id));
                let of: Vec<_> = of.map(|name| name.to_string()).collect();
                found.push(format!("{:?}: {a} / {b}: {of:?}", schedule.label()));
            }
        }
    };
    let detect = |schedule: &mut Schedule| {
        schedule.set_build_settings(bevy::ecs::schedule::ScheduleBuildSettings {
            ambiguity_detection: bevy::ecs::schedule::LogLevel::Warn,
            ..default()
        });
    };
    app.edit_schedule(Update, detect);
    app.edit_schedule(PostUpdate, detect);
    app.edit_schedule(EguiPrimaryContextPass, detect);
    let world = app.world_mut();
    world.schedule_scope(Update, &mut look);
    world.schedule_scope(PostUpdate, &mut look);
    world.schedule_scope(EguiPrimaryContextPass, &mut look);
    assert!(found.is_empty(), "{} ambiguities:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_play_test_says_how_to_get_back_and_what_is_best() {
    const BEST: &str = "Optimum: 3 turns (2.50)";
    const BACK: &str = "Press Esc once to go back to the editor";
    for (back, is_told) in [(Screen::Editor, true), (Screen::Menu, false)] {
        let mut app = app(MatchConfig { back, ..config(GAMES[0]) }, Motion::Off);
        app.insert_resource(BestKnown(Some(BEST.into())));
        app.update();
        let session = focused::<Session>(app.world()).unwrap();
        let mut dressed = false;
        let mut window = Harness::builder().with_size(egui::vec2(300.0, 300.0)).build_ui(|ui| {
            if std::mem::replace(&mut dressed, true) {
                panel::head(ui, session, &mut Vec::new());
            } else {
                ui.ctx().set_fonts(fonts::definitions(None));
                ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
            }
        });
        window.run_steps(3);
        assert_eq!(window.query_by_label(BEST).is_some(), is_told);
        assert_eq!(window.query_by_label_contains(BACK).is_some(), is_told);
    }
}
