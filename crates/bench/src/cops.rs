//! The speed of the rules, of each planner's first plan, and of outlooks.

use super::{BenchRow, level, outlooks};
use outwit_cops::{COPS, Cops, CopsFile, CopsRules, Orders, Pursuit, PursuitStatus, STEPS, THIEF};
use outwit_core::platform::time::{Duration, Instant};
use outwit_core::play::{
    Budget, Chance, CheckedLevel, Clock, Game, PlannerContext, Progress, StopFlag,
};
use outwit_kit::GameSpec;
use std::sync::Arc;

/// Ticks a second without planners, and the time of one plan of each planner.
pub fn bench(row: &mut dyn FnMut(BenchRow)) {
    if let Some(ticks) = ticks_a_second(400_000) {
        row(BenchRow { measure: "cops: rules".into(), value: ticks, unit: "ticks/s" });
    }
    for stem in ["default", "huge"] {
        if let Some(level) = level::<Cops>(&format!("cops/{stem}")) {
            plans(stem, &level, row);
        }
    }
    if let Some(level) = forty_cops() {
        plans("forty cops", &level, row);
    }
    outlooks::bench::<Cops>(&["cops/tiny", "cops/default", "cops/crowded", "cops/huge"], row);
}

/// Ticks a second of games whose players wander, on one core, new games included.
fn ticks_a_second(ticks: u32) -> Option<f64> {
    let rules = CopsRules { size: Some(20), ticks: 5000, ..CopsRules::default() };
    let level = CheckedLevel::new(file(rules)).ok()?;
    let game = Cops::new(&level, 2).ok()?;
    let chance = Chance::new(1);
    let start = game.start(&chance).ok()?;
    let wander = |shift: usize, players: usize| {
        let step = |i: usize| STEPS[(i * 7 + shift) % STEPS.len()];
        Orders((0..players).map(|p| (0..5).map(|i| step(i + 3 * p)).collect()).collect())
    };
    let orders: Vec<_> =
        (0..8).map(|i| [(THIEF, wander(i, 1)), (COPS, wander(i + 1, 5))]).collect();
    let started = Instant::now();
    let mut pursuit = start.clone();
    for tick in 0..ticks {
        if pursuit.standing != PursuitStatus::Running {
            pursuit = Pursuit { standing: PursuitStatus::Running, ..start.clone() };
        }
        let due = pursuit.position.tick.is_multiple_of(5);
        let orders = if due { &orders[tick as usize % 8][..] } else { &[] };
        game.tick(&mut pursuit, orders, &chance, &mut |_| {});
    }
    Some(f64::from(ticks) / started.elapsed().as_secs_f64())
}

/// As many of everything as there may be, on a large empty board.
fn forty_cops() -> Option<CheckedLevel<Cops>> {
    let rules = CopsRules {
        size: Some(62),
        cops: 40,
        gates: 16,
        gate_width: 5,
        walls: 100,
        wall_length: 10,
        k: 20,
        ticks: 300,
        ..CopsRules::default()
    };
    CheckedLevel::new(file(rules)).ok()
}

fn file(rules: CopsRules) -> CopsFile {
    CopsFile {
        format: Cops::INFO.format.into(),
        name: "bench".into(),
        author: String::new(),
        about: String::new(),
        rules,
        map: vec![".".into()],
    }
}

/// The first plan of each planner on a level, with half a second to think.
fn plans(name: &str, level: &CheckedLevel<Cops>, row: &mut dyn FnMut(BenchRow)) {
    let Ok(game) = Cops::new(level, 2).map(Arc::new) else { return };
    let Ok(start) = game.start(&Chance::new(1)) else { return };
    for seat in [THIEF, COPS] {
        for spec in Cops::planners().iter().filter(|spec| (spec.seats)(seat)) {
            let context = PlannerContext { game: Arc::clone(&game), seat, seed: 1 };
            let mut planner = (spec.make)(context);
            while planner.prepare(&Clock::unlimited()) == Progress::More {}
            let budget = Budget::Time(Duration::from_millis(500));
            let clock = Clock::new(budget, StopFlag::default());
            planner.observe(&game.observe(&[], &start, seat));
            while planner.think(&clock) == Progress::More && !clock.is_over() {}
            row(BenchRow {
                measure: format!("cops: first plan of {} on {name}", spec.name),
                value: clock.elapsed().as_secs_f64() * 1000.0,
                unit: "ms",
            });
        }
    }
}
