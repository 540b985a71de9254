//! What is asked before a choice is played, how good a result is, and what comes after it.

use super::super::super::board::{Input, Reply};
use super::super::super::command_table::MatchCommand;
use super::super::super::review::verdict;
use super::*;
use crate::app::shell::keyboard::Press;
use crate::app::shell::medals::Medal;

fn press(session: &mut Session, code: KeyCode) -> Reply<()> {
    let key = Input::Key(Press::plain(code));
    let Session { state, live } = session;
    live.input(state, key)
}

#[test]
fn a_choice_that_goes_off_the_track_is_asked_about_once() {
    use KeyCode::{KeyA, KeyD};
    let config = MatchConfig::on_level("racetrack/first-drive", &["human"]);
    let mut app = app_of(config);
    let asks =
        |session: &mut Session| session.live.prompt(&session.state).contains("off the track");
    run_until(&mut app, |session| session.human_to_move().is_some());
    assert_eq!(press(&mut session(&mut app), KeyA), Reply::Act(()));
    assert_eq!(session(&mut app).play_queued(), ChoiceResult::Played);
    run_until(&mut app, |session| session.playback.view == 1);
    // To the left of the start is the wall.
    let mut session = session(&mut app);
    assert!(!asks(&mut session));
    assert_eq!(press(&mut session, KeyA), Reply::Refused);
    assert!(asks(&mut session));
    assert_eq!(press(&mut session, KeyD), Reply::Act(()), "another choice needs no question");
    session.live.clear_queue();
    assert!(!asks(&mut session));
    assert_eq!(press(&mut session, KeyCode::Enter), Reply::Ignored, "nothing is asked");
    for _ in 0..3 {
        assert_eq!(press(&mut session, KeyA), Reply::Refused, "keys are pressed in a row");
    }
    assert_eq!(press(&mut session, KeyCode::Enter), Reply::Act(()));
    assert_eq!(session.play_queued(), ChoiceResult::Played);
    assert_eq!(session.live.turns(), 2);
}

#[test]
fn where_nothing_but_crashes_is_left_nobody_is_asked() {
    let mut app = app(&["human"]);
    let mut pushed = 0;
    loop {
        run_until(&mut app, |session| session.live.is_over() || session.human_to_move().is_some());
        let mut session = session(&mut app);
        if session.live.is_over() {
            use KeyCode::{KeyA, KeyD, KeyW, KeyX};
            for code in [KeyA, KeyD, KeyW, KeyX] {
                press(&mut session, code);
                let Session { state, live } = &mut *session;
                let prompt = live.prompt(state);
                assert_eq!(prompt, "", "who is out drives nowhere: {code:?}");
            }
            break;
        }
        if press(&mut session, KeyCode::KeyD) == Reply::Refused {
            // Drive on until it cannot be helped any more.
            assert_eq!(press(&mut session, KeyCode::Enter), Reply::Act(()));
        }
        session.play_queued();
        pushed += 1;
        assert!(pushed < 30);
    }
    assert!(pushed > 2);
}

#[test]
fn after_a_match_one_thing_comes_next() {
    let next = |session: &Session| session.what_next().map(|(command, _)| command);
    let mut app = app(&["human"]);
    assert_eq!(next(&session(&mut app)), None);
    drive(&mut app);
    run_until(&mut app, |session| session.outcome().is_some());
    assert_eq!(next(&session(&mut app)), Some(MatchCommand::NextMatch));
    session(&mut app).result.next_rival = Some((1, Player::from("novice")));
    let (command, words) = session(&mut app).what_next().unwrap();
    assert_eq!((command, words.as_str()), (MatchCommand::NextRival, "Next rival: Novice"));
    let last = session(&mut app).live.turns();
    session(&mut app).jump(last - 1);
    assert_eq!(next(&session(&mut app)), None, "only at the end");
}

#[test]
fn after_a_puzzle_comes_the_next_one_while_there_is_one() {
    let config = MatchConfig::on_level("pukoban/01-first-push", &["human"]);
    let mut app = app_with(Session::new::<outwit_pukoban::Pukoban>(config, true).unwrap());
    for key in [KeyCode::ArrowUp, KeyCode::ArrowLeft, KeyCode::ArrowDown, KeyCode::ArrowDown] {
        run_until(&mut app, |session| session.human_to_move().is_some());
        assert_eq!(press(&mut session(&mut app), key), Reply::Act(()));
        session(&mut app).play_queued();
    }
    run_until(&mut app, |session| session.what_next().is_some());
    let mut session = session(&mut app);
    let next = |session: &Session| session.what_next().map(|(command, _)| command);
    assert_eq!(next(&session), Some(MatchCommand::OtherLevel(1)));
    session.result.level_follows = false;
    assert_eq!(next(&session), Some(MatchCommand::Leave));
}

#[test]
fn a_push_is_taken_back_with_all_steps_since() {
    use KeyCode::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp};
    let config = MatchConfig::on_level("pukoban/01-first-push", &["human"]);
    let mut app = app_with(Session::new::<outwit_pukoban::Pukoban>(config, true).unwrap());
    for key in [ArrowUp, ArrowLeft, ArrowDown, ArrowUp, ArrowRight] {
        run_until(&mut app, |session| session.human_to_move().is_some());
        assert_eq!(press(&mut session(&mut app), key), Reply::Act(()));
        session(&mut app).play_queued();
    }
    run_until(&mut app, |session| session.playback.view == 5);
    let mut session = session(&mut app);
    assert!(MatchCommand::UndoToLandmark.allowed(&session).is_ok());
    assert!(session.undo_to_landmark());
    assert_eq!((session.playback.view, session.live.turns()), (2, 5), "nothing is lost");
    assert!(MatchCommand::UndoToLandmark.allowed(&session).is_err());
    assert!(!session.undo_to_landmark());
}

#[test]
fn a_result_is_called_optimal_only_where_nothing_better_is_possible() {
    for wasted in [false, true] {
        let config = MatchConfig::on_level("racetrack/first-drive", &["human"]);
        let mut app = app_of(config);
        run_until(&mut app, |session| session.human_to_move().is_some());
        if wasted {
            // Away from the finish.
            let away = Accelerate(outwit_core::grid::Cell::new(-1, 0));
            assert_eq!(choose(&mut session(&mut app), away), ChoiceResult::Played);
        }
        assert_eq!(verdict(&session(&mut app)), None, "it goes on");
        drive(&mut app);
        run_until(&mut app, |session| session.review.moves().is_some());
        let (words, optimal) = verdict(&session(&mut app)).unwrap();
        assert_eq!(optimal, !wasted, "{words}");
        assert_eq!(words.contains("more than the best possible"), wasted, "{words}");
        app.update();
        let key = session(&mut app).record_key().unwrap();
        let medal = app.world().resource::<Results>().best(&key).and_then(|best| best.medal());
        assert_eq!(medal, Some(if wasted { Medal::Bronze } else { Medal::Gold }));
    }
}

#[test]
fn a_pause_is_called_so_though_the_planners_are_further_on() {
    let mut app = app(&["novice", "ace"]);
    run_until(&mut app, |session| session.live.turns() > 4);
    let mut session = session(&mut app);
    session.jump(3);
    session.playback.playing = true;
    session.playback.moving = 0.5;
    session.playback.pause();
    session.playback.finish_turn();
    assert_eq!(session.status().words, "Paused");
    session.step_back();
    assert!(session.status().words.starts_with("Looking back at turn"));
}
