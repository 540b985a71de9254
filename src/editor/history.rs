//! The history of changes, for undo and redo.

use super::change::Change;
use crate::games::LevelDraft;

/// A change in the history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryStep {
    /// Its name in the list of changes.
    pub label: String,
    change: Change,
}

/// All changes since the level was opened, without limit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    steps: Vec<HistoryStep>,
    /// The number of steps that are done; those after it were undone.
    done: usize,
    /// The number of done steps when the level was last saved, while it can still be reached.
    saved: Option<usize>,
    /// Whether the last step can still grow, as while the user types.
    growing: bool,
}

impl History {
    /// The history of a level without unsaved changes.
    pub fn of_saved() -> Self {
        Self { saved: Some(0), ..Self::default() }
    }

    /// All steps, including undone ones.
    pub fn steps(&self) -> &[HistoryStep] {
        &self.steps
    }

    /// Number of steps that are done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Whether the level has no unsaved changes.
    pub fn is_saved(&self) -> bool {
        self.saved == Some(self.done)
    }

    /// Records that the current state was saved.
    pub fn mark_saved(&mut self) {
        self.saved = Some(self.done);
        self.growing = false;
    }

    /// Makes the next change a new step.
    pub fn seal(&mut self) {
        self.growing = false;
    }

    /// Records a change. If it changes the same text or rule as the last step, it is merged into that
    /// step, unless [`History::seal`] was called in between. Undone steps are dropped.
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
            && last.change.merge(&change)
        {
            // The text is what it was: drop the step.
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

    /// Undoes or redoes steps until `done` of them are done. Returns the changes in the order in
    /// which they were made, each with `true` if it was redone and `false` if it was undone.
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
