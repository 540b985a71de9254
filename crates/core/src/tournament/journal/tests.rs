//! Tests of the file of a tournament.

use super::*;
use crate::platform::program::AllowedPrograms;
use crate::platform::store;
use crate::platform::time::Duration;
use crate::play::{Outcome, Place, Salt, SeatStats};
use crate::tournament::{ContestLevel, Entrants};

/// Three games of one planner. What is played matters to nobody here.
fn small() -> (Contest, Vec<FinishedGame>) {
    let contest = Contest {
        game: "race".into(),
        rules_version: 1,
        program: "0".into(),
        level: ContestLevel::new("race/straight".into(), "(map: [\"S..F\"])".into()),
        seats: vec![Entrants { seat: "car".into(), planners: vec!["straight".into()] }],
        first_seed: 1,
        seeds: 3,
        budget: Budget::Work(200),
        salt: None,
        programs: AllowedPrograms::default(),
    };
    let game = |seed: u64| FinishedGame {
        seed,
        players: vec!["straight".into()],
        outcome: Outcome {
            headline: "finished".into(),
            places: vec![Place { rank: 1, score: Some(4.25), ending: "finished".into() }],
        },
        stats: vec![SeatStats { overruns: 3, starved: seed as u32 - 1, ..SeatStats::default() }],
        turns: 5,
        closing: None,
        digest: seed,
        actions: None,
    };
    let games = (1..=3).map(game).collect();
    (contest, games)
}

#[test]
fn altered_lines_are_not_believed() {
    let (contest, games) = small();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let journal = Journal::begin(&file, &contest).unwrap();
    games.iter().for_each(|game| journal.add(game).unwrap());
    drop(journal);
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(Journal::read(&file).unwrap().1, games);
    let lines: Vec<&str> = text.lines().collect();
    for (number, &line) in lines.iter().enumerate().skip(1) {
        let score = line.split("\"score\":\"").nth(1).unwrap().split('"').next().unwrap();
        let bare = line.rsplit_once(",\"seal\"").unwrap().0.to_owned() + "}";
        let better = line.replacen(&format!("\"score\":\"{score}\""), "\"score\":\"1\"", 1);
        let turns = line.replacen("\"turns\":", "\"turns\":1", 1);
        for altered in [bare, better, turns] {
            assert_ne!(altered, line);
            std::fs::write(&file, text.replacen(line, &altered, 1)).unwrap();
            let why = Journal::read(&file).unwrap_err().to_string();
            assert!(why.contains(&format!("line {}", number + 1)), "{why}");
            assert!(Journal::resume(&file, &contest).is_err());
        }
    }
    // The same lines in the file of another contest, whose games these could be.
    let other = Contest { budget: Budget::Work(201), ..contest.clone() };
    assert!(games.iter().all(|game| other.place_of(game).is_some()));
    let head = serde_json::to_string(&Header { format: FORMAT.into(), contest: other }).unwrap();
    std::fs::write(&file, text.replacen(lines[0], &head, 1)).unwrap();
    let why = Journal::read(&file).unwrap_err().to_string();
    assert!(why.contains("line 2 was altered"), "{why}");
    assert!(Journal::is_sealed(&file).unwrap());
    // Files of version 0.1 have no digests.
    let old = text.replacen(PLAIN, UNSEALED, 1);
    let bare = |line: &str| line.rsplit_once(",\"seal\"").map(|(bare, _)| bare.to_owned() + "}");
    let old: Vec<String> = old.lines().map(|line| bare(line).unwrap_or(line.into())).collect();
    std::fs::write(&file, old.join("\n") + "\n").unwrap();
    assert_eq!(Journal::read(&file).unwrap().1, games);
    assert!(!Journal::is_sealed(&file).unwrap());
}

#[test]
fn salts_are_checked_and_belong_to_the_seals() {
    let (plain, games) = small();
    let salt: Salt = "5a".repeat(32).parse().unwrap();
    let contest = Contest { salt: Some(salt), ..plain.clone() };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let journal = Journal::begin(&file, &contest).unwrap();
    games.iter().for_each(|game| journal.add(game).unwrap());
    drop(journal);
    assert_eq!(Journal::read(&file).unwrap(), (contest.clone(), games));
    let why = Journal::resume(&file, &plain).err().unwrap().to_string();
    assert!(why.contains(&format!("its salt is {salt}, not none")), "{why}");
    let text = std::fs::read_to_string(&file).unwrap();
    let with = |new: &str| {
        let changed = text.replacen(&salt.to_string(), new, 1);
        assert_ne!(changed, text);
        std::fs::write(&file, changed).unwrap();
        Journal::read(&file).unwrap_err().to_string()
    };
    assert!(with(&"5b".repeat(32)).contains("line 2 was altered"));
    for wrong in ["", "5a", &"5a".repeat(33), &"xy".repeat(32), &"5a".repeat(1 << 20)] {
        let why = with(wrong);
        assert!(why.contains("no configuration: a salt is 64 hexadecimal digits"), "{why}");
    }
}

#[test]
fn files_without_news_are_read_by_earlier_versions() {
    let (plain, _) = small();
    let salt = "00".repeat(32).parse().ok();
    let cpu = Budget::Cpu(Duration::from_secs(1));
    for (contest, format) in [
        (Contest { budget: cpu, ..plain.clone() }, "outwit-tournament 3"),
        (Contest { salt, ..plain.clone() }, "outwit-tournament 3"),
        (plain, "outwit-tournament 2"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.jsonl");
        drop(Journal::begin(&file, &contest).unwrap());
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with(&format!("{{\"format\":\"{format}\"")), "{text}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn only_regular_files_are_begun() {
    let (contest, _) = small();
    for path in ["/dev/full", "/dev/null", "/dev"] {
        let why = Journal::begin(Path::new(path), &contest).err().unwrap().to_string();
        assert!(why.starts_with(path) && why.contains("not a regular file"), "{why}");
    }
}

#[test]
fn what_could_not_be_written_is_written_later() {
    let (contest, games) = small();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let journal = Journal::begin(&file, &contest).unwrap();
    journal.add(&games[0]).unwrap();
    // A file that only allows reading stands for a full disk; half a line was written before.
    let good = {
        let mut pen = journal.file.lock().unwrap();
        pen.file.write_all(b"{\"seed\":").unwrap();
        std::mem::replace(&mut pen.file, File::open(&file).unwrap())
    };
    assert!(journal.add(&games[1]).is_err());
    assert!(journal.finish().is_err());
    journal.file.lock().unwrap().file = good;
    journal.add(&games[2]).unwrap();
    journal.finish().unwrap();
    assert_eq!(Journal::read(&file).unwrap().1, games);
}

#[test]
fn nothing_set_aside_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let mut aside = Vec::new();
    for text in ["one", "two", "three"] {
        store::write(&file, text.as_bytes()).unwrap();
        aside.push((Journal::set_aside(&file).unwrap(), text));
        assert!(!file.exists());
    }
    for (path, text) in &aside {
        assert_eq!(store::read(path).unwrap(), text.as_bytes());
        assert!(path.extension().is_some_and(|ending| ending != "jsonl"));
    }
    assert!(Journal::set_aside(&file).is_err());
}

#[test]
fn a_newer_version_is_named_whatever_its_fields_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let text = "{\"format\":\"outwit-tournament 9\",\"contest\":{\"planets\":8},\"more\":1}\n";
    store::write(&file, text.as_bytes()).unwrap();
    for error in [Journal::read(&file).unwrap_err(), Journal::contest(&file).unwrap_err()] {
        assert!(error.why.contains("'outwit-tournament 9', of a newer version"), "{error}");
    }
}
