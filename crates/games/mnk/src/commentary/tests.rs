//! Every sentence on seeded matches is checked from the raw stones, by code of its own.

mod checker;

use super::super::planners::ALL;
use super::super::{Mnk, MnkAction};
use super::SPEC;
use super::outlook::MARGIN;
use checker::Checker;
use outwit_core::grid::Cell;
use outwit_core::play::{
    Budget, Clock, Game, Match, PlannerContext, Progress, Seat, StopFlag, find_planner,
};
use outwit_kit::{commentary, read_level, review};
use outwit_levels::built_in;
use std::collections::BTreeMap;
use std::sync::Arc;

fn begun(level: &str) -> Match<Mnk> {
    let bytes = built_in(level).unwrap().bytes().unwrap();
    let level = read_level::<Mnk>(&bytes, "level").unwrap();
    Match::new(Arc::new(Mnk::new(&level, 2).unwrap()), 1).unwrap()
}

/// A whole match of two planners, each with so much work for a stone. `careless` plays like `club` but for
/// every fourth stone, which lies somewhere near the last one.
fn played(level: &str, players: [&str; 2], seed: u64, work: u64) -> Match<Mnk> {
    let mut played = begun(level);
    let game = Arc::clone(played.game());
    let make = |(name, seat): (&&str, u8)| {
        let seed = seed * 10 + u64::from(seat);
        let context = PlannerContext { game: Arc::clone(&game), seat: Seat(seat), seed };
        let name = if *name == "careless" { "club" } else { name };
        (find_planner(ALL, name, Seat(seat)).unwrap().make)(context)
    };
    let mut seats: Vec<_> = players.iter().zip(0..).map(make).collect();
    while let [seat] = played.to_move()[..] {
        let planner = &mut seats[seat.index()];
        planner.observe(played.state());
        let clock = Clock::new(Budget::Work(work), StopFlag::default());
        while planner.think(&clock) == Progress::More && !clock.is_over() {}
        let mut action = planner.best();
        let last = played.state().last;
        if let Some(last) = last.filter(|_| {
            players[seat.index()] == "careless" && (played.len() / 2 + seed as usize) % 4 == 3
        }) {
            let near = (0..25).map(|i| (i * 7 + seed as i32 * 3 + played.len() as i32) % 25);
            let near = near.map(|i| Cell::new(last.x + i % 5 - 2, last.y + i / 5 - 2));
            let mut near = near.map(MnkAction::Place);
            action = near.find(|near| game.check(played.state(), *near).is_ok()).unwrap_or(action);
        }
        played.advance(vec![(seat, action)]).unwrap();
    }
    played
}

/// Seeded matches on all kinds of boards.
fn matches() -> Vec<(String, Match<Mnk>)> {
    let players = [["careless", "club"], ["careless", "careless"], ["novice", "careless"]];
    let boards =
        ["3x3x3", "4x4x3", "4x4x4", "5x5x4", "7x7x4", "7x7x5", "10x10x5", "gomoku", "gomoku-exact"];
    let games = boards.iter().flat_map(|board| (1..4).map(move |seed| (board, seed)));
    let game = |(board, seed): (&&str, u64)| {
        let players = players[seed as usize - 1];
        (format!("{board} {players:?}"), played(&format!("mnk/{board}"), players, seed, 300))
    };
    games.map(game).collect()
}

/// A sentence with its cells, numbers and sides left out.
fn kind(words: &str) -> String {
    let strange = |word: &&str| {
        !word.chars().any(|c| c.is_ascii_digit()) && !["X", "O", "X's", "O's"].contains(word)
    };
    words.split(' ').filter(strange).collect::<Vec<_>>().join(" ")
}

/// Prints what was said how often (`--nocapture`).
#[test]
fn every_sentence_holds() {
    let mut kinds = BTreeMap::<String, usize>::new();
    let mut solved = 0;
    for (what, played) in matches() {
        let said = commentary::<Mnk>(&played, &StopFlag::default()).unwrap();
        println!("{what}: {} turns, {} remarks", played.len(), said.remarks.len());
        let mut checker = Checker::new(&played);
        for remark in &said.remarks {
            let held = checker.check(remark);
            assert_eq!(held, Ok(()), "{what}: {remark:?}");
            *kinds.entry(kind(&remark.words)).or_default() += 1;
        }
        for pair in said.remarks.windows(2) {
            assert_ne!(pair[0].words, pair[1].words, "{what}");
        }
        solved += checker.solved;
    }
    println!("{kinds:#?}\n{solved} by the solver");
    assert!(kinds.values().sum::<usize>() > 100 && kinds.len() > 8, "{kinds:?}");
}

#[test]
fn estimates_are_as_near_to_the_review_as_they_say() {
    let (mut off, mut solved) = (Vec::new(), 0);
    for board in ["5x5x4", "7x7x4", "7x7x5", "10x10x5", "gomoku"] {
        for (seed, players) in (1..).zip([
            ["careless", "club"],
            ["club", "novice"],
            ["careless", "novice"],
            ["club", "careless"],
        ]) {
            let played = played(&format!("mnk/{board}"), players, seed, 300);
            let said = commentary::<Mnk>(&played, &StopFlag::default()).unwrap();
            let review = review::<Mnk>(&played, &StopFlag::default()).unwrap();
            for (turn, outlook) in &said.outlooks {
                let expected = outlook.seats[0];
                let found = review.seats[0].series[0].points[*turn][1];
                let value = expected.value.unwrap();
                if expected.margin == 0.0 {
                    assert_eq!(value, found, "{board} {turn}");
                    solved += 1;
                } else {
                    off.push((value - found).abs());
                }
            }
        }
    }
    off.sort_by(f64::total_cmp);
    let within = off.iter().filter(|off| **off <= MARGIN).count();
    let at = |share: f64| off[(share * (off.len() - 1) as f64) as usize];
    println!(
        "{} estimates, {solved} proved; off by {:.3}, {:.3}, {:.3}",
        off.len(),
        at(0.5),
        at(0.9),
        at(0.95)
    );
    assert!(within * 100 >= off.len() * 95, "{within} of {}", off.len());
}

#[test]
fn the_last_chance_and_the_end() {
    // O has to answer in a corner.
    let mut played = begun("mnk/3x3x3");
    for (x, y) in [(1, 1), (1, 0), (0, 0), (2, 2), (0, 2), (2, 0), (0, 1)] {
        let seat = played.to_move()[0];
        played.advance(vec![(seat, MnkAction::Place(Cell::new(x, y)))]).unwrap();
    }
    let said = commentary::<Mnk>(&played, &StopFlag::default()).unwrap();
    let words: Vec<(usize, &str)> =
        said.remarks.iter().map(|remark| (remark.turn, remark.words.as_str())).collect();
    assert!(words.contains(&(1, "O misses the last chance: X can force a win")), "{words:?}");
    assert!(words.contains(&(4, "X can win in two ways and O can stop only one")), "{words:?}");
    assert_eq!(words.last(), Some(&(6, "X wins with 3 in a row")));
    assert_eq!((said.swings[0].turn, said.swings[0].seat), (2, Seat(0)));
    assert_eq!(said.outlooks[&7].shares, [1.0, 0.0]);
    // Nothing is known of an opening in which seats may be exchanged.
    let opening = begun("mnk/gomoku-swap2");
    assert_eq!((SPEC.outlook)(&opening, 0, &StopFlag::default()), None);
}
