//! Fog on the board: what the thief has not seen is covered, and it goes step by step.

use super::colours::Manor;
use super::drawn::DrawnPath;
use super::keys::{COMMANDS, RouteCommand};
use super::terrain::corner;
use super::{StealthUi, overlay, path};
use crate::app::drawing::{Region, Sketch, WALL_HEIGHT, mixed, opaque};
use crate::app::match_screen::{Canvas, Reply, Shown, cell_at};
use crate::app::shell::commands::of_press;
use crate::app::shell::keyboard::Press;
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use bevy_egui::egui;
use outwit_core::grid::{Cell, Grid};
use outwit_core::play::{Game, Seat};
use outwit_stealth::{GroundTile, Heist, Route, Stealth};
use std::sync::Arc;

/// How far the cover reaches into the cells around it, in cells: the edges of cells are no hint.
const MARGIN: f32 = 0.1;
/// Cells from one line of the hatching to the next.
const GAP: f32 = 0.25;

/// The cover over what was not seen, in cells.
pub struct Cover {
    /// Covered rectangles.
    paper: Vec<[Vec2; 2]>,
    /// The faces of walls behind which nothing is known.
    faces: Vec<[Vec2; 2]>,
    hatching: Vec<[Vec2; 2]>,
    outlines: Vec<Vec<Vec2>>,
}

/// The house as the thief knows it.
pub struct KnownHouse {
    /// From where it stands now.
    pub here: Stealth,
    /// From the start.
    pub whole: Stealth,
}

/// Whether the thief goes step by step.
pub fn is_foggy(heist: &Heist) -> bool {
    heist.seen.is_some() && !heist.is_over
}

/// Whether the fog hides anything: those who do not play may lift it.
pub fn hides(shown: &Shown<Stealth>) -> bool {
    let is_on = !shown.session.humans.is_empty() || shown.session.shows(overlay::FOG);
    is_on && is_foggy(shown.state())
}

/// What the thief knows, if the fog hides the rest.
pub fn known(shown: &Shown<Stealth>, ui: &mut StealthUi) -> Option<Arc<KnownHouse>> {
    let heist = shown.state();
    if !hides(shown) {
        return None;
    }
    let known = ui.known.get((shown.revision, shown.session.playback.view), || {
        let game = shown.game();
        let begin = Heist { seen: heist.seen.clone(), ..Heist::default() };
        let here = game.known(heist)?;
        let whole = game.known(&begin)?;
        Some(Arc::new(KnownHouse { here, whole }))
    });
    known.clone()
}

/// Whether the thief has seen a cell.
pub fn is_seen(shown: &Shown<Stealth>, cell: Cell) -> bool {
    has_seen(shown.game(), shown.state(), cell)
}

fn has_seen(game: &Stealth, heist: &Heist, cell: Cell) -> bool {
    let at = game.ground().tiles().index_of(cell);
    heist.seen.as_ref().zip(at).is_some_and(|(seen, at)| seen.knows(at))
}

/// The cover as a picture of a level has it, so that it tells no more than the board will.
pub fn sketch(game: &Stealth, heist: &Heist, dark: bool) -> Option<Sketch> {
    if !is_foggy(heist) {
        return None;
    }
    let cover = Cover::of(game, heist);
    let [paper, line] = Manor::of(dark).fog;
    let mut sketch = Sketch::default();
    for &[low, high] in &cover.paper {
        sketch.rect(low, high, opaque(paper));
    }
    for line_of in &cover.hatching {
        sketch.line(line_of, 0.03, opaque(mixed(paper, line, 0.6)));
    }
    Some(sketch)
}

/// The cell where the thief stands.
pub fn position(game: &Stealth, heist: &Heist) -> Cell {
    let cells = heist.walked.cells(game.ground().start());
    cells.last().copied().unwrap_or_default()
}

impl Cover {
    fn of(game: &Stealth, heist: &Heist) -> Self {
        let tiles = game.ground().tiles();
        let is_hidden =
            Grid::from_fn(tiles.width(), tiles.height(), |cell| !has_seen(game, heist, cell));
        let hides = |cell: Cell| is_hidden.get(cell).is_some_and(|&hidden| hidden);
        let is_wall = |cell: Cell| tiles.get(cell) == Some(&GroundTile::Wall) && !hides(cell);
        let mut paper: Vec<[Vec2; 2]> = Vec::new();
        let mut faces = Vec::new();
        for cell in tiles.cells() {
            let low = corner(cell);
            if hides(cell) {
                match paper.last_mut() {
                    Some([_, high]) if hides(cell - Cell::new(1, 0)) && cell.x > 0 => {
                        high.x = low.x + 1.0 + MARGIN;
                    }
                    _ => paper.push([low - MARGIN, low + 1.0 + MARGIN]),
                }
            } else if is_wall(cell) && hides(cell + Cell::new(0, 1)) {
                // Whether a wall shows its side would tell whether it goes on below.
                let end = |beside: Cell| if is_wall(cell + beside) { 0.0 } else { 0.09 };
                let left = end(Cell::new(-1, 0));
                let right = end(Cell::new(1, 0));
                let top = low + Vec2::new(left, 1.0 - WALL_HEIGHT - 0.1);
                faces.push([top, low + Vec2::new(1.0 - right, 1.0)]);
            }
        }
        let outlines = Region::of(&is_hidden, hides).outlines(MARGIN, 0.1);
        Self { paper, faces, hatching: hatching(&is_hidden), outlines }
    }
}

/// Slanted lines over the cells for which a grid holds.
fn hatching(is_hidden: &Grid<bool>) -> Vec<[Vec2; 2]> {
    let size = Vec2::new(is_hidden.width() as f32, is_hidden.height() as f32);
    let mut lines: Vec<[Vec2; 2]> = Vec::new();
    // Along a line x + y is the same; no line runs through a corner of cells.
    let mut sum = GAP / 2.0;
    while sum < size.x + size.y {
        let mut x = (sum - size.y).max(0.0);
        let end = sum.min(size.x);
        let mut goes_on = false;
        while x < end - 1e-4 {
            let cell = cell_at(Vec2::new(x + 1e-3, sum - x - 1e-3));
            let to_column = (cell.x + 1) as f32;
            let to_row = sum - cell.y as f32;
            let next = to_column.min(to_row).min(end).max(x + 1e-2);
            let hidden = is_hidden.get(cell).is_some_and(|&hidden| hidden);
            match lines.last_mut() {
                Some([_, to]) if hidden && goes_on => *to = Vec2::new(next, sum - next),
                _ if hidden => lines.push([Vec2::new(x, sum - x), Vec2::new(next, sum - next)]),
                _ => {}
            }
            goes_on = hidden;
            x = next;
        }
        sum += GAP;
    }
    lines
}

/// Covers what was not seen with paper on which nothing is drawn yet.
pub fn cover(canvas: &Canvas, shown: &Shown<Stealth>, ui: &mut StealthUi) {
    let key = (shown.revision, shown.session.playback.view);
    let cover = ui.cover.get(key, || Cover::of(shown.game(), shown.state()));
    let colours = Manor::of(canvas.palette.dark);
    let [paper, line] = colours.fog;
    let fill = |&[low, high]: &[Vec2; 2], colour: Rgb| {
        let rect = egui::Rect::from_two_pos(canvas.point(low), canvas.point(high));
        canvas.painter.rect_filled(rect, 0.0, colour.egui());
    };
    if canvas.scale() >= 12.0 {
        cover.faces.iter().for_each(|face| fill(face, colours.walls.top[1]));
    }
    cover.paper.iter().for_each(|rect| fill(rect, paper));
    // Wide enough apart to be seen as lines.
    let every = if canvas.scale() >= 32.0 { 1 } else { 2 };
    let stroke = egui::Stroke::new(1.0, paper.mixed(line, 0.6));
    if canvas.scale() >= 12.0 {
        for &[from, to] in &cover.hatching {
            let number = ((from.x + from.y) / GAP) as usize;
            if number.is_multiple_of(every) {
                canvas.painter.line_segment([canvas.point(from), canvas.point(to)], stroke);
            }
        }
    }
    for outline in &cover.outlines {
        let places = outline.iter().chain(outline.first());
        let points: Vec<egui::Pos2> = places.map(|&at| canvas.point(at)).collect();
        let stroke = egui::Stroke::new(2.0, line.egui());
        canvas.painter.extend(egui::Shape::dashed_line(&points, stroke, 2.0, 5.0));
    }
}

/// The steps to a cell over cells that were seen; empty if there is no way.
fn way(shown: &Shown<Stealth>, known: &KnownHouse, target: Cell) -> Vec<Cell> {
    let ground = known.here.ground();
    let walked = shown.state().walked.cells(shown.game().ground().start());
    DrawnPath::new(ground)
        .way_to(ground, target, |cell: Cell| is_seen(shown, cell) && !walked.contains(&cell))
}

/// Where a click would lead.
pub fn preview(canvas: &mut Canvas, shown: &Shown<Stealth>, known: &KnownHouse) {
    let Some(target) = canvas.hovered() else { return };
    let way = way(shown, known, target);
    if !way.is_empty() {
        canvas.clickable = true;
        let here = position(shown.game(), shown.state());
        let cells: Vec<Cell> = std::iter::once(here).chain(way).collect();
        path::dashed(canvas, &cells, canvas.palette.line(Seat(0)));
    }
}

/// Goes to a cell by the fewest steps over cells that were seen.
pub fn go_to(shown: &Shown<Stealth>, ui: &mut StealthUi, target: Cell) -> Reply<Route> {
    let (Some(known), true) = (known(shown, ui), shown.queue.is_empty()) else {
        return Reply::Ignored;
    };
    let here = position(shown.game(), shown.state());
    let cells: Vec<Cell> = std::iter::once(here).chain(way(shown, &known, target)).collect();
    match Route::along(&cells) {
        Some(route) if !route.0.is_empty() => Reply::Acts(route.steps().collect()),
        _ => Reply::Ignored,
    }
}

/// A step, after all that were typed before.
pub fn key(shown: &Shown<Stealth>, press: &Press) -> Reply<Route> {
    let entry = of_press(COMMANDS, press, false, false);
    let Some(RouteCommand::Step(step)) = entry.map(|entry| entry.id) else { return Reply::Ignored };
    if shown.session.humans.is_empty() {
        return Reply::Ignored;
    }
    let mut heist = shown.arriving_state().clone();
    let route = Route(vec![step]);
    heist.walked.0.extend(shown.queue.iter().flat_map(|queued| &queued.0));
    match shown.game().legal(&heist, Seat(0), &route) {
        Ok(()) if !heist.is_over => Reply::Act(route),
        _ => Reply::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::match_screen::level_picture;
    use crate::app::shell::pieces::Pieces;
    use crate::app::shell::preview::PictureSpec;
    use bevy::math::Vec2;

    #[test]
    fn pictures_of_foggy_levels_tell_nothing_of_what_is_out_of_sight() {
        let bytes = outwit_levels::built_in("stealth/18-first-fog").unwrap().bytes().unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let spec = PictureSpec {
            dark: true,
            room: egui::vec2(300.0, 300.0),
            most: 24.0,
            pieces: Pieces::default(),
        };
        let picture =
            |text: &str| level_picture::<Stealth>(text.as_bytes(), "a", &spec).unwrap().pixels;
        // Another wall, far from the start. Guards are drawn only in a window.
        let other = text.replacen(".#..Z....#.", ".##.Z....#.", 1);
        assert_ne!(text, other);
        assert!(picture(&text) == picture(&other));
        // Without fog it is seen.
        let clear = |text: &str| picture(&text.replacen("sight: Some(3)", "", 1));
        assert!(clear(&text) != clear(&other));
    }

    #[test]
    fn the_hatching_stays_on_hidden_cells() {
        let rows = ["#..##", "##.#.", "....#"];
        let is_hidden =
            Grid::from_fn(5, 3, |cell| rows[cell.y as usize].as_bytes()[cell.x as usize] == b'#');
        let lines = hatching(&is_hidden);
        assert!(lines.len() > 20);
        let mut length = 0.0;
        for &[from, to] in &lines {
            length += from.distance(to);
            for part in 1_u8..40 {
                let at: Vec2 = from.lerp(to, f32::from(part) / 40.0);
                let inner = at - at.floor();
                // On a border it may be either cell.
                if inner.min_element() > 0.02 && inner.max_element() < 0.98 {
                    assert!(is_hidden[cell_at(at)], "{at}");
                }
            }
        }
        // Eight lines cross each cell, their lengths together the same everywhere.
        let cell = (0..8_u8).map(|n| 0.125 + 0.25 * f32::from(n));
        let cell: f32 = cell.map(|sum| (1.0 - (1.0 - sum).abs()) * 2.0_f32.sqrt()).sum();
        assert!((length / cell - 7.0).abs() < 0.05, "{}", length / cell);
    }
}
