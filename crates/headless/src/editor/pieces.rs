//! Pieces on a map: the cells that a piece covers.

use outwit_core::grid::{Cell, Grid};
use outwit_core::levels::Property;
use outwit_kit::{Footprint, LevelDraft, TileKind};

/// The outermost cells of a map, clockwise from the top left corner.
pub fn border(width: usize, height: usize) -> Vec<Cell> {
    let right = width as i32 - 1;
    let bottom = height as i32 - 1;
    let mut ring: Vec<Cell> = (0..=right).map(|x| Cell::new(x, 0)).collect();
    ring.extend((1..=bottom).map(|y| Cell::new(right, y)));
    if bottom > 0 {
        ring.extend((0..right).rev().map(|x| Cell::new(x, bottom)));
    }
    if right > 0 {
        ring.extend((1..bottom).rev().map(|y| Cell::new(0, y)));
    }
    ring
}

/// The lengths of pieces under the rules of a level.
pub struct PieceLengths<'a> {
    /// The game's rules.
    pub properties: &'a [Property],
    /// The level's values of these rules.
    pub rules: &'a [String],
}

impl<'a> PieceLengths<'a> {
    /// The lengths under a draft's rules.
    pub fn of(properties: &'a [Property], draft: &'a LevelDraft) -> Self {
        Self { properties, rules: &draft.rules }
    }

    /// Number of cells of a piece; at least one, and one while its rule is out of range.
    pub fn length(&self, span: Footprint) -> usize {
        let (Footprint::Row(key) | Footprint::Column(key) | Footprint::Border(key)) = span else {
            return 1;
        };
        let mut rules = self.properties.iter().zip(self.rules);
        let value =
            rules.find(|(property, _)| property.key == key).and_then(|(property, value)| {
                property.admits(value).ok().and_then(|()| value.parse().ok())
            });
        value.unwrap_or(1).max(1)
    }

    /// The cells of a piece placed with its middle at a cell, shifted as far as needed to fit; `None`
    /// if it fits nowhere.
    pub fn footprint(
        &self,
        tile: &TileKind,
        middle: Cell,
        width: usize,
        height: usize,
    ) -> Option<Vec<Cell>> {
        let span = tile.piece.unwrap_or(Footprint::One);
        let length = self.length(span);
        let before = (length as i32 - 1) / 2;
        let holds = |cell: &Cell| {
            cell.x >= 0
                && cell.y >= 0
                && cell.x < width as i32
                && cell.y < height as i32
                && tile.place.holds(*cell, width, height)
        };
        let straight = |step: Cell, side: i32| {
            // The nearest place along its own line, then the nearest line.
            let along = |by: i32| {
                let first = middle + Cell::new(step.x * (by - before), step.y * (by - before));
                let cells: Vec<Cell> =
                    (0..length as i32).map(|i| first + Cell::new(step.x * i, step.y * i)).collect();
                cells.iter().all(holds).then_some(cells)
            };
            (0..side).flat_map(|by| [by, -by]).find_map(along)
        };
        match span {
            Footprint::One => Some(vec![middle]).filter(|cells| cells.iter().all(holds)),
            Footprint::Row(_) => straight(Cell::new(1, 0), width as i32),
            Footprint::Column(_) => straight(Cell::new(0, 1), height as i32),
            Footprint::Border(_) => {
                let ring = border(width, height);
                let (nearest, _) =
                    ring.iter().enumerate().min_by_key(|(_, cell)| cell.manhattan(middle))?;
                let first = nearest + ring.len() - before as usize % ring.len();
                let cells = (0..length).map(|i| ring[(first + i) % ring.len()]).collect();
                (length <= ring.len()).then_some(cells)
            }
        }
    }

    /// The cells of the piece at a cell that holds `tile`.
    pub fn piece_at(&self, cells: &Grid<char>, tile: &TileKind, cell: Cell) -> Vec<Cell> {
        let span = tile.piece.unwrap_or(Footprint::One);
        let same = |cell: Cell| cells.get(cell) == Some(&tile.symbol);
        let run = |step: Cell| {
            let mut first = cell;
            while same(first - step) {
                first = first - step;
            }
            let mut run = Vec::new();
            while same(first) {
                run.push(first);
                first = first + step;
            }
            run
        };
        let run = match span {
            Footprint::One => return vec![cell],
            Footprint::Row(_) => run(Cell::new(1, 0)),
            Footprint::Column(_) => run(Cell::new(0, 1)),
            Footprint::Border(_) => {
                let ring = border(cells.width(), cells.height());
                let Some(at) = ring.iter().position(|&other| other == cell) else {
                    return vec![cell];
                };
                let n = ring.len();
                let before = (1..n).take_while(|&i| same(ring[(at + n - i) % n])).count();
                let first = at + n - before;
                (0..n).map(|i| ring[(first + i) % n]).take_while(|&cell| same(cell)).collect()
            }
        };
        let length = self.length(span);
        let at = run.iter().position(|&other| other == cell).unwrap_or(0);
        let first = at / length * length;
        run[first..(first + length).min(run.len())].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_out_of_range_asks_for_no_cells() {
        for &kind in crate::GAMES {
            let (width, height) = kind.facts().new_size;
            let rules = vec![String::from("1000000000"); kind.properties().len()];
            let lengths = PieceLengths { properties: kind.properties(), rules: &rules };
            for tile in kind.facts().palette {
                let middle = Cell::new(width as i32 / 2, height as i32 / 2);
                let cells = lengths.footprint(tile, middle, width, height);
                assert!(cells.is_none_or(|cells| cells.len() == 1), "{}", tile.name);
            }
        }
    }

    #[test]
    fn borders_go_round_once() {
        for (width, height) in [(1, 1), (1, 4), (4, 1), (2, 2), (5, 3)] {
            let ring = border(width, height);
            let set: std::collections::BTreeSet<_> = ring.iter().collect();
            assert_eq!(set.len(), ring.len());
            let inside = width.saturating_sub(2) * height.saturating_sub(2);
            assert_eq!(ring.len(), width * height - inside, "{width}x{height}");
            for pair in ring.windows(2) {
                assert_eq!(pair[0].manhattan(pair[1]), 1);
            }
        }
    }
}
