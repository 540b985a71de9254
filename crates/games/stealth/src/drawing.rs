//! Levels in the editor: tiles and warnings.

use super::Stealth;
use super::dead_end::best_dead_end;
use super::exact::{BestPath, search_complete};
use super::generator::{HouseOptions, house};
use super::ground::RatedRoute;
use super::level::{GroundTile, MAX_SIDE, StealthFile, cells_of, tiles};
use super::patrol::{self, patrols};
use super::sight::{SIGHT, thrice_factor};
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use outwit_core::levels::Fault;
use outwit_core::play::{CheckedLevel, Game};
use outwit_kit::TileStyle;
use outwit_kit::{Footprint, Generator, GeneratorOptions, MapSpec, Placement, TileKind};

const fn tile(symbol: char, name: &'static str, help: &'static str, look: TileStyle) -> TileKind {
    TileKind::terrain(symbol, name, help, look, Placement::Anywhere)
}

const fn signpost(
    symbol: char,
    name: &'static str,
    turned: char,
    mirrored: char,
    colour: [u8; 3],
) -> TileKind {
    let help = "A free cell where guards on patrol turn to this direction.";
    let kind = tile(symbol, name, help, TileStyle::Ground).coloured(colour).labelled(symbol);
    TileKind { turned, mirrored, ..kind }
}

const fn patrol(
    symbol: char,
    name: &'static str,
    turned: char,
    mirrored: char,
    colour: [u8; 3],
) -> TileKind {
    let help = "A guard that walks on in this direction, one cell per turn, turns at signposts and comes back \
                here. For other guards it is a signpost.";
    let kind = tile(symbol, name, help, TileStyle::Mark).piece(Footprint::One).coloured(colour);
    TileKind { turned, mirrored, silhouette: Some("guard"), ..kind.labelled(symbol) }
}

const PALETTE: &[TileKind] = &[
    tile('.', "Free", "Costs 1.5 to enter.", TileStyle::Ground),
    tile('#', "Wall", "Stops the thief and the guards' sight.", TileStyle::Wall),
    TileKind {
        most: Some(1),
        silhouette: Some("thief"),
        ..tile('O', "Start", "Where the thief starts.", TileStyle::Start).piece(Footprint::One)
    },
    TileKind {
        most: Some(1),
        silhouette: Some("chest"),
        ..tile('Y', "Goal", "Where the thief wants to be.", TileStyle::Goal).piece(Footprint::One)
    },
    TileKind {
        silhouette: Some("guard"),
        ..tile('Z', "Guard", "Makes the cells in its sight cost more.", TileStyle::Mark)
            .piece(Footprint::One)
    },
    tile('X', "Difficult", "Difficult terrain: costs 3 to enter.", TileStyle::Ground)
        .coloured([220, 200, 150])
        .labelled('x'),
    tile('T', "Obstacle", "An obstacle to climb over: costs 4.5 to enter.", TileStyle::Mark)
        .coloured([160, 100, 40])
        .labelled('t'),
    signpost('^', "Signpost north", '>', '^', [0, 220, 190]),
    signpost('>', "Signpost east", 'v', '<', [0, 210, 210]),
    signpost('v', "Signpost south", '<', 'v', [0, 190, 220]),
    signpost('<', "Signpost west", '^', '>', [0, 170, 230]),
    patrol('N', "Patrol north", 'E', 'N', [140, 60, 255]),
    patrol('E', "Patrol east", 'S', 'W', [170, 60, 255]),
    patrol('S', "Patrol south", 'W', 'S', [200, 60, 255]),
    patrol('W', "Patrol west", 'N', 'E', [230, 60, 255]),
];

/// Walks that searches among patrols may extend.
const EDITOR_WALKS: u64 = 50_000;

/// Moves that the search for a better dead end may try.
const DEAD_END_NODES: u64 = 100_000;

pub(super) const MAPS: MapSpec<Stealth> = MapSpec {
    warnings,
    generator: Some(Generator::of::<HouseOptions>()),
    foreign_formats: Some(super::import::FORMATS),
    ..MapSpec::new(PALETTE, 1..=MAX_SIDE, (12, 10))
};

/// Probable mistakes in a playable level.
fn warnings(level: &StealthFile, checked: Option<&CheckedLevel<Stealth>>) -> Vec<Fault> {
    let tiles = tiles(level);
    let mut warnings = Vec::new();
    let starts = cells_of(&tiles, GroundTile::Start);
    if !starts.is_empty() {
        let reach = distances(&tiles, starts, &FOUR, |_, &tile| !tile.is_closed());
        let is_terrain =
            |tile: &GroundTile| matches!(tile, GroundTile::Difficult | GroundTile::Obstacle);
        let terrain =
            tiles.iter().filter(|(cell, tile)| is_terrain(tile) && reach[*cell] == UNREACHED);
        let what = "the thief cannot get to this terrain";
        warnings.extend(Fault::at_all(terrain.map(|(cell, _)| cell), what));
        let loops = patrols(level).unwrap_or_default();
        let guards = cells_of(&tiles, GroundTile::Guard);
        let blind = guards.into_iter().filter(|&cell| !guards_anything(&tiles, &reach, cell));
        let sees = |cells: &[Cell]| cells.iter().any(|&cell| guards_anything(&tiles, &reach, cell));
        let patrols = loops.iter().filter(|cells| !sees(cells)).filter_map(|cells| cells.first());
        warnings.extend(Fault::at_all(blind.chain(patrols.copied()), SEES_NOTHING));
        let symbols = level.cells('.');
        let is_sign = |symbol| patrol::signpost(symbol).is_some() && !patrol::is_start(symbol);
        let signs = symbols.iter().filter(|&(_, &symbol)| is_sign(symbol)).map(|(cell, _)| cell);
        let unused = signs.filter(|cell| !loops.iter().any(|cells| cells.contains(cell)));
        warnings.extend(Fault::at_all(unused, "no guard on patrol passes this signpost"));
    }
    if let Some(Ok(game)) = checked.map(|level| Stealth::new(level, 1)) {
        let found = search_complete(game.ground(), EDITOR_WALKS);
        warnings.extend(blocked(&game, &found));
        warnings.extend(found.best.and_then(|best| misleading(&game, &best)));
    }
    warnings
}

impl GeneratorOptions<Stealth> for HouseOptions {
    fn generate(&self, seed: u64) -> Result<StealthFile, String> {
        house(self, seed)
    }
}

/// What is said of a guard that does not matter.
const SEES_NOTHING: &str = "this guard sees no cell that the thief can enter";

/// Whether a guard changes the cost of any cell that the thief can enter.
fn guards_anything(tiles: &Grid<GroundTile>, reach: &Grid<u32>, guard: Cell) -> bool {
    let is_wall = |cell: Cell| tiles.get(cell) == Some(&GroundTile::Wall);
    let near = (-SIGHT..=SIGHT).flat_map(|y| (-SIGHT..=SIGHT).map(move |x| Cell::new(x, y)));
    near.map(|offset| guard + offset).any(|cell| {
        reach.get(cell).is_some_and(|&steps| steps != UNREACHED && steps != 0)
            && thrice_factor(guard, cell, is_wall) != 3
    })
}

/// Warns where patrols leave no path to the goal, or where that could not be found out.
fn blocked(game: &Stealth, found: &BestPath) -> Option<Fault> {
    let what = match (&found.best, found.is_proved) {
        (Some(_), _) => return None,
        (None, true) => {
            "the patrols can only be passed by entering a cell twice, which no path may do"
        }
        (None, false) => "no path past the patrols was found with the editor's limit of search",
    };
    Some(Fault::at(game.ground().goal(), what))
}

/// Warns where a dead end is rated better than every complete path.
fn misleading(game: &Stealth, complete: &RatedRoute) -> Option<Fault> {
    let ground = game.ground();
    let stuck = best_dead_end(ground, Some(complete.fitness), DEAD_END_NODES).best?;
    Some(Fault::whole(format!(
        "a dead end of fitness {} beats the best complete path, {}: raise the penalty by more than {}",
        ground.amount(stuck.fitness),
        ground.amount(complete.fitness),
        ground.amount(complete.fitness - stuck.fitness),
    )))
}
