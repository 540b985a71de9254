//! Other programs as players, and this one as a program that plays.

use super::cli::Desk;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than anything here needs, however busy the machine.
const LONG: Duration = Duration::from_secs(60);

pub(super) fn script(desk: &Desk, name: &str, text: &str) -> PathBuf {
    let path = desk.put(name, format!("#!/bin/sh\n{text}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// This program as an engine, in a file whose name has all that may be in one.
fn brain(desk: &Desk) -> PathBuf {
    script(desk, "our own, brain=x", &format!("exec '{}' brain", env!("CARGO_BIN_EXE_outwit")))
}

#[test]
fn the_own_engine_plays_in_a_seat() {
    let desk = Desk::new();
    let seat = format!("o=engine:{}", brain(&desk).display());
    for level in ["mnk/3x3x3", "mnk/4x4x3"] {
        let said = desk
            .run(&[
                "match", "mnk", level, "--seat", "x=novice", "--seat", &seat, "--games", "2",
                "--budget", "500ms", "--json",
            ])
            .is(0);
        let report = said.json();
        assert_eq!(report["engine_faults"], serde_json::json!([]), "{report}");
        assert_eq!((&report["faults"], &report["illegal"]), (&0.into(), &0.into()), "{report}");
        assert_eq!(report["rows"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn tournaments_with_engines_are_sealed_and_engines_are_not_told_the_salt() {
    let desk = Desk::new();
    let seen = desk.path("seen");
    let shown = seen.display();
    let spy = script(
        &desk,
        "spy",
        &format!(
            "env >> '{shown}'; echo \"$0 $*\" >> '{shown}'; tee -a '{shown}' | '{}' brain",
            env!("CARGO_BIN_EXE_outwit")
        ),
    );
    let seat = format!("o=engine:{}", spy.display());
    let run = |more: &[&str]| {
        let args = ["match", "mnk", "mnk/3x3x3", "--seat", "x=novice", "--seat", &seat];
        desk.run(&[&args[..], &["--games", "1", "--budget", "500ms", "--json"], more].concat())
    };
    let report = run(&["--replays", "replays", "--save", "kept.jsonl"]).is(0).json();
    let salt = report["salt"].as_str().unwrap();
    assert_eq!(salt.len(), 64);
    let text = std::fs::read_to_string(&seen).unwrap();
    assert!(text.contains("PATH=") && text.contains("START"), "{text}");
    assert!(!text.contains(salt) && !text.contains("salt"), "{text}");
    let replay = std::fs::read_dir(desk.path("replays")).unwrap().next().unwrap().unwrap().path();
    assert!(std::fs::read_to_string(&replay).unwrap().contains(salt));
    desk.run(&["replay", replay.to_str().unwrap()]).is(0);
    assert_eq!(run(&["--unsealed"]).is(0).json().get("salt"), None);
    let why = run(&["--shard", "1/2"]).is(2).err;
    assert!(why.contains("--salt") && why.contains("--unsealed"), "{why}");
    // What is resumed stays as it was begun.
    let file = desk.path("kept.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    desk.put("kept.jsonl", format!("{}\n", text.lines().next().unwrap()));
    let args = ["match", "mnk", "--seat", "x=novice", "--seat", &seat, "--json"];
    let resumed = desk.run(&[&args[..], &["--resume", "kept.jsonl"]].concat()).is(0).json();
    assert_eq!(resumed["salt"], salt);
}

#[test]
fn faults_of_engines_are_reported() {
    let desk = Desk::new();
    let wild = script(
        &desk,
        "wild",
        "while read -r c a; do case $c in ABOUT) echo 'name=\"Wild\", win_length=\"1-9\"';; \
         START) echo OK;; TURN) echo no idea >&2; exit 7;; esac; done",
    );
    let seat = format!("o=engine:{}", wild.display());
    let run = |more: &[&str]| {
        let args = [
            &["match", "mnk", "--seat", "x=novice", "--seat", &seat][..],
            &["--games", "3", "--budget", "500ms", "--openings", "none"],
            more,
        ];
        desk.run(&args.concat()).is(0)
    };
    let said = run(&["--games-csv", "games.csv", "--csv", "rows.csv", "--save", "saved"]).out;
    assert!(said.contains("Lost because a program failed:"), "{said}");
    let why = "it ended by itself with exit code 7";
    assert_eq!(said.matches(why).count(), 3, "{said}");
    let games = std::fs::read_to_string(desk.path("games.csv")).unwrap();
    assert!(games.lines().next().unwrap().contains("o_fault"), "{games}");
    assert_eq!(games.matches(why).count(), 3, "{games}");
    assert!(games.contains("failed") && games.contains("won"), "{games}");
    let rows = std::fs::read_to_string(desk.path("rows.csv")).unwrap();
    assert!(rows.lines().next().unwrap().split(',').any(|key| key == "faults"), "{rows}");
    let report = run(&[]).out;
    assert!(report.contains("seed 3"), "{report}");
    // All is kept: nothing is played again, and the reasons are still known.
    let resume = ["match", "mnk", "--resume", "saved", "--json"];
    let seats = ["--seat", "x=novice", "--seat", &seat];
    // A file does not run programs by itself.
    assert!(desk.run(&resume).is(2).err.contains("to allow it"));
    let saved = desk.run(&[&resume[..], &seats].concat()).is(0).json();
    assert_eq!(saved["engine_faults"].as_array().unwrap().len(), 3);
    let fault = saved["engine_faults"][0]["fault"].as_str().unwrap();
    assert!(fault.starts_with(why), "{fault}");
    assert_eq!((&saved["mean_payoff"], &saved["faults"]), (&1.0.into(), &3.into()));
    // Replays get file names without the path of the program.
    run(&["--replays", "replays"]);
    assert_eq!(std::fs::read_dir(desk.path("replays")).unwrap().count(), 3);
}

#[test]
fn a_slow_start_is_no_time_to_think_and_a_slow_move_is_lost_on_time() {
    let desk = Desk::new();
    let slow = script(
        &desk,
        "slow",
        "while read -r c a; do case $c in START) sleep 2; echo OK;; TURN) echo 5,5;; END) exit;; \
         ABOUT) echo 'name=\"Slow\"';; esac; done",
    );
    let late = script(
        &desk,
        "late",
        "while read -r c a; do case $c in START) echo OK;; TURN) sleep 0.6; echo 5,5;; END) exit;; \
         ABOUT) echo 'name=\"Late\"';; esac; done",
    );
    let run = |engine: &Path, more: &[&str]| {
        let seat = format!("o=engine:{}", engine.display());
        let args = ["match", "mnk", "gomoku", "--seat", "x=novice@50w", "--seat", &seat];
        let more = [&["--games", "1", "--openings", "none"], more].concat();
        desk.run(&[&args[..], &["--json"], &more].concat()).is(0)
    };
    // Its second move is none, so that the game ends.
    let said = run(&slow, &["--budget", "1s"]);
    assert!(
        said.err.contains("slow: ready after ") && said.err.contains("not counted"),
        "{said:?}"
    );
    assert!(said.out.contains("its move 5,5 is illegal"), "{said:?}");
    // What is late is counted, and only where it is strict, lost.
    let said = run(&late, &["--budget", "300ms"]).json();
    assert_eq!((&said["faults"], &said["overruns"]), (&1.into(), &2.into()), "{said}");
    let said = run(&late, &["--budget", "300ms", "--strict", "--replays", "lost"]).json();
    assert_eq!((&said["faults"], &said["overruns"]), (&0.into(), &1.into()), "{said}");
    let replay = std::fs::read_dir(desk.path("lost")).unwrap().next().unwrap().unwrap().path();
    let said = desk.run(&["replay", replay.to_str().unwrap()]).is(0);
    assert!(said.out.contains("O lost on time"), "{said:?}");
    let seat = format!("o=engine:{}", late.display());
    let args = ["match", "mnk", "gomoku", "--seat", "x=novice@50w", "--seat", &seat];
    let strict = ["--games", "1", "--budget", "300ms", "--strict"];
    let said = desk.run(&[&args[..], &strict].concat()).is(0).out;
    assert!(said.contains("Lost on time:\nseed 1, o=late\n"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_strict_engine_has_time_where_others_have_processor_time() {
    let desk = Desk::new();
    let engine = |name: &str, move_: &str| {
        let text = format!(
            "while read -r c a; do case $c in START) echo OK;; TURN) {move_};; END) exit;; \
             ABOUT) echo 'name=\"{name}\"';; esac; done"
        );
        script(&desk, name, &text)
    };
    let run = |engine: &Path, time: &str| {
        let seat = format!("o=engine:{}@{time}", engine.display());
        let args = ["match", "mnk", "gomoku", "--seat", "x=novice", "--seat", &seat];
        let more = ["--games", "1", "--openings", "none", "--budget", "2s-cpu", "--strict"];
        desk.run(&[&args[..], &more].concat()).is(0).out
    };
    // Its second move is none, so that the game ends.
    let said = run(&engine("quick", "echo 5,5"), "60s");
    assert!(said.contains("2000ms-cpu per turn, strict"), "{said}");
    assert!(said.contains("its move 5,5 is illegal") && !said.contains("Lost on time"), "{said}");
    let said = run(&engine("late", "sleep 0.6; echo 5,5"), "300ms");
    assert!(said.contains("Lost on time:") && !said.contains("its move"), "{said}");
}

#[test]
fn what_cannot_play_is_refused_before_any_game() {
    let desk = Desk::new();
    let plain = desk.put("plain", "text");
    let mute = script(&desk, "mute", "exit 1");
    let five = script(
        &desk,
        "five",
        "while read -r c a; do case $c in ABOUT) echo 'name=\"Five\"';; START) echo OK;; esac; done",
    );
    let refused = |engine: &str, more: &[&str]| {
        let seat = format!("o=engine:{engine}");
        let args = [&["match", "mnk", "--seat", "x=novice", "--seat", &seat][..], more].concat();
        let said = desk.run(&args).is(2);
        assert!(said.out.is_empty(), "{said:?}");
        said.err
    };
    let timed = ["--budget", "100ms"];
    let text = |path: &PathBuf| path.display().to_string();
    assert!(refused("no-such/file", &timed).contains("there is no file"));
    assert!(refused("no such/file", &timed).contains("there is no program 'no'"));
    assert!(refused("", &timed).contains("unknown planner"));
    assert!(refused(&text(&plain), &timed).contains("not executable"));
    assert!(refused(&text(&desk.path("")), &timed).contains("is a folder"));
    assert!(refused(&text(&mute), &timed).contains("exit code 1"));
    assert!(refused(&text(&five), &timed).contains("five in a row only"));
    assert!(refused(&text(&five), &["--budget", "100w"]).contains("time per turn"));
    let why = refused(&text(&five), &["--budget", "1s-cpu"]);
    assert!(why.contains("the processor time of a program is not measured"), "{why}");
    let seat = format!("car1=engine:{}", five.display());
    let other = desk.run(&["match", "racetrack", "--seat", &seat]).is(2).err;
    assert!(other.contains("no engines can play racetrack"), "{other}");
}

/// A saved tournament of noughts and crosses whose results say that a program played in the second
/// seat, as somebody could send it: without digests and without the actions of its only game.
fn forged(desk: &Desk, engine: &str) -> Vec<u8> {
    let args = ["match", "mnk", "3x3x3", "--seat", "x=novice", "--seat", "o=novice"];
    desk.run(&[&args[..], &["--games", "2", "--budget", "20w", "--save", "own.jsonl"]].concat())
        .is(0);
    let text = std::fs::read_to_string(desk.path("own.jsonl")).unwrap();
    let mut lines = text.lines().map(|line| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        if line["format"].is_string() {
            line["format"] = "outwit-tournament 1".into();
            line["contest"]["budget"] = "1000ms".into();
            line["contest"]["seats"][1]["planners"][0] = engine.into();
        } else {
            line["players"][1] = engine.into();
            line.as_object_mut().unwrap().remove("seal");
        }
        format!("{line}\n")
    });
    lines.by_ref().take(2).collect::<String>().into_bytes()
}

#[test]
fn no_file_starts_a_program() {
    let desk = Desk::new();
    let marker = desk.path("started");
    let spy = script(
        &desk,
        "spy",
        &format!(
            "echo yes >> '{}'; exec '{}' brain",
            marker.display(),
            env!("CARGO_BIN_EXE_outwit")
        ),
    );
    let engine = format!("engine:{}", spy.display());
    let text = forged(&desk, &engine);
    let seat = format!("o={engine}");
    let named = ["--seat", "x=novice", "--seat", &seat];
    desk.put("merged.jsonl", &text);
    let said = desk.run(&["merge", "merged.jsonl", "--replays", "replays"]).is(2);
    assert!(!marker.exists(), "{said:?}");
    assert!(said.err.contains("has no actions") && said.err.contains(&engine), "{said:?}");
    // Its results can be read nevertheless, though a game is missing.
    let said = desk.run(&["merge", "merged.jsonl", "--json"]).is(1);
    assert_eq!(said.json()["games_finished"], 1);
    let resume = |more: &[&str]| {
        desk.put("resumed.jsonl", &text);
        desk.run(&[&["match", "mnk", "--resume", "resumed.jsonl"], more].concat())
    };
    assert!(resume(&[]).is(2).err.contains("add the --seat options"));
    let said = resume(&["--seat", "x=novice", "--seat", "o=novice"]).is(2);
    assert!(said.err.contains("another tournament"), "{said:?}");
    assert!(!marker.exists(), "{said:?}");
    // What a person names may play, but only for the games that are missing.
    resume(&named).is(0);
    assert!(marker.exists());
    std::fs::remove_file(&marker).unwrap();
    let finished = std::fs::read(desk.path("resumed.jsonl")).unwrap();
    desk.put("merged.jsonl", &finished);
    desk.run(&["merge", "merged.jsonl", "--replays", "replays"]).is(2);
    assert!(!marker.exists());
    // A replay that names a program is only played again.
    desk.run(
        &[
            &["match", "mnk", "3x3x3", "--games", "1", "--budget", "1s"],
            &named[..],
            &["--replays", "seen"],
        ]
        .concat(),
    )
    .is(0);
    std::fs::remove_file(&marker).unwrap();
    let replay = std::fs::read_dir(desk.path("seen")).unwrap().next().unwrap().unwrap().path();
    let replay = replay.to_str().unwrap();
    for args in [&["replay", replay][..], &["play", "--replay", replay, "--json"]] {
        let said = desk.run(args).is(0);
        assert!(!marker.exists(), "{said:?}");
    }
    let options = ["--planner", &engine, "--budget", "1s"];
    for command in ["analyse", "solve"] {
        desk.run(&[&[command, replay][..], &options].concat()).is(2);
        assert!(!marker.exists(), "{command}");
    }
}

/// The sources below a folder, without those of tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        if path.is_dir() && !is_test {
            sources(&path, found);
        } else if !is_test && path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Whoever appears here newly must be sure that a person, and no file, has named the program.
#[test]
fn only_the_command_line_the_set_up_and_the_python_package_allow_programs() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = manifest.ancestors().find(|folder| folder.join("Cargo.lock").exists()).unwrap();
    let mut found = Vec::new();
    for folder in
        ["src", "crates", "python/src"].map(|name| root.join(name)).iter().filter(|it| it.exists())
    {
        sources(folder, &mut found);
    }
    let holding = |what: &[&str]| {
        let mut holding = BTreeSet::new();
        for path in &found {
            let text = std::fs::read_to_string(path).unwrap();
            let (code, _) = text.split_once("\nmod tests {").unwrap_or((&text, ""));
            if what.iter().any(|what| code.contains(what)) {
                let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
                let file = path.file_name().unwrap().to_str().unwrap();
                holding.insert(format!("{folder}/{file}"));
            }
        }
        holding.into_iter().collect::<Vec<_>>()
    };
    let allowing =
        ["cli/programs.rs", "program/permission.rs", "shell/programs.rs", "src/referee.rs"];
    let of_contests = ["contest/entry.rs", "program/permission.rs"];
    assert_eq!(holding(&["of_contest("]), of_contests);
    assert_eq!(holding(&["chosen_by_person"]), allowing);
    assert_eq!(holding(&["AllowedProgram {"]), ["program/permission.rs"]);
    // The measurement of a program starts this one, and videos are made by ffmpeg.
    let starting = ["process::Command", "process::{Child", "process::{Command"];
    let of_programs = ["group", "isolation", "unix", "unsupported", "windows"]
        .map(|file| format!("program/{file}.rs"));
    let others = ["cli/echo.rs", "platform/video.rs"].map(str::to_owned);
    assert_eq!(holding(&starting), [&others[..], &of_programs].concat());
}

/// The engine as a manager sees it.
struct Brain {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Brain {
    fn start(desk: &Desk) -> Self {
        let mut command = desk.command(&["brain"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if !line.starts_with("MESSAGE") {
                    let _ = sender.send(line);
                }
            }
        });
        Self { child, input, lines }
    }

    fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    fn answer(&self) -> String {
        self.lines.recv_timeout(LONG).unwrap()
    }

    /// Says a line and hears its answer.
    fn ask(&mut self, line: &str) -> String {
        self.write(format!("{line}\r\n").as_bytes());
        self.answer()
    }

    /// Ends it and gives what it wrote to standard error.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let code = self.child.wait().unwrap().code();
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        (code, errors)
    }
}

#[test]
fn the_engine_answers_every_command_in_any_pieces() {
    let desk = Desk::new();
    let mut brain = Brain::start(&desk);
    let talk = "ABOUT\nINFO timeout_turn 60\nINFO timeout_match 100000\nINFO time_left 90000\n\
                INFO max_memory 83886080\nINFO game_type 1\nINFO rule 0\nINFO evaluate 3,3\n\
                INFO folder /tmp\nINFO win_length 4\nRECTSTART 7,6\nBEGIN\nRESTART\nTURN 0,0\n\
                RESTART\nBOARD\n1,1,1\n2,2,2\nDONE\nTAKEBACK 1,1\nINFO win_length 5\nSTART 10\nSING\n";
    // Every length of pieces from one byte on.
    let mut rest = talk.as_bytes();
    let mut length = 1;
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(length.min(rest.len()));
        brain.write(piece);
        rest = later;
        length = length % 7 + 1;
    }
    assert!(brain.answer().contains("win_length"));
    assert_eq!(brain.answer(), "OK");
    let is_move = |line: String| {
        let (x, y) = line.split_once(',').unwrap();
        assert!(x.parse::<u32>().unwrap() < 7 && y.parse::<u32>().unwrap() < 6, "{line}");
    };
    is_move(brain.answer());
    assert_eq!(brain.answer(), "OK");
    is_move(brain.answer());
    assert_eq!(brain.answer(), "OK");
    is_move(brain.answer());
    assert_eq!((brain.answer(), brain.answer()), ("OK".into(), "OK".into()));
    assert_eq!(brain.answer(), "UNKNOWN SING");
    // END ends it at once, even while it thinks.
    brain.write(b"INFO timeout_turn 1000000\nBEGIN\nEND\n");
    is_move(brain.answer());
    let (code, errors) = brain.end();
    assert_eq!((code, errors.as_str()), (Some(0), ""));
}

#[test]
fn the_engine_survives_garbage_floods_and_closed_pipes() {
    let desk = Desk::new();
    let mut brain = Brain::start(&desk);
    brain.write(&[0, 159, 255, b'\n']);
    assert!(brain.answer().starts_with("UNKNOWN"));
    brain.write(&[b'x'; 100_000]);
    assert_eq!(brain.ask(""), "ERROR the line is too long");
    for _ in 0..20_000 {
        brain.write(b"TURN 1,1\n");
    }
    for _ in 0..20_000 {
        assert!(brain.answer().starts_with("ERROR"));
    }
    assert_eq!(brain.ask("START 15"), "OK");
    let (code, errors) = brain.end();
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    // Nobody listens any more: it ends without a crash.
    let mut command = desk.command(&["brain"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all(b"ABOUT\nABOUT\n");
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code().is_some() && !errors.contains("panicked"), "{errors}");
}
