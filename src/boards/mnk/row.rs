//! The winning row: on wood a band below its stones and a ring round each, on paper a stroke through it.

use super::colours::{CHALK, Paper};
use super::{pen, pieces};
use crate::app::drawing::opaque;
use crate::app::match_screen::{Canvas, Shown, ease, middle};
use crate::app::shell::theme::INK;
use bevy::math::Vec2;
use bevy_egui::egui::{Shape, Stroke};
use outwit_core::grid::Cell;
use outwit_mnk::lines::DIRECTIONS;
use outwit_mnk::{Mnk, MnkEvent};

/// How long it takes to place a stone, in seconds.
pub const PLACING: f32 = 0.2;
/// How long a band or a stroke grows.
const BAND: f32 = 0.32;
/// How long a ring grows.
const RING: f32 = 0.14;

/// Seconds between the rings of a row of so many cells.
fn apart(cells: usize) -> f32 {
    (0.8 / cells.max(1) as f32).min(0.06)
}

/// How long it takes to show a winning row of so many cells, in seconds.
fn growing(cells: usize) -> f32 {
    BAND.max(apart(cells) * cells.saturating_sub(1) as f32 + RING)
}

/// How long a turn with these events is shown, in seconds.
pub fn turn_seconds(events: &[MnkEvent]) -> f32 {
    let won = events.iter().find_map(|event| match event {
        MnkEvent::Won { line, .. } => Some(winning_seconds(line)),
        _ => None,
    });
    won.unwrap_or(PLACING)
}

/// How long a turn is shown that completes these rows, in seconds.
pub fn winning_seconds(line: &[Cell]) -> f32 {
    PLACING + growing(line.len())
}

/// A row that has won, or is about to.
pub struct WinningRow<'a> {
    cells: &'a [Cell],
    last: Cell,
    /// Seconds since it began to grow.
    elapsed: f32,
}

impl<'a> WinningRow<'a> {
    /// The winning row that is to be seen, if there is one; while its turn moves only if `moves`.
    pub fn of(shown: &Shown<'a, Mnk>, moves: bool) -> Option<Self> {
        let state = shown.state();
        if !state.line.is_empty() {
            return Some(Self { cells: &state.line, last: state.last?, elapsed: f32::INFINITY });
        }
        let animation = shown.animation().filter(|_| moves)?;
        let events = &shown.turn()?.events;
        let cells = events.iter().find_map(|event| match event {
            MnkEvent::Won { line, .. } => Some(line),
            _ => None,
        })?;
        let last = events.iter().find_map(|event| match event {
            MnkEvent::Placed { cell, .. } => Some(*cell),
            _ => None,
        })?;
        let elapsed = animation.time * turn_seconds(events) - PLACING;
        (elapsed > 0.0).then_some(Self { cells, last, elapsed })
    }

    /// How much of the band or stroke is there, from 0 to 1.
    fn grown(&self) -> f32 {
        ease(self.elapsed / BAND)
    }

    /// Draws what lies below the stones.
    pub fn paint_below(&self, canvas: &mut Canvas, game: &Mnk) {
        if !pieces::on_wood(game) {
            return;
        }
        const WIDTH: f32 = 0.36;
        for (from, to) in rows(self.cells, self.last) {
            let from = middle(from);
            let to = middle(to);
            let band = [from, from.lerp(to, self.grown())];
            canvas.floor.line(&band, WIDTH + 0.1, opaque(INK));
            canvas.floor.line(&band, WIDTH, opaque(CHALK));
        }
    }

    /// Draws what lies above the stones.
    pub fn paint_above(&self, canvas: &Canvas, game: &Mnk) {
        if pieces::on_wood(game) {
            for (cell, n) in self.cells.iter().zip(0_u8..) {
                let begin = f32::from(n) * apart(self.cells.len());
                ring(canvas, *cell, ease((self.elapsed - begin) / RING));
            }
        } else {
            for (from, to) in rows(self.cells, self.last) {
                strike(canvas, from, to, self.grown());
            }
        }
    }
}

/// A ring round a stone, drawn clockwise as far as `part` says.
fn ring(canvas: &Canvas, cell: Cell, part: f32) {
    const STEPS: u8 = 48;
    if part <= 0.0 || !canvas.is_visible(cell) {
        return;
    }
    let scale = canvas.scale();
    let outer = (0.15 * scale).clamp(2.6, 7.0);
    let inner = (0.085 * scale).clamp(1.4, 4.0);
    for (width, colour) in [(outer, INK), (inner, CHALK)] {
        let stroke = Stroke::new(width, colour.egui());
        if part >= 1.0 {
            canvas.painter.circle_stroke(canvas.at(cell), 0.49 * scale, stroke);
            continue;
        }
        canvas.painter.add(Shape::line(
            (0..=STEPS)
                .map(|step| {
                    let turn = f32::from(step) / f32::from(STEPS) * part - 0.25;
                    let way = Vec2::from_angle(turn * std::f32::consts::TAU);
                    canvas.point(middle(cell) + 0.49 * way)
                })
                .collect(),
            stroke,
        ));
    }
}

/// A stroke of the pen through the marks of a row.
fn strike(canvas: &Canvas, from: Cell, to: Cell, part: f32) {
    let paper = Paper::of(canvas.palette.dark);
    let from = middle(from);
    let to = middle(to);
    let way = if from == to { Vec2::X } else { (to - from).normalize_or_zero() };
    let tilt = way.perp() * 0.035;
    let begin = from - way * 0.44 + tilt;
    let end = to + way * 0.44 - tilt;
    // Without a bow its outline is convex.
    let stroke = pen::straight(begin, end, 0.0, [0.11, 0.09], part);
    let outline: Vec<_> = pen::outline(&stroke).into_iter().map(|at| canvas.point(at)).collect();
    if outline.is_empty() {
        return;
    }
    let casing = Stroke::new((0.05 * canvas.scale()).clamp(1.5, 5.0), paper.sheet.egui());
    canvas.painter.add(Shape::closed_line(outline.clone(), casing));
    canvas.painter.add(Shape::convex_polygon(outline, paper.strike.egui(), Stroke::NONE));
}

/// Both ends of each of the rows through the last stone that make up the cells that won.
fn rows(cells: &[Cell], last: Cell) -> Vec<(Cell, Cell)> {
    let along = |way: Cell| {
        let on_it = |cell: &&Cell| {
            let by = **cell - last;
            by.x * way.y == by.y * way.x
        };
        let place = |cell: &&Cell| (cell.x * way.x + cell.y * way.y, cell.x);
        let row: Vec<&Cell> = cells.iter().filter(on_it).collect();
        let first = row.iter().min_by_key(|c| place(c))?;
        let end = row.iter().max_by_key(|c| place(c))?;
        (first != end).then_some((**first, **end))
    };
    let found: Vec<_> = DIRECTIONS.into_iter().filter_map(along).collect();
    // A row of one stone has no direction.
    if found.is_empty() { vec![(last, last)] } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(x: i32, y: i32) -> Cell {
        Cell::new(x, y)
    }

    #[test]
    fn rows_end_where_their_stones_do() {
        let diagonal: Vec<Cell> = (0..5).map(|n| cell(2 + n, 9 - n)).collect();
        assert_eq!(rows(&diagonal, cell(4, 7)), [(cell(2, 9), cell(6, 5))]);
        // Two rows at once, listed as the rules list them.
        let mut both: Vec<Cell> = (0..4).map(|x| cell(x, 3)).collect();
        both.extend((0..3).map(|y| cell(1, y)));
        let ends = [(cell(0, 3), cell(3, 3)), (cell(1, 0), cell(1, 3))];
        assert_eq!(rows(&both, cell(1, 3)), ends);
        assert_eq!(rows(&[cell(4, 4)], cell(4, 4)), [(cell(4, 4), cell(4, 4))]);
    }

    #[test]
    fn a_row_of_any_length_is_shown_in_good_time() {
        assert_eq!(growing(3), BAND);
        assert!((growing(5) - 0.38).abs() < 1e-6);
        assert!(growing(70) < 1.0);
    }
}
