//! The ground as one mesh: free cells, difficult terrain, obstacles and walls.

use crate::app::match_screen::{HAIR, MeshBuilder, Terrain, linear};
use crate::app::shell::theme::Palette;
use bevy::prelude::*;
use outwit_stealth::{GroundTile, Stealth};

/// Width of the edge between floor and wall, in cells.
const BEVEL: f32 = 0.06;

/// The ground in a theme.
pub fn terrain(game: &Stealth, palette: &Palette) -> Terrain {
    let tiles = game.ground().tiles();
    let (mut ground, mut lines) = (MeshBuilder::default(), MeshBuilder::default());
    let size = Vec2::new(tiles.width() as f32, tiles.height() as f32);
    ground.rect(Vec2::splat(-BEVEL), size + BEVEL, 0.1, linear(palette.edge, 1.0));
    let hair = linear(palette.edge, 0.3);
    for (cell, &tile) in tiles.iter() {
        let low = Vec2::new(cell.x as f32, cell.y as f32);
        let mut rect = |from: [f32; 2], to: [f32; 2], z, colour| {
            ground.rect(low + Vec2::from(from), low + Vec2::from(to), z, colour);
        };
        if tile == GroundTile::Wall {
            rect([0.0, 0.0], [1.0, 1.0], 0.5, linear(palette.line, 1.0));
            continue;
        }
        rect([-BEVEL; 2], [1.0 + BEVEL; 2], 0.6, linear(palette.edge, 1.0));
        rect([0.0, 0.0], [1.0, 1.0], 0.7, linear(palette.ground, 1.0));
        let mark = linear(palette.mark, 1.0);
        match tile {
            // Dots, as on maps for rough ground.
            GroundTile::Difficult => {
                for (x, y) in [(0.22, 0.22), (0.66, 0.3), (0.4, 0.5), (0.18, 0.74), (0.7, 0.7)] {
                    rect([x, y], [x + 0.1, y + 0.1], 1.0, mark);
                }
            }
            // A crate with a cross on its lid.
            GroundTile::Obstacle => {
                rect([0.14, 0.14], [0.86, 0.86], 1.0, mark);
                rect([0.2, 0.2], [0.8, 0.8], 1.1, linear(palette.ground, 1.0));
                rect([0.2, 0.46], [0.8, 0.54], 1.2, mark);
                rect([0.46, 0.2], [0.54, 0.8], 1.2, mark);
            }
            GroundTile::Start | GroundTile::Goal => {
                let colour = if tile == GroundTile::Start { palette.good } else { palette.goal };
                rect([0.06, 0.06], [0.94, 0.94], 1.0, linear(colour, 1.0));
                rect([0.12, 0.12], [0.88, 0.88], 1.1, linear(palette.ground, 1.0));
            }
            GroundTile::Free | GroundTile::Guard | GroundTile::Wall => {}
        }
        lines.rect(low, Vec2::new(low.x + HAIR, low.y + 1.0), 0.0, hair);
        lines.rect(low, Vec2::new(low.x + 1.0, low.y + HAIR), 0.0, hair);
    }
    Terrain { ground, lines }
}
