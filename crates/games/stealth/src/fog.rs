//! Fog: what the thief has seen on its way, and the house as far as it knows it.
//!
//! The thief sees every cell within its range to which no wall blocks the line, walls included. It takes
//! cells that it has not seen for free ground without guards, the free-space assumption of planning on
//! unknown terrain (Koenig and Likhachev, D* Lite, 2002). It knows where the goal is, and once it has
//! seen a guard on patrol, it knows its whole loop.

use super::ground::Ground;
use super::level::{GroundTile, StealthFile};
use super::route::Route;
use super::sight::sight_line;
use outwit_core::grid::{Cell, Grid};
use serde::Serialize;

/// What the thief has seen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Seen {
    /// Each cell, row by row.
    cells: Vec<bool>,
    /// Each guard on patrol.
    patrols: Vec<bool>,
}

impl Seen {
    /// What the thief sees before its first move; `sight` is its range in cells.
    pub(super) fn at_the_start(ground: &Ground, sight: u32) -> Self {
        let mut seen = Self {
            cells: vec![false; ground.tiles().len()],
            patrols: vec![false; ground.patrols().len()],
        };
        if let Some(goal) = seen.cells.get_mut(ground.goal_index()) {
            *goal = true;
        }
        seen.look(ground, ground.start(), 0, sight);
        seen
    }

    /// Adds what the thief sees from a cell after so many moves.
    pub(super) fn look(&mut self, ground: &Ground, from: Cell, time: usize, sight: u32) {
        let tiles = ground.tiles();
        let range = i32::try_from(sight).unwrap_or(i32::MAX);
        let near = |at: i32, side: usize| {
            at.saturating_sub(range).max(0)..=at.saturating_add(range).min(side as i32 - 1)
        };
        for y in near(from.y, tiles.height()) {
            for cell in near(from.x, tiles.width()).map(|x| Cell::new(x, y)) {
                if let Some(at) = tiles.index_of(cell)
                    && is_visible(tiles, from, cell)
                {
                    self.cells[at] = true;
                }
            }
        }
        for (seen, patrol) in self.patrols.iter_mut().zip(ground.patrols()) {
            let guard = patrol[time % patrol.len()];
            *seen |= guard.chebyshev(from) <= range && is_visible(tiles, from, guard);
        }
    }

    /// Whether the thief has seen a cell, by its number row by row.
    pub fn knows(&self, at: usize) -> bool {
        self.cells.get(at).is_some_and(|&seen| seen)
    }

    /// Whether the thief has seen each guard on patrol, in the order of [`Ground::patrols`].
    pub fn patrols(&self) -> &[bool] {
        &self.patrols
    }
}

/// Whether no wall lies between two cells, on the line from one or from the other: a guard that sees the
/// thief is always seen.
fn is_visible(tiles: &Grid<GroundTile>, from: Cell, to: Cell) -> bool {
    let is_clear = |a: Cell, b: Cell| {
        let wall = |cell: &Cell| tiles.get(*cell) == Some(&GroundTile::Wall);
        !sight_line(a, b).filter(|cell| *cell != from && *cell != to).any(|cell| wall(&cell))
    };
    is_clear(from, to) || is_clear(to, from)
}

/// The level as the thief knows it, without fog, and its board from where the thief stands now.
pub(super) fn as_known(
    level: &StealthFile,
    ground: &Ground,
    walked: &Route,
    seen: &Seen,
) -> (StealthFile, Ground) {
    let tiles = ground.tiles();
    let known = Grid::from_fn(tiles.width(), tiles.height(), |cell| {
        let is_seen = tiles.index_of(cell).is_some_and(|at| seen.knows(at));
        if is_seen { tiles[cell] } else { GroundTile::Free }
    });
    let patrols = ground.patrols().iter().zip(seen.patrols());
    let patrols = patrols.filter(|&(_, &seen)| seen).map(|(cells, _)| cells.clone()).collect();
    let mut file = StealthFile { map: Vec::new(), ..level.clone() };
    file.rules.sight = None;
    file.set_cells(&known.map(|tile| tile.to_char()));
    let ground = Ground::after(known, patrols, &file.rules, &walked.cells(ground.start()));
    (file, ground)
}

#[cfg(test)]
mod tests;
