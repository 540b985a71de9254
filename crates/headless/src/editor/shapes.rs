//! The cells of brushes, lines, rectangles and connected areas.

use outwit_core::grid::{Cell, FOUR, Grid};

/// The size and shape of a brush.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Brush {
    /// Its width in cells, from 1 to [`Brush::MOST`].
    pub size: u32,
    /// Whether its corners are round.
    pub round: bool,
}

impl Brush {
    /// The width of the widest brush, in cells.
    pub const MOST: u32 = 32;

    /// The cells under the brush, relative to the cell at its middle.
    pub fn offsets(self) -> Vec<Cell> {
        let size = self.size.clamp(1, Self::MOST) as i32;
        let first = -((size - 1) / 2);
        let middle = (size - 1) as f32 / 2.0;
        let radius = size as f32 / 2.0;
        let mut cells = Vec::new();
        for y in 0..size {
            for x in 0..size {
                let dx = x as f32 - middle;
                let dy = y as f32 - middle;
                // A cell belongs to a round brush if its centre lies in the circle; the small
                // addition keeps a width of three from being a plus.
                if !self.round || dx * dx + dy * dy <= radius * radius + 0.25 {
                    cells.push(Cell::new(first + x, first + y));
                }
            }
        }
        cells
    }
}

/// The cells of a line from cell to cell, both included, neighbours along a side or a corner
/// (Bresenham, Algorithm for computer control of a digital plotter, 1965).
pub fn line(from: Cell, to: Cell) -> Vec<Cell> {
    let dx = (to.x - from.x).abs();
    let dy = -(to.y - from.y).abs();
    let sx = (to.x - from.x).signum();
    let sy = (to.y - from.y).signum();
    let mut cell = from;
    let mut error = dx + dy;
    let mut cells = vec![cell];
    while cell != to {
        let twice = 2 * error;
        if twice >= dy {
            error += dy;
            cell.x += sx;
        }
        if twice <= dx {
            error += dx;
            cell.y += sy;
        }
        cells.push(cell);
    }
    cells
}

/// The end of a line from `from` towards `to` that runs along a row, a column or a diagonal.
pub fn straightened(from: Cell, to: Cell) -> Cell {
    let way = to - from;
    let x = way.x.abs();
    let y = way.y.abs();
    if x > 2 * y {
        Cell::new(to.x, from.y)
    } else if y > 2 * x {
        Cell::new(from.x, to.y)
    } else {
        let length = x.max(y);
        Cell::new(from.x + way.x.signum() * length, from.y + way.y.signum() * length)
    }
}

/// The corner of a square that has its other corner at `from` and reaches towards `to`.
pub fn squared(from: Cell, to: Cell) -> Cell {
    let way = to - from;
    let side = way.x.abs().max(way.y.abs());
    let along = |d: i32| if d < 0 { -side } else { side };
    Cell::new(from.x + along(way.x), from.y + along(way.y))
}

/// The cells of a rectangle between two corners, or only those of its edge.
pub fn rectangle(a: Cell, b: Cell, filled: bool) -> Vec<Cell> {
    let left = a.x.min(b.x);
    let right = a.x.max(b.x);
    let top = a.y.min(b.y);
    let bottom = a.y.max(b.y);
    let mut cells = Vec::new();
    for y in top..=bottom {
        for x in left..=right {
            if filled || x == left || x == right || y == top || y == bottom {
                cells.push(Cell::new(x, y));
            }
        }
    }
    cells
}

/// The connected area of `start`: the cells with the same tile that are joined to it along sides.
pub fn flood(cells: &Grid<char>, start: Cell) -> Vec<Cell> {
    let Some(&wanted) = cells.get(start) else { return Vec::new() };
    let mut seen = vec![false; cells.len()];
    let mut found = Vec::new();
    let mut open = vec![start];
    while let Some(cell) = open.pop() {
        let Some(index) = cells.index_of(cell) else { continue };
        if seen[index] || cells.as_slice()[index] != wanted {
            continue;
        }
        seen[index] = true;
        found.push(cell);
        open.extend(FOUR.map(|step| cell + step));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cell() -> impl Strategy<Value = Cell> {
        (-20..20, -20..20).prop_map(|(x, y)| Cell::new(x, y))
    }

    #[test]
    fn brushes_are_as_wide_as_they_say() {
        for size in 1..=Brush::MOST {
            for round in [false, true] {
                let cells = Brush { size, round }.offsets();
                let wide = |of: fn(&Cell) -> i32| {
                    cells.iter().map(of).max().unwrap_or(0)
                        - cells.iter().map(of).min().unwrap_or(0)
                        + 1
                };
                assert_eq!(wide(|c| c.x), size as i32);
                assert_eq!(wide(|c| c.y), size as i32);
                assert!(cells.contains(&Cell::new(0, 0)));
            }
        }
        assert_eq!(Brush { size: 3, round: true }.offsets().len(), 9);
        assert_eq!(Brush { size: 5, round: true }.offsets().len(), 21);
    }

    proptest! {
        #[test]
        fn lines_have_no_gaps(a in cell(), b in cell()) {
            let cells = line(a, b);
            prop_assert_eq!(cells[0], a);
            prop_assert_eq!(cells[cells.len() - 1], b);
            prop_assert_eq!(cells.len() as i32, a.chebyshev(b) + 1);
            for pair in cells.windows(2) {
                prop_assert_eq!(pair[0].chebyshev(pair[1]), 1);
            }
        }

        #[test]
        fn lines_are_straight_and_squares_are_square(a in cell(), b in cell()) {
            let way = straightened(a, b) - a;
            prop_assert!(way.x == 0 || way.y == 0 || way.x.abs() == way.y.abs());
            let way = squared(a, b) - a;
            prop_assert_eq!(way.x.abs(), way.y.abs());
        }

        #[test]
        fn edge_and_inside_make_up_a_rectangle(a in cell(), b in cell()) {
            let edge = rectangle(a, b, false).len();
            let (w, h) = ((a.x - b.x).abs() + 1, (a.y - b.y).abs() + 1);
            prop_assert_eq!(rectangle(a, b, true).len() as i32, w * h);
            prop_assert_eq!(edge as i32, w * h - (w - 2).max(0) * (h - 2).max(0));
        }
    }

    #[test]
    fn floods_stop_at_other_cells() {
        let map = ["..#.", "..#.", "##.."];
        let cells = Grid::from_fn(4, 3, |cell| {
            map[cell.y as usize].chars().nth(cell.x as usize).unwrap_or(' ')
        });
        assert_eq!(flood(&cells, Cell::new(0, 0)).len(), 4);
        assert_eq!(flood(&cells, Cell::new(3, 0)).len(), 4);
        assert!(flood(&cells, Cell::new(9, 0)).is_empty());
    }
}
