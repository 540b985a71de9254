//! Random boards: towns with streets, or blocks scattered over the board.

use super::level::{CopsFile, CopsRules, FORMAT};
use super::rules::Cops;
use super::tiles::PALETTE;
use super::town;
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use outwit_core::rule_set;
use outwit_kit::{GeneratorOptions, Placement, blank};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Columns and rows below which a board has no streets.
const NARROWEST_TOWN: u32 = 5;

rule_set! {
    /// The options of the generator of boards.
    pub struct BoardOptions {
        /// Columns of the board within its border.
        width: u32 = 20, Whole { min: 3, max: 62, optional: false }, "Columns";
        /// Rows of the board within its border.
        height: u32 = 20, Whole { min: 3, max: 62, optional: false }, "Rows";
        /// Whether houses stand along streets; otherwise single blocks are scattered.
        streets: bool = true, Flag, "Streets";
        /// Share of the cells that are blocks.
        density: f64 = 0.3, Real { min: 0.0, max: 0.5 }, "Share of blocks";
        /// Number of cops.
        cops: u32 = 5, Whole { min: 1, max: 40, optional: false }, "Cops";
        /// Number of gates.
        gates: u32 = 2, Whole { min: 0, max: 16, optional: false }, "Gates";
        /// Number of moving walls.
        walls: u32 = 4, Whole { min: 0, max: 100, optional: false }, "Walls";
        /// Whether the left half mirrors the right one.
        mirrored: bool = false, Flag, "Mirrored";
    }
}

impl GeneratorOptions<Cops> for BoardOptions {
    fn generate(&self, seed: u64) -> Result<CopsFile, String> {
        let mut cells = blank(PALETTE, self.width as usize + 2, self.height as usize + 2);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        // Between the borders of a narrower board houses have no room beside streets.
        let has_streets = self.streets && self.width.min(self.height) >= NARROWEST_TOWN;
        if has_streets {
            town::build(self, &mut cells, &mut dice);
        } else {
            scatter(self, &mut cells, &mut dice);
        }
        let built = cells.iter().filter(|&(_, &symbol)| symbol == '#').count();
        let share = percent(built as f64 / self.inner() as f64);
        // A few blocks fewer than were asked for are no failure.
        if built + built / 20 + 1 < self.wanted() {
            let (limit, remedy) = if has_streets {
                ("with streets around them", "ask for less, or turn streets off")
            } else {
                ("without cutting some off", "ask for less")
            };
            return Err(format!(
                "only {share} of {} in a hundred cells can be blocks {limit}: {remedy}",
                percent(self.density)
            ));
        }
        let (name, content) =
            if has_streets { ("Town", "streets and houses") } else { ("Quarter", "board") };
        let rules = CopsRules {
            cops: self.cops,
            gates: self.gates,
            walls: self.walls,
            ..CopsRules::default()
        };
        let mut level = CopsFile {
            format: FORMAT.into(),
            name: format!("{name} {seed}"),
            author: String::new(),
            about: format!("Random {content}; {share} % of the cells are blocks."),
            rules,
            map: Vec::new(),
        };
        level.set_cells(&cells);
        Ok(level)
    }
}

impl BoardOptions {
    /// Number of cells within the border.
    pub(super) fn inner(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Number of blocks that are asked for.
    pub(super) fn wanted(&self) -> usize {
        (self.density * self.inner() as f64).round() as usize
    }

    /// The cell that looks as this one does: its mirror image, or itself where nothing is mirrored.
    pub(super) fn twin(&self, cell: Cell) -> Cell {
        if self.mirrored { Cell::new(self.width as i32 + 1 - cell.x, cell.y) } else { cell }
    }
}

fn percent(share: f64) -> u32 {
    (share * 100.0).round() as u32
}

/// Lays single blocks, none of which cuts a free cell off.
fn scatter(options: &BoardOptions, cells: &mut Grid<char>, dice: &mut ChaCha8Rng) {
    let (width, height) = (cells.width(), cells.height());
    let mut order: Vec<Cell> =
        cells.cells().filter(|&cell| Placement::Inside.holds(cell, width, height)).collect();
    order.shuffle(dice);
    let mut built = 0;
    for cell in order {
        if built >= options.wanted() {
            break;
        }
        if cells[cell] == '#' {
            continue;
        }
        let twin = options.twin(cell);
        let stood = (cells[cell], cells[twin]);
        cells[cell] = '#';
        cells[twin] = '#';
        if in_one_piece(cells) {
            built += 1 + usize::from(twin != cell);
        } else {
            (cells[cell], cells[twin]) = stood;
        }
    }
}

fn in_one_piece(cells: &Grid<char>) -> bool {
    let mut free = cells.iter().filter(|&(_, &symbol)| symbol == '.').map(|(cell, _)| cell);
    let Some(first) = free.next() else { return false };
    let reach = distances(cells, [first], &FOUR, |_, &symbol| symbol == '.');
    free.all(|cell| reach[cell] != UNREACHED)
}

#[cfg(test)]
mod tests;
