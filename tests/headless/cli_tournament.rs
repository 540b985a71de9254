//! Tournaments on the command line: their files, shares, budgets and tables.

use super::cli::{Desk, Said};
use super::cli_output::pair;
use serde_json::Value;

#[test]
fn a_matrix_is_kept_and_resumed() {
    let desk = Desk::new();
    let args = ["match", "cops", "tiny", "--seat", "thief=random,runner"];
    let args = [&args[..], &["--seat", "cops=random,chasers", "--games", "3"]].concat();
    let with = |more: &[&str]| desk.run(&[&args[..], more].concat());
    let first = with(&["--save", "kept.jsonl", "--json", "--csv", "table.csv"]).is(0);
    let json = first.json();
    assert_eq!(json["rows"].as_array().unwrap().len(), 4);
    assert_eq!(json["matrix"]["mean_payoff"][1][1], json["rows"][3]["mean_payoff"]);
    assert_eq!(json["ratings"].as_array().unwrap().len(), 4);
    let table = std::fs::read_to_string(desk.path("table.csv")).unwrap();
    assert!(table.starts_with("thief,cops,games,caught,"), "{table}");
    assert_eq!(table.lines().count(), 5);
    // All is done: the same document to the byte, and nothing need be said twice.
    assert_eq!(with(&["--resume", "kept.jsonl", "--json"]).is(0).out, first.out);
    let short = desk.run(&["match", "cops", "--resume", "kept.jsonl", "--json"]).is(0);
    assert_eq!(short.out, first.out);
    // Cut in the middle of a line, as a killed process leaves it.
    let whole = std::fs::read(desk.path("kept.jsonl")).unwrap();
    desk.put("kept.jsonl", &whole[..whole.len() * 2 / 3]);
    let again = with(&["--resume", "kept.jsonl", "--games-csv", "games.csv"]).is(0);
    assert!(again.out.contains("Mean payoff of thief") && again.out.contains('±'), "{again:?}");
    assert!(again.out.contains(outwit_core::tournament::WHAT_WINS), "{again:?}");
    assert_eq!(std::fs::read_to_string(desk.path("games.csv")).unwrap().lines().count(), 13);
    with(&["--replays", "replays"]).is(0);
    let replays: Vec<_> = std::fs::read_dir(desk.path("replays")).unwrap().collect();
    assert_eq!(replays.len(), 12);
    desk.run(&["replay", "replays/cops-tiny-runner-chasers-2.ron"]).is(0);
    for (more, wanted) in [
        (&["--save", "kept.jsonl"][..], "already"),
        (&["--resume", "kept.jsonl", "--seed", "9"], "first seed is 1, not 9"),
        (&["--resume", "none.jsonl"], "none.jsonl"),
        (&["--resume", "table.csv"], "not a tournament"),
        (&["--resume", "kept.jsonl", "--save", "b.jsonl"], "cannot be used with"),
    ] {
        let said = with(more).is(2);
        assert!(said.err.contains(wanted), "{more:?}: {said:?}");
    }
    let said = desk.run(&["match", "racetrack", "--resume", "kept.jsonl"]).is(2);
    assert!(said.err.contains("of cops, not of racetrack"), "{said:?}");
    assert!(!desk.path("none.jsonl").exists());
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
    // What is missing is said, and the exit code is not that of a whole tournament.
    let said = merge(&parts[..2]).is(1);
    assert_eq!((&said.json()["games"], &said.json()["games_finished"]), (&5.into(), &8.into()));
    assert!(said.err.contains("2 of 10 games are missing"), "{said:?}");
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
fn a_damaged_last_line_is_named() {
    let desk = Desk::new();
    let whole = desk.run(&pair(&["2", "--json", "--no-times", "--save", "whole.jsonl"])).is(0);
    let text = std::fs::read(desk.path("whole.jsonl")).unwrap();
    desk.put("cut.jsonl", &text[..text.len() - 9]);
    let garbled = text.iter().rposition(|byte| *byte == b'{').unwrap();
    desk.put("garbled.jsonl", [&text[..garbled], b"?\n"].concat());
    for (file, what) in [("cut.jsonl", "line 5 is cut off"), ("garbled.jsonl", "line 5 is damaged")]
    {
        let said = desk.run(&["merge", file, "--json", "--no-times"]).is(1);
        assert!(said.err.starts_with(&format!("{file}: {what}")), "{said:?}");
        assert!(said.err.contains("counts as not played"), "{said:?}");
        assert!(said.err.contains("1 of 4 games are missing"), "{said:?}");
        // Another file has the game.
        let said = desk.run(&["merge", file, "whole.jsonl", "--json", "--no-times"]).is(0);
        assert_eq!(said.out, whole.out);
        let args = ["match", "cops", "--resume", file, "--json", "--no-times"];
        let said = desk.run(&args).is(0);
        assert!(said.err.contains(what) && said.err.contains("played again"), "{said:?}");
        assert_eq!(said.out, whole.out);
    }
}

#[test]
fn forged_files_are_refused() {
    let desk = Desk::new();
    desk.run(&pair(&["2", "--save", "new/folder/own.jsonl"])).is(0);
    let text = std::fs::read_to_string(desk.path("new/folder/own.jsonl")).unwrap();
    let head: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let forged = |change: &dyn Fn(&mut Value)| {
        let mut head = head.clone();
        change(&mut head["contest"]);
        desk.put("forged.jsonl", format!("{head}\n"));
        let said = desk.run(&["merge", "forged.jsonl", "--save", "never.jsonl"]).is(2);
        assert!(said.err.starts_with("outwit: forged.jsonl: line 1: "), "{said:?}");
        assert!(!desk.path("never.jsonl").exists());
        said.err
    };
    let many: Vec<String> = (1..=1000).map(|work| format!("runner@{work}w")).collect();
    let said = forged(&|contest| contest["seats"][0]["planners"] = many.clone().into());
    assert!(said.contains("1000 planners; the maximum is 100"), "{said}");
    let said = forged(&|contest| contest["seeds"] = u32::MAX.into());
    assert!(said.contains("more than 1000000 games"), "{said}");
    let said = forged(&|contest| contest["seats"][1]["planners"][0] = "evader".into());
    assert!(said.contains("unknown planner 'evader' for seat cops"), "{said}");
    let said = forged(&|contest| contest["game"] = "chess".into());
    assert!(said.contains("unknown game 'chess'"), "{said}");
    // A game whose seal does not fit it, even in the last line.
    let altered = text.replacen("\"turns\":", "\"turns\":1", 1);
    desk.put("forged.jsonl", altered);
    let said = desk.run(&["merge", "forged.jsonl"]).is(2);
    assert!(said.err.contains("line 2 was altered"), "{said:?}");
    let said = desk.run(&["merge", "--help"]).is(0);
    assert!(said.out.contains("It is no signature"), "{said:?}");
    desk.run(&pair(&["1", "--jobs", "257"])).is(2);
}

#[test]
fn exploits_are_saved_shared_and_merged() {
    let desk = Desk::new();
    let args = ["exploit", "cops/tiny", "--seat", "cops=chasers", "--games", "3"];
    let with = |more: &[&str]| desk.run(&[&args[..], &["--budget", "300w"], more].concat());
    let whole = with(&["--json", "--save", "whole.jsonl"]).is(0);
    let json = whole.json();
    assert_eq!((&json["games"], &json["games_finished"]), (&3.into(), &6.into()));
    assert!(json["margin"].is_number() == json["more_games"].is_number(), "{json}");
    // Nothing need be said twice, and all is done.
    let resumed = desk.run(&["exploit", "cops", "--resume", "whole.jsonl", "--json"]).is(0);
    assert_eq!(resumed.out, whole.out);
    let text = std::fs::read_to_string(desk.path("whole.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 7);
    // Interrupted before any game of the responder, and within a line.
    for lines in [4, 6] {
        let head: String = text.lines().take(lines).map(|line| format!("{line}\n")).collect();
        desk.put("cut.jsonl", head + "{\"seed\":");
        let said = desk.run(&["exploit", "cops", "--resume", "cut.jsonl", "--json"]).is(0);
        assert_eq!(said.out, whole.out);
        assert!(said.err.contains(&format!("line {} is cut off", lines + 1)), "{said:?}");
    }
    for number in ["1", "2"] {
        let (share, file) = (format!("{number}/2"), format!("part-{number}.jsonl"));
        with(&["--shard", &share, "--save", &file]).is(0);
    }
    let merge = |more: &[&str]| desk.run(&[&["merge", "part-1.jsonl"], more].concat());
    let merged =
        merge(&["part-2.jsonl", "--json", "--csv", "rows.csv", "--save", "all.jsonl"]).is(0);
    assert_eq!(merged.out, whole.out);
    assert_eq!(std::fs::read_to_string(desk.path("rows.csv")).unwrap().lines().count(), 4);
    let said = merge(&[]).is(1);
    assert!(said.err.contains("2 of 6 games are missing"), "{said:?}");
    assert!(said.out.contains("gain of the responder"), "{said:?}");
    let said = merge(&["--replays", "replays"]).is(2);
    assert!(said.err.contains("files of 'outwit exploit'"), "{said:?}");
    let said = desk.run(&["match", "cops", "--resume", "all.jsonl"]).is(2);
    assert!(said.err.contains("'outwit exploit' saved this file"), "{said:?}");
    desk.run(&pair(&["1", "--save", "match.jsonl"])).is(0);
    let said = desk.run(&["exploit", "cops", "--resume", "match.jsonl"]).is(2);
    assert!(said.err.contains("did not save this file"), "{said:?}");
    let said = desk.run(&["exploit", "cops", "--resume", "all.jsonl", "--seed", "2"]).is(2);
    assert!(said.err.contains("first seed is 1, not 2"), "{said:?}");
    let said = with(&["--margin", "1000"]).is(0);
    assert!(said.out.contains("no more games are needed for ±1000"), "{said:?}");
    with(&["--margin", "0"]).is(2);
}

/// The rows of a saved tournament without its first line and without what differs between equal runs.
fn played(desk: &Desk, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(desk.path(file)).unwrap();
    let mut games: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game["seed"].as_u64());
    games.iter().map(|game| serde_json::json!([game["seed"], game["digest"]])).collect()
}

#[test]
fn sealed_tournaments_publish_their_salt_and_repeat_with_it() {
    let desk = Desk::new();
    let run = |more: &[&str]| desk.run(&pair(&[&["4", "--no-times"], more].concat()));
    let salt_of = |said: &Said| said.json()["salt"].as_str().unwrap().to_owned();
    // Each draws its own.
    let first = run(&["--sealed", "--json", "--save", "a.jsonl", "--replays", "a"]).is(0);
    let other = run(&["--sealed", "--json", "--save", "b.jsonl"]).is(0);
    let salt = salt_of(&first);
    assert_eq!(salt.len(), 64);
    assert_ne!(salt, salt_of(&other));
    assert_ne!(played(&desk, "a.jsonl"), played(&desk, "b.jsonl"));
    // The published salt gives the same games again.
    desk.put("salt.txt", format!("{salt}\n"));
    let csv = ["--csv", "rows.csv", "--games-csv", "games.csv"];
    let again = run(&[&["--salt", "salt.txt", "--json"], &csv[..]].concat()).is(0);
    assert_eq!(again.out, first.out);
    for file in ["rows.csv", "games.csv"] {
        let text = std::fs::read_to_string(desk.path(file)).unwrap();
        assert!(text.lines().skip(1).all(|line| line.contains(&salt)), "{text}");
    }
    assert!(
        run(&["--salt", "salt.txt"]).is(0).out.contains(&format!("sealed with the salt {salt}"))
    );
    let replays: Vec<_> = std::fs::read_dir(desk.path("a")).unwrap().collect();
    assert_eq!(replays.len(), 8);
    for replay in replays {
        let path = replay.unwrap().path();
        assert!(std::fs::read_to_string(&path).unwrap().contains(&salt));
        desk.run(&["replay", path.to_str().unwrap()]).is(0);
    }
    // Without it the command plays the games of its seeds, as it always has.
    let open = run(&["--json", "--save", "c.jsonl"]).is(0);
    assert_eq!(open.out, run(&["--unsealed", "--json"]).is(0).out);
    assert!(open.json().get("salt").is_none());
    let text = std::fs::read_to_string(desk.path("c.jsonl")).unwrap();
    assert!(text.starts_with("{\"format\":\"outwit-tournament 2\"") && !text.contains("salt"));
}

#[test]
fn shares_and_parts_of_a_sealed_tournament_have_the_same_salt() {
    let desk = Desk::new();
    let run = |more: &[&str]| desk.run(&pair(&[&["4", "--no-times"], more].concat()));
    let salt = "1f".repeat(32);
    desk.put("salt.txt", &salt);
    let sealed = ["--salt", "salt.txt"];
    let whole = run(&[&sealed[..], &["--json"]].concat()).is(0);
    for number in ["1", "2"] {
        let (share, file) = (format!("{number}/2"), format!("part-{number}.jsonl"));
        run(&[&sealed[..], &["--shard", &share, "--save", &file]].concat()).is(0);
    }
    let parts = ["merge", "part-1.jsonl", "part-2.jsonl", "--json", "--no-times"];
    assert_eq!(desk.run(&parts).is(0).out, whole.out);
    // A share that drew a salt of its own would belong to no other.
    let why = run(&["--sealed", "--shard", "1/2"]).is(2).err;
    assert!(why.contains("same salt") && why.contains("--salt"), "{why}");
    desk.put("other.txt", "2f".repeat(32));
    run(&["--salt", "other.txt", "--shard", "2/2", "--save", "other.jsonl"]).is(0);
    let why = desk.run(&["merge", "part-1.jsonl", "other.jsonl"]).is(2).err;
    assert!(why.contains("another tournament: its salt is 2f"), "{why}");
    // What is left of a saved tournament is played with the salt of its file.
    let text = std::fs::read_to_string(desk.path("part-1.jsonl")).unwrap();
    let some: String = text.lines().take(2).map(|line| format!("{line}\n")).collect();
    for more in [&[][..], &["--sealed"], &sealed] {
        desk.put("part.jsonl", &some);
        let resume = [&["--resume", "part.jsonl", "--json"], more].concat();
        assert_eq!(run(&resume).is(0).out, whole.out, "{more:?}");
    }
    run(&["--save", "open.jsonl"]).is(0);
    for (more, wanted) in [
        (&["--resume", "part.jsonl", "--unsealed"][..], "is sealed: leave out --unsealed"),
        (&["--resume", "part.jsonl", "--salt", "other.txt"], "has another salt"),
        (&["--resume", "open.jsonl", "--sealed"], "is not sealed: leave out --sealed"),
        (&["--resume", "open.jsonl", "--salt", "salt.txt"], "has another salt"),
        (&["--salt", "none.txt"], "none.txt"),
        (&["--salt", "open.jsonl"], "open.jsonl: a salt is 64 hexadecimal digits"),
        (&["--sealed", "--unsealed"], "cannot be used with"),
    ] {
        let said = run(more).is(2);
        assert!(said.err.contains(wanted), "{more:?}: {said:?}");
    }
}

/// The first shell lines behind some words of the documentation.
#[cfg(unix)]
fn documented(opening: &str) -> String {
    let (_, rest) = include_str!("../../docs/manual/src/measuring.md").split_once(opening).unwrap();
    let (_, rest) = rest.split_once("```sh\n").unwrap();
    // Two games instead of 200, and quick ones.
    rest.split_once("```").unwrap().0.replace("--games 200", "--games 2").replace("20000w", "200w")
}

/// Runs lines of a shell where `outwit` is found.
#[cfg(unix)]
fn shell(desk: &Desk, lines: &str, variables: &[(&str, String)]) {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_outwit"));
    let path = std::env::var("PATH").unwrap();
    let mut command = desk.command_of("bash");
    command.args(["-euc", lines]).envs(variables.iter().map(|(key, value)| (key, value)));
    command.env("PATH", format!("{}:{path}", program.parent().unwrap().display()));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{lines}: {output:?}");
}

#[test]
#[cfg(unix)]
fn the_documented_ways_to_use_several_machines_give_the_result_of_one_run() {
    let as_json = ["--json", "--no-times"];
    let args = ["match", "cops", "--seat", "thief=runner,schemer", "--seat", "cops=pack,marshal"];
    let small = ["--games", "2", "--budget", "200w"];
    let whole = Desk::new().run(&[&args[..], &small, &as_json].concat()).is(0).out;
    let merged = |desk: &Desk| {
        desk.run(&[&["match", "cops", "--resume", "all.jsonl"], &as_json[..]].concat()).is(0).out
    };

    // GNU parallel puts each of the words behind `:::` in the place of `{}`.
    let desk = Desk::new();
    let lines = documented("GNU parallel");
    let (parallel, merge) = lines.split_once('\n').unwrap();
    let (command, words) = parallel.split_once(" ::: ").unwrap();
    let command = command.strip_prefix("parallel '").unwrap().strip_suffix('\'').unwrap();
    let words: Vec<&str> = words.split(' ').collect();
    assert_eq!(words.len(), 8);
    words.iter().for_each(|word| shell(&desk, &command.replace("{}", word), &[]));
    shell(&desk, merge, &[]);
    assert_eq!(merged(&desk), whole);
    assert!(desk.path("line-ups.csv").exists() && desk.path("ratings.csv").exists());

    // Slurm runs the script once for each number, and again what it cut off.
    let desk = Desk::new();
    let script = documented("As a Slurm array");
    for task in (1..=8).chain([2]) {
        let variables = [("SLURM_ARRAY_TASK_ID", task), ("SLURM_CPUS_PER_TASK", 1)];
        shell(&desk, &script, &variables.map(|(key, value)| (key, value.to_string())));
    }
    shell(&desk, "outwit merge part-*.jsonl --save all.jsonl", &[]);
    assert_eq!(merged(&desk), whole);
}

#[test]
fn names_in_a_file_write_nothing_outside_the_folder() {
    let desk = Desk::new();
    let args = ["match", "cops", "tiny", "--seat", "thief=runner", "--seat", "cops=pack"];
    desk.run(&[&args[..], &["--games", "1", "--budget", "5ms", "--save", "own.jsonl"]].concat())
        .is(0);
    let text = std::fs::read_to_string(desk.path("own.jsonl")).unwrap();
    // As version 0.1 wrote them: without digests.
    let text = text.replacen("outwit-tournament 2", "outwit-tournament 1", 1);
    let text: String = text
        .lines()
        .map(|line| match line.rsplit_once(",\"seal\"") {
            Some((bare, _)) => format!("{bare}}}\n"),
            None => format!("{line}\n"),
        })
        .collect();
    std::fs::create_dir_all(desk.path("in/deep")).unwrap();
    let merge = |text: String| {
        desk.put("in/deep/forged.jsonl", text);
        desk.run(&["merge", "in/deep/forged.jsonl", "--replays", "in/deep/replays"])
    };
    let too_long = "x".repeat(65);
    for name in ["/../../x", "\\\\..\\\\x", "a b", "\\u001b[31m", "", "..", &too_long] {
        for (own, what) in [("runner", "planner"), ("thief", "seat")] {
            let said = merge(text.replace(&format!("\"{own}\""), &format!("\"{name}\""))).is(2);
            assert!(said.err.contains("line 1: ") && said.err.contains(what), "{said:?}");
        }
    }
    let said = merge(text.replace("\"thief\"", "\"burglar\"")).is(2);
    assert!(said.err.contains("burglar"), "{said:?}");
    let said = merge(text.replace("\"runner\"", "\"sprinter\"")).is(2);
    assert!(said.err.contains("unknown planner 'sprinter' for seat thief"), "{said:?}");
    merge(text.replace("\"cops/tiny\"", "\"cops/../../x\"")).is(0);
    let names = |folder: &str| -> Vec<String> {
        let files = std::fs::read_dir(desk.path(folder)).unwrap();
        let mut names: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".ron"))
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("in/deep/replays"), ["cops-x-runner-pack-1.ron"]);
    assert!(names("in/deep").is_empty() && names("in").is_empty() && names("").is_empty());
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
#[cfg(target_os = "linux")]
fn processor_time_is_a_budget_of_tournaments() {
    let desk = Desk::new();
    let args = ["match", "cops", "tiny", "--seat", "thief=runner,runner@1ms-cpu", "--seat"];
    let args = [&args[..], &["cops=pack", "--games", "1", "--budget", "2ms-cpu"]].concat();
    let files = ["--save", "kept.jsonl", "--games-csv", "g.csv", "--replays", "r"];
    let said = desk.run(&[&args[..], &files, &["--json"]].concat()).is(0).json();
    assert_eq!((&said["budget"], &said["rows"][0]["starved"]), (&"2ms-cpu".into(), &0.into()));
    assert_eq!(said["rows"][1]["thief"], "runner@1ms-cpu");
    let table = std::fs::read_to_string(desk.path("g.csv")).unwrap();
    assert!(table.lines().next().unwrap().contains("thief_overruns,thief_starved,"), "{table}");
    let text = std::fs::read_to_string(desk.path("kept.jsonl")).unwrap();
    assert!(text.starts_with("{\"format\":\"outwit-tournament 3\"") && text.contains("actions"));
    let again = ["match", "cops", "--resume", "kept.jsonl", "--json"];
    assert_eq!(desk.run(&again).is(0).json(), said);
    for replay in std::fs::read_dir(desk.path("r")).unwrap() {
        desk.run(&["replay", replay.unwrap().path().to_str().unwrap()]).is(0);
    }
}

#[test]
fn overruns_without_a_processor_are_told_in_words() {
    let desk = Desk::new();
    let run = |args: &[&str]| {
        let args = [&["match", "cops", "--resume", "kept.jsonl"], args].concat();
        desk.run(&args).is(0)
    };
    let args = ["match", "cops", "tiny", "--seat", "thief=runner", "--seat", "cops=pack@1000ms"];
    desk.run(&[&args[..], &["--games", "1", "--save", "kept.jsonl"]].concat()).is(0);
    // As version 0.1 wrote it, without digests, but with two late turns, one without a processor.
    let text = std::fs::read_to_string(desk.path("kept.jsonl")).unwrap();
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        match line.get("format") {
            Some(_) => line["format"] = "outwit-tournament 1".into(),
            None => {
                line.as_object_mut().unwrap().remove("seal");
                line["conduct"][1]["overruns"] = 2.into();
                line["conduct"][1]["starved"] = 1.into();
            }
        }
        format!("{line}\n")
    };
    desk.put("kept.jsonl", text.lines().map(line).collect::<String>());
    let said = run(&[]).out;
    assert!(said.contains("In 1 of 2 overruns the planner had a processor for less than half"));
    let json = run(&["--json"]).json();
    assert_eq!((&json["overruns"], &json["starved"]), (&2.into(), &1.into()));
}

#[test]
fn time_for_the_match_is_a_budget() {
    let desk = Desk::new();
    let seats = ["--seat", "x=novice", "--seat", "o=novice@2s+1s"];
    let args = [&["match", "mnk", "3x3x3"][..], &seats, &["--games", "1"]].concat();
    let with = |more: &[&str]| desk.run(&[&args[..], more].concat());
    let clock = ["--budget", "5s+100ms"];
    let json = with(&[&clock[..], &["--json", "--save", "kept.jsonl"]].concat()).is(0).json();
    assert_eq!((&json["budget"], &json["o"]), (&"5000ms+100ms".into(), &"novice@2s+1s".into()));
    assert!(json["strict"].is_null(), "{json}");
    let said = desk.run(&["match", "mnk", "--resume", "kept.jsonl"]).is(0).out;
    assert!(said.contains("1 games per line-up, 5000ms per match + 100ms per turn\n"), "{said}");
    for (budget, why) in [
        ("5s+", "write time and increment, such as 5s+100ms"),
        ("0s+1s", "must not be 0"),
        ("1s+100w", "'100w' must be a time"),
        ("86401s+1s", "such as 5s+100ms"),
        ("1s+90000000ms", "at most a day"),
        ("none", "sets no limit"),
    ] {
        let error = with(&["--budget", budget]).is(2).err;
        assert!(error.contains(why), "{budget}: {error}");
    }
    // Elsewhere a budget is one of a turn.
    let error = desk.run(&["analyse", "mnk/3x3x3", "--budget", "5s+1s"]).is(2).err;
    assert!(error.contains("not a budget per turn"), "{error}");
    let exploit = ["exploit", "cops/tiny", "--seat", "cops=chasers@5s+1s", "--games", "1"];
    let error = desk.run(&exploit).is(2).err;
    assert!(error.contains("give it a budget per turn"), "{error}");
}

#[test]
fn strictness_is_said_and_kept() {
    let desk = Desk::new();
    let args = ["match", "mnk", "3x3x3", "--seat", "x=novice", "--seat", "o=novice"];
    let with = |more: &[&str]| desk.run(&[&args[..], &["--games", "1"], more].concat());
    let error = with(&["--strict"]).is(2).err;
    assert!(error.contains("--strict needs a budget of time"), "{error}");
    // A minute is more than they need, however busy the machine.
    let strict = ["--budget", "60s+1s", "--strict"];
    let csv = ["--json", "--save", "kept.jsonl", "--csv", "rows.csv"];
    let first = with(&[&strict[..], &csv].concat()).is(0);
    assert_eq!(first.json()["strict"], true);
    let rows = std::fs::read_to_string(desk.path("rows.csv")).unwrap();
    assert!(rows.lines().next().unwrap().contains(",budget,strict,program"), "{rows}");
    let resumed = desk.run(&["match", "mnk", "--resume", "kept.jsonl", "--json"]).is(0);
    assert_eq!(resumed.out, first.out);
    let said = desk.run(&["merge", "kept.jsonl"]).is(0).out;
    assert!(said.contains("60000ms per match + 1000ms per turn, strict\n"), "{said}");
    with(&["--budget", "60s+1s", "--save", "other.jsonl"]).is(0);
    let error = desk.run(&["match", "mnk", "--resume", "other.jsonl", "--strict"]).is(2).err;
    assert!(error.contains("its option --strict is off, not on"), "{error}");
    let error = desk.run(&["merge", "kept.jsonl", "other.jsonl"]).is(2).err;
    assert!(error.contains("its option --strict is off, not on"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn strictness_goes_with_processor_time() {
    let desk = Desk::new();
    let args = ["match", "mnk", "3x3x3", "--seat", "x=novice", "--seat", "o=novice"];
    let strict = ["--games", "1", "--budget", "2s-cpu", "--strict", "--json", "--save", "a.jsonl"];
    let first = desk.run(&[&args[..], &strict].concat()).is(0);
    let json = first.json();
    assert_eq!((&json["strict"], &json["budget"]), (&true.into(), &"2000ms-cpu".into()));
    assert_eq!(json["overruns"], 0);
    let resumed = desk.run(&["match", "mnk", "--resume", "a.jsonl", "--json"]).is(0);
    assert_eq!(resumed.out, first.out);
    let said = desk.run(&["merge", "a.jsonl"]).is(0).out;
    assert!(said.contains("2000ms-cpu per turn, strict\n"), "{said}");
}

#[test]
fn a_budget_of_its_own_is_kept_to() {
    let desk = Desk::new();
    let args = ["match", "cops", "tiny", "--seat", "thief=runner", "--seat"];
    let args = [&args[..], &["cops=marshal@30w,marshal@3000w", "--games", "3"]].concat();
    desk.run(&[&args[..], &["--save", "kept.jsonl"]].concat()).is(0);
    let text = std::fs::read_to_string(desk.path("kept.jsonl")).unwrap();
    let mut games = [0; 2];
    for line in text.lines().skip(1) {
        let game: Value = serde_json::from_str(line).unwrap();
        let figure = |key: &str| game["conduct"][1][key].as_u64().unwrap();
        let per_turn = figure("work") / figure("asked");
        let is_small = game["players"][1] == "marshal@30w";
        assert!(if is_small { per_turn <= 30 } else { per_turn > 300 }, "{per_turn}: {line}");
        games[usize::from(is_small)] += 1;
    }
    assert_eq!(games, [3, 3]);
}

/// Rows of a CSV file whose fields hold neither commas nor quotes, as texts by their columns.
fn rows_of(text: &str) -> Vec<Vec<(String, String)>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let head: Vec<String> = lines.next().unwrap().collect();
    lines.map(|row| head.iter().cloned().zip(row).collect()).collect()
}

#[test]
fn every_table_says_what_was_played() {
    let desk = Desk::new();
    let files = ["--csv", "a.csv", "--games-csv", "b.csv", "--differences-csv", "c.csv"];
    let args = pair(&[&["2", "--json", "--ratings-csv", "d.csv"][..], &files].concat());
    let json = desk.run(&args).is(0).json();
    for file in ["a.csv", "b.csv", "c.csv", "d.csv"] {
        let rows = rows_of(&std::fs::read_to_string(desk.path(file)).unwrap());
        assert!(!rows.is_empty());
        for row in rows {
            for key in [
                "game",
                "level",
                "level_hash",
                "rules_version",
                "rules_digest",
                "budget",
                "program",
            ] {
                let found: Vec<&str> =
                    row.iter().filter(|(k, _)| k == key).map(|(_, value)| value.as_str()).collect();
                let wanted = &json[key];
                let wanted = wanted.as_str().map_or_else(|| wanted.to_string(), str::to_owned);
                assert_eq!(found, [wanted], "{file}: {key}");
            }
        }
    }
}

#[test]
fn mean_ticks_are_those_in_which_games_ended() {
    let desk = Desk::new();
    let args = ["12", "--json", "--save", "kept.jsonl", "--games-csv", "games.csv"];
    let json = desk.run(&pair(&args)).is(0).json();
    let games = rows_of(&std::fs::read_to_string(desk.path("games.csv")).unwrap());
    let text = std::fs::read_to_string(desk.path("kept.jsonl")).unwrap();
    let mut endings = std::collections::BTreeSet::new();
    for row in json["rows"].as_array().unwrap() {
        let mut ticks = Vec::new();
        for line in text.lines().skip(1) {
            let game: Value = serde_json::from_str(line).unwrap();
            if game["players"][0] != row["thief"] {
                continue;
            }
            let headline = game["headline"].as_str().unwrap();
            let (ending, told) = headline.split_once(" in tick ").unwrap_or((headline, "100"));
            let of_game = |wanted: &str| {
                let (seed, thief) = (game["seed"].to_string(), row["thief"].as_str().unwrap());
                let mut row = games.iter().filter(|row| {
                    row.contains(&("seed".into(), seed.clone()))
                        && row.contains(&("thief".into(), thief.into()))
                });
                let fields = row.next().unwrap();
                let value = fields.iter().find(|(key, _)| key == wanted).unwrap().1.clone();
                value.parse::<f64>().unwrap()
            };
            let told: f64 = told.parse().unwrap();
            // A turn plays a tick. Words count ticks from 1, figures and payoffs from 0.
            assert_eq!(of_game("turns"), told, "{headline}");
            let tick = told - f64::from(u8::from(ending != "never caught"));
            if ending == "caught" {
                assert_eq!(of_game("thief_payoff"), tick);
            }
            ticks.push(tick);
            endings.insert(ending.to_owned());
        }
        let mean = ticks.iter().sum::<f64>() / ticks.len() as f64;
        assert_eq!((ticks.len(), row["mean_ticks"].as_f64().unwrap()), (12, mean), "{row}");
    }
    assert!(endings.contains("caught") && endings.contains("escaped"), "{endings:?}");
}

#[test]
fn an_unsealed_file_is_named() {
    let desk = Desk::new();
    let first = desk.run(&pair(&["2", "--json", "--no-times", "--save", "kept.jsonl"])).is(0);
    let text = std::fs::read_to_string(desk.path("kept.jsonl")).unwrap();
    let bare = |line: &str| match line.rsplit_once(",\"seal\"") {
        Some((bare, _)) => format!("{bare}}}\n"),
        None => format!("{}\n", line.replacen("outwit-tournament 2", "outwit-tournament 1", 1)),
    };
    desk.put("old.jsonl", text.lines().map(bare).collect::<String>());
    for args in [&["match", "cops", "--resume"][..], &["merge"]] {
        let run = |file: &str| desk.run(&[args, &[file, "--json", "--no-times"]].concat()).is(0);
        let (old, sealed) = (run("old.jsonl"), run("kept.jsonl"));
        assert_eq!((&old.out, &sealed.out), (&first.out, &first.out));
        assert!(old.err.starts_with("old.jsonl: an earlier version wrote this"), "{old:?}");
        assert!(old.err.contains("cannot be detected") && sealed.err.is_empty(), "{old:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_cannot_grow_loses_no_result() {
    let desk = Desk::new();
    let whole = desk.run(&pair(&["40", "--json", "--no-times"])).is(0);
    // The system allows files of some kilobytes only, as a quota would.
    let script = r#"trap "" XFSZ; ulimit -f 12; exec "$0" "$@""#;
    let limited = |args: &[&str]| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_outwit")]).args(args);
        shell.current_dir(desk.path("")).env("OUTWIT_DATA", desk.path("data"));
        let output = shell.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let out = text(output.stdout);
        super::cli::Said { code: output.status.code().unwrap(), out, err: text(output.stderr) }
    };
    let said = limited(&pair(&["40", "--json", "--no-times", "--save", "kept.jsonl"])).is(2);
    assert_eq!(said.out, whole.out, "the result is printed");
    assert!(said.err.contains("kept.jsonl: File too large"), "{said:?}");
    assert!(said.err.contains("this file is incomplete"), "{said:?}");
    let kept = std::fs::read_to_string(desk.path("kept.jsonl")).unwrap().matches('\n').count();
    assert!(kept > 1 && kept < 81, "{kept} lines");
    let said = limited(&["merge", "kept.jsonl", "--save", "kept.jsonl~"]).is(1);
    let missing = format!("outwit: {} of 80 games are missing in these files\n", 81 - kept);
    assert!(said.err.ends_with(&missing), "{said:?}");
    let resumed = ["match", "cops", "--resume", "kept.jsonl", "--json", "--no-times"];
    assert_eq!(desk.run(&resumed).is(0).out, whole.out);
    assert_eq!(std::fs::read_to_string(desk.path("kept.jsonl")).unwrap().lines().count(), 81);
    let said = limited(&["merge", "kept.jsonl", "--save", "all.jsonl"]).is(2);
    assert!(said.err.contains("all.jsonl") && said.err.contains("incomplete"), "{said:?}");
}

#[test]
fn games_begin_with_openings_where_there_is_no_chance() {
    let desk = Desk::new();
    let args = ["match", "mnk", "5x5x4", "--seat", "x=expert", "--seat", "o=club"];
    let with = |more: &[&str]| desk.run(&[&args[..], &["--budget", "200w"], more].concat());
    let games = |file: &str| -> Vec<(String, String)> {
        let rows = rows_of(&std::fs::read_to_string(desk.path(file)).unwrap());
        let field = |row: &[(String, String)], name: &str| {
            row.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
        };
        rows.iter()
            .map(|row| (field(row, "seed").unwrap(), field(row, "opening").unwrap_or_default()))
            .collect()
    };
    let whole = with(&["--games", "4", "--json", "--no-times", "--games-csv", "games.csv"]).is(0);
    let openings: Vec<String> = games("games.csv").into_iter().map(|(_, moves)| moves).collect();
    assert!(!openings[0].is_empty() && openings[0] != openings[2], "{openings:?}");
    assert_eq!((&openings[0], &openings[2]), (&openings[1], &openings[3]));
    // Shares find the same openings.
    for number in ["1", "2"] {
        let (share, file) = (format!("{number}/2"), format!("{number}.jsonl"));
        with(&["--games", "4", "--shard", &share, "--save", &file]).is(0);
    }
    let merged = desk.run(&["merge", "1.jsonl", "2.jsonl", "--json", "--no-times"]).is(0);
    assert_eq!(merged.out, whole.out);
    desk.run(&["match", "mnk", "--resume", "1.jsonl", "--replays", "replays"]).is(0);
    assert_eq!(
        desk.run(&["replay", "replays/mnk-5x5x4-expert-club-2.ron", "--json"]).is(0).json()["faithful"],
        true
    );
    let said = desk.run(&["match", "mnk", "--resume", "1.jsonl", "--openings", "none"]).is(2);
    assert!(said.err.contains("it has other openings"), "{said:?}");
    // Openings of a file, and what is wrong with one.
    desk.put("own.txt", "# two openings\nb2 c3\n\nc3 b4 d2\n");
    with(&["--games", "8", "--openings", "own.txt", "--games-csv", "games.csv"]).is(0);
    let openings: Vec<String> = games("games.csv").into_iter().map(|(_, moves)| moves).collect();
    assert_eq!(openings[..5], ["b2 c3", "b2 c3", "c3 b4 d2", "c3 b4 d2", "b2 c3"]);
    for (text, wanted) in [
        ("b2 c3\nb2 b2\n", "own.txt: line 2: move 2, 'b2': b2 is not empty"),
        ("# none\n", "own.txt: there are no openings"),
        ("a1 b1 a2 b2 a3 b3 a4", "line 1: the match is over"),
        // Enough to take minutes or gigabytes, if each was played.
        (&"b2 c3\n".repeat(10_001), "line 10001: there are more than 10000 openings"),
        (&format!("# one line\n{}", "b2 c3 ".repeat(10_000)), "line 2 has 59999 bytes"),
    ] {
        desk.put("own.txt", text);
        let said = with(&["--openings", "own.txt"]).is(2);
        assert!(said.err.contains(wanted), "{said:?}");
    }
    let said = desk.run(&["match", "cops", "tiny", "--openings", "search"]).is(2);
    assert!(said.err.contains("finds no openings"), "{said:?}");
}

#[test]
fn equal_games_are_named_instead_of_an_interval() {
    let desk = Desk::new();
    let args = ["match", "mnk", "5x5x4", "--openings", "none", "--budget", "200w", "--games", "3"];
    let seats = ["--seat", "x=expert", "--seat", "o=club,expert"];
    let said = desk.run(&[&args[..], &seats, &["--csv", "table.csv"]].concat()).is(0);
    assert!(said.out.contains("all games were equal"), "{said:?}");
    let rows = rows_of(&std::fs::read_to_string(desk.path("table.csv")).unwrap());
    let field = |row: &[(String, String)], name: &str| {
        row.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()).unwrap()
    };
    // Club overlooks cells at random, which expert never does.
    assert_eq!((field(&rows[1], "all_equal"), field(&rows[1], "ci95")), ("true".into(), "".into()));
    let json = desk.run(&[&args[..], &seats, &["--json"]].concat()).is(0).json();
    assert_eq!(json["matrix"]["all_equal"][0][1], true);
    assert!(json["matrix"]["ci95"][0][1].is_null());
}
