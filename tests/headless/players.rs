//! The players to start from, under `players/`: each keeps to the protocol, the rules and its time, in every seat of
//! its game. Languages that are not installed are left out, and named.

use super::cli::Desk;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each game with a small level and its seats.
const GAMES: [(&str, &str, &[&str]); 5] = [
    ("racetrack", "racetrack/tiny", &["car1"]),
    ("cops", "cops/tiny", &["thief", "cops"]),
    ("mnk", "mnk/3x3x3", &["x", "o"]),
    ("pukoban", "pukoban/01-first-push", &["player"]),
    ("stealth", "stealth/01-way-in", &["thief"]),
];

fn players() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = manifest.ancestors().find(|folder| folder.join("players/python").exists());
    root.unwrap().join("players")
}

/// Whether a program runs.
fn runs(program: &str, args: &[&str]) -> bool {
    let runs = Command::new(program).args(args).output().is_ok_and(|run| run.status.success());
    if !runs {
        println!("left out: there is no {program}");
    }
    runs
}

/// Runs a compiler.
fn compile(command: &mut Command) {
    let run = command.output().unwrap();
    assert!(run.status.success(), "{command:?}: {}", String::from_utf8_lossy(&run.stderr));
}

/// Tries the player of each game in each of its seats.
fn try_all(desk: &Desk, command: impl Fn(&str) -> String) {
    for (game, level, seats) in GAMES {
        for seat in seats {
            let command = command(game);
            let args = ["try", &command, "--game", game, "--level", level, "--seat", seat];
            // Time enough for a busy machine: what is tested is what they answer.
            let more = ["--budget", "20s", "--states", "6", "--matches", "1"];
            let said = desk.run(&[&args[..], &more].concat()).is(0);
            assert!(!said.out.contains("PROBLEM"), "{command}: {said:?}");
        }
    }
}

fn capitalised(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

#[test]
fn players_in_python() {
    if runs("python3", &["--version"]) {
        let folder = players().join("python");
        try_all(&Desk::new(), |game| format!("python3 '{}/{game}.py'", folder.display()));
    }
}

#[test]
fn players_in_javascript() {
    if runs("node", &["--version"]) {
        let folder = players().join("javascript");
        try_all(&Desk::new(), |game| format!("node '{}/{game}.js'", folder.display()));
    }
}

/// The Java files of a folder.
fn java_files(folder: &str) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(players().join(folder)).unwrap();
    let files = listed.map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "java")).collect()
}

#[test]
fn players_in_java() {
    if !runs("javac", &["-version"]) {
        return;
    }
    let desk = Desk::new();
    let build = desk.path("build");
    compile(Command::new("javac").arg("-d").arg(&build).args(java_files("java")));
    try_all(&desk, |game| format!("java -Xmx256m -cp '{}' {}", build.display(), capitalised(game)));
}

/// A player as the students of the original contest wrote them, with the classes that it was given.
const STUDENT: [(&str, &str); 4] = [
    ("mnkgame/MNKCellState.java", "package mnkgame; public enum MNKCellState { P1, P2, FREE }"),
    (
        "mnkgame/MNKCell.java",
        "package mnkgame; public class MNKCell { public final int i, j; public final MNKCellState state;\n\
         public MNKCell(int i, int j) { this(i, j, MNKCellState.FREE); }\n\
         public MNKCell(int i, int j, MNKCellState s) { this.i = i; this.j = j; state = s; } }",
    ),
    (
        "mnkgame/MNKPlayer.java",
        "package mnkgame; public interface MNKPlayer { void initPlayer(int M, int N, int K, boolean first, int s);\n\
         MNKCell selectCell(MNKCell[] free, MNKCell[] marked); String playerName(); }",
    ),
    (
        "mine/Last.java",
        "package mine; import mnkgame.*; public class Last implements MNKPlayer { boolean first;\n\
         public void initPlayer(int M, int N, int K, boolean first, int s) { this.first = first; }\n\
         public MNKCell selectCell(MNKCell[] free, MNKCell[] marked) {\n\
         System.out.println(\"free: \" + free.length);\n\
         for (int at = 0; at < marked.length; at++)\n\
         if (marked[at].state != (at % 2 == 0 ? MNKCellState.P1 : MNKCellState.P2)) throw new IllegalStateException();\n\
         if (marked.length % 2 != (first ? 0 : 1)) throw new IllegalStateException(\"not my turn\");\n\
         return free[free.length - 1]; }\n\
         public String playerName() { return \"Last one\"; } }",
    ),
];

#[test]
fn a_player_of_the_original_contest_plays_unchanged() {
    if !runs("javac", &["-version"]) {
        return;
    }
    let desk = Desk::new();
    let mut files = java_files("mnk-contest-adapter");
    files.extend(java_files("java").into_iter().filter(|path| path.ends_with("Json.java")));
    compile(Command::new("javac").arg("-d").arg(desk.path("build")).args(files));
    let student = STUDENT.map(|(name, text)| {
        let path = desk.path("src").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    });
    compile(Command::new("javac").arg("-d").arg(desk.path("student")).args(student));
    let (build, own) = (desk.path("build"), desk.path("student"));
    let class = |name: &str| {
        format!("java -Xmx256m -cp '{}:{}' Adapter {name}", build.display(), own.display())
    };
    let seats = format!("program:{},novice", class("mine.Last"));
    let (x, o) = (format!("x={seats}"), format!("o={seats}"));
    let args = [
        "match",
        "mnk",
        "mnk/3x3x3",
        "--seat",
        &x,
        "--seat",
        &o,
        "--games",
        "2",
        "--openings",
        "none",
    ];
    let table = desk.run(&[&args[..], &["--budget", "20s", "--json"]].concat()).is(0).json();
    assert_eq!(
        (&table["games_finished"], &table["engine_faults"]),
        (&8.into(), &serde_json::json!([])),
        "{table}"
    );
    for row in table["rows"].as_array().unwrap() {
        assert_eq!((&row["illegal"], &row["overruns"]), (&0.into(), &0.into()), "{row}");
    }
    let said = desk.run(&["try", &class("mine.Nobody"), "--game", "mnk"]).is(1);
    assert!(said.out.contains("mine.Nobody"), "{said:?}");
}

#[test]
fn players_in_cpp() {
    let has_json = Path::new("/usr/include/nlohmann/json.hpp").exists();
    if !has_json {
        println!("left out: there is no nlohmann/json.hpp");
    }
    if has_json && runs("g++", &["--version"]) {
        let desk = Desk::new();
        for (game, ..) in GAMES {
            let source = players().join(format!("cpp/{game}.cpp"));
            let mut command = Command::new("g++");
            command.args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]);
            compile(command.arg(desk.path(game)).arg(source));
        }
        try_all(&desk, |game| format!("'{}'", desk.path(game).display()));
    }
}

#[test]
fn players_in_rust() {
    let desk = Desk::new();
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--quiet", "--locked", "--manifest-path"]);
    command.arg(players().join("rust/Cargo.toml")).arg("--target-dir").arg(desk.path("target"));
    compile(&mut command);
    try_all(&desk, |game| format!("'{}'", desk.path("target/debug").join(game).display()));
}
