//! Tables on the obstacles of a level, and rugs.

use super::colours::Manor;
use super::terrain::corner;
use crate::app::drawing::{Detail, Sketch, faded, grain, mixed, opaque};
use crate::app::shell::theme::INK;
use bevy::math::Vec2;
use outwit_core::grid::{Cell, Grid};
use outwit_stealth::GroundTile;

/// How far a table stays inside its cells.
const INSET: f32 = 0.09;
/// Height of a table's front.
const FRONT: f32 = 0.17;

/// A rectangle of cells, from its first cell to its last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    low: Cell,
    high: Cell,
}

impl Block {
    /// Columns and rows.
    fn size(&self) -> (i32, i32) {
        (self.high.x - self.low.x + 1, self.high.y - self.low.y + 1)
    }

    fn meets(&self, other: &Block) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
    }

    /// A cell wider on each side where all cells that are won are free of walls.
    fn grown(self, tiles: &Grid<GroundTile>) -> Self {
        let is_free = |low: Cell, high: Cell| {
            (low.y..=high.y).all(|y| {
                (low.x..=high.x).all(|x| {
                    tiles.get(Cell::new(x, y)).is_some_and(|&tile| tile != GroundTile::Wall)
                })
            })
        };
        let mut block = self;
        let Block { low, high } = block;
        if is_free(Cell::new(low.x - 1, low.y), Cell::new(low.x - 1, high.y)) {
            block.low.x -= 1;
        }
        if is_free(Cell::new(high.x + 1, low.y), Cell::new(high.x + 1, high.y)) {
            block.high.x += 1;
        }
        let left = block.low.x;
        let right = block.high.x;
        if is_free(Cell::new(left, low.y - 1), Cell::new(right, low.y - 1)) {
            block.low.y -= 1;
        }
        if is_free(Cell::new(left, high.y + 1), Cell::new(right, high.y + 1)) {
            block.high.y += 1;
        }
        block
    }
}

/// The obstacles as rectangles, each as wide and then as deep as it goes, or one for each cell.
pub fn blocks(tiles: &Grid<GroundTile>, joined: bool) -> Vec<Block> {
    let mut is_left = tiles.map(|&tile| tile == GroundTile::Obstacle);
    let mut blocks = Vec::new();
    for low in tiles.cells() {
        if !is_left[low] {
            continue;
        }
        let is_open = |is_left: &Grid<bool>, x: i32, y: i32| {
            is_left.get(Cell::new(x, y)).is_some_and(|&left| left)
        };
        let mut high = low;
        if joined {
            while is_open(&is_left, high.x + 1, low.y) {
                high.x += 1;
            }
            while (low.x..=high.x).all(|x| is_open(&is_left, x, high.y + 1)) {
                high.y += 1;
            }
        }
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                is_left[Cell::new(x, y)] = false;
            }
        }
        blocks.push(Block { low, high });
    }
    blocks
}

/// A rectangle, with round corners where they can be seen.
fn plate(
    sketch: &mut Sketch,
    low: Vec2,
    high: Vec2,
    radius: f32,
    colour: [f32; 4],
    detail: Detail,
) {
    match detail {
        Detail::Near => sketch.rounded(low, high, radius, colour),
        Detail::Middle | Detail::Far => sketch.rect(low, high, colour),
    }
}

/// A table, with a cup or a book on each of its cells, because each of them costs something.
pub fn table(sketch: &mut Sketch, block: &Block, colours: &Manor, shadow: bool, detail: Detail) {
    let low = corner(block.low) + INSET;
    let high = corner(block.high) + 1.0 - INSET;
    let [top, lit, front] = colours.wood;
    if detail == Detail::Far {
        sketch.rect(low, high, opaque(lit));
        return;
    }
    if shadow {
        let steps = if detail == Detail::Near { 4_u8 } else { 1 };
        for step in (1..=steps).rev() {
            let by = Vec2::new(0.14, 0.2) * (f32::from(step) / f32::from(steps));
            let ink = faded(colours.walls.shadow, 0.36 / f32::from(steps));
            plate(sketch, low + by, high + by, 0.08, ink, detail);
        }
    }
    plate(sketch, low - 0.03, high + 0.03, 0.08, opaque(INK), detail);
    plate(sketch, low, high, 0.06, opaque(front), detail);
    let edge = Vec2::new(high.x, high.y - FRONT);
    plate(sketch, low, edge, 0.06, opaque(top), detail);
    plate(sketch, low + 0.05, edge - 0.05, 0.04, opaque(lit), detail);
    let (columns, rows) = block.size();
    if detail == Detail::Near {
        let planks = columns * 3;
        for plank in 1..planks {
            let x = low.x + (high.x - low.x) * plank as f32 / planks as f32;
            let line = [Vec2::new(x, low.y + 0.07), Vec2::new(x, edge.y - 0.07)];
            sketch.cut_line(&line, 0.02, opaque(top));
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let cell = block.low + Cell::new(column, row);
            set_table(sketch, cell, colours, detail);
        }
    }
}

/// What stands on one cell of a table.
fn set_table(sketch: &mut Sketch, cell: Cell, colours: &Manor, detail: Detail) {
    let centre = corner(cell) + Vec2::new(0.5, 0.43);
    let at = |x: f32, y: f32| centre + Vec2::new(x, y);
    let is_cup = grain(cell.x, cell.y, 31) < 0.5;
    let [top, _, shade] = colours.wood;
    if detail == Detail::Middle {
        let colour = if is_cup { colours.crockery } else { colours.leather };
        sketch.rect(at(-0.12, -0.12), at(0.12, 0.12), opaque(colour));
    } else if is_cup {
        sketch.disc(at(0.02, 0.03), 0.15, opaque(shade));
        sketch.disc(centre, 0.14, opaque(colours.crockery));
        sketch.disc(centre, 0.08, opaque(mixed(colours.crockery, top, 0.45)));
    } else {
        sketch.rounded(at(-0.13, -0.1), at(0.16, 0.12), 0.02, opaque(shade));
        sketch.rounded(at(-0.15, -0.13), at(0.13, 0.08), 0.02, opaque(colours.leather));
        sketch.rect(at(-0.15, -0.13), at(-0.1, 0.08), opaque(colours.crockery));
    }
}

/// Rugs below large tables and below what is to be stolen.
pub fn rugs(
    sketch: &mut Sketch,
    tiles: &Grid<GroundTile>,
    blocks: &[Block],
    colours: &Manor,
    detail: Detail,
) {
    let is_large = |block: &&Block| {
        let (columns, rows) = block.size();
        columns >= 2 && rows >= 2
    };
    let goals = tiles.iter().filter(|(_, tile)| **tile == GroundTile::Goal);
    let goals = goals.map(|(cell, _)| Block { low: cell, high: cell });
    let mut laid: Vec<Block> = Vec::new();
    for block in goals.chain(blocks.iter().filter(is_large).copied()) {
        let rug = block.grown(tiles);
        let (columns, rows) = rug.size();
        // A faulty level may have any number of goals; a house has a few rugs.
        if laid.len() < 200 && columns + rows > 3 && !laid.iter().any(|other| other.meets(&rug)) {
            laid.push(rug);
        }
    }
    for rug in &laid {
        lay(sketch, rug, colours, detail);
    }
}

fn lay(sketch: &mut Sketch, rug: &Block, colours: &Manor, detail: Detail) {
    let low = corner(rug.low) + 0.16;
    let high = corner(rug.high) + 1.0 - 0.16;
    let [body, border] = colours.rug;
    plate(sketch, low, high, 0.06, faded(body, 0.85), detail);
    sketch.frame(low + 0.1, high - 0.1, 0.04, 0.04, opaque(border));
    if detail != Detail::Near {
        return;
    }
    let fringes = ((high.y - low.y) / 0.12) as i32;
    for fringe in 0..fringes {
        let y = low.y + 0.06 + 0.12 * fringe as f32;
        for x in [low.x - 0.08, high.x] {
            sketch.rect(Vec2::new(x, y - 0.015), Vec2::new(x + 0.08, y + 0.015), opaque(border));
        }
    }
    let (columns, rows) = rug.size();
    let line = faded(colours.grid, 0.5);
    for column in 1..columns {
        let x = (rug.low.x + column) as f32;
        sketch.rect(Vec2::new(x - 0.01, low.y), Vec2::new(x + 0.01, high.y), line);
    }
    for row in 1..rows {
        let y = (rug.low.y + row) as f32;
        sketch.rect(Vec2::new(low.x, y - 0.01), Vec2::new(high.x, y + 0.01), line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(rows: &[&str]) -> Grid<GroundTile> {
        Grid::from_fn(rows[0].len(), rows.len(), |cell| {
            let symbol = char::from(rows[cell.y as usize].as_bytes()[cell.x as usize]);
            GroundTile::from_char(symbol).unwrap()
        })
    }

    #[test]
    fn tables_cover_each_obstacle_once() {
        let tiles = tiles(&["TT.T", "TTT.", ".T.."]);
        for joined in [true, false] {
            let blocks = blocks(&tiles, joined);
            for (cell, &tile) in tiles.iter() {
                let here = Block { low: cell, high: cell };
                let tables = blocks.iter().filter(|block| block.meets(&here)).count();
                assert_eq!(tables, usize::from(tile == GroundTile::Obstacle), "{cell}");
            }
            assert_eq!(blocks.len(), if joined { 4 } else { 7 }, "{blocks:?}");
        }
    }

    #[test]
    fn rugs_end_at_walls() {
        let tiles = tiles(&["....", ".Y.#", "...."]);
        let goal = Block { low: Cell::new(1, 1), high: Cell::new(1, 1) };
        let rug = goal.grown(&tiles);
        assert_eq!(rug, Block { low: Cell::new(0, 0), high: Cell::new(2, 2) });
        let rug = Block { low: Cell::new(2, 1), high: Cell::new(2, 1) }.grown(&tiles);
        assert_eq!(rug, Block { low: Cell::new(1, 0), high: Cell::new(2, 2) });
    }
}
