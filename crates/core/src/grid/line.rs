//! The cells that a straight segment between two cell centres crosses, in exact arithmetic.

use super::Cell;

/// One cell of a segment and when it is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossing {
    /// The crossed cell.
    pub cell: Cell,
    /// Where on the segment the cell is entered, as `num / den` of its length; `den > 0`.
    pub num: i32,
    /// See `num`.
    pub den: i32,
}

/// The cells whose open interior the segment from the centre of `from` to the centre of `to`
/// meets, in order, beginning with `from`.
///
/// Passing precisely through a corner touches neither of the two cells beside it. In units of
/// half cells the i-th vertical grid line is met at (2i-1)/(2|dx|) of the way and the j-th
/// horizontal one at (2j-1)/(2|dy|); comparing these fractions needs integers only.
///
/// ```
/// use outwit_core::grid::{Cell, crossings};
/// let cells: Vec<_> = crossings(Cell::new(0, 0), Cell::new(3, 1)).map(|c| c.cell).collect();
/// assert_eq!(cells, [(0, 0), (1, 0), (2, 1), (3, 1)].map(|(x, y)| Cell::new(x, y)));
/// ```
#[inline]
pub fn crossings(from: Cell, to: Cell) -> impl Iterator<Item = Crossing> + Clone {
    let delta = to - from;
    let across = delta.x.abs();
    let down = delta.y.abs();
    let step_x = delta.x.signum();
    let step_y = delta.y.signum();
    let mut i = 0;
    let mut j = 0;
    let mut first = true;
    std::iter::from_fn(move || {
        if first {
            first = false;
            return Some(Crossing { cell: from, num: 0, den: 1 });
        }
        if i == across && j == down {
            return None;
        }
        let vertical = (2 * i64::from(i) + 1) * i64::from(down);
        let horizontal = (2 * i64::from(j) + 1) * i64::from(across);
        // With across = 0 or down = 0 one of the products is 0 for the line that is never met.
        let go_x = i < across && (j == down || vertical <= horizontal);
        let go_y = j < down && (i == across || horizontal <= vertical);
        let (num, den) = if go_x { (2 * i + 1, 2 * across) } else { (2 * j + 1, 2 * down) };
        i += i32::from(go_x);
        j += i32::from(go_y);
        Some(Crossing { cell: from + Cell::new(i * step_x, j * step_y), num, den })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(x: i32, y: i32) -> Vec<(i32, i32)> {
        crossings(Cell::default(), Cell::new(x, y)).map(|c| (c.cell.x, c.cell.y)).collect()
    }

    #[test]
    fn straight_and_diagonal() {
        assert_eq!(cells(0, 0), [(0, 0)]);
        assert_eq!(cells(2, 0), [(0, 0), (1, 0), (2, 0)]);
        assert_eq!(cells(0, -2), [(0, 0), (0, -1), (0, -2)]);
        assert_eq!(cells(-2, 2), [(0, 0), (-1, 1), (-2, 2)]);
    }

    #[test]
    fn a_corner_touches_neither_neighbour() {
        assert_eq!(cells(3, 1), [(0, 0), (1, 0), (2, 1), (3, 1)]);
        assert_eq!(cells(2, 1), [(0, 0), (1, 0), (1, 1), (2, 1)]);
    }

    /// Each cell against the definition: the segment meets the open unit square iff the interval
    /// of parameters inside both slabs has positive length.
    #[test]
    fn agrees_with_the_definition() {
        for x in -7..=7_i32 {
            for y in -7..=7_i32 {
                let mut expected = Vec::new();
                for cx in -8..=8 {
                    for cy in -8..=8 {
                        if meets(x, y, cx, cy) {
                            expected.push((cx, cy));
                        }
                    }
                }
                let mut got = cells(x, y);
                let entries: Vec<_> =
                    crossings(Cell::default(), Cell::new(x, y)).map(|c| (c.num, c.den)).collect();
                assert!(entries.windows(2).all(|w| w[0].0 * w[1].1 < w[1].0 * w[0].1), "{x},{y}");
                got.sort_unstable();
                assert_eq!(got, expected, "{x},{y}");
            }
        }
    }

    fn meets(x: i32, y: i32, cx: i32, cy: i32) -> bool {
        // Parameters scaled by 2·lcm(|x|,|y|,1) stay integers.
        let scale = 2 * x.abs().max(1) * y.abs().max(1);
        let slab = |d: i32, c: i32| -> Option<(i32, i32)> {
            if d == 0 {
                return (c == 0).then_some((0, scale));
            }
            let (a, b) = ((2 * c - 1) * scale / (2 * d), (2 * c + 1) * scale / (2 * d));
            Some((a.min(b).max(0), a.max(b).min(scale)))
        };
        match (slab(x, cx), slab(y, cy)) {
            (Some(a), Some(b)) => {
                let (low, high) = (a.0.max(b.0), a.1.min(b.1));
                low < high || (x == 0 && y == 0 && cx == 0 && cy == 0)
            }
            _ => false,
        }
    }
}
