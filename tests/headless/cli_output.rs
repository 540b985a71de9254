//! What the command line writes, and what it says when it cannot.

use super::cli::{Desk, LEVEL, Said};
use std::process::{Output, Stdio};

const PAIR: [&str; 8] =
    ["match", "cops", "tiny", "--seat", "thief=random,runner", "--seat", "cops=chasers", "--games"];

/// A tournament of two thieves, with more arguments.
pub(super) fn pair<'a>(more: &[&'a str]) -> Vec<&'a str> {
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
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    into(&desk, &["check", "bad.ron"], writer.into()).is(2);
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
#[cfg(target_os = "linux")]
fn a_full_disk_costs_the_file_alone() {
    let desk = Desk::new();
    let said = desk.run(&pair(&["2", "--csv", "/dev/full"])).is(2);
    assert!(said.out.contains("All statistics:"), "{said:?}");
    assert!(said.err.starts_with("outwit: /dev/full: No space left"), "{said:?}");
    let exploit = ["exploit", "cops/tiny", "--seat", "cops=chasers", "--against", "runner"];
    let more = ["--games", "1", "--budget", "300w", "--json", "--csv", "/dev/full"];
    let said = desk.run(&[&exploit[..], &more].concat()).is(2);
    assert_eq!(said.json()["rows"].as_array().unwrap().len(), 1, "one document: {said:?}");
    assert!(said.err.starts_with("outwit: /dev/full: No space left"), "{said:?}");
    let said = desk.run(&pair(&["1", "--save", "/dev/full"])).is(2);
    assert!(said.err.contains("/dev/full: this is not a regular file; choose another"), "{said:?}");
}

#[test]
#[cfg(unix)]
fn tables_go_into_pipes() {
    let desk = Desk::new();
    let shell = |script: &str, more: &[&str]| {
        let mut command = std::process::Command::new("bash");
        command.args(["-c", script, env!("CARGO_BIN_EXE_outwit")]).args(pair(more));
        command.current_dir(desk.path("")).env("OUTWIT_DATA", desk.path("data"));
        command.stdin(Stdio::null()).output()
    };
    // The status of the substitution is awaited, so that its file is whole.
    let script = r#""$0" "$@" --csv >(cat > got.csv) && wait $!"#;
    let Ok(Output { status, stdout, stderr }) = shell(script, &["2", "--no-times"]) else {
        return; // no bash
    };
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    assert!(String::from_utf8(stdout).unwrap().contains("All statistics:"));
    desk.run(&pair(&["2", "--no-times", "--csv", "plain.csv"])).is(0);
    let read = |name: &str| std::fs::read_to_string(desk.path(name)).unwrap();
    assert_eq!(read("got.csv"), read("plain.csv"));
    let piped = shell(r#""$0" "$@" --csv /dev/stdout | cat"#, &["2", "--no-times"]).unwrap();
    let text = String::from_utf8(piped.stdout).unwrap();
    assert!(text.contains("All statistics:") && text.ends_with(&read("plain.csv")), "{text}");
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
        assert!(said.out.contains("set/pipe.ron: this is not a regular file"), "{said:?}");
        assert!(desk.run(&["check", "set/pipe.ron"]).is(1).out.contains("not a regular file"));
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
fn names_in_replays_forge_no_lines() {
    use outwit_core::play::Replay;
    let desk = Desk::new();
    let race = super::tracks::race(&super::tracks::straight(), 1);
    let hostile = "\u{1b}[2J\u{7}\u{202e}\nforged";
    let replay = Replay::of(&race, vec![hostile.into()]);
    desk.put("evil.ron", ron::to_string(&replay).unwrap());
    let is_raw = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    for args in [&["replay", "evil.ron"][..], &["replay", "evil.ron", "--json"]] {
        let said = desk.run(args).is(0);
        assert!(!said.out.contains(is_raw) && said.err.is_empty(), "{args:?}: {said:?}");
        assert!(!said.out.lines().any(|line| line.starts_with("forged")), "{args:?}: {said:?}");
    }
    let said = desk.run(&["replay", "evil.ron"]);
    assert_eq!(said.out.lines().count(), 2, "{said:?}");
    assert_eq!(desk.run(&["replay", "evil.ron", "--json"]).json()["seats"][0], hostile);
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

/// What is printed and what is written through the same open file both arrive.
#[test]
#[cfg(target_os = "linux")]
fn standard_output_may_be_named_while_it_is_a_file() {
    let desk = Desk::new();
    let out = desk.path("out.txt");
    let mut command = desk.command(&pair(&["1", "--csv", "/dev/stdout"]));
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&out).unwrap();
    assert!(command.stdout(file).status().unwrap().success());
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.contains("All statistics:") && text.contains("rules_digest"), "{text}");
    assert!(!desk.path("out.txt~").exists());
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
