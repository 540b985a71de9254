//! The front against all simple paths, with patrols and without.

use super::*;
use crate::RouteEnd;
use crate::faults::faults;
use crate::patrol::{UNIT, least_exposures, patrolled_map};
use crate::tests::{checked, game, level_of, level_of_rows, shipped, small_map};
use outwit_core::play::{Budget, StopFlag};
use outwit_kit::{Solution, SolveOptions};
use proptest::prelude::*;

/// Length and exposure of each point, the exposure once more from its path.
fn values(ground: &Ground, front: &Front) -> Vec<(usize, i128)> {
    let value = |point: &FrontPoint| {
        assert_eq!(ground.check(&point.route), Ok(RouteEnd::Goal));
        let cells = point.route.cells(ground.start());
        let entered = cells.iter().enumerate().skip(1);
        let exposure: i128 = entered.map(|(time, &cell)| ground.exposure_at(cell, time)).sum();
        assert_eq!(exposure, point.exposure);
        (point.route.0.len(), exposure * UNIT / ground.scale())
    };
    front.points.iter().map(value).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn the_front_agrees_with_all_simple_paths(map in prop_oneof![small_map(), patrolled_map()]) {
        let level = level_of_rows(&map);
        prop_assume!(faults(&level).is_empty());
        let game = game(&level);
        let ground = game.ground();
        let mut wanted: Vec<(usize, i128)> = Vec::new();
        for (length, exposure) in least_exposures(&map).into_iter().enumerate() {
            let least = wanted.last().map_or(i128::MAX, |point| point.1);
            wanted.extend(exposure.filter(|&exposure| exposure < least).map(|e| (length, e)));
        }
        let front = length_exposure_front(ground);
        prop_assert!(front.is_complete);
        prop_assert_eq!(values(ground, &front), wanted.clone());
        // A search that gives up has found the first points.
        let begun = front_within(ground, 12, &Clock::unlimited());
        let found = values(ground, &begun);
        prop_assert!(wanted.starts_with(&found));
        prop_assert!(!begun.is_complete || found == wanted);
    }
}

/// The shortest walk to the goal steps back for a guard; no path may.
#[test]
fn a_walk_that_turns_back_is_no_point() {
    let level = level_of(&["##S###", ".O...Y", "##.###", "##^###"]);
    let game = game(&level);
    let front = length_exposure_front(game.ground());
    assert_eq!(front, Front { points: Vec::new(), is_complete: true });
}

/// The budget holds for all that is worked out, not only for the best path.
#[test]
fn a_solver_within_a_budget_knows_the_first_figures() {
    let solved = |id: &str, budget: Option<u64>| -> Solution {
        let options = SolveOptions { budget: budget.map(Budget::Work), ..SolveOptions::default() };
        crate::solve::solve(&checked(&shipped(id)), &options, &StopFlag::default()).unwrap()
    };
    for id in ["02-pillars", "15-rounds"] {
        let whole = solved(id, None);
        let all = whole.front.as_ref().unwrap();
        assert!(all.complete && !whole.message.contains("limit"));
        let enough: Vec<u64> = (0..24).map(|power| 1 << power).collect();
        let (mut some, mut known) = (0, 0);
        for &budget in &enough {
            let found = solved(id, Some(budget));
            let Some(front) = found.front else {
                assert!(found.value.is_none() && !found.proved && known == 0, "{id}, {budget}");
                continue;
            };
            assert_eq!((found.value, found.proved), (whole.value, true));
            assert!(all.points.starts_with(&front.points));
            assert!(found.counters.len() >= known, "{id}: more work, fewer figures at {budget}");
            known = found.counters.len();
            let is_short = found.message.contains("not all of the other figures");
            some += u32::from(is_short);
            assert_eq!(is_short, found.counters != whole.counters, "{id}, {budget}");
        }
        assert!(some > 0 && known == whole.counters.len(), "{id}");
    }
}
