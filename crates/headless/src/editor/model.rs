//! The model: a level, the tool and tile in use, and every operation on them.

use super::change::{Change, Field};
use super::edit_error::EditError;
use super::history::History;
use super::kept_steps::{KeptStep, restored};
use super::pieces::PieceLengths;
use super::region::{Block, BlockTransform, Region};
use super::shapes::{self, Brush};
use super::stroke::Marks;
use super::symmetry::Symmetry;
use super::tool::{ModifierKeys, Tool};
use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::MAX_SIDE;
use outwit_kit::{
    DynGame, Footprint, LevelDraft, TileKind, background, blank, clear_misplaced, piece_and_ground,
};

mod blocks;
mod pointer;

use pointer::Stroke;

/// A level that is being edited.
#[derive(Clone)]
pub struct EditorModel {
    kind: &'static dyn DynGame,
    draft: LevelDraft,
    history: History,
    /// What the pointer does.
    pub tool: Tool,
    /// The character of the tile that tools place.
    pub active_tile: char,
    /// The size and shape of the brush.
    pub brush: Brush,
    /// Whether rectangles are filled.
    pub filled: bool,
    /// The symmetry that strokes are mirrored by.
    pub symmetry: Symmetry,
    selection: Option<Region>,
    clipboard: Option<Block>,
    /// A pasted block that follows the pointer until it is placed.
    carried: Option<Block>,
    stroke: Option<Stroke>,
    /// The cell where the last stroke of painting ended.
    pen: Option<Cell>,
    revision: u64,
    /// The cells that changed since [`EditorModel::take_changed`].
    changed: Option<Region>,
}

impl EditorModel {
    /// A model of a level that is unchanged since it was saved.
    pub fn open(kind: &'static dyn DynGame, draft: LevelDraft) -> Self {
        // Start with a tile that shows on an empty map.
        let (width, height) = kind.facts().new_size;
        let empty = blank(kind.facts().palette, width, height);
        let active_tile = kind
            .facts()
            .palette
            .iter()
            .find(|tile| empty.iter().all(|(_, symbol)| *symbol != tile.symbol))
            .map_or('.', |tile| tile.symbol);
        Self {
            kind,
            draft,
            history: History::of_saved(),
            tool: Tool::default(),
            active_tile,
            brush: Brush { size: 1, round: true },
            filled: false,
            symmetry: Symmetry::None,
            selection: None,
            clipboard: None,
            carried: None,
            stroke: None,
            pen: None,
            revision: 0,
            changed: None,
        }
    }

    /// A model of a level that is not saved yet.
    pub fn unsaved(kind: &'static dyn DynGame, draft: LevelDraft) -> Self {
        Self { history: History::default(), ..Self::open(kind, draft) }
    }

    /// A model of a level from a backup file, with the steps that led to it.
    pub fn recovered(kind: &'static dyn DynGame, draft: LevelDraft, steps: &[KeptStep]) -> Self {
        let history = restored(steps, &draft, kind);
        Self { history, ..Self::open(kind, draft) }
    }

    /// An empty level of a size that the game allows.
    pub fn blank(kind: &'static dyn DynGame, width: usize, height: usize) -> Self {
        let sides = &kind.facts().sides;
        let fit = |side: usize| side.clamp(*sides.start(), *sides.end());
        let draft = LevelDraft {
            name: format!("New {} level", kind.name()),
            author: String::new(),
            about: String::new(),
            rules: kind.default_rules(),
            cells: blank(kind.facts().palette, fit(width), fit(height)),
        };
        Self::open(kind, draft)
    }

    /// The game whose level is edited.
    pub fn kind(&self) -> &'static dyn DynGame {
        self.kind
    }

    /// The level as it is now, also in the middle of a stroke.
    pub fn draft(&self) -> &LevelDraft {
        &self.draft
    }

    /// The level file as it is now.
    pub fn text(&self) -> String {
        self.kind.text(&self.draft)
    }

    /// The history of changes.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Whether the level has no unsaved changes.
    pub fn is_saved(&self) -> bool {
        self.history.is_saved() && self.stroke.is_none()
    }

    /// Records that the current state was saved.
    pub fn mark_saved(&mut self) {
        self.release();
        self.history.mark_saved();
    }

    /// Makes the next change of a text or a rule a new step in the history.
    pub fn seal(&mut self) {
        self.history.seal();
    }

    /// A number that grows with every change of the level.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the cells that changed since the last call.
    pub fn take_changed(&mut self) -> Option<Region> {
        let (width, height) = self.size();
        self.changed.take()?.clipped(width, height)
    }

    /// The selected region, if there is one.
    pub fn selection(&self) -> Option<Region> {
        self.selection
    }

    /// The pasted block that follows the pointer.
    pub fn carried(&self) -> Option<&Block> {
        self.carried.as_ref()
    }

    /// Whether a stroke is in progress.
    pub fn is_drawing(&self) -> bool {
        self.stroke.is_some()
    }

    /// The cell where a straight line of Paint or Erase would start.
    pub fn pen(&self) -> Option<Cell> {
        self.pen
    }

    /// The tiles of the game.
    pub fn palette(&self) -> &'static [TileKind] {
        self.kind.facts().palette
    }

    /// The tile with this character, if the game has one.
    pub fn tile(&self, symbol: char) -> Option<&'static TileKind> {
        self.palette().iter().find(|tile| tile.symbol == symbol)
    }

    /// Columns and rows of the map.
    pub fn size(&self) -> (usize, usize) {
        (self.draft.cells.width(), self.draft.cells.height())
    }

    fn touch(&mut self, region: Option<Region>) {
        self.revision += 1;
        if let Some(region) = region {
            self.changed = Some(self.changed.map_or(region, |changed| changed.with(region)));
        }
    }

    fn touch_all(&mut self) {
        let (width, height) = self.size();
        self.touch(Some(Region { min: Cell::new(0, 0), width, height }));
    }

    /// Changes a text about the level; what is longer than [`Field::max_length`] is left out.
    pub fn set_text(&mut self, field: Field, text: &str) {
        self.release();
        let new: String = text.chars().take(field.max_length()).collect();
        let label = format!("{}: {}", field.label(), shortened(&new));
        self.make(label, Change::Text { field, old: field.of(&self.draft).into(), new });
    }

    /// Sets a rule from text.
    ///
    /// # Errors
    /// If the rule cannot have this value.
    pub fn set_rule(&mut self, index: usize, value: &str) -> Result<(), EditError> {
        self.release();
        let property = self.kind.properties().get(index).ok_or(EditError::UnknownRule)?;
        let new = self.kind.rule(property.key, value).map_err(EditError::Rule)?;
        let old = self.draft.rules.get(index).cloned().unwrap_or_default();
        let label = format!("{}: {}", property.title, property.value_title(&new));
        self.make(label, Change::Rule { index, old, new });
        Ok(())
    }

    fn make(&mut self, label: String, change: Change) {
        if change.is_empty() {
            return;
        }
        change.apply(&mut self.draft);
        self.history.push(label, change);
        self.touch(None);
    }

    /// Undoes the last step; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        if self.stroke.is_some() {
            return self.cancel();
        }
        let done = self.history.done();
        done > 0 && {
            self.go_to(done - 1);
            true
        }
    }

    /// Redoes the step that was undone last; `false` if there is none.
    pub fn redo(&mut self) -> bool {
        let done = self.history.done();
        done < self.history.steps().len() && {
            self.go_to(done + 1);
            true
        }
    }

    /// Undoes or redoes steps until `done` of them are done.
    pub fn go_to(&mut self, done: usize) {
        self.release();
        let width = self.draft.cells.width();
        let mut area: Option<Region> = None;
        let mut whole = false;
        for (change, _) in self.history.go_to(done, &mut self.draft) {
            match change {
                Change::Cells(cells) if !whole => {
                    for cell in cells {
                        let index = cell.index as usize;
                        let at = Cell::new((index % width) as i32, (index / width) as i32);
                        let own = Region { min: at, width: 1, height: 1 };
                        area = Some(area.map_or(own, |area| area.with(own)));
                    }
                }
                Change::Whole { .. } => whole = true,
                _ => {}
            }
        }
        if whole {
            self.after_whole();
        } else {
            self.touch(area);
        }
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 24;
    let line: String = text.lines().next().unwrap_or_default().chars().take(MOST + 1).collect();
    match line.chars().count() {
        0 => "(none)".into(),
        n if n > MOST => line.chars().take(MOST).chain(['…']).collect(),
        _ => line,
    }
}

#[cfg(test)]
mod tests;
