//! The analysis over real matches, and its panel as a user sees it.

use super::events::quiz::Quiz;
use super::events::record;
use super::events::state::{Breakpoints, Condition};
use super::state::Scrub;
use super::task::{AnalysisProgress, AnalysisRun, ShownStep};
use super::tree::state::ShownTree;
use super::*;
use crate::app::drawing::Sketch;
use crate::app::match_screen::command_table::MatchCommand;
use crate::app::match_screen::figures::{grouped, grouped_figure};
use crate::app::match_screen::{BoardView, Canvas};
use crate::app::requests::{MatchConfig, Screen};
use crate::app::shell::pieces::Pieces;
use crate::app::shell::settings::Motion;
use crate::app::shell::{fonts, theme};
use bevy_egui::egui;
use outwit_cops::Cops;
use outwit_core::levels::rule_to_text;
use outwit_core::play::{MatchSetup, Referee, Thinking};
use outwit_core::search::{EventKind, SearchEvent, Ties, TreeEventKind};
use outwit_kit::SearchName;
use outwit_kit::exercise::{Exercise, is_exercise};
use outwit_mnk::Mnk;
use outwit_pukoban::Pukoban;
use outwit_racetrack::Racetrack;
use outwit_ui_test::Harness;
use outwit_ui_test::kittest::{NodeT, Queryable};
use std::sync::Arc;

/// A match with its analysis, kept to the end of the tests.
fn with_analysis(session: Session) -> Analysed<'static> {
    Analysed { session: Box::leak(Box::new(session)), analysis: Box::leak(Box::default()) }
}

/// A recorded match as a replay on the screen.
fn replay_of<G: crate::app::match_screen::GameView>(
    level: &str,
    players: &[&str],
    turns: usize,
) -> Analysed<'static> {
    let config = MatchConfig::on_level(level, players);
    let bytes = config.level.bytes().unwrap();
    let level = outwit_kit::read_level::<G>(&bytes, "").unwrap();
    let game = Arc::new(G::new(&level, players.len()).unwrap());
    let setup = MatchSetup::new(&config.players, config.budget, 5).thinking(Thinking::Inline);
    let mut referee = Referee::new(game, G::planners(), setup).unwrap();
    referee.run(turns);
    let text = rule_to_text(&referee.replay());
    let watching = MatchConfig::watching(&text, "some", Screen::Menu).unwrap();
    with_analysis(Session::new::<G>(watching, true).unwrap())
}

fn race(turns: usize) -> Analysed<'static> {
    replay_of::<Racetrack>("racetrack/tiny", &["novice", "ace"], turns)
}

fn pursuit(turns: usize) -> Analysed<'static> {
    let level = outwit_headless::find("cops").unwrap().first_level();
    replay_of::<Cops>(&level, &["runner", "pack"], turns)
}

/// Analyses the viewed position to the end.
fn analyse(session: &mut Analysed) {
    session.open_analysis();
    update(session, 1.0);
    while matches!(progress(session), Some(AnalysisProgress::Running(_))) {
        std::thread::yield_now();
    }
}

fn progress(session: &Analysed) -> Option<AnalysisProgress> {
    session.analysis.run().map(AnalysisRun::progress)
}

fn steps(session: &Analysed) -> Vec<Arc<ShownStep>> {
    session.analysis.run().unwrap().steps()
}

#[test]
fn the_same_position_gives_the_same_snapshots() {
    for make in [|| race(6), || pursuit(12)] {
        let found = [(); 2].map(|()| {
            let mut session = make();
            session.jump(4);
            analyse(&mut session);
            assert_eq!(progress(&session), Some(AnalysisProgress::Done));
            steps(&session)
        });
        let [first, second] = found;
        assert!(first.len() > 1 && first.len() == second.len());
        for (a, b) in first.iter().zip(&second) {
            assert_eq!((a.step.work, &a.step.best), (b.step.work, &b.step.best));
            assert_eq!((&a.step.line, a.step.value), (&b.step.line, b.step.value));
            assert_eq!((&a.step.insight, &a.line), (&b.step.insight, &b.line));
            assert!(!a.words.is_empty() && a.words.len() == a.step.line.len());
            assert!(!a.line.is_empty());
        }
    }
}

#[test]
fn positions_seats_and_planners_have_analyses_of_their_own() {
    let mut session = race(8);
    session.jump(2);
    analyse(&mut session);
    let subject = session.analysis_subject().unwrap();
    assert_eq!((subject.turn, subject.seat, subject.planner.name), (2, Seat(0), "novice"));
    assert_eq!(subject.planners.len(), session.info.seats[0].planners.len());
    let before = session.analysis.run().unwrap().request;
    session.jump(3);
    // A position that was only passed through is not analysed.
    update(&mut session, 0.01);
    assert!(session.analysis.run().is_none());
    analyse(&mut session);
    let after = session.analysis.run().unwrap().request;
    assert_eq!((after.seat, after.planner), (Seat(1), "ace"));
    session.analysis.planner = Some("greedy");
    update(&mut session, 0.0);
    assert!(session.analysis.run().is_none(), "another planner begins again");
    session.analysis.planner = None;
    session.jump(2);
    update(&mut session, 0.0);
    assert_eq!(session.analysis.run().unwrap().request, before, "it was kept");
    session.tab = Tab::Match;
    assert!(session.overlays.on.iter().any(|on| *on), "overlays come back");
}

#[test]
fn where_nobody_chooses_the_last_choice_is_analysed() {
    let mut session = pursuit(12);
    session.jump(7);
    session.analysis.seat = Some(Seat(1));
    let subject = session.analysis_subject().unwrap();
    assert!(subject.turn < 7 && session.live.to_move(subject.turn).contains(&Seat(1)));
    assert!((subject.turn + 1..=7).all(|turn| session.live.to_move(turn).is_empty()));
    assert_eq!((subject.seat, subject.seats.len()), (Seat(1), 2));
}

#[test]
fn a_played_line_is_a_variation_and_loses_nothing() {
    for mut session in [race(8), pursuit(30)] {
        let (turns, text) = (session.live.turns(), session.replay_text());
        session.jump(2);
        session.analysis.planner = Some("greedy");
        analyse(&mut session);
        let (from, to) = session.play_analysed_line().unwrap();
        assert!(from <= 2 && to > from);
        assert_eq!(
            (session.playback.view, session.live.turns(), session.playback.playing),
            (to, to, false)
        );
        assert!(session.result.used_undo, "it is no record");
        let lines = session.live.variations();
        assert_eq!((lines.len(), lines[0].turns), (1, turns));
        session.choose_variation(0).unwrap();
        let played = |text: &str| -> Option<String> {
            Some(text.split_once("turns:")?.1.split_once("]],")?.0.to_owned())
        };
        let (old, new) = (played(&text), played(&session.replay_text()));
        assert!(old.is_some() && old == new, "as it was played: {old:?}, {new:?}");
    }
}

#[test]
fn a_live_match_waits_and_hides_the_other_sides_plans() {
    let level = outwit_headless::find("cops").unwrap().first_level();
    let mut session = with_analysis(
        Session::new::<Cops>(MatchConfig::on_level(&level, &["human", "pack"]), true).unwrap(),
    );
    session.open_analysis();
    assert!(!session.playback.playing);
    session.analysis.seat = Some(Seat(1));
    update(&mut session, 1.0);
    assert!(session.analysis.run().is_none());
    assert!(session.analysis.problem.as_ref().unwrap().contains("hidden until the match is over"));
    session.analysis.seat = Some(Seat(0));
    update(&mut session, 1.0);
    assert!(session.analysis.run().is_some() && session.analysis.problem.is_none());
}

#[test]
fn nothing_is_drawn_over_a_position_that_was_not_analysed() {
    let mut session = pursuit(12);
    session.jump(7);
    analyse(&mut session);
    let choice = session.playback.view;
    assert!(choice < 7 && !session.live.to_move(choice).is_empty(), "the last choice is shown");
    let mut window = window(session, egui::vec2(1024.0, 640.0));
    assert!(window.state().shapes > 1);
    window.state_mut().session.jump(7);
    window.run_steps(2);
    assert_eq!(window.state().shapes, 1, "only the mark that the test itself makes");
    let mut session = pursuit(12);
    session.jump(7);
    session.open_analysis();
    session.close_analysis();
    assert_eq!(session.playback.view, 7, "back where it was opened");
}

/// A session with the analysis open, drawn like on the match screen.
struct Window {
    session: Analysed<'static>,
    commands: Vec<MatchCommand>,
    shapes: usize,
    dressed: bool,
}

fn window(session: Analysed<'static>, size: egui::Vec2) -> Harness<'static, Window> {
    let draw = |ui: &mut egui::Ui, window: &mut Window| {
        if !window.dressed {
            ui.ctx().set_fonts(fonts::definitions(None));
            ui.ctx().set_global_style(theme::style(&theme::DARK, Motion::Off));
            window.dressed = true;
            return;
        }
        let Window { session, commands, .. } = window;
        update(session, 0.02);
        let side = egui::Panel::right("side").exact_size(316.0).resizable(false);
        side.show(ui, |ui| panel::show(ui, session, commands));
        egui::Panel::bottom("slider").show(ui, |ui| slider::show(ui, session, commands));
        let mut view = BoardView { area: ui.available_rect_before_wrap(), ..BoardView::default() };
        view.fit(session.info.extent, session.board.margin);
        let pieces = Pieces::default();
        let mut canvas = Canvas {
            painter: ui.painter().with_clip_rect(view.area),
            view,
            palette: theme::DARK,
            pointer: ui.ctx().pointer_hover_pos().map(|point| view.to_board(point)),
            tooltip: None,
            clickable: false,
            pieces: &pieces,
            floor: Sketch::default(),
            legend: None,
        };
        let before = canvas.painter.add(egui::Shape::Noop);
        paint(&mut canvas, session);
        let after = canvas.painter.add(egui::Shape::Noop);
        window.shapes = after.0 - before.0;
    };
    let window = Window { session, commands: Vec::new(), shapes: 0, dressed: false };
    let mut window = Harness::builder().with_size(size).build_ui_state(draw, window);
    window.run_steps(4);
    window
}

/// The list of planners opens, whether there is a choice of views above it or not.
#[test]
fn another_planner_is_chosen_from_the_list() {
    let puzzle = || {
        let level = outwit_headless::find("pukoban").unwrap().first_level();
        replay_of::<Pukoban>(&level, &["greedy"], 2)
    };
    for make in [puzzle, || race(8), || pursuit(12)] {
        let mut session = make();
        session.jump(0);
        analyse(&mut session);
        let subject = session.analysis_subject().unwrap();
        let other = subject.planners.iter().find(|other| other.name != subject.planner.name);
        let other = other.unwrap().name;
        let mut window = window(session, egui::vec2(1920.0, 1080.0));
        let lists = window.get_all_by_role(egui::accesskit::Role::ComboBox);
        lists.into_iter().next().unwrap().click();
        window.run_steps(3);
        let words = crate::app::shell::seats::seat_title(other);
        window.get_by_role_and_label(egui::accesskit::Role::Button, &words).click();
        window.run_steps(2);
        assert_eq!(window.state().session.analysis_subject().unwrap().planner.name, other);
    }
}

#[test]
fn scrubbing_changes_what_is_drawn_and_the_figures() {
    let mut session = race(8);
    session.jump(3);
    analyse(&mut session);
    let mut window = window(session, egui::vec2(1024.0, 640.0));
    let click = |window: &mut Harness<Window>, scrub: Scrub| {
        window.state_mut().session.analysis.scrub(scrub);
        window.run_steps(2);
    };
    click(&mut window, Scrub::First);
    assert!(window.get_by_label("0 units").rect().is_positive());
    let first = (window.state().shapes, window.state().session.analysis.step().unwrap());
    click(&mut window, Scrub::Last);
    assert!(window.query_by_label("0 units").is_none());
    let last = (window.state().shapes, window.state().session.analysis.step().unwrap());
    assert_ne!(first.1.step.insight.counters, last.1.step.insight.counters);
    assert_ne!(first.0, last.0, "the picture has grown");
    let (_, count) = window.state().session.analysis.place();
    click(&mut window, Scrub::Back);
    assert_eq!(window.state().session.analysis.place().0, count - 2);
    click(&mut window, Scrub::Forward);
    assert_eq!(window.state().session.analysis.place().0, count - 1);
    // Playing from the end begins at the start and stops at the end.
    click(&mut window, Scrub::Play);
    assert!(window.state().session.analysis.place().0 < count - 1);
    update(&mut window.state_mut().session, 100.0);
    let analysis = &window.state().session.analysis;
    assert!(analysis.place().0 == count - 1 && !analysis.is_playing());
    window.run_steps(2);
    window.get_by_label("Play this line").click();
    window.run_steps(4);
    assert_eq!(window.state().commands, [MatchCommand::PlayLine]);
}

#[test]
fn the_panel_fits_small_windows_and_large_text() {
    // 1024 by 640 points, and what is left of them at the greatest scale.
    for size in [egui::vec2(1024.0, 640.0), egui::vec2(640.0, 400.0)] {
        for mut session in [race(8), pursuit(12)] {
            session.jump(3);
            session.analysis.explained = true;
            analyse(&mut session);
            let window = window(session, size);
            let page = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            let edge = size.x - 316.0;
            for node in window.root().children_recursive() {
                let inner = node.accesskit_node();
                if inner.bounding_box().is_none() || inner.children().next().is_some() {
                    continue;
                }
                let rect = node.rect();
                let fits = if rect.left() < edge { 0.0..=edge } else { edge..=size.x };
                let inside =
                    fits.contains(&(rect.left() + 0.5)) && fits.contains(&(rect.right() - 0.5));
                assert!(inside, "{:?} at {rect} of {size}", inner.label());
            }
            let slider = window.get_by_role(egui::accesskit::Role::Slider).rect();
            assert!(page.contains_rect(slider) && slider.width() >= 60.0, "{slider}");
        }
    }
}

/// A puzzle whose analysis shows the events of A*.
fn puzzle_by_events() -> Analysed<'static> {
    let level = outwit_headless::find("pukoban").unwrap().first_level();
    let config = MatchConfig::on_level(&level, &["human"]);
    let mut session = with_analysis(Session::new::<Pukoban>(config, true).unwrap());
    session.analysis.planner = Some("astar-h1");
    analyse(&mut session);
    let search = recorded(&session, "astar-h1");
    session.analysis.events = Some(SearchEvents::new(search));
    settle(&mut session);
    session
}

/// A search that expands whole sets of states has no events; another one is a click away.
#[test]
fn a_search_without_events_offers_another_one() {
    let session = puzzle_by_events();
    session.analysis.planner = Some("best");
    session.analysis.events = Some(SearchEvents::new(recorded(&session, "best")));
    while events(&session).search.failure().is_none() {
        std::thread::yield_now();
    }
    let mut window = window(session, egui::vec2(1024.0, 640.0));
    window.get_by_label("Step through Bidirectional").click();
    window.run_steps(4);
    let session = &window.state().session;
    assert_eq!(session.analysis.planner, Some("bidirectional"));
    assert_eq!(events(session).search.of.1.planner, "bidirectional");
}

fn recorded(session: &Analysed, planner: &'static str) -> Recorded {
    recorded_as(session, SearchName::usual(planner))
}

fn recorded_as(session: &Analysed, search: SearchName<'static>) -> Recorded {
    record(session, 0, search, 5_000)
}

/// Waits until what the events show is known.
fn settle(session: &mut Analysed) {
    let is_known = |session: &Analysed| events(session).view().is_some();
    let is_recorded = |session: &Analysed| {
        let events = events(session);
        events.other.is_none() || events.difference().is_some()
    };
    while !is_known(session) || !is_recorded(session) {
        assert_eq!(events(session).search.failure(), None);
        update(session, 0.0);
        std::thread::yield_now();
    }
}

fn events<'a>(session: &'a Analysed) -> &'a SearchEvents {
    session.analysis.events.as_ref().unwrap()
}

/// The board shows where nodes with the boxes of the shown one wait, and where such nodes were expanded.
#[test]
fn nodes_that_wait_and_were_expanded_are_on_the_board() {
    let mut session = puzzle_by_events();
    let last = events(&session).place().1;
    let mut seen = 0;
    for at in (0..=last).step_by(7) {
        session.analysis.events.as_mut().unwrap().show(at);
        update(&mut session, 0.0);
        let shown = events(&session);
        let view = shown.view().unwrap();
        let all = &shown.recording(0).unwrap().events[..=at];
        let boxes = &all[at].state.others;
        let alike = || all.iter().filter(|event| event.state.others == *boxes);
        // A node waits from when it is found until it is expanded or is the goal.
        let waits = |node: u32| {
            let mut of = all.iter().rev().filter(|event| event.id == node);
            let last = of.find(|event| event.kind != EventKind::Close);
            last.is_some_and(|event| matches!(event.kind, EventKind::Generate | EventKind::Update))
        };
        let waiting = alike().filter(|event| waits(event.id)).map(|event| event.state.cell);
        assert_eq!(view.waiting, waiting.collect(), "event {at}");
        let mut expanded: Vec<_> = alike()
            .filter(|event| event.kind == EventKind::Expand)
            .map(|event| (event.state.cell, [true, false]))
            .collect();
        expanded.sort();
        expanded.dedup();
        assert_eq!(view.expanded, expanded, "event {at}");
        seen += view.waiting.len() * view.expanded.len();
    }
    assert!(seen > 0);
}

#[test]
fn a_search_runs_to_its_breakpoints() {
    let mut session = puzzle_by_events();
    let run = |session: &mut Analysed, points: Breakpoints| {
        session.analysis.scrub(Scrub::First);
        session.analysis.events.as_mut().unwrap().breakpoints = points;
        session.analysis.scrub(Scrub::Run);
        events(session).event(0).unwrap().clone()
    };
    let none = || Breakpoints { kinds: Vec::new(), cell: None, node: None };
    let goal = run(&mut session, Breakpoints { kinds: vec![Condition::Goal], ..none() });
    assert_eq!(goal.kind, EventKind::Goal);
    let cell = run(&mut session, Breakpoints { cell: Some(goal.state.cell), ..none() });
    assert_eq!(cell.state.cell, goal.state.cell);
    let node = run(&mut session, Breakpoints { node: Some((goal.id, false)), ..none() });
    assert_eq!((node.id, node.kind), (goal.id, EventKind::Generate), "where it was reached first");
    let grown = run(&mut session, Breakpoints { kinds: vec![Condition::HigherF], ..none() });
    let first = &events(&session).recording(0).unwrap().events[0];
    assert!(grown.kind == EventKind::Expand && grown.f > first.f);
    let (at, last) = events(&session).place();
    assert!(at > 0 && at < last);
    let end = run(&mut session, none());
    assert_eq!((events(&session).place().0, end.kind), (last, EventKind::Goal));
    // Playing from the end begins at the start and goes on by itself.
    session.analysis.scrub(Scrub::Play);
    assert!(session.analysis.is_playing() && events(&session).place().0 == 0);
    update(&mut session, 1.0);
    assert!(events(&session).place().0 > 0);
    update(&mut session, 1e6);
    assert_eq!((events(&session).place(), session.analysis.is_playing()), ((last, last), false));
}

/// The event of the next expansion, and those of the nodes that may be picked.
fn question(session: &mut Analysed) -> (SearchEvent, Vec<SearchEvent>) {
    update(session, 0.0);
    let events = events(session);
    assert!(events.is_asking());
    let at = events.event_of(0).unwrap();
    let next = events.recording(0).unwrap().events[at + 1].clone();
    assert_eq!(next.kind, EventKind::Expand);
    (next, events.view().unwrap().frontier.0.clone())
}

#[test]
fn what_is_expanded_next_is_asked_and_counted() {
    let mut window = window(puzzle_by_events(), egui::vec2(1280.0, 800.0));
    window.state_mut().session.analysis.scrub(Scrub::First);
    window.get_by_label("Ask me what is expanded next").click();
    window.run_steps(4);
    // A node of another f is wrong.
    let (next, waiting) = loop {
        let (next, waiting) = question(&mut window.state_mut().session);
        if waiting.iter().any(|event| event.f > next.f) {
            break (next, waiting);
        }
        let events = window.state_mut().session.analysis.events.as_mut().unwrap();
        events.show_event(events.event_of(0).unwrap() + 1);
    };
    window.run_steps(2);
    let wrong = waiting.iter().find(|event| event.f > next.f).unwrap();
    let node = grouped(wrong.id.into());
    window.get_by_role_and_label(egui::accesskit::Role::Button, &node).click();
    window.run_steps(4);
    assert!(window.query_by_label("0 of 1 right").is_some());
    assert_eq!(events(&window.state().session).event(0), Some(&next), "it is shown");
    // One more click does not count.
    let shown = window.state_mut().session.analysis.events.as_mut().unwrap();
    shown.pick_node((wrong.id, wrong.backward));
    window.get_by_label("Next question").click();
    window.run_steps(4);
    let (next, _) = question(&mut window.state_mut().session);
    let shown = window.state_mut().session.analysis.events.as_mut().unwrap();
    shown.pick_node((next.id, next.backward));
    window.run_steps(4);
    assert!(window.query_by_label("1 of 2 right").is_some());
    // Without a rule of ties any node of the least f will do, with one only the first of them.
    for ties in [None, Some(Ties::Fifo)] {
        let mut session = puzzle_by_events();
        let usual = SearchName::usual("astar-h1");
        let search = recorded_as(&session, SearchName { ties, ..usual });
        session.analysis.events = Some(SearchEvents::new(search));
        settle(&mut session);
        let shown = session.analysis.events.as_mut().unwrap();
        shown.quiz = Some(Quiz::default());
        let tied = loop {
            let (next, waiting) = question(&mut session);
            let tied = |event: &&SearchEvent| event.f == next.f && event.id != next.id;
            if let Some(tied) = waiting.iter().find(tied) {
                break tied.clone();
            }
            let shown = session.analysis.events.as_mut().unwrap();
            shown.show_event(shown.event_of(0).unwrap() + 1);
        };
        let shown = session.analysis.events.as_mut().unwrap();
        shown.pick_node((tied.id, tied.backward));
        assert_eq!(shown.quiz.as_ref().unwrap().score(), (usize::from(ties.is_none()), 1));
    }
}

/// An exercise is opened at its search, asks for its expansions and no others, and counts.
#[test]
fn an_exercise_is_solved_in_the_window() {
    let level = outwit_levels::built_in("pukoban/11-closet").unwrap().bytes().unwrap();
    let kind = outwit_headless::find("pukoban").unwrap();
    let level = kind.read(&level, "level.ron").unwrap();
    let texts = ("A* by hand", "astar-h1:ties=lifo");
    let stop = outwit_core::play::StopFlag::default();
    let (exercise, worked) = Exercise::make(kind, &level, texts, vec![4, 9, 20], &stop).unwrap();
    assert!(is_exercise(exercise.text().as_bytes()));
    let wanted = outwit_headless::cli::open_exercise(exercise.text().as_bytes()).unwrap();
    let config = crate::app::requests::Launch::of(wanted).unwrap().play.unwrap();
    let mut session = with_analysis(Session::new::<Pukoban>(config, true).unwrap());
    session.begin_exercise();
    let mut window = window(session, egui::vec2(1280.0, 800.0));
    for (question, number) in worked.questions.iter().zip(1..) {
        let (next, waiting) = loop {
            window.run_steps(2);
            let session = &mut window.state_mut().session;
            if events(session).view().is_some() {
                break self::question(session);
            }
            std::thread::yield_now();
        };
        assert!(window.query_by_label(&format!("Question {number} of 3")).is_some());
        assert!(window.query_by_label("Compare with").is_none(), "nothing can be chosen");
        assert_eq!(waiting.len(), question.listed.len() + question.unlisted.len());
        let taken = &question.listed[question.taken].event;
        assert_eq!((taken.id, &taken.state), (next.id, &next.state), "the same as on paper");
        window.run_steps(2);
        assert!(window.query_all_by_label("?").count() >= waiting.len(), "f is not given");
        let picked = if number == 2 { &waiting[0] } else { &next };
        let is_right = picked.id == next.id;
        let shown = window.state_mut().session.analysis.events.as_mut().unwrap();
        shown.pick_node((picked.id, picked.backward));
        window.run_steps(2);
        let right = number - usize::from(number > 1 && !is_right);
        assert!(number != 1 || window.query_by_label(&format!("{right} of 1 right")).is_some());
        if number < 3 {
            window.get_by_label("Next question").click();
            window.run_steps(2);
        }
    }
    let score =
        |window: &Harness<Window>| events(&window.state().session).quiz.as_ref().unwrap().score();
    let (right, asked) = score(&window);
    assert!(asked == 3 && right >= 2, "{right}");
    assert!(window.query_by_label("Snapshots").is_none(), "it would end the exercise");
    window.get_by_label("Start again").click();
    window.run_steps(2);
    assert_eq!(score(&window), (0, 0));
    assert!(window.query_by_label("Question 1 of 3").is_some());
}

#[test]
fn two_searches_are_compared_expansion_by_expansion() {
    let mut session = puzzle_by_events();
    let shown = session.analysis.events.as_mut().unwrap();
    shown.show(9);
    shown.compare_with(None);
    assert_eq!(shown.place().0, 9, "what is shown stays");
    let other = recorded(&session, "uniform-cost");
    session.analysis.events.as_mut().unwrap().compare_with(Some(other));
    settle(&mut session);
    let (first, counts) = {
        let difference = events(&session).difference().unwrap();
        (difference.first().unwrap(), [0, 1].map(|side| difference.expanded(side)))
    };
    // Uniform cost looks at no estimate, so it expands more.
    assert!(counts[1] > counts[0], "{counts:?}");
    let states =
        |session: &Analysed| [0, 1].map(|side| events(session).event(side).unwrap().state.clone());
    session.analysis.events.as_mut().unwrap().show(first);
    settle(&mut session);
    let [one, two] = states(&session);
    assert!((one.cell, &one.others) != (two.cell, &two.others));
    if first > 0 {
        session.analysis.scrub(Scrub::Back);
        let [one, two] = states(&session);
        assert_eq!((one.cell, one.others), (two.cell, two.others));
    }
    settle(&mut session);
    let mut window = window(session, egui::vec2(1024.0, 640.0));
    for label in ["First difference", "Frontier", "Run to the next breakpoint"] {
        assert!(window.query_by_label(label).is_some(), "{label}");
    }
    window.get_by_label("First difference").click();
    window.run_steps(4);
    assert_eq!(events(&window.state().session).place().0, first);
    assert!(window.state().shapes > 5, "both searches are drawn");
    // The nodes that wait are those of the search that is chosen, and so are the events at which a run stops.
    let counts = |window: &Harness<Window>, side: usize| {
        let shown = events(&window.state().session);
        let recording = shown.recording(side).unwrap();
        // Once the expansion is done.
        let next =
            recording.expansions().into_iter().find(|&at| at > shown.event_of(side).unwrap());
        recording.frontier(next.unwrap() - 1, None).len()
    };
    while counts(&window, 0) == counts(&window, 1) {
        let shown = window.state_mut().session.analysis.events.as_mut().unwrap();
        let (at, last) = shown.place();
        assert!(at < last);
        shown.show(at + 1);
    }
    for side in [1, 0] {
        window.state_mut().session.analysis.events.as_mut().unwrap().look_at(side);
        window.run_steps(4);
        let words = format!("{} nodes wait, the least f first", counts(&window, side));
        assert!(window.query_by_label(&words).is_some(), "{words}");
    }
    let shown = window.state_mut().session.analysis.events.as_mut().unwrap();
    shown.look_at(1);
    shown.breakpoints.kinds = vec![Condition::Goal];
    shown.scrub(Scrub::Run);
    assert_eq!(shown.event(1).unwrap().kind, EventKind::Expand);
    assert_eq!(shown.place().0, shown.place().1, "the last expansion before the goal");
}

#[test]
fn a_search_is_compared_with_itself_by_other_settings() {
    let mut session = puzzle_by_events();
    let usual = SearchName::usual("astar-h1");
    let own = recorded_as(&session, SearchName { ties: Some(Ties::Fifo), ..usual });
    let other = recorded_as(&session, SearchName { weight: Some(5), ..usual });
    let mut both = SearchEvents::new(own);
    both.compare_with(Some(other));
    session.analysis.events = Some(both);
    settle(&mut session);
    let mut window = window(session, egui::vec2(1280.0, 800.0));
    window.get_by_label("Ties and weights").click();
    window.run_steps(4);
    let session = &window.state().session;
    let titles: Vec<String> = events(session).searches().map(Recorded::title).collect();
    assert!(titles[0].ends_with(", fifo") && titles[1].ends_with(", weight 5"), "{titles:?}");
    // The settings of each can be chosen; what the panel shows keeps those of both.
    for label in ["Of equal f", "Weight of h"] {
        assert_eq!(window.query_all_by_label(label).count(), 2, "{label}");
    }
    assert!(titles.iter().all(|title| window.query_all_by_label(title).count() > 0));
    let info = &session.info.recorded;
    let settings = |name: &str| {
        let of = info.iter().find(|recorded| recorded.planner == name).unwrap();
        (of.has_ties, of.has_weight)
    };
    assert_eq!(settings("astar-h1"), (true, true));
    assert_eq!(settings("uniform-cost"), (true, false));
    assert_eq!(settings("breadth-first"), (false, false));
}

#[test]
fn beside_another_search_the_first_node_that_waits_is_expanded_next() {
    for ties in [Ties::Fifo, Ties::Lifo] {
        let mut session = puzzle_by_events();
        let name = |ties| SearchName { ties: Some(ties), ..SearchName::usual("astar-h1") };
        let mut both = SearchEvents::new(recorded_as(&session, name(ties)));
        both.compare_with(Some(recorded_as(&session, name(Ties::LeastEstimate))));
        session.analysis.events = Some(both);
        settle(&mut session);
        let count = events(&session).recording(0).unwrap().expansions().len();
        assert!(count > 5);
        for at in 0..count - 1 {
            let shown = session.analysis.events.as_mut().unwrap();
            shown.show(at);
            shown.update(0.0);
            let first = shown.view().unwrap().frontier.0.first().unwrap().id;
            shown.show(at + 1);
            assert_eq!(shown.event(0).unwrap().id, first, "{ties:?}, expansion {at}");
        }
    }
}

/// The game tree of this position once it is recorded, with the settings that the panel has.
fn settled_tree<'a>(window: &'a mut Harness<'static, Window>) -> &'a mut ShownTree {
    loop {
        window.run_steps(2);
        let tree = window.state().session.analysis.tree.as_ref().unwrap();
        assert_eq!(tree.failure(), None);
        if tree.view().is_some() {
            break;
        }
        std::thread::yield_now();
    }
    window.state_mut().session.analysis.tree.as_mut().unwrap()
}

#[test]
fn a_game_tree_is_stepped_through_and_pruned() {
    let mut session = replay_of::<Mnk>("mnk/3x3x3", &["novice", "novice"], 3);
    session.jump(3);
    analyse(&mut session);
    let mut window = window(session, egui::vec2(1280.0, 800.0));
    window.get_by_label("Game tree").click();
    let all = {
        let tree = settled_tree(&mut window);
        // To the limit of three moves: 1 + 6 + 6 * 5 + 6 * 5 * 4 nodes, fewer where somebody wins before.
        assert!(tree.all().entered > 100 && tree.all().entered <= 157, "{:?}", tree.all());
        tree.scrub(Scrub::Run);
        let event = tree.recording().unwrap().events[tree.place().0];
        assert_eq!((event.node, event.kind), (0, TreeEventKind::Improve), "a move of the root");
        tree.all()
    };
    window.run_steps(2);
    assert!(window.query_by_label_contains("The first move has returned").is_some());
    assert!(window.query_by_label("Cut").is_none(), "nothing is cut by minimax");
    window.get_by_label("Alpha-beta pruning").click();
    window.run_steps(2);
    {
        let tree = settled_tree(&mut window);
        assert!(tree.of.1.prunes && tree.all().entered < all.entered);
    }
    window.get_by_label("Cut").click();
    window.run_steps(2);
    let (at, cut) = {
        let tree = settled_tree(&mut window);
        tree.scrub(Scrub::Run);
        let at = tree.place().0;
        let event = tree.recording().unwrap().events[at];
        assert_eq!(event.kind, TreeEventKind::Cut);
        assert!(tree.recording().unwrap().left_out(event.node) > 0);
        // A click on a node leads to where it is looked at, one more to where it returns.
        tree.show_node(event.node);
        assert!(tree.place().0 < at);
        tree.show_node(event.node);
        assert_eq!(tree.place().0, at);
        (at, event)
    };
    window.run_steps(4);
    assert!(window.query_by_label_contains("left out.").is_some(), "{at}: {cut:?}");
    // What is drawn of it for this size has the node of the event under the pointer somewhere.
    let session = &window.state().session;
    let tree = session.analysis.tree.as_ref().unwrap();
    let area = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(900.0, 500.0));
    let painter = egui::Painter::new(window.ctx.clone(), egui::LayerId::background(), area);
    let info = session.info.game_tree.unwrap();
    let places = (0..90).flat_map(|x| (0..50).map(move |y| (x as f32 * 10.0, y as f32 * 10.0)));
    let pointed: std::collections::BTreeSet<u32> = places
        .filter_map(|(x, y)| {
            let pointer = Some(egui::pos2(x, y));
            paint_tree(&painter, area, tree, (info, &theme::DARK), pointer).map(|node| node.node)
        })
        .collect();
    let view = tree.view().unwrap();
    assert!(view.path.iter().all(|node| pointed.contains(node)), "{pointed:?}");
    let children = tree.recording().unwrap().node(cut.node).unwrap().children.clone();
    assert!(children.clone().all(|node| pointed.contains(&node)), "{children:?}: {pointed:?}");
    // Large boards have none.
    let session = replay_of::<Mnk>("mnk/7x7x5", &["novice", "novice"], 3);
    assert!(session.info.game_tree.is_none());
}

#[test]
fn whole_numbers_have_commas() {
    assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    assert_eq!(grouped_figure(2.5), "2.5");
    assert_eq!(grouped_figure(20_000.0), "20,000");
}
