//! Sessions driven to their end without a window.

use super::super::lifecycle::{Failure, advance, remember_result};
use super::*;
use crate::app::Launch;
use crate::app::shell::Screen;
use crate::app::shell::notice::Notice;
use crate::app::shell::records::Results;
use crate::app::shell::settings::{Motion, Settings};
use crate::app::shell::sound::PlaySound;
use crate::games::racetrack::Racetrack;
use crate::levels::built_in;
use crate::play::{Budget, Game};

fn app(players: &[&str]) -> App {
    app_of(config(players))
}

fn config(players: &[&str]) -> MatchConfig {
    MatchConfig {
        game: Racetrack::ID,
        level: built_in("racetrack/tiny").unwrap(),
        rules: Vec::new(),
        players: players.iter().map(|&name| name.into()).collect(),
        seed: 5,
        budget: Budget::Work(10_000),
        clock: None,
        replay: None,
        back: Screen::Setup,
    }
}

fn app_of(config: MatchConfig) -> App {
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
    assert!(!session.used_undo);
    assert!(session.undo());
    assert_eq!((session.view, session.played().len()), (4, 4));
    assert!(session.used_undo, "taking back is practice");
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
        let best = <Racetrack as GameView>::hint(&session);
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

/// A whole race of these players, recorded.
fn recorded(players: &[&str]) -> Replay<Racetrack> {
    let mut app = app(players);
    run_until(&mut app, |session| session.outcome().is_some());
    session(&mut app).referee.replay()
}

fn watching(replay: &Replay<Racetrack>) -> MatchConfig {
    MatchConfig::watching(&rule_to_text(replay), "some", Screen::Menu).unwrap()
}

#[test]
fn a_replay_is_watched_from_its_start() {
    let mut replay = recorded(&["optimal", "novice"]);
    // Nobody asks the planners, so it does not matter who they were.
    replay.seats = vec!["human".into(), "somebody".into()];
    let turns = replay.turns.len();
    let mut app = app_of(watching(&replay));
    {
        let session = session(&mut app);
        assert!(session.is_replay() && session.humans.is_empty());
        assert_eq!((session.view, session.played().len()), (0, turns));
        assert_eq!((session.config.seed, session.config.back), (5, Screen::Menu));
        assert_eq!(session.level_name, replay.level.name);
        assert_eq!(session.human_to_move(), None);
        assert_eq!(session.config.players, [Player::Human, "somebody".into()]);
        assert!(session.shows(2) <= session.can_show(2) && !session.can_show(2));
    }
    run_until(&mut app, |session| session.outcome().is_some());
    run_until(&mut app, |session| session.reviewed_moves().is_some());
    assert!(app.world().resource::<Results>().best("racetrack/tiny").is_none());
    let mut session = session(&mut app);
    assert!(!session.playing);
    session.jump(2);
    let state = session.played().states()[2].clone();
    assert_eq!(*session.state(), state);
    session.step_back();
    assert_eq!(session.view, 1);
    assert!(!session.undo() && session.played().len() == turns);
    let action = replay.turns[1][0].1;
    session.choose(action).unwrap();
    assert_eq!((session.view, session.played().len()), (1, turns), "nothing can be changed");
}

#[test]
fn a_replay_of_an_unfinished_match_stops_where_it_ends() {
    let mut app = app(&["novice"]);
    run_until(&mut app, |session| session.view >= 3);
    let replay = session(&mut app).referee.replay();
    let mut app = app_of(watching(&replay));
    run_until(&mut app, |session| !session.playing);
    let session = session(&mut app);
    assert_eq!(session.view, replay.turns.len());
    assert!(session.outcome().is_none());
}

#[test]
fn a_replay_that_is_not_faithful_says_where() {
    let good = recorded(&["optimal"]);
    let why = |replay: &Replay<Racetrack>| {
        Session::<Racetrack>::new(watching(replay), true).err().unwrap()
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
    let why = Session::<Racetrack>::new(config, true).err().unwrap();
    assert!(why.starts_with("some:") && why.contains("sead"), "{why}");
}

/// Steps and jumps past the end count as much as watching it.
#[test]
fn the_last_turn_may_be_cut_short() {
    for jump in [false, true] {
        let mut app = app(&["human"]);
        loop {
            run_until(&mut app, |s| s.referee.is_over() || s.human_to_move().is_some());
            let mut session = session(&mut app);
            if session.referee.is_over() {
                break;
            }
            match <Racetrack as GameView>::hint(&session) {
                Some((action, _)) => session.choose(action).unwrap(),
                None => app.update(),
            }
        }
        let mut session = session(&mut app);
        let last = session.played().len();
        if session.view == last {
            // Without motion the last turn is shown at once; look at it again.
            session.view = last - 1;
            session.ended = false;
            session.tab = Tab::Match;
            session.review = None;
        }
        session.moving = 0.5;
        if jump {
            session.jump(last);
        } else {
            session.step();
        }
        assert_eq!(session.tab, Tab::Review);
        assert!(session.review.is_some() && !session.playing && !session.framed);
        session.tab = Tab::Match;
        session.jump(0);
        session.jump(last);
        assert_eq!(session.tab, Tab::Match, "only the first time");
    }
}

#[test]
fn a_picture_waits_for_its_turn_and_gives_up_without_a_match() {
    use crate::app::match_screen::screenshot;
    let exits = |app: &mut App| {
        let mut messages = app.world_mut().resource_mut::<Messages<AppExit>>();
        messages.drain().collect::<Vec<_>>()
    };
    let mut app = app(&["human"]);
    app.add_message::<AppExit>().add_systems(
        Update,
        (
            screenshot::take::<Racetrack>.after(advance::<Racetrack>),
            screenshot::give_up.run_if(resource_exists::<Failure>),
        ),
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
        let action = session.game().choices(session.state(), Seat(0))[4];
        session.choose(action).unwrap();
        session.playing = true;
    }
    run_until(&mut app, |session| session.view >= 3);
    for _ in 0..40 {
        app.update();
    }
    assert_eq!(taken(&mut app), 1);
    assert!(exits(&mut app).is_empty());
    let (why, back) = ("no way".to_owned(), Screen::Menu);
    app.insert_resource(Failure { game: Racetrack::ID, why, replay: false, back });
    app.update();
    assert_eq!(exits(&mut app), [AppExit::error()]);
}

#[test]
fn what_cannot_be_played_says_why() {
    let mut config = config(&["human"]);
    config.players = vec!["nobody".into()];
    let why = Session::<Racetrack>::new(config.clone(), true).err().unwrap();
    assert!(why.contains("no planner 'nobody'"), "{why}");
    config.rules = vec![("laps".into(), "5".into())];
    let why = Session::<Racetrack>::new(config, true).err().unwrap();
    assert!(why.contains("laps need at least one checkpoint"), "{why}");
}

#[test]
fn when_the_time_is_over_a_person_rolls_on() {
    let mut app = app_of(MatchConfig { clock: Some(30), ..config(&["human"]) });
    app.update();
    assert_eq!(session(&mut app).played().len(), 0);
    assert!(session(&mut app).time_left().is_some_and(|left| left > 20.0));
    session(&mut app).playing = false;
    session(&mut app).thought = 40.0;
    app.update();
    assert_eq!(session(&mut app).played().len(), 0, "a match that is paused takes no time");
    session(&mut app).playing = true;
    run_until(&mut app, |session| session.played().len() == 1);
    assert!(session(&mut app).thought < 20.0, "the next move has its own time");
    assert_eq!(session(&mut app).config.clock, Some(30));
}
