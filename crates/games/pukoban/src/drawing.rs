//! Levels in the editor: tiles, warnings and random levels.

use super::Pukoban;
use super::generator::{PuzzleOptions, hardest};
use super::level::{MAX_SIDE, PukobanFile, Tile, cells_of, tiles};
use super::xsb;
use outwit_core::grid::{FOUR, Grid, UNREACHED, distances};
use outwit_core::levels::Fault;
use outwit_kit::TileStyle;
use outwit_kit::{Footprint, Generator, GeneratorOptions, MapSpec, Placement, TileKind, look_of};

const fn tile(symbol: char, name: &'static str, help: &'static str, look: TileStyle) -> TileKind {
    TileKind::terrain(symbol, name, help, look, Placement::Anywhere)
}

const PALETTE: &[TileKind] = &[
    tile('-', "Floor", "Where the player and boxes go.", TileStyle::Ground).or(" _"),
    tile('#', "Wall", "Stops the player and boxes.", TileStyle::Wall),
    tile('.', "Goal", "A cell that needs a box.", TileStyle::Goal).coloured([0, 200, 0]),
    TileKind {
        silhouette: Some("box"),
        ..tile('$', "Box", "Can be pushed, and pulled where the rules allow it.", TileStyle::Mark)
            .coloured([200, 120, 0])
            .piece(Footprint::One)
            .standing_on(&[('.', '*')])
    },
    tile('*', "Box on a goal", "A box that is on a goal from the start.", TileStyle::Mark)
        .coloured([230, 230, 0])
        .labelled('*'),
    TileKind {
        most: Some(1),
        silhouette: Some("worker"),
        ..tile('@', "Player", "Where the player starts.", TileStyle::Start)
            .coloured([0, 60, 255])
            .piece(Footprint::One)
            .standing_on(&[('.', '+')])
    },
    TileKind {
        most: Some(1),
        ..tile('+', "Player on a goal", "The player starts on a goal.", TileStyle::Start)
            .coloured([200, 0, 200])
            .piece(Footprint::One)
            .labelled('+')
    },
];

pub(super) const MAPS: MapSpec<Pukoban> = MapSpec {
    warnings: |level, _| warnings(level),
    looks: |level, _| looks(level),
    unfold,
    foreign_formats: Some(xsb::FORMATS),
    generator: Some(Generator::of::<PuzzleOptions>()),
    ..MapSpec::new(PALETTE, 1..=MAX_SIDE, (10, 8))
};

/// Floor that neither the player nor a box can get to is shown as outside.
fn looks(level: &PukobanFile) -> Grid<TileStyle> {
    let tiles = tiles(level);
    let pieces = cells_of(&tiles, |tile| tile.is_player() || tile.is_box());
    let reach = distances(&tiles, pieces, &FOUR, |_, &tile| tile != Tile::Wall);
    Grid::from_fn(tiles.width(), tiles.height(), |cell| match tiles[cell] {
        Tile::Floor if reach[cell] == UNREACHED => TileStyle::Void,
        tile => look_of(PALETTE, tile.to_char()),
    })
}

/// Probable mistakes in a playable level.
fn warnings(level: &PukobanFile) -> Vec<Fault> {
    let tiles = tiles(level);
    let players = cells_of(&tiles, Tile::is_player);
    if players.is_empty() {
        return Vec::new();
    }
    let reach = distances(&tiles, players, &FOUR, |_, &tile| tile != Tile::Wall);
    let cut_off = |fits: &dyn Fn(Tile) -> bool| {
        let mut cells = cells_of(&tiles, fits);
        cells.retain(|&cell| reach[cell] == UNREACHED);
        cells
    };
    let mut warnings: Vec<Fault> = Vec::new();
    let goals = cut_off(&|tile| tile.is_goal() && !tile.is_box());
    let what = "the player cannot reach this goal: the level cannot be solved";
    warnings.extend(Fault::at_all(goals, what));
    let boxes = cut_off(&Tile::is_box);
    let missing = boxes.iter().filter(|&&cell| tiles[cell] == Tile::Box).count();
    warnings.extend(Fault::at_all(boxes, "the player cannot reach this box"));
    let all = |fits: fn(Tile) -> bool| cells_of(&tiles, fits).len();
    let boxes = all(Tile::is_box);
    let goals = all(Tile::is_goal);
    if missing > 0 && boxes >= goals && boxes - missing < goals {
        warnings.push(Fault::whole(
            "the player can reach fewer boxes than there are goals that need one: the level \
             cannot be solved",
        ));
    }
    warnings
}

impl GeneratorOptions<Pukoban> for PuzzleOptions {
    fn generate(&self, seed: u64) -> Result<PukobanFile, String> {
        hardest(self, seed).map(|(level, _)| level)
    }
}

/// Spells floor as `-`, however the file spells it.
pub(super) fn unfold(mut level: PukobanFile) -> PukobanFile {
    let cells = level.cells('-').map(|&symbol| match Tile::from_char(symbol) {
        Some(tile) => tile.to_char(),
        None => symbol,
    });
    level.set_cells(&cells);
    level
}
