//! Tournaments: what adds up, what is kept, what is refused.

use outwit_core::play::{Budget, Outcome, Place, SeatStats, StopFlag};
use outwit_core::tournament::{
    Contest, ContestLevel, Entrants, Estimate, FinishedGame, Journal, Saved, Scoreboard,
    TournamentError, quantile, ratings, student_t,
};
use outwit_headless::find;
use outwit_kit::DynGame;
use outwit_kit::tournament::{contest, csv, differences, game_rows, report};
use outwit_levels::built_in;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn cops() -> &'static dyn DynGame {
    find("cops").unwrap()
}

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// Two thieves, two cops, three seeds on the smallest board.
fn small() -> Contest {
    let level = built_in("cops/tiny").unwrap().bytes().unwrap();
    let named = [
        Entrants::new("thief", ["random", "runner"]),
        Entrants::new("cops", ["random", "chasers"]),
    ];
    let text = String::from_utf8(level).unwrap();
    let level = ContestLevel::new("cops/tiny".into(), text);
    contest(cops(), level, &named, (7, 3), Budget::Work(2000)).unwrap()
}

fn play(
    contest: &Contest,
    done: Vec<FinishedGame>,
    journal: Option<&Journal>,
) -> Vec<FinishedGame> {
    cops()
        .run_contest(contest, done, &StopFlag::default(), &|game| {
            journal.map_or(Ok(()), |journal| journal.add(game).map_err(|error| error.to_string()))
        })
        .unwrap()
}

/// Without what the clock says, which is never twice the same.
fn timeless(mut games: Vec<FinishedGame>) -> Vec<FinishedGame> {
    for stats in games.iter_mut().flat_map(|game| &mut game.stats) {
        stats.preparation = Duration::ZERO;
        stats.thought.fill(Duration::ZERO);
    }
    games
}

/// A game made up: the thief's payoff decides who won.
fn made_up(seed: u64, thief: &str, cops: &str, payoff: f64, ending: &str) -> FinishedGame {
    let won = payoff >= 50.0;
    let place =
        |rank, score, ending: &str| Place { rank, score: Some(score), ending: ending.into() };
    let micros = |times: &[u64]| times.iter().map(|&t| Duration::from_micros(t)).collect();
    let outcome = Outcome {
        headline: ending.into(),
        places: vec![
            place(if won { 1 } else { 2 }, payoff, ending),
            place(if won { 2 } else { 1 }, -payoff, "other"),
        ],
    };
    FinishedGame {
        stats: vec![
            SeatStats { thought: micros(&[1000, 3000]), overruns: 1, ..SeatStats::default() },
            SeatStats { thought: micros(&[2000, 4000, 9000]), illegal: 2, ..SeatStats::default() },
        ],
        turns: payoff as usize + 1,
        digest: seed,
        ..FinishedGame::new(seed, [thief, cops], outcome)
    }
}

fn made_up_contest(thieves: &[&str], cops: &[&str], seeds: u32) -> Contest {
    let level = ContestLevel::new("made/up".into(), "()".into());
    let seats = [("thief", thieves), ("cops", cops)]
        .map(|(seat, planners)| Entrants::new(seat, planners.iter().copied()));
    Contest::new(("cops", 1), level, seats.into(), (1, seeds), Budget::Work(1))
}

fn close(a: Option<f64>, b: f64) {
    assert!(a.is_some_and(|a| (a - b).abs() < 1e-3), "{a:?} is not {b}");
}

#[test]
fn means_and_intervals_are_those_of_the_book() {
    // Mean 5, sample deviation sqrt(32/7) = 2.1381, standard error 0.7559, t(7) = 2.3646.
    let estimate = Estimate::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
    assert_eq!(estimate.games, 8);
    close(estimate.mean, 5.0);
    close(estimate.ci95, 1.7875);
    assert_eq!(Estimate::of(&[]), Estimate::default());
    let one = Estimate { games: 1, mean: Some(3.0), ..Estimate::default() };
    assert_eq!(Estimate::of(&[3.0]), one);
    assert_eq!(Estimate::of(&[3.0, 3.0]).ci95, Some(0.0));
    for (freedom, t) in [(1, 12.706), (2, 4.303), (10, 2.228), (11, 2.201), (30, 2.042)] {
        assert!((student_t(freedom) - t).abs() < 5e-4, "{freedom}: {}", student_t(freedom));
    }
    assert!((student_t(399) - 1.9659).abs() < 5e-4);
}

#[test]
fn quantiles_are_values_of_the_list() {
    let list = || [50, 10, 40, 20, 30];
    assert_eq!(quantile(&mut list(), 0.0), Some(10));
    assert_eq!(quantile(&mut list(), 0.5), Some(30));
    assert_eq!(quantile(&mut list(), 0.99), Some(50));
    assert_eq!(quantile::<u64>(&mut [], 0.5), None);
}

#[test]
fn cells_add_up() {
    let contest = made_up_contest(&["runner", "evader"], &["chasers"], 3);
    let games = [
        made_up(1, "runner", "chasers", 10.0, "caught"),
        made_up(2, "runner", "chasers", 90.0, "escaped"),
        made_up(3, "runner", "chasers", 20.0, "caught"),
        made_up(2, "evader", "chasers", 60.0, "survived"),
        made_up(9, "runner", "chasers", 1.0, "caught"), // no seed of the contest
        made_up(1, "nobody", "chasers", 1.0, "caught"),
    ];
    let board = Scoreboard::new(contest, games);
    assert_eq!(board.finished(), 4);
    let cell = board.cell(0, |_| &["caught", "escaped", "survived"]);
    assert_eq!(
        (cell.games, cell.players.as_slice()),
        (3, names(&["runner", "chasers"]).as_slice())
    );
    close(cell.mean_turns, 41.0);
    close(cell.seats[0].payoff.mean, 40.0);
    // Deviation sqrt((900 + 2500 + 400) / 2) = 43.589; over sqrt 3, times t(2) = 4.3027.
    close(cell.seats[0].payoff.ci95, 108.282);
    close(cell.seats[1].payoff.mean, -40.0);
    let endings: Vec<_> = cell.seats[0].endings.iter().map(|(e, n)| (e.as_str(), *n)).collect();
    assert_eq!(endings, [("caught", 2), ("escaped", 1), ("survived", 0)]);
    assert_eq!((cell.seats[0].overruns, cell.sum(|seat| seat.illegal)), (3, 6));
    close(cell.seats[0].plan_ms_p50, 3.0);
    close(cell.plan_ms_p50, 3.0);
    close(cell.plan_ms_p99, 9.0);
    let empty = Scoreboard::new(made_up_contest(&["a"], &["b"], 2), []).cell(0, |_| &[]);
    assert_eq!((empty.games, empty.seats[0].payoff.mean, empty.plan_ms_p50), (0, None, None));
}

#[test]
fn differences_are_paired_by_seed() {
    let contest = made_up_contest(&["runner", "evader"], &["chasers", "pack"], 3);
    let mut games = Vec::new();
    // Luck of the seed moves both alike: the difference is 1, 2, 3 and then 5, 5, 5.
    for (seed, luck) in [(1, 10.0), (2, 200.0), (3, 70.0)] {
        games.push(made_up(seed, "runner", "chasers", luck, "caught"));
        games.push(made_up(seed, "evader", "chasers", luck + seed as f64, "caught"));
        games.push(made_up(seed, "runner", "pack", luck, "caught"));
        if seed < 3 {
            games.push(made_up(seed, "evader", "pack", luck + 5.0, "caught"));
        }
    }
    let board = Scoreboard::new(contest, games);
    let against = board.difference(0, "evader", "runner", Some(&["chasers"]));
    assert_eq!(against.games, 3);
    close(against.mean, 2.0);
    close(against.ci95, 4.3027 / 3f64.sqrt());
    close(board.difference(0, "runner", "evader", Some(&["chasers"])).mean, -2.0);
    // Only two seeds are finished against all: (1 + 5) / 2 and (2 + 5) / 2.
    let all = board.difference(0, "evader", "runner", None);
    assert_eq!(all.games, 2);
    close(all.mean, 3.25);
    close(all.ci95, 12.7062 * 0.25);
    assert_eq!(board.difference(0, "evader", "nobody", None), Estimate::default());
    let listed = differences(&board);
    assert_eq!(listed.len(), 6);
    assert_eq!(listed[0].estimate, all);
    assert_eq!(listed[1].against.as_deref(), Some("chasers"));
}

#[test]
fn who_wins_more_is_rated_higher() {
    let contest = made_up_contest(&["weak", "strong"], &["chasers"], 20);
    let games = (1..=20).flat_map(|seed| {
        let strong = if seed % 5 == 0 { 10.0 } else { 90.0 };
        [
            made_up(seed, "weak", "chasers", if seed % 5 == 0 { 90.0 } else { 10.0 }, "x"),
            made_up(seed, "strong", "chasers", strong, "x"),
        ]
    });
    let board = Scoreboard::new(contest, games);
    let rated = ratings(&board);
    let of = |name: &str| rated.iter().find(|rating| rating.planner == name).unwrap();
    assert!(of("strong").rating > of("chasers").rating + 100.0, "{rated:?}");
    assert!(of("chasers").rating > of("weak").rating + 100.0, "{rated:?}");
    assert_eq!((of("strong").games, of("chasers").games), (20, 40));
    assert!(of("chasers").ci95 < of("weak").ci95 && of("weak").ci95 < 300.0, "{rated:?}");
}

#[test]
fn resuming_gives_what_no_interruption_gives() {
    let folder = tempfile::tempdir().unwrap();
    let contest = small();
    let whole = play(&contest, Vec::new(), None);
    assert_eq!(whole.len(), 12);
    for stop_after in [0, 1, 5, 11] {
        let file = folder.path().join(format!("{stop_after}.jsonl"));
        let journal = Journal::begin(&file, &contest).unwrap();
        let (stop, count) = (StopFlag::default(), AtomicUsize::new(0));
        if stop_after == 0 {
            stop.raise();
        }
        let cancelled = cops().run_contest(&contest, Vec::new(), &stop, &|game| {
            journal.add(game).unwrap();
            if count.fetch_add(1, Ordering::Relaxed) + 1 == stop_after {
                stop.raise();
            }
            Ok(())
        });
        drop(journal);
        if cancelled.is_ok() {
            // All the other games were under way already.
            assert!(count.load(Ordering::Relaxed) == 12 && stop_after > 0);
            continue;
        }
        assert_eq!(cancelled, Err(TournamentError::Cancelled));
        let (journal, saved) = Journal::resume(&file, &contest).unwrap();
        let done = saved.games;
        assert!(done.len() >= stop_after && done.len() < 12, "{}", done.len());
        let resumed = play(&contest, done.clone(), Some(&journal));
        assert_eq!(timeless(resumed.clone()), timeless(whole.clone()));
        for game in &done {
            assert!(resumed.contains(game), "a finished game is not played again");
        }
        // What was played and what is read again make the same document, to the byte.
        let Saved { contest: read, games, .. } = Journal::read(&file).unwrap();
        assert_eq!((&read, games.len()), (&contest, 12));
        let document = |games: Vec<FinishedGame>| {
            let board = Scoreboard::new(contest.clone(), games);
            report(cops(), &board).unwrap().to_string() + &csv(&game_rows(cops(), &board))
        };
        assert_eq!(document(games), document(resumed));
    }
}

fn journal_of(contest: &Contest, games: &[FinishedGame], file: &Path) {
    let journal = Journal::begin(file, contest).unwrap();
    for game in games {
        journal.add(game).unwrap();
    }
}

#[test]
fn a_torn_last_line_is_dropped_and_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("torn.jsonl");
    let contest = small();
    let games = play(&contest, Vec::new(), None);
    journal_of(&contest, &games[..4], &file);
    let whole = std::fs::read(&file).unwrap();
    let start = whole[..whole.len() - 1].iter().rposition(|b| *b == b'\n').unwrap() + 1;
    for end in [start, start + 1, (start + whole.len()) / 2, whole.len() - 1] {
        std::fs::write(&file, &whole[..end]).unwrap();
        let (journal, saved) = Journal::resume(&file, &contest).unwrap();
        assert_eq!(saved.games, games[..3], "cut at {end}");
        journal.add(&games[3]).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), whole, "cut at {end}");
    }
    // Rubbish with a line's end, as a crash of the machine may leave.
    let mut rubbish = whole.clone();
    rubbish.extend([0, 0, 0, b'\n']);
    std::fs::write(&file, &rubbish).unwrap();
    let (journal, saved) = Journal::resume(&file, &contest).unwrap();
    assert_eq!(saved.games, games[..4]);
    journal.add(&games[4]).unwrap();
    drop(journal);
    assert_eq!(Journal::read(&file).unwrap().games, games[..5]);
    // In the middle it is damage, and the line is named.
    let mut lines: Vec<&[u8]> = whole.split_inclusive(|b| *b == b'\n').collect();
    lines[2] = b"{\"seed\": 8}\n";
    std::fs::write(&file, lines.concat()).unwrap();
    let error = Journal::read(&file).unwrap_err().to_string();
    assert!(error.contains("line 3 is damaged"), "{error}");
}

#[test]
fn another_tournaments_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept.jsonl");
    let kept = small();
    let games = play(&kept, Vec::new(), None);
    journal_of(&kept, &games, &file);
    let before = std::fs::read(&file).unwrap();
    let change = |change: fn(&mut Contest)| {
        let mut other = kept.clone();
        change(&mut other);
        let error = Journal::resume(&file, &other).err().unwrap().to_string();
        assert!(error.contains("kept.jsonl: this file holds another tournament"), "{error}");
        error
    };
    assert!(change(|c| c.budget = Budget::Work(3).into()).contains("budget is 2000w, not 3w"));
    assert!(change(|c| c.strict = true).contains("option --strict is off, not on"));
    assert!(change(|c| c.seeds = 4).contains("number of seeds is 3, not 4"));
    assert!(change(|c| c.first_seed = 1).contains("first seed is 7, not 1"));
    assert!(
        change(|c| c.seats[0].planners = vec!["evader".into()]).contains("thief=random,runner")
    );
    assert!(change(|c| c.level.id = "cops/huge".into()).contains("cops/tiny, not cops/huge"));
    let text =
        change(|c| c.level = ContestLevel::new(c.level.id.clone(), c.level.text.clone() + " "));
    assert!(text.contains("or its rules have changed"), "{text}");
    assert!(change(|c| c.rules_version += 1).contains("rules version"));
    assert!(change(|c| c.program = "9".into()).contains("version of Outwit"));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let error = Journal::begin(&file, &kept).err().unwrap().to_string();
    assert!(error.contains("already"), "{error}");
    let (open, _) = Journal::resume(&file, &kept).unwrap();
    let error = Journal::resume(&file, &kept).err().unwrap().to_string();
    assert!(error.contains("another run"), "{error}");
    drop(open);
    for junk in [&b""[..], b"\n", b"{}\n", b"\xff\x00", b"(format: \"racetrack 1\")"] {
        std::fs::write(&file, junk).unwrap();
        assert!(Journal::read(&file).unwrap_err().to_string().contains("not a tournament"));
        assert!(Journal::resume(&file, &kept).is_err());
    }
}

#[test]
fn finished_games_can_be_seen_again() {
    let mut contest = small();
    contest.seeds = 1;
    for budget in [Budget::Work(2000), Budget::Time(Duration::from_millis(20))] {
        contest.budget = budget.into();
        let games = play(&contest, Vec::new(), None);
        for game in &games {
            assert_eq!(game.actions.is_some(), matches!(budget, Budget::Time(_)));
            let text = cops().replay_text(&contest, game, &StopFlag::default()).unwrap();
            let again = cops().replay(text.as_bytes()).unwrap();
            assert!(again.faithful);
            assert_eq!((again.turns, again.outcome), (game.turns, Some(game.outcome.clone())));
        }
        let mut other = games[0].clone();
        other.digest ^= 1;
        let said = cops().replay_text(&contest, &other, &StopFlag::default()).unwrap_err();
        assert!(said.contains("differently") || said.contains("not faithful"), "{said}");
    }
}

#[test]
fn what_cannot_be_held_is_refused() {
    let level = || ContestLevel::new("x".into(), "()".into());
    let enter = |named: &[(&str, &[&str])], seeds| {
        let named = named.iter().map(|(seat, list)| Entrants::new(seat, list.iter().copied()));
        contest(cops(), level(), &named.collect::<Vec<_>>(), (1, seeds), Budget::Work(1))
    };
    let all = enter(&[], 2).unwrap();
    assert!(all.seats.iter().all(|seat| seat.planners.len() >= 3));
    assert_eq!(all.games(), 2 * all.seats[0].planners.len() * all.seats[1].planners.len());
    for (named, seeds, wanted) in [
        (&[("robber", &["random"][..])][..], 1, "unknown seat 'robber'"),
        (&[("thief", &["random"])], 1, "no planner for seat cops"),
        (&[("thief", &["chasers"]), ("cops", &["chasers"])], 1, "unknown planner 'chasers'"),
        (&[("thief", &["random", "random"]), ("cops", &["random"])], 1, "given twice"),
        (&[("cops", &["random"]), ("cops", &["pack"])], 1, "seat 'cops' is given twice"),
        (&[], 999_999, "choose fewer"),
    ] {
        let said = enter(named, seeds).unwrap_err().to_string();
        assert!(said.contains(wanted), "{said}");
    }
    let race = find("racetrack").unwrap();
    let solo = contest(race, level(), &[], (1, 2), Budget::Work(1)).unwrap();
    assert_eq!(solo.seats.len(), 1);
}

#[test]
fn csv_is_quoted() {
    let rows = [serde_json::json!({"a,b": "say \"x\"", "n": 1.5, "none": null})];
    assert_eq!(csv(&rows), "\"a,b\",n,none\r\n\"say \"\"x\"\"\",1.5,\r\n");
}

/// What the window's menu exports is what the command line writes, for the same games.
#[test]
#[cfg(feature = "app")]
fn the_window_exports_what_the_command_line_writes() {
    use outwit::app::tournament::ExportKind;
    let desk = super::cli::Desk::new();
    let contest = small();
    let file = desk.path("kept.jsonl");
    let journal = Journal::begin(&file, &contest).unwrap();
    let games = play(&contest, Vec::new(), Some(&journal));
    drop(journal);
    let outputs = ["--csv", "table.csv", "--games-csv", "games.csv", "--json"];
    let said =
        desk.run(&[&["match", "cops", "--resume", "kept.jsonl"], &outputs[..]].concat()).is(0);
    let board = Scoreboard::new(contest, games);
    let exported = |what: ExportKind| what.text(cops(), &board, 0).unwrap();
    let written = |name: &str| std::fs::read_to_string(desk.path(name)).unwrap();
    assert_eq!(exported(ExportKind::Table), written("table.csv"));
    assert_eq!(exported(ExportKind::Games), written("games.csv"));
    assert_eq!(exported(ExportKind::Json), said.out);
}
