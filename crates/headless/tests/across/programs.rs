//! Programs of other people in matches: their time, what they said, and that replays keep it.

use outwit_cops::Cops;
use outwit_core::levels::{read_ron, rule_to_text};
use outwit_core::platform::time::Duration;
use outwit_core::play::{
    AllowedPrograms, Budget, Closing, Game, Isolation, KeptPrograms, MatchSetup, Player,
    ProgramKind, REPLAY_FORMAT, Referee, Replay, Ruling, Seat,
};
use outwit_kit::{GameSpec, read_level};
use outwit_levels::built_in;
use outwit_mnk::Mnk;
use outwit_pukoban::Pukoban;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;

struct Bots(tempfile::TempDir);

impl Bots {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A player that does `turn` in each turn, where `say X` sends the action X and `$t` is the number of the turn.
    fn player(&self, ready: &str, turn: &str) -> Player {
        let path: PathBuf = self.0.path().join("bot");
        let script = format!(
            "#!/bin/sh\nsay() {{ echo '{{\"type\":\"action\",\"turn\":'$t',\"action\":'\"$1\"$2'}}'; }}\n\
             while read -r l; do case $l in\n\
             *'\"type\":\"start\"'*) echo '{{\"type\":\"ready\",\"name\":\"Bot '$$'\"{ready}}}';;\n\
             *'\"type\":\"turn\"'*) t=${{l#*'\"turn\":'}}; t=${{t%%,*}}; echo \"$l\" >> turns\n{turn};;\n\
             *'\"type\":\"end\"'*) echo \"$l\" >> ends;;\nesac; done"
        );
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Player::of_program(ProgramKind::Program, path.to_str().unwrap())
    }

    fn lines(&self, file: &str) -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(self.0.path().join(file)).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn referee<G: GameSpec>(
    level: &str,
    players: &[Player],
    limit: u64,
    change: impl FnOnce(&mut MatchSetup),
) -> Referee<G> {
    let level = read_level::<G>(&built_in(level).unwrap().bytes().unwrap(), "x").unwrap();
    let game = Arc::new(G::new(&level, players.len()).unwrap());
    let mut setup = MatchSetup::new(players, Budget::Time(Duration::from_millis(limit)), 3);
    let commands = players.iter().filter_map(Player::program).map(|program| program.command);
    setup.programs = AllowedPrograms::chosen_by_person(commands, &Isolation::Limits);
    change(&mut setup);
    Referee::new(game, G::planners(), setup).unwrap()
}

/// More than any program here needs, however busy the machine.
const LONG: u64 = 60_000;

#[test]
fn what_a_program_said_is_kept_in_the_replay() {
    let bots = Bots::new();
    let turn = "echo '{\"type\":\"note\",\"turn\":'$t',\"text\":\"I run.\"}'\n\
        echo '{\"type\":\"insight\",\"turn\":'$t',\"marks\":[{\"cell\":{\"x\":2,\"y\":3},\"kind\":\"target\"}]}'\n\
        say '[\"RR\"]'";
    let players = [bots.player("", turn), "chasers".into()];
    let mut referee = referee::<Cops>("cops/default", &players, LONG, |_| {});
    assert_eq!(referee.run(10_000), Ruling::Over);
    let stats = referee.stats(Seat(0));
    assert_eq!((stats.illegal, stats.broken, stats.silent, stats.overruns), (0, 0, 0, 0));
    assert!(referee.program_name(Seat(0)).unwrap().starts_with("Bot "));
    // Too few steps are filled up with none.
    let first = referee.played().turns()[0].actions.clone();
    assert_eq!(Vec::<String>::from(first[0].1.clone()), ["RR..."]);
    let replay = referee.replay();
    assert_eq!(replay.format, REPLAY_FORMAT);
    assert_eq!(replay.thoughts.len(), stats.asked as usize);
    let text = rule_to_text(&replay);
    let read: Replay<Cops> = read_ron(text.as_bytes()).unwrap();
    assert_eq!(read.thoughts, replay.thoughts);
    let again = read.play().unwrap();
    assert!(
        read_ron::<Replay<Cops>>(text.replacen("I run.", "I walk.", 1).as_bytes())
            .unwrap()
            .play()
            .is_err()
    );
    let record = Referee::of_record(again, &read);
    assert_eq!(record.program_name(Seat(0)), referee.program_name(Seat(0)));
    assert_eq!(record.program_name(Seat(1)), None);
    let thoughts = record.thoughts(Seat(0));
    assert_eq!(thoughts[0].notes, ["I run."]);
    assert_eq!(thoughts[0].insight.as_ref().unwrap().marks.len(), 1);
    assert!(record.thoughts(Seat(1)).is_empty());
    // It was told the end, once.
    drop(referee);
    let began = std::time::Instant::now();
    while bots.lines("ends").is_empty() && began.elapsed() < Duration::from_millis(LONG) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(bots.lines("ends")[0]["outcome"]["headline"].is_string());
}

#[test]
fn a_bank_is_for_pauses_and_an_early_answer_for_those_who_think_on() {
    let bots = Bots::new();
    // Once 0.3 s too long: that is taken from the bank, and the program is told.
    let slow = bots
        .player("", "[ $t -eq 0 ] && sleep 0.4; say '{\"Place\":{\"x\":0,\"y\":'$((t / 2))'}}'");
    let bank = |setup: &mut MatchSetup| setup.bank = Duration::from_millis(LONG);
    let mut slow = referee::<Mnk>("mnk/3x3x3", &[slow, "novice".into()], 100, bank);
    slow.run(3);
    assert_eq!((slow.stats(Seat(0)).overruns, slow.stats(Seat(0)).asked), (0, 2));
    let turns = bots.lines("turns");
    assert_eq!(turns[0]["bank_ms"], LONG);
    let left = turns[1]["bank_ms"].as_u64().unwrap();
    assert!((LONG - 20_000..=LONG - 250).contains(&left), "{left}");
    assert_eq!(turns[1]["last"]["late"], false);
    assert!(turns[1]["last"]["ms"].as_u64().unwrap() >= 400);
    // The last answer before the time counts, though more was promised.
    let bots = Bots::new();
    let eager = "say '{\"Place\":{\"x\":0,\"y\":0}}' ',\"more\":true'\n\
        say '{\"Place\":{\"x\":2,\"y\":2}}' ',\"more\":true'; sleep 30";
    let players = [bots.player("", eager), "novice".into()];
    let mut eager = referee::<Mnk>("mnk/3x3x3", &players, 1500, bank);
    eager.run(1);
    let stats = eager.stats(Seat(0));
    assert_eq!((stats.overruns, stats.illegal), (0, 0));
    let chosen = rule_to_text(&eager.played().turns()[0].actions[0].1);
    assert!(chosen.contains("x:2"), "{chosen}");
}

#[test]
fn a_program_that_can_goes_on_from_match_to_match() {
    let bots = Bots::new();
    let players = |bots: &Bots, ready: &str| -> [Player; 2] {
        [bots.player(ready, "say '{\"Place\":{\"x\":'$((t / 2 % 3))',\"y\":0}}'"), "novice".into()]
    };
    let names = |players: &[Player; 2]| {
        let kept = KeptPrograms::default();
        let play = |_| {
            let mut referee =
                referee::<Mnk>("mnk/3x3x3", players, LONG, |setup| setup.kept = kept.clone());
            referee.run(100);
            let name = referee.program_name(Seat(0)).unwrap();
            drop(referee);
            // It comes back once it has been told the end.
            std::thread::sleep(Duration::from_millis(300));
            name
        };
        (0..3).map(play).collect::<std::collections::BTreeSet<_>>().len()
    };
    assert_eq!(names(&players(&bots, ",\"keep_alive\":true")), 1);
    assert_eq!(names(&players(&bots, "")), 3);
}

#[test]
fn a_puzzle_is_answered_as_a_whole() {
    let bots = Bots::new();
    // First push: around the box and down.
    let level = "pukoban/01-first-push";
    let solution = "[\"u\",\"l\",\"d\",\"d\"]";
    let solved = bots.player("", &format!("say '{solution}'"));
    let referee_of = |player: Player| {
        let mut referee = referee::<Pukoban>(level, &[player], LONG, |_| {});
        referee.run(1000);
        referee
    };
    let referee = referee_of(solved);
    let outcome = referee.outcome().unwrap();
    assert_eq!(outcome.places[0].ending, "solved", "{}", outcome.headline);
    assert_eq!((referee.played().len(), bots.lines("turns").len()), (4, 1));
    // One that ends too early, and one that walks into a wall.
    for (answer, turns, illegal) in [("[\"u\"]", 1, 0), ("[\"u\",\"u\"]", 1, 1)] {
        let bots = Bots::new();
        let referee = referee_of(bots.player("", &format!("say '{answer}'")));
        assert_eq!(referee.played().closing(), Some((Seat(0), Closing::Unsolved)), "{answer}");
        assert_eq!(referee.played().len(), turns, "{answer}");
        assert_eq!(referee.stats(Seat(0)).illegal, illegal, "{answer}");
        assert_eq!(bots.lines("turns").len(), 1);
    }
}

#[test]
fn what_the_fog_hides_no_program_is_told() {
    for entry in outwit_levels::BUILT_IN.iter().filter(|level| level.id.starts_with("stealth/")) {
        let level = read_level::<outwit_stealth::Stealth>(entry.text.as_bytes(), "x").unwrap();
        let game = outwit_stealth::Stealth::new(&level, 1).unwrap();
        let shown = game.public_level();
        match game.is_foggy() {
            false => assert_eq!(&shown, game.level(), "{}", entry.id),
            true => {
                let known = |map: &[String]| {
                    map.iter().flat_map(|row| row.chars()).filter(|tile| *tile != '.').count()
                };
                assert!(known(&shown.map) < known(&game.level().map), "{}", entry.id);
                assert_eq!(shown.rules.sight, game.level().rules.sight);
            }
        }
    }
}
