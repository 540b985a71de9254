//! Walls that have height: a shadow on the floor, a top face and below it a side face, inside their cells.

use super::colours::{faded, mixed, opaque};
use super::contour::Region;
use super::detail::Detail;
use super::sketch::Sketch;
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use outwit_core::grid::{Cell, Grid};

/// The colours of walls.
#[derive(Clone, Copy, Debug)]
pub struct WallColours {
    /// The top face and its middle.
    pub top: [Rgb; 2],
    /// The side face and its lower half.
    pub side: [Rgb; 2],
    /// Lines along borders.
    pub edge: Rgb,
    /// The shadow on the floor.
    pub shadow: Rgb,
    /// The line along walls that are seen from afar, where they have no faces.
    pub line: Rgb,
}

/// Height of the side face, in cells.
pub const WALL_HEIGHT: f32 = 0.375;

/// Draws cells as they are seen from afar: in one colour, with a line of some width along the inside of their border.
pub fn flat_region(sketch: &mut Sketch, region: &Region, fill: Rgb, (width, line): (f32, Rgb)) {
    sketch.area(&region.outlines(0.0, 0.0), opaque(fill));
    for outline in region.outlines(-width / 2.0, 0.0) {
        sketch.outline(&outline, width, opaque(line));
    }
}

/// Draws walls on all cells for which `is_wall` holds, with a shadow that reaches so many cells.
pub fn walls<T>(
    sketch: &mut Sketch,
    grid: &Grid<T>,
    is_wall: impl Fn(Cell) -> bool,
    colours: &WallColours,
    shadow: f32,
    detail: Detail,
) {
    let region = Region::of(grid, &is_wall);
    let top = opaque(colours.top[0]);
    if detail == Detail::Far {
        /// Wide enough for a pixel where cells have few.
        const LINE: f32 = 0.22;
        flat_region(sketch, &region, colours.top[0], (LINE, colours.line));
        return;
    }
    let whole = region.outlines(0.0, 0.06);
    sketch.shadow(&whole, shadow, |alpha| faded(colours.shadow, alpha), 0.42);
    sketch.area(&whole, opaque(colours.side[0]));
    let line = faded(colours.edge, 0.35);
    for cell in grid.cells().filter(|&cell| is_wall(cell) && !is_wall(cell + Cell::new(0, 1))) {
        let low = Vec2::new(cell.x as f32, cell.y as f32 + 1.0 - WALL_HEIGHT);
        let half = low.y + WALL_HEIGHT * 0.5;
        sketch.rect(
            Vec2::new(low.x, low.y + WALL_HEIGHT * 0.55),
            Vec2::new(low.x + 1.0, low.y + WALL_HEIGHT),
            opaque(colours.side[1]),
        );
        if detail == Detail::Near {
            sketch.cut_line(&[Vec2::new(low.x, half), Vec2::new(low.x + 1.0, half)], 0.018, line);
            for joint in [0.25, 0.75] {
                let x = low.x + joint;
                sketch.cut_line(&[Vec2::new(x, low.y), Vec2::new(x, half)], 0.018, line);
                let x = (x + 0.25).min(low.x + 0.99);
                let end = low.y + WALL_HEIGHT;
                sketch.cut_line(&[Vec2::new(x, half), Vec2::new(x, end)], 0.018, line);
            }
        }
    }
    let face = region.raised(WALL_HEIGHT, 0.0, 0.05);
    sketch.area(&face, top);
    sketch.area(&region.raised(WALL_HEIGHT, -0.09, 0.03), opaque(colours.top[1]));
    // The rim catches the light, so that walls stand out from any floor. Where cells are small, it has the colour
    // that they have from afar, and more than a pixel.
    let lit = mixed(colours.top[0], Rgb(255, 255, 255), 0.5);
    let (rim, thin, inset) =
        if detail == Detail::Near { (lit, 0.05, 0.04) } else { (colours.line, 0.075, 0.055) };
    let rim = opaque(rim);
    for outline in region.raised(WALL_HEIGHT, -inset, 0.04) {
        sketch.outline(&outline, thin, rim);
    }
    for outline in &face {
        sketch.outline(outline, 0.03, opaque(colours.edge));
    }
}
