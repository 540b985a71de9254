//! What is asked of a solver, and what it answers.

use outwit_core::grid::Cell;
use outwit_core::play::{Budget, Clock, StopFlag, Unit};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What to solve and how.
#[derive(Clone, Debug, Default)]
pub struct SolveOptions {
    /// Which planner; the game's exact one without a name.
    pub planner: Option<String>,
    /// How much a planner may spend on a turn of a match, and a search or an exact method in all.
    /// Without it a turn has [`TURN_BUDGET`](Self::TURN_BUDGET) and the others take what they need.
    pub budget: Option<Budget>,
    /// Memory in bytes at which a search or an exact method gives up; its own limit without a number.
    pub memory: Option<usize>,
    /// Where to begin, if not where the level says.
    pub start: Option<Cell>,
    /// The seed of the match in which a planner is tried.
    pub seed: u64,
    /// Is told how far a search has come.
    pub progress: SolveProgress,
}

/// A limit of memory was given to this method, which cannot keep one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the memory of {0} cannot be limited")]
pub struct UnlimitedMemory(pub String);

impl From<UnlimitedMemory> for String {
    fn from(error: UnlimitedMemory) -> Self {
        error.to_string()
    }
}

impl SolveOptions {
    /// What a planner may spend on a turn if nobody says otherwise.
    pub const TURN_BUDGET: Budget = Budget::Work(20_000);

    /// What a planner may spend on a turn.
    pub fn turn_budget(&self) -> Budget {
        self.budget.unwrap_or(Self::TURN_BUDGET)
    }

    /// The clock of a search or an exact method, which starts now.
    pub fn clock(&self, stop: &StopFlag) -> Clock {
        Clock::new(self.budget.unwrap_or(Budget::Work(u64::MAX)), stop.clone())
    }

    /// Refuses a limit of memory for a method that cannot keep it.
    ///
    /// # Errors
    /// If there is such a limit.
    pub fn without_memory(&self, method: &str) -> Result<(), UnlimitedMemory> {
        match self.memory {
            None => Ok(()),
            Some(_) => Err(UnlimitedMemory(method.into())),
        }
    }

    /// The answer of a method that its clock stopped.
    ///
    /// # Errors
    /// If it was not the budget but `stop`.
    pub fn not_solved(
        &self,
        method: &str,
        unit: Unit,
        counters: Vec<(&'static str, f64)>,
        stop: &StopFlag,
    ) -> Result<Solution, String> {
        match self.budget {
            Some(budget) if !stop.is_raised() => {
                Ok(Solution::open(format!("{method}: not solved within {budget}"), unit, counters))
            }
            _ => Err("the search was stopped".into()),
        }
    }
}

/// How far a search has come, for whoever waits for it; clones share it.
#[derive(Clone, Debug, Default)]
pub struct SolveProgress(Arc<[AtomicU64; 2]>);

impl SolveProgress {
    /// Tells the states expanded so far and the memory in bytes.
    pub fn tell(&self, states: u64, bytes: usize) {
        let [known_states, known_bytes] = &*self.0;
        known_states.store(states, Ordering::Relaxed);
        known_bytes.store(bytes as u64, Ordering::Relaxed);
    }

    /// The states expanded so far and the memory in bytes; 0 of a method that does not tell.
    pub fn told(&self) -> (u64, u64) {
        let [states, bytes] = &*self.0;
        (states.load(Ordering::Relaxed), bytes.load(Ordering::Relaxed))
    }
}

/// The answer to a level.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Solution {
    /// The value of the level, such as its least number of turns; `None` if it has no solution.
    pub value: Option<f64>,
    /// What the value counts.
    pub unit: Unit,
    /// Whether no better value exists.
    pub proved: bool,
    /// The solution as cells, to be drawn.
    pub line: Vec<Cell>,
    /// The solution in the game's notation of moves, if it has one.
    pub moves: Option<String>,
    /// One sentence for people.
    pub message: String,
    /// Other solutions, where one measure can be had for another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front: Option<ParetoFront>,
    /// What it took.
    pub counters: Vec<(&'static str, f64)>,
}

/// The solutions that no other beats in one of two measures without being worse in the other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ParetoFront {
    /// What is measured; less is better.
    pub measures: [&'static str; 2],
    /// One solution for each pair of values, the best in the first measure first.
    pub points: Vec<ParetoPoint>,
    /// Whether there are no others; else some with a larger first measure may be missing.
    pub complete: bool,
}

/// A solution on a [`ParetoFront`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ParetoPoint {
    /// What it comes to in each measure.
    pub values: [f64; 2],
    /// The solution in the game's notation of moves.
    pub moves: String,
}

impl Solution {
    /// No answer: whether there is a solution is open.
    pub fn open(message: String, unit: Unit, counters: Vec<(&'static str, f64)>) -> Self {
        Self {
            value: None,
            unit,
            proved: false,
            line: Vec::new(),
            moves: None,
            message,
            front: None,
            counters,
        }
    }
}
