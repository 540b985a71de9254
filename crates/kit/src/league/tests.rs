//! Tests of leagues.

use super::*;
use outwit_core::levels::read_ron;
use outwit_core::play::Better;
use std::collections::HashMap;

fn named(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn roster(seats: &[&[&str]]) -> Roster {
    let seat = |(at, names): (usize, &&[&str])| (format!("seat {at}"), named(names));
    Roster { seats: seats.iter().enumerate().map(seat).collect(), programs: Vec::new() }
}

fn board() -> Roster {
    let all: &[&str] = &["a", "b", "c", "d"];
    roster(&[all, all])
}

fn pursuit() -> Roster {
    roster(&[&["random", "runner", "schemer"], &["random", "guards", "marshal"]])
}

fn league(planners: &[&str], levels: &[&str]) -> League {
    League::new("game", named(planners), named(levels), 7)
}

fn place(rank: u32, score: Option<f64>) -> Place {
    Place { rank, score, ending: "ended".into() }
}

/// Plays so many matches, each with the result that `places` gives.
fn play(league: &mut League, roster: &Roster, count: usize, places: fn(u64) -> Vec<Place>) {
    for _ in 0..count {
        let fixture = league.next(roster).unwrap();
        let places = places(fixture.order());
        league.enter(fixture, places);
    }
}

fn decided(number: u64) -> Vec<Place> {
    match number % 3 {
        0 => vec![place(1, Some(3.0)), place(2, None)],
        1 => vec![place(2, Some(-1.5)), place(1, Some(number as f64 % 10.0))],
        _ => vec![place(1, None), place(1, Some(0.25))],
    }
}

#[test]
fn a_round_has_every_line_up_once_on_every_level() {
    for (roster, planners, line_ups) in [
        (board(), &["a", "b", "c"][..], 6),
        (pursuit(), &["random", "runner", "guards", "marshal"], 5),
        (roster(&[&["a", "b", "c"]]), &["c", "a"], 2),
    ] {
        let mut league = league(planners, &["one", "two"]);
        assert_eq!(league.line_ups(&roster).unwrap().len(), line_ups);
        for round in 0..3 {
            let mut seen = HashSet::new();
            for left in (1..=2 * line_ups).rev() {
                let (at, remaining) = league.remaining(&roster).unwrap();
                assert_eq!((at, remaining.len()), (round, left));
                let fixture = league.next(&roster).unwrap();
                assert_eq!(fixture.seed, 7 + round);
                assert!(seen.insert((fixture.level.clone(), fixture.players.clone())));
                league.enter(fixture, Vec::new());
            }
            let all = league.line_ups(&roster).unwrap();
            for (level, players) in seen {
                assert!(league.levels.contains(&level) && all.contains(&players));
            }
        }
    }
}

#[test]
fn seats_are_swapped_equally_often() {
    let mut league = league(&["a", "b", "d"], &["one"]);
    play(&mut league, &board(), 12, decided);
    let mut counts: HashMap<_, i32> = HashMap::new();
    for result in league.results() {
        *counts.entry(result.fixture.players.clone()).or_default() += 1;
    }
    for (players, count) in &counts {
        let swapped: Vec<_> = players.iter().rev().cloned().collect();
        assert_eq!(counts.get(&swapped), Some(count), "{players:?}");
    }
    assert_eq!(counts.len(), 6);
}

#[test]
fn the_same_league_has_the_same_matches() {
    let (mut one, mut other) =
        (league(&["a", "b", "c"], &["x", "y"]), league(&["c", "b", "a"], &["y", "x"]));
    play(&mut one, &board(), 30, decided);
    play(&mut other, &board(), 30, decided);
    assert_eq!(one.results(), other.results(), "in whatever order it was chosen");
    let orders = [0, 1].map(|round| {
        let fixtures = one.round(round, &board()).unwrap().into_iter();
        fixtures.map(|fixture| (fixture.level, fixture.players)).collect::<Vec<_>>()
    });
    assert_ne!(orders[0], orders[1], "rounds differ in their order");
}

#[test]
fn the_favourite_comes_first() {
    let mut league = league(&["a", "b", "c", "d"], &["x", "y"]);
    play(&mut league, &board(), 3, decided);
    league.favourite = Some("c".into());
    let (_, left) = league.remaining(&board()).unwrap();
    let (first, rest) =
        left.split_at(left.iter().filter(|it| it.players.contains(&"c".into())).count());
    assert!(!first.is_empty() && !rest.is_empty());
    assert!(first.iter().all(|fixture| fixture.players.contains(&"c".into())));
    assert_eq!(left.len(), 24 - 3);
}

#[test]
fn planners_and_levels_may_change_within_a_round() {
    let mut league = league(&["a", "b"], &["x"]);
    play(&mut league, &board(), 3, decided);
    league.planners.push("c".into());
    let (round, left) = league.remaining(&board()).unwrap();
    assert_eq!((round, left.len()), (1, 5));
    league.planners = named(&["c", "d"]);
    league.levels = named(&["y", "z"]);
    assert_eq!(league.remaining(&board()).unwrap().1.len(), 4);
    let table = league.table(&board(), Better::Higher);
    let names: Vec<_> = table.into_iter().map(|line| line.planner).collect();
    assert_eq!(names.len(), 4, "results stay in the table: {names:?}");
}

#[test]
fn what_is_missing_is_said() {
    let none = |planners: &[&str], levels: &[&str], roster: &Roster| {
        league(planners, levels).next(roster).unwrap_err()
    };
    assert_eq!(none(&["a", "b"], &[], &board()), NoFixture::NoLevel);
    assert_eq!(none(&["a"], &["x"], &board()), NoFixture::NoOpponent);
    assert_eq!(none(&["runner"], &["x"], &pursuit()), NoFixture::EmptySeat("Seat 1".into()));
    let mut full = league(&["a", "b"], &["x"]);
    let fixture = full.next(&board()).unwrap();
    (0..MOST_RESULTS).for_each(|_| full.skip(fixture.clone()));
    assert_eq!(full.next(&board()), Err(NoFixture::Full));
}

/// The table against a count of its own, line by line.
#[test]
fn the_table_counts_every_result() {
    let mut league = league(&["a", "b", "c", "d"], &["x", "y"]);
    play(&mut league, &board(), 57, decided);
    let skipped = league.next(&board()).unwrap();
    league.skip(skipped);
    let table = league.table(&board(), Better::Higher);
    let mut points = 0.0;
    for line in &table {
        let of = league.results().iter().filter(|result| !result.places.is_empty());
        let own: Vec<_> = of
            .flat_map(|result| {
                let seats = result.fixture.players.iter().zip(&result.places);
                let ranks: Vec<_> = result.places.iter().map(|place| place.rank).collect();
                seats
                    .filter(|(name, _)| **name == line.planner)
                    .map(|(_, place)| (place.clone(), ranks.clone()))
                    .collect::<Vec<_>>()
            })
            .collect();
        let count = |wanted: fn(u32, &[u32]) -> bool| {
            own.iter().filter(|(place, ranks)| wanted(place.rank, ranks)).count() as u32
        };
        assert_eq!(line.played, own.len() as u32);
        assert_eq!(line.won, count(|rank, ranks| rank == 1 && ranks.iter().sum::<u32>() == 3));
        assert_eq!(line.drawn, count(|_, ranks| ranks == [1, 1]));
        assert_eq!(line.lost, count(|rank, _| rank == 2));
        let scores: Vec<_> = own.iter().filter_map(|(place, _)| place.score).collect();
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        assert!((line.score.mean.unwrap() - mean).abs() < 1e-9);
        assert_eq!((line.score.games, line.seat), (scores.len(), None));
        points += line.points();
    }
    assert_eq!(points, 57.0, "a point a match");
    assert!(table.is_sorted_by(|a, b| a.points() >= b.points()));
    assert!(table.iter().all(|line| !line.too_few()));
}

#[test]
fn few_matches_are_marked_and_planners_without_any_are_listed() {
    let mut league = league(&["c", "a", "b"], &["x"]);
    let fixture =
        |players: &[&str]| Fixture { level: "x".into(), seed: 7, players: named(players) };
    league.enter(fixture(&["a", "b"]), vec![place(2, None), place(1, None)]);
    let table = league.table(&board(), Better::Lower);
    let names: Vec<_> = table.iter().map(|line| line.planner.as_str()).collect();
    assert_eq!(names, ["b", "c", "a"]);
    assert!(table.iter().all(Standing::too_few));
    assert_eq!((table[0].points(), table[1].played), (1.0, 0));
}

/// Alone on a level a solution counts, and the better mean score decides.
#[test]
fn whoever_plays_alone_wins_by_a_solution() {
    let mut league = league(&["a", "b", "c"], &["x"]);
    let alone = roster(&[&["a", "b", "c"]]);
    for (name, score) in [("a", Some(12.0)), ("b", Some(9.0)), ("c", None)] {
        let players = named(&[name]);
        league.enter(Fixture { level: "x".into(), seed: 7, players }, vec![place(1, score)]);
    }
    let lines: Vec<_> = league
        .table(&alone, Better::Lower)
        .into_iter()
        .map(|line| (line.planner, line.won))
        .collect();
    assert_eq!(lines, [("b".into(), 1), ("a".into(), 1), ("c".into(), 0)]);
}

/// A planner that can be thief and cop has a line for each.
#[test]
fn seats_that_differ_have_tables_of_their_own() {
    let mut league = league(&["random", "runner", "marshal"], &["x"]);
    play(&mut league, &pursuit(), 9, decided);
    let table = league.table(&pursuit(), Better::Higher);
    let mut lines: Vec<_> = table.iter().map(|line| (line.seat, &*line.planner)).collect();
    assert!(lines.is_sorted_by_key(|(seat, _)| *seat));
    lines.sort_unstable();
    let expected =
        [(0, "random"), (0, "runner"), (1, "marshal"), (1, "random")].map(|(s, n)| (Some(s), n));
    assert_eq!(lines, expected);
    for seat in 0..2 {
        let played = table.iter().filter(|line| line.seat == Some(seat)).map(|line| line.played);
        assert_eq!(played.sum::<u32>(), 9);
    }
    let usual =
        Roster { seats: vec![("a".into(), named(&["1", "2", "3", "4", "5"]))], ..roster(&[]) }
            .usual();
    assert_eq!(usual, ["3", "4", "5"]);
}

#[test]
fn matches_that_are_put_off_come_later() {
    let mut league = league(&["a", "b"], &["x"]);
    let first = league.next(&board()).unwrap();
    let second = league.next_but(&board(), std::slice::from_ref(&first)).unwrap();
    assert!(first != second && first.seed == second.seed);
    let both = [first.clone(), second.clone()];
    assert_eq!(league.next_but(&board(), &both).unwrap().seed, 8);
    league.enter(second, Vec::new());
    assert_eq!(league.next(&board()).unwrap(), first);
}

#[test]
fn two_copies_of_a_league_become_one() {
    let mut one = league(&["a", "b", "c"], &["x"]);
    play(&mut one, &board(), 2, decided);
    let mut other = one.clone();
    play(&mut other, &board(), 3, decided);
    assert!(one.absorb(&other) && !one.absorb(&other));
    assert_eq!(one.results().len(), 5);
    assert!(!one.absorb(&League::new("game", Vec::new(), Vec::new(), 8)));
}

fn text(league: &League) -> String {
    ron::ser::to_string_pretty(league, ron::ser::PrettyConfig::default()).unwrap()
}

fn read(text: &str) -> Result<League, LeagueFault> {
    League::read(text.as_bytes(), &|id| (id == "game").then(board))
}

#[test]
fn a_league_is_kept_in_a_file() {
    let mut league = league(&["a", "b", "c"], &["x", "levels/ß \"y\""]);
    league.favourite = Some("b".into());
    play(&mut league, &board(), 20, decided);
    let back = read(&text(&league)).unwrap();
    assert_eq!(back, league);
    assert_eq!(back.next(&board()), league.next(&board()));
}

#[test]
fn faulty_files_are_told_apart() {
    let mut league = league(&["a", "b"], &["x"]);
    play(&mut league, &board(), 1, |_| vec![place(1, Some(2.5)), place(2, None)]);
    let good = text(&league);
    for (from, to, expected) in [
        ("league 1", "league 2", "its format is 'league 2', not 'league 1'"),
        ("\"game\"", "\"chess\"", "there is no game 'chess'"),
        ("planners: [\n        \"a\"", "planners: [\n        \"z\"", "game has no planner 'z'"),
        ("planners: [\n        \"a\"", "planners: [\n        \"b\"", "'b' is listed twice"),
        ("favourite: None", "favourite: Some(\"z\")", "game has no planner 'z'"),
        ("budget: \"500ms\"", "budget: \"soon\"", "BUDGET"),
        ("rank: 1", "rank: 3", "result 1 has a rank out of range"),
        ("rank: 1", "rank: 0", "result 1 has a rank out of range"),
        ("Some(2.5)", "Some(inf)", "result 1 has a score out of range"),
        ("Some(2.5)", "Some(NaN)", "result 1 has a score out of range"),
    ] {
        assert!(good.contains(from), "{from} in {good}");
        let error = read(&good.replacen(from, to, 1)).unwrap_err();
        if expected == "BUDGET" {
            assert!(matches!(error, LeagueFault::Budget(_)), "{error}");
            continue;
        }
        assert_eq!(error.to_string(), expected);
    }
    let mut many = league.clone();
    many.levels = (0..=MOST_LEVELS).map(|n| n.to_string()).collect();
    assert!(matches!(read(&text(&many)), Err(LeagueFault::TooMany { what: "levels", .. })));
    many.levels = vec!["x".repeat(2000)];
    assert_eq!(read(&text(&many)), Err(LeagueFault::LongName));
    many = league.clone();
    many.results[0].fixture.players.push("a".into());
    assert!(matches!(read(&text(&many)), Err(LeagueFault::Result { number: 1, .. })));
}

/// Whatever is in the file: it is read, or an error says why not; what was read can go on.
#[test]
fn arbitrary_bytes_never_panic() {
    let mut league = league(&["a", "b", "c"], &["x", "y"]);
    play(&mut league, &board(), 3, decided);
    let good = text(&league).into_bytes();
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    for case in 0..6_000 {
        let mut bytes = if case % 4 == 0 {
            (0..random(200)).map(|_| random(256) as u8).collect()
        } else {
            good.clone()
        };
        for _ in 0..1 + random(4) {
            match (random(3), bytes.len()) {
                (_, 0) => {}
                (0, length) => bytes[random(length)] = b"0123456789-,()[]\"aenN\xff"[random(22)],
                (1, length) => drop(bytes.remove(random(length))),
                (_, length) => bytes.truncate(random(2 * length)),
            }
        }
        if let Ok(league) = League::read(&bytes, &|id| (id == "game").then(board)) {
            let _ = (league.next(&board()), league.table(&board(), Better::Higher));
        }
    }
    let unchecked: League = read_ron(&good).unwrap();
    assert_eq!(unchecked, league);
}

/// The last seeds are followed by the first.
#[test]
fn seeds_wrap_round() {
    let mut league = League::new("game", named(&["a", "b"]), named(&["x"]), u64::MAX);
    play(&mut league, &board(), 4, decided);
    let seeds: Vec<_> = league.results().iter().map(|result| result.fixture.seed).collect();
    assert_eq!(seeds, [u64::MAX, u64::MAX, 0, 0]);
}

#[test]
fn a_program_plays_on_every_seat_once_it_may_be_started() {
    let program = "program:python3 fox.py";
    let mut roster = pursuit();
    let mut league = league(&[program, "runner", "guards"], &["one"]);
    assert_eq!(league.line_ups(&roster).unwrap(), [["runner", "guards"]]);
    roster.programs.push(program.into());
    let with_program = [["runner", "guards"], ["runner", program], [program, "guards"]];
    assert_eq!(league.line_ups(&roster).unwrap(), with_program);
    let fixture = Fixture { level: "one".into(), seed: 1, players: named(&[program, "guards"]) };
    league.enter(fixture, decided(0));
    let table = league.table(&roster, Better::Higher);
    let of_program = table.iter().filter(|line| line.planner == program);
    let seats: Vec<_> = of_program.map(|line| line.seat).collect();
    assert_eq!(seats, [Some(0), Some(1)]);
    // Its file is read whether it may be started or not.
    let text = ron::to_string(&league).unwrap();
    let read = |text: &str| League::read(text.as_bytes(), &|_| Some(pursuit()));
    assert_eq!(read(&text).unwrap(), league);
    assert!(read(&text.replace("fox.py", &"x".repeat(600))).is_err());
}
