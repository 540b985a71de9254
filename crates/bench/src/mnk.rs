//! The speed of proofs and of the planner `best`.

mod positions;

pub use positions::{PositionRow, search_positions};

use super::{BenchRow, level, outlooks};
use outwit_core::platform::time::{Duration, Instant};
use outwit_core::play::{Budget, CheckedLevel, Clock, Game, StopFlag};
use outwit_kit::{GameSpec, SolveOptions};
use outwit_mnk::Mnk;
use outwit_mnk::planners::BEST;
use outwit_mnk::search::SearchBoard;
use outwit_mnk::search::pvs::MnkSearch;

/// Boards whose value is proved.
const PROVED: &[&str] = &[
    "3x3x3", "4x3x3", "4x4x3", "4x4x4", "5x4x4", "6x4x4", "5x5x4", "7x4x4", "6x5x4", "6x6x4",
    "7x5x4", "7x6x4", "7x7x4", "8x8x4", "5x5x5", "6x5x5", "6x6x5", "7x5x5", "7x6x5", "6x6x6",
    "7x7x6", "7x7x7",
];

/// Boards on which `best` thinks about the fourth move.
const SEARCHED: &[&str] = &["7x7x5", "10x10x5", "gomoku", "gomoku-20", "50x50x10", "70x70x10"];

/// How long it may think.
const TIME: Duration = Duration::from_secs(1);

/// Prints the measures row by row.
pub fn bench(row: &mut dyn FnMut(BenchRow)) {
    for name in PROVED {
        if let Some(level) = level::<Mnk>(&format!("mnk/{name}")) {
            measure_proof(name, &level, row);
        }
    }
    for name in SEARCHED {
        if let Some(level) = level::<Mnk>(&format!("mnk/{name}")) {
            measure_search(name, &level, row);
        }
    }
    outlooks::bench::<Mnk>(&["mnk/5x5x4", "mnk/10x10x5", "mnk/gomoku", "mnk/70x70x10"], row);
}

fn measure_proof(name: &str, level: &CheckedLevel<Mnk>, row: &mut dyn FnMut(BenchRow)) {
    let Some(solver) = Mnk::SOLVER else { return };
    let started = Instant::now();
    let found = (solver.solve)(level, &SolveOptions::default(), &StopFlag::default());
    let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
    let Ok(solution) = found else { return };
    let value = match solution.value {
        Some(1.0) => "win",
        Some(0.0) => "loss",
        Some(_) => "draw",
        None => return,
    };
    let mut put = |what: &str, value: f64, unit: &'static str| {
        row(BenchRow { measure: format!("{name}: {what}"), value, unit });
    };
    put(&format!("{value}, proved in"), milliseconds, "ms");
    for (counter, count) in solution.counters {
        put(&format!("{counter} of the proof"), count, "positions");
    }
}

fn measure_search(name: &str, level: &CheckedLevel<Mnk>, row: &mut dyn FnMut(BenchRow)) {
    let Ok(game) = Mnk::new(level, 2) else { return };
    let mut board = SearchBoard::of(&game, &game.opening());
    // The first three moves are made quickly, so that there is something to think about.
    for _ in 0..3 {
        let mut search = MnkSearch::new(board.clone(), BEST.options);
        search.run(&Clock::work(200));
        board.play(usize::from(search.best()));
    }
    let started = Instant::now();
    let mut search = MnkSearch::new(board, BEST.options);
    search.run(&Clock::new(Budget::Time(TIME), StopFlag::default()));
    let seconds = started.elapsed().as_secs_f64();
    let depth = search.iterations().last().map_or(0, |iteration| iteration.depth);
    let mut put = |what: &str, value: f64, unit: &'static str| {
        row(BenchRow { measure: format!("{name}: {what}"), value, unit });
    };
    put("best, positions per second", search.nodes() as f64 / seconds, "positions");
    put("best, depth", f64::from(depth), "plies");
    put("best, longest line looked at", search.deepest() as f64, "plies");
}
