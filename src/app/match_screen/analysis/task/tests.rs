//! Snapshots kept within bounds, and thinking that ends when it is cancelled.

use super::*;
use outwit_core::grid::Cell;
use outwit_core::play::{Heat, Insight};

fn step(work: u64, cells: i32) -> ShownStep {
    let cells = (0..cells).map(|x| (Cell::new(x, 0), 1.0)).collect();
    let heats = vec![Heat { label: "".into(), about: "".into(), cells }];
    let insight = Arc::new(Insight { heats, ..Insight::default() });
    let (best, line) = (String::new(), Vec::new());
    let step = AnalysisStep { work, done: false, best, value: None, line, insight };
    ShownStep { step, words: Vec::new(), line: Vec::new() }
}

#[test]
fn large_pictures_are_thinned_out() {
    let mut steps = Steps::default();
    for work in 0..100 {
        steps.push(step(work, 100_000 + work as i32));
    }
    assert!(steps.cells <= MOST_CELLS && steps.list.len() > 5);
    assert_eq!(steps.list.first().map(|step| step.step.work), Some(0));
    assert_eq!(steps.list.last().map(|step| step.step.work), Some(99));
    // The same picture again costs nothing.
    let before = steps.cells;
    steps.push(step(100, 100_099));
    assert_eq!(steps.cells, before);
}

#[test]
fn a_cancelled_analysis_ends() {
    let request = AnalysisRequest { turn: 0, position: 0, seat: Seat(0), planner: "x", budget: 10 };
    let mut run = AnalysisRun::begin(request, |stop, push| {
        push(step(1, 1));
        while !stop.is_raised() {
            std::thread::yield_now();
        }
        Ok(())
    });
    assert!(run.is_running());
    run.cancel();
    while !run.task.is_done() {
        std::thread::yield_now();
    }
    assert_eq!(run.progress(), AnalysisProgress::Cancelled);
    assert!(run.steps().len() <= 1);
}
