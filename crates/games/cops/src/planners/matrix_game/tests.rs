//! Replies against all plans, pieces of work on the largest board, and what is believed.

use super::super::context::{BoardContext, any_step};
use super::belief::Suspects;
use super::best_response::BestResponse;
use super::opening::MOST_PIECE;
use super::rollout::Futures;
use super::table::{Column, PayoffMatrix, PayoffModel, Row};
use super::value::Worth;
use super::{make_marshal, make_schemer};
use crate::level::CopsRules;
use crate::rules::{COPS, Cops, CopsView, Orders, STEPS, Step, THIEF};
use crate::tests::game;
use outwit_core::play::{Chance, Clock, Game, Planner, PlannerContext, Progress, Seat};
use std::sync::Arc;

fn context(game: &Arc<Cops>, seat: Seat) -> PlannerContext<Cops> {
    PlannerContext { game: Arc::clone(game), seat, seed: 5 }
}

/// Calls `check` with small games of plans: where the thief and the cops stand, rows and columns.
fn with_small_game(
    rules: CopsRules,
    check: impl Fn(&PayoffModel, u16, &[u16], Vec<Row>, Vec<Column>),
) {
    for seed in 0..6 {
        let game = Arc::new(game(rules.clone()));
        let ground = BoardContext::new(&context(&game, COPS));
        let now = game.start(&Chance::new(seed)).unwrap().position;
        let (thief, starts) = (ground.cell_index(now.thief), ground.cops(&now));
        let forecast = ground.forecast(&now);
        let mut futures = Futures::new(ground.k);
        (0..4).for_each(|_| futures.draw(&ground, &now));
        let worth = Worth::new(&ground, &now, &forecast, ground.k);
        let model = PayoffModel { ground: &ground, futures: &futures, worth: &worth, left: 60.0 };
        let mut dice = ground.dice(99);
        let mut way = || (0..ground.k).map(|_| any_step(&mut dice)).collect::<Vec<Step>>();
        let rows = (0..5).map(|_| row(&model, thief, way())).collect();
        let columns = (0..6)
            .map(|_| Column::new(&model, &starts, starts.iter().map(|_| way()).collect()))
            .collect();
        check(&model, thief, &starts, rows, columns);
    }
}

fn row(model: &PayoffModel, thief: u16, steps: Vec<Step>) -> Row {
    let track = model.futures.follow(&model.ground.distances, thief, &steps, true);
    Row { steps, track, cloud: None }
}

/// What rows pay against columns, both with equal shares.
fn payoff(model: &PayoffModel, rows: Vec<Row>, columns: Vec<Column>) -> f32 {
    let mut table = PayoffMatrix::default();
    let rows: Vec<usize> = rows.into_iter().map(|row| table.add_row(row)).collect();
    let columns: Vec<usize> = columns.into_iter().map(|c| table.add_column(c)).collect();
    table.fill(model, table.missing());
    let share = |all: &[usize], size: usize| {
        let mut mix = vec![0.0; size];
        all.iter().for_each(|&i| mix[i] += 1.0 / all.len() as f32);
        mix
    };
    let mixes = (share(&rows, table.rows.len()), share(&columns, table.columns.len()));
    table.value(&mixes.0, &mixes.1)
}

fn every_plan(k: usize) -> impl Iterator<Item = Vec<Step>> {
    (0..5_usize.pow(k as u32))
        .map(move |n| (0..k).map(|i| STEPS[n / 5_usize.pow(i as u32) % 5]).collect())
}

fn small(walls: u32, capture_adjacent: bool, capture_swap: bool) -> CopsRules {
    CopsRules {
        size: Some(6),
        cops: 2,
        walls,
        wall_length: 2,
        k: 3,
        ticks: 60,
        capture_adjacent,
        capture_swap,
        ..CopsRules::default()
    }
}

#[test]
fn the_thiefs_reply_is_the_best_of_all_plans() {
    for rules in [small(3, false, false), small(3, true, false), small(3, false, true)] {
        with_small_game(rules, |model, thief, starts, _, mut columns| {
            let again = |columns: &[Column]| -> Vec<Column> {
                let plans = columns.iter().map(|column| column.steps.clone());
                plans.map(|steps| Column::new(model, starts, steps)).collect()
            };
            let mix = vec![1.0 / columns.len() as f32; columns.len()];
            let mut reply = BestResponse::of_thief(model, thief, &columns, &mix);
            while reply.advance(model, &mut columns) {}
            let found = row(model, thief, reply.into_steps());
            let found = payoff(model, vec![found], again(&columns));
            let best = every_plan(3)
                .map(|steps| payoff(model, vec![row(model, thief, steps)], again(&columns)))
                .fold(f32::MIN, f32::max);
            assert!((found - best).abs() < 1e-2, "{found} {best}");
        });
    }
}

#[test]
fn a_cops_reply_is_the_best_of_all_its_plans() {
    // Without walls, since the matrix takes the cops' ends from the first future alone.
    for rules in [small(0, false, false), small(0, true, false), small(0, false, true)] {
        with_small_game(rules, |model, thief, starts, rows, columns| {
            let again =
                || rows.iter().map(|r| row(model, thief, r.steps.clone())).collect::<Vec<Row>>();
            let mix = vec![1.0 / rows.len() as f32; rows.len()];
            let base = &columns[0];
            let with = |steps: Vec<Step>| {
                let mut all = base.steps.clone();
                all[1] = steps;
                payoff(model, again(), vec![Column::new(model, starts, all)])
            };
            let mut reply = BestResponse::of_cop(model, 1, starts[1], base, &rows, &mix);
            while reply.advance(model, &mut []) {}
            let found = with(reply.into_steps());
            let best = every_plan(3).map(with).fold(f32::MAX, f32::min);
            assert!((found - best).abs() < 1e-2, "{found} {best}");
        });
    }
}

/// The largest board that the rules allow.
fn largest() -> CopsRules {
    CopsRules {
        size: Some(62),
        cops: 40,
        gates: 16,
        gate_width: 5,
        walls: 100,
        wall_length: 10,
        k: 20,
        ticks: 300,
        ..CopsRules::default()
    }
}

#[test]
fn a_small_budget_gives_a_plan_in_small_pieces_on_any_board() {
    let default = CopsRules { size: Some(20), ..CopsRules::default() };
    for (rules, least) in [(default, 50), (largest(), 700)] {
        let game = Arc::new(game(rules));
        let start = game.start(&Chance::new(3)).unwrap();
        for (seat, make) in [(THIEF, make_schemer as fn(_) -> _), (COPS, make_marshal)] {
            let plan = |budget: u64| -> Orders {
                let mut planner: Box<dyn Planner<Cops>> = make(context(&game, seat));
                planner.observe(&game.observe(&[], &start, seat));
                let clock = Clock::work(budget);
                loop {
                    let before = clock.used();
                    clock.slice_of_work(1);
                    let progress = planner.think(&clock);
                    assert!(clock.used() - before <= MOST_PIECE, "a piece is too long");
                    if progress == Progress::Done || clock.is_over() {
                        assert!(clock.used() <= budget);
                        return planner.best();
                    }
                }
            };
            let Orders(ways) = plan(least);
            assert!(ways.iter().flatten().any(|&step| step != Step::Stay), "nobody moves");
            let orders = plan(60_000);
            assert!(game.legal(&start, seat, &orders).is_ok());
            assert_eq!(orders, plan(60_000), "not the same again");
        }
    }
}

/// What is believed of cops that play `policy` for two plans, in a game that lasts so long.
fn believed(policy: impl Fn(&BoardContext, &CopsView) -> Orders) -> Vec<f32> {
    let rules = CopsRules { size: Some(20), ..CopsRules::default() };
    let game = Arc::new(game(rules));
    let ground = BoardContext::new(&context(&game, COPS));
    let believed =
        (0..50).find_map(|seed| believed_in(&game, &ground, &Chance::new(seed), &policy));
    believed.unwrap()
}

fn believed_in(
    game: &Cops,
    ground: &BoardContext,
    chance: &Chance,
    policy: &impl Fn(&BoardContext, &CopsView) -> Orders,
) -> Option<Vec<f32>> {
    let mut suspects = Suspects::new(COPS);
    let mut state = game.start(chance).unwrap();
    let mut past = Vec::new();
    for _ in 0..2 {
        let seen = game.observe(&past, &state, COPS);
        suspects.observe(ground.k, &seen, &[]);
        let foreseen = super::belief::suspects(COPS);
        let foreseen = foreseen.iter().map(|s| Some((s.policy)(ground, &seen).orders)).collect();
        suspects.foresee(seen.now.tick, foreseen);
        let orders = [(THIEF, ground.stay(1)), (COPS, policy(ground, &seen))];
        for tick in 0..ground.k {
            past.push(state.clone());
            let orders: &[_] = if tick == 0 { &orders } else { &[] };
            game.advance(&mut state, orders, chance, &mut Vec::new());
        }
    }
    suspects.observe(ground.k, &game.observe(&past, &state, COPS), &[]);
    (state.position.tick == 2 * ground.k as u32).then(|| suspects.shares())
}

#[test]
fn it_is_believed_who_moves_like_it() {
    let stay = believed(|ground, seen| ground.stay(seen.now.cops.len()));
    assert!((stay.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{stay:?}");
    let lots = believed(|ground, seen| {
        let mut dice = ground.dice(seen.now.tick + 1000);
        Orders(
            seen.now.cops.iter().map(|_| (0..5).map(|_| any_step(&mut dice)).collect()).collect(),
        )
    });
    assert!(lots[1] > 0.9, "{lots:?}");
    let guards = believed(|ground, seen| super::super::guards::plan(ground, seen).orders);
    assert!(guards[3] > 0.5 && guards[0] < 0.1, "{guards:?}");
}
