//! Matches against small engines that do and do not keep to the protocol, as shell scripts.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::level::{FORMAT, MnkFile, MnkRules};
use crate::planners::ALL;
use crate::tests::game;
use crate::{CROSSES, NOUGHTS};
use outwit_core::platform::time::{Instant, sleep};
use outwit_core::play::{
    AllowedPrograms, Closing, Isolation, LogSource, MatchSetup, Player, ProgramKind, Referee,
    Ruling,
};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;

/// Longer than anything here needs, however busy the machine.
const LONG: Duration = Duration::from_secs(60);

/// An engine as a shell script: what it does when it is asked to move. `$a` is what followed the
/// command, `$n` the number of moves asked for so far.
struct Engine {
    folder: tempfile::TempDir,
    path: PathBuf,
}

impl Engine {
    fn new(moves: &str) -> Self {
        Self::of(&format!(
            "n=0\nwhile read -r c a; do case $c in\n\
             ABOUT) echo 'name=\"Fake engine\", version=\"1\"';;\n\
             START|RESTART) echo OK;;\n\
             RECTSTART) echo 'ERROR only square boards';;\n\
             TURN|BEGIN|DONE) {moves}\nn=$((n+1));;\n\
             END) exit 0;;\nesac; done"
        ))
    }

    fn of(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("an engine, of sh");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder, path }
    }

    fn allowed(&self) -> AllowedProgram {
        let command = self.path.to_str().unwrap();
        allow([command]).find(command).unwrap()
    }

    fn player(&self) -> Player {
        Player::of_program(ProgramKind::Engine, self.path.to_str().unwrap())
    }
}

fn level(rules: MnkRules, map: &[&str]) -> MnkFile {
    MnkFile {
        format: FORMAT.into(),
        name: "Test".into(),
        author: String::new(),
        about: String::new(),
        rules,
        map: map.iter().map(|row| (*row).to_owned()).collect(),
    }
}

fn large() -> Arc<Mnk> {
    game(&level(MnkRules::default(), &["..............."; 15]))
}

fn allow<'a>(commands: impl IntoIterator<Item = &'a str>) -> AllowedPrograms {
    AllowedPrograms::chosen_by_person(commands, &Isolation::Limits)
}

/// A set-up whose programs a person has chosen.
fn set_up(players: &[Player], control: TimeControl) -> MatchSetup {
    let programs = allow(players.iter().filter_map(Player::program).map(|program| program.command));
    MatchSetup { programs, ..MatchSetup::new(players, control, 1) }
}

/// A match in which programs have the given time and others count their work.
fn referee(game: &Arc<Mnk>, players: &[Player], control: TimeControl) -> Referee<Mnk> {
    let mut setup = set_up(players, TimeControl::Turn(Budget::Work(20)));
    for (player, own) in players.iter().zip(&mut setup.controls) {
        if player.program().is_some() {
            *own = control;
        }
    }
    Referee::new(Arc::clone(game), ALL, setup).unwrap()
}

fn per_turn(time: Duration) -> TimeControl {
    TimeControl::Turn(Budget::Time(time))
}

fn sent(referee: &Referee<Mnk>, seat: Seat) -> Vec<String> {
    let lines = referee.log(seat).map(|log| log.lines()).unwrap_or_default();
    lines
        .into_iter()
        .filter(|line| line.source == LogSource::Sent && !line.text.contains("folder"))
        .map(|line| line.text)
        .collect()
}

/// Polls until something has come true.
fn poll_until(referee: &mut Referee<Mnk>, what: impl Fn(&Referee<Mnk>) -> bool) {
    let began = Instant::now();
    while !what(referee) {
        assert!(began.elapsed() < LONG, "it never happened: {:?}", sent(referee, NOUGHTS));
        referee.poll();
        sleep(Duration::from_millis(2));
    }
}

fn place(referee: &mut Referee<Mnk>, x: i32, y: i32) {
    referee.choose(CROSSES, MnkAction::Place(Cell::new(x, y))).unwrap();
}

#[test]
fn an_engine_plays_on_both_sides() {
    let engine = Engine::new("echo MESSAGE thinking; sleep 0.1; echo $((n*2)),14");
    let game = large();
    for (players, seat, first) in [
        ([engine.player(), "novice".into()], CROSSES, "BEGIN"),
        (["novice".into(), engine.player()], NOUGHTS, "TURN "),
    ] {
        let mut referee = referee(&game, &players, per_turn(LONG));
        assert_eq!(referee.run(8), Ruling::Played, "{:?}", referee.stats(seat).fault);
        let stats = referee.stats(seat);
        assert_eq!((stats.fault, stats.overruns, stats.asked), (None, 0, 4));
        assert_eq!(
            referee.played().state().stones[14 * 15 + 2],
            Some(if seat == CROSSES { Stone::X } else { Stone::O })
        );
        let sent = sent(&referee, seat);
        let start = sent.iter().position(|line| line == "START 15").unwrap();
        for info in [
            "INFO timeout_turn 60000",
            "INFO timeout_match 0",
            "INFO max_memory 536870912",
            "INFO game_type 1",
            "INFO rule 0",
        ] {
            assert!(sent[..start].iter().any(|line| line == info), "{info}: {sent:?}");
        }
        assert_eq!(sent[start + 1], "INFO time_left 2147483647");
        let asked: Vec<&String> = sent.iter().filter(|line| !line.starts_with("INFO")).collect();
        assert!(asked[1].starts_with(first) && asked[2].starts_with("TURN "), "{asked:?}");
    }
}

#[test]
fn a_suggestion_is_allowed() {
    let engine = Engine::new("echo SUGGEST 3,4; read -r play what; echo $what");
    let mut referee = referee(&large(), &[Player::Human, engine.player()], per_turn(LONG));
    place(&mut referee, 7, 7);
    poll_until(&mut referee, |referee| referee.played().len() == 2 || referee.is_over());
    assert_eq!(referee.stats(NOUGHTS).fault, None);
    assert_eq!(referee.played().state().last, Some(Cell::new(3, 4)));
    assert!(sent(&referee, NOUGHTS).contains(&"PLAY 3,4".to_owned()));
}

#[test]
fn faults_lose_the_match_with_a_reason() {
    let game = large();
    for (moves, reason) in [
        ("exit 3", "it ended by itself with exit code 3"),
        ("kill -11 $$", "(signal 11)"),
        ("exec >&-; sleep 1000", "it closed its output"),
        ("echo hello; sleep 1000", "is not a move: 'hello'"),
        ("printf '\\377\\376\\n'", "is not a move: '\u{fffd}\u{fffd}'"),
        ("echo $a", "which is not empty|is not empty"),
        ("echo 99,3", "outside the board"),
        ("echo -1,3", "is not a move: '-1,3'"),
        ("echo 99999999999999999999,3", "is not a move"),
        ("echo ERROR - I am lost", "ERROR to TURN 7,7: I am lost"),
        ("echo UNKNOWN", "it does not know TURN 7,7"),
        ("echo OK", "it answered OK to TURN 7,7"),
        ("while :; do echo MESSAGE x; done", "it writes without end"),
        ("while :; do echo SUGGEST 1,1; done", "it writes without end|does not read its input"),
        ("head -c 100000 /dev/zero | tr '\\0' x; echo", "is not a move: 'xxx"),
        ("(while :; do sleep 1; done) & exit 1", "exit code 1"),
    ] {
        let engine = Engine::new(moves);
        let players = [Player::Human, engine.player()];
        let mut referee = referee(&game, &players, per_turn(LONG));
        place(&mut referee, 7, 7);
        poll_until(&mut referee, |referee| referee.is_over());
        let fault = referee.stats(NOUGHTS).fault.unwrap();
        assert!(reason.split('|').any(|reason| fault.contains(reason)), "{moves}: {fault}");
        assert_eq!(referee.played().closing(), Some((NOUGHTS, Closing::Failed)));
        let outcome = referee.outcome().unwrap();
        assert_eq!(outcome.headline, "O lost: its program failed");
        let places: Vec<_> = outcome.places.iter().map(|place| (place.rank, place.score)).collect();
        assert_eq!(places, [(1, Some(1.0)), (2, Some(0.0))]);
        let replay = referee.replay();
        assert_eq!(replay.play().unwrap().outcome(), Some(outcome));
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 24, ..Default::default() })]

    /// An engine that says any bytes when it starts and when it is asked loses, or by luck has moved.
    #[test]
    fn any_bytes_of_an_engine_are_survived(
        start in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..60),
        reply in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..60),
        long in 0..20_000_usize,
    ) {
        let engine = Engine::of(
            "cat start; while read -r c a; do case $c in START) echo OK;; \
             BEGIN) cat reply; exit 1;; esac; done",
        );
        std::fs::write(engine.folder.path().join("start"), [&start[..], b"\n"].concat()).unwrap();
        let reply = [&vec![b'y'; long][..], b"\n", &reply].concat();
        std::fs::write(engine.folder.path().join("reply"), reply).unwrap();
        let players = [engine.player(), "novice".into()];
        let mut referee = referee(&large(), &players, per_turn(LONG));
        let ruling = referee.run(1);
        let fault = referee.stats(CROSSES).fault;
        proptest::prop_assert_eq!(ruling == Ruling::Over, fault.is_some(), "{:?}", fault);
    }
}

#[test]
fn silence_loses_when_the_time_is_over() {
    let engine = Engine::new(":");
    let tiny = Duration::from_millis(1);
    let total = TimeControl::Match { total: tiny, increment: Duration::ZERO };
    for (control, reason) in [
        (per_turn(tiny), "it did not move within 1ms and 1000 ms more"),
        (total, "its time for the match is over"),
    ] {
        let mut referee = referee(&large(), &[engine.player(), "novice".into()], control);
        assert_eq!(referee.run(10), Ruling::Over);
        let stats = referee.stats(CROSSES);
        assert_eq!((stats.fault.as_deref(), stats.overruns), (Some(reason), 1));
    }
}

#[test]
fn an_engine_that_cannot_begin_loses_before_it_is_asked() {
    let engine = Engine::of("exit 4");
    let mut never = referee(&large(), &[Player::Human, engine.player()], per_turn(LONG));
    poll_until(&mut never, |referee| referee.is_over());
    assert!(never.stats(NOUGHTS).fault.unwrap().contains("exit code 4"));
    assert_eq!((never.played().len(), never.stats(NOUGHTS).asked), (0, 0));
    // It says anything but what it is asked.
    let engine = Engine::of("while :; do echo noise; done");
    let mut noisy = referee(&large(), &[Player::Human, engine.player()], per_turn(LONG));
    poll_until(&mut noisy, |referee| referee.is_over());
    assert!(noisy.stats(NOUGHTS).fault.unwrap().contains("writes without end"));
    // It does not read at all.
    let engine = Engine::of("while :; do sleep 1; done");
    let players = [Player::Human, engine.player()];
    let mut setup = set_up(&players, per_turn(LONG));
    setup.preparation = vec![Duration::from_millis(20); 2];
    let mut deaf = Referee::new(large(), ALL, setup).unwrap();
    poll_until(&mut deaf, |referee| referee.is_over());
    let fault = deaf.stats(NOUGHTS).fault.unwrap();
    assert!(fault.starts_with("slow start: it was not ready to play after "), "{fault}");
}

#[test]
fn the_start_is_not_time_to_think() {
    // It takes longer for its settings and its start than it may take for a move and is late by.
    let engine = Engine::of(
        "while read -r c a; do case $c in INFO) case $a in max_memory*) sleep 2;; esac;; \
         START) sleep 1; echo OK;; BEGIN) echo 7,7;; END) exit 0;; esac; done",
    );
    let limit = Duration::from_millis(500);
    let mut referee = referee(&large(), &[engine.player(), "novice".into()], per_turn(limit));
    assert_eq!(referee.run(1), Ruling::Played, "{:?}", referee.stats(CROSSES).fault);
    let stats = referee.stats(CROSSES);
    assert!(stats.preparation >= Duration::from_secs(3), "{stats:?}");
    let log = referee.log(CROSSES).unwrap().lines();
    let ready = log.iter().find(|line| line.text.starts_with("it was ready after ")).unwrap();
    assert_eq!(ready.source, LogSource::Note);
    // Its objection to a setting is none to the start.
    let picky = Engine::of(
        "while read -r c a; do case $c in INFO) test \"$a\" = 'game_type 1' && echo ERROR odd;; \
         START) echo OK;; BEGIN) echo 7,7;; END) exit 0;; esac; done",
    );
    let mut referee = self::referee(&large(), &[picky.player(), "novice".into()], per_turn(LONG));
    assert_eq!(referee.run(1), Ruling::Played, "{:?}", referee.stats(CROSSES).fault);
}

#[test]
fn a_position_is_sent_whole_and_in_turn() {
    let engine = Engine::new("echo 0,0");
    let mut setup = set_up(&["novice".into(), engine.player()], per_turn(LONG));
    setup.controls[0] = TimeControl::Turn(Budget::Work(20));
    let rules = MnkRules { to_move: Stone::O, ..MnkRules::default() };
    let level = level(rules, &[".....", ".XO..", ".OX..", "..X..", "....."]);
    let mut referee = Referee::new(game(&level), ALL, setup).unwrap();
    assert_eq!(referee.run(1), Ruling::Played);
    let sent = sent(&referee, NOUGHTS);
    let from = sent.iter().position(|line| line == "BOARD").unwrap();
    assert_eq!(sent[from + 1..], ["1,1,2", "2,1,1", "2,2,2", "1,2,1", "2,3,2", "DONE"]);
}

#[test]
fn a_move_taken_back_is_followed_by_the_whole_board() {
    for (engine, processes) in [
        (Engine::new("echo $((n*2)),14"), 1),
        // This one must be started again.
        (
            Engine::of(
                "n=0; while read -r c a; do case $c in START) echo OK;; RESTART) echo UNKNOWN;; \
                 TURN|DONE) echo $((n*2)),14; n=$((n+1));; END) exit;; esac; done",
            ),
            2,
        ),
    ] {
        let players = [Player::Human, engine.player()];
        let mut referee = referee(&large(), &players, per_turn(LONG));
        place(&mut referee, 7, 7);
        poll_until(&mut referee, |referee| referee.played().len() == 2);
        place(&mut referee, 8, 8);
        poll_until(&mut referee, |referee| referee.played().len() == 4);
        referee.rewind(2);
        place(&mut referee, 9, 9);
        poll_until(&mut referee, |referee| referee.played().len() == 4 || referee.is_over());
        let sent = sent(&referee, NOUGHTS);
        let from = sent.iter().rposition(|line| line == "BOARD");
        // The second engine has forgotten that it played 0,14, and hears of it before it moves.
        let expected = ["7,7,2", "0,14,1", "9,9,2", "DONE"];
        assert_eq!(sent[from.unwrap() + 1..][..4], expected, "{sent:?}");
        let log = referee.log(NOUGHTS).unwrap().lines();
        let started = log.iter().filter(|line| line.text.contains("runs as process")).count();
        assert_eq!(started, processes);
    }
}

#[test]
fn a_question_that_is_taken_back_does_not_get_its_answer_later() {
    let engine = Engine::of(
        "while read -r c a; do case $c in START) echo OK;; TURN) case $a in 7,7) ;; *) echo 0,0;; esac;; \
         DONE) echo 1,1;; END) exit;; esac; done",
    );
    let players = [Player::Human, engine.player()];
    let mut referee = referee(&large(), &players, per_turn(LONG));
    let asked = |what: &'static str| {
        move |referee: &Referee<Mnk>| sent(referee, NOUGHTS).iter().any(|line| line == what)
    };
    place(&mut referee, 7, 7);
    poll_until(&mut referee, asked("TURN 7,7"));
    referee.rewind(0);
    place(&mut referee, 8, 8);
    poll_until(&mut referee, |referee| referee.played().len() == 2);
    let log = referee.log(NOUGHTS).unwrap().lines();
    assert_eq!(log.iter().filter(|line| line.text.contains("runs as process")).count(), 2);
    assert_eq!(referee.stats(NOUGHTS).fault, None);
}

#[test]
fn after_a_fault_a_move_can_be_taken_back_and_the_engine_starts_again() {
    let engine = Engine::new("test -e crashed || { touch crashed; exit 9; }; echo 3,3");
    let players = [Player::Human, engine.player()];
    let mut referee = referee(&large(), &players, per_turn(LONG));
    place(&mut referee, 7, 7);
    poll_until(&mut referee, |referee| referee.is_over());
    assert!(engine.folder.path().join("crashed").exists());
    referee.rewind(0);
    assert_eq!((referee.is_over(), referee.stats(NOUGHTS).fault), (false, None));
    place(&mut referee, 7, 7);
    poll_until(&mut referee, |referee| referee.played().len() == 2 || referee.is_over());
    assert_eq!(referee.stats(NOUGHTS).fault, None);
}

#[test]
fn the_clock_of_the_match_is_told() {
    let engine = Engine::new("echo $((n*2)),14");
    let control = TimeControl::Match { total: LONG, increment: Duration::from_secs(5) };
    let mut referee = referee(&large(), &[Player::Human, engine.player()], control);
    place(&mut referee, 7, 7);
    poll_until(&mut referee, |referee| referee.played().len() == 2);
    let sent = sent(&referee, NOUGHTS);
    for info in [
        "INFO timeout_match 60000",
        "INFO timeout_turn 60000",
        "INFO time_left 60000",
        "INFO game_type 0",
    ] {
        assert!(sent.iter().any(|line| line == info), "{info}: {sent:?}");
    }
    assert!(referee.time_left(NOUGHTS).unwrap() > LONG, "the increment was not added");
}

#[test]
fn what_an_engine_cannot_play_is_said_before_the_match() {
    let engine = Engine::new("echo 0,0");
    let ask = |rules: MnkRules, map: &[&str]| {
        ask(&game(&level(rules, map)), &engine.allowed(), &StopFlag::default())
    };
    let rules = MnkRules::default;
    let square = ["......"; 6];
    assert_eq!(ask(rules(), &square).unwrap().name, "Fake engine");
    let fault = ask(MnkRules { k: 4, ..rules() }, &square).unwrap_err();
    assert!(fault.contains("five in a row only"), "{fault}");
    let fault = ask(rules(), &square[1..]).unwrap_err();
    assert_eq!(fault, "it answered ERROR to RECTSTART 6,5: only square boards");
    let fault = ask(MnkRules { opening: Opening::Swap, ..rules() }, &square).unwrap_err();
    assert!(fault.contains("swap or swap2"), "{fault}");
    // It starts and then objects.
    let picky = Engine::of(
        "while read -r c a b; do case $c in ABOUT) echo I am old;; START) echo OK;; \
         INFO) test $a$b = rule1 && echo ERROR not that one;; END) exit;; esac; done",
    );
    let game = |exact| game(&level(MnkRules { exact, ..rules() }, &square));
    let said = super::ask(&game(true), &picky.allowed(), &StopFlag::default()).unwrap_err();
    assert_eq!(said, "it cannot play by these rules: not that one");
    let said = super::ask(&game(false), &picky.allowed(), &StopFlag::default()).unwrap();
    assert_eq!((said.name.as_str(), said.about.as_str()), ("an engine, of sh", "I am old"));
    // The referee looks too.
    let players = [engine.player(), engine.player()];
    let refused = |game: &Mnk, control: TimeControl| {
        let setup = set_up(&players, control);
        Referee::new(Arc::new(game.clone()), ALL, setup).err().map(|error| error.to_string())
    };
    let work = refused(&game(false), TimeControl::Turn(Budget::Work(5))).unwrap();
    assert!(work.contains("time per turn"), "{work}");
    let swap = MnkRules { opening: Opening::Swap2, ..rules() };
    let swap = self::game(&level(swap, &square));
    assert!(refused(&swap, per_turn(LONG)).unwrap().contains("swap or swap2"));
}

#[test]
fn a_program_that_only_a_file_names_is_not_started() {
    let engine = Engine::of("echo yes > started");
    let players: [Player; 2] = [engine.player(), "novice".into()];
    let refused = |programs: AllowedPrograms| {
        let setup = MatchSetup { programs, ..MatchSetup::new(&players, per_turn(LONG), 1) };
        Referee::new(large(), ALL, setup).err().map(|error| error.to_string()).unwrap()
    };
    let other = engine.folder.path().join("another");
    for programs in [AllowedPrograms::default(), allow([other.to_str().unwrap()])] {
        let why = refused(programs);
        assert!(why.contains("only a file names it") && why.contains("--seat"), "{why}");
    }
    assert!(!engine.folder.path().join("started").exists());
}
