//! Boards in the level editor: tiles, warnings and random boards.

use super::Cops;
use super::board::Position;
use super::level::{CopsFile, CopsRules, FORMAT, plan, played_cells};
use super::ring::Ring;
use super::tiles::PALETTE;
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use outwit_core::levels::Fault;
use outwit_core::play::{Chance, CheckedLevel, Game};
use outwit_core::rule_set;
use outwit_kit::{Generator, GeneratorOptions, MapSpec, Placement, TileStyle, blank, look_of};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

rule_set! {
    /// The options of the generator of boards.
    pub struct BoardOptions {
        /// Columns of the board within its border.
        width: u32 = 20, Whole { min: 3, max: 62, optional: false }, "Columns";
        /// Rows of the board within its border.
        height: u32 = 20, Whole { min: 3, max: 62, optional: false }, "Rows";
        /// Share of the cells that are blocks.
        density: f64 = 0.12, Real { min: 0.0, max: 0.5 }, "Share of blocks";
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

pub(super) const MAPS: MapSpec<Cops> = MapSpec {
    warnings: |level, _| warnings(level),
    remarks,
    looks,
    derived_rules: &["size"],
    unfold,
    generator: Some(Generator::of::<BoardOptions>()),
    foreign_formats: Some(super::import::FORMATS),
    ..MapSpec::new(PALETTE, 5..=64, (22, 22))
};

/// The seed of the start that small pictures show.
const SAMPLE: u64 = 4;

/// How a level looks, with what its map leaves to chance as it could come.
fn looks(level: &CopsFile, checked: Option<&CheckedLevel<Cops>>) -> Grid<TileStyle> {
    let mut looks = played_cells(level).map(|&symbol| look_of(PALETTE, symbol));
    // What the map leaves to chance, as it could come.
    if let Some(Ok(game)) = checked.map(|level| Cops::new(level, 2))
        && let Ok(start) = game.opening(&Chance::new(SAMPLE))
    {
        show_start(&game, &start, &mut looks);
    }
    looks
}

/// Adds everything that stands on the board before the first tick.
fn show_start(game: &Cops, start: &Position, looks: &mut Grid<TileStyle>) {
    let rules = game.board().rules();
    let gates = start.gates.iter().flat_map(|&gate| game.board().gate_cells(gate));
    let walls = start.walls.iter().flat_map(|wall| wall.cells(rules.wall_length));
    let cops = start.cops.iter().copied();
    let pieces = gates
        .map(|cell| (cell, TileStyle::Goal))
        .chain(walls.map(|cell| (cell, TileStyle::Wall)))
        .chain(cops.map(|cell| (cell, TileStyle::Mark)))
        .chain([(start.thief, TileStyle::Start)]);
    for (cell, look) in pieces {
        if let Some(shown) = looks.get_mut(cell) {
            *shown = look;
        }
    }
}

/// Probable mistakes in a playable level.
fn warnings(level: &CopsFile) -> Vec<Fault> {
    let mut warnings = Vec::new();
    if let Some(size) = level.rules.size {
        warnings.push(Fault::whole(format!(
            "rules.size is {size}: the game is played on an open board of that size and the map \
             is not used; set it to none to play on the map"
        )));
    }
    let cells = level.cells('.');
    let ring = Ring::new(cells.width().max(3), cells.height().max(3));
    // A place of the ring without a cell in front of it.
    let corners = cells.iter().filter(|&(cell, &symbol)| {
        symbol == 'G'
            && FOUR.iter().all(|&step| {
                let beside = cell + step;
                !cells.contains(beside) || ring.place(beside).is_some()
            })
    });
    let what = "this corner of the border touches no cell of the board";
    warnings.extend(Fault::at_all(corners.map(|(cell, _)| cell), what));
    warnings
}

/// How many pieces the map leaves to chance.
fn remarks(level: &CopsFile) -> Vec<Fault> {
    let Ok(plan) = plan(level) else { return Vec::new() };
    let rules = &level.rules;
    let left = [
        ("thief", 1, usize::from(plan.thief.is_some())),
        ("cop", rules.cops, plan.cops.len()),
        ("gate", rules.gates, plan.gates.len()),
        ("wall", rules.walls, plan.walls.len()),
    ];
    let random: Vec<String> = left
        .into_iter()
        .filter_map(|(name, wanted, shown)| match (wanted as usize).saturating_sub(shown) {
            0 => None,
            1 if name == "thief" => Some("the thief".into()),
            1 => Some(format!("1 {name}")),
            count => Some(format!("{count} {name}s")),
        })
        .collect();
    match random.as_slice() {
        [] => Vec::new(),
        [only] => vec![Fault::whole(format!("at random places: {only}"))],
        [all @ .., last] => {
            vec![Fault::whole(format!("at random places: {} and {last}", all.join(", ")))]
        }
    }
}

impl GeneratorOptions<Cops> for BoardOptions {
    fn generate(&self, seed: u64) -> Result<CopsFile, String> {
        let cells = houses(self, seed)?;
        let rules = CopsRules {
            cops: self.cops,
            gates: self.gates,
            walls: self.walls,
            ..CopsRules::default()
        };
        let mut level = CopsFile {
            format: FORMAT.into(),
            name: format!("Quarter {seed}"),
            author: String::new(),
            about: format!("Random board; {} % of the cells are blocks.", percent(self.density)),
            rules,
            map: Vec::new(),
        };
        level.set_cells(&cells);
        Ok(level)
    }
}

/// Draws the board that the rules ask for instead of the map.
pub(super) fn unfold(mut level: CopsFile) -> CopsFile {
    if let Some(size) = level.rules.size.take() {
        let side = size as usize + 2;
        level.set_cells(&blank(PALETTE, side, side));
    }
    level
}

fn percent(share: f64) -> u32 {
    (share * 100.0).round() as u32
}

/// A board with blocks none of which cuts a free cell off.
fn houses(generator_options: &BoardOptions, seed: u64) -> Result<Grid<char>, String> {
    let width = generator_options.width as usize + 2;
    let height = generator_options.height as usize + 2;
    let mut cells = blank(PALETTE, width, height);
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let inner = generator_options.width as usize * generator_options.height as usize;
    let wanted = (generator_options.density * inner as f64).round() as usize;
    let mut order: Vec<Cell> =
        cells.cells().filter(|&cell| Placement::Inside.holds(cell, width, height)).collect();
    order.shuffle(&mut dice);
    let mut built = 0;
    for cell in order {
        if built >= wanted {
            break;
        }
        let twin = if generator_options.mirrored {
            Cell::new(width as i32 - 1 - cell.x, cell.y)
        } else {
            cell
        };
        if cells[cell] == '#' {
            continue;
        }
        let stood = (cells[cell], cells[twin]);
        cells[cell] = '#';
        cells[twin] = '#';
        if in_one_piece(&cells) {
            built += 1 + usize::from(twin != cell);
        } else {
            (cells[cell], cells[twin]) = stood;
        }
    }
    // A few blocks fewer than were asked for are no failure.
    if built + built / 20 + 1 < wanted {
        return Err(format!(
            "only {} of {} in a hundred cells can be blocks without cutting some off: ask for less",
            percent(built as f64 / inner as f64),
            percent(generator_options.density)
        ));
    }
    Ok(cells)
}

fn in_one_piece(cells: &Grid<char>) -> bool {
    let mut free = cells.iter().filter(|&(_, &symbol)| symbol == '.').map(|(cell, _)| cell);
    let Some(first) = free.next() else { return false };
    let reach = distances(cells, [first], &FOUR, |_, &symbol| symbol == '.');
    free.all(|cell| reach[cell] != UNREACHED)
}
