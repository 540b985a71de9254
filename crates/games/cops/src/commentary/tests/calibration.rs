//! What the odds say beside what becomes of the pursuits.

use super::super::outlook::{outlook, plan_value};
use crate::planners::ALL;
use crate::tests::{checked, file};
use crate::{Cops, CopsRules};
use outwit_core::play::{Budget, CheckedLevel, Game, Match, StopFlag};
use outwit_core::tournament::{Lineup, play_games};
use outwit_kit::read_level;
use outwit_levels::built_in;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// What pursuits between the strongest earned, in 200 each, is within the margins at the start.
#[test]
fn odds_at_the_start_hold_what_is_earned() {
    // Where a pursuit begins matters most on a small board.
    let boards = [("default", 40, 140.0), ("four-gates", 40, 93.0), ("tiny", 150, 82.0)];
    for (board, starts, earned) in boards {
        let id = format!("cops/{board}");
        let level = read_level::<Cops>(&built_in(&id).unwrap().bytes().unwrap(), &id).unwrap();
        let game = Arc::new(Cops::new(&level, 2).unwrap());
        let at_start = (30_061..30_061 + starts).map(|seed| {
            let played = Match::new(Arc::clone(&game), seed).unwrap();
            let outlook = outlook(&played, 0, &StopFlag::default()).unwrap();
            (outlook.seats[0].value.unwrap(), outlook.seats[0].margin)
        });
        let (values, margins): (Vec<f64>, Vec<f64>) = at_start.unzip();
        let mean = |all: Vec<f64>| all.iter().sum::<f64>() / all.len() as f64;
        let (value, margin) = (mean(values), mean(margins));
        assert!((value - earned).abs() < margin, "{id}: {value} ± {margin}, not {earned}");
        assert!(margin < 0.25 * 2.0 * earned, "{id}: a margin of {margin} says nothing");
    }
}

/// Work for a plan of each side.
const WORK: u64 = 4000;

/// An open board of random rules.
fn random_board(seed: u64) -> CheckedLevel<Cops> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let side = dice.random_range(6..=24);
    let rules = CopsRules {
        size: Some(side),
        cops: dice.random_range(1..=(side / 3).max(2)),
        gates: dice.random_range(0..=4),
        gate_width: dice.random_range(1..=3),
        p_gate_turn: [0.0, 0.01, 0.05, 0.2][dice.random_range(0..4)],
        p_gate_move: [0.0, 0.25, 0.5, 0.75, 0.95][dice.random_range(0..5)],
        walls: dice.random_range(0..=6),
        wall_length: dice.random_range(1..=4),
        k: dice.random_range(2..=6),
        ticks: dice.random_range(60..=250),
        capture_adjacent: dice.random_bool(0.35),
        capture_swap: dice.random_bool(0.2),
        ..CopsRules::default()
    };
    checked(file(rules, &["....."]))
}

/// Pursuits between the strongest, judged at the first and at every `STEP`th plan. `BOARDS` is a range of seeds of
/// random boards, such as `1..83`, or ids of built-in ones; `MATCHES` of seeds from `SEED` on are played on each.
#[test]
#[ignore = "a measure of some hours"]
fn odds_and_payoffs() {
    let wish = |name: &str, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.into());
    let boards = wish("BOARDS", "1..2");
    let matches: u64 = wish("MATCHES", "8").parse().unwrap();
    let first: u64 = wish("SEED", "20001").parse().unwrap();
    let step: usize = wish("STEP", "8").parse().unwrap();
    let levels: Vec<(String, CheckedLevel<Cops>)> = match boards.split_once("..") {
        Some((from, to)) => (from.parse().unwrap()..to.parse().unwrap())
            .map(|seed: u64| (seed.to_string(), random_board(seed)))
            .collect(),
        None => boards
            .split(',')
            .map(|id| {
                let level = built_in(id).unwrap();
                (id.into(), read_level::<Cops>(&level.bytes().unwrap(), id).unwrap())
            })
            .collect(),
    };
    for (name, level) in levels {
        let lineups: Vec<Lineup> = (first..first + matches)
            .map(|seed| Lineup { players: vec!["schemer".into(), "marshal".into()], seed })
            .collect();
        let stop = StopFlag::default();
        let Ok(games) = play_games(&level, ALL, &lineups, Budget::Work(WORK), &stop, |_| {}) else {
            continue;
        };
        for game in &games {
            let payoff = game.outcome.places[0].score.unwrap();
            let played = game.replay.play().unwrap();
            let board = played.game().board();
            let rules = board.rules();
            let due = (0..played.len()).filter(|&turn| {
                played.state_at(turn).is_some_and(|at| !played.game().to_move(at).is_empty())
            });
            for turn in due.step_by(step) {
                let Some(value) = plan_value(&played, turn, &stop) else { continue };
                let tick = played.state_at(turn).unwrap().position.tick;
                let before = [
                    rules.ticks - tick,
                    board.floor().count() as u32,
                    rules.cops,
                    rules.gates,
                    rules.gate_width,
                    board.ring().len() as u32,
                    u32::from(rules.capture_adjacent),
                    u32::from(rules.capture_swap),
                    rules.k,
                    rules.walls,
                    rules.wall_length,
                    rules.ticks,
                ];
                let judged = [
                    rules.p_gate_move,
                    rules.p_gate_turn,
                    value.ended,
                    value.open,
                    value.ticks,
                    value.later,
                    value.noise,
                    payoff,
                ];
                let row: Vec<String> = before
                    .iter()
                    .map(ToString::to_string)
                    .chain(judged.iter().map(ToString::to_string))
                    .collect();
                println!("row,{name},{},{tick},{}", game.replay.seed, row.join(","));
            }
        }
    }
}
