//! What guards see, as light on the floor: exactly the cells and steps that the rule counts.

use super::colours::Manor;
use super::terrain::{corner, joints_of};
use super::{StealthUi, fog};
use crate::app::drawing::{Detail, Region, Sketch, faded, opaque};
use crate::app::match_screen::{Canvas, Shown, middle};
use crate::app::shell::theme::INK;
use bevy::math::Vec2;
use outwit_core::grid::Grid;
use outwit_core::play::Seat;
use outwit_stealth::{Ground, Stealth};

/// What the light is drawn for: revision, turn, moves, the guard that is pointed at, theme, detail, and
/// whether fog hides what was not seen.
pub type LightKey = (u64, usize, usize, Option<usize>, bool, Detail, bool);

/// Three times the factor of each guard on each cell, row by row.
pub fn fields(ground: &Ground, turn: usize) -> Vec<Vec<u8>> {
    ground
        .guards_at(turn)
        .iter()
        .map(|&guard| {
            ground.tiles().cells().map(|cell| ground.thrice_factor(guard, cell) as u8).collect()
        })
        .collect()
}

/// The step of light for the factor of all guards on a cell: that of a single guard four, three, two or
/// one cells away, or the next lower one; none where nobody sees it.
fn step(factor: f64) -> usize {
    const STEPS: [f64; 4] = [4.0 / 3.0, 5.0 / 3.0, 6.0 / 3.0, 7.0 / 3.0];
    STEPS.iter().filter(|&&least| factor >= least).count()
}

/// The steps of light of all cells, from 0 to 4; only of one guard if that is given.
fn steps(ground: &Ground, fields: &[Vec<u8>], one: Option<usize>) -> Grid<usize> {
    let tiles = ground.tiles();
    let seen_by = || fields.iter().enumerate().filter(|(guard, _)| one.is_none_or(|o| o == *guard));
    Grid::from_fn(tiles.width(), tiles.height(), |cell| {
        let thrice = seen_by().filter_map(|(_, field)| field.get(tiles.index_of(cell)?));
        step(thrice.map(|&thrice| f64::from(thrice) / 3.0).product())
    })
}

/// The light of cells with these steps.
fn light(steps: &Grid<usize>, dark: bool, detail: Detail) -> Sketch {
    let colours = Manor::of(dark);
    let mut sketch = Sketch::default();
    // Each step lies on the one below, so that no gap shows between them.
    for (least, &colour) in (1..).zip(&colours.light) {
        let zone = Region::of(steps, |cell| steps[cell] >= least);
        let outlines = match detail {
            Detail::Far => zone.outlines(0.0, 0.0),
            _ => zone.outlines(-0.03, 0.14),
        };
        sketch.area(&outlines, opaque(colour));
    }
    if detail == Detail::Near {
        for (cell, _) in steps.iter().filter(|(_, step)| **step > 0) {
            joints_of(&mut sketch, cell, faded(INK, 0.13));
            let low = corner(cell);
            let line = faded(INK, 0.1);
            sketch.rect(low, low + Vec2::new(0.02, 1.0), line);
            sketch.rect(low, low + Vec2::new(1.0, 0.02), line);
        }
    }
    sketch.add(&border(steps, &colours, detail), |at| at);
    sketch
}

/// A dashed line around all cells that are seen.
fn border(steps: &Grid<usize>, colours: &Manor, detail: Detail) -> Sketch {
    let mut sketch = Sketch::default();
    let (width, dash) = match detail {
        Detail::Near => (0.036, 0.11),
        Detail::Middle => (0.07, 0.2),
        Detail::Far => return sketch,
    };
    let ink = faded(colours.border, 0.85);
    for mut outline in Region::of(steps, |cell| steps[cell] > 0).outlines(-0.05, 0.14) {
        outline.extend(outline.first().copied());
        sketch.dashed(&outline, width, dash, dash * 0.8, ink);
    }
    sketch
}

/// What guards see when the thief sets out.
pub fn sketch(game: &Stealth, dark: bool, detail: Detail) -> Sketch {
    let ground = game.ground();
    light(&steps(ground, &fields(ground, 0), None), dark, detail)
}

/// Draws what guards see: the field of the one under the pointer, or of all of them and who sees the
/// cell under the pointer. On heat it is only a border.
pub fn draw(
    canvas: &mut Canvas,
    shown: &Shown<Stealth>,
    ground: &Ground,
    turn: usize,
    ui: &mut StealthUi,
) {
    let tiles = ground.tiles();
    let hovered = canvas.hovered();
    let guards = ground.guards_at(turn);
    let one = guards.iter().position(|&guard| Some(guard) == hovered);
    let revision = (shown.revision, shown.session.playback.view, turn);
    let is_foggy = fog::hides(shown);
    let fields = ui.fields.get(revision, || fields(ground, turn));
    let dark = canvas.palette.dark;
    let detail = Detail::at(canvas.scale(), tiles.len());
    let is_heated = canvas.legend.is_some();
    let (revision, view, turn) = revision;
    let key = (revision, view, turn, one, dark, detail, is_foggy);
    let [light, border] = ui.light.get(key, || {
        let mut steps = steps(ground, fields, one);
        for cell in tiles.cells().filter(|&cell| is_foggy && !fog::is_seen(shown, cell)) {
            steps[cell] = 0;
        }
        [light(&steps, dark, detail), border(&steps, &Manor::of(dark), detail)]
    });
    canvas.floor.add(if is_heated { border } else { light }, |at| at);
    let Some(cell) = hovered.filter(|_| one.is_none()) else { return };
    let Some(at) = tiles.index_of(cell) else { return };
    for (&guard, field) in guards.iter().zip(fields) {
        if field.get(at).is_some_and(|&thrice| thrice > 3) {
            let colour = canvas.palette.line(Seat(1)).egui();
            canvas.dashed([middle(guard), middle(cell)], 1.5, colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::stealth::tests::game;
    use outwit_core::grid::Cell;

    #[test]
    fn light_is_what_the_rule_counts() {
        let game = game(&["O.#.......", "....Z...X.", "..T.#....Y", ".....Z...."]);
        let ground = game.ground();
        let steps = steps(ground, &fields(ground, 0), None);
        for (cell, tile) in ground.tiles().iter().filter(|(_, tile)| !tile.is_closed()) {
            if tile.base_cost() > 0 {
                assert_eq!(steps[cell] > 0, ground.exposure(cell) > 0, "{cell}");
            }
        }
        for (cell, &step) in steps.iter() {
            let single = ground.guards().iter().map(|&guard| ground.thrice_factor(guard, cell));
            let seeing: Vec<i32> = single.filter(|&thrice| thrice > 3).collect();
            if let [thrice @ 4..=7] = seeing[..] {
                assert_eq!(step, thrice as usize - 3, "{cell}");
            }
        }
        assert_eq!(steps[Cell::new(2, 0)], 0, "a wall");
    }

    #[test]
    fn factors_of_several_guards_reach_a_step() {
        assert_eq!([1.0, 4.0 / 3.0, 5.0 / 3.0, 2.0, 7.0 / 3.0].map(step), [0, 1, 2, 3, 4]);
        assert_eq!(step(16.0 / 9.0), 2);
        assert_eq!(step(100.0), 4);
    }

    #[test]
    fn light_lies_on_the_cells_that_are_seen_and_no_others() {
        let game = game(&["O.....Z....", ".....#.....", "..........Y"]);
        let ground = game.ground();
        let steps = steps(ground, &fields(ground, 0), None);
        for detail in [Detail::Far, Detail::Middle, Detail::Near] {
            let sketch = light(&steps, true, detail);
            for (cell, &step) in steps.iter() {
                let centre = middle(cell);
                let covered = sketch.triangles().any(|[a, b, c]| {
                    let sides = [(a.0, b.0), (b.0, c.0), (c.0, a.0)];
                    let turns = sides.map(|(from, to)| (to - from).perp_dot(centre - from));
                    turns.iter().all(|&t| t >= 0.0) || turns.iter().all(|&t| t <= 0.0)
                });
                assert_eq!(covered, step > 0, "{cell} {detail:?}");
            }
        }
    }
}
