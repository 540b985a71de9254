//! Boards in the level editor: tiles, pictures and warnings.

use super::Cops;
use super::board::Position;
use super::generator::BoardOptions;
use super::level::{CopsFile, plan, played_cells};
use super::ring::Ring;
use super::tiles::PALETTE;
use outwit_core::grid::{FOUR, Grid};
use outwit_core::levels::Fault;
use outwit_core::play::{Chance, CheckedLevel, Game};
use outwit_kit::{Generator, MapSpec, TileStyle, blank, look_of};

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

/// Draws the board that the rules ask for instead of the map.
pub(super) fn unfold(mut level: CopsFile) -> CopsFile {
    if let Some(size) = level.rules.size.take() {
        let side = size as usize + 2;
        level.set_cells(&blank(PALETTE, side, side));
    }
    level
}
