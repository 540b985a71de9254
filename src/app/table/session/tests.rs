//! Sessions driven to their end without a window.

use super::*;
use crate::games::racetrack::Racetrack;
use crate::levels::built_in;
use crate::play::{Budget, Game};

fn app(players: &[&str]) -> App {
    let config = MatchConfig {
        game: Racetrack::ID,
        level: built_in("racetrack/tiny").unwrap(),
        rules: Vec::new(),
        players: players.iter().map(|&name| name.into()).collect(),
        seed: 5,
        budget: Budget::Work(10_000),
        replay: None,
        back: crate::app::Screen::Setup,
    };
    let mut app = App::new();
    app.add_plugins(MinimalPlugins)
        .insert_resource(Session::<Racetrack>::new(config, true).unwrap())
        .insert_resource(Settings { motion: Motion::Off, ..Settings::default() })
        .init_resource::<Launch>()
        .init_resource::<Results>()
        .add_message::<PlaySound>()
        .add_message::<Notice>()
        .add_systems(Update, (advance::<Racetrack>, remember_result::<Racetrack>).chain());
    app
}

/// Updates until `done`; planners think on their own threads, so frames are not counted.
fn run_until(app: &mut App, done: impl Fn(&Session<Racetrack>) -> bool) {
    while !done(app.world().resource::<Session<Racetrack>>()) {
        app.update();
        std::thread::yield_now();
    }
}

fn session(app: &mut App) -> Mut<'_, Session<Racetrack>> {
    app.world_mut().resource_mut::<Session<Racetrack>>()
}

#[test]
fn planners_race_to_the_end_and_are_reviewed() {
    let mut app = app(&["optimal", "novice"]);
    run_until(&mut app, |session| session.outcome().is_some());
    run_until(&mut app, |session| session.reviewed_moves().is_some());
    let results = app.world().resource::<Results>();
    assert!(results.best("racetrack/tiny").is_none(), "planners set no records");
    let session = session(&mut app);
    let review = session.reviewed_moves().unwrap();
    assert_eq!(review.reached, review.perfect);
    assert!(!session.playing);
}

#[test]
fn a_person_races_looks_back_and_takes_back() {
    let mut app = app(&["human", "novice"]);
    for _ in 0..3 {
        run_until(&mut app, |session| session.human_to_move().is_some() && session.is_at_present());
        let mut session = session(&mut app);
        let action = session.game().choices(session.state(), Seat(0))[4];
        session.choose(action).unwrap();
    }
    run_until(&mut app, |session| session.human_to_move().is_some() && session.is_at_present());
    let mut session = session(&mut app);
    let (present, state) = (session.view, session.state().clone());
    assert_eq!(present, 6);
    session.step_back();
    session.jump(1);
    assert_ne!(*session.state(), state);
    session.jump(present);
    assert_eq!(*session.state(), state);
    assert!(!session.practised);
    assert!(session.undo());
    assert_eq!((session.view, session.played().len()), (4, 4));
    assert!(session.practised, "taking back is practice");
}

#[test]
fn a_persons_result_is_kept() {
    let mut app = app(&["human"]);
    loop {
        run_until(&mut app, |s| s.outcome().is_some() || s.human_to_move().is_some());
        let mut session = session(&mut app);
        if session.outcome().is_some() {
            break;
        }
        let best = <Racetrack as Board>::hint(&session);
        match best {
            Some((action, _)) => session.choose(action).unwrap(),
            // The table is still being computed.
            None => app.update(),
        }
    }
    app.update();
    let results = app.world().resource::<Results>();
    let best = results.best("racetrack/tiny").unwrap();
    assert!(best.score < 11.0, "{}", best.label);
    assert!(!best.replay_text.is_empty());
}

#[test]
fn what_cannot_be_played_says_why() {
    let mut config = app(&["human"]).world().resource::<Session<Racetrack>>().config.clone();
    config.players = vec!["nobody".into()];
    let why = Session::<Racetrack>::new(config.clone(), true).err().unwrap();
    assert!(why.contains("no planner 'nobody'"), "{why}");
    config.rules = vec![("laps".into(), "5".into())];
    let why = Session::<Racetrack>::new(config, true).err().unwrap();
    assert!(why.contains("laps need at least one checkpoint"), "{why}");
}
