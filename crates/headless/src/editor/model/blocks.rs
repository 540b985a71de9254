//! Operations on blocks of cells: selection, clipboard, turning, resizing.

use super::*;

impl EditorModel {
    /// Selects a region of the map, or none.
    pub fn select(&mut self, region: Option<Region>) {
        self.release();
        let (width, height) = self.size();
        self.selection = region.and_then(|region| region.clipped(width, height));
    }

    /// Selects the whole map.
    pub fn select_all(&mut self) {
        let (width, height) = self.size();
        self.select(Some(Region { min: Cell::new(0, 0), width, height }));
    }

    /// Copies the selection, and returns it as text.
    pub fn copy(&mut self) -> Option<String> {
        self.release();
        let block = Block::cut(&self.draft.cells, self.selection?);
        let text = block.text();
        self.clipboard = Some(block);
        Some(text)
    }

    /// Copies the selection and empties its cells.
    pub fn cut(&mut self) -> Option<String> {
        let text = self.copy()?;
        self.clear_selection("Cut");
        Some(text)
    }

    /// Empties the cells of the selection.
    pub fn delete(&mut self) {
        self.release();
        self.clear_selection("Delete region");
    }

    pub(super) fn clear_selection(&mut self, label: &str) {
        let Some(region) = self.selection else { return };
        let mut marks = Marks::new(self.draft.cells.len());
        region.cells().for_each(|cell| self.clear_into(&mut marks, cell));
        self.commit(label, marks);
    }

    /// Lets a block follow the pointer until it is placed: that of the text, or the one copied last.
    ///
    /// # Errors
    /// If the text holds no cells of this game and nothing was copied.
    pub fn paste(&mut self, text: Option<&str>) -> Result<(), EditError> {
        self.release();
        let copied = self.clipboard.as_ref();
        let block = match text {
            Some(text) if copied.is_none_or(|block| block.text() != text) => {
                Block::parse(text, self.palette(), MAX_SIDE)?
            }
            _ => copied.cloned().ok_or(EditError::NothingCopied)?,
        };
        self.carried = Some(block);
        Ok(())
    }

    /// The corner of the pasted block when the pointer is at its middle.
    pub fn carried_corner(&self, cell: Cell) -> Option<Cell> {
        let block = self.carried.as_ref()?;
        Some(corner_of(block, cell))
    }

    pub(super) fn put(&mut self, block: &Block, middle: Cell) {
        let corner = corner_of(block, middle);
        let mut marks = Marks::new(self.draft.cells.len());
        self.place_block(&mut marks, block, corner);
        self.commit("Paste", marks);
        let region = Region { min: corner, width: block.0.width(), height: block.0.height() };
        let (width, height) = self.size();
        self.selection = region.clipped(width, height);
    }

    /// Turns the pasted block, else the selection, else the whole map.
    pub fn turn(&mut self, turn: BlockTransform) {
        self.release();
        if let Some(block) = &mut self.carried {
            *block = block.turned(turn, self.kind.facts().palette);
            return;
        }
        let Some(region) = self.selection else {
            let old = self.draft.cells.clone();
            let block = Block(old).turned(turn, self.palette());
            self.replace_cells(turn.label(), block.0);
            return;
        };
        let block = Block::cut(&self.draft.cells, region).turned(turn, self.palette());
        let mut marks = Marks::new(self.draft.cells.len());
        region.cells().for_each(|cell| self.clear_into(&mut marks, cell));
        self.place_block(&mut marks, &block, region.min);
        let turned = Region { min: region.min, width: block.0.width(), height: block.0.height() };
        let (width, height) = self.size();
        self.selection = turned.clipped(width, height);
        self.commit(turn.label(), marks);
    }

    pub(super) fn replace_cells(&mut self, label: &str, mut cells: Grid<char>) {
        clear_misplaced(self.palette(), &mut cells);
        let new = LevelDraft { cells, ..self.draft.clone() };
        self.replace(label, new);
    }

    /// Replaces the level by another one of the same game, as one step.
    pub fn replace(&mut self, label: &str, new: LevelDraft) {
        self.release();
        let change = Change::Whole { old: Box::new(self.draft.clone()), new: Box::new(new) };
        if change.is_empty() {
            return;
        }
        change.apply(&mut self.draft);
        self.history.push(label, change);
        self.after_whole();
    }

    pub(super) fn after_whole(&mut self) {
        let (width, height) = self.size();
        self.selection = self.selection.and_then(|region| region.clipped(width, height));
        self.pen = self.pen.filter(|&pen| self.draft.cells.contains(pen));
        self.touch_all();
    }

    /// Resizes the map. `anchor` names the part that stays in place: 0, 1 or 2 for left, middle,
    /// right, and for top, middle, bottom.
    ///
    /// # Errors
    /// If the game does not allow this size.
    pub fn resize(
        &mut self,
        width: usize,
        height: usize,
        anchor: (usize, usize),
    ) -> Result<(), EditError> {
        let sides = &self.kind.facts().sides;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(EditError::Size { least: *sides.start(), most: *sides.end() });
        }
        let (old_width, old_height) = self.size();
        let shift = |old: usize, new: usize, anchor: usize| {
            (new as i32 - old as i32) * anchor.min(2) as i32 / 2
        };
        let by = Cell::new(shift(old_width, width, anchor.0), shift(old_height, height, anchor.1));
        self.reframe("Resize", width, height, by);
        Ok(())
    }

    /// Crops the map to its content, with one empty cell around it.
    ///
    /// # Errors
    /// If the map is empty.
    pub fn crop(&mut self) -> Result<(), EditError> {
        let (width, height) = self.size();
        let palette = self.palette();
        let filled = self
            .draft
            .cells
            .iter()
            .filter(|&(cell, &symbol)| symbol != background(palette, cell, width, height));
        let content = filled
            .map(|(cell, _)| Region { min: cell, width: 1, height: 1 })
            .reduce(Region::with)
            .ok_or(EditError::EmptyMap)?;
        let sides = &self.kind.facts().sides;
        let fit = |side: usize| (side + 2).clamp(*sides.start(), *sides.end());
        let by = Cell::new(1, 1) - content.min;
        self.reframe("Crop to content", fit(content.width), fit(content.height), by);
        Ok(())
    }

    pub(super) fn reframe(&mut self, label: &str, width: usize, height: usize, by: Cell) {
        self.release();
        let old = &self.draft.cells;
        let cells = Grid::from_fn(width, height, |cell| {
            old.get(cell - by)
                .copied()
                .unwrap_or_else(|| background(self.palette(), cell, width, height))
        });
        self.selection = self.selection.map(|region| region.moved(by));
        self.replace_cells(label, cells);
    }
}

pub(super) fn corner_of(block: &Block, middle: Cell) -> Cell {
    middle - Cell::new(block.0.width() as i32 / 2, block.0.height() as i32 / 2)
}
