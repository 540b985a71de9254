//! How a guard raises the cost of the cells in its sight.

use outwit_core::grid::Cell;

/// From this many cells of the line on, both ends counted, a guard does not matter.
pub const SIGHT: i32 = 6;

/// The cells of the line from `from` to `to`, both ends included: Bresenham's line along the longer
/// axis with D = 2·minor − major, and a step along the shorter axis whenever D >= 0.
///
/// It depends on its direction; the line of sight goes from the guard to the cell.
pub fn sight_line(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let delta = to - from;
    let across = delta.x.abs();
    let down = delta.y.abs();
    let step_x = Cell::new(delta.x.signum(), 0);
    let step_y = Cell::new(0, delta.y.signum());
    let (major, minor, long, short) = if across >= down {
        (across, down, step_x, step_y)
    } else {
        (down, across, step_y, step_x)
    };
    let mut at = from;
    let mut decision = 2 * minor - major;
    (0..=major).map(move |_| {
        let cell = at;
        at = at + long;
        if decision >= 0 {
            at = at + short;
            decision -= 2 * major;
        }
        decision += 2 * minor;
        cell
    })
}

/// Three times the factor by which the guard at `guard` multiplies the cost of `cell`:
/// `9 - min(6, d)` with d the number of cells of the [`sight_line`], or 3 if a wall lies on it.
/// So it is 7 next to the guard, 6, 5 and 4 beyond, and 3 where the guard does not matter.
pub fn thrice_factor(guard: Cell, cell: Cell, is_wall: impl Fn(Cell) -> bool) -> i32 {
    let length = guard.chebyshev(cell) + 1;
    if length >= SIGHT || sight_line(guard, cell).any(is_wall) { 3 } else { 9 - length }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(x: i32, y: i32) -> Vec<(i32, i32)> {
        sight_line(Cell::default(), Cell::new(x, y)).map(|cell| (cell.x, cell.y)).collect()
    }

    #[test]
    fn lines_step_as_soon_as_the_decision_is_not_negative() {
        assert_eq!(line(0, 0), [(0, 0)]);
        assert_eq!(line(3, 0), [(0, 0), (1, 0), (2, 0), (3, 0)]);
        assert_eq!(line(-2, 2), [(0, 0), (-1, 1), (-2, 2)]);
        // D = 0 at the first cell: the step along the shorter axis comes at once.
        assert_eq!(line(2, 1), [(0, 0), (1, 1), (2, 1)]);
        assert_eq!(line(1, -2), [(0, 0), (1, -1), (1, -2)]);
        assert_eq!(line(4, 1), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 1)]);
    }

    #[test]
    fn factors_fall_with_the_distance_and_end_at_walls() {
        let factor = |x, y| thrice_factor(Cell::default(), Cell::new(x, y), |_| false);
        assert_eq!(
            [factor(1, 1), factor(-2, 1), factor(0, 3), factor(4, -4), factor(5, 0)],
            [7, 6, 5, 4, 3]
        );
        let behind = |cell: Cell| cell == Cell::new(1, 0);
        assert_eq!(thrice_factor(Cell::default(), Cell::new(3, 0), behind), 3);
        assert_eq!(thrice_factor(Cell::default(), Cell::new(3, 3), behind), 5);
    }
}
