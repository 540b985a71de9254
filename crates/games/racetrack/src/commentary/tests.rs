//! Every sentence on seeded races is checked from the raw states, by code of its own.

mod checker;

use super::super::planners::ALL;
use super::super::{CarStatus, Racetrack};
use super::SPEC;
use checker::Checker;
use outwit_core::play::{
    Budget, Clock, Game, Match, PlannerContext, Progress, Seat, StopFlag, find_planner,
};
use outwit_kit::{commentary, read_level, with_rules};
use outwit_levels::built_in;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A whole race of planners, each with so much work for a move, under changed rules. `careless` drives like
/// `novice` but for every fifth move, which is as fast as can be.
fn race(level: &str, drivers: &[&str], rules: &[(&str, &str)], seed: u64) -> Match<Racetrack> {
    let bytes = built_in(level).unwrap().bytes().unwrap();
    let level = read_level::<Racetrack>(&bytes, "level").unwrap();
    let rules: Vec<_> = rules.iter().map(|(key, to)| ((*key).into(), (*to).into())).collect();
    let level = with_rules(level, &rules).unwrap();
    let game = Arc::new(Racetrack::new(&level, drivers.len()).unwrap());
    let mut played: Match<Racetrack> = Match::new(Arc::clone(&game), seed).unwrap();
    let make = |(name, seat): (&&str, u8)| {
        let seed = seed * 10 + u64::from(seat);
        let context = PlannerContext { game: Arc::clone(&game), seat: Seat(seat), seed };
        let name = if *name == "careless" { "novice" } else { name };
        let mut planner = (find_planner(ALL, name, Seat(seat)).unwrap().make)(context);
        let clock = Clock::new(Budget::Work(u64::MAX), StopFlag::default());
        while planner.prepare(&clock) == Progress::More {}
        planner
    };
    let mut seats: Vec<_> = drivers.iter().zip(0..).map(make).collect();
    while let [seat] = played.to_move()[..] {
        let planner = &mut seats[seat.index()];
        planner.observe(&played.observation(played.len(), seat).unwrap());
        let clock = Clock::new(Budget::Work(2000), StopFlag::default());
        while planner.think(&clock) == Progress::More && !clock.is_over() {}
        let mut action = planner.best();
        if drivers[seat.index()] == "careless" && played.len() / drivers.len() % 5 == 4 {
            let velocity = played.state().cars[seat.index()].velocity;
            let choices = game.choices(played.state(), seat).into_iter();
            action = choices.max_by_key(|choice| (velocity + choice.0).norm_squared()).unwrap();
        }
        played.advance(vec![(seat, action)]).unwrap();
    }
    played
}

/// Seeded races on all kinds of tracks; a speed limit keeps the checks short.
fn races() -> Vec<(String, Match<Racetrack>)> {
    let (out, back) = ("out", "penalty(3)");
    let races: [(&str, &[&str], &str, &str); 13] = [
        ("tiny", &["novice", "clubman"], "1", back),
        ("tiny", &["novice", "novice", "greedy"], "1", out),
        ("tiny", &["clubman", "novice", "novice", "clubman"], "1", back),
        ("first-lap", &["novice", "clubman"], "3", back),
        ("first-lap", &["novice", "novice", "greedy"], "3", out),
        ("first-lap", &["clubman", "novice", "novice", "clubman"], "3", back),
        ("first-lap", &["novice", "novice", "novice", "novice", "novice"], "2", out),
        ("first-lap", &["novice"], "3", out),
        ("first-lap", &["careless", "novice", "careless"], "2", back),
        ("first-lap", &["novice", "careless", "careless", "careless"], "2", out),
        ("kidney", &["careless", "careless"], "1", out),
        ("chicane", &["novice", "novice", "greedy"], "1", out),
        ("kidney", &["novice", "novice"], "1", back),
    ];
    let race = |(seed, (level, drivers, laps, crash)): (u64, (&str, &[&str], &str, &str))| {
        let rules = [("laps", laps), ("max_speed", "5"), ("crash", crash)];
        let what = format!("{level} {drivers:?} {seed}");
        (what, race(&format!("racetrack/{level}"), drivers, &rules, seed))
    };
    (1..).zip(races).map(race).collect()
}

/// A sentence with its numbers left out.
fn kind(words: &str) -> String {
    let strange = |word: &&str| !word.chars().any(|c| c.is_ascii_digit());
    words.split(' ').filter(strange).collect::<Vec<_>>().join(" ")
}

/// Prints what was said how often (`--nocapture`).
#[test]
fn every_sentence_holds() {
    let mut kinds = BTreeMap::<String, usize>::new();
    for (what, played) in races() {
        let said = commentary::<Racetrack>(&played, &StopFlag::default()).unwrap();
        let mut checker = Checker::new(&played);
        println!("{what}: {} turns, {} remarks", played.len(), said.remarks.len());
        for remark in &said.remarks {
            let held = checker.check(remark);
            assert_eq!(held, Ok(()), "{what}: {remark:?}");
            *kinds.entry(kind(&remark.words)).or_default() += 1;
        }
        for pair in said.remarks.windows(2) {
            let is_soon = pair[1].turn <= pair[0].turn + 5 * played.game().seats();
            assert!(!is_soon || pair[0].words != pair[1].words, "{what}: {pair:?}");
        }
    }
    println!("{kinds:#?}");
    assert!(kinds.values().sum::<usize>() > 50 && kinds.len() > 8, "{kinds:?}");
}

#[test]
fn outlooks_are_what_perfect_play_reaches() {
    let played = race("racetrack/tiny", &["novice", "novice"], &[], 3);
    let mut checker = Checker::new(&played);
    for turn in 0..=played.len() {
        let outlook = (SPEC.outlook)(&played, turn, &StopFlag::default()).unwrap();
        for (seat, expected) in outlook.seats.iter().enumerate() {
            assert_eq!(expected.value, checker.expected(turn, seat), "{turn} {seat}");
        }
    }
    let end = (SPEC.outlook)(&played, played.len(), &StopFlag::default()).unwrap();
    for (seat, place) in played.outcome().unwrap().places.iter().enumerate() {
        assert_eq!(end.shares[seat] > 0.0, place.rank == 1);
        assert!(end.seats[seat].value == place.score);
        assert_eq!(
            end.seats[seat].value.is_some(),
            matches!(played.state().cars[seat].standing, CarStatus::Finished { .. })
        );
    }
}
