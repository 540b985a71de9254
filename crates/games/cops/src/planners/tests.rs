//! What every planner must keep to.

use super::ALL;
use crate::level::CopsRules;
use crate::rules::{COPS, Cops, Orders, THIEF};
use crate::tests::{checked, file, game};
use outwit_core::levels::rule_to_text;
use outwit_core::play::{
    Budget, Chance, CheckedLevel, Clock, Game, PlannerContext, Progress, StopFlag, digest,
};
use outwit_core::tournament::{Lineup, play_games};
use outwit_levels::{BUILT_IN, BuiltIn};
use std::sync::Arc;

fn built_in() -> Vec<(&'static str, CheckedLevel<Cops>)> {
    BUILT_IN
        .iter()
        .filter(|level| level.id.starts_with("cops/"))
        .map(|BuiltIn { id, text, .. }| {
            (*id, outwit_kit::read_level::<Cops>(text.as_bytes(), id).unwrap())
        })
        .collect()
}

#[test]
fn there_are_levels_and_all_planners_can_play_them() {
    let levels = built_in();
    assert!(levels.len() >= 8);
    for (id, level) in levels {
        let game = Arc::new(Cops::new(&level, 2).unwrap());
        let start = game.start(&Chance::new(3)).unwrap();
        for seat in [THIEF, COPS] {
            for spec in ALL.iter().filter(|spec| (spec.seats)(seat)) {
                let mut planner =
                    (spec.make)(PlannerContext { game: Arc::clone(&game), seat, seed: 9 });
                planner.observe(&game.observe(&[], &start, seat));
                assert!(game.legal(&start, seat, &planner.best()).is_ok(), "{id} {}", spec.name);
                let _ = planner.think(&Clock::work(3000));
                assert!(game.legal(&start, seat, &planner.best()).is_ok(), "{id} {}", spec.name);
                let _ = planner.insight();
            }
        }
    }
}

#[test]
fn slicing_changes_nothing() {
    let game = Arc::new(game(CopsRules { size: Some(20), ..CopsRules::default() }));
    let start = game.start(&Chance::new(3)).unwrap();
    for (name, seat) in [("schemer", THIEF), ("marshal", COPS)] {
        let plan = |slice: Option<u64>| -> Orders {
            let spec = outwit_core::play::find_planner(ALL, name, seat).unwrap();
            let mut planner =
                (spec.make)(PlannerContext { game: Arc::clone(&game), seat, seed: 9 });
            planner.observe(&game.observe(&[], &start, seat));
            let clock = Clock::work(8000);
            loop {
                if let Some(units) = slice {
                    clock.slice_of_work(units);
                }
                if planner.think(&clock) == Progress::Done || clock.is_over() {
                    return planner.best();
                }
            }
        };
        assert_eq!(plan(None), plan(Some(50)), "{name}");
        assert_eq!(plan(None), plan(None), "{name}");
    }
}

#[test]
fn games_repeat_and_odd_rules_can_be_played() {
    let odd = CopsRules {
        size: Some(9),
        cops: 3,
        k: 4,
        ticks: 30,
        walls: 3,
        wall_length: 3,
        capture_adjacent: true,
        capture_swap: true,
        ..CopsRules::default()
    };
    for rules in
        [odd.clone(), CopsRules { k: 1, gates: 0, ..odd.clone() }, CopsRules { k: 9, ..odd }]
    {
        let shown = rule_to_text(&rules);
        let level = checked(file(rules, &["....."]));
        let players = vec!["schemer".into(), "marshal".into()];
        let lineups = [Lineup { players, seed: 5 }];
        let play = || {
            let stop = StopFlag::default();
            let budget = Budget::Work(4000);
            play_games(&level, ALL, &lineups, budget, &stop, |_| {}).unwrap()
        };
        let (first, second) = (play(), play());
        assert_eq!(digest(&first[0].replay), digest(&second[0].replay), "{shown}");
        for stats in &first[0].stats {
            assert_eq!((stats.panic.as_deref(), stats.illegal), (None, 0), "{shown}");
        }
        assert!(first[0].replay.play().is_ok());
    }
}

/// Mean payoff of a thief against cops, on the same seeds for all.
fn mean_payoff(level: &CheckedLevel<Cops>, thief: &str, cops: &str) -> f64 {
    let lineup = |seed| Lineup { players: vec![thief.into(), cops.into()], seed };
    let lineups: Vec<Lineup> = (1..=60).map(lineup).collect();
    let (stop, budget) = (StopFlag::default(), Budget::Work(4000));
    let games = play_games(level, ALL, &lineups, budget, &stop, |_| {}).unwrap();
    let payoffs = games.iter().map(|game| game.outcome.places[0].score.unwrap());
    payoffs.sum::<f64>() / games.len() as f64
}

#[test]
fn cops_with_a_plan_beat_chasers() {
    for (id, level) in built_in() {
        if !["cops/default", "cops/four-gates"].contains(&id) {
            continue;
        }
        for thief in ["runner", "evader"] {
            let chased = mean_payoff(&level, thief, "chasers");
            for cops in ["guards", "pack", "cover"] {
                let payoff = mean_payoff(&level, thief, cops);
                assert!(payoff < 0.8 * chased, "{id}: {thief} {payoff} {cops}, {chased} chasers");
            }
        }
    }
}

/// On the sum of some opponents, each level of strength is better than the one below.
#[test]
fn levels_of_strength_are_in_order() {
    for (id, level) in built_in() {
        if !["cops/default", "cops/four-gates", "cops/no-walls"].contains(&id) {
            continue;
        }
        let thief = |name| -> f64 {
            ["chasers", "guards"].iter().map(|cops| mean_payoff(&level, name, cops)).sum()
        };
        let thieves = ["novice", "casual", "expert"].map(thief);
        assert!(thieves.is_sorted_by(|a, b| a < b), "{id}: {thieves:?}");
        let cops = |name| -> f64 {
            ["runner", "evader"].iter().map(|thief| mean_payoff(&level, thief, name)).sum()
        };
        let cops = ["novice", "casual", "expert"].map(cops);
        assert!(cops.is_sorted_by(|a, b| a > b), "{id}: {cops:?}");
    }
}
