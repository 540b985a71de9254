//! Flat coloured shapes of the terrain, gathered into one mesh.

use crate::app::shell::theme::{Palette, Rgb};
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

/// Width of the fine lines, in cells.
pub const HAIR: f32 = 0.035;

/// Coloured triangles in board coordinates.
#[derive(Default)]
pub struct MeshBuilder {
    positions: Vec<[f32; 3]>,
    colours: Vec<[f32; 4]>,
    indices: Vec<u32>,
}

impl MeshBuilder {
    /// A convex polygon at height `z`.
    pub fn fan(&mut self, points: &[Vec2], z: f32, colour: [f32; 4]) {
        let first = self.positions.len() as u32;
        for point in points {
            self.positions.push([point.x, -point.y, z]);
            self.colours.push(colour);
        }
        for i in 1..points.len() as u32 - 1 {
            self.indices.extend([first, first + i, first + i + 1]);
        }
    }

    /// A rectangle at height `z`.
    pub fn rect(&mut self, low: Vec2, high: Vec2, z: f32, colour: [f32; 4]) {
        let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
        self.fan(&corners, z, colour);
    }

    /// Lines between all cells of a board of so many columns and rows, at height 0.
    pub fn grid(&mut self, (columns, rows): (usize, usize), colour: [f32; 4]) {
        let (width, height) = (columns as f32, rows as f32);
        let half = HAIR / 2.0;
        for x in (0..=columns).map(|x| x as f32) {
            self.rect(Vec2::new(x - half, 0.0), Vec2::new(x + half, height), 0.0, colour);
        }
        for y in (0..=rows).map(|y| y as f32) {
            self.rect(Vec2::new(0.0, y - half), Vec2::new(width, y + half), 0.0, colour);
        }
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Everything as one mesh in the world, where y points upwards.
    pub fn mesh(self) -> Mesh {
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colours)
            .with_inserted_indices(Indices::U32(self.indices))
    }
}

/// The still terrain of a board, as two meshes.
#[derive(Default)]
pub struct Terrain {
    /// The ground and what stands on it.
    pub ground: MeshBuilder,
    /// Fine lines, hidden where they would run together.
    pub lines: MeshBuilder,
}

/// A colour as meshes take it.
pub fn linear(colour: Rgb, alpha: f32) -> [f32; 4] {
    colour.bevy_alpha(alpha).to_linear().to_f32_array()
}

impl Terrain {
    /// Ground in all cells, with fine lines between them.
    pub fn plain(extent: (usize, usize), palette: &Palette) -> Self {
        let mut terrain = Self::default();
        let size = Vec2::new(extent.0 as f32, extent.1 as f32);
        terrain.ground.rect(Vec2::ZERO, size, 0.0, linear(palette.ground, 1.0));
        terrain.lines.grid(extent, linear(palette.edge, 0.4));
        terrain
    }
}
