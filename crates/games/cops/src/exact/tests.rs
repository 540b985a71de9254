//! Exact values against an independent computation, and planners against exact opponents.

use super::*;
use crate::level::CopsRules;
use crate::planners::ALL;
use crate::rules::{COPS, CopsView, Orders, Pursuit, PursuitStatus, THIEF};
use crate::tests::{checked, file, game, still};
use crate::{commentary, review};
use outwit_core::play::{
    Chance, CheckedLevel, Clock, Game, Match, Planner, PlannerContext, Progress, Seat, StopFlag,
    Value, find_planner,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

fn planned(planner: &mut dyn Planner<Cops>, view: &CopsView) -> Orders {
    let clock = Clock::work(20_000);
    planner.observe(view);
    while planner.think(&clock) == Progress::More && !clock.is_over() {}
    planner.best()
}

fn drawn(mix: &[f64], dice: &mut ChaCha8Rng) -> usize {
    let mut lot = f64::from(dice.next_u32()) / f64::from(u32::MAX);
    mix.iter()
        .position(|&p| {
            lot -= p;
            lot < 0.0
        })
        .unwrap_or(0)
}

/// Mean payoff and mean exact value over games of one planner against the exact opponent.
fn against_exact(name: &str, seat: Seat, side: u32, cops: u32, games: u64) -> (f64, f64) {
    let rules = still(side, cops);
    let ticks = rules.ticks;
    let (mut paid, mut owed) = (0.0, 0.0);
    let game = game(rules);
    let start = game.start(&Chance::new(0)).unwrap().position;
    let exact = Exact::new(&game, &start, &|_| true).unwrap();
    for seed in 0..games {
        let (game, chance) = (Arc::new(game.clone()), Chance::new(seed));
        let context = PlannerContext { game: Arc::clone(&game), seat, seed };
        let mut planner = (find_planner(ALL, name, seat).unwrap().make)(context);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut states: Vec<Pursuit> = vec![game.start(&chance).unwrap()];
        loop {
            let state = states.last().unwrap().clone();
            let at = &state.position;
            if state.standing != PursuitStatus::Running {
                paid += state.standing.payoff(ticks).unwrap();
                break;
            }
            let left = ticks - at.tick;
            if at.tick == 0 {
                owed += exact.value(left, at.thief, &at.cops).unwrap().value;
            }
            let PerfectTurn { thief: rows, cops: columns, .. } =
                exact.turn(left, at.thief, &at.cops).unwrap();
            let view = game.observe(&states[..states.len() - 1], &state, seat);
            let own = planned(planner.as_mut(), &view);
            let actions = if seat == THIEF {
                let joint = joint_steps(drawn(&columns, &mut dice), at.cops.len());
                let ways = joint.into_iter().map(|step| vec![step]).collect();
                [(THIEF, own), (COPS, Orders(ways))]
            } else {
                let step = STEPS[drawn(&rows, &mut dice)];
                [(THIEF, Orders(vec![vec![step]])), (COPS, own)]
            };
            let mut next = state;
            game.tick(&mut next, &actions, &chance, &mut |_| {});
            states.push(next);
        }
    }
    (paid / games as f64, owed / games as f64)
}

fn compare(boards: &[(u32, u32)]) {
    for &(side, cops) in boards {
        let (paid, owed) = against_exact("marshal", COPS, side, cops, 30);
        println!("marshal {side}x{side}, {cops} cops: {paid:.1}, exact {owed:.1}");
        let (earned, value) = against_exact("schemer", THIEF, side, cops, 30);
        println!("schemer {side}x{side}, {cops} cops: {earned:.1}, exact {value:.1}");
        assert!(paid <= 2.0 * owed, "marshal {side} {cops}");
        assert!(earned >= 0.5 * value, "schemer {side} {cops}");
    }
}

#[test]
fn marshal_and_schemer_on_small_still_boards() {
    compare(&[(4, 1), (6, 1), (3, 2), (4, 2)]);
}

#[test]
#[ignore = "analyses for a minute"]
fn marshal_and_schemer_on_larger_still_boards() {
    compare(&[(5, 1), (5, 2), (6, 2)]);
}

/// The value of a matrix game from its kernels (Shapley and Snow 1950): some square part of the matrix
/// has mixtures that leave nobody of its rows and columns a choice, and that are best in all of it.
fn by_kernels(matrix: &[Vec<f64>]) -> f64 {
    let (rows, columns) = (matrix.len(), matrix[0].len());
    for size in 1..=rows.min(columns) {
        for chosen in subsets(rows, size) {
            for facing in subsets(columns, size) {
                let part = |i: usize, j: usize| matrix[chosen[i]][facing[j]];
                let (Some((x, low)), Some((y, high))) =
                    (equaliser(size, |i, j| part(j, i)), equaliser(size, part))
                else {
                    continue;
                };
                let against = |j: usize| -> f64 {
                    chosen.iter().zip(&x).map(|(&i, p)| matrix[i][j] * p).sum()
                };
                let of = |i: usize| -> f64 {
                    facing.iter().zip(&y).map(|(&j, q)| matrix[i][j] * q).sum()
                };
                const SLACK: f64 = 1e-9;
                if (low - high).abs() < SLACK * (1.0 + low)
                    && (0..columns).all(|j| against(j) > low - SLACK * (1.0 + low))
                    && (0..rows).all(|i| of(i) < high + SLACK * (1.0 + high))
                {
                    return (low + high) / 2.0;
                }
            }
        }
    }
    panic!("every matrix game has a kernel: {matrix:?}");
}

fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    let all = (0_u32..1 << count).filter(|set| set.count_ones() as usize == size);
    all.map(|set| (0..count).filter(|&i| set >> i & 1 == 1).collect()).collect()
}

/// Shares w with entry(i, ·) w = v for all i and a sum of 1, and v; by elimination. `None` if there are none
/// or one is negative.
fn equaliser(size: usize, entry: impl Fn(usize, usize) -> f64) -> Option<(Vec<f64>, f64)> {
    let width = size + 2;
    let mut table = vec![vec![0.0; width]; size + 1];
    for (i, row) in table.iter_mut().enumerate() {
        for (j, cell) in row.iter_mut().enumerate().take(size) {
            *cell = if i < size { entry(i, j) } else { 1.0 };
        }
        row[size] = if i < size { -1.0 } else { 0.0 };
        row[size + 1] = f64::from(i == size);
    }
    for column in 0..=size {
        let pivot = (column..=size)
            .max_by(|&a, &b| table[a][column].abs().total_cmp(&table[b][column].abs()))?;
        if table[pivot][column].abs() < 1e-10 {
            return None;
        }
        table.swap(column, pivot);
        let line = table[column].clone();
        for (_, row) in table.iter_mut().enumerate().filter(|(i, _)| *i != column) {
            let factor = row[column] / line[column];
            row.iter_mut().zip(&line).for_each(|(cell, by)| *cell -= factor * by);
        }
    }
    let solution: Vec<f64> = (0..=size).map(|i| table[i][size + 1] / table[i][i]).collect();
    let (shares, value) = (solution[..size].to_vec(), solution[size]);
    shares.iter().all(|&share| share >= -1e-12).then_some((shares, value))
}

/// The matrix without rows and columns that equal others.
fn distinct(matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    fn unique(lines: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        lines.into_iter().fold(Vec::new(), |mut kept, line| {
            if !kept.contains(&line) {
                kept.push(line);
            }
            kept
        })
    }
    let turned = |matrix: Vec<Vec<f64>>| -> Vec<Vec<f64>> {
        (0..matrix[0].len()).map(|j| matrix.iter().map(|row| row[j]).collect()).collect()
    };
    turned(unique(turned(unique(matrix))))
}

/// All sequences of so many items.
fn sequences<T: Copy>(items: &[T], length: usize) -> Vec<Vec<T>> {
    (0..length).fold(vec![Vec::new()], |all, _| {
        let longer = |begun: Vec<T>| items.iter().map(move |&item| [&begun[..], &[item]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

/// The value of a game by the rules themselves, tick by tick, each stage by its kernels.
fn independently(game: &Cops, start: &Position) -> f64 {
    let (rules, chance) = (game.level().rules.clone(), Chance::new(0));
    let cells: Vec<Cell> =
        game.board().floor().filter(|&cell| !game.board().is_walled(&start.walls, cell)).collect();
    let arrangements = sequences(&cells, 1 + start.cops.len());
    let joint = sequences(&STEPS, start.cops.len());
    let mut values = std::collections::BTreeMap::new();
    for tick in (start.tick..rules.ticks).rev() {
        let mut level = std::collections::BTreeMap::new();
        for arrangement in &arrangements {
            let (thief, cops) = (arrangement[0], arrangement[1..].to_vec());
            let position = Position { tick, thief, cops, ..start.clone() };
            let outcome = |ours: Step, theirs: &[Step]| {
                let mut pursuit = game.start(&chance).unwrap();
                pursuit.position = position.clone();
                let theirs = theirs.iter().map(|&step| vec![step]).collect();
                let orders = [(THIEF, Orders(vec![vec![ours]])), (COPS, Orders(theirs))];
                game.tick(&mut pursuit, &orders, &chance, &mut |_| {});
                let after = &pursuit.position;
                match pursuit.standing.payoff(rules.ticks) {
                    Some(payoff) => payoff - f64::from(tick),
                    None => 1.0 + values[&[&[after.thief][..], &after.cops].concat()],
                }
            };
            let row = |&ours: &Step| joint.iter().map(|theirs| outcome(ours, theirs)).collect();
            let matrix: Vec<Vec<f64>> = STEPS.iter().map(row).collect();
            level.insert(arrangement.clone(), by_kernels(&distinct(matrix)));
        }
        values = level;
    }
    values[&[&[start.thief][..], &start.cops].concat()]
}

fn of_map(rules: CopsRules, map: &[&str]) -> (Cops, Position) {
    let game = Cops::new(&checked(file(rules, map)), 2).unwrap();
    let start = game.start(&Chance::new(0)).unwrap().position;
    (game, start)
}

fn certified(game: &Cops, start: &Position) -> Certified {
    let exact = Exact::new(game, start, &|_| true).unwrap();
    exact.value(game.level().rules.ticks, start.thief, &start.cops).unwrap()
}

#[test]
fn small_boards_have_the_value_that_another_method_finds() {
    let rules = |ticks| CopsRules { size: None, ticks, ..still(3, 1) };
    let maps: [&[&str]; 10] = [
        &["=====", "=T..=", "=.#.=", "=..C=", "====="],
        &["=====", "=T.C=", "=.#.=", "=...=", "====="],
        &["======", "=T...=", "=.##.=", "=...C=", "======"],
        &["=====", "=T.#=", "=.C.=", "=#..=", "====="],
        &["=====", "=T#.=", "=...=", "=.#C=", "====="],
        &["======", "=T..C=", "=#.##=", "=....=", "======"],
        &["=====", "=.T.=", "=...=", "=.C.=", "====="],
        &["======", "=T.#.=", "=....=", "=.#C.=", "======"],
        &["=======", "=T....=", "=.###.=", "=...C.=", "======="],
        &["=====", "=T.#=", "=..#=", "=.C#=", "====="],
    ];
    let mut boards = 0;
    for map in maps {
        for (ticks, adjacent, swap) in [(1, false, false), (12, false, true), (30, true, false)] {
            let rules =
                CopsRules { capture_adjacent: adjacent, capture_swap: swap, ..rules(ticks) };
            let Ok(level) = CheckedLevel::new(file(rules.clone(), map)) else { continue };
            let game = Cops::new(&level, 2).unwrap();
            let Ok(start) = game.start(&Chance::new(0)) else { continue };
            let (found, other) =
                (certified(&game, &start.position), independently(&game, &start.position));
            assert!(
                (found.value - other).abs() <= found.error + 1e-7,
                "{map:?} {ticks}: {found:?}, {other}"
            );
            assert!(found.error < 1e-5, "{found:?}");
            boards += 1;
        }
    }
    assert!(boards >= 25, "{boards}");
}

#[test]
fn still_gates_and_walls_are_analysed_too() {
    let rules = CopsRules { size: None, gates: 1, gate_width: 1, ticks: 20, ..still(3, 1) };
    let (game, start) = of_map(rules, &["=G====", "=....=", "=T.#.=", "=...C=", "======"]);
    assert_eq!(start.gates.len(), 1);
    let (found, other) = (certified(&game, &start), independently(&game, &start));
    assert!((found.value - other).abs() <= found.error + 1e-7, "{found:?}, {other}");
    let rules = CopsRules { size: None, walls: 1, wall_length: 2, ticks: 20, ..still(3, 1) };
    let (game, start) = of_map(rules, &["======", "=T...=", "=.--.=", "=...C=", "======"]);
    assert_eq!(start.walls.len(), 1);
    let (found, other) = (certified(&game, &start), independently(&game, &start));
    assert!((found.value - other).abs() <= found.error + 1e-7, "{found:?}, {other}");
    let moving = CopsRules { p_gate_move: 0.5, ..game.level().rules.clone() };
    let (game, start) = of_map(
        CopsRules { gates: 1, gate_width: 1, walls: 0, ..moving },
        &["=G====", "=T...=", "=....=", "=...C=", "======"],
    );
    assert!(Exact::new(&game, &start, &|_| true).is_err());
}

#[test]
fn long_games_are_worked_out_to_their_end() {
    let map: &[&str] = &["========", "=#T..##=", "=C.#...=", "=..###.=", "=###...=", "========"];
    for (ticks, value) in [(200, 30.73), (1000, 49.22), (5000, 88.69)] {
        let rules = CopsRules { size: None, ticks, ..still(3, 1) };
        let (game, start) = of_map(rules, map);
        let found = certified(&game, &start);
        assert!((found.value - value).abs() < 0.005 && found.error < 1e-4, "{ticks}: {found:?}");
    }
}

#[test]
fn two_cops_have_the_value_that_another_method_finds() {
    let maps: [&[&str]; 4] = [
        &["=====", "=T.C=", "=.##=", "=..C=", "====="],
        &["=====", "=CT.=", "=#.#=", "=..C=", "====="],
        &["=====", "=T..=", "=.#.=", "=C.C=", "====="],
        &["======", "=T..C=", "=#.##=", "=C.##=", "======"],
    ];
    for map in maps {
        for (ticks, adjacent, swap) in [(1, false, false), (7, false, true), (5, true, false)] {
            let rules = CopsRules {
                size: None,
                ticks,
                capture_adjacent: adjacent,
                capture_swap: swap,
                ..still(3, 2)
            };
            let (game, start) = of_map(rules, map);
            let (found, other) = (certified(&game, &start), independently(&game, &start));
            assert!(found.is_proved(), "{map:?} {ticks}: {found:?}");
            assert!(
                (found.value - other).abs() <= found.error + 1e-7,
                "{map:?} {ticks}: {found:?}, {other}"
            );
        }
    }
}

/// Random boards of 3 to `side` cells a side, some open and some with a few blocks, for two cops.
fn random_boards(side: usize, ticks: u32, count: usize) -> impl Iterator<Item = (Cops, Position)> {
    let mut dice = ChaCha8Rng::seed_from_u64(8);
    let mut below = move |bound: usize| dice.next_u32() as usize % bound;
    let boards = std::iter::repeat_with(move || {
        let (width, height, one_in) = (3 + below(side - 2), 3 + below(side - 2), 4 + below(9));
        let mut map = vec![vec!['='; width + 2]; height + 2];
        for cell in map[1..=height].iter_mut().flat_map(|row| &mut row[1..=width]) {
            *cell = if below(one_in) == 0 { '#' } else { '.' };
        }
        let rows: Vec<String> = map.into_iter().map(|row| row.into_iter().collect()).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let rules = CopsRules {
            size: None,
            ticks,
            capture_adjacent: below(4) == 0,
            capture_swap: below(2) == 0,
            ..still(3, 2)
        };
        let level = CheckedLevel::new(file(rules, &rows)).ok()?;
        let game = Cops::new(&level, 2).ok()?;
        let start = game.start(&Chance::new(0)).ok()?.position;
        Some((game, start))
    });
    boards.flatten().take(count)
}

/// Positions whose values are equal but for rounding once spoilt the linear programmes.
#[test]
fn values_of_two_cops_are_proved() {
    for (game, start) in random_boards(4, 60, 12) {
        let found = certified(&game, &start);
        assert!(found.is_proved(), "{:?}: {found:?}", game.level().map);
    }
}

#[test]
#[ignore = "analyses for minutes"]
fn values_of_two_cops_on_larger_boards_are_proved() {
    let mut proved = 0;
    for (game, start) in random_boards(5, 400, 40) {
        let found = certified(&game, &start);
        println!("{} cells: {found:?}", game.board().floor().count());
        proved += usize::from(found.is_proved());
    }
    assert_eq!(proved, 40);
}

/// A match of random steps.
fn random_match(game: Cops, seed: u64) -> Match<Cops> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut played: Match<Cops> = Match::new(Arc::new(game), seed).unwrap();
    while played.outcome().is_none() {
        let mut ways = |count: usize| {
            Orders((0..count).map(|_| vec![STEPS[dice.next_u32() as usize % 5]]).collect())
        };
        let cops = played.state().position.cops.len();
        let actions = vec![(THIEF, ways(1)), (COPS, ways(cops))];
        played.advance(actions).unwrap();
    }
    played
}

/// Odds and review of random matches against values worked out anew from each position, and against the rules.
fn odds_and_review_are_exact(boards: impl Iterator<Item = (Cops, Position)>) {
    let stop = StopFlag::default();
    for ((game, _), seed) in boards.zip(0..) {
        let played = random_match(game, seed);
        let game = played.game();
        let ticks = game.level().rules.ticks;
        let review = review::review(&played, &stop).unwrap();
        for turn in 0..played.len() {
            let at = &played.state_at(turn).unwrap().position;
            let again = Exact::new(game, at, &|_| true).unwrap();
            let truth = again.value(ticks - at.tick, at.thief, &at.cops).unwrap();
            let slack = truth.error + 1e-6;
            let value = f64::from(at.tick) + truth.value;
            let odds = (commentary::SPEC.outlook)(&played, turn, &stop).unwrap();
            let [thief, cops] = &odds.seats[..] else { panic!() };
            assert!((thief.value.unwrap() - value).abs() <= slack, "{odds:?}, {truth:?}");
            assert!((cops.value.unwrap() + value).abs() <= slack && thief.margin < 1e-3);
            // What the steps that were taken are worth, by the rules and the values after them.
            let perfect = again.turn(ticks - at.tick, at.thief, &at.cops).unwrap();
            let pays = |ours: Step, theirs: &[Step]| {
                let mut pursuit = played.state_at(turn).unwrap().clone();
                let theirs = theirs.iter().map(|&step| vec![step]).collect();
                let orders = [(THIEF, Orders(vec![vec![ours]])), (COPS, Orders(theirs))];
                game.tick(&mut pursuit, &orders, &Chance::new(0), &mut |_| {});
                let after = &pursuit.position;
                pursuit.standing.payoff(ticks).unwrap_or_else(|| {
                    let later = again.value(ticks - after.tick, after.thief, &after.cops);
                    f64::from(after.tick) + later.unwrap().value
                })
            };
            let actions = &played.turns()[turn].actions;
            let made = |seat: Seat| -> Vec<Step> {
                let (_, Orders(ways)) = actions.iter().find(|(of, _)| *of == seat).unwrap();
                ways.iter().map(|way| way[0]).collect()
            };
            let joint = |number: usize| joint_steps(number, at.cops.len());
            let thief_pays: f64 = perfect
                .cops
                .iter()
                .enumerate()
                .map(|(number, share)| share * pays(made(THIEF)[0], &joint(number)))
                .sum();
            let cops_pays: f64 = perfect
                .thief
                .iter()
                .zip(STEPS)
                .map(|(share, step)| share * pays(step, &made(COPS)))
                .sum();
            for (seat, paid, sign) in [(0, thief_pays, 1.0), (1, cops_pays, -1.0)] {
                let of = &review.seats[seat].moves[turn];
                let lost = sign * (value - paid);
                assert!((of.after.unwrap() - sign * paid).abs() <= 2.0 * slack, "{of:?}, {paid}");
                assert!(
                    (of.before.unwrap() - sign * value).abs() <= 2.0 * slack,
                    "{of:?}, {value}"
                );
                assert!((of.cost.unwrap() - lost).abs() <= 2.0 * slack + 1e-3, "{of:?}, {lost}");
                assert!(of.cost.unwrap() >= 0.0 && of.margin.is_none());
                assert_eq!(of.is_mistake(), of.note.starts_with("gives up"), "{of:?}");
            }
        }
    }
}

#[test]
fn odds_and_review_use_exact_values() {
    odds_and_review_are_exact(random_boards(4, 9, 8));
}

#[test]
#[ignore = "analyses for minutes"]
fn odds_and_review_use_exact_values_on_a_hundred_boards() {
    odds_and_review_are_exact(random_boards(5, 12, 100));
}

/// Its steps come as often as the shares say, and where nothing is known it plays like the others and says why.
#[test]
fn optimal_draws_from_the_shares_of_perfect_play() {
    let (game, start) = random_boards(4, 30, 5).last().unwrap();
    let game = Arc::new(game);
    let exact = Exact::new(&game, &start, &|_| true).unwrap();
    let perfect = exact.turn(30, start.thief, &start.cops).unwrap();
    let opening = game.start(&Chance::new(0)).unwrap();
    let orders = |seat: Seat, seed: u64| {
        let context = PlannerContext { game: Arc::clone(&game), seat, seed };
        let mut planner = (find_planner(ALL, "optimal", seat).unwrap().make)(context);
        planner.prepare(&Clock::unlimited());
        let orders = planned(planner.as_mut(), &game.observe(&[], &opening, seat));
        let value = planner.line().value.unwrap();
        let own = if seat == THIEF { perfect.certified.value } else { -perfect.certified.value };
        assert_eq!(value, Value::Score(own));
        orders
    };
    const TIMES: u64 = 2000;
    let often = |seat: Seat| {
        let mut counts = std::collections::HashMap::new();
        (0..TIMES).for_each(|seed| {
            let Orders(ways) = orders(seat, seed);
            *counts.entry(ways).or_insert(0_u64) += 1;
        });
        counts
    };
    let close = |count: u64, share: f64| (count as f64 / TIMES as f64 - share).abs() < 0.04;
    let thief = often(THIEF);
    for (step, &share) in STEPS.into_iter().zip(&perfect.thief) {
        let count = thief.get(&vec![vec![step]]).copied().unwrap_or(0);
        assert!(close(count, share), "{step:?}: {count}, {share}");
    }
    let cops = often(COPS);
    for (number, &share) in perfect.cops.iter().enumerate() {
        let ways: Vec<Vec<Step>> =
            joint_steps(number, start.cops.len()).into_iter().map(|step| vec![step]).collect();
        assert!(close(cops.get(&ways).copied().unwrap_or(0), share), "{ways:?}: {share}");
    }
    let moving = Arc::new(crate::tests::game(CopsRules { size: Some(6), ..CopsRules::default() }));
    let context = PlannerContext { game: Arc::clone(&moving), seat: COPS, seed: 3 };
    let mut planner = (find_planner(ALL, "optimal", COPS).unwrap().make)(context);
    planner.prepare(&Clock::unlimited());
    let begun = moving.start(&Chance::new(1)).unwrap();
    planned(planner.as_mut(), &moving.observe(&[], &begun, COPS));
    let notes = planner.insight().notes;
    assert!(
        notes.iter().any(|note| note.contains("plays like marshal: exact values need")),
        "{notes:?}"
    );
}
