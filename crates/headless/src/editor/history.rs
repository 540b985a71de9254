//! The history of changes, for undo and redo.

use super::change::Change;
use outwit_kit::LevelDraft;

/// The memory that the steps may take, in bytes; the oldest go first. The last step always stays.
const MOST_BYTES: usize = 64 << 20;

/// A change in the history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryStep {
    /// Its name in the list of changes.
    pub label: String,
    change: Change,
}

impl HistoryStep {
    /// A step of this name.
    pub fn new(label: String, change: Change) -> Self {
        Self { label, change }
    }

    /// What it changes.
    pub fn change(&self) -> &Change {
        &self.change
    }
}

/// The changes since the level was opened, as many as fit into 64 MiB.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    steps: Vec<HistoryStep>,
    /// The number of steps that are done; those after it were undone.
    done: usize,
    /// The number of done steps when the level was last saved, while it can still be reached.
    saved: Option<usize>,
    /// Whether the last step can still grow, as while the user types.
    growing: bool,
    /// The number of oldest steps that were dropped.
    dropped: usize,
}

impl History {
    /// The history of a level without unsaved changes.
    pub fn of_saved() -> Self {
        Self { saved: Some(0), ..Self::default() }
    }

    /// The history of a level that is not saved and has come about by these steps.
    pub fn of_steps(steps: Vec<HistoryStep>) -> Self {
        Self { done: steps.len(), steps, ..Self::default() }
    }

    /// All steps, including undone ones.
    pub fn steps(&self) -> &[HistoryStep] {
        &self.steps
    }

    /// How many of the oldest steps were dropped to save memory: they can no longer be undone.
    pub fn dropped(&self) -> usize {
        self.dropped
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
        self.drop_oldest(MOST_BYTES);
    }

    /// Drops the oldest steps until the rest takes at most `limit` bytes; all steps are done.
    fn drop_oldest(&mut self, limit: usize) {
        let bytes = |step: &HistoryStep| step.label.len() + step.change.bytes();
        let mut room = limit;
        let kept = self.steps.iter().rev().take_while(|step| {
            let fits = bytes(step) <= room;
            room = room.saturating_sub(bytes(step));
            fits
        });
        let surplus = self.steps.len() - kept.count().max(1).min(self.steps.len());
        self.steps.drain(..surplus);
        self.done -= surplus;
        self.saved = self.saved.and_then(|saved| saved.checked_sub(surplus));
        self.dropped += surplus;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GAMES;
    use crate::editor::{EditorModel, Field};

    fn text(old: &str, new: &str) -> Change {
        Change::Text { field: Field::About, old: old.into(), new: new.into() }
    }

    #[test]
    fn the_oldest_steps_go_when_memory_is_full() {
        let mut model = EditorModel::blank(GAMES[0], 12, 10);
        let mut history = History::of_saved();
        let abouts: Vec<String> = (0..=20).map(|n| format!("{n}").repeat(1_000)).collect();
        for pair in abouts.windows(2) {
            let change = text(&pair[0], &pair[1]);
            let mut draft = model.draft().clone();
            change.apply(&mut draft);
            model = EditorModel::unsaved(GAMES[0], draft);
            history.push("about", change);
            history.seal();
        }
        assert_eq!((history.steps().len(), history.dropped()), (20, 0));
        history.drop_oldest(10_000);
        let left = history.steps().len();
        assert!((1..5).contains(&left), "{left}");
        assert_eq!((history.done(), history.dropped()), (left, 20 - left));
        assert!(!history.is_saved());
        let mut draft = model.draft().clone();
        history.go_to(0, &mut draft);
        assert_eq!(draft.about, abouts[20 - left]);
        assert!(!history.is_saved(), "the saved state cannot be reached any more");
        history.go_to(left, &mut draft);
        assert_eq!(draft.about, abouts[20]);
        history.drop_oldest(0);
        assert_eq!(history.steps().len(), 1, "the last step stays");
    }

    #[test]
    fn undoing_takes_a_bounded_amount_of_memory() {
        let mut history = History::default();
        let large = "x".repeat(MOST_BYTES / 8);
        for _ in 0..20 {
            history.push("about", text("", &large));
            history.seal();
        }
        let bytes: usize = history.steps().iter().map(|step| step.change.bytes()).sum();
        assert!(bytes <= MOST_BYTES && history.steps().len() == 7, "{bytes}");
        assert_eq!(history.dropped(), 13);
    }
}
