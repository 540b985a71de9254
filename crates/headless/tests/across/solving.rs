//! What all solvers have in common: their limits.

use outwit_core::play::{Budget, StopFlag};
use outwit_headless::find;
use outwit_kit::{AnyLevel, DynGame, SolveOptions};
use outwit_levels::built_in;

/// A level of each game that its exact method solves at once.
fn levels() -> Vec<(&'static dyn DynGame, AnyLevel)> {
    let still: &[(&str, &str)] =
        &[("cops", "1"), ("k", "1"), ("ticks", "2"), ("p_wall_move", "0"), ("p_gate_move", "0")];
    let level = |(id, rules): (&str, &[(&str, &str)])| {
        let kind = find(id.split_once('/').unwrap().0).unwrap();
        let level = kind.read(&built_in(id).unwrap().bytes().unwrap(), id).unwrap();
        let owned = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
        let rules: Vec<_> = rules.iter().map(owned).collect();
        (kind, kind.with_rules(&level, &rules).unwrap())
    };
    [
        ("racetrack/tiny", &[][..]),
        ("cops/tiny", still),
        ("pukoban/20-cellar-stairs", &[]),
        ("pukoban/20-cellar-stairs", &[("objective", "box_moves")]),
        ("stealth/report-2", &[]),
        ("mnk/3x3x3", &[]),
    ]
    .into_iter()
    .map(level)
    .collect()
}

#[test]
fn budgets_are_kept_and_answers_say_so() {
    let stop = StopFlag::default();
    for (kind, level) in levels() {
        let solve = |budget: Option<Budget>| {
            let options = SolveOptions { budget, ..SolveOptions::default() };
            kind.solve_level(&level, &options, &stop).unwrap()
        };
        let whole = solve(None);
        assert!(whole.value.is_some() && whole.proved, "{}: {whole:?}", kind.id());
        let enough = solve(Some(Budget::Work(100_000_000)));
        assert_eq!((enough.value, enough.proved), (whole.value, true), "{}", kind.id());
        for text in ["0w", "3w", "0ms"] {
            let open = solve(Some(text.parse().unwrap()));
            assert_eq!((open.value, open.proved), (None, false), "{}", kind.id());
            assert!(open.message.ends_with(&format!("not solved within {text}")), "{open:?}");
        }
    }
}

#[test]
fn a_raised_flag_stops_every_solver() {
    let stop = StopFlag::default();
    stop.raise();
    for (kind, level) in levels() {
        let options = SolveOptions::default();
        assert!(kind.solve_level(&level, &options, &stop).is_err(), "{}", kind.id());
    }
}

/// Each search of Pukoban keeps a budget of work; what it counts is what it expands.
#[test]
fn searches_keep_budgets_of_work() {
    let kind = find("pukoban").unwrap();
    let id = "pukoban/20-cellar-stairs";
    let level = kind.read(&built_in(id).unwrap().bytes().unwrap(), id).unwrap();
    for planner in kind.searches() {
        let solve = |budget| {
            let planner = Some(planner.to_owned());
            let options = SolveOptions { planner, budget, ..SolveOptions::default() };
            let solution = kind.solve_level(&level, &options, &StopFlag::default()).unwrap();
            let told = options.progress.told().0;
            (solution.value, solution.counters[0].1 as u64, told)
        };
        let (value, states, told) = solve(None);
        assert!(value.is_some() && told <= states, "{planner}");
        let budget = states / 2;
        let (value, states, _) = solve(Some(Budget::Work(budget)));
        assert_eq!(value, None, "{planner}");
        assert!(states <= budget && states > budget / 2, "{planner}: {states} of {budget}");
    }
}

/// Its proof takes more than 20 million states.
const HARD: &str = "Variant: Pukoban

#################
#@              #
# $         #   #
# $$       $.   #
# $#   $        #
#  # .#  .    $ #
#   # #   # $   #
# #.#      # $  #
# ...    .$  #  #
# $  .          #
# $$#.    .     #
# #.  .    #    #
#               #
#################
";

/// A solution that is known without its proof is told, whatever ends the search.
#[test]
fn a_solution_without_proof_is_told() {
    let kind = find("pukoban").unwrap();
    let level = kind.read(HARD.as_bytes(), "hard.xsb").unwrap();
    let solve = |options: &SolveOptions, stop: &StopFlag| {
        let solution = kind.solve_level(&level, options, stop).unwrap();
        assert!(solution.value.is_some() && !solution.proved, "{solution:?}");
        let moves = kind.play_moves(&level, &solution.moves.unwrap()).unwrap();
        assert!(moves.is_solved, "{}", solution.message);
        solution.message
    };
    let budget = Some(Budget::Work(400_000));
    let options = SolveOptions { budget, ..SolveOptions::default() };
    let message = solve(&options, &StopFlag::default());
    assert!(message.contains("within 400000w; the fewest steps are between"), "{message}");

    let (options, stop) = (SolveOptions::default(), StopFlag::default());
    let message = std::thread::scope(|scope| {
        let solving = scope.spawn(|| solve(&options, &stop));
        while options.progress.told().0 < 400_000 && !solving.is_finished() {
            std::thread::yield_now();
        }
        stop.raise();
        solving.join().unwrap()
    });
    let known = "before it was stopped; the fewest steps are between";
    assert!(message.contains(known), "{message}");
}

#[test]
fn memory_is_limited_or_the_limit_refused() {
    for (kind, level) in levels() {
        let options = SolveOptions { memory: Some(1 << 20), ..SolveOptions::default() };
        match kind.solve_level(&level, &options, &StopFlag::default()) {
            Ok(solution) => {
                assert!(["pukoban", "racetrack"].contains(&kind.id()));
                let mib = solution.counters.iter().find(|(name, _)| name.contains("MiB"));
                assert!(mib.is_some_and(|(_, mib)| *mib <= 1.0), "{solution:?}");
            }
            Err(faults) => {
                let why = faults[0].to_string();
                assert!(
                    why.contains("the memory of") && why.contains("cannot be limited"),
                    "{why}"
                );
            }
        }
    }
    let kind = find("pukoban").unwrap();
    let id = "pukoban/42-great-hall";
    let level = kind.read(&built_in(id).unwrap().bytes().unwrap(), id).unwrap();
    for planner in ["uniform-cost", "best"] {
        let options = SolveOptions {
            planner: Some(planner.into()),
            memory: Some(1 << 20),
            ..SolveOptions::default()
        };
        let solution = kind.solve_level(&level, &options, &StopFlag::default()).unwrap();
        assert_eq!((solution.value, solution.proved), (None, false));
        assert!(solution.message.contains("gave up at its limit of 1 MiB"), "{solution:?}");
    }
}
