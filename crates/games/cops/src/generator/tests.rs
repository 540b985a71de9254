//! What holds for every random board.

use super::super::level::CopsFile;
use super::super::rules::Cops;
use super::{BoardOptions, in_one_piece};
use outwit_core::grid::{Cell, FOUR, Grid, UNREACHED, distances};
use outwit_core::play::{Chance, CheckedLevel, Game, Match};
use outwit_kit::GeneratorOptions;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

fn blocks(cells: &Grid<char>) -> Vec<Cell> {
    cells.iter().filter(|&(_, &symbol)| symbol == '#').map(|(cell, _)| cell).collect()
}

/// All connected blocks, diagonally too, as their cells.
fn buildings(cells: &Grid<char>) -> Vec<Vec<Cell>> {
    let around: Vec<Cell> = (-1..=1)
        .flat_map(|y| (-1..=1).map(move |x| Cell::new(x, y)))
        .filter(|&step| step != Cell::new(0, 0))
        .collect();
    let mut left: BTreeSet<Cell> = blocks(cells).into_iter().collect();
    let mut buildings = Vec::new();
    while let Some(&first) = left.first() {
        let reach = distances(cells, [first], &around, |_, &symbol| symbol == '#');
        left.retain(|&cell| reach[cell] == UNREACHED);
        buildings.push(cells.cells().filter(|&cell| reach[cell] != UNREACHED).collect());
    }
    buildings
}

/// Columns and rows of the smallest rectangle around cells.
fn extent(cells: &[Cell]) -> (i32, i32) {
    let span = |along: fn(&Cell) -> i32| {
        let (low, high) = (cells.iter().map(along).min(), cells.iter().map(along).max());
        high.zip(low).map_or(0, |(high, low)| high - low + 1)
    };
    (span(|cell| cell.x), span(|cell| cell.y))
}

fn is_rectangle(building: &[Cell]) -> bool {
    let (columns, rows) = extent(building);
    building.len() as i32 == columns * rows
}

fn map_of(options: &BoardOptions, seed: u64) -> Grid<char> {
    options.generate(seed).unwrap().cells('.')
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn boards_are_as_asked_for_or_refused(
        seed: u64,
        width in 3_u32..=62,
        height in 3_u32..=62,
        // Small boards are the special cases.
        is_small: bool,
        density in 0.0..=0.5,
        streets: bool,
        mirrored: bool,
    ) {
        let (width, height) = if is_small { (3 + width % 10, 3 + height % 10) } else { (width, height) };
        let options = BoardOptions { width, height, density, streets, mirrored, ..BoardOptions::default() };
        let made = options.generate(seed);
        prop_assert_eq!(&made, &options.generate(seed));
        let has_streets = streets && width.min(height) >= 5;
        let wanted = options.wanted();
        let level: CopsFile = match made {
            Ok(level) => level,
            Err(why) => {
                prop_assert!(why.contains("ask for less"), "{why}");
                // A town is refused only where not even one large house would do.
                prop_assert!(!has_streets || wanted > (width as usize - 2) * (height as usize - 2));
                return Ok(());
            }
        };
        let cells = level.cells('.');
        let size = (cells.width() as u32, cells.height() as u32);
        prop_assert_eq!(size, (width + 2, height + 2));
        prop_assert!(in_one_piece(&cells));
        let from_edge = |cell: Cell| {
            cell.x.min(cell.y).min(width as i32 + 1 - cell.x).min(height as i32 + 1 - cell.y)
        };
        for (cell, &symbol) in cells.iter() {
            let allowed = match from_edge(cell) {
                0 => "=",
                1 if has_streets => ".",
                _ => ".#",
            };
            prop_assert!(allowed.contains(symbol), "{symbol} at {cell}");
            prop_assert!(!mirrored || cells[options.twin(cell)] == symbol, "{cell}");
        }
        let built = blocks(&cells).len();
        let off = built.abs_diff(wanted);
        if has_streets {
            // A board with an odd number of blocks cannot always be mirrored.
            prop_assert!(off * 50 <= options.inner() || off <= 1, "{built} blocks, not {wanted}");
            let odd = buildings(&cells).into_iter().filter(|building| !is_rectangle(building)).count();
            prop_assert!(odd <= if mirrored { 2 } else { 1 }, "{odd} houses are no rectangles");
        } else {
            prop_assert!(off <= built / 20 + 1, "{built} blocks, not {wanted}");
        }
    }

    #[test]
    fn pursuits_start_on_every_town(
        seed: u64,
        width in 8_u32..=62,
        height in 8_u32..=62,
        density in 0.0..=0.5,
    ) {
        let options = BoardOptions { width, height, density, ..BoardOptions::default() };
        let level = CheckedLevel::<Cops>::new(options.generate(seed).unwrap()).unwrap();
        let game = Cops::new(&level, 2).unwrap();
        let start = game.opening(&Chance::new(seed)).unwrap();
        let length = game.board().rules().wall_length;
        let mut covered = start.walls.iter().flat_map(|wall| wall.cells(length));
        // In the narrow streets of a small town walls may have to cover houses.
        let has_room = width.min(height) >= 12 && density <= 0.4;
        prop_assert!(!has_room || covered.all(|cell| game.board().is_floor(cell)));
        prop_assert!(Match::new(Arc::new(game), seed).is_ok());
    }
}

#[test]
fn houses_are_larger_than_scattered_blocks_and_differ_in_size() {
    for seed in 0..100 {
        // How many of the four cells beside a block are blocks.
        let neighbours = |streets| {
            let cells = map_of(&BoardOptions { streets, ..BoardOptions::default() }, seed);
            let blocks = blocks(&cells);
            let beside =
                |&cell: &Cell| FOUR.iter().filter(|&&step| cells[cell + step] == '#').count();
            blocks.iter().map(beside).sum::<usize>() as f64 / blocks.len() as f64
        };
        let (town, scattered) = (neighbours(true), neighbours(false));
        assert!(town > 1.4 * scattered, "seed {seed}: {town} and {scattered}");
        let houses = buildings(&map_of(&BoardOptions::default(), seed));
        let sizes: BTreeSet<(i32, i32)> = houses.iter().map(|house| extent(house)).collect();
        assert!(houses.len() >= 8 && sizes.len() >= 4, "seed {seed}: {sizes:?}");
    }
}

#[test]
fn streets_lead_far_and_towns_have_squares() {
    for seed in 0..100 {
        let options = BoardOptions { width: 30, height: 30, ..BoardOptions::default() };
        let cells = map_of(&options, seed);
        let is_free = |cell: Cell| cells.get(cell) == Some(&'.');
        // A street that crosses half of the board, not the one along its border.
        let has_long_street = |cell_at: fn(i32, i32) -> Cell| {
            (2..=29).any(|lane| {
                let line: Vec<bool> = (1..=30).map(|at| is_free(cell_at(at, lane))).collect();
                line.split(|&free| !free).any(|run| run.len() >= 15)
            })
        };
        assert!(has_long_street(Cell::new), "seed {seed}");
        assert!(has_long_street(|at, lane| Cell::new(lane, at)), "seed {seed}");
        let is_square = |corner: Cell| (0..25).all(|i| is_free(corner + Cell::new(i % 5, i / 5)));
        assert!(cells.cells().any(is_square), "seed {seed}");
    }
}

#[test]
fn each_seed_gives_another_town() {
    let maps: BTreeSet<Vec<String>> =
        (0..50).map(|seed| BoardOptions::default().generate(seed).unwrap().map).collect();
    assert_eq!(maps.len(), 50);
}

#[test]
fn too_many_houses_are_refused_in_words() {
    let options = BoardOptions { width: 5, height: 5, density: 0.5, ..BoardOptions::default() };
    assert_eq!(
        options.generate(1).unwrap_err(),
        "only 36 of 50 in a hundred cells can be blocks with streets around them: ask for less, or \
         turn streets off"
    );
    assert!(BoardOptions { streets: false, ..options }.generate(1).is_ok());
}
