//! The path that a person is drawing.

use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use outwit_stealth::{Ground, Route, RouteMove};

/// A legal path in the making: cells from the start on, none twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnPath {
    cells: Vec<Cell>,
}

impl DrawnPath {
    /// A path that has not left the start.
    pub fn new(ground: &Ground) -> Self {
        Self { cells: vec![ground.start()] }
    }

    /// Its cells, the start first.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Its last cell, where the next move begins.
    pub fn end(&self) -> Cell {
        self.cells.last().copied().unwrap_or_default()
    }

    /// Whether it has not left the start.
    pub fn is_empty(&self) -> bool {
        self.cells.len() < 2
    }

    /// The path as an action.
    pub fn route(&self) -> Route {
        Route::along(&self.cells).unwrap_or_default()
    }

    /// Erases everything but the start.
    pub fn clear(&mut self) {
        self.cells.truncate(1);
    }

    /// Erases the last cell; `false` at the start.
    pub fn step_back(&mut self) -> bool {
        let can = !self.is_empty();
        if can {
            self.cells.pop();
        }
        can
    }

    /// Goes one cell on; stepping onto the cell before the last erases the last. Returns whether
    /// anything changed.
    pub fn step(&mut self, ground: &Ground, step: RouteMove) -> bool {
        let to = self.end() + step.offset();
        if self.cells.iter().rev().nth(1) == Some(&to) {
            return self.step_back();
        }
        let can = can_enter(ground, to) && !self.cells.contains(&to) && self.end() != ground.goal();
        can && self.append(ground, &[to])
    }

    /// Goes on along these cells, unless a guard on patrol is in the way.
    fn append(&mut self, ground: &Ground, cells: &[Cell]) -> bool {
        let before = self.cells.len();
        self.cells.extend(cells);
        let is_legal = ground.check(&self.route()).is_ok();
        if !is_legal {
            self.cells.truncate(before);
        }
        is_legal
    }

    /// The cells from the end on to `target`, by the fewest steps that cross neither the path nor the
    /// goal and where each cell may be used; empty if there is no way or the path is at the goal.
    pub fn way_to(
        &self,
        ground: &Ground,
        target: Cell,
        may_use: impl Fn(Cell) -> bool,
    ) -> Vec<Cell> {
        let goal = ground.goal();
        let is_open = |cell| can_enter(ground, cell) && may_use(cell);
        if !is_open(target) || self.end() == goal {
            return Vec::new();
        }
        let tiles = ground.tiles();
        let mut open = Grid::from_fn(tiles.width(), tiles.height(), is_open);
        let closed = self.cells.iter().chain([&goal]).filter(|&&cell| cell != target);
        for &cell in closed {
            if let Some(open) = open.get_mut(cell) {
                *open = false;
            }
        }
        let left = distances(&open, [target], &FOUR, |_, &open| open);
        let mut way: Vec<Cell> = Vec::new();
        let mut at = self.end();
        while at != target {
            let to_go = |cell: Cell| left.get(cell).copied().unwrap_or(UNREACHED);
            let next = FOUR.iter().map(|&by| at + by).min_by_key(|&cell| to_go(cell));
            match next.filter(|&next| to_go(next) != UNREACHED) {
                // The number of steps left falls with each.
                Some(next) if way.len() < tiles.len() => {
                    way.push(next);
                    at = next;
                }
                _ => return Vec::new(),
            }
        }
        way
    }

    /// Cuts the path off at `cell` if that is on it, or goes on to it by at most `most` steps.
    /// Returns whether anything changed.
    pub fn go_to(&mut self, ground: &Ground, cell: Cell, most: usize) -> bool {
        if let Some(place) = self.cells.iter().position(|&at| at == cell) {
            let is_shorter = place + 1 < self.cells.len();
            self.cells.truncate(place + 1);
            return is_shorter;
        }
        let way = self.way_to(ground, cell, |_| true);
        !way.is_empty() && way.len() <= most && self.append(ground, &way)
    }
}

fn can_enter(ground: &Ground, cell: Cell) -> bool {
    ground.tiles().get(cell).is_some_and(|tile| !tile.is_closed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::stealth::tests::game;
    use outwit_stealth::RouteEnd;

    #[test]
    fn a_path_is_drawn_cut_and_never_crosses_itself() {
        let game = game(&["O...", ".##.", "...Y"]);
        let ground = game.ground();
        let mut path = DrawnPath::new(ground);
        assert!(path.step(ground, RouteMove::Right));
        assert!(!path.step(ground, RouteMove::Down), "a wall");
        assert!(!path.step(ground, RouteMove::Up), "the edge");
        assert!(path.go_to(ground, Cell::new(3, 1), 9));
        assert_eq!(path.route().to_string(), "rrrd");
        // Stepping back erases, and so does going to a cell of the path.
        assert!(path.step(ground, RouteMove::Up));
        assert!(path.go_to(ground, Cell::new(1, 0), 9));
        assert_eq!(path.route().to_string(), "r");
        // The way there leads over the path: no.
        assert!(path.go_to(ground, Cell::new(2, 0), 9));
        assert_eq!(path.way_to(ground, Cell::new(0, 2), |_| true), []);
        assert!(path.go_to(ground, ground.goal(), 9));
        assert_eq!(ground.check(&path.route()), Ok(RouteEnd::Goal));
        assert!(!path.step(ground, RouteMove::Left), "nothing follows the goal");
        path.clear();
        assert!(path.is_empty() && !path.step_back());
    }

    #[test]
    fn a_way_may_be_too_long_to_be_meant() {
        let game = game(&["O#Y", ".#.", ".#.", "..."]);
        let ground = game.ground();
        let mut path = DrawnPath::new(ground);
        assert!(!path.go_to(ground, ground.goal(), 4));
        assert!(path.go_to(ground, ground.goal(), 8));
        assert_eq!(path.cells().len(), 9);
    }
}
