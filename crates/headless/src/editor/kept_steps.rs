//! The last steps of a level's history, as a backup file keeps them.
//!
//! Whatever a file says is checked against the level that it belongs to, step by step from the last one back: what
//! cannot have led to it is left out with all before.

use super::change::{CellChange, Change, Field};
use super::history::{History, HistoryStep};
use outwit_core::escape::on_one_line;
use outwit_core::levels::cut;
use outwit_kit::{DynGame, LevelDraft};
use serde::{Deserialize, Serialize};

/// The memory that the kept steps may take, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// The most characters of a step's name.
const MOST_LABEL: usize = 200;

/// A step, with what the level was before it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KeptStep {
    label: String,
    before: Before,
}

/// What a step changed, as it was before; what it was after follows from the level.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Before {
    /// The cells of these row-major indices.
    Cells(Vec<(u32, char)>),
    /// A text: title, author or description.
    Text(usize, String),
    /// A rule, by its place among the game's properties.
    Rule(usize, String),
    /// The whole level, as its file.
    Whole(String),
}

/// The last steps that are done, as many as there is room for.
pub fn kept(history: &History, kind: &dyn DynGame) -> Vec<KeptStep> {
    let mut room = MOST_BYTES;
    let done = history.steps()[..history.done()].iter().rev();
    let kept = done.map_while(|step| {
        room = room.checked_sub(step.label.len() + step.change().bytes())?;
        let before = match step.change() {
            Change::Cells(cells) => {
                Before::Cells(cells.iter().map(|cell| (cell.index, cell.old)).collect())
            }
            Change::Text { field, old, .. } => {
                let place = Field::ALL.iter().position(|known| known == field)?;
                Before::Text(place, old.clone())
            }
            Change::Rule { index, old, .. } => Before::Rule(*index, old.clone()),
            Change::Whole { old, .. } => Before::Whole(kind.text(old)),
        };
        Some(KeptStep { label: step.label.clone(), before })
    });
    let mut kept: Vec<KeptStep> = kept.collect();
    kept.reverse();
    kept
}

/// The history of a level that is not saved, with those of these steps that lead to it.
pub fn restored(kept: &[KeptStep], draft: &LevelDraft, kind: &dyn DynGame) -> History {
    let mut now = draft.clone();
    let steps = kept.iter().rev().map_while(|step| {
        let change = change_to(&now, &step.before, kind)?;
        change.revert(&mut now);
        Some(HistoryStep::new(cut(&on_one_line(&step.label), MOST_LABEL), change))
    });
    let mut steps: Vec<HistoryStep> = steps.collect();
    steps.reverse();
    History::of_steps(steps)
}

/// The change that made a level what it is now; `None` if it can have been no such change.
fn change_to(now: &LevelDraft, before: &Before, kind: &dyn DynGame) -> Option<Change> {
    let change = match before {
        Before::Cells(cells) => {
            let tiles = kind.facts().palette;
            let cell_change = |&(index, old): &(u32, char)| {
                let new = *now.cells.as_slice().get(index as usize)?;
                let is_tile = tiles.iter().any(|tile| tile.symbol == old);
                is_tile.then_some(CellChange { index, old, new })
            };
            Change::Cells(cells.iter().map(cell_change).collect::<Option<_>>()?)
        }
        Before::Text(place, old) => {
            let field = *Field::ALL.get(*place)?;
            let is_text = old.chars().all(|c| c == '\n' || !c.is_control());
            let fits = is_text && old.chars().count() <= field.max_length();
            let new = field.of(now).to_owned();
            fits.then(|| Change::Text { field, old: old.clone(), new })?
        }
        Before::Rule(index, old) => {
            let property = kind.properties().get(*index)?;
            let is_value = kind.rule(property.key, old).as_ref() == Ok(old);
            let new = now.rules.get(*index).filter(|_| is_value)?.clone();
            Change::Rule { index: *index, old: old.clone(), new }
        }
        Before::Whole(level) => {
            let old = kind.open(level.as_bytes(), "draft.ron").ok()?;
            Change::Whole { old: Box::new(old), new: Box::new(now.clone()) }
        }
    };
    Some(change)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::GAMES;
    use crate::editor::{EditorModel, ModifierKeys, Tool};
    use outwit_core::grid::Cell;
    use outwit_core::levels::{read_ron, to_ron};
    use proptest::prelude::*;

    /// A level that was drawn on, renamed, given another rule, resized, and undone once.
    fn worked_on(kind: &'static dyn DynGame) -> EditorModel {
        let mut model = EditorModel::blank(kind, 12, 10);
        model.tool = Tool::Paint;
        let tile = kind.facts().palette[1].symbol;
        model.select_tile(tile);
        for x in 3..6 {
            model.press(Cell::new(x, 4), ModifierKeys::default()).unwrap();
            model.release();
        }
        model.set_text(Field::Name, "Drawn");
        model.seal();
        model.resize(14, 12, (0, 0)).unwrap();
        model.set_text(Field::About, "By a river.");
        model.seal();
        model.set_text(Field::Author, "Ada");
        model.undo();
        model
    }

    #[test]
    fn all_steps_can_be_undone_and_redone_after_a_crash() {
        for &kind in GAMES {
            let before = worked_on(kind);
            let text = to_ron(&kept(before.history(), kind)).unwrap();
            let steps: Vec<KeptStep> = read_ron(text.as_bytes()).unwrap();
            let mut after = EditorModel::recovered(kind, before.draft().clone(), &steps);
            let labels = |model: &EditorModel| -> Vec<String> {
                let steps = &model.history().steps()[..model.history().done()];
                steps.iter().map(|step| step.label.clone()).collect()
            };
            assert_eq!(labels(&after), labels(&before));
            assert!(!after.is_saved());
            let mut before = before;
            while before.undo() {
                assert!(after.undo());
                assert_eq!(after.draft(), before.draft(), "{}", kind.id());
            }
            assert!(!after.undo());
            while after.redo() {}
            assert_eq!(after.draft().about, "By a river.");
        }
    }

    #[test]
    fn steps_that_do_not_lead_to_the_level_are_left_out() {
        let kind = GAMES[0];
        let model = worked_on(kind);
        let steps = kept(model.history(), kind);
        let with = |before: Before| {
            let mut steps = steps.clone();
            let at = steps.len() - 2;
            steps[at].before = before;
            restored(&steps, model.draft(), kind).steps().len()
        };
        assert!(steps.len() > 3);
        assert_eq!(with(Before::Cells(vec![(u32::MAX, '.')])), 1);
        assert_eq!(with(Before::Cells(vec![(0, '\n')])), 1);
        assert_eq!(with(Before::Text(9, "x".into())), 1);
        assert_eq!(with(Before::Text(0, "x".repeat(100_000))), 1);
        assert_eq!(with(Before::Rule(0, "no value".into())), 1);
        assert_eq!(with(Before::Rule(usize::MAX, String::new())), 1);
        assert_eq!(with(Before::Whole("no level".into())), 1);
    }

    proptest! {
        #[test]
        fn no_file_causes_a_panic(
            cells in prop::collection::vec((any::<u32>(), prop::sample::select(vec!['.', '#', 'x', '\u{0}'])), 0..4),
            few in prop::collection::vec((0..200_u32, prop::sample::select(vec!['.', '#'])), 0..4),
            at in 0..12_usize,
            text in ".{0,20}",
            game in 0..GAMES.len(),
        ) {
            let kind = GAMES[game];
            let model = worked_on(kind);
            let of = |before| KeptStep { label: text.clone(), before };
            let steps = [
                of(Before::Rule(at, text.clone())),
                of(Before::Cells(cells)),
                of(Before::Text(at, text.clone())),
                of(Before::Cells(few)),
            ];
            let mut model = EditorModel::recovered(kind, model.draft().clone(), &steps);
            while model.undo() {}
            let _ = kind.check_draft(model.draft());
            while model.redo() {}
        }
    }
}
