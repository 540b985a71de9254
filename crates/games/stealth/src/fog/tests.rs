//! Fog: what is seen, what is known, and that planners know no more.

use super::*;
use crate::exact::best_complete;
use crate::faults::faults;
use crate::patrol::patrolled_map;
use crate::planners::ALL;
use crate::tests::{game, level_of, level_of_rows};
use crate::{RouteEnd, Stealth};
use outwit_core::play::{Chance, Clock, Game, Match, PlannerContext, Progress, Seat};
use proptest::prelude::*;
use std::sync::Arc;

fn foggy(map: &[&str], sight: u32) -> StealthFile {
    let mut level = level_of(map);
    level.rules.sight = Some(sight);
    level
}

fn picture(seen: &Seen, ground: &Ground) -> Vec<String> {
    let row = |row: &[bool]| row.iter().map(|&seen| if seen { 'x' } else { '-' }).collect();
    seen.cells.chunks(ground.tiles().width()).map(row).collect()
}

/// A whole match of a planner.
fn played(level: &StealthFile, planner: usize, seed: u64) -> Match<Stealth> {
    let game = Arc::new(game(level));
    let mut played = Match::new(Arc::clone(&game), seed).unwrap();
    let context =
        PlannerContext { game, seat: Seat(0), seed: Chance::new(seed).planner_seed(Seat(0)) };
    let mut planner = (ALL[planner].make)(context);
    while let [seat] = played.to_move()[..] {
        planner.observe(&played.observation(played.len(), seat).unwrap());
        while planner.think(&Clock::unlimited()) == Progress::More {}
        played.advance(vec![(seat, planner.best())]).unwrap();
    }
    played
}

#[test]
fn walls_and_distance_hide_cells() {
    let level = foggy(&["O..#...", ".#.....", "......Y", "......."], 4);
    let game = game(&level);
    let seen = Seen::at_the_start(game.ground(), 4);
    // The goal is known; behind walls and beyond four cells nothing is.
    assert_eq!(picture(&seen, game.ground()), ["xxxx---", "xxxxx--", "xx--x-x", "xx-----"]);
}

#[test]
fn a_thief_in_the_fog_goes_step_by_step() {
    let level = foggy(&["O....Y", ".####."], 2);
    let mut played = Match::new(Arc::new(game(&level)), 1).unwrap();
    let route = |text: &str| text.parse::<Route>().unwrap();
    let can = |played: &Match<Stealth>, text: &str| {
        played.game().legal(played.state(), Seat(0), &route(text))
    };
    assert!(can(&played, "rr").unwrap_err().contains("step by step"));
    assert!(can(&played, "u").is_err());
    for _ in 0..4 {
        played.advance(vec![(Seat(0), route("r"))]).unwrap();
        assert_eq!(played.state().taken(), None);
    }
    assert!(can(&played, "l").unwrap_err().contains("second time"));
    played.advance(vec![(Seat(0), route("r"))]).unwrap();
    assert_eq!(played.game().end(played.state()), Some(RouteEnd::Goal));
    assert_eq!(played.state().walked.to_string(), "rrrrr");
}

#[test]
fn a_planner_walks_into_a_trap_that_it_cannot_see() {
    // The short way is watched, which only a thief beyond the corner sees.
    let map = ["O.....Y", ".####.#", ".#Z....", ".######", "......."];
    let level = foggy(&map, 2);
    let exact = ALL.iter().position(|spec| spec.name == "exact").unwrap();
    let end = played(&level, exact, 1);
    assert_eq!(end.game().end(end.state()), Some(RouteEnd::Goal));
    assert_eq!(end.turns().len(), end.state().walked.0.len());
}

#[test]
fn who_sees_everything_finds_the_best_path() {
    let open = foggy(&["O..X...", ".T...X.", "..X.T..", "....X.Y"], 64);
    let exact = ALL.iter().position(|spec| spec.name == "exact").unwrap();
    let played = played(&open, exact, 1);
    let ground = played.game().ground();
    let best = best_complete(ground).unwrap();
    assert_eq!(ground.fitness(&played.state().walked), best.fitness);
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..ProptestConfig::with_cases(150) })]

    /// The board after some moves, all of it seen, rates the whole path just as the level does.
    #[test]
    fn the_known_house_rates_whole_paths(map in patrolled_map(), planner in 0..ALL.len(), cut: prop::sample::Index, seed: u64) {
        let mut level = level_of_rows(&map);
        prop_assume!(faults(&level).is_empty());
        let whole = played(&level, planner, seed).state().walked.clone();
        level.rules.sight = Some(64);
        let game = game(&level);
        let seen = Seen {
            cells: vec![true; game.ground().tiles().len()],
            patrols: vec![true; game.ground().patrols().len()],
        };
        let (walked, rest) = whole.0.split_at(cut.index(whole.0.len() + 1));
        let (walked, rest) = (Route(walked.to_vec()), Route(rest.to_vec()));
        let (_, known) = as_known(&level, game.ground(), &walked, &seen);
        prop_assert_eq!(known.check(&rest), game.ground().check(&whole));
        prop_assert_eq!(
            known.amount(known.fitness(&rest)),
            game.ground().amount(game.ground().fitness(&whole))
        );
        prop_assert_eq!(known.guards_at(rest.0.len()), game.ground().guards_at(whole.0.len()));
    }

    /// Houses that differ only in what was not seen give the same moves, as long as that holds.
    #[test]
    fn planners_know_only_what_was_seen(
        map in patrolled_map(),
        planner in 0..ALL.len(),
        changed: prop::sample::Index,
        to in prop::sample::select(vec!['.', 'X', 'T', '#', 'Z']),
        seed: u64,
    ) {
        let mut level = level_of_rows(&map);
        level.rules.sight = Some(2);
        (level.rules.population, level.rules.generations) = (10, 5);
        prop_assume!(faults(&level).is_empty());
        let mut other = level.clone();
        let mut cells = other.cells('.');
        let at = changed.index(cells.len());
        let cell = cells.cell_at(at);
        prop_assume!(cells[cell] != to && ".XT#Z".contains(cells[cell]));
        cells[cell] = to;
        other.set_cells(&cells);
        prop_assume!(faults(&other).is_empty());
        let (one, two) = (played(&level, planner, seed), played(&other, planner, seed));
        for turn in 0..one.turns().len().min(two.turns().len()) {
            let seen = |played: &Match<Stealth>| {
                played.states()[turn].seen.as_ref().is_some_and(|seen| seen.knows(at))
            };
            if seen(&one) || seen(&two) {
                break;
            }
            // A changed cell may hide or show others.
            if one.states()[turn].seen != two.states()[turn].seen {
                break;
            }
            prop_assert_eq!(&one.turns()[turn].actions, &two.turns()[turn].actions);
        }
    }

    #[test]
    fn every_planner_comes_to_an_end(map in patrolled_map(), planner in 0..ALL.len(), sight in 2..6_u32, seed: u64) {
        let mut level = level_of_rows(&map);
        level.rules.sight = Some(sight);
        (level.rules.population, level.rules.generations) = (10, 5);
        prop_assume!(faults(&level).is_empty());
        let played = played(&level, planner, seed);
        prop_assert!(played.game().end(played.state()).is_some());
    }
}
