//! Planners: parameters, evaluations, and the share of runs that end with the optimum.

use super::*;
use crate::exact::best_complete;
use crate::tests::{game, level_of, shipped};
use crate::{Route, RouteEnd, StealthFile};
use outwit_core::play::{Clock, Planner, PlannerContext, Progress, Seat, Tone, find_planner};
use std::sync::Arc;

fn made(level: &StealthFile, name: &str, seed: u64) -> Box<dyn Planner<Stealth>> {
    let spec = find_planner(ALL, name, Seat(0)).unwrap();
    let context = PlannerContext { game: Arc::new(game(level)), seat: Seat(0), seed };
    let mut planner = (spec.make)(context);
    planner.observe(&Default::default());
    planner
}

/// The path of a whole run and the work it took.
fn run(level: &StealthFile, name: &str, seed: u64) -> (Route, u64) {
    let mut planner = made(level, name, seed);
    let clock = Clock::unlimited();
    while planner.think(&clock) == Progress::More {}
    (planner.best(), clock.used())
}

/// The share of seeds whose path is as good as the best complete one.
fn optimum_share(level: &StealthFile, name: &str, seeds: u64) -> f64 {
    let game = game(level);
    let best = best_complete(game.ground()).unwrap().fitness;
    let found = (1..=seeds).filter(|&seed| {
        let (route, _) = run(level, name, seed);
        game.ground().check(&route) == Ok(RouteEnd::Goal) && game.ground().fitness(&route) == best
    });
    found.count() as f64 / seeds as f64
}

#[test]
fn runs_take_as_many_evaluations_as_they_say() {
    let level = shipped("report-2");
    let options = GeneticOptions::default();
    assert_eq!(options.evaluations(), 5350);
    for name in ["random-walks", "genetic+"] {
        assert_eq!(run(&level, name, 3).1, 5350, "{name}");
    }
    let mean = (1..=20).map(|seed| run(&level, "genetic", seed).1).sum::<u64>() / 20;
    assert!((5300..5400).contains(&mean), "{mean}");
    let mut evolution = Evolution::new(Arc::new(game(&level)), options, 5);
    while evolution.step() {}
    assert!(evolution.is_done() && !evolution.step() && evolution.population().len() == 50);
}

#[test]
fn every_parameter_of_the_genetic_algorithm_can_be_changed() {
    let mut level = shipped("report-2");
    let rules = &mut level.rules;
    (rules.population, rules.generations, rules.mutation, rules.elite) = (7, 3, 0.0, 2);
    assert_eq!(run(&level, "genetic", 1).1, 7 + 3 * 5);
    level.rules.generations = 0;
    assert_eq!(run(&level, "genetic", 1).1, 7);
    level.rules.population = 2;
    level.rules.elite = 100;
    level.rules.generations = 4;
    assert_eq!(run(&level, "genetic", 1).1, 2 + 4);
}

#[test]
fn an_elite_never_loses_the_best_path() {
    let mut level = shipped("report-1");
    level.rules.elite = 1;
    let options = GeneticOptions::of(&level.rules);
    for seed in 0..5 {
        let mut run = Evolution::new(Arc::new(game(&level)), options.clone(), seed);
        let mut generation = 0;
        let mut best = i128::MAX;
        while run.step() {
            if run.generation() > generation {
                generation = run.generation();
                let now = run.best().unwrap().fitness;
                assert!(now <= best);
                best = now;
            }
        }
        assert_eq!(run.best().unwrap().fitness, run.best_ever().unwrap().fitness);
    }
}

#[test]
fn crossover_and_mutation_are_told_as_they_were() {
    let game = Arc::new(game(&shipped("report-2")));
    let mut run = Evolution::new(Arc::clone(&game), GeneticOptions::default(), 9);
    let mut seen = (0, 0);
    while run.step() {
        if let Some(shown) = run.last_crossover().filter(|_| run.generation() > seen.0) {
            seen.0 = run.generation();
            let [a, b] = &shown.parents;
            let joined: Vec<_> =
                a.0[..shown.cuts[0]].iter().chain(&b.0[shown.cuts[1]..]).copied().collect();
            assert_eq!(joined, shown.joined.0);
            assert!(game.ground().check(&shown.child).is_ok());
            // What comes from whom is told by two tones, in the parents and in what is joined.
            let told = shown.walkthrough(game.ground());
            let of = |step: usize, tone: Tone| {
                let paths = &told.steps[step].paths;
                let found: Vec<_> = paths.iter().filter(|path| path.tone == tone).collect();
                assert_eq!(found.len(), 1, "{step} {tone:?}");
                found[0].cells.clone()
            };
            let (head, tail) = (of(2, Tone::Wanted), of(2, Tone::Partner));
            assert_eq!(head, of(0, Tone::Wanted));
            assert_eq!(tail.len(), of(1, Tone::Partner).len());
            assert_eq!(head.last(), tail.first());
        }
        if let Some(shown) = run.last_mutation().filter(|_| run.generation() > seen.1) {
            seen.1 = run.generation();
            assert!(shown.at < shown.before.0.len());
            assert_eq!(shown.after.0[..shown.at], shown.before.0[..shown.at]);
        }
    }
    assert!(seen.0 > 50 && seen.1 > 20);
}

#[test]
fn exact_plays_the_optimum_and_the_others_reach_it_as_measured() {
    for map in 1..=3 {
        let mut level = shipped(&format!("report-{map}"));
        assert_eq!(optimum_share(&level, "exact", 1), 1.0);
        level.rules.penalty = 40;
        assert!(optimum_share(&level, "genetic+", 40) >= 0.9, "{map}");
    }
    assert!(optimum_share(&shipped("report-3"), "genetic", 20) >= 0.9);
}

#[test]
fn a_start_beside_the_goal_is_no_trouble() {
    let level = level_of(&["OY"]);
    for spec in ALL {
        assert_eq!(run(&level, spec.name, 1).0.to_string(), "r", "{}", spec.name);
    }
}

#[test]
fn every_planner_gets_along_with_patrols() {
    for id in ["15-rounds", "16-sentries", "17-night-watch"] {
        let level = shipped(id);
        let game = game(&level);
        for spec in ALL {
            for seed in 1..=5 {
                let (route, _) = run(&level, spec.name, seed);
                let end = game.ground().check(&route);
                assert!(end.is_ok(), "{id}, {}: {end:?}", spec.name);
                let is_sure = matches!(spec.name, "genetic+" | "exact");
                assert!(!is_sure || end == Ok(RouteEnd::Goal), "{id}, {}", spec.name);
            }
        }
        assert_eq!(optimum_share(&level, "exact", 1), 1.0);
        assert!(optimum_share(&level, "genetic+", 10) >= 0.5, "{id}");
    }
}
