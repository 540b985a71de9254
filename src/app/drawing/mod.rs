//! Flat drawings of boards and pieces: coloured triangles in painter's order, made once for each level of
//! detail and shown as a mesh of the board, as a picture on a card, or on a panel.

mod colours;
mod contour;
mod detail;
mod picture;
mod sketch;
mod walls;

pub use colours::{Ink4, egui_colour, faded, from_hex, grain, mixed, opaque, unfaded};
pub use contour::{Region, relaxed};
pub use detail::{Detail, Terrain, plain_terrain};
pub use picture::{picture, sprite};
pub use sketch::Sketch;
pub use walls::{WALL_HEIGHT, WallColours, flat_region, walls};
