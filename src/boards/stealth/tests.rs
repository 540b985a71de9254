//! What the manor looks like, measured.

use super::pieces::{Guard, Loot, Thief};
use super::terrain::terrain;
use crate::app::drawing::{Detail, Terrain, picture};
use crate::app::match_screen::{Brush, GameView};
use crate::app::shell::theme::Rgb;
use crate::boards::tests::kinds_follow_the_match;
use bevy::math::Vec2;
use bevy_egui::egui::Color32;
use outwit_core::play::{CheckedLevel, Game};
use outwit_kit::GameSpec;
use outwit_stealth::{Stealth, StealthFile, StealthRules};

const DETAILS: [Detail; 3] = [Detail::Far, Detail::Middle, Detail::Near];
/// Pixels per cell of the pictures.
const CELL: usize = 20;

fn level(rows: &[&str], sight: Option<u32>) -> StealthFile {
    let map = rows.iter().map(|row| (*row).into()).collect();
    crate::boards::tests::level(StealthRules { sight, ..Default::default() }, map)
}

/// A game on this map under the usual rules.
pub fn game(rows: &[&str]) -> Stealth {
    let level = StealthFile { format: Stealth::INFO.format.into(), ..level(rows, None) };
    Stealth::new(&CheckedLevel::new(level).unwrap(), 1).unwrap()
}

/// The pixels of a part of a cell, from one share of its sides to another.
fn pixels(
    Terrain { ground, standing }: &Terrain,
    size: (usize, usize),
    cell: (usize, usize),
    (low, high): ([f32; 2], [f32; 2]),
) -> Vec<Color32> {
    let room = Vec2::new(size.0 as f32, size.1 as f32);
    let image = picture(&[ground, standing], Rgb(255, 0, 255), Vec2::ZERO, room, CELL as f32);
    let at = |cell: usize, share: f32| cell * CELL + (share * CELL as f32).round() as usize;
    let (columns, rows) =
        (at(cell.0, low[0])..at(cell.0, high[0]), at(cell.1, low[1])..at(cell.1, high[1]));
    rows.flat_map(|y| columns.clone().map(move |x| (x, y)))
        .map(|(x, y)| image.pixels[y * image.size[0] + x])
        .collect()
}

#[test]
fn walls_are_exactly_the_cells_of_walls() {
    let rows = ["..##..", ".#...#", "##.#.#", "......"];
    for (dark, detail) in [(true, Detail::Far), (false, Detail::Middle), (true, Detail::Near)] {
        let terrain = terrain(&level(&rows, None), dark, detail);
        let middle = |x, y| pixels(&terrain, (6, 4), (x, y), ([0.4, 0.3], [0.5, 0.4]))[0];
        let wall = middle(2, 0);
        for (y, row) in rows.iter().enumerate() {
            for (x, symbol) in row.chars().enumerate() {
                assert_eq!(middle(x, y) == wall, symbol == '#', "{x} {y} {dark} {detail:?}");
            }
        }
    }
}

#[test]
fn cells_of_foggy_levels_tell_nothing_of_their_neighbours() {
    for detail in DETAILS {
        for (centre, part) in [
            ('.', ([0.1, 0.1], [0.9, 0.9])),
            ('X', ([0.1, 0.1], [0.9, 0.9])),
            ('T', ([0.1, 0.1], [0.9, 0.9])),
            // The side of a wall is covered where nothing is known below it.
            ('#', ([0.1, 0.1], [0.9, 0.5])),
        ] {
            let seen = |around: char| {
                let side = String::from_iter([around; 3]);
                let row = String::from_iter([around, centre, around]);
                let rows = [side.as_str(), &row, &side];
                let terrain = terrain(&level(&rows, Some(5)), true, detail);
                pixels(&terrain, (3, 3), (1, 1), part)
            };
            for around in ['#', 'T', 'X', 'Y'] {
                assert_eq!(seen(around), seen('.'), "{centre} among {around}, {detail:?}");
            }
        }
    }
}

#[test]
fn unfinished_maps_are_drawn() {
    for rows in [&["...", "..."][..], &["###", "###"], &["O"], &["YY", "OTX?", "#"], &[], &[""]] {
        for detail in DETAILS {
            for dark in [true, false] {
                terrain(&level(rows, None), dark, detail);
            }
        }
    }
}

#[test]
fn large_maps_need_few_triangles_per_cell() {
    const SIDE: usize = 512;
    let row = |first: usize| -> String {
        (0..SIDE).map(|x| if (x + first).is_multiple_of(2) { 'T' } else { 'X' }).collect()
    };
    let rows = [row(0), row(1)];
    let rows: Vec<&str> = (0..SIDE).map(|y| rows[y % 2].as_str()).collect();
    let level = level(&rows, None);
    for detail in [Detail::Far, Detail::Middle] {
        let terrain = terrain(&level, true, detail);
        let triangles = terrain.ground.triangles().count() + terrain.standing.triangles().count();
        assert!(triangles < 16 * SIDE * SIDE, "{triangles} {detail:?}");
    }
}

#[test]
fn the_editor_draws_every_tile() {
    for detail in DETAILS {
        let brush = Brush { dark: true, detail };
        let sketch =
            |symbol| (Stealth::SCENERY.tile_look)(symbol).and_then(|look| look.sketch(brush, None));
        for symbol in ".XT^>v<".chars() {
            assert!(sketch(symbol).is_some(), "{symbol} {detail:?}");
        }
        assert!(sketch('^') != sketch('>') && sketch('v') != sketch('<'));
    }
    assert!("ZNESWOY".chars().all(|symbol| (Stealth::SCENERY.tile_look)(symbol).is_some()));
}

#[test]
fn thieves_guards_and_chests_are_found_in_the_world() {
    kinds_follow_the_match::<(Thief, Guard, Loot)>("stealth", &["thief", "guard", "chest"]);
}
