//! What the command line writes, and what it says when it cannot.

use super::cli::{Desk, Said};
use serde_json::Value;
use std::process::{Output, Stdio};

const LEVEL: &str =
    "(format: \"racetrack 1\", name: \"Short\", map: [\"####\", \"#SF#\", \"####\"])";
const PAIR: [&str; 8] =
    ["match", "cops", "tiny", "--seat", "thief=random,runner", "--seat", "cops=chasers", "--games"];

fn pair<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&PAIR[..], more].concat()
}

fn into(desk: &Desk, args: &[&str], out: Stdio) -> Said {
    let Output { status, stderr, .. } = desk.command(args).stdout(out).output().unwrap();
    let err = String::from_utf8(stderr).unwrap();
    Said { code: status.code().unwrap(), out: String::new(), err }
}

#[test]
#[cfg(target_os = "linux")]
fn what_could_not_be_written_is_no_success() {
    let desk = Desk::new();
    desk.put("bad.ron", "(format: \"racetrack 1\", name: \"Bad\", map: [\"S.?.\", \"####\"])");
    let full = || Stdio::from(std::fs::File::create("/dev/full").unwrap());
    let args = pair(&["1", "--json", "--csv", "table.csv"]);
    for args in [&args[..], &["levels"], &["--help"], &["check", "bad.ron"]] {
        let said = into(&desk, args, full()).is(2);
        assert!(said.err.contains("standard output: No space left"), "{args:?}: {said:?}");
    }
    assert!(desk.path("table.csv").exists(), "the files are written all the same");
    let mut child = desk.command(&["check", "bad.ron"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_ne!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn outputs_are_tried_before_a_game_is_played() {
    let desk = Desk::new();
    desk.put("plain", "x");
    std::fs::create_dir(desk.path("folder")).unwrap();
    for option in ["--csv", "--games-csv", "--differences-csv", "--ratings-csv", "--replays"] {
        let said = desk.run(&pair(&["1", option, "plain/inner"])).is(2);
        assert!(said.out.is_empty() && said.err.contains("plain/inner"), "{option}: {said:?}");
    }
    let said = desk.run(&pair(&["1", "--csv", "folder", "--save", "kept.jsonl"])).is(2);
    assert!(said.out.is_empty() && said.err.contains("folder"), "{said:?}");
    desk.run(&pair(&["1", "--csv", "new/deep/table.csv"])).is(0);
    assert!(desk.path("new/deep/table.csv").exists());
}

#[test]
fn a_table_is_printed_before_a_failed_file_is_told() {
    let desk = Desk::new();
    // Either file can be written, but not both: the second makes a folder of the first one's name.
    let said = desk.run(&pair(&["2", "--csv", "a", "--games-csv", "a/b.csv"])).is(2);
    assert!(said.out.contains("All statistics:"), "{said:?}");
    assert!(said.err.starts_with("outwit: a: "), "{said:?}");
    assert!(desk.path("a/b.csv").exists(), "one failure does not keep others from being written");
}

#[test]
#[cfg(unix)]
fn folders_of_every_kind_are_checked_to_the_end() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("set/deep")).unwrap();
    std::fs::create_dir(desk.path("empty")).unwrap();
    desk.put("set/one.ron", LEVEL);
    desk.put("set/deep/two.TRACK", "S...F\n");
    desk.put("set/deep/three.xsb", "####\n#@$.#\n####\n");
    desk.put("set/notes.md", "not a level");
    desk.run(&["convert", "racetrack/tiny", "set/four.png"]).is(0);
    symlink(desk.path("set"), desk.path("set/deep/loop")).unwrap();
    symlink(desk.path("set/deep"), desk.path("set/loop")).unwrap();
    let said = desk.run(&["check", "set"]);
    assert!(!said.err.contains("panicked"));
    let levels: Vec<&str> = said.out.lines().collect();
    assert!(said.code == 0 && levels == ["4 levels without problems"], "{said:?}");
    let said = desk.run(&["check", "empty"]).is(2);
    assert!(said.err.contains("nothing was checked"), "{said:?}");
    symlink("nowhere.ron", desk.path("set/dangling.ron")).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(desk.path("set/pipe.ron")).status();
    let said = desk.run(&["check", "set"]).is(1);
    assert!(said.out.contains("set/dangling.ron: "), "{said:?}");
    if fifo.is_ok_and(|status| status.success()) {
        assert!(said.out.contains("set/pipe.ron: this is no regular file"), "{said:?}");
        assert!(desk.run(&["check", "set/pipe.ron"]).is(1).out.contains("no regular file"));
    }
    assert_eq!(said.out.lines().count(), if desk.path("set/pipe.ron").exists() { 2 } else { 1 });
}

#[test]
fn control_characters_reach_no_terminal() {
    let desk = Desk::new();
    let name = r"Ha\u{1b}[2J\u{7}\nracetrack/forged  yes";
    std::fs::create_dir_all(desk.path("data/levels/racetrack")).unwrap();
    desk.put(
        "data/levels/racetrack/evil.ron",
        format!("(format: \"racetrack 1\", name: \"{name}\", map: [\"####\", \"#SF#\", \"####\"])"),
    );
    let plain = desk.run(&["levels", "racetrack"]).is(0);
    let lines = plain.out.lines().count();
    let built_in = desk.run(&["levels", "racetrack", "--json"]).is(0).json();
    assert_eq!(lines, built_in.as_array().unwrap().len() + 1, "{plain:?}");
    assert!(plain.out.contains(r"Ha\u{1b}[2J\u{7}\nracetrack/forged"), "{plain:?}");
    // Every row begins its columns where the head does.
    let own = plain.out.lines().next().unwrap().find("  about").unwrap() + 2;
    let evil = plain.out.lines().find(|line| line.contains("forged")).unwrap();
    assert!(evil.chars().count() <= own && evil.contains("true"), "{plain:?}");
    let wild = "\u{1b}[31m\u{7}";
    for args in [
        &["solve", wild][..],
        &["check", wild],
        &["match", wild],
        &["replay", wild],
        &["levels", "--json", wild],
        &["bench", wild],
    ] {
        let said = desk.run(args).is(2);
        let raw = |text: &str| text.chars().any(|c| c.is_control() && c != '\n');
        assert!(!raw(&said.out) && !raw(&said.err), "{args:?}: {said:?}");
    }
    // C1 controls steer some terminals too; JSON writers leave them as they are.
    desk.put("c1.ron", "(format: \"racetrack 1\", name: \"\", map: [\"S\u{9b}F\"])");
    let said = desk.run(&["check", "--json", "c1\u{9b}.ron"]).is(2);
    assert!(!said.out.contains('\u{9b}'), "{said:?}");
    assert!(said.json()["error"]["message"].as_str().unwrap().contains("c1"), "{said:?}");
}

#[test]
fn errors_are_documents_too() {
    let desk = Desk::new();
    desk.put("bad.ron", "(format: \"racetrack 1\", name: \"Bad\", map: [\"S.?.\", \"####\"])");
    for (args, code) in [
        (&["solve", "bad.ron", "--json"][..], 1),
        (&["match", "racetrack", "bad.ron", "--json"], 1),
        (&["convert", "bad.ron", "out.ron", "--json"], 1),
        (&["replay", "bad.ron", "--json"], 1),
        (&["solve", "nowhere", "--json"], 2),
        (&["match", "nosuch", "--json"], 2),
        (&["match", "cops", "--games", "none", "--json"], 2),
        (&["--json", "nonsense"], 2),
        (&["merge", "nosuch.jsonl", "--json"], 2),
    ] {
        let said = desk.run(args).is(code);
        let error = &said.json()["error"];
        assert_eq!(error["exit_code"], code, "{args:?}: {said:?}");
        assert!(!error["message"].as_str().unwrap().is_empty(), "{args:?}: {said:?}");
        assert!(!said.err.is_empty());
        if args[0] == "solve" && code == 1 {
            assert_eq!(
                (&error["problems"][0]["x"], &error["problems"][0]["y"]),
                (&2.into(), &0.into())
            );
        }
    }
}

#[test]
fn equal_runs_print_equal_documents_without_times() {
    let desk = Desk::new();
    let args = pair(&["3", "--json", "--no-times", "--csv", "a.csv", "--games-csv", "b.csv"]);
    let files = || ["a.csv", "b.csv"].map(|name| std::fs::read(desk.path(name)).unwrap());
    let first = (desk.run(&args).is(0).out, files());
    let second = (desk.run(&[&args[..], &["--jobs", "1"]].concat()).is(0).out, files());
    assert_eq!(first, second);
    assert!(!first.0.contains("_ms"), "{}", first.0);
    let text = desk.run(&pair(&["3", "--no-times"])).is(0).out;
    assert!(text.contains("overruns") && !text.contains("_ms"), "{text}");
    assert!(desk.run(&pair(&["1", "--json"])).is(0).out.contains("plan_ms_p50"));
    desk.run(&pair(&["1", "--jobs", "0"])).is(2);
}

#[test]
fn an_empty_data_folder_is_no_data_folder() {
    let desk = Desk::new();
    std::fs::create_dir_all(desk.path("levels/racetrack")).unwrap();
    desk.put("levels/racetrack/mine.ron", LEVEL);
    let mut command = desk.command(&["levels", "racetrack"]);
    let output = command.env("OUTWIT_DATA", "").env("HOME", desk.path("home")).output().unwrap();
    assert!(!String::from_utf8(output.stdout).unwrap().contains("racetrack/mine"));
}

#[test]
fn a_start_is_used_or_refused() {
    let desk = Desk::new();
    for level in ["pukoban/01-first-push", "stealth/tavern"] {
        let said = desk.run(&["solve", level, "--start", "1,1"]).is(2);
        assert!(said.err.contains("start"), "{level}: {said:?}");
    }
    let thief_at = |cell| ["solve", "cops/tiny", "--budget", "500w", "--start", cell];
    desk.run(&thief_at("3,3")).is(0);
    let said = desk.run(&thief_at("0,0")).is(2);
    assert!(said.err.contains("start"), "{said:?}");
}

#[test]
fn shares_of_a_tournament_merge_into_the_whole() {
    let desk = Desk::new();
    let whole = desk.run(&pair(&["5", "--json", "--no-times", "--save", "whole.jsonl"])).is(0);
    for number in 1..=3 {
        let (share, file) = (format!("{number}/3"), format!("part-{number}.jsonl"));
        let args = pair(&["5", "--shard", &share, "--save", &file, "--json"]);
        let part = desk.run(&args).is(0).json();
        assert!(part["games_finished"].as_u64().unwrap() < 10, "{part}");
    }
    let parts = ["part-2.jsonl", "part-1.jsonl", "part-3.jsonl"];
    let merge = |more: &[&str]| desk.run(&[&["merge"], more, &["--json", "--no-times"]].concat());
    let merged = merge(&[&parts[..], &["--save", "all.jsonl"]].concat()).is(0);
    assert_eq!(merged.out, whole.out);
    // Games that several files hold count once; the merged file is a file like any other.
    assert_eq!(
        merge(&[&parts[..], &["whole.jsonl", "part-1.jsonl"]].concat()).is(0).out,
        whole.out
    );
    let resumed = ["match", "cops", "--resume", "all.jsonl", "--json", "--no-times"];
    assert_eq!(desk.run(&resumed).is(0).out, whole.out);
    assert_eq!(merge(&parts[..2]).is(0).json()["games_finished"], 8);
    // A share can be interrupted and resumed.
    let text = std::fs::read_to_string(desk.path("part-1.jsonl")).unwrap();
    desk.put(
        "part-1.jsonl",
        text.lines().take(2).map(|line| format!("{line}\n")).collect::<String>(),
    );
    desk.run(&["match", "cops", "--resume", "part-1.jsonl", "--shard", "1/3"]).is(0);
    assert_eq!(merge(&parts).is(0).out, whole.out);
    // Another tournament, and a game that was tampered with.
    desk.run(&pair(&["4", "--save", "other.jsonl"])).is(0);
    let said = merge(&["whole.jsonl", "other.jsonl"]).is(2);
    assert!(said.err.contains("another tournament"), "{said:?}");
    assert!(merge(&["whole.jsonl", "--save", "all.jsonl"]).is(2).err.contains("already"));
    let forged = std::fs::read_to_string(desk.path("whole.jsonl")).unwrap();
    let mut lines: Vec<String> = forged.lines().map(str::to_owned).collect();
    let mut game: Value = serde_json::from_str(&lines[1]).unwrap();
    game["turns"] = 1.into();
    lines[1] = game.to_string();
    desk.put("forged.jsonl", lines.join("\n") + "\n");
    assert_eq!(merge(&["whole.jsonl", "forged.jsonl"]).is(2).code, 2);
    for wrong in ["0/3", "4/3", "3", "a/b"] {
        desk.run(&pair(&["5", "--shard", wrong])).is(2);
    }
}

#[test]
fn planners_have_budgets_of_their_own() {
    let desk = Desk::new();
    let args = ["match", "cops", "tiny", "--seat", "thief=runner,runner@40w", "--seat"];
    let args = [&args[..], &["cops=pack@30w", "--games", "2", "--games-csv", "g.csv"]].concat();
    let said = desk.run(&[&args[..], &["--json", "--replays", "r"]].concat()).is(0).json();
    assert_eq!(said["rows"][1]["thief"], "runner@40w");
    assert_eq!(said["rows"][0]["cops"], "pack@30w");
    let table = std::fs::read_to_string(desk.path("g.csv")).unwrap();
    let head: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    for column in
        ["level_hash", "rules_digest", "budget", "program", "thief_work", "cops_thinking_ms"]
    {
        assert!(head.contains(&column), "{column}: {head:?}");
    }
    for replay in std::fs::read_dir(desk.path("r")).unwrap() {
        let said = desk.run(&["replay", replay.unwrap().path().to_str().unwrap()]).is(0);
        assert!(said.out.contains("runner, pack"), "{said:?}");
    }
    let wrong = ["match", "cops", "tiny", "--seat", "thief=nobody@40w", "--seat", "cops=pack"];
    assert!(desk.run(&wrong).is(2).err.contains("nobody"));
    // A time for one seat keeps the actions, so that the game can be seen again.
    let args = ["match", "cops", "tiny", "--seat", "thief=runner@5ms", "--seat", "cops=pack"];
    desk.run(&[&args[..], &["--games", "1", "--save", "timed.jsonl", "--replays", "t"]].concat())
        .is(0);
    assert!(std::fs::read_to_string(desk.path("timed.jsonl")).unwrap().contains("\"actions\""));
}

#[test]
fn files_that_are_no_levels_are_named() {
    let desk = Desk::new();
    desk.put("photo.png", b"\xff\xd8\xff\xe0\0\x10JFIF\0");
    let wide: Vec<u8> = LEVEL.encode_utf16().flat_map(u16::to_le_bytes).collect();
    desk.put("wide.ron", &wide);
    desk.put("wide.txt", [&b"\xff\xfe"[..], &wide].concat());
    let newer = LEVEL.replace("racetrack 1", "racetrack 2").replace("name", "laps: 3, name");
    desk.put("newer.ron", newer);
    desk.put("ending.ron", "a".repeat(3_000_000));
    desk.put("signs.ron", LEVEL.replace("#SF#", "?SF?"));
    for (file, wanted) in [
        ("photo.png", "JPEG"),
        ("wide.ron", "UTF-16"),
        ("wide.txt", "UTF-16"),
        ("newer.ron", "'racetrack 2', of a newer version"),
        ("signs.ron", "cell (0,1): unknown character '?' in 2 cells"),
    ] {
        let said = desk.run(&["check", file]).is(1);
        assert!(said.out.contains(wanted) && said.out.lines().count() == 1, "{said:?}");
    }
    let said = desk.run(&["convert", "ending.ron", "out.ron", "--game", "racetrack"]).is(1);
    assert!(said.err.len() < 1000, "{} bytes", said.err.len());
    // A replay of a later version too.
    desk.put("later.ron", "(format: \"outwit-replay 9\", game: \"cops\", weather: 3)");
    assert!(desk.run(&["replay", "later.ron"]).is(1).err.contains("a newer version"));
}

#[test]
fn a_level_is_found_by_its_name_alone() {
    let desk = Desk::new();
    let said = desk.run(&["solve", "tiny"]).is(2);
    assert!(said.err.contains("racetrack/tiny") && said.err.contains("cops/tiny"), "{said:?}");
    assert!(desk.run(&["solve", "first-lap"]).is(0).out.starts_with("racetrack/first-lap: "));
    // A file of this name comes first.
    desk.put("tiny", LEVEL);
    assert!(desk.run(&["solve", "tiny"]).is(0).out.starts_with("tiny: "));
}

#[test]
fn levels_get_names_that_every_system_allows() {
    let desk = Desk::new();
    let board = "####\n#@$.#\n####";
    desk.put("set.xsb", format!("CON\n{board}\n\nlpt1\n{board}\n"));
    std::fs::create_dir(desk.path("all")).unwrap();
    desk.run(&["convert", "set.xsb", "all"]).is(0);
    for name in ["con-level.ron", "lpt1-level.ron"] {
        assert!(desk.path("all").join(name).exists(), "{name}");
    }
}
