//! The outline of a set of cells.

use bevy::math::Vec2;
use outwit_core::grid::{Cell, Grid};
use std::collections::HashMap;

/// A set of cells as its closed outlines: lists of corners on the grid, the cells on the right hand as
/// seen with y downwards. Cells that only touch at a corner stay apart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    loops: Vec<Vec<Cell>>,
}

impl Region {
    /// The region of all cells of a grid for which `inside` holds.
    pub fn of<T>(grid: &Grid<T>, inside: impl Fn(Cell) -> bool) -> Self {
        // From each corner, the borders that begin there.
        let mut borders: HashMap<(i32, i32), Vec<(i32, i32)>> = HashMap::new();
        let mut starts = Vec::new();
        for cell in grid.cells().filter(|&cell| inside(cell)) {
            let x = cell.x;
            let y = cell.y;
            for (beside, from, to) in [
                ((x, y - 1), (x, y), (x + 1, y)),
                ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
                ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
                ((x - 1, y), (x, y + 1), (x, y)),
            ] {
                let beside = Cell::new(beside.0, beside.1);
                if grid.get(beside).is_none() || !inside(beside) {
                    borders.entry(from).or_default().push(to);
                    starts.push(from);
                }
            }
        }
        let mut loops = Vec::new();
        for start in starts {
            while let Some(first) = borders.get_mut(&start).and_then(Vec::pop) {
                let mut line = vec![Cell::new(start.0, start.1)];
                let mut from = start;
                let mut at = first;
                while at != start {
                    line.push(Cell::new(at.0, at.1));
                    let way = (at.0 - from.0, at.1 - from.1);
                    let Some(nexts) = borders.get_mut(&at) else { break };
                    // Where two cells meet only at this corner, turn right and stay with the same one.
                    let right = (at.0 - way.1, at.1 + way.0);
                    let choice = nexts.iter().position(|&next| next == right).unwrap_or(0);
                    if nexts.is_empty() {
                        break;
                    }
                    (from, at) = (at, nexts.swap_remove(choice));
                }
                loops.push(line);
            }
        }
        Self { loops }
    }

    /// The closed outlines, one point for each border between two cells' corners.
    pub fn steps(&self) -> impl Iterator<Item = Vec<Vec2>> + '_ {
        self.loops.iter().map(move |line| {
            line.iter().map(|cell| Vec2::new(cell.x as f32, cell.y as f32)).collect()
        })
    }

    /// The closed outlines with a point at each corner only, `grown` cells larger all round and with
    /// corners rounded by `radius` cells.
    pub fn outlines(&self, grown: f32, radius: f32) -> Vec<Vec<Vec2>> {
        self.steps().map(|line| rounded(&moved(&corners(&line), grown), radius)).collect()
    }

    /// The same outlines where all sides that look down are moved up by `height` cells: the top faces of
    /// walls that are as high.
    pub fn raised(&self, height: f32, grown: f32, radius: f32) -> Vec<Vec<Vec2>> {
        let raise = |line: Vec<Vec2>| -> Vec<Vec2> {
            let line = corners(&line);
            let n = line.len();
            (0..n)
                .map(|i| {
                    let before = line[(i + n - 1) % n];
                    let at = line[i];
                    let after = line[(i + 1) % n];
                    let (from, to) = if before.y == at.y { (before, at) } else { (at, after) };
                    // With the cells on the right hand, a side that looks down runs to the left.
                    if to.x < from.x { at - Vec2::new(0.0, height) } else { at }
                })
                .collect()
        };
        self.steps().map(|line| rounded(&moved(&raise(line), grown), radius)).collect()
    }
}

fn corners(line: &[Vec2]) -> Vec<Vec2> {
    let n = line.len();
    let turns = |i: usize| {
        let before = line[(i + n - 1) % n];
        let at = line[i];
        let after = line[(i + 1) % n];
        (at - before).perp_dot(after - at) != 0.0
    };
    (0..n).filter(|&i| turns(i)).map(|i| line[i]).collect()
}

/// Moves all sides outwards.
fn moved(line: &[Vec2], by: f32) -> Vec<Vec2> {
    let n = line.len();
    let way = |from: Vec2, to: Vec2| (to - from).normalize_or_zero();
    (0..n)
        .map(|i| {
            let before = line[(i + n - 1) % n];
            let at = line[i];
            let after = line[(i + 1) % n];
            let a = way(before, at);
            let b = way(at, after);
            at + by * Vec2::new(a.y + b.y, -(a.x + b.x))
        })
        .collect()
}

fn rounded(line: &[Vec2], radius: f32) -> Vec<Vec2> {
    const SLICES: u8 = 4;
    if radius <= 0.0 {
        return line.to_vec();
    }
    let n = line.len();
    let mut points = Vec::with_capacity(n * (usize::from(SLICES) + 1));
    for i in 0..n {
        let before = line[(i + n - 1) % n];
        let at = line[i];
        let after = line[(i + 1) % n];
        let toward = |other: Vec2| {
            let way = other - at;
            at + way.normalize_or_zero() * radius.min(way.length() / 2.0)
        };
        let from = toward(before);
        let to = toward(after);
        for slice in 0..=SLICES {
            let t = f32::from(slice) / f32::from(SLICES);
            points.push(from.lerp(at, t).lerp(at.lerp(to, t), t));
        }
    }
    points
}

/// A line whose points all stay within this distance of where they were passes no cell's middle and comes no
/// nearer than [`CLEAR`]: from the line through the middles of sides, cut short at corners, it is √½/2 away.
const SAFE: f32 = 0.32;

/// The least distance between a smooth line and the middle of a cell: room for a line that is drawn with fewer
/// points.
const CLEAR: f32 = 0.033;

/// A smooth line through the middles of an outline's sides, averaged so many times, where no point moves
/// by more than `most` cells. The middle of every cell stays on its side of the line: points that would pass
/// one are held back.
pub fn relaxed(steps: &[Vec2], rounds: usize, most: f32) -> Vec<Vec2> {
    const SPLIT: u8 = 3;
    let n = steps.len();
    let mut home = Vec::with_capacity(n * usize::from(SPLIT));
    for i in 0..n {
        let middle = (steps[i] + steps[(i + 1) % n]) / 2.0;
        let next = (steps[(i + 1) % n] + steps[(i + 2) % n]) / 2.0;
        for part in 0..SPLIT {
            home.push(middle.lerp(next, f32::from(part) / f32::from(SPLIT)));
        }
    }
    let m = home.len();
    let mut line = home.clone();
    for _ in 0..rounds {
        line = (0..m)
            .map(|i| {
                let at = |by: usize| line[(i + m + by - 2) % m];
                let mean = (at(0) + 2.0 * at(1) + 2.0 * at(2) + 2.0 * at(3) + at(4)) / 8.0;
                home[i] + (mean - home[i]).clamp_length_max(most)
            })
            .collect();
    }
    hold_back(&home, &mut line);
    line
}

/// Holds back the points of every stretch that swept over a cell's middle on its way from home.
fn hold_back(home: &[Vec2], line: &mut [Vec2]) {
    let m = home.len();
    loop {
        let mut held = false;
        for i in 0..m {
            let next = (i + 1) % m;
            if !passes_a_middle([home[i], home[next]], [line[i], line[next]]) {
                continue;
            }
            for point in [i, next] {
                let by = line[point] - home[point];
                if by.length() > SAFE {
                    line[point] = home[point] + by.clamp_length_max(SAFE * 0.999);
                    held = true;
                }
            }
        }
        if !held {
            return;
        }
    }
}

/// Whether a stretch that moved swept over the middle of a cell, or came to lie too close to one.
fn passes_a_middle(from: [Vec2; 2], to: [Vec2; 2]) -> bool {
    let swept = [from[0], from[1], to[1], to[0]];
    let at = from[0].floor();
    (-2..=2).any(|y| {
        (-2..=2).any(|x| {
            let middle = at + Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            is_inside(&swept, middle) || distance(middle, to) < CLEAR
        })
    })
}

/// How far a place is from a straight line between two points.
fn distance(place: Vec2, [from, to]: [Vec2; 2]) -> f32 {
    let way = to - from;
    let share = (place - from).dot(way) / way.length_squared().max(f32::EPSILON);
    place.distance(from + way * share.clamp(0.0, 1.0))
}

/// Whether a place lies inside a closed line, by the number of sides that a ray to the right crosses.
fn is_inside(line: &[Vec2], place: Vec2) -> bool {
    let crosses = |a: Vec2, b: Vec2| {
        (a.y > place.y) != (b.y > place.y)
            && place.x < (b.x - a.x) * (place.y - a.y) / (b.y - a.y) + a.x
    };
    (0..line.len()).filter(|&i| crosses(line[i], line[(i + 1) % line.len()])).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grid(rows: &[&str]) -> Grid<bool> {
        Grid::from_fn(rows[0].len(), rows.len(), |cell| {
            rows[cell.y as usize].as_bytes()[cell.x as usize] == b'#'
        })
    }

    fn region(grid: &Grid<bool>) -> Region {
        Region::of(grid, |cell| grid[cell])
    }

    /// Twice the area inside a closed line, positive where it is on the right hand.
    fn size(line: &[Vec2]) -> f32 {
        let n = line.len();
        (0..n).map(|i| line[i].perp_dot(line[(i + 1) % n])).sum::<f32>() / 2.0
    }

    fn holds(lines: &[Vec<Vec2>], place: Vec2) -> bool {
        lines.iter().filter(|line| is_inside(line, place)).count() % 2 == 1
    }

    #[test]
    fn a_ring_has_two_outlines_and_corners_part_cells() {
        let ring = grid(&["###", "#.#", "###"]);
        let lines: Vec<_> = region(&ring).steps().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines.iter().map(|line| size(line)).sum::<f32>(), 8.0);
        let diagonal = grid(&["#.", ".#"]);
        assert_eq!(region(&diagonal).steps().count(), 2);
        assert_eq!(region(&grid(&["..", ".."])).steps().count(), 0);
    }

    #[test]
    fn outlines_grow_and_keep_only_corners() {
        let block = grid(&["....", ".##.", "...."]);
        let lines = region(&block).outlines(0.25, 0.0);
        assert_eq!(lines[0].len(), 4);
        assert!((size(&lines[0]) - 2.5 * 1.5).abs() < 1e-5);
    }

    #[test]
    fn raised_outlines_lose_their_lower_sides() {
        let lines = region(&grid(&["##", "#."])).raised(0.25, 0.0, 0.0);
        // Two columns, each a quarter of a cell shorter.
        assert!((size(&lines[0]) - 2.5).abs() < 1e-5, "{lines:?}");
    }

    proptest! {
        #[test]
        fn outlines_hold_exactly_the_cells(cells in prop::collection::vec(any::<bool>(), 48)) {
            let grid = Grid::from_fn(8, 6, |cell| cells[(cell.y * 8 + cell.x) as usize]);
            let region = region(&grid);
            let steps: Vec<_> = region.steps().collect();
            prop_assert_eq!(steps.iter().map(|line| size(line)).sum::<f32>(), cells.iter().filter(|&&c| c).count() as f32);
            let smooth: Vec<_> = steps.iter().map(|line| relaxed(line, 14, 0.46)).collect();
            for cell in grid.cells() {
                let middle = Vec2::new(cell.x as f32 + 0.5, cell.y as f32 + 0.5);
                prop_assert_eq!(holds(&steps, middle), grid[cell]);
                prop_assert_eq!(holds(&smooth, middle), grid[cell], "{:?}", cell);
            }
        }
    }
}
