//! How much of a board is drawn, by the size of its cells.

use super::colours::opaque;
use super::sketch::Sketch;
use crate::app::shell::theme::Palette;
use bevy::math::Vec2;
use outwit_core::grid::Grid;
use outwit_kit::TileStyle;

/// A level of detail.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Detail {
    /// Cells below 12 pixels: flat ground, one colour of wall, plain marks for pieces.
    Far,
    /// Cells below 32 pixels: faces, shadows and shapes.
    Middle,
    /// Larger cells: everything.
    Near,
}

/// Boards of more cells are never drawn in full detail.
const MOST_CELLS: usize = 20_000;
/// Cells of at least so many pixels are drawn with faces and shadows.
const MIDDLE: f32 = 12.0;
/// Cells of at least so many pixels are drawn in full.
const NEAR: f32 = 32.0;
/// How far beyond a limit a size has to go before the detail that is shown changes.
const HYSTERESIS: f32 = 0.1;

impl Detail {
    /// The detail for cells of so many pixels, on a board of so many cells.
    pub fn at(pixels: f32, cells: usize) -> Self {
        match pixels {
            p if p >= NEAR && cells <= MOST_CELLS => Detail::Near,
            p if p >= MIDDLE => Detail::Middle,
            _ => Detail::Far,
        }
    }

    /// The detail to show next: another one only when the size is clearly beyond the limit, so that it
    /// does not flicker while somebody zooms.
    #[must_use]
    pub fn following(self, pixels: f32, cells: usize) -> Self {
        let less = Self::at(pixels / (1.0 + HYSTERESIS), cells);
        let more = Self::at(pixels * (1.0 + HYSTERESIS), cells);
        if (less..=more).contains(&self) { self } else { Self::at(pixels, cells) }
    }
}

/// The still terrain of a board in one theme and one detail, in cells, y downwards.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Terrain {
    /// The ground and what never hides heat or light.
    pub ground: Sketch,
    /// What stands over heat and light: walls, furniture, goals.
    pub standing: Sketch,
}

/// Flat cells in the colours of their tiles, for boards without a drawing of their own.
pub fn plain_terrain(looks: &Grid<TileStyle>, palette: &Palette) -> Terrain {
    let mut terrain = Terrain::default();
    for (cell, &look) in looks.iter().filter(|(_, look)| **look != TileStyle::Void) {
        let low = Vec2::new(cell.x as f32, cell.y as f32);
        terrain.ground.rect(low, low + 1.0, opaque(palette.look(look)));
    }
    terrain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detail_follows_the_size_and_does_not_flicker() {
        assert_eq!(Detail::at(8.0, 100), Detail::Far);
        assert_eq!(Detail::at(12.0, 100), Detail::Middle);
        assert_eq!(Detail::at(32.0, 100), Detail::Near);
        assert_eq!(Detail::at(96.0, 512 * 512), Detail::Middle);
        assert_eq!(Detail::Middle.following(11.5, 100), Detail::Middle);
        assert_eq!(Detail::Far.following(12.5, 100), Detail::Far);
        assert_eq!(Detail::Far.following(14.0, 100), Detail::Middle);
        assert_eq!(Detail::Near.following(8.0, 100), Detail::Far);
        assert_eq!(Detail::Near.following(33.0, 512 * 512), Detail::Middle);
    }
}
