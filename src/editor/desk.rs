//! The desk: a level, what is in the hand, and all that can be done to it.

use super::change::{Change, Field};
use super::history::History;
use super::pieces::Lengths;
use super::region::{Block, Region, Turn};
use super::shapes::{self, Brush};
use super::stroke::Marks;
use super::symmetry::Symmetry;
use super::tool::{Held, Tool};
use crate::games::{GameKind, Sketch, Span, Swatch, background, blank, settle};
use crate::grid::{Cell, Grid};
use crate::levels::MAX_SIDE;

/// What the pointer is doing between press and release.
#[derive(Clone, Debug)]
enum Doing {
    /// Painting freely, with this in hand; `None` erases.
    Freehand(Option<char>),
    /// A shape from the first cell to the pointer.
    Line(Option<char>),
    Rectangle {
        filled: bool,
    },
    /// A piece that follows the pointer; where it was picked up, if it was.
    Piece {
        swatch: Swatch,
        from: Vec<Cell>,
    },
    /// What the selection held follows the pointer.
    Region {
        region: Region,
        block: Block,
        copy: bool,
    },
    /// Choosing a region.
    Select,
}

#[derive(Clone, Debug)]
struct Stroke {
    doing: Doing,
    first: Cell,
    last: Cell,
    marks: Marks,
}

/// A level being drawn.
#[derive(Clone)]
pub struct Desk {
    kind: &'static dyn GameKind,
    sketch: Sketch,
    history: History,
    /// What the pointer does.
    pub tool: Tool,
    /// The character that is laid.
    pub hand: char,
    /// How wide it is laid.
    pub brush: Brush,
    /// Whether rectangles are filled.
    pub filled: bool,
    /// Where it is laid as well.
    pub symmetry: Symmetry,
    selection: Option<Region>,
    clipboard: Option<Block>,
    /// A block that hangs on the pointer until it is put down.
    carried: Option<Block>,
    stroke: Option<Stroke>,
    /// The cell where the last stroke of painting ended.
    pen: Option<Cell>,
    revision: u64,
    /// Cells that changed since they were last asked for.
    changed: Option<Region>,
}

impl Desk {
    /// A desk with a level that is as its file says.
    pub fn open(kind: &'static dyn GameKind, sketch: Sketch) -> Self {
        // What an empty map does not consist of.
        let (width, height) = kind.usual_size();
        let empty = blank(kind.palette(), width, height);
        let lays = |swatch: &&Swatch| empty.iter().all(|(_, symbol)| *symbol != swatch.symbol);
        let hand = kind.palette().iter().find(lays).map_or('.', |swatch| swatch.symbol);
        Self {
            kind,
            sketch,
            history: History::of_saved(),
            tool: Tool::default(),
            hand,
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

    /// A desk with a level that no file holds yet.
    pub fn unsaved(kind: &'static dyn GameKind, sketch: Sketch) -> Self {
        Self { history: History::default(), ..Self::open(kind, sketch) }
    }

    /// An empty level of a size that the game allows.
    pub fn blank(kind: &'static dyn GameKind, width: usize, height: usize) -> Self {
        let sides = kind.sides();
        let fit = |side: usize| side.clamp(*sides.start(), *sides.end());
        let sketch = Sketch {
            name: format!("New {} level", kind.name()),
            author: String::new(),
            about: String::new(),
            rules: kind.usual_rules(),
            cells: blank(kind.palette(), fit(width), fit(height)),
        };
        Self::open(kind, sketch)
    }

    /// The game.
    pub fn kind(&self) -> &'static dyn GameKind {
        self.kind
    }

    /// The level as it is now, also in the middle of a stroke.
    pub fn sketch(&self) -> &Sketch {
        &self.sketch
    }

    /// The level file as it is now.
    pub fn text(&self) -> String {
        self.kind.text(&self.sketch)
    }

    /// All that was done.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Whether the level is as its file says.
    pub fn is_saved(&self) -> bool {
        self.history.is_saved() && self.stroke.is_none()
    }

    /// Notes that the level was saved as it is.
    pub fn mark_saved(&mut self) {
        self.release();
        self.history.mark_saved();
    }

    /// The next change of a text or a rule is a step of its own.
    pub fn seal(&mut self) {
        self.history.seal();
    }

    /// Grows with every change of the level.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The cells that changed since this was last asked.
    pub fn take_changed(&mut self) -> Option<Region> {
        let (width, height) = self.size();
        self.changed.take()?.clipped(width, height)
    }

    /// The chosen region.
    pub fn selection(&self) -> Option<Region> {
        self.selection
    }

    /// The block that hangs on the pointer.
    pub fn carried(&self) -> Option<&Block> {
        self.carried.as_ref()
    }

    /// Whether a stroke is under way.
    pub fn is_drawing(&self) -> bool {
        self.stroke.is_some()
    }

    /// Where a straight line of Paint or Erase would begin.
    pub fn pen(&self) -> Option<Cell> {
        self.pen
    }

    /// What there is to lay.
    pub fn palette(&self) -> &'static [Swatch] {
        self.kind.palette()
    }

    /// What a character is, if the game has it.
    pub fn swatch(&self, symbol: char) -> Option<&'static Swatch> {
        self.palette().iter().find(|swatch| swatch.symbol == symbol)
    }

    /// Columns and rows of the map.
    pub fn size(&self) -> (usize, usize) {
        (self.sketch.cells.width(), self.sketch.cells.height())
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

    /// Takes a swatch into the hand, and a tool that lays it if the one in the hand does not.
    pub fn take_in_hand(&mut self, symbol: char) {
        self.release();
        self.hand = symbol;
        let piece = self.swatch(symbol).is_some_and(|swatch| swatch.piece.is_some());
        let lays = match self.tool {
            Tool::Paint => true,
            Tool::Line | Tool::Rectangle | Tool::Fill => !piece,
            Tool::Erase | Tool::Move | Tool::Pick | Tool::Select | Tool::Pan => false,
        };
        if !lays {
            self.tool = Tool::Paint;
        }
    }

    /// The cells that a press of Paint or Erase on a cell would change, mirror images left out.
    pub fn under_hand(&self, cell: Cell) -> Vec<Cell> {
        let (width, height) = self.size();
        match self.swatch(self.hand) {
            Some(swatch) if swatch.piece.is_some() && self.tool != Tool::Erase => {
                self.lengths().footprint(swatch, cell, width, height).unwrap_or_default()
            }
            _ => self.brush.offsets().into_iter().map(|offset| cell + offset).collect(),
        }
    }

    /// The pointer is pressed on a cell, which may lie off the map.
    ///
    /// # Errors
    /// If the tool can do nothing there with what is in the hand, in a sentence.
    pub fn press(&mut self, cell: Cell, held: Held) -> Result<(), String> {
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
        let inside = self.sketch.cells.contains(cell);
        let doing = match self.tool {
            Tool::Paint => {
                let swatch = self.swatch(self.hand).ok_or("there is nothing in the hand")?;
                match swatch.piece {
                    Some(_) => Doing::Piece { swatch: *swatch, from: Vec::new() },
                    None => Doing::Freehand(Some(self.hand)),
                }
            }
            Tool::Erase if held.alt => {
                self.fill(cell, None, false);
                return Ok(());
            }
            Tool::Erase => Doing::Freehand(None),
            Tool::Line if held.alt => Doing::Line(None),
            Tool::Line => Doing::Line(Some(self.laid_in_numbers()?)),
            Tool::Rectangle => {
                self.laid_in_numbers()?;
                Doing::Rectangle { filled: self.filled != held.alt }
            }
            Tool::Fill => {
                let symbol = self.laid_in_numbers()?;
                self.fill(cell, Some(symbol), held.shift);
                return Ok(());
            }
            Tool::Move => match self.lift(cell, held) {
                Some(doing) => doing,
                None if inside && !held.alt => {
                    let swatch = self.swatch(self.hand).filter(|swatch| swatch.piece.is_some());
                    let swatch = swatch.ok_or("there is no piece here, and none in the hand")?;
                    Doing::Piece { swatch: *swatch, from: Vec::new() }
                }
                None => return Ok(()),
            },
            Tool::Select => match self.selection {
                Some(region) if region.contains(cell) && !held.shift => Doing::Region {
                    region,
                    block: Block::cut(&self.sketch.cells, region),
                    copy: held.alt,
                },
                _ => {
                    self.selection = None;
                    Doing::Select
                }
            },
            Tool::Pan | Tool::Pick => return Ok(()),
        };
        let straight = matches!(doing, Doing::Freehand(_)) && held.shift;
        let start = self.pen.filter(|_| straight).unwrap_or(cell);
        let marks = Marks::new(self.sketch.cells.len());
        self.stroke = Some(Stroke { doing, first: start, last: start, marks });
        self.drag(cell, held);
        Ok(())
    }

    /// The character in the hand, if more than one of it can be laid at once.
    fn laid_in_numbers(&self) -> Result<char, String> {
        let swatch = self.swatch(self.hand).ok_or("there is nothing in the hand")?;
        match swatch.piece {
            Some(_) => Err(format!(
                "'{}' is a piece: put it with {} or {}",
                swatch.name,
                Tool::Paint.info().name,
                Tool::Move.info().name
            )),
            None => Ok(swatch.symbol),
        }
    }

    fn lengths(&self) -> Lengths<'_> {
        Lengths::of(self.kind.properties(), &self.sketch)
    }

    /// Takes up the piece at a cell.
    fn lift(&mut self, cell: Cell, held: Held) -> Option<Doing> {
        let symbol = *self.sketch.cells.get(cell)?;
        let swatch = *self.swatch(symbol)?;
        swatch.piece?;
        let from = self.lengths().piece_at(&self.sketch.cells, &swatch, cell);
        if held.alt {
            let mut marks = Marks::new(self.sketch.cells.len());
            for cell in from {
                self.clear_into(&mut marks, cell);
            }
            self.commit(&format!("Take away {}", swatch.name), marks);
            return None;
        }
        self.hand = symbol;
        Some(Doing::Piece { swatch, from: if held.shift { Vec::new() } else { from } })
    }

    fn pick(&mut self, cell: Cell) -> Result<(), String> {
        let symbol = *self.sketch.cells.get(cell).ok_or("there is no cell here")?;
        self.swatch(symbol).ok_or_else(|| format!("this game has no cell '{symbol}'"))?;
        self.hand = symbol;
        if self.tool == Tool::Pick {
            self.tool = Tool::Paint;
        }
        Ok(())
    }

    /// The pointer moved while pressed.
    pub fn drag(&mut self, cell: Cell, held: Held) {
        let Some(mut stroke) = self.stroke.take() else { return };
        let before = stroke.marks.area();
        match stroke.doing.clone() {
            Doing::Freehand(symbol) => {
                for at in shapes::line(stroke.last, cell) {
                    self.stamp(&mut stroke.marks, at, symbol);
                }
                stroke.last = cell;
            }
            Doing::Line(symbol) => {
                stroke.marks.restore(&mut self.sketch.cells);
                let to = if held.shift { shapes::straightened(stroke.first, cell) } else { cell };
                for at in shapes::line(stroke.first, to) {
                    self.stamp(&mut stroke.marks, at, symbol);
                }
                stroke.last = to;
            }
            Doing::Rectangle { filled } => {
                stroke.marks.restore(&mut self.sketch.cells);
                let to = if held.shift { shapes::squared(stroke.first, cell) } else { cell };
                self.lay_rectangle(&mut stroke.marks, stroke.first, to, filled);
                stroke.last = to;
            }
            Doing::Piece { swatch, from } => {
                stroke.marks.restore(&mut self.sketch.cells);
                for &at in &from {
                    self.clear_into(&mut stroke.marks, at);
                }
                self.lay_piece(&mut stroke.marks, &swatch, cell, from.is_empty());
                stroke.last = cell;
            }
            Doing::Region { region, block, copy } => {
                stroke.marks.restore(&mut self.sketch.cells);
                let by = cell - stroke.first;
                if !copy && by != Cell::new(0, 0) {
                    region.cells().for_each(|at| self.clear_into(&mut stroke.marks, at));
                }
                let moved = region.moved(by);
                self.lay_block(&mut stroke.marks, &block, moved.min);
                let (width, height) = self.size();
                self.selection = moved.clipped(width, height);
                stroke.last = cell;
            }
            Doing::Select => {
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

    /// The pointer was released: what was drawn becomes one step.
    pub fn release(&mut self) {
        let Some(stroke) = self.stroke.take() else { return };
        let name = |symbol: Option<char>| {
            symbol.and_then(|s| self.swatch(s)).map_or("empty cells", |swatch| swatch.name)
        };
        let label = match &stroke.doing {
            Doing::Freehand(Some(symbol)) => format!("Paint {}", name(Some(*symbol))),
            Doing::Freehand(None) => "Erase".to_owned(),
            Doing::Line(symbol) => format!("Line of {}", name(*symbol)),
            Doing::Rectangle { .. } => format!("Rectangle of {}", name(Some(self.hand))),
            Doing::Piece { swatch, from } if from.is_empty() => format!("Put {}", swatch.name),
            Doing::Piece { swatch, .. } => format!("Move {}", swatch.name),
            Doing::Region { copy: true, .. } => "Copy region".to_owned(),
            Doing::Region { .. } => "Move region".to_owned(),
            Doing::Select => {
                // A click without a drag lets go of the selection.
                if stroke.first == stroke.last {
                    self.selection = None;
                }
                return;
            }
        };
        if matches!(stroke.doing, Doing::Freehand(_)) {
            self.pen = Some(stroke.last);
        }
        self.commit(&label, stroke.marks);
    }

    /// Gives up what is under way: the stroke, the carried block, then the selection. Returns
    /// whether there was any.
    pub fn cancel(&mut self) -> bool {
        if let Some(mut stroke) = self.stroke.take() {
            let area = stroke.marks.area();
            stroke.marks.restore(&mut self.sketch.cells);
            if let Doing::Region { region, .. } = stroke.doing {
                self.selection = Some(region);
            }
            self.touch(area);
            return true;
        }
        self.carried.take().is_some() || self.selection.take().is_some()
    }

    fn commit(&mut self, label: &str, marks: Marks) {
        let change = marks.change(&self.sketch.cells);
        if !change.is_empty() {
            self.touch(marks.area());
            self.history.push(label, change);
            self.history.seal();
        }
    }

    /// Sets one cell, and clears the rest of a longer piece that lay on it.
    fn write(&mut self, marks: &mut Marks, cell: Cell, symbol: char) {
        let Some(&old) = self.sketch.cells.get(cell) else { return };
        if old == symbol {
            return;
        }
        let (width, height) = self.size();
        if let Some(swatch) = self.swatch(symbol)
            && !swatch.place.holds(cell, width, height)
        {
            return;
        }
        if let Some(swatch) = self.swatch(old)
            && swatch.piece.is_some_and(|span| span != Span::One)
        {
            for other in self.lengths().piece_at(&self.sketch.cells, swatch, cell) {
                let empty = background(self.palette(), other, width, height);
                marks.set(&mut self.sketch.cells, other, empty);
            }
        }
        marks.set(&mut self.sketch.cells, cell, symbol);
    }

    fn clear_into(&mut self, marks: &mut Marks, cell: Cell) {
        let (width, height) = self.size();
        let empty = background(self.palette(), cell, width, height);
        self.write(marks, cell, empty);
    }

    fn write_or_clear(&mut self, marks: &mut Marks, cell: Cell, symbol: Option<char>) {
        match symbol {
            Some(symbol) => self.write(marks, cell, symbol),
            None => self.clear_into(marks, cell),
        }
    }

    /// The brush at a cell and at its mirror images.
    fn stamp(&mut self, marks: &mut Marks, at: Cell, symbol: Option<char>) {
        let (width, height) = self.size();
        for offset in self.brush.offsets() {
            for image in self.symmetry.images(at + offset, width, height) {
                self.write_or_clear(marks, image, symbol);
            }
        }
    }

    fn lay_rectangle(&mut self, marks: &mut Marks, a: Cell, b: Cell, filled: bool) {
        let (width, height) = self.size();
        // What lies off the map need not be gone through.
        let near =
            |cell: Cell| Cell::new(cell.x.clamp(-1, width as i32), cell.y.clamp(-1, height as i32));
        for cell in shapes::rectangle(near(a), near(b), filled) {
            for image in self.symmetry.images(cell, width, height) {
                self.write(marks, image, self.hand);
            }
        }
    }

    fn lay_piece(&mut self, marks: &mut Marks, swatch: &Swatch, middle: Cell, mirrored: bool) {
        let (width, height) = self.size();
        let symmetry = match (mirrored, swatch.most) {
            (true, None) => self.symmetry,
            _ => Symmetry::None,
        };
        let Some(own) = self.lengths().footprint(swatch, middle, width, height) else { return };
        if let Some(most) = swatch.most {
            let others: Vec<Cell> = self
                .sketch
                .cells
                .iter()
                .filter(|&(cell, &symbol)| symbol == swatch.symbol && !own.contains(&cell))
                .map(|(cell, _)| cell)
                .collect();
            let most = (most.max(1) - 1) * own.len();
            for &cell in others.iter().take(others.len().saturating_sub(most)) {
                self.clear_into(marks, cell);
            }
        }
        let ways = symmetry.images(Cell::new(0, 0), width, height).count();
        for way in 0..ways {
            let image = |cell: Cell| symmetry.images(cell, width, height).nth(way);
            for cell in own.iter().filter_map(|&cell| image(cell)) {
                // Another piece of the same kind gives way as a whole.
                if self.sketch.cells.get(cell) == Some(&swatch.symbol) {
                    self.clear_into(marks, cell);
                }
            }
            for cell in own.iter().filter_map(|&cell| image(cell)) {
                self.write(marks, cell, swatch.symbol);
            }
        }
    }

    fn lay_block(&mut self, marks: &mut Marks, block: &Block, corner: Cell) {
        for (cell, &symbol) in block.0.iter() {
            self.write(marks, corner + cell, symbol);
        }
    }

    /// Lays on all that hangs together with a cell, or on all cells that hold the same.
    fn fill(&mut self, cell: Cell, symbol: Option<char>, everywhere: bool) {
        let (width, height) = self.size();
        let mut marks = Marks::new(self.sketch.cells.len());
        let mut seeds: Vec<Cell> = self.symmetry.images(cell, width, height).collect();
        if everywhere {
            seeds.truncate(1);
        }
        let Some(&wanted) = self.sketch.cells.get(cell) else { return };
        for seed in seeds {
            // A mirror image of another kind, or one that was reached already, is left alone.
            if Some(wanted) == symbol || self.sketch.cells.get(seed) != Some(&wanted) {
                continue;
            }
            let cells = if everywhere {
                let all = self.sketch.cells.iter().filter(|&(_, &held)| held == wanted);
                all.map(|(cell, _)| cell).collect()
            } else {
                shapes::flood(&self.sketch.cells, seed)
            };
            for cell in cells {
                self.write_or_clear(&mut marks, cell, symbol);
            }
        }
        let name = symbol.and_then(|s| self.swatch(s)).map(|swatch| swatch.name);
        let label = match name {
            Some(name) => format!("Fill with {name}"),
            None => "Erase a patch".to_owned(),
        };
        self.commit(&label, marks);
    }

    /// Chooses a region of the map, or none.
    pub fn select(&mut self, region: Option<Region>) {
        self.release();
        let (width, height) = self.size();
        self.selection = region.and_then(|region| region.clipped(width, height));
    }

    /// Chooses the whole map.
    pub fn select_all(&mut self) {
        let (width, height) = self.size();
        self.select(Some(Region { min: Cell::new(0, 0), width, height }));
    }

    /// Remembers what the selection holds, and gives it as text.
    pub fn copy(&mut self) -> Option<String> {
        self.release();
        let block = Block::cut(&self.sketch.cells, self.selection?);
        let text = block.text();
        self.clipboard = Some(block);
        Some(text)
    }

    /// Remembers what the selection holds and makes its cells empty.
    pub fn cut(&mut self) -> Option<String> {
        let text = self.copy()?;
        self.clear_selection("Cut");
        Some(text)
    }

    /// Makes the cells of the selection empty.
    pub fn delete(&mut self) {
        self.release();
        self.clear_selection("Delete region");
    }

    fn clear_selection(&mut self, label: &str) {
        let Some(region) = self.selection else { return };
        let mut marks = Marks::new(self.sketch.cells.len());
        region.cells().for_each(|cell| self.clear_into(&mut marks, cell));
        self.commit(label, marks);
    }

    /// Hangs a block on the pointer: that of the text, or what was copied last.
    ///
    /// # Errors
    /// If the text holds no cells of this game and nothing was copied.
    pub fn paste(&mut self, text: Option<&str>) -> Result<(), String> {
        self.release();
        let copied = self.clipboard.as_ref();
        let block = match text {
            Some(text) if copied.is_none_or(|block| block.text() != text) => {
                Block::parse(text, self.palette(), MAX_SIDE)?
            }
            _ => copied.cloned().ok_or("nothing was copied yet")?,
        };
        self.carried = Some(block);
        Ok(())
    }

    /// Where a carried block lies when the pointer is on a cell: with its middle there.
    pub fn carried_corner(&self, cell: Cell) -> Option<Cell> {
        let block = self.carried.as_ref()?;
        Some(corner_of(block, cell))
    }

    fn put(&mut self, block: &Block, middle: Cell) {
        let corner = corner_of(block, middle);
        let mut marks = Marks::new(self.sketch.cells.len());
        self.lay_block(&mut marks, block, corner);
        self.commit("Paste", marks);
        let region = Region { min: corner, width: block.0.width(), height: block.0.height() };
        let (width, height) = self.size();
        self.selection = region.clipped(width, height);
    }

    /// Turns the carried block, or what the selection holds; the whole map if there is neither.
    pub fn turn(&mut self, turn: Turn) {
        self.release();
        if let Some(block) = &mut self.carried {
            *block = block.turned(turn, self.kind.palette());
            return;
        }
        let Some(region) = self.selection else {
            let old = self.sketch.cells.clone();
            let block = Block(old).turned(turn, self.palette());
            self.replace_cells(turn.label(), block.0);
            return;
        };
        let block = Block::cut(&self.sketch.cells, region).turned(turn, self.palette());
        let mut marks = Marks::new(self.sketch.cells.len());
        region.cells().for_each(|cell| self.clear_into(&mut marks, cell));
        self.lay_block(&mut marks, &block, region.min);
        let turned = Region { min: region.min, width: block.0.width(), height: block.0.height() };
        let (width, height) = self.size();
        self.selection = turned.clipped(width, height);
        self.commit(turn.label(), marks);
    }

    fn replace_cells(&mut self, label: &str, mut cells: Grid<char>) {
        settle(self.palette(), &mut cells);
        let new = Sketch { cells, ..self.sketch.clone() };
        self.replace(label, new);
    }

    /// Puts another level of the same game in the place of this one, as one step.
    pub fn replace(&mut self, label: &str, new: Sketch) {
        self.release();
        let change = Change::Whole { old: Box::new(self.sketch.clone()), new: Box::new(new) };
        if change.is_empty() {
            return;
        }
        change.apply(&mut self.sketch);
        self.history.push(label, change);
        self.after_whole();
    }

    fn after_whole(&mut self) {
        let (width, height) = self.size();
        self.selection = self.selection.and_then(|region| region.clipped(width, height));
        self.pen = self.pen.filter(|&pen| self.sketch.cells.contains(pen));
        self.touch_all();
    }

    /// Gives the map another size. `anchor` says which part stays where it is: 0, 1 or 2 for left,
    /// middle, right, and for top, middle, bottom.
    ///
    /// # Errors
    /// If the game has no such maps.
    pub fn resize(
        &mut self,
        width: usize,
        height: usize,
        anchor: (usize, usize),
    ) -> Result<(), String> {
        let sides = self.kind.sides();
        if !sides.contains(&width) || !sides.contains(&height) {
            let (least, most) = (sides.start(), sides.end());
            return Err(format!("each side of the map must have {least} to {most} cells"));
        }
        let (old_width, old_height) = self.size();
        let shift = |old: usize, new: usize, anchor: usize| {
            (new as i32 - old as i32) * anchor.min(2) as i32 / 2
        };
        let by = Cell::new(shift(old_width, width, anchor.0), shift(old_height, height, anchor.1));
        self.reframe("Resize", width, height, by);
        Ok(())
    }

    /// Cuts away what is empty all around, but for one cell.
    ///
    /// # Errors
    /// If the map is empty.
    pub fn crop(&mut self) -> Result<(), String> {
        let (width, height) = self.size();
        let palette = self.palette();
        let filled = self
            .sketch
            .cells
            .iter()
            .filter(|&(cell, &symbol)| symbol != background(palette, cell, width, height));
        let content = filled
            .map(|(cell, _)| Region { min: cell, width: 1, height: 1 })
            .reduce(Region::with)
            .ok_or("the map is empty: there is nothing to crop to")?;
        let sides = self.kind.sides();
        let fit = |side: usize| (side + 2).clamp(*sides.start(), *sides.end());
        let by = Cell::new(1, 1) - content.min;
        self.reframe("Crop to content", fit(content.width), fit(content.height), by);
        Ok(())
    }

    fn reframe(&mut self, label: &str, width: usize, height: usize, by: Cell) {
        self.release();
        let old = &self.sketch.cells;
        let cells = Grid::from_fn(width, height, |cell| {
            let empty = || background(self.palette(), cell, width, height);
            old.get(cell - by).copied().unwrap_or_else(empty)
        });
        self.selection = self.selection.map(|region| region.moved(by));
        self.replace_cells(label, cells);
    }

    /// Changes a text about the level.
    pub fn set_text(&mut self, field: Field, text: &str) {
        self.release();
        let change = Change::Text { field, old: field.of(&self.sketch).into(), new: text.into() };
        self.make(format!("{}: {}", field.label(), shortened(text)), change);
    }

    /// Sets a rule from text.
    ///
    /// # Errors
    /// If the rule has no such value.
    pub fn set_rule(&mut self, index: usize, value: &str) -> Result<(), String> {
        self.release();
        let property = self.kind.properties().get(index).ok_or("there is no such rule")?;
        let new = self.kind.rule(property.key, value)?;
        let old = self.sketch.rules.get(index).cloned().unwrap_or_default();
        let label = format!("{}: {new}", property.label());
        self.make(label, Change::Rule { index, old, new });
        Ok(())
    }

    fn make(&mut self, label: String, change: Change) {
        if change.is_empty() {
            return;
        }
        change.apply(&mut self.sketch);
        self.history.push(label, change);
        self.touch(None);
    }

    /// Takes back the last step; `false` if there is none.
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

    /// Does again what was taken back last; `false` if there is nothing.
    pub fn redo(&mut self) -> bool {
        let done = self.history.done();
        done < self.history.steps().len() && {
            self.go_to(done + 1);
            true
        }
    }

    /// Goes to where so many steps are done.
    pub fn go_to(&mut self, done: usize) {
        self.release();
        let width = self.sketch.cells.width();
        let mut area: Option<Region> = None;
        let mut whole = false;
        for (change, _) in self.history.go_to(done, &mut self.sketch) {
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

fn corner_of(block: &Block, middle: Cell) -> Cell {
    middle - Cell::new(block.0.width() as i32 / 2, block.0.height() as i32 / 2)
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
