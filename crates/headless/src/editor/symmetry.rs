//! Symmetries that mirror strokes while they are drawn.

use outwit_core::grid::Cell;
use outwit_kit::{TileKind, changed};

/// Where the mirror images of a drawn cell appear.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetry {
    /// Nowhere.
    #[default]
    None,
    /// Left and right.
    LeftRight,
    /// Above and below.
    TopBottom,
    /// In all four quarters.
    Both,
    /// Rotated by half a turn about the middle.
    HalfTurn,
}

impl Symmetry {
    /// All of them, with their names.
    pub const ALL: [(Symmetry, &'static str); 5] = [
        (Symmetry::None, "No symmetry"),
        (Symmetry::LeftRight, "Left and right"),
        (Symmetry::TopBottom, "Top and bottom"),
        (Symmetry::Both, "Both ways"),
        (Symmetry::HalfTurn, "Half-turn"),
    ];

    /// The next one, cyclically.
    pub fn next(self) -> Self {
        let at = Self::ALL.iter().position(|(one, _)| *one == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()].0
    }

    /// The images of a cell on a map of this size, the cell itself first. Some may be the same cell.
    pub fn images(self, cell: Cell, width: usize, height: usize) -> impl Iterator<Item = Cell> {
        let right = width as i32 - 1 - cell.x;
        let bottom = height as i32 - 1 - cell.y;
        let left_right = Cell::new(right, cell.y);
        let top_bottom = Cell::new(cell.x, bottom);
        let turned = Cell::new(right, bottom);
        let (images, count) = match self {
            Symmetry::None => ([cell; 4], 1),
            Symmetry::LeftRight => ([cell, left_right, cell, cell], 2),
            Symmetry::TopBottom => ([cell, top_bottom, cell, cell], 2),
            Symmetry::Both => ([cell, left_right, top_bottom, turned], 4),
            Symmetry::HalfTurn => ([cell, turned, cell, cell], 2),
        };
        images.into_iter().take(count)
    }

    /// The tile that a tile becomes in an image, by the place of that image in
    /// [`images`](Self::images): tiles with a direction turn with it.
    pub fn tile(self, image: usize, symbol: char, palette: &[TileKind]) -> char {
        let turned = |symbol| changed(palette, symbol, |tile| tile.turned);
        let mirrored = |symbol| changed(palette, symbol, |tile| tile.mirrored);
        let half_turn = |symbol| turned(turned(symbol));
        match (self, image) {
            (_, 0) => symbol,
            (Symmetry::LeftRight | Symmetry::Both, 1) => mirrored(symbol),
            (Symmetry::TopBottom, _) | (Symmetry::Both, 2) => half_turn(mirrored(symbol)),
            _ => half_turn(symbol),
        }
    }
}
