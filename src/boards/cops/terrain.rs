//! The board as one mesh: the ring on which gates live, the ground, blocks and fine lines.

use crate::app::match_screen::{HAIR, MeshBuilder, Terrain, linear};
use crate::app::shell::theme::Palette;
use bevy::prelude::*;
use outwit_cops::rules::Cops;
use outwit_core::grid::Cell;

/// Width of the line between the board and its ring, in cells.
const BORDER: f32 = 0.1;
/// Width of the edge of a block, in cells.
const BEVEL: f32 = 0.1;

/// Ring, ground and blocks.
fn sheet(game: &Cops, palette: &Palette) -> MeshBuilder {
    let board = game.board();
    let mut builder = MeshBuilder::default();
    let size = Vec2::new(board.width() as f32, board.height() as f32);
    builder.rect(Vec2::splat(-0.06), size + 0.06, 0.0, linear(palette.edge, 0.45));
    builder.rect(Vec2::ZERO, size, 0.2, linear(palette.board, 1.0));
    builder.rect(Vec2::ZERO, size, 0.3, linear(palette.grid, 0.75));
    builder.rect(Vec2::splat(1.0 - BORDER), size - 1.0 + BORDER, 0.4, linear(palette.edge, 0.8));
    builder.rect(Vec2::ONE, size - 1.0, 0.5, linear(palette.ground, 1.0));
    let is_block = |cell: Cell| board.is_inside(cell) && !board.is_floor(cell);
    for y in 1..board.height() as i32 - 1 {
        for x in 1..board.width() as i32 - 1 {
            let cell = Cell::new(x, y);
            if !is_block(cell) {
                continue;
            }
            let low = Vec2::new(x as f32, y as f32);
            // The edge runs round blocks that lie together.
            let inset = |dx, dy| if is_block(cell + Cell::new(dx, dy)) { 0.0 } else { BEVEL };
            let inner = low + Vec2::new(inset(-1, 0), inset(0, -1));
            let outer = low + 1.0 - Vec2::new(inset(1, 0), inset(0, 1));
            builder.rect(low, low + 1.0, 1.0, linear(palette.edge, 1.0));
            builder.rect(inner, outer, 1.1, linear(palette.board, 1.0));
        }
    }
    builder
}

fn hairlines(game: &Cops, palette: &Palette) -> MeshBuilder {
    let mut builder = MeshBuilder::default();
    let (width, height) = (game.board().width() as f32, game.board().height() as f32);
    let colour = linear(palette.edge, 0.3);
    for x in 1..game.board().width() {
        let x = x as f32;
        builder.rect(
            Vec2::new(x - HAIR / 2.0, 0.0),
            Vec2::new(x + HAIR / 2.0, height),
            0.0,
            colour,
        );
    }
    for y in 1..game.board().height() {
        let y = y as f32;
        builder.rect(Vec2::new(0.0, y - HAIR / 2.0), Vec2::new(width, y + HAIR / 2.0), 0.0, colour);
    }
    builder
}

/// The board in a theme.
pub fn terrain(game: &Cops, palette: &Palette) -> Terrain {
    Terrain { ground: sheet(game, palette), lines: hairlines(game, palette) }
}
