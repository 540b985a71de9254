//! Levels in the editor: tiles and warnings.

use super::Stealth;
use super::dead_end::best_dead_end;
use super::exact::best_complete;
use super::generator::{HouseOptions, house};
use super::level::{GroundTile, MAX_SIDE, StealthFile, cells_of, tiles};
use super::sight::{SIGHT, thrice_factor};
use crate::games::TileStyle;
use crate::games::editing::{EditableGame, Footprint, Placement, TileKind};
use crate::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use crate::levels::Fault;
use crate::play::Game;
use std::ops::RangeInclusive;

const fn tile(symbol: char, name: &'static str, help: &'static str, look: TileStyle) -> TileKind {
    TileKind::terrain(symbol, name, help, look, Placement::Anywhere)
}

pub(super) const PALETTE: &[TileKind] = &[
    tile('.', "Free", "Costs 1.5 to enter.", TileStyle::Ground),
    tile('X', "Difficult", "Difficult terrain: costs 3 to enter.", TileStyle::Ground)
        .coloured([220, 200, 150])
        .labelled('x'),
    tile('T', "Obstacle", "An obstacle to climb over: costs 4.5 to enter.", TileStyle::Mark)
        .coloured([160, 100, 40])
        .labelled('t'),
    tile('#', "Wall", "Stops the thief and the guards' sight.", TileStyle::Wall),
    TileKind {
        silhouette: Some("guard"),
        ..tile('Z', "Guard", "Makes the cells in its sight cost more.", TileStyle::Mark)
            .piece(Footprint::One)
    },
    TileKind {
        most: Some(1),
        silhouette: Some("thief"),
        ..tile('O', "Start", "Where the thief starts.", TileStyle::Start).piece(Footprint::One)
    },
    TileKind {
        most: Some(1),
        silhouette: Some("flag"),
        ..tile('Y', "Goal", "Where the thief wants to be.", TileStyle::Goal).piece(Footprint::One)
    },
];

/// The maximum number of warnings in the list.
const MOST_WARNINGS: usize = 20;

/// Moves that the search for a better dead end may try.
const DEAD_END_NODES: u64 = 100_000;

impl EditableGame for Stealth {
    const SIDES: RangeInclusive<usize> = 1..=MAX_SIDE;
    const DEFAULT_SIZE: (usize, usize) = (12, 10);
    type GeneratorOptions = HouseOptions;

    fn warnings(level: &StealthFile) -> Vec<Fault> {
        let tiles = tiles(level);
        let mut warnings = Vec::new();
        let starts = cells_of(&tiles, GroundTile::Start);
        if !starts.is_empty() {
            let reach = distances(&tiles, starts, &FOUR, |_, &tile| !tile.is_closed());
            for (cell, &tile) in tiles.iter() {
                let is_terrain = matches!(tile, GroundTile::Difficult | GroundTile::Obstacle);
                if is_terrain && reach[cell] == UNREACHED {
                    warnings.push(Fault::at(cell, "the thief cannot get to this terrain"));
                }
                if tile == GroundTile::Guard && !guards_anything(&tiles, &reach, cell) {
                    let what = "this guard sees no cell that the thief can enter";
                    warnings.push(Fault::at(cell, what));
                }
            }
        }
        warnings.truncate(MOST_WARNINGS);
        if let Ok(game) = Self::new(level, 1) {
            warnings.extend(misleading(&game));
        }
        warnings
    }

    fn generate(options: &HouseOptions, seed: u64) -> Result<StealthFile, String> {
        house(options, seed)
    }
}

/// Whether a guard changes the cost of any cell that the thief can enter.
fn guards_anything(tiles: &Grid<GroundTile>, reach: &Grid<u32>, guard: Cell) -> bool {
    let is_wall = |cell: Cell| tiles.get(cell) == Some(&GroundTile::Wall);
    let near = (-SIGHT..=SIGHT).flat_map(|y| (-SIGHT..=SIGHT).map(move |x| Cell::new(x, y)));
    near.map(|offset| guard + offset).any(|cell| {
        reach.get(cell).is_some_and(|&steps| steps != UNREACHED && steps != 0)
            && thrice_factor(guard, cell, is_wall) != 3
    })
}

/// Warns where a dead end is rated better than every complete path.
fn misleading(game: &Stealth) -> Option<Fault> {
    let ground = game.ground();
    let complete = best_complete(ground)?;
    let stuck = best_dead_end(ground, Some(complete.fitness), DEAD_END_NODES).best?;
    Some(Fault::whole(format!(
        "a dead end of fitness {} beats the best complete path, {}: raise the penalty by more than {}",
        ground.amount(stuck.fitness),
        ground.amount(complete.fitness),
        ground.amount(complete.fitness - stuck.fitness),
    )))
}
