//! Contrasts of all boards, measured from the pixels of what is drawn.

use super::BOARDS;
use crate::app::drawing::{Detail, Sketch, picture};
use crate::app::match_screen::{Brush, GameView};
use crate::app::shell::assets::AssetFolder;
use crate::app::shell::pieces::Pieces;
use crate::app::shell::theme::tests::contrast;
use crate::app::shell::theme::{DARK, LIGHT, Rgb};
use bevy::math::Vec2;
use bevy_egui::egui::ColorImage;
use outwit_cops::Cops;
use outwit_core::grid::{Cell, FOUR};
use outwit_core::play::Chance;
use outwit_kit::{TileStyle, read_level};
use outwit_levels::built_in;
use outwit_mnk::Mnk;
use outwit_pukoban::Pukoban;
use outwit_racetrack::Racetrack;
use outwit_stealth::Stealth;

/// What every wall has to its floor, and every piece to what it stands on.
const LEAST: f32 = 3.0;
/// Cells around a piece that are drawn with it.
const AROUND: f32 = 3.0;
/// The sizes at which it is measured, in pixels a cell: one for each level of detail.
const SIZES: [f32; 3] = [8.0, 20.0, 34.0];

fn silhouettes() -> Pieces {
    let own = BOARDS.iter().flat_map(|board| board.spec.silhouettes.iter().copied());
    let tiles = outwit_headless::GAMES.iter().flat_map(|game| game.facts().palette);
    let names = own.chain(tiles.filter_map(|tile| tile.silhouette));
    let seats = outwit_headless::GAMES
        .iter()
        .flat_map(|game| (0..*game.facts().seats.allowed.end()).map(|seat| game.seat(seat).piece));
    let names: std::collections::BTreeSet<&str> = names.chain(seats).collect();
    Pieces::read(&AssetFolder::default(), names).unwrap()
}

/// The pixels of a cell, with so much of each side left out.
fn pixels(image: &ColorImage, cell: Cell, size: f32, inset: f32) -> Vec<(usize, Rgb)> {
    let [width, height] = image.size;
    let range = |at: i32, most: usize| {
        let low = ((at as f32 + inset) * size).max(0.0) as usize;
        let high = (((at + 1) as f32 - inset) * size).max(0.0) as usize;
        low.min(most)..high.min(most)
    };
    let mut found = Vec::new();
    for y in range(cell.y, height) {
        for x in range(cell.x, width) {
            let pixel = image.pixels[y * width + x];
            found.push((y * width + x, Rgb(pixel.r(), pixel.g(), pixel.b())));
        }
    }
    found
}

fn brightness(colour: Rgb) -> u32 {
    u32::from(colour.0) * 3 + u32::from(colour.1) * 6 + u32::from(colour.2)
}

/// The colour in the middle of all, by brightness.
fn median(mut pixels: Vec<(usize, Rgb)>) -> Rgb {
    pixels.sort_by_key(|&(_, colour)| brightness(colour));
    pixels[pixels.len() / 2].1
}

/// The least contrast of a wall to a floor beside it and of a piece to what it covers, on a level in one theme
/// and size, in this order.
fn least_contrasts<G: GameView>(id: &str, dark: bool, size: f32, pieces: &Pieces) -> (f32, f32) {
    let level = read_level::<G>(&built_in(id).unwrap().bytes().unwrap(), id).unwrap();
    let game = G::new(&level, *G::SEATS.allowed.start()).unwrap();
    let looks = (G::MAPS.looks)(&level, None);
    let (columns, rows) = G::extent(&game);
    let detail = Detail::at(size, columns * rows);
    let terrain = (G::SCENERY.terrain)(&level, dark, detail);
    let board = Vec2::new(columns as f32, rows as f32);
    let palette = if dark { DARK } else { LIGHT };
    let draw = |above: &Sketch, low: Vec2, extent: Vec2| {
        let sketches = [&terrain.ground, &terrain.standing, above];
        picture(&sketches, palette.board, low, extent, size)
    };
    let has_walls = looks.iter().any(|(_, look)| *look == TileStyle::Wall);
    let nothing = Sketch::default();
    let bare = draw(&nothing, Vec2::ZERO, if has_walls { board } else { Vec2::ONE });
    let inside = (G::SCENERY.inside)(&level);
    let floor = |cell: Cell| {
        let free = looks.get(cell) == Some(&TileStyle::Ground);
        (free && inside.get(cell) == Some(&true)).then(|| median(pixels(&bare, cell, size, 0.25)))
    };
    let mut walls = f32::INFINITY;
    for (cell, _) in looks.iter().filter(|(_, look)| **look == TileStyle::Wall) {
        let beside = FOUR.iter().filter_map(|&step| floor(cell + step));
        let Some(ground) = beside.max_by_key(|colour| brightness(*colour)) else { continue };
        // Rims may reach over the border.
        let own = pixels(&bare, cell, size, -0.2).into_iter();
        let best = own.map(|(_, colour)| contrast(colour, ground)).fold(0.0, f32::max);
        walls = walls.min(best);
    }
    let mut figures = f32::INFINITY;
    let state = game.start(&Chance::new(1)).unwrap();
    for piece in G::pieces(&game, &[], &state) {
        let brush = Brush { dark, detail };
        let mut drawn = Sketch::default();
        piece.draw(&mut drawn, brush, pieces, size);
        if drawn.is_empty() {
            continue;
        }
        let cell = Cell::new(piece.pose.place.x as i32, piece.pose.place.y as i32);
        let low = Vec2::new(cell.x as f32, cell.y as f32) - AROUND;
        let [image, bare] =
            [&drawn, &nothing].map(|above| draw(above, low, Vec2::splat(2.0 * AROUND + 1.0)));
        let ground = median(pixels(&bare, Cell::new(AROUND as i32, AROUND as i32), size, 0.2));
        let changed = image.pixels.iter().zip(&bare.pixels).filter(|(now, then)| now != then);
        let best = changed
            .map(|(now, _)| contrast(Rgb(now.r(), now.g(), now.b()), ground))
            .fold(0.0, f32::max);
        figures = figures.min(best);
    }
    (walls, figures)
}

fn measure<G: GameView>(levels: &[&str]) {
    let pieces = silhouettes();
    let mut weak = Vec::new();
    for level in levels {
        for dark in [true, false] {
            for size in SIZES {
                let id = format!("{}/{level}", G::ID);
                let (walls, figures) = least_contrasts::<G>(&id, dark, size, &pieces);
                let what = format!("{id}, dark: {dark}, {size} pixels a cell");
                let words = format!("{what}: walls {walls:.2}, pieces {figures:.2}");
                println!("{words}");
                if walls.min(figures) < LEAST {
                    weak.push(words);
                }
            }
        }
    }
    assert!(weak.is_empty(), "below {LEAST}: {weak:#?}");
}

#[test]
fn a_circuit_can_be_read() {
    measure::<Racetrack>(&["tiny"]);
}

#[test]
fn a_town_can_be_read() {
    // A board of each kind of place; by the river all is drawn as in the harbour and in a town.
    measure::<Cops>(&["default", "corridors", "no-walls", "crowded", "fast-gates", "tiny", "duel"]);
}

#[test]
fn a_warehouse_can_be_read() {
    measure::<Pukoban>(&["25-sorting-office"]);
}

#[test]
fn a_manor_can_be_read() {
    measure::<Stealth>(&["03-mud"]);
}

#[test]
fn boards_of_wood_and_paper_can_be_read() {
    measure::<Mnk>(&["problem-01", "3x3x3"]);
}
