//! Pointer input on the map: strokes, shapes, pieces.

use super::*;

/// What happens between press and release of the pointer.
#[derive(Clone, Debug)]
pub(super) enum Gesture {
    /// Painting freehand with this tile; `None` erases.
    Freehand(Option<char>),
    /// A shape from the first cell to the pointer.
    Line(Option<char>),
    Rectangle {
        filled: bool,
    },
    /// Dragging a piece, with the cells from which it was lifted, if it was.
    Piece {
        tile: TileKind,
        from: Vec<Cell>,
    },
    /// Dragging the content of the selection.
    Region {
        region: Region,
        block: Block,
        copy: bool,
    },
    /// Selecting a region.
    Select,
}

#[derive(Clone, Debug)]
pub(super) struct Stroke {
    pub(super) gesture: Gesture,
    first: Cell,
    last: Cell,
    pub(super) marks: Marks,
}

impl EditorModel {
    /// Selects a tile, and a tool that can place it if the current one cannot.
    pub fn select_tile(&mut self, symbol: char) {
        self.release();
        self.active_tile = symbol;
        let piece = self.tile(symbol).is_some_and(|tile| tile.piece.is_some());
        let places = match self.tool {
            Tool::Paint => true,
            Tool::Line | Tool::Rectangle | Tool::Fill => !piece,
            Tool::Erase | Tool::Move | Tool::Pick | Tool::Select | Tool::Pan => false,
        };
        if !places {
            self.tool = Tool::Paint;
        }
    }

    /// The cells that a press of Paint or Erase on a cell would change, without mirror images.
    pub fn brush_cells(&self, cell: Cell) -> Vec<Cell> {
        let (width, height) = self.size();
        match self.tile(self.active_tile) {
            Some(tile) if tile.piece.is_some() && self.tool != Tool::Erase => {
                self.lengths().footprint(tile, cell, width, height).unwrap_or_default()
            }
            _ => self.brush.offsets().into_iter().map(|offset| cell + offset).collect(),
        }
    }

    /// Handles a press of the pointer on a cell, which may be outside the map.
    ///
    /// # Errors
    /// If the tool cannot do anything there with the selected tile; the message says why.
    pub fn press(&mut self, cell: Cell, held: ModifierKeys) -> Result<(), EditError> {
        self.release();
        if let Some(block) = self.carried.take() {
            self.put(&block, cell);
            if held.shift {
                self.carried = Some(block);
            }
            return Ok(());
        }
        let picks = held.alt && matches!(self.tool, Tool::Paint | Tool::Fill);
        if picks || self.tool == Tool::Pick {
            return self.pick(cell);
        }
        let inside = self.draft.cells.contains(cell);
        let gesture = match self.tool {
            Tool::Paint => {
                let tile = self.tile(self.active_tile).ok_or(EditError::NoTile)?;
                match tile.piece {
                    Some(_) => Gesture::Piece { tile: *tile, from: Vec::new() },
                    None => Gesture::Freehand(Some(self.active_tile)),
                }
            }
            Tool::Erase if held.alt => {
                self.fill(cell, None, false);
                return Ok(());
            }
            Tool::Erase => Gesture::Freehand(None),
            Tool::Line if held.alt => Gesture::Line(None),
            Tool::Line => Gesture::Line(Some(self.paintable_tile()?)),
            Tool::Rectangle => {
                self.paintable_tile()?;
                Gesture::Rectangle { filled: self.filled != held.alt }
            }
            Tool::Fill => {
                let symbol = self.paintable_tile()?;
                self.fill(cell, Some(symbol), held.shift);
                return Ok(());
            }
            Tool::Move => match self.lift(cell, held) {
                Some(gesture) => gesture,
                None if inside && !held.alt => {
                    let tile = self.tile(self.active_tile).filter(|tile| tile.piece.is_some());
                    let tile = tile.ok_or(EditError::NoPiece)?;
                    Gesture::Piece { tile: *tile, from: Vec::new() }
                }
                None => return Ok(()),
            },
            Tool::Select => match self.selection {
                Some(region) if region.contains(cell) && !held.shift => Gesture::Region {
                    region,
                    block: Block::cut(&self.draft.cells, region),
                    copy: held.alt,
                },
                _ => {
                    self.selection = None;
                    Gesture::Select
                }
            },
            Tool::Pan | Tool::Pick => return Ok(()),
        };
        let straight = matches!(gesture, Gesture::Freehand(_)) && held.shift;
        let start = self.pen.filter(|_| straight).unwrap_or(cell);
        let marks = Marks::new(self.draft.cells.len());
        self.stroke = Some(Stroke { gesture, first: start, last: start, marks });
        self.drag(cell, held);
        Ok(())
    }

    /// The selected tile, if it is terrain and not a piece.
    pub(super) fn paintable_tile(&self) -> Result<char, EditError> {
        let tile = self.tile(self.active_tile).ok_or(EditError::NoTile)?;
        match tile.piece {
            Some(_) => Err(EditError::Piece(tile.name)),
            None => Ok(tile.symbol),
        }
    }

    pub(super) fn lengths(&self) -> PieceLengths<'_> {
        PieceLengths::of(self.kind.properties(), &self.draft)
    }

    /// Lifts the piece at a cell.
    pub(super) fn lift(&mut self, cell: Cell, held: ModifierKeys) -> Option<Gesture> {
        let symbol = *self.draft.cells.get(cell)?;
        let tile = match piece_and_ground(self.palette(), symbol) {
            Some((tile, _)) => *tile,
            None => *self.tile(symbol)?,
        };
        tile.piece?;
        let from = match tile.symbol == symbol {
            true => self.lengths().piece_at(&self.draft.cells, &tile, cell),
            false => vec![cell],
        };
        if held.alt {
            let mut marks = Marks::new(self.draft.cells.len());
            for cell in from {
                self.take_piece(&mut marks, cell);
            }
            self.commit(&format!("Remove {}", tile.name), marks);
            return None;
        }
        self.active_tile = tile.symbol;
        Some(Gesture::Piece { tile, from: if held.shift { Vec::new() } else { from } })
    }

    pub(super) fn pick(&mut self, cell: Cell) -> Result<(), EditError> {
        let symbol = *self.draft.cells.get(cell).ok_or(EditError::Outside)?;
        self.tile(symbol).ok_or(EditError::UnknownInMap(symbol))?;
        self.active_tile = symbol;
        if self.tool == Tool::Pick {
            self.tool = Tool::Paint;
        }
        Ok(())
    }

    /// Handles a move of the pointer while it is pressed.
    pub fn drag(&mut self, cell: Cell, held: ModifierKeys) {
        let Some(mut stroke) = self.stroke.take() else { return };
        let before = stroke.marks.area();
        match stroke.gesture.clone() {
            Gesture::Freehand(symbol) => {
                for at in shapes::line(stroke.last, cell) {
                    self.stamp(&mut stroke.marks, at, symbol);
                }
                stroke.last = cell;
            }
            Gesture::Line(symbol) => {
                stroke.marks.restore(&mut self.draft.cells);
                let to = if held.shift { shapes::straightened(stroke.first, cell) } else { cell };
                for at in shapes::line(stroke.first, to) {
                    self.stamp(&mut stroke.marks, at, symbol);
                }
                stroke.last = to;
            }
            Gesture::Rectangle { filled } => {
                stroke.marks.restore(&mut self.draft.cells);
                let to = if held.shift { shapes::squared(stroke.first, cell) } else { cell };
                self.place_rectangle(&mut stroke.marks, stroke.first, to, filled);
                stroke.last = to;
            }
            Gesture::Piece { tile, from } => {
                stroke.marks.restore(&mut self.draft.cells);
                for &at in &from {
                    self.take_piece(&mut stroke.marks, at);
                }
                self.place_piece(&mut stroke.marks, &tile, cell, from.is_empty());
                stroke.last = cell;
            }
            Gesture::Region { region, block, copy } => {
                stroke.marks.restore(&mut self.draft.cells);
                let by = cell - stroke.first;
                if !copy && by != Cell::new(0, 0) {
                    region.cells().for_each(|at| self.clear_into(&mut stroke.marks, at));
                }
                let moved = region.moved(by);
                self.place_block(&mut stroke.marks, &block, moved.min);
                let (width, height) = self.size();
                self.selection = moved.clipped(width, height);
                stroke.last = cell;
            }
            Gesture::Select => {
                let to = if held.shift { shapes::squared(stroke.first, cell) } else { cell };
                let (width, height) = self.size();
                self.selection = Region::between(stroke.first, to).clipped(width, height);
                stroke.last = cell;
            }
        }
        let after = stroke.marks.area();
        let area = match (before, after) {
            (Some(a), Some(b)) => Some(a.with(b)),
            (a, b) => a.or(b),
        };
        if area.is_some() {
            self.touch(area);
        }
        self.stroke = Some(stroke);
    }

    /// Handles the release of the pointer: the whole stroke becomes one step.
    pub fn release(&mut self) {
        let Some(stroke) = self.stroke.take() else { return };
        let name = |symbol: Option<char>| {
            symbol.and_then(|s| self.tile(s)).map_or("empty cells", |tile| tile.name)
        };
        let label = match &stroke.gesture {
            Gesture::Freehand(Some(symbol)) => format!("Paint {}", name(Some(*symbol))),
            Gesture::Freehand(None) => "Erase".to_owned(),
            Gesture::Line(symbol) => format!("Line of {}", name(*symbol)),
            Gesture::Rectangle { .. } => format!("Rectangle of {}", name(Some(self.active_tile))),
            Gesture::Piece { tile, from } if from.is_empty() => format!("Place {}", tile.name),
            Gesture::Piece { tile, .. } => format!("Move {}", tile.name),
            Gesture::Region { copy: true, .. } => "Copy region".to_owned(),
            Gesture::Region { .. } => "Move region".to_owned(),
            Gesture::Select => {
                // A click without a drag clears the selection.
                if stroke.first == stroke.last {
                    self.selection = None;
                }
                return;
            }
        };
        if matches!(stroke.gesture, Gesture::Freehand(_)) {
            self.pen = Some(stroke.last);
        }
        self.commit(&label, stroke.marks);
    }

    /// Cancels the stroke, else the pasted block, else the selection. Returns whether there was one.
    pub fn cancel(&mut self) -> bool {
        if let Some(mut stroke) = self.stroke.take() {
            let area = stroke.marks.area();
            stroke.marks.restore(&mut self.draft.cells);
            if let Gesture::Region { region, .. } = stroke.gesture {
                self.selection = Some(region);
            }
            self.touch(area);
            return true;
        }
        self.carried.take().is_some() || self.selection.take().is_some()
    }

    pub(super) fn commit(&mut self, label: &str, marks: Marks) {
        let change = marks.change(&self.draft.cells);
        if !change.is_empty() {
            self.touch(marks.area());
            self.history.push(label, change);
            self.history.seal();
        }
    }

    /// Sets one cell, and removes the whole piece that was there.
    pub(super) fn write(&mut self, marks: &mut Marks, cell: Cell, symbol: char) {
        let Some(&old) = self.draft.cells.get(cell) else { return };
        if old == symbol {
            return;
        }
        let (width, height) = self.size();
        if let Some(tile) = self.tile(symbol)
            && !tile.place.holds(cell, width, height)
        {
            return;
        }
        if let Some(tile) = self.tile(old)
            && tile.piece.is_some_and(|span| span != Footprint::One)
        {
            for other in self.lengths().piece_at(&self.draft.cells, tile, cell) {
                let empty = background(self.palette(), other, width, height);
                marks.set(&mut self.draft.cells, other, empty);
            }
        }
        marks.set(&mut self.draft.cells, cell, symbol);
    }

    pub(super) fn clear_into(&mut self, marks: &mut Marks, cell: Cell) {
        let (width, height) = self.size();
        let empty = background(self.palette(), cell, width, height);
        self.write(marks, cell, empty);
    }

    /// Takes a piece away and leaves what it stood on.
    pub(super) fn take_piece(&mut self, marks: &mut Marks, cell: Cell) {
        let symbol = self.draft.cells.get(cell).copied();
        match symbol.and_then(|symbol| piece_and_ground(self.palette(), symbol)) {
            Some((_, ground)) => self.write(marks, cell, ground),
            None => self.clear_into(marks, cell),
        }
    }

    /// The tile of a piece placed at a cell: what it may stand on stays under it.
    fn tile_of_piece(&self, piece: &TileKind, cell: Cell) -> char {
        let Some(&symbol) = self.draft.cells.get(cell) else { return piece.symbol };
        let ground = piece_and_ground(self.palette(), symbol).map_or(symbol, |(_, ground)| ground);
        let both = piece.stands_on.iter().find(|&&(under, _)| under == ground);
        both.map_or(piece.symbol, |&(_, both)| both)
    }

    pub(super) fn write_or_clear(&mut self, marks: &mut Marks, cell: Cell, symbol: Option<char>) {
        match symbol {
            Some(symbol) => self.write(marks, cell, symbol),
            None => self.clear_into(marks, cell),
        }
    }

    /// The brush at a cell and at its mirror images.
    pub(super) fn stamp(&mut self, marks: &mut Marks, at: Cell, symbol: Option<char>) {
        let (width, height) = self.size();
        for offset in self.brush.offsets() {
            let images = self.symmetry.images(at + offset, width, height);
            for (way, image) in images.enumerate() {
                let symbol = symbol.map(|symbol| self.symmetry.tile(way, symbol, self.palette()));
                self.write_or_clear(marks, image, symbol);
            }
        }
    }

    pub(super) fn place_rectangle(&mut self, marks: &mut Marks, a: Cell, b: Cell, filled: bool) {
        let (width, height) = self.size();
        // Skip what is outside the map.
        let near =
            |cell: Cell| Cell::new(cell.x.clamp(-1, width as i32), cell.y.clamp(-1, height as i32));
        for cell in shapes::rectangle(near(a), near(b), filled) {
            for (way, image) in self.symmetry.images(cell, width, height).enumerate() {
                let symbol = self.symmetry.tile(way, self.active_tile, self.palette());
                self.write(marks, image, symbol);
            }
        }
    }

    pub(super) fn place_piece(
        &mut self,
        marks: &mut Marks,
        tile: &TileKind,
        middle: Cell,
        mirrored: bool,
    ) {
        let (width, height) = self.size();
        let symmetry = match (mirrored, tile.most) {
            (true, None) => self.symmetry,
            _ => Symmetry::None,
        };
        let Some(own) = self.lengths().footprint(tile, middle, width, height) else { return };
        if let Some(most) = tile.most {
            let piece = |symbol| {
                piece_and_ground(self.palette(), symbol).map_or(symbol, |(tile, _)| tile.symbol)
            };
            let kind = piece(tile.symbol);
            let cells = self.draft.cells.iter();
            let same =
                cells.filter(|&(cell, &symbol)| piece(symbol) == kind && !own.contains(&cell));
            let others: Vec<Cell> = same.map(|(cell, _)| cell).collect();
            let most = (most.max(1) - 1) * own.len();
            for &cell in others.iter().take(others.len().saturating_sub(most)) {
                self.take_piece(marks, cell);
            }
        }
        let ways = symmetry.images(Cell::new(0, 0), width, height).count();
        for way in 0..ways {
            let image = |cell: Cell| symmetry.images(cell, width, height).nth(way);
            let symbol = symmetry.tile(way, tile.symbol, self.palette());
            let tile = self.tile(symbol).copied().unwrap_or(*tile);
            for cell in own.iter().filter_map(|&cell| image(cell)) {
                // Another piece of the same kind is removed as a whole.
                if self.draft.cells.get(cell) == Some(&tile.symbol) {
                    self.clear_into(marks, cell);
                }
            }
            for cell in own.iter().filter_map(|&cell| image(cell)) {
                self.write(marks, cell, self.tile_of_piece(&tile, cell));
            }
        }
    }

    pub(super) fn place_block(&mut self, marks: &mut Marks, block: &Block, corner: Cell) {
        for (cell, &symbol) in block.0.iter() {
            self.write(marks, corner + cell, symbol);
        }
    }

    /// Fills the connected area around a cell, or all cells with the same tile.
    pub(super) fn fill(&mut self, cell: Cell, symbol: Option<char>, everywhere: bool) {
        let (width, height) = self.size();
        let mut marks = Marks::new(self.draft.cells.len());
        let mut seeds: Vec<Cell> = self.symmetry.images(cell, width, height).collect();
        if everywhere {
            seeds.truncate(1);
        }
        let Some(&wanted) = self.draft.cells.get(cell) else { return };
        for seed in seeds {
            // Skip a mirror image of another kind, or one that was filled already.
            if Some(wanted) == symbol || self.draft.cells.get(seed) != Some(&wanted) {
                continue;
            }
            let cells = if everywhere {
                let all = self.draft.cells.iter().filter(|&(_, &held)| held == wanted);
                all.map(|(cell, _)| cell).collect()
            } else {
                shapes::flood(&self.draft.cells, seed)
            };
            for cell in cells {
                self.write_or_clear(&mut marks, cell, symbol);
            }
        }
        let name = symbol.and_then(|s| self.tile(s)).map(|tile| tile.name);
        let label = match name {
            Some(name) => format!("Fill with {name}"),
            None => "Erase area".to_owned(),
        };
        self.commit(&label, marks);
    }
}
