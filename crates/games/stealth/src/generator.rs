//! Random levels: a house of rooms with doors, furniture and guards.

use super::exact::best_complete;
use super::level::{FORMAT, GroundTile, StealthFile, StealthRules};
use super::rules::Stealth;
use outwit_core::grid::{Cell, Grid};
use outwit_core::play::{CheckedLevel, Game};
use outwit_core::rule_set;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

rule_set! {
    /// The options of the generator.
    pub struct HouseOptions {
        /// Columns of the map.
        width: u32 = 14, Whole { min: 4, max: 64, optional: false }, "Columns";
        /// Rows of the map.
        height: u32 = 10, Whole { min: 4, max: 64, optional: false }, "Rows";
        /// Number of guards.
        guards: u32 = 4, Whole { min: 0, max: 40, optional: false }, "Guards";
        /// How many of them walk to and fro, where there is room.
        patrols: u32 = 0, Whole { min: 0, max: 40, optional: false }, "Guards on patrol";
        /// The smallest side of a room that is divided no further, in cells.
        room: u32 = 4, Whole { min: 2, max: 20, optional: false }, "Room size";
        /// Share of the free cells that are difficult terrain or obstacles.
        clutter: f64 = 0.15, Real { min: 0.0, max: 0.6 }, "Share of clutter";
    }
}

/// Houses that are tried before the options are found to conflict.
const TRIES: u32 = 60;

/// A random playable level: rooms divided by walls with doors, start and goal in opposite parts.
///
/// # Errors
/// If the guards leave no way to the goal.
pub(super) fn house(options: &HouseOptions, seed: u64) -> Result<StealthFile, String> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..TRIES {
        let mut level = StealthFile {
            format: FORMAT.into(),
            name: format!("Random house {seed}"),
            author: String::new(),
            about: String::new(),
            rules: StealthRules::default(),
            map: Vec::new(),
        };
        let tiles = map(options, &mut dice);
        let mut symbols = tiles.map(|tile| tile.to_char());
        send_on_patrol(&tiles, &mut symbols, options.patrols, &mut dice);
        level.set_cells(&symbols);
        if let Ok(checked) = CheckedLevel::new(level.clone())
            && let Ok(game) = Stealth::new(&checked, 1)
            && let Some(best) = best_complete(game.ground())
        {
            level.about = format!(
                "The best complete path has {} moves and costs {}.",
                best.route.0.len(),
                game.ground().amount(game.ground().route_cost(&best.route))
            );
            return Ok(level);
        }
    }
    Err(format!(
        "{} guards leave no way to the goal: use fewer guards or a larger map",
        options.guards
    ))
}

fn map(options: &HouseOptions, dice: &mut ChaCha8Rng) -> Grid<GroundTile> {
    let width = options.width as usize;
    let height = options.height as usize;
    let mut tiles = Grid::filled(width, height, GroundTile::Free);
    divide(&mut tiles, (0, 0, width, height), options.room as usize, dice);
    let mut free: Vec<Cell> =
        tiles.iter().filter(|(_, tile)| **tile == GroundTile::Free).map(|(cell, _)| cell).collect();
    free.shuffle(dice);
    // The start is the random cell nearest to one corner, the goal the one nearest to the other.
    let corners = [Cell::new(0, height as i32 - 1), Cell::new(width as i32 - 1, 0)];
    for (corner, tile) in corners.into_iter().zip([GroundTile::Start, GroundTile::Goal]) {
        let near = free.iter().take(8).enumerate().min_by_key(|(_, cell)| cell.manhattan(corner));
        if let Some((index, &cell)) = near {
            tiles[cell] = tile;
            free.remove(index);
        }
    }
    for _ in 0..options.guards {
        let Some(cell) = free.pop() else { break };
        tiles[cell] = GroundTile::Guard;
    }
    for cell in free {
        if dice.random_bool(options.clutter) {
            tiles[cell] =
                if dice.random_bool(0.6) { GroundTile::Difficult } else { GroundTile::Obstacle };
        }
    }
    tiles
}

/// The cells that a patrol may walk to and fro; together such loops come back after 24 turns.
const BEATS: [usize; 5] = [2, 3, 4, 5, 7];

/// Lets some of the guards walk to and fro between walls, each on cells of its own.
fn send_on_patrol(
    tiles: &Grid<GroundTile>,
    symbols: &mut Grid<char>,
    patrols: u32,
    dice: &mut ChaCha8Rng,
) {
    let mut guards: Vec<Cell> = tiles
        .iter()
        .filter(|(_, tile)| **tile == GroundTile::Guard)
        .map(|(cell, _)| cell)
        .collect();
    guards.shuffle(dice);
    for guard in guards.into_iter().take(patrols as usize) {
        let is_across = dice.random_bool(0.5);
        let (step, marks) = match is_across {
            true => (Cell::new(1, 0), ['E', '<']),
            false => (Cell::new(0, 1), ['S', '^']),
        };
        let is_free = |symbols: &Grid<char>, cell: Cell| symbols.get(cell) == Some(&'.');
        let mut beat = vec![guard];
        let mut first = guard;
        while is_free(symbols, first - step) {
            first = first - step;
            beat.insert(0, first);
        }
        while let Some(&last) = beat.last()
            && is_free(symbols, last + step)
        {
            beat.push(last + step);
        }
        let Some(&length) = BEATS.iter().rev().find(|&&length| length <= beat.len()) else {
            continue;
        };
        let spare = beat.len() - length;
        let at = beat.iter().position(|&cell| cell == guard).unwrap_or(0);
        let from = dice.random_range(at.saturating_sub(length - 1)..=at.min(spare));
        let beat = &beat[from..from + length];
        // Signposts would turn whoever else comes by, so no other beat may cross this one.
        for &cell in beat {
            symbols[cell] = ' ';
        }
        symbols[beat[0]] = marks[0];
        symbols[beat[length - 1]] = marks[1];
    }
    for cell in tiles.cells() {
        if symbols[cell] == ' ' {
            symbols[cell] = '.';
        }
    }
}

/// Divides a rectangle (left, top, width, height) by a wall with a door or two, and then its parts.
fn divide(
    tiles: &mut Grid<GroundTile>,
    (left, top, width, height): (usize, usize, usize, usize),
    room: usize,
    dice: &mut ChaCha8Rng,
) {
    let is_wide = if width == height { dice.random_bool(0.5) } else { width > height };
    let (long, short) = if is_wide { (width, height) } else { (height, width) };
    if long < 2 * room + 1 || short < 2 {
        return;
    }
    let wall = room + dice.random_range(0..=long - 2 * room - 1);
    let cell = |along: usize, across: usize| match is_wide {
        true => Cell::new((left + along) as i32, (top + across) as i32),
        false => Cell::new((left + across) as i32, (top + along) as i32),
    };
    for across in 0..short {
        tiles[cell(wall, across)] = GroundTile::Wall;
    }
    let parts = match is_wide {
        true => [(left, top, wall, height), (left + wall + 1, top, width - wall - 1, height)],
        false => [(left, top, width, wall), (left, top + wall + 1, width, height - wall - 1)],
    };
    parts.into_iter().for_each(|part| divide(tiles, part, room, dice));
    // Doors come last, where neither side was walled up.
    let inside =
        |along: usize, across: usize| tiles.get(cell(along, across)) == Some(&GroundTile::Free);
    let mut doors: Vec<usize> =
        (0..short).filter(|&at| inside(wall - 1, at) && inside(wall + 1, at)).collect();
    doors.shuffle(dice);
    let count = 1 + usize::from(short > 6 && dice.random_bool(0.6));
    for &door in doors.iter().take(count) {
        tiles[cell(wall, door)] = GroundTile::Free;
    }
}
