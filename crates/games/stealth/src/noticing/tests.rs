//! Rolls counted one by one, and safest paths against all simple paths.

use super::*;
use crate::RouteEnd;
use crate::faults::faults;
use crate::tests::{game, level_of, level_of_rows, shipped, small_map};
use crate::{RouteMove, route};
use proptest::prelude::*;

#[test]
fn rolls_agree_with_counting_all_of_them() {
    for (stealth, perception) in (-31..=31).flat_map(|a| (-12..=12).map(move |b| (a, b))) {
        for away in 0..9 {
            let rolls =
                (1..=20_i32).flat_map(|guard| (1..=20_i32).map(move |thief| (guard, thief)));
            let feet = 5 * away as i32;
            let wins =
                |&(guard, thief): &(i32, i32)| guard + perception > thief + stealth + feet / 10;
            let counted = rolls.filter(wins).count() as u32;
            assert_eq!(
                Skills { stealth, perception }.noticed(away),
                counted,
                "{stealth} {perception} {away}"
            );
        }
    }
    let far = Skills { stealth: i32::MAX, perception: i32::MIN };
    assert_eq!(
        (far.noticed(u32::MAX), Skills { stealth: i32::MIN, perception: i32::MAX }.noticed(0)),
        (0, 400)
    );
}

#[test]
fn logarithms_are_right_to_their_last_digit() {
    for unseen in 1..=ROLLS {
        let exact = (f64::from(ROLLS) / f64::from(unseen)).log2() * 2_f64.powi(40);
        let found = unseen_log(unseen).unwrap() as f64;
        assert!((found - exact).abs() <= 1.5, "{unseen}: {found}, {exact}");
    }
    assert_eq!((unseen_log(0), unseen_log(ROLLS), unseen_log(100)), (None, Some(0), Some(2 << 40)));
}

#[test]
fn guards_notice_within_their_sight_and_not_through_walls() {
    let game = game(&level_of(&["O........Y", "Z#.......#"]));
    let ground = game.ground();
    let skills = Skills { stealth: 2, perception: 5 };
    for x in 1..9 {
        let cell = Cell::new(x, 0);
        let chance = notice_chance(ground, cell, skills);
        assert_eq!(chance > 0.0, ground.exposure(cell) > 0, "{cell}");
    }
    // The only guard is diagonally next to this cell.
    let chance = notice_chance(ground, Cell::new(1, 0), skills);
    assert!((chance - f64::from(skills.noticed(1)) / 400.0).abs() < 1e-12, "{chance}");
    assert_eq!(notice_chance(ground, Cell::new(3, 1), skills), 0.0);
    assert_eq!(notice_chance(ground, Cell::new(-1, 7), skills), 0.0);
}

/// The best probability of passing unseen and the best expected fitness of all complete paths, by trying
/// every simple path. Only the costs and the sight of guards are the game's own.
fn by_trying_all(ground: &Ground, skills: Skills) -> Option<(f64, f64)> {
    let sight = |guard: Cell, cell: Cell| {
        let factor = ground.thrice_factor(guard, cell);
        // The number of cells of the line is 9 - factor, with both ends.
        (factor > 3).then_some((8 - factor as usize, f64::from(factor) / 3.0))
    };
    let noticed = [0, 1, 2, 3, 4].map(|away: i32| {
        let rolls = (1..=20_i32).flat_map(|guard| (1..=20_i32).map(move |thief| (guard, thief)));
        let wins = |&(guard, thief): &(i32, i32)| {
            guard + skills.perception > thief + skills.stealth + away / 2
        };
        rolls.filter(wins).count() as f64 / 400.0
    });
    let entering = |cell: Cell| {
        let base = ground.tiles()[cell].base_cost() as f64 * 1.5;
        ground.guards().iter().filter_map(|&guard| sight(guard, cell)).fold(
            (1.0, base),
            |(unseen, cost), (away, factor)| {
                let chance = noticed[away];
                (unseen * (1.0 - chance), cost * (chance * factor + 1.0 - chance))
            },
        )
    };
    let mut best: Option<(f64, f64)> = None;
    let mut stack = vec![(Route::default(), 1.0, 0.0)];
    while let Some((route, unseen, cost)) = stack.pop() {
        for step in RouteMove::ALL {
            let mut longer = route.clone();
            longer.0.push(step);
            let Ok(end) = ground.check(&longer) else { continue };
            let at = longer.cells(ground.start())[longer.0.len()];
            let (pass, price) = entering(at);
            let (unseen, cost) = (unseen * pass, cost + price);
            if end == RouteEnd::Goal {
                let known = best.unwrap_or((0.0, f64::INFINITY));
                best = Some((known.0.max(unseen), known.1.min(cost)));
            } else {
                stack.push((longer, unseen, cost));
            }
        }
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn safest_and_expected_paths_agree_with_all_simple_paths(
        map in small_map(),
        stealth in -10..=30,
        perception in -10..=30,
    ) {
        let level = level_of_rows(&map);
        prop_assume!(faults(&level).is_empty());
        let game = game(&level);
        let ground = game.ground();
        let skills = Skills { stealth, perception };
        let (unseen, cost) = by_trying_all(ground, skills).unwrap();
        let safest = safest_path(ground, skills).unwrap();
        prop_assert_eq!(ground.check(&safest.rated.route), Ok(RouteEnd::Goal));
        prop_assert!((safest.unseen - unseen).abs() <= 1e-9 * unseen, "{} {unseen}", safest.unseen);
        let best = best_expected_path(ground, skills).unwrap();
        prop_assert_eq!(ground.check(&best.rated.route), Ok(RouteEnd::Goal));
        let end = ground.number(ground.end_value(ground.goal_index()));
        prop_assert!((best.expected - end - cost).abs() < 1e-6, "{} {}", best.expected, cost + end);
        prop_assert!(best.expected <= safest.expected + 1e-6 && best.unseen <= safest.unseen * (1.0 + 1e-9));
    }
}

#[test]
fn skill_changes_which_path_is_best() {
    let game = game(&shipped("05-crossfire"));
    let ground = game.ground();
    let at = |stealth| Skills { stealth, perception: 5 };
    let chances: Vec<f64> =
        (-10..=30).map(|stealth| safest_path(ground, at(stealth)).unwrap().unseen).collect();
    assert!(chances.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12), "{chances:?}");
    assert_eq!(chances[40], 1.0);
    // Whom nobody notices takes the cheapest path; whom everybody does, the best one of the rules.
    let best = crate::exact::best_complete(ground).unwrap();
    assert_eq!(safest_path(ground, at(30)).unwrap().rated.fitness, best.fitness);
    let sure = Skills { stealth: -10, perception: 30 };
    let expected = best_expected_path(ground, sure).unwrap();
    assert!((expected.expected - ground.number(best.fitness)).abs() < 1e-6);
    let free = best_expected_path(ground, Skills { stealth: 30, perception: -10 }).unwrap();
    assert!(free.expected < ground.number(free.rated.fitness));
    let routes: Vec<route::Route> = (-10..=30)
        .map(|stealth| best_expected_path(ground, at(stealth)).unwrap().rated.route)
        .collect();
    assert!(routes.windows(2).any(|pair| pair[0] != pair[1]));
}
