//! The planners in matches.

use super::*;
use crate::{PukobanFile, PukobanState};
use outwit_core::levels::RuleSet;
use outwit_core::play::{
    Budget, Chance, CheckedLevel, Clock, Closing, Game, Match, MatchSetup, Progress, Referee, Seat,
    Thinking, Value,
};
use outwit_kit::{GameSpec, read_level};
use outwit_levels::list_with;
use std::sync::Arc;

fn built_in() -> Vec<(String, PukobanFile)> {
    list_with(None, Pukoban::ID)
        .into_iter()
        .map(|entry| {
            let level = read_level::<Pukoban>(&entry.bytes().unwrap(), &entry.id).unwrap();
            (entry.id, level.into_inner())
        })
        .collect()
}

fn level(rows: &[&str]) -> PukobanFile {
    let mut file = built_in().swap_remove(0).1;
    file.map = rows.iter().map(|&row| row.to_owned()).collect();
    file
}

fn rules_on(level: PukobanFile) -> Arc<Pukoban> {
    Arc::new(Pukoban::new(&CheckedLevel::new(level).unwrap(), 1).unwrap())
}

/// Two boxes to be exchanged between rooms: some thousand states.
const ROOMS: &[&str] = &["########", "#@--#--#", "#-$----#", "#--$#.-#", "#---#-.#", "########"];

fn planner(name: &str, game: &Arc<Pukoban>) -> Box<dyn Planner<Pukoban>> {
    let spec = ALL.iter().find(|spec| spec.name == name).unwrap();
    (spec.make)(PlannerContext { game: Arc::clone(game), seat: Seat(0), seed: 1 })
}

/// Plays a whole match; the position at its end, and the work of the first turn.
fn play(name: &str, game: &Arc<Pukoban>, slice: u64, budget: u64) -> (PukobanState, u64) {
    let mut planner = planner(name, game);
    let mut played = Match::new(Arc::clone(game), 1).unwrap();
    let mut first = None;
    while played.outcome().is_none() {
        planner.observe(played.state());
        let clock = Clock::work(budget);
        loop {
            clock.slice_of_work(slice);
            let done = planner.think(&clock) == Progress::Done;
            assert_eq!(game.legal(played.state(), Seat(0), &planner.best()), Ok(()), "{name}");
            if done || clock.is_over() {
                break;
            }
        }
        first.get_or_insert(clock.used());
        played.advance(vec![(Seat(0), planner.best())]).unwrap();
    }
    (played.state().clone(), first.unwrap_or(0))
}

#[test]
fn every_search_solves_and_slicing_changes_nothing() {
    for objective in ["steps", "box_moves"] {
        let mut file = level(ROOMS);
        file.rules.set("objective", objective).unwrap();
        let game = rules_on(file);
        let mut least = None;
        for search in SEARCHES {
            let whole = play(search.name, &game, u64::MAX, u64::MAX);
            if search.name == "depth-first" && !game.is_solved(&whole.0) {
                continue;
            }
            assert!(game.is_solved(&whole.0), "{} by {objective}", search.name);
            let cost = game.cost(&whole.0);
            if search.is_optimal() {
                assert_eq!(*least.get_or_insert(cost), cost, "{} by {objective}", search.name);
            }
            for slice in [1, 7, 100] {
                assert_eq!(play(search.name, &game, slice, u64::MAX), whole, "{}", search.name);
            }
        }
        assert!(least.is_some());
    }
}

/// With too little work for a turn a search continues in the next one, and the steps that were made
/// meanwhile are no obstacle.
#[test]
fn little_work_per_turn_still_solves() {
    let game = rules_on(level(ROOMS));
    for name in ["uniform-cost", "astar-matching", "bidirectional", "best"] {
        let (end, _) = play(name, &game, u64::MAX, 60);
        assert!(game.is_solved(&end), "{name}: {end:?}");
    }
}

#[test]
fn a_plan_is_followed_without_new_search_after_jumps() {
    let game = rules_on(level(ROOMS));
    for search in SEARCHES.iter().filter(|search| search.is_optimal()) {
        let mut planner = planner(search.name, &game);
        planner.observe(game.opening());
        assert_eq!(planner.think(&Clock::unlimited()), Progress::Done);
        let line = planner.line();
        assert_eq!(line.value, Some(Value::Score(line.actions.len() as f64)), "{}", search.name);
        let mut positions = vec![game.opening().clone()];
        for &step in &line.actions {
            let mut next = positions[positions.len() - 1].clone();
            game.take(&mut next, step).unwrap();
            positions.push(next);
        }
        assert!(game.is_solved(&positions[positions.len() - 1]));
        for at in [5, 2, line.actions.len() - 1, 0] {
            planner.observe(&positions[at]);
            let clock = Clock::work(10);
            assert_eq!(planner.think(&clock), Progress::Done);
            assert_eq!((planner.best(), clock.used()), (line.actions[at], 0), "{}", search.name);
            assert_eq!(planner.line().actions, line.actions[at..]);
        }
    }
}

/// Far from a proof, but weighted A* solves it soon.
const HALL: &[&str] = &[
    "@--------------",
    "-.$--.--$#-----",
    "--$-$#---$-#---",
    "--.--.-$---.---",
    "---.------..---",
    "##-----#-$#----",
    "----------.----",
    ".--##------$---",
    "$#--------$-$--",
    "#---------#-$--",
    ".$-.-.-#-#-----",
    "---------------",
];

/// After a step beside it the solution is played from there, back over where the search began.
#[test]
fn a_step_beside_the_plan_is_made_good() {
    let game = rules_on(level(ROOMS));
    let mut planner = planner("best", &game);
    planner.observe(game.opening());
    planner.think(&Clock::unlimited());
    let planned = planner.line().actions;
    let beside = game.steps(game.opening()).into_iter().find(|step| *step != planned[0]).unwrap();
    let mut position = game.opening().clone();
    game.take(&mut position, beside).unwrap();
    planner.observe(&position);
    assert_eq!(planner.think(&Clock::work(0)), Progress::Done);
    for step in planner.line().actions {
        game.take(&mut position, step).unwrap();
    }
    assert!(game.is_solved(&position));
    assert!(game.cost(&position) <= planned.len() as u32 + 2);
}

/// What is known before the proof is played.
#[test]
fn a_solution_is_played_before_it_is_proved() {
    let game = rules_on(level(HALL));
    let mut planner = planner("best", &game);
    let mut position = game.opening().clone();
    planner.observe(&position);
    let clock = Clock::work(4_200_000);
    assert_eq!(planner.think(&clock), Progress::More);
    let first = planner.line();
    assert_eq!(first.value, Some(Value::Score(first.actions.len() as f64)));
    let notes = planner.insight().notes;
    assert!(notes.iter().any(|note| note.contains("none takes fewer than")), "{notes:?}");
    assert_eq!(planner.closing(), None);
    for _ in 0..first.actions.len() {
        game.take(&mut position, planner.best()).unwrap();
        if game.is_solved(&position) {
            return;
        }
        planner.observe(&position);
        planner.think(&Clock::work(2_000));
    }
    panic!("{position:?}");
}

/// Without a limit nobody waits for a proof for ever where a solution is known.
#[test]
fn patience_ends_where_a_solution_is_known() {
    let game = rules_on(level(HALL));
    let context = PlannerContext { game: Arc::clone(&game), seat: Seat(0), seed: 1 };
    let mut planner = solver::Solver::new(context, Method::Meet).impatient(500_000);
    planner.observe(game.opening());
    assert_eq!(planner.think(&Clock::unlimited()), Progress::Done);
    assert_eq!(planner.closing(), None);
    let notes = planner.insight().notes;
    assert!(notes.iter().any(|note| note.ends_with("the search went no further")), "{notes:?}");
    let mut position = game.opening().clone();
    for step in planner.line().actions {
        game.take(&mut position, step).unwrap();
    }
    assert!(game.is_solved(&position));
}

#[test]
fn no_solution_is_proved() {
    // The box lies in a dead end from which it can be pulled, but never around the corner.
    let file = level(&["######", "#@-$.#", "######", "#.----", "######"]);
    assert!(CheckedLevel::<Pukoban>::new(file).is_err());
    let game = rules_on(level(&["#####", "#@$-#", "#-#-#", "#.#$#", "#####"]));
    let mut ends = Vec::new();
    for search in SEARCHES {
        let mut planner = planner(search.name, &game);
        planner.observe(game.opening());
        assert_eq!(planner.think(&Clock::unlimited()), Progress::Done);
        ends.push((search.name, planner.closing()));
        if planner.closing() == Some(Closing::Unsolved) {
            let notes = planner.insight().notes;
            assert!(notes.iter().any(|note| note.starts_with("proved")), "{notes:?}");
        }
    }
    assert!(ends.windows(2).all(|pair| pair[0].1 == pair[1].1), "{ends:?}");
}

/// A clock for the whole match: the first turn takes what it needs, the rest is played at once.
#[test]
fn a_match_under_one_clock() {
    let setup =
        MatchSetup::new(&["best".into()], Budget::Work(u64::MAX), 1).thinking(Thinking::Inline);
    let game = rules_on(level(ROOMS));
    let mut referee = Referee::new(Arc::clone(&game), Pukoban::planners(), setup).unwrap();
    referee.run(10_000);
    assert!(game.is_solved(referee.played().state()));
    let stats = referee.stats(Seat(0));
    assert_eq!((stats.illegal, stats.overruns), (0, 0));
}

/// States after which a planner need not go on in this test. The largest levels have more, on which
/// all that came to an end agree; `search::tests::measures` and `outwit bench pukoban` go further.
const MOST_STATES: u64 = 150_000;

/// Every optimal planner agrees on every built-in level, in both ways of counting, and those with a
/// bound keep it.
#[test]
fn planners_keep_their_bounds_on_built_in_levels() {
    let (mut compared, mut longer) = (0, 0);
    for (id, file) in built_in() {
        for objective in ["steps", "box_moves"] {
            let mut file = file.clone();
            file.rules.set("objective", objective).unwrap();
            let game = rules_on(file);
            let mut found = Vec::new();
            for search in SEARCHES {
                let Some(bound) = search.bound else { continue };
                let mut planner = planner(search.name, &game);
                planner.observe(&game.start(&Chance::new(1)).unwrap());
                let most = if objective == "steps" { MOST_STATES } else { MOST_STATES / 10 };
                if planner.think(&Clock::work(most)) == Progress::More {
                    continue;
                }
                let Some(Value::Score(cost)) = planner.line().value else {
                    panic!("{} on {id}", search.name)
                };
                found.push((search.name, f64::from(bound), cost));
            }
            let Some(least) = found.iter().find(|found| found.1 == 1.0).map(|found| found.2) else {
                continue;
            };
            for &(name, bound, cost) in &found {
                let within = least..=bound * least;
                assert!(within.contains(&cost), "{name} on {id}: {cost}, not {within:?}");
                longer += usize::from(cost > least);
            }
            compared += found.len();
        }
    }
    assert!(compared > 100, "only {compared} searches came to an end");
    assert!(longer > 4, "the bounds were hardly tried: {longer}");
}
