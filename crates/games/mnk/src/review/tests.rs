//! What moves cost, beside a much longer search.

use super::*;
use crate::level::MnkRules;
use crate::planners::{self, ALL};
use crate::tests::level_of;
use outwit_core::play::{CheckedLevel, Game, PlannerContext, find_planner};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// A game of 15 by 15 cells from a random opening of six stones between two planners with so many positions a move.
fn played(names: [&str; 2], nodes: u64, seed: u64) -> Match<Mnk> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut cells = vec![vec!['.'; 15]; 15];
    for at in 0..6 {
        loop {
            let mut near = || 4 + dice.next_u32() as usize % 7;
            let (x, y) = (near(), near());
            if cells[y][x] == '.' {
                cells[y][x] = if at % 2 == 0 { 'X' } else { 'O' };
                break;
            }
        }
    }
    let rows: Vec<String> = cells.into_iter().map(|row| row.into_iter().collect()).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let level = CheckedLevel::new(level_of(&rows, MnkRules::default())).unwrap();
    let game = Arc::new(Mnk::new(&level, 2).unwrap());
    let mut played = Match::new(Arc::clone(&game), seed).unwrap();
    let make = |(name, seat): (&str, u8)| {
        let context = PlannerContext { game: Arc::clone(&game), seat: Seat(seat), seed };
        (find_planner(ALL, name, Seat(seat)).unwrap().make)(context)
    };
    let mut seats = [make((names[0], 0)), make((names[1], 1))];
    while played.outcome().is_none() && played.len() < 60 {
        let seat = played.to_move()[0];
        let planner = &mut seats[seat.index()];
        planners::think(planner.as_mut(), played.state(), &Clock::work(nodes));
        let action = planner.best();
        played.advance(vec![(seat, action)]).unwrap();
    }
    played
}

/// What each move cost by a search of so many positions of each position, and whether it was an only move.
fn costs_by(played: &Match<Mnk>, nodes: u64) -> Vec<(f64, bool)> {
    let board = SearchBoard::of(played.game(), &played.states()[0]);
    let search = MnkSearch::new(board.clone(), BEST.options);
    let stop = StopFlag::default();
    let mut look = Look { played, board, search, stop: &stop };
    let mut worths: VecDeque<Worth> = VecDeque::new();
    for turn in (0..played.states().len()).rev() {
        let mut before = look.worth(turn).unwrap();
        if !before.is_proved {
            before = look.searched(turn, nodes).unwrap();
        }
        if let Some(after) = worths.front() {
            look.carry_back(turn, &mut before, after);
        }
        worths.push_front(before);
    }
    let cost = |turn: usize| {
        let (before, after) = (worths[turn].points(), 1.0 - worths[turn + 1].points());
        let is_only = worths[turn].only.is_some() && worths[turn].only == look.taken(turn);
        ((before - after).max(0.0), is_only)
    };
    (0..played.len()).map(cost).collect()
}

#[test]
fn an_only_move_costs_nothing() {
    for seed in 0..2 {
        let played = played(["best", "club"], 300, seed);
        let review = review(&played, &StopFlag::default()).unwrap();
        let moves = review.seats.iter().flat_map(|seat| &seat.moves);
        let only: Vec<_> = moves.filter(|made| made.note == "the only move").collect();
        assert!(!only.is_empty(), "{seed}");
        assert!(only.iter().all(|made| made.cost.unwrap() < 1e-9), "{only:?}");
    }
}

/// Prints how often the review misses a mistake or finds one that a long search does not see, and how much of the costs
/// from each threshold on the long search sees too.
#[test]
#[ignore = "searches for many minutes"]
fn the_review_sees_what_a_long_search_sees() {
    let games: u64 = std::env::var("GAMES").map_or(20, |text| text.parse().unwrap());
    let first: u64 = std::env::var("FIRST").map_or(100, |text| text.parse().unwrap());
    let (mut moves, mut missed, mut blamed, mut only) = (0, 0, 0, 0);
    let mut costs: Vec<(f64, f64)> = Vec::new();
    for seed in 0..games {
        let names = [["best", "club"], ["club", "best"], ["best", "best"], ["club", "club"]];
        let played = played(names[seed as usize % 4], 3_000, first + seed);
        let review = review(&played, &StopFlag::default()).unwrap();
        let long = costs_by(&played, 500_000);
        let made = review.seats.iter().flat_map(|seat| &seat.moves);
        for made in made {
            let (cost, (truth, is_only)) = (made.cost.unwrap(), long[made.turn]);
            moves += 1;
            costs.push((cost, truth));
            let words = if is_only && cost > 0.02 {
                only += 1;
                "only move blamed"
            } else if truth > 0.2 && cost < 0.1 {
                missed += 1;
                "missed"
            } else if cost > 0.1 && truth < 0.05 {
                blamed += 1;
                "blamed"
            } else {
                continue;
            };
            println!(
                "game {seed}, turn {}: {words}: {cost:.2}, truth {truth:.2}: {}",
                made.turn, made.note
            );
        }
    }
    println!(
        "{games} games, {moves} moves: {missed} missed, {blamed} blamed, {only} only moves blamed"
    );
    for threshold in [0.02, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2] {
        let listed: Vec<_> = costs.iter().filter(|(cost, _)| *cost >= threshold).collect();
        let shared = listed.iter().filter(|(_, truth)| *truth >= threshold / 2.0).count();
        let lost = costs.iter().filter(|(cost, truth)| *truth >= 0.1 && *cost < threshold).count();
        println!(
            "costs of {threshold} and more: {} moves, {shared} of them cost half as much or more by the long search; \
             {lost} below cost 0.1 or more by it",
            listed.len()
        );
    }
}
