//! A place: its ground, the wall round it with its towers, and what stands where blocks are.

use super::colours::Town;
use super::houses::House;
use super::{greenery, ground, houses, water};
use crate::app::drawing::{Detail, Sketch, Terrain, faded, mixed, opaque, walls};
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use outwit_cops::Place;
use outwit_cops::level::CopsFile;
use outwit_core::grid::{Cell, Grid};

/// How far the town wall and blocks throw their shadow, in cells.
const SHADOW: f32 = 0.3;
/// How bright the ground is between its darkest and its brightest cobble.
const EVEN: f32 = 0.35;

/// What a cell is for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lot {
    /// Where people and walls go.
    Street,
    /// A part of the border, on which gates move.
    Border,
    /// A block.
    Block,
}

/// The cells of a level, which may be faulty.
fn lots(level: &CopsFile) -> Grid<Lot> {
    let lot = |cell: Cell, width: usize, height: usize, block: bool| {
        let right = width as i32 - 1;
        let bottom = height as i32 - 1;
        match cell {
            Cell { x, y } if x == 0 || y == 0 || x == right || y == bottom => Lot::Border,
            _ if block => Lot::Block,
            _ => Lot::Street,
        }
    };
    if let Some(size) = level.rules.size {
        let side = size.min(510) as usize + 2;
        return Grid::from_fn(side, side, |cell| lot(cell, side, side, false));
    }
    let cells = level.cells('.');
    let width = cells.width();
    let height = cells.height();
    Grid::from_fn(width, height, |cell| lot(cell, width, height, cells[cell] == '#'))
}

fn corner(cell: Cell) -> Vec2 {
    Vec2::new(cell.x as f32, cell.y as f32)
}

/// Whether blocks that are no houses are water.
fn has_water(place: Place) -> bool {
    matches!(place, Place::Harbour | Place::River)
}

/// Whether all blocks are trees or hedges.
fn has_greenery(place: Place) -> bool {
    matches!(place, Place::Park | Place::Garden)
}

/// The houses of a place, and which cells belong to one. By the water only small ones are houses.
fn houses_of(lots: &Grid<Lot>, place: Place) -> (Vec<House>, Grid<bool>) {
    const LARGEST: i32 = 3;
    if has_greenery(place) {
        return (Vec::new(), lots.map(|_| false));
    }
    let (mut houses, mut housed) = houses::find(lots);
    if has_water(place) {
        houses.retain(|house| {
            let extent = house.last - house.first;
            let is_small = extent.x.max(extent.y) < LARGEST;
            if !is_small {
                house.cells().for_each(|cell| housed[cell] = false);
            }
            is_small
        });
    }
    (houses, housed)
}

/// The place that a level shows.
pub fn terrain(level: &CopsFile, dark: bool, detail: Detail) -> Terrain {
    let place = level.rules.place;
    let town = Town::of_place(dark, place);
    let lots = lots(level);
    let size = Vec2::new(lots.width() as f32, lots.height() as f32);
    let mut ground = Sketch::default();
    if detail != Detail::Far {
        let all = [Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)];
        ground.shadow(&[all.to_vec()], 0.3, |alpha| faded(town.outside, alpha), 0.45);
    }
    let between = if detail == Detail::Near { 0.0 } else { EVEN };
    ground.rect(Vec2::ZERO, size, opaque(mixed(town.ground[0], town.ground[1], between)));
    if detail == Detail::Near {
        for cell in lots.cells().filter(|&cell| lots[cell] == Lot::Street) {
            ground::draw(&mut ground, cell, place, &town);
        }
    }
    let (houses, housed) = houses_of(&lots, place);
    let is_feature = |cell: Cell| lots.get(cell) == Some(&Lot::Block) && !housed[cell];
    if has_water(place) {
        water::draw(&mut ground, &lots, is_feature, &town, detail);
        if detail != Detail::Far {
            water::bridges(&mut ground, &lots, is_feature, &town);
        }
    }
    counting_grid(&mut ground, size, &town, detail);

    let mut standing = Sketch::default();
    let is_wall = !has_water(place) && !has_greenery(place);
    walls(
        &mut standing,
        &lots,
        |cell: Cell| match lots.get(cell) {
            Some(Lot::Border) => true,
            Some(Lot::Block) => is_wall && !housed[cell],
            _ => false,
        },
        &town.walls,
        SHADOW,
        detail,
    );
    for house in &houses {
        house.draw(&mut standing, place, &town, detail);
    }
    match place {
        Place::Park => greenery::trees(&mut standing, &lots, is_feature, &town, detail),
        Place::Garden => greenery::hedges(&mut standing, &lots, is_feature, &town, detail),
        _ => {}
    }
    if detail != Detail::Far && size.min_element() > 2.0 {
        for cell in lots.cells().filter(|&cell| lots[cell] == Lot::Border) {
            merlons(&mut standing, cell, size, &town, detail);
        }
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            tower(&mut standing, Vec2::new(x, y), size, &town);
        }
    }
    Terrain { ground, standing }
}

/// The fine lines between cells by which steps are counted; from afar only each fifth one.
fn counting_grid(sketch: &mut Sketch, size: Vec2, town: &Town, detail: Detail) {
    let (step, half, alpha) = match detail {
        Detail::Far => (5, 0.06, 0.8),
        Detail::Middle => (1, 0.02, 0.8),
        Detail::Near => (1, 0.014, 0.75),
    };
    let colour = faded(town.grid, alpha);
    for x in (1..size.x as i32).step_by(step) {
        let x = x as f32;
        sketch.rect(Vec2::new(x - half, 1.0), Vec2::new(x + half, size.y - 1.0), colour);
    }
    for y in (1..size.y as i32).step_by(step) {
        let y = y as f32;
        sketch.rect(Vec2::new(1.0, y - half), Vec2::new(size.x - 1.0, y + half), colour);
    }
}

/// Two merlons on the outer edge of a part of the town wall.
fn merlons(sketch: &mut Sketch, cell: Cell, size: Vec2, town: &Town, detail: Detail) {
    const WIDE: f32 = 0.32;
    const DEEP: f32 = 0.18;
    let low = corner(cell);
    let left = low.x == 0.0;
    let right = low.x + 1.0 == size.x;
    let top = low.y == 0.0;
    let bottom = low.y + 1.0 == size.y;
    if (left || right) && (top || bottom) {
        return;
    }
    let colour = opaque(mixed(town.walls.top[1], Rgb(255, 255, 255), 0.13));
    let shade = faded(town.walls.edge, 0.35);
    for along in [0.08, 0.58] {
        let (at, extent, inward) = if top {
            (Vec2::new(along, 0.03), Vec2::new(WIDE, DEEP), Vec2::new(0.0, 0.03))
        } else if bottom {
            (Vec2::new(along, 0.43), Vec2::new(WIDE, DEEP), Vec2::new(0.0, -0.03))
        } else if left {
            (Vec2::new(0.03, along), Vec2::new(DEEP, WIDE), Vec2::new(0.03, 0.0))
        } else {
            (Vec2::new(0.97 - DEEP, along), Vec2::new(DEEP, WIDE), Vec2::new(-0.03, 0.0))
        };
        let at = low + at;
        if detail == Detail::Near {
            sketch.rect(at + inward, at + extent + inward, shade);
        }
        sketch.rect(at, at + extent, colour);
    }
}

/// A round tower at a corner. It stands out over the drawing board, never over the town.
fn tower(sketch: &mut Sketch, side: Vec2, size: Vec2, town: &Town) {
    const OUT: Vec2 = Vec2::new(0.11, 0.11);
    let middle = side * (size - 1.0) + 0.5 + (2.0 * side - 1.0) * OUT;
    let raised = middle - Vec2::new(0.0, 0.08);
    for step in 0..4_u8 {
        let by = Vec2::new(0.05, 0.075) * f32::from(step + 1);
        sketch.disc(middle + by, 0.58, faded(town.walls.shadow, 0.14));
    }
    let well = town.walls.side[1];
    let rim = mixed(town.walls.top[0], Rgb(255, 255, 255), 0.36);
    sketch.disc(middle, 0.61, opaque(town.walls.edge));
    sketch.disc(middle, 0.575, opaque(town.walls.side[0]));
    sketch.disc(raised, 0.575, opaque(town.walls.edge));
    sketch.disc(raised, 0.55, opaque(rim));
    sketch.disc(raised, 0.515, opaque(town.walls.top[0]));
    for turn in 0..8_u8 {
        let way = Vec2::from_angle(f32::from(turn) * std::f32::consts::FRAC_PI_4);
        let near = raised + way * 0.38;
        let far = raised + way * 0.5;
        let merlon = opaque(mixed(town.walls.top[1], Rgb(255, 255, 255), 0.13));
        sketch.cut_line(&[near, far], 0.17, merlon);
    }
    sketch.disc(raised, 0.38, opaque(town.walls.edge));
    sketch.disc(raised, 0.355, opaque(well));
    sketch.disc(raised + Vec2::new(0.03, 0.05), 0.28, opaque(mixed(well, town.walls.side[0], 0.6)));
}

#[cfg(test)]
mod tests {
    use super::super::colours::tests::PLACES;
    use super::*;

    fn level(size: Option<u32>, rows: &[&str]) -> CopsFile {
        let map = rows.iter().map(|row| (*row).to_owned()).collect();
        let mut level = crate::boards::tests::level(outwit_cops::level::CopsRules::default(), map);
        level.rules.size = size;
        level
    }

    #[test]
    fn any_level_becomes_a_town() {
        let faulty: [&[&str]; 5] =
            [&[], &["#"], &["##", "="], &["=G=", "#=", "..#.GT"], &["?", "", "-|C####"]];
        for rows in faulty {
            for size in [None, Some(0), Some(u32::MAX)] {
                for detail in [Detail::Far, Detail::Middle] {
                    terrain(&level(size, rows), true, detail);
                }
            }
            for place in PLACES {
                let mut level = level(None, rows);
                level.rules.place = place;
                terrain(&level, false, Detail::Near);
            }
        }
    }

    #[test]
    fn by_the_water_large_blocks_and_odd_ones_are_water() {
        let lots = lots(&level(
            None,
            &[
                "==========",
                "=####.##.=",
                "=......#.=",
                "=.###....=",
                "=.###....=",
                "=.........",
                "==========",
            ],
        ));
        let houses = |place| {
            let (houses, housed) = houses_of(&lots, place);
            (houses.len(), housed.iter().filter(|(_, housed)| **housed).count())
        };
        assert_eq!(houses(Place::Town), (2, 10));
        assert_eq!(houses(Place::River), (1, 6), "the row of four and the bend are water");
        assert_eq!(houses(Place::Park), (0, 0));
    }

    #[test]
    fn blocks_next_to_the_border_are_no_border() {
        let lots = lots(&level(None, &["=====", "=##.=", "=...=", "====="]));
        assert_eq!(lots[Cell::new(1, 1)], Lot::Block);
        assert_eq!(lots[Cell::new(3, 1)], Lot::Street);
        assert_eq!(lots[Cell::new(4, 1)], Lot::Border);
        let count = |lot| lots.iter().filter(|(_, at)| **at == lot).count();
        assert_eq!((count(Lot::Block), count(Lot::Border)), (2, 14));
    }
}
