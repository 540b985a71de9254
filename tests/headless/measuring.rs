//! Traces, tables and their documentation.

use super::cli::Desk;
use serde_json::Value;
use std::collections::BTreeSet;

const FIELDS: &str = include_str!("../../docs/manual/src/fields.md");

/// Replays of a short game of every kind.
fn replays(desk: &Desk) -> Vec<(&'static str, String)> {
    let games: [(&str, &[&str]); 5] = [
        ("racetrack", &["racetrack/tiny", "--seat", "car1=greedy", "--seat", "car2=ace"]),
        ("cops", &["cops/tiny", "--seat", "thief=runner", "--seat", "cops=chasers"]),
        ("pukoban", &["pukoban/01-first-push", "--planner", "best"]),
        ("stealth", &["stealth/report-3", "--planner", "exact"]),
        ("mnk", &["mnk/3x3x3", "--seat", "x=novice", "--seat", "o=novice"]),
    ];
    let mut all = Vec::new();
    for (game, args) in games {
        let args = [&["match", game], args, &["--games", "1", "--replays", game]].concat();
        desk.run(&args).is(0);
        let file = std::fs::read_dir(desk.path(game)).unwrap().next().unwrap().unwrap();
        all.push((game, file.path().to_str().unwrap().to_owned()));
    }
    all
}

#[test]
fn every_turn_of_every_game_is_traced() {
    let desk = Desk::new();
    for (game, replay) in replays(&desk) {
        let traced = ["replay", &replay, "--json", "--trace"];
        let said = desk.run(&[&traced[..], &["t.jsonl", "--values"]].concat()).is(0).json();
        let turns = said["turns"].as_u64().unwrap() as usize;
        let text = std::fs::read_to_string(desk.path("t.jsonl")).unwrap();
        let rows: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), turns + 1, "{game}");
        let keys = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        for (turn, row) in rows.iter().enumerate() {
            assert_eq!(row["turn"], turn, "{game}");
            assert_eq!(keys(row), keys(&rows[0]), "{game}");
            let is_quiet = row["actions"].as_array().unwrap().is_empty();
            assert!(!is_quiet || turn == 0 || game == "cops", "{game}: {row}");
        }
        let seat = if game == "cops" { "thief" } else { "" };
        let score = |row: &Value| {
            let score = row
                .as_object()
                .unwrap()
                .iter()
                .find(|(key, _)| key.ends_with("_score") && key.starts_with(seat));
            score.unwrap().1.clone()
        };
        assert!(score(&rows[0]).is_null() && !score(&rows[turns]).is_null(), "{game}");
        let length = |row: &Value, key: &str| row[key].as_array().unwrap().len();
        for row in &rows {
            // In every turn something happens, and every move of these small games is valued.
            assert_eq!(length(row, "events") > 0, row["turn"] != 0, "{game}: {row}");
            let values = row.as_object().unwrap().iter();
            let values =
                values.filter(|(key, value)| key.ends_with("_value_after") && value.is_number());
            assert_eq!(values.count(), length(row, "actions"), "{game}: {row}");
        }
        desk.run(&["replay", &replay, "--trace", "t.csv"]).is(0);
        let text = std::fs::read_to_string(desk.path("t.csv")).unwrap();
        // Without being asked for, no move is valued.
        let is_value = |key: &&String| {
            ["_before", "_after", "_cost", "_margin"].iter().any(|end| key.ends_with(end))
        };
        let plain: Vec<String> = keys(&rows[0]).into_iter().filter(|key| !is_value(&key)).collect();
        assert!(plain.len() < keys(&rows[0]).len(), "{game}");
        assert_eq!(text.lines().next().unwrap(), plain.join(","), "{game}");
        assert_eq!(text.lines().count(), turns + 2, "{game}");
        for line in text.lines() {
            assert_eq!(columns_of(line), plain.len(), "{game}: {line}");
        }
        match game {
            "racetrack" => {
                // A car that moves on the track goes by its velocity.
                let at = |row: &Value, key: &str| row[key].as_i64().unwrap();
                let mut moved = 0;
                for pair in rows.windows(2).filter(|pair| pair[1]["car1_status"] == "racing") {
                    for (place, speed) in [("car1_x", "car1_vx"), ("car1_y", "car1_vy")] {
                        let step = at(&pair[1], place) - at(&pair[0], place);
                        if pair[0]["mover"] == 1 {
                            assert_eq!(step, at(&pair[1], speed), "{pair:?}");
                            moved += step.abs();
                        } else {
                            assert_eq!(step, 0);
                        }
                    }
                }
                assert!(moved > 0);
            }
            "cops" => {
                assert!(
                    rows[0]["wall1_x"].is_i64() && rows[0]["gate1_cells"].is_array(),
                    "{}",
                    rows[0]
                );
                let end = &rows[turns];
                if end["status"] == "caught" {
                    assert_eq!(end["thief_score"].as_f64(), end["tick"].as_f64());
                }
            }
            _ => assert!(keys(&rows[0]).iter().any(|key| key.starts_with("state."))),
        }
    }
    let (_, replay) = replays(&desk).remove(0);
    assert!(
        desk.run(&["replay", &replay, "--trace", "t.txt"]).is(2).err.contains(".jsonl or .csv")
    );
}

/// The number of cells of a line of CSV.
fn columns_of(line: &str) -> usize {
    let mut quoted = false;
    let is_end = |letter: &char| {
        quoted ^= *letter == '"';
        *letter == ',' && !quoted
    };
    1 + line.chars().filter(is_end).count()
}

/// The name of a field as the page gives it: seats, cars and numbers of pieces are placeholders.
fn documented(key: &str) -> String {
    let plain = |part: &str| part.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    for seat in ["thief", "cops", "car1", "car2", "x", "o", "player"] {
        if let Some(rest) = key.strip_prefix(seat).and_then(|rest| rest.strip_prefix('_')) {
            let own = ["x", "y", "vx", "vy", "turns", "waiting", "passed", "status"];
            if !own.contains(&rest) {
                return format!("SEAT_{rest}");
            }
        }
    }
    match key.split_once('_') {
        Some((piece, rest)) if plain(piece) != piece && !piece.is_empty() => {
            format!("{}N_{rest}", plain(piece))
        }
        _ if ["thief", "cops", "car1", "car2", "x", "o"].contains(&key) => "SEAT".into(),
        _ if key.starts_with("state.") => "state.*".into(),
        _ => key.into(),
    }
}

fn collect(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                keys.insert(key.clone());
                // Actions and level files have their own description.
                if key != "action" && key != "insight" {
                    collect(value, keys);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, keys)),
        _ => {}
    }
}

#[test]
fn every_field_is_documented() {
    let desk = Desk::new();
    let mut keys = BTreeSet::new();
    let documents = |keys: &mut BTreeSet<String>, args: &[&str], code: i32| {
        collect(&desk.run(&[args, &["--json"]].concat()).is(code).json(), keys);
    };
    desk.put("bad.ron", "(format: \"racetrack 1\", name: \"Bad\", map: [\"S.?.\", \"####\"])");
    desk.put("syntax.ron", "(format: \"racetrack 1\", name: 7)");
    for args in [&["levels"][..], &["planners"], &["planners", "mnk"]] {
        documents(&mut keys, args, 0);
    }
    documents(&mut keys, &["check", "bad.ron", "syntax.ron"], 1);
    documents(&mut keys, &["solve", "bad.ron"], 1);
    documents(&mut keys, &["solve", "nosuch"], 2);
    documents(&mut keys, &["convert", "racetrack/tiny", "out.track"], 0);
    for level in
        ["racetrack/tiny", "cops/tiny", "pukoban/01-first-push", "stealth/report-3", "mnk/3x3x3"]
    {
        documents(&mut keys, &["solve", level], 0);
        documents(&mut keys, &["analyse", level, "--budget", "200w"], 0);
    }
    documents(&mut keys, &["solve", "pukoban/02-first-pull", "--moves", "l"], 1);
    documents(
        &mut keys,
        &["bench", "pukoban", "--level", "pukoban/01-first-push", "--planner", "best"],
        0,
    );
    let exercise = ["exercise", "pukoban/01-first-push", "--search", "astar-h1"];
    documents(&mut keys, &[&exercise[..], &["--output", "exercise.json"]].concat(), 0);
    let text = std::fs::read_to_string(desk.path("exercise.json")).unwrap();
    collect(&serde_json::from_str(&text).unwrap(), &mut keys);
    let league = ["league", "cops", "--level", "cops/tiny", "--budget", "300w"];
    documents(&mut keys, &[&league[..], &["--matches", "2"]].concat(), 0);
    let exploit = ["exploit", "cops/tiny", "--seat", "cops=chasers", "--games", "2"];
    documents(&mut keys, &[&exploit[..], &["--budget", "300w", "--csv", "e.csv"]].concat(), 0);
    let text = std::fs::read_to_string(desk.path("e.csv")).unwrap();
    keys.extend(text.lines().next().unwrap().split(',').map(str::to_owned));
    for (game, replay) in replays(&desk) {
        let file = format!("{game}.jsonl");
        documents(&mut keys, &["replay", &replay, "--trace", &file, "--values"], 0);
        let has_commentary = ["racetrack", "cops", "mnk"].contains(&game);
        documents(
            &mut keys,
            &["replay", &replay, "--commentary"],
            if has_commentary { 0 } else { 2 },
        );
    }
    let files = ["--csv", "a.csv", "--games-csv", "b.csv", "--differences-csv", "c.csv"];
    let files = [&files[..], &["--ratings-csv", "d.csv", "--games", "2"]].concat();
    for (number, args) in [
        &["match", "cops", "tiny", "--seat", "thief=random,runner", "--seat", "cops=chasers"][..],
        &["match", "racetrack", "tiny", "--seat", "car1=greedy", "--seat", "car2=ace,greedy"],
        &["match", "pukoban", "01-first-push", "--planner", "best,greedy"],
        &["match", "stealth", "report-3", "--planner", "exact"],
        &["match", "mnk", "3x3x3", "--seat", "x=novice", "--seat", "o=novice"],
        &[
            "match", "mnk", "3x3x3", "--seat", "x=novice", "--seat", "o=novice", "--budget", "60s",
            "--strict",
        ],
    ]
    .iter()
    .enumerate()
    {
        let save = format!("{number}.jsonl");
        documents(&mut keys, &[args, &files[..], &["--save", &save]].concat(), 0);
        for line in std::fs::read_to_string(desk.path(&save)).unwrap().lines() {
            collect(&serde_json::from_str(line).unwrap(), &mut keys);
        }
        for table in ["a.csv", "b.csv", "c.csv", "d.csv"] {
            let text = std::fs::read_to_string(desk.path(table)).unwrap();
            let head = text.lines().next().unwrap_or_default();
            keys.extend(head.split(',').filter(|key| !key.is_empty()).map(str::to_owned));
        }
    }
    for game in ["racetrack", "cops", "pukoban", "stealth", "mnk"] {
        let text = std::fs::read_to_string(desk.path(&format!("{game}.jsonl"))).unwrap();
        let row: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        keys.extend(row.as_object().unwrap().keys().cloned());
    }
    let missing: BTreeSet<String> = keys
        .iter()
        .map(|key| documented(key))
        .filter(|key| !FIELDS.contains(&format!("`{key}`")))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/manual/src/fields.md does not tell what these are: {missing:#?}"
    );
}
