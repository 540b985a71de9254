//! Paths over the floor, with arrowheads along the way.

use super::fog;
use crate::app::match_screen::{Canvas, Shown, middle};
use crate::app::shell::theme::Rgb;
use bevy::math::Vec2;
use bevy_egui::egui::{self, Pos2, Shape, Stroke};
use outwit_core::grid::Cell;
use outwit_stealth::Stealth;

/// How far a line stays away from the middle of a piece, in cells.
const CLEARANCE: f32 = 0.44;

/// At which ends of a path a piece stands, which the line must not cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ends {
    /// At the first cell.
    pub begin: bool,
    /// At the last cell.
    pub end: bool,
}

impl Ends {
    /// Those of a complete path from the start: the chest at its end, the thief before it sets out.
    pub fn of(shown: &Shown<Stealth>) -> Self {
        let game = shown.game();
        let heist = shown.state();
        Self { begin: fog::position(game, heist) == game.ground().start(), end: true }
    }
}

/// Draws a path through cells, with a dot where no piece stands at its end.
pub fn draw(canvas: &Canvas, cells: &[Cell], colour: Rgb, width: f32, ends: Ends) {
    let length = cells.len().saturating_sub(1) as f32;
    let cut = |is_cut: bool| if is_cut { CLEARANCE } else { 0.0 };
    stretch(canvas, cells, colour, width, (cut(ends.begin), length - cut(ends.end)));
    if let Some(&end) = cells.last().filter(|_| length > 0.0 && !ends.end) {
        let casing = canvas.palette.casing.egui();
        canvas.painter.circle_filled(canvas.at(end), width + 3.0, casing);
        canvas.painter.circle_filled(canvas.at(end), width + 1.5, colour.egui());
    }
}

/// Draws a path up to the thief, who has come so many cells far.
pub fn draw_until(canvas: &Canvas, cells: &[Cell], colour: Rgb, width: f32, reached: f32) {
    stretch(canvas, cells, colour, width, (0.0, reached - CLEARANCE));
}

/// Draws a path that is only proposed.
pub fn dashed(canvas: &Canvas, cells: &[Cell], colour: Rgb) {
    let places = part(cells, CLEARANCE, cells.len().saturating_sub(1) as f32);
    canvas.dashed(places, 2.0, colour.egui());
}

fn stretch(canvas: &Canvas, cells: &[Cell], colour: Rgb, width: f32, (from, to): (f32, f32)) {
    let places = part(cells, from, to);
    canvas.line(places, width, colour.egui());
    let every = match canvas.scale() {
        scale if scale >= 32.0 => 1,
        scale if scale >= 16.0 => 2,
        _ => return,
    };
    for (pair, n) in cells.windows(2).zip(0_u16..).step_by(every) {
        let at = f32::from(n) + 0.5;
        if at > from && at < to {
            arrowhead(canvas, middle(pair[0]).midpoint(middle(pair[1])), pair[1] - pair[0], colour);
        }
    }
}

/// A small arrowhead at a place.
fn arrowhead(canvas: &Canvas, place: Vec2, way: Cell, colour: Rgb) {
    let size = (canvas.scale() * 0.12).clamp(3.5, 9.0);
    let along = egui::vec2(way.x as f32, way.y as f32) * size;
    let at = canvas.point(place);
    let side = along.rot90() * 0.95;
    let back = at - along * 0.75;
    let corners: Vec<Pos2> = vec![at + along, back + side, back - side];
    let casing = Stroke::new(1.5, canvas.palette.casing.egui_alpha(0.8));
    canvas.painter.add(Shape::convex_polygon(corners, colour.egui(), casing));
}

/// The part of a path between two distances from its first cell, in cells.
fn part(cells: &[Cell], from: f32, to: f32) -> Vec<Vec2> {
    let most = cells.len().saturating_sub(1) as f32;
    let from = from.max(0.0);
    let to = to.min(most);
    if from >= to {
        return Vec::new();
    }
    let place = |at: f32| {
        let before = (at.floor() as usize).min(cells.len() - 1);
        let after = (before + 1).min(cells.len() - 1);
        middle(cells[before]).lerp(middle(cells[after]), at.fract())
    };
    let first = from.floor() as usize + 1;
    let last = to.ceil() as usize;
    let mut places = vec![place(from)];
    places.extend((first..last).map(|n| middle(cells[n])));
    places.push(place(to));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_path_keep_its_corners() {
        let cells = [(0, 0), (1, 0), (1, 1), (1, 2)].map(|(x, y)| Cell::new(x, y));
        let places = |from: f32, to: f32| -> Vec<(f32, f32)> {
            part(&cells, from, to).into_iter().map(|at| (at.x, at.y)).collect()
        };
        assert_eq!(places(0.25, 2.5), [(0.75, 0.5), (1.5, 0.5), (1.5, 1.5), (1.5, 2.0)]);
        assert_eq!(places(0.0, 9.0), [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (1.5, 2.5)]);
        assert_eq!(places(1.25, 1.75), [(1.5, 0.75), (1.5, 1.25)]);
        assert_eq!(places(1.0, 1.0), []);
        assert_eq!(part(&[], 0.0, 1.0), []);
    }
}
