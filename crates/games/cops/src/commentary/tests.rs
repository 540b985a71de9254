//! Every sentence on seeded pursuits is checked from the raw states, by code of its own.

mod calibration;
mod checker;

use super::SPEC;
use super::gate_run::{gate_name, key_gate, runs_to_gates};
use crate::planners::ALL;
use crate::tests::game;
use crate::{Cops, CopsRules, Gate, Orders, PursuitStatus};
use checker::Checker;
use outwit_core::grid::Cell;
use outwit_core::play::{
    Budget, Chance, Clock, Game, Match, PlannerContext, Progress, Seat, StopFlag, find_planner,
};
use outwit_kit::{commentary, read_level, review};
use outwit_levels::built_in;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A whole pursuit between two planners, each with so much work for a plan.
fn pursuit(level: &str, planners: [&str; 2], seed: u64, work: u64) -> Match<Cops> {
    let bytes = built_in(level).unwrap().bytes().unwrap();
    let level = read_level::<Cops>(&bytes, "level").unwrap();
    let game = Arc::new(Cops::new(&level, 2).unwrap());
    let mut played: Match<Cops> = Match::new(Arc::clone(&game), seed).unwrap();
    let make = |(name, seat): (&&str, u8)| {
        let context = PlannerContext { game: Arc::clone(&game), seat: Seat(seat), seed: seed + 9 };
        (find_planner(ALL, name, Seat(seat)).unwrap().make)(context)
    };
    let mut seats: Vec<_> = planners.iter().zip(0..).map(make).collect();
    let clock = || Clock::new(Budget::Work(work), StopFlag::default());
    for planner in &mut seats {
        let clock = Clock::new(Budget::Work(u64::MAX), StopFlag::default());
        while planner.prepare(&clock) == Progress::More {}
    }
    while played.outcome().is_none() {
        let actions: Vec<(Seat, Orders)> = played
            .to_move()
            .into_iter()
            .map(|seat| {
                let planner = &mut seats[seat.index()];
                planner.observe(&played.observation(played.len(), seat).unwrap());
                let clock = clock();
                while planner.think(&clock) == Progress::More && !clock.is_over() {}
                (seat, planner.best())
            })
            .collect();
        played.advance(actions).unwrap();
    }
    played
}

/// Seeded pursuits on all kinds of boards.
fn pursuits(seeds: std::ops::Range<u64>) -> Vec<(String, Match<Cops>)> {
    let boards =
        ["default", "four-gates", "corridors", "no-walls", "fast-gates", "crowded", "duel"];
    let sides =
        [["evader", "pack"], ["runner", "chasers"], ["schemer", "guards"], ["evader", "random"]];
    let mut all = Vec::new();
    for (board, seed) in
        boards.iter().flat_map(|board| seeds.clone().map(move |seed| (board, seed)))
    {
        let sides = sides[(seed as usize + board.len()) % sides.len()];
        let played = pursuit(&format!("cops/{board}"), sides, seed, 1500);
        all.push((format!("{board} {sides:?} {seed}"), played));
    }
    all
}

/// A sentence with its numbers and gates left out.
fn kind(words: &str) -> String {
    let strange = |word: &&str| {
        !word.chars().any(|c| c.is_ascii_digit())
            && !["north", "south", "east", "west", "left", "right", "upper", "lower"].contains(word)
    };
    words.split(' ').filter(strange).collect::<Vec<_>>().join(" ")
}

/// Prints what was said how often (`--nocapture`).
#[test]
fn every_sentence_holds() {
    let mut kinds = BTreeMap::<String, usize>::new();
    // Of the endings that plans were said to have: how many came true.
    let mut endings = BTreeMap::<bool, [usize; 2]>::new();
    for (what, played) in pursuits(0..4) {
        let checker = Checker::new(&played);
        let mut last = String::new();
        for turn in 0..played.len() {
            let said = (SPEC.remarks)(&played, turn, &BTreeMap::new());
            assert!(said.len() <= 2 && said.is_sorted_by(|a, b| a.weight >= b.weight));
            for remark in said {
                let held = checker.check(&remark);
                assert_eq!(held, Ok(()), "{what}: {remark:?}");
                assert!((0.0..=1.0).contains(&remark.weight), "{remark:?}");
                assert_ne!(remark.words, last, "{what}");
                if let [(name, share), (_, ticks)] = remark.figures.as_slice()
                    && name == "share of drawn futures"
                {
                    let caught = remark.words.contains("caught");
                    let end = turn as u32 + *ticks as u32;
                    let came = match played.state().standing {
                        PursuitStatus::Caught(tick) => caught && tick == end,
                        PursuitStatus::Escaped(tick) => !caught && tick == end,
                        _ => false,
                    };
                    endings.entry(*share >= 0.95).or_default()[usize::from(came)] += 1;
                }
                *kinds.entry(kind(&remark.words)).or_default() += 1;
                last = remark.words;
            }
        }
    }
    println!("{kinds:#?} {endings:?}");
    let [missed, came] = endings[&true];
    assert!(came >= 8 && missed * 10 <= came, "{endings:?}");
    assert!(kinds.values().sum::<usize>() > 100 && kinds.len() > 15, "{kinds:?}");
}

/// Sentences on what is to be expected agree with the review, which solves the same positions with more
/// work and other dice.
#[test]
fn sentences_on_values_agree_with_the_review() {
    let (mut all, mut agree) = (0, 0);
    for (board, sides, seed) in [
        ("tiny", ["schemer", "marshal"], 5),
        ("duel", ["evader", "pack"], 1),
        ("four-gates", ["schemer", "chasers"], 3),
        ("four-gates", ["runner", "random"], 4),
        ("fast-gates", ["evader", "random"], 1),
        ("default", ["evader", "pack"], 2),
    ] {
        let played = pursuit(&format!("cops/{board}"), sides, seed, 1500);
        let said = commentary::<Cops>(&played, &StopFlag::default()).unwrap();
        let review = review::<Cops>(&played, &StopFlag::default()).unwrap();
        // Between the best replies of either side.
        let value = |turn: usize| {
            let of = |seat: usize| review.seats[seat].moves.iter().find(|made| made.turn == turn);
            Some((of(0)?.before? - of(1)?.before?) / 2.0)
        };
        let checker = Checker::new(&played);
        for remark in said.remarks.iter().filter(|remark| remark.words.contains("expect")) {
            assert_eq!(checker.check(remark), Ok(()), "{remark:?}");
            let since = match remark.words.rsplit(' ').next().unwrap() {
                "start" => 0,
                tick => tick.parse().unwrap(),
            };
            let change = value(remark.turn + 1).unwrap() - value(since).unwrap();
            let is_more = remark.words.contains(" more ");
            println!("{board} {}: {} ({change:.1} by the review)", remark.turn, remark.words);
            all += 1;
            agree += usize::from((change > 0.0) == is_more);
        }
    }
    assert!(all >= 8 && agree == all, "{agree} of {all}");
}

#[test]
fn the_bar_ends_as_the_pursuit_does() {
    let played = pursuit("cops/tiny", ["schemer", "marshal"], 5, 1000);
    let go = StopFlag::default();
    let end = (SPEC.outlook)(&played, played.len(), &go).unwrap();
    assert_eq!(played.outcome().unwrap().places[0].ending, "caught");
    assert_eq!((&end.shares, end.seats[0].margin), (&vec![0.0, 1.0], 0.0));
    assert_eq!(end.seats[0].value, played.outcome().unwrap().places[0].score);
    for turn in 0..played.len() + 3 {
        let known = (SPEC.outlook)(&played, turn, &go);
        assert_eq!(known.is_some(), turn <= played.len());
    }
    // The plans that are made decide what is to be expected: before the last step it is certain.
    let last = (SPEC.outlook)(&played, played.len() - 1, &go).unwrap();
    assert_eq!(last, end);
    assert!((SPEC.remarks)(&played, played.len() + 2, &BTreeMap::new()).is_empty());
    let stop = StopFlag::default();
    stop.raise();
    assert_eq!((SPEC.outlook)(&played, 0, &stop), None);
}

#[test]
fn gates_are_named_by_side_and_place() {
    let game = Cops::new(
        &read_level::<Cops>(&built_in("cops/default").unwrap().bytes().unwrap(), "a").unwrap(),
        2,
    )
    .unwrap();
    let board = game.board();
    let gates: Vec<Gate> =
        [9, 3, 25, 50, 45, 55, 70].map(|place| Gate { place, clockwise: true }).into();
    let names: Vec<String> = (0..7).map(|gate| gate_name(board, &gates, gate)).collect();
    assert_eq!(names[..3], ["the right north gate", "the left north gate", "the east gate"]);
    // Places are counted clockwise, so in the south from the right.
    assert_eq!(names[3..6], ["the 2nd south gate", "the 3rd south gate", "the 1st south gate"]);
    assert_eq!(names[6], "the west gate");
}

#[test]
fn the_key_gate_is_the_one_that_the_thief_reaches_first() {
    let rules = CopsRules { size: Some(12), cops: 1, walls: 1, ..CopsRules::default() };
    let game = game(rules);
    let board = game.board();
    let mut position = game.start(&Chance::new(1)).unwrap().position;
    position.walls.clear();
    (position.thief, position.cops) = (Cell::new(5, 5), vec![Cell::new(2, 1)]);
    // In the north from (4, 0) on, and in the east from (13, 5) on.
    position.gates = [4, 18].map(|place| Gate { place, clockwise: true }).into();
    let runs = runs_to_gates(board, &position);
    let figures: Vec<_> =
        runs.iter().flatten().map(|run| (run.front, run.thief, run.cop)).collect();
    assert_eq!(figures, [(Cell::new(5, 1), 4, 3), (Cell::new(12, 5), 7, 14)]);
    assert_eq!(key_gate(board, &runs), Some(1), "the other one is the cop's");
    position.cops = vec![Cell::new(5, 12)];
    assert_eq!(key_gate(board, &runs_to_gates(board, &position)), Some(0), "the nearest clear one");
    position.cops = vec![Cell::new(5, 4), Cell::new(11, 5)];
    let runs = runs_to_gates(board, &position);
    assert!(runs.iter().flatten().all(|run| !run.is_clear(board)));
    assert_eq!(key_gate(board, &runs), Some(0), "one step behind there, six in the east");
}
