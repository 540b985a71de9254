//! Rectangles of a map and their content.

use super::edit_error::EditError;
use outwit_core::grid::{Cell, Grid};
use outwit_kit::{TileKind, changed};

/// A rectangle of at least one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its top left cell.
    pub min: Cell,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

impl Region {
    /// The region between two corners.
    pub fn between(a: Cell, b: Cell) -> Self {
        let min = Cell::new(a.x.min(b.x), a.y.min(b.y));
        let width = (a.x - b.x).unsigned_abs() + 1;
        let height = (a.y - b.y).unsigned_abs() + 1;
        Self { min, width: width as usize, height: height as usize }
    }

    /// The last cell in both directions.
    pub fn max(self) -> Cell {
        Cell::new(self.min.x + self.width as i32 - 1, self.min.y + self.height as i32 - 1)
    }

    /// Whether a cell lies in it.
    pub fn contains(self, cell: Cell) -> bool {
        let max = self.max();
        (self.min.x..=max.x).contains(&cell.x) && (self.min.y..=max.y).contains(&cell.y)
    }

    /// The part of it inside a map of this size, if any.
    pub fn clipped(self, width: usize, height: usize) -> Option<Self> {
        let max = self.max();
        let min = Cell::new(self.min.x.max(0), self.min.y.max(0));
        let max = Cell::new(max.x.min(width as i32 - 1), max.y.min(height as i32 - 1));
        (min.x <= max.x && min.y <= max.y).then(|| Self::between(min, max))
    }

    /// The smallest region that contains both.
    pub fn with(self, other: Self) -> Self {
        let a = self.max();
        let b = other.max();
        Self::between(
            Cell::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            Cell::new(a.x.max(b.x), a.y.max(b.y)),
        )
    }

    /// The region of the same size, moved by so many columns and rows.
    pub fn moved(self, by: Cell) -> Self {
        Self { min: self.min + by, ..self }
    }

    /// All its cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.height as i32)
            .flat_map(move |y| (0..self.width as i32).map(move |x| self.min + Cell::new(x, y)))
    }
}

/// The content of a region, copied from a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block(pub Grid<char>);

/// A way to turn or mirror a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockTransform {
    /// A quarter turn clockwise.
    Clockwise,
    /// Left becomes right.
    LeftRight,
    /// Top becomes bottom.
    TopBottom,
}

impl BlockTransform {
    /// Its name in the list of changes.
    pub fn label(self) -> &'static str {
        match self {
            BlockTransform::Clockwise => "Rotate",
            BlockTransform::LeftRight => "Mirror left and right",
            BlockTransform::TopBottom => "Mirror top and bottom",
        }
    }
}

impl Block {
    /// Copies a region of a map. The region must lie on the map.
    pub fn cut(cells: &Grid<char>, region: Region) -> Self {
        Self(Grid::from_fn(region.width, region.height, |cell| cells[region.min + cell]))
    }

    /// The block turned; tiles with a direction turn with it.
    pub fn turned(&self, turn: BlockTransform, palette: &[TileKind]) -> Self {
        let width = self.0.width() as i32;
        let height = self.0.height() as i32;
        let cells = &self.0;
        let turned = |symbol| changed(palette, symbol, |tile| tile.turned);
        let mirrored = |symbol| changed(palette, symbol, |tile| tile.mirrored);
        Self(match turn {
            BlockTransform::Clockwise => Grid::from_fn(cells.height(), cells.width(), |cell| {
                turned(cells[Cell::new(cell.y, height - 1 - cell.x)])
            }),
            BlockTransform::LeftRight => Grid::from_fn(cells.width(), cells.height(), |cell| {
                mirrored(cells[Cell::new(width - 1 - cell.x, cell.y)])
            }),
            // Left and right exchanged, and then half a turn.
            BlockTransform::TopBottom => Grid::from_fn(cells.width(), cells.height(), |cell| {
                turned(turned(mirrored(cells[Cell::new(cell.x, height - 1 - cell.y)])))
            }),
        })
    }

    /// The block as lines of text, one character per cell.
    pub fn text(&self) -> String {
        let rows = self.0.as_slice().chunks(self.0.width().max(1));
        rows.map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    /// Reads what [`Block::text`] wrote, or any rows of a game's characters.
    ///
    /// # Errors
    /// If there are no cells, too many, or a character that the game does not know.
    pub fn parse(text: &str, palette: &[TileKind], most: usize) -> Result<Self, EditError> {
        let rows: Vec<Vec<char>> = text
            .lines()
            .map(|row| row.trim_end_matches('\r').chars().collect())
            .take(most + 1)
            .collect();
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        if width == 0 {
            return Err(EditError::NoCells);
        }
        if width > most || rows.len() > most {
            return Err(EditError::TextTooLarge(most));
        }
        for (y, row) in rows.iter().enumerate() {
            if let Some(x) = row.iter().position(|c| !palette.iter().any(|s| s.symbol == *c)) {
                let line = y + 1;
                let column = x + 1;
                let character = row[x];
                return Err(EditError::UnknownInText { line, column, character });
            }
        }
        let empty = palette.first().map_or('.', |tile| tile.symbol);
        Ok(Self(Grid::from_fn(width, rows.len(), |cell| {
            rows[cell.y as usize].get(cell.x as usize).copied().unwrap_or(empty)
        })))
    }
}
