//! Houses: rectangles of blocks, in a town with hipped roofs, exactly as large as their blocks.

use super::blocks;
use super::colours::Town;
use super::terrain::Lot;
use crate::app::drawing::{Detail, Sketch, faded, grain, mixed, opaque};
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use outwit_cops::Place;
use outwit_core::grid::{Cell, FOUR, Grid};

/// Height of the south face, in cells.
const FACE: f32 = 0.3;
/// Distance from the border of the blocks.
pub const INSET: f32 = 0.05;

/// A rectangle of blocks that touches no other block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct House {
    /// Its upper left cell.
    pub first: Cell,
    /// Its lower right cell.
    pub last: Cell,
}

/// All houses of a town, and which cells belong to one.
pub fn find(lots: &Grid<Lot>) -> (Vec<House>, Grid<bool>) {
    let is_block = |cell: Cell| lots.get(cell) == Some(&Lot::Block);
    let mut seen = lots.map(|_| false);
    let mut housed = lots.map(|_| false);
    let mut houses = Vec::new();
    for start in lots.cells().filter(|&cell| is_block(cell)) {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut together = vec![start];
        let mut first = start;
        let mut last = start;
        let mut next = 0;
        while let Some(&cell) = together.get(next) {
            next += 1;
            first = Cell::new(first.x.min(cell.x), first.y.min(cell.y));
            last = Cell::new(last.x.max(cell.x), last.y.max(cell.y));
            for &step in &FOUR {
                let beside = cell + step;
                if is_block(beside) && !std::mem::replace(&mut seen[beside], true) {
                    together.push(beside);
                }
            }
        }
        let extent = last - first;
        if together.len() as i64 == i64::from(extent.x + 1) * i64::from(extent.y + 1) {
            houses.push(House { first, last });
            for cell in together {
                housed[cell] = true;
            }
        }
    }
    (houses, housed)
}

/// The shadow of a building on the ground.
pub fn shade(sketch: &mut Sketch, low: Vec2, high: Vec2, town: &Town) {
    for step in (1..=5_u8).rev() {
        let by = Vec2::new(0.6, 1.0) * f32::from(step) * 0.07;
        sketch.rect(low + by, high + by, faded(town.walls.shadow, 0.15));
    }
}

/// The line along the edge of a roof, which catches the light.
pub fn eaves(town: &Town) -> Rgb {
    mixed(town.roof[0], Rgb(255, 255, 255), 0.36)
}

impl House {
    /// Its upper left and lower right corners, so far inside its blocks.
    pub fn corners(&self, inset: f32) -> (Vec2, Vec2) {
        let low = Vec2::new(self.first.x as f32, self.first.y as f32);
        let high = Vec2::new(self.last.x as f32, self.last.y as f32) + 1.0;
        (low + inset, high - inset)
    }

    /// Draws what stands on these blocks in a place.
    pub fn draw(&self, sketch: &mut Sketch, place: Place, town: &Town, detail: Detail) {
        if detail == Detail::Far {
            let (low, high) = self.corners(0.0);
            sketch.rect(low, high, opaque(town.walls.top[0]));
            let line = rectangle(low + 0.11, high - 0.11);
            sketch.outline(&line, 0.22, opaque(town.walls.line));
            return;
        }
        match place {
            Place::City => return blocks::flat_roof(sketch, self, town, detail),
            Place::Market => return blocks::stall(sketch, self, town, detail),
            Place::Station => return blocks::wagon(sketch, self, town, detail),
            Place::Town | Place::Harbour | Place::River | Place::Park | Place::Garden => {}
        }
        let (low, high) = self.corners(INSET);
        shade(sketch, low, high, town);
        self.face(sketch, low, high, town);
        let high = high - Vec2::new(0.0, FACE);
        let roof = self.roof(sketch, low, high, town);
        let steep = (high - low).min_element() / 2.0;
        if detail == Detail::Near {
            const COURSE: f32 = 0.22;
            let mut inset = COURSE;
            while inset < steep - 0.05 {
                let line = faded(town.walls.edge, 0.28);
                sketch.outline(&rectangle(low + inset, high - inset), 0.025, line);
                inset += COURSE;
            }
        }
        sketch.cut_line(&roof, 0.05, opaque(eaves(town)));
        sketch.outline(&rectangle(low + 0.05, high - 0.05), 0.08, opaque(town.walls.line));
        sketch.outline(&rectangle(low, high), 0.02, opaque(town.walls.edge));
        if detail == Detail::Near && self.chance(7) < 0.6 {
            chimney(sketch, low + (high - low) * Vec2::new(0.25, 0.14), town);
        }
    }

    /// Its cells.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let House { first, last } = *self;
        (first.y..=last.y).flat_map(move |y| (first.x..=last.x).map(move |x| Cell::new(x, y)))
    }

    /// An even-looking number for the house and a purpose.
    pub fn chance(&self, purpose: u32) -> f32 {
        grain(self.first.x, self.first.y, purpose)
    }

    /// What its roof is tinted with.
    pub fn tint(&self, town: &Town) -> Rgb {
        town.tiles[(self.chance(5) * 3.0) as usize % 3]
    }

    /// The south face with its windows and, if it is wide enough, a door.
    fn face(&self, sketch: &mut Sketch, low: Vec2, high: Vec2, town: &Town) {
        let top = high.y - FACE;
        sketch.rect(low, high, opaque(town.walls.side[0]));
        sketch.rect(Vec2::new(low.x, top + FACE * 0.6), high, opaque(town.walls.side[1]));
        let places = ((high.x - low.x) / 0.7) as i32;
        let door = if places > 1 { (self.chance(8) * places as f32) as i32 } else { -1 };
        for n in 0..places {
            let x = low.x + (high.x - low.x) * (n as f32 + 0.5) / places as f32;
            if n == door {
                let left = Vec2::new(x - 0.075, top + 0.08);
                let right = Vec2::new(x + 0.075, high.y);
                sketch.rect(left, right, opaque(town.walls.edge));
            } else if grain(self.first.x + n, self.first.y, 3) < 0.62 {
                let at = Vec2::new(x, top + FACE * 0.47);
                let half = Vec2::new(0.08, 0.075);
                sketch.rect(at - half - 0.02, at + half + 0.02, opaque(town.walls.edge));
                sketch.rect(at - half, at + half, opaque(town.window));
            }
        }
    }

    /// The four slopes; returns the ends of the ridge.
    fn roof(&self, sketch: &mut Sketch, low: Vec2, high: Vec2, town: &Town) -> [Vec2; 2] {
        let tint = self.tint(town);
        let colour = |n: usize| opaque(mixed(town.roof[n], tint, 0.34));
        let extent = high - low;
        let steep = extent.min_element() / 2.0;
        let [a, b, c, d] = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
        let one = low + steep;
        let other = high - steep;
        if extent.x >= extent.y {
            sketch.fan(&[a, b, other, one], colour(0));
            sketch.fan(&[d, c, other, one], colour(2));
            sketch.fan(&[a, d, one], colour(1));
            sketch.fan(&[b, c, other], colour(3));
        } else {
            sketch.fan(&[a, d, other, one], colour(0));
            sketch.fan(&[b, c, other, one], colour(3));
            sketch.fan(&[a, b, one], colour(1));
            sketch.fan(&[d, c, other], colour(2));
        }
        [one, other]
    }
}

fn rectangle(low: Vec2, high: Vec2) -> [Vec2; 4] {
    [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)]
}

fn chimney(sketch: &mut Sketch, at: Vec2, town: &Town) {
    let high = at + Vec2::new(0.22, 0.26);
    sketch.rect(
        at + Vec2::new(0.07, 0.12),
        high + Vec2::new(0.07, 0.12),
        faded(town.walls.shadow, 0.4),
    );
    sketch.rect(at - 0.015, high + 0.015, opaque(town.walls.edge));
    sketch.rect(at, high, opaque(town.brick_face[0]));
    sketch.rect(at, Vec2::new(high.x, at.y + 0.15), opaque(town.brick[1]));
    sketch.rect(at + 0.05, Vec2::new(high.x - 0.05, at.y + 0.1), opaque(town.brick_face[1]));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lots(rows: &[&str]) -> Grid<Lot> {
        Grid::from_fn(rows[0].len(), rows.len(), |cell| {
            if rows[cell.y as usize].as_bytes()[cell.x as usize] == b'#' {
                Lot::Block
            } else {
                Lot::Street
            }
        })
    }

    #[test]
    fn houses_are_exactly_rectangles_of_blocks() {
        let (houses, housed) = find(&lots(&["##...#", "##.#..", "...##."]));
        let house = |a: (i32, i32), b: (i32, i32)| House {
            first: Cell::new(a.0, a.1),
            last: Cell::new(b.0, b.1),
        };
        assert_eq!(houses, [house((0, 0), (1, 1)), house((5, 0), (5, 0))]);
        assert_eq!(housed.iter().filter(|(_, housed)| **housed).count(), 5);
    }

    #[test]
    fn nothing_of_a_house_but_its_shadow_leaves_its_blocks() {
        let house = House { first: Cell::new(2, 3), last: Cell::new(3, 3) };
        for place in [Place::Town, Place::City, Place::Market, Place::Station] {
            let mut sketch = Sketch::default();
            house.draw(&mut sketch, place, &Town::of_place(true, place), Detail::Near);
            for corner in sketch.triangles().filter(|three| three[0].1[3] == 1.0).flatten() {
                let at = corner.0;
                let is_inside = (2.0..=4.0).contains(&at.x) && (3.0..=4.0).contains(&at.y);
                assert!(is_inside, "{place:?}: {at}");
            }
        }
    }
}
