//! Two matches side by side in the whole shell, without a window.

use super::dialog::first_choice;
use super::*;
use crate::app::match_screen::command_table::MatchCommand;
use crate::app::match_screen::commands::CommandContext;
use crate::app::match_screen::matches::{FocusedMatchMut, focused, unfocused};
use crate::app::match_screen::tests::{app, config};
use crate::app::match_screen::{DrawStats, PieceKey};
use crate::app::shell::settings::Motion;
use crate::boards::BOARDS;
use bevy::camera::visibility::RenderLayers;
use bevy::ecs::system::RunSystemOnce;
use bevy::time::TimeUpdateStrategy;
use outwit_headless::{GAMES, find};
use outwit_kit::DynGame;
use std::time::Duration;

/// A match of planners of a game, with others beside it. The plainest ones would take thousands of turns.
fn two(game: &dyn DynGame) -> MatchConfig {
    let config = MatchConfig { players: game.players_to_watch(), ..config(game) };
    let beside = first_choice(game, &config.players);
    assert_ne!(beside, config.players);
    MatchConfig { beside: Some(beside), ..config }
}

/// The shell with matches on it, of which each frame shows as much as a frame may.
fn quick(config: MatchConfig) -> App {
    let mut app = app(config, Motion::Off);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(250)));
    app
}

/// What both matches show: turns shown, turns played, whether over.
fn shown(app: &App) -> [(usize, usize, bool); 2] {
    [focused::<Session>(app.world()).unwrap(), unfocused::<Session>(app.world()).unwrap()]
        .map(|session| (session.playback.view, session.live.turns(), session.live.is_over()))
}

/// Lets both matches run until both ends are shown.
fn run(app: &mut App) {
    loop {
        app.update();
        let [main, beside] = shown(app);
        // Each shows the turn of the one that goes on, or its own end.
        let turn = main.0.max(beside.0);
        for (view, turns, over) in [main, beside] {
            assert!(view == turn || over && view == turns, "{main:?} {beside:?}");
        }
        if [main, beside].iter().all(|(view, turns, over)| *over && view == turns) {
            return;
        }
        std::thread::yield_now();
    }
}

fn give(app: &mut App, command: MatchCommand) {
    app.world_mut()
        .run_system_once(move |mut session: FocusedMatchMut, mut context: CommandContext| {
            context.apply(&mut session, command);
        })
        .unwrap();
}

/// The match that these players play alone, as the text of a replay.
fn alone(config: MatchConfig) -> String {
    let board = BOARDS.iter().find(|board| board.id == config.game).unwrap();
    let mut session = (board.begin)(config, false).unwrap();
    while !session.live.is_over() {
        session.live.poll();
        std::thread::yield_now();
    }
    session.replay_text()
}

#[test]
fn each_match_is_the_one_that_its_players_play_alone() {
    for &game in GAMES {
        let config = two(game);
        let mut app = quick(config.clone());
        run(&mut app);
        let players = config.beside.clone().unwrap();
        let one = MatchConfig { beside: None, ..config };
        let other = MatchConfig { players, ..one.clone() };
        let world = app.world();
        assert_eq!(focused::<Session>(world).unwrap().replay_text(), alone(one), "{}", game.id());
        let beside = unfocused::<Session>(world).unwrap();
        assert_eq!(beside.replay_text(), alone(other), "{}", game.id());
    }
}

#[test]
fn one_set_of_controls_drives_both_and_the_shorter_match_rests_at_its_end() {
    let kind = find("racetrack").unwrap();
    let mut ends = Vec::new();
    // Whichever of them is the longer one.
    for [one, other] in [["novice", "optimal"], ["optimal", "novice"]] {
        let players = |name: &str| vec![Player::from(name); config(kind).players.len()];
        let config =
            MatchConfig { players: players(one), beside: Some(players(other)), ..config(kind) };
        let mut app = quick(config);
        run(&mut app);
        let turns = shown(&app).map(|(_, turns, _)| turns);
        let (shorter, longer) = (turns[0].min(turns[1]), turns[0].max(turns[1]));
        assert!(shorter < longer, "{turns:?}");
        ends.push((shorter, longer));
        let views = |app: &App| shown(app).map(|(view, ..)| view);
        let limited = |turn: usize| turns.map(|turns| turn.min(turns));
        give(&mut app, MatchCommand::StepBack);
        assert_eq!(views(&app), limited(longer - 1));
        give(&mut app, MatchCommand::First);
        assert_eq!(views(&app), [0, 0]);
        give(&mut app, MatchCommand::Step);
        (0..3).for_each(|_| app.update());
        assert_eq!(views(&app), [1, 1]);
        give(&mut app, MatchCommand::Last);
        assert_eq!(views(&app), turns);
        give(&mut app, MatchCommand::Faster);
        let speeds = [
            focused::<Session>(app.world()).unwrap().playback.speed,
            unfocused::<Session>(app.world()).unwrap().playback.speed,
        ];
        assert_eq!(speeds[0], speeds[1]);
        // From the end both begin again.
        give(&mut app, MatchCommand::Play);
        assert_eq!(views(&app), [0, 0]);
        run(&mut app);
        assert_eq!(views(&app), turns);
    }
    assert_eq!(ends[0], ends[1], "they change places");
}

#[test]
fn what_comes_next_waits_for_both() {
    let mut app = app(two(find("cops").unwrap()), Motion::Off);
    loop {
        app.update();
        let states = shown(&app);
        let main = focused::<Session>(app.world()).unwrap();
        let beside = unfocused::<Session>(app.world()).unwrap();
        assert!(beside.what_next().is_none());
        let both = states.iter().all(|(view, turns, over)| *over && view == turns);
        assert_eq!(main.what_next().is_some(), both, "{states:?}");
        if both {
            break;
        }
        std::thread::yield_now();
    }
}

#[test]
fn pieces_are_drawn_on_the_layer_of_their_match_and_rest_with_it() {
    let mut app = app(two(find("cops").unwrap()), Motion::Full);
    while shown(&app)[0].0 < 3 {
        app.update();
        std::thread::yield_now();
    }
    give(&mut app, MatchCommand::First);
    (0..3).for_each(|_| app.update());
    let rest = *app.world().resource::<DrawStats>();
    (0..50).for_each(|_| app.update());
    assert_eq!(*app.world().resource::<DrawStats>(), rest, "nothing is drawn anew");
    let world = app.world_mut();
    let mut pieces = world.query::<(&PieceKey, &RenderLayers, Option<&Children>)>();
    let mut layers: [Vec<PieceKey>; 2] = [Vec::new(), Vec::new()];
    for (key, layer, children) in pieces.iter(world) {
        let own = layer.iter().next().unwrap();
        layers[own].push(*key);
        for child in children.into_iter().flatten() {
            assert_eq!(world.get::<RenderLayers>(*child), Some(layer), "what hangs on {key:?}");
        }
    }
    let keys = |session: &Session| {
        let mut keys: Vec<_> = session.live.pieces(0).iter().map(|piece| piece.key).collect();
        keys.sort_unstable();
        keys
    };
    layers.iter_mut().for_each(|layer| layer.sort_unstable());
    assert_eq!(layers[0], keys(focused::<Session>(world).unwrap()));
    assert_eq!(layers[1], keys(unfocused::<Session>(world).unwrap()));
}

#[test]
fn nothing_is_shown_beside_a_match_that_a_person_plays() {
    let kind = find("cops").unwrap();
    let begin = |players: [&str; 2], beside: [&str; 2]| {
        let players = players.map(Player::from).to_vec();
        let beside = beside.map(Player::from).to_vec();
        let config = MatchConfig { players, beside: Some(beside), ..config(kind) };
        let app = app(config, Motion::Off);
        (focused::<Session>(app.world()).is_some(), unfocused::<Session>(app.world()).is_some())
    };
    assert_eq!(begin(["runner", "pack"], ["runner", "chasers"]), (true, true));
    assert_eq!(begin(["human", "pack"], ["runner", "chasers"]), (false, false));
    assert_eq!(begin(["runner", "pack"], ["human", "chasers"]), (false, false));
    let session = |players: &[&str]| {
        let config = MatchConfig {
            players: players.iter().map(|&name| name.into()).collect(),
            ..config(kind)
        };
        Session::new::<outwit_cops::Cops>(config, false).unwrap()
    };
    assert!(BESIDE.allowed(&session(&["runner", "pack"])).is_ok());
    assert!(BESIDE.allowed(&session(&["human", "pack"])).is_err());
}
