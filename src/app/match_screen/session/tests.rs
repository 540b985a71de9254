//! Sessions driven to their end without a window.

use super::super::analysis::state::Analysis;
use super::super::board::{Input, Reply};
use super::super::focus::Focused;
use super::super::game_view::GameView;
use super::super::lifecycle::{Failure, advance, note_distance, note_help, record_result};
use super::super::live::Live;
use super::super::matches::{focused, focused_mut};
use super::super::screenshot;
use super::super::tests::analysed;
use super::*;
use crate::app::requests::{Launch, MatchConfig, Screen};
use crate::app::shell::notice::Notice;
use crate::app::shell::records::Results;
use crate::app::shell::settings::{Motion, Settings};
use crate::app::shell::sound::PlaySound;
use crate::boards::racetrack::overlay;
use outwit_core::grid::Cell;
use outwit_core::levels::rule_to_text;
use outwit_core::play::{Budget, Insight, Player, Replay};
use outwit_pukoban::Pukoban;
use outwit_racetrack::{Accelerate, Race, Racetrack};

mod choices;
mod contest;
mod daily;

fn app(players: &[&str]) -> App {
    app_of(config(players))
}

fn config(players: &[&str]) -> MatchConfig {
    let budget = Budget::Work(10_000);
    MatchConfig { budget, ..MatchConfig::on_level("racetrack/tiny", players) }
}

fn app_of(config: MatchConfig) -> App {
    app_with(Session::new::<Racetrack>(config, true).unwrap())
}

fn app_with(session: Session) -> App {
    let mut app = App::new();
    app.world_mut().spawn((session, Analysis::default(), Focused));
    app.add_plugins(MinimalPlugins)
        .insert_resource(Settings { motion: Motion::Off, ..Settings::default() })
        .init_resource::<Launch>()
        .init_resource::<Results>()
        .add_message::<PlaySound>()
        .add_message::<Notice>()
        .add_systems(Update, (advance, note_help, record_result, note_distance).chain());
    app
}

/// Looks at a match before it is given up. Planners think on their own threads, so how many a test needs depends on the
/// machine; this is far more than the slowest does.
const LOOKS: usize = 10_000_000;

/// Updates until `done`.
fn run_until(app: &mut App, done: impl Fn(&Session) -> bool) {
    for _ in 0..LOOKS {
        if done(focused::<Session>(app.world()).unwrap()) {
            return;
        }
        app.update();
        std::thread::yield_now();
    }
    panic!("it never came to that");
}

fn session(app: &mut App) -> Mut<'_, Session> {
    focused_mut::<Session>(app.world_mut()).unwrap()
}

fn live(session: &Session) -> &Live<Racetrack> {
    session.live().unwrap()
}

fn state(session: &Session) -> Race {
    live(session).shown(session).state().clone()
}

/// A person's choice.
fn choose(session: &mut Session, action: Accelerate) -> ChoiceResult {
    session.live_mut::<Racetrack>().unwrap().queue.push_back(action);
    session.play_queued()
}

/// The fifth of the choices that a person has.
fn any_choice(session: &Session) -> Accelerate {
    live(session).referee().played().game().choices(&state(session), Seat(0))[4]
}

/// The best choice, once the table is computed.
fn best_choice(session: &Session) -> Option<Accelerate> {
    let live = live(session);
    (Racetrack::GUIDANCE.hint)(&live.shown(session), &live.ui, &[]).map(|hint| hint.action)
}

/// Drives as well as can be until the match is over.
fn drive(app: &mut App) {
    for _ in 0..LOOKS {
        run_until(app, |s| s.live.is_over() || s.human_to_move().is_some());
        let mut session = session(app);
        if session.live.is_over() {
            return;
        }
        match best_choice(&session) {
            Some(action) => assert_eq!(choose(&mut session, action), ChoiceResult::Played),
            // The table is still being computed.
            None => app.update(),
        }
    }
    panic!("the race has no end");
}

#[test]
fn planners_race_to_the_end_and_are_reviewed() {
    let mut app = app(&["optimal", "novice"]);
    run_until(&mut app, |session| session.outcome().is_some());
    run_until(&mut app, |session| session.review.moves().is_some());
    let results = app.world().resource::<Results>();
    assert!(results.best("racetrack/tiny").is_none(), "planners set no records");
    let session = session(&mut app);
    let review = session.review.moves().unwrap();
    assert_eq!(review.reached, review.perfect);
    assert!(!session.playback.playing);
}

#[test]
fn a_person_races_looks_back_and_takes_back() {
    let mut app = app(&["human", "novice"]);
    for _ in 0..3 {
        run_until(&mut app, |session| session.human_to_move().is_some() && session.is_at_present());
        let mut session = session(&mut app);
        let action = any_choice(&session);
        assert_eq!(choose(&mut session, action), ChoiceResult::Played);
    }
    run_until(&mut app, |session| session.human_to_move().is_some() && session.is_at_present());
    let mut session = session(&mut app);
    let (present, before) = (session.playback.view, state(&session));
    assert_eq!(present, 6);
    session.step_back();
    session.jump(1);
    assert_ne!(state(&session), before);
    session.jump(present);
    assert_eq!(state(&session), before);
    assert!(!session.result.used_undo);
    assert!(session.undo());
    assert_eq!((session.playback.view, session.live.turns()), (4, 4));
    assert!(session.result.used_undo, "taking back is practice");
}

#[test]
fn a_persons_result_is_kept() {
    let mut app = app(&["human"]);
    drive(&mut app);
    run_until(&mut app, |session| session.outcome().is_some());
    app.update();
    let key = session(&mut app).record_key().unwrap();
    let results = app.world().resource::<Results>();
    let best = results.best(&key).unwrap();
    assert!(best.score < 11.0, "{}", best.label);
    assert!(!best.replay_text.is_empty());
}

#[test]
fn a_race_with_the_best_line_in_sight_sets_no_record() {
    for shown in [overlay::HEAT, overlay::LINE, overlay::GHOST] {
        let mut app = app(&["human", "novice"]);
        session(&mut app).overlays.switch(shown);
        app.update();
        session(&mut app).overlays.switch(shown);
        drive(&mut app);
        run_until(&mut app, |session| session.result.recorded);
        let key = session(&mut app).record_key().unwrap();
        assert!(app.world().resource::<Results>().best(&key).is_none(), "{shown}");
        assert!(session(&mut app).result.rivals.is_empty(), "{shown}");
        let why = session(&mut app).why_no_record();
        assert_eq!(why.as_deref(), Some("Best line shown at turn 0, so this sets no record."));
    }
    // What planners want, and what is shown afterwards, is no help.
    let mut app = app(&["human"]);
    session(&mut app).overlays.switch(overlay::SEARCH);
    drive(&mut app);
    run_until(&mut app, |session| session.result.recorded);
    session(&mut app).overlays.switch(overlay::GHOST);
    app.update();
    assert!(session(&mut app).result.counts());
    let key = session(&mut app).record_key().unwrap();
    assert!(app.world().resource::<Results>().best(&key).is_some());
}

#[test]
fn a_race_that_was_analysed_or_reviewed_before_its_end_sets_no_record() {
    let mut app = app(&["human"]);
    analysed(&mut app, |session| session.open_analysis());
    for _ in 0..LOOKS {
        let is_known = analysed(&mut app, |session| {
            crate::app::match_screen::analysis::update(session, 1.0);
            session.analysis.step().is_some()
        });
        if is_known {
            break;
        }
        std::thread::yield_now();
    }
    assert!(analysed(&mut app, |session| session.analysis.step().is_some()));
    app.update();
    analysed(&mut app, |session| session.close_analysis());
    assert_eq!(session(&mut app).result.help, [(Help::Analysis, 0)]);
    let mut app = self::app(&["human"]);
    drive(&mut app);
    run_until(&mut app, |session| session.tab == Tab::Review && session.review.moves().is_some());
    app.update();
    assert!(session(&mut app).result.counts());
    session(&mut app).rewind(1);
    assert_eq!(session(&mut app).result.help, [(Help::Review, 1)]);
}

#[test]
fn nothing_that_costs_the_record_is_on_from_the_match_before() {
    let mut app = app(&["human"]);
    session(&mut app).overlays.on.fill(true);
    session(&mut app).hide_best();
    let on = session(&mut app).overlays.on.clone();
    assert_eq!(on, [false, false, true, false, true]);
}

/// A whole race of these players, recorded.
fn recorded(players: &[&str]) -> Replay<Racetrack> {
    let mut app = app(players);
    run_until(&mut app, |session| session.outcome().is_some());
    live(&session(&mut app)).referee().replay()
}

fn watching(replay: &Replay<Racetrack>) -> MatchConfig {
    MatchConfig::watching(&rule_to_text(replay), "some", Screen::Menu).unwrap()
}

#[test]
fn a_replay_is_watched_from_its_start() {
    let mut replay = recorded(&["optimal", "novice"]);
    // Nobody asks the planners, so it does not matter who they were.
    replay.seats = vec!["human".into(), "somebody".into()];
    let replay = replay.sealed();
    let turns = replay.turns.len();
    let mut app = app_of(watching(&replay));
    {
        let session = session(&mut app);
        assert!(session.is_replay() && session.humans.is_empty());
        assert_eq!((session.playback.view, session.live.turns()), (0, turns));
        assert_eq!((session.config.seed, session.config.back), (5, Screen::Menu));
        assert_eq!(session.level_name, replay.level.name);
        assert_eq!(session.human_to_move(), None);
        assert_eq!(session.config.players, [Player::Human, "somebody".into()]);
        assert!(session.shows(2) <= session.can_show(2) && !session.can_show(2));
    }
    run_until(&mut app, |session| session.outcome().is_some());
    run_until(&mut app, |session| session.review.moves().is_some());
    assert!(app.world().resource::<Results>().best("racetrack/tiny").is_none());
    let mut session = session(&mut app);
    assert!(!session.playback.playing);
    session.jump(2);
    assert_eq!(state(&session), live(&session).referee().played().states()[2]);
    session.step_back();
    assert_eq!(session.playback.view, 1);
    assert!(!session.undo() && session.live.turns() == turns);
    let action = replay.turns[1][0].1;
    assert_eq!(choose(&mut session, action), ChoiceResult::Dropped);
    assert_eq!((session.playback.view, session.live.turns()), (1, turns), "nothing can be changed");
}

#[test]
fn asking_for_a_mistake_opens_the_review_of_a_replay() {
    let mut app = app_of(watching(&recorded(&["novice"])));
    let mut session = session(&mut app);
    assert_eq!(session.tab, Tab::Match);
    assert!(session.has_mistakes() && session.go_to_mistake(true));
    assert_eq!(session.tab, Tab::Review);
    assert!(!session.go_to_mistake(true), "it is being made");
}

#[test]
fn a_replay_of_an_unfinished_match_stops_where_it_ends() {
    let mut app = app(&["novice"]);
    run_until(&mut app, |session| session.playback.view >= 3);
    let replay = live(&session(&mut app)).referee().replay();
    let mut app = app_of(watching(&replay));
    run_until(&mut app, |session| !session.playback.playing);
    let session = session(&mut app);
    assert_eq!(session.playback.view, replay.turns.len());
    assert!(session.outcome().is_none());
}

#[test]
fn a_replay_that_is_not_faithful_says_where() {
    let good = recorded(&["optimal"]);
    let why = |replay: &Replay<Racetrack>| {
        Session::new::<Racetrack>(watching(replay), true).err().unwrap()
    };
    let mut replay = good.clone();
    replay.digest ^= 1;
    let turns = format!("after its {} turns", good.turns.len());
    assert!(why(&replay).contains(&turns), "{}", why(&replay));
    let mut replay = good.clone();
    replay.turns[1].clear();
    assert!(why(&replay).contains("turn 1"), "{}", why(&replay));
    let mut replay = good.clone();
    replay.rules_version += 1;
    assert!(why(&replay).contains("rules version"), "{}", why(&replay));
    let mut config = watching(&good);
    config.replay = Some(config.replay.unwrap().replace("seed", "sead").into());
    let why = Session::new::<Racetrack>(config, true).err().unwrap();
    assert!(why.starts_with("some:") && why.contains("sead"), "{why}");
    let mut config = watching(&good);
    let newer = config.replay.unwrap().replace("outwit-replay ", "outwit-replay 9");
    config.replay = Some(newer.replace("seed", "sead").into());
    let why = Session::new::<Racetrack>(config, true).err().unwrap();
    assert!(why.contains("newer version"), "{why}");
}

#[test]
fn the_timeline_does_not_tell_what_was_not_shown() {
    let mut app = app(&["human"]);
    drive(&mut app);
    let mut session = session(&mut app);
    let last = session.live.turns();
    session.jump(last);
    assert_eq!(session.told_turns(), last);
    session.rewind(last - 1);
    assert_eq!(session.told_turns(), last - 1);
    session.playback.seen = 1;
    assert_eq!(session.told_turns(), 1);
}

/// Steps and jumps past the end count as much as watching it.
#[test]
fn the_last_turn_may_be_cut_short() {
    for jump in [false, true] {
        let mut app = app(&["human"]);
        drive(&mut app);
        let mut session = session(&mut app);
        let last = session.live.turns();
        if session.playback.view == last {
            // Without motion the last turn is shown at once; look at it again.
            session.playback.view = last - 1;
            session.result.ended = false;
            session.tab = Tab::Match;
            session.review.task = None;
        }
        session.playback.moving = 0.5;
        if jump {
            session.jump(last);
        } else {
            session.step();
        }
        assert_eq!(session.tab, Tab::Review);
        assert!(
            session.review.task.is_some() && !session.playback.playing && !session.overlays.framed
        );
        session.tab = Tab::Match;
        session.jump(0);
        session.jump(last);
        assert_eq!(session.tab, Tab::Match, "only the first time");
    }
}

#[test]
fn a_picture_waits_for_its_turn_and_gives_up_without_a_match() {
    let exits = |app: &mut App| {
        let mut messages = app.world_mut().resource_mut::<Messages<AppExit>>();
        messages.drain().collect::<Vec<_>>()
    };
    let mut app = app(&["human"]);
    app.add_message::<AppExit>().add_systems(
        Update,
        (screenshot::take.after(advance), screenshot::give_up.run_if(resource_exists::<Failure>)),
    );
    app.world_mut().resource_mut::<Launch>().screenshot = Some(("x.png".into(), 3));
    run_until(&mut app, |session| session.human_to_move().is_some());
    for _ in 0..40 {
        app.update();
    }
    let taken = |app: &mut App| {
        let world = app.world_mut();
        world.query::<&bevy::render::view::screenshot::Screenshot>().iter(world).count()
    };
    assert_eq!(taken(&mut app), 0, "a person still has to choose");
    for _ in 0..3 {
        run_until(&mut app, |session| session.human_to_move().is_some());
        let mut session = session(&mut app);
        let action = any_choice(&session);
        assert_eq!(choose(&mut session, action), ChoiceResult::Played);
        session.playback.playing = true;
    }
    run_until(&mut app, |session| session.playback.view >= 3);
    for _ in 0..40 {
        app.update();
    }
    assert_eq!(taken(&mut app), 1);
    assert!(exits(&mut app).is_empty());
    let (why, back) = ("no way".to_owned(), Screen::Menu);
    app.insert_resource(Failure { why, replay: false, back });
    app.update();
    assert_eq!(exits(&mut app), [AppExit::error()]);
}

#[test]
fn what_cannot_be_played_says_why() {
    let mut config = config(&["human"]);
    config.players = vec!["nobody".into()];
    let why = Session::new::<Racetrack>(config.clone(), true).err().unwrap();
    assert!(why.contains("no planner 'nobody'"), "{why}");
    config.rules = vec![("laps".into(), "5".into())];
    let why = Session::new::<Racetrack>(config, true).err().unwrap();
    assert!(why.contains("laps need at least one checkpoint"), "{why}");
}

#[test]
fn when_the_time_is_over_a_person_rolls_on() {
    let mut app = app_of(MatchConfig { clock: Some(3600), ..config(&["human"]) });
    app.update();
    assert_eq!(session(&mut app).live.turns(), 0);
    assert!(session(&mut app).time_left().is_some_and(|left| left.as_secs() > 60));
    // Without any time at all, paused or not, the car rolls on.
    let mut app = app_of(MatchConfig { clock: Some(0), ..config(&["human"]) });
    session(&mut app).playback.playing = false;
    run_until(&mut app, |session| session.live.turns() == 1);
}

#[test]
fn the_others_answer_a_choice_that_ends_a_pause() {
    let mut app = app(&["human", "novice"]);
    run_until(&mut app, |session| session.human_to_move().is_some());
    session(&mut app).playback.playing = false;
    for turn in 1..3 {
        let mut session = session(&mut app);
        let action = any_choice(&session);
        assert_eq!(choose(&mut session, action), ChoiceResult::Played);
        run_until(&mut app, |session| {
            session.playback.view >= turn && session.human_to_move().is_some()
        });
    }
    assert!(session(&mut app).playback.playing);
}

#[test]
fn actions_typed_ahead_are_all_played() {
    let mut app = app(&["human", "novice"]);
    run_until(&mut app, |session| session.human_to_move().is_some());
    let mut session = session(&mut app);
    let first = any_choice(&session);
    let brake = Accelerate(-first.0);
    assert_eq!(choose(&mut session, first), ChoiceResult::Played);
    assert_eq!(choose(&mut session, brake), ChoiceResult::Queued);
    assert_eq!(choose(&mut session, first), ChoiceResult::Queued);
    run_until(&mut app, |session| {
        !session.live.has_queued() && session.human_to_move().is_some() && session.is_at_present()
    });
    let actions = live(focused::<Session>(app.world()).unwrap()).referee().replay().turns;
    let own: Vec<_> = actions.iter().flatten().filter(|(seat, _)| *seat == Seat(0)).collect();
    assert_eq!(own.len(), 3);
    assert_eq!((own[0].1, own[1].1, own[2].1), (first, brake, first));
}

#[test]
fn playing_on_from_an_earlier_turn_goes_on_and_says_so() {
    let mut app = app(&["human", "novice"]);
    for _ in 0..2 {
        run_until(&mut app, |session| session.human_to_move().is_some() && session.is_at_present());
        let mut session = session(&mut app);
        let action = any_choice(&session);
        choose(&mut session, action);
    }
    run_until(&mut app, |session| session.human_to_move().is_some() && session.is_at_present());
    let mut session = session(&mut app);
    let turns = session.live.turns();
    assert_eq!(session.status().words, "Your turn");
    session.jump(0);
    let status = session.status();
    assert_eq!(status.kind, StatusKind::LookingBack);
    assert_eq!(status.words, format!("Looking back at turn 0 of {}", session.live.moment(turns)));
    assert!(status.note.starts_with("End returns to the present."), "{}", status.note);
    let action = any_choice(&session);
    assert_eq!(choose(&mut session, action), ChoiceResult::Branched(turns));
    assert!(session.playback.playing && session.live.turns() == 1, "{}", session.live.turns());
}

#[test]
fn a_planners_picture_is_shown_only_for_its_turn() {
    let mut app = app(&["human", "optimal"]);
    for _ in 0..2 {
        run_until(&mut app, |session| session.human_to_move().is_some() && session.is_at_present());
        let mut session = session(&mut app);
        let action = any_choice(&session);
        choose(&mut session, action);
    }
    let picture = |session: &Session| session.live.insight(session, Seat(1)).cloned();
    // The picture comes a little after the move.
    run_until(&mut app, |session| {
        session.human_to_move().is_some()
            && session.playback.view == 4
            && picture(session).is_some_and(|insight| insight != Insight::default())
    });
    let mut session = session(&mut app);
    session.jump(3);
    assert!(picture(&session).is_some(), "the turn in which it chose");
    session.jump(2);
    assert_eq!(picture(&session), None);
    session.jump(4);
    session.rewind(2);
    assert_eq!(picture(&session), None, "the plan of a line that is gone");
}

#[test]
fn playing_on_from_an_earlier_turn_keeps_what_was_played() {
    let mut app = app(&["human"]);
    let ready = |session: &Session| session.human_to_move().is_some() && session.is_at_present();
    for _ in 0..3 {
        run_until(&mut app, ready);
        let mut session = session(&mut app);
        let action = any_choice(&session);
        choose(&mut session, action);
    }
    run_until(&mut app, ready);
    let played = live(session(&mut app).as_ref()).referee().replay().turns;
    assert_eq!(played.len(), 3);
    session(&mut app).jump(1);
    let other = {
        let session = session(&mut app);
        let (game, state) = (live(&session).referee().played().game().clone(), state(&session));
        game.choices(&state, Seat(0)).into_iter().find(|a| *a != played[1][0].1).unwrap()
    };
    choose(&mut session(&mut app), other);
    run_until(&mut app, |session| session.live.turns() == 2);
    let lines = session(&mut app).live.variations();
    assert_eq!((lines.len(), lines[0].shared, lines[0].turns), (1, 1, 3));
    // The other line comes back as it was, and this one takes its place.
    session(&mut app).choose_variation(0).unwrap();
    assert_eq!(live(session(&mut app).as_ref()).referee().replay().turns, played);
    assert_eq!(session(&mut app).live.variations()[0].turns, 2);
    assert!(session(&mut app).choose_variation(7).is_err());
    // What is taken back can be played again.
    session(&mut app).jump(3);
    assert!(session(&mut app).undo());
    assert!(session(&mut app).live.turns() < 3);
    assert!(session(&mut app).redo());
    assert_eq!(live(session(&mut app).as_ref()).referee().replay().turns, played);
}

/// A race in which the person has left the track and a planner drives on.
fn crashed() -> App {
    let mut app = app(&["human", "novice"]);
    for _ in 0..LOOKS {
        run_until(&mut app, |s| s.human_to_move().is_some() || s.is_out());
        let mut session = session(&mut app);
        if session.is_out() {
            return app;
        }
        let outward = Accelerate(outwit_core::grid::Cell::new(0, 1));
        choose(&mut session, outward);
    }
    panic!("it never leaves the track");
}

#[test]
fn who_is_out_skips_to_the_result_and_may_stop() {
    use crate::app::match_screen::command_table::MatchCommand;
    let mut app = crashed();
    // Turns are never shown to their end: no time passes.
    app.world_mut().resource_mut::<Settings>().motion = Motion::Full;
    app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(Default::default()));
    app.update();
    {
        let mut session = session(&mut app);
        let status = session.status();
        assert!(status.note.contains("U takes back") && status.note.contains("Shift+End skips"));
        assert!(MatchCommand::Skip.allowed(&session).is_ok());
        assert!(MatchCommand::Undo.allowed(&session).is_ok());
        session.skip();
        assert_eq!(session.status().words, "Skipping to the result");
        session.playback.stop();
    }
    let before = session(&mut app).playback.view;
    (0..20).for_each(|_| app.update());
    assert_eq!(session(&mut app).playback.view, before, "it was stopped");
    // The others may have chosen already.
    let stands = match session(&mut app).is_at_present() {
        true => StatusKind::Paused,
        false => StatusKind::LookingBack,
    };
    assert_eq!(session(&mut app).status().kind, stands);
    session(&mut app).skip();
    run_until(&mut app, |session| session.outcome().is_some());
    assert!(!session(&mut app).playback.skips());
    assert!(MatchCommand::Skip.allowed(&session(&mut app)).is_err());
}

#[test]
fn who_is_out_takes_back_and_sets_no_record() {
    let mut app = crashed();
    let out = session(&mut app).playback.view;
    assert!(session(&mut app).undo());
    let session = session(&mut app);
    assert!(session.playback.view < out && !session.is_out());
    assert!(session.human_to_move().is_some() && !session.result.counts());
}

#[test]
fn a_match_goes_on_after_the_analysis_and_says_when_it_stands() {
    let mut app = app(&["novice", "novice"]);
    run_until(&mut app, |session| session.playback.view >= 2);
    analysed(&mut app, |session| {
        session.open_analysis();
        assert!(!session.playback.playing);
        session.close_analysis();
        assert!(session.playback.playing && session.tab == Tab::Match);
        session.playback.stop();
        session.open_analysis();
        session.close_analysis();
        let status = session.status();
        assert_eq!((status.kind, status.words.as_str()), (StatusKind::Paused, "Paused"));
        assert_eq!(status.note, "Space resumes.");
        // Who looked at another turn meanwhile stays there.
        session.playback.playing = true;
        session.open_analysis();
        session.jump(0);
        session.close_analysis();
        assert_eq!((session.playback.view, session.playback.playing), (0, false));
        assert_eq!(session.status().kind, StatusKind::LookingBack);
    });
}

#[test]
fn the_review_goes_from_mistake_to_mistake_and_lets_the_person_try_again() {
    use crate::app::match_screen::command_table::MatchCommand;
    let mut app = crashed();
    session(&mut app).skip();
    run_until(&mut app, |session| session.outcome().is_some() && session.review.moves().is_some());
    let mut session = session(&mut app);
    assert!(session.has_mistakes() && session.go_to_mistake(true));
    let first = session.playback.view;
    let end = session.live.turns();
    session.jump(end);
    assert!(session.go_to_mistake(false));
    let last = session.playback.view;
    assert!(session.go_to_mistake(true));
    assert_eq!(session.playback.view, first, "the first comes after the last");
    assert!(session.go_to_mistake(false));
    assert_eq!(session.playback.view, last);
    let turn = session.playback.view;
    let made = session.review.move_of(turn).unwrap().clone();
    assert!(made.is_mistake() && made.better.is_some(), "{made:?}");
    let status = session.status();
    assert!(status.note.contains(" instead of "), "{}", status.note);
    // The board asks nothing of who reviews.
    let Session { state, live: shown } = &mut *session;
    assert_eq!(shown.prompt(state), "");
    assert!(live(&session).shown(&session).person.is_none());
    assert!(MatchCommand::TryAgain.allowed(&session).is_ok());
    session.tab = Tab::Match;
    assert!(live(&session).shown(&session).person.is_some());
    let turns = session.live.turns();
    let action = any_choice(&session);
    assert_eq!(choose(&mut session, action), ChoiceResult::Branched(turns - turn));
    assert_eq!(session.live.variations().len(), 1, "what was played stays");
}

/// A box is dragged to where it should go, and the player walks and pulls for it; a drag that begins elsewhere is left to
/// the view, and one that ends where the box cannot go moves nothing.
#[test]
fn a_box_is_dragged() {
    let config = MatchConfig::on_level("pukoban/11-closet", &["human"]);
    let mut app = app_with(Session::new::<Pukoban>(config, true).unwrap());
    let reply = |app: &mut App, input: Input| {
        let Session { live, state, .. } = &mut *session(app);
        live.input(state, input)
    };
    let boxes = |app: &mut App| {
        let session = session(app);
        let live: &Live<Pukoban> = session.live().unwrap();
        live.shown(&session).state().boxes.clone()
    };
    let start = boxes(&mut app);
    let middle = |cell: Cell| Vec2::new(cell.x as f32 + 0.5, cell.y as f32 + 0.5);
    let from = middle(start[0]);
    let wall = Vec2::new(0.5, 0.5);
    assert_eq!(reply(&mut app, Input::Drag { from: wall, to: from }), Reply::Ignored);
    assert_eq!(reply(&mut app, Input::Drag { from, to: wall }), Reply::Handled);
    assert_eq!(reply(&mut app, Input::DragEnd { from, to: wall }), Reply::Refused);
    assert_eq!(boxes(&mut app), start);
    let below = start[0] + Cell::new(0, 1);
    assert_eq!(reply(&mut app, Input::Drag { from, to: middle(below) }), Reply::Handled);
    assert_eq!(reply(&mut app, Input::DragEnd { from, to: middle(below) }), Reply::Act(()));
    run_until(&mut app, |session| {
        let live: &Live<Pukoban> = session.live().unwrap();
        live.shown(session).state().boxes == [below]
    });
}
