//! Tests of the file of a tournament.

use super::*;
use crate::platform::store;
use crate::platform::time::Duration;
use crate::play::{Budget, Closing, Outcome, Place, Salt, Seat, SeatStats};
use crate::tournament::{ContestLevel, Entrant, Entrants, Scoreboard};

/// Three games of one planner. What is played matters to nobody here.
fn small() -> (Contest, Vec<FinishedGame>) {
    let level = ContestLevel::new("race/straight".into(), "(map: [\"S..F\"])".into());
    let seats = vec![Entrants::new("car", ["straight"])];
    let contest = Contest::new(("race", 1), level, seats, (1, 3), Budget::Work(200));
    let outcome = Outcome {
        headline: "finished".into(),
        places: vec![Place { rank: 1, score: Some(4.25), ending: "finished".into() }],
    };
    let game = |seed: u64| FinishedGame {
        stats: vec![SeatStats { overruns: 3, starved: seed as u32 - 1, ..SeatStats::default() }],
        turns: 5,
        digest: seed,
        ..FinishedGame::new(seed, ["straight"], outcome.clone())
    };
    (contest, (1..=3).map(game).collect())
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
    assert_eq!(Journal::read(&file).unwrap().games, games);
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
    let other = Contest { budget: Budget::Work(201).into(), ..contest.clone() };
    assert!(games.iter().all(|game| other.place_of(game).is_some()));
    let head =
        serde_json::to_string(&Header { format: format_of(&other).into(), contest: other.clone() })
            .unwrap();
    std::fs::write(&file, text.replacen(lines[0], &head, 1)).unwrap();
    let why = Journal::read(&file).unwrap_err().to_string();
    assert!(why.contains("line 2 was altered"), "{why}");
    std::fs::write(&file, &text).unwrap();
    let sealed = Journal::read(&file).unwrap();
    assert!(sealed.is_sealed && sealed.doubts("").next().is_none());
    // Files of version 0.1 have no digests.
    let old = text.replacen(PLAIN, UNSEALED, 1);
    let bare = |line: &str| line.rsplit_once(",\"seal\"").map(|(bare, _)| bare.to_owned() + "}");
    let old: Vec<String> = old.lines().map(|line| bare(line).unwrap_or(line.into())).collect();
    std::fs::write(&file, old.join("\n") + "\n").unwrap();
    assert_eq!(Journal::read(&file).unwrap().games, games);
    let unsealed = Journal::read(&file).unwrap();
    assert!(!unsealed.is_sealed);
    assert!(unsealed.doubts("").next().unwrap().contains("cannot be detected"));
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
    let saved = Journal::read(&file).unwrap();
    assert_eq!((saved.contest, saved.games), (contest.clone(), games));
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
    let cpu = Budget::Cpu(Duration::from_secs(1)).into();
    let clock = TimeControl::limited("5s+1s").unwrap();
    for (contest, format) in [
        (Contest { budget: cpu, ..plain.clone() }, "outwit-tournament 3"),
        (Contest { salt, ..plain.clone() }, "outwit-tournament 3"),
        (Contest { strict: true, ..plain.clone() }, "outwit-tournament 3"),
        (Contest { budget: clock, ..plain.clone() }, "outwit-tournament 3"),
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
fn a_last_line_that_is_no_game_is_named() {
    let (contest, games) = small();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let journal = Journal::begin(&file, &contest).unwrap();
    games.iter().for_each(|game| journal.add(game).unwrap());
    drop(journal);
    let whole = std::fs::read(&file).unwrap();
    assert_eq!(Journal::read(&file).unwrap().damaged, None);
    let doubts = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        let (journal, resumed) = Journal::resume(&file, &contest).unwrap();
        drop(journal);
        let after = std::fs::read(&file).unwrap();
        assert!(bytes.starts_with(&after) && after.ends_with(b"\n"));
        std::fs::write(&file, bytes).unwrap();
        let saved = Journal::read(&file).unwrap();
        assert_eq!(resumed, saved);
        (saved.games.len(), saved.doubts("too bad").collect::<Vec<_>>().join("; "))
    };
    for cut in [1, 20] {
        let (count, doubt) = doubts(&whole[..whole.len() - cut]);
        assert_eq!((count, doubt.as_str()), (2, "line 4 is cut off: too bad"));
    }
    let (count, doubt) = doubts(&[&whole[..], b"\0\0\n"].concat());
    assert_eq!(count, 3);
    assert!(doubt.starts_with("line 5 is damaged (") && doubt.ends_with("): too bad"), "{doubt}");
    // A first line without its end: the next game would be written behind it.
    let first = whole.iter().position(|byte| *byte == b'\n').unwrap();
    std::fs::write(&file, &whole[..first]).unwrap();
    for error in [Journal::read(&file).unwrap_err(), Journal::contest(&file).unwrap_err()] {
        assert!(error.why.contains("line 1 is cut off"), "{error}");
    }
    assert!(Journal::resume(&file, &contest).is_err());
    std::fs::write(&file, "").unwrap();
    assert!(Journal::read(&file).unwrap_err().why.contains("not a tournament"));
}

#[test]
fn forged_sizes_are_refused() {
    let (contest, _) = small();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let many = |from: usize, count: usize| -> Vec<Entrant> {
        (from..from + count).map(|number| format!("planner{number}").as_str().into()).collect()
    };
    let seat = |name: &str, planners: Vec<Entrant>| Entrants { seat: name.into(), planners };
    let square = |count| vec![seat("a", many(0, count)), seat("b", many(0, count))];
    for (seats, seeds, wanted) in [
        (contest.seats.clone(), u32::MAX, "1 planners on 4294967295 seeds are more than"),
        (contest.seats.clone(), 0, "no such tournament can be played"),
        (square(1000), 1, "seat a has 1000 planners; the maximum is 100"),
        (square(100), 101, "100 x 100 planners on 101 seeds are more than 1000000 games"),
        (vec![seat("a", [many(0, 3), many(1, 1)].concat())], 1, "seat a has planner1 twice"),
        (vec![seat("a", Vec::new())], 1, "no such tournament can be played"),
        (Vec::new(), 1, "no such tournament can be played"),
        ((0..257).map(|_| seat("a", many(0, 1))).collect(), 1, "257 seats; the maximum is 256"),
    ] {
        let contest = Contest { seats, seeds, ..contest.clone() };
        let header = Header { format: FORMAT.into(), contest };
        std::fs::write(&file, json(&header).unwrap()).unwrap();
        for error in [Journal::read(&file).unwrap_err(), Journal::contest(&file).unwrap_err()] {
            let why = error.why;
            assert!(why.starts_with("line 1: ") && why.contains(wanted), "{why}");
        }
    }
    let large = "x".repeat(MAX_BYTES as usize + 1);
    let level = ContestLevel::new(contest.level.id.clone(), large);
    let header = Header { format: FORMAT.into(), contest: Contest { level, ..contest.clone() } };
    std::fs::write(&file, json(&header).unwrap()).unwrap();
    let why = Journal::contest(&file).unwrap_err().why;
    assert!(why.starts_with("line 1: the level is larger than 16 MiB"), "{why}");
    let largest = Contest { seats: square(100), seeds: 100, ..contest };
    let header = Header { format: FORMAT.into(), contest: largest };
    std::fs::write(&file, json(&header).unwrap()).unwrap();
    assert_eq!(Journal::read(&file).unwrap().contest.games(), MOST_GAMES);
}

#[test]
fn names_that_nobody_can_see_are_refused() {
    let (contest, _) = small();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let read = |contest: Contest| {
        let header = Header { format: FORMAT.into(), contest };
        std::fs::write(&file, json(&header).unwrap()).unwrap();
        Journal::contest(&file).map_err(|error| error.why)
    };
    let on = |id: &str| {
        let level = ContestLevel::new(id.into(), contest.level.text.clone());
        Contest { level, ..contest.clone() }
    };
    let why = read(on("\u{200b}\u{202e} \n")).unwrap_err();
    assert_eq!(why, "line 1: the id of the level has no letter that can be seen");
    assert!(read(on("a\u{202e}b")).is_ok(), "the rest is shown escaped");
    let mut hidden = contest.clone();
    hidden.seats[0].planners[0] = "engine:\u{200b}".into();
    assert!(read(hidden).unwrap_err().contains("cannot be the name of a planner"));
}

#[test]
fn figures_that_no_game_has_are_refused() {
    let (contest, games) = small();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let refused = |change: fn(&mut FinishedGame)| {
        let mut game = games[0].clone();
        change(&mut game);
        let _ = std::fs::remove_file(&file);
        let journal = Journal::begin(&file, &contest).unwrap();
        journal.add(&game).unwrap();
        journal.add(&games[1]).unwrap();
        Journal::read(&file).unwrap_err().why
    };
    let score = |score: f64| format!("'{score}' is not a score");
    assert!(
        refused(|game| game.outcome.places[0].score = Some(f64::NAN)).contains(&score(f64::NAN))
    );
    let infinite = refused(|game| game.outcome.places[0].score = Some(f64::INFINITY));
    assert!(infinite.contains("line 2 is damaged") && infinite.contains("'inf' is not a score"));
    assert!(refused(|game| game.turns = usize::MAX).contains("turns; the maximum is"));
    assert!(
        refused(|game| game.outcome.places[0].ending = "x".repeat(65)).contains("longer than 64")
    );
    assert!(
        refused(|game| game.closing = Some((Seat(1), Closing::Resigned))).contains("seat 1 of 1")
    );
    let names = |game: &mut FinishedGame| game.names = vec![None; 2];
    assert!(refused(names).contains("1 players need as many names"));
    let counters = |game: &mut FinishedGame| game.counters = vec![("a".into(), 1.0); 65];
    assert!(refused(counters).contains("65 counters"));
}

#[test]
fn what_programs_call_themselves_is_kept_and_told_apart() {
    let (mut contest, games) = small();
    let players = ["program:python3 fox.py", "program:python3 owl.py", "program:bear@2000w"];
    contest.seats = vec![Entrants::new("car", players)];
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let journal = Journal::begin(&file, &contest).unwrap();
    // One that hides letters is written as others are.
    let names = ["Ada", "Ada", "B\u{202e}\near"].map(|name| vec![Some(name.to_owned())]);
    for (player, names) in players.into_iter().zip(names) {
        let game = FinishedGame { players: vec![player.into()], names, ..games[0].clone() };
        journal.add(&game).unwrap();
    }
    drop(journal);
    let saved = Journal::read(&file).unwrap();
    let board = Scoreboard::new(saved.contest, saved.games);
    assert_eq!(
        players.map(|player| board.label(player)),
        ["Ada (fox, 1)", "Ada (owl, 2)", "B ear@2000w"]
    );
    // Nobody else is renamed, and who has not played yet is called by its file.
    assert_eq!(board.label("straight"), "straight");
    assert_eq!(Scoreboard::new(contest, []).label(players[0]), "fox");
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

#[test]
fn a_tournament_begins_in_an_empty_file_or_a_new_one() {
    let (contest, games) = small();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    std::fs::write(&file, "x").unwrap();
    let why = Journal::begin(&file, &contest).err().unwrap().why;
    assert!(why.contains("already exists"), "{why}");
    std::fs::write(&file, "").unwrap();
    let journal = Journal::begin(&file, &contest).unwrap();
    games.iter().for_each(|game| journal.add(game).unwrap());
    let text = std::fs::read_to_string(&file).unwrap();
    let starved: Vec<bool> = text.lines().map(|line| line.contains("\"starved\"")).collect();
    assert_eq!(starved, [false, false, true, true], "only of games that have some");
}

#[test]
fn games_of_other_tournaments_are_refused() {
    let (contest, games) = small();
    let folder = tempfile::tempdir().unwrap();
    let refused = |number: usize, game: FinishedGame| {
        let file = folder.path().join(number.to_string());
        let journal = Journal::begin(&file, &contest).unwrap();
        journal.add(&game).unwrap();
        journal.add(&games[1]).unwrap();
        Journal::read(&file).map(|saved| saved.games.len()).map_err(|error| error.why)
    };
    let game = || games[0].clone();
    let why = refused(0, FinishedGame { seed: 4, ..game() }).unwrap_err();
    assert_eq!(why, "line 2: this game is not of this tournament");
    // The number of places and of statistics is that of the players, each by itself.
    let mut twice = game();
    twice.outcome.places.push(twice.outcome.places[0].clone());
    assert!(refused(1, twice).unwrap_err().contains("1 players need as many places"));
    let stats = vec![SeatStats::default(); 2];
    let twice = FinishedGame { stats, ..game() };
    assert!(refused(2, twice).unwrap_err().contains("1 players need as many places"));
    // The largest figures that are believed.
    let most =
        FinishedGame { turns: u32::MAX as usize, counters: vec![("a".into(), 1.0); 64], ..game() };
    assert_eq!(refused(3, most), Ok(2));
}

#[test]
fn names_that_nothing_has_are_refused() {
    let (contest, _) = small();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let read = |contest: Contest| {
        let header = Header { format: format_of(&contest).into(), contest };
        std::fs::write(&file, json(&header).unwrap()).unwrap();
        Journal::contest(&file).map(|_| ()).map_err(|error| error.why)
    };
    let named = |seat: &str, planner: &str| {
        let seats = vec![Entrants::new(seat, [planner])];
        read(Contest { seats, ..contest.clone() })
    };
    let (most, more) = ("x".repeat(64), "x".repeat(65));
    assert_eq!(named(&most, "a-b_c+1"), Ok(()));
    for wrong in ["", "a b", "a/b", "\u{e9}", &more] {
        let shown: String = wrong.chars().take(64).collect();
        let why = format!("line 1: '{shown}' cannot be the name of a ");
        assert!(named(wrong, "straight").unwrap_err().starts_with(&(why.clone() + "seat:")));
        assert!(named("car", wrong).unwrap_err().starts_with(&(why + "planner:")));
    }
    let engine = |bytes: usize| named("car", &format!("engine:{}", "x".repeat(bytes)));
    assert_eq!(engine(4096), Ok(()));
    assert!(engine(4097).unwrap_err().contains("cannot be the name of a planner"));
    let id = |bytes: usize| {
        let level = ContestLevel::new("x".repeat(bytes), contest.level.text.clone());
        read(Contest { level, ..contest.clone() })
    };
    assert_eq!(id(4096), Ok(()));
    assert_eq!(id(4097), Err("line 1: the id of the level is longer than 4096 bytes".into()));
    let seats = (0..256).map(|_| Entrants::new("car", ["straight"])).collect();
    assert_eq!(read(Contest { seats, ..contest.clone() }), Ok(()));
    let text = "x".repeat(MAX_BYTES as usize);
    let level = ContestLevel::new(contest.level.id.clone(), text);
    assert_eq!(read(Contest { level, ..contest.clone() }), Ok(()));
}
