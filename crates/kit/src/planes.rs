//! Positions as planes of cells: for programs that learn, and for plain pictures.

use super::spec::GameSpec;
use super::tiles::TileKind;
use outwit_core::grid::{Cell, Grid};
use outwit_core::play::Seat;

/// A plane: all the cells in which one thing is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plane {
    /// What is there, as a title.
    pub name: &'static str,
    /// Its character in pictures made of text.
    pub symbol: char,
    /// Its colour (red, green, blue) in pictures.
    pub colour: [u8; 3],
    /// Its silhouette, by file name under `assets/pieces`; `None` for what fills the cell.
    pub silhouette: Option<&'static str>,
}

impl Plane {
    /// What fills a cell.
    pub const fn new(name: &'static str, symbol: char, colour: [u8; 3]) -> Self {
        Self { name, symbol, colour, silhouette: None }
    }

    /// What is drawn as a piece.
    #[must_use]
    pub const fn drawn_as(self, silhouette: &'static str) -> Self {
        Self { silhouette: Some(silhouette), ..self }
    }
}

/// How the positions of a game are shown as planes. In pictures, a later plane covers an earlier one.
pub struct PlaneSpec<G: GameSpec> {
    /// Planes that are the same in all positions of a level.
    pub fixed: fn(&G) -> Vec<Plane>,
    /// Marks the cells of the fixed planes.
    pub mark_fixed: fn(&G, &mut Canvas),
    /// The planes after them.
    pub moving: fn(&G) -> Vec<Plane>,
    /// Marks the cells of the moving planes, which are counted from 0 here, as a seat sees them.
    pub mark_moving: fn(&G, &G::State, Seat, &mut Canvas),
    /// The seat whose view pictures show.
    pub shown_to: fn(&G, &G::State) -> Seat,
}

/// A position as planes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardPlanes {
    /// The planes, bottom to top; the first of them are the same in all positions of a level.
    pub planes: Vec<Plane>,
    /// How many are.
    pub fixed: usize,
    /// Columns of the board.
    pub columns: usize,
    /// Rows of the board.
    pub rows: usize,
    /// 1 where something is: plane after plane, row after row.
    pub marked: Vec<u8>,
}

impl BoardPlanes {
    /// Whether something of a plane is at a cell.
    pub fn is_marked(&self, plane: usize, x: usize, y: usize) -> bool {
        x < self.columns && self.marked.get((plane * self.rows + y) * self.columns + x) == Some(&1)
    }

    /// The topmost plane at a cell that has something there.
    pub fn top(&self, x: usize, y: usize) -> Option<&Plane> {
        (0..self.planes.len())
            .rfind(|&plane| self.is_marked(plane, x, y))
            .map(|plane| &self.planes[plane])
    }

    /// The board as text, one character a cell, and a full stop where nothing is.
    pub fn text(&self) -> String {
        let row =
            |y| (0..self.columns).map(move |x| self.top(x, y).map_or('.', |plane| plane.symbol));
        let rows: Vec<String> = (0..self.rows).map(|y| row(y).collect()).collect();
        rows.join("\n")
    }
}

impl<G: GameSpec> PlaneSpec<G> {
    /// All planes, those that are fixed first.
    pub fn all(&self, game: &G) -> Vec<Plane> {
        let mut planes = (self.fixed)(game);
        planes.extend((self.moving)(game));
        planes
    }

    /// A position as pictures show it.
    pub fn board(&self, game: &G, state: &G::State) -> BoardPlanes {
        let map = game.level().cells(' ');
        let columns = map.width();
        let rows = map.height();
        let planes = self.all(game);
        let fixed = (self.fixed)(game).len();
        let mut marked = vec![0; planes.len() * columns * rows];
        let (still, moving) = marked.split_at_mut(fixed * columns * rows);
        (self.mark_fixed)(game, &mut Canvas::clear(still, (columns, rows)));
        let seat = (self.shown_to)(game, state);
        (self.mark_moving)(game, state, seat, &mut Canvas::clear(moving, (columns, rows)));
        BoardPlanes { planes, fixed, columns, rows, marked }
    }
}

/// Planes to mark cells in. All are of the same size and clear at first.
pub struct Canvas<'a> {
    /// Plane after plane, row after row; 1 where a cell is marked.
    cells: &'a mut [u8],
    columns: usize,
    rows: usize,
}

impl<'a> Canvas<'a> {
    /// Clears these cells, plane after plane and row after row.
    pub fn clear(cells: &'a mut [u8], (columns, rows): (usize, usize)) -> Self {
        cells.fill(0);
        Self { cells, columns, rows }
    }

    /// Marks a cell of a plane. Cells that are not on the board are left out.
    pub fn mark(&mut self, plane: usize, cell: Cell) {
        let (Ok(x), Ok(y)) = (usize::try_from(cell.x), usize::try_from(cell.y)) else { return };
        if x < self.columns && y < self.rows {
            self.mark_index(plane, y * self.columns + x);
        }
    }

    /// Marks the cell with this row-major index.
    pub fn mark_index(&mut self, plane: usize, index: usize) {
        if let Some(marked) = self.cells.get_mut(plane * self.columns * self.rows + index) {
            *marked = 1;
        }
    }

    /// Marks each cell in the plane of its tile.
    pub fn mark_tiles(&mut self, map: &Grid<char>, tiles: &[TileKind]) {
        for (cell, symbol) in map.iter() {
            if let Some(plane) = tiles.iter().position(|tile| tile.symbol == *symbol) {
                self.mark(plane, cell);
            }
        }
    }
}
