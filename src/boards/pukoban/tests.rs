//! What the warehouse looks like, measured.

use super::colours::Warehouse;
use super::pieces::{Crate, Worker};
use super::terrain::terrain;
use crate::app::drawing::{Detail, mixed, picture};
use crate::app::match_screen::{Brush, GameView};
use crate::app::shell::theme::tests::contrast;
use crate::app::shell::theme::{INK, Rgb};
use crate::boards::tests::kinds_follow_the_match;
use bevy::math::Vec2;
use bevy_egui::egui::Color32;
use outwit_pukoban::{Pukoban, PukobanFile, PukobanRules};

fn level(rows: &[&str]) -> PukobanFile {
    crate::boards::tests::level(
        PukobanRules::default(),
        rows.iter().map(|row| (*row).into()).collect(),
    )
}

#[test]
fn walls_goals_and_crates_stand_out_from_the_floor() {
    for dark in [true, false] {
        let colours = Warehouse::of(dark);
        for floor in colours.ground {
            let rim = mixed(colours.walls.top[0], Rgb(255, 255, 255), 0.36);
            let faces = [colours.walls.top[0], colours.walls.side[0], rim];
            assert!(faces.iter().any(|&face| contrast(face, floor) >= 3.0), "{dark}");
            assert!(contrast(colours.paint, floor) >= 3.0, "{dark}");
            let wood = [colours.crates[0], colours.crates[3], INK];
            assert!(wood.iter().any(|&wood| contrast(wood, floor) >= 3.0), "{dark}");
        }
        assert!(contrast(colours.done[1], colours.done[0]) >= 3.0, "{dark}");
    }
}

/// The middle of a cell in a picture of a terrain.
fn middles(rows: &[&str], dark: bool, detail: Detail) -> Vec<Vec<Color32>> {
    const CELL: usize = 20;
    let terrain = terrain(&level(rows), dark, detail);
    let size = Vec2::new(rows[0].len() as f32, rows.len() as f32);
    let sketches = [&terrain.ground, &terrain.standing];
    let image = picture(&sketches, Rgb(255, 0, 255), Vec2::ZERO, size, CELL as f32);
    let at = |x: usize, y: usize| {
        image.pixels[(y * CELL + CELL / 3) * image.size[0] + x * CELL + CELL / 2]
    };
    (0..rows.len()).map(|y| (0..rows[0].len()).map(|x| at(x, y)).collect()).collect()
}

#[test]
fn walls_are_exactly_the_cells_of_walls() {
    let rows = ["#######", "#@-#--#", "#-$-#.#", "##--###", "-#-----", "-#####-"];
    for (dark, detail) in [(true, Detail::Far), (false, Detail::Middle), (true, Detail::Near)] {
        let seen = middles(&rows, dark, detail);
        let (wall, floor) = (seen[0][2], seen[2][3]);
        assert_ne!(wall, floor);
        for (y, row) in rows.iter().enumerate() {
            for (x, symbol) in row.chars().enumerate() {
                if symbol == '.' {
                    continue;
                }
                let is_wall = contrast_of(seen[y][x], wall) < contrast_of(seen[y][x], floor);
                // Outside nothing is drawn.
                let outside = seen[y][x] == Color32::from_rgb(255, 0, 255);
                assert!(outside || is_wall == (symbol == '#'), "{x} {y} {dark} {detail:?}");
            }
        }
    }
}

fn contrast_of(one: Color32, two: Color32) -> f32 {
    contrast(Rgb(one.r(), one.g(), one.b()), Rgb(two.r(), two.g(), two.b()))
}

#[test]
fn unfinished_maps_are_drawn() {
    for rows in [&["---", "---"][..], &["###", "###"], &["@"], &["$.*+", "#x?!"]] {
        for detail in [Detail::Far, Detail::Middle, Detail::Near] {
            terrain(&level(rows), true, detail);
        }
    }
}

#[test]
fn crates_show_whether_they_are_on_a_goal() {
    for detail in [Detail::Far, Detail::Middle, Detail::Near] {
        let brush = Brush { dark: true, detail };
        let sketch =
            |symbol| (Pukoban::SCENERY.tile_look)(symbol).and_then(|look| look.sketch(brush, None));
        assert!(sketch('$').is_some() && sketch('$') != sketch('*'), "{detail:?}");
    }
}

#[test]
fn workers_and_crates_are_found_in_the_world() {
    kinds_follow_the_match::<(Worker, Crate)>("pukoban", &["worker", "box"]);
}
