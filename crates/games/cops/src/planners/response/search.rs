//! The best plan of one piece while all others keep theirs.
//!
//! All plans are walked tick by tick. Beginnings that lead to the same places in every scenario and
//! leave the same cases open go on alike, so only the one that was paid best is kept: what is found
//! is the best of all 5^k plans, unless a tick has more beginnings than are kept.

use crate::distance_table::CellIndex;
use crate::rules::{STEPS, Step};
use std::collections::HashMap;

/// Enough beginnings to compare all plans of six steps, whatever happens.
pub const ALL_OF_SIX: usize = 3125;

/// One scenario against one plan of the other side.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Index of the scenario.
    pub scenario: usize,
    /// Index of the plan.
    pub plan: usize,
    /// Its share; those of all cases sum to 1.
    pub weight: f32,
}

/// A piece whose plan is looked for. Payoffs are the thief's, in ticks from now on.
pub trait PieceModel {
    /// Where a step leads.
    fn step(&self, scenario: usize, tick: usize, from: CellIndex, step: Step) -> CellIndex;
    /// What a case pays if it ends in a tick in which the piece goes from one cell to another.
    fn ends(&self, case: usize, tick: usize, from: CellIndex, to: CellIndex) -> Option<f32>;
    /// What a case that is open after the plan pays, with the piece here.
    fn later(&mut self, case: usize, at: CellIndex) -> f32;
}

/// A plan and what it pays.
#[derive(Clone, PartialEq, Debug)]
pub struct BestPlan {
    /// The steps.
    pub steps: Vec<Step>,
    /// The thief's expected payoff from now on.
    pub payoff: f32,
    /// Whether plans were left out, so that a better one may have been missed.
    pub is_cut: bool,
}

/// A beginning of a plan.
struct Beginning {
    steps: Vec<Step>,
    /// Where the piece is, by scenario.
    at: Vec<CellIndex>,
    /// The cases that go on.
    open: Vec<u16>,
    /// What the others paid, times their weights.
    paid: f32,
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct PlanSearch {
    /// Where the piece is.
    pub from: CellIndex,
    /// Steps of a plan.
    pub ticks: usize,
    /// Whether the plan is to pay most; a cop's is to pay least.
    pub is_thief: bool,
    /// Most beginnings that go on from a tick: of more, those that look best.
    pub width: usize,
}

impl PlanSearch {
    /// Whether a plan that pays `a` is better than one that pays `b`.
    fn is_better(self, a: f32, b: f32) -> bool {
        if self.is_thief { a > b } else { a < b }
    }
}

/// The best plan of a piece.
pub fn best_reply(walk: &mut impl PieceModel, cases: &[Case], task: PlanSearch) -> BestPlan {
    let PlanSearch { from, ticks, width, .. } = task;
    let scenarios = cases.iter().map(|case| case.scenario + 1).max().unwrap_or(0);
    let mut level = vec![Beginning {
        steps: Vec::new(),
        at: vec![from; scenarios],
        open: (0..cases.len() as u16).collect(),
        paid: 0.0,
    }];
    let mut is_cut = false;
    for tick in 0..ticks {
        if level.len() > width {
            is_cut = true;
            level = most_promising(walk, cases, level, task);
        }
        level = grown(walk, cases, &level, tick, task);
    }
    let mut best = BestPlan { steps: Vec::new(), payoff: f32::NAN, is_cut };
    for beginning in level {
        let payoff = total(walk, cases, &beginning);
        if best.payoff.is_nan() || task.is_better(payoff, best.payoff) {
            best = BestPlan { steps: beginning.steps, payoff, is_cut };
        }
    }
    best
}

/// Every beginning with one step more, the best paid of those that go on alike.
fn grown(
    walk: &impl PieceModel,
    cases: &[Case],
    level: &[Beginning],
    tick: usize,
    task: PlanSearch,
) -> Vec<Beginning> {
    let mut grown: Vec<Beginning> = Vec::new();
    let mut known: HashMap<(Vec<CellIndex>, Vec<u16>), usize> = HashMap::new();
    for beginning in level {
        for step in STEPS {
            let at: Vec<CellIndex> = beginning
                .at
                .iter()
                .enumerate()
                .map(|(scenario, &from)| walk.step(scenario, tick, from, step))
                .collect();
            // What stops the piece in every scenario is the same as staying.
            if step != Step::Stay && at == beginning.at {
                continue;
            }
            let mut open = Vec::with_capacity(beginning.open.len());
            let mut paid = beginning.paid;
            for &index in &beginning.open {
                let case = &cases[usize::from(index)];
                let way = (beginning.at[case.scenario], at[case.scenario]);
                match walk.ends(usize::from(index), tick, way.0, way.1) {
                    Some(pays) => paid += case.weight * pays,
                    None => open.push(index),
                }
            }
            let same = known.get(&(at.clone(), open.clone())).copied();
            if same.is_some_and(|same| !task.is_better(paid, grown[same].paid)) {
                continue;
            }
            let steps = [&beginning.steps[..], &[step]].concat();
            match same {
                Some(same) => grown[same] = Beginning { steps, at, open, paid },
                None => {
                    known.insert((at.clone(), open.clone()), grown.len());
                    grown.push(Beginning { steps, at, open, paid });
                }
            }
        }
    }
    grown
}

/// What a beginning pays if the piece then stays and the plan is over.
fn total(walk: &mut impl PieceModel, cases: &[Case], beginning: &Beginning) -> f32 {
    let mut sum = beginning.paid;
    for &index in &beginning.open {
        let case = &cases[usize::from(index)];
        sum += case.weight * walk.later(usize::from(index), beginning.at[case.scenario]);
    }
    sum
}

fn most_promising(
    walk: &mut impl PieceModel,
    cases: &[Case],
    level: Vec<Beginning>,
    task: PlanSearch,
) -> Vec<Beginning> {
    let mut ranked: Vec<(f32, Beginning)> =
        level.into_iter().map(|beginning| (total(walk, cases, &beginning), beginning)).collect();
    ranked.sort_by(|a, b| if task.is_thief { b.0.total_cmp(&a.0) } else { a.0.total_cmp(&b.0) });
    ranked.truncate(task.width);
    ranked.into_iter().map(|(_, beginning)| beginning).collect()
}
