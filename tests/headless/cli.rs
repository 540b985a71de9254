//! The command line, as a shell sees it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A level file of three cells and a border.
pub(super) const LEVEL: &str =
    "(format: \"racetrack 1\", name: \"Short\", map: [\"####\", \"#SF#\", \"####\"])";
const BAD: &str = "(format: \"racetrack 1\", name: \"Bad\", map: [\"S.?.\", \"####\"])";

const BAD_PURSUIT: &str = "(format: \"cops 1\", name: \"Bad\", map: [\"=====\", \"=T?.=\", \"=...=\", \"=...=\", \"=====\"])";

pub(super) struct Desk(tempfile::TempDir);

impl Desk {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    /// Runs outwit in this folder, with the user's levels below it.
    pub(super) fn run(&self, args: &[&str]) -> Said {
        let Output { status, stdout, stderr } = self.command(args).output().unwrap();
        Said {
            code: status.code().unwrap(),
            out: String::from_utf8(stdout).unwrap(),
            err: String::from_utf8(stderr).unwrap(),
        }
    }

    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.command_of(env!("CARGO_BIN_EXE_outwit"));
        command.args(args);
        command
    }

    /// Another program in this folder.
    pub(super) fn command_of(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.0).env("OUTWIT_DATA", self.path("data")).stdin(Stdio::null());
        command
    }
}

#[derive(Debug)]
pub(super) struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Said {
    #[track_caller]
    pub(super) fn is(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        self
    }

    /// The one JSON document.
    #[track_caller]
    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn every_sub_command_helps_with_an_example() {
    let desk = Desk::new();
    for name in [
        "play", "levels", "planners", "check", "convert", "solve", "match", "league", "exploit",
        "replay", "bench", "exercise",
    ] {
        let said = desk.run(&[name, "--help"]).is(0);
        assert!(said.out.contains(&format!("outwit {name}")), "{name}: {}", said.out);
        assert!(said.out.contains("Example"), "{name}: {}", said.out);
        assert!(said.out.contains("--json"), "{name}: {}", said.out);
    }
}

#[test]
fn lists_are_there_in_both_forms() {
    let desk = Desk::new();
    for list in ["levels", "planners"] {
        assert!(desk.run(&[list]).is(0).out.lines().count() > 3);
        assert!(
            desk.run(&[list, "racetrack", "--json"]).is(0).json().as_array().unwrap().len() > 3
        );
        assert!(desk.run(&[list, "nosuch"]).is(2).err.starts_with("outwit: "));
    }
}

#[test]
fn wrong_use_is_two_with_a_message() {
    let desk = Desk::new();
    let bad = desk.put("bad.ron", BAD);
    for args in [
        &["nonsense"][..],
        &["solve"],
        &["solve", "racetrack/nowhere"],
        &["solve", "nosuch.ron"],
        &["solve", "racetrack/first-lap", "--planner", "nobody"],
        &["solve", "racetrack/first-lap", "--budget", "much"],
        &["solve", "racetrack/first-lap", "--start", "here"],
        &["solve", "racetrack/first-lap", "--start", "0,0"],
        &["match", "nosuch"],
        &["match", "racetrack", "nowhere"],
        &["match", "racetrack", "--seat", "car9=greedy"],
        &["match", "racetrack", "--seat", "car1=nobody"],
        &["match", "racetrack", "--seat", "car1=human"],
        &["match", "racetrack", "--seat", "car1"],
        &["match", "racetrack", "--seat", "car1=greedy", "--seat", "car1=ace"],
        &["match", "racetrack", "--seat", "car2=greedy"],
        &["match", "racetrack", "--seat", "car1=greedy,"],
        &["match", "racetrack", "--seat", "car1=greedy,human"],
        &["match", "cops", "--seat", "thief=runner,chasers", "--seat", "cops=pack"],
        &["match", "racetrack", "--games", "0"],
        &["exploit", "cops"],
        &["exploit", "nosuch", "--seat", "cops=marshal"],
        &["exploit", "racetrack", "--seat", "car1=ace"],
        &["exploit", "cops", "--seat", "robber=schemer"],
        &["exploit", "cops", "--seat", "cops=schemer"],
        &["exploit", "cops", "--seat", "cops=human"],
        &["exploit", "cops", "--seat", "cops=engine:/bin/true"],
        &["exploit", "cops", "--seat", "cops=marshal", "--against", "chasers"],
        &["exploit", "cops", "--seat", "cops=marshal", "--games", "0"],
        &["play", "nosuch"],
        &["play", "racetrack", "nowhere"],
        &["play", "racetrack", "--seat", "car1=nobody"],
        &["play", "racetrack", "--at-turn", "3"],
        &["check"],
        &["check", "nosuch.ron"],
        &["replay", "nosuch.ron"],
        &["bench", "nosuch"],
        &["convert", "racetrack/first-lap", "out.nosuch"],
        &["convert", "racetrack/first-lap", "out.ron", "--set", "laps"],
        &["convert", "racetrack/first-lap", "out.ron", "--set", "rules.nosuch=2"],
        &["convert", "racetrack/first-lap", "out.ron", "--set", "rules.laps=many"],
    ] {
        let said = desk.run(args).is(2);
        assert!(said.err.starts_with("outwit: "), "{args:?}: {said:?}");
        assert!(said.out.is_empty(), "{args:?}: {said:?}");
    }
    // A faulty level is an answer, not wrong use.
    let pursuit = desk.put("pursuit.ron", BAD_PURSUIT);
    for args in [
        &["solve", text(&bad)][..],
        &["match", "racetrack", text(&bad)],
        &["exploit", text(&pursuit), "--seat", "cops=marshal"],
        &["convert", text(&bad), "out.ron"],
        &["play", "racetrack", text(&bad)],
    ] {
        let said = desk.run(args).is(1);
        assert!(said.err.contains("cell (2,"), "{args:?}: {said:?}");
    }
    assert!(!desk.path("out.ron").exists());
}

#[test]
fn typing_errors_are_understood() {
    let desk = Desk::new();
    for (args, meant) in [
        (&["levels", "racetrak"][..], "racetrack"),
        (&["solve", "racetrack/frist-lap"], "racetrack/first-lap"),
        (&["match", "racetrack", "--seat", "car1=greddy"], "greedy"),
        (&["solve", "racetrack/first-lap", "--planner", "optimla"], "optimal"),
    ] {
        let said = desk.run(args).is(2);
        assert!(said.err.contains("did you mean") && said.err.contains(meant), "{said:?}");
    }
    let said = desk.run(&["match", "racetrack/tiny", "--games", "1"]).is(2);
    assert!(said.err.contains("after the game: racetrack tiny\n"), "{said:?}");
    assert!(desk.run(&["match", "rases/tiny"]).is(2).err.contains("choose from"));
}

#[test]
fn levels_of_every_game_go_out_and_come_in() {
    let desk = Desk::new();
    for (game, level) in [("racetrack", "racetrack/hairpins"), ("cops", "cops/crowded")] {
        desk.run(&["convert", level, "first.ron"]).is(0);
        for ending in ["png", "txt"] {
            let out = format!("level.{ending}");
            let said = desk.run(&["convert", level, &out, "--json"]).is(0);
            assert_eq!(said.json()["lost"], serde_json::json!([]));
            desk.run(&["convert", &out, "again.ron"]).is(0);
            let read = |name: &str| std::fs::read_to_string(desk.path(name)).unwrap();
            assert_eq!(read("again.ron"), read("first.ron"), "{level} {ending}");
            desk.run(&["check", &out]).is(0);
            let other = if game == "cops" { "racetrack" } else { "cops" };
            let said = desk.run(&["convert", &out, "x.ron", "--game", other]).is(1);
            assert!(said.err.contains("this is a level of "), "{said:?}");
        }
    }
    // A map that says nothing of itself.
    desk.put("board.txt", "=======\n=T....=\n=.....G\n=..#..G\n=.....=\n=....C=\n=======\n");
    desk.run(&["convert", "board.txt", "board.png", "--set", "rules.walls=0"]).is(0);
    let said = desk.run(&["check", "board.png"]).is(0);
    assert!(said.out.contains("1 level"), "{said:?}");
    desk.run(&["convert", "board.txt", "x.ron", "--game", "nosuch"]).is(2);
}

#[test]
fn check_tells_every_fault_of_every_file() {
    let desk = Desk::new();
    let good = desk.put("good.ron", LEVEL);
    desk.put("bad.ron", BAD);
    desk.put("broken.ron", "(format: \"racetrack 1\",\n  name: 7,\n  map: [])");
    desk.put("junk.ron", [0xff, 0xfe, 0, 1, 2]);
    desk.put("junk.track", "dim: 2 2\nS?\n?F\n");
    desk.put("huge.track", "dim: 9999 9999\nSF\n");
    desk.run(&["check", text(&good)]).is(0);
    let said = desk.run(&[
        "check",
        "good.ron",
        "bad.ron",
        "broken.ron",
        "junk.ron",
        "junk.track",
        "huge.track",
    ]);
    let said = said.is(1);
    for wanted in [
        "bad.ron: cell (2,0): ",
        "bad.ron: there is no finish",
        "broken.ron:2:",
        "junk.ron:",
        "junk.track:2:2: unknown character '?' in 2 cells",
        "huge.track: ",
    ] {
        assert!(said.out.contains(wanted), "{wanted}: {said:?}");
    }
    let list = desk.run(&["check", "--json", "bad.ron", "junk.track"]).is(1).json();
    assert!(list.as_array().unwrap().len() >= 3, "{list}");
    assert_eq!(desk.run(&["check", "--json", "good.ron"]).is(0).json(), serde_json::json!([]));
    // A map that may be one of two games.
    desk.put("house.map", "type octile\nheight 4\nwidth 6\nmap\n@@@@@@\n@....@\n@....@\n@@@@@@\n");
    desk.run(&["check", "house.map", "--game", "stealth"]).is(0);
    assert!(desk.run(&["check", "house.map", "--game", "pukoban"]).is(1).out.contains("house.map"));
    desk.run(&["check", "house.map", "--game", "nosuch"]).is(2);
}

#[test]
fn conversions_go_round() {
    let desk = Desk::new();
    desk.put("short.ron", LEVEL);
    desk.run(&["convert", "short.ron", "short.png", "--set", "rules.max_speed=3"]).is(0);
    desk.run(&["convert", "short.png", "again.ron"]).is(0);
    let again = std::fs::read_to_string(desk.path("again.ron")).unwrap();
    assert!(again.contains("max_speed: 3") && again.contains("Short"), "{again}");
    let said = desk.run(&["convert", "again.ron", "short.track", "--json"]).is(0);
    assert!(said.json()["lost"].to_string().contains("max_speed"), "{said:?}");
    desk.run(&["convert", "short.track", "again.ron"]).is(0);
    assert_eq!(std::fs::read_to_string(desk.path("again.ron~")).unwrap(), again);
    desk.run(&["solve", "short.track"]).is(0);
}

#[test]
fn levels_are_solved() {
    let desk = Desk::new();
    desk.put("short.ron", LEVEL);
    let said = desk.run(&["solve", "short.ron", "--json"]).is(0);
    assert_eq!(
        (said.json()["value"].as_f64(), said.json()["proved"].as_bool()),
        (Some(0.5), Some(true))
    );
    desk.run(&["solve", "short.ron", "--start", "1,1"]).is(0);
    desk.run(&["solve", "short.ron", "--planner", "greedy"]).is(0);
}

#[test]
fn matches_are_the_same_each_time() {
    let desk = Desk::new();
    desk.put("lane.track", "S.......F\n");
    let args = [
        "match",
        "racetrack",
        "lane.track",
        "--games",
        "3",
        "--seed",
        "5",
        "--json",
        "--seat",
        "car1=greedy",
        "--seat",
        "car2=ace",
    ];
    let (first, second) = (desk.run(&args).is(0), desk.run(&args).is(0));
    let steady = |said: &Said| {
        // Times differ; who played and what came of it does not.
        let mut rows = said.json();
        fn drop_times(value: &mut serde_json::Value) {
            match value {
                serde_json::Value::Object(map) => {
                    map.retain(|key, _| !key.contains("ms") && !key.contains("time"));
                    map.values_mut().for_each(drop_times);
                }
                serde_json::Value::Array(list) => list.iter_mut().for_each(drop_times),
                _ => {}
            }
        }
        drop_times(&mut rows);
        rows
    };
    assert_eq!(steady(&first), steady(&second));
    assert!(first.err.is_empty(), "no progress bar where there is no terminal: {first:?}");
    desk.run(&["match", "racetrack", "lane.track", "--games", "1"]).is(0);
}

#[test]
fn a_pair_is_measured() {
    let desk = Desk::new();
    let args = ["match", "cops", "tiny", "--seat", "thief=runner", "--seat", "cops=chasers"];
    let said = desk.run(&[&args[..], &["--games", "5", "--seed", "3", "--json"]].concat()).is(0);
    let json = said.json();
    let figure = |key: &str| json[key].as_f64().unwrap_or_else(|| panic!("{key}: {json}"));
    assert_eq!(figure("games"), 5.0);
    let shares = figure("caught") + figure("escaped") + figure("survived");
    assert!((shares - 1.0).abs() < 1e-9);
    for key in ["mean_payoff", "ci95", "mean_ticks", "overruns", "plan_ms_p50", "plan_ms_p99"] {
        assert!(figure(key) >= 0.0, "{key}");
    }
    assert_eq!((&json["thief"], &json["cops"]), (&"runner".into(), &"chasers".into()));
}

#[test]
fn a_best_response_is_measured() {
    let desk = Desk::new();
    let args = ["exploit", "cops/tiny", "--seat", "cops=chasers", "--against", "runner"];
    let args = [&args[..], &["--games", "4", "--seed", "3", "--budget", "300w"]].concat();
    let first = desk.run(&[&args[..], &["--json", "--csv", "games.csv"]].concat()).is(0);
    let json = first.json();
    let mean = |of: &Value, key: &str| {
        let figures = of.as_array().unwrap().iter().map(|row| row[key].as_f64().unwrap());
        figures.sum::<f64>() / of.as_array().unwrap().len() as f64
    };
    for (whole, row) in
        [("response", "response_payoff"), ("baseline", "baseline_payoff"), ("gain", "gain")]
    {
        let figure = json[whole]["mean"].as_f64().unwrap();
        assert!((figure - mean(&json["rows"], row)).abs() < 1e-9, "{whole}: {json}");
    }
    for row in json["rows"].as_array().unwrap() {
        let figure = |key: &str| row[key].as_f64().unwrap();
        assert_eq!(figure("gain"), figure("response_payoff") - figure("baseline_payoff"));
    }
    // The baseline is what a match gives.
    let seats = ["--seat", "thief=runner", "--seat", "cops=chasers", "--json"];
    let games = ["--games", "4", "--seed", "3", "--budget", "300w"];
    let played = desk.run(&[&["match", "cops", "tiny"][..], &seats, &games].concat()).is(0).json();
    assert_eq!(json["baseline"]["mean"], played["mean_payoff"]);
    assert_eq!(json["baseline"]["ci95"], played["ci95"]);
    // It knows what the cops will do, as the thief that runs for the gate does not.
    assert!(json["gain"]["mean"].as_f64().unwrap() > 0.0, "{json}");
    let again = desk.run(&[&args[..], &["--json", "--jobs", "1"]].concat()).is(0);
    assert_eq!(again.out, first.out, "the same on one thread as on all");
    let table = std::fs::read_to_string(desk.path("games.csv")).unwrap();
    assert_eq!(table.lines().count(), 5);
    let said = desk.run(&args).is(0).out;
    assert!(said.contains("lower bound") && said.contains("chasers"), "{said}");
    // From the other side payoffs fall, and the gain is what the thief lost.
    let args = ["exploit", "cops/tiny", "--seat", "thief=runner", "--against", "chasers"];
    let args = [&args[..], &["--games", "2", "--budget", "300w", "--json"]].concat();
    for row in desk.run(&args).is(0).json()["rows"].as_array().unwrap() {
        let figure = |key: &str| row[key].as_f64().unwrap();
        assert_eq!(figure("gain"), figure("baseline_payoff") - figure("response_payoff"));
    }
    let said = desk.run(&["exploit", "racetrack", "--seat", "car1=ace"]).is(2);
    assert!(said.err.contains("no best responder"), "{said:?}");
}

#[test]
fn replays_are_judged() {
    use outwit_core::play::Replay;
    use outwit_racetrack::Racetrack;
    let desk = Desk::new();
    let mut race = super::tracks::race(&super::tracks::straight(), 1);
    for _ in 0..20 {
        if race.outcome().is_none() {
            let x = if race.len() < 5 { 1 } else { -1 };
            super::tracks::drive(&mut race, x, 0);
        }
    }
    let mut replay: Replay<Racetrack> = Replay::of(&race, vec!["human".into()]);
    let put =
        |name: &str, replay: &Replay<Racetrack>| desk.put(name, ron::to_string(replay).unwrap());
    put("good.ron", &replay);
    replay.digest ^= 1;
    put("unfaithful.ron", &replay);
    desk.put("level.ron", LEVEL);
    desk.put("junk.ron", [7, 255, 0]);
    let said = desk.run(&["replay", "good.ron", "--json"]).is(0);
    assert_eq!(said.json()["faithful"], true);
    assert_eq!(desk.run(&["replay", "unfaithful.ron", "--json"]).is(1).json()["faithful"], false);
    let said = desk.run(&["replay", "good.ron", "--commentary"]).is(0);
    assert!(said.out.contains("Car 1 ") && said.out.contains("turning points"), "{}", said.out);
    let said = desk.run(&["replay", "good.ron", "--commentary", "--json"]).is(0).json();
    let remarks = said["commentary"]["remarks"].as_array().unwrap();
    assert!(remarks.iter().all(|remark| remark["figures"].is_array()), "{said}");
    desk.run(&["replay", "unfaithful.ron", "--commentary"]).is(1);
    for file in ["level.ron", "junk.ron"] {
        assert!(desk.run(&["replay", file]).is(1).err.contains(file));
        assert!(desk.run(&["play", "--replay", file]).is(1).err.contains(file));
    }
    // What would be watched is told by the replay alone.
    let said = desk.run(&["play", "--replay", "good.ron", "--json"]).is(0).json();
    assert_eq!((&said["seats"][0], &said["faithful"]), (&"human".into(), &true.into()), "{said}");
    desk.run(&["play", "--replay", "unfaithful.ron", "--json"]).is(1);
    desk.run(&["play", "racetrack", "--replay", "good.ron"]).is(2);
    desk.run(&["play", "--replay", "good.ron", "--seed", "3"]).is(2);
    desk.run(&["play"]).is(2);
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_is_silent_but_no_success() {
    let desk = Desk::new();
    for args in [&["levels", "--json"][..], &["levels"], &["--help"]] {
        // Closed before the program writes, however quick it is.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let Output { status, stderr, .. } = desk.command(args).stdout(writer).output().unwrap();
        assert_eq!(status.code(), Some(2), "{args:?}");
        assert!(stderr.is_empty(), "{}", String::from_utf8_lossy(&stderr));
    }
}

#[test]
fn seats_that_are_not_named_get_the_usual_players() {
    let desk = Desk::new();
    let seats = |game: &str, named: &[&str]| {
        let mut args = vec!["play"];
        args.extend(game.split('/'));
        args.push("--json");
        named.iter().for_each(|seat| args.extend(["--seat", seat]));
        let said = desk.run(&args).is(0).json();
        let seats = said["seats"].as_array().unwrap().iter();
        seats.map(|player| player.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    for (game, named, expected) in [
        ("mnk/problem-01", &[][..], "human casual"),
        ("mnk/problem-05", &[], "casual human"),
        ("mnk/problem-05", &["o=best"], "human best"),
        ("mnk/problem-05", &["x=best"], "best human"),
        ("mnk/problem-05", &["x=human"], "human casual"),
        ("racetrack", &[], "human clubman"),
        ("racetrack", &["car1=human"], "human"),
        ("racetrack", &["car2=ace"], "human ace"),
        ("racetrack", &["car3=human"], "clubman clubman human"),
        ("racetrack", &["car2=human", "car1=optimal"], "optimal human"),
        ("cops", &[], "human guards"),
        ("cops", &["cops=human"], "casual human"),
        ("cops", &["cops=marshal"], "human marshal"),
        ("cops", &["thief=schemer", "cops=guards"], "schemer guards"),
        ("pukoban", &[], "human"),
        ("pukoban", &["player=best"], "best"),
        ("stealth", &[], "human"),
        ("stealth", &["thief=exact"], "exact"),
        ("mnk", &[], "human casual"),
        ("mnk", &["o=human"], "casual human"),
        ("mnk", &["x=best"], "best human"),
        ("mnk", &["o=novice", "x=best"], "best novice"),
    ] {
        assert_eq!(seats(game, named), expected, "{game} {named:?}");
    }
    for (game, seat) in [("cops", "robber=random"), ("stealth", "cop=exact"), ("mnk", "x=ace")] {
        desk.run(&["play", game, "--seat", seat]).is(2);
    }
}

#[test]
#[cfg(not(feature = "app"))]
fn without_a_window_it_says_so() {
    let desk = Desk::new();
    for args in [&[][..], &["play", "racetrack"]] {
        assert!(desk.run(args).is(2).err.contains("no window"));
    }
}

#[test]
fn moves_are_played_from_text_or_file() {
    let desk = Desk::new();
    let solve = |moves: &str| desk.run(&["solve", "pukoban/02-first-pull", "--moves", moves]);
    assert!(solve("lluvru>>ulDldR").is(0).out.contains("Solved in 14 steps and 5 box moves"));
    desk.put("moves.txt", "2luvru\n2> ulDldR\n");
    assert!(solve("moves.txt").is(0).out.contains("after 14 turns"));
    assert!(solve("ll").is(1).out.contains("not over"));
    let said = solve("2luuu").is(1);
    assert!(said.err.contains("move 4 ('u' at line 1, column 4)"), "{said:?}");
    assert!(solve("lx").is(1).err.contains("line 1, column 2: unknown character 'x'"));
    let said = desk.run(&["solve", "cops/courtyard", "--moves", "R"]).is(1);
    assert!(said.err.contains("has no notation of moves"), "{said:?}");
}

#[test]
fn a_thief_is_solved_measured_and_moved() {
    let desk = Desk::new();
    let said = desk.run(&["solve", "stealth/report-2"]).is(0);
    assert!(said.out.contains("fitness -28.5") && said.out.contains("proved"), "{said:?}");
    assert_eq!(said.out.matches("moves:").count(), 1, "{said:?}");
    let said = desk.run(&["solve", "stealth/15-rounds"]).is(0);
    let solution = desk.run(&["solve", "stealth/15-rounds", "--json"]).is(0).json();
    let points = solution["front"]["points"].as_array().unwrap();
    assert_eq!(solution["front"]["complete"], true);
    assert!(points.len() > 1);
    for point in points {
        let (length, moves) = (point["values"][0].as_f64(), point["moves"].as_str().unwrap());
        assert_eq!(length, Some(moves.len() as f64));
        assert!(said.out.contains(moves), "{said:?}");
    }
    let with_seed = |seed: &str| {
        let args = ["solve", "stealth/tavern", "--planner", "genetic", "--seed", seed, "--json"];
        let solution: serde_json::Value = serde_json::from_str(&desk.run(&args).is(0).out).unwrap();
        assert_eq!(solution["proved"], false);
        solution["moves"].clone()
    };
    assert_eq!(with_seed("1"), with_seed("1"));
    assert_ne!(with_seed("1"), with_seed("2"));
    desk.run(&["solve", "stealth/tavern", "--seed", "1"]).is(2);
    // A dead end is rated, but solves nothing.
    let said = desk.run(&["solve", "stealth/report-2", "--moves", "uuurulur"]).is(1);
    assert!(said.out.contains("Stuck after 8 moves: fitness 10.5"), "{said:?}");
    desk.run(&["solve", "stealth/report-2", "--moves", "rurruuuurruulllllu"]).is(0);
    let said = desk.run(&["solve", "stealth/report-2", "--moves", "ud"]).is(1);
    assert!(said.err.contains("move 2 ('d') enters a cell for the second time"), "{said:?}");
    let games = ["--planner", "genetic,exact", "--games", "3", "--json"];
    let args = [&["match", "stealth", "stealth/report-3"][..], &games].concat();
    let report: serde_json::Value = serde_json::from_str(&desk.run(&args).is(0).out).unwrap();
    let exact = &report["rows"][1];
    assert_eq!((&exact["complete"], &exact["optimum"]), (&1.0.into(), &1.0.into()));
    assert_eq!(exact["median_fitness"], -418.0 / 9.0);
    assert!(report["rows"][0]["evaluations"].as_f64().unwrap() > 5000.0);
    assert!(desk.run(&["match", "cops", "--planner", "runner"]).is(2).err.contains("--seat"));
}
