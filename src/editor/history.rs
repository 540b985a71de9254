//! All that was done to a level, to be taken back and done again.

use super::change::Change;
use crate::games::LevelDraft;

/// One thing that was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryStep {
    /// What people call it.
    pub label: String,
    change: Change,
}

/// The steps from the level as it was opened, without limit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    steps: Vec<HistoryStep>,
    /// Number of steps that are done; those after it were taken back.
    done: usize,
    /// The number of done steps when the level was last saved, while it can still be reached.
    saved: Option<usize>,
    /// Whether the last step may still grow, as while a word is typed.
    growing: bool,
}

impl History {
    /// A history of a level that is as its file says.
    pub fn of_saved() -> Self {
        Self { saved: Some(0), ..Self::default() }
    }

    /// All steps, those taken back included.
    pub fn steps(&self) -> &[HistoryStep] {
        &self.steps
    }

    /// Number of steps that are done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Whether the level is as it was last saved.
    pub fn is_saved(&self) -> bool {
        self.saved == Some(self.done)
    }

    /// Notes that the level was saved as it is.
    pub fn mark_saved(&mut self) {
        self.saved = Some(self.done);
        self.growing = false;
    }

    /// The next change begins a step of its own.
    pub fn seal(&mut self) {
        self.growing = false;
    }

    /// Notes a change that was made. A change of the same text or rule as the last one joins it,
    /// unless [`History::seal`] was called between them. What was taken back is gone.
    pub fn push(&mut self, label: impl Into<String>, change: Change) {
        if change.is_empty() {
            return;
        }
        self.steps.truncate(self.done);
        if self.saved.is_some_and(|saved| saved > self.done) {
            self.saved = None;
        }
        if self.growing
            && self.saved != Some(self.done)
            && let Some(last) = self.steps.last_mut()
            && last.change.absorb(&change)
        {
            // Typed to and fro: nothing is left of it.
            if last.change.is_empty() {
                self.steps.pop();
                self.done -= 1;
                self.growing = false;
            }
            return;
        }
        self.growing = matches!(change, Change::Text { .. } | Change::Rule { .. });
        self.steps.push(HistoryStep { label: label.into(), change });
        self.done += 1;
    }

    /// Takes steps back or does them again until `done` of them are done. Returns the changes that
    /// were made on the way, in their order, each with whether it was done (else taken back).
    pub fn go_to(&mut self, done: usize, draft: &mut LevelDraft) -> Vec<(&Change, bool)> {
        let done = done.min(self.steps.len());
        let from = std::mem::replace(&mut self.done, done);
        self.growing = false;
        let mut made = Vec::new();
        for step in self.steps[done.min(from)..from].iter().rev() {
            step.change.revert(draft);
            made.push((&step.change, false));
        }
        for step in &self.steps[from.min(done)..done] {
            step.change.apply(draft);
            made.push((&step.change, true));
        }
        made
    }
}
