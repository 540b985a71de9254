//! The shape of the road: its edge without steps, what of a cell lies on it, and where it turns.

use crate::app::drawing::{Region, relaxed};
use bevy::math::{Vec2, Vec2Swizzles};
use outwit_core::grid::{Cell, Grid};
use outwit_racetrack::level::Surface;

/// How far the edge may leave the borders of its cells: the middle of every cell stays on its side.
const MOST: f32 = 0.46;
/// Rows of a cell for which it is known where they lie on the road.
const ROWS: usize = 8;

/// Whether a cell is part of the track.
pub fn is_road(surfaces: &Grid<Surface>, cell: Cell) -> bool {
    surfaces.get(cell).is_some_and(|&surface| surface != Surface::Off)
}

/// The closed edges of the road, averaged so many times, with points at even distances.
pub fn edges(surfaces: &Grid<Surface>, rounds: usize) -> Vec<Vec<Vec2>> {
    let region = Region::of(surfaces, |cell| is_road(surfaces, cell));
    region.steps().map(|steps| relaxed(&steps, rounds, MOST)).collect()
}

/// The same edges with fewer points: those that are left out lie within `tolerance` cells of the line, at most the
/// 0.033 by which [`relaxed`] clears the middles of cells.
pub fn thinned(edges: &[Vec<Vec2>], tolerance: f32) -> Vec<Vec<Vec2>> {
    edges.iter().map(|edge| thinned_edge(edge, tolerance)).collect()
}

/// Most points that one straight line may stand for.
const LONGEST: usize = 24;

fn thinned_edge(edge: &[Vec2], tolerance: f32) -> Vec<Vec2> {
    let mut kept = Vec::with_capacity(edge.len() / 2);
    let mut at = 0;
    while at < edge.len() {
        kept.push(edge[at]);
        let fits = |to: usize| {
            let from = edge[at];
            let way = edge[to % edge.len()] - edge[at];
            let length = way.length().max(f32::EPSILON);
            edge[at + 1..to.min(edge.len())]
                .iter()
                .all(|&point| ((point - from).perp_dot(way) / length).abs() <= tolerance)
        };
        let mut next = at + 1;
        while next - at < LONGEST && next < edge.len() && fits(next + 1) {
            next += 1;
        }
        at = next;
    }
    if kept.len() < 3 { edge.to_vec() } else { kept }
}

/// Where horizontal lines enter and leave an area, alternating, from left to right. The n-th of `count`
/// lines lies at `(n + offset) * step`; only those that are wanted are looked at.
fn spans(
    outlines: &[Vec<Vec2>],
    count: usize,
    (step, offset): (f32, f32),
    place: impl Fn(Vec2) -> Vec2,
    wanted: impl Fn(usize) -> bool,
) -> Vec<Vec<f32>> {
    let mut lines = vec![Vec::new(); count];
    for outline in outlines {
        for (index, &point) in outline.iter().enumerate() {
            let a = place(point);
            let b = place(outline[(index + 1) % outline.len()]);
            let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
            // A line through the end of one side and the beginning of the next one crosses once.
            let first = |y: f32| (y / step - offset).ceil().max(0.0) as usize;
            for n in (first(low.y)..first(high.y).min(count)).filter(|&n| wanted(n)) {
                let share = ((n as f32 + offset) * step - low.y) / (high.y - low.y);
                lines[n].push(low.x + (high.x - low.x) * share);
            }
        }
    }
    for line in &mut lines {
        line.sort_by(f32::total_cmp);
    }
    lines
}

/// The lines between cells, where they run on the road: each a place and the two ends of a piece. First
/// those that run across, then those that run down.
pub fn grid_lines(
    edges: &[Vec<Vec2>],
    (width, height): (usize, usize),
    every: usize,
) -> [Vec<(f32, f32, f32)>; 2] {
    let wanted = |n: usize| n.is_multiple_of(every);
    let pieces = |lines: Vec<Vec<f32>>| {
        let pieces = lines.into_iter().enumerate().flat_map(|(n, line)| {
            let pairs: Vec<_> =
                line.chunks_exact(2).map(|ends| (n as f32, ends[0], ends[1])).collect();
            pairs
        });
        pieces.collect()
    };
    [
        pieces(spans(edges, height + 1, (1.0, 0.0), |at| at, wanted)),
        pieces(spans(edges, width + 1, (1.0, 0.0), Vec2::yx, wanted)),
    ]
}

/// What of some rows of cells lies on the road.
pub struct OnRoad(Vec<Vec<f32>>);

impl OnRoad {
    /// Of the rows of cells for which `wanted` holds.
    pub fn new(edges: &[Vec<Vec2>], height: usize, wanted: impl Fn(usize) -> bool) -> Self {
        let rows = (1.0 / ROWS as f32, 0.5);
        Self(spans(edges, height * ROWS, rows, |at| at, |n| wanted(n / ROWS)))
    }

    fn row(&self, y: f32) -> &[f32] {
        let row = (y.max(0.0) * ROWS as f32) as usize;
        self.0.get(row).map_or(&[], Vec::as_slice)
    }

    /// Whether a place lies on the road.
    pub fn holds(&self, place: Vec2) -> bool {
        self.row(place.y).chunks_exact(2).any(|ends| (ends[0]..ends[1]).contains(&place.x))
    }

    /// The parts of a rectangle that lie on the road, as narrow rectangles.
    pub fn parts(&self, low: Vec2, high: Vec2) -> Vec<(Vec2, Vec2)> {
        let mut parts = Vec::new();
        let rows = ((high.y - low.y) * ROWS as f32).round() as usize;
        for row in 0..rows {
            let top = low.y + row as f32 / ROWS as f32;
            let bottom = top + 1.0 / ROWS as f32;
            for ends in self.row((top + bottom) / 2.0).chunks_exact(2) {
                let from = ends[0].max(low.x);
                let to = ends[1].min(high.x);
                if from < to {
                    parts.push((Vec2::new(from, top), Vec2::new(to, bottom)));
                }
            }
        }
        parts
    }
}

/// Points of an edge that make up a cell of its length.
const PER_CELL: usize = 3;

/// Pieces of an edge where it turns by more than `angle` within three cells each way. The edge is one that
/// [`edges`] gave.
pub fn bends(edge: &[Vec2], angle: f32) -> Vec<Vec<Vec2>> {
    let n = edge.len();
    let reach = (3 * PER_CELL).min(n / 4).max(1);
    let sharp: Vec<bool> = (0..n)
        .map(|i| {
            let before = edge[(i + n - reach) % n];
            let at = edge[i];
            let after = edge[(i + reach) % n];
            (at - before).angle_to(after - at).abs() > angle
        })
        .collect();
    // A little more at both ends, where kerbs run out; what is only just apart becomes one.
    let wide = |i: usize| (0..=2 * PER_CELL).any(|by| sharp[(i + n + by - PER_CELL) % n]);
    let near: Vec<bool> = (0..n).map(wide).collect();
    let Some(first) = (0..n).find(|&i| !near[i]) else {
        return vec![edge.iter().chain(edge.first()).copied().collect()];
    };
    let mut bends: Vec<Vec<Vec2>> = Vec::new();
    let mut open = false;
    for i in (first..first + n).map(|i| i % n) {
        match (near[i], open) {
            (true, false) => bends.push(vec![edge[i]]),
            (true, true) => {
                if let Some(bend) = bends.last_mut() {
                    bend.push(edge[i]);
                }
            }
            (false, _) => {}
        }
        open = near[i];
    }
    bends.retain(|bend| bend.len() > 3 * PER_CELL);
    bends
}

/// A place on a line, which way the line runs there, and how far along it is.
#[derive(Clone, Copy, Debug)]
pub struct Station {
    /// The place.
    pub at: Vec2,
    /// The direction, of length 1.
    pub way: Vec2,
    /// Cells from the beginning.
    pub along: f32,
}

/// Stations along a line, `count` equal parts from one end to the other.
pub fn stations(line: &[Vec2], count: usize) -> Vec<Station> {
    let length: f32 = line.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut stations = Vec::with_capacity(count + 1);
    let mut pair = 0;
    let mut done = 0.0;
    for n in 0..=count {
        let along = length * n as f32 / count.max(1) as f32;
        while pair + 2 < line.len() && done + line[pair].distance(line[pair + 1]) < along {
            done += line[pair].distance(line[pair + 1]);
            pair += 1;
        }
        let (Some(&from), Some(&to)) = (line.get(pair), line.get(pair + 1)) else { break };
        let way = (to - from).normalize_or_zero();
        stations.push(Station { at: from + way * (along - done), way, along });
    }
    stations
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn track(rows: &[&str]) -> Grid<Surface> {
        Grid::from_fn(rows[0].len(), rows.len(), |cell| {
            let symbol = char::from(rows[cell.y as usize].as_bytes()[cell.x as usize]);
            Surface::from_char(symbol).unwrap_or(Surface::Off)
        })
    }

    fn middle(cell: Cell) -> Vec2 {
        Vec2::new(cell.x as f32 + 0.5, cell.y as f32 + 0.5)
    }

    #[test]
    fn a_road_without_cells_or_without_borders_is_no_trouble() {
        let off = track(&["##", "##"]);
        assert!(edges(&off, 14).is_empty());
        let all = track(&["..", ".."]);
        let edge = edges(&all, 14);
        assert_eq!(edge.len(), 1);
        assert_eq!(bends(&edge[0], 0.3).len(), 1, "it turns all round");
        assert!(stations(&[], 4).is_empty() && stations(&[Vec2::ZERO], 4).is_empty());
    }

    #[test]
    fn straight_roads_have_no_bends_and_long_ones_few_points() {
        let mut rows = vec!["#".repeat(60); 9];
        for row in &mut rows[2..7] {
            *row = format!("##{}##", ".".repeat(56));
        }
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let edge = &edges(&track(&rows), 14)[0];
        let bends = bends(edge, 0.33);
        assert!(!bends.is_empty());
        assert!(bends.iter().flatten().all(|at| at.x < 10.0 || at.x > 50.0), "{bends:?}");
        let fewer = &thinned(std::slice::from_ref(edge), 0.03)[0];
        assert!(fewer.len() * 3 < edge.len(), "{} of {}", fewer.len(), edge.len());
    }

    #[test]
    fn stations_are_even() {
        let line = [Vec2::ZERO, Vec2::new(3.0, 0.0), Vec2::new(3.0, 1.0)];
        let stations = stations(&line, 4);
        let places: Vec<Vec2> = stations.iter().map(|station| station.at).collect();
        let wanted = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (3.0, 1.0)];
        assert_eq!(places, wanted.map(Vec2::from));
        assert_eq!(stations[4].way, Vec2::Y);
    }

    #[test]
    fn paint_and_grid_end_at_the_edge() {
        let track = track(&["#####", "#...#", "#...#", "#...#", "#####"]);
        let edges = edges(&track, 14);
        let on_road = OnRoad::new(&edges, 5, |row| row < 4);
        let area = |low: f32, high: f32| -> f32 {
            let parts = on_road.parts(Vec2::splat(low), Vec2::splat(high));
            parts.iter().map(|(low, high)| (high.x - low.x) * (high.y - low.y)).sum()
        };
        assert_eq!(area(2.0, 3.0), 1.0);
        assert!((0.3..0.99).contains(&area(1.0, 2.0)), "{}", area(1.0, 2.0));
        assert_eq!(area(4.0, 5.0), 0.0, "nobody asked for that row");
        assert!(on_road.holds(Vec2::splat(2.5)) && !on_road.holds(Vec2::splat(0.5)));
        assert!(!on_road.holds(Vec2::splat(-7.0)) && !on_road.holds(Vec2::splat(99.0)));
        let [across, down] = grid_lines(&edges, (5, 5), 1);
        assert_eq!(across.len(), down.len());
        let (place, from, to) = across[across.len() / 2];
        assert!((2.0..=3.0).contains(&place) && from > 0.5 && to < 4.5, "{across:?}");
    }

    proptest! {
        /// What is drawn as road is road: whatever the cells are, the middle of each lies on its side of the
        /// edge that is drawn, in every detail.
        #[test]
        fn middles_of_cells_stay_on_their_side(cells in prop::collection::vec(any::<bool>(), 80)) {
            let grid = Grid::from_fn(10, 8, |cell| {
                if cells[(cell.y * 10 + cell.x) as usize] { Surface::Road } else { Surface::Off }
            });
            for (rounds, tolerance) in [(14, 0.0), (14, 0.02), (40, 0.03)] {
                let edges = thinned(&edges(&grid, rounds), tolerance);
                // The rows of the middles lie between those that are known.
                let exact = spans(&edges, 8, (1.0, 0.5), |at| at, |_| true);
                for cell in grid.cells() {
                    let inside = exact[cell.y as usize]
                        .chunks_exact(2)
                        .any(|ends| (ends[0]..ends[1]).contains(&middle(cell).x));
                    prop_assert_eq!(inside, is_road(&grid, cell), "{:?} {}", cell, rounds);
                }
            }
        }
    }
}
