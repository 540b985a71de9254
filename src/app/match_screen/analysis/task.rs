//! A planner thinking about one position in the background, and what it had found after growing
//! amounts of work. It knows no game.

use super::line::LinePart;
use outwit_core::platform::task::{StopFlag, Task};
use outwit_core::play::{AnalysisStep, Seat};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What to analyse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnalysisRequest {
    /// The position after this many turns.
    pub turn: usize,
    /// Tells this position from others after as many turns; see `position`.
    pub position: u64,
    /// Whose choice it is.
    pub seat: Seat,
    /// The name of the planner.
    pub planner: &'static str,
    /// How many work units it may spend.
    pub budget: u64,
}

/// What a planner had found after some work, ready to be shown.
pub struct ShownStep {
    /// What it had found. A planner that expects no line expects its best action.
    pub step: AnalysisStep,
    /// The actions of its line in words.
    pub words: Vec<String>,
    /// Where the line leads.
    pub line: Vec<LinePart>,
}

impl ShownStep {
    /// The number of cells with heat.
    fn cells(&self) -> usize {
        self.step.insight.heats.iter().map(|heat| heat.cells.len()).sum()
    }
}

/// More cells with heat than this are not kept of one analysis: about 24 MB.
const MOST_CELLS: usize = 2_000_000;

/// Snapshots in the order in which they came.
#[derive(Default)]
struct Steps {
    list: Vec<Arc<ShownStep>>,
    cells: usize,
}

impl Steps {
    fn push(&mut self, mut step: ShownStep) {
        // Planners often draw the same picture for a while.
        match self.list.last() {
            Some(last) if last.step.insight == step.step.insight => {
                step.step.insight = Arc::clone(&last.step.insight);
            }
            _ => self.cells += step.cells(),
        }
        self.list.push(Arc::new(step));
        if self.cells > MOST_CELLS {
            self.thin_out();
        }
    }

    /// Drops every second snapshot but the last.
    fn thin_out(&mut self) {
        let last = self.list.len().saturating_sub(1);
        let mut index = 0;
        self.list.retain(|_| {
            index += 1;
            (index - 1) % 2 == 0 || index - 1 == last
        });
        self.cells = 0;
        for (index, step) in self.list.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| &self.list[before].step.insight);
            if before.is_none_or(|before| !Arc::ptr_eq(before, &step.step.insight)) {
                self.cells += step.cells();
            }
        }
    }
}

/// How far an analysis is.
#[derive(Clone, PartialEq, Debug)]
pub enum AnalysisProgress {
    /// It runs; this share of its budget is spent.
    Running(f32),
    /// It has ended by itself.
    Done,
    /// Somebody cancelled it.
    Cancelled,
    /// The planner crashed, with its message.
    Failed(String),
}

/// A planner that thinks about one position in the background. Dropping it ends the thinking.
pub struct AnalysisRun {
    /// What is analysed.
    pub request: AnalysisRequest,
    steps: Arc<Mutex<Steps>>,
    task: Task<Result<(), String>>,
    cancelled: bool,
}

impl AnalysisRun {
    /// Lets `think` work in the background and pass on its snapshots.
    pub(super) fn begin(
        request: AnalysisRequest,
        think: impl FnOnce(&StopFlag, &mut dyn FnMut(ShownStep)) -> Result<(), String> + Send + 'static,
    ) -> Self {
        let steps = Arc::<Mutex<Steps>>::default();
        let shared = Arc::clone(&steps);
        let task = Task::begin(move |task| {
            think(task.stop(), &mut |step| {
                let done = step.step.work as f32 / request.budget.max(1) as f32;
                lock(&shared).push(step);
                task.progress(done);
            })
        });
        Self { request, steps, task, cancelled: false }
    }

    /// The snapshots so far.
    pub fn steps(&self) -> Vec<Arc<ShownStep>> {
        lock(&self.steps).list.clone()
    }

    /// How far it is.
    pub fn progress(&self) -> AnalysisProgress {
        if let Some(why) = self.task.failure() {
            return AnalysisProgress::Failed(why.to_owned());
        }
        match self.task.get() {
            _ if self.cancelled => AnalysisProgress::Cancelled,
            None => AnalysisProgress::Running(self.task.progress()),
            Some(Ok(())) => AnalysisProgress::Done,
            Some(Err(why)) => AnalysisProgress::Failed(why.clone()),
        }
    }

    /// Whether the planner still thinks.
    pub fn is_running(&self) -> bool {
        matches!(self.progress(), AnalysisProgress::Running(_))
    }

    /// Ends the thinking; the snapshots stay.
    pub fn cancel(&mut self) {
        if !self.task.is_done() {
            self.cancelled = true;
            self.task.cancel();
        }
    }

    /// The number of cells with heat, for a bound on memory.
    pub(super) fn cells(&self) -> usize {
        lock(&self.steps).cells
    }
}

fn lock(steps: &Mutex<Steps>) -> MutexGuard<'_, Steps> {
    steps.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
