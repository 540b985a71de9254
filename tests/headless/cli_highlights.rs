//! The highlights of a tournament on the command line.

use super::cli::Desk;
use serde_json::Value;
use std::collections::BTreeMap;

/// A desk with a saved tournament and the replays of its games.
fn desk() -> Desk {
    let desk = Desk::new();
    let args = ["match", "cops", "tiny", "--seat", "thief=runner,evader", "--seat"];
    let more = ["cops=chasers,pack", "--games", "3", "--budget", "2000w", "--save", "all.jsonl"];
    desk.run(&[&args[..], &more, &["--replays", "replays"]].concat()).is(0);
    desk
}

/// The games of a saved tournament.
fn games(desk: &Desk) -> Vec<Value> {
    let text = std::fs::read_to_string(desk.path("all.jsonl")).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn highlights_are_the_largest_turning_points_of_all_games() {
    let desk = desk();
    let args = ["highlights", "all.jsonl", "--most", "4", "--json"];
    let said = desk.run(&args).is(0);
    assert_eq!(desk.run(&args).is(0).out, said.out, "the same every time");
    let found = said.json();
    assert_eq!((&found["games"], &found["looked_at"]), (&12.into(), &12.into()));
    // What the commentary on each of the replays says, put together here.
    let mut sizes: Vec<f64> = Vec::new();
    for file in std::fs::read_dir(desk.path("replays")).unwrap() {
        let file = file.unwrap().path();
        let args = ["replay", file.to_str().unwrap(), "--commentary", "--json"];
        let told = desk.run(&args).is(0).json();
        let points = told["commentary"]["turning_points"].as_array().unwrap().clone();
        let size = |point: &Value| point["to"].as_f64().unwrap() - point["from"].as_f64().unwrap();
        sizes.extend(points.iter().map(size));
    }
    sizes.sort_by(|one, other| other.total_cmp(one));
    sizes.truncate(4);
    assert!(!sizes.is_empty());
    let listed = found["turning_points"].as_array().unwrap();
    let share = |point: &Value, key: &str| point[key].as_f64().unwrap();
    let listed: Vec<f64> = listed
        .iter()
        .map(|point| share(point, "share_after") - share(point, "share_before"))
        .collect();
    assert_eq!(listed, sizes);
    let text = desk.run(&["highlights", "all.jsonl"]).is(0).out;
    assert!(text.contains("turning points in 12 games"), "{text}");
}

#[test]
fn the_quickest_games_are_those_with_the_fewest_turns() {
    let desk = desk();
    let mut quickest: BTreeMap<String, u64> = BTreeMap::new();
    let mut slowest: BTreeMap<String, u64> = BTreeMap::new();
    for game in games(&desk) {
        let places = game["places"].as_array().unwrap();
        let winner = places.iter().find(|place| place["rank"] == 1).unwrap();
        let ending = winner["ending"].as_str().unwrap().to_owned();
        let turns = game["turns"].as_u64().unwrap();
        let least = quickest.entry(ending.clone()).or_insert(turns);
        *least = turns.min(*least);
        let most = slowest.entry(ending).or_insert(turns);
        *most = turns.max(*most);
    }
    quickest.retain(|ending, turns| *turns < slowest[ending]);
    let found = desk.run(&["highlights", "all.jsonl", "--json"]).is(0).json();
    let listed = found["quickest"].as_array().unwrap();
    let listed: BTreeMap<String, u64> = listed
        .iter()
        .filter(|moment| {
            slowest[moment["ending"].as_str().unwrap()] > moment["turns"].as_u64().unwrap()
        })
        .map(|moment| {
            (moment["ending"].as_str().unwrap().to_owned(), moment["turns"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(listed, quickest);
    assert!(!listed.is_empty());
}

#[test]
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn no_program_is_started_because_a_file_names_it() {
    let desk = Desk::new();
    let args = ["match", "mnk", "3x3x3", "--seat", "x=classic", "--seat", "o=novice"];
    let more = ["--games", "2", "--budget", "500w", "--openings", "none", "--save", "own.jsonl"];
    desk.run(&[&args[..], &more].concat()).is(0);
    desk.put("brain", "#!/bin/sh\ntouch started\n");
    use std::os::unix::fs::PermissionsExt;
    let brain = desk.path("brain");
    std::fs::set_permissions(&brain, std::fs::Permissions::from_mode(0o755)).unwrap();
    // As version 0.1 wrote it, without digests, and with a program in place of a planner.
    let text = std::fs::read_to_string(desk.path("own.jsonl")).unwrap();
    let text = text.replacen("outwit-tournament 2", "outwit-tournament 1", 1);
    // Programs have a time, and games that were timed are not played again the same.
    let text = text.replace("500w", "5ms");
    let text = text.replace("\"novice\"", &format!("\"engine:{}\"", brain.display()));
    let lines = text.lines().map(|line| match line.rsplit_once(",\"seal\"") {
        Some((bare, _)) => format!("{bare}}}\n"),
        None => format!("{line}\n"),
    });
    desk.put("forged.jsonl", lines.collect::<String>());
    let said = desk.run(&["highlights", "forged.jsonl"]).is(0);
    assert!(said.err.contains("programs are not started"), "{said:?}");
    assert!(said.out.contains("No turning points in 0 games"), "{said:?}");
    assert!(!desk.path("started").exists());
}

#[test]
fn files_that_are_no_tournament_are_refused() {
    let desk = desk();
    desk.put("letter.txt", "Dear Ada,\n");
    for (args, says) in [
        (&["letter.txt"][..], "not a tournament"),
        (&["none.jsonl"], "none.jsonl"),
        (&["all.jsonl", "--most", "0"], "--most"),
        (&["all.jsonl", "--gif", "letter.txt/a.gif"], "letter.txt"),
    ] {
        let said = desk.run(&[&["highlights"], args].concat()).is(2);
        assert!(said.err.contains(says), "{said:?}");
    }
}

/// A turn of a race is that of one car, so what counts those of all cars says moves.
#[test]
fn races_count_moves_where_those_of_all_cars_are_meant() {
    let desk = Desk::new();
    let seats = ["--seat", "car1=novice", "--seat", "car2=ace", "--budget", "2000w"];
    let saved = ["--games", "3", "--save", "races.jsonl", "--replays", "races"];
    desk.run(&[&["match", "racetrack", "tiny"][..], &seats, &saved].concat()).is(0);
    let listed = desk.run(&["highlights", "races.jsonl"]).is(0).out;
    assert!(listed.contains(" moves") && !listed.contains(" turns"), "{listed}");
    let file = std::fs::read_dir(desk.path("races")).unwrap().next().unwrap().unwrap().path();
    let told = desk.run(&["replay", file.to_str().unwrap(), "--commentary"]).is(0).out;
    let first = told.lines().next().unwrap();
    assert!(first.contains(" moves, ") && !first.contains("turns"), "{told}");
    assert!(told.lines().any(|line| line.starts_with("move ")), "{told}");
}
