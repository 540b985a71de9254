//! Flat coloured shapes of the terrain, gathered into one mesh.

use crate::app::shell::theme::Rgb;
use bevy::asset::RenderAssetUsages;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;

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

    /// Everything as one mesh in the world, where y points upwards.
    pub fn mesh(self) -> Mesh {
        Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
            .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, self.positions)
            .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, self.colours)
            .with_inserted_indices(Indices::U32(self.indices))
    }
}

/// A colour as meshes take it.
pub fn linear(colour: Rgb, alpha: f32) -> [f32; 4] {
    colour.bevy_alpha(alpha).to_linear().to_f32_array()
}
