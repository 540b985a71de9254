//! Solutions long before the proof: a search that proves, and beside it a quick one.
//!
//! The quick one is weighted A*, restarted with a smaller weight after each solution, and then for cheaper ones only
//! (restarting weighted A*: Richter, Thayer and Ruml, ICAPS 2010). The proof leaves out what cannot be cheaper
//! either. Easy levels are solved before the quick search begins.
//!
//! The two take turns. With a budget of time the quick one works on a core of its own instead, where one is free: it
//! takes no time from the proof then, and nothing else changes.

use super::engine::{End, Engine, Incumbent, Method, SearchTask};
use super::estimate::Heuristic;
use super::running::Curve;
use crate::{Objective, PukobanStep};
use outwit_core::platform::task::{beside, spawn};
use outwit_core::platform::time::Duration;
use outwit_core::play::{Budget, Clock};
use outwit_core::search::{Counters, Evaluation, MemoryLimit};

/// States that the proof expands before the quick search begins.
const ALONE: u64 = 256_000;
/// States of the proof up to which it is likely to end soon.
const EASY: u64 = 4_000_000;
/// The weights of the quick search.
const WEIGHTS: [u32; 4] = [6, 4, 3, 2];
/// Steps that a search makes before the other one may have its turn.
const TURN: u64 = 64;
/// Where pushes alone count, the proof counts each cell of a region in which the player can walk, and the quick search
/// the whole region once, for which it takes as long as the proof for so many cells.
const REGION: u64 = 32;
/// Of this many parts of the memory the quick search may take one.
const PARTS: usize = 8;

/// A search for the cheapest solution that knows others before.
pub(super) struct Anytime {
    task: SearchTask,
    proof: Box<dyn Engine>,
    /// Whether the proof ran out of memory.
    is_full: bool,
    quick: Option<Box<dyn Engine>>,
    /// How many weights were begun.
    begun: usize,
    /// The work of quick searches that are over.
    past: Counters,
    past_steps: u64,
    /// Whose turn it is, and the steps that are left of it.
    is_quick_turn: bool,
    left: u64,
    /// [`ALONE`] and [`TURN`], but in tests.
    alone: u64,
    turn: u64,
    best: Option<(Vec<PukobanStep>, u32)>,
}

impl Anytime {
    pub(super) fn new(task: &SearchTask) -> Self {
        Self::taking_turns(task, ALONE, TURN)
    }

    /// A search whose quick search begins after so many states, and so many steps a turn.
    pub(super) fn taking_turns(task: &SearchTask, alone: u64, turn: u64) -> Self {
        let share = task.limit.0 / PARTS;
        let limit = MemoryLimit(task.limit.0 - share);
        Self {
            proof: Method::proof(&SearchTask { limit, ..task.clone() }),
            task: SearchTask { limit: MemoryLimit(share), ..task.clone() },
            is_full: false,
            quick: None,
            begun: 0,
            past: Counters::default(),
            past_steps: 0,
            is_quick_turn: false,
            left: turn,
            alone,
            turn,
            best: None,
        }
    }

    /// States that quick searches have expanded.
    fn quick_states(&self) -> u64 {
        self.past.expanded + self.quick.as_ref().map_or(0, |search| search.counters().expanded)
    }

    /// Begins the quick search with the next weight, or has done with it.
    fn next_weight(&mut self) {
        if let Some(search) = self.quick.take() {
            let counters = search.counters();
            self.past.expanded += counters.expanded;
            self.past.expanded_again += counters.expanded_again;
            self.past.generated += counters.generated;
            self.past_steps += search.steps();
            // To free all its memory may take longer than a turn has time for.
            let _ = spawn("free", move || drop(search));
        }
        let Some(&weight) = WEIGHTS.get(self.begun) else {
            return self.proof.allow(MemoryLimit(self.task.limit.0.saturating_mul(PARTS)));
        };
        self.begun += 1;
        let method = Method::BestFirst(Evaluation::Weighted(weight), Heuristic::Matching);
        self.quick = Some(method.begin(&self.task));
    }

    /// Leaves the rest to the proof.
    fn stop_quick(&mut self) {
        self.begun = WEIGHTS.len();
        self.next_weight();
    }

    /// Chooses who makes the next steps.
    fn next_turn(&mut self) {
        self.left = self.turn;
        let proof = self.proof.counters();
        if self.begun == 0 && proof.expanded >= self.alone {
            self.next_weight();
        }
        // To one state of the quick search the proof expands so many.
        let SearchTask { puzzle, objective, .. } = &self.task;
        let is_by_regions = *objective == Objective::BoxMoves && !puzzle.kinds().pulls;
        let region = if is_by_regions { REGION } else { 1 };
        let ratio = region
            * match (proof.expanded < EASY, self.best.is_some()) {
                (true, _) => 64,
                (false, false) => 1,
                (false, true) => 8,
            };
        let nearly_full = self.task.limit.0.saturating_mul(PARTS - 2);
        if self.quick.is_some() && self.best.is_some() && proof.bytes > nearly_full {
            self.stop_quick();
        }
        self.is_quick_turn =
            self.quick.is_some() && (self.is_full || self.quick_states() < proof.expanded / ratio);
    }

    /// What the end of one of the searches means for both; `None` if it is not the end.
    fn after(&mut self, end: End, was_quick: bool) -> Option<End> {
        match (end, was_quick) {
            (End::Solved { steps, cost }, true) => {
                self.proof.undercut(cost);
                self.task.below = cost;
                self.best = Some((steps, cost));
                self.next_weight();
                self.is_full.then_some(End::GaveUp)
            }
            (End::GaveUp, true) => {
                self.stop_quick();
                self.is_full.then_some(End::GaveUp)
            }
            (End::GaveUp, false) => {
                self.is_full = true;
                (self.best.is_some() || self.quick.is_none()).then_some(End::GaveUp)
            }
            (End::Unsolvable, _) => Some(match self.best.take() {
                Some((steps, cost)) => End::Solved { steps, cost },
                None => End::Unsolvable,
            }),
            (solved, false) => Some(solved),
        }
    }

    /// Runs the proof, and the quick search at the same time on a core of its own.
    fn run_both(&mut self, clock: &Clock, most: u64, left: Duration) -> Option<End> {
        let last = self.proof.steps() + most.saturating_sub(self.steps());
        let mut found = None;
        let end = beside(
            |stop| {
                let clock = Clock::new(Budget::Time(left), stop);
                found = self.quick.as_mut().and_then(|search| search.run(&clock));
            },
            || self.proof.run_to(clock, last),
        );
        let found = found.and_then(|found| self.after(found, true));
        let end = found.or_else(|| self.after(end?, false));
        self.next_turn();
        end
    }

    /// Lets the two searches take turns.
    fn run_in_turn(&mut self, clock: &Clock, most: u64) -> Option<End> {
        loop {
            let left = most.saturating_sub(self.steps()).min(self.left);
            if left == 0 {
                return None;
            }
            let search = match &mut self.quick {
                Some(search) if self.is_quick_turn => search,
                _ => &mut self.proof,
            };
            let before = search.steps();
            let end = search.run_to(clock, before + left);
            let made = search.steps() - before;
            self.left -= made;
            match end {
                Some(end) => {
                    if let Some(end) = self.after(end, self.is_quick_turn) {
                        return Some(end);
                    }
                    self.next_turn();
                }
                None if made < left => return None,
                None if self.left == 0 => self.next_turn(),
                None => {}
            }
        }
    }
}

impl Engine for Anytime {
    fn run_to(&mut self, clock: &Clock, most: u64) -> Option<End> {
        let are_two = self.quick.is_some() && !self.is_full;
        let core = if are_two { clock.free_core() } else { None };
        match core {
            Some((_core, left)) => self.run_both(clock, most, left),
            None => self.run_in_turn(clock, most),
        }
    }

    fn steps(&self) -> u64 {
        let quick = self.quick.as_ref().map_or(0, |search| search.steps());
        self.proof.steps() + self.past_steps + quick
    }

    fn counters(&self) -> Counters {
        let mut counters = self.proof.counters();
        let quick = self.quick.as_ref().map(|search| search.counters()).unwrap_or_default();
        counters.expanded += self.past.expanded + quick.expanded;
        counters.expanded_again += self.past.expanded_again + quick.expanded_again;
        counters.generated += self.past.generated + quick.generated;
        counters.bytes += quick.bytes;
        counters
    }

    fn heat(&self) -> &[u32] {
        self.proof.heat()
    }

    fn best_mark(&self) -> Option<u64> {
        self.proof.best_mark()
    }

    fn best_path(&self) -> Vec<PukobanStep> {
        self.proof.best_path()
    }

    fn curve(&self) -> &Curve {
        self.proof.curve()
    }

    fn at_least(&self) -> u32 {
        self.proof.at_least()
    }

    fn incumbent(&self) -> Option<Incumbent> {
        let (steps, cost) = self.best.clone()?;
        Some(Incumbent { steps, cost, at_least: self.proof.at_least().min(cost) })
    }
}
